import type { Address } from '@solana/kit';
import { HeavenError } from '../base/errors.js';
import type { HeavenClient } from '../client.js';
import { decodeLiquidityPoolState, type LiquidityPoolState } from '../program/accounts.js';
import { derivePoolAddress } from '../program/addresses.js';
import { fetchAccounts, type RawAccount } from '../solana/rpc/accounts.js';
import type { RequestOptions } from '../solana/rpc/send.js';
import { assertPool } from './assertions.js';
import { type PoolSnapshot, poolKindOf } from './decode.js';
import type { PoolAddresses } from './locate.js';
import { assertPoolKind, configVersionMismatch, poolMintMismatch } from './mismatch.js';

/** A whole pool account and the addresses of its other accounts, for operations that depend on no price. */
export interface FetchedPoolState {
  readonly state: LiquidityPoolState;
  readonly addresses: PoolAddresses;
  /** The additional accounts that were read in the same call. */
  readonly more: readonly (RawAccount | undefined)[];
}

/** Reads a pool and more accounts in one call, and checks that the pool is what the caller expects. */
export async function fetchPoolState(
  client: HeavenClient,
  kind: PoolSnapshot['kind'],
  expected: {
    readonly pool?: Address | undefined;
    readonly mint?: Address | undefined;
    readonly configVersion?: number | undefined;
  } & RequestOptions,
  more: readonly Address[] = [],
): Promise<FetchedPoolState> {
  const { mint, configVersion, abortSignal } = expected;
  const { programAddress } = client.deployment;
  const pool = expected.pool ?? (await derivePoolAddress({ mint: mint as Address }, { programAddress }));
  const [account, ...rest] = await fetchAccounts(client, [pool, ...more], { abortSignal });
  assertPool(account, pool, programAddress, expected.pool === undefined ? mint : undefined);
  assertPoolKind(kind, poolKindOf(account.data));
  const state = decodeLiquidityPoolState(account.data, pool);
  if (mint !== undefined && state.tokenA.mint !== mint) throw poolMintMismatch(pool, mint, state.tokenA.mint);
  const version = state.info.protocolConfigVersion;
  if (configVersion !== undefined && configVersion !== version)
    throw configVersionMismatch(configVersion, version);
  return {
    state,
    addresses: {
      programAddress,
      pool,
      protocolConfig: state.protocolConfig,
      mint: state.tokenA.mint,
      // The pool stores the program of its mint (level M).
      tokenProgram: state.tokenA.owner,
      tokenAVault: state.tokenAVault,
      tokenBVault: state.tokenBVault,
    },
    more: rest,
  };
}

/** Throws unless `actual` is the pool's creator. */
export function assertCreator({ info }: LiquidityPoolState, actual: Address): void {
  if (info.creator === actual) return;
  throw new HeavenError(
    'not-authorized',
    `Only the pool's creator ${info.creator} may do this, not ${actual}. Name the creator as payer, and let it sign.`,
    { role: 'creator', asked: actual, found: info.creator },
  );
}
