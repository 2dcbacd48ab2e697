import { InvalidArgumentError } from 'commander';

import { describe, MAX_TIMER_MS } from '../base/input.js';
import { isHeaderName, isOrigin } from '../http/exchange.js';
import { COMMITMENTS } from '../solana/commitment.js';
import { listOf, wholeNumber } from './commands/options.js';

/** An option of the server, named after its key. */
export interface Setting<T> {
  readonly env: string;
  readonly help: string;
  /** What the help calls a value. */
  readonly value: string;
  readonly parse: (value: string) => T;
  readonly fallback: T;
  /** The fallback in the words of the help. */
  readonly shown?: string;
  /** Another flag for it. */
  readonly alias?: string;
  /** The value of the flag alone. Default: the flag needs one. */
  readonly preset?: string;
}

const setting = <T>(
  env: string,
  fallback: T,
  [value, parse]: readonly [value: string, parse: (value: string) => T],
  help: string,
) => ({ env, help, value, parse, fallback }) satisfies Setting<T>;

const number = (
  env: string,
  fallback: number,
  [least, most]: readonly [least: number, most?: number],
  help: string,
) => setting(env, fallback, ['number', wholeNumber(least, most)], help);

const milliseconds = (env: string, fallback: number, help: string, least = 1, most = MAX_TIMER_MS) =>
  number(env, fallback, [least, most], `milliseconds ${help}`);

const oneOf =
  <T extends string>(values: readonly T[]) =>
  (value: string): T => {
    const known = values.find((each) => each === value);
    if (known !== undefined) return known;
    throw new InvalidArgumentError(`It must be one of ${values.join(', ')}.`);
  };

const itemsOf = (value: string): readonly string[] => {
  const items = listOf(value);
  if (items.length > 0) return items;
  throw new InvalidArgumentError('It names nothing.');
};

const eachOf = (isOne: (item: string) => boolean, what: string) => (value: string) =>
  itemsOf(value).map((item) => {
    if (isOne(item)) return item;
    throw new InvalidArgumentError(`${describe(item)} is not ${what}.`);
  });

const origins = (value: string): '*' | false | readonly string[] => {
  if (value === '*') return '*';
  if (value === 'none') return false;
  return eachOf(isOrigin, 'an origin such as https://app.example')(value);
};

const isOn = (value: string): boolean => ['1', 'true'].includes(oneOf(['1', 'true', '0', 'false'])(value));

const flag = (env: string, fallback: boolean, help: string) => ({
  ...setting(env, fallback, ['boolean', isOn], help),
  preset: 'true',
});

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;

export const SETTINGS = {
  embedded: {
    ...flag(
      'EMBEDDED',
      false,
      'serve the embedded ledger, whose prices are made up, beyond this machine too',
    ),
    shown: 'on a loopback address without --rpc',
  },
  port: number('PORT', 3000, [0, 65_535], 'port; 0 takes a free one'),
  host: setting('HOST', '127.0.0.1', ['address', String], 'address to listen on; 0.0.0.0 for all'),
  programIds: {
    ...setting('PROGRAM_IDS', [], ['ids', itemsOf], 'programs to serve, separated by commas'),
    shown: 'mainnet’s',
    alias: '--program-id',
  },
  commitment: setting('COMMITMENT', 'confirmed', ['level', oneOf(COMMITMENTS)], COMMITMENTS.join(', ')),
  rpcTimeout: milliseconds('RPC_TIMEOUT_MS', 10_000, 'for a call to the nodes'),
  rpcAttempt: milliseconds('RPC_ATTEMPT_MS', 3_000, 'for a call to several nodes; each has its share'),
  rpcMaxResponse: number('RPC_MAX_RESPONSE_BYTES', 16_777_216, [1], 'most bytes in an answer of a node'),
  rpcCalls: number('RPC_CALLS', 8, [1], 'calls to the nodes at once; more are batched'),
  cache: milliseconds('CACHE_MS', 150, 'to cache accounts', 0),
  blockhashCache: milliseconds('BLOCKHASH_MS', 2_000, 'to cache a block hash', 0, 7_500),
  mints: number('MINTS', 2, [0, 1_000], 'mint addresses kept ready for launches; 0 searches when asked'),
  maxBody: number('MAX_BODY_BYTES', 16_384, [1], 'most bytes in a request'),
  timeout: milliseconds('REQUEST_TIMEOUT_MS', 30_000, 'for a request'),
  cors: setting(
    'CORS_ORIGINS',
    '*',
    ['origins', origins],
    'origins whose pages may call the server, separated by commas, or none',
  ),
  corsHeaders: setting(
    'CORS_HEADERS',
    ['content-type'],
    ['names', eachOf(isHeaderName, 'the name of a header')],
    'headers that those pages may send, separated by commas',
  ),
  maxWaiting: number('MAX_WAITING', 1_000, [1], 'requests that wait for their turn; more are answered 503'),
  rateLimit: number('RATE_LIMIT', 0, [0], 'requests per minute from one address; 0 for any number'),
  rateLimitRedisUrl: {
    // Checked later: commander's error would repeat the value, which may contain a password.
    ...setting(
      'RATE_LIMIT_REDIS_URL',
      '',
      ['url', String],
      'Redis that shares the limit among several servers',
    ),
    shown: 'none',
  },
  trustedProxies: number('TRUSTED_PROXIES', 0, [0, 10], 'proxies in front that set x-forwarded-for'),
  metricsPort: number('METRICS_PORT', 0, [0, 65_535], 'own port for /metrics; 0 serves it with the rest'),
  logLevel: setting(
    'LOG_LEVEL',
    undefined,
    ['level', oneOf(LEVELS)],
    `${LEVELS.join(', ')} (default: info; warn on the embedded ledger)`,
  ),
  logAddresses: flag('LOG_ADDRESSES', true, 'log the addresses of callers'),
  logNames: flag('LOG_NAMES', false, 'log levels by name and times in ISO 8601, not as numbers'),
  grace: milliseconds('GRACE_MS', 10_000, 'for requests in flight on shutdown', 0),
} satisfies Readonly<Record<string, Setting<unknown>>>;

type Values = {
  readonly [Name in keyof typeof SETTINGS]: ReturnType<(typeof SETTINGS)[Name]['parse']>;
};

/** The options of `heaven-pools serve`. */
export interface ServeSettings extends Omit<Values, 'logLevel'> {
  /** Nothing: the embedded ledger. */
  readonly rpcUrl?: string;
  readonly logLevel?: Values['logLevel'];
}
