import { AccountRole, getBase64Encoder, type Instruction, type KeyPairSigner } from '@solana/kit';
import { getAdvanceNonceAccountInstruction } from '@solana-program/system';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { createHeavenClient, shareReads, submitTransaction } from '../../src/index.js';
import { draftOf, putTogether, SOMEWHERE, signer, wallet } from '../review/support.js';
import { MEMO_PROGRAM_ADDRESS } from '../support/addresses.js';
import { expectRefusal } from '../support/errors.js';
import { type SignedBuy, signedBuy } from './support.js';

// On the embedded ledger, in real time: it executes at once.

let buy: SignedBuy;
beforeAll(async () => {
  buy = await signedBuy();
});

const statusOf = async () => (await buy.ledger.rpc.getSignatureStatuses([buy.signature]).send()).value[0];

describe('rejects, before anything is sent,', () => {
  const other = '4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM';
  const forged = () => ({
    ...buy.transaction,
    signatures: { [buy.wallet.address]: new Uint8Array(64).fill(3) },
  });

  test.each<[string, () => object, string, field?: string]>([
    ['a last height that is a number', () => ({ lastValidBlockHeight: 5 }), 'invalid-amount'],
    ['one rpc for a list', () => ({ rpcs: buy.ledger.rpc }), 'invalid-input', 'rpcs'],
    ['a URL among the rpcs', () => ({ rpcs: ['https://node.example/KEY'] }), 'invalid-input', 'rpcs[0]'],
    ['a URL for a sender', () => ({ send: 'https://node.example/KEY' }), 'invalid-input', 'send'],
    ['a signal that is none', () => ({ abortSignal: {} }), 'invalid-input', 'abortSignal'],
    ['a block hash that was replaced', () => ({ blockhash: other }), 'invalid-input', 'blockhash'],
  ])('%s', async (_, change, code, field) => {
    const options = { ...buy.built.lifetime, ...change() };
    const submitting = () => submitTransaction(buy.client as never, buy.tx, options as never);
    const error = await expectRefusal(submitting, code, field === undefined ? {} : { field });
    expect(error.message).not.toContain('KEY');
    expect(await statusOf()).toBeNull();
  });

  const memo = { programAddress: MEMO_PROGRAM_ADDRESS };
  const signed = (instructions: readonly Instruction[], ...others: readonly KeyPairSigner[]) => {
    const draft = draftOf(instructions, buy.wallet.address);
    return putTogether(draft, [buy.wallet, ...others], buy.built.lifetime.blockhash);
  };
  const durable = () => {
    const nonce = { nonceAccount: SOMEWHERE, nonceAuthority: signer(buy.wallet.address) };
    return signed([getAdvanceNonceAccountInstruction(nonce), memo]);
  };
  /** Two must sign it. */
  const ofTwo = async (change: (byte: number) => number) => {
    const other = await wallet(1);
    const accounts = [{ address: other.address, role: AccountRole.READONLY_SIGNER }];
    const bytes = Uint8Array.from(getBase64Encoder().encode(await signed([{ ...memo, accounts }], other)));
    // After the number of signatures and the payer's.
    return bytes.map((byte, index) => (index < 65 || index >= 129 ? byte : change(byte)));
  };

  test.each<[string, () => unknown, string, object?]>([
    ['what a builder returns', () => buy.built, 'invalid-input', { field: 'signed' }],
    ['no transaction', () => undefined, 'invalid-input', { field: 'signed' }],
    ['what is not base64', () => '%%', 'malformed-data'],
    ['bytes that are no transaction', () => new Uint8Array(7), 'malformed-data'],
    ['an object that is no transaction', () => ({ messageBytes: 1, signatures: 2 }), 'malformed-data'],
    ['what nobody signed', () => buy.built.tx, 'transaction-not-signed', { reason: 'missing' }],
    ['a signature of other bytes', forged, 'transaction-not-signed', { reason: 'invalid' }],
    ['what one of two signed', () => ofTwo(() => 0), 'transaction-not-signed', { reason: 'missing' }],
    ['one good of two', () => ofTwo((byte) => byte ^ 1), 'transaction-not-signed', { reason: 'invalid' }],
    ['what never expires: it advances a nonce first', durable, 'invalid-input', { field: 'signed' }],
  ])('%s', async (_, given, code, context) => {
    const tx = await given();
    const submitting = () => submitTransaction(buy.client as never, tx as never, buy.built.lifetime);
    await expectRefusal(submitting, code, context);
    expect(await statusOf()).toBeNull();
  });
});

test.each([undefined, {}])('rejects the options %o', async (options) => {
  const submitting = () => submitTransaction(buy.client as never, buy.tx, options as never);
  await expectRefusal(submitting, 'invalid-input', { field: 'options' });
});

describe('on the embedded ledger', () => {
  const forms = [
    ['base64', () => buy.tx],
    ['bytes', () => Uint8Array.from(getBase64Encoder().encode(buy.tx))],
    ["kit's signed transaction", () => buy.transaction],
  ] as const;
  test.each(forms)('lands once, given as %s, and returns its trade each time', async (_, form) => {
    const { ledger, built, quote, signature, wallet } = buy;
    const client = createHeavenClient({ rpc: ledger.rpc });
    const before = ledger.getAccount(wallet.address)?.lamports;
    const isFirst = (await statusOf()) === null;
    const result = await submitTransaction(client, form(), built.lifetime);
    expect(result).toMatchObject({
      status: 'landed',
      signature,
      trades: [{ side: 'buy', mint: quote.mint, user: wallet.address }],
    });
    expect(ledger.getAccount(wallet.address)?.lamports === before).toBe(!isFirst);
  });

  test('whose minimum the pool no longer meets: not sent after its simulation, and without one it fails in a block', async () => {
    const { ledger, client, built, tx, wallet } = await signedBuy();
    ledger.setReserves(ledger.pools.creator.pool, { tokenB: 3_000_000_000_000n });
    const held = ledger.getAccount(wallet.address)?.lamports;
    const programError = { name: 'ExceededSlippage' };
    const refused = await submitTransaction(client, tx, built.lifetime);
    expect(refused).toMatchObject({ status: 'failed', slot: undefined, error: { programError } });
    expect(ledger.getAccount(wallet.address)?.lamports).toBe(held);

    const failed = await submitTransaction(client, tx, { ...built.lifetime, skipPreflight: true });
    expect(failed).toMatchObject({ status: 'failed', slot: ledger.slot, error: { programError } });
    expect(ledger.getAccount(wallet.address)?.lamports).toBeLessThan(held ?? 0n);
  });

  test('a client made with a URL submits too', async () => {
    const { ledger, built, tx, signature } = await signedBuy();
    const plain = (_: string, value: unknown) => (typeof value === 'bigint' ? Number(value) : value);
    vi.stubGlobal('fetch', async (_: string, { body }: { readonly body: string }) => {
      const answer = await ledger.transport({ payload: JSON.parse(body) } as never);
      return new Response(JSON.stringify(answer, plain));
    });
    const client = createHeavenClient({ rpcUrl: 'https://node.example' });
    const landed = await submitTransaction(client, tx, built.lifetime).finally(vi.unstubAllGlobals);
    expect(landed).toMatchObject({ status: 'landed', signature, trades: [{ side: 'buy' }] });
  });

  test('a client that shares reads can submit', async () => {
    const { ledger, built, tx, signature } = buy;
    const sharing = shareReads(createHeavenClient({ rpc: ledger.rpc }));
    expect(await submitTransaction(sharing, tx, built.lifetime)).toMatchObject({
      status: 'landed',
      signature,
    });
  });
});
