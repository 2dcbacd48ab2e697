import type { Address } from '@solana/kit';
import type { BuiltTransaction } from '../build/assemble.js';
import { buildCreatorFeeClaim, type CreatorFeeClaimOptions } from '../build/creator-fee-claim.js';
import type { HeavenClient } from '../client.js';
import { getClaimProCreatorTradingFeesInstruction } from '../program/instructions.js';
import { assertAddress } from '../solana/addresses.js';

/** A claim of a pro pool's creator fees to build. */
export interface BuildProClaimCreatorFeesInput extends CreatorFeeClaimOptions {
  readonly pool: Address;
}

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
  const { pool } = input;
  assertAddress(pool, 'pool');
  return await buildCreatorFeeClaim(client, input, 'pro', { pool }, getClaimProCreatorTradingFeesInstruction);
}
