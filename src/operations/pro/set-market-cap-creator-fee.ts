import { withWarnings } from '../../base/warnings.js';
import { checkInput } from '../../input/check-input.js';
import type { HeavenClient } from '../../program/client.js';
import { creatorSetProMarketCapCreatorFee } from '../../program/instructions/declarations.js';
import type { BuiltTransaction } from '../../transaction/built.js';
import { assertBracketFees, assertBrackets } from './brackets.js';
import {
  type BuildProSetFeeInput,
  buildSetCreatorFee,
  setFeeFields,
  settingOf,
} from './creator-operation.js';

/**
 * Builds the unsigned transaction that sets a pro pool's creator fee by market cap, up to the config's highest.
 *
 * @throws {HeavenError} `operation-disabled`, and those of {@link buildProSetLpFee}
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
  const [checked, ignored] = checkInput(client, input, setFeeFields);
  assertBrackets(checked.brackets, 'brackets');
  const built = await buildSetCreatorFee(
    client,
    checked,
    (maxBps) => assertBracketFees(checked.brackets, 'brackets', maxBps),
    (accounts) => settingOf(client, checked, creatorSetProMarketCapCreatorFee, accounts),
  );
  return withWarnings(built, ignored);
}
