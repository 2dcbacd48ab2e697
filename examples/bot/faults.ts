// What goes wrong on a cluster, put between the bot and the embedded ledger: the same way in each run with the same seed.
import type { Address, RpcTransport } from '@solana/kit';
import type { EmbeddedLedger } from 'heaven-pools/testing';
import { randomNumbers } from './market.js';

/** How many of each there were. */
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
  /** What was decided about each transaction, which is sent more than once. */
  const fates = new Map<string, 'arrives' | 'dropped'>();
  let pool: Address | undefined;

  const lost = () => new TypeError('fetch failed');
  /** A trade of somebody else's that comes first: the minimum is not reached. */
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
      // A node that takes it, and from which it never reaches a leader.
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
    /** Lets prices jump in this pool. */
    trouble: (where: Address) => {
      pool = where;
    },
  };
}
