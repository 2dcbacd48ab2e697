import { Redis } from 'ioredis';
import type { Logger } from 'pino';

import type { SharedCounts } from './rate-limit.js';

/** A request waits no longer for its count. */
const COMMAND_MS = 250;
/** A connection that is silent for so long is dropped. Until the next one works, requests don't wait at all. */
const SILENT_MS = 500;
/** How often to log that the store fails. */
const LOG_MS = 60_000;

/** Counts in Redis. The log says when that fails, without the URL, because it may hold a password. */
export function connectRedis(url: string, log: Logger): SharedCounts & { readonly close: () => void } {
  let loggedAt = Number.NEGATIVE_INFINITY;
  const onFailure = (error: unknown) => {
    const now = performance.now();
    if (now - loggedAt < LOG_MS) return;
    loggedAt = now;
    log.warn({ reason: reasonOf(error) }, 'Redis fails: this process limits the rate on its own');
  };
  const client = new Redis(url, {
    commandTimeout: COMMAND_MS,
    socketTimeout: SILENT_MS,
    connectTimeout: 5_000,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
  });
  // Without a listener, ioredis writes errors to the console.
  client.on('error', onFailure);
  return { client, onFailure, close: () => client.disconnect() };
}

/** The code of an error, or the first word of an answer of Redis, such as `READONLY`. */
function reasonOf(error: unknown): string {
  const { code, message = '', name } = error as NodeJS.ErrnoException;
  return code ?? /^[A-Z]{3,}/.exec(message)?.[0] ?? name;
}
