import type { PoolSnapshot } from '../../../pool/decode.js';
import { CONFIG, FEE_BRACKETS, FEE_TYPES, POOL, SLOT_BRACKETS } from '../../../pool/layout.js';
import { view } from '../../../solana/account-data.js';
import { editData, editPool, setAnswer } from './account-edits.js';
import { pick } from './random.js';
import type { TradeScene } from './trade-scene.js';

/** The units that a market cap bound may be in: dollars, or millionths of a dollar. */
const UNITS_PER_USD = [1n, 1_000_000n] as const;
/** SOL never costs this many dollars: a bound that needs such a price is out of reach. */
const MOST_PRICE = 10_000_000n;

const LAYOUTS = [
  ['pool', POOL],
  ['protocolConfig', CONFIG],
] as const;

/** The bounds of the market cap brackets of a pool and its config. */
function marketCapBounds({ data }: PoolSnapshot): readonly bigint[] {
  const bounds = LAYOUTS.flatMap(([account, { marketCapBasedFees }]) =>
    FEE_TYPES.flatMap((_, type) => {
      const at = marketCapBasedFees + type * FEE_BRACKETS.size;
      const brackets = view(data[account]);
      return Array.from({ length: brackets.getUint8(at + FEE_BRACKETS.count) }, (_, k) =>
        brackets.getBigUint64(at + k * FEE_BRACKETS.bracket + FEE_BRACKETS.upperBound, true),
      );
    }),
  );
  return [...new Set(bounds)];
}

/** The feed's answers that put the market cap exactly at a bound, and just over it. */
function answersAround(
  bound: bigint,
  { reserveA, reserveB, token, solPrice }: PoolSnapshot,
): readonly bigint[] {
  const perAnswer = reserveB * token.supply;
  if (perAnswer === 0n) return [];
  return UNITS_PER_USD.flatMap((unitsPerUsd) => {
    const divisor = reserveA * 1_000_000_000n * 10n ** BigInt(solPrice.decimals);
    const over = ((bound + 1n) * divisor) / (perAnswer * unitsPerUsd) + 1n;
    return [over - 1n, over];
  }).filter((answer) => answer > 0n && answer <= MOST_PRICE * 10n ** BigInt(solPrice.decimals));
}

/** Sets the price so that the market cap is at a bound, or just over it. Returns whether there is such a price. */
export function goToBound(random: () => number, { stage, snapshot }: TradeScene): boolean {
  const now = snapshot();
  const answers = marketCapBounds(now).flatMap((bound) => answersAround(bound, now));
  const answer = pick(random, answers);
  if (answer === undefined) return false;
  editData(stage.ledger, stage.client.deployment.solUsdFeed, (feed) => setAnswer(feed, answer));
  return true;
}

/** Sets the launch slot so that a schedule is about to change at this offset, or just has. */
export function goToSlotOffset(random: () => number, { stage, addresses }: TradeScene, bound: number): void {
  const { ledger } = stage;
  const offset = BigInt(bound) + pick(random, [-1n, 0n, 1n]);
  editPool(ledger, addresses.pool, () => ({ createdAtSlot: ledger.slot - (offset > 0n ? offset : 0n) }));
}

/** The slot offsets at which the enabled schedules of a pool and its config change or end, in ascending order. */
export function slotBounds({ data }: PoolSnapshot): readonly number[] {
  const bounds = LAYOUTS.flatMap(([account, { slotOffsetBasedFees }]) =>
    FEE_TYPES.flatMap((_, type) => {
      const at = slotOffsetBasedFees + type * SLOT_BRACKETS.size;
      const schedule = view(data[account]);
      if (schedule.getUint8(at + SLOT_BRACKETS.enabled) === 0) return [];
      const count = schedule.getUint8(at + SLOT_BRACKETS.count);
      return [
        schedule.getUint16(at + SLOT_BRACKETS.maxOffset, true),
        ...Array.from({ length: count }, (_, k) =>
          schedule.getUint16(at + k * SLOT_BRACKETS.bracket + SLOT_BRACKETS.upperBound, true),
        ),
      ];
    }),
  );
  return [...new Set(bounds)].sort((a, b) => a - b);
}
