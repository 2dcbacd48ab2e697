import { toUiAmount } from 'heaven-pools';

export const SOL_DECIMALS = 9;

/** A native amount with all its digits, and commas between the thousands. */
export function formatAmount(amount: bigint, decimals: number): string {
  const [whole = '0', fraction] = toUiAmount(amount < 0n ? -amount : amount, decimals).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return `${amount < 0n ? '−' : ''}${grouped}${fraction === undefined ? '' : `.${fraction}`}`;
}

export const formatSol = (lamports: bigint): string => `${formatAmount(lamports, SOL_DECIMALS)} SOL`;

/** A change, with its sign. */
export const formatChange = (amount: bigint, decimals: number): string =>
  `${amount > 0n ? '+' : ''}${formatAmount(amount, decimals)}`;

const MILLION = 1e6;
const UNITS = [
  [1e12, 'T'],
  [1e9, 'B'],
  [MILLION, 'M'],
] as const;
const SUBSCRIPTS = '₀₁₂₃₄₅₆₇₈₉';

/**
 * A number with so many significant digits: `98,415.3`, `1.14 M`, and with the zeros behind the point counted where there are
 * many: `0.0₄152`.
 */
function short(value: number, digits: number): string {
  if (!Number.isFinite(value)) return '–';
  const size = Math.abs(value);
  const sign = value < 0 ? '−' : '';
  for (const [unit, letter] of UNITS) {
    if (size >= unit)
      return `${sign}${(size / unit).toLocaleString('en-US', { maximumSignificantDigits: Math.min(digits, 4) })} ${letter}`;
  }
  const [mantissa = '0', exponent = '0'] = size.toExponential(digits - 1).split('e');
  const zeros = -Number(exponent) - 1;
  if (zeros < 4)
    return `${sign}${size.toLocaleString('en-US', { maximumSignificantDigits: digits, maximumFractionDigits: 12 })}`;
  const count = [...String(zeros)].map((digit) => SUBSCRIPTS[Number(digit)]).join('');
  return `${sign}0.0${count}${mantissa.replace('.', '').replace(/0+$/, '')}`;
}

/** An amount at a glance: six significant digits. Rounded down, so that it never promises more. */
export function formatShort(amount: bigint, decimals: number, digits = 6): string {
  const written = amount.toString().replace('-', '');
  const kept = `${written.slice(0, digits)}${'0'.repeat(Math.max(written.length - digits, 0))}`;
  const value = Number(toUiAmount(BigInt(kept), decimals));
  return `${amount < 0n ? '−' : ''}${short(value, digits)}`;
}

export const formatShortSol = (lamports: bigint, digits = 6): string =>
  `${formatShort(lamports, SOL_DECIMALS, digits)} SOL`;

/** A price, or another number for display only. */
export const formatPrice = (value: number, digits = 4): string => short(value, digits);

const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumSignificantDigits: 3 });
const cents = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

export const formatCompact = (value: number): string =>
  value !== 0 && Math.abs(value) < 0.01 ? short(value, 3) : compact.format(value);

/** Dollars: to the cent below a million, with three digits above it and below a cent. */
export const formatUsd = (value: number): string => {
  const size = Math.abs(value);
  const text =
    size >= MILLION ? short(size, 3) : size === 0 ? '0' : size < 0.01 ? short(size, 3) : cents.format(size);
  return `${value < 0 ? '−' : ''}$${text}`;
};

/** Dollars on an axis or in a bound: `$100K`. */
export const formatUsdCompact = (value: number): string => `$${formatCompact(value)}`;

/** Basis points as a percentage. */
export const formatBps = (bps: number | bigint): string =>
  `${new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 }).format(Number(bps) / 100)} %`;

/** A name that anybody gave, without invisible characters and not too long. */
export const tame = (text: string, most: number): string =>
  [...text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '').trim()].slice(0, most).join('');

/** The beginning and the end of an address. */
export const shortAddress = (address: string): string => `${address.slice(0, 4)}…${address.slice(-4)}`;
