import { type Address, type Commitment, createSolanaRpcFromTransport } from '@solana/kit';

import { createClient, type DeploymentConfig, type HeavenClient } from '../../client.js';
import { isHeavenError } from '../../errors.js';
import { HEAVEN_PROGRAM_ADDRESS } from '../../program/constants.js';
import { assertAddress } from '../../solana/addresses.js';
import { rpcUrlOf } from '../../solana/rpc/http-transport.js';
import { createEmbeddedLedger } from '../../testing/ledger.js';
import { createFailoverTransport } from '../../upstream/failover.js';
import { readDeployment } from './deployment.js';
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
    if (urls.length === 0) rpcUrlOf('', '--rpc');
    const checked = urls.map((url) => rpcUrlOf(url, urls.length === 1 ? '--rpc' : 'Each --rpc'));
    const [rpcUrl = ''] = checked;
    const more = configOf(settings);
    if (checked.length === 1) return createClient({ rpcUrl, ...more });
    const transport = createFailoverTransport(checked);
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
    const { programAddress } = more.deployment;
    const { rpc: embedded } = await createEmbeddedLedger(
      programAddress === undefined ? {} : { programAddress },
    );
    const client = createClient({ rpc: embedded, ...more });
    note('On the embedded ledger: sample pools, no market prices. Name a cluster with --rpc or RPC_URL.');
    return client;
  } catch (error) {
    throw asUsage(error);
  }
}

function configOf({ programId, commitment, deployment }: Omit<ClusterSettings, 'rpc'>) {
  return {
    deployment: deploymentOf({ programId, deployment }),
    ...(commitment === undefined ? {} : { commitment: commitment as Commitment }),
  };
}

/**
 * The deployment that `--deployment` and `--program-id` select.
 *
 * @throws {UsageError}
 */
function deploymentOf({
  programId,
  deployment,
}: Pick<ClusterSettings, 'programId' | 'deployment'>): DeploymentConfig {
  const programAddress = programOf(programId);
  const named = programAddress === undefined ? {} : { programAddress };
  if (deployment === undefined) return named;
  let given: DeploymentConfig;
  try {
    given = readDeployment(deployment);
  } catch (error) {
    throw new UsageError(`--deployment ${deployment}: ${(error as Error).message}`);
  }
  if (programAddress !== undefined && (given.programAddress ?? HEAVEN_PROGRAM_ADDRESS) !== programAddress)
    throw new UsageError(
      '--program-id names another program than the file of --deployment: give one of them.',
    );
  return { ...given, ...named };
}

/**
 * The exchange program that `--program-id` selects.
 *
 * @throws {UsageError}
 */
export function programOf(programId: string | undefined): Address | undefined {
  try {
    if (programId !== undefined) assertAddress(programId, '--program-id');
    return programId;
  } catch (error) {
    throw asUsage(error);
  }
}

/** If `createClient` rejects its configuration, an option is wrong. */
const asUsage = (error: unknown): unknown => (isHeavenError(error) ? new UsageError(error.message) : error);
