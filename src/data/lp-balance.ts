import type { Address } from '@solana/kit';

import type { HeavenClient, RequestOptions } from '../client.js';
import { computePendingFees } from '../math/liquidity.js';
import { assertDerived, ifCreated, type RawAccount } from '../pool/fetch.js';
import { locatePosition, positionShape } from '../pool/locate.js';
import { fetchPoolState } from '../pool/state.js';
import { decodeUserLpPosition, type UserLpPosition } from '../program/accounts.js';

/** Whose liquidity to read, and in which pro pool. */
export interface GetLpBalanceInput extends RequestOptions {
  readonly pool: Address;
  readonly user: Address;
}

/** A user's liquidity in a pro pool; all zero without a position. */
export interface LpBalance {
  readonly lpTokenBalance: bigint;
  readonly rewardDebt: bigint;
  /** Lamports, as the position itself states them. */
  readonly pendingFees: bigint;
  readonly lpPositionAddress: Address;
  /** Whether the user has ever added or received liquidity here. */
  readonly exists: boolean;
  readonly details: {
    /** Lamports that can be claimed now, what has accrued since the position was last written included (assumption A8). */
    readonly claimableFees: bigint;
    /** LP tokens in existence. */
    readonly lpSupply: bigint;
  };
}

/**
 * Reads a user's liquidity in a pro pool and its pending fees. One call to the node.
 *
 * @throws {HeavenError} `invalid-address`, `pool-not-found`, `pool-kind-mismatch`, `account-owner-mismatch`,
 * `invalid-account-data`, and the `rpc-…` codes
 * @example
 * ```ts
 * const { lpTokenBalance, exists } = await getLpBalance(client, { pool, user });
 * ```
 */
export async function getLpBalance(
  client: HeavenClient,
  { pool, user, abortSignal }: GetLpBalanceInput,
): Promise<LpBalance> {
  const { programAddress } = client.deployment;
  const lpPositionAddress = await locatePosition(pool, user, programAddress);
  const { state, more } = await fetchPoolState(client, 'pro', { pool, abortSignal }, [lpPositionAddress]);
  const position = positionFrom(more[0], lpPositionAddress, programAddress);
  const { lpTokenBalance, rewardDebt, pendingFees } = position ?? {
    lpTokenBalance: 0n,
    rewardDebt: 0n,
    pendingFees: 0n,
  };
  return {
    lpTokenBalance,
    rewardDebt,
    pendingFees,
    lpPositionAddress,
    exists: position !== undefined,
    details: {
      claimableFees: computePendingFees(
        { lpTokenBalance, rewardDebt, pendingFees },
        state.reserve.accumulatedFeePerLpToken,
      ),
      lpSupply: state.lpToken.supply.total,
    },
  };
}

/** A decoded position, if there is one. */
export function positionFrom(
  account: RawAccount | undefined,
  address: Address,
  programAddress: Address,
): UserLpPosition | undefined {
  if (ifCreated(account) === undefined) return undefined;
  assertDerived(account, address, programAddress, positionShape());
  return decodeUserLpPosition(account.data, address);
}
