import type { Address } from '@solana/kit';
import { beforeEach, describe, expect, test } from 'vitest';

import {
  createHeavenClient,
  getLpBalance,
  getPoolState,
  getProtocolConfigState,
  type HeavenClient,
  quoteBuy,
  quoteInitialBuy,
  shareReads,
} from '../../src/index.js';
import {
  findLpPositionAddress,
  SOL_USD_FEED_ADDRESS,
  SYSTEM_PROGRAM_ADDRESS,
} from '../../src/program/index.js';
import { createEmbeddedLedger, type EmbeddedLedger } from '../../src/testing/index.js';
import { CLOCK_SYSVAR_ADDRESS, STRANGER } from '../support/addresses.js';
import { expectRefusal } from '../support/errors.js';

let ledger: EmbeddedLedger;
beforeEach(async () => {
  ledger = await createEmbeddedLedger();
});

const asIs = (client: HeavenClient) => client;
const shared = (client: HeavenClient) => shareReads(client);

const pools = () => ledger.pools;
const buy = (client: HeavenClient) =>
  quoteBuy(client, { configVersion: 2, mint: pools().creator.mint, maxSolSpend: 1, slippageBps: 50 });
const config = (client: HeavenClient) => getProtocolConfigState(client, { version: 2 });
const state = (client: HeavenClient) => getPoolState(client, { mint: pools().creator.mint });
const named = (client: HeavenClient) => getPoolState(client, { pool: pools().pro.pool });
const position = (client: HeavenClient) =>
  getLpBalance(client, { pool: pools().pro.pool, user: pools().pro.creator });
const launch = (client: HeavenClient) =>
  quoteInitialBuy(client, { configVersion: 2, initialPurchasePercent: 1 });
const positionAddress = () => findLpPositionAddress({ pool: pools().pro.pool, user: pools().pro.creator });

const DERIVED = [
  ['a standard pool', buy, () => pools().creator.pool],
  ['a config', buy, () => pools().creator.protocolConfig],
  ['a config, read alone', config, () => pools().creator.protocolConfig],
  ['the price feed', buy, () => SOL_USD_FEED_ADDRESS],
  ['the price feed of a launch', launch, () => SOL_USD_FEED_ADDRESS],
  ['the clock', buy, () => CLOCK_SYSVAR_ADDRESS],
  ['an LP position', position, positionAddress],
] as const;

function distort(address: Address, how: 'owner' | 'size' | 'discriminator') {
  const account = ledger.getAccount(address);
  if (account === undefined) throw new Error(`There is no account at ${address}.`);
  const data = Uint8Array.from(account.data);
  if (how === 'discriminator') data[0] = (data[0] as number) ^ 1;
  ledger.setAccount(address, {
    owner: how === 'owner' ? STRANGER : account.owner,
    data: how === 'size' ? data.slice(0, 39) : data,
  });
}

describe.each([
  ['a client', asIs],
  ['shared reads', shared],
])('of %s', (_, change) => {
  const HOW = ['owner', 'size', 'discriminator'] as const;
  const cases = DERIVED.flatMap(([name, read, addressOf]) =>
    HOW.filter((how) => how !== 'discriminator' || name !== 'the clock').map(
      (how) => [how, name, read, addressOf] as const,
    ),
  );
  test.each(cases)('another %s of %s is the node’s error', async (how, _name, read, addressOf) => {
    const address = await addressOf();
    distort(address, how);
    await expectRefusal(read(change(createHeavenClient({ rpc: ledger.rpc }))), 'rpc-wrong-account', {
      address,
    });
  });

  test('lamports sent to an unused address are no account', async () => {
    const empty = { owner: SYSTEM_PROGRAM_ADDRESS, data: new Uint8Array() };
    const client = change(createHeavenClient({ rpc: ledger.rpc }));
    ledger.setAccount(await positionAddress(), empty);
    expect((await position(client)).exists).toBe(false);
    ledger.setAccount(pools().creator.pool, empty);
    await expectRefusal(state(client), 'pool-not-found');
  });

  test('a wrong account that the caller named is the caller’s error', async () => {
    distort(pools().pro.pool, 'owner');
    await expectRefusal(named(change(createHeavenClient({ rpc: ledger.rpc }))), 'invalid-account-data:found');
  });
});
