// Not a race: how many of the whole basis points each peer gets exactly right, and what it does with too many.
import { maximumAfterSlippage, minimumAfterSlippage } from '../../../dist/index.js';
import { plain, record } from '../figures.mjs';
import { settle, table } from './harness.mjs';
import { slippagePeers } from './pools.mjs';
import { ceilDiv, OUT_FOR_ONE_SOL } from './trade.mjs';

const MOST = 10_000;

const ours = {
  name: '**heaven-pools `minimumAfterSlippage`, `maximumAfterSlippage`**',
  least: (bps, of) => ({ of, bound: minimumAfterSlippage(of, bps) }),
  most: (bps, of) => ({ of, bound: maximumAfterSlippage(of, bps) }),
  isOurs: true,
};

const exactLeast = (amount, bps) => (amount * BigInt(MOST - bps)) / BigInt(MOST);
const exactMost = (amount, bps) => ceilDiv(amount * BigInt(MOST + bps), BigInt(MOST));
/** Rounded down, which some may consider right. Counted separately. */
const flooredMost = (amount, bps) => (amount * BigInt(MOST + bps)) / BigInt(MOST);

function attempt(apply, bps) {
  try {
    return apply(bps, OUT_FOR_ONE_SOL);
  } catch (error) {
    return { error: String(error?.message ?? error) };
  }
}

function countOff(apply, exact) {
  if (apply === undefined) return { text: 'has none', off: 0 };
  let off = 0;
  let refused = 0;
  let first;
  for (let bps = 0; bps <= MOST; bps++) {
    const { of, bound, error } = attempt(apply, bps);
    if (error !== undefined) refused++;
    else if (bound !== exact(of, bps)) {
      off++;
      first ??= bps;
    }
  }
  const parts = [off === 0 ? '0' : `${off} (first ${first / 100} %)`];
  if (refused > 0) parts.push(`${refused} refused`);
  return { text: parts.join(', '), off: off + refused, wrong: off };
}

function beyond(apply, bps) {
  if (apply === undefined) return '';
  const { bound, error } = attempt(apply, bps);
  if (error !== undefined) return 'refused';
  return bound < 0n ? `negative: ${bound}` : String(bound);
}

export function slippage() {
  console.log(
    `## Slippage: off the exact integer formula, of ${MOST + 1} whole basis points from 0 to 100 %, for an amount of about 1 SOL or what it buys\n`,
  );
  const contestants = [ours, ...settle(slippagePeers)];
  const figures = {};
  const rows = contestants.map(({ name, least, most, isOurs }) => {
    const minimum = countOff(least, exactLeast);
    const maximum = countOff(most, exactMost);
    const floored = countOff(most, flooredMost);
    const beyondIt = [15_000, 20_000].map((bps) => beyond(least, bps));
    if (isOurs && (minimum.off > 0 || maximum.off > 0 || beyondIt.some((text) => text !== 'refused'))) {
      throw new Error(`ours is off: ${minimum.text}, ${maximum.text}, ${beyondIt}`);
    }
    figures[plain(name)] = { minimumsOff: minimum.wrong, maximumsOff: maximum.wrong };
    return [name, minimum.text, maximum.text, maximum.off === 0 ? '' : floored.text, ...beyondIt];
  });
  record('slippage', figures);
  table(
    [
      'helper',
      'minimum: off (rounded down)',
      'maximum: off (rounded up)',
      'maximum: off were it rounded down',
      'minimum at 150 %',
      'minimum at 200 %',
    ],
    rows,
  );
  console.log(
    'Raydium `CurveCalculator` and LaunchLab `Curve` leave the bound to the caller; pump-swap `buyQuoteInput` gives no minimum output.\n',
  );
}
