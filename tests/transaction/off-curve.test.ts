import { generateKeyPairSigner, getSignersFromInstruction, getTransactionEncoder } from '@solana/kit';
import { beforeEach, describe, expect, test } from 'vitest';

import {
  buildCreateStandardLiquidityPool,
  type HeavenSubmitRpc,
  inspectTransaction,
  prepareTrade,
  signAndSubmitTransaction,
  simulate,
  submitTransaction,
} from '../../src/index.js';
import { createPracticeWallet } from '../../src/testing/index.js';
import { expectRefusal } from '../support/errors.js';
import { buyFor, client, launchOf, ledger, useLedger } from '../support/ledger.js';
import { createVault } from '../svm/vault.js';

// A multisig's vault, or a smart wallet. tests/svm has what its program does with the instructions.

useLedger();

const vault = (await createVault()).signer.address;
beforeEach(() => {
  ledger.setBalance(vault, 50_000_000_000n);
});

const sending = () => client as typeof client & { readonly rpc: HeavenSubmitRpc };
const codesOf = (built: { readonly warnings: readonly { readonly code: string }[] }) =>
  built.warnings.map(({ code }) => code);

describe.each([0, 1] as const)('a vault, version %i', (transactionVersion) => {
  test('trades: nobody is asked for its signature', async () => {
    const built = await buyFor(vault, { transactionVersion });
    expect(built.requiredSigners).toEqual([]);
    expect(codesOf(built)).toContain('off-curve-signer');
    expect((await simulate(client, built)).ok).toBe(true);
    const { summary } = await inspectTransaction(built.tx, { client });
    expect(summary).toContain(`${vault} lies off the curve: only its program can sign for it.`);
    expect(summary.join()).not.toContain('has yet to sign');
  });

  test("can't be prepared", async () => {
    const built = await buyFor(vault, { transactionVersion });
    await expectRefusal(() => prepareTrade(client, built), 'invalid-input', { field: 'built' });
  });

  test('is rejected before a wallet is asked or anything is sent', async () => {
    const member = await createPracticeWallet({ signer: await generateKeyPairSigner(), rpc: ledger.rpc });
    const built = await buyFor(vault, { feePayer: member.address, transactionVersion });
    expect(built.requiredSigners).toEqual([member.address]);
    const sign = () => expect.fail('it was asked');
    const asking = signAndSubmitTransaction(sending(), built, { sign });
    const reason = { reason: 'missing', signer: vault };
    const { message } = await expectRefusal(asking, 'transaction-not-signed', reason);
    expect(message).toContain('Pass the instructions of what you built to that program.');
    const signed = await member.signTransaction(getTransactionEncoder().encode(built.transaction));
    const submitting = submitTransaction(sending(), signed, built.lifetime);
    expect((await expectRefusal(submitting, 'transaction-not-signed', reason)).message).toBe(message);
  });
});

test("a launch needs its mint's signature, and not the vault's", async () => {
  const mintSigner = await generateKeyPairSigner();
  const options = { transactionVersion: 1, signingOrder: 'wallet-first', mintSigner } as const;
  const launch = await buildCreateStandardLiquidityPool(client, { ...launchOf(vault), ...options });
  expect(launch.requiredSigners).toEqual([mintSigner.address]);
  expect(codesOf(launch)).toContain('off-curve-signer');
  const signers = launch.instructions.flatMap((instruction) => getSignersFromInstruction(instruction));
  expect(new Set(signers)).toEqual(new Set([mintSigner]));
});
