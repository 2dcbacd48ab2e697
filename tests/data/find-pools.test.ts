import {
  type Address,
  createSolanaRpcFromTransport,
  type RpcTransport,
  SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR,
  SolanaError,
} from '@solana/kit';
import { describe, expect, test } from 'vitest';

import {
  createHeavenClient,
  decodeLiquidityPoolState,
  findPools,
  type HeavenClient,
  type HeavenRpc,
} from '../../src/index.js';
import {
  encodeLiquidityPoolState,
  findPoolAddress,
  HEAVEN_PROGRAM_ADDRESS,
  SYSTEM_PROGRAM_ADDRESS,
} from '../../src/program/index.js';
import { createEmbeddedLedger, type EmbeddedLedger } from '../../src/testing/index.js';
import { addressNamed } from '../support/addresses.js';
import { capturedAccount, hasCapturedAccounts, withCapturedAccounts } from '../support/captured.js';
import { expectRefusal } from '../support/errors.js';
import { client, ledger, useLedger } from '../support/ledger.js';

useLedger();

const found = async (input: Parameters<typeof findPools>[1]) =>
  (await findPools(client, input)).map(({ address }) => address);
const addresses = (...names: (keyof EmbeddedLedger['pools'])[]) =>
  names.map((name) => ledger.pools[name].pool).sort();
const methods = () => ledger.requests.map(({ method }) => method);

/** A client over the ledger whose answers to one method are changed. */
function lying(change: (result: never) => unknown, method = 'getProgramAccounts'): HeavenClient {
  const transport = (async (request: { readonly payload: { readonly method: string } }) => {
    const answer = (await ledger.transport(request as never)) as { result: never };
    return request.payload.method === method ? { ...answer, result: change(answer.result) } : answer;
  }) as unknown as RpcTransport;
  return createHeavenClient({ rpc: createSolanaRpcFromTransport(transport) as unknown as HeavenRpc });
}

/** A client whose node answers every request with an error. */
const refusing = (answer: () => unknown): HeavenClient =>
  createHeavenClient({
    rpc: createSolanaRpcFromTransport((async () => answer()) as RpcTransport) as unknown as HeavenRpc,
  });

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
    const { creator } = ledger.pools;
    const pro = await ledger.addPool({
      kind: 'pro',
      configVersion: 3,
      mint: creator.mint,
      tokenProgram: creator.tokenProgram,
      creator: addressNamed('another creator'),
      token: { decimals: 9, supply: 1n },
      state: {},
      reserve: { tokenA: 5n, tokenB: 7n },
    });
    expect(await found({ mint: creator.mint })).toEqual([creator.pool, pro.pool].sort());
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
    const [only, ...others] = await findPools(client, { kind: 'pro' });
    expect(others).toEqual([]);
    expect(only?.state.tokenA.mint).toBe(ledger.pools.pro.mint);
    expect(only?.data).toHaveLength(2307);
  });

  test('on another deployment', async () => {
    const programAddress = addressNamed('another exchange');
    const other = await createEmbeddedLedger({ programAddress });
    const there = createHeavenClient({ rpc: other.rpc, deployment: { programAddress } });
    expect((await findPools(there, { kind: 'pro' })).map(({ address }) => address)).toEqual([
      other.pools.pro.pool,
    ]);
    expect(await findPools(createHeavenClient({ rpc: other.rpc }), { kind: 'pro' })).toEqual([]);
  });

  test('sorted by address, whatever the order of the answer', async () => {
    const backwards = lying((list: Entry[]) => [...list].reverse());
    const there = (await findPools(backwards, { all: true })).map(({ address }) => address);
    expect(there).toEqual(await found({ all: true }));
    expect(there).toEqual([...there].sort());
  });
});

describe('a found pool', () => {
  test('says what it is', async () => {
    const { pool, mint, creator, configVersion } = ledger.pools.creator;
    const [only] = await findPools(client, { creator });
    expect(only).toMatchObject({ address: pool, kind: 'standard', configVersion, mint, creator });
  });

  test('is decoded in full once, when its state is read', async () => {
    const { pool } = ledger.pools.creator;
    const [only] = await findPools(client, { configVersion: 2 });
    const { state } = only!;
    expect(state).toEqual(decodeLiquidityPoolState(ledger.getAccount(pool)!.data));
    expect(only!.state).toBe(state);
    expect(only!.data).toEqual(ledger.getAccount(pool)!.data);
  });

  test('is read at the offsets of the encoder', async () => {
    const { pool } = ledger.pools.pro;
    const mint = addressNamed('a mint');
    const creator = addressNamed('a creator');
    ledger.updatePool(pool, ({ info, tokenA }) => ({
      info: { ...info, creator, protocolConfigVersion: 0xabcd },
      tokenA: { ...tokenA, mint },
    }));
    for (const input of [{ mint }, { creator }, { configVersion: 0xabcd }]) {
      expect(await findPools(client, input)).toMatchObject([
        { address: pool, mint, creator, configVersion: 0xabcd },
      ]);
    }
  });
});

describe('the standard pool of a token', () => {
  test('needs no search', async () => {
    const { mint, pool } = ledger.pools.community;
    expect(await found({ kind: 'standard', mint })).toEqual([pool]);
    expect(methods()).toEqual(['getMultipleAccounts']);
  });

  test('must match the other filters', async () => {
    const { mint, pool, creator } = ledger.pools.community;
    expect(await found({ kind: 'standard', mint, creator, configVersion: 1 })).toEqual([pool]);
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

  test('must match its address', async () => {
    const { community, creator, pro } = ledger.pools;
    const find = () => findPools(client, { kind: 'standard', mint: community.mint });
    for (const other of [creator.pool, pro.pool]) {
      ledger.setAccount(community.pool, ledger.getAccount(other));
      await expectRefusal(find(), 'rpc-invalid-response', { method: 'getMultipleAccounts' });
    }
    ledger.setAccount(community.pool, ledger.getAccount(creator.protocolConfig));
    await expectRefusal(find(), 'rpc-wrong-account', { address: community.pool });
  });
});

describe('bad input', () => {
  test.each([
    [{ mint: 'x' as Address }, 'invalid-address'],
    [{ creator: 7 as never }, 'invalid-address'],
    [{ kind: 'creator' as never }, 'invalid-input'],
    [{ configVersion: -1 }, 'invalid-input'],
    [{ configVersion: 65536 }, 'invalid-input'],
    [{ all: 'yes' as never }, 'invalid-input'],
    [null as never, 'invalid-input'],
  ] as const)('%j', async (input, code) => {
    await expectRefusal(findPools(client, input), code);
    expect(ledger.requests).toEqual([]);
  });
});

describe('a node that lies', () => {
  const pool = (list: Entry[], change: (entry: Entry) => void) => {
    const [first, ...rest] = structuredClone(list);
    change(first!);
    return [first, ...rest];
  };
  const dataOf = (name: 'community' | 'creator' | 'pro', change: (data: Uint8Array) => void = () => {}) => {
    const data = Uint8Array.from(ledger.getAccount(ledger.pools[name].pool)!.data);
    change(data);
    return Buffer.from(data).toString('base64');
  };

  test.each<[string, (list: Entry[]) => unknown]>([
    ['no list', () => ({ value: [] })],
    ['null', () => null],
    ['no account', () => [null]],
    [
      'an account without data',
      (list) => pool(list, (entry) => delete (entry.account as Partial<Entry['account']>).data),
    ],
    [
      'an account of another encoding',
      (list) => pool(list, ({ account }) => account.data.splice(1, 1, 'base58')),
    ],
    ['no base64', (list) => pool(list, ({ account }) => account.data.splice(0, 1, '*'))],
    ['an address that is none', (list) => pool(list, (entry) => (entry.pubkey = 'x'))],
    ['another owner', (list) => pool(list, ({ account }) => (account.owner = SYSTEM_PROGRAM_ADDRESS))],
    ['an account twice', (list) => [...list, ...list]],
    [
      'another discriminator',
      (list) =>
        pool(list, ({ account }) =>
          account.data.splice(
            0,
            1,
            dataOf('pro', (data) => (data[7]! ^= 1)),
          ),
        ),
    ],
    [
      'an account cut short',
      (list) =>
        pool(list, ({ account }) =>
          account.data.splice(
            0,
            1,
            Buffer.from(dataOf('pro'), 'base64').subarray(0, 2303).toString('base64'),
          ),
        ),
    ],
    [
      'another kind',
      (list) =>
        pool(list, ({ account }) =>
          account.data.splice(
            0,
            1,
            dataOf('pro', (data) => (data[90] = 2)),
          ),
        ),
    ],
    [
      'a kind that there is not',
      (list) =>
        pool(list, ({ account }) =>
          account.data.splice(
            0,
            1,
            dataOf('pro', (data) => (data[90] = 0)),
          ),
        ),
    ],
    [
      'another version',
      (list) =>
        pool(list, ({ account }) =>
          account.data.splice(
            0,
            1,
            dataOf('pro', (data) => (data[89] = 1)),
          ),
        ),
    ],
    [
      'another mint',
      (list) =>
        pool(list, ({ account }) =>
          account.data.splice(
            0,
            1,
            dataOf('pro', (data) => (data[823]! ^= 1)),
          ),
        ),
    ],
    [
      'another creator',
      (list) =>
        pool(list, ({ account }) =>
          account.data.splice(
            0,
            1,
            dataOf('pro', (data) => (data[39]! ^= 1)),
          ),
        ),
    ],
  ])('with %s is rejected', async (_, change) => {
    const { mint, creator } = ledger.pools.pro;
    await expectRefusal(
      findPools(lying(change as never), { kind: 'pro', mint, creator, configVersion: 3 }),
      'rpc-invalid-response',
      { method: 'getProgramAccounts' },
    );
  });
});

describe('a node that does not answer such queries', () => {
  const rpcError = (code: number, message: string) => () => ({
    jsonrpc: '2.0',
    id: '0',
    error: { code, message },
  });
  const httpError = (statusCode: number) => () => {
    throw new SolanaError(SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR, {
      headers: new Headers(),
      message: 'no',
      statusCode,
    });
  };

  test.each<[string, () => unknown, object]>([
    ['HTTP 403', httpError(403), {}],
    ['HTTP 410', httpError(410), {}],
    ['method not found', rpcError(-32601, 'Method not found'), { rpcCode: -32601 }],
    [
      'excluded from the index',
      rpcError(
        -32010,
        `${HEAVEN_PROGRAM_ADDRESS} excluded from account secondary indexes; this RPC method unavailable for key`,
      ),
      { rpcCode: -32010 },
    ],
    [
      'results over the limit',
      rpcError(-32012, 'The accumulated scan results exceeded the limit'),
      { rpcCode: -32012 },
    ],
    [
      'not on this plan',
      rpcError(-32600, 'getProgramAccounts is not available on the free tier'),
      { rpcCode: -32600 },
    ],
    ['disabled', rpcError(-32603, 'method disabled'), { rpcCode: -32603 }],
  ])('is recognized: %s', async (_, answer, context) => {
    const failure = findPools(refusing(answer), { kind: 'pro' });
    await expectRefusal(failure, 'rpc-method-unsupported', { method: 'getProgramAccounts', ...context });
    await expect(failure).rejects.toThrow(/Use a node that allows it.*kind: 'standard'/);
  });

  test.each<[string, () => unknown, string]>([
    ['HTTP 500', httpError(500), 'rpc-failed'],
    ['HTTP 429', httpError(429), 'rpc-rate-limited'],
    ['too many requests', rpcError(-32600, 'Too many requests'), 'rpc-failed'],
    ['an internal error', rpcError(-32603, 'Internal error'), 'rpc-failed'],
    ['invalid parameters', rpcError(-32602, 'filter not supported'), 'rpc-failed'],
    ['a node that is behind', rpcError(-32005, 'Node is unhealthy'), 'rpc-failed'],
  ])('is not confused with another failure: %s', async (_, answer, code) => {
    await expectRefusal(findPools(refusing(answer), { kind: 'pro' }), code as never);
  });

  test('still gives the standard pool of a token', async () => {
    const { mint, pool } = ledger.pools.creator;
    const there = lying(() => {
      throw new Error('It is not asked');
    });
    expect((await findPools(there, { kind: 'standard', mint }))[0]?.address).toBe(pool);
  });
});

test('a caller can abort', async () => {
  const abortSignal = AbortSignal.abort();
  await expectRefusal(findPools(client, { kind: 'pro', abortSignal }), 'aborted');
});

describe('the embedded ledger answers getProgramAccounts', () => {
  const base = { encoding: 'base64' } as const;

  test('in a context, by size and by base64', async () => {
    const { pool } = ledger.pools.pro;
    const answer = await ledger.rpc
      .getProgramAccounts(HEAVEN_PROGRAM_ADDRESS, {
        ...base,
        withContext: true,
        filters: [
          { dataSize: 2304n },
          { memcmp: { offset: 90n, bytes: 'AQ==' as never, encoding: 'base64' } },
        ],
      })
      .send();
    expect(answer).toMatchObject({
      context: { slot: ledger.slot },
      value: [{ pubkey: pool, account: { owner: HEAVEN_PROGRAM_ADDRESS, space: 2304n } }],
    });
    expect(answer.value).toHaveLength(1);
  });

  test('and rejects what a node rejects', async () => {
    const filter = { dataSize: 2304n } as const;
    const ask = (config: object) =>
      ledger.rpc.getProgramAccounts(HEAVEN_PROGRAM_ADDRESS, { ...base, ...config }).send();
    await expect(ask({ filters: [filter, filter, filter, filter, filter] })).rejects.toThrow();
    await expect(ask({ dataSlice: { offset: 88, length: 3 } })).rejects.toThrow();
    await expect(
      ask({ filters: [{ memcmp: { offset: 0n, bytes: '1'.repeat(129), encoding: 'base58' } }] }),
    ).rejects.toThrow();
  });
});

test.skipIf(!hasCapturedAccounts)(`finds the captured LIGHT pool${withCapturedAccounts}`, async () => {
  const { address, owner, data } = capturedAccount('light_sol_pool');
  for (const { pool } of Object.values(ledger.pools)) ledger.setAccount(pool, undefined);
  ledger.setAccount(address, { owner, data });
  const mint = capturedAccount('light_mint').address;
  const [only, ...others] = await findPools(client, { mint, kind: undefined, configVersion: 2 });
  expect(others).toEqual([]);
  expect(only).toMatchObject({ address, kind: 'standard', mint, configVersion: 2 });
  expect(only?.state.reserve.tokenA).toBe(103_927_583_151_068_173n);
  expect(await found({ creator: only!.creator })).toEqual([address]);
  expect(await found({ kind: 'standard', mint })).toEqual([address]);
  // The captured bytes are those of the encoder where both know them.
  expect(encodeLiquidityPoolState(only!.state)).toHaveLength(data.length);
});
