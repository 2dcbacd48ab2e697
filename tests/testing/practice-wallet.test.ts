import { getBase64Decoder, getTransactionDecoder, getTransactionEncoder } from '@solana/kit';
import { expect, test } from 'vitest';

import { assertSignedTransactionMatches, type BuiltTransaction } from '../../src/index.js';
import { createPracticeWallet, type PracticeWalletConfig } from '../../src/testing/index.js';
import { GUARDS, guard, inVersion1, LIGHTHOUSE, partsOf, unsigned } from '../review/signed-support.js';
import { wallet as keyOf } from '../review/support.js';
import { expectRefusal } from '../support/errors.js';
import { buyFor, ledger, useLedger } from '../support/ledger.js';

useLedger();

const bytesOf = ({ transaction }: Pick<BuiltTransaction, 'transaction'>) =>
  getTransactionEncoder().encode(transaction);
const base64 = (bytes: Uint8Array) => getBase64Decoder().decode(bytes) as never;

async function walletWith(config: PracticeWalletConfig) {
  const wallet = await createPracticeWallet({ signer: await keyOf(1), rpc: ledger.rpc, ...config });
  ledger.setBalance(wallet.address, 5_000_000_000n);
  return wallet;
}

const lengthsOf = (signed: Uint8Array, tables = {}) =>
  partsOf(base64(signed), tables).instructions.map(({ programAddress, data }) =>
    programAddress === LIGHTHOUSE ? data.length : 0,
  );

test('as Phantom: guards stand before and after, in the bytes that were measured, and hold', async () => {
  const wallet = await walletWith({ guards: 'phantom' });
  const built = await buyFor(wallet.address);
  const signed = await wallet.signTransaction(bytesOf(built));
  const lengths = lengthsOf(signed);
  // The compute budget, two before, the buy's own, two after.
  expect(lengths.slice(0, 4)).toEqual([0, 0, 16, 13]);
  expect(lengths.slice(-2)).toEqual([26, 27]);
  expect(lengths.slice(4, -2).every((length) => length === 0)).toBe(true);
  const { instructions } = partsOf(base64(signed));
  expect(instructions[2]!.data).toEqual(GUARDS.system(wallet.address).data);
  const { tx, added } = await assertSignedTransactionMatches(signed, built);
  expect(added).toHaveLength(4);
  expect((await ledger.execute(tx)).err).toBeNull();
  // A second time the wallet has tokens, which it guards before too.
  const again = lengthsOf(await wallet.signTransaction(bytesOf(await buyFor(wallet.address))));
  expect(again.slice(0, 4)).toEqual([0, 0, 16, 17]);
});

test('as Solflare: two guards after the rest', async () => {
  const wallet = await walletWith({ guards: 'solflare' });
  const built = await buyFor(wallet.address);
  const signed = await wallet.signTransaction(bytesOf(built));
  expect(lengthsOf(signed).filter((length) => length > 0)).toEqual([26, 27]);
  expect(lengthsOf(signed).slice(-2)).toEqual([26, 27]);
  const { tx } = await assertSignedTransactionMatches(signed, built);
  expect((await ledger.execute(tx)).err).toBeNull();
});

test('version 1', async () => {
  const wallet = await walletWith({ guards: 'phantom', addedComputeUnits: 4_000 });
  const built = await buyFor(wallet.address);
  const config = { computeUnitLimit: 200_000, loadedAccountsDataSizeLimit: 8_000_000 };
  const tx = unsigned(inVersion1(partsOf(built.tx), config));
  const signed = await wallet.signTransaction(Uint8Array.from(Buffer.from(tx, 'base64')));
  const { added, tx: checked } = await assertSignedTransactionMatches(signed, tx);
  expect(added.length).toBeGreaterThanOrEqual(2);
  expect(partsOf(checked).config.computeUnitLimit).toBe(204_000);
});

test('no guards, and custom guards', async () => {
  const plain = await walletWith({});
  const built = await buyFor(plain.address);
  const signed = await plain.signTransaction(bytesOf(built));
  expect(getTransactionDecoder().decode(signed).messageBytes).toEqual(built.transaction.messageBytes);
  const custom = await walletWith({ guards: (all) => all.slice(1) });
  const guarded = await custom.signTransaction(bytesOf(built));
  await expectRefusal(assertSignedTransactionMatches(guarded, built), 'transaction-mismatch');
  const other = await createPracticeWallet();
  await expectRefusal(other.signTransaction(bytesOf(built)), 'invalid-input', { field: 'transaction' });
});

test('the ledger runs assertions without evaluating them, and nothing else of Lighthouse', async () => {
  const { address } = await walletWith({});
  const { tx } = await buyFor(address);
  const run = async (...data: readonly number[]) => {
    const parts = partsOf(tx);
    const instructions = [guard([address], ...data), ...parts.instructions];
    return (await ledger.execute(unsigned({ ...parts, instructions }) as never)).err;
  };
  // Of a balance of 0.
  expect(await run(...GUARDS.missing(address).data)).toBeNull();
  for (const data of [[18, 4], [1, 0, 0], []])
    expect(await run(...data)).toEqual({ InstructionError: [0, 'UnsupportedProgramId'] });
});
