import { accessSync, closeSync, constants, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';

import type { Command } from 'commander';

import type { GrindReport } from '../grind-worker.js';
import { duration, grouped } from './numbers.js';
import { EXIT_CODES, type JsonSettings, jsonOption, type Library, numberArgument, run } from './options.js';
import { CommandError, optionNames, standardOutput, UsageError } from './output.js';

/** The options of `heaven-pools grind`. */
interface GrindSettings extends JsonSettings {
  readonly suffix: string;
  readonly out?: string;
  readonly threads?: number;
}

const OPTIONS = optionNames('suffix');

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
    .option('--threads <number>', 'search threads (default: one per core)', numberArgument(1, 256))
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
With --json it prints the address, and the key too unless --out names a file.
${EXIT_CODES} 130: stopped with Ctrl-C.`,
    )
    .action((_, command: Command) => run(command, OPTIONS, grind));
}

const STDOUT = '-';
/** The shells' convention: 128 plus the signal's number. */
const STOPPED_WITH = { SIGINT: 130, SIGTERM: 143 } as const;

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
  const file = isFile ? reserve(out) : undefined;
  process.once('exit', () => file?.discard());
  const stop = new AbortController();
  let stoppedBy: keyof typeof STOPPED_WITH | undefined;
  // The handlers stay until the process ends, so that a signal never leaves a half-written key or an empty file.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      stoppedBy ??= signal;
      stop.abort();
    });
  }
  const progress = createProgress(suffix, threads, progressTarget());
  let key: Uint8Array;
  try {
    key = await search(suffix, threads, progress.add, stop.signal);
  } catch (error) {
    file?.discard();
    progress.end();
    if (stoppedBy === undefined) throw error;
    process.exitCode = STOPPED_WITH[stoppedBy];
    standardOutput.note(
      `Stopped: ${grouped(String(progress.attempts))} addresses tried. Nothing was written.`,
    );
    return;
  }
  progress.end();
  const address = await addressOf(library, key, suffix, () => file?.discard());
  const bytes = JSON.stringify([...key]);
  const path = file?.write(address, `${bytes}\n`);
  if (json) {
    const result = path === undefined ? { key: [...key] } : { file: path };
    standardOutput.print(library.stringifyJson({ address, ...result }));
  } else if (path === undefined) {
    standardOutput.print(bytes);
    standardOutput.note(`This is the key of ${address}.`);
  } else {
    standardOutput.print(address);
    standardOutput.note(
      `Its key is in ${path}. Anyone who has it can sign as this address: keep it secret until the launch.`,
    );
  }
}

/** The address of a key, checked again: kit rejects a key whose halves don't match. */
async function addressOf(
  { createKeyPairSignerFromBytes }: Library,
  key: Uint8Array,
  suffix: string,
  discard: () => void,
): Promise<string> {
  try {
    const { address } = await createKeyPairSignerFromBytes(key);
    if (address.endsWith(suffix)) return address;
  } catch {
    // Reported below.
  }
  discard();
  throw new CommandError('wrong-key', 'The search found an invalid key. Nothing was written.');
}

/** Searches on several threads until one of them finds a key. */
async function search(
  suffix: string,
  threads: number,
  onAttempts: (attempts: number) => void,
  abortSignal: AbortSignal,
): Promise<Uint8Array> {
  const workers: Worker[] = [];
  try {
    return await new Promise((resolve, reject) => {
      abortSignal.addEventListener('abort', () => reject(new Error('The search was stopped.')));
      for (let thread = 0; thread < threads; thread++) {
        const worker = new Worker(new URL('./grind-worker.js', import.meta.url), { workerData: { suffix } });
        workers.push(worker);
        worker.on('message', ({ attempts, key }: GrindReport) => {
          onAttempts(attempts);
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

interface KeyFile {
  /** Writes the key and returns the path. */
  write(address: string, text: string): string;
  /** Removes the file, unless it holds the key. */
  discard(): void;
}

/** A new file that only the user may read. Without a path, it is named after the address. */
function reserve(path: string | undefined): KeyFile {
  const attempt = <T>(name: string, act: () => T): T => {
    try {
      return act();
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'EEXIST') throw new CommandError('unwritable-file', `${name} can't be written: ${code}.`);
      const message = `${name} already exists and was not changed. Name another file.`;
      throw new CommandError('file-exists', message);
    }
  };
  const open = (name: string) => attempt(name, () => openSync(name, 'wx', 0o600));
  let descriptor: number | undefined;
  if (path === undefined) attempt('This folder', () => accessSync('.', constants.W_OK));
  else descriptor = open(path);
  return {
    write: (address, text) => {
      const name = path ?? `${address}.json`;
      const opened = descriptor ?? open(name);
      attempt(name, () => {
        writeSync(opened, text);
        fsyncSync(opened);
        closeSync(opened);
      });
      descriptor = undefined;
      return name;
    },
    discard: () => {
      if (path === undefined || descriptor === undefined) return;
      closeSync(descriptor);
      descriptor = undefined;
      rmSync(path, { force: true });
    },
  };
}

// ---------------------------------------------------------------- progress

/** Where progress is shown: a line that updates on a terminal, occasional lines elsewhere. */
export interface ProgressTarget {
  readonly write: (text: string) => void;
  /** Whether lines can be overwritten. */
  readonly isTerminal: boolean;
  readonly columns: number;
  /** Milliseconds. */
  readonly now: () => number;
}

const progressTarget = (): ProgressTarget => ({
  write: (text) => void process.stderr.write(text),
  isTerminal: canRedraw(process.stderr.isTTY, process.env),
  columns: process.stderr.columns ?? 80,
  now: () => performance.now(),
});

/** `NO_COLOR` also turns off other control codes. */
export const canRedraw = (isTTY: boolean | undefined, { NO_COLOR, TERM }: NodeJS.ProcessEnv): boolean =>
  isTTY === true && !NO_COLOR && TERM !== 'dumb';

const REDRAW_MS = 200;
const FIRST_LINE_MS = 1_000;
/** Each interval is longer than the last, so that a long search doesn't fill a log. */
const NEXT_LINE = 1.25;

export interface Progress {
  readonly attempts: number;
  readonly add: (attempts: number) => void;
  /** Clears the line on a terminal. */
  readonly end: () => void;
}

export function createProgress(suffix: string, threads: number, target: ProgressTarget): Progress {
  const { write, isTerminal, columns, now } = target;
  const expected = 58 ** suffix.length;
  const started = now();
  let attempts = 0;
  let next = isTerminal ? REDRAW_MS : FIRST_LINE_MS;
  let isDrawn = false;
  write(
    `Searching for an address that ends in ${suffix} on ${threads} thread${threads === 1 ? '' : 's'}: ${grouped(String(expected))} tries on average.\n`,
  );
  return {
    get attempts() {
      return attempts;
    },
    add: (more) => {
      attempts += more;
      const elapsed = now() - started;
      if (elapsed < next) return;
      const rate = (attempts / elapsed) * 1000;
      // Attempts are independent: the expected time left never changes.
      const line = `${grouped(String(attempts))} tried, ${grouped(String(Math.round(rate)))} a second, ${duration(expected / rate)} left on average; the chance to have found one by now was ${chance(attempts, expected)}`;
      if (isTerminal) {
        write(`\r\u001b[K${line.slice(0, columns - 1)}`);
        isDrawn = true;
        next = elapsed + REDRAW_MS;
      } else {
        write(`${line}\n`);
        next = Math.max(elapsed + FIRST_LINE_MS, elapsed * NEXT_LINE);
      }
    },
    end: () => {
      if (isDrawn) write('\r\u001b[K');
    },
  };
}

/** The probability that this many attempts find an address. */
const chance = (attempts: number, expected: number): string => {
  const percent = -100 * Math.expm1(attempts * Math.log1p(-1 / expected));
  return percent < 0.1 ? 'under 0.1 %' : `${percent.toFixed(1)} %`;
};
