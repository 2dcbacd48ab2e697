import { computeBuyExactOut } from '../../../math/swap.js';
import { ifPossible, questionsOfTrade, swapStateUnder, tradeUnder, withoutIrrelevant } from '../predict.js';
import { choicesOf, type ProofChoice } from '../questions.js';
import type { ScenarioInput } from '../scenario.js';
import { tokensGained } from '../stage.js';
import { type Aspect, kindOf } from './observe-trade.js';
import { NOTHING_MOVED } from './scene.js';
import type { TradeScene } from './trade-scene.js';

/** Observes whether the library's least cost of an exact amount out buys it, and one lamport less does not. */
export async function observeExactOut(
  { journal }: Pick<ScenarioInput, 'journal'>,
  scene: TradeScene,
  amountOut: bigint,
  aspect?: Aspect,
): Promise<void> {
  const snapshot = scene.snapshot();
  const questions = questionsOfTrade('buy', snapshot);
  const least = ifPossible(() => computeBuyExactOut(swapStateUnder({}, snapshot), amountOut))?.amountIn;
  const range = scene.range('buy');
  if (least === undefined || range === undefined || least <= range.least || least > range.most) return;
  const amounts = [least - 1n, least];
  const text = (received: readonly bigint[]) =>
    amounts
      .map((amount, index) => {
        const isEnough = (received[index] ?? 0n) >= amountOut;
        return `${amount} lamports are ${isEnough ? 'enough' : 'too little'}`;
      })
      .join(', ');

  const found: bigint[] = [];
  for (const amountIn of amounts) {
    const wallet = scene.nextWallet();
    const reset = scene.save();
    const { ran, disturbance } = await scene.trade('buy', amountIn, { wallet, aspect });
    const received = tokensGained(ran, wallet.tokenAccount);
    reset();
    const failure = ran.ok ? undefined : `a buy fails with ${ran.code ?? ran.reason}`;
    const reason = disturbance ?? failure ?? (received === 0n ? NOTHING_MOVED : undefined);
    if (reason !== undefined) return journal.skip(['exact-out'], reason);
    found.push(received);
  }
  const under = (choice: ProofChoice) =>
    text(
      amounts.map((amountIn) => tradeUnder(choice, { snapshot, side: 'buy', amountIn })[0]?.amountOut ?? 0n),
    );
  const predicted = choicesOf(questions).map((choice) => ({ choice, value: under(choice) }));
  journal.observe({
    kind: kindOf({ side: 'buy', aspect }, snapshot),
    what: `the least for ${amountOut} units in the ${scene.pool.kind} pool ${scene.pool.pool} at slot ${snapshot.slot}`,
    size: amountOut,
    found: text(found),
    predictions: withoutIrrelevant(predicted, questions, (value) => value).map(({ choice, value }) => ({
      choice: { ...choice, 'exact-out': 'as-computed' },
      expected: value,
    })),
  });
}
