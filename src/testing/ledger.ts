import {
  type Address,
  type Base64EncodedWireTransaction,
  createSolanaRpcFromTransport,
  type Rpc,
  type RpcSubscriptions,
  type RpcTransport,
  type Signature,
  type SolanaRpcApi,
} from '@solana/kit';

import { assertHas, assertNames, assertU64, given, invalidInput } from '../base/input.js';
import { assertAddress } from '../solana/addresses.js';
import type { TransactionEngine } from './engine.js';
import { Execution } from './execution.js';
import { type LedgerAccount, type LedgerClock, type LedgerStart, LedgerState } from './ledger-state.js';
import type { ExchangeBehavior } from './programs/exchange/behavior.js';
import { accountMethods } from './rpc-methods/accounts.js';
import { airdropMethods } from './rpc-methods/airdrop.js';
import { clusterMethods, type PrioritizationFee } from './rpc-methods/cluster.js';
import { rpcDispatch } from './rpc-methods/dispatch.js';
import { TransactionHistory, type TransactionRecord } from './rpc-methods/history.js';
import { assertSlotReached } from './rpc-methods/rpc.js';
import { TransactionMethods } from './rpc-methods/transactions.js';
import type { SimulatedTransaction } from './runtime.js';
import { type SampleAccounts, writeSamples } from './sample-accounts.js';
import { sampleTransaction } from './sample-transaction.js';
import { ModelEngine } from './simulate.js';
import { LedgerSubscriptions, type LedgerSubscriptionsApi } from './subscriptions.js';

/** The number of requests to keep before dropping the older half. */
const MAX_REQUESTS = 20_000;

/** A request that the ledger has answered. */
export interface LedgerRequest {
  readonly method: string;
  readonly params: readonly unknown[];
}

const OPTIONS = {
  engine: given((value, field) => assertHas(value, 'run', field, 'a transaction engine')),
  programAddress: given(assertAddress),
  lamportsPerByte: 1,
};

function assertClock(value: unknown, field: string): void {
  assertHas(value, 'slot', field, 'an object with slot and unixTimestamp');
  const { slot, unixTimestamp } = value as LedgerClock;
  assertU64(slot, `${field}.slot`);
  assertU64(unixTimestamp, `${field}.unixTimestamp`);
}

/** The options of a ledger. */
export interface LedgerOptions extends Omit<LedgerStart, 'clock'> {
  /** Runs the transactions. Default: the model of the programs. */
  readonly engine?: TransactionEngine;
}

/**
 * A cluster in memory behind kit's RPC type. It holds accounts and a clock, answers what the SDK asks, and runs
 * transactions with its {@link TransactionEngine}. A transaction sent with `rpc.sendTransaction` is checked, including its
 * signatures and block hash, and executed at once.
 */
export class Ledger extends LedgerState {
  /** For `createHeavenClient`. */
  readonly rpc: Rpc<SolanaRpcApi>;
  /** The transport under `rpc`, to put delays or failures in front of it. */
  readonly transport: RpcTransport;
  /** Notifications of accounts, for `createHeavenClient`, and of the logs of transactions that are sent with `rpc.sendTransaction`. */
  readonly rpcSubscriptions: RpcSubscriptions<LedgerSubscriptionsApi>;
  /** The current subscriptions, to count or drop them. */
  readonly subscriptions: LedgerSubscriptions;
  readonly #requests: LedgerRequest[] = [];
  readonly #engine: TransactionEngine;
  readonly #execution: Execution;
  #prioritizationFees: readonly PrioritizationFee[] | undefined;

  constructor(options: LedgerOptions & LedgerStart, history = new TransactionHistory()) {
    super(options);
    this.#engine = options.engine ?? new ModelEngine(this.programAddress);
    this.#execution = new Execution(this, this.#engine, history);
    const answer = rpcDispatch(
      {
        ...accountMethods(this),
        ...clusterMethods(this, () => this.#prioritizationFees),
        ...new TransactionMethods(this, this.#execution).byName(),
        ...airdropMethods(this, this.#execution),
      },
      (method, params) => this.#note(method, params),
    );
    this.transport = (({ payload }: { readonly payload: unknown }) => answer(payload)) as RpcTransport;
    this.rpc = createSolanaRpcFromTransport(this.transport) as Rpc<SolanaRpcApi>;
    this.subscriptions = new LedgerSubscriptions(this, history);
    this.rpcSubscriptions = this.subscriptions.createRpc();
  }

  /** The requests so far, oldest first: at least the latest 10,000. */
  get requests(): readonly LedgerRequest[] {
    return this.#requests;
  }

  /**
   * Makes the emulated exchange deviate from the assumed behavior; without an argument, it behaves as assumed again.
   *
   * @throws {HeavenError} `invalid-input` (behavior) if the ledger's engine is not its own model
   */
  setBehavior(behavior: ExchangeBehavior = {}): void {
    if (!(this.#engine instanceof ModelEngine))
      throw invalidInput('behavior', behavior, 'left to the engine of this ledger');
    this.#engine.behavior = behavior;
  }

  /** Sets what `getRecentPrioritizationFees` answers, in micro-lamports per compute unit. */
  setPrioritizationFees(fees: readonly PrioritizationFee[]): void {
    this.#prioritizationFees = fees;
  }

  /** Simulates a transaction and, if it succeeds, keeps what it did. Ignores signatures. */
  execute(tx: Base64EncodedWireTransaction): Promise<SimulatedTransaction> {
    return this.#execution.execute(tx);
  }

  #note(method: string, params: readonly unknown[]): void {
    this.#requests.push({ method, params });
    if (this.#requests.length > MAX_REQUESTS) this.#requests.splice(0, MAX_REQUESTS / 2);
    assertSlotReached(params, this.slot);
  }
}

/**
 * A {@link Ledger} with the exchange's sample pools on it: for tests, examples and a first try without a network. Its
 * model of the exchange's program follows this library's own understanding; see {@link ExchangeBehavior}.
 */
export interface EmbeddedLedger extends Ledger, SampleAccounts {
  /** Transactions that `getTransaction` knows (in base64): the last buy in the pool `creator`, with its real figures. */
  readonly transactions: { readonly buy: Signature };
}

/**
 * Creates an embedded ledger with the sample pools.
 *
 * @throws {HeavenError} `invalid-input` (lamportsPerByte)
 * @example
 * ```ts
 * const ledger = await createEmbeddedLedger();
 * const client = createHeavenClient({ rpc: ledger.rpc });
 * const { mint, configVersion } = ledger.pools.creator;
 * const quote = await quoteBuy(client, { configVersion, mint, maxSolSpend: 1, slippageBps: 50 });
 * ```
 */
export async function createEmbeddedLedger(options: LedgerOptions = {}): Promise<EmbeddedLedger> {
  assertNames(options, 'options', OPTIONS);
  const history = new TransactionHistory();
  const ledger = new Ledger(options, history);
  const { accounts, lastBuy, ...samples } = await samplesFor(options);
  for (const [address, account] of accounts)
    ledger.setAccount(address, { ...account, data: account.data.slice() });
  history.add(lastBuy);
  // Vue puts no proxy around what can't be extended: private fields don't survive one. A test may still replace `rpc`.
  return Object.preventExtensions(
    Object.assign(ledger, samples, { transactions: { buy: lastBuy.signature } }),
  );
}

interface Samples extends SampleAccounts {
  readonly accounts: readonly (readonly [Address, Required<LedgerAccount>])[];
  readonly lastBuy: TransactionRecord;
}

/** The latest samples: tests create one such ledger after another, and encoding the pools takes most of the time. */
let latest: { readonly key: string; readonly samples: Promise<Samples> } | undefined;

function samplesFor(options: LedgerOptions): Promise<Samples> {
  const key = `${options.programAddress} ${options.lamportsPerByte}`;
  if (latest?.key !== key) {
    const samples = createSamples(options);
    latest = { key, samples };
    samples.catch(() => {
      latest = undefined;
    });
  }
  return latest.samples;
}

async function createSamples(start: LedgerStart): Promise<Samples> {
  const ledger = new LedgerState(start);
  const samples = await writeSamples(ledger);
  const lastBuy = await sampleTransaction(ledger, samples.pools.creator);
  return { ...samples, accounts: [...ledger.listAccounts()], lastBuy };
}

/**
 * Creates a ledger with no accounts except the clock and the rent, for accounts downloaded from a cluster.
 *
 * @param options `clock`: the slot and time to start at; `setSlot` continues from there. Default: those of the sample pools.
 * @throws {HeavenError} `invalid-input` (lamportsPerByte)
 * @example
 * ```ts
 * const ledger = createEmptyLedger({ clock: { slot: 411_354_049n, unixTimestamp: 1_775_456_070n } });
 * ledger.setBalance(wallet, 1_000_000_000n);
 * ```
 */
export function createEmptyLedger(options: LedgerOptions & LedgerStart = {}): Ledger {
  assertNames(options, 'options', { ...OPTIONS, clock: given(assertClock) });
  return new Ledger(options);
}
