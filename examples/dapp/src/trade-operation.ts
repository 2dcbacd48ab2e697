// A trade under review, from the quote to the receipt, and everything that it needs. Loaded on demand.
import { hasQuoteMoved, type TransactionReview, toSpotPrice, toUsdValue } from 'heaven-pools';

import type { Fact } from './dom.js';
import { quoteOf, readBalances, refreshPool } from './follow.js';
import { formatBps, formatChange, formatPrice, formatSol, formatUsd, SOL_DECIMALS } from './format.js';
import { explain } from './messages.js';
import { assetOf, type Given, type Quote } from './quote.js';
import {
  CONSENT_BPS,
  impactInWords,
  impactStyle,
  notesOf,
  quoteInWords,
  resultInWords,
  unitsOf,
  warningsOf,
} from './quote-words.js';
import type { Operation } from './sheet.js';
import type { Leg, ReceiptView, ReviewView } from './sheet-view.js';
import { state, symbolOfPool } from './state.js';
import { solImage, tokenImage } from './token-image.js';
import { clearAmount, focusAmount, showTradeProblem } from './trade-card.js';

export { buildTrade } from 'heaven-pools';
export { closeSheet, NO_LIFETIME, openSheet, renderMoved } from './sheet.js';

interface TradeContext extends Pick<Operation, 'connection' | 'wallet' | 'account'> {
  /** Rebuilds it, with a notice that says why. */
  readonly rebuild: (notice: string) => Promise<void>;
  readonly quote: Quote;
  readonly pool: NonNullable<typeof state.pool>;
  readonly before: typeof state.balances;
}

/** The new quote, if it differs from the review's. */
function movedFrom(quote: Quote): Quote | undefined {
  const now = quoteOf(quote.ask);
  return now !== undefined && hasQuoteMoved(quote.quote, now.quote) ? now : undefined;
}

export function tradeOperation(context: TradeContext): Operation {
  const { connection, wallet, account, quote, pool } = context;
  const { mint, pool: poolAddress } = quote.snapshot.addresses;
  const inWords = (of: Quote) => resultInWords(of, symbolOfPool(pool));
  return {
    connection,
    wallet,
    account,
    noun: 'trade',
    done: 'traded',
    canSendChanged: true,
    quote: quote.quote,
    token: { mint, decimals: quote.snapshot.token.decimals, symbol: symbolOfPool(pool) },
    known: { [mint]: 'this token', [poolAddress]: 'this pool' },
    view: (review) => viewOf(context, review),
    outdated: () =>
      movedFrom(quote) &&
      `The price has moved since: the trade was to ${inWords(quote)}. This is the new quote. Look again before you sign.`,
    rebuild: context.rebuild,
    moved: () => {
      try {
        const now = movedFrom(quote);
        return (
          now &&
          `The price has moved: it would ${inWords(now)} now. You will see the new quote before you sign.`
        );
      } catch (error) {
        return explain(error).message;
      }
    },
    receipt: () => receiptOf(context),
    onLeft: (mayHappen) => {
      showTradeProblem(mayHappen, true);
      if (mayHappen === undefined) focusAmount();
      void readBalances();
    },
  };
}

function legsOf({ quote, pool }: TradeContext): readonly Leg[] {
  const { side, snapshot, ask } = quote;
  const { minimumOut, details } = quote.quote;
  const { spent, received, shortSpent, shortReceived } = unitsOf(quote, symbolOfPool(pool));
  const leg = (of: Given, label: string, amount: bigint, short: string, exact: string): Leg => ({
    image: assetOf(side, of) === 'SOL' ? solImage() : tokenImage(pool.mint, pool.name?.symbol),
    label,
    amount: short,
    exact,
    usd: formatUsd(toUsdValue(snapshot, amount, assetOf(side, of))),
  });
  const { amountIn } = details;
  const [label, out] =
    ask.given === 'pay'
      ? (['You receive about', details.amountOut] as const)
      : (['You receive at least', minimumOut] as const);
  return [
    leg('pay', 'You pay', amountIn, shortSpent(amountIn), spent(amountIn)),
    leg('receive', label, out, shortReceived(out), received(out)),
  ];
}

function viewOf(context: TradeContext, { costs }: TransactionReview): ReviewView {
  const { quote, pool } = context;
  const { side, snapshot, enough } = quote;
  const { minimumOut, slippageBps, details } = quote.quote;
  const { amountIn, priceImpactBps: impact } = details;
  const symbol = symbolOfPool(pool);
  const { spent, received } = unitsOf(quote, symbol);
  const orUnknown = (lamports: bigint | undefined) =>
    lamports === undefined ? 'not known' : formatSol(lamports);
  return {
    title: 'Before you sign',
    legs: legsOf(context),
    headline: quoteInWords(quote, symbol),
    facts: [
      { term: 'At least, or no trade', value: received(minimumOut), isStrong: true },
      ...(enough === undefined ? [] : [{ term: 'You pay at most', value: spent(amountIn), isStrong: true }]),
      { term: 'Fees of the exchange, in that price', value: formatSol(details.totalFee) },
      { term: 'Price impact', value: impactInWords(impact), style: impactStyle(impact) },
      { term: 'Slippage allowed', value: formatBps(slippageBps) },
      { term: 'Token', value: snapshot.addresses.mint },
    ],
    costs: [
      { term: 'Rent for accounts, at most', value: orUnknown(costs.rent) },
      { term: 'Rent that comes back at once', value: orUnknown(costs.returnedRent) },
    ],
    warnings: [...warningsOf(quote), ...notesOf(quote)],
    confirm: `Confirm ${side}`,
    consent:
      impact >= CONSENT_BPS
        ? `I understand that this trade moves the price so far that I get ${formatBps(impact)} less than at the price now, fees aside.`
        : undefined,
  };
}

async function receiptOf(context: TradeContext): Promise<ReceiptView> {
  const { quote, pool, before, connection } = context;
  const { side, snapshot } = quote;
  const { amountIn, amountOut, priceBefore, totalFee } = quote.quote.details;
  const { spent, received } = unitsOf(quote, symbolOfPool(pool));
  clearAmount();
  showTradeProblem(undefined);
  // The next quote is for the pool after this trade.
  await Promise.all([readBalances(), refreshPool()]);
  const { balances } = state;
  const facts: Fact[] = [];
  let headline = `${side === 'buy' ? 'Bought with' : 'Sold'} ${spent(amountIn)}.`;
  facts.push({ term: side === 'buy' ? 'You bought with' : 'You sold', value: spent(amountIn) });
  if (before !== undefined && balances !== undefined && state.connection === connection) {
    const tokens = balances.tokenUnits - before.tokenUnits;
    if (side === 'buy') {
      headline = `You received ${received(tokens)}.`;
      const more = tokens - amountOut;
      facts.push({
        term: 'Against the quote',
        value:
          more === 0n
            ? 'exactly as quoted'
            : `${formatChange(more, snapshot.token.decimals)} ${symbolOfPool(pool)}`,
      });
    }
    facts.push(
      {
        term: 'Your tokens',
        value: `${formatChange(tokens, snapshot.token.decimals)} ${symbolOfPool(pool)}`,
        isStrong: true,
      },
      {
        term: 'Your SOL, all fees and rent included',
        value: `${formatChange(balances.lamports - before.lamports, SOL_DECIMALS)} SOL`,
        isStrong: true,
      },
    );
  }
  facts.push(
    { term: 'Fees of the exchange, as quoted', value: formatSol(totalFee) },
    { term: 'Price before', value: `${formatPrice(priceBefore)} SOL` },
  );
  if (state.snapshot !== undefined)
    facts.push({ term: 'Price now', value: `${formatPrice(toSpotPrice(state.snapshot).solPerToken)} SOL` });
  return { title: side === 'buy' ? 'Bought' : 'Sold', headline, facts };
}
