import { isAddress } from '@solana/kit';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { createFailoverTransport } from 'heaven-pools';

import { describe, MAX_TIMER_MS } from '../../input.js';
import type { ServeSettings } from '../serve.js';
import { listOf, wholeNumber } from './options.js';

const COMMITMENTS = ['processed', 'confirmed', 'finalized'];

const itemsOf = (value: string) => {
  const items = listOf(value);
  if (items.length > 0) return items;
  throw new InvalidArgumentError('It names nothing.');
};

const programIds = (value: string) => {
  const ids = itemsOf(value);
  return ids.map((id) => {
    if (isAddress(id)) return id;
    throw new InvalidArgumentError(`It must be a base58 address of 32 bytes; got ${describe(id)}.`);
  });
};

const origins = (value: string): '*' | false | readonly string[] => {
  if (value === '*') return '*';
  if (value === 'none') return false;
  return itemsOf(value).map((origin) => {
    if (URL.canParse(origin) && new URL(origin).origin === origin) return origin;
    throw new InvalidArgumentError(`${origin} is not an origin such as https://app.example.`);
  });
};

const headerNames = (value: string) =>
  itemsOf(value).map((name) => {
    if (/^[\w!#$%&'*+.^`|~-]+$/.test(name)) return name;
    throw new InvalidArgumentError(`${describe(name)} is not the name of a header.`);
  });

type Bounds = readonly [least: number, most?: number, unit?: string];

const milliseconds = (least: number, most = MAX_TIMER_MS): Bounds => [least, most, 'milliseconds '];

const number = (flag: string, env: string, fallback: number, bounds: Bounds, what: string) => {
  const [least, most, unit = ''] = bounds;
  return text(`${flag} <number>`, env, `${unit}${what}`, wholeNumber(least, most), fallback);
};

const text = <T>(
  flag: string,
  env: string,
  description: string,
  parse: (value: string) => T,
  fallback: T,
  shown = String(fallback),
) => new Option(flag, description).env(env).default(fallback, shown).argParser(parse);

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'];
const oneOf = (values: readonly string[]) => (value: string) => {
  if (values.includes(value)) return value;
  throw new InvalidArgumentError(`It must be one of ${values.join(', ')}.`);
};

/** Declares `heaven-pools serve`. */
export function declare(program: Command): void {
  const command = program
    .command('serve')
    .description('Serves the HTTP interface: on the embedded ledger, or on a cluster with --rpc.');
  for (const option of serveOptions(program)) command.addOption(option);
  command.action(async (settings: ServeSettings) => {
    const { serve } = await import('../serve.js');
    await serve(settings);
  });
}

function serveOptions(program: Command): readonly Option[] {
  // URLs often contain a key, and commander's own error would repeat the value.
  const rpcUrls = (value: string) => {
    try {
      const urls = itemsOf(value);
      // Checks them.
      createFailoverTransport(urls);
      return urls;
    } catch (error) {
      const message = (error as Error).message.replace(/^nodes\[\d+\]/, 'Each');
      return program.error(`error: --rpc-url (RPC_URL) is invalid. ${message}`);
    }
  };
  const redisUrl = (value: string) => {
    if (/^rediss?:$/.test(URL.canParse(value) ? new URL(value).protocol : '')) return value;
    return program.error(
      'error: --rate-limit-redis-url (RATE_LIMIT_REDIS_URL) must be a URL such as redis://host:6379.',
    );
  };
  return [
    text(
      '--rpc, --rpc-url <urls>',
      'RPC_URL',
      'RPC nodes, best first, separated by commas',
      rpcUrls,
      [],
      'the embedded ledger',
    ),
    number('--port', 'PORT', 3000, [0, 65_535], 'port; 0 takes a free one'),
    text('--host <address>', 'HOST', 'address to listen on; 0.0.0.0 for all', String, '127.0.0.1'),
    text(
      '--program-id, --program-ids <ids>',
      'PROGRAM_IDS',
      'programs to serve, separated by commas',
      programIds,
      [],
      'mainnet’s',
    ),
    text('--commitment <level>', 'COMMITMENT', COMMITMENTS.join(', '), oneOf(COMMITMENTS), 'confirmed'),
    number('--rpc-timeout', 'RPC_TIMEOUT_MS', 10_000, milliseconds(1), 'for a call to the nodes'),
    number('--rpc-attempt', 'RPC_ATTEMPT_MS', 3_000, milliseconds(1), 'before asking the next node'),
    number(
      '--rpc-max-response',
      'RPC_MAX_RESPONSE_BYTES',
      16_777_216,
      [1],
      'most bytes in an answer of a node',
    ),
    number('--rpc-calls', 'RPC_CALLS', 8, [1], 'calls to the nodes at once; more are batched'),
    number('--cache', 'CACHE_MS', 150, milliseconds(0), 'to cache accounts'),
    number('--blockhash-cache', 'BLOCKHASH_MS', 2_000, milliseconds(0, 30_000), 'to cache a block hash'),
    number(
      '--mints',
      'MINTS',
      2,
      [0, 1_000],
      'mint addresses kept ready for launches; 0 searches when asked',
    ),
    number('--max-body', 'MAX_BODY_BYTES', 65_536, [1], 'most bytes in a request'),
    number('--timeout', 'REQUEST_TIMEOUT_MS', 30_000, milliseconds(1), 'for a request'),
    text(
      '--cors <origins>',
      'CORS_ORIGINS',
      'origins whose pages may call the server, separated by commas, or none',
      origins,
      '*',
    ),
    text(
      '--cors-headers <names>',
      'CORS_HEADERS',
      'headers that those pages may send, separated by commas',
      headerNames,
      ['content-type'],
    ),
    number(
      '--max-waiting',
      'MAX_WAITING',
      1_000,
      [1],
      'requests that wait for their turn; more are answered 503',
    ),
    number('--rate-limit', 'RATE_LIMIT', 0, [0], 'requests per minute from one address; 0 for any number'),
    text(
      '--rate-limit-redis-url <url>',
      'RATE_LIMIT_REDIS_URL',
      'Redis that shares the limit among several servers',
      redisUrl,
      '',
      'none',
    ),
    number(
      '--trusted-proxies',
      'TRUSTED_PROXIES',
      0,
      [0, 10],
      'proxies before the server that set x-forwarded-for',
    ),
    number(
      '--metrics-port',
      'METRICS_PORT',
      0,
      [0, 65_535],
      'separate port for /metrics; 0 serves it with the rest',
    ),
    new Option('--log-level <level>', `${LEVELS.join(', ')} (default: info; warn on the embedded ledger)`)
      .env('LOG_LEVEL')
      .argParser(oneOf(LEVELS)),
    number('--grace', 'GRACE_MS', 10_000, milliseconds(0), 'for requests in flight on shutdown'),
  ];
}
