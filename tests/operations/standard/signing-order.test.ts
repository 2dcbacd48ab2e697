import { createKeyPairSignerFromPrivateKeyBytes, getTransactionEncoder } from '@solana/kit';
import { assert, describe, expect, test } from 'vitest';

import {
  assertSignedTransactionMatches,
  assertTransactionMatches,
  type BuildCreateStandardLiquidityPoolInput,
  buildCreateStandardLiquidityPool,
  type HeavenSubmitRpc,
  refreshLifetime,
  signAndSubmitTransaction,
} from '../../../src/index.js';
import { createPracticeWallet, type PracticeWalletConfig } from '../../../src/testing/index.js';
import { expectRefusal } from '../../support/errors.js';
import { client, launchOf, ledger, useLedger } from '../../support/ledger.js';
import { decodedOf } from '../../support/transactions.js';

useLedger();

const sending = () => client as typeof client & { readonly rpc: HeavenSubmitRpc };

const mintSigner = await createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(32).fill(9));
const mint = mintSigner.address;

async function launchBy(
  config: PracticeWalletConfig,
  change: Partial<BuildCreateStandardLiquidityPoolInput> = {},
) {
  const wallet = await createPracticeWallet({ rpc: ledger.rpc, ...config });
  ledger.setBalance(wallet.address, 50_000_000_000n);
  const input = { ...launchOf(wallet.address), mintSigner, signingOrder: 'wallet-first', ...change } as const;
  return { wallet, input, launch: await buildCreateStandardLiquidityPool(client, input) };
}

describe.each([0, 1] as const)('a launch of version %i that the wallet signs first', (transactionVersion) => {
  test.each([
    ['none', 0],
    ['phantom', 4],
    ['solflare', 2],
  ] as const)('lands with the assertions of %s', async (guards, count) => {
    const { wallet, launch } = await launchBy({ guards }, { transactionVersion });
    expect(launch.version).toBe(transactionVersion);
    const result = await signAndSubmitTransaction(sending(), launch, { sign: wallet.signTransaction });
    assert(result.status === 'landed');
    expect(result.signed.added).toHaveLength(count);
    expect(result.signed.missingSigners).toEqual([]);
    expect(ledger.getAccount(launch.pool)?.owner).toBe(client.deployment.programAddress);
  });

  test("carries no signature, names the mint among the signers and has the mint's signer", async () => {
    const { wallet, launch } = await launchBy({}, { transactionVersion });
    expect(decodedOf(launch).signatures).toEqual({ [wallet.address]: null, [mint]: null });
    expect(launch.requiredSigners).toEqual([wallet.address, mint]);
    expect(launch.mint).toBe(mint);
    expect(launch.mintSigner).toBe(mintSigner);
  });

  test('is the mint-first launch but for one signature', async () => {
    const signer = await createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(32).fill(1));
    const { input, launch } = await launchBy({ signer }, { transactionVersion });
    const { lifetime } = launch;
    for (const signingOrder of ['mint-first', undefined, null] as const) {
      const other = await buildCreateStandardLiquidityPool(client, { ...input, lifetime, signingOrder });
      expect(other.transaction.messageBytes).toEqual(launch.transaction.messageBytes);
      expect(other.requiredSigners).toEqual([signer.address]);
      expect(other.transaction.signatures[mint]).toHaveLength(64);
      expect(other).not.toHaveProperty('mintSigner');
      expect(other.size).toBe(launch.size);
    }
  });

  test('gets a fresh block hash without losing a signature', async () => {
    const { wallet, launch } = await launchBy({ guards: 'phantom' }, { transactionVersion });
    ledger.setSlot(ledger.slot + 200n);
    const fresh = await refreshLifetime(client, launch);
    expect(fresh.lifetime).not.toEqual(launch.lifetime);
    expect(fresh.requiredSigners).toEqual([wallet.address, mint]);
    const { status } = await signAndSubmitTransaction(sending(), fresh, { sign: wallet.signTransaction });
    expect(status).toBe('landed');
    expect(ledger.getAccount(launch.pool)?.owner).toBe(client.deployment.programAddress);
    // What was signed with the old block hash is another transaction.
    const old = await wallet.signTransaction(getTransactionEncoder().encode(launch.transaction));
    const checked = assertSignedTransactionMatches(old, fresh, { missingSigners: [mint] });
    await expectRefusal(checked, 'transaction-mismatch', { kind: 'instruction' });
  });
});

test("the check of a launch requires the mint's signature only if the mint signs first", async () => {
  const { input, launch } = await launchBy({});
  const check = (signingOrder: 'mint-first' | 'wallet-first') =>
    assertTransactionMatches(
      launch.tx,
      { function: 'buildCreateStandardLiquidityPool', input: { ...input, signingOrder } },
      { client },
    );
  expect(await check('wallet-first')).toMatchObject({ mint, pool: launch.pool });
  await expectRefusal(check('mint-first'), 'transaction-mismatch', { kind: 'rights' });
});
