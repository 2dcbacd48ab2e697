// The charts of a pool: price by size, and its fee schedules. Loaded on demand.
import {
  computeMarketCap,
  type FeeStep,
  type FetchedPoolSnapshot,
  toFeeSchedule,
  toSwapState,
  toUiAmount,
} from 'heaven-pools';

import { drawChart } from './charts.js';
import { byId, element, quiet } from './dom.js';
import { totalBps } from './fee-kinds.js';
import { formatBps, formatCompact, formatPrice, formatUsdCompact, SOL_DECIMALS } from './format.js';
import { averagePrice, pricesBySize, type Side, spotPrice } from './quote.js';

/** What the charts show. */
export interface ChartInput {
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
  drawCapFees(byId('cap-chart'), byMarketCap, Number(computeMarketCap(snapshot)) / 1e6);
  drawSlotFees(byId('slot-chart'), bySlot, Number(offset));
}

const slotsSinceLaunch = ({ slot, createdAtSlot }: FetchedPoolSnapshot): bigint =>
  slot > createdAtSlot ? slot - createdAtSlot : 0n;

function drawPrices(target: HTMLElement, { snapshot, side, amountIn, tokenName }: ChartInput): void {
  const unit = side === 'buy' ? 'SOL' : tokenName;
  const points = pricesBySize(snapshot, side);
  const price = amountIn === undefined ? undefined : averagePrice(snapshot, side, amountIn);
  const decimals = side === 'buy' ? SOL_DECIMALS : snapshot.token.decimals;
  const size = amountIn === undefined ? undefined : Number(toUiAmount(amountIn, decimals));
  const spot = spotPrice(snapshot);
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
      size === undefined || price === undefined
        ? undefined
        : { x: size, y: price, name: `Your trade: ${formatPrice(price)} SOL per token, fees included.` },
    table: {
      head: [`${unit} ${side === 'buy' ? 'spent' : 'sold'}`, 'SOL per token'],
      rows: points.filter((_, index) => index % 4 === 0).map(([x, y]) => [formatCompact(x), formatPrice(y)]),
    },
  });
}

/** The fees by market cap; `cap` is the current one, in dollars. */
export function drawCapFees(
  target: HTMLElement,
  schedule: readonly FeeStep[],
  cap: number | undefined,
): void {
  const caps = totalsOf(schedule, 1e6);
  const bounds = [...caps.flatMap(({ to }) => to ?? []), ...(cap === undefined ? [] : [cap])];
  const range: readonly [number, number] =
    bounds.length === 0 ? [1_000, 1_000_000] : [Math.min(...bounds) / 10, Math.max(...bounds) * 10];
  const now = cap === undefined ? undefined : stepAt(caps, cap);
  drawFees(target, caps, range, {
    description: 'All fees of the exchange by the market cap of the token.',
    xTitle: 'Market cap',
    isLogarithmic: true,
    formatX: formatUsdCompact,
    now:
      cap === undefined || now === undefined
        ? undefined
        : { x: cap, name: `Now, at ${formatUsdCompact(cap)}: ${feesInWords(now)}.` },
    rowName: ({ from, to }) =>
      to === undefined
        ? `${from === 0 ? 'Any' : `From ${formatUsdCompact(from)}`}`
        : `${formatUsdCompact(from)} to ${formatUsdCompact(to)}`,
    head: 'Market cap',
  });
}

/** The fees by slots since the launch; `offset` is the current one. */
export function drawSlotFees(
  target: HTMLElement,
  schedule: readonly FeeStep[],
  offset: number | undefined,
): void {
  const slots = totalsOf(schedule, 1);
  if (slots.length < 2) {
    target.replaceChildren(quiet('No fees here depend on the age of the pool.'));
    return;
  }
  const last = slots.at(-1)?.from ?? 0;
  const end = last * 1.25;
  const now = offset === undefined ? undefined : stepAt(slots, offset);
  const isOpen = offset !== undefined && offset < last;
  drawFees(target, slots, [0, end], {
    description: 'All fees of the exchange in the first slots of the pool.',
    xTitle: 'Slots since the launch',
    isLogarithmic: false,
    formatX: formatCompact,
    now:
      offset === undefined || now === undefined
        ? undefined
        : {
            x: offset,
            name: isOpen
              ? `Now, at slot ${offset}: ${feesInWords(now)}. The launch fees end at slot ${last}.`
              : `Over: this pool is ${formatCompact(offset)} slots old.`,
          },
    rowName: ({ from, to }) => (to === undefined ? `From ${from}` : `${from} to ${to - 1}`),
    head: 'Slots',
  });
}

/** All fees of a step together, from a market cap in dollars or a slot. */
const totalsOf = (steps: readonly FeeStep[], unit: number) =>
  steps.map(({ from, to, buyFees, sellFees }) => ({
    from: Number(from) / unit,
    to: to === undefined ? undefined : Number(to) / unit,
    buyBps: totalBps(buyFees),
    sellBps: totalBps(sellFees),
  }));

type Total = ReturnType<typeof totalsOf>[number];

const stepAt = (steps: readonly Total[], at: number) =>
  steps.find(({ from, to }) => at >= from && (to === undefined || at < to));

const feesInWords = ({ buyBps, sellBps }: Total): string =>
  buyBps === sellBps
    ? `${formatBps(buyBps)} to buy or sell`
    : `${formatBps(buyBps)} to buy, ${formatBps(sellBps)} to sell`;

function drawFees(
  target: HTMLElement,
  steps: readonly Total[],
  [least, most]: readonly [number, number],
  options: Pick<
    Parameters<typeof drawChart>[1],
    'description' | 'xTitle' | 'isLogarithmic' | 'formatX' | 'now'
  > & {
    readonly rowName: (step: Total) => string;
    readonly head: string;
  },
): void {
  const corners = (of: 'buyBps' | 'sellBps') =>
    steps.flatMap((step): [number, number][] => [
      [Math.max(step.from, least), step[of] / 100],
      [Math.min(step.to ?? most, most), step[of] / 100],
    ]);
  drawChart(target, {
    ...options,
    yTitle: 'Percent of the trade',
    startsAtZero: true,
    formatY: (y) => `${formatCompact(y)} %`,
    lines: steps.every(({ buyBps, sellBps }) => buyBps === sellBps)
      ? [{ name: 'Buy and sell', points: corners('buyBps') }]
      : [
          { name: 'Buy', points: corners('buyBps') },
          { name: 'Sell', points: corners('sellBps') },
        ],
    table: {
      head: [options.head, 'Buy', 'Sell'],
      rows: steps.map((step) => [options.rowName(step), formatBps(step.buyBps), formatBps(step.sellBps)]),
    },
  });
}
