import { type Address, getBase64Encoder, isAddress } from '@solana/kit';
import {
  decodeLiquidityPoolState,
  type FoundPool,
  findPools,
  isHeavenError,
  type PoolLocator,
} from 'heaven-pools';
import { TOKEN_2022_PROGRAM_ADDRESS, TOKEN_PROGRAM_ADDRESS } from 'heaven-pools/program';

import { type Connection, TIMEOUT_MS } from './connection.js';
import { Problem } from './messages.js';
import type { TokenName } from './token-metadata.js';

/** A pool that the user can choose. */
export interface Pool {
  readonly address: Address;
  readonly mint: Address;
  readonly kind: 'standard' | 'pro';
  readonly configVersion: number;
  readonly name: TokenName | undefined;
}

async function named(connection: Connection, found: readonly Omit<Pool, 'name'>[]): Promise<readonly Pool[]> {
  // A token without a name can still be traded.
  const names: ReadonlyMap<Address, TokenName> = await import('./token-metadata.js')
    .then(({ fetchTokenNames }) => fetchTokenNames(connection, [...new Set(found.map(({ mint }) => mint))]))
    .catch(() => new Map());
  return found.map(({ address, mint, kind, configVersion }) => ({
    address,
    mint,
    kind,
    configVersion,
    name: names.get(mint),
  }));
}

/** Every pool of the model. On a cluster there are too many, so the user enters one. */
export async function listPools(connection: Connection): Promise<readonly Pool[]> {
  if (connection.model === undefined) return [];
  return await named(connection, await findPools(connection.client, { all: true }));
}

/**
 * The pools for an address: the pool itself, or a token's pools. A token's standard pool is looked up, which works on any node.
 * Its pro pools are searched for, which many nodes reject.
 */
export async function lookUpPools(connection: Connection, text: string): Promise<readonly Pool[]> {
  const address = text.trim();
  if (address === '') throw new Problem('find', 'Paste the address of a token (its mint) or of a pool.');
  if (!isAddress(address)) {
    throw new Problem(
      'find',
      'That is not a Solana address. An address has 32 to 44 letters and digits. Copy all of it.',
    );
  }
  const { client } = connection;
  const { value: account } = await client.rpc
    .getAccountInfo(address, { encoding: 'base64', commitment: client.commitment })
    .send({ abortSignal: AbortSignal.timeout(TIMEOUT_MS) });
  if (account === null) throw new Problem('find', 'There is nothing at this address on this network.');
  if (account.owner === client.deployment.programAddress) {
    const state = decodeLiquidityPoolState(
      Uint8Array.from(getBase64Encoder().encode(account.data[0])),
      address,
    );
    const { protocolConfigVersion: configVersion, type } = state.info;
    return await named(connection, [
      { address, mint: state.tokenA.mint, kind: type === 1 ? 'pro' : 'standard', configVersion },
    ]);
  }
  if (account.owner !== TOKEN_PROGRAM_ADDRESS && account.owner !== TOKEN_2022_PROGRAM_ADDRESS)
    throw new Problem('find', 'This address is neither a token nor a pool of the exchange. Is it a wallet?');
  const [standard, pro] = await Promise.all([
    findPools(client, { mint: address, kind: 'standard' }),
    findPools(client, { mint: address, kind: 'pro' }).catch((error: unknown): readonly FoundPool[] => {
      if (isHeavenError(error, 'rpc-method-unsupported')) return [];
      throw error;
    }),
  ]);
  const pools = await named(connection, [...standard, ...pro]);
  if (pools.length === 0) throw new Problem('find', 'There is no pool for this token on the exchange.');
  return pools;
}

/** A pool in the form that the library's functions take. */
export const locatorOf = ({ kind, mint, configVersion, address }: Pool): PoolLocator => ({
  mint,
  configVersion,
  pool: kind === 'pro' ? address : undefined,
});
