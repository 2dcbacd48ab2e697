import {
  assembleTransaction,
  type BuiltTransaction,
  lifetimeOf,
  planTransaction,
  type TransactionOptions,
} from '../build/assemble.js';
import { userAccountsOf } from '../build/user-accounts.js';
import { type WrapSol, wrapStrategyOf } from '../build/wrapped-sol.js';
import type { HeavenClient } from '../client.js';
import { HeavenError } from '../errors.js';
import { assertPositiveU64, assertU64 } from '../input.js';
import { computeWithdrawal } from '../math/liquidity.js';
import { getRemoveLiquidityProPoolInstruction } from '../program/instructions.js';
import { addressOf, type Wallet } from '../solana/wallet.js';
import type { Warning } from '../warnings.js';
import {
  assertLocator,
  assertWithdrawEnabled,
  fetchPoolAndPosition,
  LIQUIDITY_COMPUTE_BUDGET,
  liquidityAccounts,
  liquidityOf,
  type ProPoolLocator,
} from './liquidity.js';

/** A withdrawal to build: most often out of {@link quoteProRemoveLiquidity}. */
export interface BuildProRemoveLiquidityInput extends ProPoolLocator, TransactionOptions {
  /** Owns the position, signs, pays, and is paid. */
  readonly payer: Wallet;
  /** LP tokens to burn, native units. */
  readonly lpTokensToBurn: bigint;
  /** The least that must arrive: native units of token A. */
  readonly minTokenA: bigint;
  /** The least that must arrive: lamports. */
  readonly minTokenB: bigint;
  /** Where the SOL ends up: unwrapped, unless it is `none`. Default `associated`. */
  readonly wrapSol?: WrapSol | null | undefined;
}

/**
 * Builds the unsigned transaction of a withdrawal from a pro pool. Two calls to the node, made at the same time.
 *
 * @param input `computeUnitLimit` defaults to 250000, `computeUnitPrice` to 20000000 micro-lamports.
 * @throws {HeavenError} `withdraw-disabled`, `insufficient-lp-tokens`, `invalid-amount`, `zero-amount`,
 * `invalid-address`, `insufficient-liquidity`, `pool-not-found`, `pool-kind-mismatch`, `pool-mint-mismatch`,
 * `config-version-mismatch`, and the `rpc-…` codes
 * @example
 * ```ts
 * const { minTokenA, minTokenB } = await quoteProRemoveLiquidity(client, { ...locator, lpTokensToBurn, slippageBps: 50 });
 * const { tx } = await buildProRemoveLiquidity(client, { ...locator, payer, lpTokensToBurn, minTokenA, minTokenB });
 * ```
 */
export async function buildProRemoveLiquidity(
  client: HeavenClient,
  input: BuildProRemoveLiquidityInput,
): Promise<BuiltTransaction> {
  const { payer, lpTokensToBurn, minTokenA, minTokenB } = input;
  const strategy = wrapStrategyOf(input);
  const owner = addressOf(payer, 'payer');
  assertLocator(input);
  assertPositiveU64(lpTokensToBurn, 'lpTokensToBurn');
  assertU64(minTokenA, 'minTokenA');
  assertU64(minTokenB, 'minTokenB');
  const plan = planTransaction(input, LIQUIDITY_COMPUTE_BUDGET);
  const [fetched, lifetime] = await Promise.all([
    fetchPoolAndPosition(client, input, owner),
    lifetimeOf(client, input),
  ]);
  const { state, addresses, position, positionAddress } = fetched;
  assertWithdrawEnabled(state);
  assertLpTokens(position?.lpTokenBalance ?? 0n, lpTokensToBurn);
  const { tokenA, tokenB } = computeWithdrawal(liquidityOf(state), lpTokensToBurn);
  const warnings: Warning[] = [];
  if (tokenA < minTokenA || tokenB < minTokenB) {
    warnings.push({
      code: 'minimum-not-reached',
      message: `The withdrawal pays ${tokenA} token units and ${tokenB} lamports now, under its minimums of ${minTokenA} and ${minTokenB}: it would fail. Quote it again.`,
    });
  }
  const { programAddress } = addresses;
  const user = await userAccountsOf(payer, addresses, strategy, 0n);
  const withdrawal = getRemoveLiquidityProPoolInstruction(
    {
      ...liquidityAccounts(fetched, payer, {
        ...user.vaults,
        userLpPosition: positionAddress,
      }),
      params: { lpTokensToBurn, minTokenA, minTokenB },
    },
    { programAddress },
  );
  return assembleTransaction({
    feePayer: owner,
    plan,
    instructions: [...user.open, user.createTokenAccount, withdrawal, ...user.close],
    lifetime,
    warnings,
  });
}

/**
 * Refuses more LP tokens than a position holds.
 *
 * @throws {HeavenError} `insufficient-lp-tokens`
 */
export function assertLpTokens(available: bigint, requested: bigint): void {
  if (requested <= available) return;
  throw new HeavenError(
    'insufficient-lp-tokens',
    `${requested} LP tokens were asked for, and the position holds ${available}.`,
    { requested, available },
  );
}
