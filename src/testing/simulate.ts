import type { Address, Base64EncodedWireTransaction } from '@solana/kit';
import { COMPUTE_BUDGET_PROGRAM_ADDRESS } from '@solana-program/compute-budget';

import { isLighthouseAssertion, LIGHTHOUSE_PROGRAM_ADDRESS } from '../solana/lighthouse.js';
import {
  ASSOCIATED_TOKEN_PROGRAM_ADDRESS,
  MEMO_PROGRAM_ADDRESS,
  SYSTEM_PROGRAM_ADDRESS,
  TOKEN_2022_PROGRAM_ADDRESS,
  TOKEN_METADATA_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
} from '../solana/programs.js';
import { isProgram } from './built-ins.js';
import type { EngineOutcome, TransactionEngine } from './engine.js';
import { assertSigner, Failure, notEmulated } from './failure.js';
import { follow } from './programs/exchange/anchor.js';
import type { ExchangeBehavior } from './programs/exchange/behavior.js';
import { exchangeProgram } from './programs/exchange/index.js';
import { type SlotTrade, SlotTrades } from './programs/exchange/slot-trades.js';
import { metadataProgram } from './programs/metadata.js';
import { systemProgram } from './programs/system.js';
import { associatedTokenProgram, tokenProgram } from './programs/token.js';
import { type Cluster, type Program, runTransaction } from './runtime.js';

const computeBudgetProgram: Program = { isBuiltIn: true, units: 150, run: () => {} };

/**
 * The model of the programs: it runs those that the builders use. Others fail with `UnsupportedProgramId`
 * and a log line.
 */
export class ModelEngine implements TransactionEngine {
  /** How the exchange deviates from the assumptions. */
  behavior: ExchangeBehavior = {};
  readonly #programAddress: Address;
  readonly #trades = new SlotTrades();

  constructor(programAddress: Address) {
    this.#programAddress = programAddress;
  }

  async run(cluster: Cluster, tx: Base64EncodedWireTransaction): Promise<EngineOutcome> {
    const { behavior } = this;
    const programAddress = this.#programAddress;
    const trades = this.#trades;
    const made: SlotTrade[] = [];
    const exchange = exchangeProgram({ programAddress, behavior, trades, made });
    const outcome = await runTransaction(
      cluster,
      programsWith(cluster, programAddress, exchange, behavior),
      tx,
    );
    return outcome.err === null ? { ...outcome, keep: () => trades.add(cluster.slot, made) } : outcome;
  }
}

function programsWith(
  cluster: Cluster,
  programAddress: Address,
  exchange: Program,
  { scripted = {} }: ExchangeBehavior,
): Parameters<typeof runTransaction>[1] {
  const programs: Readonly<Record<Address, Program>> = {
    [COMPUTE_BUDGET_PROGRAM_ADDRESS]: computeBudgetProgram,
    [SYSTEM_PROGRAM_ADDRESS]: systemProgram,
    [ASSOCIATED_TOKEN_PROGRAM_ADDRESS]: associatedTokenProgram,
    [TOKEN_PROGRAM_ADDRESS]: tokenProgram,
    [TOKEN_2022_PROGRAM_ADDRESS]: tokenProgram,
    [TOKEN_METADATA_PROGRAM_ADDRESS]: metadataProgram,
    [LIGHTHOUSE_PROGRAM_ADDRESS]: lighthouseProgram,
    [MEMO_PROGRAM_ADDRESS]: memoProgram,
    [programAddress]: exchange,
  };
  return (address) => {
    const script = Object.hasOwn(scripted, address) ? scripted[address] : undefined;
    if (script !== undefined)
      return { ...unknownProgram(address), ...programs[address], run: () => follow(script) };
    const account = cluster.getAccount(address);
    if (account === undefined) return 'ProgramAccountNotFound';
    if (!isProgram(account)) return 'InvalidProgramForExecution';
    return programs[address] ?? unknownProgram(address);
  };
}

/** Its assertions always hold here: they are a matter between a wallet and mainnet. */
const lighthouseProgram: Program = {
  units: 1_000,
  run: (_, call) => {
    if (!isLighthouseAssertion(call)) throw notEmulated('this instruction of Lighthouse');
  },
};

const memoProgram: Program = {
  units: 6_000,
  run: (context, { accounts, data }) => {
    assertSigner(...accounts);
    const text = new TextDecoder().decode(Uint8Array.from(data));
    if (text.includes('\ufffd')) throw new Failure('ProgramFailedToComplete');
    context.log(`Program log: Memo (len ${data.length}): ${JSON.stringify(text)}`);
  },
};

const unknownProgram = (address: Address): Program => ({
  units: 3_000,
  run: () => {
    throw notEmulated(`the program ${address}`);
  },
});
