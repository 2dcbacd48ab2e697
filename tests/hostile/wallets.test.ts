import {
  AccountRole,
  type Address,
  generateKeyPairSigner,
  getAddressEncoder,
  getBase64Decoder,
  getTransactionDecoder,
  getTransactionEncoder,
  type KeyPairSigner,
  signBytes,
} from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { getApproveInstruction } from '@solana-program/token';
import { beforeEach, describe, expect, test } from 'vitest';

import {
  type BuiltTransaction,
  type HeavenSubmitRpc,
  quoteBuy,
  type SubmittableTransaction,
  signAndSubmitTransaction,
} from '../../src/index.js';
import { createPracticeWallet } from '../../src/testing/index.js';
import {
  copyOf,
  GUARDS,
  guard,
  inVersion1,
  LIGHTHOUSE,
  type Parts,
  partsOf,
  signedBy,
} from '../review/signed-support.js';
import { asMutable, associated, signer as noopSigner } from '../review/support.js';
import { COMPUTE_BUDGET_PROGRAM_ADDRESS, STRANGER } from '../support/addresses.js';
import { errorOf, expectRefusal, heavenError } from '../support/errors.js';
import { buyFor, client, ledger, termsOf, useLedger } from '../support/ledger.js';

// What a wallet may return for the transaction that it is given, and what it may not.

useLedger();

let signer: KeyPairSigner;
let payer: Address;
let built: BuiltTransaction;

beforeEach(async () => {
  signer = await generateKeyPairSigner();
  payer = signer.address;
  ledger.setBalance(payer, 50_000_000_000n);
  built = await buyFor(payer);
});

/** What a wallet returns, if it returns anything. */
type Wallet = (bytes: Uint8Array) => unknown;

const submit = (answer: Wallet) =>
  signAndSubmitTransaction(client as typeof client & { readonly rpc: HeavenSubmitRpc }, built, {
    sign: async (bytes) => (await answer(bytes)) as SubmittableTransaction,
  });
const sends = () => ledger.requests.filter(({ method }) => method === 'sendTransaction').length;

/** The honest twin: what the wallet returns lands. */
const lands = async (answer: Wallet) => expect((await submit(answer)).status).toBe('landed');
/** Expects that the wallet's changes are found, and that nothing is sent. */
async function expectChanged(answer: Wallet, context: object) {
  const result = await submit(answer);
  if (result.status !== 'changed') throw new Error(result.status);
  expect(result.error).toEqual(heavenError('transaction-mismatch', context));
  expect(sends()).toBe(0);
}

const textOf = (bytes: Uint8Array) => getBase64Decoder().decode(bytes);
const sign = async (bytes: Uint8Array) =>
  await (await createPracticeWallet({ signer })).signTransaction(bytes);

describe('a wallet that changes what it signs is found out, and nothing is sent:', () => {
  /** What the wallet makes of the transaction before it signs. */
  type Change = (parts: Parts) => Parts;

  const same: Change = (parts) => parts;
  const added =
    (...guards: readonly (() => ReturnType<typeof guard>)[]): Change =>
    (parts) => ({ ...parts, instructions: [...parts.instructions, ...guards.map((make) => make())] });
  const edited =
    (edit: (instructions: Parts['instructions']) => void): Change =>
    (parts) => {
      const copy = copyOf(parts);
      edit(copy.instructions);
      return copy;
    };
  const budget = (kind: number, change: (data: DataView) => void) =>
    edited((instructions) => {
      const ofBudget = instructions.filter(
        ({ programAddress }) => programAddress === COMPUTE_BUDGET_PROGRAM_ADDRESS,
      );
      change(new DataView(ofBudget.find(({ data }) => data[0] === kind)!.data.buffer));
    });
  const limit = (by: number) => budget(2, (data) => data.setUint32(1, data.getUint32(1, true) + by, true));
  const ofPayer = () => GUARDS.payer(payer);
  const about = (role: AccountRole) => () => ({
    ...GUARDS.missing(STRANGER),
    accounts: [{ address: STRANGER, role }],
  });
  const times = (count: number) => Array.from({ length: count }, () => () => GUARDS.system(payer));
  let tokens: Address;
  beforeEach(async () => {
    const { mint, tokenProgram } = ledger.pools.creator;
    tokens = await associated(payer, mint, tokenProgram);
  });

  const transfer = () =>
    asMutable(getTransferSolInstruction({ source: noopSigner(payer), destination: STRANGER, amount: 1n }));
  const approval = () => {
    const { tokenProgram: programAddress } = ledger.pools.creator;
    const input = { source: tokens, delegate: STRANGER, owner: noopSigner(payer), amount: 1n };
    return asMutable(getApproveInstruction(input, { programAddress }));
  };
  const ofTokens = () => GUARDS.tokenAfter(tokens);
  const toStranger = edited((instructions) => {
    instructions[3]!.accounts[1]!.address = STRANGER;
  });
  const otherAmount = edited((instructions) => {
    instructions[3]!.data[4]! ^= 1;
  });
  const raised = budget(3, (data) => data.setBigUint64(1, data.getBigUint64(1, true) + 1n, true));
  const memory = () => guard([LIGHTHOUSE, payer, payer, STRANGER, payer], 0, 1, 255, 0, 0, 0);
  const closing = () => guard([LIGHTHOUSE, payer, STRANGER], 1, 1, 255);
  const callingWith = (account: () => Address) =>
    added(() => guard([account(), STRANGER, STRANGER], 16, 4, 0));
  const reading = added(about(AccountRole.READONLY));
  const writing = added(about(AccountRole.WRITABLE));
  const unknown = added(() => guard([payer], 18, 4, 0));

  test.each<[string, honest: Change, hostile: Change, kind: string]>([
    ['a transfer', added(ofPayer), added(transfer), 'instruction'],
    ['an approval for a stranger', added(ofTokens), added(approval), 'instruction'],
    ['another recipient', edited((all) => void all.unshift(ofPayer())), toStranger, 'account'],
    ['another amount', same, otherAmount, 'amount'],
    ['a missing instruction', same, edited((all) => void all.pop()), 'instruction'],
    ['a block hash of its own', same, (parts) => ({ ...parts, blockhash: STRANGER }), 'instruction'],
    ['a raised limit', limit(30_000), limit(30_001), 'amount'],
    ['a lowered limit', same, limit(-1), 'amount'],
    ['a raised price', limit(1), raised, 'amount'],
    ['a heap instead of the limit', same, budget(2, (data) => data.setUint8(0, 1)), 'instruction'],
    ['thirteen assertions', added(...times(12)), added(...times(13)), 'instruction'],
    ['a memory that the payer pays for', added(ofPayer), added(memory), 'instruction'],
    ['a memory that is closed', added(ofPayer), added(closing), 'instruction'],
    ['an unknown instruction of Lighthouse', added(ofPayer), unknown, 'instruction'],
    ['an account too many', added(ofPayer), added(() => guard([payer, STRANGER], 6, 4, 0)), 'instruction'],
    ['a call of another program with a signer', added(ofPayer), callingWith(() => payer), 'rights'],
    ['a call with an account to write to', added(ofPayer), callingWith(() => tokens), 'rights'],
    ['an assertion that may write', reading, writing, 'rights'],
    ['version 1', same, (parts) => inVersion1(parts, { computeUnitLimit: 200_000 }), 'instruction'],
    ['a legacy transaction', same, (parts) => ({ ...parts, version: 'legacy' }), 'instruction'],
  ])('%s', async (_, honest, hostile, kind) => {
    const signing =
      (change: Change): Wallet =>
      (bytes) =>
        signedBy(change(partsOf(textOf(bytes))), signer);
    await expectChanged(signing(hostile), { kind });
    await lands(signing(honest));
  });

  test('another transaction of the same payer', async () => {
    const quoteResponse = await quoteBuy(client, { ...termsOf(), maxSolSpend: 2 });
    const more = await buyFor(payer, { quoteResponse });
    ledger.setSlot(ledger.slot + 1n);
    const other = getTransactionEncoder().encode(more.transaction) as Uint8Array;
    await expectChanged(() => sign(other), { kind: 'instruction', found: more.lifetime.blockhash });
    await lands(sign);
  });
});

describe('a wallet that returns no signed transaction is rejected, and nothing is sent:', () => {
  const signedByOther = async (bytes: Uint8Array) => {
    const { keyPair } = await generateKeyPairSigner();
    const { messageBytes } = getTransactionDecoder().decode(bytes);
    const answer = bytes.slice();
    answer.set(await signBytes(keyPair.privateKey, messageBytes), 1);
    return answer;
  };
  const anothers = async () => {
    const other = await generateKeyPairSigner();
    const { transaction } = await buyFor(other.address);
    const { signTransaction } = await createPracticeWallet({ signer: other });
    return await signTransaction(getTransactionEncoder().encode(transaction));
  };
  const paidByStranger = async (bytes: Uint8Array) => {
    const parts = partsOf(textOf(bytes));
    return await signedBy({ ...parts, feePayer: STRANGER }, signer);
  };
  /** A signature over the message as it was before its block hash was replaced. */
  const stale = async (bytes: Uint8Array) => {
    const old = bytes.slice();
    old.set(getAddressEncoder().encode(STRANGER), old.length - 40);
    const answer = bytes.slice();
    answer.set((await sign(old)).slice(1, 65), 1);
    return answer;
  };
  const asText: Wallet = async (bytes) => textOf(await sign(bytes));
  const decoded: Wallet = async (bytes) => getTransactionDecoder().decode(await sign(bytes));
  const amid: Wallet = async (bytes) => {
    const signed = await sign(bytes);
    const buffer = new Uint8Array(signed.length + 20);
    buffer.set(signed, 10);
    return buffer.subarray(10, -10);
  };
  const trap = {
    get messageBytes() {
      throw new TypeError('not of this library');
    },
  };

  test.each<[string, honest: Wallet, hostile: Wallet, reason: 'missing' | 'invalid']>([
    ['nothing', sign, () => undefined, 'missing'],
    ['a hundred ones', sign, () => new Uint8Array(100).fill(1), 'missing'],
    ['a part of the bytes', amid, (bytes) => bytes.slice(0, 100), 'missing'],
    ['a byte too many', amid, async (bytes) => Uint8Array.of(...(await sign(bytes)), 0), 'missing'],
    ['16 megabytes', sign, () => new Uint8Array(2 ** 24), 'missing'],
    ['a text that is not base64', asText, () => 'Signed!', 'missing'],
    ['base64 with a space', asText, async (bytes) => ` ${textOf(await sign(bytes))}`, 'missing'],
    ['an object', decoded, () => ({ signature: 'abc' }), 'missing'],
    ['an object that throws', decoded, () => trap, 'missing'],
    ['the bytes without a signature', sign, (bytes) => bytes, 'missing'],
    ['random bytes as the signature', sign, (bytes) => bytes.fill(7, 1, 65), 'invalid'],
    ["another key's signature", sign, signedByOther, 'invalid'],
    ['a signature of another message', sign, stale, 'invalid'],
    ["another payer's transaction, signed by that one", sign, anothers, 'missing'],
    ['the transaction with another fee payer', sign, paidByStranger, 'missing'],
  ])('%s', async (_, honest, hostile, reason) => {
    await expectRefusal(submit(hostile), 'transaction-not-signed', { signer: payer, reason });
    expect(sends()).toBe(0);
    await lands(honest);
  });
});

const refusal = Object.assign(new Error('User rejected the request.'), { code: 4001 });
const throwing: Wallet = () => {
  throw refusal;
};

test.each<[string, Wallet]>([
  ['throws', throwing],
  ['rejects', () => Promise.reject(refusal)],
])('what a wallet %s is thrown unchanged, and nothing is sent', async (_, answer) => {
  expect(await errorOf(submit(answer))).toBe(refusal);
  expect(sends()).toBe(0);
  await lands(sign);
});
