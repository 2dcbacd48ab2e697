import { readFileSync } from 'node:fs';

import type { Address } from '@solana/kit';

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
  readonly returns?: string;
}

export type IdlType = string | { readonly defined: Named } | { readonly array: readonly [IdlType, number] };

interface IdlStruct {
  readonly name: string;
  readonly type: { readonly fields?: readonly { readonly name: string; readonly type: IdlType }[] };
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
