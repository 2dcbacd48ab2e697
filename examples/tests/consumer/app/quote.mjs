// What every consumer does: a quote on the embedded ledger.
import { createHeavenClient, quoteBuy } from 'heaven-pools';
import { createEmbeddedLedger } from 'heaven-pools/testing';

export async function quote() {
  const { rpc, pools } = await createEmbeddedLedger();
  const { mint, configVersion } = pools.creator;
  return await quoteBuy(createHeavenClient({ rpc }), {
    configVersion,
    mint,
    maxSolSpend: '1.5',
    slippageBps: 50,
  });
}
