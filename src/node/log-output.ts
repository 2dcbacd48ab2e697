import { write, writeSync } from 'node:fs';

/** Where a logger writes its lines. A line that can't be written is dropped and counted: the log never stops the server. */
export interface LogOutput {
  /** Writes one line, including its line break. Never throws or blocks. */
  write(line: string): void;
  /** How many lines could not be written. */
  readonly dropped: number;
  /** Waits until everything is written or dropped, up to the given milliseconds. */
  flush(mostMs: number): Promise<void>;
}

/** Lines are batched up to this size or age, and written together. */
const BATCH_SIZE = 4_096;
const BATCH_MS = 500;
/** The most characters to buffer while writing is slow: a few thousand lines. */
const MOST_WAITING = 1_048_576;
/** How long to wait before retrying when the descriptor accepts nothing, such as a full pipe. */
const RETRY_MS = 20;
const LINE_BREAK = 10;

/** Writes to standard output, which may be full, slow, closed or never read. */
export function createLogOutput(): LogOutput {
  // Node's own stream for it makes a full pipe refuse a write. Otherwise the write would block a thread, and with it the end of
  // the process. The listener handles errors of other writers.
  const { fd } = process.stdout.on('error', () => {});
  const encoder = new TextEncoder();
  let lines: string[] = [];
  let waiting = 0;
  let batch = new Uint8Array();
  let batchLines = 0;
  let written = 0;
  let isWriting = false;
  /** Whether the last line in the file was cut off by a failure. */
  let isCut = false;
  let dropped = 0;
  let timer: NodeJS.Timeout | undefined;
  const onIdle = new Set<() => void>();

  const text = () => (isCut ? '\n' : '') + lines.join('');
  const writeNext = () => {
    clearTimeout(timer);
    timer = undefined;
    if (isWriting) return;
    if (lines.length === 0) {
      for (const listener of onIdle) listener();
      return;
    }
    batch = encoder.encode(text());
    batchLines = lines.length;
    written = 0;
    lines = [];
    waiting = 0;
    isWriting = true;
    writeBatch();
  };
  const writeBatch = () =>
    write(fd, batch, written, batch.length - written, null, (error, count) => {
      if (error?.code === 'EAGAIN') {
        setTimeout(writeBatch, RETRY_MS).unref();
        return;
      }
      written += error ? 0 : count;
      if (written > 0) isCut = batch[written - 1] !== LINE_BREAK;
      if (!error && written < batch.length) {
        writeBatch();
        return;
      }
      const left = batch.subarray(written).filter((byte) => byte === LINE_BREAK).length;
      // The line break that ends a cut line is not part of the batch.
      dropped += Math.min(left, batchLines);
      isWriting = false;
      if (onIdle.size > 0) writeNext();
      else writeSoon();
    });
  const writeSoon = () => {
    if (isWriting || lines.length === 0) return;
    if (waiting >= BATCH_SIZE) writeNext();
    else timer ??= setTimeout(writeNext, BATCH_MS).unref();
  };
  // One attempt to write the rest when the process exits.
  process.once('exit', () => {
    if (lines.length === 0 || isWriting) return;
    try {
      writeSync(fd, text());
    } catch {
      // Too late to count them.
    }
  });

  return {
    write: (line) => {
      if (waiting + line.length > MOST_WAITING) {
        dropped += 1;
        return;
      }
      lines.push(line);
      waiting += line.length;
      writeSoon();
    },
    get dropped() {
      return dropped;
    },
    flush: (mostMs) =>
      new Promise((resolve) => {
        const end = () => {
          clearTimeout(deadline);
          onIdle.delete(end);
          resolve();
        };
        const deadline = setTimeout(end, mostMs);
        onIdle.add(end);
        writeNext();
      }),
  };
}
