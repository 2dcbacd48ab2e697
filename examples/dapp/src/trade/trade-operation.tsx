import * as heaven from 'heaven-pools';

import { formatBps, formatChange, formatExact, formatPaid, formatPrice, formatUnits, SOL } from '../format';
import type { Network } from '../network/network';
import { locatorOf, type Pool } from '../queries';
import type { Operation } from '../review/review';
import { costFact, SolIcon, TokenIcon } from '../ui';
import type { Wallet } from '../wallet/wallet';
import { fetchQuote, type TradeQuote } from './quote';
import { CONSENT_BPS, quoteFacts, rentFacts, type Units, warningsOf, worthOf } from './words';

interface TradeContext {
  network: Network;
  wallet: Wallet;
  pools: Pool[];
  snapshot: heaven.FetchedPoolSnapshot;
  units: Units;
  computeUnitPrice: bigint;
  /** Of a sale of all tokens, which closes their account. Otherwise 0. */
  returnedRent: bigint;
  onLanded: () => void;
}

export function tradeOperation(context: TradeContext, trade: TradeQuote): Operation {
  const { network, wallet, pools, snapshot, units, computeUnitPrice, onLanded } = context;
  const { pay, receive } = units;
  const { ask, quote, pool } = trade;
  const { amountIn, amountOut, priceImpactBps: impact } = quote.details;
  const isBuy = ask.side === 'buy';
  const leg = (label: string, unit: Units['pay'], amount: bigint, format = formatUnits) => ({
    icon: unit === SOL ? <SolIcon /> : <TokenIcon mint={pool.mint} symbol={pool.symbol} />,
    label,
    amount: format(amount, unit),
    exact: formatExact(amount, unit),
    usd: worthOf(snapshot, amount, unit),
  });
  // Known once it is built: an account that can't be closed stays open.
  let returnedRent = 0n;
  return {
    action: ask.side,
    noun: 'trade',
    done: 'traded',
    legs: [
      leg(`You ${isBuy ? 'pay' : 'sell'}`, pay, amountIn, formatPaid),
      leg('You receive about', receive, amountOut),
    ],
    facts: [...quoteFacts(trade, units), { term: 'Token', value: <code>{pool.mint}</code> }],
    terms: `${formatPaid(amountIn, pay)} for at least ${formatUnits(quote.minimumOut, receive)}`,
    warnings: warningsOf(trade),
    consent:
      impact >= CONSENT_BPS &&
      `You get ${formatBps(impact)} less than the current price, before fees. Nobody can give that back.`,
    quote,
    token: { ...(isBuy ? receive : pay), mint: pool.mint },
    names: { [pool.address]: 'this pool' },
    build: async (abortSignal) => {
      const { buildTrade } = await import('../later');
      const built = await buildTrade(network.client, {
        quote,
        payer: wallet.address,
        computeUnitPrice,
        transactionVersion: wallet.version,
        // Leaves the wallet's own wrapped SOL alone.
        wrapSol: 'temporary',
        closeTokenAccount: context.returnedRent > 0n,
        abortSignal,
      });
      const staysOpen = built.warnings.some(({ code }) => code === 'account-stays-open');
      returnedRent = staysOpen ? 0n : context.returnedRent;
      return built;
    },
    returnedRent: () => returnedRent,
    renew: async (abortSignal) => {
      const [first] = pools as [Pool];
      const now = await heaven.fetchPoolSnapshot(network.client, { ...locatorOf(first), abortSignal });
      const newer = await fetchQuote(network, pools, ask, now, abortSignal);
      return tradeOperation({ ...context, snapshot: now }, newer);
    },
    receipt: (landed) => {
      onLanded();
      return receiptOf(trade, landed, units, returnedRent);
    },
  };
}

/** What the transaction moved, or what was quoted if the node hasn't said yet. */
function receiptOf(
  { ask, quote }: TradeQuote,
  landed: heaven.LandedSubmission,
  { pay, receive }: Units,
  returnedRent: bigint,
) {
  const [done] = landed.trades ?? [];
  const { details, minimumOut } = quote;
  const paid = done?.amountIn ?? details.amountIn;
  const received = done?.amountOut ?? minimumOut;
  const price = done?.price?.solPerToken;
  const more = received - details.amountOut;
  const isKnown = done?.amountOut !== undefined;
  const isBuy = ask.side === 'buy';
  return {
    title: isBuy ? 'Bought' : 'Sold',
    headline: `You received ${formatUnits(received, receive)} for ${formatPaid(paid, pay)}.`,
    facts: [
      { term: isBuy ? 'You paid' : 'You sold', value: formatExact(paid, pay) },
      {
        term: isKnown ? 'You received' : 'You received at least',
        value: formatExact(received, receive),
        isStrong: true,
      },
      isKnown && {
        term: 'Against the quote',
        value: more === 0n ? 'exactly as quoted' : formatChange(more, receive),
      },
      costFact('Exchange fees (included)', done?.totalFee ?? details.totalFee),
      ...rentFacts(undefined, 0n, returnedRent),
      price !== undefined && { term: 'Average price', value: `${formatPrice(price)} SOL` },
    ],
  };
}
