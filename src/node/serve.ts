import {
  type Address,
  type Commitment,
  createSolanaRpcFromTransport,
  isSolanaError,
  type RpcTransport,
} from '@solana/kit';
import {
  createFailoverTransport,
  createHeavenClient,
  type HeavenClient,
  isHeavenError,
  sanitizeText,
  shareReads,
} from 'heaven-pools';
import {
  createHandler,
  type FetchHandler,
  type HttpDocument,
  type RateLimiter,
  type RequestEvent,
} from 'heaven-pools/http';
import { HEAVEN_PROGRAM_ADDRESS } from 'heaven-pools/program';
import { createEmbeddedLedger } from 'heaven-pools/testing';
import { Hono } from 'hono';
import { type Logger, pino } from 'pino';

import { withoutSecrets } from '../format/text.js';
import { isHttpError } from '../solana/rpc/errors.js';
import { firstScreen } from './first-screen.js';
import { overTime } from './ledger-clock.js';
import { LogOutput } from './log-output.js';
import { createMetrics, type Metrics } from './metrics.js';
import { createMintSupply } from './mint-supply.js';
import type { SharedCounts } from './rate-limit.js';
import { type RunningServer, type ServerConfig, startServer } from './server.js';
import { WorkQueue } from './work-queue.js';

/** The options of `heaven-pools serve`, as its help describes them. */
export interface ServeSettings {
  readonly rpcUrl: readonly string[];
  readonly port: number;
  readonly host: string;
  /** Empty: mainnet's. */
  readonly programIds: readonly Address[];
  readonly commitment: Commitment;
  readonly rpcTimeout: number;
  readonly rpcAttempt: number;
  readonly rpcMaxResponse: number;
  readonly rpcCalls: number;
  readonly cache: number;
  readonly blockhashCache: number;
  readonly mints: number;
  readonly maxBody: number;
  readonly timeout: number;
  readonly cors: '*' | readonly string[] | false;
  readonly corsHeaders: readonly string[];
  readonly maxWaiting: number;
  readonly rateLimit: number;
  /** Empty: each server counts on its own. */
  readonly rateLimitRedisUrl: string;
  readonly trustedProxies: number;
  readonly metricsPort: number;
  readonly logLevel?: string;
  readonly grace: number;
}

/** How long to wait at the end for a slow reader of the log. */
const LAST_LINES_MS = 1_000;

/** Signals this close together count as one. */
const ONE_SIGNAL_MS = 500;

const print = (line: string) => console.log(line);

/** Runs the server until a signal stops it. */
export async function serve(settings: ServeSettings): Promise<void> {
  const { rpcUrl, metricsPort, maxBody: maxBodyBytes, timeout: timeoutMs } = settings;
  if (rpcUrl.length > 1 && settings.rpcAttempt >= settings.rpcTimeout) {
    throw new Error('--rpc-attempt must be less than --rpc-timeout, or the next node is never asked.');
  }
  if (settings.rateLimitRedisUrl !== '' && settings.rateLimit === 0) {
    throw new Error('--rate-limit-redis-url shares a limit: set --rate-limit too.');
  }
  const output = new LogOutput();
  const log = pino(
    { level: settings.logLevel ?? (rpcUrl.length === 0 ? 'warn' : 'info'), base: null },
    output,
  );
  const supply = settings.mints > 0 ? supplyMints(settings.mints, log) : undefined;
  const metrics = createMetrics({
    droppedLogLines: () => output.dropped,
    mintsReady: supply && (() => supply.ready),
  });

  const ledger = rpcUrl.length === 0 ? await createEmbeddedLedger() : undefined;
  const transport = ledger ? overTime(ledger) : connectNodes(settings, metrics, log);
  const clients = createClients(transport, settings, metrics);
  const observe = (event: RequestEvent) => {
    metrics.request(event);
    const { error, ...request } = event;
    if (error === undefined) log.info(request, 'request');
    else log.error({ ...request, error: describeError(error) }, 'request failed');
  };
  const redis = await connectCounts(settings, log);
  const rateLimiter = await admit(settings, redis);
  const { cors, corsHeaders: allowHeaders } = settings;
  const shared = { maxBodyBytes, cors, allowHeaders, observe, rateLimiter };
  const documents = { '/metrics': metrics.document };
  const handler = createHandler({
    client: clients,
    timeoutMs,
    ...shared,
    ...(supply ? { mintSigner: supply.mintSigner } : {}),
    ...(metricsPort === 0 ? { documents } : {}),
    ...(ledger ? { rpc: (payload) => transport({ payload }) } : {}),
  });
  let servers: Awaited<ReturnType<typeof startServers>>;
  try {
    servers = await startServers(settings, handler, documents);
  } catch (error) {
    redis?.close();
    await supply?.close();
    throw error;
  }
  const [{ url }] = servers;
  let isStopping = false;
  stopOnSignal(async () => {
    isStopping = true;
    log.info('stopping');
    await Promise.all(servers.map((server) => server.close()));
    // Closed last, because launches in flight may still wait for a mint.
    await supply?.close();
    redis?.close();
    await output.close(LAST_LINES_MS);
  });
  announce(url, settings, log);
  output.flush();
  if (ledger === undefined || !isForPeople(log)) return;
  const screen = await firstScreen(url, clients[0] as HeavenClient);
  if (!isStopping) print(`${screen}\nServing at ${url}. Ctrl-C stops it.`);
}

/** Both are loaded only when they are used. */
async function connectCounts({ rateLimitRedisUrl: url }: ServeSettings, log: Logger) {
  if (url === '') return undefined;
  const { connectRedis } = await import('./redis.js');
  return connectRedis(url, log);
}

/** Decides which requests are answered, and when. */
async function admit({ rateLimit, maxWaiting }: ServeSettings, shared?: SharedCounts): Promise<RateLimiter> {
  const queue = new WorkQueue(maxWaiting);
  if (rateLimit === 0) return () => queue.enter();
  const { limitPerMinute } = await import('./rate-limit.js');
  const limit = limitPerMinute(rateLimit, shared);
  return async (request) => (await limit(request)) ?? (await queue.enter());
}

type Documents = Readonly<Record<string, () => Promise<HttpDocument>>>;

/** Starts the server, and a second one if the documents have a port of their own. */
async function startServers(
  {
    port,
    host: hostname,
    grace: graceMs,
    timeout: receiveTimeoutMs,
    trustedProxies,
    metricsPort,
  }: ServeSettings,
  handler: FetchHandler,
  documents: Documents,
): Promise<readonly [RunningServer, ...RunningServer[]]> {
  const where = { hostname, graceMs, overrideGlobalObjects: true };
  const requests = { receiveTimeoutMs, trustedProxies };
  const server = await listen('PORT', { handler, port, ...where, ...requests });
  if (metricsPort === 0) return [server];
  try {
    const own = { handler: serveDocuments(documents), port: metricsPort, ...where };
    return [server, await listen('METRICS_PORT', own)];
  } catch (error) {
    await server.close();
    throw error;
  }
}

/** Starts a server. If its port is in use, the error names the variable that chooses another. */
async function listen(variable: string, config: ServerConfig): Promise<RunningServer> {
  try {
    return await startServer(config);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new Error(
      `Port ${config.port} is in use. Stop the program that uses it, or choose another port with ${variable}=.`,
    );
  }
}

const supplyMints = (size: number, log: Logger) =>
  createMintSupply({
    size,
    observe: (error) => log.error({ error: describeError(error) }, 'the mint supply failed'),
  });

const connectNodes = (
  { rpcUrl, rpcAttempt, rpcTimeout, rpcMaxResponse }: ServeSettings,
  metrics: Metrics,
  log: Logger,
) =>
  createFailoverTransport(rpcUrl, {
    attemptTimeoutMs: rpcUrl.length > 1 ? rpcAttempt : rpcTimeout,
    maxResponseBytes: rpcMaxResponse,
    observe: (failure) => {
      metrics.nodeFailure(failure);
      log.warn(failure, 'an RPC node failed');
    },
  });

/** A client for each program, all with one transport. */
function createClients(transport: RpcTransport, settings: ServeSettings, metrics: Metrics) {
  const { commitment, rpcTimeout: timeoutMs } = settings;
  const programIds = settings.programIds.length > 0 ? settings.programIds : [HEAVEN_PROGRAM_ADDRESS];
  const rpc = createSolanaRpcFromTransport(transport) as HeavenClient['rpc'];
  return programIds.map((programAddress) =>
    shareReads(createHeavenClient({ rpc, deployment: { programAddress }, commitment, timeoutMs }), {
      accountsTtlMs: settings.cache,
      blockhashTtlMs: settings.blockhashCache,
      maxConcurrentCalls: settings.rpcCalls,
      observe: metrics.read,
    }),
  );
}

/** Whether a person reads the output, because the log shows only what goes wrong. */
const isForPeople = (log: Logger) => log.level !== 'silent' && !log.isLevelEnabled('info');

function announce(url: string, { rpcUrl }: ServeSettings, log: Logger): void {
  const isEmbedded = rpcUrl.length === 0;
  const source = isEmbedded
    ? 'the embedded ledger (sample pools, no network)'
    : `the cluster behind ${rpcUrl.map((node) => new URL(node).host).join(', ')}`;
  const serves = `heaven-pools serves ${source} at ${url}`;
  if (isEmbedded && isForPeople(log)) print(serves);
  else log.info({ url }, serves);
}

function stopOnSignal(stop: () => Promise<void>): void {
  let since: number | undefined;
  const end = async () => {
    if (since !== undefined) {
      // A second signal does not wait for requests in flight. One Ctrl-C can send two: the terminal's, and npm's copy of it.
      if (performance.now() - since > ONE_SIGNAL_MS) process.exit(1);
      return;
    }
    since = performance.now();
    await stop();
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => void end());
}

/** A handler that only serves documents. */
function serveDocuments(documents: Documents): FetchHandler {
  const app = new Hono();
  for (const [path, document] of Object.entries(documents)) {
    app.get(path, async (c) => {
      const { headers, body } = await document();
      return c.body(body, 200, headers);
    });
    app.all(path, (c) => c.body(null, 405, { allow: 'GET, HEAD' }));
  }
  app.notFound((c) => c.body(null, 404));
  return (request) => app.fetch(request);
}

/** An error for the log. The library's own errors have no stack, because their code says enough. */
function describeError(error: unknown) {
  const { message, stack, cause } = error as Error;
  const reason = cause instanceof Error ? { cause: causeOf(cause) } : {};
  return isHeavenError(error)
    ? { code: error.code, message, context: { ...error.context }, ...reason }
    : { message, stack, ...reason };
}

/** Leaves out the node's own words: they may contain its key, or mislead whoever reads the log. */
function causeOf(cause: Error): string {
  if (isHttpError(cause)) return `HTTP error (${cause.context.statusCode})`;
  return isSolanaError(cause)
    ? `error ${cause.context.__code}`
    : sanitizeText(withoutSecrets(cause.message), 200);
}
