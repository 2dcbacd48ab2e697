// Any number of standard pools, each with its own token, creator and reserves, as raw accounts for the embedded ledger.
import { randomBytes } from 'node:crypto';
import { getAddressDecoder } from '@solana/kit';
import { HEAVEN_PROGRAM_ADDRESS, SOL_USD_FEED_ADDRESS } from '../../../dist/program.js';
import { createEmbeddedLedger, createSamplePoolFields } from '../../../dist/testing.js';

const randomAddress = () => getAddressDecoder().decode(randomBytes(32));

/** Makes `count` pools: half of them community pools, half creator pools with a token of the transfer fee extension. */
export async function makePools(count) {
  const ledger = await createEmbeddedLedger();
  const samples = await createSamplePoolFields();
  const pools = [];
  for (let index = 0; index < count; index++) {
    const sample = index % 2 === 0 ? samples.community : samples.creator;
    const { reserve } = sample;
    const tokenB = reserve.tokenB + BigInt(index) * 1_000_003n;
    const fields = { mint: randomAddress(), creator: randomAddress(), reserve: { ...reserve, tokenB } };
    const pool = await ledger.addPool({ ...sample, ...fields });
    const data = [pool.pool, pool.mint].map((address) => ledger.getAccount(address).data);
    pools.push({ pool, data: { pool: data[0], mint: data[1] } });
  }
  return pools;
}

/** An embedded ledger that holds these pools and no others. */
export async function ledgerWith(pools) {
  const ledger = await createEmbeddedLedger();
  for (const { pool } of Object.values(ledger.pools)) ledger.setAccount(pool, undefined);
  for (const { pool, data } of pools) {
    ledger.setAccount(pool.pool, { owner: HEAVEN_PROGRAM_ADDRESS, data: data.pool });
    ledger.setAccount(pool.mint, { owner: pool.tokenProgram, data: data.mint });
  }
  return ledger;
}

/** The raw accounts that a quote in this pool reads. */
export function rawAccounts(ledger, { pool, data }) {
  const of = (address) => ledger.getAccount(address).data;
  return {
    pool: data.pool,
    protocolConfig: of(pool.protocolConfig),
    mint: data.mint,
    priceFeed: of(SOL_USD_FEED_ADDRESS),
    clock: of('SysvarC1ock11111111111111111111111111111111'),
  };
}
