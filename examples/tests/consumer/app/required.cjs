// A CommonJS program. Node gives it ES modules since 20.19 and 22.12.
const { createHeavenClient, quoteBuy } = require('heaven-pools');
const { createEmbeddedLedger } = require('heaven-pools/testing');
for (const name of ['core', 'http', 'node', 'program', 'idl', 'package.json'])
  require(`heaven-pools/${name}`);

createEmbeddedLedger().then(async ({ rpc, pools }) => {
  const { mint, configVersion } = pools.creator;
  const client = createHeavenClient({ rpc });
  const quote = await quoteBuy(client, { configVersion, mint, maxSolSpend: '1.5', slippageBps: 50 });
  console.log(String(quote.minimumOut));
});
