import {
  computeBuy,
  computeBuyExactOut,
  computeDeposit,
  computeMarketCap,
  computeSell,
  computeSellExactOut,
  computeWithdrawal,
  createHeavenClient,
  type FeeAmounts,
  type HeavenErrorCode,
  isHeavenError,
  maximumAfterSlippage,
  minimumAfterSlippage,
  quoteInitialBuy,
  type SwapState,
  toSwapState,
} from '../../src/index.js';
import { computeInitialLpTokens, computePendingFees } from '../../src/math/liquidity.js';
import type { Assumption } from '../../src/program/assumptions.js';
import { encodeProtocolConfig } from '../../src/program/index.js';
import type { EmbeddedLedger } from '../../src/testing/index.js';
import { createSampleConfig } from '../../src/testing/samples.js';
import { LAUNCHES } from '../../tests/mainnet/facts.js';
import { createScenes, feedOf, inputOf, type Scene, SLOT, snapshotOf, U64_MAX } from './scenes.js';
import type { Case, Fields, Vector } from './vector.js';

const RATE_FACTS = [
  'M layout of the pool and the protocol config',
  'M layout of the price feed',
  'T rates of Global and Local pools',
  'D slot fees before market cap fees',
  'D market cap',
];
const TRADE_FACTS = [...RATE_FACTS, 'M arithmetic of a sell', 'T arithmetic of a buy'];
const PRO: Assumption[] = ['A5', 'A6'];

const inOrder = ({ protocol, liquidityProvider, creator, creatorProtocol, reflection }: FeeAmounts) => [
  protocol,
  liquidityProvider,
  creator,
  creatorProtocol,
  reflection,
];

type Change = Partial<Pick<Scene, 'slot' | 'solPrice'>>;

/** The rates of a scene, at other slots or SOL prices. */
const rates = (
  id: string,
  scene: Scene,
  changes: readonly Change[],
  assumptions: Assumption[] = [],
): Vector => ({
  id,
  check: 'rates',
  facts: RATE_FACTS,
  assumptions,
  input: inputOf(scene),
  cases: changes.map((change) => {
    const snapshot = snapshotOf({ ...scene, ...change });
    const { buyFees, sellFees } = toSwapState(snapshot);
    const cap = computeMarketCap(snapshot) / (snapshot.kind === 'pro' ? 1n : 1_000_000n);
    const feed = change.solPrice === undefined ? undefined : feedOf(change.solPrice);
    const expected = { market_cap: cap, buy: inOrder(buyFees), sell: inOrder(sellFees) };
    return { input: { slot: change.slot, feed }, expected };
  }),
});

export function rateVectors(ledger: EmbeddedLedger): Vector[] {
  const { global, local, localLaunch, proLocal, proGlobal, launch, bounds, proBounds } = createScenes(ledger);
  const at = (...prices: readonly string[]) => prices.map((solPrice) => ({ solPrice }));
  const caps = at('0.00000001', '82.0175991', '123456789');
  const slots = [0n, 5n, 6n, 15n, 16n, 20n, 21n, 100_000n].map((offset) => ({ slot: SLOT + offset }));
  const micros = [
    '99.999999',
    '99.99999999',
    '100',
    '100.00000099',
    '100.000001',
    '200',
    '200.000001',
    '9000',
  ];
  return [
    rates('a Global pool, with decoys in the pool and behind the count', global, caps),
    rates('a Local pool, with decoys in the config and behind the count', local, caps),
    rates('a Local pro pool, with decoys in the config', proLocal, caps, PRO),
    rates('a Global pro pool, with decoys in the pool', proGlobal, caps, PRO),
    rates("the config's slot schedules, at first and last slots", launch, slots),
    rates("a Local pool's slot schedules, at first and last slots", localLaunch, slots),
    rates(
      'a standard pool around a bound',
      bounds,
      at('99.998', '99.999', '99.99999999', '100', '100.00000001'),
    ),
    rates('a pro pool a millionth of a dollar around its bounds', proBounds, at(...micros), PRO),
  ];
}

const REFUSALS: readonly HeavenErrorCode[] = [
  'insufficient-liquidity',
  'fees-exceed-amount',
  'amount-out-of-range',
];

interface Ask {
  readonly side: 'buy' | 'sell';
  readonly exact: 'in' | 'out';
  readonly amount: bigint;
  readonly slippageBps: number;
}

function answerTo(state: SwapState, { side, exact, amount, slippageBps }: Ask): Fields {
  const isBuy = side === 'buy';
  try {
    if (exact === 'out') {
      const { amountIn } = (isBuy ? computeBuyExactOut : computeSellExactOut)(state, amount);
      return { least: amountIn, most: maximumAfterSlippage(amountIn, slippageBps) };
    }
    const { fees, totalFee, transferFee, amountOut, ...after } = (isBuy ? computeBuy : computeSell)(
      state,
      amount,
    );
    return {
      fees: inOrder(fees),
      traded: amount - (isBuy ? totalFee : transferFee),
      out: amountOut + (isBuy ? transferFee : totalFee),
      withheld: transferFee,
      arrives: amountOut,
      reserve_a: after.reserveAAfter,
      reserve_b: after.reserveBAfter,
      minimum: minimumAfterSlippage(amountOut, slippageBps),
    };
  } catch (error) {
    const refused = REFUSALS.find((code) => isHeavenError(error, code));
    if (refused === undefined) throw error;
    return { refused };
  }
}

const SPENT = [
  1n,
  2n,
  199n,
  200n,
  9_999n,
  10_001n,
  1_000_000_007n,
  2n ** 53n + 1n,
  3n * 10n ** 17n + 1n,
  U64_MAX,
];
const SLIPPAGES = [50, 0, 1, 9_999, 10_000];

/** Trades of all sizes, on both sides, exact in and exact out. */
const asksOf = ({ state: { reserve } }: Scene): readonly Ask[] =>
  (['buy', 'sell'] as const).flatMap((side) => {
    const all = side === 'buy' ? reserve.tokenA : reserve.tokenB;
    const wanted = [1n, 2n, 197n, 198n, 1_000_003n, all / 3n, all - 1n, all];
    return (['in', 'out'] as const).flatMap((exact) =>
      (exact === 'in' ? SPENT : wanted).map((amount, index) => {
        return { side, exact, amount, slippageBps: SLIPPAGES[index % SLIPPAGES.length]! };
      }),
    );
  });

const exactIn = (side: Ask['side'], ...amounts: readonly bigint[]): Ask[] =>
  amounts.map((amount) => ({ side, exact: 'in', amount, slippageBps: 50 }));

function quotes(id: string, scene: Scene, assumptions: Assumption[] = [], asks = asksOf(scene)): Vector {
  const state = toSwapState(snapshotOf(scene));
  const cases = asks.map((ask) => ({ input: { ...ask }, expected: answerTo(state, ask) }));
  return { id, check: 'quote', facts: TRADE_FACTS, assumptions, input: inputOf(scene), cases };
}

async function purchases(ledger: EmbeddedLedger): Promise<Vector> {
  const client = createHeavenClient({ rpc: ledger.rpc });
  const amounts = [1n, ...LAUNCHES.map(([tokens]) => tokens), 2n ** 53n + 1n, 999_999_998_000_000_000n];
  const cases: Case[] = [];
  for (const tokens of amounts)
    for (const slippageBps of [0, 50]) {
      const quote = await quoteInitialBuy(client, { configVersion: 1, tokenAmount: tokens, slippageBps });
      cases.push({ input: { tokens, slippageBps }, expected: { cost: quote.costLamports } });
    }
  const input = { config: encodeProtocolConfig(createSampleConfig(1)) };
  return {
    id: 'purchases in a launch',
    check: 'initial-purchase',
    facts: ['M initial purchase'],
    input,
    cases,
  };
}

function liquidity(): Vector[] {
  const state = { reserveA: 400_000_000_000_001n, reserveB: 399_999_999_999n, lpSupply: 12_649_110_640_673n };
  const pool = { reserve_a: state.reserveA, reserve_b: state.reserveB, lp_total: state.lpSupply };
  const vector = (kind: string, input: Fields, cases: readonly (readonly [object, object])[]): Vector => ({
    id: `liquidity: ${kind}`,
    check: 'liquidity',
    facts: ['I arguments of deposits and withdrawals'],
    assumptions: ['A8'],
    input: { liquidity: kind, ...input },
    cases: cases.map(([own, expected]) => ({ input: { ...own }, expected })),
  });
  const limits = [1_000n, 1_000_000_007n, 2n ** 53n + 1n].flatMap((amount) => [
    { maxTokenA: amount },
    { maxTokenB: amount },
    { maxTokenA: amount * 1_000n, maxTokenB: amount },
  ]);
  const positions = [
    {
      lpTokenBalance: 1_000_000_007n,
      rewardDebt: 0n,
      pendingFees: 5n,
      accumulatedFeePerLpToken: 999_999_999n,
    },
    {
      lpTokenBalance: 2n ** 53n + 1n,
      rewardDebt: 17n,
      pendingFees: 0n,
      accumulatedFeePerLpToken: 10n ** 12n,
    },
    { lpTokenBalance: 10n, rewardDebt: 10_000n, pendingFees: 3n, accumulatedFeePerLpToken: 1n },
  ];
  const firsts = [
    { tokenA: 4_000_000n, tokenB: 1_000_000n },
    { tokenA: 2n ** 53n + 1n, tokenB: 3n },
    { tokenA: U64_MAX, tokenB: U64_MAX },
  ];
  return [
    vector(
      'deposit',
      pool,
      limits.map((limit) => [limit, computeDeposit(state, limit)]),
    ),
    vector(
      'withdraw',
      pool,
      [1n, 1_000_000_007n, state.lpSupply].map((lpTokens) => [
        { lpTokens },
        computeWithdrawal(state, lpTokens),
      ]),
    ),
    vector(
      'first',
      {},
      firsts.map((one) => [one, { lpTokens: computeInitialLpTokens(one.tokenA, one.tokenB) }]),
    ),
    vector(
      'fees',
      {},
      positions.map((one) => [one, { pendingFees: computePendingFees(one, one.accumulatedFeePerLpToken) }]),
    ),
  ];
}

export async function quoteVectors(ledger: EmbeddedLedger): Promise<Vector[]> {
  const { global, local, proLocal, launch, drained, large, withheld, noted, unnoted } = createScenes(ledger);
  const some = (id: string, scene: Scene, assumptions: Assumption[] = ['A7']) =>
    quotes(
      id,
      scene,
      assumptions,
      asksOf(scene).filter((_, index) => index % 3 === 0),
    );
  const { tokenA, tokenB } = drained.state.reserve;
  // At 150 basis points.
  const fillsB = ((U64_MAX - large.state.reserve.tokenB) * 10_000n) / 9_850n;
  const fills = (tokenA * 1_001n) / (tokenB - 1_001n) + 1n;
  return [
    quotes('a standard pool, Global', global),
    quotes('a standard pool, Local', local),
    quotes('a pro pool, Local', proLocal, PRO),
    quotes('the first slot of a launch', launch),
    some("a window's last slot, noted reserves better", noted('better', SLOT + 3n)),
    some("a window's last slot, noted reserves worse", noted('worse', SLOT + 3n)),
    some('the first slot after a window', noted('worse', SLOT + 4n)),
    some('the last slot before a window', noted('worse', SLOT - 1n)),
    some("the last slot of two leaders' window", noted('worse', SLOT + 7n, 2)),
    some("the last slot of no leader's window", noted('worse', SLOT + 3n, 0)),
    some('a window without noted reserves', unnoted),
    some('the same reserves without the resistant mode', noted('worse', SLOT + 3n, 1, 0), []),
    quotes('a transfer fee of 1.5 %', withheld(150, U64_MAX)),
    some('a transfer fee with a maximum', withheld(9_000, 1_000n), []),
    some('a transfer fee before its epoch', withheld(150, U64_MAX, 837n), []),
    quotes(
      'reserves near the largest u64',
      large,
      [],
      [
        ...asksOf(large),
        ...exactIn('buy', fillsB - 1n, fillsB, fillsB + 1n),
        ...exactIn('sell', U64_MAX - large.state.reserve.tokenA, U64_MAX - large.state.reserve.tokenA + 1n),
      ],
    ),
    quotes(
      '1000 lamports above the virtual SOL',
      drained,
      [],
      exactIn('sell', fills - 2n, fills - 1n, fills, fills + 1n),
    ),
    await purchases(ledger),
    ...liquidity(),
  ];
}
