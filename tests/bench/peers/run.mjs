// `node tests/bench/peers/run.mjs [section…]`: heaven-pools beside other SDKs and beside the floor, as markdown. It needs
// `npm run build`, after `npm run setup . tests/bench`. Sections: exact-in, exact-out, slippage, batch, decode, build, prepared.
import { SOL_USD_FEED_ADDRESS } from '../../../dist/program.js';
import { createEmbeddedLedger } from '../../../dist/testing.js';
import { batch } from './batch.mjs';
import { build } from './build.mjs';
import { decode } from './decode.mjs';
import { describeMachine } from './harness.mjs';
import { prepared } from './prepared.mjs';
import { quoteExactIn, quoteExactOut } from './quotes.mjs';
import { slippage } from './slippage.mjs';

const CLOCK_SYSVAR_ADDRESS = 'SysvarC1ock11111111111111111111111111111111';

const ledger = await createEmbeddedLedger();
const { pool, protocolConfig, mint } = ledger.pools.creator;
const accounts = Object.fromEntries(
  Object.entries({
    pool,
    protocolConfig,
    mint,
    priceFeed: SOL_USD_FEED_ADDRESS,
    clock: CLOCK_SYSVAR_ADDRESS,
  }).map(([name, address]) => [name, ledger.getAccount(address).data]),
);

const sections = {
  'exact-in': quoteExactIn,
  'exact-out': quoteExactOut,
  slippage,
  batch,
  decode: () => decode(accounts),
  build: () => build(ledger, accounts),
  prepared: () => prepared(ledger),
};

const wanted = process.argv.slice(2);
for (const name of wanted) if (!(name in sections)) throw new Error(`There is no section ${name}.`);
describeMachine();
for (const [name, section] of Object.entries(sections)) {
  if (wanted.length === 0 || wanted.includes(name)) await section();
}
