import {
  createHeavenClient,
  fetchPoolSnapshot,
  formatAmount,
  formatBps,
  isHeavenError,
  quoteBuy,
} from 'heaven-pools';
import { createEmbeddedLedger } from 'heaven-pools/testing';

export interface LiveQuoteRow {
  readonly name: string;
  readonly value: string;
}

interface Answer {
  readonly rows?: readonly LiveQuoteRow[];
  readonly problem?: string;
}

const SOL_DECIMALS = 9;
/** As on the server that renders the page: what a visitor sees first does not change its language. */
const locale = 'en';

/** Starts the embedded ledger, and quotes buys of its sample token. */
export async function startLiveQuote(): Promise<(maxSolSpend: string) => Promise<Answer>> {
  const { rpc, pools } = await createEmbeddedLedger();
  const client = createHeavenClient({ rpc });
  const { mint, configVersion } = pools.creator;
  const { token } = await fetchPoolSnapshot(client, { mint, configVersion });
  const tokens = (amount: bigint) => `${formatAmount(amount, token.decimals, { locale, digits: 2 })} tokens`;

  return async (maxSolSpend) => {
    try {
      const { minimumOut, details } = await quoteBuy(client, {
        configVersion,
        mint,
        maxSolSpend,
        slippageBps: 50,
      });
      return {
        rows: [
          { name: 'You receive', value: tokens(details.amountOut) },
          { name: 'Minimum received', value: tokens(minimumOut) },
          { name: 'Fees', value: `${formatAmount(details.totalFee, SOL_DECIMALS, { locale })} SOL` },
          { name: 'Price impact', value: formatBps(details.priceImpactBps, { locale }) },
        ],
      };
    } catch (error) {
      if (!isHeavenError(error)) throw error;
      return { problem: error.message };
    }
  };
}
