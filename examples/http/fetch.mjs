// The HTTP interface with plain fetch, as in a browser or in Node, without the SDK: quote, build, errors, exact integers. At
// the end, the same with the SDK's remote client.
//
//   node examples/http/fetch.mjs                                       starts a server itself, on the embedded ledger
//   BASE_URL=http://127.0.0.1:3000 node examples/http/fetch.mjs        calls a running server

// ---------------------------------------------------------------- exact integers

// Amounts have up to 64 bits, and a JavaScript number holds 53: JSON.parse would round them silently. This marks integers in
// the text before parsing, and turns amounts into bigints.
const MARK = '\0';
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Fields in native units: always bigints, however small. */
const NATIVE = new Set(['max_lamport_spend', 'minimum_out', 'amount_in', 'token_a', 'token_b']);

function parseJson(text) {
  const marked = text.replace(TOKENS, (token) => (/^-?\d+$/.test(token) ? `"\\u0000${token}"` : token));
  return JSON.parse(marked, (field, value) => {
    if (typeof value !== 'string' || !/^\0-?\d+$/.test(value)) return value;
    const integer = BigInt(value.slice(MARK.length));
    return NATIVE.has(field) || !Number.isSafeInteger(Number(integer)) ? integer : Number(integer);
  });
}

function stringifyJson(value) {
  const marked = JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${MARK}${each}` : each));
  return marked.replace(/"\\u0000(-?\d+)"/g, '$1');
}

// ---------------------------------------------------------------- calls and their errors

class ServiceError extends Error {
  constructor(status, { code, message, details }, requestId, retryAfterSeconds) {
    super(message);
    Object.assign(this, { status, code, details, requestId, retryAfterSeconds });
  }
}

async function post(baseUrl, path, body) {
  const response = await fetch(`${baseUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : stringifyJson(body),
    signal: AbortSignal.timeout(30_000),
  });
  const text = await response.text();
  if (response.ok) return { text, data: parseJson(text) };
  const { headers, status } = response;
  const isJson = headers.get('content-type')?.startsWith('application/json');
  const { error } = isJson ? parseJson(text) : {};
  throw new ServiceError(
    status,
    error ?? { code: 'no-answer', message: `${path} answered ${status} without an error of the service.` },
    headers.get('x-request-id'),
    Number(headers.get('retry-after') ?? 0),
  );
}

// ---------------------------------------------------------------- the example

const program_id = 'HEAVENoP2qxoeuF8Dj2oT1GHEnu49U5mJYkdeC8BAX2o';
const mint = 'LiGHtkg3uTa9836RaNkKLLriqTNRcMdRAhqjGWNv777';
const payer = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin'; // any wallet: nothing is signed and nothing is sent
const terms = { program_id, mint, config_version: 2, slippage_bps: 50 };

async function example(baseUrl) {
  // A quote, and its transaction. The quote's text goes back unchanged, so no digit can change.
  const quote = await post(baseUrl, '/quote/buy', { ...terms, max_sol_spend: 1.5 });
  console.log(`1.5 SOL buy at least ${quote.data.minimum_out} units: ${quote.data.minimum_out_ui} tokens`);
  const fields = { payer, encoded_user_defined_event_data: '' };
  const asText = stringifyJson(fields).replace(/}$/, `,"quote_response":${quote.text}}`);
  const built = await post(baseUrl, '/tx/buy', asText);
  console.log(`the transaction to sign has ${atob(built.data.tx).length} bytes`);

  // Parsing and writing it exactly gives the same text.
  const again = await post(baseUrl, '/tx/buy', { ...fields, quote_response: quote.data });
  console.log(`built of the parsed quote it has ${atob(again.data.tx).length} bytes`);

  // Amounts over 2^53.
  const pool = await post(baseUrl, '/data/pool-state', { program_id, mint });
  const { token_a } = pool.data.reserve;
  console.log(
    `the pool holds ${token_a} units; JSON.parse would say ${JSON.parse(pool.text).reserve.token_a}`,
  );

  // Errors have a stable code, and name the field.
  for (const wrong of [
    { ...terms, max_sol_spend: 1.5, slippage_bps: 'half' },
    { ...terms, max_sol_spend: 1.5, mint: payer },
  ]) {
    try {
      await post(baseUrl, '/quote/buy', wrong);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const where =
        error.details?.fields?.map(({ field }) => field).join() ?? Object.keys(error.details ?? {}).join();
      console.log(`refused with ${error.status} ${error.code} (${where})`);
    }
  }

  // The same with the SDK: bigints, types, retries, and the errors as HeavenError.
  const { createRemoteClient } = await import('heaven-pools/http');
  const remote = createRemoteClient({ baseUrl });
  const quoteResponse = await remote.quoteBuy({
    mint,
    configVersion: 2,
    maxSolSpend: '1.5',
    slippageBps: 50,
  });
  const { tx } = await remote.buildBuy({ payer, quoteResponse });
  console.log(`the remote client: at least ${quoteResponse.minimumOut} units, ${atob(tx).length} bytes`);
}

/** A server on the embedded ledger. In a clone without `dist`, `npm run build` makes it. */
async function startServer() {
  const { createHeavenClient } = await import('heaven-pools');
  const { createHandler } = await import('heaven-pools/http');
  const { startServer } = await import('heaven-pools/node');
  const { createEmbeddedLedger } = await import('heaven-pools/testing');
  const { rpc } = await createEmbeddedLedger();
  const handler = createHandler({ client: createHeavenClient({ rpc }) });
  return await startServer({ handler, port: 0, hostname: '127.0.0.1' });
}

const HELP = `Usage: [BASE_URL=http://host:port] node examples/http/fetch.mjs

Calls the HTTP interface with plain fetch; without BASE_URL it starts a server on the embedded ledger.`;

const [argument] = process.argv.slice(2);
if (argument === '--help' || argument === '-h') {
  console.log(HELP);
} else if (argument !== undefined || (process.env.BASE_URL && !URL.canParse(process.env.BASE_URL))) {
  console.error(
    `${argument === undefined ? 'BASE_URL is not a URL' : `Unknown argument ${argument}`}. Try --help.`,
  );
  process.exitCode = 2;
} else {
  let server;
  try {
    server = process.env.BASE_URL ? undefined : await startServer();
    await example((server?.url ?? process.env.BASE_URL).replace(/\/$/, ''));
  } catch (error) {
    const words =
      error.code === 'ERR_MODULE_NOT_FOUND'
        ? 'The package is not built: npm run build.'
        : error.message === 'fetch failed'
          ? 'The service can not be reached.'
          : error.message;
    console.error(words);
    process.exitCode = 1;
  } finally {
    await server?.close();
  }
}
