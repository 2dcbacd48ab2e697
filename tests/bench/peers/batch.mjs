// Many quotes at once, as a router or a bot makes them: each pool differs, so nothing stays in a cache by itself.
import * as raydium from '@raydium-io/raydium-sdk-v2';
import BN from 'bn.js';

import { computeBuy } from '../../../dist/index.js';
import { byName, record } from '../figures.mjs';
import { generator, grouped, measure, mustEqual, ratio, table } from './harness.mjs';
import { floorBuy, none, tightFloorBuy } from './trade.mjs';

const POOLS = 10_000;
const SIZES = [100_000_000n, 1_000_000_000n, 25_000_000_000n];
const QUOTES = POOLS * SIZES.length;

export async function batch() {
  console.log(`## Batch: ${grouped(POOLS)} pools × ${SIZES.length} sizes\n`);
  const random = generator(7);
  const between = (low, high) => BigInt(Math.floor(low + random() * (high - low)));
  const flat = Array.from({ length: POOLS }, () => ({
    reserveA: between(50e12, 900e12),
    reserveB: between(20e9, 20_000e9),
    protocol: between(10, 100),
    creator: between(10, 200),
  }));
  const states = flat.map(({ reserveA, reserveB, protocol, creator }) => {
    const fees = { ...none, protocol, creator };
    return { reserveA, reserveB, buyFees: fees, sellFees: fees };
  });
  const rate = (bps) => new BN(Number(bps) * 100);
  const theirs = flat.map(({ reserveA, reserveB, protocol, creator }) => ({
    a: new BN(reserveA.toString()),
    b: new BN(reserveB.toString()),
    fee: rate(protocol + creator),
  }));
  const theirSizes = SIZES.map((size) => new BN(size.toString()));
  const zero = new BN(0);

  for (let k = 0; k < POOLS; k++) {
    for (const size of SIZES) {
      const quote = computeBuy(states[k], size);
      for (const floor of [floorBuy(flat[k], size, 0n), tightFloorBuy(flat[k], size, 0n)]) {
        for (const field of ['amountOut', 'totalFee', 'reserveAAfter', 'reserveBAfter', 'priceImpactBps']) {
          mustEqual(`batch, pool ${k}, ${field}`, floor[field], quote[field]);
        }
      }
    }
  }

  const theirQuote = (k, s) => {
    const { a, b, fee } = theirs[k];
    return raydium.CurveCalculator.swapBaseInput(theirSizes[s], b, a, fee, zero, zero, zero, true);
  };
  // At these sizes each fee is a whole number, so the peer, which rounds fees up, must give the same result.
  for (let k = 0; k < POOLS; k++) {
    for (let s = 0; s < SIZES.length; s++) {
      const { amountOut } = computeBuy(states[k], SIZES[s]);
      mustEqual(`batch, raydium, pool ${k}`, BigInt(theirQuote(k, s).outputAmount.toString()), amountOut);
    }
  }

  // One call is the whole batch; all its quotes are kept.
  const all = (quote) => () => {
    const kept = new Array(QUOTES);
    for (let k = 0, at = 0; k < POOLS; k++) {
      for (let s = 0; s < SIZES.length; s++) kept[at++] = quote(k, s);
    }
    return kept.length;
  };
  const contestants = [
    { name: '**heaven-pools `computeBuy`**', run: all((k, s) => computeBuy(states[k], SIZES[s])) },
    { name: 'floor: plain bigint', run: all((k, s) => floorBuy(flat[k], SIZES[s], 0n)) },
    { name: 'floor with impact by `number`', run: all((k, s) => tightFloorBuy(flat[k], SIZES[s], 0n)) },
    { name: 'raydium `CurveCalculator.swapBaseInput` (no impact)', run: all(theirQuote) },
  ];
  const measured = await measure(contestants);
  record('batch', byName(measured, QUOTES));
  table(
    ['contestant', 'ns per quote', 'quotes/s', 'whole batch, ms', 'ours is faster'],
    measured.map(({ name, ns }, index) => [
      name,
      (ns / QUOTES).toFixed(0),
      grouped((1e9 / ns) * QUOTES),
      (ns / 1e6).toFixed(1),
      index === 0 ? '' : ratio(ns, measured[0].ns),
    ]),
  );
}
