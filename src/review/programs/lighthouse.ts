import type { Address } from '@solana/kit';
import { inSol } from '../../math/units.js';
import {
  type Demand,
  type DemandField,
  type LighthouseInstructionName,
  lighthouseInstructionName,
  readDemands,
} from '../../solana/lighthouse.js';
import { debit } from '../effects.js';
import type { PlainInstruction, Step } from '../step.js';
import { makeStep } from './make-step.js';

/** The length that fits into a line. */
const MOST_IN_WORDS = 6;

export function lighthouseStep(instruction: PlainInstruction): Step | undefined {
  const name = lighthouseInstructionName(instruction);
  const accounts = instruction.accounts.map(({ address }) => address);
  if (name === undefined) return undefined;
  if (name === 'MemoryWrite' || name === 'MemoryClose') return memoryStep(name, accounts);
  const demands = readDemands(instruction.data);
  const about = accounts.length === 0 ? 'the clock' : accounts.join(' and ');
  const inWords =
    demands === undefined || demands.length === 0
      ? `Check ${about}, and fail the transaction if it is not as it should be (${name} of Lighthouse, which is not decoded)`
      : `Fail the transaction unless ${about} has ${wordsFor(demands)}`;
  return makeStep(
    'lighthouse',
    name,
    { accounts: asMetas(accounts), data: { demands: demands ?? [] } },
    { inWords },
  );
}

/** Lighthouse writes to an account of its own, which the payer pays for, or closes it. */
function memoryStep(
  name: Extract<LighthouseInstructionName, 'MemoryWrite' | 'MemoryClose'>,
  accounts: readonly Address[],
): Step {
  const [payer, memory] = (name === 'MemoryWrite' ? accounts.slice(2, 4) : accounts.slice(1)) as [
    Address,
    Address,
  ];
  return makeStep(
    'lighthouse',
    name,
    { accounts: asMetas(accounts), data: {} },
    name === 'MemoryWrite'
      ? {
          inWords: `Write to Lighthouse's account ${memory}, whose rent ${payer} pays, in a size that the instruction chooses`,
          // This is not rent of the payer's own account: the amount is unknown, and not all of it comes back.
          effects: [debit('SOL', payer, 'unknown', payer, 'transfer', { destination: memory })],
        }
      : {
          inWords: `Close Lighthouse's account ${memory} and pay its SOL out to ${payer}`,
          effects: [
            { kind: 'close', account: memory, destination: payer },
            debit('SOL', memory, 'all', payer, 'close', { destination: payer }),
          ],
        },
  );
}

const asMetas = (accounts: readonly Address[]) =>
  Object.fromEntries(accounts.map((address, index) => [`account${index + 1}`, { address, role: 0 }]));

function wordsFor(demands: readonly Demand[]): string {
  const shown = demands.slice(0, MOST_IN_WORDS).map(demandInWords);
  const rest = demands.length - shown.length;
  return `${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

function demandInWords({ field, comparison, value, at }: Demand): string {
  const name = field === 'data' ? `${at?.bytes} bytes of data at ${at?.offset}` : field.replaceAll('-', ' ');
  const shown = value === null ? 'none' : isSol(field) ? inSol(value as bigint) : String(value);
  return `${field === 'lamports' ? 'a balance' : name} ${comparison} ${shown}`;
}

const isSol = (field: DemandField): boolean => field === 'lamports';
