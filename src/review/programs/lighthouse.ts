import { inSol } from '../../math/units.js';
import {
  type Demand,
  isLighthouseAssertion,
  lighthouseInstructionName,
  readDemands,
} from '../../solana/lighthouse.js';
import { makeStep, type PlainInstruction, type Step } from '../step.js';

/** The length that fits into a line. */
const MOST_IN_WORDS = 6;

/** An assertion of Lighthouse. Its other instructions write to accounts of its own, and no wallet adds them. */
export function lighthouseStep(instruction: PlainInstruction): Step | undefined {
  const name = lighthouseInstructionName(instruction);
  if (name === undefined || !isLighthouseAssertion(instruction)) return undefined;
  const demands = readDemands(instruction.data) ?? [];
  const { accounts } = instruction;
  const about = accounts.length === 0 ? 'the clock' : accounts.map(({ address }) => address).join(' and ');
  const inWords =
    demands.length === 0
      ? `Check ${about}, and fail the transaction if it is not as it should be (${name} of Lighthouse, which is not decoded)`
      : `Fail the transaction unless ${about} has ${wordsFor(demands)}`;
  return makeStep('lighthouse', name, { accounts: { ...accounts }, data: { demands } }, inWords);
}

function wordsFor(demands: readonly Demand[]): string {
  const shown = demands.slice(0, MOST_IN_WORDS).map(demandInWords);
  const rest = demands.length - shown.length;
  return `${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

function demandInWords({ field, comparison, value, at }: Demand): string {
  const name = field === 'data' ? `${at?.bytes} bytes of data at ${at?.offset}` : field.replaceAll('-', ' ');
  if (field === 'lamports') return `a balance ${comparison} ${inSol(value as bigint)}`;
  return `${name} ${comparison} ${value ?? 'none'}`;
}
