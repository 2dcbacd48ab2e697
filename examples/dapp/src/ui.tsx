// Small components that all views share. Texts of strangers are only ever inserted as text.
import { type Address, getAddressEncoder } from '@solana/kit';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';

import { useTokenImage } from './files';

interface DialogProps {
  readonly title: string;
  readonly className?: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A modal dialog. Escape, its close button and a click outside close it, and the focus goes back to where it was. */
export function Dialog({ title, className = '', onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
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
        if (target !== dialog.current || detail > 1) return;
        const { left, right, top, bottom } = dialog.current.getBoundingClientRect();
        if (clientX < left || clientX > right || clientY < top || clientY > bottom) onClose();
      }}
    >
      <div className="sheet-head">
        <h2 id={id} tabIndex={-1}>
          {title}
        </h2>
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
  readonly term: string;
  readonly value: ReactNode;
  /** All digits, shown on hover. */
  readonly exact?: string | undefined;
  readonly isStrong?: boolean | undefined;
  readonly tone?: 'warn' | 'bad' | 'up' | 'down' | undefined;
}

export const Facts = ({ facts }: { readonly facts: readonly Fact[] }) => (
  <dl className="facts">
    {facts.map(({ term, value, exact, isStrong, tone }) => (
      <div key={term} className={isStrong ? 'strong' : undefined}>
        <dt>{term}</dt>
        <dd title={exact} className={tone}>
          {value}
        </dd>
      </div>
    ))}
  </dl>
);

export const Warnings = ({ warnings }: { readonly warnings: readonly string[] }) =>
  warnings.length > 0 && (
    <ul className="warnings">
      {warnings.map((warning) => (
        <li key={warning}>{warning}</li>
      ))}
    </ul>
  );

/** What is wrong, if something is. */
export const Problem = ({ children }: { readonly children: ReactNode }) =>
  children ? (
    <p className="problem" role="alert">
      {children}
    </p>
  ) : null;

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly hint?: ReactNode;
  /** Shown once the field has been left: nothing turns red while typing. */
  readonly problem?: string | undefined;
  readonly placeholder?: string;
  readonly inputMode?: 'decimal' | 'text' | 'url';
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
  const shown = isLeft ? problem : undefined;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="text"
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
  readonly label: string;
  readonly options: Readonly<Record<T, string>>;
  readonly value: T;
  readonly onChange: (value: T) => void;
  readonly className?: string;
}

/** A choice of a few. */
export function Segment<T extends string>({
  label,
  options,
  value,
  onChange,
  className = '',
}: SegmentProps<T>) {
  const name = useId();
  return (
    <div className={`segment ${className}`} role="radiogroup" aria-label={label}>
      {(Object.entries(options) as [T, string][]).map(([option, text]) => (
        <label key={option}>
          <input
            type="radio"
            name={name}
            value={option}
            checked={option === value}
            onChange={() => onChange(option)}
          />
          <span>{text}</span>
        </label>
      ))}
    </div>
  );
}

export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const [said, setSaid] = useState<string>();
  useEffect(() => {
    const timer = setTimeout(() => setSaid(undefined), 2_000);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = async () => {
    const isCopied = await navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
    setSaid(isCopied ? 'Copied' : 'Not copied');
  };
  return (
    <button type="button" className="chip" onClick={() => void copy()}>
      {said ?? label}
    </button>
  );
}

interface TokenIconProps {
  readonly mint: Address;
  readonly symbol: string;
  readonly size?: 'large';
}

/** A token's image, or the first letter of its symbol on a colour from its mint. */
export function TokenIcon({ mint, symbol, size }: TokenIconProps) {
  const image = useTokenImage(mint);
  const [first = 0, second = 0] = getAddressEncoder().encode(mint);
  const hue = ((first * 256 + second) * 360) / 65_536;
  const letter = [...symbol].find((one) => /[\p{L}\p{N}]/u.test(one))?.toUpperCase() ?? '?';
  return (
    <span
      className={`token-image ${size ?? ''}`}
      style={{ background: `hsl(${hue} 45% 36%)` }}
      aria-hidden="true"
    >
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
      fill="#ffffff"
    />
  </svg>
);
