// The collapsible details below a quote: the minimum, the impact, each fee, the rent and the route.
import { byId, element, type Fact, setFacts, setLines } from './dom.js';
import { FEE_KINDS, FEE_NAMES } from './fee-kinds.js';
import { formatBps, formatPrice, formatShortSol, formatSol } from './format.js';
import type { Quote } from './quote.js';
import { impactInWords, impactStyle, notesOf, poolInWords, rankingInWords, unitsOf } from './quote-words.js';
import { type State, symbolOfPool } from './state.js';

const sol = (term: string, lamports: bigint, isStrong = false): Fact => ({
  term,
  value: formatShortSol(lamports),
  exact: formatSol(lamports),
  isStrong,
});

export function renderDetails(quote: Quote | undefined, { balances, pool }: State): void {
  const summary = byId('quote-summary');
  if (quote === undefined) {
    summary.replaceChildren('impact, fees, minimum');
    for (const id of ['quote-facts', 'quote-fees', 'quote-network']) setFacts(byId(id), []);
    for (const id of ['quote-notes', 'quote-route']) setLines(byId(id), []);
    byId('best-pool').hidden = true;
    return;
  }
  const { side, snapshot } = quote;
  const { details, minimumOut, slippageBps } = quote.quote;
  const { spent, received, shortSpent, shortReceived } = unitsOf(quote, symbolOfPool(pool));
  const into = (amount: bigint) => ({ value: shortSpent(amount), exact: spent(amount) });
  const out = (amount: bigint) => ({ value: shortReceived(amount), exact: received(amount) });
  const style = impactStyle(details.priceImpactBps);
  const impact = impactInWords(details.priceImpactBps);
  summary.replaceChildren('impact ', element('span', style === undefined ? {} : { class: style }, impact));
  setFacts(byId('quote-facts'), [
    { term: 'Minimum received', ...out(minimumOut), isStrong: true },
    ...(quote.enough === undefined
      ? []
      : [
          { term: 'Enough at the price now', ...into(quote.enough) },
          { term: 'You pay at most', ...into(details.amountIn), isStrong: true },
          { term: 'For all of that, about', ...out(details.amountOut) },
        ]),
    { term: 'Slippage allowed', value: formatBps(slippageBps) },
    { term: 'Price impact', value: impact, style },
    { term: 'Price after', value: `${formatPrice(details.priceAfter)} SOL` },
    { term: 'Route', value: poolInWords(snapshot.kind, details.pool), exact: details.pool },
  ]);
  setLines(
    byId('quote-route'),
    rankingInWords(quote, quote.ask.given === 'pay' ? shortReceived : shortSpent),
  );
  byId('best-pool').hidden = quote.best === undefined || quote.best.pool === details.pool;
  const fees = FEE_KINDS.filter((kind) => details.feeRates[kind] > 0n).map((kind) =>
    sol(`${FEE_NAMES[kind]}, ${formatBps(details.feeRates[kind])}`, details.fees[kind]),
  );
  setFacts(byId('quote-fees'), [...fees, sol('Total fees', details.totalFee, true)]);
  const costs = balances?.[side].breakdown;
  setFacts(byId('quote-network'), [
    ...(costs === undefined
      ? [{ term: 'Fees and rent', value: 'known once a wallet is connected' }]
      : [
          sol('Signature and priority', costs.signatureFee + costs.priorityFee),
          sol('Rent that comes back at once', costs.wrappedSolRent),
          ...(costs.tokenAccountRent > 0n ? [sol('Rent of your token account', costs.tokenAccountRent)] : []),
        ]),
  ]);
  setLines(byId('quote-notes'), notesOf(quote));
}
