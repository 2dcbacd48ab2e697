import type { Address } from '@solana/kit';

import type { HeavenClient } from '../client.js';
import { DEFAULT_RULES, patchRules, type RulesPatch } from '../program/rules.js';
import { assertAddress } from '../solana/addresses.js';
import type { RequestOptions } from '../solana/rpc/send.js';
import { settleLaunch, settleReceiverUpdate } from './compositions.js';
import {
  ASSUMES,
  type Assumption,
  type DeploymentCheck,
  joinRules,
  type SettledAssumption,
  unknown,
} from './deployment.js';
import { settlePositions, settleProPools } from './derived-addresses.js';
import { settleLiquidity } from './liquidity.js';
import { settlePriceAccounts } from './price-accounts.js';
import { publishedFees, settleLookupTable } from './published.js';
import { readBase, type Scene, survey, VERSIONS } from './scene.js';
import { observeTrades, settleTrading } from './trades.js';

/** What {@link checkDeployment} checks in addition to the accounts that it finds itself. */
export interface CheckDeploymentOptions extends RequestOptions {
  /** Tokens whose standard pools to check. Default: LIGHT, which is traded a lot. */
  readonly mints?: readonly Address[] | undefined;
  /** Wallets with SOL (and tokens) to simulate with, before those that it finds. They sign and pay nothing. */
  readonly wallets?: readonly Address[] | undefined;
}

export const DEFAULT_MINTS: readonly Address[] = ['LiGHtkg3uTa9836RaNkKLLriqTNRcMdRAhqjGWNv777' as Address];

/**
 * Verifies the [assumptions](/protocol#assumptions) on a live cluster without spending anything: it reads configs,
 * pools and positions, compares derived addresses with those that exist, and simulates unsigned transactions of
 * existing wallets. It makes a few dozen calls to the node, and sends nothing.
 *
 * It never guesses: whatever it can't verify is `unknown`, with the reason, even if a node rejects a query. It throws only if
 * the first read fails.
 *
 * @throws {HeavenError} `invalid-address`, `aborted`, and the `rpc-…` codes of the first read
 * @example
 * ```ts
 * const { findings, deployment } = await checkDeployment(client);
 * for (const { assumption, verdict, detail } of findings) console.log(assumption, verdict, detail);
 * const checked = createClient({ rpc, deployment });
 * ```
 */
export async function checkDeployment(
  client: HeavenClient,
  options: CheckDeploymentOptions = {},
): Promise<DeploymentCheck> {
  const { mints = DEFAULT_MINTS, wallets = [], abortSignal } = options;
  for (const [index, mint] of mints.entries()) assertAddress(mint, `mints[${index}]`);
  for (const [index, wallet] of wallets.entries()) assertAddress(wallet, `wallets[${index}]`);
  // It checks the default rules, even if the client has others.
  const assumed = { ...client, deployment: { ...client.deployment, rules: DEFAULT_RULES } };
  const base = await readBase(assumed, { abortSignal });
  const { slot } = base;
  const surveyed = await survey({ ...assumed, deployment: base.deployment }, base, mints, wallets, {
    abortSignal,
  });
  const [A1, A2] = [await settleProPools(surveyed), await settlePositions(surveyed)];
  // The next checks need the addresses that the program expects.
  const scene = withRules(surveyed, joinRules([A1.rules ?? {}, A2.rules ?? {}]));
  const settled: Readonly<Record<Assumption, SettledAssumption>> = {
    A1,
    A2,
    A3: await settlePriceAccounts(scene),
    ...settleTrading(await observeTrades(scene)),
    A8: await settleLiquidity(scene),
    A9: await settleLaunch(scene),
    A10: await settleLookupTable(scene),
    A11: await settleReceiverUpdate(scene),
    A12: unknown('only `prove` can tell: it creates pools to compare'),
  };
  const found = joinRules(Object.values(settled).flatMap(({ rules }) => rules ?? []));
  const rules = patchRules(client.deployment.rules, found);
  return {
    findings: (Object.keys(ASSUMES) as Assumption[]).map((assumption) => ({
      assumption,
      assumes: ASSUMES[assumption],
      ...settled[assumption],
    })),
    publishedFees: VERSIONS.map((version) => publishedFees(version, base.configs.get(version))),
    deployment: { ...base.deployment, rules },
    slot,
  };
}

const withRules = (scene: Scene, rules: RulesPatch | undefined): Scene => {
  const { client } = scene;
  const deployment = { ...client.deployment, rules: patchRules(client.deployment.rules, rules) };
  return { ...scene, client: { ...client, deployment } };
};
