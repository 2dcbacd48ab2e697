import { type Address, SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR, SolanaError } from '@solana/kit';
import { describe, expect, test } from 'vitest';

import { createFailoverTransport, createHeavenClient, findPools } from '../../src/index.js';
import {
  decodeLiquidityPoolState,
  findPoolAddress,
  HEAVEN_PROGRAM_ADDRESS,
  SYSTEM_PROGRAM_ADDRESS,
} from '../../src/program/index.js';
import {
  createEmbeddedLedger,
  createSamplePoolFields,
  type EmbeddedLedger,
} from '../../src/testing/index.js';
import { addressNamed } from '../support/addresses.js';
import { expectRefusal } from '../support/errors.js';
import { client, ledger, lying, useLedger } from '../support/ledger.js';
import { clientOver, createNode, type Does, rejecting } from '../support/rpc.js';

useLedger();

const found = async (input: Parameters<typeof findPools>[1]) =>
  (await findPools(client, input)).map(({ address }) => address);
const addresses = (...names: (keyof EmbeddedLedger['pools'])[]) =>
  names.map((name) => ledger.pools[name].pool).sort();

interface Entry {
  pubkey: string;
  account: { owner: string; data: [string, string]; lamports: bigint };
}

describe('finds pools', () => {
  test('all of them, only with the option all', async () => {
    expect(await found({ all: true })).toEqual(addresses('community', 'creator', 'pro', 'launching'));
    await expectRefusal(findPools(client, {}), 'invalid-input', { field: 'all' });
    await expectRefusal(findPools(client, { mint: undefined }), 'invalid-input');
  });

  test('by kind, config version, creator and mint', async () => {
    const { community, creator, pro, launching } = ledger.pools;
    expect(await found({ kind: 'pro' })).toEqual([pro.pool]);
    expect(await found({ kind: 'standard' })).toEqual(addresses('community', 'creator', 'launching'));
    expect(await found({ configVersion: 2 })).toEqual([creator.pool]);
    expect(await found({ creator: community.creator })).toEqual([community.pool]);
    expect(await found({ mint: launching.mint })).toEqual([launching.pool]);
    expect(await found({ mint: pro.mint, kind: 'pro', creator: pro.creator, configVersion: 3 })).toEqual([
      pro.pool,
    ]);
    expect(await found({ configVersion: 3, kind: 'standard' })).toEqual([]);
    expect(await found({ configVersion: 0x0103 })).toEqual([]);
    expect(await found({ creator: addressNamed('nobody') })).toEqual([]);
  });

  test("a token's standard pool and its pro pools", async () => {
    const { mint, pool } = ledger.pools.creator;
    const { creator: token } = await createSamplePoolFields();
    const made = {
      kind: 'pro',
      configVersion: 3,
      creator: addressNamed('another creator'),
      state: {},
    } as const;
    const pro = await ledger.addPool({ ...token, ...made });
    expect(await found({ mint })).toEqual([pool, pro.pool].sort());
  });

  test('in one call, by the bytes at their offsets and not by their size', async () => {
    const { pro } = ledger.pools;
    await findPools(client, { mint: pro.mint, kind: 'pro', creator: pro.creator, configVersion: 3 });
    expect(ledger.requests).toHaveLength(1);
    expect(ledger.requests[0]).toMatchObject({
      method: 'getProgramAccounts',
      params: [
        HEAVEN_PROGRAM_ADDRESS,
        {
          encoding: 'base64',
          commitment: 'confirmed',
          filters: [
            // be9edc820fa284fc in base58, worked out in another language.
            { memcmp: { offset: 0n, encoding: 'base58', bytes: 'YtFyNfgZr8K' } },
            { memcmp: { offset: 792n, bytes: pro.mint } },
            { memcmp: { offset: 8n, bytes: pro.creator } },
            // 03 00 01: version 3, pro.
            { memcmp: { offset: 88n, bytes: '21Sp' } },
          ],
        },
      ],
    });
  });

  test('with a later, longer layout too', async () => {
    const { pool } = ledger.pools.pro;
    const account = ledger.getAccount(pool)!;
    ledger.setAccount(pool, { ...account, data: Uint8Array.from([...account.data, 1, 2, 3]) });
    const found = await findPools(client, { kind: 'pro' });
    expect(found).toMatchObject([{ state: { tokenA: { mint: ledger.pools.pro.mint } } }]);
    expect(found[0]?.data).toHaveLength(2307);
  });

  test('on another deployment', async () => {
    const programAddress = addressNamed('another exchange');
    const other = await createEmbeddedLedger({ programAddress });
    const there = createHeavenClient({ rpc: other.rpc, deployment: { programAddress } });
    expect(await findPools(there, { kind: 'pro' })).toMatchObject([{ address: other.pools.pro.pool }]);
    expect(await findPools(createHeavenClient({ rpc: other.rpc }), { kind: 'pro' })).toEqual([]);
  });
});

test('a found pool says what it is, and is decoded in full once, when its state is read', async () => {
  const { pool, mint, creator, configVersion } = ledger.pools.creator;
  const [only] = await findPools(client, { creator });
  expect(only).toMatchObject({ address: pool, kind: 'standard', configVersion, mint, creator });
  const { state } = only!;
  expect(state).toEqual(decodeLiquidityPoolState(ledger.getAccount(pool)!.data));
  expect(only!.state).toBe(state);
  expect(only!.data).toEqual(ledger.getAccount(pool)!.data);
});

describe('the standard pool of a token', () => {
  test('needs no search, and must match the other filters', async () => {
    const { mint, pool, creator } = ledger.pools.community;
    expect(await found({ kind: 'standard', mint, creator, configVersion: 1 })).toEqual([pool]);
    expect(ledger.requests.map(({ method }) => method)).toEqual(['getMultipleAccounts']);
    expect(await found({ kind: 'standard', mint, configVersion: 2 })).toEqual([]);
    expect(await found({ kind: 'standard', mint, creator: addressNamed('nobody') })).toEqual([]);
  });

  test('may not exist, or not belong to the exchange', async () => {
    const mint = addressNamed('no pool');
    expect(await found({ kind: 'standard', mint })).toEqual([]);
    const address = await findPoolAddress({ mint });
    ledger.setAccount(address, { owner: SYSTEM_PROGRAM_ADDRESS, data: new Uint8Array(), lamports: 1n });
    expect(await found({ kind: 'standard', mint })).toEqual([]);
  });

  test('must be a pool', async () => {
    const { community, creator } = ledger.pools;
    ledger.setAccount(community.pool, ledger.getAccount(creator.protocolConfig));
    const found = findPools(client, { kind: 'standard', mint: community.mint });
    await expectRefusal(found, 'rpc-wrong-account', { address: community.pool });
  });
});

test.each([
  [{ mint: 'x' as Address }, 'invalid-address'],
  [{ creator: 7 as never }, 'invalid-address'],
  [{ kind: 'creator' as never }, 'invalid-input'],
  [{ configVersion: 65536 }, 'invalid-input'],
  [{ all: 'yes' as never }, 'invalid-input'],
  [null as never, 'invalid-input'],
] as const)('rejects %j', async (input, code) => {
  await expectRefusal(findPools(client, input), code);
  expect(ledger.requests).toEqual([]);
});

describe('an answer of a node', () => {
  /** The first entry, changed. */
  const changed = (change: (entry: Entry) => void) => (list: Entry[]) => {
    const [first, ...rest] = structuredClone(list);
    change(first!);
    return [first, ...rest];
  };
  /** The pool that is looked for, with other bytes. */
  const withData = (change: (data: Uint8Array) => Uint8Array | number) =>
    changed(({ account }) => {
      const data = Uint8Array.from(Buffer.from(account.data[0], 'base64'));
      const result = change(data);
      account.data[0] = Buffer.from(typeof result === 'number' ? data : result).toString('base64');
    });

  test.each<[string, (list: Entry[]) => unknown]>([
    ['no list', () => ({ value: [] })],
    ['null', () => null],
    ['no account', () => [null]],
    ['no data', changed(({ account }) => delete (account as Partial<Entry['account']>).data)],
    ['another encoding', changed(({ account }) => (account.data[1] = 'base58'))],
    ['no base64', changed(({ account }) => (account.data[0] = '*'))],
    ['no address', changed((entry) => (entry.pubkey = 'x'))],
    ['another owner', changed(({ account }) => (account.owner = SYSTEM_PROGRAM_ADDRESS))],
    ['an account twice', (list) => [...list, ...list]],
    ['another discriminator', withData((data) => (data[7]! ^= 1))],
    ['an account cut short', withData((data) => data.subarray(0, 2303))],
    ['a kind that there is not', withData((data) => (data[90] = 0))],
  ])('with %s is rejected', async (_, change) => {
    const { mint, creator } = ledger.pools.pro;
    const input = { kind: 'pro', mint, creator, configVersion: 3 } as const;
    const method = 'getProgramAccounts';
    const answered = (by: (list: Entry[]) => unknown) => findPools(lying(method, by as never), input);
    expect(await answered(withData((data) => data))).toHaveLength(1);
    await expectRefusal(answered(change), 'rpc-invalid-response', { method });
  });

  test('is not filtered again', async () => {
    const standard = lying('getProgramAccounts', withData((data) => (data[90] = 2)) as never);
    const pools = await findPools(standard, { kind: 'pro' });
    expect(pools.map(({ kind }) => kind)).toEqual(['standard']);
  });
});

describe('a node that does not answer such queries', () => {
  const rpcError =
    (code: number, message: string): Does =>
    ({ payload: { id } }) => ({ jsonrpc: '2.0', id, error: { code, message } });
  const httpError = (statusCode: number): Does => {
    const about = { headers: new Headers(), message: 'no', statusCode };
    return rejecting(new SolanaError(SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR, about));
  };

  test.each<[string, Does, object]>([
    ['HTTP 403', httpError(403), {}],
    ['HTTP 410', httpError(410), {}],
    ['method not found', rpcError(-32601, 'Method not found'), { rpcCode: -32601 }],
    [
      'excluded from the index',
      rpcError(-32010, `${HEAVEN_PROGRAM_ADDRESS} excluded from account secondary indexes`),
      { rpcCode: -32010 },
    ],
    ['results over the limit', rpcError(-32012, 'The scan exceeded the limit'), { rpcCode: -32012 }],
    ['not on this plan', rpcError(-32600, 'not available on the free tier'), { rpcCode: -32600 }],
    ['disabled', rpcError(-32603, 'method disabled'), { rpcCode: -32603 }],
    ['a code of its own', rpcError(-32052, 'API key is not allowed to call it'), { rpcCode: -32052 }],
  ])('is recognized: %s', async (_, answer, context) => {
    const transport = createFailoverTransport([createNode(answer).transport]);
    const failure = findPools(clientOver(transport), { kind: 'pro' });
    await expectRefusal(failure, 'rpc-method-unsupported', { method: 'getProgramAccounts', ...context });
  });

  test.each<[string, Does, string]>([
    ['HTTP 500', httpError(500), 'rpc-failed'],
    ['HTTP 429', httpError(429), 'rpc-rate-limited'],
    ['too many requests', rpcError(-32600, 'Too many requests'), 'rpc-rate-limited'],
    ['an internal error', rpcError(-32603, 'Internal error'), 'rpc-failed'],
    ['invalid parameters', rpcError(-32602, 'filter not supported'), 'rpc-failed'],
    ['a node that is behind', rpcError(-32005, 'Node is unhealthy'), 'rpc-failed'],
  ])('is not confused with another failure: %s', async (_, answer, code) => {
    await expectRefusal(findPools(clientOver(answer), { kind: 'pro' }), code as never);
  });
});

test('a caller can abort', async () => {
  const abortSignal = AbortSignal.abort();
  await expectRefusal(findPools(client, { kind: 'pro', abortSignal }), 'aborted');
});
