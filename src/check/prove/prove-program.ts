import { assertWhole, invalidInput } from '../../input.js';
import { decodeLiquidityPoolState } from '../../program/accounts.js';
import {
  CHAINLINK_STORE_PROGRAM_ADDRESS,
  COMMUNITY_LOOKUP_TABLE_ADDRESS,
  HEAVEN_PROGRAM_ADDRESS,
  SOL_USD_FEED_ADDRESS,
} from '../../program/constants.js';
import type { RequestOptions } from '../../solana/rpc/send.js';
import { createModelGround, createProgramGround, type Ground } from './ground.js';
import type { Proof, ProvenProgram } from './proof.js';
import { proveOn } from './prove-on.js';
import type { ProofProgress } from './run-scenarios.js';
import type { ProvingGround, ProvingPool, Scenario } from './scenario.js';
import { LIFE_SCENARIOS } from './scenarios/life.js';
import { tradeScenarios } from './scenarios/trades.js';
import type { ProofSource } from './source.js';

/** How {@link proveProgram} runs. */
export interface ProveProgramOptions extends RequestOptions {
  /** `model`: a rehearsal on the library's own model, which says nothing about the program. Default `program`. */
  readonly runs?: 'program' | 'model' | undefined;
  /** The same seed repeats the same amounts and settings. From 0 to 2^32 - 1. Default: random. */
  readonly seed?: number | undefined;
  /** Random trades in each pool, from 1 to 100000. Default 200. */
  readonly trades?: number | undefined;
  readonly observe?: ((progress: ProofProgress) => void) | undefined;
}

const RUNS: readonly unknown[] = ['program', 'model'];
const MOST_TRADES = 100_000;

/**
 * Runs the exchange program itself in LiteSVM, and compares every number that this library computes with the result,
 * to the unit. Everything runs in memory, without a network, in a few seconds to a few minutes.
 *
 * It needs the package `litesvm`, which runs in Node on Linux and macOS. A rehearsal doesn't need it.
 *
 * @param source Programs and accounts: from `downloadProofSource`, or from `createSampleProofSource` for a rehearsal.
 * @returns An answer to each question: `unknown` with the reasons if the run could not decide it.
 * @throws {HeavenError} `invalid-input`, `missing-package`, `invalid-program`, `aborted`
 * @example
 * ```ts
 * const proof = await proveProgram(await createSampleProofSource(), { runs: 'model', trades: 1 });
 * for (const line of describeProof(proof)) console.log(line);
 * const client = createClient({ rpcUrl, deployment: proof.deployment });
 * ```
 */
export async function proveProgram(source: ProofSource, options: ProveProgramOptions = {}): Promise<Proof> {
  const { runs = 'program', seed, trades = 200, observe, abortSignal } = options;
  if (!RUNS.includes(runs)) throw invalidInput('runs', runs, '"program" or "model"');
  assertWhole('trades', trades, [1, MOST_TRADES]);
  const ground = runs === 'model' ? createModelGround(source) : await createProgramGround(source);
  const program = runs === 'program' ? provenProgram(source) : undefined;
  return proveOn(
    {
      runs,
      ...(program === undefined ? {} : { program }),
      deployment: addressesOf(source),
      ground: provingGround(ground),
      scenarios: scenariosOf(trades),
      reasons: source.reasons,
    },
    { ...(seed === undefined ? {} : { seed }), abortSignal, observe },
  );
}

/** Edited pools and configs get as many trades as the others. */
const TRADES_PER_ROUND = 50;

const scenariosOf = (tradesPerPool: number): readonly Scenario[] => [
  ...tradeScenarios({ tradesPerPool, roundsPerEdit: Math.ceil(tradesPerPool / TRADES_PER_ROUND) }),
  ...LIFE_SCENARIOS,
];

function provenProgram({ programs: { exchange } }: ProofSource): ProvenProgram | undefined {
  if (exchange === undefined) return undefined;
  const { address, sha256, lastDeploySlot, upgradeAuthority, programData } = exchange;
  return {
    address,
    sha256,
    ...(lastDeploySlot === undefined ? {} : { deploySlot: lastDeploySlot }),
    // A program from a file doesn't say who may upgrade the deployed one.
    ...(programData === undefined ? {} : { upgradeAuthority: upgradeAuthority ?? null }),
  };
}

/** The addresses that differ from mainnet's. */
function addressesOf({ deployment: { programAddress, chainlinkProgram, solUsdFeed } }: ProofSource) {
  return {
    ...(programAddress === HEAVEN_PROGRAM_ADDRESS ? {} : { programAddress }),
    ...(chainlinkProgram === CHAINLINK_STORE_PROGRAM_ADDRESS ? {} : { chainlinkProgram }),
    ...(solUsdFeed === SOL_USD_FEED_ADDRESS ? {} : { solUsdFeed }),
  };
}

/** A ground as the scenarios see it. */
function provingGround({ source, open }: Pick<Ground, 'source' | 'open'>): ProvingGround {
  const accounts = new Map(source.accounts.map((account) => [account.address, account]));
  const hasTable = accounts.has(COMMUNITY_LOOKUP_TABLE_ADDRESS);
  const pools = source.pools.flatMap(({ address: pool, kind, configVersion, mint }): ProvingPool[] => {
    const data = accounts.get(pool)?.data;
    if (data === undefined) return [];
    return [
      { kind, configVersion, pool, mint, tokenProgram: decodeLiquidityPoolState(data, pool).tokenA.owner },
    ];
  });
  return {
    pools,
    ...(hasTable ? { lookupTable: COMMUNITY_LOOKUP_TABLE_ADDRESS } : {}),
    open,
  };
}
