// The places that state a measured figure. `npm run figures` writes the figures of tests/bench/figures.json into them, and a test compares.
// {section > what > value in unit} is a figure. What several documents state is the same figure in each.
import { readFileSync } from 'node:fs';
import { z } from 'zod';

export const PLACES: Readonly<Record<string, readonly string[]>> = {
  'README.md': [
    'start no browser, process or server, in about {commands > npm test > seconds in words}\n',
    'runs all tests, in about {commands > npm run test:all > seconds in words};',
    '| a quote from state in memory (`computeBuy`) | {size > heaven-pools computeBuy > rolldownBytes in KB} KB | {exact-in > heaven-pools computeBuy + minimumAfterSlippage > ns} ns |',
    '| a quote from a node (`createHeavenClient`, `quoteBuy`) | {size > heaven-pools createHeavenClient, quoteBuy > rolldownBytes in KB} KB | one call |',
    '| and an unsigned transaction (`buildBuy`) | {size > heaven-pools createHeavenClient, quoteBuy, buildBuy > rolldownBytes in KB} KB | {build > heaven-pools buildBuy > ns in ms} ms |',
    '| a whole swap form, beside React ([`examples/react`](examples/react)) | {size > the swap form of examples/react, beside React > rolldownBytes in KB} KB | |',
    '| new amounts in a prepared transaction (`patchTrade`) | | {prepared > heaven-pools patchTrade > ns in µs} µs |',
    '| the client of a remote service (`createRemoteClient`) | {size > heaven-pools createRemoteClient > rolldownBytes in KB} KB | |',
    'virtual machine with {machine > it > cores} cores (`npm run bench`)',
  ],
  '.github/CONTRIBUTING.md': [
    '| `npm start` | {commands > npm start > seconds} |',
    '| `npm test` | {commands > npm test > seconds} |',
    '| `npx vitest run tests/math/swap.test.ts` | {commands > npx vitest run tests/math/swap.test.ts > seconds} |',
    '| `npm run types`; of the other folders: `npm run types:folders` | {commands > npm run types > seconds}; {commands > npm run types:folders > seconds} |',
    '| `npm run format` | {commands > npm run format > seconds} |',
    '| `npm run test:all` | {commands > npm run test:all > seconds} |',
    '| `.ci/run` | {commands > .ci/run > seconds} |',
    '| `npm run build`; without declarations: `npm run build -- --no-dts` | {commands > npm run build > seconds}; {commands > npm run build -- --no-dts > seconds} |',
    '| `npm run dapp` | {commands > npm run dapp > seconds} |',
    '| `npm run docs`; `npm run docs:preview` | {commands > npm run docs > seconds}; {commands > npm run docs:preview > seconds} |',
    '| `npm run idl`, `npm run vectors`, `npm run openapi` | {commands > npm run idl > seconds}; {commands > npm run vectors > seconds}; {commands > npm run openapi > seconds} |',
    '| `npm run size` | {commands > npm run size > seconds} |',
    '| `npm run bench:frames` | {commands > npm run bench:frames > seconds} |',
    'The seconds are those of {machine > it > cores} cores,',
    '| `npm run setup` | {commands > npm run setup > seconds} |',
    '| `npm run setup docs` | {commands > npm run setup docs > seconds} |',
    '| `npm run setup examples` | {commands > npm run setup examples > seconds} |',
    '| `npm run setup examples/mcp` | {commands > npm run setup examples/mcp > seconds} |',
    '| `npm run setup tests/interop` | {commands > npm run setup tests/interop > seconds} |',
    '| `npm run setup tools` | {commands > npm run setup tools > seconds} |',
    '| `npm run setup tests/bench` | {commands > npm run setup tests/bench > seconds} |',
  ],
  'docs/performance.md': [
    'The figures come from a virtual machine with {machine > it > cores} cores ({machine > it > cpu}) and Node {machine > it > node}.',
    'is {ratios > a quote of the fastest peer to ours > times} times as fast as that of the fastest peer (bar: 4.5).',
    'takes {ratios > another wallet to the floor > times} times the floor (3):',
    'answers {ratios > the server to its floor > times} of its floor (0.2).',
    'grows {bodies > p99 of honest quotes > growth} times (2).',
    'Rolldown {size > bundlers > rolldown} is the bundler of Vite',
    'esbuild\n{size > bundlers > esbuild} keeps more',
    '| **A quote of state at hand**: `computeBuy` | {size > heaven-pools computeBuy > rolldownBytes} | {size > heaven-pools computeBuy > esbuildBytes} |',
    '| whirlpools-core | {size > whirlpools-core swapQuoteByInputToken > rolldownBytes} | {size > whirlpools-core swapQuoteByInputToken > esbuildBytes} |',
    '| dynamic-bonding-curve-sdk | {size > dynamic-bonding-curve-sdk swapQuoteExactIn > rolldownBytes} | {size > dynamic-bonding-curve-sdk swapQuoteExactIn > esbuildBytes} |',
    '| cp-amm-sdk | {size > cp-amm-sdk swapQuoteExactInput > rolldownBytes} | {size > cp-amm-sdk swapQuoteExactInput > esbuildBytes} |',
    '| pump-swap-sdk | {size > pump-swap-sdk buyQuoteInput > rolldownBytes} | {size > pump-swap-sdk buyQuoteInput > esbuildBytes} |',
    '| raydium-sdk-v2 | {size > raydium-sdk-v2 CurveCalculator > rolldownBytes} | {size > raydium-sdk-v2 CurveCalculator > esbuildBytes} |',
    '| **All of `heaven-pools/core`** | {size > heaven-pools/core, all of it > rolldownBytes} | {size > heaven-pools/core, all of it > esbuildBytes} |',
    '| **A node to a quote**: `createHeavenClient`, `quoteBuy` | {size > heaven-pools createHeavenClient, quoteBuy > rolldownBytes} | {size > heaven-pools createHeavenClient, quoteBuy > esbuildBytes} |',
    '| floor: kit `createSolanaRpc` | {size > floor: kit createSolanaRpc > rolldownBytes} | {size > floor: kit createSolanaRpc > esbuildBytes} |',
    '| whirlpools-client and -core with kit | {size > kit createSolanaRpc, whirlpools-client fetchWhirlpool, whirlpools-core swapQuoteByInputToken > rolldownBytes} | {size > kit createSolanaRpc, whirlpools-client fetchWhirlpool, whirlpools-core swapQuoteByInputToken > esbuildBytes} |',
    '| pump-swap-sdk | {size > pump-swap-sdk OnlinePumpAmmSdk on web3.js Connection > rolldownBytes} | {size > pump-swap-sdk OnlinePumpAmmSdk on web3.js Connection > esbuildBytes} |',
    '| **A node to an unsigned transaction**: and `buildBuy` | {size > heaven-pools createHeavenClient, quoteBuy, buildBuy > rolldownBytes} | {size > heaven-pools createHeavenClient, quoteBuy, buildBuy > esbuildBytes} |',
    '| floor: kit and its program clients, a swap by hand | {size > floor: kit, token, system, compute-budget: a swap by hand > rolldownBytes} | {size > floor: kit, token, system, compute-budget: a swap by hand > esbuildBytes} |',
    '| pump-swap-sdk | {size > pump-swap-sdk OnlinePumpAmmSdk, PUMP_AMM_SDK > rolldownBytes} | {size > pump-swap-sdk OnlinePumpAmmSdk, PUMP_AMM_SDK > esbuildBytes} |',
    'is {size > the swap form of examples/react, beside React > rolldownBytes in KB} KB beside React.',
    '| **heaven-pools** with kit | {footprint > heaven-pools with kit > installedBytes in MB} | {footprint > heaven-pools with kit > packages} | {footprint > import heaven-pools > ms} |',
    '| kit | {footprint > kit > installedBytes in MB} | {footprint > kit > packages} | {footprint > import @solana/kit > ms} |',
    '| pump-swap-sdk, the smallest on web3.js | {footprint > pump-swap-sdk > installedBytes in MB} | {footprint > pump-swap-sdk > packages} | {footprint > import @pump-fun/pump-swap-sdk > ms} |',
    '| **heaven-pools `computeBuy`, `computeBuyExactOut`** with their bounds | {exact-in > heaven-pools computeBuy + minimumAfterSlippage > ns} | {exact-out > heaven-pools computeBuyExactOut + maximumAfterSlippage > ns} |',
    '| floor: plain bigint | {exact-in > floor: plain bigint > ns} | {exact-out > floor: plain bigint > ns} |',
    '| raydium `CurveCalculator` | {exact-in > raydium CurveCalculator.swapBaseInput > ns} | {exact-out > raydium CurveCalculator.swapBaseOutput > ns} |',
    '| pump-swap | {exact-in > pump-swap buyQuoteInput, feeConfig null > ns} | {exact-out > pump-swap buyBaseInput, feeConfig null > ns} |',
    '| meteora DBC, 1 point | {exact-in > meteora DBC swapQuoteExactIn, 1 point > ns} | {exact-out > meteora DBC swapQuoteExactOut, 1 point > ns} |',
    '| meteora cp-amm, concentrated | {exact-in > meteora cp-amm swapQuoteExactInput, concentrated > ns} | {exact-out > meteora cp-amm swapQuoteExactOutput, concentrated > ns} |',
    '| orca, 2 tick arrays | {exact-in > orca swapQuoteByInputToken, 2 tick arrays > ns} | {exact-out > orca swapQuoteByOutputToken, 2 tick arrays > ns} |',
    "Pump's minimums are off for {slippage > pump-swap, in its quotes (percent) > minimumsOff} of them, raydium's for {slippage > raydium cpmm.computeSwapAmount (fraction) > minimumsOff}.",
    '| **five raw accounts to a state that can be quoted**: `toSwapState(decodePoolSnapshot(…))` | {decode > heaven-pools toSwapState(decodePoolSnapshot(…)) > ns in µs} |',
    '| **a whole pool**, about 770 values: `decodeLiquidityPoolState` | {decode > heaven-pools decodeLiquidityPoolState > ns in µs} |',
    '| **a snapshot to an unsigned transaction**: `buildBuy` | {build > heaven-pools buildBuy > ns in µs} |',
    '| floor: kit compiles the same instructions | {build > floor: kit compiles the same instructions > ns in µs} |',
    '| **new amounts in a [prepared trade](bots.md#prepare-trades)**: `patchTrade` | {prepared > heaven-pools patchTrade > ns in µs} |',
    '| **state to signed bytes**: quote, patch, `signPreparedSync` | {signed > heaven-pools: quote, patch, signPreparedSync > p50Ns in µs} (p99 {signed > heaven-pools: quote, patch, signPreparedSync > p99Ns in µs}) |',
    '| floor: kit compiles, signs and encodes; our quote | {signed > kit compiles, signs and encodes; our quote > p50Ns in µs} (p99 {signed > kit compiles, signs and encodes; our quote > p99Ns in µs}) |',
    '| {growth > quoteBuy, one after another > pools} pools | µs per pool | again | calls to the node |',
    '| `quoteBuy`, one after another | {growth > quoteBuy, one after another > perPoolMs in µs} | {growth > quoteBuy, one after another > perPoolAgainMs in µs} | {growth > quoteBuy, one after another > calls} |',
    '| `quoteBuy`, all at once, `shareReads` | {growth > quoteBuy, all at once, shareReads > perPoolMs in µs} | {growth > quoteBuy, all at once, shareReads > perPoolAgainMs in µs} | {growth > quoteBuy, all at once, shareReads > calls} |',
    '| `quoteMany` | {growth > quoteMany > perPoolMs in µs} | {growth > quoteMany > perPoolAgainMs in µs} | {growth > quoteMany > calls} |',
    '| `watchPool`, to the first snapshot of each | {growth > watchPool, to the first snapshot of each > perPoolMs in µs} | {growth > watchPool, to the first snapshot of each > perPoolAgainMs in µs} | {growth > watchPool, to the first snapshot of each > calls} |',
    '| `watchPool`, a slot that changes each pool | {growth > watchPool, a slot that changes each pool > perPoolMs in µs} | {growth > watchPool, a slot that changes each pool > perPoolAgainMs in µs} | {growth > watchPool, a slot that changes each pool > calls} |',
    '| `findPools`, all there are | {growth > findPools, all there are > perPoolMs in µs} | {growth > findPools, all there are > perPoolAgainMs in µs} | {growth > findPools, all there are > calls} |',
    '| raw accounts to a quote | {growth > raw accounts to a quote > perPoolMs in µs} | {growth > raw accounts to a quote > perPoolAgainMs in µs} | {growth > raw accounts to a quote > calls} |',
    'A pool takes {memory > watchPool > perPoolBytes in kB} kB in `watchPool`, {memory > watchPools > perPoolBytes in kB} in `watchPools`.',
    '| 64 | {load > floor, 64 > perSecond} | {load > server, 64 > perSecond} | {load > floor, 64 > p50Ms}, {load > floor, 64 > p99Ms} | {load > server, 64 > p50Ms}, {load > server, 64 > p99Ms} | {load > server, 64 > refusedPerSecond} |',
    '| 512 | {load > floor, 512 > perSecond} | {load > server, 512 > perSecond} | {load > floor, 512 > p50Ms}, {load > floor, 512 > p99Ms} | {load > server, 512 > p50Ms}, {load > server, 512 > p99Ms} | {load > server, 512 > refusedPerSecond} |',
    '| 2,048 | {load > floor, 2048 > perSecond} | {load > server, 2048 > perSecond} | {load > floor, 2048 > p50Ms}, {load > floor, 2048 > p99Ms} | {load > server, 2048 > p50Ms}, {load > server, 2048 > p99Ms} | {load > server, 2048 > refusedPerSecond} |',
    '2,048 at once are all answered within {load > server, 2048 > slowestMs in s up} s.',
    'the costliest costs {bodies > the costliest > quotes} honest quotes.',
  ],
  'docs/self-hosting.md': [
    'One core serves some {load > server, 64 > perSecond in hundreds} quotes per second.',
    'from figures of [one machine with {machine > it > cores} cores](',
    '| servers | {load > server, 64 > perSecond} quotes per second on a full core | {replicas > alone > count} replicas of one core, at 70 % |',
    '| limit in Redis | a tenth more CPU | {replicas > with a limit in Redis > count} replicas, three Redis |',
    '| calls to nodes | {load > server, 64 > callsPerSecond} per second and replica | {replicas > alone > callsPerSecond}; with one stream 4 |',
    'which must bear the {replicas > alone > callsPerSecond}.',
  ],
};

const FIGURES = 'tests/bench/figures.json';
/** Their figures are the same on each machine. */
const UNTIMED = ['size', 'slippage'];

const machine = z.object({ node: z.string(), cpu: z.string(), cpus: z.number() });
const figures = z.record(z.string(), z.record(z.string(), z.union([z.number(), z.string()])));
const sections = z.record(z.string(), z.object({ measured: machine, figures }));
type Sections = z.infer<typeof sections>;

/** For docs/self-hosting.md. */
const WANTED_PER_SECOND = 100_000;
const USED_OF_A_CORE = 0.7;
const LIMITED_COSTS = 1.1;

const grouped = (value: number) => Math.round(value).toLocaleString('en-US');
/** As many digits as a measurement is good for. */
const brief = (value: number) => {
  if (value < 1) return String(Number(value.toPrecision(2)));
  return value < 10 ? value.toFixed(1) : grouped(value);
};
const oneDecimal = (value: number) => (value < 100 ? value.toFixed(1) : grouped(value));
const twoDigits = (value: number) => grouped(Number(value.toPrecision(2)));

/** How a document shows a figure, by the end of its name and the unit that the document wants. */
const FORMATS: Readonly<Record<string, (value: number) => string>> = {
  ns: brief,
  'ns in µs': (ns) => brief(ns / 1e3),
  'ns in ms': (ns) => brief(ns / 1e6),
  ms: brief,
  'ms in µs': (ms) => brief(ms * 1e3),
  'ms in s up': (ms) => String(Math.ceil(ms / 1e3)),
  seconds: twoDigits,
  'seconds in words': (s) => (s < 120 ? `${twoDigits(s)} seconds` : `${Math.round(s / 60)} minutes`),
  bytes: grouped,
  'bytes in kB': (bytes) => brief(bytes / 1e3),
  'bytes in KB': (bytes) => oneDecimal(bytes / 1e3),
  'bytes in MB': (bytes) => oneDecimal(bytes / 1e6),
  persecond: brief,
  'persecond in hundreds': twoDigits,
};
const UNIT = /(ns|ms|perSecond|seconds|bytes)$/i;

export const readSections = (): Sections => sections.parse(JSON.parse(readFileSync(FIGURES, 'utf8')));

/** Throws if the times come from several machines. */
function machineOf(measured: Sections): z.infer<typeof machine> {
  const timed = Object.entries(measured).filter(([section]) => !UNTIMED.includes(section));
  const machines = timed.map(([section, { measured: on }]) => ({
    section,
    on,
    name: `${on.cpus} × ${on.cpu}, Node ${on.node}`,
  }));
  const [first] = machines;
  if (first === undefined) throw new Error(`${FIGURES} has no times`);
  const other = machines.find(({ name }) => name !== first.name);
  if (other === undefined) return first.on;
  throw new Error(
    `${FIGURES} has times of several machines: "${first.section}" of ${first.name}, "${other.section}" of ${other.name}. Measure both on one.`,
  );
}

type Lookup = (section: string, what: string, value: string) => number | string;

/** Finds a figure, measured or computed from measured ones. */
function lookupIn(measured: Sections): Lookup {
  const { node, cpu, cpus } = machineOf(measured);
  const lookup: Lookup = (section, what, value) => {
    const found = measured[section]?.figures[what]?.[value] ?? computed[section]?.[what]?.[value]?.();
    if (found !== undefined) return found;
    throw new Error(
      `${FIGURES} has no "${value}" of "${what}" in "${section}": measure it, or correct scripts/figures.ts.`,
    );
  };
  const number = (...place: Parameters<Lookup>) => Number(lookup(...place));
  const peersIn = (section: string) =>
    Object.keys(measured[section]?.figures ?? {}).filter((name) => !/^(?:heaven-pools|floor)\b/.test(name));
  const load = (value: string) => number('load', 'server, 64', value);
  const replicas = () => WANTED_PER_SECOND / USED_OF_A_CORE / load('perSecond');
  const computed: Record<string, Record<string, Record<string, () => number | string>>> = {
    machine: { it: { cores: () => cpus, cpu: () => cpu, node: () => node.replace(/^v(\d+\.\d+).*/, '$1') } },
    replicas: {
      alone: {
        count: () => Math.ceil(replicas()),
        callsPerSecond: () => Math.ceil(replicas()) * load('callsPerSecond'),
      },
      'with a limit in Redis': { count: () => Math.ceil(replicas() * LIMITED_COSTS) },
    },
    ratios: {
      'a quote of the fastest peer to ours': {
        times: () =>
          Math.min(...peersIn('exact-in').map((peer) => number('exact-in', peer, 'ns'))) /
          number('exact-in', 'heaven-pools computeBuy + minimumAfterSlippage', 'ns'),
      },
      'another wallet to the floor': {
        times: () =>
          number('build', 'heaven-pools buildBuy, another wallet each time', 'ns') /
          number('build', 'floor: kit compiles the same instructions', 'ns'),
      },
      'the server to its floor': {
        times: () => load('perSecond') / number('load', 'floor, 64', 'perSecond'),
      },
    },
  };
  return lookup;
}

/** How a document shows `section > what > value in unit`. */
function shown(place: string, lookup: Lookup): string {
  const [section = '', what = '', named = ''] = place.split(' > ');
  const [value = '', unit] = named.split(' in ');
  const found = lookup(section, what, value);
  if (typeof found === 'string') return found;
  const own = UNIT.exec(value)?.[0].toLowerCase();
  if (own === undefined) return Number.isInteger(found) ? grouped(found) : brief(found);
  const format = FORMATS[unit === undefined ? own : `${own} in ${unit}`];
  if (format === undefined) throw new Error(`scripts/figures.ts can't show {${place}}`);
  return format(found);
}

const NUMBER = '\\d[\\d,]*(?:\\.\\d+)?';
const isNumber = new RegExp(`^${NUMBER}$`);
const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * A document with the figures that were measured, and what is wrong with the one that is there.
 *
 * @param places Its places, in their order.
 */
export function fill(document: string, places: readonly string[], measured: Sections) {
  const lookup = lookupIn(measured);
  const outdated: string[] = [];
  const lost: string[] = [];
  const stated: string[] = [];
  let filled = document;
  let from = 0;
  for (const place of places) {
    const parts = place.split(/[{}]/).map((part, index) => (index % 2 === 1 ? shown(part, lookup) : part));
    const text = parts.join('');
    const pattern = parts.map((part, index) => {
      if (index % 2 === 0) return escaped(part);
      return isNumber.test(part) ? NUMBER : '[^|\\n]+?';
    });
    const found = new RegExp(pattern.join('')).exec(filled.slice(from));
    if (found === null) {
      lost.push(place);
      continue;
    }
    const at = from + found.index;
    if (found[0] !== text) outdated.push(`"${found[0]}" should be "${text}"`);
    filled = filled.slice(0, at) + text + filled.slice(at + found[0].length);
    from = at + text.length;
    stated.push(text);
  }
  return { filled, outdated, lost, stated };
}
