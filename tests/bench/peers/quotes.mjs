// One quote, exact-in and exact-out. Each result is compared first: with the floor for us, with its own definition for a peer.
import {
  computeBuy,
  computeBuyExactOut,
  maximumAfterSlippage,
  minimumAfterSlippage,
} from '../../../dist/index.js';
import { byName, record } from '../figures.mjs';
import { holdToBar, measure, mustEqual, settle, speedTable } from './harness.mjs';
import { exactInPeers, exactOutPeers } from './pools.mjs';
import {
  amounts,
  floorBuy,
  floorBuyExactOut,
  floorPool,
  ONE_SOL,
  OUT_FOR_ONE_SOL,
  outputs,
  SLIPPAGE_BPS,
  state,
  tightFloorBuy,
  tightFloorBuyExactOut,
} from './trade.mjs';

const BOUND_BPS = BigInt(SLIPPAGE_BPS);
/** Prices kept as a rounded square root may cost a few units of 2,300,000,000,000. */
const MOST_OFF = 2n;

const ALL_OF_IT = 'all: out, bound, fee split, reserves after, impact';

const oursIn = {
  name: 'heaven-pools `computeBuy` + `minimumAfterSlippage`',
  isOurs: true,
  run: (i) => {
    const quote = computeBuy(state, amounts[i & 1023]);
    return { quote, bound: minimumAfterSlippage(quote.amountOut, SLIPPAGE_BPS) };
  },
  gives: `${ALL_OF_IT}; its input checked`,
};

const oursOut = {
  name: 'heaven-pools `computeBuyExactOut` + `maximumAfterSlippage`',
  isOurs: true,
  run: (i) => {
    const quote = computeBuyExactOut(state, outputs[i & 1023]);
    return { quote, bound: maximumAfterSlippage(quote.amountIn, SLIPPAGE_BPS) };
  },
  gives: `${ALL_OF_IT}, the least input there is; its input checked`,
};

const floorsIn = [
  { name: 'floor: plain bigint', run: (i) => floorBuy(floorPool, amounts[i & 1023], BOUND_BPS) },
  {
    name: 'floor with impact by `number`',
    run: (i) => tightFloorBuy(floorPool, amounts[i & 1023], BOUND_BPS),
  },
].map((floor) => ({ ...floor, gives: `${ALL_OF_IT}; nothing checked` }));

const floorsOut = [
  { name: 'floor: plain bigint', run: (i) => floorBuyExactOut(floorPool, outputs[i & 1023], BOUND_BPS) },
  {
    name: 'floor with impact by `number`',
    run: (i) => tightFloorBuyExactOut(floorPool, outputs[i & 1023], BOUND_BPS),
  },
].map((floor) => ({ ...floor, gives: `${ALL_OF_IT}, the least input there is; nothing checked` }));

function compareWithFloors(ours, floors) {
  for (const floor of floors) {
    for (let i = 0; i < amounts.length; i++) {
      const { quote, bound } = ours.run(i);
      const expected = floor.run(i);
      for (const field of [
        'amountIn',
        'amountOut',
        'totalFee',
        'reserveAAfter',
        'reserveBAfter',
        'priceImpactBps',
      ]) {
        mustEqual(`${floor.name}, ${field}`, expected[field], quote[field]);
      }
      mustEqual(`${floor.name}, protocol fee`, expected.protocol, quote.fees.protocol);
      mustEqual(`${floor.name}, creator fee`, expected.creator, quote.fees.creator);
      mustEqual(`${floor.name}, bound`, expected.bound, bound);
    }
  }
}

/** Compares every quote of a peer with its own definition, and says how it differs from ours. */
function comparePeer(peer, field, inputs, oursFor) {
  let leastOff = 0n;
  let mostOff = 0n;
  let fewest = 0n;
  let most = 0n;
  for (let i = 0; i < inputs.length; i++) {
    const actual = peer[field](peer.run(i));
    const off = actual - peer.expected(inputs[i]);
    if (off < leastOff) leastOff = off;
    if (off > mostOff) mostOff = off;
    const beside = actual - oursFor(i);
    if (beside < fewest) fewest = beside;
    if (beside > most) most = beside;
  }
  const allowed = peer.isBySquareRoot ? MOST_OFF : 0n;
  if (leastOff < -allowed || mostOff > allowed) {
    throw new Error(`${peer.name}: ${leastOff} to ${mostOff} off what it should give`);
  }
  if (fewest === 0n && most === 0n) return 'the same as ours';
  return `${fewest} to ${most > 0n ? '+' : ''}${most} against ours`;
}

export async function quoteExactIn() {
  console.log('## Exact-in quote: 200 M tokens / 85 SOL, buy with about 1 SOL, 1 % fees, 1 % slippage\n');
  compareWithFloors(oursIn, floorsIn);
  const peers = settle(exactInPeers);
  for (const peer of peers) {
    const one = peer.amountOut(peer.run(0));
    mustEqual(`${peer.name} for 1 SOL`, one, peer.expected(ONE_SOL));
    const difference = comparePeer(peer, 'amountOut', amounts, (i) => oursIn.run(i).quote.amountOut);
    if (peer.bound) {
      const result = peer.run(0);
      mustEqual(`${peer.name}, bound`, peer.bound(result), minimumAfterSlippage(one, SLIPPAGE_BPS));
    }
    peer.gives += `. ${one} for 1 SOL; units: ${difference}`;
  }
  mustEqual('ours for 1 SOL', oursIn.run(0).quote.amountOut, OUT_FOR_ONE_SOL);
  const contestants = [oursIn, ...floorsIn, ...peers];
  const measured = await measure(contestants);
  record('exact-in', byName(measured));
  speedTable(measured, contestants);
  const [ours, ...others] = measured.map(({ fastest }) => fastest);
  const fastestPeer = Math.min(...others.slice(floorsIn.length));
  holdToBar('an exact-in quote, against the fastest peer', fastestPeer / ours, { least: 4.5, unit: '×' });
  console.log();
}

export async function quoteExactOut() {
  console.log('## Exact-out quote: the same pool, for about what 1 SOL buys\n');
  compareWithFloors(oursOut, floorsOut);
  for (let i = 0; i < outputs.length; i++) {
    // The least input: a few lamports less must give less than was asked for. Below that no rounding of fees helps.
    const { amountIn, amountOut } = oursOut.run(i).quote;
    if (amountOut < outputs[i]) throw new Error(`ours gives ${amountOut}, under ${outputs[i]}`);
    for (let less = 1n; less <= 5n; less++) {
      if (computeBuy(state, amountIn - less).amountOut >= outputs[i])
        throw new Error('ours is not the least input');
    }
  }
  const peers = settle(exactOutPeers);
  for (const peer of peers) {
    const difference = comparePeer(peer, 'amountIn', outputs, (i) => oursOut.run(i).quote.amountIn);
    peer.gives += `. Lamports: ${difference}`;
  }
  const contestants = [oursOut, ...floorsOut, ...peers];
  const measured = await measure(contestants);
  record('exact-out', byName(measured));
  speedTable(measured, contestants);
}
