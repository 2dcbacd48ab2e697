import type { HeavenClient } from '../../program/client.js';
import { creatorSetProMarketCapReflectionFee } from '../../program/instructions/declarations.js';
import type { BuiltTransaction } from '../../transaction/built.js';
import { type BuildProSetFeeInput, buildSetFee } from './creator-operation.js';

/**
 * Builds the unsigned transaction that sets a pro pool's reflection fee, which goes to the holders of the token, by market cap.
 *
 * @throws {HeavenError} those of {@link buildProSetLpFee}
 * @example
 * ```ts
 * const brackets = [{ marketCapUpperBound: 9_223_372_036_854_775_807n, buyFeeBps: 50, sellFeeBps: 50 }];
 * const { tx } = await buildProSetReflectionFee(client, { pool, payer: creator, brackets });
 * ```
 */
export const buildProSetReflectionFee = (
  client: HeavenClient,
  input: BuildProSetFeeInput,
): Promise<BuiltTransaction> => buildSetFee(client, input, creatorSetProMarketCapReflectionFee);
