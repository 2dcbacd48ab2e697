import type { FeeAmounts } from '../../../math/types.js';
import type { PoolSnapshot } from '../../../pool/decode.js';
import type { PoolAddresses } from '../../../pool/locate.js';
import { windowSlots } from '../../../pool/swap-state.js';
import type { LiquidityPoolState } from '../../../program/accounts.js';
import { parseLogs, type TradeEvent } from '../../../program/events.js';
import type { Predicted, Side, TradeOutcome } from '../predict.js';
import { choicesOf, type ProofQuestionId, rulesOf } from '../questions.js';
import type { Ran } from '../stage.js';
import { changesOf, listed } from './scene.js';

/** A trade whose amounts match the computed ones, and the pool before and after it. */
export interface SeenTrade {
  readonly side: Side;
  readonly snapshot: PoolSnapshot;
  readonly before: LiquidityPoolState;
  readonly after: LiquidityPoolState;
  readonly ran: Ran;
  readonly addresses: PoolAddresses;
}

/** A fact that a trade shows besides its amounts. */
export interface Fact {
  readonly fact: ProofQuestionId;
  /** {@link ProofObservation.decides} */
  readonly decides?: ProofQuestionId;
  readonly kind: string;
  readonly found: string;
  /** What each combination of answers expects: several values if the answers leave something open. */
  readonly predicted: readonly Predicted<readonly string[]>[];
}

/** An outcome whose fees are known. */
export type Counted = TradeOutcome & { readonly fees: FeeAmounts };

/**
 * What a trade shows besides its amounts.
 *
 * @param outcomes Those that fit its amounts. Any of them may be right.
 */
export const factsOf = (seen: SeenTrade, outcomes: readonly Counted[]): readonly Fact[] => [
  countersOf(seen, outcomes),
  restOf(seen),
  ...eventOf(seen, outcomes),
  ...windowOf(seen),
  ...feesPerLpTokenOf(seen, outcomes),
];

/** What every combination of answers expects. */
const expected = (texts: readonly string[]): Fact['predicted'] => [
  { choice: {}, value: [...new Set(texts)] },
];

const COUNTERS = {
  protocol: 'protocolTradingFees',
  creator: 'creatorTradingFees',
  liquidityProvider: 'liquidityProviderTradingFees',
  creatorProtocol: 'creatorTradingFeeProtocolFees',
  reflection: 'reflectionTradingFees',
} as const satisfies { readonly [type in keyof FeeAmounts]: keyof LiquidityPoolState };

const countersText = (of: (type: keyof FeeAmounts) => bigint, volume: number) =>
  `${(Object.keys(COUNTERS) as (keyof FeeAmounts)[]).map((type) => `${type} +${of(type)}`).join(', ')} lamports; volume ${volume} USD`;

function countersOf(seen: SeenTrade, outcomes: readonly Counted[]): Fact {
  const { before, after, snapshot } = seen;
  const { tradingVolumeUsd: found } = after;
  const volumeBy = (outcome: TradeOutcome) => {
    const gross = Number(grossLamports(seen, outcome)) / 1e9;
    const computed = before.tradingVolumeUsd + gross * priceOf(snapshot);
    // The last digits depend on the order of the operations.
    return Math.abs(computed - found) <= 1e-9 * Math.abs(computed) ? found : computed;
  };
  return {
    fact: 'counters',
    kind: 'counters',
    found: countersText((type) => after[COUNTERS[type]] - before[COUNTERS[type]], found),
    predicted: expected(
      outcomes.map((outcome) => countersText((type) => outcome.fees[type], volumeBy(outcome))),
    ),
  };
}

/** The other pool fields that quotes and builders use. No trade changes them. */
function restOf({ before, after }: SeenTrade): Fact {
  const rest = ({ info, reserve, lpToken, allowlist, featureFlags, ...state }: LiquidityPoolState) => ({
    info,
    initial: [reserve.initialA, reserve.initialB, reserve.leaderSlotWindow],
    lpTokens: lpToken.supply,
    switches: { ...allowlist, ...featureFlags, feeConfigurationMode: state.feeConfigurationMode },
    fees: [state.marketCapBasedFees, state.slotOffsetBasedFees],
    receiver: state.creatorTradingFeeReceiver,
  });
  const changed = changesOf(rest(before), rest(after));
  return {
    fact: 'counters',
    kind: 'rest of the pool',
    found: changed.length === 0 ? 'nothing else' : changed.join(', '),
    predicted: expected(['nothing else']),
  };
}

/** The SOL that goes through the curve, including the fees on that side. */
const grossLamports = ({ side, before }: SeenTrade, { amountIn, reserveBAfter }: TradeOutcome) =>
  side === 'buy' ? amountIn : before.reserve.tokenB - reserveBAfter;

const priceOf = ({ solPrice }: PoolSnapshot) => Number(solPrice.answer) / 10 ** solPrice.decimals;

type Fields = { readonly [name in keyof TradeEvent]?: string };

/** The event's fields whose meaning is known. It is unknown whether a buy's `quoteIn` is gross or net. */
function eventOf(seen: SeenTrade, outcomes: readonly Counted[]): readonly Fact[] {
  const { snapshot, ran, addresses } = seen;
  const { events, truncated } = parseLogs(ran.logs, addresses);
  const trades = events.filter(({ name }) => name === 'TradeEvent');
  const event = trades[0]?.data as TradeEvent | undefined;
  if (event === undefined && truncated) return [];
  const price = (usd: number) => usd.toFixed(snapshot.solPrice.decimals);
  const isEarly = event !== undefined && event.priceSolUsd === undefined;
  const fields = outcomes.map(
    (outcome): Fields => ({
      baseReserve: `${outcome.reserveAAfter}`,
      quoteReserve: `${outcome.reserveBAfter}`,
      totalFeePaid: `${Object.values(outcome.fees).reduce((sum, fee) => sum + fee, 0n)}`,
      ...(isEarly ? {} : { priceSolUsd: price(priceOf(snapshot)), ...directionsOf(seen, outcome) }),
    }),
  );
  const logged = (name: string) =>
    name === 'priceSolUsd' ? price(event?.priceSolUsd ?? 0) : `${event?.[name as keyof TradeEvent]}`;
  const names = Object.keys(fields[0] ?? {});
  const found =
    event === undefined || trades.length > 1
      ? `${trades.length} events`
      : listed(Object.fromEntries(names.map((name) => [name, logged(name)])));
  return [{ fact: 'event', kind: 'event', found, predicted: expected(fields.map(listed)) }];
}

/** With a transfer fee, it is unknown whether the amount includes it. */
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

/** What a sandwich-resistant pool stores at the beginning of a window. */
function windowOf({ snapshot, before: { reserve }, after }: SeenTrade): readonly Fact[] {
  if (!snapshot.isSandwichResistant) return [];
  const text = ({ snapshotSlot, snapshotA, snapshotB }: LiquidityPoolState['reserve']) =>
    `noted at slot ${snapshotSlot}: ${snapshotA} units, ${snapshotB} lamports`;
  const predicted = choicesOf(['A7.length']).map((choice) => {
    const slots = windowSlots(snapshot.window.slots, rulesOf(choice));
    const window = snapshot.slot / slots;
    const isNew = reserve.snapshotSlot / slots !== window;
    const noted = { snapshotSlot: window * slots, snapshotA: reserve.tokenA, snapshotB: reserve.tokenB };
    return { choice, value: [text(isNew ? { ...reserve, ...noted } : reserve)] };
  });
  const found = text(after.reserve);
  return [{ fact: 'counters', decides: 'A7.length', kind: 'start of a window', found, predicted }];
}

/** What a trade adds to the fees per LP token. */
function feesPerLpTokenOf({ before, after }: SeenTrade, outcomes: readonly Counted[]): readonly Fact[] {
  const supply = before.lpToken.supply.total;
  if (supply === 0n || outcomes.every(({ fees }) => fees.liquidityProvider === 0n)) return [];
  const text = (added: bigint) => `+${added} per LP token`;
  const predicted = choicesOf(['A8.scale']).map((choice) => {
    const { feePerLpTokenUnit: unit } = rulesOf(choice);
    const texts = outcomes.map(({ fees }) => text((fees.liquidityProvider * unit) / supply));
    return { choice, value: [...new Set(texts)] };
  });
  const found = text(after.reserve.accumulatedFeePerLpToken - before.reserve.accumulatedFeePerLpToken);
  return [{ fact: 'counters', decides: 'A8.scale', kind: 'fees per LP token', found, predicted }];
}
