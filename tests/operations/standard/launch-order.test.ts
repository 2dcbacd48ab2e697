import { generateKeyPairSigner } from '@solana/kit';
import { describe, expect, test, vi } from 'vitest';

import { buildCreateStandardLiquidityPool } from '../../../src/index.js';
import { SYSTEM_PROGRAM_ADDRESS, TOKEN_2022_PROGRAM_ADDRESS } from '../../../src/program/index.js';
import { expectRefusal } from '../../support/errors.js';
import { client, launchOf, ledger, useLedger } from '../../support/ledger.js';

useLedger();

const launching = (mintSigner: object, change: object = {}) =>
  buildCreateStandardLiquidityPool(client, {
    ...launchOf(ledger.pools.pro.creator),
    mintSigner: mintSigner as never,
    ...change,
  });

const WRITES_ITS_PROGRAM = {
  programAddress: TOKEN_2022_PROGRAM_ADDRESS,
  accounts: [{ address: TOKEN_2022_PROGRAM_ADDRESS, role: 1 }],
};

test.each([
  ['too large a launch', { encodedUserDefinedEventData: 'x'.repeat(1_232) }, 'transaction-too-large'],
  ...['name', 'symbol', 'uri'].flatMap((field): [string, object, string][] => [
    [`no ${field}`, { [field]: '' }, 'invalid-input'],
    [`a ${field} of spaces`, { [field]: ' \u00a0' }, 'invalid-input'],
    [`an invisible ${field}`, { [field]: '\u200b' }, 'invalid-input'],
    [`a line break in the ${field}`, { [field]: 'a\nb' }, 'invalid-input'],
    [`a control character in the ${field}`, { [field]: 'a\u0085' }, 'invalid-input'],
  ]),
  ['a program as payer', { payer: TOKEN_2022_PROGRAM_ADDRESS }, 'invalid-input'],
  ['instructions that make no transaction', { after: [WRITES_ITS_PROGRAM] }, 'invalid-transaction'],
])('no mint search for %s', async (_, change, code) => {
  const searching = vi.fn(generateKeyPairSigner);
  await expectRefusal(launching(searching, change), code);
  expect(searching).not.toHaveBeenCalled();
});

test('the block hash is read once the mint is found', async () => {
  const { lifetime } = await launching(async () => {
    ledger.setSlot(ledger.slot + 100n);
    return await generateKeyPairSigner();
  });
  expect(lifetime.lastValidBlockHeight).toBe(ledger.slot + 150n);
  expect(ledger.requests.map(({ method }) => method)).toEqual([
    'getMultipleAccounts',
    'getMultipleAccounts',
    'getLatestBlockhash',
  ]);
});

describe('a mint signer', () => {
  test('must be fresh, wherever it comes from', async () => {
    const signer = await generateKeyPairSigner();
    ledger.setAccount(signer.address, { owner: SYSTEM_PROGRAM_ADDRESS, data: new Uint8Array() });
    for (const mintSigner of [signer, async () => signer])
      await expectRefusal(launching(mintSigner), 'invalid-input', { value: signer.address });
  });

  test('must not be a wallet of the launch', async () => {
    const wallet = await generateKeyPairSigner();
    for (const change of [{ payer: wallet }, { creator: wallet.address }])
      await expectRefusal(launching(wallet, change), 'invalid-input', { field: 'mintSigner' });
  });
});
