import { InvalidArgumentError, Option } from 'commander';

import { isKey, SECRET } from '../../base/shown.js';
import { UsageError } from './output.js';

// What the commands share. Loads nothing but commander, so that help prints immediately.

export interface JsonSettings {
  /** Print one JSON document instead of lines. */
  readonly json?: boolean | undefined;
}

/** The nodes aren't checked here: commander's error would repeat the value, which may contain a key. */
export const rpcOption = (fallback: string) =>
  new Option(
    '--rpc, --rpc-url <urls>',
    `RPC nodes, best first, separated by commas (default: ${fallback})`,
  ).env('RPC_URL');

/** Addresses with keys in them. One that is set and empty is a secret that is missing, not an option left out. */
export const SECRET_VARIABLES: readonly string[] = ['RPC_URL', 'RATE_LIMIT_REDIS_URL'];

export const jsonOption = () => new Option('--json', 'print one JSON document');

export const programIdOption = () =>
  new Option('--program-id <address>', 'the exchange program (default: mainnet’s)');

/** A URL or a path: of what has a slash, only base64 is a key. */
const PLACE = /^(?![\w+/]{86}={0,2}$).*\//;

/** Rejects keys in what the process is given, before anything repeats them. A node's URL may hold one, and is never repeated. */
export function assertNoKeys(given: readonly (string | undefined)[]): void {
  const texts = given.map((text = '') => text.replace(/^--[\w-]+=/, ''));
  if (texts.some((text) => isKey(text) && !PLACE.test(text)))
    throw new UsageError(
      `An argument or a variable is ${SECRET}. --help says what belongs there: never a key.`,
    );
}

/** The items of a comma-separated list. */
export const listOf = (value: string): readonly string[] =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

/** Parses a number for an option. */
export const wholeNumber =
  (least: number, most = Number.MAX_SAFE_INTEGER) =>
  (value: string): number => {
    const number = Number(value);
    if (/^\d+$/.test(value) && number >= least && number <= most) return number;
    const end = most < Number.MAX_SAFE_INTEGER ? `to ${most}` : 'on';
    throw new InvalidArgumentError(`It must be a whole number from ${least} ${end}.`);
  };

export const EXIT_CODES = `
Exit codes: 0 good; 1 the answer is an error, printed as "error (code): message" on stderr, or as
JSON on stdout with --json; 2 wrong usage.`;
