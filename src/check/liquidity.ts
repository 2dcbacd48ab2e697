import type { Address } from '@solana/kit';

import type { FoundPool } from '../data/find-pools.js';
import { computeDeposit, computeInitialLpTokens } from '../math/liquidity.js';
import { buildProAddLiquidity } from '../pro/add-liquidity.js';
import { liquidityOf } from '../pro/liquidity.js';
import { decodeLiquidityPoolState, decodeUserLpPosition, type UserLpPosition } from '../program/accounts.js';
import { findLpPositionAddress } from '../program/addresses.js';
import { DEFAULT_RULES } from '../program/rules.js';
import { simulateWithData } from '../review/simulate.js';
import { fetchAccounts } from '../solana/rpc/accounts.js';
import { confirmed, refuted, type SettledAssumption, together, unknown } from './deployment.js';
import { choicesOf, type ProofCandidate, type ProofChoice, questionOf, rulesOf } from './prove/questions.js';
import { attempt, holderOf, MOST_ATTEMPTS, MOST_POOLS, NO_WALLET, type Scene, sentence } from './scene.js';

interface Depositor {
  readonly pool: FoundPool;
  readonly wallet: Address;
}

const MAXIMA = { maxTokenA: 1_000_000n, maxTokenB: 50_000_000n };

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
    ...MAXIMA,
    minLpTokens: 0n,
    ...options,
  });

export async function settleLiquidity(scene: Scene): Promise<SettledAssumption> {
  return together([settleFirstDeposits(scene), ...(await settleDeposit(scene))]);
}

function settleFirstDeposits({ proPools, proReason }: Scene): SettledAssumption {
  const began = proPools
    .map(({ address, state: { reserve, lpToken } }) => ({
      address,
      a: reserve.initialA,
      b: reserve.initialB,
      lp: lpToken.supply.initial,
    }))
    .filter(({ a, b, lp }) => a > 0n && b > 0n && lp > 0n);
  if (began.length === 0)
    return unknown(`first deposit: ${proReason ?? 'no pro pool says what it began with'}`);
  const [root, fixed] = questionOf('A8.first-supply').candidates;
  const wrong = began.find(({ a, b, lp }) => computeInitialLpTokens(a, b) !== lp);
  const { length } = began;
  if (wrong === undefined)
    return confirmed(`first deposit: the root of the product in ${length} of ${length} pools`);
  const supply = rulesOf({ 'A8.first-supply': fixed?.name ?? root.name }).firstLpSupply;
  if (fixed !== undefined && began.every(({ lp }) => lp === supply))
    return refuted(
      `first deposit: ${fixed.words} LP tokens in ${length} of ${length} pools`,
      fixed.words,
      [],
      fixed.rules,
    );
  // A match can't be a coincidence, but a mismatch may also mean that these fields hold something else.
  return unknown(
    `first deposit: the pool ${wrong.address} began with ${wrong.a} units, ${wrong.b} lamports and ${wrong.lp} LP tokens, which is not the root of the product, if that is what the fields mean`,
  );
}

async function settleDeposit(scene: Scene): Promise<readonly SettledAssumption[]> {
  const { client, options } = scene;
  const unproven = (reason: string) => [unknown(`deposit: ${reason}`)];
  const who = await depositor(scene);
  if (typeof who === 'string') return unproven(who);
  const pool = who.pool.address;
  const position = await findLpPositionAddress({ pool, user: who.wallet }, client.deployment);
  const { value: built, reason = '' } = await attempt(() => buildDeposit(scene, who));
  if (built === undefined) return unproven(reason);
  for (let tries = 0; tries < MOST_ATTEMPTS; tries++) {
    const read = () => attempt(() => fetchAccounts(client, [pool, position], options));
    const before = await read();
    const result = await attempt(() => simulateWithData(client, built, options));
    const after = await read();
    const trouble = before.reason ?? result.reason ?? after.reason;
    const [poolBefore, held] = before.value ?? [];
    if (trouble !== undefined || result.value === undefined || poolBefore === undefined)
      return unproven(trouble ?? 'the pool is gone');
    const { simulation, dataAfter } = result.value;
    if (!simulation.ok) return unproven(sentence(simulation.error));
    const was = decodeLiquidityPoolState(poolBefore.data);
    const still = after.value?.[0] && decodeLiquidityPoolState(after.value[0].data);
    if (still?.reserve.tokenA !== was.reserve.tokenA || still.reserve.tokenB !== was.reserve.tokenB) continue;
    const [poolData, positionData] = [dataAfter(pool), dataAfter(position)];
    if (poolData === undefined || positionData === undefined) return unproven('the node gave no accounts');
    const is = decodeLiquidityPoolState(poolData);
    const lpAfter = decodeUserLpPosition(positionData);
    const lpBefore = held === undefined ? 0n : decodeUserLpPosition(held.data).lpTokenBalance;
    const words = (tokenA: bigint, tokenB: bigint, lpTokens: bigint) =>
      `${tokenA} units and ${tokenB} lamports give ${lpTokens} LP tokens`;
    const actual = words(
      is.reserve.tokenA - was.reserve.tokenA,
      is.reserve.tokenB - was.reserve.tokenB,
      lpAfter.lpTokenBalance - lpBefore,
    );
    return [
      settleRounding(actual, (choice) => {
        const { tokenA, tokenB, lpTokens } = computeDeposit(liquidityOf(was, rulesOf(choice)), MAXIMA);
        return words(tokenA, tokenB, lpTokens);
      }),
      settleFeeUnit(lpAfter, is.reserve.accumulatedFeePerLpToken),
    ];
  }
  return unproven('the pool was traded in all the while');
}

/** The amounts of a deposit show how it is rounded, unless the division leaves no remainder. */
function settleRounding(actual: string, expectedBy: (choice: ProofChoice) => string): SettledAssumption {
  const [assumed, ...rivals] = choicesOf(['A8.rounding']).map((choice) => ({
    choice,
    expected: expectedBy(choice),
  }));
  if (actual === assumed?.expected) return confirmed('deposit: a simulated one fits to the unit', [actual]);
  const rival = rivals.find(({ expected }) => expected === actual);
  const detail = `deposit: a simulated one does not fit (expected: ${assumed?.expected})`;
  if (rival === undefined) return refuted(detail, actual, [actual]);
  const { words, rules } = questionOf('A8.rounding').candidates.find(
    ({ name }) => name === rival.choice['A8.rounding'],
  ) as ProofCandidate;
  return refuted(detail, `rounded ${words}`, [actual], rules);
}

/** The fees that a new position counts as paid show the unit of fees per LP token. */
function settleFeeUnit(
  { lpTokenBalance, rewardDebt }: UserLpPosition,
  accumulated: bigint,
): SettledAssumption {
  if (accumulated === 0n || rewardDebt === 0n)
    return unknown('pending fees: too few have accrued in the pool to tell');
  const units = [
    ...Array.from({ length: 19 }, (_, exponent) => ({
      unit: 10n ** BigInt(exponent),
      words: `units of 1e-${exponent}`,
    })),
    { unit: 2n ** 64n, words: 'units of 2^-64' },
  ];
  // Only for small debts do two units give the same value.
  const [fitting, ...others] = units.filter(
    ({ unit }) => (lpTokenBalance * accumulated) / unit === rewardDebt,
  );
  if (fitting === undefined) return unknown('pending fees: the position fits no unit that is known');
  if (others.length > 0) return unknown('pending fees: too few have accrued in the pool to tell');
  const { unit, words } = fitting;
  if (unit === DEFAULT_RULES.feePerLpTokenUnit) return confirmed(`pending fees: counted in ${words}`);
  return refuted('pending fees: counted in other units', words, [], { feePerLpTokenUnit: unit });
}
