import type { Address } from '@solana/kit';
import { describe, expect, test } from 'vitest';

import { findPoolsAt } from '../../src/index.js';
import { addressNamed, STRANGER } from '../support/addresses.js';
import { expectRefusal } from '../support/errors.js';
import { client, ledger, useLedger } from '../support/ledger.js';
import { type Call, clientOver, refusing } from '../support/rpc.js';

useLedger();

const found = async (address: Address, over = client) =>
  (await findPoolsAt(over, address)).map(({ address, kind, mint }) => ({ address, kind, mint }));

describe('the pools at an address', () => {
  test('of a pool are the pool alone', async () => {
    for (const name of ['creator', 'pro'] as const) {
      const { pool, mint } = ledger.pools[name];
      expect(await found(pool)).toEqual([{ address: pool, kind: name === 'pro' ? 'pro' : 'standard', mint }]);
    }
  });

  test('of a token are all of its pools', async () => {
    const { creator, pro } = ledger.pools;
    const { mint, pool: address } = creator;
    expect(await found(mint)).toEqual([{ address, kind: 'standard', mint }]);
    expect(await found(pro.mint)).toContainEqual({ address: pro.pool, kind: 'pro', mint: pro.mint });
    const other = addressNamed('a token without a pool');
    ledger.setAccount(other, ledger.getAccount(mint));
    expect(await found(other)).toEqual([]);
  });

  test('of a token are its standard pool, if the node rejects the search', async () => {
    const poor = clientOver((call: Call) =>
      call.payload.method === 'getProgramAccounts' ? refusing(-32601)(call) : ledger.transport(call as never),
    );
    const { creator, pro } = ledger.pools;
    expect(await found(creator.mint, poor)).toMatchObject([{ address: creator.pool }]);
    expect(await found(pro.mint, poor)).toEqual([]);
    expect(await found(pro.pool, poor)).toMatchObject([{ address: pro.pool }]);
  });

  test('are refused for what is neither', async () => {
    const address = STRANGER;
    await expectRefusal(() => findPoolsAt(client, address), 'account-not-found', { address });
    ledger.setBalance(address, 1n);
    await expectRefusal(() => findPoolsAt(client, address), 'invalid-account-data:found', { address });
    await expectRefusal(() => findPoolsAt(client, 'x' as Address), 'invalid-address', { field: 'address' });
  });
});
