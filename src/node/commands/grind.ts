import { accessSync, closeSync, constants, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';

import type { Command } from 'commander';

import type { GrindReport } from '../grind-worker.js';
import { duration, grouped } from './numbers.js';
import { EXIT_CODES, type JsonSettings, jsonOption, type Library, run, wholeNumber } from './options.js';
import { CommandError, standardOutput, UsageError } from './output.js';

/** The options of `heaven-pools grind`. */
interface GrindSettings extends JsonSettings {
  readonly suffix: string;
  readonly out?: string;
  readonly threads?: number;
}

/** Declares `heaven-pools grind`. */
export function declare(program: Command): void {
  program
    .command('grind')
    .description(
      'Finds a mint address with a chosen ending, and writes its key to a file: 64 bytes as JSON, as the Solana tools and createKeyPairSignerFromBytes of @solana/kit read it. Each additional character takes 58 times as long.',
    )
    .option('--suffix <characters>', 'ending of the address', '777')
    .option(
      '--out <path>',
      'new file for the key, readable by you alone; - is stdout (default: <address>.json in this folder)',
    )
    .option('--threads <number>', 'search threads (default: one per core)', wholeNumber(1, 256))
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
With --json it prints the address, and the key too unless --out names a file.
${EXIT_CODES} 130: stopped with Ctrl-C.`,
    )
    .action((_, command: Command) => run(command, grind));
}

const STDOUT = '-';
/** The shells' convention: 128 plus the signal's number. */
const STOPPED_WITH: Readonly<Record<string, number>> = { SIGINT: 130, SIGTERM: 143 };

/** Finds a mint address, and writes its key to the file of `--out`. */
async function grind(
  library: Library,
  { suffix, out, json, threads = availableParallelism() }: GrindSettings,
): Promise<void> {
  if (json && out === STDOUT) throw new UsageError('--json already prints the key: drop --out -.');
  if (suffix === '') throw new UsageError('--suffix must have at least one character.');
  if (library.suffixMatcher(suffix) === undefined) {
    const message = `suffix must be ${library.SUFFIX_IN_WORDS}; got ${library.describe(suffix)}.`;
    throw new library.HeavenError('invalid-input', message, { field: 'suffix', value: suffix });
  }
  const isFile = out !== STDOUT && !(json && out === undefined);
  // Before the search, which may take hours, so that a file that can't be written fails at once.
  const file = isFile ? new KeyFile(out) : undefined;
  const stop = new AbortController();
  // The handlers stay until the process ends, so that a signal never leaves a half-written key or an empty file.
  for (const signal of Object.keys(STOPPED_WITH)) process.on(signal, () => stop.abort(signal));
  const progress = new Progress(suffix, threads, performance.now());
  standardOutput.note(progress.title);
  let key: Uint8Array;
  try {
    key = await search(suffix, threads, progress, stop.signal);
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    process.exitCode = STOPPED_WITH[stop.signal.reason as string] as number;
    const tried = grouped(String(progress.attempts));
    standardOutput.note(`Stopped: ${tried} addresses tried. Nothing was written.`);
    return;
  }
  // Checks it again: kit rejects a key whose halves don't match.
  const { address } = await library.createKeyPairSignerFromBytes(key);
  if (!address.endsWith(suffix))
    throw new CommandError('wrong-key', 'The search found an invalid key. Nothing was written.');
  const path = file?.write(address, key);
  if (json) {
    const result = path === undefined ? { key: [...key] } : { file: path };
    standardOutput.print(library.stringifyJson({ address, ...result }));
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
async function search(
  suffix: string,
  threads: number,
  progress: Progress,
  abortSignal: AbortSignal,
): Promise<Uint8Array> {
  const workers: Worker[] = [];
  try {
    return await new Promise((resolve, reject) => {
      abortSignal.addEventListener('abort', () => reject(abortSignal.reason));
      for (let thread = 0; thread < threads; thread++) {
        const worker = new Worker(new URL('./grind-worker.js', import.meta.url), { workerData: { suffix } });
        workers.push(worker);
        worker.on('message', ({ attempts, key }: GrindReport) => {
          const line = progress.add(attempts, performance.now());
          if (line !== undefined) standardOutput.note(line);
          if (key !== undefined) resolve(key);
        });
        worker.on('error', reject);
        worker.on('exit', (code) => reject(new Error(`A thread of the search ended with ${code}.`)));
      }
    });
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}

/** A new file that only the user may read. Without a path, it is named after the address. Removed at the end unless it holds a key. */
class KeyFile {
  readonly #path: string | undefined;
  #descriptor: number | undefined;

  constructor(path: string | undefined) {
    this.#path = path;
    if (path === undefined) attempt('This folder', () => accessSync('.', constants.W_OK));
    else this.#descriptor = create(path);
    process.once('exit', () => {
      if (path !== undefined && this.#descriptor !== undefined) rmSync(path, { force: true });
    });
  }

  /** Writes the key and returns the path. */
  write(address: string, key: Uint8Array): string {
    const path = this.#path ?? `${address}.json`;
    const descriptor = this.#descriptor ?? create(path);
    attempt(path, () => {
      writeSync(descriptor, `${JSON.stringify([...key])}\n`);
      fsyncSync(descriptor);
      closeSync(descriptor);
    });
    this.#descriptor = undefined;
    return path;
  }
}

const create = (path: string): number => attempt(path, () => openSync(path, 'wx', 0o600));

function attempt<T>(name: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST') throw new CommandError('unwritable-file', `${name} can't be written: ${code}.`);
    const message = `${name} already exists and was not changed. Name another file.`;
    throw new CommandError('file-exists', message);
  }
}

const FIRST_LINE_MS = 1_000;
/** Each interval is longer than the last, so that a long search doesn't fill a log. */
const NEXT_LINE = 1.25;

/** How far a search is, in lines now and then. */
export class Progress {
  /** What the search is for. */
  readonly title: string;
  attempts = 0;
  readonly #expected: number;
  readonly #startedMs: number;
  #nextMs = FIRST_LINE_MS;

  constructor(suffix: string, threads: number, nowMs: number) {
    this.#expected = 58 ** suffix.length;
    this.#startedMs = nowMs;
    const on = `${threads} thread${threads === 1 ? '' : 's'}`;
    const tries = grouped(String(this.#expected));
    this.title = `Searching for an address that ends in ${suffix} on ${on}: ${tries} tries on average.`;
  }

  /** Counts attempts, and returns a line if it is time for one. */
  add(attempts: number, nowMs: number): string | undefined {
    this.attempts += attempts;
    const elapsed = nowMs - this.#startedMs;
    if (elapsed < this.#nextMs) return undefined;
    this.#nextMs = Math.max(elapsed + FIRST_LINE_MS, elapsed * NEXT_LINE);
    const rate = (this.attempts / elapsed) * 1000;
    const [tried, speed] = [this.attempts, Math.round(rate)].map((count) => grouped(String(count)));
    // Attempts are independent: the expected time left never changes.
    const left = duration(this.#expected / rate);
    return `${tried} tried, ${speed} a second, ${left} left on average; the chance to have found one by now was ${this.#chance()}`;
  }

  /** The probability that this many attempts find an address. */
  #chance(): string {
    const percent = -100 * Math.expm1(this.attempts * Math.log1p(-1 / this.#expected));
    return percent < 0.1 ? 'under 0.1 %' : `${percent.toFixed(1)} %`;
  }
}
