import type { Address, Base64EncodedWireTransaction } from '@solana/kit';
import { COMPUTE_BUDGET_PROGRAM_ADDRESS } from '@solana-program/compute-budget';

import {
  ASSOCIATED_TOKEN_PROGRAM_ADDRESS,
  SYSTEM_PROGRAM_ADDRESS,
  TOKEN_2022_PROGRAM_ADDRESS,
  TOKEN_METADATA_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
} from '../solana/programs.js';
import { notEmulated } from './failure.js';
import { follow } from './programs/exchange/anchor.js';
import type { ExchangeBehaviour } from './programs/exchange/behaviour.js';
import { exchangeProgram } from './programs/exchange/index.js';
import type { SlotTrade, SlotTrades } from './programs/exchange/slot-trades.js';
import { metadataProgram } from './programs/metadata.js';
import { systemProgram } from './programs/system.js';
import { associatedTokenProgram, tokenProgram } from './programs/token.js';
import { type Cluster, type Program, runTransaction, type SimulatedTransaction } from './runtime.js';

/** What became of a transaction, and the swaps that it made: none if it failed. */
export interface SimulatorOutcome extends SimulatedTransaction {
  readonly trades: readonly SlotTrade[];
}

/** The cluster around a transaction, and the exchange on it. */
export interface SimulatorCluster extends Cluster {
  readonly programAddress: Address;
  readonly behaviour: ExchangeBehaviour;
  /** The swaps of the slot so far. */
  readonly trades: SlotTrades;
}

const computeBudgetProgram: Program = { isBuiltIn: true, units: 150, run: () => {} };

/**
 * Runs a transaction with the programs that the builders use: every instruction of the exchange, and what they use of others. All
 * else fails with `UnsupportedProgramId` and a log line that says so.
 */
export async function simulateOn(
  { programAddress, behaviour, trades, ...cluster }: SimulatorCluster,
  tx: Base64EncodedWireTransaction,
): Promise<SimulatorOutcome> {
  const made: SlotTrade[] = [];
  const programs: Readonly<Record<Address, Program>> = {
    [COMPUTE_BUDGET_PROGRAM_ADDRESS]: computeBudgetProgram,
    [SYSTEM_PROGRAM_ADDRESS]: systemProgram,
    [ASSOCIATED_TOKEN_PROGRAM_ADDRESS]: associatedTokenProgram,
    [TOKEN_PROGRAM_ADDRESS]: tokenProgram,
    [TOKEN_2022_PROGRAM_ADDRESS]: tokenProgram,
    [TOKEN_METADATA_PROGRAM_ADDRESS]: metadataProgram,
    [programAddress]: exchangeProgram({ programAddress, behaviour, trades, made }),
  };
  const { scripted = {} } = behaviour;
  const programAt = (address: Address): Program => {
    const program = programs[address] ?? unknownProgram(address);
    const script = Object.hasOwn(scripted, address) ? scripted[address] : undefined;
    return script === undefined ? program : { ...program, run: () => follow(script) };
  };
  const outcome = await runTransaction(cluster, programAt, tx);
  return { ...outcome, trades: outcome.err === null ? made : [] };
}

const unknownProgram = (address: Address): Program => ({
  units: 3_000,
  run: () => {
    throw notEmulated(`the program ${address}`);
  },
});
