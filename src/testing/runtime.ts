import {
  AccountRole,
  type Address,
  type Base64EncodedWireTransaction,
  bytesEqual,
  downgradeRoleToReadonly,
  type Instruction,
  type InstructionWithAccounts,
  type InstructionWithData,
  isWritableRole,
  mergeRoles,
  type ReadonlyUint8Array,
} from '@solana/kit';
import { costOf, readComputeBudget } from '../solana/compute-budget.js';
import { MAX_TRANSACTION_ACCOUNTS } from '../solana/limits.js';
import { lookupTableAddresses } from '../solana/lookup-table.js';
import {
  type KnownTables,
  type LoadedTransaction,
  loadTransaction,
  lookupTablesOf,
  readWireTransaction,
  type TransactionAccount,
  type WireTransaction,
} from '../solana/message.js';
import { LOOKUP_TABLE_PROGRAM_ADDRESS, SYSTEM_PROGRAM_ADDRESS } from '../solana/programs.js';
import { isReserved } from './built-ins.js';
import { custom, Failure, failureWords } from './failure.js';

// Runs transactions on accounts like a node. Nothing here depends on a particular program.

/** The bytes that a cluster adds to each account that a transaction loads (SIMD-0186). Lookup tables count this much, too. */
export const BYTES_PER_ACCOUNT = 64;
export const BYTES_PER_LOOKUP_TABLE = 8_248;

/** An account with all of its fields. Programs replace its data and never write into the bytes. */
export interface Account {
  owner: Address;
  data: Uint8Array;
  lamports: bigint;
}

export interface Cluster {
  readonly slot: bigint;
  getAccount(address: Address): Readonly<Account> | undefined;
  computeRentExemption(size: number): bigint;
}

export type Call = Instruction &
  InstructionWithAccounts<readonly Meta[]> &
  InstructionWithData<ReadonlyUint8Array>;
type Meta = NonNullable<Instruction['accounts']>[number];

export interface Program {
  /** Whether it is part of the validator: its compute units are not logged. */
  readonly isBuiltIn?: boolean;
  /** The compute units of a call: a flat number, close to mainnet's. */
  readonly units: number | ((call: Call) => number);
  /** @throws {Failure} */
  run(context: Context, call: Call): void | Promise<void>;
}

/** The calls of one top-level instruction, with accounts as indexes into the transaction's. */
export interface InnerInstructions {
  /** The index of the top-level instruction, from 0. */
  readonly index: number;
  readonly instructions: readonly {
    readonly programIdIndex: number;
    readonly accounts: readonly number[];
    readonly data: ReadonlyUint8Array;
    readonly stackHeight: number;
  }[];
}

/** The outcome of a transaction, in a node's format. */
export interface SimulatedTransaction {
  readonly err: unknown;
  readonly logs: readonly string[];
  readonly unitsConsumed: bigint;
  /** Lamports. */
  readonly fee: bigint;
  /** The bytes of the accounts that it loads, as a cluster counts them. */
  readonly loadedAccountsDataSize: number;
  /** The calls of its instructions, without instructions that made none. Missing if the engine doesn't record calls. */
  readonly innerInstructions?: readonly InnerInstructions[];
  /** The accounts after the transaction. A failed transaction only pays its fee. */
  readonly accounts: ReadonlyMap<Address, Readonly<Account>>;
}

/** What the programs of a transaction share: its logs, its calls and its accounts, copied on first read. */
export class Context {
  readonly cluster: Cluster;
  readonly logs: string[] = [];
  /** The calls of the current instruction. */
  readonly calls: Instruction[] = [];
  #accounts = new Map<Address, Account>();
  /** The running program, the roles that the instruction gives it, and the accounts when it began. */
  #program: Address = SYSTEM_PROGRAM_ADDRESS;
  #roles: ReadonlyMap<Address, AccountRole> = new Map();
  #before = this.#accounts;

  constructor(cluster: Cluster) {
    this.cluster = cluster;
  }

  get accounts(): ReadonlyMap<Address, Account> {
    return this.#accounts;
  }

  log(...lines: readonly string[]): void {
    this.logs.push(...lines);
  }

  /** Runs a top-level instruction. */
  async runInstruction(call: Call, program: Program): Promise<void> {
    this.#program = call.programAddress;
    this.#roles = new Map(call.accounts.map(({ address, role }) => [address, role]));
    this.#before = this.#copies();
    await program.run(this, call);
    this.#settle();
  }

  /** Runs what the running program has another one do. It passes on the roles that it has, and signs for accounts of its own. */
  as({ programAddress, accounts = [] }: Instruction, run: () => void): void {
    const caller = this.#program;
    for (const { address, role } of accounts) {
      const isOwn = this.get(address)?.owner === caller;
      const held = mergeRoles(
        this.#roleOf(address),
        isOwn ? AccountRole.READONLY_SIGNER : AccountRole.READONLY,
      );
      if (mergeRoles(held, role) === held) continue;
      const what = isWritableRole(role) && !isWritableRole(held) ? 'writable' : 'signer';
      throw new Failure('PrivilegeEscalation', [`${address}'s ${what} privilege escalated`]);
    }
    this.#settle();
    this.#program = programAddress;
    run();
    this.#settle();
    this.#program = caller;
  }

  assertWritable(address: Address, reason: string): void {
    if (!isWritableRole(this.#roleOf(address))) throw new Failure(reason);
  }

  #roleOf(address: Address): AccountRole {
    return this.#roles.get(address) ?? AccountRole.READONLY;
  }

  /** Fails if the running program changed what the runtime forbids, as after each instruction of a cluster. */
  #settle(): void {
    let created = 0n;
    // In the order in which the instruction names them.
    for (const address of new Set([...this.#roles.keys(), ...this.#accounts.keys()])) {
      const account = this.#accounts.get(address);
      if (account === undefined) continue;
      const before = this.#before.get(address) ?? this.cluster.getAccount(address) ?? NOTHING;
      const isOwner = before.owner === this.#program;
      const isWritable = isWritableRole(this.#roleOf(address));
      const change = account.lamports - before.lamports;
      created += change;
      if (change < 0n && !isOwner) throw new Failure('ExternalAccountLamportSpend');
      if (change !== 0n && !isWritable) throw new Failure('ReadonlyLamportChange');
      if (account.owner !== before.owner && !(isOwner && isWritable)) throw new Failure('ModifiedProgramId');
      if (account.data === before.data || bytesEqual(account.data, before.data)) continue;
      if (!isWritable) throw new Failure('ReadonlyDataModified');
      if (!isOwner) throw new Failure('ExternalAccountDataModified');
    }
    if (created !== 0n) throw new Failure('UnbalancedInstruction');
    this.#before = this.#copies();
  }

  #copies(): Map<Address, Account> {
    return new Map([...this.#accounts].map(([address, account]) => [address, { ...account }]));
  }

  /** Runs a program's call, and logs its start and end. */
  invoke(call: Instruction, run: () => void): void {
    const { programAddress } = call;
    this.calls.push(call);
    this.log(`Program ${programAddress} invoke [2]`);
    try {
      this.as(call, run);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const failed = `Program ${programAddress} failed: ${failureWords(error.reason)}`;
      throw new Failure(error.reason, [...error.logs, failed]);
    }
    this.log(`Program ${programAddress} success`);
  }

  /** An account that may be changed in place. */
  get(address: Address): Account | undefined {
    const held = this.#accounts.get(address);
    if (held !== undefined) return isGone(held) ? undefined : held;
    const account = this.cluster.getAccount(address);
    if (account === undefined) return undefined;
    return this.create(address, { ...account });
  }

  need(address: Address): Account {
    const account = this.get(address);
    if (account === undefined) throw new Failure('MissingAccount');
    return account;
  }

  /** Whether the address holds more than lamports. */
  isInUse(address: Address): boolean {
    const account = this.get(address);
    return account !== undefined && (account.data.length > 0 || account.owner !== SYSTEM_PROGRAM_ADDRESS);
  }

  create(address: Address, account: Account): Account {
    this.#accounts.set(address, account);
    return account;
  }

  /** Has the System program create an account. The payer pays the missing part of its rent, and more if asked. */
  allocate(payer: Address, address: Address, owner: Address, data: Uint8Array, more = 0n): void {
    const accounts = [
      { address: payer, role: AccountRole.WRITABLE_SIGNER },
      { address, role: AccountRole.WRITABLE },
    ];
    this.as({ programAddress: SYSTEM_PROGRAM_ADDRESS, accounts }, () => {
      const rent = this.cluster.computeRentExemption(data.length);
      const given = this.get(address)?.lamports ?? 0n;
      const missing = (given < rent ? rent - given : 0n) + more;
      if (missing > 0n) this.transferSol(payer, address, missing);
      this.create(address, { owner, data, lamports: given + missing });
    });
  }

  /** What the System program does for a transfer that is signed. */
  transferSol(from: Address, to: Address, amount: bigint): void {
    const { data, lamports } = this.get(from) ?? NOTHING;
    if (data.length > 0) throw new Failure('InvalidArgument', ['Transfer: `from` must not carry data']);
    if (lamports < amount) throw custom(1, `Transfer: insufficient lamports ${lamports}, need ${amount}`);
    this.moveLamports(from, to, amount);
  }

  /** Moves lamports that are there. */
  moveLamports(from: Address, to: Address, amount: bigint): void {
    const accounts = [from, to].map((address) => this.get(address) ?? this.create(address, { ...NOTHING }));
    if (amount > 0n && accounts[0]?.owner !== this.#program) throw new Failure('ExternalAccountLamportSpend');
    for (const address of [from, to]) this.assertWritable(address, 'ReadonlyLamportChange');
    (accounts[0] as Account).lamports -= amount;
    (accounts[1] as Account).lamports += amount;
  }

  /** Returns a function that undoes all later changes. */
  savepoint(): () => void {
    const saved = this.#copies();
    return () => {
      this.#accounts = saved;
    };
  }

  payFee(payer: Address, fee: bigint): void {
    const account = this.get(payer);
    if (account === undefined) throw new Failure('AccountNotFound');
    if (account.owner !== SYSTEM_PROGRAM_ADDRESS || account.data.length > 0)
      throw new Failure('InvalidAccountForFee');
    if (account.lamports < fee) throw new Failure('InsufficientFundsForFee');
    account.lamports -= fee;
    if (this.isPoor(payer)) throw new Failure({ InsufficientFundsForRent: { account_index: 0 } });
  }

  /**
   * Whether an account ends below its rent exemption. One that was below it before is fine if its balance didn't shrink, it
   * didn't grow, and its owner is the same.
   */
  isPoor(address: Address): boolean {
    const { owner, lamports, data } = this.#accounts.get(address) ?? NOTHING;
    if (lamports === 0n || lamports >= this.cluster.computeRentExemption(data.length)) return false;
    const before = this.cluster.getAccount(address);
    const isSame = before !== undefined && before.owner === owner && before.data.length >= data.length;
    return !isSame || lamports < before.lamports;
  }
}

const isGone = ({ owner, data, lamports }: Account): boolean =>
  lamports === 0n && data.length === 0 && owner === SYSTEM_PROGRAM_ADDRESS;

const NOTHING: Account = { owner: SYSTEM_PROGRAM_ADDRESS, data: new Uint8Array(), lamports: 0n };

/** Runs a transaction without writing to the cluster. Doesn't check signatures. */
export async function runTransaction(
  cluster: Cluster,
  programAt: (address: Address) => Program | 'ProgramAccountNotFound' | 'InvalidProgramForExecution',
  tx: Base64EncodedWireTransaction,
): Promise<SimulatedTransaction> {
  const wire = readWireTransaction(tx);
  const context = new Context(cluster);
  let fee = 0n;
  let unitsConsumed = 0;
  let loadedAccountsDataSize = 0;
  const innerInstructions: InnerInstructions[] = [];
  const outcome = (err: unknown, accounts = context.accounts): SimulatedTransaction => ({
    err,
    logs: context.logs,
    unitsConsumed: BigInt(unitsConsumed),
    fee,
    loadedAccountsDataSize,
    innerInstructions,
    accounts,
  });
  try {
    const { accounts, instructions } = load(cluster, wire);
    if (accounts.length > MAX_TRANSACTION_ACCOUNTS) throw new Failure('TooManyAccountLocks');
    const { computeBudget, fees } = costOf(wire);
    fee = fees.total;
    const { duplicate } = readComputeBudget(wire.version === 1 ? [] : instructions);
    if (duplicate !== undefined) throw new Failure({ DuplicateInstruction: duplicate });
    context.payFee(accounts[0]?.address as Address, fee);
    const undo = context.savepoint();
    loadedAccountsDataSize = loadedBytes(cluster, wire, accounts);
    // A transaction that can't be loaded still pays its fee.
    if (loadedAccountsDataSize > computeBudget.loadedAccountsDataSizeLimit)
      return outcome('MaxLoadedAccountsDataSizeExceeded');
    const programs = instructions.map(({ programAddress }) => programAt(programAddress));
    const missing = programs.find((program) => typeof program === 'string');
    if (missing !== undefined) return outcome(missing);
    for (const [index, instruction] of instructions.entries()) {
      const left = computeBudget.unitLimit - unitsConsumed;
      const program = programs[index] as Program;
      const { units, failure } = await runInstruction(context, program, instruction as Call, left);
      unitsConsumed += units;
      const calls = context.calls.splice(0);
      if (calls.length > 0) innerInstructions.push({ index, instructions: numbered(calls, accounts) });
      if (failure === undefined) continue;
      undo();
      return outcome({ InstructionError: [index, failure.reason] });
    }
    const poor = accounts.findIndex(({ address }) => context.isPoor(address as Address));
    if (poor < 0) return outcome(null);
    undo();
    return outcome({ InsufficientFundsForRent: { account_index: poor } });
  } catch (error) {
    // It failed before its instructions ran.
    if (error instanceof Failure) return outcome(error.reason, new Map());
    throw error;
  }
}

/** Calls with accounts as indexes into the transaction's. */
const numbered = (
  calls: readonly Instruction[],
  all: LoadedTransaction['accounts'],
): InnerInstructions['instructions'] => {
  const numberOf = (wanted: Address) => {
    const number = all.findIndex(({ address }) => address === wanted);
    if (number < 0)
      throw new Error(`A program of the model calls with ${wanted}, which the transaction does not name.`);
    return number;
  };
  return calls.map(({ programAddress, accounts = [], data = new Uint8Array() }) => ({
    programIdIndex: numberOf(programAddress),
    accounts: accounts.map(({ address }) => numberOf(address)),
    data,
    stackHeight: 2,
  }));
};

/** Missing accounts count nothing, and neither does the code of programs, which the model doesn't have. */
function loadedBytes(
  cluster: Cluster,
  wire: WireTransaction,
  accounts: LoadedTransaction['accounts'],
): number {
  return accounts.reduce((bytes, { address }) => {
    const account = cluster.getAccount(address as Address);
    return account === undefined ? bytes : bytes + BYTES_PER_ACCOUNT + account.data.length;
  }, lookupTablesOf(wire).length * BYTES_PER_LOOKUP_TABLE);
}

async function runInstruction(
  context: Context,
  program: Program,
  call: Call,
  left: number,
): Promise<{ readonly units: number; readonly failure?: Failure }> {
  const { programAddress } = call;
  const cost = typeof program.units === 'number' ? program.units : program.units(call);
  const units = Math.min(cost, left);
  const consumed = program.isBuiltIn
    ? []
    : [`Program ${programAddress} consumed ${units} of ${left} compute units`];
  context.log(`Program ${programAddress} invoke [1]`);
  try {
    if (cost > left) throw new Failure('ComputationalBudgetExceeded');
    await context.runInstruction(call, program);
  } catch (failure) {
    if (!(failure instanceof Failure)) throw failure;
    const words = failureWords(failure.reason);
    context.log(...failure.logs, ...consumed, `Program ${programAddress} failed: ${words}`);
    return { units, failure };
  }
  context.log(...consumed, `Program ${programAddress} success`);
  return { units };
}

/**
 * The accounts and instructions of a transaction. As on a cluster, nothing writes to programs that it calls, to built-in ones and
 * to sysvars, whatever it says of them.
 *
 * @throws {Failure}
 */
function load(cluster: Cluster, wire: WireTransaction): LoadedTransaction {
  const loaded = loadTransaction(wire, tablesOf(cluster, wire));
  if (loaded.accounts.some(({ address }) => address === undefined))
    throw new Failure('InvalidAddressLookupTableIndex');
  const called = new Set(wire.instructions.map(({ programAddress }) => programAddress));
  const demoted = (account: TransactionAccount): TransactionAccount =>
    called.has(account.address as Address) || isReserved(account.address as Address)
      ? { ...account, role: downgradeRoleToReadonly(account.role) }
      : account;
  const instructions = loaded.instructions.map(({ accounts, ...instruction }) => ({
    ...instruction,
    accounts: accounts.map(demoted),
  }));
  return { ...loaded, instructions };
}

/** @throws {Failure} */
function tablesOf(cluster: Cluster, wire: WireTransaction) {
  const tables = new Map<Address, { readonly addresses: readonly Address[] }>();
  for (const address of lookupTablesOf(wire)) {
    const account = cluster.getAccount(address);
    if (account === undefined) throw new Failure('AddressLookupTableNotFound');
    if (account.owner !== LOOKUP_TABLE_PROGRAM_ADDRESS) throw new Failure('InvalidAddressLookupTableOwner');
    try {
      tables.set(address, {
        addresses: lookupTableAddresses({ address, ...account }, address, cluster.slot),
      });
    } catch {
      throw new Failure('InvalidAddressLookupTableData');
    }
  }
  return tables;
}

/** The accounts that a transaction names. Without those of lookup tables if one can't be read. */
export function accountsNamedIn(cluster: Cluster, wire: WireTransaction) {
  let tables: KnownTables = new Map();
  try {
    tables = tablesOf(cluster, wire);
  } catch {
    // The transaction fails for it.
  }
  return loadTransaction(wire, tables).accounts.filter(isKnown);
}

const isKnown = (account: TransactionAccount): account is KnownAccount => account.address !== undefined;

export type KnownAccount = TransactionAccount & { readonly address: Address };
