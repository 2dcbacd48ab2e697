import type { HeavenClient } from '../client.js';
import type { MintSignerSource } from '../standard/create-standard-liquidity-pool.js';
import { grindMintAddress } from '../standard/grind-mint-address.js';
import { answerOf, type ErrorAnswer, HttpError } from './errors.js';
import { parseJson, stringifyJson } from './json.js';
import { camelCaseKeys, snakeCaseKeys } from './names.js';
import { type Route, routes, type Services } from './routes.js';

export interface HandlerConfig {
  /** The cluster that is served. Requests for another program id than its deployment's are refused. */
  readonly client: HeavenClient;
  /** The largest request body in bytes. Default 65536. */
  readonly maxBodyBytes?: number;
  /** Gives a launch the signer of its new mint. Default: {@link grindMintAddress} finds one that ends in `777`. */
  readonly mintSigner?: MintSignerSource;
  /** Told of every error that is not the caller's doing. Default: written to the console. */
  readonly onError?: (error: unknown, path: string) => void;
}

/** A web-standard handler: for any server, worker or test. */
export type Handler = (request: Request) => Promise<Response>;

/**
 * The HTTP interface as a `fetch` handler.
 *
 * @example
 * ```ts
 * const handler = createHandler({ client: createClient({ rpcUrl }) });
 * export default { fetch: handler };
 * ```
 */
export function createHandler({
  client,
  maxBodyBytes = 65_536,
  mintSigner = grindMintAddress,
  onError = (error, path) => console.error(`heaven-pools: ${path}:`, error),
}: HandlerConfig): Handler {
  const handle: Handler = async (request) => {
    const { pathname } = new URL(request.url);
    try {
      return respond(200, await answer(client, pathname, request, maxBodyBytes, { mintSigner }));
    } catch (error) {
      const { status, code, message, details, headers } = answerOf(error);
      if (status >= 500 && !request.signal.aborted) onError(error, pathname);
      return respond(
        status,
        { error: { code, message, ...(details === undefined ? {} : { details }) } },
        headers,
      );
    }
  };
  return async (request) => {
    const response = await handle(request);
    return request.method === 'HEAD' ? new Response(null, response) : response;
  };
}

const respond = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(stringifyJson(body), { status, headers: { 'content-type': 'application/json', ...headers } });

const refuse = (answer: ErrorAnswer): never => {
  throw new HttpError(answer);
};

async function answer(
  client: HeavenClient,
  path: string,
  request: Request,
  maxBodyBytes: number,
  services: Services,
): Promise<unknown> {
  const route = Object.hasOwn(routes, path) ? routes[path] : undefined;
  if (route === undefined) {
    const details = { paths: Object.keys(routes) };
    return refuse({ status: 404, code: 'unknown-path', message: `There is no path ${path}.`, details });
  }
  if (request.method !== 'POST') {
    refuse({
      status: 405,
      code: 'method-not-allowed',
      message: `${path} takes POST, not ${request.method}.`,
      headers: { allow: 'POST' },
    });
  }
  if (!/^application\/json\s*(;|$)/i.test(request.headers.get('content-type') ?? '')) {
    refuse({
      status: 415,
      code: 'unsupported-media-type',
      message: 'Send the header content-type: application/json.',
    });
  }
  const input = camelCaseKeys(validated(route, parsed(await bodyOf(request, maxBodyBytes)))) as {
    readonly programId?: unknown;
  };
  assertProgram(client, input.programId);
  const result = await route.call(client, { ...input, abortSignal: request.signal } as never, services);
  return snakeCaseKeys(route.respond(result as never));
}

/** The body as text, read no further than the limit whatever its headers say. */
async function bodyOf(request: Request, most: number): Promise<string> {
  const tooLarge = () =>
    refuse({ status: 413, code: 'body-too-large', message: `The body is over ${most} bytes.` });
  if (Number(request.headers.get('content-length')) > most) tooLarge();
  const decoder = new TextDecoder();
  let size = 0;
  let text = '';
  const reader = request.body?.getReader();
  if (reader === undefined) return text;
  for (;;) {
    const { done, value } = await reader.read().catch((cause: unknown) =>
      refuse({
        status: 400,
        code: 'incomplete-body',
        message: `The body ended early: ${(cause as Error).name}.`,
      }),
    );
    if (done) return text + decoder.decode();
    size += value.byteLength;
    if (size > most) {
      void reader.cancel().catch(() => {});
      tooLarge();
    }
    text += decoder.decode(value, { stream: true });
  }
}

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    const reason = error instanceof SyntaxError ? `is no JSON: ${error.message}` : 'is nested too deeply';
    return refuse({ status: 400, code: 'malformed-json', message: `The body ${reason}.` });
  }
}

function validated({ request }: Route, body: unknown): unknown {
  const { data, error } = request.safeParse(body);
  if (!error) return data;
  const fields = error.issues.map(({ path, message, code }) => ({
    field: path.join('.') || 'body',
    message: code === 'invalid_type' && message === 'Invalid input' ? 'must be an object' : message,
  }));
  return refuse({
    status: 400,
    code: 'invalid-request',
    message: fields.map(({ field, message }) => `${field} ${message}`).join('; '),
    details: { fields },
  });
}

function assertProgram({ deployment }: HeavenClient, programId: unknown): void {
  if (programId === undefined || programId === deployment.programAddress) return;
  refuse({
    status: 422,
    code: 'unknown-program-id',
    message: `program_id is ${String(programId)}, and only ${deployment.programAddress} is served here.`,
    details: { field: 'program_id', expected: deployment.programAddress },
  });
}
