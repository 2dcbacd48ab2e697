// What is folded below a quote: the minimum, the impact, each fee, the rent and the route.
import { costsOf } from './balances.js';
import { byId, element, type Fact, setFacts, setLines } from './dom.js';
import { FEE_KINDS, FEE_NAMES } from './fee-kinds.js';
import { formatBps, formatPrice, formatShortSol, formatSol, shortAddress } from './format.js';
import type { Quote } from './quote.js';
import { impactInWords, impactStyle, notesOf, unitsOf } from './quote-words.js';
import type { State } from './state.js';
import { symbolOfPool } from './token-picker.js';

const KINDS = { standard: 'Standard pool', pro: 'Pro pool' } as const;

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
    setLines(byId('quote-notes'), []);
    return;
  }
  const { result, minimumOut, priceAfter, feeRates, side, slippageBps, snapshot } = quote;
  const { received, shortReceived } = unitsOf(snapshot, symbolOfPool(pool));
  const style = impactStyle(result.priceImpactBps);
  summary.replaceChildren(
    'impact ',
    element('span', style === undefined ? {} : { class: style }, impactInWords(result.priceImpactBps)),
  );
  setFacts(byId('quote-facts'), [
    {
      term: 'Minimum received',
      value: shortReceived(side, minimumOut),
      exact: received(side, minimumOut),
      isStrong: true,
    },
    { term: 'Slippage allowed', value: formatBps(slippageBps) },
    { term: 'Price impact', value: impactInWords(result.priceImpactBps), style },
    { term: 'Price after', value: `${formatPrice(priceAfter)} SOL` },
    {
      term: 'Route',
      value: `${KINDS[snapshot.kind]} ${shortAddress(snapshot.addresses.pool)}`,
      exact: snapshot.addresses.pool,
    },
  ]);
  const fees = FEE_KINDS.filter((kind) => feeRates[kind] > 0n).map((kind) =>
    sol(`${FEE_NAMES[kind]}, ${formatBps(feeRates[kind])}`, result.fees[kind]),
  );
  setFacts(byId('quote-fees'), [...fees, sol('Total fees', result.totalFee, true)]);
  const costs = balances && costsOf(side, balances);
  setFacts(byId('quote-network'), [
    ...(costs === undefined
      ? [{ term: 'Fees and rent', value: 'known once a wallet is connected' }]
      : [
          sol('Signature and priority', costs.network),
          sol('Rent that comes back at once', costs.wrapping),
          ...(costs.tokenAccount > 0n ? [sol('Rent of your token account', costs.tokenAccount)] : []),
        ]),
  ]);
  setLines(byId('quote-notes'), notesOf(quote));
}
