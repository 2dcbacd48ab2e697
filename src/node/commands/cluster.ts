import { type Address, createSolanaRpcFromTransport, isAddress } from '@solana/kit';
import {
  createFailoverTransport,
  createHeavenClient,
  type FailoverConfig,
  type FailoverTransport,
  type HeavenClient,
  type HeavenHistoryRpc,
  isHeavenError,
} from 'heaven-pools';

import { describe } from '../../base/input.js';
import { listOf } from './options.js';
import { UsageError } from './output.js';

/** A client for the nodes at these URLs. When one fails, the next one takes over. */
export const connect = (rpcUrl: string, programId: string | undefined): HeavenClient<HeavenHistoryRpc> =>
  createHeavenClient({
    rpc: createSolanaRpcFromTransport(connectNodes(listOf(rpcUrl))) as HeavenHistoryRpc,
    deployment: programId === undefined ? {} : { programAddress: programOf(programId) },
  });

/**
 * A transport over the nodes of `--rpc-url`.
 *
 * @throws {UsageError} for a value that is not a URL. The message doesn't repeat it.
 */
export function connectNodes(urls: readonly string[], config: FailoverConfig = {}): FailoverTransport {
  try {
    return createFailoverTransport(urls, config);
  } catch (error) {
    if (!isHeavenError(error)) throw error;
    throw new UsageError(error.message.replace(/^nodes(\[\d+\])?/, '--rpc-url (RPC_URL)'));
  }
}

/**
 * The exchange program that an option selects.
 *
 * @throws {UsageError}
 */
export function programOf(programId: string, option = '--program-id'): Address {
  if (isAddress(programId)) return programId;
  throw new UsageError(`${option} must be a base58 address of 32 bytes; got ${describe(programId)}.`);
}
