import { HeavenError } from '../errors.js';

// What a node answers that it should not.

/** Refuses a response that does not have the shape it must have. */
export function invalidResponse(method: string, reason: string, cause?: unknown): HeavenError {
  return new HeavenError(
    'rpc-invalid-response',
    `The RPC node's answer to ${method} is not valid: ${reason}. Use another node.`,
    { method, reason },
    { cause },
  );
}

/** The response goes on behind the limit, and was not read to its end. */
export const responseTooLarge = (method: string, maxResponseBytes: number) =>
  new HeavenError(
    'rpc-response-too-large',
    `The RPC node's answer to ${method} is longer than ${maxResponseBytes} bytes. Ask for less, use another node, or raise maxResponseBytes.`,
    { method, maxResponseBytes },
  );
