import { toCamelCase } from '../base/case.js';
import {
  HeavenError,
  type HeavenErrorCode,
  type HeavenErrorContexts,
  LONGEST_MESSAGE,
} from '../base/errors.js';
import { JsonDecimal, parseJson } from '../base/json.js';
import { outsideText } from '../base/text.js';
import { isOwnText, STATUS } from './errors.js';
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

/** The fields of an error's context that are amounts, times or slots. All other integers from a service become a `number`. */
type BigintFields<TCode extends HeavenErrorCode> = {
  [TField in keyof HeavenErrorContexts[TCode]]-?: unknown extends HeavenErrorContexts[TCode][TField]
    ? never
    : bigint extends HeavenErrorContexts[TCode][TField]
      ? TField
      : never;
}[keyof HeavenErrorContexts[TCode]];

/** The compiler checks that this list matches the contexts exactly. */
const BIGINTS: {
  readonly [TCode in HeavenErrorCode as [BigintFields<TCode>] extends [never] ? never : TCode]: Readonly<
    Record<BigintFields<TCode>, true>
  >;
} = {
  'rpc-wrong-account': { found: true },
  'insufficient-liquidity': { requested: true, available: true, transferFeeBps: true },
  'fees-exceed-amount': { feeBps: true },
  'output-is-zero': { amountIn: true, transferFeeBps: true },
  'pool-not-open': { opensAt: true, now: true },
  'insufficient-balance': { requested: true, available: true },
  'spend-too-low': { required: true, allowed: true },
  'not-patchable': { maxAge: true },
  'outcome-unknown': { lastValidBlockHeight: true },
  'rpc-behind': { minContextSlot: true },
};

const isBigint = (code: string, field: string): boolean =>
  Object.entries(BIGINTS).some(([each, fields]) => each === code && Object.hasOwn(fields, field));

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
  // A service of this library sends this library's own messages.
  const message = outsideText(said, LONGEST_MESSAGE);
  if (code === 'invalid-request') {
    const [first] = Array.isArray(details.fields) ? (details.fields as readonly Fields[]) : [];
    return new HeavenError('invalid-input', inSdkNames(message), {
      field: fieldNamed(first?.field ?? 'body'),
    });
  }
  // If the service's own work was aborted, the service failed. The caller did not abort.
  if (!Object.hasOwn(STATUS, code) || code === 'aborted')
    return failed(path, message.replace(/\.$/, ''), { ...response, code });
  const context = Object.entries(details).map(([name, value]) => {
    const field = toCamelCase(name);
    return [field, field === 'field' ? fieldNamed(value) : contextValue(code, field, value)];
  });
  return new HeavenError(
    code as HeavenErrorCode,
    inSdkNames(message),
    Object.fromEntries(context) as HeavenErrorContexts[HeavenErrorCode],
  );
}

const fieldNamed = (path: unknown): string => sdkPath(outsideText(String(path)));

/** A value of an error's context, in the type that the code has there. */
function contextValue(code: string, field: string, value: unknown): unknown {
  if (typeof value === 'string') {
    const text = outsideText(value, LONGEST_MESSAGE);
    return isOwnText(field) ? inSdkNames(text) : text;
  }
  if (typeof value === 'bigint') return isBigint(code, field) ? value : Number(value);
  return value instanceof JsonDecimal ? Number(String(value)) : value;
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
