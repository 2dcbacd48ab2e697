import { getEventListeners } from 'node:events';
import {
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  getTransactionDecoder,
  type KeyPairSigner,
  partiallySignTransaction,
} from '@solana/kit';
import { getAdvanceNonceAccountInstruction } from '@solana-program/system';
import { beforeEach, describe, expect, test } from 'vitest';

import {
  type BuiltTransaction,
  buildCreateStandardLiquidityPool,
  buildProBuy,
  buildProSell,
  type HeavenSubmitRpc,
  quoteProBuy,
  quoteProSell,
  type SignAndSubmitEvent,
  type SignAndSubmitOptions,
  type SubmittableTransaction,
  signAndSubmitTransaction,
  submitTransaction,
} from '../../src/index.js';
import { findAssociatedTokenAddress } from '../../src/program/index.js';
import { createPracticeWallet, type PracticeWalletConfig } from '../../src/testing/index.js';
import { STRANGER } from '../support/addresses.js';
import { settle, turn } from '../support/clock.js';
import { expectRefusal } from '../support/errors.js';
import { buyFor, client, launchOf, ledger, useLedger } from '../support/ledger.js';
import { type Call, clientOver, unreachable } from '../support/rpc.js';
import { useFakeTime } from './support.js';

useLedger();

let signer: KeyPairSigner;
let built: BuiltTransaction;
/** What the signer's wallet does without guards. */
let sign: (bytes: Uint8Array<ArrayBuffer>) => Promise<Uint8Array>;

const sending = () => client as typeof client & { readonly rpc: HeavenSubmitRpc };
const submit = (options: SignAndSubmitOptions, of = built) =>
  signAndSubmitTransaction(sending(), of, options);
const sends = () => ledger.requests.filter(({ method }) => method === 'sendTransaction').length;
const walletWith = (config: PracticeWalletConfig = {}) =>
  createPracticeWallet({ signer, rpc: ledger.rpc, ...config });

beforeEach(async () => {
  signer = await generateKeyPairSigner();
  ledger.setBalance(signer.address, 50_000_000_000n);
  built = await buyFor(signer.address);
  sign = (await walletWith()).signTransaction;
});

const notAsked = () => expect.fail('it was asked');

/** A launch that the mint signs after the wallet. */
async function launch(change: object = {}) {
  const mintSigner = await generateKeyPairSigner();
  const input = { ...launchOf(signer.address), signingOrder: 'wallet-first', mintSigner, ...change } as const;
  return { mintSigner, made: await buildCreateStandardLiquidityPool(client, input) };
}

describe('a wallet that signs', () => {
  test('lands with its own guards, and with a block hash from after the review', async () => {
    const wallet = await walletWith({ guards: 'phantom' });
    ledger.setSlot(ledger.slot + 200n);
    const result = await submit({ sign: wallet.signTransaction });
    if (result.status !== 'landed') throw new Error(result.status);
    expect(result.trades).toMatchObject([{ side: 'buy', user: wallet.address }]);
    expect(result.signed.added).toHaveLength(4);
    expect(result.signed.signature).toBe(result.signature);
    expect(result.built.lifetime.blockhash).not.toBe(built.lifetime.blockhash);
    expect(sends()).toBe(1);
  });

  test('is asked before anything is sent, and each step is reported', async () => {
    const events: SignAndSubmitEvent[] = [];
    let given: Uint8Array | undefined;
    await submit({
      sign: async (bytes) => {
        expect(sends()).toBe(0);
        given = bytes.slice();
        const answer = await sign(bytes);
        // It may do with the given bytes what it wants, and with its own later.
        bytes.fill(0);
        setTimeout(() => answer.fill(0));
        return answer;
      },
      observe: (event) => events.push(event),
    });
    expect(events[0]).toEqual({ type: 'asking', signer: signer.address });
    const signed = events[1]?.type === 'signed' ? events[1].signed : undefined;
    expect(signed?.missingSigners).toEqual([]);
    expect(getTransactionDecoder().decode(given as Uint8Array).messageBytes).toEqual(
      signed?.transaction.messageBytes,
    );
    expect(events).toContainEqual({ type: 'sent', node: 0 });
    expect(events.at(-1)).toMatchObject({ type: 'status', confirmationStatus: 'finalized' });
  });

  test('takes too long: it expired, and the same transaction lands when it is signed again', async () => {
    const late = await submit({
      sign: async (bytes) => {
        const answer = await sign(bytes);
        ledger.setSlot(ledger.slot + 200n);
        return answer;
      },
    });
    if (late.status !== 'expired') throw new Error(late.status);
    expect((await submit({ sign }, late.built)).status).toBe('landed');
  });
});

describe('a wallet that changes it, or never answers', () => {
  test('its own priority fee is named with the way to accept it, and lands if it is accepted', async () => {
    const dearer = async (bytes: Uint8Array<ArrayBuffer>) => {
      const transaction = getTransactionDecoder().decode(bytes);
      // 50,000,000 in place of 40,000,000 micro-lamports for each of 200,000 units.
      const at = Buffer.from(transaction.messageBytes).indexOf(Uint8Array.of(9, 3, 0, 0x5a, 0x62, 2));
      const messageBytes = Uint8Array.from(transaction.messageBytes);
      messageBytes.set([0x80, 0xf0, 0xfa, 2], at + 2);
      const changed = { ...transaction, messageBytes: messageBytes as never };
      return await partiallySignTransaction([signer.keyPair], changed);
    };
    const result = await submit({ sign: dearer });
    if (result.status !== 'changed') throw new Error(result.status);
    expect(result.error.message).toContain('pass acceptFee: { maxLamports: 10000000n }');
    const acceptFee = { maxLamports: 10_000_000n };
    expect(await submit({ sign: dearer, acceptFee })).toMatchObject({
      status: 'landed',
      signed: { added: [] },
    });
  });

  test('a changed transaction is returned with what the wallet was given, and lands if it is sent on purpose', async () => {
    const wallet = await walletWith({ guards: (all) => all, addedComputeUnits: 65_536 });
    const events: string[] = [];
    const observe = ({ type }: SignAndSubmitEvent) => events.push(type);
    const result = await submit({ sign: wallet.signTransaction, observe });
    if (result.status !== 'changed') throw new Error(result.status);
    expect(result.error.context).toMatchObject({ kind: 'amount' });
    expect(events).toEqual(['asking']);
    expect(sends()).toBe(0);
    const { tx, built: given } = result;
    const sent = await submitTransaction(sending(), tx, given.lifetime);
    expect(sent).toMatchObject({ status: 'landed', signature: result.signature });
  });

  test('a wallet that never answers can be aborted, and its late answer is not sent', async () => {
    const controller = new AbortController();
    let answer = () => {};
    let signed: Promise<unknown> | undefined;
    const running = submit({
      sign: (bytes) => {
        const late = new Promise<void>((resolve) => {
          answer = resolve;
        });
        controller.abort();
        const answered = late.then(() => sign(bytes));
        signed = answered;
        return answered;
      },
      abortSignal: controller.signal,
    });
    const { context } = await expectRefusal(running, 'aborted', { method: 'signAndSubmitTransaction' });
    expect(context).not.toHaveProperty('signature');
    answer();
    await signed;
    await turn();
    expect(sends()).toBe(0);
  });

  test('a signal that fires after the signature ends it, and one that never fires is left as it was', async () => {
    const controller = new AbortController();
    const observe = ({ type }: SignAndSubmitEvent) => void (type === 'signed' && controller.abort());
    const aborted = submit({ sign, abortSignal: controller.signal, observe });
    await expectRefusal(aborted, 'aborted', { method: 'submitTransaction' });
    expect(sends()).toBe(0);
    const { signal: quiet } = new AbortController();
    expect((await submit({ sign, abortSignal: quiet })).status).toBe('landed');
    expect(getEventListeners(quiet, 'abort')).toEqual([]);
  });
});

test('a signature of another signer that is missing throws: nobody could send what the wallet signed', async () => {
  const { mint, configVersion, pool } = ledger.pools.pro;
  const source = (await generateKeyPairSigner()).address;
  const terms = { configVersion, mint, pool, maxSolSpend: '1', slippageBps: 50 };
  const quoteResponse = await quoteProBuy(client, terms);
  const ofTwo = await buildProBuy(client, { payer: signer.address, source, pool, quoteResponse });
  const { message } = await expectRefusal(submit({ sign }, ofTwo), 'transaction-not-signed', {
    signer: source,
    reason: 'missing',
  });
  expect(message).toContain('who signs after a wallet is a lastSigner');
  expect(sends()).toBe(0);
});

describe('a last signer', () => {
  test('may be a second wallet, which gets what the first one signed', async () => {
    const { made, mintSigner } = await launch();
    const { address, signTransaction } = await createPracticeWallet({ signer: mintSigner });
    const result = await submit({ sign, lastSigner: { address, sign: signTransaction } }, made);
    expect(result.status).toBe('landed');
  });

  test('is not asked if the wallet changed the transaction', async () => {
    const { made, mintSigner } = await launch();
    const changing = await walletWith({ guards: (all) => all.slice(0, -1) });
    const lastSigner = { address: mintSigner.address, sign: notAsked };
    const result = await submit({ sign: changing.signTransaction, lastSigner }, made);
    expect(result.status).toBe('changed');
    expect(sends()).toBe(0);
  });

  test.each([
    ['nothing', () => undefined, 'transaction-not-signed'],
    ['what it was given', (bytes: Uint8Array) => bytes, 'transaction-mismatch'],
    ['it without the first signature', (bytes: Uint8Array) => bytes.fill(0, 1, 65), 'transaction-mismatch'],
    ['another message', (bytes: Uint8Array) => bytes.fill(bytes.at(-1)! ^ 1, -1), 'transaction-mismatch'],
  ] as const)('that returns %s is rejected, and nothing is sent', async (_, answer, code) => {
    const { made, mintSigner } = await launch();
    const signLast = async (bytes: Uint8Array) => answer(bytes) as SubmittableTransaction;
    const lastSigner = { address: mintSigner.address, sign: signLast };
    await expectRefusal(submit({ sign, lastSigner }, made), code);
    expect(sends()).toBe(0);
  });

  test('whom the transaction does not need is rejected before the wallet is asked', async () => {
    const payer = { address: signer.address, sign: notAsked };
    for (const lastSigner of [await generateKeyPairSigner(), payer])
      await expectRefusal(submit({ sign: notAsked, lastSigner }), 'invalid-input', { field: 'lastSigner' });
  });
});

describe('a sponsor', () => {
  let sponsor: KeyPairSigner;
  let sponsored: BuiltTransaction;
  beforeEach(async () => {
    sponsor = await generateKeyPairSigner();
    ledger.setBalance(sponsor.address, 50_000_000_000n);
    sponsored = await buyFor(signer.address, { feePayer: sponsor.address });
  });
  /** What the sponsor returns for its own signature. */
  const signedBySponsor = async (of: BuiltTransaction): Promise<BuiltTransaction> => {
    const transaction = await partiallySignTransaction([sponsor.keyPair], of.transaction);
    return { ...of, transaction, tx: getBase64EncodedWireTransaction(transaction) };
  };
  const landed = async (options: SignAndSubmitOptions, of = sponsored) => {
    const result = await submit(options, of);
    if (result.status !== 'landed') throw new Error(result.status);
    expect(result.trades).toMatchObject([{ side: 'buy', user: signer.address, networkFee: 0n }]);
    expect(result.signed.signature).toBe(result.signature);
    return result;
  };

  test('signs last, also what the wallet guards', async () => {
    const { signTransaction } = await walletWith({ guards: 'phantom' });
    const asked: string[] = [];
    const result = await landed({
      sign: signTransaction,
      lastSigner: sponsor,
      observe: (event) => void (event.type === 'asking' && asked.push(event.signer)),
    });
    expect(result.signed.added).not.toEqual([]);
    expect(asked).toEqual([signer.address, sponsor.address]);
  });

  test('signs before the wallet, and the block hash stays', async () => {
    const given = await signedBySponsor(sponsored);
    ledger.setSlot(ledger.slot + 5n);
    const result = await landed({ sign }, given);
    expect(result.built.lifetime).toEqual(sponsored.lifetime);
    expect(result.signed.tx).toContain(given.tx.slice(4, 80));
  });

  test('signs within sign, on the fresh block hash', async () => {
    const first = await createPracticeWallet({ signer: sponsor });
    ledger.setSlot(ledger.slot + 200n);
    await landed({ sign: async (bytes) => await sign(await first.signTransaction(bytes)) });
  });

  test('and the mint of a launch sign after the wallet, in turn', async () => {
    const { made, mintSigner } = await launch({ feePayer: sponsor.address });
    const result = await submit({ sign, lastSigner: [mintSigner, sponsor] }, made);
    expect(result.status).toBe('landed');
  });

  test('who pays all of a sale of the wallet leaves nothing for its payer to sign', async () => {
    const { mint, configVersion, pool, tokenProgram } = ledger.pools.pro;
    const owner = signer.address;
    const account = await findAssociatedTokenAddress({ owner, mint, tokenProgram });
    ledger.setTokenAccount(account, tokenProgram, { mint, owner, amount: 1_000_000_000n });
    const terms = { configVersion, mint, pool, amountIn: 1_000_000_000n, slippageBps: 50 };
    const sale = await buildProSell(client, {
      ...{ payer: STRANGER, source: owner, feePayer: sponsor.address, pool },
      quoteResponse: await quoteProSell(client, terms),
    });
    expect(sale.requiredSigners).toEqual([sponsor.address, owner]);
    const result = await submit({ sign, lastSigner: sponsor }, sale);
    expect(result.status).toBe('landed');
  });

  test('whom only the wallet knows of, so that its signature stands second, is none', async () => {
    const signOther = () => sign(new Uint8Array(getBase64Encoder().encode(sponsored.tx)));
    const context = { signer: signer.address, reason: 'missing' };
    await expectRefusal(submit({ sign: signOther }), 'transaction-not-signed', context);
    expect(sends()).toBe(0);
  });

  test('whose signature is not valid is noticed before the wallet is asked', async () => {
    const other = await buyFor(signer.address, { feePayer: sponsor.address, dontFront: true });
    const { signatures } = (await signedBySponsor(other)).transaction;
    const { transaction } = sponsored;
    const wrong = { ...transaction, signatures: { ...transaction.signatures, ...signatures } };
    const given = { ...sponsored, transaction: wrong, tx: getBase64EncodedWireTransaction(wrong) };
    const context = { signer: sponsor.address, reason: 'invalid' };
    await expectRefusal(submit({ sign: notAsked }, given), 'transaction-not-signed', context);
  });

  test('who does not sign, or whose signature the wallet voids, sends nothing', async () => {
    await expectRefusal(submit({ sign }, sponsored), 'transaction-not-signed', { reason: 'missing' });
    const { signTransaction } = await walletWith({ guards: 'phantom' });
    const given = await signedBySponsor(sponsored);
    // As a wallet does that drops the signature to add its guards.
    const voiding = (bytes: Uint8Array<ArrayBuffer>) => signTransaction(bytes.fill(0, 1, 65));
    await expectRefusal(submit({ sign: voiding }, given), 'transaction-mismatch', { kind: 'rights' });
    const changing = await walletWith({ guards: (all) => all, addedComputeUnits: 65_536 });
    const changed = await submit({ sign: changing.signTransaction, lastSigner: sponsor }, sponsored);
    expect(changed).toMatchObject({ status: 'changed', signature: undefined });
    expect(sends()).toBe(0);
  });
});

test('a transaction that its wallet has signed before is rejected: a fresh block hash would void that', async () => {
  const transaction = await partiallySignTransaction([signer.keyPair], built.transaction);
  const signedBefore = { ...built, transaction, tx: getBase64EncodedWireTransaction(transaction) };
  const signers = { signers: [signer.address] };
  await expectRefusal(submit({ sign: notAsked }, signedBefore), 'invalid-transaction:signers', signers);
});

test('wrong input is rejected before the wallet is asked', async () => {
  await expectRefusal(submit({} as never), 'invalid-input', { field: 'options' });
  await expectRefusal(submit({ sign: 'wallet' } as never), 'invalid-input', { field: 'sign' });
});

test('a transaction that advances a nonce first, and so never expires, is rejected before the wallet is asked', async () => {
  const before = [getAdvanceNonceAccountInstruction({ nonceAccount: STRANGER, nonceAuthority: signer })];
  const durable = await buyFor(signer.address, { before, transactionVersion: 1 });
  await expectRefusal(submit({ sign: notAsked }, durable), 'invalid-input', { field: 'built' });
  // In version 0 the compute budget comes first.
  const other = await buyFor(signer.address, { before, transactionVersion: 0 });
  await expectRefusal(submit({ sign: async () => undefined }, other), 'transaction-not-signed');
});

describe('nodes that go away after the wallet has signed', () => {
  useFakeTime();

  test('leave the outcome unknown, which is a result with the signature to look for', async () => {
    let isAway = false;
    const node = (call: Call) => (isAway ? unreachable(call) : ledger.transport(call as never));
    const running = signAndSubmitTransaction(clientOver(node) as ReturnType<typeof sending>, built, {
      sign: async (bytes) => {
        isAway = true;
        return await sign(bytes);
      },
    });
    const result = await settle(running);
    if (result.status !== 'outcome-unknown') throw new Error(result.status);
    expect(result.signature).toBe(result.signed.signature);
    expect(result.error.context.lastValidBlockHeight).toBe(result.built.lifetime.lastValidBlockHeight);
  });
});
