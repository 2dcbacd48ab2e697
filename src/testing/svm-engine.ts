import {
  type Address,
  type Base64EncodedWireTransaction,
  bytesEqual,
  getAddressDecoder,
  isWritableRole,
  type Lamports,
  type Transaction,
  type TransactionMessageBytes,
} from '@solana/kit';

import { HeavenError } from '../errors.js';
import { U64_MAX } from '../math/integers.js';
import { CLOCK } from '../pool/layout.js';
import { openAccount } from '../solana/account-data.js';
import { assertAddress } from '../solana/addresses.js';
import { costOf } from '../solana/compute-budget.js';
import { lookupTableAddresses } from '../solana/lookup-table.js';
import {
  type KnownTables,
  loadTransaction,
  lookupTablesOf,
  readWireTransaction,
  type WireTransaction,
} from '../solana/message.js';
import {
  CLOCK_SYSVAR_ADDRESS,
  RENT_SYSVAR_ADDRESS,
  SYSTEM_PROGRAM_ADDRESS,
  SYSVAR_PROGRAM_ADDRESS,
} from '../solana/programs.js';
import { decodeLamportsPerByte } from '../solana/rent.js';
import type { TransactionEngine } from './engine.js';
import { SLOTS_PER_EPOCH } from './ledger-state.js';
import {
  type Account,
  BYTES_PER_ACCOUNT,
  BYTES_PER_LOOKUP_TABLE,
  type Cluster,
  type InnerInstructions,
} from './runtime.js';
import { transactionErrorIn } from './svm-errors.js';

type LiteSvmModule = typeof import('litesvm');
type LiteSVM = InstanceType<LiteSvmModule['LiteSVM']>;
type TransactionMetadata = InstanceType<LiteSvmModule['TransactionMetadata']>;

const PACKAGE = 'litesvm';
const RANGE = '^1.5.0';
const NATIVE_LOADER_ADDRESS = 'NativeLoader1111111111111111111111111111111' as Address;
const UPGRADEABLE_LOADER_ADDRESS = 'BPFLoaderUpgradeab1e11111111111111111111111' as Address;

/**
 * Creates an engine that runs the programs themselves in LiteSVM, for `createEmptyLedger` and `createEmbeddedLedger`. It brings
 * System, Token, Token-2022, Associated Token, Memo and Compute Budget; all others come from `programs`. Any number of
 * ledgers can share an engine: each transaction sees only its own ledger's accounts, clock and rent.
 *
 * It needs the package `litesvm`, which runs in Node on Linux and macOS.
 *
 * @param options `programs`: the ELF files of programs, by their addresses.
 * @throws {HeavenError} `missing-package`, `invalid-address`, `invalid-program`
 * @example
 * ```ts
 * const engine = await createSvmEngine({ programs: {} });
 * const ledger = createEmptyLedger({ engine });
 * ```
 */
export async function createSvmEngine({
  programs,
}: {
  readonly programs: { readonly [address: Address]: Uint8Array };
}): Promise<TransactionEngine> {
  const module = await importLiteSvm();
  const svm = new module.LiteSVM()
    .withNativeMints()
    .withSigverify(false)
    .withBlockhashCheck(false)
    .withTransactionHistory(0n)
    .withLogBytesLimit();
  svm.setEpochSchedule(new module.EpochSchedule(SLOTS_PER_EPOCH, SLOTS_PER_EPOCH, false, 0n, 0n));
  for (const [address, elf] of Object.entries(programs) as [Address, Uint8Array][])
    addProgram(svm, address, elf);
  const machine = machineOn(module, svm);
  return { run: async (cluster, tx) => runOn(machine, cluster, tx) };
}

async function importLiteSvm(): Promise<LiteSvmModule> {
  // Not a literal, because bundlers would then include a native package that most users don't have.
  const name: string = PACKAGE;
  try {
    return await import(/* @vite-ignore */ /* webpackIgnore: true */ name);
  } catch (cause) {
    throw new HeavenError(
      'missing-package',
      `Running programs needs the package ${PACKAGE}, which can't be loaded here. Install it: npm install ${PACKAGE}@${RANGE}`,
      { package: PACKAGE, range: RANGE },
      { cause },
    );
  }
}

function addProgram(svm: LiteSVM, address: Address, elf: Uint8Array): void {
  assertAddress(address, 'programs');
  try {
    svm.addProgram(address, elf);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new HeavenError(
      'invalid-program',
      `The program ${address} can't be run: ${reason}. Pass its ELF file, without the header of its account.`,
      { program: address, reason },
      { cause },
    );
  }
}

/** One LiteSVM instance. */
interface Machine {
  readonly svm: LiteSVM;
  /** Copies an account from a ledger, and returns the result. */
  place(cluster: Cluster, address: Address): Placed;
  /** An account after a transaction. */
  read(address: Address): Readonly<Account>;
  /** Undoes a change to one of LiteSVM's own accounts. */
  restore(address: Address): void;
  /** Sets clock and rent. */
  synchronize(cluster: Cluster): void;
}

interface Placed {
  readonly account: Readonly<Account> | undefined;
  /** The bytes that a cluster counts for loading it. */
  readonly loadedSize: number;
}

type Existing = Extract<ReturnType<LiteSVM['getAccount']>, { readonly exists: true }>;

/** An account that LiteSVM has from the start. */
interface Own extends Placed {
  readonly existing: Existing;
  /** Programs and sysvars are fixed. A ledger may replace the others: native mints. */
  readonly isFixed: boolean;
}

function machineOn(module: LiteSvmModule, svm: LiteSVM): Machine {
  const own = new Map<Address, Own | undefined>();
  const ownAt = (address: Address): Own | undefined => {
    if (!own.has(address)) own.set(address, ownOf(svm, address));
    return own.get(address);
  };
  /** The last written or read state: comparing is much faster than writing. */
  const last = new Map<Address, Readonly<Account>>();
  const write = (address: Address, account: Readonly<Account>) => {
    const held = last.get(address);
    if (held !== undefined && isSame(held, account)) return;
    svm.setAccount(machineAccount(address, account));
    // A copy, because the caller may change its own bytes.
    last.set(address, { ...account, data: account.data.slice() });
  };
  return {
    svm,
    read: (address) => {
      const found = svm.getAccount(address);
      const account = found.exists ? ledgerAccount(found) : NOTHING;
      last.set(address, { ...account, data: account.data.slice() });
      return account;
    },
    place: (cluster, address) => {
      const held = ownAt(address);
      if (held?.isFixed) return held;
      const account = cluster.getAccount(address) ?? held?.account;
      write(address, account ?? NOTHING);
      return { account, loadedSize: account === undefined ? 0 : BYTES_PER_ACCOUNT + account.data.length };
    },
    restore: (address) => {
      const held = own.get(address);
      if (held?.isFixed) svm.setAccount(held.existing);
    },
    synchronize: synchronizer(module, svm),
  };
}

function ownOf(svm: LiteSVM, address: Address): Own | undefined {
  const existing = svm.getAccount(address);
  if (!existing.exists) return undefined;
  const { executable, programAddress, data } = existing;
  return {
    existing,
    account: ledgerAccount(existing),
    isFixed:
      executable || programAddress === SYSVAR_PROGRAM_ADDRESS || programAddress === NATIVE_LOADER_ADDRESS,
    loadedSize: BYTES_PER_ACCOUNT + data.length + programDataSize(svm, existing),
  };
}

const NOTHING: Account = { owner: SYSTEM_PROGRAM_ADDRESS, data: new Uint8Array(), lamports: 0n };

const ledgerAccount = ({ programAddress, data, lamports }: Existing): Account => ({
  owner: programAddress,
  data: data as Uint8Array,
  lamports,
});

const machineAccount = (address: Address, { owner, data, lamports }: Readonly<Account>) => ({
  address,
  programAddress: owner,
  data,
  lamports: lamports as Lamports,
  executable: false,
  space: BigInt(data.length),
});

/** The size of a program's code, which is in a separate account. Clusters count it, LiteSVM doesn't. */
function programDataSize(svm: LiteSVM, { executable, programAddress, data }: Existing): number {
  if (!executable || programAddress !== UPGRADEABLE_LOADER_ADDRESS) return 0;
  const programData = svm.getAccount(getAddressDecoder().decode(data, 4));
  return programData.exists ? BYTES_PER_ACCOUNT + programData.data.length : 0;
}

/** The clock's field that only programs read. */
const EPOCH_START_TIMESTAMP = 8;
const LEADER_SCHEDULE_EPOCH = 24;

/** Sets a machine's clock and rent to those of the ledger whose transaction runs. */
function synchronizer({ Clock, Rent }: LiteSvmModule, svm: LiteSVM): Machine['synchronize'] {
  let clock = new Uint8Array();
  let rent = new Uint8Array();
  return (cluster) => {
    const nextClock = sysvarOf(cluster, 'clock', CLOCK_SYSVAR_ADDRESS);
    if (!bytesEqual(clock, nextClock)) {
      const fields = openAccount(CLOCK, nextClock, CLOCK_SYSVAR_ADDRESS);
      svm.setClock(
        new Clock(
          fields.getBigUint64(CLOCK.slot, true),
          fields.getBigInt64(EPOCH_START_TIMESTAMP, true),
          fields.getBigUint64(CLOCK.epoch, true),
          fields.getBigUint64(LEADER_SCHEDULE_EPOCH, true),
          fields.getBigInt64(CLOCK.unixTimestamp, true),
        ),
      );
      clock = nextClock.slice();
    }
    const nextRent = sysvarOf(cluster, 'rent', RENT_SYSVAR_ADDRESS);
    if (!bytesEqual(rent, nextRent)) {
      svm.setRent(new Rent(decodeLamportsPerByte(nextRent), 1, 50));
      rent = nextRent.slice();
    }
  };
}

function sysvarOf({ getAccount }: Cluster, account: string, address: Address): Uint8Array {
  const found = getAccount(address);
  if (found !== undefined) return found.data;
  throw new HeavenError('account-not-found', `The ledger has no ${account} at ${address}: set it.`, {
    account,
    address,
  });
}

const tablesOf = ({ getAccount }: Cluster, wire: WireTransaction): KnownTables =>
  new Map(lookupTablesOf(wire).map((table) => [table, tableFrom(getAccount(table), table)]));

/** The addresses in a lookup table. LiteSVM rejects an unusable table before it counts any account. */
function tableFrom(account: Readonly<Account> | undefined, address: Address) {
  try {
    const known = account && { address, ...account };
    return { addresses: lookupTableAddresses(known, address, U64_MAX) };
  } catch {
    return { addresses: [] };
  }
}

/** Runs a transaction on a ledger's accounts. Synchronous, so that two runs can't interleave. */
function runOn(machine: Machine, cluster: Cluster, tx: Base64EncodedWireTransaction) {
  const wire = readWireTransaction(tx);
  const tables = lookupTablesOf(wire);
  const { accounts } = loadTransaction(wire, tablesOf(cluster, wire));
  machine.synchronize(cluster);
  for (const table of tables) machine.place(cluster, table);
  const named = accounts.filter(isKnown);
  const before = new Map<Address, Readonly<Account> | undefined>();
  let loadedAccountsDataSize = tables.length * BYTES_PER_LOOKUP_TABLE;
  for (const { address } of named) {
    const { account, loadedSize } = machine.place(cluster, address);
    before.set(address, account);
    loadedAccountsDataSize += loadedSize;
  }

  const result = machine.svm.sendTransaction(transactionOf(wire));
  const isFailed = 'err' in result;
  const meta = isFailed ? result.meta() : result;
  const after = new Map<Address, Account>();
  // A failed transaction changes only its fee payer.
  const written = isFailed ? named.slice(0, 1) : named.filter(({ role }) => isWritableRole(role));
  for (const { address } of written) {
    const was = before.get(address);
    const is = machine.read(address);
    if (isSame(was ?? NOTHING, is)) continue;
    after.set(address, was !== undefined && bytesEqual(was.data, is.data) ? { ...is, data: was.data } : is);
    machine.restore(address);
  }
  const err = isFailed ? failureOf(result.toString(), wire, before) : null;
  const { total: fee } = costOf(wire).fees;
  if (typeof err === 'string' && LOAD_FAILURES.includes(err)) payFee(after, before, wire, fee);
  const returned = meta.returnData();
  const data = returned.data();
  return {
    err,
    logs: meta.logs(),
    unitsConsumed: meta.computeUnitsConsumed(),
    fee,
    loadedAccountsDataSize,
    innerInstructions: innerInstructionsOf(meta),
    ...(data.length === 0
      ? {}
      : { returnData: { programId: getAddressDecoder().decode(returned.programId()), data } }),
    accounts: after,
  };
}

const innerInstructionsOf = (meta: Pick<TransactionMetadata, 'innerInstructions'>): InnerInstructions[] =>
  meta.innerInstructions().flatMap((calls, index) => {
    const instructions = calls.map((call) => {
      const instruction = call.instruction();
      return {
        programIdIndex: instruction.programIdIndex(),
        accounts: [...instruction.accounts()],
        data: instruction.data(),
        stackHeight: call.stackHeight(),
      };
    });
    return instructions.length === 0 ? [] : [{ index, instructions }];
  });

/** Failures while accounts are loaded. Clusters charge the fee for them, LiteSVM doesn't. */
const LOAD_FAILURES: readonly string[] = [
  'ProgramAccountNotFound',
  'InvalidProgramForExecution',
  'MaxLoadedAccountsDataSizeExceeded',
];

type Accounts = ReadonlyMap<Address, Readonly<Account> | undefined>;

/** An error as a cluster reports it. LiteSVM doesn't distinguish a missing program from an account that is not a program. */
function failureOf(failure: string, { instructions }: WireTransaction, before: Accounts): unknown {
  const err = transactionErrorIn(failure);
  const isMissing = instructions.some(({ programAddress }) => before.get(programAddress) === undefined);
  return err === 'InvalidProgramForExecution' && isMissing ? 'ProgramAccountNotFound' : err;
}

function payFee(
  after: Map<Address, Account>,
  before: Accounts,
  { staticAccounts }: WireTransaction,
  fee: bigint,
): void {
  const [payer] = staticAccounts as [Address];
  const account = before.get(payer);
  if (account !== undefined && account.lamports >= fee && !after.has(payer))
    after.set(payer, { ...account, lamports: account.lamports - fee });
}

const transactionOf = ({ messageBytes, signatures }: WireTransaction): Transaction => ({
  messageBytes: messageBytes as TransactionMessageBytes,
  signatures: Object.fromEntries(signatures.map(({ address, signature }) => [address, signature ?? null])),
});

const isKnown = <T extends { readonly address: Address | undefined }>(
  account: T,
): account is T & { readonly address: Address } => account.address !== undefined;

const isSame = (a: Readonly<Account>, b: Readonly<Account>) =>
  a.lamports === b.lamports && a.owner === b.owner && bytesEqual(a.data, b.data);
