import type { Side } from '../predict.js';
import type { ScenarioInput } from '../scenario.js';
import type { Aspect } from './observe-trade.js';
import { logUniform } from './random.js';
import { type TradeScene, tradeQuestions } from './trade-scene.js';

/** How to draw trades in several slots. */
export interface TradesInSlots {
  readonly slots: readonly bigint[];
  readonly aspect?: Aspect | undefined;
  /** Every other trade reverses the previous move, and none is small, to make the effect of windows visible. */
  readonly isReversing?: boolean;
  /** Runs before each trade. */
  readonly prepare?: () => void;
}

/** Large enough to move the price noticeably, but not to an extreme. */
const LARGE = { leastPart: 10_000n, mostPart: 20n } as const;

/** Makes trades of random sizes on random sides. Slots count from the current one. */
export async function tradeInSlots(
  { random, journal }: Pick<ScenarioInput, 'random' | 'journal'>,
  scene: TradeScene,
  { slots, aspect, isReversing = false, prepare }: TradesInSlots,
): Promise<void> {
  const { ledger } = scene.stage;
  const start = ledger.slot;
  let side: Side = 'buy';
  for (const [index, slot] of slots.entries()) {
    ledger.setSlot(start + slot);
    const isReversal = isReversing && index % 2 === 1;
    if (isReversal) side = side === 'buy' ? 'sell' : 'buy';
    else side = random() < 0.5 ? 'buy' : 'sell';
    await journal.attempt(tradeQuestions(scene.pool), async () => {
      prepare?.();
      const range = scene.range(side);
      if (range === undefined) return;
      const { least, most } = range;
      const large = most / LARGE.leastPart;
      const amount = isReversing
        ? logUniform(random, large > least ? large : least, most / LARGE.mostPart)
        : logUniform(random, least, most);
      await scene.trade(side, amount, { aspect });
    });
  }
}
