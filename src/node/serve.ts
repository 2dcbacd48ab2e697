import { BlockList, isIP, isIPv6 } from 'node:net';
import { createSolanaRpcFromTransport, isSolanaError, type RpcTransport } from '@solana/kit';
import {
  createHeavenClient,
  type HeavenClient,
  isHeavenError,
  type RpcNodeFailure,
  sanitizeText,
  shareReads,
} from 'heaven-pools';
import { createHandler, type FetchHandler } from 'heaven-pools/http';
import { HEAVEN_PROGRAM_ADDRESS } from 'heaven-pools/program';
import { createEmbeddedLedger } from 'heaven-pools/testing';
import { Hono } from 'hono';
import { type Logger, pino, stdTimeFunctions } from 'pino';
import { describe } from '../base/input.js';
import { hideKeys } from '../base/shown.js';
import { withoutSecrets } from '../base/text.js';
import { isHttpError } from '../solana/rpc/errors.js';
import { connectNodes, programOf } from './commands/cluster.js';
import { listOf } from './commands/options.js';
import { UsageError } from './commands/output.js';
import { firstScreen } from './first-screen.js';
import { overTime } from './ledger-clock.js';
import { LogOutput } from './log-output.js';
import { createMetrics, type Metrics } from './metrics.js';
import { createMintSupply } from './mint-supply.js';
import type { ServeSettings } from './serve-settings.js';
import { type RunningServer, type ServerConfig, startServer } from './server.js';
import { WorkQueue } from './work-queue.js';

/** How long to wait at the end for a slow reader of the log. */
const LAST_LINES_MS = 1_000;

/** Signals this close together count as one. */
const ONE_SIGNAL_MS = 500;

const print = (line: string) => console.log(line);

/** Runs the server until a signal stops it. If it can't start, the caller ends the process. */
export async function serve(settings: ServeSettings): Promise<void> {
  assertConsistent(settings);
  const isEmbedded = settings.rpcUrl === undefined;
  const output = new LogOutput();
  const log = createLog(settings, output);
  const supply = settings.mints > 0 ? supplyMints(settings.mints, log) : undefined;
  const nodes = isEmbedded ? undefined : connectTo(settings, log, (failure) => metrics.nodeFailure(failure));
  const queue = new WorkQueue(settings.maxWaiting);
  let unanswered = 0;
  const metrics = createMetrics({
    waiting: () => queue.waiting,
    inWork: () => unanswered - queue.waiting,
    mintsReady: supply && (() => supply.ready),
    nodes: nodes?.nodes,
    hosts: hostsOf(settings),
  });
  output.on('drop', metrics.droppedLine);
  const ledger = isEmbedded ? await createEmbeddedLedger() : undefined;
  const transport = ledger ? overTime(ledger) : (nodes as RpcTransport);
  const clients = createClients(transport, settings, metrics);
  const limit = await limitRate(settings, metrics, log);
  const documents = { '/metrics': metrics.document };
  const handler = createHandler({
    client: clients,
    maxBodyBytes: settings.maxBody,
    timeoutMs: settings.timeout,
    cors: settings.cors,
    allowHeaders: settings.corsHeaders,
    observe: (event) => {
      metrics.request(event);
      if (event.error === undefined) log.info(event, 'request');
      else log.error(event, 'request failed');
    },
    rateLimiter: async (request) => (await limit?.rateLimiter(request)) ?? (await queue.enter()),
    ...(supply ? { mintSigner: supply.mintSigner } : {}),
    ...(settings.metricsPort === 0 ? { documents } : {}),
    ...(ledger ? { ledger: { transport } } : {}),
  });
  const counted: FetchHandler = async (request, caller) => {
    unanswered += 1;
    const response = await handler(request, caller);
    unanswered -= 1;
    return response;
  };
  const server = await startMain(settings, counted);
  const metricsServer = settings.metricsPort === 0 ? undefined : await startMetrics(settings, metrics);
  let isStopping = false;
  stopOnSignal(async () => {
    isStopping = true;
    if (isEmbedded && isForPeople(log)) print('Stopping.');
    // Whatever the level: an operator looks for this line first.
    else log.child({}, { level: 'info' }).info('stopping');
    await Promise.all([server.close(), metricsServer?.close()]);
    // Closed last, because launches in flight may still wait for a mint.
    await supply?.close();
    limit?.close();
    await output.close(LAST_LINES_MS);
  });
  announce(server.url, settings, log);
  output.flush();
  if (!isEmbedded || !isForPeople(log)) return;
  // No other program is on the ledger.
  const client = clients.find(({ deployment }) => deployment.programAddress === HEAVEN_PROGRAM_ADDRESS);
  const screen = client ? `${await firstScreen(server.url, client)}\n` : '';
  if (!isStopping) print(`${screen}Serving at ${server.url}. Ctrl-C stops it.`);
}

function assertConsistent(settings: ServeSettings): void {
  const { rpcUrl, embedded, host, rpcAttempt, rpcTimeout, rateLimit, rateLimitRedisUrl } = settings;
  if (rpcUrl !== undefined && embedded)
    throw new UsageError(
      '--embedded (EMBEDDED) serves the embedded ledger, and --rpc-url (RPC_URL) a cluster: leave one of them out.',
    );
  if (rpcUrl === undefined && !embedded && !isLoopback(host))
    throw new UsageError(
      `Without --rpc-url (RPC_URL) this would serve the embedded ledger, whose prices are made up, on ${describe(host)}. ` +
        'Set RPC_URL, or --embedded (EMBEDDED=1) if others are to practice on it.',
    );
  if (listOf(rpcUrl ?? '').length > 1 && rpcAttempt >= rpcTimeout)
    throw new UsageError('--rpc-attempt must be less than --rpc-timeout, which ends the call.');
  if (rateLimitRedisUrl === '') return;
  if (!/^rediss?:/i.test(rateLimitRedisUrl) || !URL.canParse(rateLimitRedisUrl))
    throw new UsageError(
      '--rate-limit-redis-url (RATE_LIMIT_REDIS_URL) must be a URL such as redis://host:6379.',
    );
  if (rateLimit === 0) throw new UsageError('--rate-limit-redis-url shares a limit: set --rate-limit too.');
}

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8);
LOOPBACK.addAddress('::1', 'ipv6');

/** Whether only this machine reaches an address to listen on. */
const isLoopback = (host: string): boolean =>
  host === 'localhost' || (isIP(host) !== 0 && LOOPBACK.check(host, isIPv6(host) ? 'ipv6' : 'ipv4'));

function createLog({ rpcUrl, logLevel, logAddresses, logNames }: ServeSettings, output: LogOutput): Logger {
  const options = {
    level: logLevel ?? (rpcUrl === undefined ? 'warn' : 'info'),
    base: null,
    serializers: { error: describeError },
    ...(logAddresses ? {} : { redact: { paths: ['clientAddress'], remove: true } }),
  };
  const names = {
    formatters: { level: (level: string) => ({ level }) },
    timestamp: stdTimeFunctions.isoTime,
  };
  return pino({ ...options, ...(logNames ? names : {}) }, output);
}

/** The limiter, if there is a limit. Its packages are loaded only then. */
async function limitRate(settings: ServeSettings, { fallback }: Metrics, log: Logger) {
  const { rateLimit, rateLimitRedisUrl: url } = settings;
  if (rateLimit === 0) return undefined;
  const { limitPerMinute } = await import('./rate-limit.js');
  if (url === '') return { rateLimiter: limitPerMinute(rateLimit), close: () => {} };
  const { connectRedis } = await import('./redis.js').catch((cause) => {
    if (cause.code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    throw new UsageError(
      '--rate-limit-redis-url (RATE_LIMIT_REDIS_URL) needs one more package: npm install @redis/client',
    );
  });
  const redis = connectRedis(url, log);
  const counts = { ...redis, onFallback: fallback };
  return { rateLimiter: limitPerMinute(rateLimit, counts), close: redis.close };
}

function startMain(settings: ServeSettings, handler: FetchHandler): Promise<RunningServer> {
  const { port, timeout: receiveTimeoutMs, trustedProxies } = settings;
  return listen('PORT', { handler, port, receiveTimeoutMs, trustedProxies, ...placeOf(settings) });
}

/** A server of its own for the metrics. */
function startMetrics(settings: ServeSettings, metrics: Metrics): Promise<RunningServer> {
  const app = new Hono({ getPath: ({ url }) => new URL(url).pathname });
  app.get('/metrics', async (c) => {
    const { headers, body } = await metrics.document();
    return c.body(body, 200, headers);
  });
  const handler = async (request: Request) => await app.fetch(request);
  return listen('METRICS_PORT', { handler, port: settings.metricsPort, ...placeOf(settings) });
}

const placeOf = ({ host, grace }: ServeSettings) => ({
  hostname: host,
  graceMs: grace,
  overrideGlobalObjects: true,
});

/** Starts a server. If its port is in use, the error names the variable that chooses another. */
async function listen(variable: string, config: ServerConfig): Promise<RunningServer> {
  try {
    return await startServer(config);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new Error(
      `Port ${config.port} is in use. Stop the program that uses it, or choose another with --${variable.toLowerCase().replace('_', '-')} (${variable}).`,
    );
  }
}

const supplyMints = (size: number, log: Logger) =>
  createMintSupply({ size, observe: (error) => log.error({ error }, 'the mint supply failed') });

/** Without what follows them, which may be a key. */
const hostsOf = ({ rpcUrl }: ServeSettings) => listOf(rpcUrl ?? '').map((node) => new URL(node).host);

function connectTo(settings: ServeSettings, log: Logger, onFailure: (failure: RpcNodeFailure) => void) {
  const urls = listOf(settings.rpcUrl ?? '');
  return connectNodes(urls, {
    attemptTimeoutMs: urls.length > 1 ? settings.rpcAttempt : settings.rpcTimeout,
    maxResponseBytes: settings.rpcMaxResponse,
    observe: (failure) => {
      onFailure(failure);
      log.warn(failure, 'an RPC node failed');
    },
  });
}

/** A client for each program, all with one transport. */
function createClients(transport: RpcTransport, settings: ServeSettings, metrics: Metrics) {
  const { commitment, rpcTimeout: timeoutMs } = settings;
  const programIds = settings.programIds.map((id) => programOf(id, '--program-ids'));
  const rpc = createSolanaRpcFromTransport(transport) as HeavenClient['rpc'];
  const served = programIds.length > 0 ? programIds : [HEAVEN_PROGRAM_ADDRESS];
  return served.map((programAddress) =>
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

function announce(url: string, settings: ServeSettings, log: Logger): void {
  if (settings.rpcUrl !== undefined) {
    log.info({ url }, `heaven-pools serves the cluster behind ${hostsOf(settings).join(', ')} at ${url}`);
    return;
  }
  const serves = `heaven-pools serves the embedded ledger (sample pools at made-up prices, no network) at ${url}`;
  if (isForPeople(log)) print(serves);
  // Whatever the level: nobody should take its prices for a market's.
  else log.child({}, { level: 'warn' }).warn({ url }, serves);
}

function stopOnSignal(stop: () => Promise<void>): void {
  let since: number | undefined;
  const end = async () => {
    // A second signal does not wait for requests in flight. One Ctrl-C can send two: the terminal's, and npm's copy of it.
    if (since !== undefined && performance.now() - since > ONE_SIGNAL_MS) process.exit(1);
    if (since !== undefined) return;
    since = performance.now();
    await stop();
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => void end());
}

/** An error for the log. The library's own errors have no stack, because their code says enough. */
function describeError(error: unknown) {
  const { message, stack, cause } = error as Error;
  const reason = cause instanceof Error ? { cause: causeOf(cause) } : {};
  return isHeavenError(error)
    ? { code: error.code, message, context: { ...error.context }, ...reason }
    : { message: hideKeys(message), stack: stack?.replace(message, hideKeys), ...reason };
}

/** Leaves out the node's own words: they may contain its key, or mislead whoever reads the log. */
function causeOf(cause: Error): string {
  if (isHttpError(cause)) return `HTTP error (${cause.context.statusCode})`;
  return isSolanaError(cause)
    ? `error ${cause.context.__code}`
    : sanitizeText(withoutSecrets(cause.message), 200);
}
