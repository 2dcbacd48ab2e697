import { POOL } from '../../../pool/layout.js';
import { view } from '../../../solana/account-data.js';
import type { Scenario, ScenarioInput } from '../scenario.js';
import { editData, setTransferFee, transferFeeOffset } from './account-edits.js';
import { goToBound, goToSlotOffset, slotBounds } from './brackets.js';
import { observeExactOut } from './exact-out.js';
import type { Aspect } from './observe-trade.js';
import { logUniform, pick } from './random.js';
import { ALL_TRADE_QUESTIONS, type TradeScene, tradeInEachPool, tradeQuestions } from './trade-scene.js';
import { tradeInSlots } from './trade-slots.js';

/** Large enough to show where the fees of a buy come from ([A4](/protocol#assumptions)). */
const LARGE_BUYS = [5_000_000_000n, 23_456_789_012n] as const;

/** Slots of a round's trades, counted from the first slot of a window of four: in one slot, in one window, and across two windows. */
const SLOTS: readonly (readonly bigint[])[] = [
  [0n, 0n, 1n, 3n, 4n],
  [3n, 3n, 4n, 4n, 8n],
  [1n, 2n, 3n, 3n, 5n],
];

export interface RandomTradesOptions {
  /** The approximate number of trades per pool. */
  readonly tradesPerPool: number;
}

/** Random trades in each pool, across sizes, fee brackets, slot brackets, transfer fees and windows. */
export const randomTrades = ({ tradesPerPool }: RandomTradesOptions): Scenario => ({
  name: 'random trades',
  questions: ALL_TRADE_QUESTIONS,
  run: (input) => tradeInEachPool(input, (scene) => tradeAtRandom(input, scene, tradesPerPool)),
});

async function tradeAtRandom(input: ScenarioInput, scene: TradeScene, trades: number): Promise<void> {
  const { journal, random } = input;
  const questions = tradeQuestions(scene.pool);
  for (const amount of LARGE_BUYS) {
    scene.nextRound();
    await journal.attempt(questions, async () => {
      if ((scene.range('buy')?.most ?? 0n) >= amount) await scene.trade('buy', amount);
    });
  }
  for (let made = LARGE_BUYS.length, round = 0; made < trades; round++) {
    scene.nextRound();
    await journal.attempt(questions, async () => {
      const aspect = vary(random, scene, round);
      if (round % 4 === 0)
        await observeExactOut(input, scene, logUniform(random, 1n, scene.snapshot().reserveA / 2n), aspect);
      await tradeInSlots(input, scene, { slots: pick(random, SLOTS) ?? [], aspect });
    });
    made += SLOTS[0]?.length ?? 1;
  }
}

/** Changes at most one thing about the scene, and returns what. */
function vary(random: () => number, scene: TradeScene, round: number): Aspect | undefined {
  const { addresses, pool } = scene;
  const { ledger } = scene.stage;
  const snapshot = scene.snapshot();
  switch (round % 5) {
    case 1:
      return goToBound(random, scene) ? { words: 'with a market cap at a bound', isApart: true } : undefined;
    case 2: {
      const bound = pick(random, slotBounds(snapshot));
      if (bound === undefined) return undefined;
      goToSlotOffset(random, scene, bound);
      return { words: 'soon after launch', isApart: true };
    }
    case 3: {
      const mint = ledger.getAccount(addresses.mint);
      if (mint === undefined || transferFeeOffset(view(mint.data)) === undefined) return undefined;
      const maximum = logUniform(random, 1n, snapshot.reserveA);
      const basisPoints = Math.floor(random() * 1_000) + 1;
      editData(ledger, addresses.mint, (data) => setTransferFee(data, basisPoints, maximum));
      return undefined;
    }
    case 4: {
      const mode = snapshot.feeSource === 'global' ? 1 : 0;
      editData(ledger, pool.pool, (data) => data.setUint8(POOL.feeConfigurationMode, mode));
      return { words: mode === 1 ? "with the pool's own fees" : "with the config's fees", isApart: true };
    }
    default:
      return undefined;
  }
}
