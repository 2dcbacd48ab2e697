import { warnIf, withWarnings } from '../../base/warnings.js';
import { checkInput, fieldsOf } from '../../input/check-input.js';
import { positive, u64 } from '../../input/fields.js';
import { proPool } from '../../input/quotes.js';
import { transaction, transactionLocals, wrapping } from '../../input/transactions.js';
import { computeDeposit } from '../../math/liquidity.js';
import { fetchPoolAndPositions } from '../../pool/position.js';
import { unverified } from '../../program/assumptions.js';
import type { HeavenClient } from '../../program/client.js';
import { addLiquidityProPool } from '../../program/instructions/declarations.js';
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
  assertDepositEnabled,
  LIQUIDITY_COMPUTE_BUDGET,
  liquidityAccounts,
  liquidityOf,
  type ProPoolLocator,
  tokenAccounts,
  tokenWarnings,
} from './liquidity.js';

/** A deposit to build, usually from {@link quoteProAddLiquidity}. */
export interface BuildProAddLiquidityInput extends ProPoolLocator, TransactionOptions, RentOptions {
  /** Signs, pays, deposits, and receives the LP tokens. */
  readonly payer: TransactionWallet;
  /** The most native units of token A to deposit. */
  readonly maxTokenA: bigint;
  /** The most lamports to deposit. */
  readonly maxTokenB: bigint;
  /** The fewest LP tokens to accept; 0 accepts any number. */
  readonly minLpTokens: bigint;
  /** How SOL is wrapped, and the rest unwrapped. Default `associated`. */
  readonly wrapSol?: WrapSol | null | undefined;
}

export const buildProAddLiquidityFields = /* @__PURE__ */ fieldsOf<BuildProAddLiquidityInput>()(() => ({
  documented: {
    ...transaction(),
    ...wrapping(),
    ...proPool(),
    maxTokenA: positive(),
    maxTokenB: positive(),
    minLpTokens: u64(),
  },
  local: transactionLocals(),
}));

/**
 * Builds the unsigned transaction of a deposit into a pro pool at its ratio. The first deposit creates the payer's LP
 * position; the payer pays its rent. Two calls to the node, made at the same time.
 *
 * @param input `computeUnitLimit` defaults to 250000, `computeUnitPrice` to 20000000 micro-lamports.
 * @throws {HeavenError} `token-not-transferable`, `operation-disabled`, `output-is-zero`, `invalid-amount`, `zero-amount`, `invalid-address`,
 * `insufficient-liquidity`, `pool-not-found`, `pool-mismatch`,
 * and the `rpc-…` codes
 * @example
 * ```ts
 * const most = { maxTokenB: 1_000_000_000n, slippageBps: 50 };
 * const { maxTokenA, maxTokenB, minLpTokens } = await quoteProAddLiquidity(client, { ...locator, ...most });
 * const { tx } = await buildProAddLiquidity(client, { ...locator, payer, maxTokenA, maxTokenB, minLpTokens });
 * ```
 */
export async function buildProAddLiquidity(
  client: HeavenClient,
  input: BuildProAddLiquidityInput,
): Promise<BuiltTransaction> {
  const [checked, ignored] = checkInput(client, input, buildProAddLiquidityFields);
  const { payer, maxTokenA, maxTokenB, minLpTokens } = checked;
  const strategy = strategyOf(checked);
  const opener = openerOf(checked, payer);
  const built = await buildTransaction(client, checked, {
    budget: LIQUIDITY_COMPUTE_BUDGET,
    read: async (user) => {
      const more = [...(await tokenAccounts(checked.mint, user)), ...accountsToWrap(strategy)];
      return await fetchPoolAndPositions(client, checked, [user], more);
    },
    compose: async (found, user) => {
      const { state, addresses, more: read } = found;
      assertDepositEnabled(state);
      const warnings = await tokenWarnings(found, false, user);
      const { lpTokens, tokenB: lamports } = computeDeposit(liquidityOf(state), {
        maxTokenA,
        maxTokenB,
      });
      const deposit = (vaults: UserVaults) =>
        buildInstruction(addLiquidityProPool, client.deployment, {
          ...liquidityAccounts(client, found, { user: payer, payer: opener }, vaults),
          params: { maxTokenA, maxTokenB, minLpTokens },
        });
      return {
        instructions: await aroundUserAccounts(
          payer,
          addresses,
          { opener, strategy, read },
          deposit,
          maxTokenB,
        ),
        warnings: [
          ...warnings,
          ...warnIf(
            lpTokens < minLpTokens,
            'minimum-not-reached',
            `The deposit gives ${lpTokens} LP tokens now, under its minimum of ${minLpTokens}: it would fail. Quote it again.`,
          ),
        ],
        lamports,
      };
    },
  });
  return withWarnings(built, [...unverified(client, 'A2', 'A8'), ...ignored]);
}
