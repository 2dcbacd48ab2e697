import type { Instruction } from '@solana/kit';

import { ceilDiv } from '../math/integers.js';
import { view } from './account-data.js';
import { MAX_COMPUTE_UNITS } from './limits.js';
import { COMPUTE_BUDGET_PROGRAM_ADDRESS } from './programs.js';

const SET_LIMIT = 2;
const SET_PRICE = 3;

/** The compute units that instructions set, no more than the cluster's most, and the price of each in micro-lamports. */
export function readComputeBudget(instructions: readonly Instruction[]): {
  readonly limit: number | undefined;
  readonly price: bigint | undefined;
} {
  let limit: number | undefined;
  let price: bigint | undefined;
  for (const { programAddress, data } of instructions) {
    if (programAddress !== COMPUTE_BUDGET_PROGRAM_ADDRESS || data === undefined) continue;
    const bytes = view(Uint8Array.from(data));
    if (data[0] === SET_LIMIT) limit = Math.min(bytes.getUint32(1, true), MAX_COMPUTE_UNITS);
    if (data[0] === SET_PRICE) price = bytes.getBigUint64(1, true);
  }
  return { limit, price };
}

/** The lamports of a price for each of so many compute units, rounded up as the cluster does. */
export const priorityFee = (limit: number, microLamports: bigint): bigint =>
  ceilDiv(BigInt(limit) * microLamports, 1_000_000n);
