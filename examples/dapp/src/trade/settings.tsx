import { parseBps } from 'heaven-pools';
import { Dialog } from '../dialog';
import { formatBps, toField } from '../format';
import { useSetting } from '../setting';
import { Field, Segment } from '../ui';

const MOST_BPS = 5_000;
const WANTED = `Type a percentage from 0 to ${MOST_BPS / 100}, such as 0.5.`;
const PRESETS = Object.fromEntries([50, 100, 300].map((bps) => [bps, formatBps(bps)]));

/** The slippage, remembered by the browser. `bps` is `undefined` if what was typed is not a percentage. */
export function useSlippage() {
  const [choice, setChoice] = useSetting<string>('slippage', '0.5');
  let bps: number | undefined;
  try {
    bps = parseBps(choice.replace(',', '.'));
  } catch {}
  return { choice, setChoice, bps: bps !== undefined && bps <= MOST_BPS ? bps : undefined };
}

type TradeSettingsProps = ReturnType<typeof useSlippage> & { onClose: () => void };

/** Every change is kept at once, also for the next visit. */
export function TradeSettings({ choice, setChoice, bps, onClose }: TradeSettingsProps) {
  return (
    <Dialog title="Trade settings" onClose={onClose}>
      <form
        className="fields"
        onSubmit={(event) => {
          event.preventDefault();
          if (bps !== undefined) onClose();
        }}
      >
        <Segment
          label="Slippage"
          options={PRESETS}
          value={String(bps)}
          onChange={(preset) => setChoice(toField(BigInt(preset), 2))}
        />
        <Field
          label="Slippage in percent"
          inputMode="decimal"
          value={choice}
          onChange={setChoice}
          hint={bps === undefined ? WANTED : `Cancels if you'd get over ${formatBps(bps)} less.`}
          problem={bps === undefined ? WANTED : undefined}
        />
        <p className="quiet">Saved in this browser.</p>
        <button type="submit" className="primary big">
          Done
        </button>
      </form>
    </Dialog>
  );
}
