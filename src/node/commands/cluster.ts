import { type Address, createSolanaRpcFromTransport, isAddress } from '@solana/kit';
import { createFailoverTransport, createHeavenClient, type HeavenClient, isHeavenError } from 'heaven-pools';

import { describe } from '../../input.js';
import { listOf } from './options.js';
import { UsageError } from './output.js';

/**
 * A client for the nodes at these URLs. When one fails, the next one takes over.
 *
 * @throws {UsageError} for a value that is not a URL. The message doesn't repeat it.
 */
export function connect(rpc: string, programId: string | undefined) {
  const urls = listOf(rpc);
  const programAddress = programOf(programId);
  const deployment = programAddress === undefined ? {} : { programAddress };
  try {
    const [rpcUrl = ''] = urls;
    if (urls.length <= 1) return createHeavenClient({ rpcUrl, deployment });
    const transport = createFailoverTransport(urls);
    return createHeavenClient({
      rpc: createSolanaRpcFromTransport(transport) as HeavenClient['rpc'],
      deployment,
    });
  } catch (error) {
    throw asUsage(error);
  }
}

/**
 * The exchange program that `--program-id` selects.
 *
 * @throws {UsageError}
 */
export function programOf(programId: string | undefined): Address | undefined {
  if (programId === undefined || isAddress(programId)) return programId;
  throw new UsageError(`--program-id must be a base58 address of 32 bytes; got ${describe(programId)}.`);
}

/** If `createHeavenClient` rejects its configuration, an option is wrong. */
const asUsage = (error: unknown): unknown =>
  isHeavenError(error)
    ? new UsageError(error.message.replace(/^rpcUrl/, '--rpc').replace(/^nodes\[\d+\]/, 'Each --rpc'))
    : error;
