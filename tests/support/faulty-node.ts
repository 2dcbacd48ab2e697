import { createSolanaRpcFromTransport, type RpcTransport } from '@solana/kit';
import { afterEach, beforeEach, vi } from 'vitest';

import {
  createHeavenClient,
  type HeavenClient,
  type HeavenNodeRpc,
  type HeavenRpcSubscriptions,
  type HistoryWatchEvent,
} from '../../src/index.js';
import { createEmbeddedLedger, type EmbeddedLedger, runSampleTrades } from '../../src/testing/index.js';

/** A node over an embedded ledger that can be made to fail, with a client of it. */
interface FaultyNode {
  ledger: EmbeddedLedger;
  client: HeavenClient<HeavenNodeRpc>;
  /** The signal for a test's watches. Aborted after the test. */
  stop: AbortController;
  /** The events that they observe. */
  events: HistoryWatchEvent[];
  /** What the node answers instead. */
  twist: (method: string, result: never, params: readonly unknown[]) => unknown;
  /** Which notifications of logs are lost, late, come without logs or twice, and which are followed by a flood of others. */
  fate: (signature: string) => 'once' | 'never' | 'twice' | 'late' | 'bare' | 'flood';
  /** The slot in which everything happens, as the node says. */
  slot: bigint | undefined;
  /** Whether the node never answers subscriptions. */
  hangs: boolean;
}

export const node = {} as FaultyNode;
let seed = 0;

/** The ledger's subscriptions, of which some notifications are lost and others come twice. */
function faultySubscriptions(): HeavenRpcSubscriptions {
  const { rpcSubscriptions } = node.ledger;
  return new Proxy(rpcSubscriptions, {
    get:
      (target, name: 'logsNotifications') =>
      (...args: Parameters<typeof target.logsNotifications>) => ({
        subscribe: async (options: { abortSignal: AbortSignal }) => {
          if (node.hangs) return await new Promise(() => {});
          const source = await target[name](...args).subscribe(options);
          return (async function* () {
            for await (const { context, value } of source) {
              const notification = { context: { slot: node.slot ?? context.slot }, value };
              const its = node.fate(value.signature);
              if (its === 'late') await new Promise((resolve) => setTimeout(resolve, 100));
              if (its === 'twice') yield notification;
              // Made-up failed transactions.
              for (let k = 0; its === 'flood' && k <= 20_000; k++) {
                const signature = `${k}`.padStart(64, '1').replaceAll('0', 'x');
                yield { ...notification, value: { signature, err: 'Failed' } };
              }
              if (its === 'bare') yield { ...notification, value: { ...value, logs: [] } };
              else if (its !== 'never') yield notification;
            }
          })();
        },
      }),
  }) as HeavenRpcSubscriptions;
}

/** Creates the node for each test, with a stopped clock. */
export function useFaultyNode(): void {
  beforeEach(async () => {
    vi.useFakeTimers({
      toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval', 'performance'],
    });
    node.ledger = await createEmbeddedLedger();
    node.stop = new AbortController();
    node.events = [];
    node.twist = (_, result) => result;
    node.fate = () => 'once';
    node.hangs = false;
    node.slot = undefined;
    const transport = (async ({ payload }: { payload: { method: string; params: unknown[] } }) => {
      const answer = (await node.ledger.transport({ payload } as never)) as { readonly result?: never };
      if (!('result' in answer)) return answer;
      const { method, params } = payload;
      const { slot } = node;
      const moved = (entry: object | null) => (slot === undefined ? entry : entry && { ...entry, slot });
      let result: unknown = answer.result;
      if (method === 'getTransaction') result = moved(answer.result as never);
      if (method === 'getSignaturesForAddress') result = (answer.result as unknown as object[]).map(moved);
      return { ...answer, result: await node.twist(method, result as never, params) };
    }) as RpcTransport;
    const rpc = createSolanaRpcFromTransport(transport) as HeavenNodeRpc;
    node.client = createHeavenClient({ rpc, rpcSubscriptions: faultySubscriptions() });
  });
  afterEach(() => {
    node.stop.abort();
    vi.useRealTimers();
  });
}

/** Makes trades in the sample pool, and returns their signatures. */
export const trade = async (count = 1) =>
  (await runSampleTrades(node.ledger, { count, seconds: count * 2, seed: ++seed })).signatures;
export const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
/** How many events of a type there were. */
export const seen = (type: HistoryWatchEvent['type']) =>
  node.events.filter((event) => event.type === type).length;
