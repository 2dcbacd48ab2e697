import type { BuiltTransaction } from '../build/assemble.js';
import type { HeavenClient } from '../client.js';
import { getCreatorToggleProWithdrawInstruction } from '../program/instructions.js';
import { buildToggle, type ToggleInput } from './toggle.js';

/**
 * Builds the unsigned transaction that switches withdrawals of a pro pool on or off. While it is off, no
 * liquidity provider can withdraw: a warning says so.
 *
 * @throws {HeavenError} `not-pool-creator`, `invalid-input`, `invalid-address`, `pool-not-found`,
 * `pool-kind-mismatch`, and the `rpc-…` codes
 * @example
 * ```ts
 * const { tx } = await buildProToggleWithdraw(client, { pool, payer: creator, enabled: false });
 * ```
 */
export const buildProToggleWithdraw = (client: HeavenClient, input: ToggleInput): Promise<BuiltTransaction> =>
  buildToggle(client, input, 'removeLiquidity', getCreatorToggleProWithdrawInstruction);
