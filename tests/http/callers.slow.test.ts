import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { createHandler } from '../../src/http/index.js';
import { createHeavenClient, quoteBuy } from '../../src/index.js';
import { type RunningServer, startServer } from '../../src/node/index.js';
import { parseBuyInstruction } from '../../src/program/index.js';
import { createEmbeddedLedger } from '../../src/testing/index.js';
import { exchangeInstructionOf, PROGRAM } from './support.js';

// Callers in languages whose ordinary JSON keeps the digits of integers. JavaScript's are in rounded-quotes.test.ts.

const ledger = await createEmbeddedLedger();
const { community, pro } = ledger.pools;
const client = createHeavenClient({ rpc: ledger.rpc });

let server: RunningServer;
beforeAll(async () => {
  server = await startServer({ handler: createHandler({ client }), port: 0 });
});
afterAll(() => server.close());

const PYTHON = `
import json, sys, urllib.request
def post(path, body):
    request = urllib.request.Request(sys.argv[1] + path, json.dumps(body).encode(), {'content-type': 'application/json'})
    return json.load(urllib.request.urlopen(request))
quote = post('/quote/buy', json.loads(sys.argv[2]))
print(post('/tx/buy', {'payer': sys.argv[3], 'quote_response': quote, 'encoded_user_defined_event_data': ''})['tx'])
`;
const CURL = `
quote=$(curl -sS -H 'content-type: application/json' -d "$2" "$1/quote/buy")
curl -sS -H 'content-type: application/json' "$1/tx/buy" -d "{\\"payer\\":\\"$3\\",\\"quote_response\\":$quote,\\"encoded_user_defined_event_data\\":\\"\\"}"
`;

test.each([
  ['Python', 'python3', ['-c', PYTHON]],
  ['curl', 'bash', ['-c', CURL, '-']],
])('%s builds to the unit', async (_, command, args) => {
  const { mint, configVersion } = community;
  for (const spend of ['0.5', '12.345678901', '999.999999999']) {
    const { minimumOut } = await quoteBuy(client, {
      mint,
      configVersion,
      maxSolSpend: spend,
      slippageBps: 50,
    });
    const terms = { program_id: PROGRAM, mint, config_version: configVersion, slippage_bps: 50 };
    const request = JSON.stringify({ ...terms, max_sol_spend: Number(spend) });
    const { stdout } = await promisify(execFile)(command, [...args, server.url, request, pro.creator]);
    const tx = /"tx":"([^"]+)"/.exec(stdout)?.[1] ?? stdout.trim();
    const { data } = parseBuyInstruction(exchangeInstructionOf(tx) as never);
    expect(data.params.minimumAmountOut).toBe(minimumOut);
  }
});
