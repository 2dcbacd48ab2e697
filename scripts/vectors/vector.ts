import { toSnakeCase } from '../../src/base/case.js';
import type { Assumption } from '../../src/program/assumptions.js';

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };
export type Fields = Readonly<Record<string, unknown>>;

export interface Case {
  readonly input: Fields;
  readonly expected: unknown;
}

/** What tests/vectors/schema.json describes, with values of the library in place of JSON. */
export interface Vector {
  readonly id: string;
  /** How check.py computes it. */
  readonly check: string;
  /** Each with its level in docs/protocol.md. */
  readonly facts: readonly string[];
  /** By their numbers in docs/protocol.md. */
  readonly assumptions?: readonly Assumption[];
  /** What the cases' inputs have in common. */
  readonly input?: Fields;
  readonly cases: readonly Case[];
}

export const hex = (bytes: Uint8Array | readonly number[]) => Buffer.from(bytes).toString('hex');

/** The fields that hold an f64: JSON numbers. All other numbers are integers: strings of digits. */
const F64 =
  /^(initialTokenBAmount|tradingVolumeUsd|creatorTradingFeeTradingVolumeThreshold|priceSolUsd|marketCap)$/;

/** A value as the files write it: bytes in base64, names in snake case, unused brackets left out at the end. */
function plain(value: unknown, name = ''): Json {
  if (typeof value === 'bigint' || (typeof value === 'number' && !F64.test(name))) return `${value}`;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (Array.isArray(value)) {
    const items = value.map((item) => plain(item));
    const isUnused = (item: Json | undefined) => Object.values(item ?? {}).every((field) => field === '0');
    while (name === 'brackets' && items.length > 0 && isUnused(items.at(-1))) items.pop();
    return items;
  }
  if (typeof value !== 'object' || value === null) return value as Json;
  const fields = Object.entries(value).filter(
    ([field, item]) => item !== undefined && !/^_|^padding/.test(field),
  );
  return Object.fromEntries(fields.map(([field, item]) => [toSnakeCase(field), plain(item, field)]));
}

/** A file: a case per line. */
export function textOf(topic: string, vectors: readonly Vector[]): string {
  const blocks = vectors.map(({ cases, id, check, facts, assumptions = [], input = {} }) => {
    const head = JSON.stringify(plain({ id, check, facts, assumptions, input })).slice(0, -1);
    const lines = cases.map((one) =>
      JSON.stringify({ input: plain(one.input), expected: plain(one.expected) }),
    );
    return `${head},"cases":[\n${lines.join(',\n')}\n]}`;
  });
  return `{"$schema":"./schema.json","topic":"${topic}","vectors":[\n${blocks.join(',\n')}\n]}\n`;
}
