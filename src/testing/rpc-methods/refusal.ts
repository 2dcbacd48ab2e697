/** What JSON-RPC and a node call the things that can be wrong with a request. */
export const RPC_ERROR = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  preflightFailure: -32002,
  signatureFailure: -32003,
  unsupportedTransactionVersion: -32015,
} as const;

/** An error that a node answers, with JSON-RPC's code and its data. */
export class RpcRefusal extends Error {
  readonly code: number;
  readonly data?: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export const invalidParams = (message: string) => new RpcRefusal(RPC_ERROR.invalidParams, message);
