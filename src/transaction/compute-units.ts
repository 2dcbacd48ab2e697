import { assertWhole, inputError, invalidInput } from '../base/input.js';
import { U32_MAX, U64_MAX } from '../base/integers.js';
import { MAX_COMPUTE_UNITS } from '../solana/limits.js';

/**
 * The compute units of a transaction and the price of each, checked as its version needs it. Without kit: patching a prepared
 * trade needs this.
 */
export function computeUnitsOf(
  version: 0 | 1,
  limit: bigint | number,
  price: bigint | number,
): { readonly units: number; readonly price: bigint } {
  const units = Number(budgetValue('computeUnitLimit', limit, BigInt(U32_MAX)));
  const microLamports = budgetValue('computeUnitPrice', price, U64_MAX);
  if (version === 0) return { units, price: microLamports };
  if (units === 0) {
    throw inputError(
      'computeUnitLimit',
      'computeUnitLimit is 0: a version 1 transaction would fail. Leave it out, or set a limit.',
      units,
    );
  }
  assertWhole('computeUnitLimit', units, [1, MAX_COMPUTE_UNITS]);
  if (BigInt(units) * microLamports > U64_MAX * 1_000_000n) {
    throw inputError(
      'computeUnitPrice',
      `computeUnitPrice is ${microLamports}: for ${units} compute units the priority fee doesn't fit into 64 bits. Set a lower price.`,
      microLamports,
    );
  }
  return { units, price: microLamports };
}

/** A compute unit limit or price as a `bigint`. */
export function budgetValue(field: string, value: bigint | number, most: bigint): bigint {
  const units = typeof value === 'bigint' || Number.isSafeInteger(value) ? BigInt(value) : -1n;
  if (units < 0n || units > most) throw invalidInput(field, value, `a whole number from 0 to ${most}`);
  return units;
}

/** The compute budget of a swap. [Level D](/protocol). */
export const SWAP_COMPUTE_BUDGET = { limit: 200_000, price: 40_000_000n } as const;
