import { HeavenError } from '../../errors.js';

// Wrong answers of a node.

/** Rejects a malformed response. */
export function invalidResponse(method: string, reason: string, cause?: unknown): HeavenError {
  return new HeavenError(
    'rpc-invalid-response',
    `The RPC node's answer to ${method} is not valid: ${reason}. Use another node.`,
    { method, reason },
    { cause },
  );
}

/** A node returned an account that can't be at an address that this library derived. */
export const wrongAccount = (account: string, address: string, reason: string) =>
  new HeavenError(
    'rpc-wrong-account',
    `The RPC node's account at ${address} can't be the ${account} that is there: ${reason}. Use another node. If all nodes say the same, check the cluster and the deployment's addresses.`,
    { account, address, reason },
  );

/** The response is longer than the limit, and was not read to its end. */
export const responseTooLarge = (method: string, maxResponseBytes: number) =>
  new HeavenError(
    'rpc-invalid-response',
    `The RPC node's answer to ${method} is longer than ${maxResponseBytes} bytes. Ask for less, use another node, or raise maxResponseBytes.`,
    { method, reason: `its answer is longer than ${maxResponseBytes} bytes`, maxResponseBytes },
  );
