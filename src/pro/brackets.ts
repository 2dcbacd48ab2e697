import { HeavenError } from '../errors.js';
import {
  type FeeBracket,
  type FeeBrackets,
  type FeeBracketsParams,
  feeBracketSchema,
  type SlotFeeBracket,
  type SlotFeeBrackets,
  type SlotFeeBracketsParams,
  slotFeeBracketSchema,
} from '../program/types.js';
import { assertMatches } from '../solana/codec.js';
import type { Warning } from '../warnings.js';

/** The bound of the last bracket: the maximum int64 (level D). */
const CATCH_ALL_BOUND = 0x7fff_ffff_ffff_ffffn;
const MOST_BRACKETS = 4;
const MOST_SLOT_BRACKETS = 42;
const MOST_BPS = 10_000;

/**
 * Assumption A12: without a list (`None` on chain) a new pro pool takes its reflection and LP fee from the config; the rival is
 * no such fee. The documented default is 0 %, so the builders never leave a list out: no list, and an empty one, are sent as
 * this one bracket, which means 0 % either way.
 */
const NO_FEE: readonly FeeBracket[] = [{ marketCapUpperBound: CATCH_ALL_BOUND, buyFeeBps: 0, sellFeeBps: 0 }];

/** Fees by slots since the launch. */
export interface SlotFeeConfiguration {
  /** From the first slots on; each up to and including `slotOffsetUpperbound`. */
  readonly brackets: readonly SlotFeeBracket[];
  /** The last slot offset of the window: the last bracket's bound or more. Past the last bracket the fee by market cap applies. */
  readonly maxSlotOffset: number;
  /** The highest fee in basis points: that of the brackets or more. */
  readonly maxFeeBps: number;
  readonly enabled: boolean;
}

/**
 * Refuses market cap brackets that contradict themselves: at most 4 of them, bounds strictly ascending and up to the catch-all,
 * fees of at most 10000 basis points or the config's maximum.
 *
 * @throws {HeavenError} `invalid-brackets`, `fee-too-high`, and those of the fields
 */
export function assertBrackets(
  brackets: readonly FeeBracket[],
  field: string,
  mostBps: number = MOST_BPS,
): void {
  assertMatches({ vec: feeBracketSchema }, brackets, field);
  const refuse = refusal(field);
  if (brackets.length > MOST_BRACKETS)
    refuse(`there are ${brackets.length}, and at most ${MOST_BRACKETS} are possible`);
  for (const [index, { marketCapUpperBound, buyFeeBps, sellFeeBps }] of brackets.entries()) {
    const path = `${field}[${index}]`;
    const before = brackets[index - 1];
    if (before !== undefined && marketCapUpperBound <= before.marketCapUpperBound) {
      refuse(`marketCapUpperBound of ${path} does not ascend`);
    }
    if (marketCapUpperBound > CATCH_ALL_BOUND)
      refuse(`marketCapUpperBound of ${path} is over the highest one, ${CATCH_ALL_BOUND}`);
    assertFees(path, { buyFeeBps, sellFeeBps }, mostBps);
  }
}

/**
 * Checked market cap brackets as they are sent: the last one covers every market cap, as the program reads it (past the last
 * bracket the last one applies), and no fee is a bracket of 0 %.
 */
function completeBrackets(brackets: readonly FeeBracket[] | null | undefined): readonly FeeBracket[] {
  const last = brackets?.at(-1);
  if (!brackets || last === undefined) return NO_FEE;
  return [...brackets.slice(0, -1), { ...last, marketCapUpperBound: CATCH_ALL_BOUND }];
}

/** A warning of brackets that end at a market cap: the last one is sent as the catch-all. */
export function endingBrackets(
  brackets: readonly FeeBracket[] | null | undefined,
  field: string,
): readonly Warning[] {
  const bound = brackets?.at(-1)?.marketCapUpperBound ?? CATCH_ALL_BOUND;
  if (bound === CATCH_ALL_BOUND) return [];
  return [
    {
      code: 'no-catch-all',
      message: `The last bracket of ${field} ends at ${bound}, and its fees apply above that too: the transaction sets its bound to ${CATCH_ALL_BOUND}. For other fees above it, add a bracket with that bound.`,
    },
  ];
}

/**
 * Refuses a slot schedule that contradicts itself: at most 42 brackets, bounds strictly ascending, and the two maxima under those
 * of the brackets.
 *
 * @throws {HeavenError} `invalid-brackets`, `fee-too-high`, and those of the fields
 */
export function assertSlotConfiguration(
  configuration: SlotFeeConfiguration,
  field: string,
  mostBps: number = MOST_BPS,
): void {
  const { brackets, maxSlotOffset, maxFeeBps, enabled } = configuration;
  const at = (name: string) => (field === '' ? name : `${field}.${name}`);
  assertMatches({ vec: slotFeeBracketSchema }, brackets, at('brackets'));
  assertMatches('u16', maxSlotOffset, at('maxSlotOffset'));
  assertMatches('u16', maxFeeBps, at('maxFeeBps'));
  assertMatches('bool', enabled, at('enabled'));
  const refuse = refusal(at('brackets'));
  if (brackets.length > MOST_SLOT_BRACKETS)
    refuse(`there are ${brackets.length}, and at most 42 fit on chain`);
  if (enabled && brackets.length === 0) refuse('an enabled schedule needs at least one');
  for (const [index, { slotOffsetUpperbound, buyFeeBps, sellFeeBps }] of brackets.entries()) {
    const path = `${at('brackets')}[${index}]`;
    const before = brackets[index - 1];
    if (before !== undefined && slotOffsetUpperbound <= before.slotOffsetUpperbound) {
      refuse(`slotOffsetUpperbound of ${path} does not ascend`);
    }
    assertFees(path, { buyFeeBps, sellFeeBps }, mostBps);
  }
  const last = brackets.at(-1)?.slotOffsetUpperbound ?? 0;
  if (maxSlotOffset < last) refuse(`maxSlotOffset is ${maxSlotOffset}, and the last bracket ends at ${last}`);
  const highest = Math.max(0, ...brackets.flatMap(({ buyFeeBps, sellFeeBps }) => [buyFeeBps, sellFeeBps]));
  if (maxFeeBps < highest) refuse(`maxFeeBps is ${maxFeeBps}, and the highest fee is ${highest}`);
  assertFee(at('maxFeeBps'), maxFeeBps, mostBps);
}

const refusal =
  (field: string) =>
  (reason: string): never => {
    throw new HeavenError('invalid-brackets', `${field} can't be used: ${reason}.`, { field, reason });
  };

function assertFees(
  path: string,
  fees: Readonly<Record<'buyFeeBps' | 'sellFeeBps', number>>,
  most: number,
): void {
  for (const name of ['buyFeeBps', 'sellFeeBps'] as const) assertFee(`${path}.${name}`, fees[name], most);
}

function assertFee(field: string, feeBps: number, most: number): void {
  if (feeBps <= most) return;
  throw new HeavenError(
    'fee-too-high',
    `${field} is ${feeBps} basis points, and at most ${most} are allowed.`,
    { field, feeBps, most },
  );
}

/** Brackets as the setters take them: a fixed array of four. */
export function toFeeBrackets(brackets: readonly FeeBracket[]): FeeBrackets {
  const params = toFeeBracketsParams(brackets);
  const unused = { marketCapUpperBound: 0n, buyFeeBps: 0, sellFeeBps: 0 };
  return { ...params, brackets: filled(params.brackets, MOST_BRACKETS, unused) };
}

/** Brackets as pool creation takes them. */
export function toFeeBracketsParams(brackets: readonly FeeBracket[] | null | undefined): FeeBracketsParams {
  const complete = completeBrackets(brackets);
  return { brackets: complete, count: complete.length };
}

/** A slot schedule as the setter takes it: a fixed array of 42. */
export const toSlotFeeBrackets = (configuration: SlotFeeConfiguration): SlotFeeBrackets => ({
  ...toSlotFeeBracketsParams(configuration),
  brackets: filled(configuration.brackets, MOST_SLOT_BRACKETS, {
    buyFeeBps: 0,
    sellFeeBps: 0,
    slotOffsetUpperbound: 0,
  }),
});

/** A slot schedule as pool creation takes it. */
export const toSlotFeeBracketsParams = (configuration: SlotFeeConfiguration): SlotFeeBracketsParams => ({
  brackets: configuration.brackets,
  maxSlotOffset: configuration.maxSlotOffset,
  maxFeeBps: configuration.maxFeeBps,
  count: configuration.brackets.length,
  enabled: configuration.enabled ? 1 : 0,
});

const filled = <TItem>(items: readonly TItem[], length: number, empty: TItem): TItem[] =>
  Array.from({ length }, (_, index) => items[index] ?? empty);
