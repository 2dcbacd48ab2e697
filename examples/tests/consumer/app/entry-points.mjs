// The same number from each entry point.
import { buildBuy, createHeavenClient, fetchPoolSnapshot, isHeavenError, quoteBuy } from 'heaven-pools';
import * as core from 'heaven-pools/core';
import { createHandler, createRemoteClient } from 'heaven-pools/http';
import idl from 'heaven-pools/idl' with { type: 'json' };
import * as node from 'heaven-pools/node';
import manifest from 'heaven-pools/package.json' with { type: 'json' };
import { findPoolAddress, parseHeavenInstruction } from 'heaven-pools/program';
import { createEmbeddedLedger } from 'heaven-pools/testing';

const { rpc, pools } = await createEmbeddedLedger();
const client = createHeavenClient({ rpc });
const { mint, configVersion, creator: payer } = pools.creator;
const input = { configVersion, mint, maxSolSpend: '1.5', slippageBps: 50 };
const answers = {};

const quote = await quoteBuy(client, input);
answers['.'] = quote.minimumOut;

const snapshot = await fetchPoolSnapshot(client, { configVersion, mint });
const { amountOut } = core.computeBuy(
  core.toSwapState(snapshot),
  core.toNativeAmount('1.5', 9, 'maxSolSpend'),
);
answers['./core'] = core.minimumAfterSlippage(amountOut, 50);

const handler = createHandler({ client });
const remote = createRemoteClient({
  baseUrl: 'http://service.test',
  fetch: (url, init) => handler(new Request(url, init)),
});
answers['./http'] = (await remote.quoteBuy(input)).minimumOut;

const server = await node.startServer({ handler, hostname: '127.0.0.1', port: 0 });
answers['./node'] = (await createRemoteClient({ baseUrl: server.url }).quoteBuy(input)).minimumOut;
const tooLong = await fetch(`${server.url}/quote/buy`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: ' '.repeat(70_000),
});
await server.close();

const { instructions } = await buildBuy(client, {
  payer,
  quoteResponse: quote,
  encodedUserDefinedEventData: '',
});
const buy = instructions
  .filter(({ programAddress }) => programAddress === client.deployment.programAddress)
  .map((instruction) => parseHeavenInstruction(instruction))
  .find(({ name }) => name === 'buy');
answers['./program'] = buy?.data.params.minimumAmountOut;

// The errors of one entry point are those of another.
const failure = await remote.quoteBuy({ ...input, maxSolSpend: '0' }).catch((error) => error);
let nodeFailure;
try {
  node.signPreparedSync(new Uint8Array(), []);
} catch (error) {
  nodeFailure = error;
}

console.log(
  JSON.stringify(
    {
      answers,
      isError: [
        isHeavenError(failure, 'zero-amount'),
        core.isHeavenError(failure),
        failure instanceof core.HeavenError,
        nodeFailure instanceof core.HeavenError,
      ],
      // The server's error is the handler's.
      statusOfTooLong: tooLong.status,
      isPool: (await findPoolAddress({ mint })) === snapshot.addresses.pool,
      instructions: idl.instructions.length,
      version: manifest.version,
    },
    (_, value) => (typeof value === 'bigint' ? `${value}` : value),
  ),
);
