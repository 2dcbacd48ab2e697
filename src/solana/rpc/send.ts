import { HeavenError, isHeavenError } from '../../base/errors.js';
import { assertAbortSignal } from '../../base/input.js';
import { withinTime } from '../timing.js';
import { rpcError, timedOut } from './errors.js';

/** Lets a caller cancel what a function reads from the node. */
export interface RequestOptions {
  /** Cancels the call: the function then throws `aborted`. */
  readonly abortSignal?: AbortSignal | undefined;
}

interface PendingRequest<TResponse> {
  send(options: { abortSignal: AbortSignal }): Promise<TResponse>;
}

/**
 * Sends a request within a time limit and turns whatever goes wrong into this library's errors.
 * @throws {HeavenError} `rpc-failed`, `rpc-rate-limited`, `rpc-timeout`, `aborted`
 */
export async function send<TResponse>(
  { timeoutMs }: { readonly timeoutMs: number },
  method: string,
  request: PendingRequest<TResponse>,
  { abortSignal }: RequestOptions,
): Promise<TResponse> {
  assertAbortSignal(abortSignal, 'abortSignal');
  try {
    return await withinTime((signal) => request.send({ abortSignal: signal }), {
      ms: timeoutMs,
      abortSignal,
      onTimeout: () => timedOut(method, timeoutMs),
      onAbort: () => new HeavenError('aborted', `${method} was aborted by the caller.`, { method }),
    });
  } catch (error) {
    throw isHeavenError(error) ? error : await rpcError(method, error);
  }
}
