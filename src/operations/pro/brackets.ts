import { HeavenError } from '../../base/errors.js';
import { type HeavenWarning, warnIf } from '../../base/warnings.js';
import {
  type FeeBracket,
  type FeeBrackets,
  type FeeBracketsParams,
  MAX_FEE_BRACKETS,
  MAX_MARKET_CAP_BOUND,
  MAX_SLOT_FEE_BRACKETS,
  type SlotFeeBracket,
  type SlotFeeBrackets,
  type SlotFeeBracketsParams,
} from '../../program/types.js';

const MAX_BPS = 10_000;

/**
 * [Assumption A12](/protocol#assumptions): without a list (`None` on chain) a new pro pool takes its reflection and LP fee
 * from the config; the alternative is a fee of 0 %. The documented default is 0 %, so the builders never leave a list out: no
 * list, and an empty one, are sent as
 * this one bracket, which means 0 % either way.
 */
const NO_FEE: readonly FeeBracket[] = [
  { marketCapUpperBound: MAX_MARKET_CAP_BOUND, buyFeeBps: 0, sellFeeBps: 0 },
];

/** Fees by slots since the launch. */
export interface SlotFeeConfiguration {
  /** From the first slots on; each up to and including `slotOffsetUpperbound`. */
  readonly brackets: readonly SlotFeeBracket[];
  /**
   * The last slot offset of the window, at least the last bracket's bound. After the last bracket, the fee by market cap
   * applies.
   */
  readonly maxSlotOffset: number;
  /** The highest fee in basis points, at least that of the brackets. */
  readonly maxFeeBps: number;
  /** Whether the schedule is in force. */
  readonly enabled: boolean;
}

/**
 * Rejects market cap brackets that contradict each other: bounds must strictly ascend, up to the catch-all, and fees are at most 10000
 * basis points.
 */
export function assertBrackets(brackets: readonly FeeBracket[], field: string): void {
  assertEach(brackets, 'marketCapUpperBound', field, (bound, path) => {
    if (bound > MAX_MARKET_CAP_BOUND)
      throw unusable(
        field,
        `marketCapUpperBound of ${path} is over the highest one, ${MAX_MARKET_CAP_BOUND}`,
      );
  });
}

/**
 * Rejects a slot schedule that contradicts itself: bounds that don't ascend, or maxima under those of the brackets.
 *
 * @param prefix Of its fields in errors: empty, or the field that it is in and a point.
 */
export function assertSlotConfiguration(configuration: SlotFeeConfiguration, prefix: string): void {
  const { brackets, maxSlotOffset, maxFeeBps, enabled } = configuration;
  const list = `${prefix}brackets`;
  if (enabled && brackets.length === 0) throw unusable(list, 'an enabled schedule needs at least one');
  assertEach(brackets, 'slotOffsetUpperbound', list);
  const last = brackets.at(-1)?.slotOffsetUpperbound ?? 0;
  if (maxSlotOffset < last)
    throw unusable(list, `maxSlotOffset is ${maxSlotOffset}, but the last bracket ends at ${last}`);
  const highest = Math.max(0, ...brackets.flatMap(({ buyFeeBps, sellFeeBps }) => [buyFeeBps, sellFeeBps]));
  if (maxFeeBps < highest)
    throw unusable(list, `maxFeeBps is ${maxFeeBps}, but the highest fee is ${highest}`);
  assertFee(`${prefix}maxFeeBps`, maxFeeBps, MAX_BPS);
}

/** Rejects the fees of checked brackets that are over a maximum. */
export function assertBracketFees(brackets: readonly Fees[], field: string, maxBps: number): void {
  for (const [index, bracket] of brackets.entries()) assertFees(`${field}[${index}]`, bracket, maxBps);
}

/** Rejects the fees of a checked slot schedule that are over a maximum. */
export function assertSlotFees(
  { brackets, maxFeeBps }: SlotFeeConfiguration,
  prefix: string,
  maxBps: number,
): void {
  assertBracketFees(brackets, `${prefix}brackets`, maxBps);
  assertFee(`${prefix}maxFeeBps`, maxFeeBps, maxBps);
}

const unusable = (field: string, reason: string) =>
  new HeavenError('invalid-fees', `${field} can't be used: ${reason}.`, { field, reason });

/** Rejects brackets whose bounds don't ascend or whose fees are too high. */
function assertEach<TBound extends string, TValue extends bigint | number>(
  brackets: readonly (Readonly<Record<TBound, TValue>> & Fees)[],
  bound: TBound,
  field: string,
  assertBound?: (value: TValue, path: string) => void,
): void {
  for (const [index, bracket] of brackets.entries()) {
    const path = `${field}[${index}]`;
    const before = brackets[index - 1];
    if (before !== undefined && bracket[bound] <= before[bound])
      throw unusable(field, `${bound} of ${path} does not ascend`);
    assertBound?.(bracket[bound], path);
    assertFees(path, bracket, MAX_BPS);
  }
}

interface Fees {
  readonly buyFeeBps: number;
  readonly sellFeeBps: number;
}

function assertFees(path: string, { buyFeeBps, sellFeeBps }: Fees, maxBps: number): void {
  assertFee(`${path}.buyFeeBps`, buyFeeBps, maxBps);
  assertFee(`${path}.sellFeeBps`, sellFeeBps, maxBps);
}

function assertFee(field: string, feeBps: number, maxFeeBps: number): void {
  if (feeBps <= maxFeeBps) return;
  const reason = `is ${feeBps} basis points, but at most ${maxFeeBps} are allowed`;
  throw new HeavenError('invalid-fees', `${field} ${reason}.`, {
    field,
    reason: `it ${reason}`,
    feeBps,
    maxFeeBps,
  });
}

/** A warning of brackets that end at a market cap: the last one is sent as the catch-all. */
export function endingBrackets(
  brackets: readonly FeeBracket[] | null | undefined,
  field: string,
): readonly HeavenWarning[] {
  const { length = 0 } = brackets ?? {};
  const bound = brackets?.at(-1)?.marketCapUpperBound ?? MAX_MARKET_CAP_BOUND;
  return warnIf(
    bound !== MAX_MARKET_CAP_BOUND,
    'no-catch-all',
    `${field}[${length - 1}].marketCapUpperBound is ${bound}, but the last bracket's fees apply above that too: the transaction sets its bound to ${MAX_MARKET_CAP_BOUND}. For other fees above it, add a bracket with that bound.`,
  );
}

/** Brackets as the setters take them: a fixed array of four. */
export function toFeeBrackets(brackets: readonly FeeBracket[]): FeeBrackets {
  const params = toFeeBracketsParams(brackets);
  const unused = { marketCapUpperBound: 0n, buyFeeBps: 0, sellFeeBps: 0 };
  return { ...params, brackets: filled(params.brackets, MAX_FEE_BRACKETS, unused) };
}

/** Brackets as pool creation takes them. The last one covers every market cap, as the program reads it. */
export function toFeeBracketsParams(brackets: readonly FeeBracket[] | null | undefined): FeeBracketsParams {
  const last = brackets?.at(-1);
  const complete =
    !brackets || last === undefined
      ? NO_FEE
      : [...brackets.slice(0, -1), { ...last, marketCapUpperBound: MAX_MARKET_CAP_BOUND }];
  return { brackets: complete, count: complete.length };
}

/** A slot schedule as the setter takes it: a fixed array of 42. */
export function toSlotFeeBrackets(configuration: SlotFeeConfiguration): SlotFeeBrackets {
  const params = toSlotFeeBracketsParams(configuration);
  const unused = { buyFeeBps: 0, sellFeeBps: 0, slotOffsetUpperbound: 0 };
  return { ...params, brackets: filled(params.brackets, MAX_SLOT_FEE_BRACKETS, unused) };
}

/** A slot schedule as pool creation takes it. */
export const toSlotFeeBracketsParams = ({
  brackets,
  maxSlotOffset,
  maxFeeBps,
  enabled,
}: SlotFeeConfiguration): SlotFeeBracketsParams => ({
  brackets,
  maxSlotOffset,
  maxFeeBps,
  count: brackets.length,
  enabled: enabled ? 1 : 0,
});

const filled = <TItem>(items: readonly TItem[], length: number, empty: TItem): TItem[] =>
  Array.from({ length }, (_, index) => items[index] ?? empty);
