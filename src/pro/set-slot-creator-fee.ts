import { type BuiltTransaction, TRANSACTION_FIELDS } from '../build/assemble.js';
import type { HeavenClient } from '../client.js';
import { assertInput } from '../input.js';
import { getCreatorSetProSlotCreatorFeeInstruction } from '../program/instructions.js';
import { withWarnings } from '../warnings.js';
import {
  assertSlotConfiguration,
  SLOT_FEE_FIELDS,
  type SlotFeeConfiguration,
  toSlotFeeBrackets,
} from './brackets.js';
import { buildSetCreatorFee, CREATOR_FIELDS, type CreatorOperationOptions } from './creator-operation.js';

/** A pro pool's new creator fee by slots since its launch, which replaces the current one. */
export interface BuildProSetSlotCreatorFeeInput extends CreatorOperationOptions, SlotFeeConfiguration {}

/**
 * Builds the unsigned transaction that sets a pro pool's creator fee by slots since its launch, up to the config's highest.
 * While it is enabled and its window lasts, it takes precedence over the fee by market cap.
 *
 * @throws {HeavenError} `creator-fee-locked`, and those of {@link buildProSetLpFee}
 * @example
 * ```ts
 * const brackets = [{ slotOffsetUpperbound: 15, buyFeeBps: 1000, sellFeeBps: 1000 }];
 * const schedule = { brackets, maxSlotOffset: 15, maxFeeBps: 1000, enabled: true };
 * const { tx } = await buildProSetSlotCreatorFee(client, { pool, payer: creator, ...schedule });
 * ```
 */
export async function buildProSetSlotCreatorFee(
  client: HeavenClient,
  input: BuildProSetSlotCreatorFeeInput,
): Promise<BuiltTransaction> {
  const ignored = assertInput(client, input, TRANSACTION_FIELDS, { ...CREATOR_FIELDS, ...SLOT_FEE_FIELDS });
  const built = await buildSetCreatorFee(
    client,
    input,
    (mostBps) => assertSlotConfiguration(input, '', mostBps),
    (accounts, config) => {
      const fees = toSlotFeeBrackets(input);
      return { instructions: [getCreatorSetProSlotCreatorFeeInstruction({ ...accounts, fees }, config)] };
    },
  );
  return withWarnings(built, ignored);
}
