import type { AccountMeta, Address } from '@solana/kit';

import type { InstructionEffect } from '../effects.js';
import type { Step, StepProgram } from '../step.js';

interface Parsed {
  readonly accounts?: object;
  readonly data: object;
}

/** What an instruction means; names are those of its accounts and arguments. */
interface Meaning<TParsed extends Parsed> {
  readonly inWords: string;
  readonly effects?: readonly InstructionEffect[];
  readonly recipients?: readonly (keyof NonNullable<TParsed['accounts']>)[];
  readonly amounts?: readonly (keyof TParsed['data'])[];
}

export function makeStep<TParsed extends Parsed>(
  program: StepProgram,
  name: string,
  parsed: TParsed,
  { inWords, effects = [], recipients = [], amounts = [] }: Meaning<TParsed>,
): Step {
  const { discriminator: _, ...data } = parsed.data as Readonly<Record<string, unknown>>;
  return {
    program,
    name,
    accounts: addressesOf(parsed.accounts ?? {}) as Readonly<Record<string, Address>>,
    data,
    inWords,
    effects,
    recipients: recipients as readonly string[],
    amounts: amounts as readonly string[],
    minimums: [],
  };
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
export const nameAndAccounts = (name: string, accounts: object): string =>
  `${spaced(name)} ${Object.values(addressesOf(accounts)).join(', ')}`;

/** `InitializeMint2` as `Initialize Mint 2`. */
export const spaced = (name: string) => name.replace(/(?<=[a-z])(?=[A-Z0-9])/g, ' ');
