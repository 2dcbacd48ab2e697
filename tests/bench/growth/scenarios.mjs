// The measured scenarios. `prepare` is not timed. It returns the timed function, which quotes a 1 SOL buy in each pool and
// returns the sum of the outputs, to compare the scenarios with each other.
// Scenarios without quotes return undefined. To measure another function, add a row here; the table and the picture follow.
import {
  computeBuy,
  createHeavenClient,
  decodePoolSnapshot,
  findPools,
  quoteBuy,
  quoteMany,
  shareReads,
  toSwapState,
  watchPool,
} from '../../../dist/index.js';
import { HEAVEN_PROGRAM_ADDRESS } from '../../../dist/program.js';
import { rawAccounts } from './pools.mjs';

const SOL = 1_000_000_000n;
const SIZES = [SOL / 10n, SOL, 10n * SOL];

const buyOf = ({ pool: { mint, configVersion } }) => ({
  side: 'buy',
  configVersion,
  mint,
  maxSolSpend: '1',
  slippageBps: 50,
});
const payOut = (snapshot) => computeBuy(toSwapState(snapshot), SOL).amountOut;
const sum = (amounts) => amounts.reduce((total, amount) => total + amount, 0n);

// Those that have a bar.
export const QUOTE_MANY = 'quoteMany';
export const WATCH_CHANGES = 'watchPool, a slot that changes each pool';
export const FIND_POOLS = 'findPools, all there are';

export const scenarios = [
  {
    name: 'quoteBuy, one after another',
    prepare({ ledger, pools }) {
      const client = createHeavenClient({ rpc: ledger.rpc });
      return async () => {
        let total = 0n;
        for (const pool of pools) total += (await quoteBuy(client, buyOf(pool))).details.amountOut;
        return total;
      };
    },
  },
  {
    name: 'quoteBuy, all at once, shareReads',
    prepare({ ledger, pools }) {
      const client = shareReads(createHeavenClient({ rpc: ledger.rpc }));
      return async () => {
        const quotes = await Promise.all(pools.map((pool) => quoteBuy(client, buyOf(pool))));
        return sum(quotes.map(({ details }) => details.amountOut));
      };
    },
  },
  {
    name: QUOTE_MANY,
    prepare({ ledger, pools }) {
      const client = createHeavenClient({ rpc: ledger.rpc });
      return async () => {
        const outcomes = await quoteMany(client, pools.map(buyOf));
        return sum(outcomes.map(({ quote }) => quote.details.amountOut));
      };
    },
  },
  {
    name: 'watchPool, to the first snapshot of each',
    prepare({ ledger, pools }) {
      const client = shareReads(
        createHeavenClient({ rpc: ledger.rpc, rpcSubscriptions: ledger.rpcSubscriptions }),
      );
      return async () => {
        const watches = pools.map(({ pool: { mint, configVersion } }) =>
          watchPool(client, { configVersion, mint }),
        );
        const first = await Promise.all(watches.map((watch) => watch.next()));
        const total = sum(first.map(({ value }) => payOut(value)));
        for (const watch of watches) watch.return();
        return total;
      };
    },
  },
  {
    name: WATCH_CHANGES,
    async prepare({ ledger, pools }) {
      const client = shareReads(
        createHeavenClient({ rpc: ledger.rpc, rpcSubscriptions: ledger.rpcSubscriptions }),
      );
      const watches = pools.map(({ pool: { mint, configVersion } }) =>
        watchPool(client, { configVersion, mint }),
      );
      await Promise.all(watches.map((watch) => watch.next()));
      return async () => {
        const next = watches.map((watch) => watch.next());
        for (const { pool, data } of pools)
          ledger.setAccount(pool.pool, { owner: HEAVEN_PROGRAM_ADDRESS, data: data.pool.slice() });
        const changed = await Promise.all(next);
        const total = sum(changed.map(({ value }) => payOut(value)));
        for (const watch of watches) watch.return();
        return total;
      };
    },
  },
  {
    name: FIND_POOLS,
    prepare({ ledger }) {
      const client = createHeavenClient({ rpc: ledger.rpc });
      return async () => {
        for (const { state } of await findPools(client, { all: true })) {
          if (state.reserve.tokenA === 0n) throw new Error('an empty pool');
        }
      };
    },
  },
  {
    name: 'raw accounts to a quote',
    prepare({ ledger, pools }) {
      const accounts = pools.map((pool) => rawAccounts(ledger, pool));
      return () => sum(accounts.map((raw) => payOut(decodePoolSnapshot(raw))));
    },
  },
  {
    name: 'computeBuy, 3 sizes',
    prepare({ ledger, pools }) {
      const states = pools.map((pool) => toSwapState(decodePoolSnapshot(rawAccounts(ledger, pool))));
      return () => {
        let total = 0n;
        for (const state of states) {
          for (const size of SIZES) {
            const { amountOut } = computeBuy(state, size);
            if (size === SOL) total += amountOut;
          }
        }
        return total;
      };
    },
  },
];
