import type { Address } from '@solana/kit';

import type { BuiltTransaction } from '../build/assemble.js';
import { buildProCreate } from '../pro/create.js';
import { findLpPositionAddress, findProPoolAddress } from '../program/addresses.js';
import { COMMUNITY_LOOKUP_TABLE_ADDRESS } from '../program/constants.js';
import type { RulesPatch } from '../program/rules.js';
import { bytesOfAddress } from '../solana/base58.js';
import { programDerivedAddress } from '../solana/program-derived-address.js';
import { WRAPPED_SOL_MINT_ADDRESS } from '../solana/programs.js';
import { confirmed, readSeedsMismatch, refuted, type SettledAssumption, unknown } from './deployment.js';
import { buildDeposit, depositor } from './liquidity.js';
import {
  attempt,
  holderOf,
  MOST_POOLS,
  NO_WALLET,
  type Outcome,
  type Scene,
  simulated,
  wordsOf,
} from './scene.js';

/** The seeds to try: prefixes, and orders of the other seeds. A match is proof, because no other seeds give that address. */
interface Candidates {
  readonly prefixes: readonly string[];
  readonly orders: readonly string[];
  readonly parts: Readonly<Record<string, Address>>;
  /** The deployment setting for these seeds, if there is one. */
  readonly rulesOf: (prefix: string, order: string) => RulesPatch | undefined;
}

export const proSeeds = (mint: Address, creator: Address): Candidates => ({
  prefixes: ['liquidity_pool_state', 'pro_liquidity_pool_state', 'pro_liquidity_pool', 'liquidity_pool'],
  orders: [
    'mint, wrapped SOL, creator',
    'creator, mint, wrapped SOL',
    'mint, creator, wrapped SOL',
    'mint, creator',
    'creator, mint',
    'mint, wrapped SOL',
  ],
  parts: { mint, creator, 'wrapped SOL': WRAPPED_SOL_MINT_ADDRESS },
  rulesOf: (prefix, order) =>
    prefix === 'liquidity_pool_state' && order === 'creator, mint, wrapped SOL'
      ? { proPoolSeeds: 'creator-first' }
      : undefined,
});

export const positionSeeds = (pool: Address, user: Address): Candidates => ({
  prefixes: [
    'user_lp_position',
    'USER_LP_POSITION',
    'user_lp_position_state',
    'lp_position',
    'user_lp',
    'user_position',
  ],
  orders: ['pool, user', 'user, pool'],
  parts: { pool, user },
  rulesOf: (prefix, order) => (order === 'pool, user' ? { lpPositionSeed: prefix } : undefined),
});

/** The seeds that give the expected address. */
export async function recognizeSeeds(
  { prefixes, orders, parts, rulesOf }: Candidates,
  expected: Address,
  programAddress: Address,
): Promise<{ readonly words: string; readonly rules: RulesPatch | undefined } | undefined> {
  for (const prefix of prefixes) {
    for (const order of orders) {
      const addresses = order.split(', ').map((part) => bytesOfAddress(parts[part] as Address));
      if ((await programDerivedAddress(programAddress, [prefix, ...addresses])) === expected)
        return { words: `"${prefix}", ${order}`, rules: rulesOf(prefix, order) };
    }
  }
  return undefined;
}

interface Derived {
  readonly found: Address;
  readonly ours: Address;
  readonly candidates: Candidates;
}

async function settleAddresses(
  what: string,
  derived: readonly Derived[],
  programAddress: Address,
): Promise<SettledAssumption> {
  const wrong = derived.filter(({ found, ours }) => found !== ours);
  const evidence = derived
    .slice(0, MOST_POOLS)
    .map(({ found, ours }) => `${found}${found === ours ? '' : `, derived ${ours}`}`);
  const [first] = wrong;
  if (first === undefined)
    return confirmed(`${derived.length} of ${derived.length} ${what} are where they are derived`, evidence);
  const { found, ours } = first;
  const recognized = await Promise.all(
    derived.map((one) => recognizeSeeds(one.candidates, one.found, programAddress)),
  );
  const seeds = recognized[derived.indexOf(first)];
  // Only seeds that give all of the addresses are reliable.
  const isCommon = recognized.every((one) => one?.words === seeds?.words);
  return refuted(
    `${wrong.length} of ${derived.length} ${what} are not where they are derived`,
    seeds?.words ?? `seeds that give ${found} where ours give ${ours}`,
    evidence,
    isCommon ? seeds?.rules : undefined,
  );
}

/** Determines a derived address from the program's log, or from a successful simulation. */
async function settleByLog(
  { client }: Scene,
  outcome: Outcome,
  account: string,
  candidates: Candidates,
  why: string,
): Promise<SettledAssumption> {
  if (outcome.kind === 'ok')
    return confirmed(`${why}, and a simulated transaction passes the program's check`);
  const mismatch = outcome.kind === 'failed' ? readSeedsMismatch(outcome.logs) : undefined;
  if (mismatch?.account !== account)
    return unknown(`${why}, and the simulation does not tell: ${wordsOf(outcome)}`);
  const { expected, given } = mismatch;
  const seeds = await recognizeSeeds(candidates, expected, client.deployment.programAddress);
  return refuted(
    `the program's own log names another address for ${account}`,
    seeds?.words ?? `seeds that give ${expected} where ours give ${given}`,
    [`Left: ${given}`, `Right: ${expected}`],
    seeds?.rules,
  );
}

export async function settleProPools(scene: Scene): Promise<SettledAssumption> {
  const { proPools } = scene;
  const { programAddress } = scene.client.deployment;
  if (proPools.length > 0) {
    const derived = proPools.map(async ({ address: found, mint, creator }) => ({
      found,
      ours: await findProPoolAddress({ mint, creator }, scene.client.deployment),
      candidates: proSeeds(mint, creator),
    }));
    return await settleAddresses('pro pools', await Promise.all(derived), programAddress);
  }
  const { outcome, mint, creator } = await simulatedCreation(scene);
  const why = scene.proReason ?? 'there is no pro pool to compare with';
  if (mint === undefined || creator === undefined) return unknown(`${why}, and ${wordsOf(outcome)}`);
  return await settleByLog(scene, outcome, 'liquidity_pool_state', proSeeds(mint, creator), why);
}

export async function settlePositions(scene: Scene): Promise<SettledAssumption> {
  const { positions } = scene;
  const { programAddress } = scene.client.deployment;
  if (positions.length > 0) {
    const derived = positions.slice(0, 100).map(async ({ address: found, fields: { pool, user } }) => ({
      found,
      ours: await findLpPositionAddress({ pool, user }, scene.client.deployment),
      candidates: positionSeeds(pool, user),
    }));
    return await settleAddresses('LP positions', await Promise.all(derived), programAddress);
  }
  const why = scene.positionReason ?? 'there is no LP position to compare with';
  const deposit = await depositor(scene);
  if (typeof deposit === 'string') return unknown(`${why}, and ${deposit}`);
  const outcome = await simulated(scene, () => buildDeposit(scene, deposit));
  const { pool, wallet } = deposit;
  return await settleByLog(scene, outcome, 'user_lp_position', positionSeeds(pool.address, wallet), why);
}

/** A simulated creation of a pro pool by a wallet that holds a token. */
export async function simulatedCreation(scene: Scene): Promise<{
  readonly outcome: Outcome;
  readonly built?: BuiltTransaction;
  readonly mint?: Address;
  readonly creator?: Address;
}> {
  const { client, standardPools, wallets, options } = scene;
  const none = (reason: string) => ({ outcome: { kind: 'none', reason } }) as const;
  if (wallets.length === 0) return none(NO_WALLET);
  for (const { mint, state } of standardPools) {
    const creator = await holderOf(scene, mint, state.tokenA.owner);
    if (creator === undefined) continue;
    const { value: built, reason = '' } = await attempt(() =>
      buildProCreate(client, {
        payer: creator,
        creator,
        encodedUserDefinedEventData: '',
        configVersion: 3,
        mint,
        initialTokenAAmount: 1_000_000n,
        initialTokenBAmount: 10_000_000n,
        lutAddress: COMMUNITY_LOOKUP_TABLE_ADDRESS,
        ...options,
      }),
    );
    if (built === undefined) return none(reason);
    return { outcome: await simulated(scene, async () => built), built, mint, creator };
  }
  return none('no wallet with SOL and a token was found to simulate the creation of a pro pool with');
}
