import type { Address } from '@solana/kit';
import {
  assembleTransaction,
  type BuiltTransaction,
  lifetimeOf,
  planTransaction,
  type TransactionOptions,
} from '../build/assemble.js';
import { CLAIM_COMPUTE_BUDGET } from '../build/creator-fee-claim.js';
import { swapAccounts } from '../build/trade.js';
import { userAccountsOf } from '../build/user-accounts.js';
import { type WrapSol, wrapStrategyOf } from '../build/wrapped-sol.js';
import type { HeavenClient } from '../client.js';
import { HeavenError } from '../errors.js';
import { computePendingFees } from '../math/liquidity.js';
import { getClaimProLiquidityProviderTradingFeesInstruction } from '../program/instructions.js';
import { assertAddress } from '../solana/addresses.js';
import { addressOf, type Wallet } from '../solana/wallet.js';
import type { Warning } from '../warnings.js';
import { fetchPoolAndPosition } from './liquidity.js';

/** A claim of a position's liquidity provider fees to build. */
export interface BuildProClaimLpFeesInput extends TransactionOptions {
  readonly pool: Address;
  /** Owns the position, signs, pays, and is paid. */
  readonly payer: Wallet;
  /** Where the claimed SOL ends up: unwrapped, unless it is `none`. Default `associated`. */
  readonly wrapSol?: WrapSol | null | undefined;
}

/**
 * Builds the unsigned transaction that claims all liquidity provider fees of the payer's position and unwraps them.
 *
 * @param input `computeUnitLimit` defaults to 130000, `computeUnitPrice` to 20000000 micro-lamports.
 * @throws {HeavenError} `account-not-found` (no position), `invalid-address`, `pool-not-found`,
 * `pool-kind-mismatch`, and the `rpc-…` codes
 * @example
 * ```ts
 * const { tx } = await buildProClaimLpFees(client, { pool, payer });
 * ```
 */
export async function buildProClaimLpFees(
  client: HeavenClient,
  input: BuildProClaimLpFeesInput,
): Promise<BuiltTransaction> {
  const { payer } = input;
  const strategy = wrapStrategyOf(input);
  const owner = addressOf(payer, 'payer');
  assertAddress(input.pool, 'pool');
  const plan = planTransaction(input, CLAIM_COMPUTE_BUDGET);
  const [{ state, addresses, position, positionAddress }, lifetime] = await Promise.all([
    fetchPoolAndPosition(client, { pool: input.pool, abortSignal: input.abortSignal }, owner),
    lifetimeOf(client, input),
  ]);
  if (position === undefined) {
    throw new HeavenError(
      'account-not-found',
      `${owner} has no LP position in this pool: there is nothing to claim.`,
      {
        account: 'UserLpPosition',
        address: positionAddress,
      },
    );
  }
  const warnings: Warning[] = [];
  // A warning only: how fees accrue is assumption A8.
  if (computePendingFees(position, state.reserve.accumulatedFeePerLpToken) === 0n) {
    warnings.push({
      code: 'nothing-to-claim',
      message: 'No fees seem to have accrued to this position yet.',
    });
  }
  const { programAddress } = addresses;
  const user = await userAccountsOf(payer, addresses, strategy, 0n);
  const claim = getClaimProLiquidityProviderTradingFeesInstruction(
    {
      ...swapAccounts(client, addresses, {
        user: payer,
        ...user.vaults,
      }),
      userLpPosition: positionAddress,
    },
    { programAddress },
  );
  return assembleTransaction({
    feePayer: owner,
    plan,
    instructions: [...user.open, user.createTokenAccount, claim, ...user.close],
    lifetime,
    warnings,
  });
}
