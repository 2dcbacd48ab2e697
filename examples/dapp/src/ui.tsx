// Small components that all views share. Texts of strangers are only ever inserted as text.
import { type Address, getAddressEncoder } from '@solana/kit';
import { useMutation } from '@tanstack/react-query';
import { type ComponentProps, type ReactNode, useId, useState } from 'react';

import { useTokenImage } from './files';
import {
  explainError,
  formatBps,
  formatCost,
  formatExact,
  formatPaid,
  formatUnits,
  SOL,
  shortenAddress,
  type Unit,
} from './format';

export const Button = (props: ComponentProps<'button'>) => <button type="button" {...props} />;

/** Keeps the place of a figure that is still being read, without a word of it to screen readers. */
export const Awaited = ({ isKnown, children }: { isKnown?: boolean; children: ReactNode }) =>
  isKnown ? (
    children
  ) : (
    <span className="skeleton" aria-hidden="true">
      {children}
    </span>
  );

export interface Fact {
  term: string;
  value: ReactNode;
  /** All digits, shown on hover. */
  exact?: string | undefined;
  isStrong?: boolean | undefined;
  tone?: 'warn' | 'bad' | 'up' | 'down' | undefined;
  /** It is in the sum above it. */
  isPart?: boolean;
}

/** A list of facts may hold what does not apply, as JSX does. */
export type Listed<T> = readonly (T | false | undefined)[];

export const amountFact = (term: string, amount: bigint, unit: Unit, isStrong = false): Fact => ({
  term,
  value: formatUnits(amount, unit),
  exact: formatExact(amount, unit),
  isStrong,
});

/** What is paid is rounded up where it is shortened. */
export const paidFact = (term: string, amount: bigint, unit: Unit): Fact => ({
  ...amountFact(term, amount, unit, true),
  value: formatPaid(amount, unit),
});

export const costFact = (term: string, lamports: bigint, more: Partial<Fact> = {}): Fact => ({
  term,
  value: formatCost(lamports),
  exact: formatExact(lamports, SOL),
  ...more,
});

export const Facts = ({ facts }: { facts: Listed<Fact> }) => (
  <dl className="facts">
    {facts
      .filter((fact) => fact !== false && fact !== undefined)
      .map(({ term, value, exact, isStrong, isPart, tone }) => (
        <div key={term} className={isStrong ? 'strong' : isPart ? 'part' : undefined}>
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

type ProblemProps = { error?: unknown; children?: ReactNode };

/** What is wrong, if anything is: in words, or as an error. */
export const Problem = ({
  error,
  children = error ? explainError(error).message : undefined,
}: ProblemProps) =>
  children && (
    <p className="problem" role="alert">
      {children}
    </p>
  );

interface FieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  hint?: ReactNode;
  /** Shown once the field has been left: nothing turns red while typing. */
  problem?: string | undefined;
  placeholder?: string;
  name?: string;
  inputMode?: 'decimal' | 'text' | 'url';
}

export function Field({ label, value, onChange, hint, problem, ...input }: FieldProps) {
  const id = useId();
  const [isLeft, setIsLeft] = useState(false);
  const shown = isLeft && value !== '' ? problem : undefined;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        autoComplete="off"
        spellCheck={false}
        value={value}
        aria-invalid={shown !== undefined}
        aria-describedby={`${id}-hint`}
        onFocus={() => setIsLeft(false)}
        onBlur={() => setIsLeft(true)}
        onChange={({ target }) => onChange(target.value)}
        {...input}
      />
      <div id={`${id}-hint`}>
        {shown === undefined ? hint && <p className="quiet">{hint}</p> : <Problem>{shown}</Problem>}
      </div>
    </div>
  );
}

interface SegmentProps<T extends string> {
  label: string;
  options: Partial<Record<T, string>>;
  value: T;
  onChange: (value: T) => void;
}

export function Segment<T extends string>({ label, options, value, onChange }: SegmentProps<T>) {
  const name = useId();
  return (
    <div className="segment" role="radiogroup" aria-label={label}>
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
  const copying = useMutation({ mutationFn: () => navigator.clipboard.writeText(text) });
  return (
    <Button className="chip" onClick={() => copying.mutate()} onBlur={() => copying.reset()}>
      {copying.isSuccess ? 'Copied' : copying.isError ? 'Not copied' : label}
    </Button>
  );
}

export const CopyAddress = ({ text, label }: { text: string; label: string }) => (
  <span className="row">
    {shortenAddress(text)} <CopyButton text={text} label={label} />
  </span>
);

export const Shares = ({ of, onChoose }: { of: readonly bigint[]; onChoose: (percent: bigint) => void }) =>
  of.map((percent) => (
    <Button key={percent} className="chip" onClick={() => onChoose(percent)}>
      {percent === 100n ? 'Max' : formatBps(percent * 100n)}
    </Button>
  ));

type PictureProps = { symbol: string; background: string; image: string | undefined };

/** An image, or the first letter of a symbol. */
export function Picture({ symbol, background, image }: PictureProps) {
  const letter = [...symbol].find((one) => /[\p{L}\p{N}]/u.test(one))?.toUpperCase() ?? '?';
  return (
    <span className="token-image" style={{ background }} aria-hidden="true">
      {letter}
      {image && <img src={image} alt="" />}
    </span>
  );
}

/** A token's image, or the first letter of its symbol on a colour from its mint. */
export function TokenIcon({ mint, symbol }: { mint: Address; symbol: string }) {
  const [first = 0, second = 0] = getAddressEncoder().encode(mint);
  const background = `hsl(${((first * 256 + second) * 360) / 65_536} 45% 36%)`;
  return <Picture symbol={symbol} background={background} image={useTokenImage(mint)} />;
}

export const SolIcon = () => (
  <svg
    className="token-image"
    viewBox="0 0 28 28"
    aria-hidden="true"
    style={{ background: 'hsl(265 45% 36%)' }}
  >
    <path d="M9 9.5h12l-2.4 2.6H6.6zm-2.4 3.4h12L21 15.5H9zm2.4 3.4h12l-2.4 2.6H6.6z" fill="#fff" />
  </svg>
);

type TableProps = { label: string; head: readonly string[]; className?: string; children: ReactNode };

/** A table that scrolls in its own box, by keyboard too, so that new rows move nothing around it. */
export const Table = ({ label, head, className = '', children }: TableProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
  <section className={`scroll ${className}`} tabIndex={0} aria-label={label}>
    <table>
      <thead>
        <tr>
          {head.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </section>
);
