import type { Commitment } from '@solana/kit';

import { invalidInput } from '../input.js';

/** How certain the cluster is of what it says, from the least certain on. */
export const COMMITMENTS: readonly unknown[] = [
  'processed',
  'confirmed',
  'finalized',
] satisfies readonly Commitment[];

/** Rejects what is not a commitment. */
export function assertCommitment(value: unknown): void {
  if (!COMMITMENTS.includes(value))
    throw invalidInput('commitment', value, `one of ${COMMITMENTS.join(', ')}`);
}
