import type { AccountMeta, Address, Instruction } from '@solana/kit';
import { isBytes } from '../base/input.js';

import { HIDDEN } from '../base/text.js';
import type { InstructionEffect } from './effects.js';
import { listed, type Prose, say } from './prose.js';

/** The programs whose instructions are understood. */
export type StepProgram =
  | 'associated-token'
  | 'compute-budget'
  | 'exchange'
  | 'lighthouse'
  | 'memo'
  | 'system'
  | 'token'
  | 'token-2022'
  | 'token-metadata';

/** What an instruction does. */
export interface Step {
  readonly program: StepProgram;
  /** The program's own name for it: `TransferSol`, `buy`. */
  readonly name: string;
  /** Its accounts by name, in order. */
  readonly accounts: Readonly<Record<string, Address>>;
  readonly data: Readonly<Record<string, unknown>>;
  readonly inWords: Prose;
  readonly effects: readonly InstructionEffect[];
}

/** An instruction none of whose accounts is hidden. */
export type PlainInstruction = Instruction & {
  readonly accounts: readonly AccountMeta[];
  readonly data: Uint8Array;
};

/** The step of an instruction that a program's client has parsed. */
export function makeStep(
  program: StepProgram,
  name: string,
  parsed: { readonly accounts?: object; readonly data: object },
  inWords: Prose,
  effects: readonly InstructionEffect[] = [],
): Step {
  const { discriminator: _, ...data } = parsed.data as Readonly<Record<string, unknown>>;
  const accounts = addressesOf(parsed.accounts ?? {}) as Readonly<Record<string, Address>>;
  return { program, name, accounts, data, inWords, effects };
}

type Addresses<TAccounts> = {
  readonly [TName in keyof TAccounts]: TAccounts[TName] extends AccountMeta ? Address : Address | undefined;
};

/** The addresses of accounts by name. An optional account that is not there is left out. */
export const addressesOf = <TAccounts extends object>(accounts: TAccounts): Addresses<TAccounts> =>
  Object.fromEntries(
    Object.entries(accounts as Readonly<Record<string, AccountMeta | undefined>>).flatMap(([name, meta]) =>
      meta === undefined ? [] : [[name, meta.address]],
    ),
  ) as Addresses<TAccounts>;

/** The words for an instruction that needs none of its own: its name and its accounts. */
export const nameAndAccounts = (name: string, accounts: object): Prose =>
  say`${spaced(name)} ${listed(Object.values(addressesOf(accounts)), ', ')}`;

/** `InitializeMint2` as `Initialize Mint 2`. */
export const spaced = (name: string) => name.replace(/(?<=[a-z])(?=[A-Z0-9])/g, ' ');

/** A value as JSON, each text in it as `inText` has it. */
export const asJson = (value: unknown, inText: (text: string) => string = String): string =>
  JSON.stringify(value, (_, item: unknown) => {
    if (typeof item === 'string') return inText(item);
    if (typeof item === 'bigint') return item.toString();
    return isBytes(item) ? [...item] : item;
  });

/** The most characters that are shown of a stranger's text. */
const MAX_CHARACTERS = 200;

/** A stranger's text, cut if it is long. */
export function cut(text: string): string {
  const characters = Array.from(text);
  return characters.length > MAX_CHARACTERS ? `${characters.slice(0, MAX_CHARACTERS - 1).join('')}…` : text;
}

/**
 * A stranger's value as JSON. Long texts in it are cut, and invisible characters, blank letters and marks that change the direction of
 * writing are escaped.
 */
export const quoted = (value: unknown): string =>
  asJson(value, cut).replace(HIDDEN, (hidden) =>
    Array.from(
      { length: hidden.length },
      (_, index) => `\\u${hidden.charCodeAt(index).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
