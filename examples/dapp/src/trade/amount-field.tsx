import { type CSSProperties, type ReactNode, type Ref, useId, useState } from 'react';
import { flushSync } from 'react-dom';

import { formatAmount, toField, type Unit, USD } from '../format';
import { Button } from '../ui';

interface AmountFieldProps {
  label: string;
  unit: Unit;
  /** What was typed here. `undefined`: the amount is computed from the other field. */
  text: string | undefined;
  amount: bigint | undefined;
  /** Where a computed amount is shortened: `up` for what is paid. */
  rounding: 'down' | 'up';
  onChange: (text: string) => void;
  isOld: boolean;
  token: ReactNode;
  /** The same amount in the other currency. */
  worth: string;
  /** Types in the other currency from now on, if that is possible. */
  onSwitchUnit?: (() => void) | undefined;
  aside?: ReactNode;
  shares?: ReactNode;
  ref?: Ref<HTMLInputElement>;
}

/** One of the two amounts: typed, or computed and then short until the user goes there to change it. */
export function AmountField(props: AmountFieldProps) {
  const { label, unit, text, amount, rounding, isOld, onChange, ref } = props;
  const id = useId();
  const [isFocused, setIsFocused] = useState(false);
  const isComputed = text === undefined;
  const exact = amount === undefined ? '' : toField(amount, unit.decimals);
  // Grouped unless somebody is about to change it; a typed amount keeps all its digits.
  const digits = isComputed ? 6 : 'all';
  const shown =
    amount === undefined ? text : formatAmount(amount, unit.decimals, { digits, rounding, compact: false });
  const value = (isFocused ? (text ?? exact) : shown) ?? '';
  return (
    <div className={`leg ${isComputed ? 'computed' : ''}`}>
      <div className="leg-top">
        <label htmlFor={id}>
          {label}
          <span className="hidden">, in {unit.symbol}</span>
        </label>
        <span className="shares">{props.shares}</span>
      </div>
      <div className="leg-main">
        {unit === USD && <span className="dollar">$</span>}
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
              // Another value moves the caret: whoever comes here can replace all of it at once.
              flushSync(() => setIsFocused(true));
              if (target.value !== value) target.select();
              if (isComputed) setTimeout(() => target.select());
            }}
            onBlur={() => setIsFocused(false)}
            onChange={({ target }) => onChange(target.value)}
          />
        </span>
        {props.token}
      </div>
      <div className="leg-foot" id={`${id}-foot`}>
        {props.onSwitchUnit ? (
          <Button className="plain" onClick={props.onSwitchUnit}>
            <span aria-hidden="true">⇅ </span>
            {props.worth}
            <span className="hidden">, switch between SOL and dollars</span>
          </Button>
        ) : (
          <span>{props.worth}</span>
        )}
        <span>{props.aside}</span>
      </div>
    </div>
  );
}
