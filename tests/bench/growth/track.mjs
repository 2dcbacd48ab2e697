// `node tests/bench/growth/track.mjs`: what a stream costs. One account update to a new swap state, 10,000 pools updated and quoted
// at three sizes each, with Node's own young generation and with the one that docs/bots.md recommends, and the import of the main entry
// point. Each stands beside a floor that is measured in the same run. It needs `npm run build` at the root.
import { execFileSync } from 'node:child_process';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { getAddressDecoder } from '@solana/kit';
import {
  computeBuy,
  createPoolTracker,
  decodePoolSnapshot,
  toSwapState,
  trackedAccounts,
} from '../../../dist/index.js';
import { createEmbeddedLedger } from '../../../dist/testing.js';
import { QUICK } from '../peers/harness.mjs';

/** Measures the many pools alone, in a process with other flags, and prints the times as JSON. */
const MANY_POOLS = '--many-pools';
const YOUNG_GENERATION = '--max-semi-space-size=64';
const ROUNDS = QUICK ? 5 : 15;
const UPDATES = QUICK ? 20_000 : 100_000;
const POOLS = 10_000;
const SIZES = [100_000_000n, 1_000_000_000n, 25_000_000_000n];
const RESERVE_A = 456;
const MINT = 792;

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];
/** The medians of contestants that take turns, in milliseconds. */
function measure(contestants) {
  const times = contestants.map(() => []);
  for (let round = 0; round < ROUNDS; round++) {
    for (let k = 0; k < contestants.length; k++) {
      const index = (k + round) % contestants.length;
      const run = contestants[index](round);
      const start = performance.now();
      run();
      times[index].push(performance.now() - start);
    }
  }
  return times.map((values) => median(values.slice(1)));
}

const ledger = await createEmbeddedLedger();
const { mint, configVersion } = ledger.pools.creator;
const tracked = await trackedAccounts({ mint, configVersion });
const accounts = tracked.accounts.map(({ name, address }) => ({
  name,
  address,
  ...ledger.getAccount(address),
}));
const byName = Object.fromEntries(accounts.map((account) => [account.name, account]));
const poolWith = (reserveA) => {
  const data = Uint8Array.from(byName.pool.data);
  new DataView(data.buffer).setBigUint64(RESERVE_A, reserveA, true);
  return data;
};
let checksum = 0n;

function oneUpdate() {
  const versions = Array.from({ length: 1024 }, (_, k) => poolWith(10n ** 14n + BigInt(k)));
  const others = {
    protocolConfig: byName.protocolConfig.data,
    mint: byName.mint.data,
    priceFeed: byName.priceFeed.data,
    clock: byName.clock.data,
  };
  const { address, owner } = byName.pool;
  let writeVersion = 0n;
  const tracker = createPoolTracker(tracked);
  tracker.load(accounts);
  const slot = ledger.slot + 1n;
  return measure([
    () => () => {
      for (let k = 0; k < UPDATES; k++) {
        const data = versions[k & 1023];
        tracker.apply({ address, owner, data, slot, writeVersion: ++writeVersion });
        checksum += tracker.swapState().reserveA;
      }
    },
    () => () => {
      for (let k = 0; k < UPDATES; k++)
        checksum += toSwapState(decodePoolSnapshot({ pool: versions[k & 1023], ...others })).reserveA;
    },
  ]).map((ms) => (ms / UPDATES) * 1000);
}

function manyPools() {
  const decoder = getAddressDecoder();
  let seed = 7;
  const bytes = () =>
    Uint8Array.from({ length: 32 }, () => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      return seed >>> 24;
    });
  const pools = Array.from({ length: POOLS }, (_, index) => {
    const mintBytes = bytes();
    const pool = {
      configVersion,
      protocolConfig: tracked.protocolConfig,
      pool: decoder.decode(bytes()),
      mint: decoder.decode(mintBytes),
    };
    const dataOf = (round) => {
      const data = poolWith(10n ** 14n + BigInt(index * 100 + round));
      data.set(mintBytes, MINT);
      return data;
    };
    const tracker = createPoolTracker(pool);
    tracker.load(
      accounts.map((account) => ({
        owner: account.owner,
        address: pool[account.name] ?? account.address,
        data: account.name === 'pool' ? dataOf(0) : account.data,
      })),
    );
    return { tracker, address: pool.pool, dataOf, state: toSwapState(tracker.snapshot) };
  });
  const { owner } = byName.pool;
  const quote = (state) => {
    for (const size of SIZES) checksum += computeBuy(state, size).amountOut;
  };
  let slot = ledger.slot;
  const update = (isWithClock) => (round) => {
    // Two slots on: nothing comes late, whichever contestant's turn it is.
    slot += 2n;
    const current = slot;
    const clockData = byName.clock.data.slice();
    new DataView(clockData.buffer).setBigUint64(0, current, true);
    const received = pools.map(({ dataOf }) => dataOf(round));
    const clock = {
      address: byName.clock.address,
      owner: byName.clock.owner,
      data: clockData,
      slot: current,
      writeVersion: 0n,
    };
    return () => {
      for (let k = 0; k < POOLS; k++) {
        const { tracker, address } = pools[k];
        if (isWithClock) tracker.apply(clock);
        tracker.apply({ address, owner, data: received[k], slot: current, writeVersion: 1n });
        quote(tracker.swapState());
      }
    };
  };
  return measure([
    update(false),
    update(true),
    () => () => {
      for (let k = 0; k < POOLS; k++) quote(pools[k].state);
    },
  ]);
}

function imports() {
  const timeOf = (specifier) =>
    Number(
      execFileSync(
        process.execPath,
        [
          '--input-type=module',
          '-e',
          `const t = performance.now(); await import(${JSON.stringify(specifier)}); console.log(performance.now() - t)`,
        ],
        { cwd: fileURLToPath(new URL('../../../', import.meta.url)), encoding: 'utf8' },
      ),
    );
  const specifiers = ['../../../dist/index.js', '../../dist/core.js'].map(
    (path) => new URL(path, import.meta.url).href,
  );
  specifiers.splice(1, 0, '@solana/kit');
  const times = specifiers.map(() => []);
  for (let round = 0; round < ROUNDS; round++)
    for (const [index, specifier] of specifiers.entries()) times[index].push(timeOf(specifier));
  return times.map(median);
}

/** {@link manyPools} in another process. */
const manyPoolsWith = (flag) =>
  JSON.parse(
    execFileSync(
      process.execPath,
      [flag, fileURLToPath(import.meta.url), MANY_POOLS, ...process.argv.slice(2)],
      {
        encoding: 'utf8',
      },
    ),
  );

if (process.argv.includes(MANY_POOLS)) {
  console.log(JSON.stringify(manyPools()));
  process.exit();
}

const [perUpdate, decodeAll] = oneUpdate();
const manyRows = [
  ['', manyPools()],
  [`, \`${YOUNG_GENERATION}\``, manyPoolsWith(YOUNG_GENERATION)],
];
const [main, kit, core] = imports();

const times = (value, floor) => `×${(value / floor).toFixed(2)}`;
console.log(`Node ${process.version}, ${cpus()[0]?.model.trim()}, the median of ${ROUNDS} rounds\n`);
console.log('| what | time | floor in the same run | ratio | goal |');
console.log('| --- | ---: | ---: | ---: | --- |');
const row = (what, value, floor, unit, floorName, goal) =>
  console.log(
    `| ${what} | ${value.toFixed(2)} ${unit} | ${floorName}: ${floor.toFixed(2)} ${unit} | ${times(value, floor)} | ${goal} |`,
  );
row('account update → new swap state', perUpdate, decodeAll, 'µs', 'decoding all five accounts', '≤ 5 µs');
for (const [flag, [many, manyWithClock, quotesOnly]] of manyRows) {
  row(
    `10,000 pools: one update and three quotes each${flag}`,
    many,
    quotesOnly,
    'ms',
    'the quotes alone',
    '≤ 100 ms',
  );
  row(
    `the same, and the clock for each${flag}`,
    manyWithClock,
    quotesOnly,
    'ms',
    'the quotes alone',
    '≤ 100 ms',
  );
}
row('import of the main entry point', main, kit, 'ms', "kit's own", '≤ ×1.1');
row('import of `heaven-pools/core`', core, kit, 'ms', "kit's own", '');
if (checksum === 0n) throw new Error('Nothing was measured.');
