import type { Commitment } from '@solana/kit';

import { invalidInput } from '../base/input.js';

/** How certain the cluster is, from the least certain. */
export const COMMITMENTS = ['processed', 'confirmed', 'finalized'] as const satisfies readonly Commitment[];

export const isCommitment = (value: unknown): value is Commitment =>
  (COMMITMENTS as readonly unknown[]).includes(value);

/** Rejects anything but a commitment. */
export function assertCommitment(value: unknown): void {
  if (!isCommitment(value)) throw invalidInput('commitment', value, `one of ${COMMITMENTS.join(', ')}`);
}
