import type { ReactNode } from 'react';

type Props = { label: string; head: readonly string[]; className?: string; children: ReactNode };

/** A table that scrolls in its own box, by keyboard too, so that new rows move nothing around it. */
export const Table = ({ label, head, className = '', children }: Props) => (
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
