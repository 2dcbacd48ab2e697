import { accessSync, constants, lstatSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';

import { createKeyPairSignerFromBytes } from '@solana/kit';
import { stringifyJson } from 'heaven-pools/http';

import { describe } from '../../base/input.js';
import { SUFFIX_IN_WORDS, suffixMatcher } from '../../operations/standard/mint-key.js';
import { searchForMint } from '../mint-search.js';
import type { JsonSettings } from './options.js';
import { CommandError, standardOutput, UsageError } from './output.js';

/** The options of `heaven-pools grind`. */
export interface GrindSettings extends JsonSettings {
  readonly suffix: string;
  readonly out?: string;
  readonly threads?: number;
}

const STDOUT = '-';
/** The shells' convention: 128 plus the signal's number. */
const STOPPED_WITH = { SIGINT: 130, SIGTERM: 143 } as const;

/** Finds a mint address, and writes its key to the file of `--out`. */
export async function grind(settings: GrindSettings): Promise<void> {
  const { suffix, out, json, threads = availableParallelism() } = settings;
  if (json && out === STDOUT) throw new UsageError('--json already prints the key: drop --out -.');
  if (suffix === '') throw new UsageError('--suffix must have at least one character.');
  if (suffixMatcher(suffix) === undefined) {
    const message = `--suffix must be ${SUFFIX_IN_WORDS}; got ${describe(suffix)}.`;
    throw new CommandError('invalid-input', message);
  }
  const isFile = out !== STDOUT && !(json && out === undefined);
  if (isFile) assertWritable(out);
  const progress = new Progress(suffix, threads);
  standardOutput.note(progress.title);
  // They stay until the process ends, so that a signal never leaves a half-written key.
  for (const [signal, code] of Object.entries(STOPPED_WITH))
    process.on(signal, () => {
      standardOutput.note(`Stopped: ${numberOf(progress.attempts)} addresses tried.`);
      process.exit(code);
    });
  const key = await search(suffix, threads, progress);
  // Throws if the halves of the key don't match.
  const { address } = await createKeyPairSignerFromBytes(key);
  const path = isFile ? (out ?? `${address}.json`) : undefined;
  if (path !== undefined) writeKey(path, key);
  if (json) {
    const result = path === undefined ? { key: [...key] } : { file: path };
    standardOutput.print(stringifyJson({ address, ...result }));
  } else if (path === undefined) {
    standardOutput.print(JSON.stringify([...key]));
    standardOutput.note(`This is the key of ${address}.`);
  } else {
    standardOutput.print(address);
    standardOutput.note(
      `Its key is in ${path}. Anyone who has it can sign as this address: keep it secret until the launch.`,
    );
  }
}

/** Searches on several threads until one of them finds a key. */
async function search(suffix: string, threads: number, progress: Progress): Promise<Uint8Array> {
  const started = performance.now();
  const observe = (attempts: number) => {
    const line = progress.add(attempts, performance.now() - started);
    if (line !== undefined) standardOutput.note(line);
  };
  const task = { suffix, isForFile: true };
  const searches = Array.from({ length: threads }, () => searchForMint<Uint8Array>(task, observe));
  try {
    return await Promise.race(searches.map(({ found }) => found));
  } finally {
    await Promise.all(searches.map(({ worker }) => worker.terminate()));
  }
}

/** Called before the search, which may take hours, so that a file that can't be written fails at once. */
function assertWritable(path: string | undefined): void {
  const folder = path === undefined ? '.' : dirname(path);
  try {
    accessSync(folder, constants.W_OK);
  } catch (error) {
    throw unwritable(path ?? 'A file in this folder', error);
  }
  // A link counts too, even if it leads nowhere.
  if (path !== undefined && lstatSync(path, { throwIfNoEntry: false })) throw existing(path);
}

/** Writes a new file that only the user may read. */
function writeKey(path: string, key: Uint8Array): void {
  try {
    writeFileSync(path, `${JSON.stringify([...key])}\n`, { flag: 'wx', mode: 0o600, flush: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw existing(path);
    rmSync(path, { force: true });
    throw unwritable(path, error);
  }
}

const existing = (path: string) =>
  new CommandError('file-exists', `${path} already exists and was not changed. Name another file.`);

const unwritable = (name: string, error: unknown) =>
  new CommandError('unwritable-file', `${name} can't be written: ${(error as NodeJS.ErrnoException).code}.`);

const numberOf = (value: number) => Math.round(value).toLocaleString('en');

const FIRST_LINE_MS = 1_000;
/** Each interval is longer than the last, so that a long search doesn't fill a log. */
const NEXT_LINE = 1.25;
const MINUTES = new Intl.NumberFormat('en', { style: 'unit', unit: 'minute', maximumSignificantDigits: 2 });

/** How far a search is, in lines now and then. */
export class Progress {
  /** What the search is for. */
  readonly title: string;
  attempts = 0;
  readonly #expected: number;
  #nextMs = FIRST_LINE_MS;

  constructor(suffix: string, threads: number) {
    this.#expected = 58 ** suffix.length;
    const on = `${threads} thread${threads === 1 ? '' : 's'}`;
    this.title = `Searching for an address that ends in ${suffix} on ${on}: ${numberOf(this.#expected)} tries on average.`;
  }

  /** Counts attempts, and returns a line if it is time for one. */
  add(attempts: number, elapsedMs: number): string | undefined {
    this.attempts += attempts;
    if (elapsedMs < this.#nextMs) return undefined;
    this.#nextMs = Math.max(elapsedMs + FIRST_LINE_MS, elapsedMs * NEXT_LINE);
    const perMinute = (this.attempts / elapsedMs) * 60_000;
    // Attempts are independent: the expected time left never changes.
    const left = MINUTES.format(this.#expected / perMinute);
    return `${numberOf(this.attempts)} tried, ${numberOf(perMinute / 60)} a second, ${left} left on average`;
  }
}
