import { type FetchedPoolSnapshot, toMicroUsd, toUsdValue } from 'heaven-pools';

import { formatBps, formatPrice, formatUsd, SOL, shortenAddress, sumRates, type Unit } from '../format';
import type { Balances } from '../queries';
import { warningsInWords } from '../review/warnings';
import { amountFact, costFact, type Fact, type Listed } from '../ui';
import type { Given, Side, TradeQuote } from './quote';

const MID_BPS = 100;
const HIGH_BPS = 500;
/** From this price impact on, the user also says twice that they accept it. */
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

function impactFact(bps: number): Fact {
  const tone = bps >= HIGH_BPS ? 'bad' : bps >= MID_BPS ? 'warn' : undefined;
  const word = tone && { bad: ', high', warn: ', noticeable' }[tone];
  return {
    term: 'Price impact',
    value: `${bps === 0 ? 'under ' : ''}${formatBps(bps || 1)}${word ?? ''}`,
    tone,
  };
}

export function warningsOf(trade: TradeQuote): string[] {
  const { slippageBps, details } = trade.quote;
  const { priceImpactBps: impact } = details;
  const fees = totalFeeBps(trade);
  return [
    impact >= HIGH_BPS &&
      `High price impact: you get ${formatBps(impact)} less than the current price, before fees.`,
    fees >= HIGH_BPS &&
      `Fees are ${formatBps(fees)} now. During a launch they fall quickly: see the fee schedule.`,
    slippageBps > HIGH_BPS &&
      `You allow ${formatBps(slippageBps)} slippage. Bots may use that and leave you with the minimum.`,
    ...warningsInWords(details.warnings.filter(({ code }) => code !== 'high-fee')),
  ].filter((warning) => warning !== false);
}

/** In dollars. That of SOL is exact: what was typed in dollars is shown again. */
export function worthOf(snapshot: FetchedPoolSnapshot | undefined, amount: bigint, unit: Unit) {
  if (snapshot === undefined) return formatUsd(0);
  return formatUsd(
    unit === SOL ? toMicroUsd(amount, snapshot.solPrice) : toUsdValue(snapshot, amount, 'token'),
  );
}

export const minimumFact = ({ quote }: TradeQuote, { receive }: Units) =>
  amountFact('Minimum received', quote.minimumOut, receive, true);

export function quoteFacts(trade: TradeQuote, units: Units): Listed<Fact> {
  const { quote, pool } = trade;
  const { feeRates, fees, totalFee, ...details } = quote.details;
  const feeFact = ([kind, name]: [string, string]) => {
    const [rate, fee] = [feeRates[kind as keyof typeof FEES], fees[kind as keyof typeof FEES]];
    return rate > 0n && costFact(`of which ${name}, ${formatBps(rate)}`, fee, { isPart: true });
  };
  const poolKind = pool.kind === 'pro' ? 'Pro pool' : 'Standard pool';
  return [
    minimumFact(trade, units),
    impactFact(details.priceImpactBps),
    { term: 'Slippage', value: formatBps(quote.slippageBps) },
    { term: 'Price after', value: `${formatPrice(details.priceAfter)} SOL` },
    { term: poolKind, value: shortenAddress(pool.address), exact: pool.address },
    costFact('Exchange fees (included)', totalFee, { isStrong: true }),
    ...Object.entries(FEES).map(feeFact),
  ];
}

/** What the network takes, and what it only keeps: the same words in the card and in the review. */
export const rentFacts = (returned: bigint | undefined, kept: bigint, closed = 0n): Listed<Fact> => [
  closed > 0n && costFact('Rent back for the closed token account', closed),
  returned !== undefined && returned > 0n && costFact('Rent you get back at once', returned),
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
