// A program in TypeScript that uses every entry point a browser can.
import { createHeavenClient, type DetailedBuyQuote, isHeavenError, quoteBuy } from 'heaven-pools';
import { minimumAfterSlippage } from 'heaven-pools/core';
import { createHandler, type Handler } from 'heaven-pools/http';
import { HEAVEN_PROGRAM_ADDRESS } from 'heaven-pools/program';
import { createEmbeddedLedger } from 'heaven-pools/testing';

const { rpc, pools } = await createEmbeddedLedger();
const client = createHeavenClient({ rpc });
const { mint, configVersion } = pools.creator;
const handler: Handler = createHandler({ client });

let quote: DetailedBuyQuote | undefined;
try {
  quote = await quoteBuy(client, { configVersion, mint, maxSolSpend: '1.5', slippageBps: 50 });
} catch (error) {
  if (isHeavenError(error, 'insufficient-liquidity')) console.error(error.context.available);
  throw error;
}
const least: bigint = quote.minimumOut;
if (quote.programId !== HEAVEN_PROGRAM_ADDRESS || typeof handler !== 'function')
  throw new Error('another program');
if (minimumAfterSlippage(quote.details.amountOut, 50) !== least) throw new Error('another minimum');
console.log(String(least));
