// A cluster in its own process: the embedded ledger behind HTTP, with the latency of a remote node. Slots advance as on a
// cluster. GET /calls tells how often it was called.
import { createServer } from 'node:http';
import { parse, stringify } from 'lossless-json';
import { createEmbeddedLedger } from '../../../dist/testing.js';

const [latencyMs = 20] = process.argv.slice(2).map(Number);
const ledger = await createEmbeddedLedger();
setInterval(() => ledger.setSlot(ledger.slot + 1n), 400).unref();

let calls = 0;
const parseNumber = (digits) => (/^-?\d+$/.test(digits) ? BigInt(digits) : Number(digits));
const server = createServer(async (request, response) => {
  if (request.method === 'GET') {
    response.end(String(calls));
    return;
  }
  let text = '';
  request.setEncoding('utf8');
  for await (const chunk of request) text += chunk;
  calls += 1;
  await new Promise((resolve) => setTimeout(resolve, latencyMs));
  const answer = await ledger.transport({ payload: parse(text, null, parseNumber) });
  response.setHeader('content-type', 'application/json');
  response.end(stringify(answer));
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
