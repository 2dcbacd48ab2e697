import { type FetchedPoolSnapshot, parseBps } from 'heaven-pools';

import { formatBps, formatPrice, formatSol } from '../format';
import { type PriorityLevel, usePriorityFee } from '../queries';
import { useSetting } from '../setting';
import { Field, Segment } from '../ui';
import type { Side } from './quote';

const MOST_BPS = 5_000;
/** What "auto" chooses from, and how many SOL of other trades it leaves room for. */
const AUTO_BPS = [50, 100, 200, 300];
const ROOM_SOL = 0.25;
const PRESETS: Record<string, string> = { auto: 'Auto', '0.5': '0.5%', '1.0': '1%' };
const LEVELS: Record<PriorityLevel, string> = { market: 'Market', fast: 'Fast', none: 'None' };

/** How much SOL others can trade first before a trade with this slippage fails. */
function roomFor({ reserveB }: FetchedPoolSnapshot, side: Side, bps: number): number {
  // The price changes with the square of the SOL reserve.
  const kept = Math.sqrt(1 - bps / 10_000);
  return (Number(reserveB) / 1e9) * (side === 'buy' ? 1 / kept - 1 : 1 - kept);
}

function readBps(text: string): number | undefined {
  try {
    const bps = parseBps(text.replace(',', '.'));
    return bps <= MOST_BPS ? bps : undefined;
  } catch {
    return undefined;
  }
}

/** The slippage: `auto` or a percentage, remembered by the browser. `bps` is `undefined` if what was typed is not one. */
export function useSlippage(snapshot: FetchedPoolSnapshot | undefined, side: Side) {
  const [typed, setChoice] = useSetting<string>('slippage', 'auto');
  const choice = typed.trim() === '' ? 'auto' : typed;
  const auto =
    snapshot && (AUTO_BPS.find((bps) => roomFor(snapshot, side, bps) >= ROOM_SOL) ?? AUTO_BPS.at(-1));
  const bps = choice === 'auto' ? auto : readBps(choice);
  const room = snapshot && bps !== undefined && `${formatPrice(roomFor(snapshot, side, bps), 2)} SOL`;
  return { choice, setChoice, bps, room };
}

interface TradeSettingsProps {
  slippage: ReturnType<typeof useSlippage>;
  side: Side;
}

/** Slippage and priority fee. */
export function TradeSettings({ slippage: { choice, setChoice, bps, room }, side }: TradeSettingsProps) {
  const fee = usePriorityFee();
  const hint = bps !== undefined && `If others ${side} more than about ${room} first, nothing is traded.`;
  return (
    <div className="settings">
      <Segment label="Slippage" options={PRESETS} value={choice} onChange={setChoice} />
      <Field
        label="Slippage in percent"
        inputMode="decimal"
        placeholder={bps === undefined ? '' : formatBps(bps)}
        value={choice in PRESETS ? '' : choice}
        onChange={setChoice}
        hint={hint || 'Type a percentage from 0 to 50, such as 0.5.'}
      />
      <Segment label="Priority fee" options={LEVELS} value={fee.level} onChange={fee.setLevel} />
      <Field
        label="Priority fee, at most in SOL"
        inputMode="decimal"
        value={fee.cap}
        onChange={fee.setCap}
        hint={
          fee.level === 'none'
            ? 'Without a priority fee, a trade may wait while the network is busy.'
            : `${formatSol(fee.lamports)} for a trade now${fee.isCapped ? ', as much as you allow' : ''}.`
        }
      />
    </div>
  );
}
