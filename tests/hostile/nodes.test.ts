import {
  type Address,
  getAddressEncoder,
  SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR,
  SolanaError,
} from '@solana/kit';
import { stringify } from 'lossless-json';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import { buildBuy, createHeavenClient, quoteBuy, simulate, submitTransaction } from '../../src/index.js';
import { SOL_USD_FEED_ADDRESS, WRAPPED_SOL_MINT_ADDRESS } from '../../src/program/index.js';
import { createEmbeddedLedger, type EmbeddedLedger } from '../../src/testing/index.js';
import {
  away,
  LAST,
  landedRecord,
  Refusal,
  type Script,
  type SignedBuy,
  scripted,
  signedBuy,
  status,
  submitted,
  useFakeTime,
} from '../submit/support.js';
import { STRANGER } from '../support/addresses.js';
import { settle } from '../support/clock.js';
import { expectRefusal, heavenError } from '../support/errors.js';

let buy: SignedBuy;
/** The record of a ledger on which the buy has landed. */
let record: Readonly<Record<string, unknown>>;
beforeAll(async () => {
  buy = await signedBuy();
  record = await landedRecord(buy);
});

const CONFIRMED = status('confirmed');
const SLIPPAGE = { InstructionError: [6, { Custom: 6_002 }] };

describe('an answer of a node is one:', () => {
  const ENOUGH = 4_194_304;
  const HOST = 'https://node.example/?api-key=0123456789abcdef';

  interface Account {
    owner: unknown;
    data: unknown;
  }
  interface Answer {
    readonly id: string;
    readonly result: { value: unknown };
  }
  interface Request {
    readonly method: string;
    readonly params: readonly unknown[];
  }
  /** Changes an answer before it is written as JSON, or gives another. */
  type Edit = (answer: Answer, request: Request) => unknown;
  /** What is written instead. */
  type Write = (honest: string) => string | Response;

  let ledger: EmbeddedLedger;
  let edit: Edit;
  let write: Write;
  let redirects: unknown[];
  beforeEach(async () => {
    ledger = await createEmbeddedLedger();
    edit = () => {};
    write = (honest) => honest;
    redirects = [];
    vi.stubGlobal('fetch', async (_: unknown, { body, redirect }: RequestInit) => {
      redirects.push(redirect);
      const payload = JSON.parse(String(body)) as Request;
      const answer = JSON.parse(stringify(await ledger.transport({ payload } as never)) ?? '') as Answer;
      const written = write(JSON.stringify(edit(answer, payload) ?? answer));
      return typeof written === 'string' ? new Response(written) : written;
    });
  });
  afterEach(() => void vi.unstubAllGlobals());

  const client = () => createHeavenClient({ rpcUrl: HOST, maxResponseBytes: ENOUGH });
  const terms = () => {
    const { mint, configVersion } = ledger.pools.creator;
    return { mint, configVersion, maxSolSpend: '1', slippageBps: 50 };
  };
  const quote = () => quoteBuy(client(), terms());
  const built = async () => {
    const payer = buy.wallet.address;
    ledger.setBalance(payer, 5_000_000_000n);
    return await buildBuy(client(), { payer, quoteResponse: await quote() });
  };

  const ADDRESS = {
    pool: () => ledger.pools.creator.pool,
    config: () => ledger.pools.creator.protocolConfig,
    mint: () => ledger.pools.creator.mint,
    feed: () => SOL_USD_FEED_ADDRESS,
  };
  type Name = keyof typeof ADDRESS;
  const accounts =
    (change: (list: Account[], addresses: readonly Address[]) => unknown): Edit =>
    ({ result }, { method, params }) => {
      if (method === 'getMultipleAccounts') change(result.value as Account[], params[0] as Address[]);
    };
  const account = (name: Name, change: (account: Account) => unknown): Edit =>
    accounts((list, addresses) => {
      const found = list[addresses.indexOf(ADDRESS[name]())];
      if (found) change(found);
    });
  const bytes = (name: Name, change: (data: Uint8Array) => Uint8Array): Edit =>
    account(name, (found) => {
      const [text] = found.data as readonly string[];
      const changed = change(Uint8Array.from(Buffer.from(text!, 'base64')));
      found.data = [Buffer.from(changed).toString('base64'), 'base64'];
    });
  const fill = (name: Name, value: number, from: number, to = from + 1) =>
    bytes(name, (data) => data.fill(value, from, to));
  const longer = (name: Name) => bytes(name, (data) => Uint8Array.of(...data, 1, 2, 3));
  const shorter = (name: Name) => bytes(name, (data) => data.slice(0, 40));
  const owned = (name: Name, owner: unknown) => account(name, (found) => Object.assign(found, { owner }));
  const encoded = (...data: readonly string[]) => account('pool', (found) => Object.assign(found, { data }));
  /** An account that names a stranger in the place of an address. */
  const other = (name: Name, address: () => Address) =>
    bytes(name, (data) => {
      const { encode } = getAddressEncoder();
      const at = Buffer.from(data).indexOf(Buffer.from(encode(address())));
      expect(at).toBeGreaterThan(0);
      data.set(encode(STRANGER), at);
      return data;
    });
  const same: Edit = () => {};

  type Lie = [string, hostile: Edit, code: string, honest?: Edit];
  test.each<Lie>([
    // Owner, discriminator, size: a longer account is one of a later version of the program.
    ...(['pool', 'config', 'feed'] as const).flatMap((name): Lie[] => [
      [`another owner of the ${name}`, owned(name, STRANGER), 'rpc-wrong-account'],
      [`another discriminator of the ${name}`, fill(name, 1, 0, 8), 'rpc-wrong-account'],
      [`too short a ${name}`, shorter(name), 'rpc-wrong-account', name === 'feed' ? same : longer(name)],
      [`no data of the ${name}`, bytes(name, () => new Uint8Array()), 'rpc-wrong-account'],
    ]),
    ['another owner of the mint', owned('mint', STRANGER), 'invalid-account-data:found'],
    ['too short a mint', shorter('mint'), 'invalid-account-data'],
    // What belongs together.
    ['a pool of another mint', other('pool', ADDRESS.mint), 'pool-mismatch:mint'],
    ['a pool of another pair', other('pool', () => WRAPPED_SOL_MINT_ADDRESS), 'unsupported-mint:pool'],
    ['a pool of another config', other('pool', ADDRESS.config), 'invalid-account-data'],
    ['a pool of another kind', fill('pool', 1, 90), 'pool-mismatch:kind'],
    ['a pool of an unknown fee mode', fill('pool', 9, 941), 'invalid-account-data'],
    ['a config of another version', fill('config', 3, 452), 'pool-mismatch:configVersion'],
    // Numbers out of range; brackets, reserves and times are in tests/pool/implausible.test.ts.
    ['a price of 0', fill('feed', 0, 216, 232), 'price-unavailable'],
    ['a price of -1', fill('feed', 255, 216, 232), 'price-unavailable'],
    ['a price of 99 decimals', fill('feed', 99, 138), 'price-unavailable'],
    ['prices that go beyond the data', fill('feed', 200, 148, 149), 'price-unavailable'],
    ['a mint that is not initialized', fill('mint', 0, 45), 'invalid-account-data'],
    ['a mint that is a token account', fill('mint', 2, 165), 'invalid-account-data'],
    ['an extension longer than the mint', fill('mint', 255, 168, 170), 'invalid-account-data'],
    ['a transfer fee of 655 %', fill('mint', 255, 276, 278), 'invalid-account-data'],
    // Accounts that are none.
    ['an owner of 3 MB', owned('pool', '1'.repeat(3_000_000)), 'rpc-invalid-response'],
    ['no owner', owned('pool', null), 'rpc-invalid-response'],
    ['data that is not base64', encoded('!?', 'base64'), 'rpc-invalid-response'],
    ['data in another encoding', encoded('2', 'base58'), 'rpc-invalid-response'],
    ['too few accounts', accounts((list) => list.pop()), 'rpc-invalid-response'],
    ['too many accounts', accounts((list) => list.push(list[0]!)), 'rpc-invalid-response'],
    ['accounts of another shape', accounts((list) => list.fill(7 as never)), 'rpc-invalid-response'],
    // The answer as a whole.
    ['no result', ({ id }) => ({ jsonrpc: '2.0', id, result: null }), 'rpc-invalid-response'],
    ['a number', ({ id }) => ({ jsonrpc: '2.0', id, result: 7 }), 'rpc-invalid-response'],
    ['the id of another request', (answer) => ({ ...answer, id: `${answer.id}0` }), 'rpc-invalid-response'],
    ['no id', ({ result }) => ({ jsonrpc: '2.0', result }), 'rpc-invalid-response'],
    ['a list of answers', (answer) => [answer], 'rpc-invalid-response'],
  ])('%s', async (_, hostile, code, honest = same) => {
    edit = hostile;
    const error = await expectRefusal(quote(), code);
    expect(error.message.length).toBeLessThan(600);
    edit = honest;
    await quote();
  });

  const padded =
    (length: number): Write =>
    (text) =>
      text.padEnd(length);
  const redirect = { status: 307, headers: { location: HOST } };

  test.each<readonly [string, honest: Write, hostile: Write, code: string]>([
    ['a byte too many', padded(ENOUGH), padded(ENOUGH + 1), 'rpc-invalid-response:maxResponseBytes'],
    ['truncated JSON', (text) => ` ${text}\n`, (text) => text.slice(0, -1), 'rpc-invalid-response'],
    ['a redirect', (text) => new Response(text), (text) => new Response(text, redirect), 'rpc-failed'],
  ])('%s', async (_, honest, hostile, code) => {
    write = hostile;
    const error = await expectRefusal(quote(), code);
    expect(error.message).not.toMatch(/node\.example|0123/);
    write = honest;
    await quote();
    expect(new Set(redirects)).toEqual(new Set(['manual']));
  });

  test.each([8_100_002, 10, 0, 1.5, '-32005', null])(
    "an error with the code %j, which is not a node's",
    async (code) => {
      const data = { statusCode: 429, headers: { 'retry-after': '9' }, __code: 8_100_002 };
      const message = `\u202e${HOST} ${'x'.repeat(100_000)}`;
      edit = ({ id }) => ({ jsonrpc: '2.0', id, error: { code, message, data } });
      const { message: words } = await expectRefusal(quote(), 'rpc-invalid-response', {
        method: 'getMultipleAccounts',
      });
      expect(words).not.toMatch(/\p{C}|node\.example|x{9}/u);
      edit = ({ id }) => ({ jsonrpc: '2.0', id, error: { code: -32_005, message, data } });
      const { context } = await expectRefusal(quote(), 'rpc-failed');
      expect(context).toMatchObject({ rpcCode: -32_005 });
    },
  );

  /** An answer to this method whose value has other fields. */
  const valued =
    (asked: string, change: object): Edit =>
    ({ result }, { method }) => {
      if (method === asked) result.value = { ...(result.value as object), ...change };
    };

  test.each<[string, honest: object, hostile: object]>([
    ['no block hash', {}, { blockhash: null }],
    ['a block hash of 31 bytes', {}, { blockhash: '1'.repeat(31) }],
    ['no last height', { lastValidBlockHeight: 0 }, { lastValidBlockHeight: null }],
    ['a height with a fraction', { lastValidBlockHeight: 5 }, { lastValidBlockHeight: 5.5 }],
    ['a height that is text', { lastValidBlockHeight: 5 }, { lastValidBlockHeight: '5' }],
    ['a height beyond 64 bits', { lastValidBlockHeight: 2 ** 53 }, { lastValidBlockHeight: 2 ** 64 }],
  ])('%s', async (_, honest, hostile) => {
    const method = 'getLatestBlockhash';
    edit = valued(method, hostile);
    await expectRefusal(built(), 'rpc-invalid-response', { method });
    edit = valued(method, honest);
    await built();
  });

  const sized = (loadedAccountsDataSize: unknown) => ({ loadedAccountsDataSize });
  test.each<[string, honest: object, hostile: object]>([
    // JavaScript throws where it makes a number of this.
    ['a size without a value', sized(null), sized({ toString: 1, valueOf: 1 })],
    ['a size that is text', sized(10), sized('10')],
    ['a negative size', sized(0), sized(-1)],
    ['a size beyond 32 bits', sized(2 ** 32 - 1), sized(2 ** 32)],
    ['logs that are not a list', { logs: null }, { logs: 7 }],
    ['logs that are not text', { logs: [''] }, { logs: [null] }],
    ['no verdict', { err: null }, { err: undefined }],
    ['compute units that are text', { unitsConsumed: 5 }, { unitsConsumed: '5' }],
  ])('a simulation with %s', async (_, honest, hostile) => {
    const transaction = await built();
    const method = 'simulateTransaction';
    edit = valued(method, hostile);
    await expectRefusal(simulate(client(), transaction), 'rpc-invalid-response', { method });
    edit = valued(method, honest);
    expect((await simulate(client(), transaction)).ok).toBe(true);
  });

  test.each([
    ['what it means', 'Too little room.', /The program says: "Too little room\."$/],
    ['20,000 characters with a URL and hidden ones', `\u202e\u001b[31m${HOST}${'x'.repeat(20_000)}`, /a URL/],
  ])('a simulation whose program says %s', async (_, said, words) => {
    const transaction = await built();
    const logs = [`Program ${STRANGER} invoke [1]`, `Program log: ${said}`, `Program ${STRANGER} failed: x`];
    const err = { InstructionError: [3, 'InvalidArgument'] };
    edit = valued('simulateTransaction', { err, logs, accounts: null });
    const simulation = await simulate(client(), transaction);
    if (simulation.ok !== false) throw new Error('It succeeds.');
    expect(simulation.error.message).toMatch(words);
    expect(simulation.error.message).not.toMatch(/\p{C}|0123/u);
    expect(simulation.error.message.length).toBeLessThan(400);
  });
});

describe('the outcome of a transaction', () => {
  useFakeTime();
  const unknown = (context: object = {}) =>
    heavenError('outcome-unknown', { signature: buy.signature, ...context });

  const lands: Script = { status: () => CONFIRMED, record: () => record };

  describe("an error of the node with kit's code of an HTTP error", () => {
    const poses = () => {
      throw new Refusal(8_100_002, { statusCode: 429, headers: { get: 1 } });
    };

    test.each([[[{ ...lands, send: poses }, {}, {}]], [[lands, { send: poses }, { send: poses }]]])(
      'when it is sent: it may be in flight, and lands',
      async (scripts) => {
        expect((await submitted(buy, scripts)).result?.status).toBe('landed');
      },
    );

    test.each(['height', 'status'])('at each %s: nobody knows the outcome', async (at) => {
      const { error, events } = await submitted(buy, [{ [at]: poses }, {}, {}]);
      expect(error).toEqual(unknown());
      expect(events.filter((event) => /rpc-rate-limited/.test(event))).toEqual([]);
    });
  });

  test.each([
    { InstructionError: null },
    { InstructionError: ['x', { Custom: 'y' }] },
    { InstructionError: [0.5, { Custom: 1e300 }] },
    { InstructionError: [{}, [[]]] },
  ])('%j as an error in a status: failed', async (err) => {
    const { result } = await submitted(buy, [{ status: () => status('confirmed', err) }]);
    expect(result).toMatchObject({ status: 'failed', slot: 7n });
    expect(result?.status === 'failed' && result.error.message).not.toMatch(/NaN|undefined|null/);
  });

  test.each([5, 'text', {}, [null, {}, 5]])(
    '%j as the logs of a simulation: rejected, and another node takes it',
    async (logs) => {
      const send = () => {
        throw new Refusal(-32_002, { err: SLIPPAGE, logs });
      };
      const { result, events } = await submitted(buy, [{ ...lands, send }, {}]);
      expect(result?.status).toBe('landed');
      expect(events.find((event) => event.startsWith('0 '))).toMatch(/^0 rejected /);
      const alone = await submitted(buy, [{ send }]);
      expect(alone.result).toMatchObject({ status: 'failed', slot: undefined });
    },
  );

  test.each([
    ['knows it for ever, and never confirms it', { status: () => status('processed') }, LAST],
    ['has a block hash that is said to last for ever', {}, 2n ** 64n - 1n],
  ])(
    'a node that %s: after ten minutes nobody knows the outcome',
    async (_, script, lastValidBlockHeight) => {
      const { error, elapsed } = await submitted(buy, [script], { lastValidBlockHeight });
      expect(error).toEqual(unknown({ lastValidBlockHeight }));
      expect(elapsed).toBeGreaterThan(600_000);
      expect(elapsed).toBeLessThan(610_000);
    },
  );

  test.each([
    'sendTransaction',
    'getEpochInfo',
    'isBlockhashValid',
    'getSignatureStatuses',
    'getTransaction',
  ])('an RPC without %s is rejected before another node has the transaction', async (method) => {
    const good = scripted(buy.signature, {});
    const client = createHeavenClient({ rpc: good.rpc });
    const poor = new Proxy(good.rpc, {
      get: (rpc, name) => (name === method ? undefined : Reflect.get(rpc, name)),
    });
    const options = { lastValidBlockHeight: LAST };
    const beside = submitTransaction(client, buy.tx, { ...options, rpcs: [poor] });
    await expectRefusal(beside, 'invalid-input', { field: 'rpcs[0]' });
    const alone = submitTransaction({ ...client, rpc: poor }, buy.tx, options);
    await expectRefusal(alone, 'invalid-input', { field: 'client.rpc' });
    expect(good.calls).toEqual([]);
  });

  test.each(['processed', 'confirmed'] as const)(
    'it fails in a fork that is dropped, and lands in another: landed, at %s',
    async (commitment) => {
      let looks = 0;
      const forks: Script = {
        status: () => {
          looks += 1;
          return looks < 4 ? status('processed', SLIPPAGE) : CONFIRMED;
        },
        record: () => (looks < 4 ? null : record),
      };
      expect((await submitted(buy, [forks], { commitment })).result?.status).toBe('landed');
    },
  );

  describe('a last valid block height that is too low', () => {
    const lastValidBlockHeight = 1_001n;

    test('does not make a transaction expire whose block hash is still valid', async () => {
      let asked = 0;
      const look = () => {
        asked += 1;
        return asked < 8 ? null : CONFIRMED;
      };
      const script = { ...lands, valid: () => true, status: look };
      const { result, nodes } = await submitted(buy, [script], { lastValidBlockHeight });
      expect(result?.status).toBe('landed');
      expect(nodes[0]?.count('sendTransaction')).toBeGreaterThan(1);
    });

    test.each([
      ['neither true nor false', () => 'no'],
      ['no answer', () => away()],
    ])('is not trusted on %s', async (_, valid) => {
      const { error, events } = await submitted(buy, [{ valid }], { lastValidBlockHeight });
      expect(error).toEqual(heavenError('outcome-unknown'));
      expect(events.some((event) => event.startsWith('0 no-answer isBlockhashValid'))).toBe(true);
    });
  });

  test.each([
    ['processed', 'confirmed'],
    ['confirmed', 'confirmed'],
    ['finalized', 'finalized'],
  ] as const)(
    'at %s it asks for the height at %s: that of a fork that is dropped proves nothing',
    async (commitment, level) => {
      const { rpc } = scripted(buy.signature, { ...lands, status: () => status('finalized') });
      const getEpochInfo = vi.fn(rpc.getEpochInfo);
      const noting = new Proxy(rpc, {
        get: (target, name) => (name === 'getEpochInfo' ? getEpochInfo : Reflect.get(target, name)),
      });
      const client = createHeavenClient({ rpc: noting, commitment });
      const result = await settle(submitTransaction(client, buy.tx, { lastValidBlockHeight: LAST }));
      expect(result.status).toBe('landed');
      expect(getEpochInfo.mock.calls).toEqual([[{ commitment: level }]]);
    },
  );

  test('a node is asked not to retry, because the bytes are resent from here', async () => {
    const send = vi.fn((_config: object) => buy.signature);
    await submitted(buy, [{ ...lands, send }]);
    expect(send.mock.calls).toEqual([[expect.objectContaining({ maxRetries: 0n })]]);
  });

  test.each([401, 403])('a key that it does not take (HTTP %i): nothing was sent', async (statusCode) => {
    const context = { headers: new Headers(), message: '', statusCode };
    const send = () => {
      throw new SolanaError(SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR, context);
    };
    const { error } = await submitted(buy, [{ send }]);
    expect(error).toEqual(heavenError('rpc-failed', { status: statusCode }));
    expect((await submitted(buy, [{ send, status: () => CONFIRMED }, {}])).result?.status).toBe('landed');
  });
});
