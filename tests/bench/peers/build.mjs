// From a given snapshot and block hash to base64, compared with kit alone compiling the same instructions.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { buildBuy, createHeavenClient, fetchPoolSnapshot, quoteBuy } from '../../../dist/index.js';
import { byName, record } from '../figures.mjs';
import { grouped, holdToBars, measure, median, mustEqual, nanoseconds, ROUNDS, table } from './harness.mjs';
import { addressOfBytes, allInstructionsOf, compileWithKit } from './kit-floor.mjs';

const TRADES = 64;
const COLD_TRADES = 3;

const times = (ns, floor) => `×${(ns / floor).toFixed(2)}`;

export async function build(ledger, accounts) {
  const { mint, configVersion, creator: payer } = ledger.pools.creator;
  const client = createHeavenClient({ rpc: ledger.rpc });
  const snapshot = await fetchPoolSnapshot(client, { configVersion, mint });
  const { value: lifetime } = await ledger.rpc.getLatestBlockhash().send();

  const quotes = [];
  const builds = [];
  for (let k = 0; k < TRADES; k++) {
    const maxSolSpend = (1 + k / 100).toFixed(2);
    const { details, ...quote } = await quoteBuy(client, {
      configVersion,
      mint,
      maxSolSpend,
      slippageBps: 50,
    });
    quotes.push(quote);
    const built = await buildOne(client, payer, quote, snapshot, lifetime);
    builds.push({ tx: built.tx, instructions: allInstructionsOf(built) });
    mustEqual('transaction', compileWithKit(payer, lifetime, builds[k].instructions), builds[k].tx);
  }

  await warm({ client, payer, snapshot, lifetime, quotes, builds });
  cold({ accounts, addresses: snapshot.addresses, payer, lifetime, quotes, builds });
}

/** A wallet per number: making its address takes some microseconds, of a build's hundreds. */
function walletOf(i) {
  const bytes = new Uint8Array(32).fill(1);
  new DataView(bytes.buffer).setUint32(0, i);
  return addressOfBytes(bytes);
}

const buildOne = (client, payer, quoteResponse, snapshot, lifetime) =>
  buildBuy(client, { payer, quoteResponse, snapshot, lifetime });

async function warm({ client, payer, snapshot, lifetime, quotes, builds }) {
  console.log('## Building a buy, warm: snapshot and block hash at hand, to base64\n');
  const contestants = [
    {
      name: '**heaven-pools `buildBuy`**',
      isAsync: true,
      run: (i) => buildOne(client, payer, quotes[i % TRADES], snapshot, lifetime),
      gives: 'checks, quote, instructions, addresses, warnings, size, signers, transaction, base64',
    },
    {
      name: 'heaven-pools `buildBuy`, another wallet each time',
      isAsync: true,
      run: (i) => buildOne(client, walletOf(i), quotes[i % TRADES], snapshot, lifetime),
      gives: 'the same; the token accounts are derived again',
    },
    {
      name: 'floor: kit compiles the same instructions',
      isAsync: true,
      run: (i) => compileWithKit(payer, lifetime, builds[i % TRADES].instructions),
      gives: 'base64',
    },
  ];
  const measured = await measure(contestants);
  record('build', byName(measured));
  const floor = measured.at(-1).ns;
  table(
    ['contestant', 'ns per op', 'fastest–slowest round', 'ops/s', 'of the floor', 'what it gives'],
    measured.map(({ name, ns, fastest, slowest }, index) => [
      name,
      nanoseconds(ns),
      `${nanoseconds(fastest)}–${nanoseconds(slowest)}`,
      grouped(1e9 / ns),
      index === measured.length - 1 ? '' : times(ns, floor),
      contestants[index].gives,
    ]),
  );
  const [samePayer, otherPayers, kit] = measured;
  holdToBars(samePayer, kit, { mostTimes: 1.6 });
  holdToBars(otherPayers, kit, { mostTimes: 3 });
  console.log();
}

const toJson = (value) =>
  JSON.stringify(value, (_, field) => {
    if (typeof field === 'bigint') return { $bigint: String(field) };
    if (field instanceof Uint8Array) return { $bytes: Buffer.from(field).toString('base64') };
    return field;
  });

/** The medians of several fresh processes, in turns. */
function cold({ accounts, addresses, payer, lifetime, quotes, builds }) {
  console.log(`## Building a buy, cold: fresh processes, median of ${ROUNDS}\n`);
  const file = fileURLToPath(new URL('cold.mjs', import.meta.url));
  const common = { payer, lifetime, count: COLD_TRADES };
  const inputs = {
    ours: toJson({ ...common, accounts, addresses, quotes: quotes.slice(0, COLD_TRADES) }),
    // What an instruction holds besides its fields, such as signers, is of no use to kit's compiler here.
    floor: toJson({
      ...common,
      instructions: builds
        .slice(0, COLD_TRADES)
        .map(({ instructions }) =>
          instructions.map(({ programAddress, accounts, data }) => ({ programAddress, accounts, data })),
        ),
    }),
  };
  const runs = { ours: [], floor: [] };
  for (let turn = 0; turn < ROUNDS; turn++) {
    for (const kind of Object.keys(runs)) {
      const { status, stdout, stderr } = spawnSync(process.execPath, [file, kind], { input: inputs[kind] });
      if (status !== 0) throw new Error(`cold ${kind} ended with ${status}: ${stderr}`);
      const run = JSON.parse(String(stdout));
      for (let k = 0; k < COLD_TRADES; k++) mustEqual(`cold ${kind}`, run.built[k], builds[k].tx);
      runs[kind].push(run);
    }
  }
  const of = (kind, read) => median(runs[kind].map(read));
  const rows = [
    ['import', ({ imported }) => imported],
    ...Array.from({ length: COLD_TRADES }, (_, k) => [
      ['first trade', 'second trade, same pool and payer', 'third'][k],
      (run) => run.times[k],
    ]),
    ['import and first trade', ({ imported, times: [first] }) => imported + first],
  ];
  table(
    [
      '',
      'heaven-pools (raw accounts to base64), ms',
      'floor: kit on finished instructions, ms',
      'of the floor',
    ],
    rows.map(([name, read]) => {
      const ours = of('ours', read);
      const floor = of('floor', read);
      return [name, ours.toFixed(2), floor.toFixed(2), times(ours, floor)];
    }),
  );
}
