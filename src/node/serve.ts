import {
  type Address,
  type Commitment,
  createSolanaRpcFromTransport,
  isSolanaError,
  SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR,
} from '@solana/kit';
import { pino } from 'pino';

import { createClient, type HeavenClient } from '../client.js';
import { isHeavenError } from '../errors.js';
import type { Endpoint, RequestEvent } from '../http/endpoint.js';
import type { HttpDocument } from '../http/exchange.js';
import { createHandler } from '../http/handler.js';
import { COMMUNITY_LOOKUP_TABLE_ADDRESS } from '../program/constants.js';
import { createEmbeddedLedger } from '../testing/ledger.js';
import { createFailoverTransport } from '../upstream/failover.js';
import { shareReads } from '../upstream/share-reads.js';
import { overTime } from './ledger-clock.js';
import { createLogOutput } from './log-output.js';
import { createMetrics } from './metrics.js';
import { createMintSupply } from './mint-supply.js';
import { limitPerMinute } from './rate-limit.js';
import { withRpc } from './rpc-endpoint.js';
import { startServer } from './server.js';
import { takeTour } from './tour.js';

/** The options of `heaven-pools serve`, as its help describes them. */
export interface ServeSettings {
  readonly rpcUrl: readonly string[];
  readonly port: number;
  readonly host: string;
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
  readonly rateLimit: number;
  readonly trustedProxies: number;
  readonly metricsPort: number;
  readonly logLevel?: string;
  readonly grace: number;
  readonly tour: boolean;
}

/** LIGHT, whose pool exists on mainnet and, with the same figures, on the embedded ledger. */
const TOUR_MINT = 'LiGHtkg3uTa9836RaNkKLLriqTNRcMdRAhqjGWNv777' as Address;
const TOUR_PAYER = 'AEWnEAoFTHRtg8FFsgjeqz7QXsP6QNy3CykhpG9iCNDD' as Address;

/** How long the end waits for a slow reader of the log. */
const LAST_LINES_MS = 1_000;

const print = (line: string) => console.log(line);

/** The server program: serves until it is told to stop. */
export async function serve(settings: ServeSettings): Promise<void> {
  const isEmbedded = settings.rpcUrl.length === 0;
  if (settings.rpcUrl.length > 1 && settings.rpcAttempt >= settings.rpcTimeout) {
    throw new Error('--rpc-attempt must be less than --rpc-timeout, or the next node is never asked.');
  }
  const output = createLogOutput();
  const log = pino({ level: settings.logLevel ?? (isEmbedded ? 'warn' : 'info'), base: null }, output);
  const supply =
    settings.mints > 0
      ? createMintSupply({
          size: settings.mints,
          observe: (error) => log.error({ error: describeError(error) }, 'the mint supply failed'),
        })
      : undefined;
  const metrics = createMetrics({
    droppedLogLines: () => output.dropped,
    mintsReady: supply && (() => supply.ready),
  });

  const ledger = isEmbedded ? await createEmbeddedLedger() : undefined;
  const transport = ledger
    ? overTime(ledger)
    : createFailoverTransport(settings.rpcUrl, {
        attemptMs: settings.rpcUrl.length > 1 ? settings.rpcAttempt : settings.rpcTimeout,
        maxResponseBytes: settings.rpcMaxResponse,
        observe: (failure) => {
          metrics.nodeFailure(failure);
          log.warn(failure, 'an RPC node failed');
        },
      });
  const rpc = createSolanaRpcFromTransport(transport) as HeavenClient['rpc'];
  const clients = settings.programIds.map((programAddress) =>
    shareReads(
      createClient({
        rpc,
        deployment: { programAddress },
        commitment: settings.commitment,
        timeoutMs: settings.rpcTimeout,
      }),
      {
        accountsMs: settings.cache,
        blockhashMs: settings.blockhashCache,
        maxConcurrentCalls: settings.rpcCalls,
        observe: metrics.read,
      },
    ),
  );

  const documents = { '/metrics': metrics.document };
  const observe = (event: RequestEvent) => {
    metrics.request(event);
    const { error, ...request } = event;
    if (error === undefined) log.info(request, 'request');
    else log.error({ ...request, error: describeError(error) }, 'request failed');
  };
  const { maxBody: maxBodyBytes, timeout: timeoutMs, cors, grace: graceMs, host: hostname } = settings;
  const rateLimiter = settings.rateLimit > 0 ? limitPerMinute(settings.rateLimit) : undefined;
  const { endpoint } = createHandler({
    client: clients,
    maxBodyBytes,
    timeoutMs,
    cors,
    observe,
    ...(rateLimiter ? { rateLimiter } : {}),
    ...(supply ? { mintSigner: supply.mintSigner } : {}),
    ...(settings.metricsPort === 0 ? { documents } : {}),
  });
  const { port, trustedProxies } = settings;
  const server = await startServer({
    handler: {
      endpoint: ledger
        ? withRpc(endpoint, (payload) => transport({ payload }), {
            cors,
            maxBodyBytes,
            observe,
            ...(rateLimiter ? { rateLimiter } : {}),
          })
        : endpoint,
    },
    port,
    hostname,
    graceMs,
    receiveMs: timeoutMs,
    trustedProxies,
  }).catch(async (error: unknown) => {
    await supply?.close();
    throw error;
  });
  const metricsServer =
    settings.metricsPort === 0
      ? undefined
      : await startServer({
          handler: { endpoint: serveDocuments(documents) },
          port: settings.metricsPort,
          hostname,
          graceMs,
        }).catch(async (error: unknown) => {
          await Promise.all([server.close(), supply?.close()]);
          throw error;
        });

  const source = isEmbedded
    ? 'the embedded ledger (sample pools, no network)'
    : `the cluster behind ${settings.rpcUrl.map((url) => new URL(url).host).join(', ')}`;
  const hasTour = isEmbedded && settings.tour;
  const serves = `heaven-pools serves ${source} at ${server.url}`;
  // Who tries it out must learn the URL, though the log there has only warnings.
  const isPrinted = hasTour || (isEmbedded && log.level !== 'silent' && !log.isLevelEnabled('info'));
  if (isPrinted) print(serves);
  else log.info({ url: server.url }, serves);

  let isStopping = false;
  const stop = async () => {
    // A second signal does not wait for requests in flight.
    if (isStopping) process.exit(1);
    isStopping = true;
    if (hasTour) print('\nStopping.');
    else log.info('stopping');
    await Promise.all([server.close(), metricsServer?.close()]);
    // Launches in flight may still have waited for a mint.
    await supply?.close();
    await output.flush(LAST_LINES_MS);
    process.exit(0);
  };
  process.on('SIGINT', () => void stop());
  process.on('SIGTERM', () => void stop());

  if (!hasTour) {
    void output.flush(LAST_LINES_MS);
    return;
  }
  try {
    await takeTour({
      url: server.url,
      client: clients[0] as HeavenClient,
      configVersion: 2,
      mint: TOUR_MINT,
      payer: TOUR_PAYER,
      lookupTable: COMMUNITY_LOOKUP_TABLE_ADDRESS,
      print,
    });
  } catch (error) {
    print(`The tour ended early: ${(error as Error).message}`);
  }
  print(`\nServing at ${server.url}. Ctrl-C stops it.`);
}

/** A server of documents alone. */
const serveDocuments =
  (documents: Readonly<Record<string, () => Promise<HttpDocument>>>): Endpoint =>
  async ({ path, method }) => {
    const document = Object.hasOwn(documents, path) ? documents[path] : undefined;
    if (document === undefined) return { status: 404, headers: {}, body: '' };
    if (method !== 'GET' && method !== 'HEAD')
      return { status: 405, headers: { allow: 'GET, HEAD' }, body: '' };
    return { status: 200, ...(await document()) };
  };

/** An error for a log: this library's without a stack, which says nothing that its code does not. */
function describeError(error: unknown) {
  const { message, stack, cause } = error as Error;
  const reason = cause instanceof Error ? { cause: causeOf(cause) } : {};
  return isHeavenError(error)
    ? { code: error.code, message, context: { ...error.context }, ...reason }
    : { message, stack, ...reason };
}

/** Without the text of an HTTP status, which is the node's own and may hold its key. */
const causeOf = (cause: Error) =>
  isSolanaError(cause, SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR)
    ? `HTTP error (${cause.context.statusCode})`
    : cause.message;
