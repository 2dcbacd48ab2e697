import { HeavenError, type HeavenErrorCode, type HeavenErrorContexts } from '../base/errors.js';
import { JsonDecimal, parseJson } from '../base/json.js';
import { outsideText, quotation } from '../base/text.js';
import contexts from './error-contexts.json' with { type: 'json' };
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

/** What a service's error may have in its context: the types of {@link HeavenErrorContexts}, as `npm run openapi` wrote them. */
const CONTEXTS: {
  readonly [TCode in HeavenErrorCode]: { readonly [TField in keyof HeavenErrorContexts[TCode]]-?: string };
} = contexts;

/** Turns a service's error into the error that the local function would throw. */
export function errorOf(path: string, status: number, headers: Headers, text: string): HeavenError {
  const requestId = headers.get('x-request-id');
  const retryAfterSeconds = retryAfterIn(headers);
  const response = {
    status,
    ...(requestId ? { requestId: outsideText(requestId) } : {}),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
  if (status === 0 || (status >= 300 && status < 400)) {
    return failed(path, 'it redirects; name the address that it redirects to', response);
  }
  const { code: word, message: said, details: given } = errorBodyOf(text);
  if (typeof word !== 'string' || typeof said !== 'string')
    return failed(path, `it answered HTTP ${status}`, response);
  const code = outsideText(word);
  const message = outsideText(said, LONGEST_SAID);
  const details = (typeof given === 'object' ? (given ?? {}) : {}) as Fields;
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

const A_DAY = 86_400;

/** The seconds that a service asks to wait, at most a day. A date, which is rare, is ignored. */
export function retryAfterIn(headers: Headers): number | undefined {
  const seconds = Number(headers.get('retry-after')?.trim() || Number.NaN);
  return seconds >= 0 ? Math.min(seconds, A_DAY) : undefined;
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
  const types: Readonly<Record<string, string>> = CONTEXTS[code];
  const context = Object.entries(details).flatMap(([name, value]) => {
    const field = sdkPath(name);
    const read = Object.hasOwn(types, field) ? readAs(types[field] ?? '', field, value) : undefined;
    return read === undefined ? [] : [[field, read]];
  });
  return Object.fromEntries(context);
}

/** A value of a context, or nothing if it is not of its type. */
function readAs(type: string, field: string, value: unknown): unknown {
  const isNumber = value instanceof JsonDecimal || (typeof value === 'bigint' && type !== 'bigint');
  const read = isNumber ? Number(String(value)) : typeof value === 'string' ? textOf(field, value) : value;
  if (typeof read === 'object') return undefined;
  const isOfType = type.split(' | ').some((each) => ['unknown', typeof read, `'${read}'`].includes(each));
  return isOfType ? read : undefined;
}

function textOf(field: string, value: string): string {
  const text = outsideText(value);
  return field === 'field' ? sdkPath(text) : isOwnText(field) ? inSdkNames(text) : text;
}

/** The error in an answer, if there is one: it may be a proxy's page instead. */
function errorBodyOf(text: string): Fields {
  try {
    return Object(Object(parseJson(text)).error) as Fields;
  } catch {
    return {};
  }
}
