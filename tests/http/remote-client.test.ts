import { getEventListeners } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';

import {
  type Address,
  createNoopSigner,
  createSolanaRpcFromTransport,
  generateKeyPairSigner,
  isTransactionSigner,
  type KeyPairSigner,
  type RpcTransport,
} from '@solana/kit';
import { LosslessNumber, parse, stringify } from 'lossless-json';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest';

import {
  createHandler,
  createRemoteClient,
  type Handler,
  type HandlerConfig,
  type RemoteClient,
  type RemoteClientConfig,
} from '../../src/http/index.js';
import * as sdk from '../../src/index.js';
import {
  type AnyHeavenError,
  createHeavenClient,
  createLocalClient,
  type HeavenClient,
  type HeavenErrorCode,
  type HeavenRpc,
  isHeavenError,
  type LocalClient,
} from '../../src/index.js';
import { type RunningServer, startServer } from '../../src/node/index.js';
import {
  CreatorTradingFeeClaimStatus,
  CreatorTradingFeeDistribution,
  findAssociatedTokenAddress,
  findLpPositionAddress,
  HEAVEN_PROGRAM_ADDRESS,
  type LiquidityPoolState,
  SOL_USD_FEED_ADDRESS,
  SYSTEM_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
  WRAPPED_SOL_MINT_ADDRESS,
} from '../../src/program/index.js';
import {
  createEmbeddedLedger,
  createFeeBrackets,
  type EmbeddedLedger,
  encodeLookupTable,
  encodeMint,
  type LedgerAccount,
} from '../../src/testing/index.js';
import { CLOCK_SYSVAR_ADDRESS } from '../support/addresses.js';
import { CATCH_ALL, LARGE, ODD, U64_MAX } from '../support/amounts.js';
import { caseOf, refusalOf } from '../support/errors.js';
import { EMPTY_TABLE, enlargeProPool } from '../support/large-pro-pool.js';

const PAYER = 'AEWnEAoFTHRtg8FFsgjeqz7QXsP6QNy3CykhpG9iCNDD' as Address;
const WALLET = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin' as Address;

/** The functions themselves, which take their client. */
const functions = { ...sdk } as unknown as Readonly<
  Record<string, (client: HeavenClient, input: unknown) => Promise<unknown>>
>;

type Name = keyof RemoteClient;
type Input<TName extends Name> = Parameters<RemoteClient[TName]>[0];
type Fields = Readonly<Record<string, unknown>>;

/** An input of each function that works: the fields that it must have, and all that it may have. */
type Working = {
  readonly [TName in Name]: { readonly required: Input<TName>; readonly full: Input<TName> };
};

// ---------------------------------------------------------------- two clients over one ledger

let mintSigner: KeyPairSigner;
/** What the client and the service read. */
let ledger: EmbeddedLedger;
/** The accounts that each test starts with. */
let prepared: ReadonlyMap<Address, LedgerAccount | undefined>;
/** What the node does instead of answering. */
let nodeFailure: (() => unknown) | undefined;
let client: HeavenClient;
let server: RunningServer | undefined;
/** How the remote client reaches the service: over a socket, or the handler itself. A failure is not tried again. */
let reached: RemoteClientConfig;
let heaven: { readonly local: RemoteClient; readonly remote: RemoteClient };
let working: Working;

beforeAll(async () => {
  mintSigner = await generateKeyPairSigner();
  ledger = await preparedLedger();
  const transport = (async (request: Parameters<RpcTransport>[0]) =>
    nodeFailure ? await nodeFailure() : await ledger.transport(request)) as RpcTransport;
  client = createHeavenClient({ rpc: createSolanaRpcFromTransport(transport) as HeavenRpc });
  const handler = createHandler({ client, mintSigner: async () => mintSigner, observe: () => {} });
  if (inject('engine') === 'node')
    server = await startServer({ handler, port: 0, hostname: '127.0.0.1', graceMs: 0 });
  reached = {
    ...(server ? { baseUrl: server.url } : { baseUrl: BASE, fetch: fetchOf(handler) }),
    retries: 0,
  };
  heaven = { local: localClient(client), remote: createRemoteClient(reached) };
  working = await workingInputs(ledger, heaven.local);
  const { pools } = ledger;
  const changeable = [
    ...Object.values(pools).flatMap(({ pool, protocolConfig, mint }) => [pool, protocolConfig, mint]),
    SOL_USD_FEED_ADDRESS,
    CLOCK_SYSVAR_ADDRESS,
    EMPTY_TABLE,
    working.buildBuy.full.source as Address,
    await findLpPositionAddress({ pool: pools.pro.pool, user: pools.pro.creator }),
    await findLpPositionAddress({ pool: pools.pro.pool, user: WALLET }),
  ];
  prepared = new Map(changeable.map((address) => [address, ledger.getAccount(address)]));
});
afterAll(async () => await server?.close());
afterEach(() => {
  for (const [address, account] of prepared) ledger.setAccount(address, account);
  nodeFailure = undefined;
});

/** `fetch` from a handler in the same process. */
const fetchOf = (handler: Handler) =>
  (async (url: unknown, init?: RequestInit) => await handler(new Request(String(url), init))) as typeof fetch;

/** A launch here has the mint that the service gives its own. */
function localClient(client: HeavenClient): RemoteClient {
  const local: LocalClient = createLocalClient(client);
  return {
    ...local,
    buildCreateStandardLiquidityPool: (input) =>
      local.buildCreateStandardLiquidityPool({ ...input, mintSigner: async () => mintSigner }),
  };
}

async function preparedLedger(): Promise<EmbeddedLedger> {
  const ledger = await createEmbeddedLedger();
  const { creator, pro } = ledger.pools;
  await enlargeProPool(ledger);
  const give = async (wallet: Address, mint: Address, tokenProgram: Address) =>
    ledger.setTokenAccount(
      await findAssociatedTokenAddress({ owner: wallet, mint, tokenProgram }),
      tokenProgram,
      {
        mint,
        owner: wallet,
        amount: 2n * LARGE,
      },
    );
  await give(WALLET, pro.mint, pro.tokenProgram);
  await give(PAYER, creator.mint, creator.tokenProgram);
  await give(PAYER, WRAPPED_SOL_MINT_ADDRESS, TOKEN_PROGRAM_ADDRESS);
  return ledger;
}

const BRACKETS = [
  { marketCapUpperBound: ODD, buyFeeBps: 300, sellFeeBps: 301 },
  { marketCapUpperBound: CATCH_ALL, buyFeeBps: 100, sellFeeBps: 0 },
];
const SCHEDULE = {
  brackets: [
    { slotOffsetUpperbound: 5, buyFeeBps: 5_000, sellFeeBps: 4_999 },
    { slotOffsetUpperbound: 15, buyFeeBps: 1_000, sellFeeBps: 0 },
  ],
  maxSlotOffset: 15,
  maxFeeBps: 5_000,
  enabled: true,
};
const BUDGET = { computeUnitLimit: 99_000, computeUnitPrice: U64_MAX };

async function workingInputs(ledger: EmbeddedLedger, heaven: RemoteClient): Promise<Working> {
  const { creator, pro } = ledger.pools;
  const standard = { configVersion: 2, mint: creator.mint };
  const locator = { configVersion: 3, mint: pro.mint, pool: pro.pool };
  const event = { encodedUserDefinedEventData: 'ref:42 é' };
  const own = { pool: pro.pool, payer: pro.creator };
  const buy = { ...standard, maxSolSpend: '1.5', slippageBps: 50 };
  const sell = { ...standard, amountInUi: 1000.5, slippageBps: 50 };
  const proBuy = { ...locator, maxSolSpend: 1.5, slippageBps: 0 };
  const proSell = { ...locator, amountInUi: '1000.500000', slippageBps: 10_000 };
  const sourceOf = (mint: Address, tokenProgram?: Address) =>
    findAssociatedTokenAddress({ owner: PAYER, mint, ...(tokenProgram ? { tokenProgram } : {}) });
  const same = <TInput>(input: TInput) => ({ required: input, full: input });
  const budgeted = <TInput extends object>(required: TInput, more: object = {}) => ({
    required,
    full: { ...required, ...more, ...BUDGET },
  });
  return {
    getPoolInfo: {
      required: { mint: creator.mint },
      full: { mint: pro.mint, pool: pro.pool },
    },
    getProtocolConfigState: same({ version: 2 }),
    getPoolState: { required: { mint: creator.mint }, full: { pool: pro.pool } },
    quoteBuy: same(buy),
    quoteSell: same(sell),
    quoteInitialBuy: {
      required: { configVersion: 1, initialPurchasePercent: '1.5' },
      full: { configVersion: 2, initialPurchasePercent: 0.1 + 0.2, slippage: '0.005' },
    },
    buildBuy: budgeted(
      { ...event, payer: PAYER, quoteResponse: await heaven.quoteBuy(buy) },
      { source: await sourceOf(WRAPPED_SOL_MINT_ADDRESS) },
    ),
    buildSell: budgeted(
      { ...event, payer: PAYER, quoteResponse: await heaven.quoteSell(sell) },
      { source: await sourceOf(creator.mint, creator.tokenProgram) },
    ),
    buildClaimCreatorTradingFees: budgeted({
      payer: creator.creator,
      mint: creator.mint,
      version: 2,
      amount: 0n,
    }),
    buildCreateStandardLiquidityPool: budgeted(
      {
        ...event,
        payer: PAYER,
        creator: WALLET,
        name: 'A tøken',
        symbol: 'TOKEN',
        uri: 'https://example.com/token.json',
        initialPurchaseAmount: 12_345_678_901_234_567n,
        lutAddress: ledger.lookupTables.community,
      },
      { configVersion: 1, maxSolSpend: '9007199.254740993' },
    ),
    getLpBalance: {
      required: { pool: pro.pool, user: pro.creator },
      full: { pool: pro.pool, user: WALLET },
    },
    quoteProBuy: same(proBuy),
    quoteProSell: same(proSell),
    buildProBuy: budgeted(
      { ...event, payer: pro.creator, pool: pro.pool, quoteResponse: await heaven.quoteProBuy(proBuy) },
      { source: WALLET },
    ),
    buildProSell: budgeted(
      { ...event, payer: pro.creator, pool: pro.pool, quoteResponse: await heaven.quoteProSell(proSell) },
      { source: WALLET },
    ),
    buildProCreate: budgeted(
      {
        ...event,
        payer: PAYER,
        creator: WALLET,
        configVersion: 3,
        mint: pro.mint,
        initialTokenAAmount: LARGE,
        initialTokenBAmount: ODD,
        lutAddress: EMPTY_TABLE,
      },
      {
        features: {
          enableSwap: false,
          enableDepositLiquidity: false,
          enableWithdrawLiquidity: false,
          enableUpdateCreatorTradingFee: false,
          enableSameSlotTrading: true,
          enableSandwichResistantMode: true,
        },
        creatorTradingFee: BRACKETS,
        creatorSlotTradingFee: SCHEDULE,
        reflectionTradingFee: BRACKETS,
        liquidityProviderTradingFee: BRACKETS,
      },
    ),
    buildProAddLiquidity: budgeted({
      ...locator,
      payer: pro.creator,
      maxTokenA: LARGE,
      maxTokenB: 1_000_000n,
      minLpTokens: ODD,
    }),
    buildProRemoveLiquidity: budgeted({
      ...locator,
      payer: pro.creator,
      lpTokensToBurn: LARGE,
      minTokenA: U64_MAX,
      minTokenB: ODD,
    }),
    buildProClaimCreatorFees: budgeted({ ...own, amount: LARGE }),
    buildProClaimLpFees: budgeted(own),
    buildProToggleSwap: budgeted({ ...own, enabled: false }),
    buildProToggleDeposit: budgeted({ ...own, enabled: false }),
    buildProToggleWithdraw: budgeted({ ...own, enabled: true }),
    buildProSetReflectionFee: budgeted({ ...own, brackets: BRACKETS }),
    buildProSetLpFee: budgeted({ ...own, brackets: BRACKETS }),
    buildProSetMarketCapCreatorFee: budgeted({ ...own, brackets: BRACKETS }),
    buildProSetSlotCreatorFee: budgeted({ ...own, ...SCHEDULE }),
    buildProUpdateCreatorFeeReceiver: budgeted({
      ...own,
      mint: pro.mint,
      version: 3,
      newReceiver: WALLET,
    }),
    buildProTransferLp: budgeted({
      pool: pro.pool,
      sender: pro.creator,
      payer: PAYER,
      receiver: WALLET,
      amount: LARGE,
    }),
  };
}

const BUY_QUOTE = [
  'configVersion',
  'maxLamportSpend',
  'maxSolSpend',
  'minimumOut',
  'minimumOutUi',
  'mint',
  'programId',
  'slippageBps',
];
const SELL_QUOTE = [
  'amountIn',
  'amountInUi',
  'configVersion',
  'minimumOut',
  'minimumOutUi',
  'mint',
  'programId',
  'slippageBps',
];
const TX = ['tx'];

/** What the interface documents of each function's result; all of it where nothing is said. */
const DOCUMENTED: Readonly<Record<Name, readonly string[] | undefined>> = {
  getPoolInfo: undefined,
  getProtocolConfigState: undefined,
  getPoolState: undefined,
  quoteBuy: BUY_QUOTE,
  quoteSell: SELL_QUOTE,
  quoteInitialBuy: ['costLamports', 'costSol', 'costUsd', 'tokenAmount', 'tokenAmountUi'],
  buildBuy: TX,
  buildSell: TX,
  buildClaimCreatorTradingFees: TX,
  buildCreateStandardLiquidityPool: ['mint', 'tx'],
  getLpBalance: ['exists', 'lpPositionAddress', 'lpTokenBalance', 'pendingFees', 'rewardDebt'],
  quoteProBuy: BUY_QUOTE,
  quoteProSell: SELL_QUOTE,
  buildProBuy: TX,
  buildProSell: TX,
  buildProCreate: ['pool', 'tx'],
  buildProAddLiquidity: TX,
  buildProRemoveLiquidity: TX,
  buildProClaimCreatorFees: TX,
  buildProClaimLpFees: TX,
  buildProToggleSwap: TX,
  buildProToggleDeposit: TX,
  buildProToggleWithdraw: TX,
  buildProSetReflectionFee: TX,
  buildProSetLpFee: TX,
  buildProSetMarketCapCreatorFee: TX,
  buildProSetSlotCreatorFee: TX,
  buildProUpdateCreatorFeeReceiver: TX,
  buildProTransferLp: TX,
};
const NAMES = Object.keys(DOCUMENTED) as Name[];
const BUILDERS = NAMES.filter((name) => name.startsWith('build'));
const BOTH = ['local', 'remote'] as const;

function documentedOf(name: Name, result: unknown): unknown {
  const documented = DOCUMENTED[name];
  if (documented === undefined) return result;
  return Object.fromEntries(documented.map((field) => [field, (result as Fields)[field]]));
}

/** A function with whatever input. */
const call = (heaven: RemoteClient, name: Name, input: unknown): Promise<unknown> =>
  (heaven[name] as (input: unknown) => Promise<unknown>)(input);

/** An input with other fields; a dotted name reaches into the quote. */
function changed(input: object, change: Fields): Fields {
  const result: Record<string, unknown> = { ...input };
  for (const [path, value] of Object.entries(change)) {
    const [name = '', inner] = path.split('.');
    result[name] = inner === undefined ? value : { ...(result[name] as object), [inner]: value };
  }
  return result;
}

// ---------------------------------------------------------------- a fake service

/** A fake service: what it was asked, and what it answers. */
interface FakeService {
  readonly fetch: typeof fetch;
  readonly requests: { readonly url: string; readonly init: RequestInit; readonly at: number }[];
}

type Reply = (init: RequestInit) => Response | Promise<Response>;

/** Answers in turn; the last answer is repeated. */
function fakeService(...replies: readonly Reply[]): FakeService {
  const requests: FakeService['requests'] = [];
  const fetch = async (url: unknown, init: RequestInit = {}) => {
    requests.push({ url: String(url), init, at: Date.now() });
    return await replies[Math.min(requests.length, replies.length) - 1]!(init);
  };
  return { fetch: fetch as typeof globalThis.fetch, requests };
}

const reply =
  (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Reply =>
  () =>
    new Response(
      status === 204 || status === 304 ? null : typeof body === 'string' ? body : JSON.stringify(body),
      { status, headers },
    );
const refusal = (status: number, error: unknown, headers: Readonly<Record<string, string>> = {}) =>
  reply(status, { error }, headers);

const QUOTE = {
  config_version: 2,
  max_lamport_spend: 1_500_000_000,
  max_sol_spend: 1.5,
  minimum_out: 5,
  minimum_out_ui: 5e-9,
  mint: WALLET,
  program_id: HEAVEN_PROGRAM_ADDRESS,
  slippage_bps: 50,
};
const QUOTED = {
  configVersion: 2,
  maxLamportSpend: 1_500_000_000n,
  maxSolSpend: 1.5,
  minimumOut: 5n,
  minimumOutUi: 5e-9,
  mint: WALLET,
  programId: HEAVEN_PROGRAM_ADDRESS,
  slippageBps: 50,
};
const ASK = { configVersion: 2, mint: WALLET, maxSolSpend: '1.5', slippageBps: 50 };
const BASE = 'https://heaven.example';

const over = (service: FakeService, config: Partial<RemoteClientConfig> = {}) =>
  createRemoteClient({ baseUrl: BASE, fetch: service.fetch, ...config });

// ---------------------------------------------------------------- attempts

// They come first: the timers of connections that others have opened would be counted with theirs.

describe('a temporary failure', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  /** Lets time pass for as long as something waits for it. */
  async function outcomeOf(promise: Promise<unknown>) {
    let outcome: { readonly result?: unknown; readonly error?: AnyHeavenError } | undefined;
    promise.then(
      (result) => {
        outcome = { result };
      },
      (error: AnyHeavenError) => {
        outcome = { error };
      },
    );
    for (;;) {
      await turns();
      if (outcome !== undefined) break;
      if (vi.getTimerCount() === 0) expect.fail('Nobody will ever answer.');
      await vi.advanceTimersToNextTimerAsync();
    }
    expect(vi.getTimerCount()).toBe(0);
    return outcome;
  }
  const turns = async () => {
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
  };
  const waitsOf = ({ requests }: FakeService) =>
    requests.slice(1).map(({ at }, index) => at - requests[index]!.at);
  const unreachable: Reply = () => Promise.reject(new TypeError('fetch failed'));
  /** Answers when it is given up on, as an engine's fetch does. */
  const silent: Reply = ({ signal }) =>
    new Promise((_, reject) => {
      signal!.addEventListener('abort', () => reject(signal!.reason), { once: true });
    });
  /** A body that starts, and continues only while somebody reads it. */
  const stalling: Reply = ({ signal }) =>
    new Response(
      new ReadableStream({
        start(stream) {
          stream.enqueue(new TextEncoder().encode('{"config_version":'));
          signal!.addEventListener('abort', () => stream.error(signal!.reason), { once: true });
        },
      }),
    );
  const breaking: Reply = () =>
    new Response(
      new ReadableStream({
        start(stream) {
          stream.enqueue(new TextEncoder().encode('{"config_version":'));
        },
        pull(stream) {
          stream.error(new TypeError('terminated'));
        },
      }),
    );
  const good = reply(200, QUOTE);

  test.each<[string, Reply]>([
    ['a network error', unreachable],
    [
      'a fetch that throws at once',
      () => {
        throw new TypeError('fetch failed');
      },
    ],
    ['a body that breaks off', breaking],
    ['429', reply(429, '')],
    ['502', reply(502, '<html>')],
    ['503', refusal(503, { code: 'not-ready', message: 'm' })],
    ['504', refusal(504, { code: 'timeout', message: 'm' })],
    ['rpc-failed', refusal(502, { code: 'rpc-failed', message: 'm', details: { method: 'm' } })],
    ['rpc-timeout', refusal(504, { code: 'rpc-timeout', message: 'm', details: { method: 'm' } })],
    ['silence', silent],
    ['a body that stalls', stalling],
  ])('by %s is retried', async (_, bad) => {
    for (const before of [1, 2]) {
      const service = fakeService(...Array<Reply>(before).fill(bad), good);
      const { result } = await outcomeOf(over(service).quoteBuy(ASK));
      expect(result).toStrictEqual(QUOTED);
      expect(service.requests).toHaveLength(before + 1);
      expect(new Set(service.requests.map(({ init }) => init.body)).size).toBe(1);
      expect(new Set(service.requests.map(({ init }) => init.signal)).size).toBe(before + 1);
    }
    const service = fakeService(bad);
    const { error } = await outcomeOf(over(service).quoteBuy(ASK));
    expect(isHeavenError(error)).toBe(true);
    expect(service.requests).toHaveLength(3);
  });

  test.each([
    ['400', reply(400, '')],
    ['404', reply(404, '')],
    ['413', reply(413, '')],
    ['422', refusal(422, { code: 'operation-disabled', message: 'm', details: { operation: 'swap' } })],
    ['500', refusal(500, { code: 'internal-error', message: 'm' })],
    ['501', reply(501, '')],
    ['200 and a page', reply(200, '<html>')],
    ['200 and something else', reply(200, {})],
  ])('by %s is not retried', async (_, bad) => {
    const service = fakeService(bad, good);
    const { error } = await outcomeOf(over(service).quoteBuy(ASK));
    expect(isHeavenError(error)).toBe(true);
    expect(service.requests).toHaveLength(1);
  });

  test("an input that can't be sent is not tried", async () => {
    const service = fakeService(good);
    for (const input of [
      undefined,
      { ...ASK, mint: 'x' },
      { ...ASK, maxSolSpend: 'x' },
      { ...ASK, maxSolSpend: '1e1000' },
      { ...ASK, slippageBps: Number.NaN },
      { ...ASK, before: [] },
    ]) {
      expect((await outcomeOf(call(over(service), 'quoteBuy', input))).error).toBeDefined();
    }
    expect(service.requests).toEqual([]);
  });

  test.each([0, 1, 2, 3, 5])('makes %d retries', async (retries) => {
    const service = fakeService(unreachable);
    const { error } = await outcomeOf(over(service, { retries }).quoteBuy(ASK));
    expect(error?.code).toBe('service-failed');
    expect(error?.context).toStrictEqual({ path: '/quote/buy' });
    expect(error?.cause).toMatchObject({ message: 'fetch failed' });
    // A wait of the client's own may be more than it will wait from the sixth on.
    if (retries < 5) expect(service.requests).toHaveLength(retries + 1);
  });

  test('throws the last failure', async () => {
    const service = fakeService(
      unreachable,
      reply(503, ''),
      refusal(502, { code: 'rpc-failed', message: 'm', details: { method: 'getSlot' } }),
    );
    const { error } = await outcomeOf(over(service).quoteBuy(ASK));
    expect(error).toMatchObject({ code: 'rpc-failed', context: { method: 'getSlot' } });
  });

  test('each wait doubles, with a random factor of up to two', async () => {
    for (const [random, factor] of [
      [0, 1],
      [0.5, 1.5],
      [0.999_999, 1.999_999],
    ] as const) {
      vi.spyOn(Math, 'random').mockReturnValue(random);
      const service = fakeService(unreachable);
      await outcomeOf(over(service, { retries: 4 }).quoteBuy(ASK));
      for (const [index, wait] of waitsOf(service).entries()) {
        expect(Math.abs(wait - 200 * 2 ** index * factor)).toBeLessThanOrEqual(1);
      }
      expect(waitsOf(service)).toHaveLength(4);
      vi.restoreAllMocks();
    }
    const seen = new Set<number>();
    for (let time = 0; time < 20; time++) {
      const service = fakeService(reply(503, ''));
      await outcomeOf(over(service).quoteBuy(ASK));
      const [first = 0, second = 0] = waitsOf(service);
      expect(first).toBeGreaterThanOrEqual(200);
      expect(first).toBeLessThanOrEqual(400);
      expect(second).toBeGreaterThanOrEqual(400);
      expect(second).toBeLessThanOrEqual(800);
      seen.add(first);
    }
    expect(seen.size).toBeGreaterThan(1);
  });

  test.each([
    ['0', 0],
    ['1', 1_000],
    ['2.5', 2_500],
    ['10', 10_000],
  ])('waits for retry-after: %s', async (retryAfter, ms) => {
    for (const status of [429, 502, 503]) {
      const service = fakeService(reply(status, '', { 'retry-after': retryAfter }), good);
      expect((await outcomeOf(over(service).quoteBuy(ASK))).result).toStrictEqual(QUOTED);
      expect(waitsOf(service)).toEqual([ms]);
    }
  });

  test.each(['11', '3600', '1e9', '99999999999999999999', 'Infinity'])(
    'does not wait for retry-after: %s',
    async (retryAfter) => {
      const service = fakeService(
        refusal(
          429,
          { code: 'rate-limited', message: 'm' },
          { 'retry-after': retryAfter, 'x-request-id': 'r-3' },
        ),
        good,
      );
      const { error } = await outcomeOf(over(service).quoteBuy(ASK));
      expect(service.requests).toHaveLength(1);
      expect(error?.context).toStrictEqual({
        path: '/quote/buy',
        status: 429,
        code: 'rate-limited',
        requestId: 'r-3',
      });
    },
  );

  test.each(['soon', '-1', 'NaN', '1, 2', 'Fri, 31 Dec 1999 23:59:59 GMT'])(
    'ignores retry-after: %s',
    async (retryAfter) => {
      vi.spyOn(Math, 'random').mockReturnValue(0);
      const service = fakeService(reply(429, '', { 'retry-after': retryAfter }), good);
      expect((await outcomeOf(over(service).quoteBuy(ASK))).result).toStrictEqual(QUOTED);
      expect(waitsOf(service)).toEqual([200]);
    },
  );

  test('each attempt has its own timeoutMs', async () => {
    for (const slow of [silent, stalling]) {
      for (const [timeoutMs, allowed] of [
        [undefined, 30_000],
        [50, 50],
      ] as const) {
        vi.spyOn(Math, 'random').mockReturnValue(0);
        const service = fakeService(slow);
        const started = Date.now();
        const config = timeoutMs === undefined ? {} : { timeoutMs };
        const { error } = await outcomeOf(over(service, config).quoteBuy(ASK));
        expect(Date.now() - started).toBe(3 * allowed + 200 + 400);
        expect(error?.code).toBe('service-failed');
        expect(error?.message).toContain(`${allowed} ms`);
        expect(error?.context).toStrictEqual({ path: '/quote/buy' });
        for (const { init } of service.requests) expect(init.signal?.aborted).toBe(true);
      }
    }
  });

  test('leaves no timer or listener after an answer', async () => {
    const { signal } = new AbortController();
    const service = fakeService(unreachable, reply(503, ''), good);
    await outcomeOf(over(service).quoteBuy({ ...ASK, abortSignal: signal }));
    expect(vi.getTimerCount()).toBe(0);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    for (const { init } of service.requests) expect(init.signal?.aborted).toBe(false);
  });

  test.each<[string, Reply]>([
    ['in flight', silent],
    ['while its body comes', stalling],
  ])('can be aborted %s', async (_, slow) => {
    for (const [before, retries] of [
      [0, 0],
      [0, 2],
      [1, 1],
    ] as const) {
      const controller = new AbortController();
      const service = fakeService(...Array<Reply>(before).fill(reply(503, '', { 'retry-after': '0' })), slow);
      const promise = over(service, { retries }).quoteBuy({ ...ASK, abortSignal: controller.signal });
      promise.catch(() => {});
      await turns();
      if (before === 1) {
        await vi.advanceTimersByTimeAsync(0);
        await turns();
      }
      expect(service.requests).toHaveLength(before + 1);
      controller.abort(new Error('enough'));
      const { error } = await outcomeOf(promise);
      expect(error?.code).toBe('aborted');
      expect(error?.context).toStrictEqual({ method: '/quote/buy' });
      expect(service.requests).toHaveLength(before + 1);
      expect(service.requests.at(-1)!.init.signal?.aborted).toBe(true);
      expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
    }
  });

  test('can be aborted while it waits', async () => {
    for (const retryAfter of [undefined, '5']) {
      const controller = new AbortController();
      const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
      const service = fakeService(reply(503, '', headers));
      const promise = over(service).quoteBuy({ ...ASK, abortSignal: controller.signal });
      promise.catch(() => {});
      await turns();
      expect(vi.getTimerCount()).toBe(1);
      await vi.advanceTimersByTimeAsync(100);
      expect(service.requests).toHaveLength(1);
      controller.abort();
      const { error } = await outcomeOf(promise);
      expect(error?.code).toBe('aborted');
      expect(error?.context).toStrictEqual({ method: '/quote/buy' });
      expect(service.requests).toHaveLength(1);
      expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
    }
  });

  test('is aborted between an answer and the wait', async () => {
    const controller = new AbortController();
    const service = fakeService(() => {
      controller.abort();
      return new Response('', { status: 503 });
    });
    const { error } = await outcomeOf(over(service).quoteBuy({ ...ASK, abortSignal: controller.signal }));
    expect(error?.code).toBe('aborted');
    expect(service.requests).toHaveLength(1);
  });

  test('one signal for many calls collects no listeners', async () => {
    const controller = new AbortController();
    const heaven = over(fakeService(unreachable, good));
    const input = { ...ASK, abortSignal: controller.signal };
    await outcomeOf(Promise.all(Array.from({ length: 8 }, () => heaven.quoteBuy(input))));
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
    const waiting = over(fakeService(silent));
    const all = Promise.allSettled(Array.from({ length: 5 }, () => waiting.quoteBuy(input)));
    await turns();
    controller.abort();
    const { result } = await outcomeOf(all);
    for (const settled of result as PromiseRejectedResult[]) expect(settled.reason.code).toBe('aborted');
  });

  test('an aborted call does not affect the others', async () => {
    const controller = new AbortController();
    const service = fakeService(silent, good);
    const heaven = over(service);
    const first = heaven.quoteBuy({ ...ASK, abortSignal: controller.signal });
    first.catch(() => {});
    const second = heaven.quoteBuy(ASK);
    await turns();
    controller.abort();
    expect((await outcomeOf(second)).result).toStrictEqual(QUOTED);
    expect((await outcomeOf(first)).error?.code).toBe('aborted');
  });
});

// ---------------------------------------------------------------- what works

describe('the functions', () => {
  test('are the same 29, and the signature of a mint whose key the service has', () => {
    expect(NAMES).toHaveLength(29);
    expect(Object.keys(heaven.remote).sort()).toEqual([...NAMES].sort());
    expect(Object.keys(heaven.local).sort()).toEqual([...NAMES].sort());
  });
});

describe.each(BOTH)('the %s client', (where) => {
  const kinds = ['required', 'full'] as const;
  const inputs = NAMES.flatMap((name) => kinds.map((kind) => [name, kind] as const));

  test.each(inputs)('%s with its %s fields', async (name, kind) => {
    const input = working[name][kind];
    const launch = name === 'buildCreateStandardLiquidityPool' ? { mintSigner } : {};
    const reference = await functions[name]!(client, { ...input, ...launch });
    const result = await call(heaven[where], name, input);
    expect(documentedOf(name, result)).toStrictEqual(documentedOf(name, reference));
    const documented = DOCUMENTED[name];
    if (where === 'remote' && documented !== undefined) {
      // A quote also names its pool.
      const isTrade = (QUOTES as readonly Name[]).includes(name);
      expect(Object.keys(result as object).sort()).toEqual(
        [...documented, ...(isTrade ? ['details'] : [])].sort(),
      );
      if (isTrade) {
        const { pool } = (reference as { readonly details: { readonly pool: Address } }).details;
        expect((result as Fields).details).toStrictEqual({ pool });
      }
    }
  });

  test('fields that may be left out may be undefined or null', async () => {
    const { configVersion: _, maxSolSpend: __, ...launch } = working.buildCreateStandardLiquidityPool.full;
    const nothing = { computeUnitLimit: undefined, computeUnitPrice: undefined, abortSignal: undefined };
    const launched = await heaven[where].buildCreateStandardLiquidityPool({
      ...launch,
      ...nothing,
      configVersion: undefined,
      maxSolSpend: null,
    });
    expect(launched.tx).toBe(
      (
        await heaven[where].buildCreateStandardLiquidityPool(
          working.buildCreateStandardLiquidityPool.required,
        )
      ).tx,
    );
    const { required } = working.buildSell;
    expect(
      (
        await heaven[where].buildSell({
          ...required,
          source: null,
          computeUnitLimit: null,
          computeUnitPrice: null,
        })
      ).tx,
    ).toBe((await heaven[where].buildSell(required)).tx);
    expect(
      await heaven[where].quoteInitialBuy({ ...working.quoteInitialBuy.required, slippage: null }),
    ).toMatchObject(await heaven.remote.quoteInitialBuy(working.quoteInitialBuy.required));
    expect((await heaven[where].getPoolState({ pool: ledger.pools.pro.pool, mint: undefined })).key).toBe(
      ledger.pools.pro.pool,
    );
  });

  test.each([{}, { encodedUserDefinedEventData: undefined }, { encodedUserDefinedEventData: null }])(
    'event data that is left out is empty: %o',
    async (given) => {
      for (const name of ['buildSell', 'buildProBuy', 'buildProCreate'] as const) {
        const { encodedUserDefinedEventData: _, ...rest } = working[name].required;
        const empty = { ...rest, encodedUserDefinedEventData: '' };
        const { tx } = (await call(heaven[where], name, { ...rest, ...given })) as { readonly tx: string };
        expect(tx).toBe((await heaven.local[name](empty as never)).tx);
      }
    },
  );

  test('a budget of 0 leaves the instructions out, as a number or a bigint', async () => {
    const { required } = working.buildBuy;
    const none = await heaven[where].buildBuy({ ...required, computeUnitLimit: 0, computeUnitPrice: 0 });
    expect(none.tx).toBe(
      (await heaven[where].buildBuy({ ...required, computeUnitLimit: 0, computeUnitPrice: 0n })).tx,
    );
    expect(none.tx.length).toBeLessThan((await heaven[where].buildBuy(required)).tx.length);
  });

  test('wallets may be signers', async () => {
    const asSigner = (address: unknown) => createNoopSigner(address as Address);
    for (const name of BUILDERS) {
      const input: Record<string, unknown> = { ...working[name].full };
      for (const wallet of ['payer', 'creator', 'sender', 'newReceiver'] as const)
        if (wallet in input) input[wallet] = asSigner(input[wallet]);
      if (name === 'buildProBuy' || name === 'buildProSell') input.source = asSigner(input.source);
      expect(
        Object.values(input).some(
          (value) => typeof value === 'object' && isTransactionSigner(value as never),
        ),
      ).toBe(true);
      const { tx } = (await call(heaven[where], name, input)) as { readonly tx: string };
      expect(tx).toBe(((await call(heaven.local, name, working[name].full)) as { readonly tx: string }).tx);
    }
  });

  test('a signer of keys', async () => {
    const payer = await generateKeyPairSigner();
    const { required } = working.buildBuy;
    expect((await heaven[where].buildBuy({ ...required, payer })).tx).toBe(
      (await heaven.local.buildBuy({ ...required, payer: payer.address })).tx,
    );
  });

  test('run many calls at once', async () => {
    const spends = Array.from({ length: 40 }, (_, index) => `${index + 1}.000000001`);
    const quotes = await Promise.all(
      spends.map((maxSolSpend) => heaven[where].quoteBuy({ ...working.quoteBuy.required, maxSolSpend })),
    );
    expect(quotes.map(({ maxLamportSpend }) => maxLamportSpend)).toEqual(
      spends.map((_, index) => BigInt(index + 1) * 1_000_000_000n + 1n),
    );
  });

  test('an input is not changed, and may be frozen', async () => {
    const input = Object.freeze({
      ...working.buildBuy.full,
      quoteResponse: Object.freeze({ ...working.buildBuy.full.quoteResponse }),
    });
    const before = stringify(input);
    await heaven[where].buildBuy(input);
    expect(stringify(input)).toBe(before);
  });
});

describe('quotes of one client are for both', () => {
  const trades = [
    ['quoteBuy', 'buildBuy'],
    ['quoteSell', 'buildSell'],
    ['quoteProBuy', 'buildProBuy'],
    ['quoteProSell', 'buildProSell'],
  ] as const;
  test.each(trades)('%s, %s', async (quoteName, buildName) => {
    const transactions: unknown[] = [];
    for (const quoting of BOTH) {
      const quoteResponse = await call(heaven[quoting], quoteName, working[quoteName].required);
      for (const building of BOTH) {
        const input = { ...working[buildName].required, quoteResponse };
        transactions.push(((await call(heaven[building], buildName, input)) as Fields).tx);
      }
    }
    expect(new Set(transactions).size).toBe(1);
  });
});

// ---------------------------------------------------------------- what is refused

type Refusal = readonly [
  what: string,
  names: Name | readonly Name[],
  change: Fields | (() => Fields),
  code: string,
  context?: Fields | (() => Fields) | undefined,
  arrange?: () => unknown,
];

const QUOTES = ['quoteBuy', 'quoteSell', 'quoteProBuy', 'quoteProSell'] as const;
const STANDARD_QUOTES = ['quoteBuy', 'quoteSell'] as const;
const PRO_QUOTES = ['quoteProBuy', 'quoteProSell'] as const;
const STANDARD_TRADES = ['quoteBuy', 'quoteSell', 'buildBuy', 'buildSell'] as const;
const PRO_TRADES = ['quoteProBuy', 'quoteProSell', 'buildProBuy', 'buildProSell'] as const;
const BUYS = ['buildBuy', 'buildProBuy'] as const;
const SELLS = ['buildSell', 'buildProSell'] as const;
const TRADE_BUILDERS = [...BUYS, ...SELLS] as const;
const TOGGLES = ['buildProToggleSwap', 'buildProToggleDeposit', 'buildProToggleWithdraw'] as const;
const CREATOR_FEE_SETTERS = ['buildProSetMarketCapCreatorFee', 'buildProSetSlotCreatorFee'] as const;
const BRACKET_SETTERS = [
  'buildProSetReflectionFee',
  'buildProSetLpFee',
  'buildProSetMarketCapCreatorFee',
] as const;
const SETTERS = [...BRACKET_SETTERS, 'buildProSetSlotCreatorFee'] as const;
const CLAIMS = ['buildClaimCreatorTradingFees', 'buildProClaimCreatorFees'] as const;
const LIQUIDITY = ['buildProAddLiquidity', 'buildProRemoveLiquidity'] as const;
const WITH_POOL_ALONE = [
  'getLpBalance',
  'buildProClaimCreatorFees',
  'buildProClaimLpFees',
  ...TOGGLES,
  ...SETTERS,
  'buildProTransferLp',
] as const;
const WITH_POOL_AND_MINT = [...PRO_TRADES, ...LIQUIDITY, 'buildProUpdateCreatorFeeReceiver'] as const;
const CREATIONS = ['buildCreateStandardLiquidityPool', 'buildProCreate'] as const;

const standardPool = () => ledger.pools.creator;
const proPool = () => ledger.pools.pro;
const update = (pool: () => Address, change: (state: LiquidityPoolState) => Partial<LiquidityPoolState>) =>
  ledger.updatePool(pool(), change);
const updateStandard = (change: Parameters<typeof update>[1]) => update(() => standardPool().pool, change);
const updatePro = (change: Parameters<typeof update>[1]) => update(() => proPool().pool, change);
const swapOff = ({ allowlist }: LiquidityPoolState) => ({ allowlist: { ...allowlist, swap: 0 } });
const opensLater = ({ info }: LiquidityPoolState) => ({
  info: { ...info, openAt: ledger.unixTimestamp + 60n },
});
const cut = (address: Address) => {
  const account = ledger.getAccount(address)!;
  ledger.setAccount(address, { ...account, data: account.data.slice(0, 40) });
};
const giveAway = (address: Address) =>
  ledger.setAccount(address, { ...ledger.getAccount(address)!, owner: SYSTEM_PROGRAM_ADDRESS });
const configOf = (version: 1 | 2 | 3) =>
  version === 1
    ? ledger.pools.community.protocolConfig
    : version === 2
      ? standardPool().protocolConfig
      : proPool().protocolConfig;

const REFUSALS: readonly Refusal[] = [
  // Amounts of SOL and tokens, which are read digit by digit.
  ...(
    [
      ['NaN', Number.NaN],
      ['infinity', Number.POSITIVE_INFINITY],
      ['a negative number', -1],
      ['a negative text', '-1'],
      ['a word', 'one'],
      ['no digit', ''],
      ['a comma', '1,5'],
      ['no digit before the point', '.5'],
      ['no digit behind the point', '1.'],
      ['a sign', '+1'],
      ['white space', ' 1'],
      ['a separator', '1_000'],
      ['hexadecimal digits', '0x10'],
      ['an exponent of four digits', '1e1000'],
      ['a bigint', 1n],
      ['an object', { value: 1 }],
      ['a list', [1]],
      ['true', true],
    ] as const
  ).flatMap(([what, value]): Refusal[] =>
    (
      [
        ['quoteBuy', 'maxSolSpend'],
        ['quoteProBuy', 'maxSolSpend'],
        ['quoteSell', 'amountInUi'],
        ['quoteProSell', 'amountInUi'],
        ['quoteInitialBuy', 'initialPurchasePercent'],
        ['quoteInitialBuy', 'slippage'],
        ['buildCreateStandardLiquidityPool', 'maxSolSpend'],
      ] as const
    ).map(([name, field]) => [
      `${field} of ${what}`,
      name,
      { [field]: value },
      field === 'slippage' ? 'invalid-slippage' : 'invalid-amount',
      { field, value },
    ]),
  ),
  ...[0, '0', '0.000', '0e5', -0].flatMap((value): Refusal[] => [
    [
      `maxSolSpend of ${String(value)}`,
      ['quoteBuy', 'quoteProBuy'],
      { maxSolSpend: value },
      'zero-amount',
      { field: 'maxSolSpend' },
    ],
    [
      `amountInUi of ${String(value)}`,
      ['quoteSell', 'quoteProSell'],
      { amountInUi: value },
      'zero-amount',
      { field: 'amountInUi' },
    ],
  ]),
  [
    'a tenth decimal of SOL',
    ['quoteBuy', 'quoteProBuy', 'buildCreateStandardLiquidityPool'],
    { maxSolSpend: '1.0000000001' },
    'invalid-amount:decimals',
    { field: 'maxSolSpend', value: '1.0000000001', decimals: 9 },
  ],
  [
    'a tenth decimal of the token',
    'quoteSell',
    { amountInUi: '1e-10' },
    'invalid-amount:decimals',
    { field: 'amountInUi', value: '1e-10', decimals: 9 },
  ],
  [
    'a seventh decimal of the token',
    'quoteProSell',
    { amountInUi: '1.0000001' },
    'invalid-amount:decimals',
    { field: 'amountInUi', value: '1.0000001', decimals: 6 },
  ],
  [
    'more percent digits than any amount can tell apart',
    'quoteInitialBuy',
    { initialPurchasePercent: `0.${'0'.repeat(30)}1` },
    'invalid-amount:decimals',
    { field: 'initialPurchasePercent', value: `0.${'0'.repeat(30)}1`, decimals: 30 },
  ],
  [
    'more SOL than 64 bits',
    ['quoteBuy', 'quoteProBuy', 'buildCreateStandardLiquidityPool'],
    { maxSolSpend: '18446744073.709551616' },
    'amount-out-of-range',
    { field: 'maxSolSpend', value: '18446744073.709551616' },
  ],
  [
    'more tokens than 64 bits',
    ['quoteSell', 'quoteProSell'],
    { amountInUi: '1e300' },
    'amount-out-of-range',
    { field: 'amountInUi', value: '1e300' },
  ],
  [
    'slippage over 10000',
    QUOTES,
    { slippageBps: 10_001 },
    'invalid-slippage',
    { field: 'slippageBps', value: 10_001 },
  ],
  [
    'slippage that is not safe',
    QUOTES,
    { slippageBps: Number.MAX_SAFE_INTEGER },
    'invalid-slippage',
    { field: 'slippageBps', value: Number.MAX_SAFE_INTEGER },
  ],
  [
    'a config version over a u16',
    [...QUOTES, 'quoteInitialBuy', ...CREATIONS, ...LIQUIDITY],
    { configVersion: 65_536 },
    'invalid-input',
    { field: 'configVersion', value: 65_536 },
  ],
  [
    'a version over a u16',
    ['getProtocolConfigState', 'buildClaimCreatorTradingFees', 'buildProUpdateCreatorFeeReceiver'],
    { version: 65_536 },
    'invalid-input',
    { field: 'version', value: 65_536 },
  ],
  [
    'a share of more than 100 %',
    'quoteInitialBuy',
    { initialPurchasePercent: '100.1' },
    'invalid-input',
    { field: 'initialPurchasePercent', value: '100.1' },
  ],
  [
    'slippage over all of it',
    'quoteInitialBuy',
    { slippage: '1.5' },
    'invalid-slippage',
    { field: 'slippage', value: '1.5' },
  ],
  [
    'all the tokens of a launch',
    'quoteInitialBuy',
    { initialPurchasePercent: 100 },
    'insufficient-liquidity',
  ],

  // Pools and configs that are not what they are taken for.
  ['a mint without a pool', [...STANDARD_QUOTES, 'getPoolInfo'], { mint: WALLET }, 'pool-not-found'],
  ['a mint without a pool', 'getPoolState', { mint: WALLET }, 'pool-not-found'],
  ['a mint without a pool', 'buildClaimCreatorTradingFees', { mint: WALLET }, 'pool-not-found'],
  [
    'a quote of a mint without a pool',
    ['buildBuy', 'buildSell'],
    { 'quoteResponse.mint': WALLET },
    'pool-not-found',
  ],
  [
    'no pool there',
    [...WITH_POOL_ALONE, ...WITH_POOL_AND_MINT],
    { pool: WALLET },
    'pool-not-found',
    { pool: WALLET },
  ],
  ['no pool there', 'getPoolState', { mint: undefined, pool: WALLET }, 'pool-not-found', { pool: WALLET }],
  [
    'a standard pool',
    WITH_POOL_ALONE,
    () => ({ pool: standardPool().pool }),
    'pool-mismatch:kind',
    { asked: 'pro', found: 'standard' },
  ],
  [
    'a standard pool',
    PRO_QUOTES,
    () => ({ pool: standardPool().pool, mint: standardPool().mint, configVersion: 2 }),
    'pool-mismatch:kind',
    { asked: 'pro', found: 'standard' },
  ],
  [
    'a standard pool',
    [...LIQUIDITY],
    () => ({ pool: standardPool().pool, mint: standardPool().mint, configVersion: 2 }),
    'pool-mismatch:kind',
    { asked: 'pro', found: 'standard' },
  ],
  [
    'a standard pool',
    'buildProUpdateCreatorFeeReceiver',
    () => ({ pool: standardPool().pool }),
    'pool-mismatch:kind',
    { asked: 'pro', found: 'standard' },
  ],
  [
    'a pool that says it is a pro pool',
    [...STANDARD_TRADES, 'buildClaimCreatorTradingFees'],
    {},
    'pool-mismatch:kind',
    { asked: 'standard', found: 'pro' },
    () => updateStandard(({ info }) => ({ info: { ...info, type: 1 } })),
  ],
  [
    'a pool of no kind',
    [...STANDARD_TRADES, 'getPoolInfo', 'buildClaimCreatorTradingFees'],
    {},
    'invalid-account-data',
    undefined,
    () => updateStandard(({ info }) => ({ info: { ...info, type: 9 } as never })),
  ],
  [
    'a pool of another token',
    [...PRO_QUOTES, ...LIQUIDITY, 'buildProUpdateCreatorFeeReceiver'],
    () => ({ mint: standardPool().mint }),
    'pool-mismatch:mint',
    () => ({ found: proPool().mint, asked: standardPool().mint }),
  ],
  [
    'a pool of another token',
    'getPoolInfo',
    () => ({ mint: standardPool().mint, pool: proPool().pool }),
    'pool-mismatch:mint',
    () => ({ found: proPool().mint, asked: standardPool().mint }),
  ],
  [
    'a pool of another token',
    'getPoolState',
    () => ({ mint: standardPool().mint, pool: proPool().pool }),
    'pool-mismatch:mint',
    () => ({ found: proPool().mint, asked: standardPool().mint }),
  ],
  [
    'a quote of another token',
    ['buildProBuy', 'buildProSell'],
    () => ({ 'quoteResponse.mint': standardPool().mint }),
    'pool-mismatch:mint',
    () => ({ found: proPool().mint, asked: standardPool().mint }),
  ],
  [
    'another config version',
    STANDARD_QUOTES,
    { configVersion: 1 },
    'pool-mismatch:configVersion',
    { found: 2, asked: 1 },
  ],
  [
    'another config version',
    [...PRO_QUOTES, ...LIQUIDITY],
    { configVersion: 2 },
    'pool-mismatch:configVersion',
    { found: 3, asked: 2 },
  ],
  [
    'a quote of another config version',
    ['buildBuy', 'buildSell'],
    { 'quoteResponse.configVersion': 9 },
    'pool-mismatch:configVersion',
    { found: 2, asked: 9 },
  ],
  [
    'another version',
    'buildClaimCreatorTradingFees',
    { version: 1 },
    'pool-mismatch:configVersion',
    { found: 2, asked: 1 },
  ],
  [
    'another version',
    'buildProUpdateCreatorFeeReceiver',
    { version: 1 },
    'pool-mismatch:configVersion',
    { found: 3, asked: 1 },
  ],
  [
    'a config version that nobody knows',
    'getPoolInfo',
    {},
    'pool-mismatch:configVersion',
    { found: 9, asked: '1 or 2 or 3' },
    () => updateStandard(({ info }) => ({ info: { ...info, protocolConfigVersion: 9 } })),
  ],
  [
    'a config that does not exist',
    ['quoteInitialBuy', ...CREATIONS],
    { configVersion: 9 },
    'account-not-found',
  ],
  ['a config that does not exist', 'getProtocolConfigState', { version: 9 }, 'account-not-found'],
  [
    'a config of the other kind of pools',
    ['quoteInitialBuy', 'buildCreateStandardLiquidityPool'],
    { configVersion: 3 },
    'pool-mismatch:kind',
    { asked: 'standard', found: 'pro' },
  ],
  [
    'a config of the other kind of pools',
    'buildProCreate',
    { configVersion: 1 },
    'pool-mismatch:kind',
    { asked: 'pro', found: 'standard' },
  ],
  [
    'a config without creation',
    'buildCreateStandardLiquidityPool',
    {},
    'operation-disabled:create',
    { configVersion: 1 },
    () => ledger.updateConfig(configOf(1), () => ({ allowCreatePool: 0 })),
  ],
  [
    'a config without creation',
    'buildProCreate',
    {},
    'operation-disabled:create',
    { configVersion: 3 },
    () => ledger.updateConfig(configOf(3), () => ({ allowCreatePool: 0 })),
  ],

  // Accounts that are broken.
  [
    'an account that is no pool',
    WITH_POOL_ALONE,
    { pool: SOL_USD_FEED_ADDRESS },
    'invalid-account-data:found',
    { address: SOL_USD_FEED_ADDRESS, asked: HEAVEN_PROGRAM_ADDRESS },
  ],
  [
    'a pool of another program',
    [...STANDARD_TRADES, 'getPoolInfo', 'getPoolState', 'buildClaimCreatorTradingFees'],
    {},
    'rpc-wrong-account',
    () => ({
      account: 'LiquidityPoolState',
      address: standardPool().pool,
      reason: `it belongs to ${SYSTEM_PROGRAM_ADDRESS}, not to ${HEAVEN_PROGRAM_ADDRESS}`,
    }),
    () => giveAway(standardPool().pool),
  ],
  [
    'a pool cut short',
    [...STANDARD_TRADES, 'getPoolInfo', 'getPoolState', 'buildClaimCreatorTradingFees'],
    {},
    'rpc-wrong-account',
    undefined,
    () => cut(standardPool().pool),
  ],
  ['a config in place of the pool', WITH_POOL_ALONE, () => ({ pool: configOf(3) }), 'invalid-account-data'],
  [
    'a config cut short',
    ['getProtocolConfigState', ...STANDARD_TRADES, 'getPoolInfo'],
    {},
    'rpc-wrong-account',
    undefined,
    () => cut(configOf(2)),
  ],
  [
    'no price feed',
    [...STANDARD_TRADES, ...PRO_TRADES, 'getPoolInfo', 'quoteInitialBuy', 'buildCreateStandardLiquidityPool'],
    {},
    'account-not-found',
    { account: 'Chainlink feed', address: SOL_USD_FEED_ADDRESS },
    () => ledger.setAccount(SOL_USD_FEED_ADDRESS, undefined),
  ],
  [
    'no clock',
    [...STANDARD_TRADES, 'buildProCreate'],
    {},
    'account-not-found',
    { account: 'Clock', address: CLOCK_SYSVAR_ADDRESS },
    () => ledger.setAccount(CLOCK_SYSVAR_ADDRESS, undefined),
  ],
  [
    'a price of 0',
    [...STANDARD_TRADES, ...PRO_TRADES, 'getPoolInfo', 'quoteInitialBuy', 'buildCreateStandardLiquidityPool'],
    {},
    'price-unavailable',
    {},
    () => ledger.setSolPrice(0),
  ],
  [
    'a position of another program',
    ['getLpBalance', ...LIQUIDITY, 'buildProClaimLpFees', 'buildProTransferLp'],
    {},
    'rpc-wrong-account',
    undefined,
    async () => giveAway(await findLpPositionAddress({ pool: proPool().pool, user: proPool().creator })),
  ],
  [
    'a position cut short',
    ['getLpBalance', ...LIQUIDITY, 'buildProClaimLpFees', 'buildProTransferLp'],
    {},
    'rpc-wrong-account',
    undefined,
    async () => cut(await findLpPositionAddress({ pool: proPool().pool, user: proPool().creator })),
  ],

  // Trades that the pool refuses.
  [
    'a pool with swapping off',
    STANDARD_TRADES,
    {},
    'operation-disabled:swap',
    () => ({ pool: standardPool().pool }),
    () => updateStandard(swapOff),
  ],
  [
    'a pool with swapping off',
    PRO_TRADES,
    {},
    'operation-disabled:swap',
    () => ({ pool: proPool().pool }),
    () => updatePro(swapOff),
  ],
  [
    'a pool that opens later',
    STANDARD_TRADES,
    {},
    'pool-not-open',
    () => ({ opensAt: ledger.unixTimestamp + 60n, now: ledger.unixTimestamp }),
    () => updateStandard(opensLater),
  ],
  [
    'a pool that opens later',
    PRO_TRADES,
    {},
    'pool-not-open',
    () => ({ opensAt: ledger.unixTimestamp + 60n, now: ledger.unixTimestamp }),
    () => updatePro(opensLater),
  ],
  [
    'fees of all of it',
    ['quoteBuy', 'buildBuy'],
    {},
    'fees-exceed-amount',
    { feeBps: 10_050n },
    () =>
      ledger.updateConfig(configOf(2), ({ marketCapBasedFees }) => ({
        marketCapBasedFees: {
          ...marketCapBasedFees,
          creatorTradingFee: createFeeBrackets([U64_MAX, 10_000]),
        },
      })),
  ],
  [
    'fees of more than all of it',
    ['quoteSell', 'buildSell'],
    {},
    'fees-exceed-amount',
    { feeBps: 20_050n },
    () =>
      ledger.updateConfig(configOf(2), ({ marketCapBasedFees }) => ({
        marketCapBasedFees: {
          ...marketCapBasedFees,
          creatorTradingFee: createFeeBrackets([U64_MAX, 20_000]),
        },
      })),
  ],
  [
    'a sell that gives nothing',
    'quoteSell',
    { amountInUi: '0.000000001' },
    'output-is-zero',
    { field: 'amountInUi', amountIn: 1n },
  ],
  [
    'a buy that gives nothing',
    ['quoteProBuy'],
    { maxSolSpend: '0.000000001' },
    'output-is-zero',
    { field: 'maxSolSpend', amountIn: 1n },
    () => ledger.setReserves(proPool().pool, { tokenA: 5n }),
  ],
  [
    'more than the pool holds in real SOL',
    'quoteSell',
    { amountInUi: '1000000000' },
    'insufficient-liquidity',
    { available: 896_072_424_006_278_796n },
  ],
  [
    'more than fits into a pool',
    'quoteBuy',
    {},
    'insufficient-liquidity',
    { requested: 1_500_000_000n, available: 5n },
    () => ledger.setReserves(standardPool().pool, { tokenB: U64_MAX - 5n }),
  ],
  [
    'an empty pool',
    PRO_TRADES,
    {},
    'insufficient-liquidity',
    { requested: 1n, available: 0n },
    () => ledger.setReserves(proPool().pool, { tokenA: 0n }),
  ],

  // Quotes that are not what is built.
  [
    'a quote of another program',
    TRADE_BUILDERS,
    { 'quoteResponse.programId': SYSTEM_PROGRAM_ADDRESS },
    'quote-mismatch',
    {
      field: 'quoteResponse.programId',
      asked: HEAVEN_PROGRAM_ADDRESS,
      found: SYSTEM_PROGRAM_ADDRESS,
    },
  ],
  [
    'a minimum shown that is not the minimum',
    TRADE_BUILDERS,
    { 'quoteResponse.minimumOutUi': 1.25 },
    'quote-mismatch',
    { field: 'quoteResponse.minimumOutUi', found: 1.25 },
  ],
  [
    'a minimum lowered behind what is shown',
    ['buildBuy', 'buildSell'],
    { 'quoteResponse.minimumOut': 1n },
    'quote-mismatch',
    { field: 'quoteResponse.minimumOutUi', asked: 1e-9 },
  ],
  [
    'a spend raised behind what is shown',
    BUYS,
    { 'quoteResponse.maxLamportSpend': 2_000_000_000n },
    'quote-mismatch',
    { field: 'quoteResponse.maxSolSpend', asked: 2, found: 1.5 },
  ],
  [
    'a spend shown that is not the spend',
    BUYS,
    { 'quoteResponse.maxSolSpend': 3 },
    'quote-mismatch',
    { field: 'quoteResponse.maxSolSpend', asked: 1.5, found: 3 },
  ],
  [
    'tokens shown that are not the tokens',
    'buildSell',
    { 'quoteResponse.amountInUi': 1000.25 },
    'quote-mismatch',
    { field: 'quoteResponse.amountInUi', asked: 1000.5, found: 1000.25 },
  ],
  [
    'a spend of nothing',
    BUYS,
    { 'quoteResponse.maxLamportSpend': 0n },
    'zero-amount',
    { field: 'quoteResponse.maxLamportSpend' },
  ],
  [
    'tokens of nothing',
    SELLS,
    { 'quoteResponse.amountIn': 0n },
    'zero-amount',
    { field: 'quoteResponse.amountIn' },
  ],
  [
    'a quote with slippage over 10000',
    TRADE_BUILDERS,
    { 'quoteResponse.slippageBps': 10_001 },
    'invalid-slippage',
    { field: 'quoteResponse.slippageBps', value: 10_001 },
  ],
  [
    'a quote with a config version over a u16',
    TRADE_BUILDERS,
    { 'quoteResponse.configVersion': 65_536 },
    'invalid-input',
    { field: 'quoteResponse.configVersion', value: 65_536 },
  ],
  [
    'more than the pool can take by now',
    'buildSell',
    {},
    'insufficient-liquidity',
    { available: 0n },
    () => ledger.setReserves(standardPool().pool, { tokenB: 162_000_000_000n }),
  ],

  // Transactions.
  [
    'half a character of event data',
    [...TRADE_BUILDERS, ...CREATIONS],
    { encodedUserDefinedEventData: '\ud800' },
    'invalid-input',
    { field: 'encodedUserDefinedEventData', value: '\ud800' },
  ],
  [
    'event data over the size of a transaction',
    [...TRADE_BUILDERS, ...CREATIONS],
    { encodedUserDefinedEventData: 'é'.repeat(1_000) },
    'transaction-too-large',
    { limit: 1232 },
  ],
  [
    'a compute limit over a u32',
    BUILDERS,
    { computeUnitLimit: 2 ** 32 },
    'invalid-input',
    { field: 'computeUnitLimit', value: 2 ** 32 },
  ],
  [
    'a program that pays',
    'buildProTransferLp',
    { payer: HEAVEN_PROGRAM_ADDRESS },
    'invalid-input',
    { field: 'payer', value: HEAVEN_PROGRAM_ADDRESS },
  ],
  [
    'a source that does not exist',
    ['buildBuy', 'buildSell'],
    { source: WALLET },
    'unusable-account:token account',
    { field: 'source', address: WALLET, reason: 'it does not exist' },
  ],
  [
    'a source that is no token account',
    ['buildBuy', 'buildSell'],
    { source: SOL_USD_FEED_ADDRESS },
    'unusable-account:token account',
    { field: 'source', address: SOL_USD_FEED_ADDRESS },
  ],
  [
    'a source of somebody else',
    ['buildBuy', 'buildSell'],
    () => ({ payer: WALLET, source: working.buildBuy.full.source, x: undefined }),
    'unusable-account:token account',
  ],
  [
    'a source that is frozen',
    'buildBuy',
    () => ({ source: working.buildBuy.full.source }),
    'unusable-account:token account',
    { reason: 'it is frozen' },
    () =>
      ledger.setTokenAccount(working.buildBuy.full.source as Address, TOKEN_PROGRAM_ADDRESS, {
        mint: WRAPPED_SOL_MINT_ADDRESS,
        owner: PAYER,
        amount: 1n,
        isFrozen: true,
      }),
  ],

  // Claims.
  [
    'another wallet than the receiver',
    CLAIMS,
    { payer: WALLET },
    'not-authorized:fee-receiver',
    { asked: WALLET },
  ],
  ...(
    [
      ['blocked', { creatorTradingFeeDistribution: CreatorTradingFeeDistribution.Blocked }],
      ['volume-below-threshold', { creatorTradingFeeTradingVolumeThreshold: 1e9 }],
      [
        'not-processed',
        {
          creatorTradingFeeTradingVolumeThreshold: 1,
          tradingVolumeUsd: 2,
          creatorTradingFeeClaimStatus: CreatorTradingFeeClaimStatus.Submitted,
        },
      ],
    ] as const
  ).map(
    ([reason, state]): Refusal => [
      `fees that are ${reason}`,
      CLAIMS,
      {},
      'fees-not-claimable',
      { reason },
      () => {
        updateStandard(() => state);
        updatePro(() => state);
      },
    ],
  ),
  [
    'more fees than have accrued',
    'buildClaimCreatorTradingFees',
    { amount: LARGE },
    'insufficient-balance:creator-fees',
    { requested: LARGE, available: 420_891_248_646n },
  ],
  [
    'more fees than have accrued',
    'buildProClaimCreatorFees',
    { amount: U64_MAX },
    'insufficient-balance:creator-fees',
    { requested: U64_MAX, available: 2n * LARGE },
  ],
  [
    'no position',
    'buildProClaimLpFees',
    { payer: WALLET },
    'account-not-found',
    { account: 'UserLpPosition' },
  ],

  // Launches.
  [
    'a name that is too long',
    'buildCreateStandardLiquidityPool',
    { name: 'é'.repeat(17) },
    'invalid-input',
    { field: 'name', value: 'é'.repeat(17) },
  ],
  [
    'a symbol that is too long',
    'buildCreateStandardLiquidityPool',
    { symbol: 'x'.repeat(11) },
    'invalid-input',
    { field: 'symbol', value: 'x'.repeat(11) },
  ],
  [
    'a uri that is too long',
    'buildCreateStandardLiquidityPool',
    { uri: 'x'.repeat(500) },
    'invalid-input',
    { field: 'uri', value: 'x'.repeat(500) },
  ],
  ...(['name', 'symbol', 'uri'] as const).map(
    (field): Refusal => [
      `half a character in the ${field}`,
      'buildCreateStandardLiquidityPool',
      { [field]: '\udc00' },
      'invalid-input',
      { field, value: '\udc00' },
    ],
  ),
  [
    'a spend under the cost',
    'buildCreateStandardLiquidityPool',
    { maxSolSpend: '0.000000001' },
    'spend-too-low',
    { field: 'maxSolSpend', allowed: 1n },
  ],
  [
    'a spend of nothing',
    'buildCreateStandardLiquidityPool',
    { maxSolSpend: 0 },
    'spend-too-low',
    { field: 'maxSolSpend', allowed: 0n },
  ],
  [
    'more than all tokens',
    'buildCreateStandardLiquidityPool',
    { initialPurchaseAmount: U64_MAX },
    'insufficient-liquidity',
    { requested: U64_MAX },
  ],
  [
    'no lookup table there',
    CREATIONS,
    { lutAddress: WALLET },
    'unusable-account:lookup table',
    { address: WALLET, reason: 'it does not exist on this cluster' },
  ],
  [
    'a pool for a lookup table',
    CREATIONS,
    () => ({ lutAddress: proPool().pool }),
    'unusable-account:lookup table',
    () => ({ address: proPool().pool }),
  ],
  [
    'a lookup table that is deactivated',
    CREATIONS,
    { lutAddress: EMPTY_TABLE },
    'unusable-account:lookup table',
    { address: EMPTY_TABLE, reason: 'it is deactivated' },
    () => {
      const { owner } = ledger.getAccount(EMPTY_TABLE)!;
      const data = encodeLookupTable({ addresses: [], deactivationSlot: 5n });
      ledger.setAccount(EMPTY_TABLE, { owner, data });
    },
  ],
  [
    'a wallet that is the new mint',
    'buildCreateStandardLiquidityPool',
    () => ({ payer: mintSigner.address }),
    'invalid-input',
    { field: 'mintSigner' },
  ],

  // Creations of pro pools.
  [
    'wrapped SOL',
    'buildProCreate',
    { mint: WRAPPED_SOL_MINT_ADDRESS },
    'unsupported-mint',
    { mint: WRAPPED_SOL_MINT_ADDRESS },
  ],
  [
    'an NFT',
    'buildProCreate',
    {},
    'unsupported-mint',
    () => ({ mint: proPool().mint }),
    () => ledger.setMint(proPool().mint, TOKEN_PROGRAM_ADDRESS, { decimals: 0, supply: 1n }),
  ],
  [
    'no mint there',
    'buildProCreate',
    { mint: WALLET },
    'account-not-found',
    { account: 'Mint', address: WALLET },
  ],
  [
    'a mint that is none',
    'buildProCreate',
    { mint: SOL_USD_FEED_ADDRESS },
    'invalid-account-data:found',
    { account: 'Mint', address: SOL_USD_FEED_ADDRESS },
  ],
  [
    'a mint of two token programs’ tokens',
    'buildProCreate',
    {},
    'invalid-account-data',
    { account: 'Mint' },
    () =>
      ledger.setAccount(proPool().mint, {
        owner: TOKEN_PROGRAM_ADDRESS,
        data: encodeMint({ decimals: 6, supply: 1n }).slice(0, 81),
      }),
  ],
  [
    'a creator without tokens',
    'buildProCreate',
    () => ({ creator: ledger.pools.community.creator }),
    'unusable-account:token account',
    { field: 'creator', reason: 'it does not exist' },
  ],
  [
    'a pool that is there',
    'buildProCreate',
    () => ({ creator: proPool().creator }),
    'pool-exists',
    () => ({ pool: proPool().pool }),
  ],
  [
    'no tokens to start with',
    'buildProCreate',
    { initialTokenAAmount: 0n },
    'zero-amount',
    { field: 'initialTokenAAmount' },
  ],
  [
    'no lamports to start with',
    'buildProCreate',
    { initialTokenBAmount: 0n },
    'zero-amount',
    { field: 'initialTokenBAmount' },
  ],
  [
    'a slot schedule that fits into no transaction',
    'buildProCreate',
    () => {
      const brackets = Array.from({ length: 42 }, (_, index) => ({
        slotOffsetUpperbound: index + 1,
        buyFeeBps: 1,
        sellFeeBps: 1,
      }));
      const creatorSlotTradingFee = { brackets, maxSlotOffset: 42, maxFeeBps: 1, enabled: true };
      return {
        creatorSlotTradingFee,
        creatorTradingFee: BRACKETS,
        reflectionTradingFee: BRACKETS,
        encodedUserDefinedEventData: 'x'.repeat(600),
      };
    },
    'transaction-too-large',
    { limit: 1232 },
  ],

  // Brackets.
  ...(
    [
      ['five brackets', [1n, 2n, 3n, 4n, CATCH_ALL], 'invalid-fees', ''],
      ['bounds that do not ascend', [5n, 5n, CATCH_ALL], 'invalid-fees', ''],
      ['bounds that descend', [5n, 4n, CATCH_ALL], 'invalid-fees', ''],
      ['a last bound that does not catch all', [5n, U64_MAX], 'invalid-fees', ''],
    ] as const
  ).flatMap(([what, bounds, code]): Refusal[] => {
    const brackets = bounds.map((marketCapUpperBound) => ({
      marketCapUpperBound,
      buyFeeBps: 1,
      sellFeeBps: 1,
    }));
    return [
      [what, BRACKET_SETTERS, { brackets }, code, { field: 'brackets' }],
      ...(['creatorTradingFee', 'reflectionTradingFee', 'liquidityProviderTradingFee'] as const).map(
        (field): Refusal => [`${what} in ${field}`, 'buildProCreate', { [field]: brackets }, code, { field }],
      ),
    ];
  }),
  [
    'a fee over 10000',
    BRACKET_SETTERS,
    { brackets: [BRACKETS[0], { marketCapUpperBound: CATCH_ALL, buyFeeBps: 1, sellFeeBps: 10_001 }] },
    'invalid-fees:feeBps',
    { field: 'brackets[1].sellFeeBps', feeBps: 10_001, maxFeeBps: 10_000 },
  ],
  [
    'a fee over a u32',
    BRACKET_SETTERS,
    { brackets: [{ marketCapUpperBound: CATCH_ALL, buyFeeBps: 2 ** 32, sellFeeBps: 1 }] },
    'amount-out-of-range',
    { field: 'brackets[0].buyFeeBps', value: 2 ** 32 },
  ],
  [
    'a creator fee over the config’s maximum',
    'buildProSetMarketCapCreatorFee',
    { brackets: [{ marketCapUpperBound: CATCH_ALL, buyFeeBps: 5_001, sellFeeBps: 1 }] },
    'invalid-fees:feeBps',
    { field: 'brackets[0].buyFeeBps', feeBps: 5_001, maxFeeBps: 5_000 },
  ],
  [
    'a creator fee over the config’s maximum',
    'buildProCreate',
    { creatorTradingFee: [{ marketCapUpperBound: CATCH_ALL, buyFeeBps: 5_001, sellFeeBps: 1 }] },
    'invalid-fees:feeBps',
    { field: 'creatorTradingFee[0].buyFeeBps', feeBps: 5_001, maxFeeBps: 5_000 },
  ],
  [
    'a fee over the config’s maximum in a slot',
    'buildProSetSlotCreatorFee',
    {
      brackets: [{ slotOffsetUpperbound: 15, buyFeeBps: 5_001, sellFeeBps: 1 }],
      maxFeeBps: 5_001,
    },
    'invalid-fees:feeBps',
    { field: 'brackets[0].buyFeeBps', feeBps: 5_001, maxFeeBps: 5_000 },
  ],
  ...(
    [
      ['bounds that do not ascend', { brackets: [SCHEDULE.brackets[1], SCHEDULE.brackets[0]] }],
      ['a last slot before the last bracket’s', { maxSlotOffset: 14 }],
      ['a highest fee under the highest', { maxFeeBps: 4_999 }],
      ['a schedule in force without brackets', { brackets: [], maxSlotOffset: 0, maxFeeBps: 0 }],
      [
        '43 brackets',
        {
          brackets: Array.from({ length: 43 }, (_, index) => ({
            slotOffsetUpperbound: index,
            buyFeeBps: 1,
            sellFeeBps: 1,
          })),
          maxSlotOffset: 42,
          maxFeeBps: 1,
        },
      ],
    ] as const
  ).flatMap(([what, change]): Refusal[] => [
    [what, 'buildProSetSlotCreatorFee', change, 'invalid-fees', { field: 'brackets' }],
    [
      what,
      'buildProCreate',
      { creatorSlotTradingFee: { ...SCHEDULE, ...change } },
      'invalid-fees',
      { field: 'creatorSlotTradingFee.brackets' },
    ],
  ]),
  [
    'a slot over a u16',
    'buildProCreate',
    { creatorSlotTradingFee: { ...SCHEDULE, maxSlotOffset: 65_536 } },
    'amount-out-of-range',
    { field: 'creatorSlotTradingFee.maxSlotOffset', value: 65_536 },
  ],

  // What only the creator may do, and what the creator gave up.
  [
    'somebody else',
    [...TOGGLES, ...SETTERS, 'buildProUpdateCreatorFeeReceiver'],
    { payer: WALLET },
    'not-authorized:creator',
    () => ({ found: proPool().creator, asked: WALLET }),
  ],
  [
    'a creator fee that is fixed',
    CREATOR_FEE_SETTERS,
    {},
    'operation-disabled:set-creator-fee',
    () => ({ pool: proPool().pool }),
    () => updatePro(({ allowlist }) => ({ allowlist: { ...allowlist, updateCreatorTradingFee: 0 } })),
  ],
  [
    'a receiver that can’t change now',
    'buildProUpdateCreatorFeeReceiver',
    {},
    'operation-disabled:update-fee-receiver',
    {
      claimStatus: CreatorTradingFeeClaimStatus.Submitted,
      distribution: CreatorTradingFeeDistribution.Shared,
    },
    () =>
      updatePro(() => ({
        creatorTradingFeeClaimStatus: CreatorTradingFeeClaimStatus.Submitted,
        creatorTradingFeeDistribution: CreatorTradingFeeDistribution.Shared,
      })),
  ],
  [
    'the receiver of now',
    'buildProUpdateCreatorFeeReceiver',
    () => ({ newReceiver: proPool().creator }),
    'invalid-input',
    () => ({ field: 'newReceiver', value: proPool().creator }),
  ],

  // Liquidity.
  [
    'deposits that are off',
    'buildProAddLiquidity',
    {},
    'operation-disabled:deposit',
    () => ({ pool: proPool().pool }),
    () => updatePro(({ allowlist }) => ({ allowlist: { ...allowlist, depositLiquidity: 0 } })),
  ],
  [
    'withdrawals that are off',
    'buildProRemoveLiquidity',
    {},
    'operation-disabled:withdraw',
    () => ({ pool: proPool().pool }),
    () => updatePro(({ allowlist }) => ({ allowlist: { ...allowlist, removeLiquidity: 0 } })),
  ],
  ...(
    [
      ['buildProAddLiquidity', 'maxTokenA'],
      ['buildProAddLiquidity', 'maxTokenB'],
      ['buildProRemoveLiquidity', 'lpTokensToBurn'],
      ['buildProTransferLp', 'amount'],
    ] as const
  ).map(([name, field]): Refusal => [`${field} of 0`, name, { [field]: 0n }, 'zero-amount', { field }]),
  [
    'a deposit that gives nothing',
    'buildProAddLiquidity',
    { maxTokenA: 1n },
    'output-is-zero',
    { field: 'maxTokenA', amountIn: 1n },
    () => updatePro(({ lpToken }) => ({ lpToken: { ...lpToken, supply: { ...lpToken.supply, total: 1n } } })),
  ],
  [
    'an empty pool',
    LIQUIDITY,
    {},
    'insufficient-liquidity',
    { requested: 1n, available: 0n },
    () => ledger.setReserves(proPool().pool, { tokenB: 0n }),
  ],
  [
    'more LP tokens than are held',
    'buildProRemoveLiquidity',
    { lpTokensToBurn: U64_MAX },
    'insufficient-balance:lp-tokens',
    { requested: U64_MAX, available: 2n * LARGE },
  ],
  [
    'LP tokens without a position',
    'buildProRemoveLiquidity',
    { payer: WALLET },
    'insufficient-balance:lp-tokens',
    { requested: LARGE, available: 0n },
  ],
  [
    'more LP tokens than are held',
    'buildProTransferLp',
    { amount: U64_MAX },
    'insufficient-balance:lp-tokens',
    { requested: U64_MAX, available: 2n * LARGE },
  ],
  [
    'a transfer to oneself',
    'buildProTransferLp',
    () => ({ receiver: proPool().creator }),
    'invalid-input',
    () => ({ field: 'receiver', value: proPool().creator }),
  ],
];

const refusals = REFUSALS.flatMap(([what, names, change, code, context, arrange]) =>
  [names].flat().map((name) => ({ name, what, change, code, context, arrange })),
);
const given = <T extends object>(value: T | (() => T)): T =>
  typeof value === 'function' ? (value as () => T)() : value;

/** A service cuts long values. */
const asSent = (context: object): object => {
  const { value } = context as { readonly value?: unknown };
  return typeof value === 'string' && value.length > 200
    ? { ...context, value: `${value.slice(0, 200)}…` }
    : context;
};

/** What one client refuses, the ledger prepared for it. */
async function refused(
  where: 'local' | 'remote',
  name: Name,
  change: Fields | (() => Fields),
): Promise<AnyHeavenError> {
  return await refusalOf(call(heaven[where], name, changed(working[name].required, given(change))));
}

describe.each(BOTH)('the %s client rejects', (where) => {
  test.each(refusals)('$name: $what', async ({ name, change, code, context, arrange }) => {
    await arrange?.();
    const error = await refused(where, name, change);
    const shown = where === 'remote' ? asSent : (whole: object) => whole;
    expect({ code: caseOf(error.code, error.context), context: error.context }).toMatchObject({
      code,
      context: context === undefined ? {} : shown(given(context)),
    });
    if (where === 'remote') {
      const local = await refused('local', name, change);
      expect(error.context).toStrictEqual(asSent(local.context));
      expect(error.message).toBe(local.message);
    }
  });

  const addressFields = [
    'payer',
    'mint',
    'pool',
    'user',
    'creator',
    'sender',
    'receiver',
    'newReceiver',
    'lutAddress',
    'source',
  ];
  const notAddresses = ['', 'x', 'LiGHt', `${WALLET}1`, ` ${WALLET}`, 7, 7n, true, [WALLET], {}, Symbol('x')];
  test.each(addressFields)('a wrong %s in every function that takes one', async (field) => {
    let times = 0;
    for (const name of NAMES) {
      if (!(field in working[name].full)) continue;
      for (const value of notAddresses) {
        const error = await refusalOf(call(heaven[where], name, { ...working[name].full, [field]: value }));
        expect(error).toMatchObject({ code: 'invalid-address' });
        expect(error.context).toStrictEqual({ field, value });
        times++;
      }
    }
    expect(times).toBeGreaterThan(0);
  });

  test.each([undefined, null, 5, 'x', true, 5n])('%s for an input', async (input) => {
    for (const name of NAMES) {
      // Local functions take their input apart at once.
      if (where === 'local') await expect(call(heaven.local, name, input)).rejects.toThrow();
      else {
        const error = await refusalOf(call(heaven.remote, name, input));
        expect(error.code).toBe('invalid-input');
        expect(error.context).toStrictEqual({ field: 'input', value: input });
      }
    }
  });

  test.each<[HeavenErrorCode, () => unknown, object]>([
    ['rpc-failed', () => Promise.reject(new TypeError('fetch failed')), {}],
    [
      'rpc-failed',
      () => ({ jsonrpc: '2.0', id: '1', error: { code: -32_005, message: 'behind' } }),
      { rpcCode: -32_005 },
    ],
    ['rpc-invalid-response', () => ({ jsonrpc: '2.0', id: '1', result: 7 }), {}],
  ])('%s by the node, in every function', async (code, fail, context) => {
    nodeFailure = fail;
    await Promise.all(
      NAMES.map(async (name) => {
        const error = await refusalOf(call(heaven[where], name, working[name].required));
        expect(error).toMatchObject({ code, context });
        const { method } = error.context as { readonly method: string };
        expect(['getMultipleAccounts', 'getLatestBlockhash']).toContain(method);
      }),
    );
  });

  test('an already aborted call', async () => {
    const abortSignal = AbortSignal.abort();
    const before = ledger.requests.length;
    for (const name of NAMES) {
      const error = await refusalOf(call(heaven[where], name, { ...working[name].required, abortSignal }));
      expect(error.code).toBe('aborted');
    }
    if (where === 'remote') expect(ledger.requests).toHaveLength(before);
    expect(getEventListeners(abortSignal, 'abort')).toEqual([]);
  });
});

// ---------------------------------------------------------------- the form of an input

/** What either client rejects before it sends anything. The field, a wrong value, and the code. */
const BY_SCHEMA: readonly (readonly [field: string, value: unknown, local: HeavenErrorCode])[] = [
  // Missing.
  ...(['payer', 'creator', 'user', 'sender', 'receiver', 'newReceiver', 'lutAddress'] as const).flatMap(
    (field) => [undefined, null].map((value) => [field, value, 'invalid-address'] as const),
  ),
  ['mint', undefined, 'invalid-address'],
  ...(['slippageBps'] as const).flatMap((field) =>
    [undefined, null, -1, 0.5, '50', true].map((value) => [field, value, 'invalid-slippage'] as const),
  ),
  ...(['maxSolSpend', 'amountInUi', 'initialPurchasePercent'] as const).map(
    (field) => [field, undefined, 'invalid-amount'] as const,
  ),
  ...(['configVersion', 'version'] as const).flatMap((field) =>
    [undefined, 1.5, -1, '2', true].map((value) => [field, value, 'invalid-input'] as const),
  ),
  ...[-1n, 1.5, '5', true].map((value) => ['amount', value, 'invalid-amount'] as const),
  ...(
    [
      'initialPurchaseAmount',
      'initialTokenAAmount',
      'initialTokenBAmount',
      'maxTokenA',
      'maxTokenB',
      'minLpTokens',
      'lpTokensToBurn',
      'minTokenA',
      'minTokenB',
    ] as const
  ).flatMap((field) =>
    [undefined, null, -1n, 1.5, '5', true].map((value) => [field, value, 'invalid-amount'] as const),
  ),
  ...[7, {}].map((value) => ['encodedUserDefinedEventData', value, 'invalid-input'] as const),
  ...(['name', 'symbol', 'uri'] as const).flatMap((field) =>
    [undefined, null, 7, {}].map((value) => [field, value, 'invalid-input'] as const),
  ),
  ...[undefined, null, 'yes', 1, 0n, {}].map((value) => ['enabled', value, 'invalid-input'] as const),
  ...[undefined, null, 'x', 5, {}].map((value) => ['brackets', value, 'invalid-input'] as const),
  ...[-1, 0.5, '1'].map((value) => ['computeUnitLimit', value, 'invalid-input'] as const),
  ...[-1n, 0.5, '1'].map((value) => ['computeUnitPrice', value, 'invalid-input'] as const),
  ...[undefined, null, '{}', 5].map((value) => ['quoteResponse', value, 'invalid-input'] as const),
];

function expectField(error: AnyHeavenError, field: string): void {
  const { value: _, ...context } = error.context as { readonly value?: unknown };
  expect(context).toStrictEqual({ field });
}

/** Both clients reject an input alike. */
async function expectSame(name: Name, input: unknown, code: HeavenErrorCode): Promise<void> {
  const own = await refusalOf(call(heaven.local, name, input));
  expect(own.code).toBe(code);
  const error = await refusalOf(call(heaven.remote, name, input));
  expect(error.code).toBe(code);
  expect(error.message).toBe(own.message);
  expect(error.context).toStrictEqual(own.context);
}

/** A local call may leave a field out or lacks it later; the service says that it is missing. */
async function expectMissing(name: Name, input: unknown, field: string, local: HeavenErrorCode) {
  expect((await refusalOf(call(heaven.local, name, input))).code).toBe(local);
  const error = await refusalOf(call(heaven.remote, name, input));
  expect(error.code).toBe('invalid-input');
  expectField(error, field);
}

describe('the form of an input', () => {
  const optional = new Set([
    'buildCreateStandardLiquidityPool.maxSolSpend',
    'buildCreateStandardLiquidityPool.configVersion',
  ]);
  const rows = BY_SCHEMA.map(([field, value, local]) => [field, inspect(value), value, local] as const);
  test.each(rows)('%s: %s', async (field, _, value, local) => {
    let times = 0;
    for (const name of NAMES) {
      if (!(field in working[name].full)) continue;
      if (value === undefined && optional.has(`${name}.${field}`)) continue;
      const input = { ...working[name].full, [field]: value };
      if (field === 'mint') Object.assign(input, name === 'getPoolInfo' ? { pool: undefined } : {});
      const mayBeMissing =
        ['lutAddress', 'maxSolSpend', 'initialPurchasePercent'].includes(field) || name === 'getPoolState';
      if ((value ?? null) === null && mayBeMissing) await expectMissing(name, input, field, local);
      else await expectSame(name, input, local);
      times++;
    }
    expect(times).toBeGreaterThan(0);
  });

  const ofQuotes: readonly (readonly [field: string, value: unknown, local: HeavenErrorCode])[] = [
    ...[undefined, null, 'x', 7].flatMap((value) => [
      ['programId', value, 'invalid-address'] as const,
      ['mint', value, 'invalid-address'] as const,
    ]),
    ...[undefined, null, -1, 1.5, '2'].flatMap((value) => [
      ['configVersion', value, 'invalid-input'] as const,
      ['slippageBps', value, 'invalid-slippage'] as const,
    ]),
    ...[undefined, null, -1n, 1.5, '5'].flatMap((value) => [
      ['minimumOut', value, 'invalid-amount'] as const,
      ['maxLamportSpend', value, 'invalid-amount'] as const,
      ['amountIn', value, 'invalid-amount'] as const,
    ]),
    ...[undefined, null, '1.5', true].flatMap((value) => [
      ['minimumOutUi', value, 'quote-mismatch'] as const,
      ['maxSolSpend', value, 'quote-mismatch'] as const,
      ['amountInUi', value, 'quote-mismatch'] as const,
    ]),
  ];
  test.each(ofQuotes.map(([field, value, local]) => [field, inspect(value), value, local] as const))(
    '%s of a quote: %s',
    async (field, _, value, local) => {
      for (const name of TRADE_BUILDERS) {
        if (!(field in working[name].required.quoteResponse)) continue;
        const input = changed(working[name].required, { [`quoteResponse.${field}`]: value });
        // What is only shown is compared later, which a request can't carry.
        if (local === 'quote-mismatch') await expectMissing(name, input, `quoteResponse.${field}`, local);
        else await expectSame(name, input, local);
      }
    },
  );

  test.each([
    ['buildBuy', 'buildSell'],
    ['buildSell', 'buildBuy'],
    ['buildProBuy', 'buildProSell'],
    ['buildProSell', 'buildProBuy'],
  ] as const)('%s with the quote of %s', async (name, other) => {
    const input = { ...working[name].required, quoteResponse: working[other].required.quoteResponse };
    await expectSame(name, input, 'quote-mismatch');
  });

  test.each<[string, unknown, string, HeavenErrorCode]>([
    ['a bracket that is null', [null], 'brackets[0]', 'invalid-input'],
    ['an empty bracket', [{}], 'brackets[0].marketCapUpperBound', 'invalid-amount'],
    [
      'a bound of a number with a fraction',
      [{ ...BRACKETS[0], marketCapUpperBound: 1.5 }, BRACKETS[1]],
      'brackets[0].marketCapUpperBound',
      'invalid-amount',
    ],
    [
      'a negative bound',
      [BRACKETS[0], { ...BRACKETS[1], marketCapUpperBound: -1n }],
      'brackets[1].marketCapUpperBound',
      'invalid-amount',
    ],
    ['a negative fee', [{ ...BRACKETS[1], buyFeeBps: -1 }], 'brackets[0].buyFeeBps', 'invalid-amount'],
    ['a fee of text', [{ ...BRACKETS[1], sellFeeBps: '1' }], 'brackets[0].sellFeeBps', 'invalid-amount'],
  ])('%s', async (_, brackets, field, local) => {
    for (const name of BRACKET_SETTERS) {
      const input = { ...working[name].required, brackets };
      await expectSame(name, input, local);
      expectField(await refusalOf(call(heaven.remote, name, input)), field);
    }
  });

  test.each<[string, Fields, string, HeavenErrorCode]>([
    ['features of text', { features: 'all' }, 'features', 'invalid-input'],
    ['a feature of 1', { features: { enableSwap: 1 } }, 'features.enableSwap', 'invalid-input'],
    ['a schedule of text', { creatorSlotTradingFee: 'x' }, 'creatorSlotTradingFee', 'invalid-input'],
    [
      'a schedule without its last slot',
      { creatorSlotTradingFee: { ...SCHEDULE, maxSlotOffset: undefined } },
      'creatorSlotTradingFee.maxSlotOffset',
      'invalid-amount',
    ],
    [
      'a slot of a fraction',
      {
        creatorSlotTradingFee: {
          ...SCHEDULE,
          brackets: [{ ...SCHEDULE.brackets[0], slotOffsetUpperbound: 0.5 }],
        },
      },
      'creatorSlotTradingFee.brackets[0].slotOffsetUpperbound',
      'invalid-amount',
    ],
    ['brackets of an object', { reflectionTradingFee: {} }, 'reflectionTradingFee', 'invalid-input'],
  ])('%s', async (_, change, field, local) => {
    const input = { ...working.buildProCreate.required, ...change };
    await expectSame('buildProCreate', input, local);
    expectField(await refusalOf(call(heaven.remote, 'buildProCreate', input)), field);
  });

  test('neither a mint nor a pool', async () => {
    expect((await refusalOf(call(heaven.local, 'getPoolState', {}))).code).toBe('invalid-address');
    const error = await refusalOf(call(heaven.remote, 'getPoolState', {}));
    expect(error).toMatchObject({ code: 'invalid-input', context: { field: 'mint' } });
  });

  test('several fields: the first', async () => {
    const error = await refusalOf(call(heaven.remote, 'quoteBuy', { mint: WALLET }));
    expect(error.context).toStrictEqual({ field: 'configVersion', value: undefined });
  });
});

describe('other exceptions of HTTP', () => {
  test('rejects a body over the limit before its transaction', async () => {
    const input = { ...working.buildBuy.required, encodedUserDefinedEventData: 'x'.repeat(70_000) };
    expect((await refusalOf(heaven.local.buildBuy(input))).code).toBe('transaction-too-large');
    const error = await refusalOf(heaven.remote.buildBuy(input));
    expect(error.code).toBe('service-failed');
    expect(error.context).toStrictEqual({
      path: '/tx/buy',
      status: 413,
      code: 'body-too-large',
      requestId: expect.any(String),
    });
  });

  test('a program that is not served', async () => {
    const elsewhere = createRemoteClient({ ...reached, programAddress: WALLET });
    const error = await refusalOf(elsewhere.quoteBuy(working.quoteBuy.required));
    expect(error).toMatchObject({
      code: 'service-failed',
      context: { path: '/quote/buy', status: 422, code: 'unknown-program-id' },
    });
  });

  test('rejects invalid numbers before sending them', async () => {
    for (const [name, change, local, field] of [
      ['quoteBuy', { slippageBps: Number.NaN }, 'invalid-slippage', 'slippageBps'],
      ['quoteBuy', { configVersion: Number.POSITIVE_INFINITY }, 'invalid-input', 'configVersion'],
      ['buildBuy', { computeUnitLimit: Number.NEGATIVE_INFINITY }, 'invalid-input', 'computeUnitLimit'],
      [
        'buildBuy',
        { 'quoteResponse.minimumOutUi': Number.NaN },
        'quote-mismatch',
        'quoteResponse.minimumOutUi',
      ],
      [
        'buildProSetLpFee',
        { brackets: [{ ...BRACKETS[1], buyFeeBps: Number.NaN }] },
        'invalid-amount',
        'brackets[0].buyFeeBps',
      ],
      [
        'buildProCreate',
        { creatorSlotTradingFee: { ...SCHEDULE, maxFeeBps: Number.NaN } },
        'invalid-amount',
        'creatorSlotTradingFee.maxFeeBps',
      ],
    ] as const) {
      const input = changed(working[name].required, change);
      expect((await refusalOf(call(heaven.local, name, input))).code).toBe(local);
      const error = await refusalOf(call(heaven.remote, name, input));
      expect(error.code).toBe(local === 'quote-mismatch' ? 'invalid-input' : local);
      expect(error.context).toStrictEqual({ field, value: expect.any(Number) });
    }
  });

  test('an amount of null is rejected by the service', async () => {
    const input = { ...working.quoteBuy.required, maxSolSpend: null };
    expect((await refusalOf(call(heaven.local, 'quoteBuy', input))).code).toBe('invalid-amount');
    expect(await refusalOf(call(heaven.remote, 'quoteBuy', input))).toMatchObject({
      code: 'invalid-input',
      context: { field: 'maxSolSpend' },
    });
  });

  test('an aborted call names the path instead of the node’s method', async () => {
    const input = { ...working.quoteBuy.required, abortSignal: AbortSignal.abort() };
    expect((await refusalOf(heaven.local.quoteBuy(input))).context).toStrictEqual({
      method: 'getMultipleAccounts',
    });
    expect((await refusalOf(heaven.remote.quoteBuy(input))).context).toStrictEqual({ method: '/quote/buy' });
  });
});

describe('fields that no request can carry', () => {
  const LOCAL_ONLY: Fields = {
    before: [],
    after: [],
    lifetime: { blockhash: SYSTEM_PROGRAM_ADDRESS, lastValidBlockHeight: 1n },
    wrapSol: 'none',
    snapshot: {},
    mintSigner: async () => mintSigner,
  };
  test.each(Object.keys(LOCAL_ONLY))('rejects %s, unless undefined', async (field) => {
    for (const name of BUILDERS) {
      const before = ledger.requests.length;
      const error = await refusalOf(
        call(heaven.remote, name, { ...working[name].required, [field]: LOCAL_ONLY[field] }),
      );
      expect(error.code).toBe('invalid-input');
      expect(error.context).toStrictEqual({ field, value: LOCAL_ONLY[field] });
      expect(ledger.requests).toHaveLength(before);
      await expect(
        call(heaven.remote, name, { ...working[name].required, [field]: undefined }),
      ).resolves.toBeDefined();
    }
  });

  test.each(['maxSolSpent', 'details', 'constructor', 'toString', '__proto__', '', 'a b'])(
    'rejects the unknown field %j, unless undefined',
    async (field) => {
      for (const name of NAMES) {
        const input = (value: unknown) =>
          Object.defineProperty({ ...working[name].required }, field, { value, enumerable: true });
        const error = await refusalOf(call(heaven.remote, name, input(5)));
        expect(error).toMatchObject({ code: 'invalid-input', context: { field } });
      }
      const { required } = working.quoteBuy;
      await expect(
        heaven.remote.quoteBuy(
          Object.defineProperty({ ...required }, field, { value: undefined, enumerable: true }),
        ),
      ).resolves.toBeDefined();
    },
  );

  test('a field of another function is unknown too', async () => {
    const error = await refusalOf(
      call(heaven.remote, 'quoteBuy', { ...working.quoteBuy.required, pool: WALLET }),
    );
    expect(error).toMatchObject({ code: 'invalid-input', context: { field: 'pool' } });
  });
});

// ---------------------------------------------------------------- what is sent, digit by digit

/** The JSON text that a call sends. */
async function sentBy(name: Name, input: unknown): Promise<string> {
  const service = fakeService(reply(400, ''));
  await refusalOf(call(over(service), name, input));
  expect(service.requests).toHaveLength(1);
  return service.requests[0]!.init.body as string;
}

/** The JSON that a call sends, or `undefined` if the client rejects the input as the local one does. */
async function sentOrSame(name: Name, input: unknown): Promise<Fields | undefined> {
  const service = fakeService(reply(400, ''));
  const error = await refusalOf(call(over(service), name, input));
  const [request] = service.requests;
  if (request !== undefined) return digits(request.init.body as string) as Fields;
  const own = await refusalOf(call(heaven.local, name, input));
  expect([error.code, error.message]).toEqual([own.code, own.message]);
  return undefined;
}

/** JSON text of which every number still is its text. */
const digits = (text: string): unknown =>
  JSON.parse(
    stringify(
      parse(text, (_, value) => (value instanceof LosslessNumber ? `#${value.toString()}` : value)),
    ) as string,
  );

describe('a request', () => {
  test('is what the interface documents', async () => {
    const service = fakeService(reply(200, QUOTE));
    expect(await over(service).quoteBuy(ASK)).toStrictEqual(QUOTED);
    const [{ url, init }] = service.requests as [FakeService['requests'][number]];
    expect(url).toBe('https://heaven.example/quote/buy');
    expect(init.method).toBe('POST');
    expect(new Headers(init.headers).get('content-type')).toBe('application/json');
    expect(digits(init.body as string)).toEqual({
      program_id: HEAVEN_PROGRAM_ADDRESS,
      config_version: '#2',
      mint: WALLET,
      max_sol_spend: '#1.5',
      slippage_bps: '#50',
    });
  });

  test.each<[string | number, string]>([
    ['0.000000001', '0.000000001'],
    ['123456789.123456789', '123456789.123456789'],
    ['18446744073.709551615', '18446744073.709551615'],
    ['00012.50', '12.50'],
    ['000', '0'],
    ['00.5', '0.5'],
    ['1e-9', '1e-9'],
    ['1E5', '1E5'],
    ['1.50e+02', '1.50e+02'],
    ['007e-3', '7e-3'],
    [1e-9, '1e-9'],
    [0.1 + 0.2, '0.30000000000000004'],
    [1e21, '1e+21'],
    [5e-324, '5e-324'],
    [123_456_789.123_456_78, '123456789.12345678'],
    [Number.MAX_SAFE_INTEGER, '9007199254740991'],
    ['9'.repeat(300), '9'.repeat(300)],
  ])('the amount %j is sent as %s, if it can be one', async (amount, text) => {
    let times = 0;
    for (const [name, field, wire] of [
      ['quoteBuy', 'maxSolSpend', 'max_sol_spend'],
      ['quoteProBuy', 'maxSolSpend', 'max_sol_spend'],
      ['quoteSell', 'amountInUi', 'amount_in_ui'],
      ['quoteProSell', 'amountInUi', 'amount_in_ui'],
      ['quoteInitialBuy', 'initialPurchasePercent', 'initial_purchase_percent'],
      ['quoteInitialBuy', 'slippage', 'slippage'],
      ['buildCreateStandardLiquidityPool', 'maxSolSpend', 'max_sol_spend'],
    ] as const) {
      const body = await sentOrSame(name, { ...working[name].required, [field]: amount });
      if (body === undefined) continue;
      expect(body[wire]).toBe(`#${text}`);
      times++;
    }
    expect(times).toBeGreaterThan(0);
  });

  test.each([
    ['0.000000001', 1n],
    ['00012.50', 12_500_000_000n],
    ['1e-9', 1n],
    [1e-9, 1n],
    ['15E-1', 1_500_000_000n],
    ['123456.123456789', 123_456_123_456_789n],
    [0.3, 300_000_000n],
  ] as const)('%j SOL are %d lamports, of either client', async (maxSolSpend, lamports) => {
    for (const where of BOTH) {
      const quote = await heaven[where].quoteProBuy({ ...working.quoteProBuy.required, maxSolSpend });
      expect(quote.maxLamportSpend).toBe(lamports);
    }
  });

  test.each([0n, 1n, ODD, LARGE, U64_MAX])('%d is sent with all its digits', async (amount) => {
    for (const [name, field, wire] of [
      ['buildClaimCreatorTradingFees', 'amount', 'amount'],
      ['buildCreateStandardLiquidityPool', 'initialPurchaseAmount', 'initial_purchase_amount'],
      ['buildProCreate', 'initialTokenAAmount', 'initial_token_a_amount'],
      ['buildProCreate', 'initialTokenBAmount', 'initial_token_b_amount'],
      ['buildProAddLiquidity', 'maxTokenA', 'max_token_a'],
      ['buildProAddLiquidity', 'maxTokenB', 'max_token_b'],
      ['buildProAddLiquidity', 'minLpTokens', 'min_lp_tokens'],
      ['buildProRemoveLiquidity', 'lpTokensToBurn', 'lp_tokens_to_burn'],
      ['buildProRemoveLiquidity', 'minTokenA', 'min_token_a'],
      ['buildProRemoveLiquidity', 'minTokenB', 'min_token_b'],
      ['buildProClaimCreatorFees', 'amount', 'amount'],
      ['buildProTransferLp', 'amount', 'amount'],
      ['buildBuy', 'computeUnitPrice', 'compute_unit_price'],
    ] as const) {
      const body = await sentOrSame(name, { ...working[name].required, [field]: amount });
      if (amount > 0n) expect(body).toBeDefined();
      if (body !== undefined) expect(body[wire]).toBe(`#${amount}`);
    }
    const brackets = [{ ...BRACKETS[1], marketCapUpperBound: amount }];
    const body = digits(await sentBy('buildProSetLpFee', { ...working.buildProSetLpFee.required, brackets }));
    expect(body).toMatchObject({ brackets: [{ market_cap_upper_bound: `#${amount}` }] });
  });

  test('sends the pool of a local quote, and no other details', async () => {
    for (const name of TRADE_BUILDERS) {
      const { quoteResponse } = working[name].required;
      expect(quoteResponse).toHaveProperty('details');
      const body = digits(await sentBy(name, working[name].required)) as { readonly quote_response: object };
      expect(body.quote_response).toHaveProperty('details', { pool: quoteResponse.details?.pool });
      expect(Object.keys(body.quote_response)).toHaveLength(9);
      const { minimumOut } = quoteResponse;
      expect(body.quote_response).toMatchObject({ minimum_out: `#${minimumOut}` });
    }
  });

  test('sends only the address of a signer', async () => {
    const signer = await generateKeyPairSigner();
    for (const [name, field, wire] of [
      ['buildBuy', 'payer', 'payer'],
      ['buildProBuy', 'source', 'source'],
      ['buildProCreate', 'creator', 'creator'],
      ['buildProTransferLp', 'sender', 'sender'],
      ['buildProUpdateCreatorFeeReceiver', 'newReceiver', 'new_receiver'],
    ] as const) {
      const body = digits(await sentBy(name, { ...working[name].required, [field]: signer })) as Fields;
      expect(body[wire]).toBe(signer.address);
    }
  });

  test('undefined fields and the signal are not sent', async () => {
    const text = await sentBy('buildBuy', {
      ...working.buildBuy.required,
      source: undefined,
      computeUnitPrice: undefined,
      before: undefined,
      wrapSol: undefined,
      snapshot: undefined,
      anything: undefined,
      abortSignal: new AbortController().signal,
    });
    expect(Object.keys(digits(text) as object).sort()).toEqual([
      'encoded_user_defined_event_data',
      'payer',
      'quote_response',
    ]);
  });

  test('sends texts unchanged', async () => {
    const text = 'a "quote", \\ \n\u0000\u2028 é 🚀 \ufeff';
    const body = digits(
      await sentBy('buildBuy', { ...working.buildBuy.required, encodedUserDefinedEventData: text }),
    );
    expect(body).toMatchObject({ encoded_user_defined_event_data: text });
    const input = { ...working.buildBuy.required, encodedUserDefinedEventData: text };
    expect((await heaven.remote.buildBuy(input)).tx).toBe((await heaven.local.buildBuy(input)).tx);
  });

  test.each(NAMES)(
    '%s sends the program if the interface has the field, and no field of its own',
    async (name) => {
      const service = fakeService(reply(400, ''));
      await refusalOf(call(over(service, { programAddress: WALLET }), name, working[name].full));
      const body = digits(service.requests[0]!.init.body as string) as Fields;
      if ((TRADE_BUILDERS as readonly Name[]).includes(name)) expect(body).not.toHaveProperty('program_id');
      else expect(body.program_id).toBe(WALLET);
      for (const field of Object.keys(body)) expect(field).toMatch(/^[a-z]+(_[a-z]+)*$/);
    },
  );

  test.each([
    ['https://heaven.example', 'https://heaven.example/quote/buy'],
    ['https://heaven.example/', 'https://heaven.example/quote/buy'],
    ['https://heaven.example///', 'https://heaven.example/quote/buy'],
    ['https://heaven.example/api', 'https://heaven.example/api/quote/buy'],
    ['https://heaven.example/api/v1/', 'https://heaven.example/api/v1/quote/buy'],
    ['HTTP://heaven.example:8080', 'HTTP://heaven.example:8080/quote/buy'],
    ['http://[::1]:3000/', 'http://[::1]:3000/quote/buy'],
  ])('to %s goes to %s', async (baseUrl, url) => {
    const service = fakeService(reply(200, QUOTE));
    await over(service, { baseUrl }).quoteBuy(ASK);
    expect(service.requests[0]!.url).toBe(url);
  });

  test('has the headers of the config', async () => {
    const service = fakeService(reply(200, QUOTE));
    const headers = { authorization: 'Bearer hunter2', 'x-api-key': 'k', 'content-type': 'text/plain' };
    await over(service, { headers }).quoteBuy(ASK);
    const sent = new Headers(service.requests[0]!.init.headers);
    expect([...sent.keys()].sort()).toEqual(['authorization', 'content-type', 'x-api-key']);
    expect(sent.get('authorization')).toBe('Bearer hunter2');
    expect(sent.get('content-type')).toBe('application/json');
  });

  test('uses the current global fetch unless another is given', async () => {
    const engines = vi.spyOn(globalThis, 'fetch').mockImplementation(fakeService(reply(200, QUOTE)).fetch);
    try {
      expect(await createRemoteClient({ baseUrl: BASE }).quoteBuy(ASK)).toStrictEqual(QUOTED);
      expect(engines).toHaveBeenCalledTimes(1);
    } finally {
      engines.mockRestore();
    }
  });
});

describe('a client rejects', () => {
  test.each([
    undefined,
    null,
    '',
    'heaven.example',
    '//heaven.example',
    '/api',
    'ftp://heaven.example',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'https://',
    'https:heaven.example',
    'https://a b',
    'https://heaven.example:99999',
    ' https://heaven.example',
    5,
    {},
    new URL('https://heaven.example'),
  ])('the base URL %s', (baseUrl) => {
    expect(() => createRemoteClient({ baseUrl } as never)).toThrow(
      expect.objectContaining({ name: 'HeavenError', code: 'invalid-input', context: { field: 'baseUrl' } }),
    );
  });

  test.each(['', 'x', null, 5])('the program %s', (programAddress) => {
    expect(() => createRemoteClient({ baseUrl: BASE, programAddress: programAddress as never })).toThrow(
      expect.objectContaining({
        code: 'invalid-address',
        context: { field: 'programAddress', value: programAddress },
      }),
    );
  });
});

// ---------------------------------------------------------------- what is answered

describe('an answer', () => {
  test('is as exact as it was sent', async () => {
    const service = fakeService(
      reply(
        200,
        stringify({
          ...QUOTE,
          max_lamport_spend: U64_MAX,
          minimum_out: 300_000_000_000_000_041n,
          minimum_out_ui: new LosslessNumber('0.30000000000000004'),
          max_sol_spend: new LosslessNumber('1.8446744073709552e10'),
        }) as string,
      ),
    );
    const ask = { ...ASK, maxSolSpend: '18446744073.709551615' };
    expect(await over(service).quoteBuy(ask)).toStrictEqual({
      ...QUOTED,
      maxLamportSpend: U64_MAX,
      minimumOut: 300_000_000_000_000_041n,
      minimumOutUi: 0.1 + 0.2,
      maxSolSpend: Number('18446744073.709552'),
    });
  });

  test('of accounts with extreme values is the account', async () => {
    updatePro(({ reserve, lpToken, marketCapBasedFees }) => ({
      creatorTradingFees: U64_MAX,
      protocolTradingFees: LARGE,
      liquidityProviderTradingFees: ODD,
      creatorTradingFeesClaimedByOthers: 0n,
      tradingVolumeUsd: 0.1 + 0.2,
      creatorTradingFeeTradingVolumeThreshold: 5e-324,
      reserve: { ...reserve, tokenA: U64_MAX, tokenB: U64_MAX - 1n },
      lpToken: { ...lpToken, supply: { ...lpToken.supply, burnt: U64_MAX } },
      marketCapBasedFees: {
        ...marketCapBasedFees,
        reflectionTradingFee: createFeeBrackets([ODD, 0, 4_294_967_295], [U64_MAX, 10_000]),
      },
    }));
    await ledger.setLpPosition({
      pool: proPool().pool,
      user: WALLET,
      lpTokenBalance: U64_MAX,
      rewardDebt: U64_MAX,
      pendingFees: U64_MAX,
    });
    const { pool } = proPool();
    const state = await heaven.remote.getPoolState({ pool });
    expect(state).toStrictEqual(await heaven.local.getPoolState({ pool }));
    expect(state.creatorTradingFees).toBe(U64_MAX);
    expect(state.tradingVolumeUsd).toBe(0.1 + 0.2);
    for (const volume of [1.7976931348623157e308, 1e21, 1e-7, 123_456_789.125]) {
      updatePro(() => ({ tradingVolumeUsd: volume }));
      expect((await heaven.remote.getPoolState({ pool })).tradingVolumeUsd).toBe(volume);
    }
    expect(await heaven.remote.getLpBalance({ pool, user: WALLET })).toStrictEqual({
      lpTokenBalance: U64_MAX,
      rewardDebt: U64_MAX,
      // As much as is stored is owed.
      pendingFees: 0n,
      lpPositionAddress: await findLpPositionAddress({ pool, user: WALLET }),
      exists: true,
    });
  });

  test('of configs with extreme values is the config', async () => {
    ledger.updateConfig(configOf(2), () => ({
      initialTokenAAmount: U64_MAX,
      totalRealizedProfit: LARGE,
      migrationMarketCapThreshold: 65_535,
      bufferBps: 0,
    }));
    const config = await heaven.remote.getProtocolConfigState({ version: 2 });
    expect(config).toStrictEqual(await heaven.local.getProtocolConfigState({ version: 2 }));
    expect(config).toMatchObject({ initialTokenAAmount: U64_MAX, totalRealizedProfit: LARGE });
  });

  test.each([
    ['text', { minimum_out: '"5"', max_lamport_spend: '"1500000000"', max_sol_spend: '"1.5"' }],
    ['another notation', { minimum_out: '5.0', max_lamport_spend: '15e8', max_sol_spend: '1.50' }],
  ])('may have its amounts in %s', async (_, amounts) => {
    const body = Object.entries(amounts).reduce(
      (text, [name, written]) => text.replace(new RegExp(`"${name}":[^,}]+`), `"${name}":${written}`),
      JSON.stringify(QUOTE),
    );
    expect(body).not.toBe(JSON.stringify(QUOTE));
    expect(await over(fakeService(reply(200, body))).quoteBuy(ASK)).toStrictEqual(QUOTED);
  });

  test('may have more than is documented, which is dropped', async () => {
    const text = JSON.stringify({ ...QUOTE, details: { x: 1 }, warnings: [], extra: null }).replace(
      '{',
      '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},',
    );
    const quote = await over(fakeService(reply(200, text))).quoteBuy(ASK);
    expect(quote).toStrictEqual({ ...QUOTED, details: {} });
    expect(({} as Fields).polluted).toBeUndefined();
    expect(Object.getPrototypeOf(quote)).toBe(Object.prototype);
  });

  test.each(NAMES)('of %s is checked', async (name) => {
    for (const body of [{}, { data: {} }, { tx: 5 }, { tx: null }, []]) {
      const error = await refusalOf(call(over(fakeService(reply(200, body))), name, working[name].required));
      expect(error.code).toBe('service-failed');
    }
  });
});

describe('an error of the service', () => {
  const failing = async (reply: Reply, config: Partial<RemoteClientConfig> = {}) =>
    await refusalOf(over(fakeService(reply), { retries: 0, ...config }).quoteBuy(ASK));

  test('with a known code becomes that error', async () => {
    const error = await failing(
      reply(
        422,
        `{"error":{"code":"insufficient-liquidity","message":"Too much.","details":{"requested":${U64_MAX},"available":5}}}`,
      ),
    );
    expect(error).toMatchObject({
      name: 'HeavenError',
      code: 'insufficient-liquidity',
      message: 'Too much.',
    });
    expect(error.context).toStrictEqual({ requested: U64_MAX, available: 5n });
    expect(isHeavenError(error, 'insufficient-liquidity') && error.context.requested).toBe(U64_MAX);
  });

  test.each<[HeavenErrorCode, string, object]>([
    ['insufficient-liquidity', '"requested":1,"available":0', { requested: 1n, available: 0n }],
    ['fees-exceed-amount', '"fee_bps":10000', { feeBps: 10_000n }],
    ['output-is-zero', '"field":"amount_in_ui","amount_in":1', { field: 'amountInUi', amountIn: 1n }],
    ['pool-not-open', '"opens_at":2,"now":1', { opensAt: 2n, now: 1n }],
    [
      'insufficient-balance',
      '"asset":"lp-tokens","requested":2,"available":1',
      { asset: 'lp-tokens', requested: 2n, available: 1n },
    ],
    [
      'spend-too-low',
      '"field":"max_sol_spend","required":2,"allowed":1',
      { field: 'maxSolSpend', required: 2n, allowed: 1n },
    ],
    ['rpc-behind', '"method":"m","min_context_slot":5', { method: 'm', minContextSlot: 5n }],
    [
      'pool-mismatch',
      '"field":"config_version","asked":1,"found":2',
      { field: 'configVersion', found: 2, asked: 1 },
    ],
    [
      'rpc-wrong-account',
      '"account":"a","reason":"r","field":"reserve.token_b","found":2,"expected":"at least 3"',
      { account: 'a', reason: 'r', field: 'reserve.tokenB', found: 2n, expected: 'at least 3' },
    ],
    [
      'invalid-fees',
      '"field":"brackets.0.buy_fee_bps","fee_bps":5,"max_fee_bps":4',
      { field: 'brackets[0].buyFeeBps', feeBps: 5, maxFeeBps: 4 },
    ],
    ['transaction-too-large', '"size":1233,"limit":1232,"excess":1', { size: 1233, limit: 1232, excess: 1 }],
    [
      'operation-disabled',
      '"operation":"update-fee-receiver","claim_status":1,"distribution":0',
      { operation: 'update-fee-receiver', claimStatus: 1, distribution: 0 },
    ],
    [
      'operation-disabled',
      '"operation":"create","config_version":1',
      { operation: 'create', configVersion: 1 },
    ],
    [
      'invalid-amount',
      '"field":"max_sol_spend","value":"1.50","decimals":9',
      { field: 'maxSolSpend', value: '1.50', decimals: 9 },
    ],
    [
      'quote-mismatch',
      '"field":"quote_response.max_sol_spend","asked":1.5,"found":2',
      { field: 'quoteResponse.maxSolSpend', asked: 1.5, found: 2 },
    ],
    [
      'rpc-failed',
      '"method":"m","status":500,"rpc_code":-32005',
      { method: 'm', status: 500, rpcCode: -32_005 },
    ],
    ['rpc-rate-limited', '"method":"m","retry_after_seconds":1.5', { method: 'm', retryAfterSeconds: 1.5 }],
    ['rpc-timeout', '"method":"m","timeout_ms":30000', { method: 'm', timeoutMs: 30_000 }],
    ['operation-disabled', '"operation":"swap"', { operation: 'swap' }],
  ])('%s has the kinds of its context', async (code, details, context) => {
    const error = await failing(
      reply(422, `{"error":{"code":"${code}","message":"m","details":{${details}}}}`),
    );
    expect(error.code).toBe(code);
    expect(error.context).toStrictEqual(context);
  });

  test("of the schema names the first field in the SDK's terms", async () => {
    const fields = [
      { field: 'quote_response.max_lamport_spend', message: 'm' },
      { field: 'mint', message: 'm' },
    ];
    const error = await failing(
      refusal(400, { code: 'invalid-request', message: 'All of it.', details: { fields } }),
    );
    expect(error).toMatchObject({ code: 'invalid-input', message: 'All of it.' });
    expect(error.context).toStrictEqual({ field: 'quoteResponse.maxLamportSpend' });
  });

  test.each(['rate-limited', 'unknown-path', 'something-new', '__proto__', 'constructor', 'toString', ''])(
    'with the unknown code %j is service-failed',
    async (code) => {
      const error = await failing(
        refusal(422, { code, message: 'It says so.', details: { x: 1 } }, { 'x-request-id': 'r-1' }),
      );
      expect(error.code).toBe('service-failed');
      expect(error.context).toStrictEqual({ path: '/quote/buy', status: 422, code, requestId: 'r-1' });
      expect(error.message).toContain('It says so.');
    },
  );

  test.each([undefined, 5])('without a message, but %s, tells the status', async (message) => {
    const error = await failing(reply(400, { error: { code: 'zero-amount', message } }));
    expect(error.code).toBe('service-failed');
    expect(error.context).toStrictEqual({ path: '/quote/buy', status: 400 });
    expect(error.message).toContain('400');
  });

  test("contains none of the request's headers", async () => {
    const headers = { authorization: 'Bearer hunter2', 'x-api-key': 'hunter2', cookie: 'session=hunter2' };
    const replies: readonly Reply[] = [
      () => Promise.reject(new TypeError('fetch failed')),
      reply(200, '<html>'),
      reply(200, {}),
      reply(204, ''),
      reply(400, '<html>'),
      reply(503, ''),
      refusal(429, { code: 'rate-limited', message: 'm' }, { 'retry-after': '100' }),
      refusal(422, { code: 'zero-amount', message: 'm', details: { field: 'x' } }),
      refusal(400, { code: 'invalid-request', message: 'm', details: { fields: [{ field: 'mint' }] } }),
    ];
    const abortSignal = AbortSignal.abort();
    for (const reply of replies) {
      const heaven = over(fakeService(reply), { headers, retries: 0 });
      for (const input of [ASK, { ...ASK, before: [] }, { ...ASK, mint: 'x' }, { ...ASK, abortSignal }]) {
        const error = await refusalOf(call(heaven, 'quoteBuy', input));
        expect(inspect(error, { depth: null, showHidden: true })).not.toContain('hunter2');
      }
    }
  });
});

// ---------------------------------------------------------------- real services

describe.skipIf(inject('engine') !== 'node')('over a socket', () => {
  const running: Server[] = [];
  afterEach(async () => {
    for (const server of running.splice(0)) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });
  const serve = async (listener: RequestListener): Promise<string> => {
    const server = createServer(listener);
    running.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };

  test('rejects if nobody listens', async () => {
    const baseUrl = await serve(() => {});
    const [server] = running.splice(0) as [Server];
    await new Promise((resolve) => server.close(resolve));
    const error = await refusalOf(createRemoteClient({ baseUrl, retries: 0 }).quoteBuy(ASK));
    expect(error.code).toBe('service-failed');
    expect(error.context).toStrictEqual({ path: '/quote/buy' });
    expect(error.message).toContain('could not be reached');
  });

  test('retries a body that breaks off', async () => {
    let requests = 0;
    const baseUrl = await serve((request, response) => {
      request.resume();
      requests++;
      if (requests > 1) {
        response.end(JSON.stringify(QUOTE));
        return;
      }
      response.writeHead(200, { 'content-length': '1000' });
      response.write('{"config_version":');
      setTimeout(() => response.destroy(), 10);
    });
    const random = vi.spyOn(Math, 'random').mockReturnValue(0);
    expect(await createRemoteClient({ baseUrl }).quoteBuy(ASK)).toStrictEqual(QUOTED);
    random.mockRestore();
    expect(requests).toBe(2);
  });

  test('times out on a body that never ends', async () => {
    const baseUrl = await serve((request, response) => {
      request.resume();
      response.write('{"config_version":');
    });
    const slow = createRemoteClient({ baseUrl, timeoutMs: 40, retries: 0 });
    const error = await refusalOf(slow.quoteBuy(ASK));
    expect(error).toMatchObject({ code: 'service-failed', context: { path: '/quote/buy' } });
  });

  test('an abort in flight closes the connection', async () => {
    let gone = () => {};
    const closed = new Promise<void>((resolve) => {
      gone = resolve;
    });
    const controller = new AbortController();
    const baseUrl = await serve((request, response) => {
      response.on('close', gone);
      request.resume();
      request.on('end', () => controller.abort());
    });
    const error = await refusalOf(
      createRemoteClient({ baseUrl }).quoteBuy({ ...ASK, abortSignal: controller.signal }),
    );
    expect(error.code).toBe('aborted');
    await closed;
  });

  test('does not follow a redirect: headers may be secret', async () => {
    const urls: (string | undefined)[] = [];
    const baseUrl = await serve((request, response) => {
      request.resume();
      urls.push(request.url);
      const status = Number(request.url?.split('/')[1]);
      response.writeHead(status, { location: '/quote/buy' }).end();
    });
    for (const status of [301, 302, 307, 308]) {
      const heaven = createRemoteClient({ baseUrl: `${baseUrl}/${status}` });
      const error = await refusalOf(heaven.quoteBuy(ASK));
      expect(error).toMatchObject({ code: 'service-failed', context: { path: '/quote/buy', status } });
      expect(error.message).toContain('redirect');
    }
    expect(urls).toEqual(['/301', '/302', '/307', '/308'].map((at) => `${at}/quote/buy`));
  });

  test('the error has the service’s request id', async () => {
    const elsewhere = createRemoteClient({ baseUrl: `${reached.baseUrl}/nowhere` });
    const error = await refusalOf(elsewhere.quoteBuy(ASK));
    expect(error).toMatchObject({
      code: 'service-failed',
      context: {
        path: '/quote/buy',
        status: 404,
        code: 'unknown-path',
        requestId: expect.stringMatching(/\S/),
      },
    });
    const named = createRemoteClient({
      baseUrl: `${reached.baseUrl}/nowhere`,
      headers: { 'x-request-id': 'mine-1' },
    });
    expect((await refusalOf(named.quoteBuy(ASK))).context).toMatchObject({ requestId: 'mine-1' });
  });
});

describe('over a handler in the same process', () => {
  const inProcess = (config: Partial<HandlerConfig>, remote: Partial<RemoteClientConfig> = {}) => {
    const handler: Handler = createHandler({ client, observe: () => {}, ...config });
    return createRemoteClient({ baseUrl: BASE, retries: 0, fetch: fetchOf(handler), ...remote });
  };

  test('it works', async () => {
    const input = working.quoteBuy.required;
    expect(await inProcess({}).quoteBuy(input)).toStrictEqual(await heaven.remote.quoteBuy(input));
  });

  test('reports what exceeds its rate limit', async () => {
    const error = await refusalOf(
      inProcess({ rateLimiter: () => ({ retryAfterSeconds: 60 }) }).quoteBuy(working.quoteBuy.required),
    );
    expect(error).toMatchObject({ code: 'service-failed', context: { status: 429, code: 'rate-limited' } });
  });

  test('reports what exceeds its time limit', async () => {
    nodeFailure = () => new Promise(() => {});
    const error = await refusalOf(inProcess({ timeoutMs: 20 }).quoteBuy(working.quoteBuy.required));
    expect(error).toMatchObject({ code: 'service-failed', context: { status: 504, code: 'timeout' } });
  });

  test('reports an internal error', async () => {
    const broken = inProcess({
      mintSigner: () => {
        throw new TypeError('secret');
      },
    });
    const error = await refusalOf(
      broken.buildCreateStandardLiquidityPool(working.buildCreateStandardLiquidityPool.required),
    );
    expect(error).toMatchObject({ code: 'service-failed', context: { status: 500, code: 'internal-error' } });
    expect(error.message).not.toContain('secret');
  });

  test('serves another deployment beside mainnet’s', async () => {
    const programAddress = WALLET;
    const elsewhere = await createEmbeddedLedger({ programAddress });
    const other = createHeavenClient({ rpc: elsewhere.rpc, deployment: { programAddress } });
    const clients = { client: [client, other] };
    const { mint, configVersion, creator } = elsewhere.pools.creator;
    const ask = { mint, configVersion, maxSolSpend: 1, slippageBps: 50 };
    const remote = inProcess(clients, { programAddress });
    const quoteResponse = await remote.quoteBuy(ask);
    expect(quoteResponse.programId).toBe(programAddress);
    const input = { payer: creator, quoteResponse, encodedUserDefinedEventData: '' };
    expect((await remote.buildBuy(input)).tx).toBe((await createLocalClient(other).buildBuy(input)).tx);
    expect((await inProcess(clients).quoteBuy(ask)).programId).toBe(HEAVEN_PROGRAM_ADDRESS);
    expect((await refusalOf(createLocalClient(client).buildBuy(input))).code).toBe('quote-mismatch');
  });
});
