import { createSolanaRpcFromTransport, getBase64Encoder, type RpcTransport } from '@solana/kit';
import { expect, test } from 'vitest';

import {
  createHeavenClient,
  type HeavenSubmitRpc,
  type SubmitUntilCertainOptions,
  submitUntilCertain,
} from '../../src/index.js';
import { settle } from '../support/clock.js';
import { heavenError } from '../support/errors.js';
import { away, type SignedBuy, signedBuy, useFakeTime } from './support.js';

// On the embedded ledger, whose slots take 400 ms of fake time, twice the cluster's, behind a node with faults. A block hash lives for a minute.
useFakeTime();

const SLOW_SLOT_MS = 400;

/** What a node does with a call: it answers by itself, throws, or asks the ledger. */
type Fault = (method: string, honest: () => Promise<unknown>, elapsed: number) => unknown;

async function nodeWith(fault: Fault, buy: SignedBuy) {
  const { ledger } = buy;
  const [began, start] = [performance.now(), ledger.slot];
  let calls = 0;
  const transport = (async ({ payload }: { payload: { id: string; method: string } }) => {
    calls += 1;
    const elapsed = performance.now() - began;
    ledger.setSlot(start + BigInt(Math.floor(elapsed / SLOW_SLOT_MS)));
    return await fault(payload.method, async () => await ledger.transport({ payload } as never), elapsed);
  }) as unknown as RpcTransport;
  const rpc = createSolanaRpcFromTransport(transport) as HeavenSubmitRpc;
  return { client: createHeavenClient({ rpc }), calls: () => calls };
}

/** Submits a buy through a node with a fault, and notes how often the outcome was unknown and how often it ran. */
async function submitted(fault: Fault, options: Partial<SubmitUntilCertainOptions> = {}, signed?: SignedBuy) {
  const buy = signed ?? (await signedBuy());
  const { client, calls } = await nodeWith(fault, buy);
  let unknown = 0;
  const running = submitUntilCertain(client, buy.tx, {
    ...buy.built.lifetime,
    ...options,
    observe: (event) => {
      if (event.type === 'outcome-unknown') unknown += 1;
      options.observe?.(event);
    },
  });
  const { result, error } = await settle(running).then(
    (outcome) => ({ result: outcome, error: undefined }),
    (thrown: unknown) => ({ result: undefined, error: thrown }),
  );
  const runs = await buy.ledger.rpc.getSignaturesForAddress(buy.wallet.address).send();
  return { buy, result, error, unknown, runs: runs.length, calls: calls() };
}

const honestly: Fault = (_, honest) => honest();
const isDown = (from: number, until: number, elapsed: number) => elapsed >= from && elapsed < until;

test('a node that loses its answers to what it is sent: it lands, once', async () => {
  const loses: Fault = async (method, honest) => {
    const answer = await honest();
    return method === 'sendTransaction' ? await away() : answer;
  };
  const { result, unknown, runs } = await submitted(loses);
  expect([result?.status, unknown, runs]).toEqual(['landed', 0, 1]);
});

test('a node that is down for minutes after it was sent: it is found when the node is back', async () => {
  const { result, unknown, runs, buy } = await submitted(async (_, honest, elapsed) => {
    const answer = await honest();
    return isDown(0, 200_000, elapsed) ? await away() : answer;
  });
  expect(result).toMatchObject({ status: 'landed', signature: buy.signature });
  expect(unknown).toBeGreaterThanOrEqual(2);
  expect(runs).toBe(1);
});

test('a node that drops it and is then down: expired, once the node says so', async () => {
  const { result, unknown, runs } = await submitted((method, honest, elapsed) => {
    if (method === 'sendTransaction' || isDown(1_000, 100_000, elapsed)) return away();
    return honest();
  });
  expect([result?.status, runs]).toEqual(['expired', 0]);
  expect(unknown).toBeGreaterThanOrEqual(1);
});

test('a node whose statuses come from a machine that is behind: not expired, but landed', async () => {
  const seen: string[] = [];
  const { result, runs } = await submitted(
    (method, honest, elapsed) => {
      if (method !== 'getSignatureStatuses' || elapsed >= 120_000) return honest();
      return { jsonrpc: '2.0', id: '1', result: { context: { slot: 1 }, value: [null] } };
    },
    { observe: ({ type }) => seen.push(type) },
  );
  expect([result?.status, runs]).toEqual(['landed', 1]);
  // It was asked beyond the last height.
  expect(seen.filter((type) => type === 'status').length).toBeGreaterThan(150);
});

test('a restart with a journal: it is followed, and not sent as another', async () => {
  const crash = new AbortController();
  // Its outcome may be known at once, and then nothing is aborted.
  const knowsNothing: Fault = (method, honest) =>
    method === 'getSignatureStatuses' ? new Promise(() => {}) : honest();
  const before = await submitted(knowsNothing, {
    abortSignal: crash.signal,
    observe: ({ type }) => type === 'sent' && crash.abort(),
  });
  const { signature, built, tx } = before.buy;
  expect(before.error).toEqual(heavenError('aborted', { signature }));
  const journal = JSON.stringify({
    ...built.lifetime,
    tx,
    lastValidBlockHeight: String(built.lifetime.lastValidBlockHeight),
  });

  const { tx: _, lastValidBlockHeight, ...read } = JSON.parse(journal);
  const lifetime = { ...read, lastValidBlockHeight: BigInt(lastValidBlockHeight) };
  const after = await submitted(honestly, { ...lifetime, mayBeUnderWay: true }, before.buy);
  expect(after.result).toMatchObject({ status: 'landed', signature });
  expect(after.runs).toBe(1);
});

test('aborted while the outcome is unknown, or a copy may be under way: it may still land', async () => {
  const stop = new AbortController();
  const waiting = await submitted(away, {
    abortSignal: stop.signal,
    observe: ({ type }) => type === 'outcome-unknown' && stop.abort(),
  });
  const { signature } = waiting.buy;
  expect(waiting.error).toEqual(heavenError('aborted', { signature }));
  const late = await submitted(away, { abortSignal: AbortSignal.abort(), mayBeUnderWay: true }, waiting.buy);
  expect(late.error).toEqual(heavenError('aborted', { signature }));
});

test('an RPC that throws at once is not called in a tight loop', async () => {
  const stop = new AbortController();
  const throwing = () => {
    throw new TypeError('not an RPC');
  };
  const names = [
    'sendTransaction',
    'getEpochInfo',
    'isBlockhashValid',
    'getSignatureStatuses',
    'getTransaction',
  ];
  const rpc = Object.fromEntries(names.map((name) => [name, throwing])) as unknown as HeavenSubmitRpc;
  const { tx, built, signature } = await signedBuy();
  const began = performance.now();
  let unknown = 0;
  const running = submitUntilCertain(createHeavenClient({ rpc }), tx, {
    ...built.lifetime,
    abortSignal: stop.signal,
    observe: ({ type }) => {
      if (type === 'outcome-unknown') unknown += 1;
      if (unknown === 10) stop.abort();
    },
  });
  await expect(settle(running)).rejects.toEqual(heavenError('aborted', { signature }));
  expect(performance.now() - began).toBeGreaterThanOrEqual(18_000);
});

test('bytes that change after the call: what was passed is sent', async () => {
  const buy = await signedBuy();
  const { client } = await nodeWith(
    async (_, honest, elapsed) => (elapsed < 90_000 ? away() : honest()),
    buy,
  );
  const bytes = Uint8Array.from(getBase64Encoder().encode(buy.tx));
  const running = submitUntilCertain(client, bytes, buy.built.lifetime);
  bytes.fill(0);
  expect((await settle(running)).signature).toBe(buy.signature);
});
