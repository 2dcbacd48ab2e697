import type { Address } from '@solana/kit';
import type { Assumption } from '../program/assumptions.js';
import type { BuiltTransaction } from '../transaction/built.js';

/** Changes by name: amounts as differences, everything else as its new value. The table shows the first. */
export type Figures = Readonly<Record<string, bigint | string>>;

/** The names of the figures that differ. */
export const differences = (said: Figures, did: Figures): readonly string[] =>
  [...new Set([...Object.keys(said), ...Object.keys(did)])].filter((name) => said[name] !== did[name]);

/** `rejected`: the program must reject it with an error of its own. `failed`: with any error. */
export type Said = Figures | 'rejected' | 'failed';

/** What the program would do by another reading of an assumption. */
export interface Alternative {
  readonly name: string;
  readonly said: Said;
}

/** A built transaction, and what it should change. */
export interface Plan {
  readonly built: BuiltTransaction;
  readonly said: Said;
  /** By the other readings of the assumption that the operation tells apart. */
  readonly alternatives?: readonly Alternative[];
  /** The accounts of some figures: wallets, token accounts and LP positions. The others are fields of the pool. */
  readonly at?: Readonly<Record<string, Address>>;
  readonly pool?: Address;
  /** No other field of the pool may change. */
  readonly isExact?: true;
  /** What it rests on besides its operation's assumptions. */
  readonly assumes?: readonly Assumption[];
  /** Another transaction, whose figures also count. */
  readonly next?: () => Promise<Plan>;
}

/** The leaves that differ between two decoded accounts. `before` is `undefined` for a new one. */
export function changes(before: unknown, after: unknown, path = ''): Figures {
  if (typeof after === 'bigint') {
    const change = after - ((before as bigint | undefined) ?? 0n);
    return change === 0n ? {} : { [path]: change };
  }
  if (typeof after !== 'object' || after === null) return before === after ? {} : { [path]: String(after) };
  const fields = (before ?? {}) as Readonly<Record<string, unknown>>;
  const parts = Object.entries(after).map(([name, value]) =>
    changes(fields[name], value, path === '' ? name : `${path}.${name}`),
  );
  return Object.assign({}, ...parts);
}
