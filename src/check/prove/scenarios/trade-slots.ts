import type { Side } from '../predict.js';
import type { ScenarioInput } from '../scenario.js';
import type { Aspect } from './observe-trade.js';
import { logUniform } from './random.js';
import { type TradeScene, tradeQuestions } from './trade-scene.js';

/** How trades in several slots are drawn. */
export interface TradesInSlots {
  readonly slots: readonly bigint[];
  readonly aspect?: Aspect | undefined;
  /** Every other trade goes against the move of the one before, and none is small: so that windows show. */
  readonly isReversing?: boolean;
  /** Done before each trade. */
  readonly prepare?: () => void;
}

/** A large trade moves the price by a good deal, but not out of all bounds. */
const LARGE = { leastPart: 10_000n, mostPart: 20n } as const;

/** Trades of random sizes on random sides, in slots that are counted from now. */
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
