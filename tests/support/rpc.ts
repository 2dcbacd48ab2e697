import {
  createSolanaRpcFromTransport,
  type RpcTransport,
  SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR,
  SolanaError,
} from '@solana/kit';

import { createHeavenClient, type HeavenClient, type HeavenRpc } from '../../src/index.js';

/** A call to a transport. */
export interface Call {
  readonly payload: { readonly method: string; readonly id: unknown; readonly params: readonly unknown[] };
  readonly signal?: AbortSignal;
}

/** A client whose node is a function. */
export const clientOver = (transport: unknown, timeoutMs?: number): HeavenClient =>
  createHeavenClient({
    rpc: createSolanaRpcFromTransport(transport as RpcTransport) as HeavenRpc,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  });

/** What a node does with a call. */
export type Does = (call: Call) => unknown;

/** A scripted node that records its calls. */
export interface FakeNode {
  readonly transport: RpcTransport;
  readonly calls: Call[];
  does: Does;
}

export function createNode(does: Does): FakeNode {
  const node: FakeNode = {
    calls: [],
    does,
    transport: (async (call: Call) => {
      node.calls.push(call);
      return await node.does(call);
    }) as RpcTransport,
  };
  return node;
}

/** A JSON-RPC answer with a result of a slot. */
export const answerOf = ({ payload: { id } }: Call, slot: unknown, value: unknown) => ({
  jsonrpc: '2.0',
  id,
  result: { context: { slot }, value },
});

export const holding =
  (slot: unknown, value: unknown): Does =>
  (call) =>
    answerOf(call, slot, value);

export const refusing =
  (code: number): Does =>
  ({ payload: { id } }) => ({ jsonrpc: '2.0', id, error: { code, message: `error ${code}` } });

export const rejecting =
  (error: unknown): Does =>
  () =>
    Promise.reject(error);

/** kit's error for an answer with an HTTP status. */
export const httpError = (statusCode: number, headers: Record<string, string> = {}, message = '') =>
  new SolanaError(SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR, {
    statusCode,
    message,
    headers: new Headers(headers),
  });

export const unreachable = rejecting(new TypeError('fetch failed'));

export const silent: Does = () => new Promise(() => {});

export const delayed =
  (ms: number, does: Does): Does =>
  async (call) => {
    await new Promise((resolve) => setTimeout(resolve, ms));
    return await does(call);
  };
