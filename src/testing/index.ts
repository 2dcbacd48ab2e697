/**
 * The embedded ledger, a cluster in memory, and what makes its accounts.
 *
 * @module heaven-pools/testing
 */

export { rentExemption } from '../solana/rent.js';
export {
  encodeClock,
  encodeLookupTable,
  encodeMint,
  encodePriceFeed,
  encodeTokenAccount,
  feeBrackets,
  type MintFields,
  slotFeeBrackets,
  type TransferFeeSetting,
} from './encode.js';
export { createEmbeddedLedger, type EmbeddedLedger, type LedgerRequest } from './ledger.js';
export type { LedgerAccount } from './ledger-state.js';
export type { ExchangeBehaviour, ScriptedOutcome } from './programs/exchange/behaviour.js';
export type { PrioritizationFee } from './rpc-methods/cluster.js';
export type { SimulatedTransaction } from './runtime.js';
export {
  type SamplePool,
  type SamplePoolFields,
  type SamplePoolName,
  sampleConfig,
  samplePool,
  samplePoolFields,
} from './samples.js';

export type { LedgerSubscriptions } from './subscriptions.js';
