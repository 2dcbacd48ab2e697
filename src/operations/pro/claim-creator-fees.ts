import { withWarnings } from '../../base/warnings.js';
import { checkInput, fieldsOf } from '../../input/check-input.js';
import { address } from '../../input/fields.js';
import { claim, claimAmount, transactionLocals } from '../../input/transactions.js';
import type { HeavenClient } from '../../program/client.js';
import { claimProCreatorTradingFees } from '../../program/instructions/declarations.js';
import type { AddressInput } from '../../solana/addresses.js';
import type { BuiltTransaction } from '../../transaction/built.js';
import { buildCreatorFeeClaim, type CreatorFeeClaimOptions } from '../../transaction/creator-fee-claim.js';

/** A claim of a pro pool's creator fees to build. */
export interface BuildProClaimCreatorFeesInput extends CreatorFeeClaimOptions {
  /** The address of the pro pool. */
  readonly pool: AddressInput;
}

export const buildProClaimCreatorFeesFields = /* @__PURE__ */ fieldsOf<BuildProClaimCreatorFeesInput>()(
  () => ({
    documented: { ...claim(), ...claimAmount(), pool: address() },
    local: transactionLocals(),
  }),
);

/**
 * Builds the unsigned transaction that claims a pro pool's creator fees and unwraps them, like
 * {@link buildClaimCreatorTradingFees} for a standard pool.
 *
 * @throws {HeavenError} those of {@link buildClaimCreatorTradingFees}
 * @example
 * ```ts
 * const { tx } = await buildProClaimCreatorFees(client, { pool, payer, amount: 0n });
 * ```
 */
export async function buildProClaimCreatorFees(
  client: HeavenClient,
  input: BuildProClaimCreatorFeesInput,
): Promise<BuiltTransaction> {
  const [checked, ignored] = checkInput(client, input, buildProClaimCreatorFeesFields);
  const { pool } = checked;
  const built = await buildCreatorFeeClaim(client, checked, 'pro', { pool }, claimProCreatorTradingFees);
  return withWarnings(built, ignored);
}
