import type { HeavenClient } from '../../program/client.js';
import { creatorSetProMarketCapLpFee } from '../../program/instructions/declarations.js';
import type { BuiltTransaction } from '../../transaction/built.js';
import { type BuildProSetFeeInput, buildSetFee } from './creator-operation.js';

/**
 * Builds the unsigned transaction that sets a pro pool's liquidity provider fee by market cap.
 *
 * @throws {HeavenError} `not-authorized`, `invalid-fees`, `invalid-address`, `pool-not-found`,
 * `pool-mismatch`, and the `rpc-…` codes
 * @example
 * ```ts
 * const brackets = [{ marketCapUpperBound: 9_223_372_036_854_775_807n, buyFeeBps: 50, sellFeeBps: 50 }];
 * const { tx } = await buildProSetLpFee(client, { pool, payer: creator, brackets });
 * ```
 */
export const buildProSetLpFee = (
  client: HeavenClient,
  input: BuildProSetFeeInput,
): Promise<BuiltTransaction> => buildSetFee(client, input, creatorSetProMarketCapLpFee);
