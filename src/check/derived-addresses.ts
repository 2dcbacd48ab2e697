import type { Address } from '@solana/kit';
import type { BuiltTransaction } from '../build/assemble.js';
import { buildProCreate } from '../pro/create.js';
import { findLpPositionAddress, findProPoolAddress } from '../program/addresses.js';
import { COMMUNITY_LOOKUP_TABLE_ADDRESS, WRAPPED_SOL_MINT_ADDRESS } from '../program/constants.js';
import { bytesOfAddress } from '../solana/base58.js';
import { programDerivedAddress } from '../solana/program-derived-address.js';
import { confirmed, readSeedsMismatch, refuted, type Settled, unknown } from './deployment.js';
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

/** Text or an address. */
type Seeds = readonly ({ readonly text: string } | Address)[];

const addressOf = (seeds: Seeds, programAddress: Address): Promise<Address> =>
  programDerivedAddress(
    programAddress,
    seeds.map((seed) => (typeof seed === 'object' ? seed.text : bytesOfAddress(seed))),
  );

/** Other seeds that can be recognized. A match is a proof: nothing else gives that address. */
const proSeeds = (mint: Address, creator: Address): readonly (readonly [label: string, seeds: Seeds])[] => {
  const names = ['liquidity_pool_state', 'pro_liquidity_pool_state', 'pro_liquidity_pool', 'liquidity_pool'];
  return names.flatMap((name) => [
    [
      `"${name}", mint, wrapped SOL, creator`,
      [{ text: name }, mint, WRAPPED_SOL_MINT_ADDRESS, creator],
    ] as const,
    [
      `"${name}", creator, mint, wrapped SOL`,
      [{ text: name }, creator, mint, WRAPPED_SOL_MINT_ADDRESS],
    ] as const,
    [
      `"${name}", mint, creator, wrapped SOL`,
      [{ text: name }, mint, creator, WRAPPED_SOL_MINT_ADDRESS],
    ] as const,
    [`"${name}", mint, creator`, [{ text: name }, mint, creator]] as const,
    [`"${name}", creator, mint`, [{ text: name }, creator, mint]] as const,
    [`"${name}", mint, wrapped SOL`, [{ text: name }, mint, WRAPPED_SOL_MINT_ADDRESS]] as const,
  ]);
};

const positionSeeds = (pool: Address, user: Address): readonly (readonly [label: string, seeds: Seeds])[] =>
  [
    'user_lp_position',
    'USER_LP_POSITION',
    'user_lp_position_state',
    'lp_position',
    'user_lp',
    'user_position',
  ].flatMap((name) => [
    [`"${name}", pool, user`, [{ text: name }, pool, user]] as const,
    [`"${name}", user, pool`, [{ text: name }, user, pool]] as const,
  ]);

async function recognize(
  candidates: readonly (readonly [label: string, seeds: Seeds])[],
  expected: Address,
  programAddress: Address,
): Promise<string | undefined> {
  for (const [label, seeds] of candidates) {
    if ((await addressOf(seeds, programAddress)) === expected) return label;
  }
  return undefined;
}

interface Derived {
  readonly found: Address;
  readonly ours: Address;
  readonly candidates: readonly (readonly [label: string, seeds: Seeds])[];
}

async function settleAddresses(
  what: string,
  derived: readonly Derived[],
  programAddress: Address,
): Promise<Settled> {
  const wrong = derived.filter(({ found, ours }) => found !== ours);
  const evidence = derived
    .slice(0, MOST_POOLS)
    .map(({ found, ours }) => `${found}${found === ours ? '' : `, derived ${ours}`}`);
  if (wrong.length === 0)
    return confirmed(`${derived.length} of ${derived.length} ${what} are where they are derived`, evidence);
  const [first] = wrong as [Derived];
  const label = await recognize(first.candidates, first.found, programAddress);
  const detail = `${wrong.length} of ${derived.length} ${what} are not where they are derived`;
  return refuted(detail, label ?? `seeds that give ${first.found} where ours give ${first.ours}`, evidence);
}

export async function settleProPools(scene: Scene): Promise<Settled> {
  const { client, proPools } = scene;
  const { programAddress } = client.deployment;
  if (proPools.length > 0) {
    const derived = await Promise.all(
      proPools.map(
        async ({ address: found, mint, creator }): Promise<Derived> => ({
          found,
          ours: await findProPoolAddress({ mint, creator }, { programAddress }),
          candidates: proSeeds(mint, creator),
        }),
      ),
    );
    return await settleAddresses('pro pools', derived, programAddress);
  }
  const { outcome, mint, creator } = await simulatedCreation(scene);
  const why = scene.proReason ?? 'there is no pro pool to compare with';
  if (mint === undefined || creator === undefined) return unknown(`${why}, and ${wordsOf(outcome)}`);
  return await settleByLog(scene, outcome, 'liquidity_pool_state', proSeeds(mint, creator), why);
}

/** Settles a derived address by what the program logs, or by its success. */
async function settleByLog(
  { client }: Scene,
  outcome: Outcome,
  account: string,
  candidates: readonly (readonly [label: string, seeds: Seeds])[],
  why: string,
): Promise<Settled> {
  if (outcome.kind === 'ok')
    return confirmed(`${why}, and a simulated transaction passes the program's check`);
  const mismatch = outcome.kind === 'failed' ? readSeedsMismatch(outcome.logs) : undefined;
  if (mismatch?.account !== account)
    return unknown(`${why}, and the simulation does not tell: ${wordsOf(outcome)}`);
  const label = await recognize(candidates, mismatch.expected, client.deployment.programAddress);
  return refuted(
    `the program's own log names another address for ${account}`,
    label ?? `seeds that give ${mismatch.expected} where ours give ${mismatch.given}`,
    [`Left: ${mismatch.given}`, `Right: ${mismatch.expected}`],
  );
}

/** A simulated creation of a pro pool by a wallet that holds a token. */
export async function simulatedCreation(scene: Scene): Promise<{
  readonly outcome: Outcome;
  readonly built?: BuiltTransaction;
  readonly mint?: Address;
  readonly creator?: Address;
}> {
  const { client, standardPools, options } = scene;
  if (scene.wallets.length === 0) return { outcome: { kind: 'none', reason: NO_WALLET } };
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
    if (built === undefined) return { outcome: { kind: 'none', reason } };
    return { outcome: await simulated(scene, async () => built), built, mint, creator };
  }
  return {
    outcome: {
      kind: 'none',
      reason: 'no wallet with SOL and a token was found to simulate the creation of a pro pool with',
    },
  };
}

export async function settlePositions(scene: Scene): Promise<Settled> {
  const { client, positions } = scene;
  const { programAddress } = client.deployment;
  if (positions.length > 0) {
    const derived = await Promise.all(
      positions.slice(0, 100).map(
        async ({ address: found, fields: { pool, user } }): Promise<Derived> => ({
          found,
          ours: await findLpPositionAddress({ pool, user }, { programAddress }),
          candidates: positionSeeds(pool, user),
        }),
      ),
    );
    return await settleAddresses('LP positions', derived, programAddress);
  }
  const why = scene.positionReason ?? 'there is no LP position to compare with';
  const deposit = await depositor(scene);
  if (typeof deposit === 'string') return unknown(`${why}, and ${deposit}`);
  const outcome = await simulated(scene, () => buildDeposit(scene, deposit));
  const { pool, wallet } = deposit;
  return await settleByLog(scene, outcome, 'user_lp_position', positionSeeds(pool.address, wallet), why);
}
