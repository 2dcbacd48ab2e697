import type { Address } from '@solana/kit';
import type { FoundPool } from '../data/find-pools.js';
import { computeDeposit, computeInitialLpTokens } from '../math/liquidity.js';
import { fetchAccounts } from '../pool/fetch.js';
import { buildProAddLiquidity } from '../pro/add-liquidity.js';
import { liquidityOf } from '../pro/liquidity.js';
import { decodeLiquidityPoolState, decodeUserLpPosition, type UserLpPosition } from '../program/accounts.js';
import { findLpPositionAddress } from '../program/addresses.js';
import { simulateWithData } from '../review/simulate.js';
import { confirmed, refuted, type Settled, unknown } from './deployment.js';

import { attempt, holderOf, MOST_POOLS, NO_WALLET, type Scene } from './scene.js';

interface Depositor {
  readonly pool: FoundPool;
  readonly wallet: Address;
}

const MAX_TOKEN_B = 50_000_000n;

export async function depositor(scene: Scene): Promise<Depositor | string> {
  if (scene.wallets.length === 0) return NO_WALLET;
  const open = scene.proPools.filter(({ state }) => state.allowlist.depositLiquidity !== 0);
  if (open.length === 0) return scene.proReason ?? 'there is no pro pool that takes deposits';
  for (const pool of open.slice(0, MOST_POOLS)) {
    const wallet = await holderOf(scene, pool.mint, pool.state.tokenA.owner);
    if (wallet !== undefined) return { pool, wallet };
  }
  return "no wallet with SOL and a pro pool's token was found to simulate a deposit with";
}

export const buildDeposit = ({ client, options }: Scene, { pool, wallet }: Depositor) =>
  buildProAddLiquidity(client, {
    pool: pool.address,
    mint: pool.mint,
    configVersion: pool.configVersion,
    payer: wallet,
    maxTokenA: 1_000_000n,
    maxTokenB: MAX_TOKEN_B,
    minLpTokens: 0n,
    ...options,
  });

export async function settleLiquidity(scene: Scene): Promise<Settled> {
  const parts = [settleFirstDeposits(scene), ...(await settleDeposit(scene))];
  const detail = parts.map((part) => part.detail).join('; ');
  const evidence = parts.flatMap((part) => part.evidence);
  const wrong = parts.filter(({ verdict }) => verdict === 'refuted');
  if (wrong.length > 0)
    return refuted(detail, wrong.flatMap(({ shouldBe }) => shouldBe ?? []).join('; '), evidence);
  return parts.every(({ verdict }) => verdict === 'confirmed')
    ? confirmed(detail, evidence)
    : unknown(detail, evidence);
}

function settleFirstDeposits({ proPools, proReason }: Scene): Settled {
  const seeded = proPools.filter(
    ({ state: { reserve, lpToken } }) =>
      reserve.initialA > 0n && reserve.initialB > 0n && lpToken.supply.initial > 0n,
  );
  if (seeded.length === 0)
    return unknown(`first deposit: ${proReason ?? 'no pro pool says what it began with'}`);
  const wrong = seeded.find(
    ({ state: { reserve, lpToken } }) =>
      computeInitialLpTokens(reserve.initialA, reserve.initialB) !== lpToken.supply.initial,
  );
  if (wrong === undefined)
    return confirmed(`first deposit: the root of the product in ${seeded.length} of ${seeded.length} pools`);
  // A match can be no accident; a mismatch may also mean that these fields hold something else.
  const { initialA, initialB } = wrong.state.reserve;
  const { initial } = wrong.state.lpToken.supply;
  return unknown(
    `first deposit: the pool ${wrong.address} began with ${initialA} units, ${initialB} lamports and ${initial} LP tokens, which is not the root of the product, if that is what the fields mean`,
  );
}

async function settleDeposit(scene: Scene): Promise<readonly Settled[]> {
  const { client, options } = scene;
  const { programAddress } = client.deployment;
  const who = await depositor(scene);
  if (typeof who === 'string') return [unknown(`deposit: ${who}`)];
  const { pool, wallet } = who;
  const position = await findLpPositionAddress({ pool: pool.address, user: wallet }, { programAddress });
  const { value: built, reason = '' } = await attempt(() => buildDeposit(scene, who));
  if (built === undefined) return [unknown(`deposit: ${reason}`)];
  for (let tries = 0; tries < 3; tries++) {
    const read = () => attempt(() => fetchAccounts(client, [pool.address, position], options));
    const before = await read();
    const result = await attempt(() => simulateWithData(client, built, options));
    const after = await read();
    const trouble = before.reason ?? result.reason ?? after.reason;
    const [poolBefore, held] = before.value ?? [];
    if (trouble !== undefined || result.value === undefined || poolBefore === undefined)
      return [unknown(`deposit: ${trouble ?? 'the pool is gone'}`)];
    const { simulation, dataAfter } = result.value;
    if (!simulation.ok) return [unknown(`deposit: ${simulation.error.message.replace(/\.$/, '')}`)];
    const was = decodeLiquidityPoolState(poolBefore.data);
    const still = after.value?.[0] && decodeLiquidityPoolState(after.value[0].data);
    if (still?.reserve.tokenA !== was.reserve.tokenA || still.reserve.tokenB !== was.reserve.tokenB) continue;
    const [poolData, positionData] = [dataAfter(pool.address), dataAfter(position)];
    if (poolData === undefined || positionData === undefined)
      return [unknown('deposit: the node gave no accounts')];
    const is = decodeLiquidityPoolState(poolData);
    const lpAfter = decodeUserLpPosition(positionData);
    const lpBefore = held === undefined ? 0n : decodeUserLpPosition(held.data).lpTokenBalance;
    const expected = computeDeposit(liquidityOf(was), { maxTokenA: 1_000_000n, maxTokenB: MAX_TOKEN_B });
    const actual = {
      tokenA: is.reserve.tokenA - was.reserve.tokenA,
      tokenB: is.reserve.tokenB - was.reserve.tokenB,
      lpTokens: lpAfter.lpTokenBalance - lpBefore,
    };
    const words = ({ tokenA, tokenB, lpTokens }: typeof actual) =>
      `${tokenA} units and ${tokenB} lamports give ${lpTokens} LP tokens`;
    const isShare = words(actual) === words(expected);
    return [
      isShare
        ? confirmed('deposit: a simulated one fits to the unit', [words(actual)])
        : refuted(`deposit: a simulated one does not fit (expected: ${words(expected)})`, words(actual), [
            words(actual),
          ]),
      settleFeeUnit(lpAfter, is.reserve.accumulatedFeePerLpToken),
    ];
  }
  return [unknown('deposit: the pool was traded in all the while')];
}

/** The unit of fees per LP token shows in what a fresh position counts as paid. */
function settleFeeUnit({ lpTokenBalance, rewardDebt }: UserLpPosition, accumulated: bigint): Settled {
  if (accumulated === 0n || rewardDebt === 0n)
    return unknown('pending fees: too few have accrued in the pool to tell');
  // No two units give the same debt, unless it is 0.
  const unit = Array.from({ length: 19 }, (_, exponent) => exponent).find(
    (exponent) => (lpTokenBalance * accumulated) / 10n ** BigInt(exponent) === rewardDebt,
  );
  if (unit === 9) return confirmed('pending fees: counted in units of 1e-9');
  if (unit !== undefined) return refuted('pending fees: counted in other units', `units of 1e-${unit}`);
  return unknown('pending fees: the position fits no unit that is a power of ten');
}
