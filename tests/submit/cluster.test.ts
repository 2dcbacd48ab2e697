import { createSolanaRpcFromTransport, type RpcTransport } from '@solana/kit';
import { expect, test, vi } from 'vitest';

import {
  createHeavenClient,
  type HeavenSubmitRpc,
  isHeavenError,
  submitTransaction,
} from '../../src/index.js';
import { SLOT_MS } from '../../src/testing/index.js';
import { settle } from '../support/clock.js';
import { fc } from '../support/properties.js';
import {
  buy,
  type Does,
  nodeTransport,
  preflight,
  Refusal,
  record,
  status,
  useFakeTime,
  useSignedBuy,
} from './support.js';

// A cluster in fake time, behind nodes that are silent, lag, restart, lose answers and take turns behind one address, for a client whose
// clocks jump. Whatever happens, nobody may be told `expired` or `failed` of a transaction that lands.
// `CLUSTER_RUNS=5000` runs longer, `FAST_CHECK_SEED=2` tries other values.

const RUNS = Number(process.env.CLUSTER_RUNS ?? 300);

/** The cluster's first slot in each run. */
const START = 20_000;
/** By how many slots each level is behind the newest block. */
const BEHIND: Readonly<Record<string, number>> = { processed: 0, confirmed: 2, finalized: 32 };
/** For how many blocks a block hash is valid, and nodes keep statuses at hand. */
const [LIFE, KEPT] = [150, 300];
/** How much faster than the cluster a node catches up. */
const CATCH_UP = 3;
const ERROR = { InstructionError: [6, { Custom: 6_002 }] };

useSignedBuy();
useFakeTime();

const often = <T>(many: fc.Arbitrary<T>, few: fc.Arbitrary<T>) =>
  fc.oneof({ arbitrary: many, weight: 7 }, { arbitrary: few, weight: 1 });
/** One after the other, and then from the first again. */
const turns = <T>(one: fc.Arbitrary<T>) => fc.array(one, { minLength: 1, maxLength: 12 });
const rarely = <T>(one: fc.Arbitrary<T>, maxLength: number) =>
  often(fc.array(one, { maxLength: 0 }), fc.array(one, { minLength: 1, maxLength }));
const upTo = (max: number) => fc.integer({ min: 0, max });

/** What becomes of a copy that a node forwards: it is lost, waits so many milliseconds, or until so many blocks before the end. */
const lost = fc.constant({ isLost: true });
const late = fc.record({ blocksLeft: upTo(4) });
const early = fc.record({ ms: upTo(5_000) });
const copies = fc.oneof(turns(fc.oneof(lost, late)), turns(late), turns(fc.oneof(lost, late, early)));
/** A machine stops for a while, still answering or not, and goes on from an older slot. */
const outage = fc.record({
  at: upTo(30_000),
  ms: often(upTo(8_000), upTo(70_000)),
  isSilent: fc.boolean(),
  back: upTo(40),
});
const machineWith = <TLag, TOutages>(lag: fc.Arbitrary<TLag>, outages: fc.Arbitrary<TOutages>) =>
  fc.record({ lag, outages, keepsHistory: fc.boolean() });
const machine = machineWith(fc.oneof(upTo(3), fc.integer({ min: 10, max: 60 })), rarely(outage, 2));
const way = fc.record({ machine: upTo(5), ms: upTo(300), loses: fc.constant('nothing') });
const badWay = fc.record({
  machine: upTo(5),
  ms: often(upTo(300), upTo(15_000)),
  loses: fc.constantFrom('nothing', 'nothing', 'request', 'answer', 'answer'),
});
/** The cluster goes on while the client sleeps, and the client's clock may miss that, or jump by itself. */
const jump = fc.record({ at: upTo(30_000), cluster: upTo(90_000), client: upTo(50_000) });

const any = {
  /** Each so many slots, one has no block. */
  skips: fc.constantFrom(2, 7, 1_000_000),
  /** Of the block hash, in blocks. */
  age: often(fc.integer({ min: 100, max: 146 }), fc.integer({ min: -5, max: 170 })),
  commitment: often(fc.constant('confirmed'), fc.constantFrom('processed', 'finalized')),
  fails: fc.boolean(),
  copies,
  nodes: fc.integer({ min: 1, max: 2 }),
  skipPreflight: often(fc.constant(false), fc.constant(true)),
} as const;

const faulty = fc.record({
  ...any,
  namedTooHighBy: fc.oneof(fc.constant(0), fc.integer({ min: -LIFE, max: 40 })),
  machines: fc.array(machine, { minLength: 1, maxLength: 3, size: 'max' }),
  ways: fc.oneof(turns(way), turns(badWay)),
  /** Whether each simulation passes. */
  passes: fc.oneof(turns(fc.constant(true)), turns(fc.boolean())),
  jumps: rarely(jump, 1),
  wasSent: fc.boolean(),
});

type Run = typeof faulty extends fc.Arbitrary<infer T> ? T : never;
type Machine = Run['machines'][number];

const steadyMachine = machineWith(upTo(4), fc.constant<Machine['outages']>([]));
const healthy: fc.Arbitrary<Run> = fc.record({
  ...any,
  namedTooHighBy: fc.constant(0),
  machines: fc.array(steadyMachine, { minLength: 1, maxLength: 4 }),
  ways: turns(way),
  passes: turns(fc.constant(true)),
  jumps: fc.constant<Run['jumps']>([]),
  wasSent: fc.constant(false),
});

/** The one of its turn. */
const nth = <T>(list: readonly T[], index: number) => list[index % list.length] as T;

/** Submits on a simulated cluster. Returns what it says, and in which slot the transaction lands. */
async function simulated(run: Run) {
  const tick = performance.now.bind(performance);
  const began = tick();
  const elapsed = () => tick() - began;
  const jumped = (clock: 'cluster' | 'client') =>
    run.jumps.reduce((sum, { at, [clock]: ms }) => (elapsed() < at ? sum : sum + ms), 0);
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => tick() + jumped('client'));

  const slotAt = (ms: number) => START + Math.floor(ms / SLOT_MS);
  const tip = () => slotAt(elapsed() + jumped('cluster'));
  const heightAt = (slot: number) => slot - Math.floor(slot / run.skips);
  const born = heightAt(START) - run.age;
  let landsIn = Number.POSITIVE_INFINITY;
  let copies = 0;

  function forward(): void {
    const fate = nth(run.copies, copies++);
    if ('isLost' in fate) return;
    const delay = 'ms' in fate ? Math.ceil(fate.ms / SLOT_MS) : 0;
    let slot = tip() + 1 + delay;
    // A block still takes a hash of that age: the block's own hash is not counted yet.
    const last = born + LIFE + 1;
    if ('blocksLeft' in fate) while (heightAt(slot) < last - fate.blocksLeft) slot += 1;
    while (slot % run.skips === 0) slot += 1;
    if (heightAt(slot) <= last) landsIn = Math.min(landsIn, slot);
  }

  const viewOf = ({ lag, outages }: Machine) =>
    outages.reduce((view, { at, ms, back }) => {
      if (elapsed() < at) return view;
      const since = Math.max(0, tip() - slotAt(at + ms));
      return Math.min(view, slotAt(at) - lag - back + CATCH_UP * since);
    }, tip() - lag);
  const isSilent = ({ outages }: Machine) =>
    outages.some((one) => one.isSilent && elapsed() >= one.at && elapsed() < one.at + one.ms);
  const isValidIn = (slot: number) => heightAt(slot) >= born && heightAt(slot) <= born + LIFE;

  let simulations = 0;
  const does = (one: Machine): Does => {
    const view = viewOf(one);
    // kit leaves out what is the default.
    const level = (config: unknown, name: string) =>
      view - (BEHIND[(Object(config)[name] as string | undefined) ?? 'finalized'] as number);
    const err = run.fails ? ERROR : null;
    return {
      sendTransaction: ([, config]) => {
        const slot = level(config, 'preflightCommitment');
        if (!(config as { readonly skipPreflight: boolean }).skipPreflight) {
          if (!isValidIn(slot)) throw preflight('BlockhashNotFound');
          if (landsIn <= slot) throw preflight('AlreadyProcessed');
          if (!nth(run.passes, simulations++)) throw preflight(ERROR);
        }
        forward();
        return buy.signature;
      },
      getEpochInfo: ([config]) => {
        const absoluteSlot = level(config, 'commitment');
        return { absoluteSlot, blockHeight: heightAt(absoluteSlot) };
      },
      isBlockhashValid: ([, config]) => {
        const slot = level(config, 'commitment');
        return { context: { slot }, value: isValidIn(slot) };
      },
      getSignatureStatuses: ([, config]) => {
        const { searchTransactionHistory } = config as { readonly searchTransactionHistory: boolean };
        if (searchTransactionHistory && !one.keepsHistory) throw new Refusal(-32_011);
        const isKept = heightAt(view) - heightAt(landsIn) <= KEPT;
        const reached = Object.keys(BEHIND).filter((name) => landsIn <= view - (BEHIND[name] as number));
        const isKnown = reached.length > 0 && (isKept || searchTransactionHistory);
        return {
          context: { slot: view },
          value: [isKnown ? status(reached.at(-1) as string, err, landsIn) : null],
        };
      },
      getTransaction: () =>
        landsIn <= view - 2 ? { ...record, slot: landsIn, meta: { ...(record.meta as object), err } } : null,
    };
  };

  let calls = 0;
  const transport = (async (request: Parameters<RpcTransport>[0]) => {
    const { machine: index, ms, loses } = nth(run.ways, calls++);
    const { signal } = request;
    const pass = () =>
      new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms / 2);
        // Who stops waiting doesn't stop what is under way.
        signal?.addEventListener('abort', () => {
          clearTimeout(timer);
          resolve();
        });
      });
    const lose = () => {
      if (calls % 2 === 0) throw new TypeError('fetch failed');
      return new Promise(() => {});
    };
    await pass();
    const one = nth(run.machines, index);
    if (isSilent(one) || loses === 'request') return await lose();
    const answer = await nodeTransport(does(one))(request);
    await pass();
    return loses === 'nothing' ? answer : await lose();
  }) as RpcTransport;
  const nodes = Array.from(
    { length: run.nodes },
    () => createSolanaRpcFromTransport(transport) as HeavenSubmitRpc,
  );

  try {
    if (run.wasSent) forward();
    const client = createHeavenClient({ rpc: nodes[0] as HeavenSubmitRpc, commitment: run.commitment });
    const submitting = submitTransaction(client, buy.tx, {
      lastValidBlockHeight: BigInt(born + LIFE + run.namedTooHighBy),
      rpcs: nodes.slice(1),
      skipPreflight: run.skipPreflight,
      mayBeUnderWay: run.wasSent,
    });
    const said = await settle(submitting).catch((error: unknown) => {
      if (!isHeavenError(error, 'outcome-unknown')) throw error;
      return { status: error.code, slot: undefined };
    });
    return { said, landsIn };
  } finally {
    clock.mockRestore();
  }
}

/** Simulates runs, and counts what they end with. No certain outcome may be wrong. */
async function outcomesOf(runs: fc.Arbitrary<Run>, numRuns: number) {
  const counts: Record<string, number> = {};
  await fc.assert(
    fc.asyncProperty(runs, async (run) => {
      const { said, landsIn } = await simulated(run);
      const { status: what, slot } = { slot: undefined, ...said };
      const name = what === 'failed' && slot === undefined ? 'rejected' : what;
      if (name === 'landed' || name === 'failed') {
        expect(Number(slot)).toBe(landsIn);
        expect(name).toBe(run.fails ? 'failed' : 'landed');
      } else if (name !== 'outcome-unknown') expect(landsIn, name).toBe(Number.POSITIVE_INFINITY);
      counts[name] = (counts[name] ?? 0) + 1;
    }),
    { numRuns },
  );
  return counts;
}

test('whatever happens to nodes, answers and clocks, no outcome is wrong', async () => {
  const counts = await outcomesOf(faulty, RUNS);
  // None of it was for nothing.
  for (const name of ['landed', 'failed', 'rejected', 'expired', 'outcome-unknown'])
    expect(counts[name] ?? 0, name).toBeGreaterThan(RUNS / 150);
});

test('where nothing fails, an outcome is almost always certain', async () => {
  const { 'outcome-unknown': unknown = 0, ...certain } = await outcomesOf(healthy, RUNS / 2);
  expect(unknown).toBeLessThan(RUNS / 200);
  for (const name of ['landed', 'failed', 'expired'])
    expect(certain[name] ?? 0, name).toBeGreaterThan(RUNS / 150);
});
