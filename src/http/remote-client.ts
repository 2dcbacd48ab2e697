import type { Address } from '@solana/kit';
import {
  assertClient,
  assertFunction,
  assertNames,
  assertNumber,
  given,
  inputError,
  MAX_TIMER_MS,
  unknownNames,
} from '../base/input.js';
import { stringifyJson } from '../base/json.js';
import type { LocalClient } from '../client/local-client.js';
import { checkInputFor, type LazyFields } from '../input/check-input.js';
import { type OperationName, paths } from '../operations/index.js';
import type { HeavenClient } from '../program/client.js';
import { HEAVEN_PROGRAM_ADDRESS } from '../program/constants.js';
import { assertAddress } from '../solana/addresses.js';
import { assertMaxResponseBytes } from '../solana/rpc/response-text.js';
import type { PlainInput } from './schemas/compare.js';
import type { RemoteResult, ServiceWarning } from './schemas/details.js';
import { contractOf, decodeAnswer } from './schemas/index.js';
import { inputFields, type RemoteInput } from './schemas/inputs.js';
import { encodeRequest } from './schemas/requests.js';
import { post, type Service } from './service.js';
import { failed } from './service-errors.js';

/** The address of the service, and the limits of {@link createRemoteClient}. */
export interface RemoteClientConfig {
  /** The address of the service, such as `https://heaven.example`. */
  readonly baseUrl: string;
  /** The exchange program to use. Default: that of the `node`, or mainnet's. */
  readonly programAddress?: Address;
  /**
   * Your own node. Each trade that is quoted is then computed here too: a minimum more than a tenth below what the slippage protects is
   * `quote-mismatch`. One call to the node for each, and code that a page loads when it first needs it. Default: none.
   */
  readonly node?: HeavenClient | undefined;
  /** How long one attempt may take. Default 30000 milliseconds. */
  readonly timeoutMs?: number;
  /**
   * How often to retry a request when the service can't be reached, limits requests, or reports that its node failed. The
   * service changes nothing, so every call is safe to repeat. Default 2.
   */
  readonly retries?: number;
  /** The most bytes that an answer may have, after decompression; a longer one is `service-failed`. Default 1048576 (1 MiB). */
  readonly maxResponseBytes?: number;
  /** Sent with each request, such as credentials of a gateway. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: the engine's own. */
  readonly fetch?: typeof fetch;
}

/** The documented functions with their documented fields: a {@link LocalClient} is one, too. */
export type RemoteClient = {
  readonly [TName in keyof LocalClient]: (input: RemoteInput<TName>) => Promise<RemoteResult<TName>>;
};

/**
 * The documented functions, answered by a service instead of locally. Amounts are as exact, and errors have the same
 * codes if the service names one; otherwise they are `service-failed`.
 *
 * The `warnings` of quotes and transactions, and their `details`, are what the service says: cleaned, bounded and marked with
 * `source: 'service'`, but perhaps false or left out. Anything malformed in them makes the answer `service-failed`.
 *
 * A quote must answer its request, and its minimum must be over 0 and that of its `details`. Whether it protects enough shows only a
 * `node`; without one, and without details, the quote warns (`unchecked-minimum`). Check a transaction from a service that is not yours
 * with `assertTransactionMatches` before you sign it.
 *
 * @throws {HeavenError} `invalid-input`; the functions throw the codes of their local twins and `service-failed`
 * @example
 * ```ts
 * const heaven = createRemoteClient({ baseUrl: 'https://heaven.example' });
 * const quote = await heaven.quoteBuy({ configVersion: 2, mint, maxSolSpend: '1.5', slippageBps: 50 });
 * ```
 */
export function createRemoteClient(config: RemoteClientConfig): RemoteClient {
  assertNames(config, 'config', {
    baseUrl: 1,
    programAddress: 1,
    node: given(assertClient),
    timeoutMs: 1,
    retries: 1,
    maxResponseBytes: 1,
    headers: 1,
    fetch: assertFunction,
  });
  const { baseUrl, retries = 2, timeoutMs = 30_000, maxResponseBytes = 1_048_576, node } = config;
  const ownProgram = node?.deployment.programAddress;
  const { programAddress = ownProgram ?? HEAVEN_PROGRAM_ADDRESS } = config;
  assertAddress(programAddress, 'programAddress');
  if (ownProgram !== undefined && ownProgram !== programAddress)
    throw inputError(
      'programAddress',
      `The node is for the program ${ownProgram}. Leave programAddress out.`,
    );
  assertNumber('retries', retries, [0, 100]);
  assertNumber('timeoutMs', timeoutMs, [1, MAX_TIMER_MS]);
  assertMaxResponseBytes(maxResponseBytes);
  const service: AskedService = {
    baseUrl: serviceUrlOf(baseUrl),
    programAddress,
    node,
    retries,
    timeoutMs,
    maxResponseBytes,
    headers: headersOf(config.headers),
    fetch: config.fetch ?? ((...request) => fetch(...request)),
  };
  const names = Object.keys(paths) as readonly OperationName[];
  const bound = names.map((name) => [name, (input: RemoteInput<typeof name>) => call(service, name, input)]);
  return Object.fromEntries(bound) as RemoteClient;
}

/** The URL of a service. The error doesn't repeat it, because it may contain a secret. */
function serviceUrlOf(url: unknown): string {
  if (typeof url === 'string' && /^https?:\/\//i.test(url) && URL.canParse(url) && url === url.trim()) {
    const { username, password, search, hash } = new URL(url);
    if (`${username}${password}${search}${hash}` === '') return url.replace(/[/?#]+$/, '');
  }
  throw inputError(
    'baseUrl',
    'baseUrl must be an http: or https: URL without user name, password, query or fragment.',
  );
}

function headersOf(headers: RemoteClientConfig['headers']): Headers {
  try {
    return new Headers(headers);
  } catch {
    // The engine's own message repeats the value, which may be a secret.
    throw inputError('headers', 'headers holds a name or a value that no header can have.');
  }
}

/** A service, the exchange program to use, and a node to check quotes. */
type AskedService = Service & { readonly programAddress: Address; readonly node: HeavenClient | undefined };

async function call<TName extends OperationName>(
  service: AskedService,
  name: TName,
  input: RemoteInput<TName>,
): Promise<RemoteResult<TName>> {
  const { programAddress, node } = service;
  const path = paths[name];
  const fields: LazyFields = inputFields[name];
  const [{ abortSignal: signal, ...checked }, ignored] = checkInputFor(programAddress, input, fields);
  // Rejected instead of left out.
  const [unsent] = unknownNames(input, fields().documented, { abortSignal: 1, programId: 1 }).names;
  if (unsent !== undefined)
    throw inputError(
      unsent,
      `${unsent} can't be sent to a service. Check its name, leave it out, or build locally.`,
      input[unsent as keyof typeof input],
    );
  const abortSignal = signal as AbortSignal | undefined;
  const body = stringifyJson(encodeRequest(name, checked, programAddress));
  // This client keeps all digits of a quote, so none of its integers is rounded.
  const query = 'quoteResponse' in checked ? '?integers=exact' : '';
  const answered = await post(service, { path, query, body, abortSignal });
  const decoded = decodeAnswer(name, answered);
  if ('problems' in decoded) {
    const [{ path: field, message } = { path: '', message: '' }] = decoded.problems;
    throw failed(path, `its answer is not the documented one: ${field || 'it'} ${message}`, {});
  }
  const refuse = (reason: string) => failed(path, reason, { status: 200 });
  const asked = checked as unknown as PlainInput<TName>;
  const result = await contractOf(name).compare(decoded.value, asked, {
    programAddress,
    refuse,
    assertProtectsNow:
      node &&
      (async (trade) => (await import('./node-check.js')).assertProtectsNow(node, trade, { abortSignal })),
  });
  if (ignored.length === 0) return result;
  // Only builders take quotes.
  const { warnings = [] } = result as { readonly warnings?: readonly ServiceWarning[] };
  return { ...result, warnings: [...warnings, ...ignored] };
}
