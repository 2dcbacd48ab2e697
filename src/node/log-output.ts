import { SonicBoom } from 'sonic-boom';

/** Lines are batched up to this size or age, and written together. */
const BATCH_BYTES = 8_192;
const BATCH_MS = 500;
/** The most to keep while nothing can be written: a few thousand lines. */
const MAX_WAITING_BYTES = 1_048_576;

/**
 * Where the logger writes its lines: standard output, which may be full, slow, closed or never read. Lines that can't be written
 * wait, and those for which there is no room are dropped, with the event `drop`: the log never stops the server.
 */
export class LogOutput extends SonicBoom {
  #isFailing = false;

  constructor() {
    // Node's own stream for it makes a full pipe refuse a write. Otherwise the write would block a thread, and with it the end of
    // the process. The listener handles errors of other writers.
    const { fd } = process.stdout.on('error', () => {});
    let isExiting = false;
    super({
      fd,
      sync: false,
      minLength: BATCH_BYTES,
      maxLength: MAX_WAITING_BYTES,
      periodicFlush: BATCH_MS,
      retryEAGAIN: () => !isExiting,
    });
    // It keeps what it could not write, and tries again.
    this.on('error', () => {
      this.#isFailing = true;
    });
    this.on('write', () => {
      this.#isFailing = false;
    });
    process.once('exit', () => {
      isExiting = true;
      this.#writeRest();
    });
  }

  /** Waits until everything is written or can't be, up to the given milliseconds. */
  async close(mostMs: number): Promise<void> {
    await new Promise<void>((resolve) => {
      setTimeout(resolve, mostMs);
      this.once('error', () => resolve());
      this.once('close', resolve);
      this.end();
    });
  }

  #writeRest(): void {
    // It would retry for ever.
    if (this.#isFailing) return;
    try {
      this.flushSync();
    } catch {
      // Too late to count them.
    }
  }
}
