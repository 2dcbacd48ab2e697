import type { Address } from '@solana/kit';

import type { HeavenClient } from '../client.js';
import { assertAddress } from '../solana/addresses.js';
import type { RequestOptions } from '../solana/rpc/send.js';
import { settleLaunch, settleReceiverUpdate } from './compositions.js';
import {
  ASSUMES,
  type Assumption,
  type DeploymentCheck,
  type SettledAssumption,
  unknown,
} from './deployment.js';
import { settlePositions, settleProPools } from './derived-addresses.js';
import { settleLiquidity } from './liquidity.js';
import { settlePriceAccounts } from './price-accounts.js';
import { publishedFees, settleLookupTable } from './published.js';
import { readBase, survey, VERSIONS } from './scene.js';
import { observeTrades, settleRule } from './trades.js';

/** What {@link checkDeployment} looks at besides the accounts that it finds itself. */
export interface CheckDeploymentOptions extends RequestOptions {
  /** Tokens whose standard pools are looked at. Default: LIGHT, a token with much trade. */
  readonly mints?: readonly Address[] | undefined;
  /** Wallets with SOL (and tokens) to simulate with, before those that are found. They sign and pay nothing. */
  readonly wallets?: readonly Address[] | undefined;
}

export const DEFAULT_MINTS: readonly Address[] = ['LiGHtkg3uTa9836RaNkKLLriqTNRcMdRAhqjGWNv777' as Address];

/**
 * Checks the assumptions in docs/protocol.md on a live cluster without spending anything: it reads configs, pools and
 * positions, compares derived addresses with those that exist, and simulates unsigned transactions of existing wallets. It
 * takes some dozens of calls to the node, and sends nothing.
 *
 * It never guesses: what it could not tell is `unknown`, with the reason, also when a node refuses a query. The check fails only
 * when the first read fails.
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
  const base = await readBase(client, { abortSignal });
  const { deployment, slot } = base;
  const scene = await survey({ ...client, deployment }, base, mints, wallets, { abortSignal });
  const trades = await observeTrades(scene);
  const settled: Readonly<Record<Assumption, SettledAssumption>> = {
    A1: await settleProPools(scene),
    A2: await settlePositions(scene),
    A3: await settlePriceAccounts(scene),
    A4: settleRule('A4', trades),
    A5: settleRule('A5', trades),
    A6: settleRule('A6', trades),
    A7: settleRule('A7', trades),
    A8: await settleLiquidity(scene),
    A9: await settleLaunch(scene),
    A10: await settleLookupTable(scene),
    A11: await settleReceiverUpdate(scene),
    A12: unknown('only `prove` can create pools to compare'),
  };
  return {
    findings: (Object.keys(ASSUMES) as Assumption[]).map((assumption) => ({
      assumption,
      assumes: ASSUMES[assumption],
      ...settled[assumption],
    })),
    publishedFees: VERSIONS.map((version) => publishedFees(version, base.configs.get(version))),
    deployment,
    slot,
  };
}
