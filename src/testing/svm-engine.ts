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
import { HeavenError } from '../base/errors.js';
import { assertHas, assertNames, assertObject } from '../base/input.js';
import { assertAddress } from '../solana/addresses.js';
import { costOf } from '../solana/compute-budget.js';
import { lookupTablesOf, readWireTransaction, type WireTransaction } from '../solana/message.js';
import {
  CLOCK_SYSVAR_ADDRESS,
  RENT_SYSVAR_ADDRESS,
  SYSTEM_PROGRAM_ADDRESS,
  UPGRADEABLE_LOADER_ADDRESS,
} from '../solana/programs.js';
import type { EngineOutcome, TransactionEngine } from './engine.js';
import { SLOTS_PER_EPOCH } from './ledger-state.js';
import {
  type Account,
  accountsNamedIn,
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

/**
 * Creates an engine that runs the programs themselves in LiteSVM, for `createEmptyLedger` and `createEmbeddedLedger`. It brings
 * System, Token, Token-2022, Associated Token, Memo and Compute Budget; all others come from `programs`. Any number of
 * ledgers can share an engine: each transaction sees only its own ledger's accounts, clock and rent.
 *
 * It needs the package `litesvm`, which runs in Node on Linux and macOS.
 *
 * @param options `programs`: the ELF files of programs, by their addresses.
 * @throws {HeavenError} `missing-package`, `invalid-address`, `invalid-input`
 * @example
 * ```ts
 * const engine = await createSvmEngine({ programs: {} });
 * const ledger = createEmptyLedger({ engine });
 * ```
 */
export async function createSvmEngine(config: {
  readonly programs: { readonly [address: Address]: Uint8Array };
}): Promise<TransactionEngine> {
  assertHas(config, 'programs', 'config', 'an object with programs');
  assertNames(config, 'config', { programs: 1 });
  const { programs } = config;
  assertObject(programs, 'programs');
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
  const machine = new Machine(svm);
  return { run: async (cluster, tx) => machine.run(cluster, tx) };
}

async function importLiteSvm(): Promise<LiteSvmModule> {
  try {
    return await (await import('./import-package.js')).importPackage(PACKAGE);
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
      'invalid-input',
      `The program ${address} can't be run: ${reason}. Pass its ELF file, without the header of its account.`,
      { field: 'programs', value: address },
      { cause },
    );
  }
}

interface Placed {
  readonly account: Readonly<Account> | undefined;
  /** The bytes that a cluster counts for loading it. */
  readonly loadedSize: number;
}

type Existing = Extract<ReturnType<LiteSVM['getAccount']>, { readonly exists: true }>;

/** An account that LiteSVM has from the start. A ledger may replace all but programs. */
interface Own extends Placed {
  readonly existing: Existing;
}

/** One LiteSVM instance, which runs the transactions of all ledgers of an engine. */
class Machine {
  readonly #svm: LiteSVM;
  readonly #own = new Map<Address, Own | undefined>();

  constructor(svm: LiteSVM) {
    this.#svm = svm;
  }

  /** Runs a transaction on a ledger's accounts. Synchronous, so that two runs can't interleave. */
  run(cluster: Cluster, tx: Base64EncodedWireTransaction): EngineOutcome {
    const wire = readWireTransaction(tx);
    const tables = lookupTablesOf(wire);
    const named = accountsNamedIn(cluster, wire);
    this.#placeSysvar(cluster, 'clock', CLOCK_SYSVAR_ADDRESS);
    this.#placeSysvar(cluster, 'rent', RENT_SYSVAR_ADDRESS);
    for (const table of tables) this.#place(cluster, table);
    const before = new Map<Address, Readonly<Account> | undefined>();
    let loadedAccountsDataSize = tables.length * BYTES_PER_LOOKUP_TABLE;
    for (const { address } of named) {
      const { account, loadedSize } = this.#place(cluster, address);
      before.set(address, account);
      loadedAccountsDataSize += loadedSize;
    }

    const result = this.#svm.sendTransaction(transactionOf(wire));
    const isFailed = 'err' in result;
    const meta = isFailed ? result.meta() : result;
    // A failed transaction changes only its fee payer.
    const written = isFailed ? named.slice(0, 1) : named.filter(({ role }) => isWritableRole(role));
    const after = this.#changesIn(written, before);
    const err = isFailed ? failureOf(result.toString(), wire, before) : null;
    const { total: fee } = costOf(wire).fees;
    if (typeof err === 'string' && LOAD_FAILURES.includes(err)) payFee(after, before, wire, fee);
    return {
      err,
      logs: meta.logs(),
      unitsConsumed: meta.computeUnitsConsumed(),
      fee,
      loadedAccountsDataSize,
      innerInstructions: innerInstructionsOf(meta),
      accounts: after,
    };
  }

  #placeSysvar(cluster: Cluster, account: string, address: Address): void {
    if (cluster.getAccount(address) === undefined) {
      const message = `The ledger has no ${account} at ${address}: set it.`;
      throw new HeavenError('account-not-found', message, { account, address });
    }
    this.#place(cluster, address);
  }

  /** Copies an account from a ledger, and returns what a transaction finds. */
  #place(cluster: Cluster, address: Address): Placed {
    const own = this.#ownAt(address);
    if (own?.existing.executable) return own;
    const account = cluster.getAccount(address) ?? own?.account;
    this.#svm.setAccount(machineAccount(address, account ?? NOTHING));
    return { account, loadedSize: account === undefined ? 0 : BYTES_PER_ACCOUNT + account.data.length };
  }

  #ownAt(address: Address): Own | undefined {
    if (!this.#own.has(address)) {
      const existing = this.#svm.getAccount(address);
      this.#own.set(address, existing.exists ? ownOf(this.#svm, existing) : undefined);
    }
    return this.#own.get(address);
  }

  /** The accounts that a transaction has changed. Undoes it for LiteSVM's programs, which other ledgers share. */
  #changesIn(written: readonly { readonly address: Address }[], before: Accounts): Map<Address, Account> {
    const changes = new Map<Address, Account>();
    for (const { address } of written) {
      const was = before.get(address);
      const found = this.#svm.getAccount(address);
      const is = found.exists ? ledgerAccount(found) : NOTHING;
      if (isSame(was ?? NOTHING, is)) continue;
      changes.set(
        address,
        was !== undefined && bytesEqual(was.data, is.data) ? { ...is, data: was.data } : is,
      );
      const own = this.#ownAt(address);
      if (own?.existing.executable) this.#svm.setAccount(own.existing);
    }
    return changes;
  }
}

function ownOf(svm: LiteSVM, existing: Existing): Own {
  const { data } = existing;
  return {
    existing,
    account: ledgerAccount(existing),
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

const isSame = (a: Readonly<Account>, b: Readonly<Account>) =>
  a.lamports === b.lamports && a.owner === b.owner && bytesEqual(a.data, b.data);
