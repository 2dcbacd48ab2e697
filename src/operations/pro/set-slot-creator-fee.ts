import { withWarnings } from '../../base/warnings.js';
import { checkInput, fieldsOf } from '../../input/check-input.js';
import { slotSchedule, transactionLocals } from '../../input/transactions.js';
import type { HeavenClient } from '../../program/client.js';
import { creatorSetProSlotCreatorFee } from '../../program/instructions/declarations.js';
import { buildInstruction } from '../../solana/define-instruction.js';
import type { BuiltTransaction } from '../../transaction/built.js';
import {
  assertSlotConfiguration,
  assertSlotFees,
  type SlotFeeConfiguration,
  toSlotFeeBrackets,
} from './brackets.js';
import { buildSetCreatorFee, type CreatorOperationOptions, creatorFields } from './creator-operation.js';

/** A pro pool's new creator fee by slots since its launch, which replaces the current one. */
export interface BuildProSetSlotCreatorFeeInput extends CreatorOperationOptions, SlotFeeConfiguration {}

export const buildProSetSlotCreatorFeeFields = /* @__PURE__ */ fieldsOf<BuildProSetSlotCreatorFeeInput>()(
  () => ({
    documented: { ...creatorFields(), ...slotSchedule() },
    local: transactionLocals(),
  }),
);

/**
 * Builds the unsigned transaction that sets a pro pool's creator fee by slots since its launch, up to the config's highest.
 * While it is enabled and its window lasts, it takes precedence over the fee by market cap.
 *
 * @throws {HeavenError} `operation-disabled`, and those of {@link buildProSetLpFee}
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
  const [checked, ignored] = checkInput(client, input, buildProSetSlotCreatorFeeFields);
  assertSlotConfiguration(checked, '');
  const built = await buildSetCreatorFee(
    client,
    checked,
    (maxBps) => assertSlotFees(checked, '', maxBps),
    (accounts) => {
      const fees = toSlotFeeBrackets(checked);
      return {
        instructions: [
          buildInstruction(creatorSetProSlotCreatorFee, client.deployment, { ...accounts, fees }),
        ],
      };
    },
  );
  return withWarnings(built, ignored);
}
