import {
  type AccountNotificationsApi,
  type Address,
  type Commitment,
  createSolanaRpcFromTransport,
  type GetAccountInfoApi,
  type GetLatestBlockhashApi,
  type GetMultipleAccountsApi,
  type GetProgramAccountsApi,
  type GetRecentPrioritizationFeesApi,
  isSolanaError,
  type Rpc,
  type RpcSubscriptions,
  type SimulateTransactionApi,
  SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR,
} from '@solana/kit';

import { HeavenError, isHeavenError } from './errors.js';
import { describe } from './input.js';
import {
  CHAINLINK_STORE_PROGRAM_ADDRESS,
  HEAVEN_PROGRAM_ADDRESS,
  SOL_USD_FEED_ADDRESS,
} from './program/constants.js';
import { assertAddress } from './solana/addresses.js';
import { createHttpTransport } from './solana/rpc/http-transport.js';

export { invalidResponse } from './solana/rpc/faults.js';

/** What the functions need of a node. Any of kit's RPCs will do. */
export type HeavenRpc = Rpc<
  GetAccountInfoApi &
    GetLatestBlockhashApi &
    GetMultipleAccountsApi &
    GetProgramAccountsApi &
    GetRecentPrioritizationFeesApi &
    SimulateTransactionApi
>;

/** What {@link watchPool} needs of a node. Any of kit's subscription clients will do. */
export type HeavenRpcSubscriptions = RpcSubscriptions<AccountNotificationsApi>;

/** Where the exchange is: mainnet's addresses unless told otherwise. */
export interface Deployment {
  readonly programAddress: Address;
  readonly chainlinkProgram: Address;
  readonly solUsdFeed: Address;
}

/**
 * The first argument of every function that reads from the cluster. Made by {@link createClient}; plain data, so that it can be copied
 * and changed.
 */
export interface HeavenClient {
  readonly rpc: HeavenRpc;
  readonly rpcSubscriptions?: HeavenRpcSubscriptions | undefined;
  readonly deployment: Deployment;
  readonly commitment: Commitment;
  /** How long one request to the node may take, in milliseconds. */
  readonly timeoutMs: number;
}

/** What {@link createClient} takes: a node, and for other clusters than mainnet where the exchange is. */
export type ClientConfig = (
  | {
      /** An RPC made with kit. The client can't limit the length of its answers: its transport reads them. */
      readonly rpc: HeavenRpc;
      readonly rpcUrl?: undefined;
      readonly maxResponseBytes?: undefined;
    }
  | {
      /** The node's address, `http:` or `https:`. */
      readonly rpcUrl: string;
      readonly rpc?: undefined;
      /**
       * The most bytes that an answer of the node may have, after decompression; a longer one throws
       * `rpc-response-too-large`. Default 16777216 (16 MiB), some 5000 whole pools.
       */
      readonly maxResponseBytes?: number;
    }
) & {
  /** For {@link watchPool}: made with kit's `createSolanaRpcSubscriptions('wss://…')`. */
  readonly rpcSubscriptions?: HeavenRpcSubscriptions | undefined;
  readonly deployment?: Partial<Deployment>;
  /** Default `confirmed`. */
  readonly commitment?: Commitment;
  /** How long one request to the node may take. Default 30000 milliseconds. */
  readonly timeoutMs?: number;
};

/**
 * A client: where to read from, and where the exchange is. It holds no connection and no state.
 *
 * @throws {HeavenError} `invalid-input`, `invalid-address`
 * @example
 * ```ts
 * const client = createClient({ rpcUrl: 'https://api.mainnet-beta.solana.com' });
 * ```
 */
export function createClient(config: ClientConfig): HeavenClient {
  if (typeof config !== 'object' || config === null || !('rpc' in config || 'rpcUrl' in config)) {
    throw new HeavenError(
      'invalid-input',
      "A client needs an rpc made with kit, or an rpcUrl such as 'https://…'.",
      {
        field: 'rpcUrl',
      },
    );
  }
  const { rpc, rpcUrl, rpcSubscriptions, commitment } = config as Partial<Record<string, unknown>>;
  if (rpc !== undefined && rpcUrl !== undefined)
    throw new HeavenError('invalid-input', 'Give an rpc or an rpcUrl, not both.', { field: 'rpcUrl' });
  if (rpc !== undefined && config.maxResponseBytes !== undefined) {
    throw new HeavenError(
      'invalid-input',
      'maxResponseBytes has no effect on an rpc, whose own transport reads the answers. Give an rpcUrl, or set it where the transport is made.',
      { field: 'maxResponseBytes', value: config.maxResponseBytes },
    );
  }
  assertMadeByKit(rpc, 'rpc', "createSolanaRpc('https://…'), or give an rpcUrl");
  assertMadeByKit(rpcSubscriptions, 'rpcSubscriptions', "createSolanaRpcSubscriptions('wss://…')");
  if (commitment !== undefined && !COMMITMENTS.includes(commitment)) {
    throw new HeavenError(
      'invalid-input',
      `commitment must be one of ${COMMITMENTS.join(', ')}; got ${describe(commitment)}.`,
      { field: 'commitment', value: commitment },
    );
  }
  const deployment = {
    programAddress: HEAVEN_PROGRAM_ADDRESS,
    chainlinkProgram: CHAINLINK_STORE_PROGRAM_ADDRESS,
    solUsdFeed: SOL_USD_FEED_ADDRESS,
    ...config.deployment,
  };
  for (const [name, address] of Object.entries(deployment)) assertAddress(address, `deployment.${name}`);
  const timeoutMs = config.timeoutMs ?? 30_000;
  if (!(typeof timeoutMs === 'number' && timeoutMs > 0 && timeoutMs <= 0x7fff_ffff)) {
    throw new HeavenError(
      'invalid-input',
      `timeoutMs must be a number of milliseconds over 0; got ${describe(timeoutMs)}.`,
      {
        field: 'timeoutMs',
        value: timeoutMs,
      },
    );
  }
  return {
    rpc:
      config.rpc ??
      createSolanaRpcFromTransport(createHttpTransport(rpcUrlOf(config.rpcUrl, 'rpcUrl'), config)),
    ...(config.rpcSubscriptions === undefined ? {} : { rpcSubscriptions: config.rpcSubscriptions }),
    deployment,
    commitment: config.commitment ?? 'confirmed',
    timeoutMs,
  };
}

const COMMITMENTS: readonly unknown[] = ['processed', 'confirmed', 'finalized'] satisfies Commitment[];

/** Refuses a URL where an object of kit's belongs. It is not repeated: it may hold a key. */
function assertMadeByKit(value: unknown, field: string, advice: string): void {
  if (value === undefined || (typeof value === 'object' && value !== null) || typeof value === 'function')
    return;
  throw new HeavenError('invalid-input', `${field} must be made with kit: ${advice}.`, { field });
}

/** Refuses what is given for an abort signal and is none. */
export function assertSignal(signal: AbortSignal | undefined, field: string): void {
  if (signal === undefined || signal === null || typeof signal.addEventListener === 'function') return;
  throw new HeavenError('invalid-input', `${field} must be an AbortSignal; got ${describe(signal)}.`, {
    field,
    value: signal,
  });
}

/** The URL of a node, or an error that does not repeat it: many carry a key. */
export function rpcUrlOf(url: unknown, field: string): string {
  if (typeof url !== 'string' || !/^https?:\/\//i.test(url) || !URL.canParse(url)) {
    throw new HeavenError('invalid-input', `${field} must be an http: or https: URL.`, { field });
  }
  const { username, password } = new URL(url);
  if (username === '' && password === '') return url;
  throw new HeavenError(
    'invalid-input',
    `${field} must not hold a user name or a password: no engine sends them. Use a key in the path, or a transport of your own.`,
    { field },
  );
}

/** Tells an observer, whose own failure is not the reader's. */
export function notify<TEvent>(observer: ((event: TEvent) => void) | undefined, event: TEvent): void {
  const complain = (error: unknown) => console.error('heaven-pools: an observer failed:', error);
  try {
    const outcome: unknown = observer?.(event);
    if (outcome instanceof Promise) outcome.catch(complain);
  } catch (error) {
    complain(error);
  }
}

/** Lets a caller give up on what a function reads from the node. */
export interface RequestOptions {
  /** Gives up on what is being read: the function then throws `aborted`. */
  readonly abortSignal?: AbortSignal | undefined;
}

/** Why a signal fires that nobody listens to any more. A reason of one's own is much cheaper than the default. */
const OVER = 'over';

interface PendingRequest<TResponse> {
  send(options: { abortSignal: AbortSignal }): Promise<TResponse>;
  /** The response, if it is at hand. */
  readonly known?: () => TResponse | undefined;
}

/**
 * Sends a request within the client's time limit and turns whatever goes wrong into this library's errors.
 *
 * @throws {HeavenError} `rpc-failed`, `rpc-rate-limited`, `rpc-timeout`, `aborted`
 */
export async function send<TResponse>(
  client: HeavenClient,
  method: string,
  request: PendingRequest<TResponse>,
  { abortSignal }: RequestOptions,
): Promise<TResponse> {
  assertSignal(abortSignal, 'abortSignal');
  const known = request.known?.();
  if (known !== undefined) return known;
  const { timeoutMs } = client;
  const timeout = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  // Raced, so that a transport that ignores its signal can't hold the caller.
  const giveUp = new Promise<never>((_, reject) => {
    const abort = () => {
      reject(new HeavenError('aborted', `${method} was aborted by the caller.`, { method }));
      timeout.abort(OVER);
    };
    timer = setTimeout(() => {
      reject(
        new HeavenError(
          'rpc-timeout',
          `The RPC node did not answer ${method} within ${timeoutMs} ms. Try again, or another node.`,
          {
            method,
            timeoutMs,
          },
        ),
      );
      timeout.abort(OVER);
    }, timeoutMs);
    if (abortSignal?.aborted) abort();
    else abortSignal?.addEventListener('abort', abort, { once: true, signal: timeout.signal });
  });
  // The request may throw before the two are raced.
  giveUp.catch(() => {});
  try {
    return await Promise.race([request.send({ abortSignal: timeout.signal }), giveUp]);
  } catch (error) {
    throw isHeavenError(error) ? error : rpcError(method, error);
  } finally {
    clearTimeout(timer);
    timeout.abort(OVER);
  }
}

function rpcError(method: string, cause: unknown): HeavenError {
  if (isSolanaError(cause, SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR)) {
    const { statusCode: status, headers } = cause.context;
    if (status === 429) {
      const after = Number(headers?.get('retry-after') ?? Number.NaN);
      const advice = after > 0 && Number.isFinite(after) ? `Wait ${after} s` : 'Slow down';
      return new HeavenError(
        'rpc-rate-limited',
        `The RPC node refuses more requests for now (HTTP 429 to ${method}). ${advice}, or use another node.`,
        { method, ...(Number.isFinite(after) ? { retryAfterSeconds: after } : {}) },
        { cause },
      );
    }
    const isRefused = status === 401 || status === 403;
    return new HeavenError(
      'rpc-failed',
      isRefused
        ? `The RPC node refuses the key, or the caller (HTTP ${status} to ${method}). Check the key, or use another node.`
        : `The RPC node answered ${method} with HTTP ${status}. Try again, or another node.`,
      { method, status },
      { cause },
    );
  }
  // JSON-RPC's own codes are negative; the others are kit's.
  const rpcCode = isSolanaError(cause) && cause.context.__code < 0 ? cause.context.__code : undefined;
  const why = networkCodeOf(cause);
  return new HeavenError(
    'rpc-failed',
    why === undefined
      ? `${method} failed at the RPC node, or the node could not be reached. Try again, or another node.`
      : `${method} did not get through to the RPC node (${why}). Check its URL, try again, or use another node.`,
    { method, ...(rpcCode === undefined ? {} : { rpcCode }) },
    { cause },
  );
}

/** What the system says of a connection that failed, such as `ENOTFOUND`: fetch hides it in the cause. Never a URL. */
function networkCodeOf(error: unknown): string | undefined {
  const codeOf = (each: unknown) => (each as { readonly code?: unknown } | null | undefined)?.code;
  const code = codeOf((error as Error | null | undefined)?.cause) ?? codeOf(error);
  return typeof code === 'string' && /^[A-Z][A-Z_\d]{2,39}$/.test(code) ? code : undefined;
}
