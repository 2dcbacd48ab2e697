// The charts of a pool: price by size, and its fee schedules. Loaded on demand.
import {
  computeMarketCap,
  type FeeStep,
  type FetchedPoolSnapshot,
  feeStepAt,
  sumFees,
  toFeeSchedule,
  toPriceCurve,
  toSpotPrice,
  toSwapState,
  toUiAmount,
} from 'heaven-pools';

import { type Chart, drawChart } from './charts.js';
import { byId, element, quiet } from './dom.js';
import { formatBps, formatCompact, formatPrice, formatUsdCompact, SOL_DECIMALS } from './format.js';
import type { Side } from './quote.js';

/** Market caps are in millionths of a dollar. */
const MICRO = 1e6;

/** What the charts show. */
interface ChartInput {
  readonly snapshot: FetchedPoolSnapshot;
  readonly side: Side;
  /** The typed amount, if it is valid. */
  readonly amountIn: bigint | undefined;
  readonly tokenName: string;
}

let drawn = '';

export function clearCharts(isLoading: boolean): void {
  drawn = '';
  for (const id of ['price-chart', 'cap-chart', 'slot-chart'])
    byId(id).replaceChildren(
      isLoading
        ? element('p', { class: 'skeleton tall' }, 'Reading the pool…')
        : quiet('Choose a token to see this.'),
    );
}

/** Draws the charts again if what they show has changed. */
export function renderCharts(input: ChartInput): void {
  const { snapshot, side, amountIn } = input;
  const { buyFees, sellFees, windowReserves } = toSwapState(snapshot);
  const offset = slotsSinceLaunch(snapshot);
  const key = [
    snapshot.addresses.pool,
    side,
    amountIn,
    snapshot.reserveA,
    snapshot.reserveB,
    snapshot.solPrice.answer,
    windowReserves?.reserveA,
    ...Object.values(buyFees),
    ...Object.values(sellFees),
    offset > 1_000n ? '' : offset,
  ].join();
  if (key === drawn) return;
  drawn = key;
  drawPrices(byId('price-chart'), input);
  const { byMarketCap, bySlot } = toFeeSchedule(snapshot);
  drawCapFees(byId('cap-chart'), byMarketCap, computeMarketCap(snapshot));
  drawSlotFees(byId('slot-chart'), bySlot, offset);
}

const slotsSinceLaunch = ({ slot, createdAtSlot }: FetchedPoolSnapshot): bigint =>
  slot > createdAtSlot ? slot - createdAtSlot : 0n;

function drawPrices(target: HTMLElement, { snapshot, side, amountIn, tokenName }: ChartInput): void {
  const unit = side === 'buy' ? 'SOL' : tokenName;
  const decimals = side === 'buy' ? SOL_DECIMALS : snapshot.token.decimals;
  const pointsOf = (amountsIn?: readonly bigint[]) =>
    toPriceCurve(snapshot, side, { amountsIn }).map(
      ({ amountIn, solPerToken }) => [Number(toUiAmount(amountIn, decimals)), solPerToken] as const,
    );
  const points = pointsOf();
  const [own] = amountIn === undefined ? [] : pointsOf([amountIn]);
  const { solPerToken: spot } = toSpotPrice(snapshot);
  if (points.length < 2) {
    target.replaceChildren(quiet('The fees leave nothing of a trade now.'));
    return;
  }
  const [first, last] = [points[0] as readonly [number, number], points.at(-1) as readonly [number, number]];
  drawChart(target, {
    description: `What a token ${side === 'buy' ? 'costs' : 'brings'} on average, all fees included, by the size of the ${side}: from ${formatPrice(first[1])} SOL to ${formatPrice(last[1])} SOL.`,
    xTitle: `${unit} ${side === 'buy' ? 'spent' : 'sold'}`,
    yTitle: 'SOL per token',
    isLogarithmic: true,
    lines: [
      { name: 'Your price, fees included', points },
      {
        name: 'Price in the pool now',
        points: [
          [first[0], spot],
          [last[0], spot],
        ],
      },
    ],
    formatX: formatCompact,
    formatY: formatPrice,
    now:
      own === undefined
        ? undefined
        : { x: own[0], y: own[1], name: `Your trade: ${formatPrice(own[1])} SOL per token, fees included.` },
    table: {
      head: [`${unit} ${side === 'buy' ? 'spent' : 'sold'}`, 'SOL per token'],
      rows: points.filter((_, index) => index % 4 === 0).map(([x, y]) => [formatCompact(x), formatPrice(y)]),
    },
  });
}

/** The fees by market cap; `cap` is the current one, in millionths of a dollar. */
export function drawCapFees(target: HTMLElement, steps: readonly FeeStep[], cap: bigint | undefined): void {
  const inUsd = (amount: bigint) => formatUsdCompact(Number(amount) / MICRO);
  const bounds = [...steps.map(({ to }) => to), cap]
    .flatMap((bound) => bound ?? [])
    .map((one) => Number(one) / MICRO);
  drawFees(target, steps, {
    description: 'All fees of the exchange by the market cap of the token.',
    xTitle: 'Market cap',
    unit: MICRO,
    range: bounds.length === 0 ? [1_000, 1_000_000] : [Math.min(...bounds) / 10, Math.max(...bounds) * 10],
    isLogarithmic: true,
    formatX: formatUsdCompact,
    at: cap,
    now: (fees) => `Now, at ${inUsd(cap ?? 0n)}: ${fees}.`,
    rowName: ({ from, to }) =>
      to === undefined ? (from === 0n ? 'Any' : `From ${inUsd(from)}`) : `${inUsd(from)} to ${inUsd(to)}`,
  });
}

/** The fees by slots since the launch; `offset` is the current one. */
export function drawSlotFees(
  target: HTMLElement,
  steps: readonly FeeStep[],
  offset: bigint | undefined,
): void {
  const last = steps.at(-1)?.from ?? 0n;
  if (steps.length < 2) {
    target.replaceChildren(quiet('No fees here depend on the age of the pool.'));
    return;
  }
  drawFees(target, steps, {
    description: 'All fees of the exchange in the first slots of the pool.',
    xTitle: 'Slots since the launch',
    unit: 1,
    range: [0, Number(last) * 1.25],
    isLogarithmic: false,
    formatX: formatCompact,
    at: offset,
    now: (fees) =>
      (offset ?? 0n) < last
        ? `Now, at slot ${offset}: ${fees}. The launch fees end at slot ${last}.`
        : `Over: this pool is ${formatCompact(Number(offset))} slots old.`,
    rowName: ({ from, to }) => (to === undefined ? `From ${from}` : `${from} to ${to - 1n}`),
  });
}

const isSameBothWays = ({ buyFees, sellFees }: FeeStep) => sumFees(buyFees) === sumFees(sellFees);

function feesInWords(step: FeeStep): string {
  const [buy, sell] = [formatBps(sumFees(step.buyFees)), formatBps(sumFees(step.sellFees))];
  return isSameBothWays(step) ? `${buy} to buy or sell` : `${buy} to buy, ${sell} to sell`;
}

function drawFees(
  target: HTMLElement,
  steps: readonly FeeStep[],
  {
    unit,
    range: [least, most],
    at,
    now,
    rowName,
    ...chart
  }: Pick<Chart, 'description' | 'xTitle' | 'isLogarithmic' | 'formatX'> & {
    /** How many units of the steps are 1 on the axis. */
    readonly unit: number;
    readonly range: readonly [number, number];
    /** Where the pool is now, in the unit of the steps, and what that means. */
    readonly at: bigint | undefined;
    readonly now: (fees: string) => string;
    readonly rowName: (step: FeeStep) => string;
  },
): void {
  const corners = (side: 'buyFees' | 'sellFees') =>
    steps.flatMap(({ from, to, [side]: fees }): [number, number][] => {
      const percent = Number(sumFees(fees)) / 100;
      return [
        [Math.max(Number(from) / unit, least), percent],
        [to === undefined ? most : Number(to) / unit, percent],
      ];
    });
  const step = at === undefined ? undefined : feeStepAt(steps, at);
  drawChart(target, {
    ...chart,
    now: step && { x: Number(at) / unit, name: now(feesInWords(step)) },
    yTitle: 'Percent of the trade',
    startsAtZero: true,
    formatY: (y) => `${formatCompact(y)} %`,
    lines: steps.every(isSameBothWays)
      ? [{ name: 'Buy and sell', points: corners('buyFees') }]
      : [
          { name: 'Buy', points: corners('buyFees') },
          { name: 'Sell', points: corners('sellFees') },
        ],
    table: {
      head: [chart.xTitle, 'Buy', 'Sell'],
      rows: steps.map((one) => [
        rowName(one),
        formatBps(sumFees(one.buyFees)),
        formatBps(sumFees(one.sellFees)),
      ]),
    },
  });
}
