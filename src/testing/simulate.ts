import type { Address } from '@solana/kit';
import { COMPUTE_BUDGET_PROGRAM_ADDRESS } from '@solana-program/compute-budget';

import { LIGHTHOUSE_PROGRAM_ADDRESS } from '../solana/lighthouse.js';
import {
  ASSOCIATED_TOKEN_PROGRAM_ADDRESS,
  SYSTEM_PROGRAM_ADDRESS,
  TOKEN_2022_PROGRAM_ADDRESS,
  TOKEN_METADATA_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
} from '../solana/programs.js';
import type { TransactionEngine } from './engine.js';
import { notEmulated } from './failure.js';
import { follow } from './programs/exchange/anchor.js';
import type { ExchangeBehavior } from './programs/exchange/behavior.js';
import { exchangeProgram } from './programs/exchange/index.js';
import { type SlotTrade, slotTrades } from './programs/exchange/slot-trades.js';
import { lighthouseProgram } from './programs/lighthouse.js';
import { metadataProgram } from './programs/metadata.js';
import { systemProgram } from './programs/system.js';
import { associatedTokenProgram, tokenProgram } from './programs/token.js';
import { type Program, runTransaction } from './runtime.js';

/** The model of the programs. Its exchange can be made to deviate from the assumptions. */
export interface ModelEngine extends TransactionEngine {
  setBehavior(behavior?: ExchangeBehavior): void;
}

const computeBudgetProgram: Program = { isBuiltIn: true, units: 150, run: () => {} };

/** Runs the programs that the builders use. All others fail with `UnsupportedProgramId` and a log line. */
export function modelEngine(programAddress: Address, slot: () => bigint): ModelEngine {
  const trades = slotTrades(slot);
  let behavior: ExchangeBehavior = {};
  return {
    run: async (cluster, tx) => {
      const made: SlotTrade[] = [];
      const exchange = exchangeProgram({ programAddress, behavior, trades, made });
      const outcome = await runTransaction(cluster, programsWith(programAddress, exchange, behavior), tx);
      return outcome.err === null ? { ...outcome, keep: () => trades.add(made) } : outcome;
    },
    setBehavior: (next = {}) => {
      behavior = next;
    },
  };
}

function programsWith(
  programAddress: Address,
  exchange: Program,
  { scripted = {} }: ExchangeBehavior,
): (address: Address) => Program {
  const programs: Readonly<Record<Address, Program>> = {
    [COMPUTE_BUDGET_PROGRAM_ADDRESS]: computeBudgetProgram,
    [SYSTEM_PROGRAM_ADDRESS]: systemProgram,
    [ASSOCIATED_TOKEN_PROGRAM_ADDRESS]: associatedTokenProgram,
    [TOKEN_PROGRAM_ADDRESS]: tokenProgram,
    [TOKEN_2022_PROGRAM_ADDRESS]: tokenProgram,
    [TOKEN_METADATA_PROGRAM_ADDRESS]: metadataProgram,
    [LIGHTHOUSE_PROGRAM_ADDRESS]: lighthouseProgram,
    [programAddress]: exchange,
  };
  return (address) => {
    const program = programs[address] ?? unknownProgram(address);
    const script = Object.hasOwn(scripted, address) ? scripted[address] : undefined;
    return script === undefined ? program : { ...program, run: () => follow(script) };
  };
}

const unknownProgram = (address: Address): Program => ({
  units: 3_000,
  run: () => {
    throw notEmulated(`the program ${address}`);
  },
});
