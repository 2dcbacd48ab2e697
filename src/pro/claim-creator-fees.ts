import type { Address } from '@solana/kit';
import { type BuiltTransaction, TRANSACTION_FIELDS } from '../build/assemble.js';
import {
  buildCreatorFeeClaim,
  CLAIM_FIELDS,
  type CreatorFeeClaimOptions,
} from '../build/creator-fee-claim.js';
import type { HeavenClient } from '../client.js';
import { assertInput } from '../input.js';
import { getClaimProCreatorTradingFeesInstruction } from '../program/instructions.js';
import { assertAddress } from '../solana/addresses.js';
import { withWarnings } from '../warnings.js';

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
  const ignored = assertInput(client, input, TRANSACTION_FIELDS, { ...CLAIM_FIELDS, pool: 1 });
  const { pool } = input;
  assertAddress(pool, 'pool');
  const getInstruction = getClaimProCreatorTradingFeesInstruction;
  const built = await buildCreatorFeeClaim(client, input, 'pro', { pool }, getInstruction);
  return withWarnings(built, ignored);
}
