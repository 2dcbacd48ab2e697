import { formatBps, formatPrice, shortenAddress, sumRates, type Unit } from '../format';
import type { Balances } from '../queries';
import { amountFact, costFact, type Fact, type Listed } from '../ui';
import type { Given, Side, TradeQuote } from './quote';

const MID_BPS = 100;
const HIGH_BPS = 500;
/** From this price impact on, the user also types that they accept it. */
export const CONSENT_BPS = 1_500;

const FEES = {
  protocol: 'protocol',
  liquidityProvider: 'liquidity providers',
  creator: 'creator',
  creatorProtocol: 'protocol, on the creator fee',
  reflection: 'token holders (reflection)',
} as const;

export type Units = Record<Given, Unit>;

export const totalFeeBps = ({ quote }: TradeQuote) => sumRates(quote.details.feeRates);

export const impactInWords = (bps: number): string => {
  const word = bps >= HIGH_BPS ? ', high' : bps >= MID_BPS ? ', noticeable' : '';
  return `${bps === 0 ? `under ${formatBps(1)}` : formatBps(bps)}${word}`;
};

const impactTone = (bps: number) => (bps >= HIGH_BPS ? 'bad' : bps >= MID_BPS ? 'warn' : undefined);

/** The quote's own warnings that {@link warningsOf} has other words for. */
export const SAID: readonly string[] = ['price-impact', 'high-fee', 'minimum-too-low'];

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

/** What the user can count on. */
export const termsOf = ({ ask, quote }: TradeQuote, { pay, receive }: Units): Listed<Fact> => [
  amountFact('Minimum received', quote.minimumOut, receive, true),
  ask.given === 'receive' && amountFact('You pay at most', quote.details.amountIn, pay, true),
];

export function quoteFacts(trade: TradeQuote, units: Units): Listed<Fact> {
  const { quote, pool } = trade;
  const { feeRates, fees, totalFee, ...details } = quote.details;
  const impact = details.priceImpactBps;
  const feeFact = ([kind, name]: [string, string]) => {
    const [rate, fee] = [feeRates[kind as keyof typeof FEES], fees[kind as keyof typeof FEES]];
    return rate > 0n && costFact(`of which ${name}, ${formatBps(rate)}`, fee, { isPart: true });
  };
  const poolKind = pool.kind === 'pro' ? 'Pro pool' : 'Standard pool';
  return [
    ...termsOf(trade, units),
    { term: 'Price impact', value: impactInWords(impact), tone: impactTone(impact) },
    { term: 'Slippage', value: formatBps(quote.slippageBps) },
    { term: 'Price after', value: `${formatPrice(details.priceAfter)} SOL` },
    { term: poolKind, value: shortenAddress(pool.address), exact: pool.address },
    costFact('Exchange fees (included)', totalFee, { isStrong: true }),
    ...Object.entries(FEES).map(feeFact),
  ];
}

/** What the network takes, and what it only keeps: the same words in the card and in the review. */
export const rentFacts = (returned: bigint | undefined, kept: bigint): Listed<Fact> => [
  returned !== undefined && returned > 0n && costFact('Rent that comes back at once', returned),
  kept > 0n && costFact('Rent for new accounts, at most', kept),
];

/** What a wallet lacks for a trade, and the most that works instead. */
export function shortageOf(side: Side, amountIn: bigint, balances: Balances) {
  const { amount, missingLamports, breakdown } = balances[side];
  if (side === 'sell') {
    if (amountIn > balances.tokenUnits) return { asset: 'token', most: amount } as const;
    // To sell less doesn't pay for the fees.
    return missingLamports > 0n ? ({ asset: 'SOL', most: 0n } as const) : undefined;
  }
  // A buy may use what is kept for a later sell.
  const canPay = amount > 0n && amountIn <= amount + breakdown.kept;
  return canPay ? undefined : ({ asset: 'SOL', most: amount } as const);
}
