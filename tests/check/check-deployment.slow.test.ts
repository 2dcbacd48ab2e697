import {
  type Address,
  address,
  createSolanaRpcFromTransport,
  generateKeyPairSigner,
  getAddressEncoder,
  getProgramDerivedAddress,
  type Rpc,
  type SolanaRpcApi,
} from '@solana/kit';
import { beforeEach, describe, expect, test } from 'vitest';

import {
  type Assumption,
  type CheckDeploymentOptions,
  checkDeployment,
  computeBuy,
  computeDeposit,
  createClient,
  decodeLiquidityPoolState,
  type HeavenClient,
  isHeavenError,
  quoteBuy,
  toSwapState,
} from '../../src/index.js';
import {
  ASSOCIATED_TOKEN_PROGRAM_ADDRESS,
  COMMUNITY_LOOKUP_TABLE_ADDRESS,
  DEFAULT_RULES,
  encodeLiquidityPoolState,
  findLpPositionAddress,
  findProtocolConfigAddress,
  HEAVEN_PROGRAM_ADDRESS,
  type ProtocolRules,
  type RulesPatch,
  SOL_USD_FEED_ADDRESS,
  TOKEN_2022_PROGRAM_ADDRESS,
  TOKEN_METADATA_PROGRAM_ADDRESS,
  WRAPPED_SOL_MINT_ADDRESS,
} from '../../src/program/index.js';
import { createFeeBrackets, encodeLookupTable } from '../../src/testing/index.js';
import { expectRefusal } from '../support/errors.js';
import { client, ledger, useLedger } from '../support/ledger.js';

useLedger();

async function finding(assumption: Assumption, options: CheckDeploymentOptions = {}, of = client) {
  const { findings } = await checkDeployment(of, options);
  expect(findings.map((found) => found.assumption)).toEqual([
    'A1',
    'A2',
    'A3',
    'A4',
    'A5',
    'A6',
    'A7',
    'A8',
    'A9',
    'A10',
    'A11',
    'A12',
  ]);
  const found = findings.find((each) => each.assumption === assumption);
  if (found === undefined) throw new Error('There is no such finding.');
  // A correction belongs to a refutation, and each verdict has its reason.
  if (found.shouldBe !== undefined) expect(found.verdict).toBe('refuted');
  expect(found.detail).not.toBe('');
  return found;
}

/** A derived address, worked out here. */
async function derive(...seeds: readonly (string | { readonly address: Address })[]): Promise<Address> {
  const [derived] = await getProgramDerivedAddress({
    programAddress: HEAVEN_PROGRAM_ADDRESS,
    seeds: seeds.map((seed) => (typeof seed === 'string' ? seed : getAddressEncoder().encode(seed.address))),
  });
  return derived;
}
const at = (value: Address) => ({ address: value });

const takeSolAway = () => {
  for (const { creator } of Object.values(ledger.pools)) ledger.setAccount(creator, undefined);
};
const removeProPools = () => ledger.setAccount(ledger.pools.pro.pool, undefined);
async function removePositions() {
  const { pool, creator: user } = ledger.pools.pro;
  ledger.setAccount(await findLpPositionAddress({ pool, user }), undefined);
}

describe('A1, the seeds of a pro pool', () => {
  test('confirmed by existing pools', async () => {
    expect(await finding('A1')).toMatchObject({
      verdict: 'confirmed',
      detail: '1 of 1 pro pools are where they are derived',
      evidence: [ledger.pools.pro.pool],
    });
  });

  test('refuted by a pool at another address, with the seeds that give that address', async () => {
    const { pool, mint, creator } = ledger.pools.pro;
    const account = ledger.getAccount(pool);
    const moved = await derive('liquidity_pool_state', at(creator), at(mint), at(WRAPPED_SOL_MINT_ADDRESS));
    const state = decodeLiquidityPoolState(account?.data ?? new Uint8Array());
    ledger.setAccount(moved, {
      owner: HEAVEN_PROGRAM_ADDRESS,
      data: encodeLiquidityPoolState({ ...state, key: moved }),
    });
    removeProPools();
    expect(await finding('A1')).toMatchObject({
      verdict: 'refuted',
      shouldBe: '"liquidity_pool_state", creator, mint, wrapped SOL',
      rules: { proPoolSeeds: 'creator-first' },
      detail: '1 of 1 pro pools are not where they are derived',
    });
  });

  test('refuted by a pool with unknown seeds, without guessing them', async () => {
    const account = ledger.getAccount(ledger.pools.pro.pool);
    const { address: moved } = await generateKeyPairSigner();
    if (account) ledger.setAccount(moved, account);
    removeProPools();
    expect(await finding('A1')).toMatchObject({
      verdict: 'refuted',
      shouldBe: `seeds that give ${moved} where ours give ${ledger.pools.pro.pool}`,
    });
  });

  test("refuted without a pool by the program's log, with the address that it names", async () => {
    removeProPools();
    const { mint, creator } = ledger.pools.creator;
    ledger.setBehavior({ rules: { proPoolSeeds: 'creator-first' } });
    const seeds = [at(creator), at(mint), at(WRAPPED_SOL_MINT_ADDRESS)] as const;
    const expected = await derive('liquidity_pool_state', ...seeds);
    const found = await finding('A1');
    const shouldBe = '"liquidity_pool_state", creator, mint, wrapped SOL';
    expect(found).toMatchObject({ verdict: 'refuted', shouldBe });
    expect(found.evidence).toContain(`Right: ${expected}`);
  });

  test('confirmed without a pool by a simulated creation', async () => {
    removeProPools();
    ledger.setBehavior({ scripted: { create_pro_liquidity_pool: 'success' } });
    expect((await finding('A1')).verdict).toBe('confirmed');
  });

  test('unknown without a pool and without a wallet', async () => {
    removeProPools();
    takeSolAway();
    const found = await finding('A1');
    expect(found.verdict).toBe('unknown');
    expect(found.detail).toMatch(/no pro pool to compare with, and no wallet with enough SOL/);
  });
});

describe('A2, the seeds of an LP position', () => {
  test('confirmed by existing positions', async () => {
    expect((await finding('A2')).verdict).toBe('confirmed');
  });

  test('refuted by a position at another address, with its seeds', async () => {
    const { pool, creator: user } = ledger.pools.pro;
    const account = ledger.getAccount(await findLpPositionAddress({ pool, user }));
    await removePositions();
    if (account) ledger.setAccount(await derive('USER_LP_POSITION', at(pool), at(user)), account);
    expect(await finding('A2')).toMatchObject({
      verdict: 'refuted',
      shouldBe: '"USER_LP_POSITION", pool, user',
      rules: { lpPositionSeed: 'USER_LP_POSITION' },
    });
  });

  test('refuted by a position whose seeds name the user first', async () => {
    const { pool, creator: user } = ledger.pools.pro;
    const account = ledger.getAccount(await findLpPositionAddress({ pool, user }));
    await removePositions();
    if (account) ledger.setAccount(await derive('user_lp_position', at(user), at(pool)), account);
    expect(await finding('A2')).toMatchObject({
      verdict: 'refuted',
      shouldBe: '"user_lp_position", user, pool',
    });
  });

  test("refuted without a position by the program's log", async () => {
    await removePositions();
    ledger.setBehavior({ rules: { lpPositionSeed: 'lp_position' } });
    expect(await finding('A2')).toMatchObject({ verdict: 'refuted', shouldBe: '"lp_position", pool, user' });
  });

  test('confirmed without a position by a simulated deposit', async () => {
    await removePositions();
    expect((await finding('A2')).detail).toMatch(
      /no LP position to compare with, and a simulated transaction passes/,
    );
  });

  test('unknown without a position if no pool takes deposits', async () => {
    await removePositions();
    ledger.updatePool(ledger.pools.pro.pool, ({ allowlist }) => ({
      allowlist: { ...allowlist, depositLiquidity: 0 },
    }));
    expect(await finding('A2')).toMatchObject({
      verdict: 'unknown',
      detail: 'there is no LP position to compare with, and there is no pro pool that takes deposits',
    });
  });
});

/** The ledger behind a node that is told of each simulation before it runs, and may refuse it. */
const beforeSimulations = (act: (tx: string) => 'refuse' | undefined): HeavenClient => {
  const transport = (async (config) => {
    const { id, method, params } = (
      config as { readonly payload: { id: unknown; method: string; params: [string] } }
    ).payload;
    if (method === 'simulateTransaction' && act(params[0]) === 'refuse')
      return { jsonrpc: '2.0', id, error: { code: -32603, message: 'refused' } };
    return await ledger.transport(config);
  }) as typeof ledger.transport;
  return createClient({ rpc: createSolanaRpcFromTransport(transport) as Rpc<SolanaRpcApi> });
};

describe('A3, the price accounts', () => {
  test('confirmed: fails without them, and succeeds with them', async () => {
    const { verdict, evidence } = await finding('A3');
    expect(verdict).toBe('confirmed');
    expect(evidence.map((line) => line.split(':')[0])).toEqual([
      'pro_buy',
      'add_liquidity_pro_pool',
      'remove_liquidity_pro_pool',
      'claim_pro_creator_trading_fees',
      'create_pro_liquidity_pool',
    ]);
  });

  test('refuted: not read', async () => {
    ledger.setBehavior({ rules: { priceAccounts: { pro_buy: false } } });
    expect(await finding('A3')).toMatchObject({
      verdict: 'refuted',
      shouldBe: 'pro_buy does not read the price accounts; they do no harm',
      rules: { priceAccounts: { pro_buy: false } },
    });
    ledger.setBehavior({
      rules: { priceAccounts: { add_liquidity_pro_pool: false, remove_liquidity_pro_pool: false } },
    });
    expect((await finding('A3')).rules).toEqual({
      priceAccounts: { add_liquidity_pro_pool: false, remove_liquidity_pro_pool: false },
    });
  });

  test('refuted: the program expects other accounts', async () => {
    ledger.setBehavior({ scripted: { pro_buy: { custom: 6036 } } });
    expect(await finding('A3')).toMatchObject({
      verdict: 'refuted',
      shouldBe: 'pro_buy wants other price accounts',
    });
  });

  test('unknown if the instruction fails either way', async () => {
    ledger.setBehavior({
      rules: { priceAccounts: { pro_buy: false } },
      scripted: { pro_buy: { custom: 6052 } },
    });
    const { verdict, detail } = await finding('A3');
    expect(verdict).toBe('unknown');
    expect(detail).toContain('ReserveRebalancing');
  });

  test('unknown if only the transaction without them could be simulated', async () => {
    const feed = Buffer.from(Uint8Array.from(getAddressEncoder().encode(SOL_USD_FEED_ADDRESS)));
    const node = beforeSimulations((tx) => (Buffer.from(tx, 'base64').includes(feed) ? 'refuse' : undefined));
    const { verdict, detail } = await finding('A3', {}, node);
    expect(verdict).toBe('unknown');
    expect(detail).toContain('pro_buy: it fails for another reason');
  });

  test('unknown if one of the three is unknown', async () => {
    ledger.updatePool(ledger.pools.pro.pool, () => ({ creatorTradingFees: 0n }));
    const { verdict, detail } = await finding('A3');
    expect(verdict).toBe('unknown');
    expect(detail).toContain('claim_pro_creator_trading_fees: no pro pool with fees to claim');
  });
});

describe('A4, the side of the fees of a buy', () => {
  test('confirmed to the unit', async () => {
    expect((await finding('A4')).verdict).toBe('confirmed');
  });

  test('refuted if they are taken from the tokens', async () => {
    ledger.setBehavior({
      computeBuy: (state, amountIn) => {
        const out = (state.reserveA * amountIn) / (state.reserveB + amountIn);
        let amountOut = out;
        for (const bps of Object.values(state.buyFees)) amountOut -= (out * bps) / 10_000n;
        return { ...computeBuy(state, amountIn), amountOut, transferFee: 0n };
      },
    });
    expect(await finding('A4')).toMatchObject({
      verdict: 'refuted',
      shouldBe: 'from the tokens, behind the curve',
    });
  });

  test('unknown if a buy fits neither, with the figures', async () => {
    ledger.setBehavior({
      computeBuy: (state, amountIn) => {
        const trade = computeBuy(state, amountIn);
        return { ...trade, amountOut: trade.amountOut - 1n };
      },
    });
    const { verdict, detail, evidence } = await finding('A4');
    expect(verdict).toBe('unknown');
    expect(detail).toContain('fit none of the rules');
    expect(evidence.join()).toMatch(/5000000000 lamports buy \d+ units, and the rules give \d+ or \d+/);
  });

  test('unknown if one pool fits and another does not', async () => {
    ledger.setBehavior({
      computeBuy: (state, amountIn) => {
        const trade = computeBuy(state, amountIn);
        return state.virtualReserveB === 0n ? { ...trade, amountOut: trade.amountOut - 1n } : trade;
      },
    });
    const { verdict, detail, evidence } = await finding('A4');
    expect({ verdict, detail }).toEqual({
      verdict: 'unknown',
      detail: 'some simulated buys fit none of the rules that are known',
    });
    expect(evidence).toHaveLength(2);
  });

  const changes: readonly [string, (count: bigint) => void][] = [
    ['tokens', (count) => ledger.setReserves(ledger.pools.creator.pool, { tokenA: 10n ** 17n + count })],
    ['SOL', (count) => ledger.setReserves(ledger.pools.creator.pool, { tokenB: 10n ** 12n + count })],
    [
      'window',
      (count) =>
        ledger.updatePool(ledger.pools.creator.pool, ({ reserve }) => ({
          reserve: { ...reserve, snapshotSlot: count },
        })),
    ],
    ['SOL price', (count) => ledger.setSolPrice(Number(100n + count))],
    [
      'supply',
      (count) => {
        const { mint, tokenProgram } = ledger.pools.creator;
        ledger.setMint(mint, tokenProgram, { decimals: 9, supply: 10n ** 18n - count });
      },
    ],
  ];
  test.each(changes)('unknown while the %s of the pool keeps changing', async (_, change) => {
    let count = 0n;
    const node = beforeSimulations(() => {
      count += 1n;
      change(count);
      return undefined;
    });
    ledger.setAccount(ledger.pools.pro.pool, undefined);
    const { verdict, detail } = await finding('A4', {}, node);
    expect(verdict).toBe('unknown');
    expect(detail).toContain(`the pool ${ledger.pools.creator.pool} was traded in all the while`);
  });

  test('confirmed by the next simulation if somebody traded before the first', async () => {
    let count = 0n;
    const node = beforeSimulations(() => {
      count += 1n;
      for (const { pool } of [ledger.pools.creator, ledger.pools.pro])
        if (count <= 2n) ledger.setReserves(pool, { tokenA: 10n ** 14n + count });
      return undefined;
    });
    expect((await finding('A4', {}, node)).verdict).toBe('confirmed');
  });

  test('unknown without a wallet, and known with the one that is passed', async () => {
    takeSolAway();
    expect((await finding('A4')).detail).toContain('no wallet with enough SOL was found');
    const { address: wallet } = await generateKeyPairSigner();
    ledger.setBalance(wallet, 6_000_000_000n);
    expect((await finding('A4', { wallets: [wallet] })).verdict).toBe('confirmed');
    // Too little for a buy of 5 SOL: what a smaller one tells is not enough for this.
    ledger.setBalance(wallet, 5_000_000_000n);
    const { verdict, detail } = await finding('A4', { wallets: [wallet] });
    expect(verdict).toBe('unknown');
    expect(detail).toContain('no wallet with 5.2 SOL was found');
    expect((await finding('A6', { wallets: [wallet] })).verdict).toBe('confirmed');
  });

  test('unknown if swaps fail, with the error in words', async () => {
    ledger.setBehavior({ scripted: { buy: { custom: 6052 }, pro_buy: { custom: 6052 } } });
    const { verdict, detail } = await finding('A4');
    expect(verdict).toBe('unknown');
    expect(detail).toContain('ReserveRebalancing (6052)');
  });
});

describe('A5, the unit of the bounds', () => {
  // 1000 SOL of market cap at $150: over $100k, where the fee falls, if the bound is in millionths.
  beforeEach(() => ledger.setSolPrice('150'));

  test('confirmed if the fee decides it', async () => {
    expect((await finding('A5')).verdict).toBe('confirmed');
  });

  test('refuted if the bounds are whole dollars', async () => {
    ledger.setBehavior({
      toSwapState: (snapshot, options) => toSwapState({ ...snapshot, kind: 'standard' }, options),
    });
    expect(await finding('A5')).toMatchObject({ verdict: 'refuted', shouldBe: 'whole dollars' });
  });

  test('unknown if the fee would be the same', async () => {
    ledger.setSolPrice('50');
    const { verdict, detail } = await finding('A5');
    expect({ verdict, detail }).toEqual({
      verdict: 'unknown',
      detail: 'there is no pro pool whose fee would be another if its bounds were whole dollars',
    });
  });
});

describe("A6, a pro pool's protocol fee", () => {
  test('confirmed if config and pool differ', async () => {
    expect((await finding('A6')).verdict).toBe('confirmed');
  });

  test("refuted if the pool's own fee is charged", async () => {
    ledger.setBehavior({
      toSwapState: (snapshot, options) => {
        const state = toSwapState(snapshot, options);
        const isPro = snapshot.kind === 'pro';
        return { ...state, buyFees: { ...state.buyFees, ...(isPro ? { protocol: 0n } : {}) } };
      },
    });
    expect(await finding('A6')).toMatchObject({ verdict: 'refuted', shouldBe: "the pool's own" });
  });

  test('unknown if the two are the same', async () => {
    const { pool } = ledger.pools.pro;
    ledger.updatePool(pool, ({ marketCapBasedFees }) => ({
      marketCapBasedFees: { ...marketCapBasedFees, protocolTradingFee: createFeeBrackets([2n ** 63n, 30]) },
    }));
    expect((await finding('A6')).detail).toContain('whose protocol fee is not that of its config');
    removeProPools();
    expect((await finding('A6')).detail).toContain('there is no pro pool that can be traded in');
  });
});

describe('A7, the window', () => {
  /** The beginning of the four slots that hold the ledger's. */
  const windowStart = () => ledger.slot - (ledger.slot % 4n);
  const trade = (snapshotSlot = windowStart()) =>
    ledger.updatePool(ledger.pools.creator.pool, ({ reserve }) => ({
      reserve: {
        ...reserve,
        snapshotSlot,
        snapshotA: (reserve.tokenA * 99n) / 100n,
        snapshotB: (reserve.tokenB * 101n) / 100n,
      },
    }));
  const behaveBy = (rules: RulesPatch) =>
    ledger.setBehavior({
      toSwapState: (snapshot, options) =>
        toSwapState({ ...snapshot, rules: { ...DEFAULT_RULES, ...rules } as ProtocolRules }, options),
    });
  beforeEach(() => expect(ledger.slot % 4n).toBe(1n));

  test('confirmed if the worse price applies for four slots', async () => {
    trade();
    expect((await finding('A7')).verdict).toBe('confirmed');
  });

  test('refuted if the window ends after one slot', async () => {
    trade();
    behaveBy({ slotsPerLeader: 1 });
    expect(await finding('A7')).toMatchObject({
      verdict: 'refuted',
      shouldBe: 'one slot for each of leader_slot_window',
      rules: { slotsPerLeader: 1 },
    });
  });

  test("refuted if a reversal is filled at the window's opening price", async () => {
    trade();
    behaveBy({ windowFill: 'reversal-at-start' });
    const { verdict, rules } = await finding('A7');
    expect({ verdict, rules }).toEqual({ verdict: 'refuted', rules: { windowFill: 'reversal-at-start' } });
  });

  test('its length is unknown if the pool was traded in the same slot', async () => {
    trade(ledger.slot);
    const { verdict, detail } = await finding('A7');
    expect(verdict).toBe('unknown');
    expect(detail).toContain('no sandwich-resistant pool was traded in the four slots of the simulation');
    expect(detail).toContain('1 simulated buy fits to the unit: the worse of the prices');
  });

  test('unknown if no rule fits', async () => {
    trade();
    ledger.setBehavior({
      toSwapState: (snapshot, options) => ({
        ...toSwapState(snapshot, options),
        windowReserves: { reserveA: snapshot.reserveA / 2n, reserveB: snapshot.reserveB },
      }),
    });
    const { verdict, detail } = await finding('A7');
    expect(verdict).toBe('unknown');
    expect(detail).toContain('fit none of the rules that are known');
  });

  test('unknown if no pool was traded recently', async () => {
    expect((await finding('A7')).detail).toBe(
      'no sandwich-resistant pool was traded in the four slots of the simulation without being traded in the same slot; no sandwich-resistant pool was traded in the window of the simulation',
    );
  });
});

describe('A8, liquidity', () => {
  // The root of 400000000000000 * 400000000 is the 400000000000 LP tokens that the pool began with.
  const setPool = () =>
    ledger.updatePool(ledger.pools.pro.pool, ({ reserve }) => ({
      reserve: { ...reserve, initialB: 400_000_000n, accumulatedFeePerLpToken: 5_000_000_000n },
    }));

  test('confirmed in all three parts', async () => {
    setPool();
    const { verdict, detail } = await finding('A8');
    expect(detail).toBe(
      'first deposit: the root of the product in 1 of 1 pools; deposit: a simulated one fits to the unit; pending fees: counted in units of 1e-9',
    );
    expect(verdict).toBe('confirmed');
  });

  test('refuted if a deposit gives something else, with what it gave', async () => {
    setPool();
    ledger.setBehavior({
      computeDeposit: (...input) => ({ ...computeDeposit(...input), lpTokens: 999n }),
    });
    expect(await finding('A8')).toMatchObject({
      verdict: 'refuted',
      shouldBe: '1000000 units and 1000 lamports give 999 LP tokens',
    });
  });

  test('refuted if fees are counted in other units', async () => {
    setPool();
    ledger.setBehavior({ rules: { feePerLpTokenUnit: 1_000_000n } });
    expect(await finding('A8')).toMatchObject({
      verdict: 'refuted',
      shouldBe: 'units of 1e-6',
      rules: { feePerLpTokenUnit: 1_000_000n },
    });
  });

  test('refuted if the first supply is always the same', async () => {
    ledger.updatePool(ledger.pools.pro.pool, ({ lpToken }) => ({
      lpToken: { ...lpToken, supply: { ...lpToken.supply, initial: 5_159_780_352n } },
    }));
    expect(await finding('A8')).toMatchObject({
      verdict: 'refuted',
      shouldBe: 'always 5159780352',
      rules: { firstLpSupply: 5_159_780_352n },
    });
  });

  test('refuted if a deposit is rounded down', async () => {
    setPool();
    // Reserves that no deposit of whole units divides.
    ledger.setReserves(ledger.pools.pro.pool, { tokenA: 400_000_000_000_007n, tokenB: 400_000_000_003n });
    ledger.setBehavior({ rules: { depositRounding: 'down' } });
    expect(await finding('A8')).toMatchObject({
      verdict: 'refuted',
      shouldBe: 'rounded down to the unit',
      rules: { depositRounding: 'down' },
    });
  });

  test.each(['tokenA', 'tokenB'] as const)('unknown while %s of the pool keeps changing', async (side) => {
    setPool();
    let count = 0n;
    const node = beforeSimulations(() => {
      count += 1n;
      ledger.setReserves(ledger.pools.pro.pool, { [side]: 400_000_000_000n + count });
      return undefined;
    });
    const { verdict, detail } = await finding('A8', {}, node);
    expect(verdict).toBe('unknown');
    expect(detail).toContain('deposit: the pool was traded in all the while');
  });

  test('unknown if the pool holds too little to decide', async () => {
    const { verdict, detail } = await finding('A8');
    expect(verdict).toBe('unknown');
    expect(detail).toContain('which is not the root of the product, if that is what the fields mean');
    expect(detail).toContain('pending fees: too few have accrued');
  });
});

describe('A9, the launch', () => {
  const others = {
    [TOKEN_METADATA_PROGRAM_ADDRESS]: 'success',
    [ASSOCIATED_TOKEN_PROGRAM_ADDRESS]: 'success',
    [TOKEN_2022_PROGRAM_ADDRESS]: 'success',
  } as const;

  test('confirmed by a simulated launch', async () => {
    expect((await finding('A9')).verdict).toBe('confirmed');
    ledger.setBehavior({ scripted: { ...others, create_standard_liquidity_pool: 'success' } });
    expect((await finding('A9')).verdict).toBe('confirmed');
  });

  test.each([6045, 3012, 102])('refuted by the code %i of the exchange', async (code) => {
    ledger.setBehavior({ scripted: { ...others, create_standard_liquidity_pool: { custom: code } } });
    const { verdict, detail } = await finding('A9');
    expect(verdict).toBe('refuted');
    expect(detail).toContain(`(${code})`);
  });

  test('refuted by the metadata program', async () => {
    ledger.setBehavior({ scripted: { [TOKEN_METADATA_PROGRAM_ADDRESS]: { custom: 57 } } });
    const { verdict, detail } = await finding('A9');
    expect(verdict).toBe('refuted');
    expect(detail).toContain(TOKEN_METADATA_PROGRAM_ADDRESS);
  });

  test("unknown if launches are off, fail for another reason, or don't run", async () => {
    ledger.setBehavior({
      scripted: { [TOKEN_METADATA_PROGRAM_ADDRESS]: { runtime: 'UnsupportedProgramId' } },
    });
    const notRun = await finding('A9');
    expect(notRun.verdict).toBe('unknown');
    expect(notRun.detail).toContain('UnsupportedProgramId');
    ledger.setBehavior({ scripted: { ...others, create_standard_liquidity_pool: { custom: 6052 } } });
    expect(await finding('A9')).toMatchObject({ verdict: 'unknown' });
    for (const { protocolConfig } of Object.values(ledger.pools))
      ledger.updateConfig(protocolConfig, () => ({ allowCreatePool: 0 }));
    expect(await finding('A9')).toMatchObject({
      verdict: 'unknown',
      detail: 'no config allows launches now',
    });
  });
});

describe('A10, the lookup table', () => {
  const setTable = (addresses: readonly Address[]) =>
    ledger.setAccount(COMMUNITY_LOOKUP_TABLE_ADDRESS, {
      owner: address('AddressLookupTab1e1111111111111111111111111'),
      data: encodeLookupTable({ addresses }),
    });

  test('confirmed by what it holds', async () => {
    expect((await finding('A10')).verdict).toBe('confirmed');
  });

  test('refuted by the config that it holds instead', async () => {
    setTable([await findProtocolConfigAddress({ version: 2 })]);
    expect(await finding('A10')).toMatchObject({ verdict: 'refuted', shouldBe: 'it serves version 2' });
  });

  test('unknown if it holds no config, or does not exist', async () => {
    setTable([WRAPPED_SOL_MINT_ADDRESS]);
    expect((await finding('A10')).detail).toBe('it holds none of the three protocol configs');
    ledger.setAccount(COMMUNITY_LOOKUP_TABLE_ADDRESS, undefined);
    expect(await finding('A10')).toMatchObject({ verdict: 'unknown' });
  });
});

describe("A11, a pro pool's receiver update", () => {
  const name = 'update_pro_creator_trading_fee_receiver';

  test('confirmed by a simulated one', async () => {
    expect((await finding('A11')).verdict).toBe('confirmed');
    ledger.setBehavior({ scripted: { [name]: 'success' } });
    expect((await finding('A11')).verdict).toBe('confirmed');
  });

  test('refuted if the accounts differ', async () => {
    ledger.setBehavior({ scripted: { [name]: { custom: 3005 } } });
    const { verdict, detail } = await finding('A11');
    expect(verdict).toBe('refuted');
    expect(detail).toContain('AccountNotEnoughKeys');
  });

  test("unknown if it fails for another reason, doesn't run, or no pool is in the required state", async () => {
    ledger.setBehavior({ scripted: { [name]: { custom: 6040 } } });
    expect((await finding('A11')).detail).toContain('CannotClaimSwapFee');
    ledger.setBehavior({ scripted: { [name]: { runtime: 'UnsupportedProgramId' } } });
    expect((await finding('A11')).detail).toContain('UnsupportedProgramId');
    ledger.setBehavior();
    ledger.updatePool(ledger.pools.pro.pool, () => ({ creatorTradingFeeClaimStatus: 0 }));
    expect(await finding('A11')).toMatchObject({ verdict: 'unknown' });
  });
});

test('compares the published fees with the configs', async () => {
  const { protocolConfig } = ledger.pools.creator;
  expect((await checkDeployment(client)).publishedFees.map(({ verdict }) => verdict)).toEqual([
    'confirmed',
    'confirmed',
    'confirmed',
  ]);
  ledger.updateConfig(protocolConfig, ({ marketCapBasedFees }) => ({
    marketCapBasedFees: { ...marketCapBasedFees, creatorTradingFee: createFeeBrackets([2n ** 63n, 80, 90]) },
  }));
  ledger.setAccount(ledger.pools.pro.protocolConfig, undefined);
  const { publishedFees } = await checkDeployment(client);
  expect(publishedFees).toMatchObject([
    { configVersion: 1, verdict: 'confirmed' },
    {
      configVersion: 2,
      verdict: 'refuted',
      shouldBe: 'protocol 100 and from $100k 50, creator 80/90 basis points',
    },
    { configVersion: 3, verdict: 'unknown' },
  ]);
});

describe('the deployment', () => {
  test('is what the client assumed, if that holds', async () => {
    expect((await checkDeployment(client)).deployment).toEqual(client.deployment);
  });

  test('has the rules that were found, and those that the client had', async () => {
    const { pool, creator: user } = ledger.pools.pro;
    const account = ledger.getAccount(await findLpPositionAddress({ pool, user }));
    await removePositions();
    if (account) ledger.setAccount(await derive('USER_LP_POSITION', at(pool), at(user)), account);
    ledger.setBehavior({
      rules: { lpPositionSeed: 'USER_LP_POSITION', priceAccounts: { pro_buy: false } },
    });
    const given = createClient({ rpc: ledger.rpc, deployment: { rules: { firstLpSupply: 7n } } });
    const { deployment, findings } = await checkDeployment(given);
    expect(deployment).toEqual({
      ...client.deployment,
      rules: {
        ...DEFAULT_RULES,
        lpPositionSeed: 'USER_LP_POSITION',
        priceAccounts: { ...DEFAULT_RULES.priceAccounts, pro_buy: false },
        firstLpSupply: 7n,
      },
    });
    // With the seeds that were found, a deposit could be simulated.
    expect(findings.find(({ assumption }) => assumption === 'A8')?.detail).toContain(
      'deposit: a simulated one fits to the unit',
    );
  });

  test('names the program that owns the feed, and a client accepts it', async () => {
    const { address: other } = await generateKeyPairSigner();
    const feed = ledger.getAccount(SOL_USD_FEED_ADDRESS);
    if (feed) ledger.setAccount(SOL_USD_FEED_ADDRESS, { ...feed, owner: other });
    const { mint, configVersion } = ledger.pools.creator;
    const terms = { mint, configVersion, maxSolSpend: 1, slippageBps: 50 };
    await expectRefusal(quoteBuy(client, terms), 'rpc-wrong-account');
    const { deployment } = await checkDeployment(client);
    expect(deployment.chainlinkProgram).toBe(other);
    const checked = createClient({ rpc: ledger.rpc, deployment });
    expect((await quoteBuy(checked, terms)).minimumOut).toBeGreaterThan(0n);
  });

  test('leaves everything unknown without the exchange', async () => {
    const { address: programAddress } = await generateKeyPairSigner();
    const elsewhere = createClient({ rpc: ledger.rpc, deployment: { programAddress } });
    const { findings, publishedFees } = await checkDeployment(elsewhere);
    expect(new Set([...findings, ...publishedFees].map(({ verdict }) => verdict))).toEqual(
      new Set(['unknown']),
    );
  });
});

describe('a node in trouble', () => {
  /** The ledger behind a node that refuses a method, or everything from a call on. */
  const refusing = (refuses: (method: string, count: number) => boolean, code: number) => {
    let count = 0;
    const transport = (async (config: {
      readonly payload: { readonly id: unknown; readonly method: string };
    }) => {
      count += 1;
      const { id, method } = config.payload;
      return refuses(method, count)
        ? { jsonrpc: '2.0', id, error: { code, message: 'refused' } }
        : ledger.transport(config as never);
    }) as typeof ledger.transport;
    return createClient({ rpc: createSolanaRpcFromTransport(transport) as never });
  };

  test('at the first read fails', async () => {
    const error: unknown = await checkDeployment(refusing(() => true, -32005)).catch(
      (thrown: unknown) => thrown,
    );
    expect(isHeavenError(error, 'rpc-failed')).toBe(true);
  });

  test('without searches leaves unknown what needs them, and says why', async () => {
    const other = refusing((method) => method === 'getProgramAccounts', -32601);
    const { findings } = await checkDeployment(other);
    const verdicts = Object.fromEntries(findings.map(({ assumption, verdict }) => [assumption, verdict]));
    // Without a pool to look at, a simulated creation tells where one would be.
    expect(verdicts).toMatchObject({ A1: 'confirmed', A2: 'unknown', A4: 'confirmed', A10: 'confirmed' });
    expect(findings[0]?.detail).toContain('refuses getProgramAccounts');
  });

  test('that simulates nothing leaves unknown what needs it', async () => {
    const other = refusing((method) => method === 'simulateTransaction', -32601);
    const { findings } = await checkDeployment(other);
    const confirmed = findings.filter(({ verdict }) => verdict === 'confirmed');
    expect(confirmed.map(({ assumption }) => assumption)).toEqual(['A1', 'A2', 'A10']);
    expect(findings.filter(({ verdict }) => verdict === 'refuted')).toEqual([]);
    expect(findings.find(({ assumption }) => assumption === 'A4')?.detail).toContain('simulateTransaction');
  });

  test.each([2, 5, 9, 14, 20, 30])('that fails from call %i on refutes nothing', async (from) => {
    const { findings } = await checkDeployment(refusing((_, count) => count >= from, -32603));
    expect(findings.filter(({ verdict }) => verdict === 'refuted')).toEqual([]);
    expect(findings.some(({ verdict }) => verdict === 'unknown')).toBe(true);
  });

  test('and the check ends when the caller aborts', async () => {
    const controller = new AbortController();
    controller.abort();
    const aborted = checkDeployment(client, { abortSignal: controller.signal });
    await expectRefusal(aborted, 'aborted');
  });
});

test('rejects bad input', async () => {
  await expectRefusal(checkDeployment(client, { mints: ['x' as Address] }), 'invalid-address');
  await expectRefusal(checkDeployment(client, { wallets: ['x' as Address] }), 'invalid-address');
});
