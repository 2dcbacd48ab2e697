import * as heaven from 'heaven-pools';

import { formatBps, formatChange, formatExact, formatPrice, formatUnits, formatUsd, SOL } from '../format';
import type { Network } from '../network/network';
import { locatorOf, type Pool } from '../queries';
import type { Operation } from '../review/review';
import { costFact, SolIcon, TokenIcon } from '../ui';
import type { Wallet } from '../wallet/wallet';
import { fetchQuote, type TradeQuote } from './quote';
import { CONSENT_BPS, quoteFacts, SAID, termsOf, type Units, warningsOf } from './words';

interface TradeContext {
  network: Network;
  wallet: Wallet;
  pools: Pool[];
  snapshot: heaven.FetchedPoolSnapshot;
  units: Units;
  computeUnitPrice: bigint;
  onLanded: () => void;
}

export function tradeOperation(context: TradeContext, trade: TradeQuote): Operation {
  const { network, wallet, pools, snapshot, units, computeUnitPrice, onLanded } = context;
  const { pay, receive } = units;
  const { ask, quote, pool } = trade;
  const { amountIn, amountOut, priceImpactBps: impact } = quote.details;
  const isBuy = ask.side === 'buy';
  const token = isBuy ? receive : pay;
  const isAtLeast = ask.given === 'receive';
  const out = isAtLeast ? quote.minimumOut : amountOut;
  const leg = (label: string, unit: Units['pay'], amount: bigint) => ({
    icon: unit === SOL ? <SolIcon /> : <TokenIcon mint={pool.mint} symbol={pool.symbol} />,
    label,
    amount: formatUnits(amount, unit),
    exact: formatExact(amount, unit),
    usd: formatUsd(heaven.toUsdValue(snapshot, amount, unit === SOL ? 'SOL' : 'token')),
  });
  return {
    title: `Review ${ask.side}`,
    confirm: `Confirm ${ask.side}`,
    noun: 'trade',
    done: 'traded',
    legs: [
      leg(`You ${isBuy ? 'pay' : 'sell'}${isAtLeast ? ' at most' : ''}`, pay, amountIn),
      leg(isAtLeast ? 'You receive at least' : 'You receive about', receive, out),
    ],
    facts: [...quoteFacts(trade, units), { term: 'Token', value: <code>{pool.mint}</code> }],
    terms: termsOf(trade, units),
    warnings: [
      ...warningsOf(trade),
      ...quote.details.warnings.flatMap(({ code, message }) => (SAID.includes(code) ? [] : [message])),
    ],
    consent:
      impact >= CONSENT_BPS &&
      `You get ${formatBps(impact)} less than the current price, before fees. Nobody can give that back.`,
    quote,
    token: { ...token, mint: pool.mint },
    names: { [pool.mint]: 'this token', [pool.address]: 'this pool' },
    build: async (abortSignal) => {
      const { buildTrade } = await import('../later');
      return await buildTrade(network.client, {
        quote,
        payer: wallet.address,
        computeUnitPrice,
        transactionVersion: wallet.version,
        // Leaves the wallet's own wrapped SOL alone.
        wrapSol: 'temporary',
        abortSignal,
      });
    },
    renew: async (abortSignal) => {
      const [first] = pools as [Pool];
      const now = await heaven.fetchPoolSnapshot(network.client, { ...locatorOf(first), abortSignal });
      const newer = await fetchQuote(network, pools, ask, now, abortSignal);
      return tradeOperation({ ...context, snapshot: now }, newer);
    },
    receipt: (landed) => {
      onLanded();
      return receiptOf(trade, landed, units);
    },
  };
}

/** What the transaction moved, or what was quoted if the node hasn't said yet. */
function receiptOf({ ask, quote }: TradeQuote, landed: heaven.LandedSubmission, { pay, receive }: Units) {
  const [done] = landed.trades ?? [];
  const { details, minimumOut } = quote;
  const paid = done?.amountIn ?? details.amountIn;
  const received = done?.amountOut ?? minimumOut;
  const price = done?.price?.solPerToken;
  const more = received - details.amountOut;
  const isKnown = done?.amountOut !== undefined;
  const term = isKnown ? 'You received' : 'You received at least';
  return {
    title: ask.side === 'buy' ? 'Bought' : 'Sold',
    headline: `You received ${formatUnits(received, receive)} for ${formatUnits(paid, pay)}.`,
    facts: [
      { term: 'You paid', value: formatExact(paid, pay) },
      { term, value: formatExact(received, receive), isStrong: true },
      isKnown && {
        term: 'Against the quote',
        value: more === 0n ? 'exactly as quoted' : formatChange(more, receive),
      },
      costFact('Exchange fees (included)', done?.totalFee ?? details.totalFee),
      price !== undefined && { term: 'Average price', value: `${formatPrice(price)} SOL` },
    ],
  };
}
