import {
  type AccountNotificationsApi,
  type Address,
  type Base64EncodedWireTransaction,
  createSolanaRpcFromTransport,
  type Rpc,
  type RpcSubscriptions,
  type RpcTransport,
  type Signature,
  type SolanaRpcApi,
} from '@solana/kit';

import { HEAVEN_PROGRAM_ADDRESS } from '../program/constants.js';
import { DEFAULT_LAMPORTS_PER_BYTE } from '../solana/limits.js';
import { executionOn } from './execution.js';
import { type LedgerEdits, ledgerEdits } from './ledger-edits.js';
import { createLedgerState, type LedgerAccount, type LedgerListener } from './ledger-state.js';
import type { ExchangeBehaviour } from './programs/exchange/behaviour.js';
import { encodedAccount } from './rpc-methods/account-encoding.js';
import { accountMethods } from './rpc-methods/accounts.js';
import { airdropMethods } from './rpc-methods/airdrop.js';
import { clusterMethods, type PrioritizationFee } from './rpc-methods/cluster.js';
import { rpcDispatch } from './rpc-methods/dispatch.js';
import { transactionHistory } from './rpc-methods/history.js';
import { transactionMethods } from './rpc-methods/transactions.js';
import type { SimulatedTransaction } from './runtime.js';
import { type SampleAccounts, writeSamples } from './sample-accounts.js';
import { sampleTransaction } from './sample-transaction.js';
import { type LedgerSubscriptions, ledgerSubscriptions } from './subscriptions.js';

/** How many requests are kept before the older half of them is forgotten. */
const MOST_REQUESTS = 20_000;

/** A request that the ledger has answered. */
export interface LedgerRequest {
  readonly method: string;
  readonly params: readonly unknown[];
}

/**
 * A cluster in memory, with the exchange's sample pools on it, behind kit's RPC type: for tests, examples and a first
 * try without a network. It holds accounts and a clock and answers what the SDK asks. It simulates transactions with a
 * model of the exchange's program by this library's own understanding; see {@link ExchangeBehaviour}. One that is sent with
 * `rpc.sendTransaction` is checked, signatures and block hash too, and executed at once.
 */
export interface EmbeddedLedger extends LedgerEdits, SampleAccounts {
  /** For `createClient`. */
  readonly rpc: Rpc<SolanaRpcApi>;
  /** The transport under `rpc`, to put delays or failures in front of it. */
  readonly transport: RpcTransport;
  /** Account notifications, for `createClient`. */
  readonly rpcSubscriptions: RpcSubscriptions<AccountNotificationsApi>;
  /** The subscriptions there are, to count them or to drop them. */
  readonly subscriptions: LedgerSubscriptions;
  /** Transactions that `getTransaction` knows (in base64): the last buy in the pool `creator`, with its real figures. */
  readonly transactions: { readonly buy: Signature };
  /** The requests so far, oldest first: the latest 10,000 at least. */
  readonly requests: readonly LedgerRequest[];
  readonly slot: bigint;
  readonly unixTimestamp: bigint;
  getAccount(address: Address): LedgerAccount | undefined;
  /** Makes the emulated exchange behave otherwise than assumed; without an argument, as assumed again. */
  setBehaviour(behaviour?: ExchangeBehaviour): void;
  /** Sets what `getRecentPrioritizationFees` answers, in micro-lamports per compute unit. */
  setPrioritizationFees(fees: readonly PrioritizationFee[]): void;
  /** Simulates a transaction and keeps what it did, if it succeeded. Signatures are not looked at. */
  execute(tx: Base64EncodedWireTransaction): Promise<SimulatedTransaction>;
  /** Calls back on each write, until the function that it returns is called. */
  onWrite(listener: LedgerListener): () => void;
}

/**
 * Makes an embedded ledger.
 *
 * @param options `programAddress`: the exchange's address on it. Default: mainnet's. `lamportsPerByte`: the rent, until
 * `setRent` changes it. Default: what mainnet charged when this version was made.
 * @throws {HeavenError} `invalid-input` (lamportsPerByte)
 * @example
 * ```ts
 * const ledger = await createEmbeddedLedger();
 * const client = createClient({ rpc: ledger.rpc });
 * const { mint, configVersion } = ledger.pools.creator;
 * const quote = await quoteBuy(client, { configVersion, mint, maxSolSpend: 1, slippageBps: 50 });
 * ```
 */
export async function createEmbeddedLedger({
  programAddress = HEAVEN_PROGRAM_ADDRESS,
  lamportsPerByte = DEFAULT_LAMPORTS_PER_BYTE,
}: {
  readonly programAddress?: Address;
  readonly lamportsPerByte?: bigint;
} = {}): Promise<EmbeddedLedger> {
  const state = createLedgerState();
  state.setRent(lamportsPerByte);
  const edits = ledgerEdits(state, programAddress);
  const execution = executionOn(state, programAddress);
  const samples = await writeSamples(state, edits, programAddress);
  const lastBuy = await sampleTransaction(programAddress);
  const history = transactionHistory();
  history.add(lastBuy);

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
  });
  const transport = (({ payload }: { readonly payload: unknown }) => dispatch(payload)) as RpcTransport;

  return {
    ...edits,
    ...samples,
    ...ledgerSubscriptions(state.onWrite, (account) =>
      encodedAccount(account, { encoding: 'base64' }, state.getAccount),
    ),
    rpc: createSolanaRpcFromTransport(transport) as Rpc<SolanaRpcApi>,
    transport,
    transactions: { buy: lastBuy.signature },
    requests,
    get slot() {
      return state.slot();
    },
    get unixTimestamp() {
      return state.unixTimestamp();
    },
    getAccount: state.getAccount,
    setBehaviour: execution.setBehaviour,
    setPrioritizationFees: (fees) => {
      prioritizationFees = fees;
    },
    execute: (tx) => execution.inTurn(() => execution.execute(tx)),
    onWrite: state.onWrite,
  };
}
