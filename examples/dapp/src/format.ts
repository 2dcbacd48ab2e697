// How the page writes figures: by the reader's locale, six digits for amounts, every digit on hover and in the receipt.
import { type Address, isAddress } from '@solana/kit';
import * as heaven from 'heaven-pools';

export { sanitizeText, shortenAddress } from 'heaven-pools';

export const { language: locale } = navigator;

export type Unit = { decimals: number; symbol: string };

/** Dollars to type in, in millionths. */
export const USD: Unit = { decimals: 6, symbol: 'dollars' };

export const SOL: Unit = { decimals: 9, symbol: 'SOL' };

/** Six digits, rounded down: never more than there is. British English would write a million as `m`. */
export const formatAmount = (amount: bigint, decimals: number, options: heaven.FormatAmountOptions = {}) =>
  heaven
    .formatAmount(amount, decimals, { locale, compact: amount > 10n ** BigInt(decimals + 12), ...options })
    .replace(/m$/, 'M');

/** A part of an amount: all of it, or six digits, rounded down. */
export function shareOf(amount: bigint, percent: bigint): bigint {
  const part = (amount * percent) / 100n;
  return percent === 100n ? part : part - (part % 10n ** BigInt(Math.max(0, `${part}`.length - 6)));
}

export const formatUnits = (
  amount: bigint,
  { decimals, symbol }: Unit,
  options?: heaven.FormatAmountOptions,
) => `${formatAmount(amount, decimals, options)} ${symbol}`;

export const formatExact = (amount: bigint, unit: Unit) => formatUnits(amount, unit, { digits: 'all' });

/** What is paid, or lost, is rounded up where it is shortened. */
export const formatPaid = (amount: bigint, unit: Unit) => formatUnits(amount, unit, { rounding: 'up' });

export const formatChange = (amount: bigint, unit: Unit) =>
  formatUnits(amount, unit, { sign: 'always', rounding: amount < 0n ? 'up' : 'down' });

/** Formats numbers with as many decimals each, so that a column of them lines up. What makes a phone wait is made when it is needed. */
export const fixed = (digits: number, options?: Intl.NumberFormatOptions) => {
  const decimals = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  let made: Intl.NumberFormat | undefined;
  return (value: number) => {
    made ??= new Intl.NumberFormat(locale, { ...decimals, ...options });
    return made.format(value);
  };
};

export const oneDecimal = fixed(1);
const costs = fixed(6);

export const formatCost = (lamports: bigint) => `${costs(Number(lamports) / 1e9)} SOL`;

export const formatSol = (lamports: bigint) => formatUnits(lamports, SOL);

/** A price, or another number for display only. Zeros at its end are kept, so that figures line up. */
export function formatPrice(value: number, digits = 4): string {
  if (!Number.isFinite(value)) return '–';
  const text = heaven.formatPrice(value, { digits, locale });
  const [, lead = '', shown = ''] = /^(0[.,]0*[₀-₉]*)(\d+)$/.exec(text) ?? [];
  return shown === '' ? text : lead + shown.padEnd(digits, '0');
}

export const formatUsd = (value: number | bigint) => heaven.formatUsd(value, { locale });

export const formatBps = (bps: number | bigint) => heaven.formatBps(bps, { locale });

export const sumRates = (rates: heaven.FeeRates) =>
  Object.values(rates).reduce((sum, rate) => sum + rate, 0n);

/**
 * Reads what a person typed. A single comma or point is the decimal separator, whatever the locale, unless three digits follow it: then
 * only the reader's locale can tell.
 *
 * @throws {HeavenError} which `explainError` puts into words
 */
export function parseAmount(text: string, decimals: number): bigint {
  const isDecimal = /^\s*\d*[.,]\d*\s*$/.test(text) && !/^\s*[1-9]\d*[.,]\d{3}\s*$/.test(text);
  return isDecimal
    ? heaven.parseAmount(text.replace(',', '.'), decimals, { locale: 'en-US' })
    : heaven.parseAmount(text, decimals, { locale });
}

/** An amount as it stands in a field to type in: all digits, without thousands separators. */
export const toField = (amount: bigint, decimals: number) =>
  heaven.toUiAmount(amount, decimals).replace('.', oneDecimal(1.5).charAt(1));

const WRAPPED_SOL = 'So11111111111111111111111111111111111111112';

/** The address in what a person pasted: by itself, or in a link to an explorer, where SOL may stand beside it. */
export const addressIn = (text: string): Address | undefined =>
  text
    .match(/(?<![0-9A-Za-z])[1-9A-HJ-NP-Za-km-z]{32,44}(?![0-9A-Za-z])/g)
    ?.filter(isAddress)
    .find((address) => address !== WRAPPED_SOL);

/** Letters that run from right to left. Figures beside them would change places. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** A name or a symbol in characters that keep its direction from the text around it, if it needs them. */
export const isolate = (text: string) => (RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text);

type Priced = Pick<heaven.FetchedPoolSnapshot, 'solPrice'>;

/** Millionths of a dollar in lamports, at the exchange's price: rounded up, so that they are worth what was typed. */
export const toLamports = (microUsd: bigint, { solPrice: { answer, decimals } }: Priced) =>
  (microUsd * 10n ** BigInt(decimals + 3) + answer - 1n) / answer;

/** Lamports in millionths of a dollar, to the cent. */
export const toDollars = (lamports: bigint, { solPrice }: Priced) =>
  (heaven.toMicroUsd(lamports, solPrice) / 10_000n) * 10_000n;

/** An error whose message is for the user. */
export class UserError extends Error {}

/** Any error in words for the user: those of the page, the library, the wallet and the chain. */
export const explainError = (error: unknown): { message: string } =>
  error instanceof UserError ? error : heaven.explainError(error);

/** What was typed in native units, and what is wrong with it: nothing while it is empty or 0. */
export function readAmount(text: string, decimals: number): { amount: bigint; problem?: string } {
  if (/^\s*0*[.,]?0*\s*$/.test(text)) return { amount: 0n };
  try {
    return { amount: parseAmount(text, decimals) };
  } catch (error) {
    return { amount: 0n, problem: explainError(error).message };
  }
}
