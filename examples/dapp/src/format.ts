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

const significant = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 4 });
const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumSignificantDigits: 3 });

/** A number for display only, such as a price. */
export const formatNumber = (value: number): string => significant.format(value);

export const formatCompact = (value: number): string =>
  value !== 0 && Math.abs(value) < 0.01 ? formatNumber(value) : compact.format(value);
export const formatUsd = (value: number): string => `$${formatCompact(value)}`;

/** Basis points as a percentage. */
export const formatBps = (bps: number | bigint): string =>
  `${new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 }).format(Number(bps) / 100)} %`;

/** A name that anybody gave: without what is not seen, or turns the text around it about, and what is too long. */
export const tame = (text: string, most: number): string =>
  [...text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '').trim()].slice(0, most).join('');

/** The beginning and the end of an address. */
export const shortAddress = (address: string): string => `${address.slice(0, 4)}…${address.slice(-4)}`;
