// A bot's hot path: new amounts into a prepared trade, and from a quote to signed bytes, beside kit compiling and signing the same.
import { KeyObject } from 'node:crypto';

import {
  buildBuy,
  computeBuy,
  createHeavenClient,
  fetchPoolSnapshot,
  minimumAfterSlippage,
  patchTrade,
  prepareTrade,
  quoteBuy,
  signPrepared,
  toSwapState,
} from '../../../dist/index.js';
import { signPreparedSync } from '../../../dist/node.js';
import { byName, plain, record } from '../figures.mjs';
import { holdToBar, measure, mustEqual, nanoseconds, QUICK, speedTable, table } from './harness.mjs';
import {
  addressOfBytes,
  allInstructionsOf,
  compileAndSignWithKit,
  compileToBytesWithKit,
  createKitSigner,
} from './kit-floor.mjs';

const SLIPPAGE_BPS = 50;
const RUNS = QUICK ? 500 : 5_000;
/** Runs that are not counted: the engine is still compiling. */
const WARM_UP = 500;
const TURN = 100;

const base64 = (bytes) => Buffer.from(bytes).toString('base64');
const amountOf = (i) => 1_000_000_000n + BigInt((i * 389) % 1024) * 100_000n;

/** Block hashes: one a second, of which a bot uses each for some trades; and another one each time. */
const lifetimes = Array.from({ length: 1024 }, (_, i) => {
  const bytes = new Uint8Array(32).fill(3);
  new DataView(bytes.buffer).setUint32(0, i);
  return { blockhash: addressOfBytes(bytes), lastValidBlockHeight: 1_000n };
});

/** A swap instruction with other amounts in it, as a bot without a builder would make it. */
const withAmounts = (instructions, { amount, minimumOut }) =>
  instructions.map((instruction) => {
    const { data } = instruction;
    const [at, values] =
      data.length > 24
        ? [8, [amount, minimumOut]]
        : data.length === 12 && data[0] === 2
          ? [4, [amount]]
          : [0, []];
    if (values.length === 0) return instruction;
    const changed = new Uint8Array(data);
    const view = new DataView(changed.buffer);
    for (const [index, value] of values.entries()) view.setBigUint64(at + 8 * index, value, true);
    return { ...instruction, data: changed };
  });

export async function prepared(ledger) {
  const { mint, configVersion } = ledger.pools.creator;
  const client = createHeavenClient({ rpc: ledger.rpc });
  const { signer, privateKey } = await createKitSigner();
  const snapshot = await fetchPoolSnapshot(client, { configVersion, mint });
  const state = toSwapState(snapshot);
  const terms = { configVersion, mint, maxSolSpend: '1', slippageBps: SLIPPAGE_BPS, snapshot };
  const quoteResponse = await quoteBuy(client, terms);
  const common = { payer: signer.address, snapshot };
  const input = { ...common, quoteResponse, lifetime: lifetimes[0] };
  const trade = prepareTrade(client, await buildBuy(client, input));
  const { data } = trade;
  const instructions = allInstructionsOf(trade);

  const valuesOf = (i) => {
    const amount = amountOf(i);
    const { amountOut } = computeBuy(state, amount);
    return { amount, minimumOut: minimumAfterSlippage(amountOut, SLIPPAGE_BPS) };
  };
  const all = lifetimes.map((lifetime, i) => ({ ...valuesOf(i), lifetime }));
  const compiled = (i, lifetime) =>
    compileToBytesWithKit(signer.address, lifetime, withAmounts(instructions, all[i & 1023]));

  // The builder, kit and the patch agree.
  for (const i of [0, 1, 700]) {
    const { amount, lifetime } = all[i];
    const maxSolSpend = `${amount / 1_000_000_000n}.${String(amount % 1_000_000_000n).padStart(9, '0')}`;
    const built = await buildBuy(client, {
      ...common,
      quoteResponse: await quoteBuy(client, { ...terms, maxSolSpend }),
      lifetime,
    });
    mustEqual('patched', base64(patchTrade(data, all[i])), built.tx);
    mustEqual('compiled', base64(compiled(i, lifetime)), built.tx);
  }

  console.log('## A prepared buy: new amounts and a block hash, to unsigned bytes\n');
  const contestants = [
    {
      name: 'heaven-pools `patchTrade`',
      isOurs: true,
      run: (i) => patchTrade(data, { ...all[i & 1023], lifetime: lifetimes[(i >> 6) & 1023] }),
      gives: 'checks, bytes; a new block hash every 64 trades',
    },
    {
      name: 'heaven-pools `patchTrade`, another block hash each time',
      run: (i) => patchTrade(data, all[i & 1023]),
      gives: 'the same; each block hash is read from base58',
    },
    {
      name: 'kit compiles the same instructions',
      run: (i) => compiled(i, lifetimes[(i >> 6) & 1023]),
      gives: 'bytes; no check of amounts',
    },
  ];
  const measured = await measure(contestants);
  record('prepared', byName(measured));
  speedTable(measured, contestants);
  holdToBar('`patchTrade`', measured[0].fastest / 1_000, { most: 5, unit: ' µs' });
  console.log();
  await latencies({ data, valuesOf, instructions, signer, key: KeyObject.from(privateKey) });
}

/** One run after another, each with its own time: what a bot waits for. */
async function latencies({ data, valuesOf, instructions, signer, key }) {
  console.log('## From a quote to signed bytes, one after another\n');
  const patched = (i) => patchTrade(data, { ...valuesOf(i), lifetime: lifetimes[(i >> 6) & 1023] });
  const ways = {
    '**heaven-pools: quote, patch, `signPreparedSync`**': (i) => signPreparedSync(patched(i), key).bytes,
    'heaven-pools: quote, patch, `signPrepared` (WebCrypto)': async (i) =>
      (await signPrepared(patched(i), signer)).bytes,
    'kit compiles, signs and encodes; our quote': async (i) => {
      const changed = withAmounts(instructions, valuesOf(i));
      return await compileAndSignWithKit(signer, lifetimes[(i >> 6) & 1023], changed);
    },
  };
  const names = Object.keys(ways);
  const signed = await Promise.all(names.map((name) => ways[name](1)));
  for (const bytes of signed) mustEqual('signed', base64(bytes), base64(signed[0]));
  const times = new Map(names.map((name) => [name, []]));
  // In turns of so many runs: the garbage of one way is not collected in another's time.
  for (let from = 0; from < RUNS + WARM_UP; from += TURN) {
    for (const name of names) {
      for (let i = from; i < from + TURN; i++) {
        const start = process.hrtime.bigint();
        const bytes = ways[name](i);
        if (bytes instanceof Promise) await bytes;
        const ns = Number(process.hrtime.bigint() - start);
        if (i >= WARM_UP) times.get(name).push(ns);
      }
    }
  }
  const at = (name, part) => times.get(name)[Math.floor((RUNS - 1) * part)];
  for (const list of times.values()) list.sort((a, b) => a - b);
  const [ours] = names;
  record(
    'signed',
    Object.fromEntries(names.map((name) => [plain(name), { p50Ns: at(name, 0.5), p99Ns: at(name, 0.99) }])),
  );
  table(
    ['way', 'p50, ns', 'p99, ns', 'ours is faster, p50', 'p99'],
    names.map((name) => [
      name,
      nanoseconds(at(name, 0.5)),
      nanoseconds(at(name, 0.99)),
      ...[0.5, 0.99].map((part) => (name === ours ? '' : `×${(at(name, part) / at(ours, part)).toFixed(2)}`)),
    ]),
  );
  holdToBar('a quote to signed bytes, p50', at(ours, 0.5) / 1_000, { most: 150, unit: ' µs' });
}
