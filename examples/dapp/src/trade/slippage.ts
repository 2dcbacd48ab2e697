import { type FetchedPoolSnapshot, parseBps } from 'heaven-pools';

import { formatBps, formatPrice } from '../format';
import { useSetting } from '../queries';
import type { Side } from './quote';

const MOST_BPS = 5_000;
/** What "auto" chooses from, and how many SOL of other trades it leaves room for. */
const AUTO_BPS = [50, 100, 200, 300];
const ROOM_SOL = 0.25;

/** How much SOL others can trade first before a trade with this slippage fails. */
function roomFor({ reserveB }: FetchedPoolSnapshot, side: Side, bps: number): number {
  // The price changes with the square of the SOL reserve.
  const kept = Math.sqrt(1 - bps / 10_000);
  return (Number(reserveB) / 1e9) * (side === 'buy' ? 1 / kept - 1 : 1 - kept);
}

function readBps(text: string): number | undefined {
  try {
    const bps = parseBps(text.replace(',', '.'), { locale: 'en-US' });
    return bps <= MOST_BPS ? bps : undefined;
  } catch {
    return undefined;
  }
}

/** The slippage: `auto` or a percentage, remembered by the browser. `bps` is `undefined` if what was typed is not one. */
export function useSlippage(snapshot: FetchedPoolSnapshot | undefined, side: Side) {
  const [choice, setChoice] = useSetting<string>('slippage', 'auto');
  const isAuto = choice === 'auto' || choice.trim() === '';
  const auto =
    snapshot && (AUTO_BPS.find((bps) => roomFor(snapshot, side, bps) >= ROOM_SOL) ?? AUTO_BPS.at(-1));
  const bps = isAuto ? auto : readBps(choice);
  const room = snapshot && bps && `${formatPrice(roomFor(snapshot, side, bps), 2)} SOL`;
  const hint =
    bps === undefined
      ? 'Type a percentage from 0 to 50, such as 0.5.'
      : `${isAuto ? `Auto takes ${formatBps(bps)} in a pool of this size. ` : ''}If others ${side} more than about ${room} first, nothing is traded.`;
  const shown = bps === undefined ? '' : `${isAuto ? 'auto ' : ''}${formatBps(bps)}`;
  return { choice, setChoice, isAuto, bps, hint, shown };
}

export type Slippage = ReturnType<typeof useSlippage>;
