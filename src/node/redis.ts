import { createClient } from '@redis/client';
import type { Logger } from 'pino';

import type { SharedCounts } from './rate-limit.js';

/** A connection that is silent for so long is dropped, and asked before. */
const SILENT_MS = 10_000;
const PING_MS = 2_000;
/** When to connect again after an answer that was late or wrong. Until then, requests don't wait at all. */
const RETRY_MS = 1_000;
/** How often to log that the store fails. */
const LOG_MS = 60_000;

/** Counts in Redis. The log says when that fails, without the URL, because it may hold a password. */
export function connectRedis(url: string, log: Logger): SharedCounts & { readonly close: () => void } {
  let loggedAt = Number.NEGATIVE_INFINITY;
  let retry: NodeJS.Timeout | undefined;
  const client = createClient({
    url,
    // Nothing but commands and replies, which older versions know too.
    RESP: 2,
    maintNotifications: 'disabled',
    disableClientInfo: true,
    disableOfflineQueue: true,
    pingInterval: PING_MS,
    socket: {
      connectTimeout: 5_000,
      socketTimeout: SILENT_MS,
      reconnectStrategy: (retries) => Math.min(50 * 2 ** retries, 2_000),
    },
  });
  // Its errors are events.
  const connect = () => void client.connect().catch(() => {});
  const onFailure = (error: unknown) => {
    if (client.isReady) {
      // Further replies may belong to other commands. What waits for one fails.
      client.destroy();
      retry = setTimeout(connect, RETRY_MS);
    }
    const now = performance.now();
    if (now - loggedAt < LOG_MS) return;
    loggedAt = now;
    log.warn({ reason: reasonOf(error) }, 'Redis fails: this process limits the rate on its own');
  };
  client.on('error', onFailure);
  connect();
  const close = () => {
    clearTimeout(retry);
    client.destroy();
  };
  return { client, onFailure, close };
}

/** The code of an error, or the first word of an answer of Redis, such as `READONLY`. The client has no error for a reply too many. */
function reasonOf(error: unknown): string {
  const { code, message, constructor: kind } = error as NodeJS.ErrnoException;
  const word = code ?? /^[A-Z]{3,}/.exec(message)?.[0] ?? kind.name;
  return word === 'TypeError' ? 'unexpected reply' : word;
}
