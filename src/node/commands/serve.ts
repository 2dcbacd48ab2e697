import { type Command, CommanderError, InvalidArgumentError, Option } from 'commander';

import { rpcUrlOf } from '../../client.js';
import { MAX_TIMER_MS } from '../../input.js';
import { HEAVEN_PROGRAM_ADDRESS } from '../../program/constants.js';
import { assertAddress } from '../../solana/addresses.js';
import type { ServeSettings } from '../serve.js';
import { COMMITMENTS, wholeNumber } from './options.js';

/** A value that may be empty, as environment variables often are, for the default. */
const read =
  <T>(parse: (value: string) => T, fallback: T) =>
  (value: string): T => {
    if (value === '') return fallback;
    try {
      return parse(value);
    } catch (error) {
      // Told already, without the value.
      if (error instanceof CommanderError) throw error;
      throw new InvalidArgumentError((error as Error).message);
    }
  };

const list = (value: string): readonly string[] =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

const notEmpty = (items: readonly string[]) => {
  if (items.length > 0) return items;
  throw new Error('It names nothing.');
};

const programIds = (value: string) => {
  const ids = notEmpty(list(value));
  for (const id of ids) assertAddress(id, 'It');
  return ids;
};

const origins = (value: string): '*' | false | readonly string[] => {
  if (value === '*') return '*';
  if (value === 'none') return false;
  return notEmpty(list(value)).map((origin) => {
    if (URL.canParse(origin) && new URL(origin).origin === origin) return origin;
    throw new Error(`${origin} is no origin such as https://app.example.`);
  });
};

const number = (flag: string, env: string, description: string, fallback: number, least = 0, most?: number) =>
  new Option(`${flag} <number>`, description)
    .env(env)
    .default(fallback)
    .argParser(read(wholeNumber(least, most), fallback));

const text = <T>(
  flag: string,
  env: string,
  description: string,
  parse: (value: string) => T,
  [fallback, shown]: readonly [value: T, shown: string],
) => new Option(flag, description).env(env).default(fallback, shown).argParser(read(parse, fallback));

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'];
const oneOf = (values: readonly string[]) => (value: string) => {
  if (values.includes(value)) return value;
  throw new Error(`It must be one of ${values.join(', ')}.`);
};

/** Declares `heaven-pools serve`. */
export function declare(program: Command): void {
  /** Many hold a key, so that the complaint is not commander's, which repeats the value. */
  const rpcUrls = (value: string) => {
    try {
      return notEmpty(list(value)).map((url) => rpcUrlOf(url, 'Each'));
    } catch (error) {
      return program.error(`error: --rpc-url (RPC_URL) is invalid. ${(error as Error).message}`);
    }
  };

  program
    .command('serve')
    .description('Serves the HTTP interface: on the embedded ledger, or on a cluster with --rpc.')
    .addOption(
      text('--rpc, --rpc-url <urls>', 'RPC_URL', 'RPC nodes, best first, separated by commas', rpcUrls, [
        [],
        'the embedded ledger',
      ]),
    )
    .addOption(number('--port', 'PORT', 'port; 0 takes a free one', 3000, 0, 65_535))
    .addOption(
      text('--host <address>', 'HOST', 'address to listen on; 0.0.0.0 for all', String, [
        '127.0.0.1',
        '127.0.0.1',
      ]),
    )
    .addOption(
      text(
        '--program-id, --program-ids <ids>',
        'PROGRAM_IDS',
        'programs that are served, separated by commas',
        programIds,
        [[HEAVEN_PROGRAM_ADDRESS], 'mainnet’s'],
      ),
    )
    .addOption(
      text('--commitment <level>', 'COMMITMENT', COMMITMENTS.join(', '), oneOf(COMMITMENTS), [
        'confirmed',
        'confirmed',
      ]),
    )
    .addOption(
      number(
        '--rpc-timeout',
        'RPC_TIMEOUT_MS',
        'milliseconds that a call to the nodes may take',
        10_000,
        1,
        MAX_TIMER_MS,
      ),
    )
    .addOption(
      number(
        '--rpc-attempt',
        'RPC_ATTEMPT_MS',
        'milliseconds after which the next node is asked',
        3_000,
        1,
        MAX_TIMER_MS,
      ),
    )
    .addOption(
      number(
        '--rpc-max-response',
        'RPC_MAX_RESPONSE_BYTES',
        'bytes that an answer of a node may have',
        16_777_216,
        1,
      ),
    )
    .addOption(number('--rpc-calls', 'RPC_CALLS', 'calls to the nodes at once; more are put together', 8, 1))
    .addOption(
      number('--cache', 'CACHE_MS', 'milliseconds that accounts are given out again', 150, 0, MAX_TIMER_MS),
    )
    .addOption(
      number(
        '--blockhash-cache',
        'BLOCKHASH_MS',
        'milliseconds that a block hash is given out again',
        2_000,
        0,
        30_000,
      ),
    )
    .addOption(
      number(
        '--mints',
        'MINTS',
        'mint addresses kept ready for launches; 0 searches when asked',
        2,
        0,
        1_000,
      ),
    )
    .addOption(number('--max-body', 'MAX_BODY_BYTES', 'bytes that a request may have', 65_536, 1))
    .addOption(
      number(
        '--timeout',
        'REQUEST_TIMEOUT_MS',
        'milliseconds that a request may take',
        30_000,
        1,
        MAX_TIMER_MS,
      ),
    )
    .addOption(
      text(
        '--cors <origins>',
        'CORS_ORIGINS',
        'origins whose pages may call, separated by commas, or none',
        origins,
        ['*', '*'],
      ),
    )
    .addOption(
      number('--rate-limit', 'RATE_LIMIT', 'requests per minute from one address; 0 for any number', 0),
    )
    .addOption(
      number(
        '--trusted-proxies',
        'TRUSTED_PROXIES',
        'proxies before the server that set x-forwarded-for',
        0,
        0,
        10,
      ),
    )
    .addOption(
      number(
        '--metrics-port',
        'METRICS_PORT',
        'port of its own for /metrics; 0 serves it beside the rest',
        0,
        0,
        65_535,
      ),
    )
    .addOption(
      new Option('--log-level <level>', `${LEVELS.join(', ')} (default: info; warn on the embedded ledger)`)
        .env('LOG_LEVEL')
        .argParser(read<string | undefined>(oneOf(LEVELS), undefined)),
    )
    .addOption(
      number(
        '--grace',
        'GRACE_MS',
        'milliseconds for requests in flight when it stops',
        10_000,
        0,
        MAX_TIMER_MS,
      ),
    )
    .option('--no-tour', 'leave out the worked examples on the embedded ledger')
    .action(async (settings: ServeSettings) => {
      const { serve } = await import('../serve.js');
      await serve(settings);
    });
}
