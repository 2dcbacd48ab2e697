// Faults of a real cluster, injected between the bot and the embedded ledger. The same seed gives the same faults.
import type { Address, RpcTransport } from '@solana/kit';
import type { EmbeddedLedger } from 'heaven-pools/testing';
import { randomNumbers } from './market.js';

/** The number of each fault. */
export interface FaultCounts {
  lostAnswers: number;
  failedCalls: number;
  droppedTransactions: number;
  priceJumps: number;
  droppedConnections: number;
}

export function createFaults(seed: number) {
  const random = randomNumbers(seed + 1);
  const counts: FaultCounts = {
    lostAnswers: 0,
    failedCalls: 0,
    droppedTransactions: 0,
    priceJumps: 0,
    droppedConnections: 0,
  };
  /** The decision about each transaction, which is sent more than once. */
  const fates = new Map<string, 'arrives' | 'dropped'>();
  let pool: Address | undefined;

  const lost = () => new TypeError('fetch failed');
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
      const { method, params } = request.payload as { method: string; params: readonly unknown[] };
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
