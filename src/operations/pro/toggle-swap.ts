import type { HeavenClient } from '../../program/client.js';
import { creatorToggleProSwap } from '../../program/instructions/declarations.js';
import type { BuiltTransaction } from '../../transaction/built.js';
import { type BuildProToggleInput, buildToggle } from './creator-operation.js';

/**
 * Builds the unsigned transaction that switches swaps in a pro pool on or off. While it is off, every
 * buy and sell fails.
 *
 * @throws {HeavenError} `not-authorized`, `invalid-input`, `invalid-address`, `pool-not-found`,
 * `pool-mismatch`, and the `rpc-…` codes
 * @example
 * ```ts
 * const { tx } = await buildProToggleSwap(client, { pool, payer: creator, enabled: false });
 * ```
 */
export const buildProToggleSwap = (
  client: HeavenClient,
  input: BuildProToggleInput,
): Promise<BuiltTransaction> => buildToggle(client, input, 'swap', creatorToggleProSwap);
