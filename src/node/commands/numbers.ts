import { withPoint } from '../../math/units.js';

// How the commands show numbers. Nothing here loads kit.

/** `1234567.5` -> `1,234,567.5`. */
export const grouped = (digits: string): string => {
  const [whole = '', fraction] = digits.split('.');
  const withCommas = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? withCommas : `${withCommas}.${fraction}`;
};

/** An amount with all of its digits. */
export const amount = (units: bigint, decimals: number): string => grouped(withPoint(units, decimals));

/** Lamports as SOL, with all digits. */
export const inSol = (lamports: bigint): string => `${amount(lamports, 9)} SOL`;

/** Lamports as SOL, followed by the lamports. */
export const inSolAndLamports = (lamports: bigint): string =>
  `${inSol(lamports)} (${grouped(String(lamports))} lamports)`;

/** A number for display, with six significant digits and no exponent. */
export function shownNumber(value: number): string {
  if (!Number.isFinite(value) || value === 0) return String(value);
  const exponent = Math.floor(Math.log10(Math.abs(value)));
  // toFixed() returns an exponent for these.
  if (exponent >= 21) return grouped(String(BigInt(value)));
  const digits = value.toFixed(Math.min(100, Math.max(0, 5 - exponent)));
  return grouped(digits.includes('.') ? digits.replace(/\.?0+$/, '') : digits);
}

export const inUsd = (value: number): string => `$${grouped(value.toFixed(2))}`;

/** A rate in percent, with all digits. */
export const percent = (basisPoints: bigint): string => `${withPoint(basisPoints, 2)} %`;

/** Seconds as a readable duration. */
export function duration(seconds: number): string {
  const units = [
    [86_400, 'd'],
    [3_600, 'h'],
    [60, 'min'],
  ] as const;
  for (const [size, unit] of units) {
    if (seconds >= 2 * size) return `${grouped(String(Math.round(seconds / size)))} ${unit}`;
  }
  return seconds < 10 ? `${seconds.toFixed(1)} s` : `${Math.round(seconds)} s`;
}

/** The fee kinds in words, and the names of their groups in the accounts. */
export const FEE_KINDS = [
  ['protocol', 'protocol', 'protocolTradingFee'],
  ['liquidityProvider', 'liquidity providers', 'liquidityProviderTradingFee'],
  ['creator', 'creator', 'creatorTradingFee'],
  ['creatorProtocol', 'protocol’s share', 'creatorTradingFeeProtocolFee'],
  ['reflection', 'reflection', 'reflectionTradingFee'],
] as const;
