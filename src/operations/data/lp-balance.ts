import type { Address } from '@solana/kit';
import type { HeavenWarning } from '../../base/warnings.js';
import { checkInput, fieldsOf } from '../../input/check-input.js';
import { abortSignal, address } from '../../input/fields.js';
import { computePendingFees, FEE_PER_LP_TOKEN_UNIT } from '../../math/liquidity.js';
import { fetchPoolAndPositions } from '../../pool/position.js';
import type { HeavenClient } from '../../program/client.js';
import type { AddressInput } from '../../solana/addresses.js';
import type { RequestOptions } from '../../solana/rpc/send.js';

/** Whose liquidity to read, and in which pro pool. */
export interface GetLpBalanceInput extends RequestOptions {
  /** The address of the pro pool. */
  readonly pool: AddressInput;
  /** The wallet whose liquidity it is. */
  readonly user: AddressInput;
}

/** A user's liquidity in a pro pool. All zero if the user has no position. */
export interface LpBalance {
  /** LP tokens, in native units. */
  readonly lpTokenBalance: bigint;
  /** What of the pool's LP fees is accounted for already. */
  readonly rewardDebt: bigint;
  /**
   * Lamports that a claim would pay now ([assumption A8](/protocol#assumptions)): what the position's account states, plus what has
   * accrued since it was last written.
   */
  readonly pendingFees: bigint;
  /** The address of the position. */
  readonly lpPositionAddress: Address;
  /** Whether the user has ever added or received liquidity here. */
  readonly exists: boolean;
  /**
   * How `pendingFees` is computed:
   * `storedPendingFees + lpTokenBalance * accumulatedFeePerLpToken / feePerLpTokenUnit - rewardDebt`, at least 0.
   */
  readonly details: {
    /** Lamports, as the position's account states them. */
    readonly storedPendingFees: bigint;
    /** The pool's fees per LP token so far, in units of 1 / `feePerLpTokenUnit` lamports. */
    readonly accumulatedFeePerLpToken: bigint;
    /** 1000000000 ([A8](/protocol#assumptions)). */
    readonly feePerLpTokenUnit: bigint;
    /** The pool's total supply of LP tokens, in native units. */
    readonly lpSupply: bigint;
    /** Names of the input that it doesn't know, if there are any. */
    readonly warnings?: readonly HeavenWarning[] | undefined;
  };
}

export const getLpBalanceFields = /* @__PURE__ */ fieldsOf<GetLpBalanceInput>()(() => ({
  documented: { pool: address(), user: address() },
  local: { abortSignal: abortSignal() },
}));

/**
 * Reads a user's liquidity in a pro pool and the fees that a claim would pay now. One call to the node.
 *
 * @throws {HeavenError} `invalid-address`, `pool-not-found`, `pool-mismatch`, `invalid-account-data`,
 * and the `rpc-…` codes
 * @example
 * ```ts
 * const { lpTokenBalance, pendingFees } = await getLpBalance(client, { pool, user });
 * ```
 */
export async function getLpBalance(client: HeavenClient, input: GetLpBalanceInput): Promise<LpBalance> {
  const [checked, ignored] = checkInput(client, input, getLpBalanceFields);
  const { pool, user, abortSignal } = checked;
  const found = await fetchPoolAndPositions(client, { pool, abortSignal }, [user]);
  const { reserve, lpToken } = found.state;
  const { accumulatedFeePerLpToken } = reserve;
  const [position] = found.positions;
  return {
    lpTokenBalance: position.lpTokenBalance,
    rewardDebt: position.rewardDebt,
    pendingFees: computePendingFees(position, accumulatedFeePerLpToken),
    lpPositionAddress: position.address,
    exists: position.exists,
    details: {
      storedPendingFees: position.pendingFees,
      accumulatedFeePerLpToken,
      feePerLpTokenUnit: FEE_PER_LP_TOKEN_UNIT,
      lpSupply: lpToken.supply.total,
      ...(ignored.length > 0 && { warnings: ignored }),
    },
  };
}
