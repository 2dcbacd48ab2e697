import {
  type Address,
  type Base64EncodedWireTransaction,
  generateKeyPairSigner,
  getBase64Decoder,
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  type KeyPairSigner,
  signTransaction,
} from '@solana/kit';
import { beforeEach, describe, expect, test } from 'vitest';

import { findAssociatedTokenAddress } from '../../src/program/index.js';
import { SOL } from '../support/amounts.js';
import { buyFor, ledger, useLedger } from '../support/ledger.js';

const WRAPPED_SOL = 'So11111111111111111111111111111111111111112' as Address;

useLedger();
let wallet: KeyPairSigner;
beforeEach(async () => {
  wallet = await generateKeyPairSigner();
});

interface Answer {
  readonly id: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}
const send = (payload: unknown) => ledger.transport<Answer>({ payload });
const call = (method: string, ...params: unknown[]) => send({ jsonrpc: '2.0', id: 7, method, params });
/** The result, without the context of one that has it. */
async function ask<T>(method: string, ...params: unknown[]): Promise<T> {
  const { result, error } = await call(method, ...params);
  expect(error).toBeUndefined();
  const isInContext =
    typeof result === 'object' && result !== null && 'context' in result && 'value' in result;
  if (isInContext) expect(result.context).toMatchObject({ slot: ledger.slot });
  return (isInContext ? result.value : result) as T;
}
const errorOf = async (method: string, ...params: unknown[]) => (await call(method, ...params)).error;

/** A buy for 1 SOL by the wallet, signed. */
async function signedBuy(): Promise<Base64EncodedWireTransaction> {
  const { transaction } = await buyFor(wallet.address);
  return getBase64EncodedWireTransaction(await signTransaction([wallet.keyPair], transaction));
}
const base64 = { encoding: 'base64' };

describe('JSON-RPC', () => {
  test('answers a request, and notifications not at all', async () => {
    const answer = await send({ jsonrpc: '2.0', id: 2n, method: 'getHealth' });
    expect(answer).toEqual({ jsonrpc: '2.0', id: 2n, result: 'ok' });
    expect(await send({ jsonrpc: '2.0', method: 'getSlot' })).toBeUndefined();
  });

  test.each([
    ['no object', 7, -32600],
    ['a batch', [{ jsonrpc: '2.0', id: 1, method: 'getSlot' }], -32600],
    ['an id that is an object', { jsonrpc: '2.0', id: {}, method: 'getSlot' }, -32600],
    ['a method that there is not', { jsonrpc: '2.0', id: 1, method: 'toString' }, -32601],
    ['params that are no list', { jsonrpc: '2.0', id: 1, method: 'getSlot', params: {} }, -32602],
  ])('rejects %s', async (_, payload, code) => {
    expect((await send(payload)).error?.code).toBe(code);
  });

  test.each([
    ['getBalance', 'x'],
    ['getAccountInfo', WRAPPED_SOL, { encoding: 'base58' }],
    ['getMultipleAccounts', Array.from({ length: 101 }, () => WRAPPED_SOL)],
    ['getTokenAccountBalance', WRAPPED_SOL],
    ['getTokenAccountsByOwner', WRAPPED_SOL, { programId: WRAPPED_SOL }],
    ['getMinimumBalanceForRentExemption', -1],
    ['isBlockhashValid', 'x'],
    ['getSignatureStatuses', ['x']],
    ['getSignaturesForAddress', WRAPPED_SOL, { limit: 1001 }],
    ['getTransaction', 'x'],
    ['sendTransaction', 'AAAA', base64],
    ['simulateTransaction', '0', {}],
    ['requestAirdrop', WRAPPED_SOL, 10_000_000_000_001n],
  ])('rejects wrong params of %s', async (method, ...params) => {
    expect((await errorOf(method, ...params))?.code).toBe(-32602);
  });
});

describe('the cluster', () => {
  test('has slots, epochs and a version', async () => {
    expect(await ask('getSlot')).toBe(411_354_049n);
    expect(await ask('getBlockHeight')).toBe(411_354_049n);
    // 411354049 = 952 * 432000 + 90049
    const epochInfo = { epoch: 952n, slotIndex: 90_049n, slotsInEpoch: 432_000n };
    expect(await ask('getEpochInfo')).toMatchObject(epochInfo);
    expect(await ask('getVersion')).toMatchObject({ 'solana-core': expect.any(String) });
    expect(await ask('getGenesisHash')).toMatch(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/);
  });

  test('has block hashes that are valid for 150 slots', async () => {
    type Latest = { readonly blockhash: string; readonly lastValidBlockHeight: bigint };
    const { blockhash, lastValidBlockHeight } = await ask<Latest>('getLatestBlockhash');
    ledger.setSlot(lastValidBlockHeight);
    expect(await ask('isBlockhashValid', blockhash)).toBe(true);
    ledger.setSlot(lastValidBlockHeight + 1n);
    expect(await ask('isBlockhashValid', blockhash)).toBe(false);
    expect(await ask('isBlockhashValid', WRAPPED_SOL)).toBe(false);
  });
});

describe('accounts', () => {
  test('are written in the encoding that is asked for', async () => {
    const { pool, creator } = ledger.pools.creator;
    const account = ledger.getAccount(pool)!;
    const asked = (config?: object) => ask<{ data: unknown; space: bigint }>('getAccountInfo', pool, config);
    expect((await asked(base64)).data).toEqual([getBase64Decoder().decode(account.data), 'base64']);
    // What can't be parsed is base64.
    expect((await asked({ encoding: 'jsonParsed' })).data).toEqual([expect.any(String), 'base64']);
    const { owner, lamports } = account;
    const expected = [expect.objectContaining({ owner, lamports }), null];
    expect(await ask('getMultipleAccounts', [pool, wallet.address])).toEqual(expected);
    expect(await ask('getBalance', creator)).toBe(100n * SOL);
    expect(await ask('getBalance', wallet.address)).toBe(0n);
  });

  test('of tokens are found by their owner, with their amounts', async () => {
    const { mint, creator, tokenProgram } = ledger.pools.creator;
    const pubkey = await findAssociatedTokenAddress({ owner: creator, mint, tokenProgram });
    const amounts = { amount: '10000000000000000', uiAmount: 10_000_000, uiAmountString: '10000000' };
    const tokenAmount = { ...amounts, decimals: 9 };
    expect(await ask('getTokenAccountBalance', pubkey)).toEqual(tokenAmount);
    const info = { mint, owner: creator, state: 'initialized', tokenAmount };
    const account = { owner: tokenProgram, data: { parsed: { type: 'account', info } } };
    const accountsBy = (filter: object) =>
      ask('getTokenAccountsByOwner', creator, filter, { encoding: 'jsonParsed' });
    for (const filter of [{ mint }, { programId: tokenProgram }])
      expect(await accountsBy(filter)).toMatchObject([{ pubkey, account }]);
    expect(await accountsBy({ mint: WRAPPED_SOL })).toEqual([]);
    const unknown = await errorOf('getTokenAccountsByOwner', creator, { mint: wallet.address });
    expect(unknown?.message).toBe('Invalid param: could not find mint');
    const notToken = await errorOf('getTokenAccountBalance', mint);
    expect(notToken?.message).toBe('Invalid param: not a Token account');
  });
});

describe('any wallet', () => {
  test('gets SOL, and the transfer is on record', async () => {
    const signature = await ask('requestAirdrop', wallet.address, 2n * SOL);
    expect(await ask('getBalance', wallet.address)).toBe(2n * SOL);
    expect(await ask('requestAirdrop', wallet.address, SOL)).not.toBe(signature);
    expect(await ask('getBalance', wallet.address)).toBe(3n * SOL);
    const preBalances = [2_000_005_000n, 0n, expect.anything()];
    const postBalances = [0n, 2n * SOL, expect.anything()];
    const meta = { err: null, preBalances, postBalances };
    expect(await ask('getTransaction', signature)).toMatchObject({ meta });
    const stranger = (await generateKeyPairSigner()).address;
    const message = expect.stringContaining('650240 lamports');
    expect(await errorOf('requestAirdrop', stranger, 1)).toMatchObject({ code: -32603, message });
  });

  test('sends a transaction, and reads back what it did', async () => {
    await ask('requestAirdrop', wallet.address, 5n * SOL);
    const tx = await signedBuy();
    const { slot } = ledger;
    const signature = await ask<string>('sendTransaction', tx, base64);
    expect(await ask('getSignatureStatuses', [signature, '1'.repeat(64)])).toEqual([
      { slot, confirmations: null, confirmationStatus: 'finalized', err: null, status: { Ok: null } },
      null,
    ]);
    const config = { maxSupportedTransactionVersion: 0 };
    const { address: owner } = wallet;
    const { mint, tokenProgram } = ledger.pools.creator;
    const account = await findAssociatedTokenAddress({ owner, mint, tokenProgram });
    const { amount } = await ask<{ amount: string }>('getTokenAccountBalance', account);
    const uiTokenAmount = expect.objectContaining({ amount, decimals: 9 });
    const balance = expect.objectContaining({ mint, owner, programId: tokenProgram, uiTokenAmount });
    const postTokenBalances = expect.arrayContaining([balance]);
    expect(await ask('getTransaction', signature, { ...base64, ...config })).toMatchObject({
      slot,
      blockTime: ledger.unixTimestamp,
      version: 0,
      transaction: [tx, 'base64'],
      meta: { err: null, fee: 8_005_000n, status: { Ok: null }, postTokenBalances },
    });
    const asJson = await ask<{ transaction: object }>('getTransaction', signature, config);
    const message = { header: { numRequiredSignatures: 1 }, addressTableLookups: [] };
    expect(asJson.transaction).toMatchObject({ signatures: [signature], message });
    expect(await errorOf('getTransaction', signature)).toMatchObject({ code: -32015 });
    expect(await ask('getTransaction', '1'.repeat(64), config)).toBeNull();

    const own = await ask<{ signature: string }[]>('getSignaturesForAddress', wallet.address);
    expect(own.map((entry) => entry.signature)).toEqual([signature, expect.any(String)]);
    const airdrop = own[1]!.signature;
    const entries = (options: object) => ask<unknown[]>('getSignaturesForAddress', wallet.address, options);
    expect(await entries({ limit: 1 })).toMatchObject([{ signature, err: null, memo: null, slot }]);
    expect(await entries({ before: signature })).toMatchObject([{ signature: airdrop }]);
    expect(await entries({ until: airdrop })).toMatchObject([{ signature }]);

    ledger.setSlot(slot + 32n);
    expect(await ask('getSignatureStatuses', [signature])).toMatchObject([
      { confirmations: null, confirmationStatus: 'finalized' },
    ]);
  });

  test('has a message run once: a simulation says so, unless it is of another block hash', async () => {
    await ask('requestAirdrop', wallet.address, 5n * SOL);
    const tx = await signedBuy();
    await ask('sendTransaction', tx, base64);
    expect(await ask('simulateTransaction', tx, base64)).toMatchObject({ err: 'AlreadyProcessed' });
    const replaced = { ...base64, replaceRecentBlockhash: true };
    expect(await ask('simulateTransaction', tx, replaced)).toMatchObject({ err: null });
    expect(await errorOf('sendTransaction', tx, base64)).toMatchObject({ code: -32002 });
  });

  test('finds programs, the wrapped SOL mint, and wrapped SOL that stands for lamports', async () => {
    const loader = 'NativeLoader1111111111111111111111111111111';
    const program = { owner: loader, executable: true };
    expect(await ask('getAccountInfo', '11111111111111111111111111111111', base64)).toMatchObject(program);
    const mint = 'So11111111111111111111111111111111111111112' as Address;
    const owner = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA' as Address;
    expect(await ask('getAccountInfo', mint, base64)).toMatchObject({ owner, space: 82n });
    ledger.setTokenAccount(wallet.address, owner, { mint, owner: wallet.address, amount: 7n });
    expect(ledger.getAccount(wallet.address)?.lamports).toBe(1_488_447n);
  });

  test('learns why a transaction would fail, with its logs', async () => {
    await ask('requestAirdrop', wallet.address, 5n * SOL);
    const tx = await signedBuy();
    ledger.setReserves(ledger.pools.creator.pool, { tokenB: 3_000_000_000_000n });
    expect(await errorOf('sendTransaction', tx, base64)).toMatchObject({
      code: -32002,
      message: expect.stringMatching(
        /^Transaction simulation failed: Error processing Instruction \d: custom program error: 0x177d$/,
      ),
      data: {
        err: { InstructionError: [expect.any(Number), { Custom: 6013 }] },
        logs: expect.arrayContaining([expect.stringContaining('ExceededSlippage')]),
      },
    });
    const unsigned = getBase64Encoder().encode(tx).slice();
    unsigned.fill(0, 1, 65);
    const bare = getBase64Decoder().decode(unsigned);
    expect(await errorOf('sendTransaction', bare, base64)).toMatchObject({ code: -32003 });
    const verified = { ...base64, sigVerify: true };
    expect(await errorOf('simulateTransaction', bare, verified)).toMatchObject({ code: -32003 });
    expect(await ask('simulateTransaction', bare, base64)).toMatchObject({ err: expect.anything() });
    ledger.setSlot(ledger.slot + 151n);
    const late = await errorOf('sendTransaction', tx, base64);
    expect(late?.message).toBe('Transaction simulation failed: Blockhash not found');
  });

  test('does nothing more when it sends a transaction a second time', async () => {
    await ask('requestAirdrop', wallet.address, 5n * SOL);
    const tx = await signedBuy();
    const signature = await ask('sendTransaction', tx, base64);
    const { data } = ledger.getAccount(ledger.pools.creator.pool)!;
    expect((await errorOf('sendTransaction', tx, base64))?.data).toMatchObject({ err: 'AlreadyProcessed' });
    expect(await ask('sendTransaction', tx, { ...base64, skipPreflight: true })).toBe(signature);
    expect(ledger.getAccount(ledger.pools.creator.pool)?.data).toBe(data);
  });
});

describe('minContextSlot', () => {
  const calls = (): readonly (readonly [method: string, ...params: unknown[]])[] => {
    const { mint, pool } = ledger.pools.pro;
    return [
      ['getAccountInfo', pool],
      ['getBalance', pool],
      ['getBlockHeight'],
      ['getEpochInfo'],
      ['getLatestBlockhash'],
      ['getMultipleAccounts', [pool]],
      ['getProgramAccounts', pool],
      ['getSlot'],
      ['getTokenAccountsByOwner', pool, { mint }],
      ['isBlockhashValid', mint],
    ];
  };

  test('of a past slot changes nothing, and of a future one is rejected until it is reached', async () => {
    const { slot } = ledger;
    const message = 'Minimum context slot has not been reached';
    const behind = { code: -32016, message, data: { contextSlot: slot } };
    for (const [method, ...params] of calls()) {
      const answer = await call(method, ...params, base64);
      expect(await call(method, ...params, { ...base64, minContextSlot: slot })).toEqual(answer);
      expect(await errorOf(method, ...params, { minContextSlot: Number(slot + 1n) })).toEqual(behind);
    }
    ledger.setSlot(slot + 1n);
    for (const [method, ...params] of calls())
      expect(await errorOf(method, ...params, { ...base64, minContextSlot: slot + 1n })).toBeUndefined();
  });
});
