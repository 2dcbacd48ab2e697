// `node tests/bench/growth/candles.mjs`: how long `toCandles` takes for 16,000 trades of one candle against 4,000.
import { toCandles } from '../../../dist/index.js';
import { holdToBar, median, QUICK } from '../peers/harness.mjs';

const tradesOf = (count) =>
  Array.from({ length: count }, (_, id) => ({
    signature: `signature ${id}`,
    slot: BigInt(id),
    instructionIndex: 0,
    blockTime: 0n,
    place: `${id}`.padStart(12, '0'),
    side: 'buy',
    amountIn: BigInt(id + 9),
    amountOut: 1_000n,
    totalFee: 1n,
    transferFee: 0n,
    decimals: 9,
  })).reverse();

// Four sets of 4,000 in turn: one alone would stay in the processor's cache, as 16,000 trades don't.
const inputs = [Array.from({ length: 4 }, () => tradesOf(4_000)), [tradesOf(16_000)]];
const rounds = inputs.map(() => []);
for (let round = 0; round < (QUICK ? 3 : 101); round++) {
  for (const [index, sets] of inputs.entries()) {
    const start = performance.now();
    for (const trades of sets) toCandles(trades);
    rounds[index].push((performance.now() - start) / sets.length);
  }
}
const [few, many] = rounds.map(median);
console.log(`toCandles: ${few.toFixed(1)} ms for 4,000 trades, ${many.toFixed(1)} ms for 16,000`);
holdToBar('`toCandles`, 16,000 trades of a candle beside 4,000', many / few, { most: 5, unit: '×' });
