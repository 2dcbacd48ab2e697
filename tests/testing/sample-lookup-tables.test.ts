import { type Address, generateKeyPairSigner } from '@solana/kit';
import { expect, test } from 'vitest';

import { buildCreateStandardLiquidityPool, buildProCreate, createHeavenClient } from '../../src/index.js';
import { createEmbeddedLedger } from '../../src/testing/index.js';
import { openConfigTwo } from '../support/ledger.js';
import { ownWarnings } from '../support/warnings.js';

const sample = await createEmbeddedLedger();
const { pools, lookupTables } = sample;
openConfigTwo(sample);
const mintSigner = await generateKeyPairSigner();

/** The transaction that creates a pool of a config version, with a table. */
const creating = (configVersion: number, lutAddress: Address) => {
  const client = createHeavenClient({ rpc: sample.rpc });
  const payer = pools.creator.creator;
  const common = { payer, creator: payer, configVersion, lutAddress, encodedUserDefinedEventData: '' };
  if (configVersion === 3) {
    const amounts = { initialTokenAAmount: 1_000_000n, initialTokenBAmount: 1_000_000n };
    return buildProCreate(client, { ...common, ...amounts, mint: pools.creator.mint });
  }
  const token = { name: 'A', symbol: 'A', uri: 'https://example.com/a.json', initialPurchaseAmount: 0n };
  const launch = { ...common, ...token, mintSigner: async () => mintSigner, feeWarningBps: 10_000 };
  return buildCreateStandardLiquidityPool(client, launch);
};

test.each([
  [1, lookupTables.community, lookupTables.pro],
  [2, lookupTables.creator, lookupTables.community],
  [3, lookupTables.pro, lookupTables.community],
])('config %i has a lookup table that serves it', async (configVersion, own, another) => {
  const built = await creating(configVersion, own);
  expect(ownWarnings(built).map(({ code }) => code)).toEqual([]);
  const other = await creating(configVersion, another);
  expect(ownWarnings(other).map(({ code }) => code)).toEqual(['useless-lookup-table']);
  // The config and its vault, as an index each in place of an address.
  expect(other.size - built.size).toBe(2 * 31);
});
