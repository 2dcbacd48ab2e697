import type { Address } from '@solana/kit';
import { expect, test } from 'vitest';

import { getLpBalance, quoteBuy, quoteInitialBuy } from '../../src/index.js';
import {
  findLpPositionAddress,
  SOL_USD_FEED_ADDRESS,
  SYSTEM_PROGRAM_ADDRESS,
} from '../../src/program/index.js';
import { CLOCK_SYSVAR_ADDRESS, STRANGER } from '../support/addresses.js';
import { expectRefusal } from '../support/errors.js';
import { client, ledger, useLedger } from '../support/ledger.js';

// A wrong account at an address that the library derived is the node's error. Those of a trade's pool, config and price feed
// are in tests/hostile/nodes.test.ts, and those of the other operations in tests/golden/chain-refusals.ts.

useLedger();

const READS = {
  'a buy': () => {
    const { mint } = ledger.pools.creator;
    return quoteBuy(client, { configVersion: 2, mint, maxSolSpend: 1, slippageBps: 50 });
  },
  'a launch': () => quoteInitialBuy(client, { configVersion: 2, initialPurchasePercent: 1 }),
};

test.each<[keyof typeof READS, Address]>([
  ['a buy', CLOCK_SYSVAR_ADDRESS],
  ['a launch', SOL_USD_FEED_ADDRESS],
])('%s rejects another owner, size or discriminator of %s', async (name, address) => {
  const account = ledger.getAccount(address)!;
  const data = Uint8Array.from(account.data);
  data[0] = data[0]! ^ 1;
  const wrong = [
    { ...account, owner: STRANGER },
    { ...account, data: data.slice(0, 39) },
    // The clock has no discriminator.
    ...(address === CLOCK_SYSVAR_ADDRESS ? [] : [{ ...account, data }]),
  ];
  for (const one of wrong) {
    ledger.setAccount(address, one);
    await expectRefusal(READS[name], 'rpc-wrong-account', { address });
  }
  ledger.setAccount(address, account);
  await READS[name]();
});

test('lamports sent to the address of an LP position are no position', async () => {
  const { pool, creator: user } = ledger.pools.pro;
  const empty = { owner: SYSTEM_PROGRAM_ADDRESS, data: new Uint8Array() };
  ledger.setAccount(await findLpPositionAddress({ pool, user }), empty);
  expect((await getLpBalance(client, { pool, user })).exists).toBe(false);
});
