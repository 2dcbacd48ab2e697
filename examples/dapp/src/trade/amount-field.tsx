import { type CSSProperties, type ReactNode, type Ref, useId, useState } from 'react';

import { formatAmount, toField, type Unit } from '../format';

interface AmountFieldProps {
  label: string;
  unit: Unit;
  /** What was typed here. `undefined`: the amount is computed from the other field. */
  text: string | undefined;
  amount: bigint | undefined;
  onChange: (text: string) => void;
  isOld: boolean;
  token: ReactNode;
  usd: string;
  aside?: ReactNode;
  shares?: ReactNode;
  ref?: Ref<HTMLInputElement>;
}

/** One of the two amounts: typed, or computed and then short until the user goes there to change it. */
export function AmountField({
  label,
  unit,
  text,
  amount,
  isOld,
  onChange,
  ref,
  ...around
}: AmountFieldProps) {
  const id = useId();
  const [isFocused, setIsFocused] = useState(false);
  const isComputed = text === undefined;
  const exact = amount === undefined ? '' : toField(amount, unit.decimals);
  const computed = isFocused || amount === undefined ? exact : formatAmount(amount, unit.decimals);
  const value = text ?? computed;
  return (
    <div className={`leg ${isComputed ? 'computed' : ''}`}>
      <div className="leg-top">
        <label htmlFor={id}>
          {label}
          <span className="hidden">, in {unit.symbol}</span>
        </label>
        <span className="shares">{around.shares}</span>
      </div>
      <div className="leg-main">
        <span className="amount" style={{ '--length': Math.max(value.length, 4) } as CSSProperties}>
          <input
            ref={ref}
            id={id}
            inputMode="decimal"
            autoComplete="off"
            placeholder="0"
            className={isOld && isComputed ? 'dimmed' : undefined}
            title={isComputed ? exact : undefined}
            aria-describedby={`${id}-foot`}
            value={value}
            onFocus={({ target }) => {
              setIsFocused(true);
              if (isComputed) setTimeout(() => target.select());
            }}
            onBlur={() => setIsFocused(false)}
            onChange={({ target }) => onChange(target.value)}
          />
        </span>
        {around.token}
      </div>
      <div className="leg-foot" id={`${id}-foot`}>
        <span>{around.usd}</span>
        <span>{around.aside}</span>
      </div>
    </div>
  );
}
