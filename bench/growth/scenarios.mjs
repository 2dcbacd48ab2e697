// What is measured. `prepare` is not timed and gives the function that is; that one quotes a buy for 1 SOL in each of the pools
// and gives the sum of what they pay out, so that all scenarios can be held against one another.
// What quotes nothing gives undefined.
// To measure another function (watchPool, findPools, quoteMany), add a row here; the table and the picture follow.
import {
  computeBuy,
  createClient,
  decodePoolSnapshot,
  quoteBuy,
  shareReads,
  swapStateOf,
} from '../../dist/index.js';
import { rawAccounts } from './pools.mjs';

const SOL = 1_000_000_000n;
const SIZES = [SOL / 10n, SOL, 10n * SOL];

const quote = (client, { pool: { mint, configVersion } }) =>
  quoteBuy(client, { configVersion, mint, maxSolSpend: '1', slippageBps: 50 });
const sum = (amounts) => amounts.reduce((total, amount) => total + amount, 0n);

export const scenarios = [
  {
    name: 'quoteBuy, one after another',
    prepare({ ledger, pools }) {
      const client = createClient({ rpc: ledger.rpc });
      return async () => {
        let total = 0n;
        for (const pool of pools) total += (await quote(client, pool)).details.amountOut;
        return total;
      };
    },
  },
  {
    name: 'quoteBuy, all at once, shareReads',
    prepare({ ledger, pools }) {
      const client = shareReads(createClient({ rpc: ledger.rpc }));
      return async () => {
        const quotes = await Promise.all(pools.map((pool) => quote(client, pool)));
        return sum(quotes.map(({ details }) => details.amountOut));
      };
    },
  },
  {
    name: 'raw accounts to a quote',
    prepare({ ledger, pools }) {
      const accounts = pools.map((pool) => rawAccounts(ledger, pool));
      return () =>
        sum(accounts.map((raw) => computeBuy(swapStateOf(decodePoolSnapshot(raw)), SOL).amountOut));
    },
  },
  {
    name: 'computeBuy, 3 sizes',
    prepare({ ledger, pools }) {
      const states = pools.map((pool) => swapStateOf(decodePoolSnapshot(rawAccounts(ledger, pool))));
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
