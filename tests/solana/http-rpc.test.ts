import {
  createSolanaRpcFromTransport,
  isSolanaError,
  SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR,
} from '@solana/kit';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { answerOf } from '../../src/http/index.js';
import {
  createFailoverTransport,
  createHeavenClient,
  explainError,
  getPoolState,
  grindMintAddress,
} from '../../src/index.js';
import { findPoolAddress, HEAVEN_PROGRAM_ADDRESS } from '../../src/program/index.js';
import { createEmbeddedLedger, createPracticeWallet } from '../../src/testing/index.js';
import { addressNamed } from '../support/addresses.js';
import { errorOf, expectRefusal, refusalOf } from '../support/errors.js';
import { clientOver, createNode, type Does } from '../support/rpc.js';

// The RPC that a client makes of a URL: kit's, over a transport of ours.

const URL = 'https://node.example';

let bodies: { readonly id: string; readonly method: string; readonly params: readonly unknown[] }[];
/** What the node answers, as JSON text without the braces, the version and the id. */
let answer: string;
let init: ResponseInit;

beforeEach(() => {
  bodies = [];
  answer = '"result":null';
  init = {};
  vi.stubGlobal('fetch', async (_: unknown, { body }: { readonly body: string }) => {
    const request = JSON.parse(body) as (typeof bodies)[number];
    bodies.push(request);
    return new Response(`{"jsonrpc":"2.0","id":${JSON.stringify(request.id)},${answer}}`, init);
  });
});
afterEach(() => vi.unstubAllGlobals());

const own = () => createHeavenClient({ rpcUrl: URL }).rpc;
const failure = () => errorOf(own().getLatestBlockhash().send());
/** Reads an account, as any operation does. */
const read = (client: ReturnType<typeof clientOver>) =>
  getPoolState(client, { pool: HEAVEN_PROGRAM_ADDRESS });

test.each([
  ['just above what a number holds', '9007199254740993'],
  ['of 64 bits', '18446744073709551615'],
])('integers %s keep their digits, and text keeps its own', async (_, integer) => {
  const blockhash = 'a "quoted 12345678901234567" text \\';
  answer = `"result":{"context":{"slot":1},"value":{"blockhash":${JSON.stringify(blockhash)},"lastValidBlockHeight":${integer}}}`;
  const { value } = await own().getLatestBlockhash().send();
  expect(value).toEqual({ blockhash, lastValidBlockHeight: BigInt(integer) });
});

test('a request has a bigint as an integer, and the commitment of kit', async () => {
  await own().getLatestBlockhash({ minContextSlot: 5n }).send();
  expect(bodies).toMatchObject([
    { method: 'getLatestBlockhash', params: [{ commitment: 'confirmed', minContextSlot: 5 }] },
  ]);
});

describe('a failure', () => {
  test('of JSON-RPC keeps its code, and its data only after a preflight', async () => {
    const data = { statusCode: 429, headers: {}, __code: 8_100_002, err: 'AccountNotFound', logs: ['a'] };
    const contextOf = async (code: unknown) => {
      answer = `"error":${JSON.stringify({ code, message: 'busy', data })}`;
      return { ...((await failure()) as { readonly context?: object }).context };
    };
    expect(await contextOf(-32_005)).toEqual({ __code: -32_005, __serverMessage: 'busy' });
    expect(await contextOf(-32_602)).toEqual({ __code: -32_602, __serverMessage: 'busy' });
    expect(await contextOf(-32_002)).toEqual({ __code: -32_002, logs: ['a'] });
  });

  test('of a node that is behind says how far', async () => {
    answer = '"error":{"code":-32016,"message":"behind","data":{"contextSlot":93}}';
    const transport = createFailoverTransport([URL]);
    const { getLatestBlockhash } = createSolanaRpcFromTransport(transport);
    await errorOf(getLatestBlockhash({ minContextSlot: 100n }).send());
    expect(transport.nodes()).toEqual([{ cooldownMs: 0, slotsBehind: 7 }]);
  });

  const says =
    (code: number, message: string): Does =>
    ({ payload: { id } }) => ({ jsonrpc: '2.0', id, error: { code, message } });
  const overFailover = (does: Does) =>
    createSolanaRpcFromTransport(createFailoverTransport([createNode(does).transport]));
  test.each([
    [-32_000, 'Too many inputs.', 'Too many inputs'],
    [-32_052, 'API key api-key=0123456789 \u202eof https://a.b/c fails\n', 'API key … of a URL fails'],
    [-32_099, 'éx'.repeat(20_000), `${'éx'.repeat(99)}é…`],
    [-32_007, 'Slot 5 was skipped', 'Slot 5 was skipped'],
    [-32_012, 'scan aborted: results exceeded the limit', 'scan aborted: results exceeded the limit'],
    [-32_602, 'Too many inputs provided; max 100', 'Too many inputs provided; max 100'],
    [-32_602, 'too many requests in params', 'too many requests in params'],
    [-32_005, 'Node is behind by 42 slots', 'Node is behind by 42 slots'],
    [-32_003, 'Transaction signature verification failure', 'Transaction signature verification failure'],
  ])('with the code %i keeps the words of the node, cleaned', async (rpcCode, message, rpcMessage) => {
    answer = `"error":${JSON.stringify({ code: rpcCode, message })}`;
    const context = { method: 'getMultipleAccounts', rpcCode, rpcMessage };
    for (const client of [
      createHeavenClient({ rpcUrl: URL }),
      createHeavenClient({ rpc: overFailover(says(rpcCode, message)) }),
    ]) {
      const error = await expectRefusal(read(client), 'rpc-failed', context);
      expect(error.message).toContain(`error ${rpcCode}: ${rpcMessage}. Retry`);
      expect(explainError(error).message).toContain(rpcMessage.replace('https', ''));
      const { message: shown, details } = answerOf(error);
      expect(shown).toContain(`error ${rpcCode}. Retry`);
      expect(details).toEqual({ method: 'getMultipleAccounts', rpc_code: rpcCode });
    }
  });

  test.each([
    [-32_007, '50/second request limit reached - reduce calls per second'],
    [-32_003, 'daily request limit reached'],
    [-32_012, 'credits limited to 6000/sec'],
    [-32_600, 'Your app has exceeded its compute units per second capacity'],
    // The codes alone say so, and kit knows none of them.
    [429, 'busy'],
    [-32_429, 'busy'],
    [-32_029, 'busy'],
    // Kit drops the words.
    [-32_005, "You've exceeded the RPS limit available on the current plan", 'rpc-failed'],
    [-32_005, 'limit exceeded', 'rpc-failed'],
    [-32_016, 'over rate limit', 'rpc-failed'],
  ])(
    'of JSON-RPC with the code %i, and the words %j, is a rate limit',
    async (code, message, withKit?: string) => {
      answer = `"error":${JSON.stringify({ code, message })}`;
      for (const [client, expected = 'rpc-rate-limited'] of [
        [createHeavenClient({ rpcUrl: URL })],
        [createHeavenClient({ rpc: overFailover(says(code, message)) })],
        [clientOver(says(code, message)), withKit],
      ] as const) {
        const error = await refusalOf(read(client));
        expect(error.code).toBe(expected);
        expect(error.message).toMatch(/error (?:-?\d+|that kit can't read)/);
      }
    },
  );

  test.each([
    [-32_602, 'Invalid param: unknown variant `confirmed`, expected `processed` or `finalized`', true],
    [-32_602, 'Method does not support commitment below `confirmed`', true],
    [-32_602, 'unknown variant `base58`, expected one of `base64`, `confirmed`', false],
  ])('with %i, and the words %j, says to set the commitment: %s', async (code, message, isSaid) => {
    answer = `"error":${JSON.stringify({ code, message })}`;
    for (const client of [createHeavenClient({ rpcUrl: URL }), clientOver(says(code, message))]) {
      const error = await expectRefusal(read(client), 'rpc-failed', { rpcCode: code });
      for (const words of [error.message, answerOf(error).message])
        expect(words.includes("Set commitment: 'finalized' in createHeavenClient, or use")).toBe(isSaid);
    }
  });

  test('is thrown without a closer look where no module can be loaded later, as in a service worker', async () => {
    vi.doMock('../../src/solana/rpc/node-words.js', () => {
      throw new TypeError('import() is disallowed');
    });
    answer = '"error":{"code":-32007,"message":"50/second request limit reached"}';
    const client = createHeavenClient({ rpcUrl: URL });
    await expectRefusal(read(client), 'rpc-failed', { rpcCode: -32_007 });
    init = { status: 429 };
    await expectRefusal(read(client), 'rpc-rate-limited');
    vi.doUnmock('../../src/solana/rpc/node-words.js');
  });

  test.each([
    '{"message":"too many"}',
    '{"code":-32602}',
    '"down"',
    'null',
    '{"code":8100002,"message":"busy"}',
  ])('that no node may give, %s, is an invalid answer', async (error) => {
    answer = `"error":${error}`;
    await expectRefusal(own().getLatestBlockhash().send(), 'rpc-invalid-response', {
      method: 'getLatestBlockhash',
    });
  });

  test.each([
    ['another JSON', () => new Response('{"status":"ok"}'), /is not JSON-RPC\. Check that the URL/],
    ['a redirect', () => new Response('', { status: 301 }), /HTTP 301\. Check its URL/],
    ['a redirect in a browser', () => Response.error(), /HTTP 0\. Check its URL/],
  ])('of a URL that answers with %s says what to check', async (_, page, words) => {
    vi.stubGlobal('fetch', async () => page());
    const { message } = await refusalOf(read(createHeavenClient({ rpcUrl: URL })));
    expect(message).toMatch(words);
  });

  test.each([
    ['findPoolAddress', () => findPoolAddress({ mint: addressNamed('a token of an insecure page') })],
    ['grindMintAddress', () => grindMintAddress({ suffix: '7' })],
    ['createPracticeWallet', () => createPracticeWallet()],
    ['createEmbeddedLedger', () => createEmbeddedLedger({ programAddress: addressNamed('another program') })],
  ])('of a runtime without cryptography names what is missing, and not for ever: %s', async (_, call) => {
    for (const crypto of [{}, undefined]) {
      vi.stubGlobal('crypto', crypto);
      const error = await expectRefusal(call, 'missing-package');
      for (const { message } of [error, explainError(error)])
        expect(message).toMatch(
          /crypto\.subtle is missing.* over https, or from localhost; in React Native, call install\(\) of react-native-quick-crypto/,
        );
    }
    vi.unstubAllGlobals();
    await expect(call()).resolves.toBeDefined();
  });

  test('of HTTP has the code of kit', async () => {
    init = { status: 429, statusText: 'Too Many', headers: { 'retry-after': '3' } };
    const ours = await failure();
    if (!isSolanaError(ours, SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR)) return expect.unreachable();
    expect(ours.context).toMatchObject({ __code: 8_100_002, statusCode: 429, message: 'Too Many' });
    return expect(ours.context.headers.get('retry-after')).toBe('3');
  });
});
