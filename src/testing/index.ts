/**
 * The embedded ledger, a cluster in memory, and encoders for its accounts.
 *
 * @module heaven-pools/testing
 */

export { SLOT_MS } from '../solana/timing.js';
export {
  createFeeBrackets,
  createSlotFeeBrackets,
  encodeMint,
  encodeTokenAccount,
  type MintFields,
  type TransferFeeSetting,
} from './encode.js';
export type { EngineOutcome, TransactionEngine } from './engine.js';
export {
  createEmbeddedLedger,
  createEmptyLedger,
  type EmbeddedLedger,
  type Ledger,
  type LedgerOptions,
  type LedgerRequest,
} from './ledger.js';
export type { LedgerAccount, LedgerClock } from './ledger-state.js';
export {
  createPracticeWallet,
  type PracticeWallet,
  type PracticeWalletConfig,
  type PracticeWalletGuards,
} from './practice-wallet.js';
export type { ExchangeBehavior, ScriptedOutcome } from './programs/exchange/behavior.js';
export { type RegisterPracticeWalletConfig, registerPracticeWallet } from './register-practice-wallet.js';
export type { PrioritizationFee } from './rpc-methods/cluster.js';
export type { SimulatedTransaction } from './runtime.js';
export { runSampleTrades, type SampleTrades, type SampleTradesOptions } from './sample-trades.js';
export {
  createSamplePoolFields,
  type SamplePool,
  type SamplePoolFields,
  type SamplePoolName,
} from './samples.js';

export type { LedgerSubscriptions } from './subscriptions.js';
export { createSvmEngine } from './svm-engine.js';
export { setTokenMetadata } from './token-metadata.js';
