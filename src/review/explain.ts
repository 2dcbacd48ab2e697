import {
  AccountRole,
  type Address,
  bytesEqual,
  isSignerRole,
  isWritableRole,
  type V1TransactionConfig,
} from '@solana/kit';
import { HeavenError, type HeavenErrorContexts } from '../errors.js';
import type { InstructionConfig } from '../program/deployment.js';
import { costOf } from '../solana/compute-budget.js';
import {
  callsAnotherProgram,
  isLighthouseAssertion,
  LIGHTHOUSE_PROGRAM_ADDRESS,
} from '../solana/lighthouse.js';
import {
  isSignatureValid,
  type LoadedInstruction,
  type LoadedTransaction,
  type WireTransaction,
} from '../solana/message.js';
import { COMPUTE_BUDGET_PROGRAM_ADDRESS } from '../solana/programs.js';
import { checksByPosition } from '../solana/signature-checks.js';
import { quoted, type Step } from './programs/step.js';
import { stepsOf } from './step.js';
import { describeInstruction, versionInWords } from './words.js';

// Says how a transaction differs from another: the first difference that matters. It decides nothing.

/** A difference, in words that follow a colon. */
export interface Difference {
  readonly message: string;
  readonly context: HeavenErrorContexts['transaction-mismatch'];
}

type Mismatch = HeavenError<'transaction-mismatch'>;

const whereOf = ({ context: { instruction } }: Difference): string =>
  instruction === undefined ? '' : ` (instruction ${instruction + 1})`;

/** A transaction to sign that is not the one that was asked for. */
export const notAskedFor = (difference: Difference): Mismatch =>
  new HeavenError(
    'transaction-mismatch',
    `This is not the transaction that was asked for${whereOf(difference)}: ${difference.message}. Don't sign it.`,
    difference.context,
  );

/** A signed transaction that is not the one that the wallet was given. */
export const notGiven = (difference: Difference): Mismatch =>
  new HeavenError(
    'transaction-mismatch',
    `The wallet did not sign the transaction that it was given${whereOf(difference)}: ${difference.message}. Don't send it. Build the transaction again, and have it signed again.`,
    difference.context,
  );

const UNEXPLAINED: Difference = { message: 'it differs', context: { reason: 'data' } };

/** How a transaction differs from the expected one. */
export const explainMismatch = (
  actual: LoadedTransaction,
  expected: LoadedTransaction,
  config: InstructionConfig,
): Difference =>
  envelopeDifference(actual, expected) ??
  configDifference(actual, expected) ??
  instructionDifference(partsOf(actual, config), partsOf(expected, config)) ??
  rightsDifference(actual, expected) ??
  UNEXPLAINED;

/** How a transaction from a wallet differs from the one that the wallet was given, apart from what a wallet may change. */
export function explainSignedMismatch(
  signed: LoadedTransaction,
  given: LoadedTransaction,
  maxGuards: number,
  config: InstructionConfig,
): Difference {
  const [is, should] = [partsOf(signed, config), partsOf(given, config)];
  return (
    envelopeDifference(signed, given) ??
    lifetimeDifference(signed.wire, given.wire) ??
    instructionDifference(is.filter(isFixed), should.filter(isFixed)) ??
    guardDifference(signed, given, maxGuards) ??
    budgetDifference(signed, given) ??
    instructionDifference(is.filter(isNoGuard), should.filter(isNoGuard)) ??
    rightsDifference(signed, given, readByGuards(signed)) ??
    UNEXPLAINED
  );
}

/** Which signature is missing, or not valid. */
export async function explainSignatures(
  { wire }: LoadedTransaction,
  mustHaveSigned: readonly Address[],
): Promise<Difference> {
  for (const { address, signature } of wire.signatures) {
    if (signature === undefined && mustHaveSigned.includes(address)) {
      return {
        message: `the signature of ${address} is missing`,
        context: { reason: 'signature', asked: address },
      };
    }
    if (signature !== undefined && !(await isSignatureValid(wire, address, signature))) {
      return {
        message: `the signature of ${address} is not valid, as if something changed after it`,
        context: { reason: 'signature', found: address },
      };
    }
  }
  return { message: 'a signature is missing or not valid', context: { reason: 'signature' } };
}

// ---------------------------------------------------------------- the transaction as a whole

function envelopeDifference(actual: LoadedTransaction, expected: LoadedTransaction): Difference | undefined {
  const [asked, found] = [expected.wire.version, actual.wire.version];
  if (found !== asked) {
    return {
      message: `it is a ${versionInWords(found)} transaction, not ${versionInWords(asked)}`,
      context: { reason: 'version', asked, found },
    };
  }
  const [payer, otherPayer] = [expected.accounts[0]?.address, actual.accounts[0]?.address];
  if (otherPayer !== payer) {
    return {
      message: `${otherPayer} pays for it, not ${payer}`,
      context: { reason: 'fee-payer', asked: payer, found: otherPayer },
    };
  }
  return lookupDifference(actual);
}

/** An account that a lookup table hides, or brings a second time. */
function lookupDifference({ accounts }: LoadedTransaction): Difference | undefined {
  const seen = new Set<Address>();
  for (const { address, lookup } of accounts) {
    if (address !== undefined && !seen.has(address)) {
      seen.add(address);
      continue;
    }
    const what =
      address === undefined
        ? `account ${lookup?.index} of the lookup table ${lookup?.table}, which is not known. If you trust that table, pass its contents in lookupTables`
        : `${address} a second time, from the lookup table ${lookup?.table}`;
    return { message: `it loads ${what}`, context: { reason: 'lookup-table', found: lookup?.table } };
  }
  return undefined;
}

function lifetimeDifference(
  { lifetimeToken: found }: WireTransaction,
  { lifetimeToken: asked }: WireTransaction,
): Difference | undefined {
  if (found === asked) return undefined;
  return {
    message: `its block hash is ${found}, not ${asked}`,
    context: { reason: 'lifetime', asked, found },
  };
}

const CONFIG_FIELDS = [
  'priorityFeeLamports',
  'computeUnitLimit',
  'loadedAccountsDataSizeLimit',
  'heapSize',
] as const satisfies readonly (keyof V1TransactionConfig)[];

function configDifference(actual: LoadedTransaction, expected: LoadedTransaction): Difference | undefined {
  const field = CONFIG_FIELDS.find((name) => actual.wire.config?.[name] !== expected.wire.config?.[name]);
  if (field === undefined) return undefined;
  const [asked, found] = [expected.wire.config?.[field], actual.wire.config?.[field]];
  return {
    message: `its ${field} is ${found ?? 'not set'}, not ${asked ?? 'left unset'}`,
    context: { reason: 'compute-budget', field, asked, found },
  };
}

function budgetDifference(signed: LoadedTransaction, given: LoadedTransaction): Difference | undefined {
  const [asked, found] = [budgetInWords(given.wire), budgetInWords(signed.wire)];
  if (asked === found) return undefined;
  return {
    message: `it sets ${found}, and was given ${asked}`,
    context: { reason: 'compute-budget', asked, found },
  };
}

function budgetInWords(wire: WireTransaction): string {
  const { computeBudget, fees } = costOf(wire);
  const { unitLimit, loadedAccountsDataSizeLimit, heapSize } = computeBudget;
  return `${unitLimit} compute units, ${loadedAccountsDataSizeLimit} bytes of accounts, a heap of ${heapSize} bytes and ${fees.priority} lamports of priority fee`;
}

/** A right that an account has or lacks. `readable`: accounts that it may name besides, to read them. */
function rightsDifference(
  actual: LoadedTransaction,
  expected: LoadedTransaction,
  readable: readonly (Address | undefined)[] = [],
): Difference | undefined {
  const rights = new Map<Address | undefined, AccountRole>([
    ...readable.map((address) => [address, AccountRole.READONLY] as const),
    ...expected.accounts.map(({ address, role }) => [address, role] as const),
  ]);
  for (const { address, role } of actual.accounts) {
    const asked = rights.get(address);
    if (asked === role) continue;
    const isSigner = isSignerRole(role) !== isSignerRole(asked ?? AccountRole.READONLY);
    const isWritable = isWritableRole(role) !== isWritableRole(asked ?? AccountRole.READONLY);
    return {
      message:
        asked === undefined
          ? `it names ${address}, which has no part in it`
          : `${address} is ${AccountRole[role]} in it, not ${AccountRole[asked]}`,
      context: {
        reason: isSigner ? 'signer' : isWritable ? 'writable' : 'account',
        ...(asked === undefined ? {} : { asked: AccountRole[asked] }),
        found: AccountRole[role],
      },
    };
  }
  return undefined;
}

// ---------------------------------------------------------------- its instructions

/** An instruction, what it means, and where it stands. */
interface Part {
  readonly instruction: LoadedInstruction;
  readonly step: Step | undefined;
  readonly index: number;
}

function partsOf({ wire, instructions }: LoadedTransaction, config: InstructionConfig): readonly Part[] {
  const steps = stepsOf(instructions, wire.version, config);
  return instructions.map((instruction, index) => ({ instruction, step: steps[index], index }));
}

const isBudget = ({ instruction }: Part): boolean =>
  instruction.programAddress === COMPUTE_BUDGET_PROGRAM_ADDRESS;
const isNoGuard = ({ instruction }: Part): boolean =>
  instruction.programAddress !== LIGHTHOUSE_PROGRAM_ADDRESS;
/** Whether a wallet may neither add it nor change a limit in it. */
const isFixed = (part: Part): boolean => isNoGuard(part) && !isBudget(part);

const inWords = ({ instruction, step }: Part): string => describeInstruction(instruction, step);

/** The first difference of two lists of instructions. */
function instructionDifference(actual: readonly Part[], expected: readonly Part[]): Difference | undefined {
  for (const [position, asked] of expected.entries()) {
    const found = actual[position];
    if (found === undefined) return missing(asked);
    const difference = partDifference(found, asked);
    if (difference === undefined) continue;
    if (isBudget(found)) return withReason(difference, 'compute-budget');
    if (actual.length > expected.length) return withReason(difference, 'extra-instruction');
    if (actual.length < expected.length) return withReason(difference, 'missing-instruction');
    return difference;
  }
  const extra = actual[expected.length];
  return extra && unexpected(extra);
}

const withReason = (
  { message, context }: Difference,
  reason: Difference['context']['reason'],
): Difference => ({ message, context: { ...context, reason } });

const missing = (part: Part): Difference => ({
  message: `it lacks an instruction: ${inWords(part)}`,
  context: {
    reason: isBudget(part) ? 'compute-budget' : 'missing-instruction',
    instruction: part.index,
    asked: inWords(part),
  },
});

const unexpected = (part: Part): Difference => ({
  message: `nobody asked for this: ${inWords(part)}`,
  context: {
    reason: isBudget(part) ? 'compute-budget' : 'extra-instruction',
    instruction: part.index,
    found: inWords(part),
  },
});

/** How one instruction differs from another: by its kind, by an account, or by its data. */
function partDifference(actual: Part, expected: Part): Difference | undefined {
  const [is, should] = [actual.instruction, expected.instruction];
  const instruction = actual.index;
  const isSameProgram = is.programAddress === should.programAddress;
  if (!isSameProgram || actual.step?.name !== expected.step?.name) {
    const [asked, found] = [inWords(expected), inWords(actual)];
    return {
      message: `instead of "${asked}" it says "${found}"`,
      context: { reason: isSameProgram ? 'data' : 'program', instruction, asked, found },
    };
  }
  return accountDifference(actual, expected) ?? dataDifference(actual, expected);
}

function accountDifference({ instruction, index }: Part, expected: Part): Difference | undefined {
  const [is, should] = [instruction.accounts, expected.instruction.accounts];
  const length = Math.max(is.length, should.length);
  for (let position = 0; position < length; position += 1) {
    const found = is[position];
    const asked = should[position]?.address;
    if (found?.address === asked && is.length > position && should.length > position) continue;
    const field = Object.keys(expected.step?.accounts ?? {})[position] ?? `account ${position + 1}`;
    const through = found?.lookup && `, from the lookup table ${found.lookup.table}`;
    return {
      message: `its ${field} is ${found?.address ?? 'none'}${through ?? ''}, not ${asked ?? 'none'}`,
      context: {
        reason: through === undefined ? 'account' : 'lookup-table',
        instruction: index,
        field,
        asked,
        found: found?.address,
      },
    };
  }
  return undefined;
}

function dataDifference(actual: Part, expected: Part): Difference | undefined {
  const [asked, found] = [expected.instruction.data, actual.instruction.data];
  if (bytesEqual(asked, found)) return undefined;
  const [is, should] = [actual.step?.data ?? {}, expected.step?.data ?? {}];
  const instruction = actual.index;
  const field = Object.keys(should).find((name) => valueInWords(is[name]) !== valueInWords(should[name]));
  if (field === undefined) {
    return {
      message:
        asked.length === found.length
          ? 'its data is different'
          : `its data has ${found.length} bytes, not ${asked.length}`,
      context: { reason: 'data', instruction, asked, found },
    };
  }
  return {
    message: `its ${field} is ${valueInWords(is[field])}, not ${valueInWords(should[field])}`,
    context: { reason: 'data', instruction, field, asked: should[field], found: is[field] },
  };
}

/** Amounts as they are, and everything else as JSON. */
const valueInWords = (value: unknown): string =>
  typeof value === 'bigint' ? `${value}` : quoted(value ?? null);

// ---------------------------------------------------------------- what a wallet added

/** Why the instructions of Lighthouse in a signed transaction are not guards that a wallet may add. */
function guardDifference(
  { instructions }: LoadedTransaction,
  given: LoadedTransaction,
  maxGuards: number,
): Difference | undefined {
  const refuse = (instruction: number, message: string): Difference => ({
    message,
    context: { reason: 'guard', instruction },
  });
  const guards = [...instructions.entries()].filter(
    ([, { programAddress }]) => programAddress === LIGHTHOUSE_PROGRAM_ADDRESS,
  );
  for (const [index, guard] of guards) {
    if (!isLighthouseAssertion(guard))
      return refuse(
        index,
        'a wallet may add assertions of Lighthouse, and this is another of its instructions',
      );
    const { address } = guard.accounts.find(({ role }) => role !== AccountRole.READONLY) ?? {};
    if (callsAnotherProgram(guard) && address !== undefined)
      return refuse(index, `it calls another program with ${address}, which signs or may be written to`);
  }
  const added = instructions.length - given.instructions.length;
  if (added > maxGuards)
    return refuse(guards[maxGuards]?.[0] ?? 0, `${added} assertions are added, and ${maxGuards} are allowed`);
  const [first] = guards[0] ?? [];
  const isAtEnd = first === undefined || first >= given.instructions.length;
  if (isAtEnd || !given.instructions.some(checksByPosition)) return undefined;
  return refuse(
    first,
    'an assertion moves the instructions by whose numbers a signature check finds what it checks. Let the check name itself (65535), or have the wallet add assertions at the end',
  );
}

const readByGuards = ({ instructions }: LoadedTransaction): readonly (Address | undefined)[] => [
  LIGHTHOUSE_PROGRAM_ADDRESS,
  ...instructions
    .filter(({ programAddress }) => programAddress === LIGHTHOUSE_PROGRAM_ADDRESS)
    .flatMap(({ accounts }) => accounts.map(({ address }) => address)),
];
