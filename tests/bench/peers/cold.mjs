// A fresh process that builds a few trades at once: `node cold.mjs ours|floor`, with its input as JSON on stdin. The parent
// hands over raw accounts and, for the floor, finished instructions, so that neither is warmed by making them.
const [kind] = process.argv.slice(2);
let text = '';
for await (const chunk of process.stdin) text += chunk;
const input = JSON.parse(text, (_, value) => {
  if (typeof value !== 'object' || value === null) return value;
  if ('$bytes' in value) return new Uint8Array(Buffer.from(value.$bytes, 'base64'));
  return '$bigint' in value ? BigInt(value.$bigint) : value;
});

const now = () => performance.now();
const started = now();
const trade = await { ours, floor }[kind]();
const imported = now();
const times = [];
const built = [];
for (let k = 0; k < input.count; k++) {
  const start = now();
  built.push(await trade(k));
  times.push(now() - start);
}
console.log(JSON.stringify({ imported: imported - started, times, built }));

async function ours() {
  const { buildBuy, createHeavenClient, decodePoolSnapshot } = await import('../../../dist/index.js');
  const client = createHeavenClient({ rpcUrl: 'http://127.0.0.1:9' });
  const { accounts, addresses, quotes, payer, lifetime } = input;
  return async (k) => {
    const snapshot = { ...decodePoolSnapshot(accounts), addresses };
    const { tx } = await buildBuy(client, {
      payer,
      quoteResponse: quotes[k],
      snapshot,
      lifetime,
    });
    return tx;
  };
}

async function floor() {
  const { compileWithKit } = await import('./kit-floor.mjs');
  const { payer, lifetime, instructions } = input;
  return (k) => compileWithKit(payer, lifetime, instructions[k]);
}
