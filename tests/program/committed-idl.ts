import { readFileSync } from 'node:fs';

import {
  type Address,
  addEncoderSizePrefix,
  type Encoder,
  getAddressEncoder,
  getBooleanEncoder,
  getF64Encoder,
  getU8Encoder,
  getU16Encoder,
  getU32Encoder,
  getU64Encoder,
  getUtf8Encoder,
} from '@solana/kit';

import { addressNumbered } from '../support/addresses.js';
import { hexOf } from '../support/bytes.js';

// src/program/idl.json, the record of the program's interface. idl.test.ts compares it with what the declarations give.

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

interface Idl {
  readonly address: Address;
  readonly instructions: readonly IdlInstruction[];
  readonly accounts: readonly Named[];
  readonly events: readonly Named[];
  readonly errors: readonly { readonly code: number; readonly name: string }[];
  readonly types: readonly {
    readonly name: string;
    readonly type: { readonly fields?: readonly IdlField[] };
  }[];
}

const text = readFileSync(new URL('../../src/program/idl.json', import.meta.url), 'utf8');
export const idl = JSON.parse(text) as Idl;

/** A name of the IDL in camelCase. */
export const camel = (name: string): string =>
  name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

export const fieldsOf = (name: string) => idl.types.find((one) => one.name === name)?.type.fields ?? [];

/** Kit's encoders of the plain types. */
export const ENCODERS = {
  bool: getBooleanEncoder(),
  u8: getU8Encoder(),
  u16: getU16Encoder(),
  u32: getU32Encoder(),
  u64: getU64Encoder(),
  f64: getF64Encoder(),
  string: addEncoderSizePrefix(getUtf8Encoder(), getU32Encoder()),
  pubkey: getAddressEncoder(),
} as unknown as Readonly<Record<string, Encoder<unknown>>>;

/** A value of each plain type for a number from 1 on; many of its bytes differ from one another. */
const VALUES: Readonly<Record<string, (number: number) => unknown>> = {
  bool: (number) => number % 2 === 0,
  u8: (number) => ((number - 1) % 255) + 1,
  u16: (number) => 0x8100 + number,
  u32: (number) => 0x8182_8300 + number,
  u64: (number) => 0x8182_8384_8586_8700n + BigInt(number),
  f64: (number) => number + 0.125,
  string: (number) => `hé🙂 ${number}`,
  pubkey: addressNumbered,
};

/** A value, and its bytes in Borsh as hex. */
type Example = readonly [value: unknown, bytes: string];
type FieldsExample = readonly [values: Record<string, unknown>, bytes: string];

/** An example of fields, one behind the other: each value is another, every option is there, and padding has a byte of its own. */
export function exampleOf(fields: readonly IdlField[], padding = '00'): FieldsExample {
  let count = 0;
  const exampleOfType = (type: IdlType): Example => {
    if (typeof type === 'string') {
      const value = VALUES[type]!(++count);
      return [value, hexOf(ENCODERS[type]!.encode(value))];
    }
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
  const exampleOfFields = (own: readonly IdlField[]): FieldsExample => {
    const values: Record<string, unknown> = {};
    let all = '';
    for (const { name, type } of own) {
      // Padding is not read.
      const isPadding = typeof type === 'object' && 'array' in type && type.array[0] === 'u8';
      const [value, bytes] = isPadding ? [undefined, padding.repeat(type.array[1])] : exampleOfType(type);
      if (!isPadding) values[camel(name)] = value;
      all += bytes;
    }
    return [values, all];
  };
  return exampleOfFields(fields);
}
