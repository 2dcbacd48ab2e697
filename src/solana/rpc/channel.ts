import { type AnyHeavenError, HeavenError } from '../../base/errors.js';
import { backOffMs } from '../timing.js';

/** A subscription that lasted this long worked: its loss doesn't count as another failure in a row. */
const LASTING_MS = 10_000;

const now = () => performance.now();

/** What a channel subscribes to, and its callbacks. */
export interface ChannelOptions<TNotification> {
  /** The node's name of the subscription, and what it is to, for errors. */
  readonly method: string;
  readonly what: string;
  readonly subscribe: (abortSignal: AbortSignal) => Promise<AsyncIterable<TNotification>>;
  /** Notifications arrive from now on. Called again after each `down`. */
  readonly up: () => void;
  /** Notifications have stopped, or never started. The channel reconnects by itself. */
  readonly down: (error: AnyHeavenError) => void;
  readonly notification: (value: TNotification) => void;
}

/** A subscription that reconnects with growing pauses until it is closed. */
export interface Channel {
  /** Reconnects if the present attempt began before a time of `performance.now()`. */
  readonly restartOlder: (time: number, error: AnyHeavenError) => void;
  readonly close: () => void;
  /** The last error while it is down; `undefined` before the first attempt has ended. */
  readonly state: () => 'up' | AnyHeavenError | undefined;
}

/** Opens a subscription. */
export function openChannel<TNotification>({
  method,
  what,
  subscribe,
  up,
  down,
  notification,
}: ChannelOptions<TNotification>): Channel {
  let attempt: AbortController | undefined;
  let begunAt = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let upSince: number | undefined;
  let lastError: AnyHeavenError | undefined;
  let failures = 0;

  const connect = () => {
    const mine = new AbortController();
    attempt = mine;
    begunAt = now();
    const lose = (cause?: unknown) => {
      if (attempt === mine) restart(lost(method, what, cause));
    };
    listen(mine).then(lose, lose);
  };

  /** Ends when the subscription does. An abandoned attempt may hang for ever, without blocking anything. */
  const listen = async (mine: AbortController) => {
    const notifications = (await subscribe(mine.signal))[Symbol.asyncIterator]();
    // kit drops what arrives before the first request for a notification: nothing is missed only from here on.
    let next = notifications.next();
    if (attempt !== mine) {
      next.catch(() => {});
      return;
    }
    upSince = now();
    up();
    for (;;) {
      const { done, value } = await next;
      if (done || attempt !== mine) return;
      next = notifications.next();
      notification(value);
    }
  };

  const restart = (error: AnyHeavenError) => {
    attempt?.abort(error);
    attempt = undefined;
    clearTimeout(timer);
    failures = upSince !== undefined && now() - upSince >= LASTING_MS ? 0 : failures + 1;
    upSince = undefined;
    lastError = error;
    timer = setTimeout(connect, backOffMs(failures));
    down(error);
  };

  connect();
  return {
    restartOlder: (time, error) => {
      if (attempt !== undefined && begunAt <= time) restart(error);
    },
    close: () => {
      clearTimeout(timer);
      const mine = attempt;
      attempt = undefined;
      mine?.abort();
    },
    state: () => (upSince === undefined ? lastError : 'up'),
  };
}

const lost = (method: string, what: string, cause: unknown) =>
  new HeavenError(
    'rpc-failed',
    `The subscription to ${what} failed or was lost. It reconnects by itself; if that does not help, use another node.`,
    { method },
    cause === undefined ? undefined : { cause },
  );
