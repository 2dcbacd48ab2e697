import type { Base64EncodedWireTransaction } from '@solana/kit';

import type { Cluster, SimulatedTransaction } from './runtime.js';

/** The outcome of a transaction, and what an engine does when the ledger keeps it. */
export interface EngineOutcome extends SimulatedTransaction {
  /** Called when the outcome is kept: by `execute` and `sendTransaction`, not by a simulation. */
  readonly keep?: () => void;
}

/**
 * Runs the transactions of an embedded ledger. By default that is the ledger's model of the programs; `createSvmEngine` runs
 * the programs themselves. The ledger holds accounts, clock and slots, and checks signatures and block hashes.
 */
export interface TransactionEngine {
  /** Runs a transaction on the cluster's accounts, and writes nothing. Checks neither signatures nor the block hash. */
  run(cluster: Cluster, tx: Base64EncodedWireTransaction): Promise<EngineOutcome>;
}
