import { formatAmount, formatBps } from '../format';
import { costFact, Facts } from '../ui';
import type { Trade } from './use-trade';
import { quoteFacts, rentFacts } from './words';

export function Details({ trade, units, balances, side, returnedRent }: Trade) {
  const costs = balances?.[side].breakdown;
  const { minimumOut = 0n, details } = trade?.quote ?? {};
  const least = formatAmount(minimumOut, units.receive.decimals, { digits: 4, compact: true });
  return (
    <details>
      <summary>
        <span>Details</span>
        <span className="quiet">
          {details
            ? `At least ${least} ${units.receive.symbol}, impact ${formatBps(details.priceImpactBps)}`
            : 'Minimum, impact, fees'}
        </span>
      </summary>
      {trade === undefined ? (
        <p className="quiet">Enter an amount to see them.</p>
      ) : (
        <Facts
          facts={[
            ...quoteFacts(trade, units),
            costs && costFact('Network fees', costs.signatureFee + costs.priorityFee, { isStrong: true }),
            ...(costs ? rentFacts(costs.wrappedSolRent, costs.tokenAccountRent, returnedRent) : []),
          ]}
        />
      )}
    </details>
  );
}
