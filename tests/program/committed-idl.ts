import { readFileSync } from 'node:fs';

import {
  type Address,
  addEncoderSizePrefix,
  getBooleanEncoder,
  getF64Encoder,
  getU8Encoder,
  getU16Encoder,
  getU32Encoder,
  getU64Encoder,
  getUtf8Encoder,
} from '@solana/kit';

import { addressOfByte } from '../support/addresses.js';
import { hexOf } from '../support/bytes.js';

// idl/heaven.json, the record of the program's interface. idl.test.ts compares it with what the declarations give.

export type Seed =
  | { readonly kind: 'const'; readonly value: readonly number[] }
  | { readonly kind: 'account'; readonly path: string };

export interface IdlAccount {
  readonly name: string;
  readonly writable?: boolean;
  readonly signer?: boolean;
  readonly address?: Address;
  readonly pda?: { readonly seeds: readonly Seed[]; readonly program?: Seed };
}

interface Named {
  readonly name: string;
  readonly discriminator: readonly number[];
}

export interface IdlInstruction extends Named {
  readonly accounts: readonly IdlAccount[];
  readonly args: readonly IdlField[];
}

export type IdlType =
  | string
  | { readonly defined: Named }
  | { readonly array: readonly [IdlType, number] }
  | { readonly vec: IdlType }
  | { readonly option: IdlType };

export interface IdlField {
  readonly name: string;
  readonly type: IdlType;
}

interface IdlStruct {
  readonly name: string;
  readonly type: { readonly fields?: readonly IdlField[] };
}

interface Idl {
  readonly address: Address;
  readonly instructions: readonly IdlInstruction[];
  readonly accounts: readonly Named[];
  readonly events: readonly Named[];
  readonly errors: readonly { readonly code: number; readonly name: string }[];
  readonly types: readonly IdlStruct[];
}

export const idl: Idl = JSON.parse(
  readFileSync(new URL('../../idl/heaven.json', import.meta.url), 'utf8'),
) as Idl;

/** A name of the IDL in camelCase. */
export const camel = (name: string): string =>
  name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

export const fieldsOf = (name: string) => idl.types.find((one) => one.name === name)?.type.fields ?? [];

/** A value, and its bytes in Borsh as hex. */
type Example = readonly [value: unknown, bytes: string];

const text = addEncoderSizePrefix(getUtf8Encoder(), getU32Encoder());

/** An example of each plain type for a number from 1 to 255; many of its bytes differ from one another. */
const PLAIN: Readonly<Record<string, (number: number) => Example>> = {
  bool: (number) => [number % 2 === 0, hexOf(getBooleanEncoder().encode(number % 2 === 0))],
  u8: (number) => [number, hexOf(getU8Encoder().encode(number))],
  u16: (number) => [0x8100 + number, hexOf(getU16Encoder().encode(0x8100 + number))],
  u32: (number) => [0x8182_8300 + number, hexOf(getU32Encoder().encode(0x8182_8300 + number))],
  u64: (number) => {
    const value = 0x8182_8384_8586_8700n + BigInt(number);
    return [value, hexOf(getU64Encoder().encode(value))];
  },
  f64: (number) => [number + 0.125, hexOf(getF64Encoder().encode(number + 0.125))],
  string: (number) => [`hé🙂 ${number}`, hexOf(text.encode(`hé🙂 ${number}`))],
  pubkey: (number) => [addressOfByte(number), number.toString(16).padStart(2, '0').repeat(32)],
};

/** An example of fields, one behind the other: each value is another, and every option is there. */
export function exampleOf(fields: readonly IdlField[]): readonly [Record<string, unknown>, string] {
  let count = 0;
  const exampleOfType = (type: IdlType): Example => {
    if (typeof type === 'string') return PLAIN[type]!((count++ % 255) + 1);
    if ('defined' in type) return exampleOfFields(fieldsOf(type.defined.name));
    if ('array' in type) return exampleOfItems(type.array[0], type.array[1]);
    if ('vec' in type) {
      const [items, bytes] = exampleOfItems(type.vec, 2);
      return [items, `02000000${bytes}`];
    }
    const [value, bytes] = exampleOfType(type.option);
    return [value, `01${bytes}`];
  };
  const exampleOfItems = (type: IdlType, length: number): Example => {
    const items = Array.from({ length }, () => exampleOfType(type));
    return [items.map(([value]) => value), items.map(([, bytes]) => bytes).join('')];
  };
  const exampleOfFields = (own: readonly IdlField[]): readonly [Record<string, unknown>, string] => {
    const values: Record<string, unknown> = {};
    let all = '';
    for (const { name, type } of own) {
      // Padding is written as zeros, and not read.
      const isPadding = typeof type === 'object' && 'array' in type && type.array[0] === 'u8';
      const [value, bytes] = isPadding ? [undefined, '00'.repeat(type.array[1])] : exampleOfType(type);
      if (!isPadding) values[camel(name)] = value;
      all += bytes;
    }
    return [values, all];
  };
  return exampleOfFields(fields);
}
