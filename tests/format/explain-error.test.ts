import {
  SOLANA_ERROR__JSON_RPC__INTERNAL_ERROR,
  SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR,
  SOLANA_ERROR__SUBTLE_CRYPTO__DIGEST_UNIMPLEMENTED,
  SolanaError,
} from '@solana/kit';
import { describe, expect, test } from 'vitest';

import {
  createHeavenClient,
  docsUrlOf,
  explainError,
  explainTransactionFailure,
  HeavenError,
  minimumAfterSlippage,
  parseAmount,
  shortenAddress,
  toNativeAmount,
} from '../../src/index.js';
import { ASSOCIATED_TOKEN_PROGRAM_ADDRESS, SYSTEM_PROGRAM_ADDRESS } from '../../src/solana/programs.js';
import { WALLET } from '../support/addresses.js';
import { errorOf, expectRefusal } from '../support/errors.js';

describe('explainError', () => {
  const typed = (amount: string) => () => toNativeAmount(amount, 9, 'maxSolSpend');
  const ofQuote = { field: 'quoteResponse.minimumOut', value: '5' };
  const fromJson = new HeavenError('invalid-amount', 'Revive it.', ofQuote);
  test.each<[string, () => unknown, RegExp, field?: string]>([
    ['nothing typed', typed(''), /^Type the amount in digits/, 'amount'],
    ['a comma', typed('1,5'), /^Type an amount such as 1\.5\.$/, 'amount'],
    [
      'what is no number',
      () => toNativeAmount(Number('1,5'), 9),
      /^Type an amount such as 1\.5\.$/,
      'amount',
    ],
    ['thousands with a comma', () => parseAmount('1,500', 9), /such as 1500 or 1\.5\.$/, 'amount'],
    ['a point in German', () => parseAmount('1.5', 9, { locale: 'de' }), /such as 1,5\.$/, 'amount'],
    ['too many decimals', typed('0.1234567891'), /^Use at most 9 decimal places\.$/, 'amount'],
    ['too large an amount', typed('99999999999999'), /^That is more than there can be\./, 'amount'],
    [
      'a number of lamports',
      () => minimumAfterSlippage(1_500_000_000 as never, 50),
      /as a bigint; got 1500000000\.$/,
      'amount',
    ],
    ['a quote out of JSON', () => Promise.reject(fromJson), /^Revive it\.$/],
    ['no node', () => createHeavenClient({} as never), /an rpcUrl such as 'https:\/\/…'\.$/],
  ])('has a specific message for %s', async (_, call, words, field) => {
    const error = await errorOf(call);
    expect(explainError(error)).toEqual({ message: expect.stringMatching(words), field });
  });

  test.each([
    new HeavenError('rpc-failed', 'It failed.', { method: 'm' }, { cause: new RangeError('x') }),
    new SolanaError(SOLANA_ERROR__SUBTLE_CRYPTO__DIGEST_UNIMPLEMENTED),
    new TypeError("Cannot read properties of undefined (reading 'fetch')"),
  ])('blames no node for %o', (error) => {
    expect(explainError(error).message).not.toMatch(/node/);
  });

  test.each<[HeavenError, RegExp, field?: string]>([
    [new HeavenError('invalid-slippage', 'x', { field: 'slippageBps', value: -1 }), /0 to 100/, 'slippage'],
    [new HeavenError('fees-exceed-amount', 'x', { feeBps: 10_000n }), /100 ?%/, 'amount'],
    [new HeavenError('pool-not-found', 'x', { pool: 'standard' }), /no such pool/],
    [new HeavenError('operation-disabled', 'x', { operation: 'swap' }), /another pool/],
    [new HeavenError('operation-disabled', 'x', { operation: 'deposit', pool: 'p' }), /deposits off/],
    [new HeavenError('operation-disabled', 'x', { operation: 'withdraw', pool: 'p' }), /withdrawals off/],
    [
      new HeavenError('not-authorized', 'x', { role: 'creator', asked: 'a', found: 'b' }),
      /Connect the wallet/,
    ],
    [new HeavenError('pool-exists', 'x', { pool: 'p' }), /Use that pool/],
  ])('says what the user can do about $code, and in which field', (error, action, field) => {
    expect(explainError(error)).toEqual({ message: expect.stringMatching(action), field });
  });

  test.each([
    Object.assign(new Error('No.'), { code: 4001 }),
    new Error('User rejected the request.'),
    new Error('The user declined to sign'),
    new Error('Transaction was denied by user'),
    new Error('Ledger: cancelled by the user (0x6985)'),
    new Error('Approval Denied'),
    new Error('Transaction rejected.'),
    { code: 4001 },
  ])('says that nothing was sent when the user rejected the request: %o', (error) => {
    expect(explainError(error).message).toBe('You rejected the request in your wallet. Nothing was sent.');
  });

  test.each([
    'Cannot reject a promise',
    'error sending request for url (https://node.example/): connection refused',
    'RPC request failed: access denied for this key',
    'The request timed out and was cancelled after sending',
    'User quota exceeded: request denied',
  ])("doesn't take another error for a rejection: %s", (message) => {
    expect(explainError(new Error(message)).message).toMatch(/^Something went wrong/);
  });

  test.each([
    [6013, 'The price moved past your slippage. Nothing was traded.'],
    [6012, 'The wallet holds less than this takes. Use less.'],
    [6018, 'Trading is switched off in this pool. Try again later, or trade in another pool.'],
    [6019, 'This pool is not open yet. Try again later.'],
    [6053, 'This pool takes one trade at a time. Try again in a moment.'],
    [6001, /^Instruction 1 failed: \w+ \(6001\)/],
    [6054, /this version does not know\. Update this library: the program may have changed\.$/],
  ])('explains why a transaction failed with %i', (code, message) => {
    const failure = explainTransactionFailure({ err: { InstructionError: [0, { Custom: code }] } });
    expect(explainError(failure).message).toMatch(message);
  });

  test.each([
    'AccountNotFound',
    'InsufficientFundsForFee',
    { InsufficientFundsForRent: { account_index: 0 } },
    ...[SYSTEM_PROGRAM_ADDRESS, ASSOCIATED_TOKEN_PROGRAM_ADDRESS].map((program) => ({ program })),
  ])('says that the wallet has too little SOL: %o', (given) => {
    const failure =
      typeof given === 'object' && 'program' in given
        ? { err: { InstructionError: [0, { Custom: 1 }] }, instructionPrograms: [given.program] }
        : { err: given };
    expect(explainError(explainTransactionFailure(failure)).message).toBe(
      'The wallet has too little SOL. Add some, or use less: fees and rent come on top.',
    );
  });

  test('shows the message of a failure of the transaction as a whole', () => {
    const failure = explainTransactionFailure({ err: 'AlreadyProcessed' });
    expect(explainError(failure).message).toBe(failure!.message);
  });

  test('names who has to sign, what a transaction is not, and what a first purchase costs', () => {
    const signer = WALLET;
    const missing = new HeavenError('transaction-not-signed', 'x', { signer, reason: 'missing' });
    expect(explainError(missing).message).toBe(
      `The signature of ${shortenAddress(signer)} is missing. Nothing was sent. Sign again, or use another wallet.`,
    );
    const mismatch = new HeavenError('transaction-mismatch', 'x', { kind: 'amount' });
    expect(explainError(mismatch).message).toBe(
      'This is not the transaction that you asked for. Do not sign it, and do not send it.',
    );
    const context = { field: 'maxSolSpend', required: 714_285_715n, allowed: 500_000_000n };
    expect(explainError(new HeavenError('spend-too-low', 'x', context))).toEqual({
      field: 'amount',
      message: 'The first purchase costs 0.714285715 SOL, and may cost 0.5 SOL. Allow more, or buy less.',
    });
  });

  test('says when a pool opens, even if that is no date', () => {
    const opening = (opensAt: bigint) =>
      explainError(new HeavenError('pool-not-open', 'x', { opensAt, now: 0n })).message;
    expect(opening(1_800_000_000n)).toMatch(/opens at 1[456] Jan 2027, \d\d:\d\d\.$/);
    expect(opening(2n ** 63n)).toMatch(/opens at a time far ahead\.$/);
  });

  test('tells a node that is away from one that answers with an error, is slow, or has had enough', () => {
    const messages = [
      new TypeError('Failed to fetch'),
      new HeavenError('rpc-failed', 'x', { method: 'm' }),
      new HeavenError('rpc-failed', 'x', { method: 'm', status: 500 }),
      new SolanaError(SOLANA_ERROR__JSON_RPC__INTERNAL_ERROR, { __serverMessage: 'x' }),
      http(500),
      http(429),
      new HeavenError('rpc-rate-limited', 'x', { method: 'm' }),
      new HeavenError('rpc-timeout', 'x', { method: 'm', timeoutMs: 1 }),
      new DOMException('x', 'TimeoutError'),
    ].map((error) => explainError(error).message.split('. ')[0]);
    const [away, failed] = ["The node didn't answer", 'The node answered with an error'];
    const [many, slow] = ['The node refuses more requests for now', 'The node takes too long to answer'];
    expect(messages).toEqual([away, away, failed, failed, failed, many, many, slow, slow]);
  });

  test('keeps the message of any other code, and takes anything', () => {
    const context = { role: 'fee-receiver', asked: 'a', found: 'b' } as const;
    const other = new HeavenError('not-authorized', 'Only the receiver.', context);
    expect(explainError(other)).toEqual({ message: 'Only the receiver.', field: undefined });
    expect(explainError('what').message).toContain('what');
    expect(explainError(undefined).message).toContain('undefined');
  });

  const ours = `\u202eNo: wss://node.example/?api-key=0123456789 ${'xy '.repeat(1_000_000)}`;
  test.each([
    new Error('getaddrinfo ENOTFOUND rpc.node.example'),
    new Error('connect ECONNREFUSED 10.1.2.3:8899'),
    new Error('401 for api-key=0123456789abcdef'),
    new Error('Authorization: Bearer abc.def.0123'),
    new Error("Can't parse https://node.example/?key=secret"),
    new Error('red\u001b[31m and \u202eback'),
    new HeavenError('service-failed', ours, { path: '/quote/buy' }),
  ])('shows no host, key or hidden character, and at most 1,000 characters: %#', (error) => {
    const { message } = explainError(error);
    expect(message).not.toMatch(/example|10\.1|0123|abc\.def|secret|\p{C}/u);
    expect(message.length).toBeLessThanOrEqual(1_000);
  });

  test("doesn't take a method's name for a host", () => {
    const { message } = explainError(new Error('remote.quoteBest is not a function'));
    expect(message).toBe('Something went wrong: "remote.quoteBest is not a function"');
  });

  test('says that a service is away', () => {
    const cause = new TypeError('fetch failed');
    const away = new HeavenError('service-failed', 'x', { path: '/quote/buy' }, { cause });
    expect(explainError(away).message).toMatch(/^The service didn't answer\./);
  });

  test('never throws, whatever it is given', () => {
    const refuse = () => {
      throw new Error('no');
    };
    const proxy = new Proxy({}, { get: refuse, has: refuse, getPrototypeOf: refuse });
    const bare = Object.assign(new HeavenError('pool-not-open', 'x', { opensAt: 0n, now: 0n }), {
      context: undefined,
    });
    const unlike = Object.assign(new Error('x'), { name: 'HeavenError', code: 'zero-amount', message: 7 });
    for (const error of [proxy, Object.create(null), bare, unlike, { toString: 1 }, Symbol('x'), refuse]) {
      expect(explainError(error).message).toMatch(/\w/);
    }
  });
});

test('docsUrlOf leads to the code on the page of errors', async () => {
  const error = new HeavenError('zero-amount', 'x', { field: 'x' });
  expect(docsUrlOf(error)).toBe('errors.html#zero-amount');
  for (const site of ['https://docs.test/x', 'https://docs.test/x/'])
    expect(docsUrlOf(error, site)).toBe('https://docs.test/x/errors.html#zero-amount');
  expect(docsUrlOf(new Error('x'))).toBeUndefined();
  await expectRefusal(() => docsUrlOf(error, null as never), 'invalid-input', { field: 'site' });
});

const http = (statusCode: number) =>
  new SolanaError(SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR, {
    statusCode,
    message: 'x',
    headers: new Headers(),
  });
