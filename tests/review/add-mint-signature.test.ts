import { createNoopSigner, getTransactionEncoder } from '@solana/kit';
import { describe, expect, test } from 'vitest';

import { addMintSignature, buildCreateStandardLiquidityPool } from '../../src/index.js';
import { createPracticeWallet, type PracticeWalletConfig } from '../../src/testing/index.js';
import { expectRefusal } from '../support/errors.js';
import { client, ledger, useLedger } from '../support/ledger.js';
import { wallet as keyOf } from './support.js';

useLedger();

const mint = await keyOf(9);

async function launchWith(config: PracticeWalletConfig) {
  const wallet = await createPracticeWallet({ signer: await keyOf(1), rpc: ledger.rpc, ...config });
  ledger.setBalance(wallet.address, 50_000_000_000n);
  const launch = await buildCreateStandardLiquidityPool(client, {
    payer: wallet.address,
    creator: wallet.address,
    name: 'A',
    symbol: 'B',
    uri: 'C',
    configVersion: 1,
    initialPurchaseAmount: 0n,
    lutAddress: ledger.lookupTables.community,
    encodedUserDefinedEventData: '',
    mintSigner: createNoopSigner(mint.address),
  });
  const signed = await wallet.signTransaction(getTransactionEncoder().encode(launch.transaction));
  return { launch, signed };
}

describe('a launch that the wallet signs first', () => {
  test('has the assertions of the wallet, both signatures, and lands', async () => {
    const { launch, signed } = await launchWith({ guards: 'solflare' });
    expect(launch.requiredSigners).toContain(mint.address);
    const { tx, added, missingSigners } = await addMintSignature(signed, launch, mint);
    expect(added).toHaveLength(2);
    expect(missingSigners).toEqual([]);
    await ledger.rpc.sendTransaction(tx, { encoding: 'base64' }).send();
    expect(ledger.getAccount(launch.pool)).toBeDefined();
  });

  test('gets no signature of the mint if it is another transaction', async () => {
    let asked = 0;
    const counting = {
      address: mint.address,
      signTransactions: (...input: Parameters<typeof mint.signTransactions>) => {
        asked += 1;
        return mint.signTransactions(...input);
      },
    };
    for (const guards of [
      (all: readonly never[]) => all.slice(1),
      (all: readonly never[]) => all.slice(0, -1),
    ]) {
      const { launch, signed } = await launchWith({ guards: guards as never });
      await expectRefusal(addMintSignature(signed, launch, counting), 'transaction-mismatch');
      await expectRefusal(addMintSignature(launch.tx, launch, counting), 'transaction-mismatch', {
        reason: 'signature',
      });
    }
    expect(asked).toBe(0);
  });

  test("is not signed with another mint's key, or by one that signs nothing", async () => {
    const { launch, signed } = await launchWith({});
    await expectRefusal(addMintSignature(signed, launch, await keyOf(8)), 'invalid-input', {
      field: 'mintSigner',
    });
    await expectRefusal(addMintSignature(signed, launch, mint.address as never), 'invalid-input');
    await expectRefusal(
      addMintSignature(signed, launch, createNoopSigner(mint.address)),
      'transaction-mismatch',
      { reason: 'signature', asked: mint.address },
    );
  });
});
