// A quote's warnings and notes in words.
import type { Address } from '@solana/kit';
import { type FetchedPoolSnapshot, sumFees } from 'heaven-pools';

import { formatAmount, formatBps, formatShort, formatShortUp, shortenAddress } from './format.js';
import { explain } from './messages.js';
import { assetOf, type Given, type Quote, type Side, SOL, type Unit } from './quote.js';

export const MID_IMPACT_BPS = 100;
export const HIGH_BPS = 500;
/** From this impact on, the user confirms twice. */
export const CONSENT_BPS = 1_500;

/** What a trade's amount to pay or to receive is counted in. */
export const unitOf = (
  of: Given,
  side: Side,
  snapshot: FetchedPoolSnapshot | undefined,
  symbol: string,
): Unit => (assetOf(side, of) === 'SOL' ? SOL : { decimals: snapshot?.token.decimals ?? 0, symbol });

/** Writes a trade's amounts, with their units. */
export function unitsOf({ side, snapshot }: Pick<Quote, 'side' | 'snapshot'>, symbol: string) {
  const [pay, receive] = [unitOf('pay', side, snapshot, symbol), unitOf('receive', side, snapshot, symbol)];
  const inFull = (amount: bigint, { decimals, symbol }: Unit) =>
    `${formatAmount(amount, decimals)} ${symbol}`;
  return {
    spent: (amount: bigint) => inFull(amount, pay),
    received: (amount: bigint) => inFull(amount, receive),
    shortSpent: (amount: bigint) => `${formatShortUp(amount, pay.decimals)} ${pay.symbol}`,
    shortReceived: (amount: bigint) => `${formatShort(amount, receive.decimals)} ${receive.symbol}`,
  };
}

/** What a trade pays and gives, in a sentence. */
export function quoteInWords(quote: Quote, symbol: string): string {
  const { spent, received } = unitsOf(quote, symbol);
  const { minimumOut, details } = quote.quote;
  const pays = `You ${quote.side === 'buy' ? 'pay' : 'give'} ${spent(details.amountIn)} and get`;
  const about = `about ${received(details.amountOut)}`;
  return quote.ask.given === 'pay'
    ? `${pays} ${about}.`
    : `${pays} at least ${received(minimumOut)}: ${about} at the price now.`;
}

/** The computed amount in words: what a trade gives, or what it takes if the user typed what to receive. */
export function resultInWords(quote: Quote, symbol: string): string {
  const { spent, received } = unitsOf(quote, symbol);
  const { amountIn, amountOut } = quote.quote.details;
  return quote.ask.given === 'pay' ? `give about ${received(amountOut)}` : `take ${spent(amountIn)}`;
}

/** The warnings that the user must see first. */
export function warningsOf({ quote: { slippageBps, details }, snapshot }: Quote): readonly string[] {
  const { transferFee } = snapshot.token;
  const total = sumFees(details.feeRates);
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
  tie: 'it is as good',
} as const;

const KINDS = { standard: 'Standard pool', pro: 'Pro pool' } as const;
export const poolInWords = (kind: keyof typeof KINDS, address: Address): string =>
  `${KINDS[kind]} ${shortenAddress(address)}`;

/** Which of a token's pools is best, and how the others compare. */
export function rankingInWords({ ask, best }: Quote, inWords: (amount: bigint) => string): readonly string[] {
  if (best === undefined || best.others.length === 0) return [];
  const [most, less] =
    ask.given === 'pay'
      ? (['gives most', (by: string) => `gives ${by} less`] as const)
      : (['takes least', (by: string) => `takes ${by} more`] as const);
  const others = best.others.map((other) => {
    const pool = poolInWords(other.kind, other.pool);
    return other.status === 'refused'
      ? `${pool} takes no such trade: ${explain(other.error).message}`
      : `${pool} ${less(inWords(other.lowerBy))}: ${REASONS[other.reason]}.`;
  });
  return [`${poolInWords(best.kind, best.pool)} ${most} of ${others.length + 1} pools.`, ...others];
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
