import { formatBps, formatPrice, SOL, shortenAddress, type Unit } from '../format';
import type { Balances } from '../queries';
import { amountFact, Facts } from '../ui';
import type { TradeQuote } from './quote';
import { feeNames, impactInWords, impactTone, otherPoolInWords } from './words';

interface DetailsProps<TTrade> {
  trade: TTrade;
  pay: Unit;
  receive: Unit;
  balances: Balances | undefined;
}

/** What is behind a quote: the minimum, the impact, each fee, the rent and the route. */
export function Details({ trade, ...props }: DetailsProps<TradeQuote | undefined>) {
  const impact = trade?.quote.details.priceImpactBps ?? 0;
  return (
    <details>
      <summary>
        <span>Details</span>
        <span className={`quiet ${impactTone(impact) ?? ''}`}>
          {trade === undefined ? 'impact, fees, minimum' : `Impact ${impactInWords(impact)}`}
        </span>
      </summary>
      {trade === undefined ? (
        <p className="quiet">Enter an amount to see them.</p>
      ) : (
        <Known trade={trade} {...props} />
      )}
    </details>
  );
}

function Known({ trade, pay, receive, balances }: DetailsProps<TradeQuote>) {
  const { ask, quote, pool, others } = trade;
  const { details, minimumOut, slippageBps } = quote;
  const costs = (ask.side === 'buy' ? balances?.maxBuy : balances?.maxSell)?.breakdown;
  const kinds = (Object.keys(feeNames) as (keyof typeof feeNames)[]).filter(
    (kind) => details.feeRates[kind] > 0n,
  );
  return (
    <>
      <Facts
        facts={[
          amountFact('Minimum received', minimumOut, receive, true),
          ask.given === 'receive' && amountFact('You pay at most', details.amountIn, pay, true),
          ask.given === 'receive' && amountFact('For that, about', details.amountOut, receive),
          { term: 'Slippage', value: formatBps(slippageBps) },
          {
            term: 'Price impact',
            value: impactInWords(details.priceImpactBps),
            tone: impactTone(details.priceImpactBps),
          },
          { term: 'Price after', value: `${formatPrice(details.priceAfter)} SOL` },
          {
            term: 'Route',
            value: `${pool.kind === 'pro' ? 'Pro' : 'Standard'} pool ${shortenAddress(pool.address)}`,
            exact: pool.address,
          },
        ]}
      />
      {others.map((other) => (
        <p className="quiet" key={other.pool}>
          {otherPoolInWords(other, ask.given === 'pay' ? receive : pay)}
        </p>
      ))}
      <h3>Exchange fees (included)</h3>
      <Facts
        facts={[
          ...kinds.map((kind) =>
            amountFact(`${feeNames[kind]}, ${formatBps(details.feeRates[kind])}`, details.fees[kind], SOL),
          ),
          amountFact('Total fees', details.totalFee, SOL, true),
        ]}
      />
      <h3>Network fees</h3>
      {costs === undefined ? (
        <p className="quiet">Known once a wallet is connected.</p>
      ) : (
        <Facts
          facts={[
            amountFact('Signature and priority', costs.signatureFee + costs.priorityFee, SOL),
            amountFact('Rent that comes back at once', costs.wrappedSolRent, SOL),
            costs.tokenAccountRent > 0n &&
              amountFact('Rent of your token account', costs.tokenAccountRent, SOL),
          ]}
        />
      )}
    </>
  );
}
