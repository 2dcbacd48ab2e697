import type { FeeAmounts } from '../../../math/types.js';
import type { PoolSnapshot } from '../../../pool/decode.js';
import type { PoolAddresses } from '../../../pool/locate.js';
import { windowSlots } from '../../../pool/swap-state.js';
import type { LiquidityPoolState } from '../../../program/accounts.js';
import { parseLogs, type TradeEvent } from '../../../program/events.js';
import type { Predicted, Side, TradeOutcome } from '../predict.js';
import { choicesOf, type QuestionId, rulesOf } from '../questions.js';
import type { Ran } from '../stage.js';

/** A trade whose amounts are as computed, and the pool before and after it. */
export interface SeenTrade {
  readonly side: Side;
  /** As observations of its amounts are grouped. */
  readonly kind: string;
  readonly snapshot: PoolSnapshot;
  readonly before: LiquidityPoolState;
  readonly after: LiquidityPoolState;
  readonly ran: Ran;
  readonly addresses: PoolAddresses;
}

/** Something else that a trade shows. */
export interface Fact {
  readonly fact: QuestionId;
  readonly kind: string;
  readonly found: string;
  /** The questions that it may depend on. */
  readonly asked: readonly QuestionId[];
  /** Per combination of answers, what is expected: several where the answers leave something open. */
  readonly predicted: readonly Predicted<readonly string[]>[];
}

type Outcomes = readonly Predicted<readonly TradeOutcome[]>[];

/** An outcome whose fees are known. */
type Counted = TradeOutcome & { readonly fees: FeeAmounts };

const isCounted = (outcome: TradeOutcome): outcome is Counted => outcome.fees !== undefined;

/** What a trade shows besides its amounts. */
export function factsOf(seen: SeenTrade, outcomes: Outcomes, asked: readonly QuestionId[]): readonly Fact[] {
  const by = (text: (outcome: Counted) => string) =>
    outcomes.map(({ choice, value }) => ({ choice, value: value.filter(isCounted).map(text) }));
  return [
    { fact: 'counters', kind: `counters of a ${seen.kind}`, asked, ...countersOf(seen, by) },
    ...eventOf(seen, by).map(
      (event): Fact => ({ fact: 'event', kind: `event of a ${seen.kind}`, asked, ...event }),
    ),
    ...windowOf(seen),
    ...feesPerLpTokenOf(seen, outcomes, asked),
  ];
}

type By = (text: (outcome: Counted) => string) => Fact['predicted'];
type Told = Pick<Fact, 'found' | 'predicted'>;

const COUNTERS = {
  protocol: 'protocolTradingFees',
  creator: 'creatorTradingFees',
  liquidityProvider: 'liquidityProviderTradingFees',
  creatorProtocol: 'creatorTradingFeeProtocolFees',
  reflection: 'reflectionTradingFees',
} as const satisfies { readonly [type in keyof FeeAmounts]: keyof LiquidityPoolState };

const countersText = (of: (type: keyof FeeAmounts) => bigint, volume: number) =>
  `${(Object.keys(COUNTERS) as (keyof FeeAmounts)[]).map((type) => `${type} +${of(type)}`).join(', ')} lamports; volume ${volume} USD`;

function countersOf(seen: SeenTrade, by: By): Told {
  const { before, after, snapshot } = seen;
  const volumeBy = (outcome: TradeOutcome) =>
    before.tradingVolumeUsd + (Number(grossLamports(seen, outcome)) / 1e9) * priceOf(snapshot);
  let volume = after.tradingVolumeUsd;
  const predicted = by((outcome) => {
    const computed = volumeBy(outcome);
    // The last digits depend on the order of the operations.
    if (Math.abs(computed - after.tradingVolumeUsd) <= 1e-9 * Math.abs(computed)) volume = computed;
    return countersText((type) => outcome.fees[type], computed);
  });
  const found = countersText((type) => after[COUNTERS[type]] - before[COUNTERS[type]], volume);
  return { found, predicted };
}

/** What goes through the curve on the SOL side, with the fees on that side. */
const grossLamports = ({ side, before }: SeenTrade, { amountIn, reserveBAfter }: TradeOutcome) =>
  side === 'buy' ? amountIn : before.reserve.tokenB - reserveBAfter;

const priceOf = ({ solPrice }: PoolSnapshot) => Number(solPrice.answer) / 10 ** solPrice.decimals;

type Fields = { readonly [name in keyof TradeEvent]?: string };

/** The fields of the event whose meaning is known: whether a buy's `quoteIn` is gross or net is not. */
function eventOf(seen: SeenTrade, by: By): readonly Told[] {
  const { snapshot, ran, addresses } = seen;
  const { events, truncated } = parseLogs(ran.logs, addresses);
  const event = events.find(({ name }) => name === 'TradeEvent')?.data as TradeEvent | undefined;
  if (event === undefined && truncated) return [];
  const price = (usd: number) => usd.toFixed(snapshot.solPrice.decimals);
  const fieldsBy = (outcome: Counted): Fields => ({
    baseReserve: `${outcome.reserveAAfter}`,
    quoteReserve: `${outcome.reserveBAfter}`,
    totalFeePaid: `${Object.values(outcome.fees).reduce((sum, fee) => sum + fee, 0n)}`,
    ...(event !== undefined && event.priceSolUsd === undefined
      ? {}
      : { priceSolUsd: price(priceOf(snapshot)), ...directionsOf(seen, outcome) }),
  });
  const text = (fields: Fields) =>
    Object.entries(fields)
      .map(([name, value]) => `${name} ${value}`)
      .join(', ');
  let names: readonly string[] = [];
  const predicted = by((outcome) => {
    const fields = fieldsBy(outcome);
    names = Object.keys(fields);
    return text(fields);
  });
  const found = (name: string, value: bigint | number | undefined) =>
    name === 'priceSolUsd' ? price(Number(value)) : `${value}`;
  return [
    {
      found:
        event === undefined
          ? 'no event'
          : text(
              Object.fromEntries(names.map((name) => [name, found(name, event[name as keyof TradeEvent])])),
            ),
      predicted,
    },
  ];
}

/** With a transfer fee, it isn't known whether the amount before or behind it is meant. */
function directionsOf(seen: SeenTrade, outcome: TradeOutcome): Fields {
  const { amountIn, amountOut, transferFee } = outcome;
  const tokens = (name: 'baseIn' | 'baseOut', amount: bigint): Fields =>
    transferFee > 0n ? {} : { [name]: `${amount}` };
  return seen.side === 'buy'
    ? { baseIn: '0', quoteOut: '0', ...tokens('baseOut', amountOut) }
    : {
        baseOut: '0',
        quoteIn: '0',
        quoteOut: `${grossLamports(seen, outcome)}`,
        ...tokens('baseIn', amountIn),
      };
}

/** What a sandwich-resistant pool notes at the beginning of a window. */
function windowOf({ snapshot, before: { reserve }, after }: SeenTrade): readonly Fact[] {
  if (!snapshot.isSandwichResistant) return [];
  const text = ({ snapshotSlot, snapshotA, snapshotB }: LiquidityPoolState['reserve']) =>
    `noted at slot ${snapshotSlot}: ${snapshotA} units, ${snapshotB} lamports`;
  const asked = ['A7.length'] as const;
  const predicted = choicesOf(asked).map((choice) => {
    const slots = windowSlots(snapshot.window.slots, rulesOf(choice));
    const window = snapshot.slot / slots;
    const isNew = reserve.snapshotSlot / slots !== window;
    const noted = { snapshotSlot: window * slots, snapshotA: reserve.tokenA, snapshotB: reserve.tokenB };
    return { choice, value: [text(isNew ? { ...reserve, ...noted } : reserve)] };
  });
  return [{ fact: 'counters', kind: 'start of a window', asked, found: text(after.reserve), predicted }];
}

/** What a trade adds to the fees per LP token, where that depends on their unit alone. */
function feesPerLpTokenOf(
  { kind, before, after }: SeenTrade,
  outcomes: Outcomes,
  asked: readonly QuestionId[],
): readonly Fact[] {
  const supply = before.lpToken.supply.total;
  const hasFees = outcomes.some(({ value }) =>
    value.some(({ fees }) => (fees?.liquidityProvider ?? 0n) > 0n),
  );
  if (supply === 0n || !hasFees) return [];
  const text = (added: bigint) => `+${added} per LP token`;
  const units = choicesOf(['A8.scale']).map((choice) => ({
    choice,
    unit: rulesOf(choice).feePerLpTokenUnit,
  }));
  const predicted = units.flatMap(({ choice: unitChoice, unit }) =>
    outcomes.map(({ choice, value }) => ({
      choice: { ...choice, ...unitChoice },
      value: value.filter(isCounted).map(({ fees }) => text((fees.liquidityProvider * unit) / supply)),
    })),
  );
  const found = text(after.reserve.accumulatedFeePerLpToken - before.reserve.accumulatedFeePerLpToken);
  return [
    {
      fact: 'counters',
      kind: `fees per LP token of a ${kind}`,
      asked: [...asked, 'A8.scale'],
      found,
      predicted,
    },
  ];
}
