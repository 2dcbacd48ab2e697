import { withWarnings } from '../../base/warnings.js';
import { checkInput, fieldsOf } from '../../input/check-input.js';
import { address, version } from '../../input/fields.js';
import { claim, claimAmount, transactionLocals } from '../../input/transactions.js';
import type { HeavenClient } from '../../program/client.js';
import { claimStandardCreatorTradingFees } from '../../program/instructions/declarations.js';
import type { AddressInput } from '../../solana/addresses.js';
import type { BuiltTransaction } from '../../transaction/built.js';
import { buildCreatorFeeClaim, type CreatorFeeClaimOptions } from '../../transaction/creator-fee-claim.js';

/** A claim of a standard pool's creator fees to build. */
export interface BuildClaimCreatorTradingFeesInput extends CreatorFeeClaimOptions {
  /** The mint of the token. */
  readonly mint: AddressInput;
  /** The pool's config version. */
  readonly version: number;
}

export const buildClaimCreatorTradingFeesFields =
  /* @__PURE__ */ fieldsOf<BuildClaimCreatorTradingFeesInput>()(() => ({
    documented: {
      ...claim(),
      ...claimAmount(),
      mint: address(),
      version: version(),
    },
    local: transactionLocals(),
  }));

/**
 * Builds the unsigned transaction that claims a standard pool's creator fees and unwraps them. Two calls to the node,
 * made at the same time.
 *
 * The program wants a token account of the receiver for the pool's token: the transaction creates it if it is
 * missing.
 *
 * @param input `computeUnitLimit` defaults to 130000, `computeUnitPrice` to 20000000 micro-lamports.
 * @throws {HeavenError} `not-authorized`, `fees-not-claimable`, `insufficient-balance`, `invalid-amount`,
 * `invalid-address`, `invalid-input`, and those of {@link fetchPoolSnapshot}
 * @example
 * ```ts
 * const { tx } = await buildClaimCreatorTradingFees(client, { amount: 0n, mint, payer, version: 2 });
 * ```
 */
export async function buildClaimCreatorTradingFees(
  client: HeavenClient,
  input: BuildClaimCreatorTradingFeesInput,
): Promise<BuiltTransaction> {
  const [checked, ignored] = checkInput(client, input, buildClaimCreatorTradingFeesFields);
  const { mint, version: configVersion } = checked;
  const built = await buildCreatorFeeClaim(
    client,
    checked,
    'standard',
    { mint, configVersion },
    claimStandardCreatorTradingFees,
  );
  return withWarnings(built, ignored);
}
