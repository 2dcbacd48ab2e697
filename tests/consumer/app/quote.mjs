// What every consumer does: a quote on the embedded ledger.
import { createClient, quoteBuy } from 'heaven-pools';
import { createEmbeddedLedger } from 'heaven-pools/testing';

export async function quote() {
  const { rpc, pools } = await createEmbeddedLedger();
  const { mint, configVersion } = pools.creator;
  return await quoteBuy(createClient({ rpc }), { configVersion, mint, maxSolSpend: '1.5', slippageBps: 50 });
}
