import type { Address, RpcTransport } from '@solana/kit';
import { afterEach, beforeEach, expect, vi } from 'vitest';

import {
  createFailoverTransport,
  type FailoverConfig,
  type HeavenClient,
  type RpcNodeFailure,
  type SharedReadsConfig,
  shareReads,
} from '../../src/index.js';
import { WALLET } from '../support/addresses.js';
import { pass, settle, turn } from '../support/clock.js';
import { endOf } from '../support/errors.js';
import { answerOf, type Call, clientOver, type Does, type FakeNode, refusing } from '../support/rpc.js';

/** The failures that the transports of `over` told of in this test. */
export const failures: RpcNodeFailure[] = [];
/** The rejections of this test that nobody handled. */
export const unhandled: unknown[] = [];
const noteUnhandled = (reason: unknown) => unhandled.push(reason);

/** Fake time for each test of a file, after which no timer may be left and no rejection unhandled. */
export function useFakeTime(): void {
  beforeEach(() => {
    failures.length = 0;
    unhandled.length = 0;
    process.on('unhandledRejection', noteUnhandled);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  });
  afterEach(async () => {
    await turn();
    process.off('unhandledRejection', noteUnhandled);
    const left = vi.getTimerCount();
    vi.useRealTimers();
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
    expect(left).toBe(0);
    expect(unhandled).toEqual([]);
  });
}

export const over = (nodes: readonly FakeNode[], config: FailoverConfig = {}) =>
  createFailoverTransport(
    nodes.map(({ transport }) => transport),
    { observe: (failure) => failures.push(failure), ...config },
  );
export const shared = (
  transport: RpcTransport,
  config?: SharedReadsConfig,
  timeoutMs?: number,
): HeavenClient => shareReads(clientOver(transport, timeoutMs), config);

export const SLOT = 411_000_000n;
const BLOCKHASH = { blockhash: WALLET, lastValidBlockHeight: 1_000n };

/** A node without accounts, at a slot. */
export const well =
  (slot: unknown = SLOT): Does =>
  (call) => {
    const { method, params } = call.payload;
    const accounts = () => (params[0] as readonly Address[]).map(() => null);
    return answerOf(call, slot, method === 'getLatestBlockhash' ? BLOCKHASH : accounts());
  };
/** As a node should: it refuses what it has not reached. */
export const honest =
  (slot: bigint): Does =>
  (call) => {
    const least = leastOf(call);
    return least !== undefined && slot < (least as bigint) ? refusing(-32016)(call) : well(slot)(call);
  };

const leastOf = ({ payload: { params } }: Call): unknown =>
  (params.at(-1) as { readonly minContextSlot?: unknown }).minContextSlot;
/** The slots that a node was asked for, at least. */
export const leastsOf = ({ calls }: FakeNode) => calls.map(leastOf);

/** How the SDK reads accounts. */
export const OURS = { commitment: 'confirmed', encoding: 'base64' } as const;
export const read = (
  client: HeavenClient,
  addresses: readonly Address[] = [WALLET],
  abortSignal?: AbortSignal,
) => client.rpc.getMultipleAccounts(addresses, OURS).send(abortSignal && { abortSignal });
export const readBlockhash = (client: HeavenClient, abortSignal?: AbortSignal) =>
  client.rpc.getLatestBlockhash({ commitment: 'confirmed' }).send(abortSignal && { abortSignal });

/** Asks a transport for an account. */
export const ask = (transport: RpcTransport, config: unknown = {}, signal?: AbortSignal): Promise<unknown> =>
  transport({
    payload: { jsonrpc: '2.0', id: '1', method: 'getMultipleAccounts', params: [[WALLET], config] },
    ...(signal && { signal }),
  });

/** Reads again half a second after each read, until one ends so; how long that took. */
export async function readUntil(client: HeavenClient, end: string, before: string): Promise<number> {
  const began = performance.now();
  for (;;) {
    const ended = await settle(endOf(read(client)));
    if (ended === end) return performance.now() - began;
    expect(ended).toBe(before);
    expect(performance.now() - began).toBeLessThan(100_000);
    await pass(500);
  }
}
