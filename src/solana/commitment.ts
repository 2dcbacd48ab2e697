import type { Commitment } from '@solana/kit';

import { invalidInput } from '../base/input.js';

/** How certain the cluster is, from the least certain. */
export const COMMITMENTS: readonly unknown[] = [
  'processed',
  'confirmed',
  'finalized',
] satisfies readonly Commitment[];

/** Rejects anything but a commitment. */
export function assertCommitment(value: unknown): void {
  if (!COMMITMENTS.includes(value))
    throw invalidInput('commitment', value, `one of ${COMMITMENTS.join(', ')}`);
}
