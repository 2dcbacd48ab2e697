import { warnIf, withWarnings } from '../../base/warnings.js';
import { checkInput, fieldsOf } from '../../input/check-input.js';
import { positive, u64 } from '../../input/fields.js';
import { proPool } from '../../input/quotes.js';
import { transaction, transactionLocals, wrapping } from '../../input/transactions.js';
import { computeWithdrawal } from '../../math/liquidity.js';
import { fetchPoolAndPositions } from '../../pool/position.js';
import { unverified } from '../../program/assumptions.js';
import type { HeavenClient } from '../../program/client.js';
import { removeLiquidityProPool } from '../../program/instructions/declarations.js';
import { buildInstruction } from '../../solana/define-instruction.js';
import type { TransactionWallet } from '../../solana/wallet.js';
import { buildTransaction, type TransactionOptions } from '../../transaction/assemble.js';
import type { BuiltTransaction } from '../../transaction/built.js';
import { aroundUserAccounts, type UserVaults } from '../../transaction/user-accounts.js';
import {
  accountsToWrap,
  openerOf,
  type RentOptions,
  strategyOf,
  type WrapSol,
} from '../../transaction/wrapped-sol.js';
import {
  assertLpTokens,
  assertWithdrawEnabled,
  LIQUIDITY_COMPUTE_BUDGET,
  liquidityAccounts,
  liquidityOf,
  type ProPoolLocator,
  tokenAccounts,
  tokenWarnings,
} from './liquidity.js';

/** A withdrawal to build, usually from {@link quoteProRemoveLiquidity}. */
export interface BuildProRemoveLiquidityInput extends ProPoolLocator, TransactionOptions, RentOptions {
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

export const buildProRemoveLiquidityFields = /* @__PURE__ */ fieldsOf<BuildProRemoveLiquidityInput>()(() => ({
  documented: {
    ...transaction(),
    ...wrapping(),
    ...proPool(),
    lpTokensToBurn: positive(),
    minTokenA: u64(),
    minTokenB: u64(),
  },
  local: transactionLocals(),
}));

/**
 * Builds the unsigned transaction of a withdrawal from a pro pool. Two calls to the node, made at the same time.
 *
 * @param input `computeUnitLimit` defaults to 250000, `computeUnitPrice` to 20000000 micro-lamports.
 * @throws {HeavenError} `token-not-transferable`, `operation-disabled`, `insufficient-balance`, `invalid-amount`, `zero-amount`,
 * `invalid-address`, `insufficient-liquidity`, `pool-not-found`, `pool-mismatch`,
 * and the `rpc-…` codes
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
  const [checked, ignored] = checkInput(client, input, buildProRemoveLiquidityFields);
  const { payer, lpTokensToBurn, minTokenA, minTokenB } = checked;
  const strategy = strategyOf(checked);
  const opener = openerOf(checked, payer);
  const built = await buildTransaction(client, checked, {
    budget: LIQUIDITY_COMPUTE_BUDGET,
    read: async (user) => {
      const more = [...(await tokenAccounts(checked.mint, user)), ...accountsToWrap(strategy)];
      return await fetchPoolAndPositions(client, checked, [user], more);
    },
    compose: async (found, user) => {
      const { state, addresses, positions, more: read } = found;
      assertWithdrawEnabled(state);
      const warnings = await tokenWarnings(found, true, user);
      assertLpTokens(positions[0].lpTokenBalance, lpTokensToBurn);
      const { tokenA, tokenB } = computeWithdrawal(liquidityOf(state), lpTokensToBurn);
      const withdrawal = (vaults: UserVaults) =>
        buildInstruction(removeLiquidityProPool, client.deployment, {
          ...liquidityAccounts(client, found, { user: payer, payer: opener }, vaults),
          params: { lpTokensToBurn, minTokenA, minTokenB },
        });
      return {
        instructions: await aroundUserAccounts(payer, addresses, { opener, strategy, read }, withdrawal),
        warnings: [
          ...warnings,
          ...warnIf(
            tokenA < minTokenA || tokenB < minTokenB,
            'minimum-not-reached',
            `The withdrawal pays ${tokenA} token units and ${tokenB} lamports now, under its minimums of ${minTokenA} and ${minTokenB}: it would fail. Quote it again.`,
          ),
        ],
        lamports: tokenB,
      };
    },
  });
  return withWarnings(built, [...unverified(client, 'A2', 'A8'), ...ignored]);
}
