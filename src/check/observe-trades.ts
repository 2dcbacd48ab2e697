import type { FoundPool } from '../data/find-pools.js';
import { fetchPoolSnapshot, type PoolLocator } from '../pool/fetch.js';
import { swapStateOf } from '../pool/swap-state.js';

import { attempt, MOST_POOLS, NO_WALLET, type Scene, valid } from './scene.js';
import { type Observation, observeBuy } from './trades.js';

export async function observeTrades(scene: Scene) {
  const { client, proPools, standardPools, wallets, options } = scene;
  const [wallet] = wallets;
  const observe = async (pools: readonly FoundPool[], none: string) => {
    const observations: Observation[] = [];
    const reasons: string[] = [];
    if (pools.length === 0) reasons.push(none);
    else if (wallet === undefined) reasons.push(NO_WALLET);
    for (const pool of await mostTelling(scene, pools)) {
      if (wallet === undefined) break;
      const locator: PoolLocator = {
        configVersion: pool.configVersion,
        mint: pool.mint,
        ...(pool.kind === 'pro' ? { pool: pool.address } : {}),
      };
      const { value, reason = '' } = await attempt(() => observeBuy(client, locator, wallet, options));
      if (typeof value === 'object') observations.push(value);
      else reasons.push(value ?? reason);
    }
    return { observations, reasons };
  };
  const tradable = proPools.filter(({ state }) => state.allowlist.swap !== 0);
  const pro = await observe(tradable, scene.proReason ?? 'there is no pro pool that can be traded in');
  const standard = await observe(standardPools, 'none of the tokens has a standard pool');
  return {
    observations: [...standard.observations, ...pro.observations],
    reasons: [...standard.reasons, ...pro.reasons],
    pro: pro.observations,
    proReasons: pro.reasons,
  };
}

/** A few pools, those first in which most can be told: traded in this very window, with most kinds of fee. */
async function mostTelling(
  { client, options }: Scene,
  pools: readonly FoundPool[],
): Promise<readonly FoundPool[]> {
  const scored = await Promise.all(
    pools.slice(0, MOST_POOLS * 4).map(async (pool) => {
      const { configVersion, mint, address, kind } = pool;
      const locator = { configVersion, mint, ...(kind === 'pro' ? { pool: address } : {}), ...options };
      const { value: snapshot } = await attempt(() => fetchPoolSnapshot(client, locator));
      const state = snapshot && valid(() => swapStateOf(snapshot));
      const isWindowed = state?.windowReserves !== undefined;
      const isLocal = snapshot?.feeSource === 'local';
      return { pool, score: (isWindowed ? 2 : 0) + (isLocal ? 1 : 0) };
    }),
  );
  return scored
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST_POOLS)
    .map(({ pool }) => pool);
}
