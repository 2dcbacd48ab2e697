import { type BuiltTransaction, TRANSACTION_FIELDS } from '../build/assemble.js';
import type { HeavenClient } from '../client.js';
import { assertInput } from '../input.js';
import { getCreatorSetProMarketCapCreatorFeeInstruction } from '../program/instructions.js';
import { withWarnings } from '../warnings.js';
import { assertBrackets } from './brackets.js';
import {
  type BuildProSetFeeInput,
  buildSetCreatorFee,
  CREATOR_FIELDS,
  settingOf,
} from './creator-operation.js';

/**
 * Builds the unsigned transaction that sets a pro pool's creator fee by market cap, up to the config's highest.
 *
 * @throws {HeavenError} `creator-fee-locked`, and those of {@link buildProSetLpFee}
 * @example
 * ```ts
 * const brackets = [{ marketCapUpperBound: 9_223_372_036_854_775_807n, buyFeeBps: 50, sellFeeBps: 50 }];
 * const { tx } = await buildProSetMarketCapCreatorFee(client, { pool, payer: creator, brackets });
 * ```
 */
export async function buildProSetMarketCapCreatorFee(
  client: HeavenClient,
  input: BuildProSetFeeInput,
): Promise<BuiltTransaction> {
  const ignored = assertInput(client, input, TRANSACTION_FIELDS, { ...CREATOR_FIELDS, brackets: 1 });
  const built = await buildSetCreatorFee(
    client,
    input,
    (mostBps) => assertBrackets(input.brackets, 'brackets', mostBps),
    (accounts, config) => settingOf(input, getCreatorSetProMarketCapCreatorFeeInstruction, accounts, config),
  );
  return withWarnings(built, ignored);
}
