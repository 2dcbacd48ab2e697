// The page's number formats, based on the library's.
import {
  formatUsd,
  formatAmount as write,
  formatBps as writeBps,
  formatPrice as writePrice,
} from 'heaven-pools';

export { formatUsd, sanitizeText as tame, shortenAddress } from 'heaven-pools';

export const SOL_DECIMALS = 9;

/** A native amount with all digits. */
export const formatAmount = (amount: bigint, decimals: number): string =>
  write(amount, decimals, { digits: 'all' });

export const formatSol = (lamports: bigint): string => `${formatAmount(lamports, SOL_DECIMALS)} SOL`;

/** A change with all digits and its sign. */
export const formatChange = (amount: bigint, decimals: number): string =>
  write(amount, decimals, { digits: 'all', sign: 'always' });

/** A short amount. Rounded down, so that it never promises too much. */
export const formatShort = (amount: bigint, decimals: number, digits = 6): string =>
  write(amount, decimals, { digits });

/** A short amount, rounded up: for what the user has to provide. */
export const formatShortUp = (amount: bigint, decimals: number): string =>
  write(amount, decimals, { rounding: 'up' });

export const formatShortSol = (lamports: bigint, digits = 6): string =>
  `${formatShort(lamports, SOL_DECIMALS, digits)} SOL`;

/** A price, or another number for display only. */
export const formatPrice = (value: number, digits = 4): string =>
  Number.isFinite(value) ? writePrice(value, { digits }) : '–';

const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumSignificantDigits: 3 });

/** A number on an axis or in a sentence: `100K`. */
export const formatCompact = (value: number): string =>
  value !== 0 && Math.abs(value) < 0.01 ? formatPrice(value, 3) : compact.format(value);

export const formatUsdCompact = (value: number): string =>
  value < 0.01 && value > 0 ? formatUsd(value) : `$${compact.format(value)}`;

/** Basis points as a percentage, in the page's style: `0.5 %`. */
export const formatBps = (bps: number | bigint): string => writeBps(bps).replace('%', ' %');
