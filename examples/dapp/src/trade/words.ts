import { type OtherPool, shortenAddress } from 'heaven-pools';

import { explainError, formatBps, formatUnits, sumRates, type Unit } from '../format';
import type { Balances } from '../queries';
import type { Side, TradeQuote } from './quote';

const MID_BPS = 100;
const HIGH_BPS = 500;
/** From this price impact on, the user confirms twice. */
export const CONSENT_BPS = 1_500;

export const feeNames = {
  protocol: 'Protocol',
  liquidityProvider: 'Liquidity providers',
  creator: 'Creator',
  creatorProtocol: 'Protocol, on the creator fee',
  reflection: 'Token holders (reflection)',
} as const;

export const totalFeeBps = ({ quote }: TradeQuote) => sumRates(quote.details.feeRates);

export const impactInWords = (bps: number): string => {
  const word = bps >= HIGH_BPS ? ', high' : bps >= MID_BPS ? ', noticeable' : '';
  return `${bps === 0 ? `under ${formatBps(1)}` : formatBps(bps)}${word}`;
};

export const impactTone = (bps: number) => (bps >= HIGH_BPS ? 'bad' : bps >= MID_BPS ? 'warn' : undefined);

/** What the user should know before anything else. */
export function warningsOf(trade: TradeQuote): string[] {
  const { slippageBps, details } = trade.quote;
  const { priceImpactBps: impact, transferFee } = details;
  const fees = totalFeeBps(trade);
  return [
    impact >= HIGH_BPS &&
      `High price impact: you get ${formatBps(impact)} less than the current price, before fees.`,
    fees >= HIGH_BPS &&
      `Fees are ${formatBps(fees)} now. In a launch they fall with every slot: see the fee schedule.`,
    slippageBps > HIGH_BPS &&
      `You allow ${formatBps(slippageBps)} slippage. Others may use that and leave you with the minimum.`,
    transferFee > 0n && 'The token keeps a part of every transfer for itself. The amounts include that.',
  ].filter((warning) => warning !== false);
}

/** A token's other pools, and why they are not used. */
export const otherPoolInWords = (other: OtherPool, unit: Unit): string =>
  other.status === 'refused'
    ? `${shortenAddress(other.pool)} can't take it: ${explainError(other.error).message}`
    : `${shortenAddress(other.pool)} is worse by ${formatUnits(other.lowerBy, unit)}.`;

/** What a wallet lacks for a trade, and the most that works instead. */
export function shortageOf(side: Side, amountIn: bigint, { tokenUnits, maxBuy, maxSell }: Balances) {
  const most = side === 'buy' ? maxBuy : maxSell;
  if (side === 'sell' && amountIn > tokenUnits) return { asset: 'token', most: most.amount } as const;
  // A buy may use what is kept for a later sell.
  const canPay =
    side === 'sell'
      ? most.missingLamports === 0n
      : most.amount > 0n && amountIn <= most.amount + most.breakdown.kept;
  // To sell less doesn't pay for the fees.
  return canPay ? undefined : ({ asset: 'SOL', most: side === 'buy' ? most.amount : 0n } as const);
}
