import { AccountRole, type V1TransactionConfig } from '@solana/kit';
import { view } from '../solana/account-data.js';
import { budgetOf, readComputeBudget } from '../solana/compute-budget.js';
import { callsAnotherProgram, isLighthouseAssertion } from '../solana/lighthouse.js';
import { MAX_COMPUTE_UNITS } from '../solana/limits.js';
import type {
  LoadedInstruction,
  LoadedTransaction,
  TransactionAccount,
  WireTransaction,
} from '../solana/message.js';
import { COMPUTE_BUDGET_PROGRAM_ADDRESS } from '../solana/programs.js';
import { checksByPosition } from '../solana/signature-checks.js';
import { hasAllAccountsOnce, hasExactRights, isSameInstruction, type Rights, rightsIn } from './match.js';

// Decides whether a wallet signed the transaction that it received, but for the guards that wallets add. Nothing else decides:
// explain.ts only explains why the answer was no.

/** A wallet adds one or two assertions, or up to nine where two wallets sign. */
export const MAX_GUARDS = 12;
/** The cluster counts programs as loaded data, so the guard's program adds to it. It costs no SOL. */
const MAX_ADDED_DATA_BYTES = 1_048_576;

const SET_COMPUTE_UNIT_LIMIT = 2;
const SET_COMPUTE_UNIT_PRICE = 3;
const SET_DATA_SIZE_LIMIT = 4;

/** What a wallet may change. */
export interface Allowance {
  /** The compute units by which it may raise the limit. */
  readonly addedUnits: number;
  /** The lamports up to which it may set a priority fee of its own, with any limit and price. Default: it may not. */
  readonly priorityFee?: bigint | undefined;
}

/**
 * The instructions that a wallet added to an otherwise unchanged transaction; `undefined` if it changed anything else.
 * The same: version, lifetime, fee payer, signers, and each instruction, in order, byte by byte, with the same accounts and
 * rights. Added: Lighthouse's assertions alone, which give no account a right. Raised: the limits, that of compute units by
 * no more than `addedUnits`. With `priorityFee`, the limit and the price of compute units may be any that cost no more.
 */
export const guardsIn = (
  signed: LoadedTransaction,
  given: LoadedTransaction,
  { addedUnits, priorityFee }: Allowance,
): readonly number[] | undefined =>
  guardsBeside(signed, given, addedUnits) ??
  (priorityFee !== undefined && mayPay(signed, given, priorityFee)
    ? guardsBeside(signed, withFeeOf(signed, given), addedUnits)
    : undefined);

/**
 * Whether the cluster charges no more than so many lamports of priority fee, and takes the limit and the price. Where a signature check
 * counts instructions, no price may be added, and none that it may read may change.
 */
const mayPay = ({ wire, instructions }: LoadedTransaction, given: LoadedTransaction, most: bigint): boolean =>
  budgetOf(wire).priority <= most &&
  (wire.version === 1 || readComputeBudget(instructions).duplicate === undefined) &&
  !given.instructions.some(checksByPosition);

/** The given transaction with the signed one's limit and price of compute units, where it has them. Nothing else of it. */
function withFeeOf(signed: LoadedTransaction, given: LoadedTransaction): LoadedTransaction {
  const { version, config } = signed.wire;
  if (version === 1) {
    const { computeUnitLimit, priorityFeeLamports } = config ?? {};
    const own = { ...given.wire.config, computeUnitLimit, priorityFeeLamports } as V1TransactionConfig;
    return { ...given, wire: { ...given.wire, config: own } };
  }
  const rest = given.instructions.filter((one) => !setsFee(one));
  const instructions: LoadedInstruction[] = [];
  let next = 0;
  for (const one of signed.instructions) {
    const asked = rest[next];
    if (setsFee(one)) instructions.push(one);
    else if (asked !== undefined && (!isLighthouseAssertion(one) || isSameInstruction(one, asked))) {
      instructions.push(asked);
      next += 1;
    }
  }
  const program = { address: COMPUTE_BUDGET_PROGRAM_ADDRESS, role: AccountRole.READONLY };
  const isNamed = given.accounts.some(({ address }) => address === program.address);
  return {
    ...given,
    accounts: isNamed ? given.accounts : [...given.accounts, program],
    instructions: [...instructions, ...rest.slice(next)],
  };
}

/** Whether an instruction of legacy or version 0 sets the limit or the price of compute units, and nothing more. */
const setsFee = ({ programAddress, accounts, data }: LoadedInstruction): boolean =>
  programAddress === COMPUTE_BUDGET_PROGRAM_ADDRESS &&
  accounts.length === 0 &&
  ((data[0] === SET_COMPUTE_UNIT_LIMIT && data.length === 5) ||
    (data[0] === SET_COMPUTE_UNIT_PRICE && data.length === 9));

function guardsBeside(
  signed: LoadedTransaction,
  given: LoadedTransaction,
  maxAddedUnits: number,
): readonly number[] | undefined {
  const guards = addedTo(signed, given, maxAddedUnits);
  if (guards === undefined) return undefined;
  const added = guards.map((index) => signed.instructions[index] as LoadedInstruction);
  const isTheSame =
    guards.length <= MAX_GUARDS &&
    added.every((guard) => accountAtRisk(guard) === undefined) &&
    !movesSignatureCheck(guards, given) &&
    signed.wire.version === given.wire.version &&
    signed.wire.lifetimeToken === given.wire.lifetimeToken &&
    isSameOrRaisedConfig(signed.wire, given.wire, maxAddedUnits) &&
    hasAllAccountsOnce(signed) &&
    hasAllAccountsOnce(given) &&
    signed.accounts[0]?.address === given.accounts[0]?.address &&
    hasExactRights(signed, new Map([...readByGuards(added), ...rightsIn(given)]));
  return isTheSame ? guards : undefined;
}

/** The assertions that a wallet added, if the other instructions are those that it was given, in order. */
function addedTo(
  { instructions, wire }: LoadedTransaction,
  given: LoadedTransaction,
  maxAddedUnits: number,
): readonly number[] | undefined {
  const added: number[] = [];
  let next = 0;
  for (const [index, instruction] of instructions.entries()) {
    const expected = given.instructions[next];
    if (expected !== undefined && isSameOrRaised(instruction, expected, wire.version, maxAddedUnits))
      next += 1;
    else if (isLighthouseAssertion(instruction)) added.push(index);
    else return undefined;
  }
  return next === given.instructions.length ? added : undefined;
}

/**
 * Whether a guard moves instructions among which a signature check counts: it would then check a signature and a message that
 * the guard may bring along. At the end it moves none.
 */
export const movesSignatureCheck = (
  guards: readonly number[],
  { instructions }: LoadedTransaction,
): boolean => guards.some((index) => index < instructions.length) && instructions.some(checksByPosition);

function isSameOrRaised(
  found: LoadedInstruction,
  asked: LoadedInstruction,
  version: LoadedTransaction['wire']['version'],
  maxAddedUnits: number,
): boolean {
  if (isSameInstruction(found, asked)) return true;
  // Only what stands in a u32 after the same first byte may differ. Version 1 ignores such an instruction.
  const [kind] = asked.data;
  const max = kind === SET_COMPUTE_UNIT_LIMIT ? maxAddedUnits : MAX_ADDED_DATA_BYTES;
  return (
    version !== 1 &&
    asked.programAddress === COMPUTE_BUDGET_PROGRAM_ADDRESS &&
    (kind === SET_COMPUTE_UNIT_LIMIT || kind === SET_DATA_SIZE_LIMIT) &&
    asked.data.length === 5 &&
    found.data.length === 5 &&
    isSameInstruction({ ...found, data: asked.data }, asked) &&
    found.data[0] === kind &&
    isRaise(u32(found), u32(asked), max)
  );
}

const u32 = ({ data }: LoadedInstruction): number => view(data).getUint32(1, true);

const isRaise = (found: number, asked: number, max: number): boolean =>
  found >= asked && found - asked <= max;

/**
 * What version 1 sets in a config of its own: the same heap, limits raised within the allowance, and a priority fee that
 * pays no more for a compute unit than before. Other versions have no config.
 */
function isSameOrRaisedConfig(
  { config: found }: WireTransaction,
  { config: asked }: WireTransaction,
  maxAddedUnits: number,
): boolean {
  if (found === undefined || asked === undefined) return found === asked;
  const [limit, oldLimit] = [found.computeUnitLimit ?? 0, asked.computeUnitLimit ?? 0];
  const [size, oldSize] = [found.loadedAccountsDataSizeLimit ?? 0, asked.loadedAccountsDataSizeLimit ?? 0];
  const [fee, oldFee] = [found.priorityFeeLamports ?? 0n, asked.priorityFeeLamports ?? 0n];
  // Above the cluster's maximum there are no units to pay for.
  const units = BigInt(Math.min(limit, MAX_COMPUTE_UNITS));
  const oldUnits = BigInt(Math.min(oldLimit, MAX_COMPUTE_UNITS));
  return (
    found.heapSize === asked.heapSize &&
    isRaise(limit, oldLimit, maxAddedUnits) &&
    isRaise(size, oldSize, MAX_ADDED_DATA_BYTES) &&
    // Without a limit there is no price to keep.
    (fee === oldFee || (oldUnits > 0n && fee > oldFee && fee * oldUnits <= oldFee * units))
  );
}

/** What signs or may be written to for the sake of others, and would be passed on by the guard that calls another program. */
export const accountAtRisk = (guard: LoadedInstruction): TransactionAccount | undefined =>
  callsAnotherProgram(guard) ? guard.accounts.find(({ role }) => role !== AccountRole.READONLY) : undefined;

/** What guards name besides: they read it, and it does not sign. */
export const readByGuards = (guards: readonly LoadedInstruction[]): Rights =>
  new Map(
    guards
      .flatMap(({ programAddress, accounts }) => [programAddress, ...accounts.map(({ address }) => address)])
      .map((address) => [address, AccountRole.READONLY]),
  );
