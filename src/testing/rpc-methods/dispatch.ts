import { isHeavenError } from '../../base/errors.js';
import { RPC_ERROR, type RpcMethods, RpcRefusal } from './rpc.js';

export interface RpcAnswer {
  readonly jsonrpc: '2.0';
  readonly id: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** Answers a JSON-RPC request. `undefined` if no response is expected. */
export type RpcDispatch = (payload: unknown) => Promise<RpcAnswer | undefined>;

export const rpcError = (id: unknown, code: number, message: string, data?: unknown): RpcAnswer => ({
  jsonrpc: '2.0',
  error: { code, message, ...(data === undefined ? {} : { data }) },
  id,
});

/** Dispatches JSON-RPC requests to methods. `onRequest` sees each first, and may reject it. Never throws. */
export function rpcDispatch(
  methods: RpcMethods,
  onRequest: (method: string, params: readonly unknown[]) => void,
): RpcDispatch {
  const call = async (id: unknown, method: string, params: unknown): Promise<RpcAnswer> => {
    if (!Array.isArray(params)) return rpcError(id, RPC_ERROR.invalidParams, '`params` should be an array');
    const run = Object.hasOwn(methods, method) ? methods[method] : undefined;
    if (run === undefined)
      return rpcError(id, RPC_ERROR.methodNotFound, `The embedded ledger has no method ${method}.`);
    try {
      onRequest(method, params);
      return { jsonrpc: '2.0', result: await run(params), id };
    } catch (error) {
      const { message } = error as Error;
      if (error instanceof RpcRefusal) return rpcError(id, error.code, message, error.data);
      return rpcError(id, isHeavenError(error) ? RPC_ERROR.invalidParams : RPC_ERROR.internal, message);
    }
  };
  return async (payload) => {
    if (Array.isArray(payload))
      return rpcError(null, RPC_ERROR.invalidRequest, 'The embedded ledger takes no batches.');
    const request = typeof payload === 'object' && payload !== null ? payload : {};
    const { jsonrpc, id = null, method, params = [] } = request as Readonly<Record<string, unknown>>;
    if (jsonrpc !== '2.0' || typeof method !== 'string' || !isId(id))
      return rpcError(isId(id) ? id : null, RPC_ERROR.invalidRequest, 'Invalid request');
    const answer = await call(id, method, params);
    return 'id' in request ? answer : undefined;
  };
}

const isId = (id: unknown): boolean => id === null || ['string', 'number', 'bigint'].includes(typeof id);
