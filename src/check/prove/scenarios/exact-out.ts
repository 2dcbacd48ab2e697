import type { Address } from '@solana/kit';

import { isHeavenError } from '../../../errors.js';
import { computeBuyExactOut } from '../../../math/swap.js';
import { questionsOfTrade, swapStateUnder, tradeUnder, withoutIrrelevant } from '../predict.js';
import { choicesOf, type ProofChoice } from '../questions.js';
import type { ScenarioInput } from '../scenario.js';
import { tokensIn } from '../stage.js';
import { type Aspect, kindOf, NOTHING_MOVED } from './observe-trade.js';
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
  const least = leastFor(scene, amountOut);
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
    const held = (at: (address: Address) => ReturnType<typeof ran.after>) =>
      tokensIn(at(wallet.tokenAccount), wallet.tokenAccount);
    const received = held(ran.after) - held(ran.before);
    reset();
    const reason = disturbance ?? (ran.ok ? undefined : `a buy fails with ${ran.code ?? ran.reason}`);
    if (reason !== undefined) {
      journal.skip(['exact-out'], reason);
      return;
    }
    if (received === 0n) {
      journal.skip(['exact-out'], NOTHING_MOVED);
      return;
    }
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

function leastFor(scene: TradeScene, amountOut: bigint): bigint | undefined {
  try {
    return computeBuyExactOut(swapStateUnder({}, scene.snapshot()), amountOut).amountIn;
  } catch (error) {
    if (isHeavenError(error, 'insufficient-liquidity') || isHeavenError(error, 'fees-exceed-amount'))
      return undefined;
    throw error;
  }
}
