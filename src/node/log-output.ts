import { SonicBoom } from 'sonic-boom';

/** Lines are batched up to this size or age, and written together. */
const BATCH_BYTES = 4_096;
const BATCH_MS = 500;
/** The most to keep while nothing can be written: a few thousand lines. */
const MOST_WAITING_BYTES = 1_048_576;

/**
 * Where the logger writes its lines: standard output, which may be full, slow, closed or never read. Lines that can't be written
 * wait, and those for which there is no room are dropped and counted: the log never stops the server.
 */
export class LogOutput {
  readonly #stream: SonicBoom;
  #dropped = 0;
  #isFailing = false;

  constructor() {
    // Node's own stream for it makes a full pipe refuse a write. Otherwise the write would block a thread, and with it the end of
    // the process. The listener handles errors of other writers.
    const { fd } = process.stdout.on('error', () => {});
    let isExiting = false;
    this.#stream = new SonicBoom({
      fd,
      sync: false,
      minLength: BATCH_BYTES,
      maxLength: MOST_WAITING_BYTES,
      periodicFlush: BATCH_MS,
      retryEAGAIN: () => !isExiting,
    });
    this.#stream.on('drop', () => {
      this.#dropped += 1;
    });
    // It keeps what it could not write, and tries again.
    this.#stream.on('error', () => {
      this.#isFailing = true;
    });
    this.#stream.on('write', () => {
      this.#isFailing = false;
    });
    process.once('exit', () => {
      isExiting = true;
      this.#writeRest();
    });
  }

  /** Writes one line, including its line break. */
  write(line: string): void {
    this.#stream.write(line);
  }

  /** How many lines were lost. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Writes the lines so far without waiting for more. */
  flush(): void {
    this.#stream.flush();
  }

  /** Waits until everything is written or can't be, up to the given milliseconds. */
  async close(mostMs: number): Promise<void> {
    await new Promise<void>((resolve) => {
      setTimeout(resolve, mostMs);
      this.#stream.once('error', () => resolve());
      this.#stream.once('close', resolve);
      this.#stream.end();
    });
  }

  #writeRest(): void {
    // It would retry for ever.
    if (this.#isFailing) return;
    try {
      this.#stream.flushSync();
    } catch {
      // Too late to count them.
    }
  }
}
