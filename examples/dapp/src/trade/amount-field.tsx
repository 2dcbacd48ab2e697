import { type CSSProperties, type ReactNode, type Ref, useId, useState } from 'react';

import { formatAmount, toField, type Unit } from '../format';

interface AmountFieldProps {
  label: string;
  unit: Unit;
  /** What was typed here. `undefined`: the amount is computed from the other field. */
  text: string | undefined;
  amount: bigint | undefined;
  onChange: (text: string) => void;
  /** The computed amount is of an older quote. */
  isOld: boolean;
  token: ReactNode;
  usd: string;
  aside?: ReactNode;
  shares?: ReactNode;
  inputRef?: Ref<HTMLInputElement>;
}

/** One of the two amounts: typed, or computed and then short until the user goes there to change it. */
export function AmountField(props: AmountFieldProps) {
  const { label, unit, text, amount, onChange, isOld, token, usd, aside, shares, inputRef } = props;
  const id = useId();
  const [isFocused, setIsFocused] = useState(false);
  const { decimals } = unit;
  const computed =
    amount === undefined ? '' : isFocused ? toField(amount, decimals) : formatAmount(amount, decimals);
  const value = text ?? computed;
  return (
    <div className={`leg ${text === undefined ? 'computed' : ''}`}>
      <div className="leg-top">
        <label htmlFor={id}>
          {label}
          <span className="hidden">, in {unit.symbol}</span>
        </label>
        {shares && <span className="shares">{shares}</span>}
      </div>
      <div className="leg-main">
        <span className="amount" style={{ '--length': Math.max(value.length, 4) } as CSSProperties}>
          <input
            ref={inputRef}
            id={id}
            type="text"
            inputMode="decimal"
            autoComplete="off"
            placeholder="0"
            className={isOld && text === undefined ? 'dimmed' : undefined}
            title={text === undefined && amount !== undefined ? toField(amount, decimals) : undefined}
            aria-describedby={`${id}-foot`}
            value={value}
            onFocus={({ target }) => {
              setIsFocused(true);
              if (text === undefined) setTimeout(() => target.select());
            }}
            onBlur={() => setIsFocused(false)}
            onChange={({ target }) => onChange(target.value)}
          />
        </span>
        {token}
      </div>
      <div className="leg-foot" id={`${id}-foot`}>
        <span>{usd}</span>
        <span>{aside}</span>
      </div>
    </div>
  );
}
