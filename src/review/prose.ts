// Templates of sentences about a transaction. Addresses and amounts keep their types until `write`, so that each caller formats them its own
// way, and a stranger's text stays as it is.

import type { Address } from '@solana/kit';
import { formatAmount } from '../format/amount.js';

/** Text that nothing changes, an address, or an amount in native units of a token. */
type Part = string | { readonly address: string } | { readonly units: bigint; readonly mint: Address };

export type Prose = readonly Part[];

/** An address in a sentence. */
export const at = (address: string): Prose => [{ address }];

/** An amount of a token in a sentence, in native units. */
export const unitsOf = (units: bigint, mint: Address): Prose => [{ units, mint }];

/** Addresses in a sentence. */
export const listed = (addresses: readonly string[], separator: string): Prose =>
  addresses.flatMap((address, index) => (index === 0 ? at(address) : [separator, ...at(address)]));

/** Makes a sentence. Whatever is not an address or an amount in it is text. */
export const say = (
  texts: TemplateStringsArray,
  ...holes: readonly (string | number | bigint | Prose)[]
): Prose =>
  texts.flatMap((text, index) => {
    const hole = holes[index] ?? '';
    return [text, ...(typeof hole === 'object' ? hole : [`${hole}`])];
  });

/** The mints of the amounts in sentences. */
export const mintsIn = (sentences: readonly Prose[]): readonly Address[] => [
  ...new Set(
    sentences.flat().flatMap((part) => (typeof part === 'object' && 'mint' in part ? [part.mint] : [])),
  ),
];

/** How to show what stands in the holes of a sentence. */
export interface Style {
  readonly address: (address: string) => string;
  readonly units: (units: bigint, mint: Address) => string;
}

/** An amount of a token: with all its digits if its decimals are known, otherwise in native units. */
export const amountInWords = (units: bigint, token: string, decimals: number | undefined): string =>
  decimals === undefined
    ? `${units} units of ${token}`
    : `${formatAmount(units, decimals, { digits: 'all' })} of ${token}`;

/** The decimals of the tokens that they are known of, by mint. */
export type Decimals = ReadonlyMap<string, number>;

/** Whole addresses, and the amounts of tokens with the decimals that are known. */
export const withDecimals = (decimals: Decimals): Style => ({
  address: String,
  units: (units, mint) => amountInWords(units, mint, decimals.get(mint)),
});

/** Writes a sentence, by default with whole addresses and native units. */
export const write = (prose: Prose, { address, units }: Style = withDecimals(new Map())): string =>
  prose
    .map((part) =>
      typeof part === 'string' ? part : 'mint' in part ? units(part.units, part.mint) : address(part.address),
    )
    .join('');
