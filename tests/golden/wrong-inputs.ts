import { parse } from 'lossless-json';
import { vi } from 'vitest';
import { stringifyJson } from '../../src/base/json.js';
import { encodeRequest } from '../../src/http/schemas/requests.js';
import { createHeavenClient, createLocalClient, type HeavenWarning } from '../../src/index.js';
import { type OperationName, paths } from '../../src/operations/index.js';
import {
  SOL_USD_FEED_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
  WRAPPED_SOL_MINT_ADDRESS,
} from '../../src/program/index.js';
import { encodePriceFeed } from '../../src/testing/encode.js';
import {
  bodyWith,
  type Field,
  fieldsOf,
  inputOf,
  inputWith,
  inSdk,
  isInSdk,
  OPERATIONS,
  setIn,
  type ValueForm,
  WRONG,
} from '../http/engines.js';
import { jsonText, objectText, PROGRAM, readJson, serviceOver } from '../http/support.js';
import type { Fields } from '../http/working-requests.js';
import { addressNamed, OTHER_PROGRAM_ADDRESS } from '../support/addresses.js';
import { U64_MAX } from '../support/amounts.js';
import { chainRefusals, chargeCreatorFee, engines, extendMints, updatePools } from './chain-refusals.js';
import { PAYER } from './scene.js';

// The one table of what operations refuse or warn of. What is wrong with the value of a field follows from its form, so a new field is
// in it as soon as a golden request has it.

const { ledger, client, working, mintSigner } = engines;
const { creator, pro } = ledger.pools;
const otherSource = addressNamed('other wrapped SOL');
const held = { mint: WRAPPED_SOL_MINT_ADDRESS, owner: PAYER };

/** Makes what serves and calls in place of the engines. */
export type By = () => Pick<typeof engines, 'handler' | 'reported'> & Partial<Pick<typeof engines, 'local'>>;

/** A call that is refused or warned of: over HTTP, by the SDK, or both. */
export interface Case {
  readonly path: string;
  /** With the path, its name in the record: no words of the library. */
  readonly what: string;
  readonly name?: OperationName;
  readonly request?: RequestInit & { readonly query?: string };
  readonly call?: { readonly input: unknown };
  /** Changes the ledger, which is restored afterwards. */
  readonly prepare?: () => unknown;
  readonly by?: By;
  /** The case of its error, known without recording it. */
  readonly expected?: string;
  /** The field that its error must name. */
  readonly field?: Field;
}

const JSON_TYPE = { 'content-type': 'application/json' };
const posting = (body: string, query = '') => ({ method: 'POST', headers: JSON_TYPE, body, query });

/** How many of the wrong values are recorded of each field. */
const TRIED = 2;

/** What only the SDK rejects. */
const WRONG_IN_SDK: Readonly<Partial<Record<Field['form']['kind'], readonly unknown[]>>> = {
  integer: [5],
  amount: [1n],
};

const LETTERS = 'x'.repeat(300);
/** A value that is judged with others, so the error may name another field. */
const unnamed = ({ field: _, ...one }: Case): Case => one;

/** The ends of a number's range, and what lies behind them. */
function limitsOf({ kind, minimum, maximum = 0, exclusiveMinimum }: ValueForm): readonly bigint[] {
  if (exclusiveMinimum === 0) return [0n];
  if (kind !== 'integer' && kind !== 'small') return [];
  const most = BigInt(maximum);
  return minimum === 1 ? [0n, most, most + 1n] : [most, most + 1n];
}

function wrongFields(name: OperationName, path: string): readonly Case[] {
  const request = working[path]!;
  return fieldsOf(name).flatMap((field) => {
    const { form, isRequired } = field;
    const where = field.path.join('.');
    const called = (value: unknown) =>
      isInSdk(name, field) ? { call: { input: inputWith(name, request, field, value) } } : {};
    const one = (what: string, json: unknown, value: unknown): Case => ({
      ...{ path, name, what: `${where}: ${what}`, field },
      request: posting(bodyWith(request, field, json)),
      ...called(value),
    });
    const wrong = [
      ...(isRequired ? [one('missing', undefined, undefined)] : []),
      ...WRONG[form.kind].slice(0, TRIED).map((text) => one(text, parse(text), JSON.parse(text))),
      ...(isInSdk(name, field) ? (WRONG_IN_SDK[form.kind] ?? []) : []).map((value) => ({
        ...{ path, name, what: `${where}: ${typeof value} ${value} in the SDK`, field },
        ...called(value),
      })),
    ];
    if (form.kind === 'text') return [...wrong, unnamed(one('300 letters', LETTERS, LETTERS))];
    if (form.kind === 'list' || form.kind === 'object') return wrong;
    const limits = limitsOf(form).map((limit) =>
      unnamed(one(String(limit), parse(String(limit)), form.kind === 'integer' ? limit : Number(limit))),
    );
    return [...wrong, ...limits];
  });
}

/** Names that are none of the operation's, at the top and in its objects. */
function wrongNames(name: OperationName, path: string): readonly Case[] {
  const { required, optional, alternative } = working[path]!;
  const camel = (field: string) => inSdk([field]).join();
  const beside = (fields: Fields) => posting(objectText({ ...required, ...fields }));
  const misspelt = Object.keys({ ...required, ...optional, ...alternative }).flatMap((field) => {
    const isSdks = isInSdk(name, { path: [field] });
    const input = { ...inputOf(name, required), [`${camel(field)}s`]: 1 };
    const what = `${field}s: 1`;
    return [
      { path, name, what, request: beside({ [`${field}s`]: '1' }), ...(isSdks ? { call: { input } } : {}) },
      ...(camel(field) === field
        ? []
        : [{ path, name, what: `${camel(field)}: 1`, request: beside({ [camel(field)]: '1' }) }]),
    ];
  });
  const everything = { ...required, ...optional };
  const nested = fieldsOf(name).flatMap(({ path: [...at], form }): Case[] => {
    if (form.kind !== 'object' || !((at[0] as string) in everything)) return [];
    const value = (object: unknown) => setIn(object, [...at, 'colour'], 1) as object;
    return [
      {
        ...{ path, name, what: `${at.join('.')}.colour: 1` },
        request: posting(jsonText(value(readJson(objectText(everything))))),
        call: { input: setIn(inputOf(name, everything), [...inSdk(at), 'colour'], 1) },
      },
    ];
  });
  return [
    ...misspelt,
    ...nested,
    {
      ...{ path, name, what: 'colour: 1', request: beside({ colour: '1' }) },
      call: { input: { ...inputOf(name, required), colour: 1 } },
    },
  ];
}

/** What is no input, another program, and a call that is aborted. */
const wrongInputs = (name: OperationName, path: string): readonly Case[] => [
  ...['{}', 'null', '[]', ...(path === paths.quoteBuy ? ['5', '"x"', '[{}]'] : [])].map((text) => ({
    ...{ path, name, what: `a body of ${text}`, request: posting(text) },
    call: { input: JSON.parse(text) as unknown },
  })),
  {
    ...{ path, name, what: 'another program' },
    request: posting(objectText(working[path]!.required).replaceAll(PROGRAM, OTHER_PROGRAM_ADDRESS)),
  },
  {
    ...{ path, name, what: 'aborted' },
    call: { input: { ...inputOf(name, working[path]!.required), abortSignal: AbortSignal.abort() } },
  },
];

/** A working call with other fields, of each path or of some, if it has all these fields. */
const changing = (what: string, change: Fields, ...only: readonly string[]): readonly Case[] =>
  OPERATIONS.filter(([, path]) => {
    const { required, optional, alternative } = working[path]!;
    const known = { ...required, ...optional, ...alternative };
    const isAsked = only.length === 0 || only.includes(path);
    return isAsked && Object.keys(change).every((field) => field in known);
  }).map(([name, path]) => {
    const fields = { ...working[path]!.required, ...change };
    return { path, name, what, request: posting(objectText(fields)), call: { input: inputOf(name, fields) } };
  });

/** The same in another state of the ledger. */
const inState = (cases: readonly Case[], prepare: () => unknown) => cases.map((one) => ({ ...one, prepare }));

/** What HTTP refuses, or names in another way. */
const inSdkOnly = (cases: readonly Case[]) => cases.map(({ request: _, ...one }) => one);

const LONG = JSON.stringify('é'.repeat(700));
const BUY_QUOTE = working[paths.buildBuy]!.required.quote_response!;
const contradictions: readonly Case[] = [
  ...changing('no budget in version 1', { compute_unit_limit: '0', transaction_version: '1' }),
  ...changing('a budget in version 1', {
    compute_unit_price: String(U64_MAX),
    transaction_version: '1',
    compute_unit_limit: '1400000',
  }),
  ...changing('500 letters', { encoded_user_defined_event_data: JSON.stringify('x'.repeat(500)) }),
  ...changing('the table of another config', { lut_address: JSON.stringify(ledger.lookupTables.creator) }),
  ...changing('long event data', { encoded_user_defined_event_data: LONG }),
  ...changing('long event data in version 1', {
    encoded_user_defined_event_data: LONG,
    transaction_version: '1',
  }),
  ...changing('a token’s long texts', { uri: JSON.stringify('x'.repeat(190)), symbol: '"maxSolSpend"' }),
  ...changing('a maximum behind the last bracket', { max_slot_offset: '4' }),
  ...changing(
    'a spend that is not the one shown',
    { quote_response: BUY_QUOTE.replace('1500000000', '123456789123456789') },
    paths.buildBuy,
  ),
  ...changing('neither', { version: 'null' }, '/data/protocol-config-state'),
  ...changing('two that differ', { version: '2', config_version: '1' }, '/data/protocol-config-state'),
  ...changing('no mint', { mint: 'null' }, '/data/pool-state'),
  ...changing('no table', { lut_address: 'null' }),
  ...changing('no table in version 0', { lut_address: 'null', transaction_version: '0' }),
];

const nothingToClaim = inState(
  changing(
    'no fees since the last claim',
    { amount: '0' },
    paths.buildClaimCreatorTradingFees,
    paths.buildProClaimCreatorFees,
  ),
  () => updatePools(() => ({ creatorTradingFees: 0n })),
);

const ownMint = inSdkOnly(
  changing(
    'a payer that is the new mint',
    { payer: JSON.stringify(mintSigner.address) },
    paths.buildCreateStandardLiquidityPool,
  ),
);

// ---------------------------------------------------------------- HTTP

const quote = objectText(working[paths.quoteBuy]!.required);
const asking = (
  what: string,
  request: NonNullable<Case['request']>,
  path: string = paths.quoteBuy,
): Case => ({
  path,
  what,
  request: { method: 'POST', headers: JSON_TYPE, ...request },
});
const [start = '', end = ''] = quote.split(/(?<=":")/);
const requests: readonly Case[] = [
  ...['GET', 'PUT'].map((method) => ({ path: paths.quoteBuy, what: method, request: { method } })),
  ...['//', '/quote%2Fbuy', '/quote/%zz', '/constructor', '/<script>alert(1)</script>'].flatMap((path) => [
    asking('POST', { body: '{}' }, path),
    { path, what: 'GET', request: { method: 'GET' } },
  ]),
  ...['text/plain', 'application/jsonp', 'application/xml; x=application/json', ' '].map((type) =>
    asking(`content type ${JSON.stringify(type)}`, { headers: { 'content-type': type }, body: quote }),
  ),
  asking('no content type', { headers: {}, body: new TextEncoder().encode(quote) }),
  ...Object.entries({
    nothing: '',
    words: 'not json',
    truncated: quote.slice(0, -1),
    'something behind it': `${quote}x`,
    'a raw control character': quote.replace('mint', 'mi\u0001nt'),
    'a key twice, different': quote.replace('{', '{"program_id":"x","program_id":"y",'),
    'NUL bytes': `\0${quote}`,
    'nested too deeply': '['.repeat(16_000),
    'too large': ' '.repeat(1 << 20),
  }).map(([what, body]) => asking(what, { body })),
  asking('not UTF-8', { body: new Uint8Array([...Buffer.from(start), 0xe9, ...Buffer.from(end)]) }),
  { ...asking('more than the limiter allows', { body: quote }), by: limited({ retryAfterSeconds: 7 }) },
];

function limited(refusal: { readonly retryAfterSeconds: number }): By {
  return () => serviceOver(client, { rateLimiter: () => refusal });
}

// ---------------------------------------------------------------- nodes

const NODE = 'http://node.invalid/KEY';
const html = '<html><body>502 Bad Gateway, see https://node.invalid/KEY</body></html>';
const jsonRpc = (more: object) => (id: unknown) =>
  Response.json({ jsonrpc: '2.0', id, ...more }, { headers: { connection: 'close' } });
/** Words with what no error may repeat: a URL with a key, control characters, and many of them. */
const WORDS = `method\u001b[31m not in your plan\n: https://node.invalid/KEY ${'or ask sales '.repeat(99)}`;
const failure = (code: unknown) => jsonRpc({ error: { code, message: WORDS } });
const ofHttp =
  (status: number, headers = {}) =>
  () =>
    new Response(html, { status, headers: { 'content-type': 'text/html', ...headers } });

/** What a node answers. `undefined` is no answer. */
const NODES: Readonly<Record<string, (id: unknown) => Response | undefined>> = {
  ...Object.fromEntries(
    [-32_000, -32_005, -32_052, -32_429, -32_601, -32_602, 7, '-32000'].map((code) => [
      `JSON-RPC error ${JSON.stringify(code)}`,
      failure(code),
    ]),
  ),
  'an error that is a string': jsonRpc({ error: WORDS }),
  'a result of null': jsonRpc({ result: null }),
  'a value of null': jsonRpc({ result: { value: null } }),
  'neither result nor error': jsonRpc({}),
  'the id of another request': () => jsonRpc({ result: null })('x'),
  null: () => new Response('null'),
  HTML: () => new Response(html, { headers: { 'content-type': 'text/html' } }),
  'an empty 200': () => new Response(''),
  'HTTP 403': ofHttp(403),
  'HTTP 404': ofHttp(404),
  'HTTP 429': ofHttp(429),
  'HTTP 429 with retry-after 0.5': ofHttp(429, { 'retry-after': '0.5' }),
  'HTTP 429 with retry-after 7': ofHttp(429, { 'retry-after': '7' }),
  'HTTP 500': ofHttp(500),
  'no connection': () => {
    throw Object.assign(new TypeError('fetch failed'), {
      cause: Object.assign(new Error(`connect ECONNREFUSED ${NODE}`), { code: 'ECONNREFUSED' }),
    });
  },
  'no answer': () => undefined,
};

/**
 * Who calls such a node. Requests to other hosts, such as the service's, go through.
 *
 * @param timeoutMs How long the service waits, on a clock that stands still until then.
 */
function overNode(answer: (id: unknown) => Response | undefined, timeoutMs?: number): By {
  return () => {
    if (timeoutMs !== undefined) vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const fetch = globalThis.fetch;
    vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
      if (String(url) !== NODE) return await fetch(url, init);
      const { id } = JSON.parse(String(init.body)) as { readonly id: unknown };
      // The service's time begins before the node is asked, and passes only then.
      if (timeoutMs !== undefined) vi.advanceTimersByTime(timeoutMs);
      return answer(id) ?? (await new Promise(() => {}));
    });
    // A node that answers is never too slow.
    const isLate = answer === NODES['no answer'] && timeoutMs === undefined;
    const client = createHeavenClient({ rpcUrl: NODE, timeoutMs: isLate ? 20 : 600_000 });
    const heaven = createLocalClient(client);
    return {
      ...serviceOver(client, timeoutMs === undefined ? {} : { timeoutMs }),
      local: (name, input) => {
        const isLaunch = name === 'buildCreateStandardLiquidityPool';
        const given = isLaunch ? { ...(input as object), mintSigner } : input;
        return (heaven[name] as (input: unknown) => Promise<object>)(given);
      },
    };
  };
}

const nodes = OPERATIONS.flatMap(([name, path]) => {
  const isEach = (['getPoolState', 'quoteBuy', 'buildSell'] as readonly string[]).includes(name);
  const answers = isEach ? Object.keys(NODES) : ['JSON-RPC error -32052', 'an empty 200'];
  return answers.flatMap((answer) =>
    changing(`a node that answers ${answer}`, {}, path).map((one) => ({
      ...one,
      by: overNode(NODES[answer]!),
    })),
  );
});
const slowNode = changing('a node slower than the service allows', {}, paths.quoteBuy).map(
  ({ call: _, ...one }) => ({ ...one, by: overNode(NODES['no answer']!, 20) }),
);

// ---------------------------------------------------------------- warnings

/** Changes after which the operations warn of a transfer fee, of a window that began at half the price, and of an old price. */
function makeWarn(): void {
  const fee = { epoch: 0n, basisPoints: 333, maximum: U64_MAX };
  const token = { decimals: 9, supply: 10n ** 18n, transferFee: { older: fee, newer: fee } };
  for (const { mint, tokenProgram } of [creator, pro]) ledger.setMint(mint, tokenProgram, token);
  const snapshotSlot = ledger.slot - (ledger.slot % 4n);
  updatePools(({ reserve }) => ({
    featureFlags: { sandwichResistantMode: 1 },
    reserve: { ...reserve, snapshotSlot, snapshotA: reserve.tokenA / 2n, snapshotB: reserve.tokenB },
  }));
  const { owner } = ledger.getAccount(SOL_USD_FEED_ADDRESS)!;
  const timestamp = ledger.unixTimestamp - 9_999n;
  const data = encodePriceFeed({ price: 82, slot: ledger.slot, timestamp });
  ledger.setAccount(SOL_USD_FEED_ADDRESS, { owner, data });
}

const warned = inState(changing('a transfer fee, a window and an old price', {}), makeWarn);
const warnedBuys = warned.filter(({ path }) => path === paths.quoteBuy);
const BRACKETS = '[{"market_cap_upper_bound":5,"buy_fee_bps":1,"sell_fee_bps":1}]';
const lessFor = (path: string) => {
  const quote = readJson(working[path]!.required.quote_response!);
  return { quote_response: jsonText({ ...quote, minimum_out: 1, minimum_out_ui: 1e-9 }) };
};
/** By their code, calls that are warned of. Instructions of one's own and a tip have no place in a request. */
export const WARNINGS: Readonly<
  Record<Exclude<HeavenWarning['code'], 'unchecked-minimum' | 'bound-to-fail' | 'high-tip'>, readonly Case[]>
> = {
  'transfer-fee': warnedBuys,
  'sandwich-window': warnedBuys,
  'stale-price': warnedBuys,
  'price-impact': changing('a large trade', { max_sol_spend: '12345' }, paths.quoteBuy),
  'high-fee': inState(changing('fees of 5 %', {}, '/quote/buy', '/quote/sell', '/tx/buy', '/tx/sell'), () =>
    chargeCreatorFee(450),
  ),
  'spend-too-high': changing('a slippage of 1', { slippage: '1' }, '/quote/initial-buy'),
  'minimum-not-reached': [
    ...inState(changing('a price that rose', {}, paths.buildBuy, paths.buildProBuy), () => {
      for (const { pool } of [creator, pro]) ledger.setReserves(pool, { tokenB: 1_700_000_000_000n });
    }),
    ...changing('a minimum too high', { min_lp_tokens: String(U64_MAX) }),
    ...changing('a minimum too high', { min_token_a: String(U64_MAX) }),
  ],
  'minimum-too-low': ['/tx/buy', '/tx/sell'].flatMap((path) =>
    changing('a low minimum', lessFor(path), path),
  ),
  'low-liquid-sol': inState(changing('staked SOL', {}, '/quote/sell', '/tx/sell'), () =>
    ledger.updateConfig(creator.protocolConfig, () => ({ unstakedWsolReserve: 5n })),
  ),
  'wallet-limit': inState(changing('a limit per wallet', {}, '/quote/buy', '/tx/buy'), () =>
    ledger.updateConfig(creator.protocolConfig, () => ({ maxSupplyPerWallet: 5n })),
  ),
  'mint-rights': inState(
    changing('a mint that can be frozen', {}, '/quote/buy', '/tx/buy', '/tx/sell'),
    () => {
      const token = { decimals: 9, supply: 10n ** 18n, freezeAuthority: creator.creator };
      ledger.setMint(creator.mint, creator.tokenProgram, token);
    },
  ),
  'transfer-hook': inState(changing('a hook', {}, '/quote/sell', '/tx/sell'), () =>
    extendMints(14, [...new Array<number>(32).fill(0), ...new Array<number>(32).fill(7)]),
  ),
  'frozen-accounts': inState(changing('accounts that begin frozen', {}, '/quote/buy'), () =>
    extendMints(6, [2]),
  ),
  'insufficient-balance': inState(
    changing('little wrapped SOL', { source: JSON.stringify(otherSource) }, paths.buildBuy),
    () => ledger.setTokenAccount(otherSource, TOKEN_PROGRAM_ADDRESS, { ...held, amount: 5n }),
  ),
  'account-stays-open': changing('a part of the balance', { close_token_account: 'true' }, '/tx/sell'),
  'same-slot-trading': changing('no trade in the same slot', {}, paths.quoteProBuy),
  'withdrawals-locked': changing('withdrawals off', { enabled: 'false' }, paths.buildProToggleWithdraw),
  'creation-disabled': changing(
    'a config that accepts no launches',
    { config_version: '2' },
    '/quote/initial-buy',
  ),
  'no-change': changing('what is on already', { enabled: 'true' }, paths.buildProToggleSwap),
  'nothing-to-claim': inState(
    inSdkOnly(changing('nothing to claim', {}, paths.buildProClaimLpFees)).map(({ call, ...one }) => ({
      ...one,
      call: { input: { ...(call?.input as object), allowEmpty: true } },
    })),
    () => {
      const position = { lpTokenBalance: 5n, rewardDebt: 0n, pendingFees: 0n };
      return ledger.setLpPosition({ pool: pro.pool, user: pro.creator, ...position });
    },
  ),
  'no-catch-all': (['buildProSetLpFee', 'buildProSetReflectionFee'] as const).flatMap((name) =>
    changing('brackets that end', { brackets: BRACKETS }, paths[name]),
  ),
  'useless-lookup-table': contradictions.filter(({ what }) => what === 'the table of another config'),
  'position-rent': changing('a first position', {}, paths.buildProTransferLp),
  'receiver-not-wallet': changing('a mint as receiver', { receiver: JSON.stringify(pro.mint) }),
  'off-curve-signer': changing('a vault', { payer: JSON.stringify(creator.pool) }, paths.buildSell),
  'little-room-for-guards': changing('event data of 400 letters', {
    encoded_user_defined_event_data: JSON.stringify('x'.repeat(400)),
  }).filter(({ path }) => path === paths.buildBuy),
  'high-priority-fee': changing('the highest price', { compute_unit_price: String(U64_MAX) }),
  'compute-limit-too-low': changing('a low limit', { compute_unit_limit: '1' }),
  'compute-limit-too-high': changing('a limit over the most', { compute_unit_limit: '1400001' }),
  'unverified-assumption': changing('a deposit', {}, paths.buildProAddLiquidity),
  'ignored-fields': changing('an unknown field', {}, paths.buildBuy).map(({ request, call, ...one }) => ({
    ...one,
    request: { ...request, body: String(request?.body).replace('{', '{"colour":1,') },
    call: { input: { ...(call?.input as object), colour: 1 } },
  })),
};

/** Every case. */
export const cases: readonly Case[] = [
  ...OPERATIONS.flatMap(([name, path]) => [
    ...wrongFields(name, path),
    ...wrongNames(name, path),
    ...wrongInputs(name, path),
  ]),
  ...chainRefusals.map(
    ({ name, input, ...one }): Case => ({
      ...one,
      ...{ path: paths[name], name, call: { input } },
      request: posting(stringifyJson(encodeRequest(name, input, PROGRAM)), '?integers=exact'),
    }),
  ),
  ...[...contradictions, ...nothingToClaim, ...ownMint, ...requests, ...nodes, ...slowNode, ...warned],
  ...Object.values(WARNINGS).flat(),
].filter((one, index, all) => all.indexOf(one) === index);
