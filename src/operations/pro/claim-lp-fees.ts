import { HeavenError } from '../../base/errors.js';
import { withWarnings } from '../../base/warnings.js';
import { checkInput, fieldsOf } from '../../input/check-input.js';
import { address } from '../../input/fields.js';
import { claim, transactionLocals } from '../../input/transactions.js';
import { computePendingFees } from '../../math/liquidity.js';
import { fetchPoolAndPositions } from '../../pool/position.js';
import { unverified } from '../../program/assumptions.js';
import type { HeavenClient } from '../../program/client.js';
import { claimProLiquidityProviderTradingFees } from '../../program/instructions/declarations.js';
import type { AddressInput } from '../../solana/addresses.js';
import { buildInstruction } from '../../solana/define-instruction.js';
import type { TransactionWallet } from '../../solana/wallet.js';
import { buildTransaction } from '../../transaction/assemble.js';
import type { BuiltTransaction } from '../../transaction/built.js';
import { CLAIM_COMPUTE_BUDGET, type ClaimOptions, warnIfEmpty } from '../../transaction/creator-fee-claim.js';
import { aroundUserAccounts, sharedAccounts } from '../../transaction/user-accounts.js';
import { accountsToWrap, openerOf, strategyOf, type WrapSol } from '../../transaction/wrapped-sol.js';

/** A claim of a position's liquidity provider fees to build. */
export interface BuildProClaimLpFeesInput extends ClaimOptions {
  /** The address of the pro pool. */
  readonly pool: AddressInput;
  /** Owns the position, signs, pays, and is paid. */
  readonly payer: TransactionWallet;
  /** Where the claimed SOL ends up: unwrapped, unless it is `none`. Default `associated`. */
  readonly wrapSol?: WrapSol | null | undefined;
}

export const buildProClaimLpFeesFields = /* @__PURE__ */ fieldsOf<BuildProClaimLpFeesInput>()(() => ({
  documented: { ...claim(), pool: address() },
  local: transactionLocals(),
}));

/**
 * Builds the unsigned transaction that claims all liquidity provider fees of the payer's position and unwraps them.
 *
 * @param input `computeUnitLimit` defaults to 130000, `computeUnitPrice` to 20000000 micro-lamports.
 * @throws {HeavenError} `account-not-found` (no position), `fees-not-claimable` (nothing has accrued, as far as assumption A8
 * holds: pass `allowEmpty` to claim anyway), `invalid-address`, `pool-not-found`,
 * `pool-mismatch`, and the `rpc-…` codes
 * @example
 * ```ts
 * const { tx } = await buildProClaimLpFees(client, { pool, payer });
 * ```
 */
export async function buildProClaimLpFees(
  client: HeavenClient,
  input: BuildProClaimLpFeesInput,
): Promise<BuiltTransaction> {
  const [checked, ignored] = checkInput(client, input, buildProClaimLpFeesFields);
  const { pool, payer, abortSignal } = checked;
  const strategy = strategyOf(checked);
  const opener = openerOf(checked, payer);
  const built = await buildTransaction(client, checked, {
    budget: CLAIM_COMPUTE_BUDGET,
    read: (user) => fetchPoolAndPositions(client, { pool, abortSignal }, [user], accountsToWrap(strategy)),
    compose: async ({ state, addresses, positions: [position], more: read }, user) => {
      if (!position.exists) {
        throw new HeavenError(
          'account-not-found',
          `${user} has no LP position in this pool: there is nothing to claim.`,
          { account: 'UserLpPosition', address: position.address },
        );
      }
      const { accumulatedFeePerLpToken } = state.reserve;
      const lamports = computePendingFees(position, accumulatedFeePerLpToken);
      const warnings = warnIfEmpty(lamports === 0n, 'this position', checked);
      return {
        instructions: await aroundUserAccounts(payer, addresses, { opener, strategy, read }, (vaults) =>
          buildInstruction(claimProLiquidityProviderTradingFees, client.deployment, {
            ...sharedAccounts(client, addresses, payer, vaults),
            userLpPosition: position.address,
          }),
        ),
        warnings,
        lamports: lamports || undefined,
      };
    },
  });
  return withWarnings(built, [...unverified(client, 'A2', 'A8'), ...ignored]);
}
