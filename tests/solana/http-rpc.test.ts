import {
  type Blockhash,
  createSolanaRpcFromTransport,
  isSolanaError,
  SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR,
} from '@solana/kit';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createClient, createFailoverTransport, type HeavenNodeRpc } from '../../src/index.js';
import { WALLET } from '../support/addresses.js';
import { fc } from '../support/properties.js';

// The RPC that a client makes of a URL, beside kit's own.

const URL = 'https://node.example';
const SIGNED = 'AAAA' as Parameters<HeavenNodeRpc['sendTransaction']>[0];
const SIGNATURE = '1'.repeat(64) as Parameters<HeavenNodeRpc['getTransaction']>[0];

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

const methods: readonly (readonly [string, (rpc: HeavenNodeRpc) => { send(): Promise<unknown> }])[] = [
  ['getAccountInfo', (rpc) => rpc.getAccountInfo(WALLET, { encoding: 'base64' })],
  ['getAccountInfo alone', (rpc) => rpc.getAccountInfo(WALLET)],
  ['getEpochInfo', (rpc) => rpc.getEpochInfo({ commitment: 'confirmed' })],
  [
    'isBlockhashValid',
    (rpc) => rpc.isBlockhashValid(WALLET as string as Blockhash, { commitment: 'confirmed' }),
  ],
  ['getEpochInfo alone', (rpc) => rpc.getEpochInfo()],
  ['getGenesisHash', (rpc) => rpc.getGenesisHash()],
  ['getLatestBlockhash', (rpc) => rpc.getLatestBlockhash({ commitment: 'processed', minContextSlot: 5n })],
  ['getLatestBlockhash alone', (rpc) => rpc.getLatestBlockhash()],
  ['getMultipleAccounts', (rpc) => rpc.getMultipleAccounts([WALLET, WALLET], { encoding: 'jsonParsed' })],
  [
    'getProgramAccounts',
    (rpc) => rpc.getProgramAccounts(WALLET, { encoding: 'base64', filters: [{ dataSize: 2n ** 40n }] }),
  ],
  ['getRecentPrioritizationFees', (rpc) => rpc.getRecentPrioritizationFees([WALLET])],
  ['getRecentPrioritizationFees alone', (rpc) => rpc.getRecentPrioritizationFees()],
  ['getSignaturesForAddress', (rpc) => rpc.getSignaturesForAddress(WALLET, { limit: 5, before: SIGNATURE })],
  ['getSignaturesForAddress alone', (rpc) => rpc.getSignaturesForAddress(WALLET)],
  [
    'getSignatureStatuses',
    (rpc) => rpc.getSignatureStatuses([SIGNATURE], { searchTransactionHistory: true }),
  ],
  ['getSignatureStatuses alone', (rpc) => rpc.getSignatureStatuses([SIGNATURE])],
  [
    'getTokenAccountsByOwner',
    (rpc) => rpc.getTokenAccountsByOwner(WALLET, { mint: WALLET }, { encoding: 'jsonParsed' }),
  ],
  [
    'getTransaction',
    (rpc) =>
      rpc.getTransaction(SIGNATURE, { encoding: 'base64', maxSupportedTransactionVersion: 1 as never }),
  ],
  [
    'sendTransaction',
    (rpc) => rpc.sendTransaction(SIGNED, { encoding: 'base64', maxRetries: 0n, skipPreflight: true }),
  ],
  ['sendTransaction alone', (rpc) => rpc.sendTransaction(SIGNED, { encoding: 'base64' })],
  [
    'simulateTransaction',
    (rpc) => rpc.simulateTransaction(SIGNED, { encoding: 'base64', replaceRecentBlockhash: true }),
  ],
];

const own = () => createClient({ rpcUrl: URL }).rpc;
const kits = (): HeavenNodeRpc => createSolanaRpcFromTransport(createFailoverTransport([URL]));

/** Names that kit has on its list of numbers in one place or another, and some that it has not. */
const NAMES = [
  ...['context', 'slot', 'value', 'account', 'lamports', 'data', 'parsed', 'info'],
  ...['tokenAmount', 'rentExemptReserve', 'delegatedAmount', 'decimals', 'uiAmount', 'amount'],
  ...['extensions', 'state', 'olderTransferFee', 'newerTransferFee', 'transferFeeBasisPoints'],
  ...['preUpdateAverageRate', 'currentRate', 'numRequiredSigners', 'numValidSigners'],
  ...['lastExtendedSlotStartIndex', 'slashPenalty', 'warmupCooldownRate', 'stake', 'delegation'],
  ...['exemptionThreshold', 'burnPercent', 'blockRevenueCommissionBps', 'commission'],
  ...['inflationRewardsCommissionBps', 'votes', 'confirmationCount', 'latency', 'unitsConsumed'],
  ...['loadedAccountsDataSize', 'accounts', 'innerInstructions', 'index', 'instructions', 'programIdIndex'],
  ...['stackHeight', 'preTokenBalances', 'postTokenBalances', 'accountIndex', 'uiTokenAmount'],
  ...['meta', 'transaction', 'message', 'header', 'version', 'transactionConfig', 'heapSize', 'rewards'],
  ...['addressTableLookups', 'writableIndexes', 'numRequiredSignatures', 'confirmations', 'fee'],
];

/** Each way down to a number in an answer, by names and `*` for an item of a list. */
const account = [
  ...['decimals', 'numRequiredSigners', 'numValidSigners', 'lastExtendedSlotStartIndex', 'slashPenalty'],
  ...['warmupCooldownRate', 'stake.delegation.warmupCooldownRate', 'exemptionThreshold', 'burnPercent'],
  ...['blockRevenueCommissionBps', 'commission', 'inflationRewardsCommissionBps', 'lamports'],
  ...['votes.*.confirmationCount', 'votes.*.latency', 'votes.*.slot'],
  ...['tokenAmount', 'rentExemptReserve', 'delegatedAmount'].flatMap((name) => [
    `${name}.decimals`,
    `${name}.uiAmount`,
    `${name}.amount`,
  ]),
  ...['preUpdateAverageRate', 'currentRate', 'olderTransferFee.transferFeeBasisPoints'].map(
    (name) => `extensions.*.state.${name}`,
  ),
  'extensions.*.state.newerTransferFee.transferFeeBasisPoints',
  'extensions.*.state.newerTransferFee.epoch',
].map((name) => `data.parsed.info.${name}`);
const WAYS = [
  'context.slot',
  'value.loadedAccountsDataSize',
  'value.unitsConsumed',
  ...['value', 'value.*', 'value.*.account', '*.account', 'value.accounts.*'].flatMap((before) => [
    `${before}.lamports`,
    ...account.map((name) => `${before}.${name}`),
  ]),
  ...['value', 'meta'].flatMap((before) => [
    `${before}.fee`,
    `${before}.rewards.*.commission`,
    ...[
      'index',
      'instructions.*.accounts.*',
      'instructions.*.programIdIndex',
      'instructions.*.stackHeight',
    ].map((name) => `${before}.innerInstructions.*.${name}`),
    ...['preTokenBalances', 'postTokenBalances'].flatMap((balances) =>
      ['accountIndex', 'uiTokenAmount.decimals', 'uiTokenAmount.uiAmount', 'uiTokenAmount.amount'].map(
        (name) => `${before}.${balances}.*.${name}`,
      ),
    ),
  ]),
  ...['version', 'slot', 'value.*.confirmations'],
  ...[
    'addressTableLookups.*.writableIndexes.*',
    'addressTableLookups.*.readonlyIndexes.*',
    'header.numReadonlySignedAccounts',
    'header.numReadonlyUnsignedAccounts',
    'header.numRequiredSignatures',
    'instructions.*.accounts.*',
    'instructions.*.programIdIndex',
    'instructions.*.stackHeight',
    'transactionConfig.computeUnitLimit',
    'transactionConfig.heapSize',
    'transactionConfig.loadedAccountsDataSizeLimit',
    'transactionConfig.priorityFee',
  ].map((name) => `transaction.message.${name}`),
];
const answerAt = (way: string, leaf: string): string =>
  way.split('.').reduceRight((inner, name) => (name === '*' ? `[${inner}]` : `{"${name}":${inner}}`), leaf);

const failureOf = async (request: Promise<unknown>) =>
  await request.then(
    () => expect.unreachable('It does not fail.'),
    (error: unknown) => error,
  );

describe.each(methods)('%s', (_, request) => {
  test('sends what kit sends', async () => {
    await request(own()).send();
    await request(kits()).send();
    const [{ id, ...ours }, { id: kitsId, ...theirs }] = bodies as [(typeof bodies)[0], (typeof bodies)[0]];
    expect(ours).toEqual(theirs);
    expect(id).not.toBe(kitsId);
  });

  test('gives each number the type that kit gives it', async () => {
    for (const way of WAYS) {
      for (const leaf of ['7', '9007199254740993']) {
        answer = `"result":${answerAt(way, leaf)}`;
        expect(await request(own()).send(), way).toStrictEqual(await request(kits()).send());
      }
    }
  });

  test('gives any other answer as kit does', async () => {
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 8, withCrossShrink: true },
        fc.oneof(fc.integer(), fc.maxSafeInteger(), fc.double({ noNaN: true, noDefaultInfinity: true })),
        fc.oneof(fc.string(), fc.boolean(), fc.constant(null)),
        fc.array(tie('tree'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom(...NAMES), tie('tree'), { maxKeys: 4, noNullPrototype: true }),
      ),
    }));
    await fc.assert(
      fc.asyncProperty(tree, async (value) => {
        answer = `"result":${JSON.stringify(value)}`;
        expect(await request(own()).send()).toEqual(await request(kits()).send());
      }),
      { numRuns: 30 },
    );
  });

  test('gives its answer to a reactive store', async () => {
    answer = '"result":{"value":1}';
    const pending = request(own()) as ReturnType<HeavenNodeRpc['getLatestBlockhash']>;
    expect(await pending.reactiveStore().dispatchAsync()).toEqual({ value: 1n });
  });
});

describe('a failure', () => {
  test.each([
    ['without data', '{"code":-32602,"message":"invalid param"}'],
    ['without a code', '{"message":"too many"}'],
    ['without a message', '{"code":-32602}'],
    ['that is text', '"down"'],
    ['that is null', 'null'],
  ])('%s has the code that kit gives it', async (_, error) => {
    answer = `"error":${error}`;
    const ours = await failureOf(own().getLatestBlockhash().send());
    const theirs = await failureOf(kits().getLatestBlockhash().send());
    if (!isSolanaError(ours) || !isSolanaError(theirs))
      return expect.unreachable('It is not an error of kit.');
    // kit's words for a malformed error are its own, and it takes over the node's object.
    const words = 'message' in theirs.context ? { message: expect.any(String), error: undefined } : {};
    expect({ error: undefined, ...ours.context }).toMatchObject({ ...theirs.context, ...words });
    return undefined;
  });

  test.each([
    ['a code of kit', 8_100_002, 10],
    ['zero', 0, 10],
    ['its own code', -32_005, -32_005],
  ])('with %s: data of the node is not taken over', async (_, code, __code) => {
    const data = { statusCode: 429, headers: {}, __code: 8_100_002, err: 'AccountNotFound' };
    answer = `"error":${JSON.stringify({ code, message: 'busy', data })}`;
    const error = await failureOf(own().getLatestBlockhash().send());
    const context = { ...(error as { readonly context?: object }).context };
    const said = __code === code ? { __serverMessage: 'busy' } : { message: expect.any(String) };
    expect(context).toEqual({ __code, ...said });
  });

  test('of HTTP is what kit makes of it', async () => {
    init = { status: 429, statusText: 'Too Many', headers: { 'retry-after': '3' } };
    const ours = await failureOf(own().getLatestBlockhash().send());
    if (!isSolanaError(ours, SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR)) return expect.unreachable();
    const { __code, statusCode, message, headers } = ours.context;
    const after = headers.get('retry-after');
    expect([__code, statusCode, message, after]).toEqual([8_100_002, 429, 'Too Many', '3']);
    return undefined;
  });
});

test('a name of Object.prototype is a field like any other', async () => {
  answer = '"result":{"__proto__":{"slot":1}}';
  const result = (await own().getLatestBlockhash().send()) as object;
  expect(Object.entries(result)).toEqual([['__proto__', { slot: 1n }]]);
});

test('a request ends with its signal', async () => {
  vi.stubGlobal(
    'fetch',
    (_: unknown, { signal }: { readonly signal: AbortSignal }) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  );
  const controller = new AbortController();
  const request = own().getLatestBlockhash().send({ abortSignal: controller.signal });
  controller.abort(new Error('enough'));
  await expect(request).rejects.toThrow('enough');
});

test("an explicit commitment is sent, even the nodes' default", async () => {
  await own().getLatestBlockhash({ commitment: 'finalized' }).send();
  expect(bodies[0]?.params).toEqual([{ commitment: 'finalized' }]);
});

test('its methods are those of HeavenNodeRpc', () => {
  const names = [...new Set(methods.map(([name]) => name.split(' ')[0]))];
  expect(Object.keys(own()).sort()).toEqual(names.sort());
});
