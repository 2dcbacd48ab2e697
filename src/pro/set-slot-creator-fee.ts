import type { BuiltTransaction } from '../build/assemble.js';
import type { HeavenClient } from '../client.js';
import { getCreatorSetProSlotCreatorFeeInstruction } from '../program/instructions.js';
import { assertSlotConfiguration, type SlotFeeConfiguration, toSlotFeeBrackets } from './brackets.js';
import { buildCreatorOperation, type CreatorOperationOptions } from './creator-operation.js';
import { mostCreatorFee, proConfigAddress } from './set-fee.js';

/** A pro pool's creator fee by slots since its launch, to replace the one in force. */
export interface BuildProSetSlotCreatorFeeInput extends CreatorOperationOptions, SlotFeeConfiguration {}

/**
 * Builds the unsigned transaction that sets a pro pool's creator fee by slots since its launch, up to the config's highest.
 * While it is enabled and its window lasts, it goes before the fee by market cap.
 *
 * @throws {HeavenError} `not-pool-creator`, `creator-fee-locked`, `invalid-brackets`, `fee-too-high`,
 * `invalid-address`, `pool-not-found`, `pool-kind-mismatch`, and the `rpc-…` codes
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
  assertSlotConfiguration(input, '');
  const config = await proConfigAddress(client);
  return await buildCreatorOperation(client, input, [config], async (pool, accounts) => {
    assertSlotConfiguration(input, '', await mostCreatorFee(client, pool, config, input));
    const { programAddress } = pool.addresses;
    return {
      instruction: getCreatorSetProSlotCreatorFeeInstruction(
        { ...accounts, fees: toSlotFeeBrackets(input) },
        { programAddress },
      ),
    };
  });
}
