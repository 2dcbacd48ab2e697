import { buildTrade, type FetchedPoolSnapshot, fetchPoolSnapshot, toUsdValue } from 'heaven-pools';

import {
  formatBps,
  formatChange,
  formatExact,
  formatPrice,
  formatUnits,
  formatUsd,
  SOL,
  type Unit,
} from '../format';
import type { Network } from '../network/network';
import { locatorOf, type Pool } from '../queries';
import type { Landed, Leg, Operation, ReceiptView } from '../review/review';
import { amountFact, SolIcon, TokenIcon } from '../ui';
import type { Wallet } from '../wallet/wallet';
import { fetchQuote, hasMoved, type TradeQuote } from './quote';
import { CONSENT_BPS, impactInWords, impactTone, warningsOf } from './words';

interface TradeContext {
  network: Network;
  wallet: Wallet;
  pools: Pool[];
  snapshot: FetchedPoolSnapshot;
  pay: Unit;
  receive: Unit;
  computeUnitPrice: bigint;
  onLanded: () => void;
}

/** A trade, from its quote to its receipt. */
export function tradeOperation(context: TradeContext, trade: TradeQuote): Operation {
  const { network, wallet, pools, snapshot, pay, receive, computeUnitPrice, onLanded } = context;
  const { ask, quote, pool } = trade;
  const { amountIn, amountOut, priceImpactBps: impact, totalFee } = quote.details;
  const isBuy = ask.side === 'buy';
  const token = isBuy ? receive : pay;
  const isAtLeast = ask.given === 'receive';
  const out = isAtLeast ? quote.minimumOut : amountOut;
  const leg = (label: string, unit: Unit, amount: bigint): Leg => ({
    icon: unit === SOL ? <SolIcon /> : <TokenIcon mint={pool.mint} symbol={pool.symbol} />,
    label,
    amount: formatUnits(amount, unit),
    exact: formatExact(amount, unit),
    usd: formatUsd(toUsdValue(snapshot, amount, unit === SOL ? 'SOL' : 'token')),
  });
  return {
    title: `Review ${ask.side}`,
    confirm: `Confirm ${ask.side}`,
    noun: 'trade',
    done: 'traded',
    legs: [
      leg(isAtLeast ? 'You pay at most' : 'You pay', pay, amountIn),
      leg(isAtLeast ? 'You receive at least' : 'You receive about', receive, out),
    ],
    facts: [
      amountFact('Minimum received', quote.minimumOut, receive, true),
      amountFact('Exchange fees (included)', totalFee, SOL),
      { term: 'Price impact', value: impactInWords(impact), tone: impactTone(impact) },
      { term: 'Slippage', value: formatBps(quote.slippageBps) },
      { term: 'Token', value: <code>{pool.mint}</code> },
    ],
    warnings: [
      ...warningsOf(trade),
      ...quote.details.warnings.flatMap(({ code, message }) => (code === 'price-impact' ? [] : [message])),
    ],
    consent:
      impact >= CONSENT_BPS
        ? `I understand that I get ${formatBps(impact)} less than the current price, before fees.`
        : undefined,
    quote,
    token: { ...token, mint: pool.mint },
    names: { [pool.mint]: 'this token', [pool.address]: 'this pool' },
    build: (abortSignal) =>
      buildTrade(network.client, {
        quote,
        payer: wallet.address,
        computeUnitPrice,
        transactionVersion: wallet.version,
        // Leaves the wallet's own wrapped SOL alone.
        wrapSol: 'temporary',
        abortSignal,
      }),
    renew: async (abortSignal) => {
      const [first] = pools as [Pool];
      const now = await fetchPoolSnapshot(network.client, { ...locatorOf(first), abortSignal });
      const newer = await fetchQuote(network, pools, ask, now, abortSignal);
      return hasMoved(trade, newer) ? tradeOperation({ ...context, snapshot: now }, newer) : undefined;
    },
    receipt: (landed) => {
      onLanded();
      return receiptOf(trade, landed, pay, receive);
    },
  };
}

/** What the transaction moved, or what was quoted if the node hasn't said yet. */
function receiptOf({ ask, quote }: TradeQuote, { trades }: Landed, pay: Unit, receive: Unit): ReceiptView {
  const [done] = trades ?? [];
  const paid = done?.amountIn ?? quote.details.amountIn;
  const received = done?.amountOut;
  const price = done?.price?.solPerToken;
  const more = received === undefined ? 0n : received - quote.details.amountOut;
  return {
    title: ask.side === 'buy' ? 'Bought' : 'Sold',
    headline: `You received ${formatUnits(received ?? quote.minimumOut, receive)} for ${formatUnits(paid, pay)}.`,
    facts: [
      { term: 'You paid', value: formatExact(paid, pay) },
      {
        term: received === undefined ? 'You received at least' : 'You received',
        value: formatExact(received ?? quote.minimumOut, receive),
        isStrong: true,
      },
      received !== undefined && {
        term: 'Against the quote',
        value: more === 0n ? 'exactly as quoted' : formatChange(more, receive),
      },
      amountFact('Exchange fees (included)', done?.totalFee ?? quote.details.totalFee, SOL),
      price !== undefined && { term: 'Average price', value: `${formatPrice(price)} SOL` },
    ],
  };
}
