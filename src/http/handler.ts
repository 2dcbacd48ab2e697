import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';

import type { HeavenClient } from '../client.js';
import { answerOf, type ErrorAnswer, HttpError } from './errors.js';
import { parseJson, stringifyJson } from './json.js';
import { camelCaseKeys, snakeCaseKeys } from './names.js';
import { type Route, routes } from './routes.js';

export interface HandlerConfig {
  /** The cluster that is served. Requests for another program id than its deployment's are refused. */
  readonly client: HeavenClient;
  /** The largest request body in bytes. Default 65536. */
  readonly maxBodyBytes?: number;
  /** Told of every error that is not the client's fault. Default: written to the console. */
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
  onError = (error, path) => console.error(`heaven-pools: ${path}:`, error),
}: HandlerConfig): Handler {
  const app = new Hono();
  app.use(
    bodyLimit({
      maxSize: maxBodyBytes,
      onError: () =>
        respondWith({
          status: 413,
          code: 'body-too-large',
          message: `The body is over ${maxBodyBytes} bytes.`,
        }),
    }),
  );
  for (const [path, route] of Object.entries(routes)) {
    app.all(path, async (context) => respond(200, await answer(client, route, context)));
  }
  app.notFound((context) =>
    respondWith({
      status: 404,
      code: 'unknown-path',
      message: `There is no path ${context.req.path}.`,
      details: { paths: Object.keys(routes) },
    }),
  );
  app.onError((error, context) => {
    const answer = answerOf(error);
    if (answer.status >= 500) onError(error, context.req.path);
    return respondWith(answer);
  });
  return async (request) => await app.fetch(request);
}

const respond = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(stringifyJson(body), { status, headers: { 'content-type': 'application/json', ...headers } });

const respondWith = ({ status, code, message, details, headers }: ErrorAnswer): Response =>
  respond(status, { error: { code, message, ...(details === undefined ? {} : { details }) } }, headers);

async function answer(client: HeavenClient, route: Route, context: Context): Promise<unknown> {
  const { req } = context;
  if (req.method !== 'POST') {
    throw new HttpError({
      status: 405,
      code: 'method-not-allowed',
      message: `${req.path} takes POST, not ${req.method}.`,
      headers: { allow: 'POST' },
    });
  }
  const contentType = req.header('content-type') ?? '';
  if (!/^application\/json\s*(;|$)/i.test(contentType)) {
    throw new HttpError({
      status: 415,
      code: 'unsupported-media-type',
      message: 'Send the header content-type: application/json.',
    });
  }
  const input = camelCaseKeys(validated(route, parsed(await req.text()))) as {
    readonly programId?: unknown;
  };
  assertProgram(client, input.programId);
  const result = await route.call(client, { ...input, abortSignal: req.raw.signal } as never);
  return snakeCaseKeys(route.respond(result as never));
}

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    const message =
      error instanceof SyntaxError
        ? `The body is no JSON: ${error.message}.`
        : 'The body is nested too deeply.';
    throw new HttpError({ status: 400, code: 'malformed-json', message });
  }
}

function validated({ request }: Route, body: unknown): unknown {
  const { data, error } = request.safeParse(body);
  if (!error) return data;
  const fields = error.issues.map(({ path, message }) => ({ field: path.join('.') || 'body', message }));
  throw new HttpError({
    status: 400,
    code: 'invalid-request',
    message: fields.map(({ field, message }) => `${field} ${message}`).join('; '),
    details: { fields },
  });
}

function assertProgram({ deployment }: HeavenClient, programId: unknown): void {
  if (programId === undefined || programId === deployment.programAddress) return;
  throw new HttpError({
    status: 422,
    code: 'unknown-program-id',
    message: `program_id is ${String(programId)}, and only ${deployment.programAddress} is served here.`,
    details: { field: 'program_id', expected: deployment.programAddress },
  });
}
