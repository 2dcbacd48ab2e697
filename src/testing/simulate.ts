import type { Address, Base64EncodedWireTransaction } from '@solana/kit';
import { COMPUTE_BUDGET_PROGRAM_ADDRESS } from '@solana-program/compute-budget';

import { LIGHTHOUSE_PROGRAM_ADDRESS } from '../solana/lighthouse.js';
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
import { lighthouseProgram } from './programs/lighthouse.js';
import { metadataProgram } from './programs/metadata.js';
import { systemProgram } from './programs/system.js';
import { associatedTokenProgram, tokenProgram } from './programs/token.js';
import { type Cluster, type Program, runTransaction, type SimulatedTransaction } from './runtime.js';

interface SimulatorOutcome extends SimulatedTransaction {
  /** The swaps that it made: none if it failed. */
  readonly trades: readonly SlotTrade[];
}

interface SimulatorCluster extends Cluster {
  readonly programAddress: Address;
  readonly behaviour: ExchangeBehaviour;
  /** The swaps of the slot so far. */
  readonly trades: SlotTrades;
}

const computeBudgetProgram: Program = { isBuiltIn: true, units: 150, run: () => {} };

/** Runs a transaction with what the builders use of programs. All else fails with `UnsupportedProgramId` and a log line. */
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
    [LIGHTHOUSE_PROGRAM_ADDRESS]: lighthouseProgram,
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
