// Faults of a real cluster, injected between the bot and the embedded ledger. The same seed gives the same faults.
import type { Address, RpcTransport } from '@solana/kit';
import { createFailoverTransport } from 'heaven-pools';
import type { EmbeddedLedger } from 'heaven-pools/testing';
import { delay } from './ledger-time.js';
import { randomNumbers } from './market.js';

/** An outage is longer than a large trade of the market takes. Afterwards, the first node is behind for a while. */
const OUTAGE_MS = 3_000;
const BEHIND_MS = 5_000;

type Request = Parameters<RpcTransport>[0];
type Call = { readonly id: unknown; readonly method: string; readonly params: readonly unknown[] };

const lost = () => new TypeError('fetch failed');
const callOf = ({ payload }: Request) => payload as Call;

/**
 * The first of two nodes limits requests and falls behind, and both have outages. A bot trades as if nothing had happened, as the second
 * node answers, and as it hears the price after an outage.
 */
export function createNodeFaults(seed: number) {
  const random = randomNumbers(seed + 1);
  const counts = { outages: 0, rateLimits: 0, staleAnswers: 0 };
  /** What the first node knows of accounts, since before the last outage. */
  const known = new Map<string, unknown>();
  let isOut = false;
  let isBehind = false;

  const first =
    (transport: RpcTransport): RpcTransport =>
    async (request) => {
      const { id, method, params } = callOf(request);
      if (random() < 0.1) {
        counts.rateLimits += 1;
        // In an HTTP 200, as providers send it.
        const error = { code: -32_007, message: '50/second request limit reached' };
        return { jsonrpc: '2.0', id, error } as never;
      }
      if (method !== 'getMultipleAccounts') return await transport(request);
      const addresses = JSON.stringify(params[0]);
      if (isBehind && known.has(addresses)) {
        counts.staleAnswers += 1;
        return known.get(addresses) as never;
      }
      const answer = await transport<never>(request);
      known.set(addresses, answer);
      return answer;
    };
  return {
    counts,
    through: (transport: RpcTransport): RpcTransport => {
      const nodes = createFailoverTransport([first(transport), transport]);
      return async (request) => {
        if (isOut) throw lost();
        return await nodes(request);
      };
    },
    /** Nothing gets through for some seconds. */
    breakOff: async (ledger: EmbeddedLedger) => {
      counts.outages += 1;
      isOut = true;
      isBehind = true;
      ledger.subscriptions.refusal = lost();
      ledger.subscriptions.dropAll();
      await delay(OUTAGE_MS);
      ledger.subscriptions.refusal = undefined;
      isOut = false;
      await delay(BEHIND_MS);
      isBehind = false;
    },
  };
}

/** Answers, transactions and connections are lost, and prices jump before trades. */
export function createFaults(seed: number) {
  const random = randomNumbers(seed + 1);
  const counts = {
    lostAnswers: 0,
    failedCalls: 0,
    droppedTransactions: 0,
    priceJumps: 0,
    droppedConnections: 0,
  };
  /** The decision about each transaction, which is sent more than once. */
  const fates = new Map<string, 'arrives' | 'dropped'>();
  let pool: Address | undefined;

  /** Somebody else's trade lands first, so the minimum is not reached. */
  const jump = (ledger: EmbeddedLedger) => {
    if (pool === undefined) return;
    const [over, under] = counts.priceJumps % 2 === 0 ? [103n, 100n] : [100n, 103n];
    ledger.updatePool(pool, ({ reserve }) => ({
      reserve: { ...reserve, tokenB: (reserve.tokenB * over) / under },
    }));
    counts.priceJumps += 1;
  };

  const through =
    (transport: RpcTransport, ledger: EmbeddedLedger): RpcTransport =>
    async (request) => {
      const { method, params } = callOf(request);
      if (random() < 0.01) {
        counts.droppedConnections += 1;
        ledger.subscriptions.dropAll();
      }
      if (random() < 0.05) {
        counts.failedCalls += 1;
        throw lost();
      }
      if (method !== 'sendTransaction') return await transport(request);
      const tx = String(params[0]);
      if (!fates.has(tx)) {
        const chance = random();
        fates.set(tx, chance < 0.1 ? 'dropped' : 'arrives');
        if (chance < 0.1) counts.droppedTransactions += 1;
        else if (chance < 0.4) jump(ledger);
      }
      // The node accepts it, but it never reaches a leader.
      if (fates.get(tx) === 'dropped') throw lost();
      const answer = await transport<never>(request);
      if (random() < 0.3) {
        counts.lostAnswers += 1;
        throw lost();
      }
      return answer;
    };
  return {
    counts,
    through,
    /** Makes prices jump in this pool. */
    trouble: (where: Address) => {
      pool = where;
    },
  };
}
