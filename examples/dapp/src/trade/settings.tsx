import { formatSol } from '../format';
import { type PriorityLevel, usePriorityFee } from '../queries';
import { Field, Segment } from '../ui';
import type { Slippage } from './slippage';

const PRESETS = { auto: 'Auto', '0.5': '0.5%', '1': '1%' } as const;
const LEVELS: Readonly<Record<PriorityLevel, string>> = { market: 'Market', fast: 'Fast', none: 'None' };

/** Slippage and priority fee. */
export function TradeSettings({ slippage }: { readonly slippage: Slippage }) {
  const { choice, setChoice, hint, isAuto, bps } = slippage;
  const fee = usePriorityFee();
  return (
    <div className="settings">
      <Segment
        label="Slippage"
        options={PRESETS}
        value={(isAuto ? 'auto' : choice) as keyof typeof PRESETS}
        onChange={setChoice}
      />
      <Field
        label="Slippage in percent"
        inputMode="decimal"
        placeholder="Other"
        value={isAuto || choice in PRESETS ? '' : choice}
        onChange={setChoice}
        hint={hint}
        problem={bps === undefined ? hint : undefined}
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
