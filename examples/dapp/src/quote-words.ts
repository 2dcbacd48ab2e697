// A quote's warnings and notes in words.
import type { Address } from '@solana/kit';
import type { FetchedPoolSnapshot } from 'heaven-pools';

import { totalBps } from './fee-kinds.js';
import { formatAmount, formatBps, formatShort, formatShortSol, formatSol, shortenAddress } from './format.js';
import { explain } from './messages.js';
import type { Quote, Side } from './quote.js';

export { totalBps };

export const MID_IMPACT_BPS = 100;
export const HIGH_BPS = 500;
/** From this impact on, the user confirms twice. */
export const CONSENT_BPS = 1_500;

/** Amounts of a trade, with their units. */
export function unitsOf(snapshot: FetchedPoolSnapshot | undefined, symbol: string) {
  const decimals = snapshot?.token.decimals ?? 0;
  const tokens = (amount: bigint) => `${formatAmount(amount, decimals)} ${symbol}`;
  const shortTokens = (amount: bigint) => `${formatShort(amount, decimals)} ${symbol}`;
  return {
    tokens,
    shortTokens,
    spent: (side: Side, amount: bigint) => (side === 'buy' ? formatSol(amount) : tokens(amount)),
    received: (side: Side, amount: bigint) => (side === 'buy' ? tokens(amount) : formatSol(amount)),
    shortReceived: (side: Side, amount: bigint) =>
      side === 'buy' ? shortTokens(amount) : formatShortSol(amount),
  };
}

/** The warnings that the user must see first. */
export function warningsOf({ quote: { slippageBps, details }, snapshot }: Quote): readonly string[] {
  const { transferFee } = snapshot.token;
  const total = totalBps(details.feeRates);
  const warnings = [
    details.priceImpactBps >= HIGH_BPS &&
      `This trade is large for the pool: fees aside, you get ${formatBps(details.priceImpactBps)} less than at the price now.`,
    total >= HIGH_BPS &&
      `The fees are ${formatBps(total)} now. In a launch they fall with every slot: see the fee schedule.`,
    slippageBps > HIGH_BPS &&
      `You allow ${formatBps(slippageBps)} of slippage. Others may use that and leave you with the minimum.`,
    transferFee !== undefined &&
      `The token itself keeps ${formatBps(transferFee.basisPoints)} of every transfer. The amounts account for it.`,
  ];
  return warnings.filter((warning) => warning !== false);
}

const NOTES: readonly string[] = ['sandwich-window', 'same-slot-trading', 'stale-price'];

/** Useful notes. They come and go with the pool, so they are shown in the details. */
export const notesOf = ({ quote }: Quote): readonly string[] =>
  quote.details.warnings.filter(({ code }) => NOTES.includes(code)).map(({ message }) => message);

const REASONS = {
  'higher-fees': 'its fees are higher',
  'worse-price': 'its price is worse',
  'less-liquidity': 'it holds less',
  tie: 'it gives the same',
} as const;

const KINDS = { standard: 'Standard pool', pro: 'Pro pool' } as const;
export const poolInWords = (kind: keyof typeof KINDS, address: Address): string =>
  `${KINDS[kind]} ${shortenAddress(address)}`;

/** Which of a token's pools gives the most, and how the others compare. */
export function rankingInWords({ best }: Quote, received: (amount: bigint) => string): readonly string[] {
  if (best === undefined || best.others.length === 0) return [];
  const others = best.others.map((other) => {
    const pool = poolInWords(other.kind, other.pool);
    return other.status === 'refused'
      ? `${pool} takes no such trade: ${explain(other.error).message}`
      : `${pool} gives ${received(other.lowerBy)} less: ${REASONS[other.reason]}.`;
  });
  return [`${poolInWords(best.kind, best.pool)} gives most of ${others.length + 1} pools.`, ...others];
}

export const impactStyle = (bps: number): 'impact-mid' | 'impact-high' | undefined =>
  bps >= HIGH_BPS ? 'impact-high' : bps >= MID_IMPACT_BPS ? 'impact-mid' : undefined;

/** The impact with a word, so that the colour is not the only sign. */
export const impactInWords = (bps: number): string =>
  `${bps === 0 ? 'under 0.01 %' : formatBps(bps)}${bps >= HIGH_BPS ? ', high' : bps >= MID_IMPACT_BPS ? ', noticeable' : ''}`;

/** A span of time: `2 d 3 h`, `3 h 12 min`, `45 s`. */
export function spanInWords(seconds: number): string {
  const [days, hours, minutes] = [
    Math.floor(seconds / 86_400),
    Math.floor(seconds / 3_600) % 24,
    Math.floor(seconds / 60) % 60,
  ];
  if (days > 0) return `${days.toLocaleString('en-US')} d ${hours} h`;
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${Math.floor(seconds) % 60} s` : `${Math.floor(seconds)} s`;
}
