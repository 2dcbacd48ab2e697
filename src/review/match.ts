import {
  AccountRole,
  type Address,
  bytesEqual,
  createAddressWithSeed,
  type Instruction,
  isSignerRole,
  isWritableRole,
  mergeBytes,
  mergeRoles,
} from '@solana/kit';
import type { BuiltTransaction } from '../build/assemble.js';
import { HeavenError, type HeavenErrorContexts, type TransactionMismatchReason } from '../errors.js';
import { SYSTEM_PROGRAM_ADDRESS } from '../program/constants.js';
import { view } from '../solana/account-data.js';
import type { InstructionConfig } from '../solana/define-instruction.js';
import { isSignatureValid, type LoadedInstruction, type LoadedTransaction } from '../solana/message.js';
import { effectsOf } from './effects.js';
import { type Step, stepOf } from './step.js';
import { describeInstruction } from './words.js';

/** What a transaction must be, whatever the order of its accounts and the tables they stand in. */
export interface ExpectedTransaction {
  readonly feePayer: Address;
  readonly instructions: readonly LoadedInstruction[];
}

/** A transaction that was built here, as one to compare with. */
export const expectedFrom = (
  { instructions }: Pick<BuiltTransaction, 'instructions'>,
  feePayer: Address,
): ExpectedTransaction => ({
  feePayer,
  instructions: instructions.map(
    ({ programAddress, accounts = [], data = new Uint8Array() }: Instruction) => ({
      programAddress,
      accounts: accounts.map(({ address, role }) => ({ address, role })),
      data: Uint8Array.from(data),
    }),
  ),
});

/** An instruction that says what it is. */
interface Part {
  readonly instruction: LoadedInstruction;
  readonly step: Step | undefined;
}

/**
 * Refuses a transaction that is not the expected one: instruction by instruction with their accounts and data, then the
 * rights of the accounts. Signatures are looked at by {@link assertSignatures}.
 *
 * @throws {HeavenError} `transaction-mismatch`
 */
export function assertSameTransaction(
  actual: LoadedTransaction,
  expected: ExpectedTransaction,
  config: InstructionConfig,
): void {
  assertEnvelope(actual, expected);
  const partsOf = (instructions: readonly LoadedInstruction[]) =>
    instructions.map((instruction): Part => ({ instruction, step: stepOf(instruction, config) }));
  assertSameParts(partsOf(actual.instructions), partsOf(expected.instructions));
  assertSameRoles(actual, expected);
}

/** A mismatch in words. */
export function mismatch(
  reason: TransactionMismatchReason,
  message: string,
  particulars: Omit<HeavenErrorContexts['transaction-mismatch'], 'reason'> = {},
): HeavenError<'transaction-mismatch'> {
  const { instruction } = particulars;
  const where = instruction === undefined ? '' : ` (instruction ${instruction + 1})`;
  return new HeavenError(
    'transaction-mismatch',
    `This is not the transaction that was asked for${where}: ${message}. Don't sign it.`,
    { reason, ...particulars },
  );
}

function assertEnvelope({ wire, accounts, instructions }: LoadedTransaction, expected: ExpectedTransaction) {
  if (wire.version !== 0)
    throw mismatch('version', 'it is a legacy transaction', { expected: 0, actual: wire.version });
  for (const [instruction, { accounts }] of instructions.entries()) {
    const hidden = accounts.find(({ address }) => address === undefined);
    if (hidden) {
      throw mismatch(
        'lookup-table',
        `it takes an account from the lookup table ${hidden.lookup?.table}, whose contents are not known`,
        { instruction, actual: hidden.lookup?.table },
      );
    }
  }
  const seen = new Set<Address | undefined>();
  for (const { address, lookup } of accounts) {
    if (address === undefined || seen.has(address)) {
      throw mismatch(
        'lookup-table',
        address === undefined
          ? `it loads an account that it does not use from the lookup table ${lookup?.table}`
          : `it loads ${address} a second time, from the lookup table ${lookup?.table}`,
        { actual: lookup?.table },
      );
    }
    seen.add(address);
  }
  const [first] = instructions;
  const isNonce = (instruction: LoadedInstruction | undefined) =>
    instruction?.programAddress === SYSTEM_PROGRAM_ADDRESS && instruction.data[0] === ADVANCE_NONCE;
  if (isNonce(first) && !isNonce(expected.instructions[0])) {
    throw mismatch('durable-nonce', 'with its durable nonce it could be sent at any time', {
      instruction: 0,
      actual: first?.accounts[0]?.address,
    });
  }
  const feePayer = accounts[0]?.address;
  if (feePayer !== expected.feePayer) {
    throw mismatch('fee-payer', `${feePayer} pays for it, not ${expected.feePayer}`, {
      expected: expected.feePayer,
      actual: feePayer,
    });
  }
}

const ADVANCE_NONCE = 4;

const isSame = ({ instruction: a }: Part, { instruction: b }: Part): boolean =>
  a.programAddress === b.programAddress &&
  a.accounts.length === b.accounts.length &&
  a.accounts.every(({ address }, index) => address === b.accounts[index]?.address) &&
  bytesEqual(a.data, b.data);

const isSameKind = ({ instruction: a, step: one }: Part, { instruction: b, step: other }: Part): boolean =>
  a.programAddress === b.programAddress && one?.name === other?.name;

/** The same but for the program that it is for. */
const isRedirected = (one: Part, other: Part): boolean =>
  isSame(one, {
    ...other,
    instruction: { ...other.instruction, programAddress: one.instruction.programAddress },
  });

// What it costs to read one list of instructions as the other. An exchange is cheaper than leaving one out and adding one.
const LEFT_OUT = 2;
const CHANGED = 1;
const EXCHANGED = 3;

function costOf(actual: Part, expected: Part): number {
  if (isSame(actual, expected)) return 0;
  return isSameKind(actual, expected) || isRedirected(actual, expected) ? CHANGED : EXCHANGED;
}

/** Finds the first difference of two lists of instructions, by the reading of one as the other that changes least. */
function assertSameParts(actual: readonly Part[], expected: readonly Part[]): void {
  const isComplete = actual.length === expected.length && isReordered(actual, expected);
  const first = actual.findIndex((part, index) => {
    const other = expected[index];
    return other === undefined || !isSame(part, other);
  });
  if (first < 0 && actual.length === expected.length) return;
  if (isComplete) throw misplaced(actual[first] as Part, first);

  const costs = readingCosts(actual, expected);
  const at = (row: number, column: number) => costs[row]?.[column] as number;
  for (let row = 0, column = 0; ; ) {
    const part = actual[row];
    const other = expected[column];
    if (part !== undefined && other !== undefined) {
      const cost = costOf(part, other);
      if (at(row, column) === cost + at(row + 1, column + 1)) {
        if (cost > 0) throw changed(part, other, row);
        row += 1;
        column += 1;
        continue;
      }
    }
    if (part !== undefined && at(row, column) === LEFT_OUT + at(row + 1, column)) {
      const rest = expected.slice(column);
      throw rest.some((candidate) => isSame(part, candidate)) &&
        !actual.slice(row + 1).some((candidate) => isSame(part, candidate))
        ? misplaced(part, row)
        : unexpected(part, row);
    }
    const missing = other as Part;
    if (actual.slice(row).some((candidate) => isSame(candidate, missing))) throw misplaced(missing, row);
    const inWords = describeInstruction(missing.instruction, missing.step);
    throw mismatch(
      missing.step?.program === 'compute-budget' ? 'compute-budget' : 'missing-instruction',
      `it lacks an instruction: ${inWords}`,
      { instruction: row, expected: inWords },
    );
  }
}

function readingCosts(actual: readonly Part[], expected: readonly Part[]): readonly (readonly number[])[] {
  const costs: number[][] = Array.from({ length: actual.length + 1 }, () => []);
  for (let row = actual.length; row >= 0; row--) {
    for (let column = expected.length; column >= 0; column--) {
      const [part, other] = [actual[row], expected[column]];
      const at = (r: number, c: number) => costs[r]?.[c] ?? Number.POSITIVE_INFINITY;
      (costs[row] as number[])[column] =
        part === undefined && other === undefined
          ? 0
          : Math.min(
              part && other ? costOf(part, other) + at(row + 1, column + 1) : Number.POSITIVE_INFINITY,
              LEFT_OUT + at(row + 1, column),
              LEFT_OUT + at(row, column + 1),
            );
    }
  }
  return costs;
}

function isReordered(actual: readonly Part[], expected: readonly Part[]): boolean {
  const rest = [...expected];
  return actual.every((part) => {
    const index = rest.findIndex((candidate) => isSame(part, candidate));
    if (index >= 0) rest.splice(index, 1);
    return index >= 0;
  });
}

const misplaced = ({ instruction, step }: Part, index: number) =>
  mismatch('order', `this instruction stands elsewhere: ${describeInstruction(instruction, step)}`, {
    instruction: index,
  });

const givesRights = (step: Step | undefined): boolean =>
  step !== undefined &&
  effectsOf(step).some(
    (effect) => effect.kind === 'authority' || (effect.kind === 'delegate' && effect.delegate !== null),
  );

function unexpected({ instruction, step }: Part, index: number): HeavenError {
  const inWords = describeInstruction(instruction, step);
  const reason =
    step?.program === 'compute-budget'
      ? 'compute-budget'
      : givesRights(step)
        ? 'authority-change'
        : 'extra-instruction';
  return mismatch(reason, `nobody asked for this: ${inWords}`, { instruction: index, actual: inWords });
}

/** An instruction in another's place, or one that says something else. */
function changed(actual: Part, expected: Part, index: number): HeavenError {
  const [is, should] = [actual.instruction, expected.instruction];
  const inWords = [expected, actual].map(({ instruction, step }) => describeInstruction(instruction, step));
  const [expectedWords, actualWords] = inWords;
  const refuse = (reason: TransactionMismatchReason) =>
    mismatch(reason, `instead of "${expectedWords}" it says "${actualWords}"`, {
      instruction: index,
      expected: expectedWords,
      actual: actualWords,
    });
  if (!isSameKind(actual, expected)) {
    if (is.programAddress !== should.programAddress && !givesRights(actual.step)) {
      return mismatch('program', `it is for the program ${is.programAddress}, not ${should.programAddress}`, {
        instruction: index,
        expected: should.programAddress,
        actual: is.programAddress,
      });
    }
    if (givesRights(actual.step)) return refuse('authority-change');
    return refuse(expected.step?.program === 'compute-budget' ? 'compute-budget' : 'data');
  }
  return changedAccount(actual, expected, index) ?? changedData(actual, expected, index);
}

/** The accounts by which an instruction pays somebody. */
const RECIPIENTS: Readonly<Record<string, readonly string[]>> = {
  TransferSol: ['destination'],
  Transfer: ['destination'],
  TransferChecked: ['destination'],
  CloseAccount: ['destination'],
  MintTo: ['token'],
  CreateAssociatedToken: ['owner'],
  CreateAssociatedTokenIdempotent: ['owner'],
  buy: ['userTokenAVault'],
  pro_buy: ['userTokenAVault'],
  sell: ['userTokenBVault'],
  pro_sell: ['userTokenBVault'],
  add_liquidity_pro_pool: ['userLpPosition'],
  remove_liquidity_pro_pool: ['userTokenAVault', 'userTokenBVault'],
  claim_pro_creator_trading_fees: ['userTokenBVault'],
  claim_standard_creator_trading_fees: ['userTokenBVault'],
  claim_pro_liquidity_provider_trading_fees: ['userTokenBVault'],
  transfer_lp_tokens: ['receiver', 'receiverLpPosition'],
  create_pro_liquidity_pool: ['userLpPosition'],
  update_creator_trading_fee_receiver: ['newReceiver'],
  update_pro_creator_trading_fee_receiver: ['newReceiver'],
};

/** What an instruction takes, and the least that it must give. */
const AMOUNTS: readonly string[] = [
  'amount',
  'amountIn',
  'initialPurchaseAmount',
  'initialTokenAAmount',
  'initialTokenBAmount',
  'lamports',
  'lpTokensToBurn',
  'maxSolSpend',
  'maxTokenA',
  'maxTokenB',
];
const MINIMUMS: readonly string[] = ['minimumAmountOut', 'minLpTokens', 'minTokenA', 'minTokenB'];

function changedAccount(actual: Part, expected: Part, index: number): HeavenError | undefined {
  const [is, should] = [actual.instruction.accounts, expected.instruction.accounts];
  const { step } = expected;
  const names = Object.keys(step?.accounts ?? {});
  const differing = Array.from({ length: Math.max(is.length, should.length) }, (_, position) => ({
    name: names[position] ?? `account ${position + 1}`,
    actual: is[position],
    expected: should[position]?.address,
  })).filter((account) => account.actual?.address !== account.expected);
  const hidden = differing.find((account) => account.actual?.lookup !== undefined);
  const recipient = differing.find(({ name }) => RECIPIENTS[step?.name ?? '']?.includes(name));
  const account = hidden ?? recipient ?? differing[0];
  if (account === undefined) return undefined;
  const reason = hidden
    ? 'lookup-table'
    : givesRights(step) && !recipient
      ? 'authority-change'
      : recipient
        ? 'recipient'
        : 'account';
  const { name } = account;
  const [wanted, found] = [account.expected ?? 'none', account.actual?.address ?? 'none'];
  const through = hidden ? `, through the lookup table ${hidden.actual?.lookup?.table}` : '';
  return mismatch(reason, `its ${name} is ${found}${through}, not ${wanted}`, {
    instruction: index,
    expected: account.expected,
    actual: account.actual?.address,
  });
}

function changedData(actual: Part, expected: Part, index: number): HeavenError {
  const [is, should] = [actual.step?.data ?? {}, expected.step?.data ?? {}];
  const fields = Object.keys(should).filter((name) => inJson(is[name]) !== inJson(should[name]));
  const field =
    fields.find((name) => AMOUNTS.includes(name)) ??
    fields.find((name) => MINIMUMS.includes(name)) ??
    fields[0];
  const reason =
    expected.step?.program === 'compute-budget'
      ? 'compute-budget'
      : givesRights(expected.step)
        ? 'authority-change'
        : field === undefined
          ? 'data'
          : AMOUNTS.includes(field)
            ? 'amount'
            : MINIMUMS.includes(field)
              ? 'minimum'
              : 'data';
  if (field === undefined) {
    const [expectedSize, actualSize] = [expected.instruction.data.length, actual.instruction.data.length];
    return mismatch(
      reason,
      expectedSize === actualSize
        ? 'its data is different'
        : `its data has ${actualSize} bytes, not ${expectedSize}`,
      { instruction: index, expected: expected.instruction.data, actual: actual.instruction.data },
    );
  }
  return mismatch(reason, `its ${field} is ${inJson(is[field])}, not ${inJson(should[field])}`, {
    instruction: index,
    expected: should[field],
    actual: is[field],
  });
}

const inJson = (value: unknown): string =>
  JSON.stringify(value, (_, item: unknown) =>
    typeof item === 'bigint' ? item.toString() : item instanceof Uint8Array ? [...item] : item,
  );

/** The rights that an account has in a transaction are the most that any of its instructions wants. */
function rolesOf({ feePayer, instructions }: ExpectedTransaction): ReadonlyMap<Address, AccountRole> {
  const roles = new Map<Address, AccountRole>([[feePayer, AccountRole.WRITABLE_SIGNER]]);
  const add = (address: Address, role: AccountRole) =>
    roles.set(address, mergeRoles(roles.get(address) ?? AccountRole.READONLY, role));
  for (const { programAddress, accounts } of instructions) {
    add(programAddress, AccountRole.READONLY);
    for (const { address, role } of accounts) add(address as Address, role);
  }
  return roles;
}

function assertSameRoles({ accounts, instructions }: LoadedTransaction, expected: ExpectedTransaction): void {
  const roles = rolesOf(expected);
  for (const account of accounts) {
    const { address, role: actual, lookup } = account;
    const wanted = roles.get(address as Address);
    if (actual === wanted) continue;
    const index = instructions.findIndex((one) => one.accounts.some((other) => other.address === address));
    const particulars = {
      ...(index < 0 ? {} : { instruction: index }),
      ...(wanted === undefined ? {} : { expected: AccountRole[wanted] }),
      actual: AccountRole[actual],
    };
    if (wanted === undefined) {
      throw mismatch(
        isSignerRole(actual) ? 'signer' : lookup ? 'lookup-table' : 'account',
        `it names ${address}, which has no part in it`,
        particulars,
      );
    }
    if (isSignerRole(actual) !== isSignerRole(wanted)) {
      throw mismatch(
        'signer',
        `${address} ${isSignerRole(actual) ? 'would sign, and need not' : 'does not sign, and must'}`,
        particulars,
      );
    }
    throw mismatch(
      'writable',
      `${address} ${isWritableRole(actual) ? 'may be written to, and need not' : 'is read-only, and must not be'}`,
      particulars,
    );
  }
}

/**
 * Refuses signatures that are not valid, and the lack of one that must be there.
 *
 * @throws {HeavenError} `transaction-mismatch`
 */
export async function assertSignatures(
  { wire }: LoadedTransaction,
  signed: readonly Address[],
): Promise<void> {
  for (const { address, signature } of wire.signatures) {
    if (signature === undefined) {
      if (!signed.includes(address)) continue;
      throw mismatch('signature', `the signature of ${address} is not there`, { expected: address });
    }
    if (!(await isSignatureValid(wire, address, signature)))
      throw mismatch('signature', `the signature of ${address} is not valid`, { actual: address });
  }
}

// CreateAccountWithSeed: u32 3, base, u64 length and seed, u64 lamports, u64 space, owner.
const CREATE_WITH_SEED = 3;
const SEED_LENGTH = 36;
const SEED = 44;
const MOST_SEED_BYTES = 32;

const isCreateWithSeed = ({ programAddress, data }: LoadedInstruction): boolean =>
  programAddress === SYSTEM_PROGRAM_ADDRESS && data.length > SEED && data[0] === CREATE_WITH_SEED;

const seedOf = ({ data }: LoadedInstruction): Uint8Array | undefined => {
  const length = view(data).getBigUint64(SEED_LENGTH, true);
  return length > MOST_SEED_BYTES ? undefined : data.slice(SEED, SEED + Number(length));
};

/**
 * The expected transaction with the temporary account that the actual one makes, as its seed is random. It must be the
 * owner's: the address that follows from the seed, for the same owner and program.
 *
 * @param given Instructions of the caller's own, whose seeds are not random.
 */
export async function withTemporaryAccount(
  expected: ExpectedTransaction,
  { instructions }: LoadedTransaction,
  given: readonly Instruction[],
): Promise<ExpectedTransaction> {
  const isTemporary = (instruction: LoadedInstruction) =>
    isCreateWithSeed(instruction) &&
    !given.some(({ data = new Uint8Array() }) => bytesEqual(data, instruction.data));
  const mine = expected.instructions.find(isTemporary);
  const theirs = instructions.find(isTemporary);
  const [payer, account] = mine?.accounts ?? [];
  const oldSeed = mine && seedOf(mine);
  const seed = theirs && seedOf(theirs);
  const step = mine && stepOf(mine);
  if (!payer || !account || !oldSeed || !seed || !step) return expected;
  const address = await createAddressWithSeed({
    baseAddress: step.data.base as Address,
    programAddress: step.data.programAddress as Address,
    seed,
  }).catch(() => undefined);
  if (address === undefined || address !== theirs.accounts[1]?.address) return expected;
  const length = new Uint8Array(8);
  view(length).setBigUint64(0, BigInt(seed.length), true);
  return {
    ...expected,
    instructions: expected.instructions.map((instruction) => ({
      ...instruction,
      accounts: instruction.accounts.map((meta) =>
        meta.address === account.address ? { ...meta, address } : meta,
      ),
      data:
        instruction === mine
          ? mergeBytes([
              mine.data.subarray(0, SEED_LENGTH),
              length,
              seed,
              mine.data.subarray(SEED + oldSeed.length),
            ])
          : instruction.data,
    })),
  };
}
