import { SOL } from '../format';
import { amountFact, Facts } from '../ui';
import type { Trade } from './use-trade';
import { impactInWords, quoteFacts } from './words';

export function Details({ trade, units, balances, side }: Trade) {
  const costs = balances?.[side].breakdown;
  return (
    <details>
      <summary>
        <span>Details</span>
        <span className="quiet">
          {trade ? `Impact ${impactInWords(trade.quote.details.priceImpactBps)}` : 'impact, fees, minimum'}
        </span>
      </summary>
      {trade === undefined ? (
        <p className="quiet">Enter an amount to see them.</p>
      ) : (
        <Facts
          facts={[
            ...quoteFacts(trade, units),
            costs && amountFact('Network fees', costs.signatureFee + costs.priorityFee, SOL, true),
            costs && amountFact('Rent that comes back at once', costs.wrappedSolRent, SOL),
            costs && amountFact('Rent of your token account', costs.tokenAccountRent, SOL),
          ]}
        />
      )}
    </details>
  );
}
