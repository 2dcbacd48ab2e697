import { type Address, type Commitment, createSolanaRpcFromTransport, isAddress } from '@solana/kit';
import { createClient, createFailoverTransport, type HeavenClient, isHeavenError } from 'heaven-pools';
import { createEmbeddedLedger } from 'heaven-pools/testing';

import { describe } from '../../input.js';
import { type ClusterSettings, listOf } from './options.js';
import { type Output, UsageError } from './output.js';

/**
 * A client for the nodes at these URLs. When one fails, the next one takes over.
 *
 * @throws {UsageError} for a value that is not a URL. The message doesn't repeat it.
 */
export function connect({ rpc, ...settings }: ClusterSettings & { readonly rpc: string }) {
  const urls = listOf(rpc);
  try {
    const [rpcUrl = ''] = urls;
    const more = configOf(settings);
    if (urls.length <= 1) return createClient({ rpcUrl, ...more });
    const transport = createFailoverTransport(urls);
    return createClient({ rpc: createSolanaRpcFromTransport(transport) as HeavenClient['rpc'], ...more });
  } catch (error) {
    throw asUsage(error);
  }
}

/** A client for the nodes. Without nodes, prints a note and uses the embedded ledger. */
export async function connectOrEmbed(
  { rpc, ...settings }: ClusterSettings,
  { note }: Output,
): Promise<HeavenClient> {
  if (rpc !== undefined) return connect({ rpc, ...settings });
  try {
    const more = configOf(settings);
    const { rpc: embedded } = await createEmbeddedLedger(more.deployment);
    const client = createClient({ rpc: embedded, ...more });
    note('On the embedded ledger: sample pools, no market prices. Name a cluster with --rpc or RPC_URL.');
    return client;
  } catch (error) {
    throw asUsage(error);
  }
}

function configOf({ programId, commitment }: Omit<ClusterSettings, 'rpc'>) {
  const programAddress = programOf(programId);
  return {
    deployment: programAddress === undefined ? {} : { programAddress },
    ...(commitment === undefined ? {} : { commitment: commitment as Commitment }),
  };
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

/** If `createClient` rejects its configuration, an option is wrong. */
const asUsage = (error: unknown): unknown =>
  isHeavenError(error)
    ? new UsageError(error.message.replace(/^rpcUrl/, '--rpc').replace(/^nodes\[\d+\]/, 'Each --rpc'))
    : error;
