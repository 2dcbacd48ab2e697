import type { Address } from '@solana/kit';
import { type BuiltTransaction, TRANSACTION_FIELDS } from '../build/assemble.js';
import {
  buildCreatorFeeClaim,
  CLAIM_FIELDS,
  type CreatorFeeClaimOptions,
} from '../build/creator-fee-claim.js';
import type { HeavenClient } from '../client.js';
import { assertInput } from '../input.js';
import { assertConfigVersion } from '../program/addresses.js';
import { getClaimStandardCreatorTradingFeesInstruction } from '../program/instructions.js';
import { assertAddress } from '../solana/addresses.js';
import { withWarnings } from '../warnings.js';

/** A claim of a standard pool's creator fees to build. */
export interface BuildClaimCreatorTradingFeesInput extends CreatorFeeClaimOptions {
  readonly mint: Address;
  /** The pool's config version. */
  readonly version: number;
}

/**
 * Builds the unsigned transaction that claims a standard pool's creator fees and unwraps them. Two calls to the node,
 * made at the same time.
 *
 * The program wants a token account of the receiver for the pool's token: the transaction creates it if it is
 * missing.
 *
 * @param input `computeUnitLimit` defaults to 130000, `computeUnitPrice` to 20000000 micro-lamports.
 * @throws {HeavenError} `not-fee-receiver`, `fees-not-claimable`, `insufficient-fees`, `invalid-amount`,
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
  const ignored = assertInput(client, input, TRANSACTION_FIELDS, { ...CLAIM_FIELDS, mint: 1, version: 1 });
  const { mint, version: configVersion } = input;
  assertAddress(mint, 'mint');
  assertConfigVersion(configVersion, 'version');
  const built = await buildCreatorFeeClaim(
    client,
    input,
    'standard',
    { mint, configVersion },
    getClaimStandardCreatorTradingFeesInstruction,
  );
  return withWarnings(built, ignored);
}
