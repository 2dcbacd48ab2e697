// Small components that all views share. Texts of strangers are only ever inserted as text.
import { type Address, getAddressEncoder } from '@solana/kit';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';

import { useTokenImage } from './files';
import { formatExact, formatUnits, type Unit } from './format';

type DialogProps = { title: string; className?: string; onClose: () => void; children: ReactNode };

/** A modal dialog. Escape, its button and a click outside close it, and the focus goes back to where it was. */
export function Dialog({ title, className = '', onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => (before as HTMLElement | null)?.focus();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does the same
    <dialog
      ref={dialog}
      className={`sheet ${className}`}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={({ target, clientX, clientY, detail }) => {
        const { left, right, top, bottom } = (dialog.current as HTMLElement).getBoundingClientRect();
        const isBeside = clientX < left || clientX > right || clientY < top || clientY > bottom;
        // Not on the second click of a double click that opened it.
        if (target === dialog.current && isBeside && detail < 2) onClose();
      }}
    >
      <div className="sheet-head">
        <h2 id={id}>{title}</h2>
        <button type="button" className="chip icon" aria-label="Close" onClick={onClose}>
          ✕
        </button>
      </div>
      {children}
    </dialog>
  );
}

/** A term and its value. */
export interface Fact {
  term: string;
  value: ReactNode;
  /** All digits, shown on hover. */
  exact?: string | undefined;
  isStrong?: boolean | undefined;
  tone?: 'warn' | 'bad' | 'up' | 'down' | undefined;
}

/** A list of facts may hold what does not apply, as JSX does. */
export type Listed<T> = readonly (T | false | undefined)[];

export const amountFact = (term: string, amount: bigint, unit: Unit, isStrong = false): Fact => ({
  term,
  value: formatUnits(amount, unit),
  exact: formatExact(amount, unit),
  isStrong,
});

export const Facts = ({ facts }: { facts: Listed<Fact> }) => (
  <dl className="facts">
    {facts
      .filter((fact) => fact !== false && fact !== undefined)
      .map(({ term, value, exact, isStrong, tone }) => (
        <div key={term} className={isStrong ? 'strong' : undefined}>
          <dt>{term}</dt>
          <dd title={exact} className={tone}>
            {value}
          </dd>
        </div>
      ))}
  </dl>
);

export const Warnings = ({ warnings }: { warnings: readonly string[] }) => (
  <ul className="warnings">
    {warnings.map((warning) => (
      <li key={warning}>{warning}</li>
    ))}
  </ul>
);

/** What is wrong, if something is. */
export const Problem = ({ children }: { children: ReactNode }) =>
  children ? (
    <p className="problem" role="alert">
      {children}
    </p>
  ) : null;

interface FieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  hint?: ReactNode;
  /** Shown once the field has been left: nothing turns red while typing. */
  problem?: string | undefined;
  placeholder?: string;
  inputMode?: 'decimal' | 'text' | 'url';
}

export function Field({
  label,
  value,
  onChange,
  hint,
  problem,
  placeholder,
  inputMode = 'text',
}: FieldProps) {
  const id = useId();
  const [isLeft, setIsLeft] = useState(false);
  const shown = isLeft && value !== '' ? problem : undefined;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        inputMode={inputMode}
        autoComplete="off"
        spellCheck={false}
        placeholder={placeholder}
        value={value}
        aria-invalid={shown !== undefined}
        aria-describedby={`${id}-hint`}
        onFocus={() => setIsLeft(false)}
        onBlur={() => setIsLeft(true)}
        onChange={({ target }) => onChange(target.value)}
      />
      <div id={`${id}-hint`}>
        {shown === undefined ? hint && <p className="quiet">{hint}</p> : <Problem>{shown}</Problem>}
      </div>
    </div>
  );
}

interface SegmentProps<T extends string> {
  label: string;
  options: Record<T, string>;
  value: T;
  onChange: (value: T) => void;
  className?: string;
}

/** A choice of a few. */
export function Segment<T extends string>({ label, options, value, onChange, className }: SegmentProps<T>) {
  const name = useId();
  return (
    <div className={`segment ${className ?? ''}`} role="radiogroup" aria-label={label}>
      {(Object.entries(options) as [T, string][]).map(([id, text]) => (
        <label key={id}>
          <input type="radio" name={name} value={id} checked={id === value} onChange={() => onChange(id)} />
          <span>{text}</span>
        </label>
      ))}
    </div>
  );
}

export function CopyButton({ text, label }: { text: string; label: string }) {
  const [said, setSaid] = useState<string>();
  useEffect(() => {
    const timer = setTimeout(() => setSaid(undefined), 2_000);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setSaid('Copied'),
      () => setSaid('Not copied'),
    );
  return (
    <button type="button" className="chip" onClick={() => void copy()}>
      {said ?? label}
    </button>
  );
}

/** A token's image, or the first letter of its symbol on a colour from its mint. */
export function TokenIcon({
  mint,
  symbol,
  size = '',
}: {
  mint: Address;
  symbol: string;
  size?: 'large' | '';
}) {
  const image = useTokenImage(mint);
  const [first = 0, second = 0] = getAddressEncoder().encode(mint);
  const background = `hsl(${((first * 256 + second) * 360) / 65_536} 45% 36%)`;
  const letter = [...symbol].find((one) => /[\p{L}\p{N}]/u.test(one))?.toUpperCase() ?? '?';
  return (
    <span className={`token-image ${size}`} style={{ background }} aria-hidden="true">
      {letter}
      {image && <img src={image} alt="" />}
    </span>
  );
}

export const SolIcon = () => (
  <svg
    className="token-image"
    viewBox="0 0 28 28"
    aria-hidden="true"
    style={{ background: 'hsl(265 45% 36%)' }}
  >
    <path
      d="M9 9.500h12l-2.400 2.600H6.600zm-2.400 3.400h12L21 15.500H9zm2.400 3.400h12l-2.400 2.600H6.600z"
      fill="#fff"
    />
  </svg>
);
