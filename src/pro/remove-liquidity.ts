import {
  type BuiltTransaction,
  buildTransaction,
  TRANSACTION_FIELDS,
  type TransactionOptions,
} from '../build/assemble.js';
import { aroundUserAccounts, type UserVaults } from '../build/user-accounts.js';
import { accountsToWrap, type WrapSol, wrapStrategyOf } from '../build/wrapped-sol.js';
import type { HeavenClient } from '../client.js';
import { assertInput, assertPositiveU64, assertU64 } from '../input.js';
import { computeWithdrawal } from '../math/liquidity.js';
import { fetchPoolAndPositions } from '../pool/position.js';
import { getRemoveLiquidityProPoolInstruction } from '../program/instructions.js';
import type { TransactionWallet } from '../solana/wallet.js';
import { unverified, warnIf, withWarnings } from '../warnings.js';
import {
  assertLocator,
  assertLpTokens,
  assertWithdrawEnabled,
  LIQUIDITY_COMPUTE_BUDGET,
  liquidityAccounts,
  liquidityOf,
  type ProPoolLocator,
} from './liquidity.js';

/** A withdrawal to build, usually from {@link quoteProRemoveLiquidity}. */
export interface BuildProRemoveLiquidityInput extends ProPoolLocator, TransactionOptions {
  /** Owns the position, signs, pays, and is paid. */
  readonly payer: TransactionWallet;
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
  const ignored = assertInput(client, input, TRANSACTION_FIELDS, {
    pool: 1,
    mint: 1,
    configVersion: 1,
    payer: 1,
    lpTokensToBurn: 1,
    minTokenA: 1,
    minTokenB: 1,
    wrapSol: 1,
  });
  const { payer, lpTokensToBurn, minTokenA, minTokenB } = input;
  const strategy = wrapStrategyOf(input);
  assertLocator(input);
  assertPositiveU64(lpTokensToBurn, 'lpTokensToBurn');
  assertU64(minTokenA, 'minTokenA');
  assertU64(minTokenB, 'minTokenB');
  const built = await buildTransaction(client, input, {
    budget: LIQUIDITY_COMPUTE_BUDGET,
    read: (user) => fetchPoolAndPositions(client, input, [user], accountsToWrap(strategy)),
    compose: async (found) => {
      const { state, addresses, positions, more: read } = found;
      assertWithdrawEnabled(state);
      assertLpTokens(positions[0].lpTokenBalance, lpTokensToBurn);
      const { tokenA, tokenB } = computeWithdrawal(liquidityOf(state), lpTokensToBurn);
      const withdrawal = (vaults: UserVaults) =>
        getRemoveLiquidityProPoolInstruction(
          {
            ...liquidityAccounts(client, found, payer, vaults),
            params: { lpTokensToBurn, minTokenA, minTokenB },
          },
          client.deployment,
        );
      return {
        instructions: await aroundUserAccounts(payer, addresses, { strategy, read }, withdrawal),
        warnings: warnIf(
          tokenA < minTokenA || tokenB < minTokenB,
          'minimum-not-reached',
          `The withdrawal pays ${tokenA} token units and ${tokenB} lamports now, under its minimums of ${minTokenA} and ${minTokenB}: it would fail. Quote it again.`,
        ),
      };
    },
  });
  return withWarnings(built, [unverified('A2', 'A8'), ...ignored]);
}
