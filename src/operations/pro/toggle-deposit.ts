import type { HeavenClient } from '../../program/client.js';
import { creatorToggleProDeposit } from '../../program/instructions/declarations.js';
import type { BuiltTransaction } from '../../transaction/built.js';
import { type BuildProToggleInput, buildToggle } from './creator-operation.js';

/**
 * Builds the unsigned transaction that switches a pro pool's deposits on or off. Positions and
 * withdrawals are unaffected.
 *
 * @throws {HeavenError} those of {@link buildProToggleSwap}
 * @example
 * ```ts
 * const { tx } = await buildProToggleDeposit(client, { pool, payer: creator, enabled: false });
 * ```
 */
export const buildProToggleDeposit = (
  client: HeavenClient,
  input: BuildProToggleInput,
): Promise<BuiltTransaction> => buildToggle(client, input, 'depositLiquidity', creatorToggleProDeposit);
