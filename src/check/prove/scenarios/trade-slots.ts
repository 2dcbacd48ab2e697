import type { Side } from '../predict.js';
import type { ScenarioInput } from '../scenario.js';
import type { Aspect } from './observe-trade.js';
import { logUniform } from './random.js';
import { type TradeScene, tradeQuestions } from './trade-scene.js';

/** Trades of random sizes, those behind the first as likely with the move of the one before as against it. */
export async function tradeInSlots(
  { random, journal }: Pick<ScenarioInput, 'random' | 'journal'>,
  scene: TradeScene,
  slots: readonly bigint[],
  aspect?: Aspect,
): Promise<void> {
  const { ledger } = scene.stage;
  const start = ledger.slot;
  for (const slot of slots) {
    ledger.setSlot(start + slot);
    const side: Side = random() < 0.5 ? 'buy' : 'sell';
    await journal.attempt(tradeQuestions(scene.pool), async () => {
      const range = scene.range(side);
      if (range === undefined) return;
      await scene.trade(side, logUniform(random, range.least, range.most), { aspect });
    });
  }
}
