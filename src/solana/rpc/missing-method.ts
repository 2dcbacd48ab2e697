import { HeavenError, isHeavenError } from '../../errors.js';

/** JSON-RPC: the method does not exist. */
const NO_SUCH_METHOD = -32_601;

/** Reports a missing method of the node as such. Every other error stays as it is. */
export function explainMissingMethod(error: unknown, method: string): unknown {
  if (!isHeavenError(error, 'rpc-failed') || error.context.rpcCode !== NO_SUCH_METHOD) return error;
  return new HeavenError(
    'rpc-method-unsupported',
    `The RPC node does not answer ${method}. Use another node.`,
    { method, rpcCode: NO_SUCH_METHOD },
    { cause: error },
  );
}
