import { HeavenError, type HeavenErrorCode, type HeavenErrorContexts } from '../base/errors.js';
import { JsonDecimal, parseJson } from '../base/json.js';
import { outsideText, quotation } from '../base/text.js';
import { isOwnText } from './errors.js';
import { inSdkNames, sdkPath } from './names.js';

type Fields = Readonly<Record<string, unknown>>;

export const aborted = (path: string) =>
  new HeavenError('aborted', `${path} was aborted by the caller.`, { method: path });

export const failed = (
  path: string,
  reason: string,
  context: Omit<HeavenErrorContexts['service-failed'], 'path'>,
  cause?: unknown,
) =>
  new HeavenError(
    'service-failed',
    `The service failed at ${path}: ${reason}.`,
    { path, ...context },
    { cause },
  );

// What the values of a context are, each by one of its type. Those that are one of a few words have all of these.
const TEXT = '';
const NUMBER = 0;
const BIGINT = 0n;
/** A text, a number or a flag. */
const ANY = null;
/** What a service doesn't send. */
const NOTHING = undefined;

type KindOf<TValue> = unknown extends TValue
  ? typeof ANY
  : [TValue] extends [bigint]
    ? typeof BIGINT
    : [TValue] extends [number]
      ? typeof NUMBER
      : [TValue] extends [string]
        ? string extends TValue
          ? typeof TEXT
          : Readonly<Record<TValue, 1>>
        : [TValue] extends [number | string]
          ? typeof ANY
          : typeof NOTHING;

type Kind = string | number | bigint | null | undefined | Readonly<Record<string, 1>>;

/** What a service's error may have in its context. The compiler checks that the codes, names and kinds are those of the contexts. */
const CONTEXTS: {
  readonly [TCode in HeavenErrorCode]: {
    readonly [TField in keyof HeavenErrorContexts[TCode]]-?: KindOf<
      Exclude<HeavenErrorContexts[TCode][TField], undefined>
    >;
  };
} = {
  'invalid-input': { field: TEXT, value: ANY },
  'invalid-address': { field: TEXT, value: ANY },
  'invalid-amount': { field: TEXT, value: ANY, decimals: NUMBER, example: TEXT },
  'zero-amount': { field: TEXT },
  'amount-out-of-range': { field: TEXT, value: ANY },
  'invalid-slippage': { field: TEXT, value: ANY },
  'insufficient-liquidity': { requested: BIGINT, available: BIGINT, transferFeeBps: BIGINT },
  'fees-exceed-amount': { feeBps: BIGINT },
  'output-is-zero': { field: TEXT, amountIn: BIGINT, transferFeeBps: BIGINT },
  'account-not-found': { account: TEXT, address: TEXT },
  'pool-not-found': { pool: TEXT, mint: TEXT },
  'invalid-account-data': { account: TEXT, reason: TEXT, address: TEXT, asked: TEXT, found: TEXT },
  'unusable-account': {
    account: { 'lookup table': 1, 'token account': 1 },
    field: TEXT,
    address: TEXT,
    reason: TEXT,
  },
  'pool-mismatch': { field: { kind: 1, mint: 1, configVersion: 1 }, asked: ANY, found: ANY },
  'price-unavailable': { address: TEXT },
  'operation-disabled': {
    operation: {
      swap: 1,
      deposit: 1,
      withdraw: 1,
      create: 1,
      'set-creator-fee': 1,
      'update-fee-receiver': 1,
    },
    pool: TEXT,
    configVersion: NUMBER,
    claimStatus: NUMBER,
    distribution: NUMBER,
  },
  'no-pool-trades': { mint: TEXT, refused: NOTHING },
  'pool-not-open': { opensAt: BIGINT, now: BIGINT },
  'not-authorized': { role: { creator: 1, 'fee-receiver': 1 }, asked: TEXT, found: TEXT },
  'invalid-fees': { field: TEXT, reason: TEXT, feeBps: NUMBER, maxFeeBps: NUMBER },
  'unsupported-mint': { mint: TEXT, reason: TEXT, pool: TEXT },
  'token-not-transferable': { reason: { paused: 1, 'non-transferable': 1 }, mint: TEXT },
  'pool-exists': { pool: TEXT },
  'insufficient-balance': {
    asset: { 'lp-tokens': 1, 'creator-fees': 1 },
    requested: BIGINT,
    available: BIGINT,
  },
  'fees-not-claimable': {
    reason: {
      blocked: 1,
      community: 1,
      'volume-below-threshold': 1,
      'not-processed': 1,
      'nothing-to-claim': 1,
    },
    tradingVolumeUsd: NUMBER,
    tradingVolumeThresholdUsd: NUMBER,
  },
  'spend-too-low': { field: TEXT, required: BIGINT, allowed: BIGINT },
  'quote-mismatch': { field: TEXT, asked: ANY, found: ANY },
  'malformed-data': { what: TEXT, asked: TEXT, reason: TEXT },
  'transaction-too-large': { size: NUMBER, limit: NUMBER, excess: NUMBER },
  'invalid-transaction': { reason: TEXT, signers: NOTHING },
  'rpc-failed': { method: TEXT, status: NUMBER, rpcCode: NUMBER, rpcMessage: TEXT },
  'rpc-rate-limited': { method: TEXT, retryAfterSeconds: NUMBER },
  'rpc-timeout': { method: TEXT, timeoutMs: NUMBER },
  'rpc-invalid-response': { method: TEXT, reason: TEXT, maxResponseBytes: NUMBER },
  'rpc-wrong-account': {
    account: TEXT,
    address: TEXT,
    reason: TEXT,
    field: TEXT,
    found: BIGINT,
    expected: TEXT,
  },
  'rpc-behind': { method: TEXT, minContextSlot: BIGINT },
  'rpc-method-unsupported': { method: TEXT, rpcCode: NUMBER },
  'history-incomplete': {
    reason: { 'unknown-cursor': 1, 'not-returned': 1, 'too-many': 1 },
    signature: TEXT,
  },
  'transaction-mismatch': {
    kind: { instruction: 1, account: 1, amount: 1, rights: 1, payer: 1 },
    instruction: NUMBER,
    field: TEXT,
    asked: ANY,
    found: ANY,
  },
  'not-patchable': { field: TEXT, asked: ANY, found: ANY, maxAge: BIGINT },
  'transaction-not-signed': { signer: TEXT, reason: { missing: 1, invalid: 1 } },
  'outcome-unknown': { signature: TEXT, lastValidBlockHeight: BIGINT },
  'service-failed': { path: TEXT, status: NUMBER, code: TEXT, requestId: TEXT },
  'missing-package': { package: TEXT, range: TEXT },
  'lifetime-stale': { reason: { old: 1, stopped: 1 }, ageInBlocks: NUMBER, maxAgeBlocks: NUMBER },
  aborted: { method: TEXT, signature: TEXT },
};

/** Turns a service's error into the error that the local function would throw. */
export function errorOf(path: string, status: number, headers: Headers, text: string): HeavenError {
  const requestId = headers.get('x-request-id');
  const response = { status, ...(requestId ? { requestId: outsideText(requestId) } : {}) };
  if (status === 0 || (status >= 300 && status < 400)) {
    return failed(path, 'it redirects; name the address that it redirects to', response);
  }
  const { code: word, message: said, details } = errorBodyOf(text);
  if (typeof word !== 'string' || typeof said !== 'string')
    return failed(path, `it answered HTTP ${status}`, response);
  const code = outsideText(word);
  const message = outsideText(said, LONGEST_SAID);
  if (code === 'invalid-request') {
    const [first] = Array.isArray(details.fields) ? (details.fields as readonly (Fields | null)[]) : [];
    const field = typeof first?.field === 'string' ? textOf('field', first.field) : 'body';
    return ofService('invalid-input', message, { field });
  }
  // If the service's own work was aborted, the service failed. The caller did not abort.
  if (!Object.hasOwn(CONTEXTS, code) || code === 'aborted')
    return failed(path, `it says ${quotation(message)}`, { ...response, code });
  return ofService(code as HeavenErrorCode, message, contextOf(code as HeavenErrorCode, details));
}

/** Services of this library send its own messages, none of which is longer. */
const LONGEST_SAID = 600;

const ofService = <TCode extends HeavenErrorCode>(
  code: TCode,
  message: string,
  context: HeavenErrorContexts[TCode],
) => Object.assign(new HeavenError(code, inSdkNames(message), context), { source: 'service' } as const);

/** What a code's context has of a service's details. */
function contextOf<TCode extends HeavenErrorCode>(code: TCode, details: Fields): HeavenErrorContexts[TCode] {
  const kinds: Readonly<Record<string, Kind>> = CONTEXTS[code];
  const context = Object.entries(details).flatMap(([name, value]) => {
    const field = sdkPath(name);
    const read = Object.hasOwn(kinds, field) ? readAs(kinds[field], field, value) : undefined;
    return read === undefined ? [] : [[field, read]];
  });
  return Object.fromEntries(context);
}

/** A value of a context, or nothing if it is not of its kind. */
function readAs(kind: Kind, field: string, value: unknown): unknown {
  const isNumber = value instanceof JsonDecimal || (typeof value === 'bigint' && kind !== BIGINT);
  const read = isNumber ? Number(String(value)) : typeof value === 'string' ? textOf(field, value) : value;
  if (Object(read) === read) return undefined;
  if (kind === ANY) return read ?? undefined;
  if (typeof kind === 'object') return Object.hasOwn(kind, String(read)) ? read : undefined;
  return typeof read === typeof kind ? read : undefined;
}

function textOf(field: string, value: string): string {
  const text = outsideText(value);
  return field === 'field' ? sdkPath(text) : isOwnText(field) ? inSdkNames(text) : text;
}

/** The error in an answer, if there is one: it may be a proxy's page instead. */
function errorBodyOf(text: string): {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly details: Fields;
} {
  try {
    const { error } = (parseJson(text) ?? {}) as { readonly error?: Fields | null };
    const details = error?.details;
    return { ...error, details: typeof details === 'object' && details !== null ? (details as Fields) : {} };
  } catch {
    return { details: {} };
  }
}
