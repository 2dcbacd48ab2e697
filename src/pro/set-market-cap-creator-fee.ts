import type { BuiltTransaction } from '../build/assemble.js';
import type { HeavenClient } from '../client.js';
import { getCreatorSetProMarketCapCreatorFeeInstruction } from '../program/instructions.js';
import { assertBrackets, endingBrackets, toFeeBrackets } from './brackets.js';
import { buildCreatorOperation } from './creator-operation.js';
import { mostCreatorFee, proConfigAddress, type SetFeeInput } from './set-fee.js';

/**
 * Builds the unsigned transaction that sets a pro pool's creator fee by market cap, up to the config's highest.
 *
 * @throws {HeavenError} `not-pool-creator`, `creator-fee-locked`, `invalid-brackets`, `fee-too-high`,
 * `invalid-address`, `pool-not-found`, `pool-kind-mismatch`, and the `rpc-…` codes
 * @example
 * ```ts
 * const brackets = [{ marketCapUpperBound: 9_223_372_036_854_775_807n, buyFeeBps: 50, sellFeeBps: 50 }];
 * const { tx } = await buildProSetMarketCapCreatorFee(client, { pool, payer: creator, brackets });
 * ```
 */
export async function buildProSetMarketCapCreatorFee(
  client: HeavenClient,
  input: SetFeeInput,
): Promise<BuiltTransaction> {
  const { brackets } = input;
  assertBrackets(brackets, 'brackets');
  const config = await proConfigAddress(client);
  return await buildCreatorOperation(client, input, [config], async (pool, accounts) => {
    assertBrackets(brackets, 'brackets', await mostCreatorFee(client, pool, config, input));
    const { programAddress } = pool.addresses;
    return {
      instruction: getCreatorSetProMarketCapCreatorFeeInstruction(
        { ...accounts, fees: toFeeBrackets(brackets) },
        { programAddress },
      ),
      warnings: endingBrackets(brackets, 'brackets'),
    };
  });
}
