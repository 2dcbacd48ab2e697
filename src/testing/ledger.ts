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

import { invalidInput } from '../input.js';
import { HEAVEN_PROGRAM_ADDRESS } from '../program/constants.js';
import { DEFAULT_LAMPORTS_PER_BYTE } from '../solana/limits.js';
import type { TransactionEngine } from './engine.js';
import { executionOn } from './execution.js';
import { type LedgerEdits, ledgerEdits } from './ledger-edits.js';
import {
  createLedgerState,
  type LedgerAccount,
  type LedgerClock,
  type LedgerListener,
} from './ledger-state.js';
import type { ExchangeBehavior } from './programs/exchange/behavior.js';
import { encodedAccount } from './rpc-methods/account-encoding.js';
import { accountMethods } from './rpc-methods/accounts.js';
import { airdropMethods } from './rpc-methods/airdrop.js';
import { clusterMethods, type PrioritizationFee } from './rpc-methods/cluster.js';
import { rpcDispatch } from './rpc-methods/dispatch.js';
import { transactionHistory } from './rpc-methods/history.js';
import { assertSlotReached } from './rpc-methods/rpc.js';
import { transactionMethods } from './rpc-methods/transactions.js';
import type { SimulatedTransaction } from './runtime.js';
import { type SampleAccounts, writeSamples } from './sample-accounts.js';
import { sampleTransaction } from './sample-transaction.js';
import { type ModelEngine, modelEngine } from './simulate.js';
import {
  type LedgerSubscriptions,
  type LedgerSubscriptionsApi,
  ledgerSubscriptions,
} from './subscriptions.js';

/** The number of requests to keep before dropping the older half. */
const MOST_REQUESTS = 20_000;

/** A request that the ledger has answered. */
export interface LedgerRequest {
  readonly method: string;
  readonly params: readonly unknown[];
}

/**
 * A cluster in memory behind kit's RPC type. It holds accounts and a clock, answers what the SDK asks, and runs
 * transactions with its {@link TransactionEngine}. A transaction sent with `rpc.sendTransaction` is checked, including its
 * signatures and block hash, and executed at once.
 */
export interface Ledger extends LedgerEdits {
  /** For `createHeavenClient`. */
  readonly rpc: Rpc<SolanaRpcApi>;
  /** The transport under `rpc`, to put delays or failures in front of it. */
  readonly transport: RpcTransport;
  /** Notifications of accounts, for `createHeavenClient`, and of the logs of transactions that are sent with `rpc.sendTransaction`. */
  readonly rpcSubscriptions: RpcSubscriptions<LedgerSubscriptionsApi>;
  /** The current subscriptions, to count or drop them. */
  readonly subscriptions: LedgerSubscriptions;
  /** The requests so far, oldest first: at least the latest 10,000. */
  readonly requests: readonly LedgerRequest[];
  readonly slot: bigint;
  readonly unixTimestamp: bigint;
  getAccount(address: Address): LedgerAccount | undefined;
  /** All existing accounts. */
  listAccounts(): Iterable<readonly [Address, Required<LedgerAccount>]>;
  /**
   * Makes the emulated exchange deviate from the assumed behavior; without an argument, it behaves as assumed again.
   *
   * @throws {HeavenError} `invalid-input` (behavior) if the ledger's engine is not its own model
   */
  setBehavior(behavior?: ExchangeBehavior): void;
  /** Sets what `getRecentPrioritizationFees` answers, in micro-lamports per compute unit. */
  setPrioritizationFees(fees: readonly PrioritizationFee[]): void;
  /** Simulates a transaction and, if it succeeds, keeps what it did. Ignores signatures. */
  execute(tx: Base64EncodedWireTransaction): Promise<SimulatedTransaction>;
  /** Calls back on each write until you call the returned function. */
  onWrite(listener: LedgerListener): () => void;
}

/**
 * A {@link Ledger} with the exchange's sample pools on it: for tests, examples and a first try without a network. Its
 * model of the exchange's program follows this library's own understanding; see {@link ExchangeBehavior}.
 */
export interface EmbeddedLedger extends Ledger, SampleAccounts {
  /** Transactions that `getTransaction` knows (in base64): the last buy in the pool `creator`, with its real figures. */
  readonly transactions: { readonly buy: Signature };
}

/** The options of a ledger. */
export interface LedgerOptions {
  /** The exchange's address on it. Default: mainnet's. */
  readonly programAddress?: Address;
  /** The rent, until `setRent` changes it. Default: what mainnet charged when this version was made. */
  readonly lamportsPerByte?: bigint;
  /** Runs the transactions. Default: the model of the programs. */
  readonly engine?: TransactionEngine;
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
  const { programAddress = HEAVEN_PROGRAM_ADDRESS } = options;
  const { ledger, state, history } = assemble(options);
  const samples = await writeSamples(state, ledger, programAddress);
  const lastBuy = await sampleTransaction(state, samples.pools.creator, programAddress);
  history.add(lastBuy);
  // A copy would lose the getters.
  return Object.assign(ledger, samples, { transactions: { buy: lastBuy.signature } });
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
export function createEmptyLedger(options: LedgerOptions & { readonly clock?: LedgerClock } = {}): Ledger {
  return assemble(options).ledger;
}

function assemble({
  programAddress = HEAVEN_PROGRAM_ADDRESS,
  lamportsPerByte = DEFAULT_LAMPORTS_PER_BYTE,
  engine,
  clock,
}: LedgerOptions & { readonly clock?: LedgerClock }) {
  const state = createLedgerState(clock);
  state.setRent(lamportsPerByte);
  state.setSlot(state.slot());
  const edits = ledgerEdits(state, programAddress);
  const model = engine === undefined ? modelEngine(programAddress, state.slot) : undefined;
  const execution = executionOn(state, engine ?? (model as ModelEngine));
  const history = transactionHistory();

  const requests: LedgerRequest[] = [];
  let prioritizationFees: readonly PrioritizationFee[] | undefined;
  const transactions = { ...state, ...execution, history };
  const methods = {
    ...accountMethods(state),
    ...clusterMethods(state, () => prioritizationFees),
    ...transactionMethods(transactions),
    ...airdropMethods(transactions, edits.setBalance),
  };
  const dispatch = rpcDispatch(methods, (method, params) => {
    requests.push({ method, params });
    if (requests.length > MOST_REQUESTS) requests.splice(0, MOST_REQUESTS / 2);
    assertSlotReached(params, state.slot());
  });
  const transport = (({ payload }: { readonly payload: unknown }) => dispatch(payload)) as RpcTransport;

  const ledger: Ledger = {
    ...edits,
    ...ledgerSubscriptions({
      onWrite: state.onWrite,
      onTransaction: history.onAdd,
      toRpcAccount: (account) => encodedAccount(account, 'base64', state.getAccount),
    }),
    rpc: createSolanaRpcFromTransport(transport) as Rpc<SolanaRpcApi>,
    transport,
    requests,
    get slot() {
      return state.slot();
    },
    get unixTimestamp() {
      return state.unixTimestamp();
    },
    getAccount: state.getAccount,
    listAccounts: state.listAccounts,
    setBehavior: (behavior) => {
      if (model === undefined) throw invalidInput('behavior', behavior, 'left to the engine of this ledger');
      model.setBehavior(behavior);
    },
    setPrioritizationFees: (fees) => {
      prioritizationFees = fees;
    },
    execute: (tx) => execution.inTurn(() => execution.execute(tx)),
    onWrite: state.onWrite,
  };
  return { ledger, state, history };
}
