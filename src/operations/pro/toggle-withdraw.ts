import type { HeavenClient } from '../../program/client.js';
import { creatorToggleProWithdraw } from '../../program/instructions/declarations.js';
import type { BuiltTransaction } from '../../transaction/built.js';
import { type BuildProToggleInput, buildToggle } from './creator-operation.js';

/**
 * Builds the unsigned transaction that switches a pro pool's withdrawals on or off. While they are off, no
 * liquidity provider can withdraw: a warning says so.
 *
 * @throws {HeavenError} those of {@link buildProToggleSwap}
 * @example
 * ```ts
 * const { tx } = await buildProToggleWithdraw(client, { pool, payer: creator, enabled: false });
 * ```
 */
export const buildProToggleWithdraw = (
  client: HeavenClient,
  input: BuildProToggleInput,
): Promise<BuiltTransaction> => buildToggle(client, input, 'removeLiquidity', creatorToggleProWithdraw);
