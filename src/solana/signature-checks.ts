import type { Address, Instruction } from '@solana/kit';

import { view } from './account-data.js';

// Programs of the cluster that check signatures named in their data, each of which is paid for like the transaction's own.

export const ED25519_PROGRAM_ADDRESS = 'Ed25519SigVerify111111111111111111111111111' as Address;
export const SECP256K1_PROGRAM_ADDRESS = 'KeccakSecp256k11111111111111111111111111111' as Address;
const SECP256R1_PROGRAM_ADDRESS = 'Secp256r1SigVerify1111111111111111111111111' as Address;

type CheckInstruction = Pick<Instruction, 'programAddress' | 'data'>;

/** How many signatures an instruction checks. */
export function signaturesChecked({ programAddress, data }: CheckInstruction): number {
  switch (programAddress) {
    case ED25519_PROGRAM_ADDRESS:
    case SECP256K1_PROGRAM_ADDRESS:
    case SECP256R1_PROGRAM_ADDRESS:
      return data?.[0] ?? 0;
  }
  return 0;
}

/**
 * The entries follow the count and an unused byte. Each has at these offsets the indexes of the instructions with its signature, key and
 * message.
 */
const ENTRY = { start: 2, size: 14, instructions: [2, 6, 12] } as const;
const ITSELF = 0xffff;

/** Whether a check finds what it checks by the numbers of instructions: it checks something else if they move. */
export function checksByPosition(instruction: CheckInstruction): boolean {
  const count = signaturesChecked(instruction);
  if (count === 0) return false;
  // It doesn't name itself by number.
  if (instruction.programAddress === SECP256K1_PROGRAM_ADDRESS) return true;
  const data = view(Uint8Array.from(instruction.data ?? []));
  if (data.byteLength < ENTRY.start + count * ENTRY.size) return true;
  return Array.from({ length: count }, (_, index) => ENTRY.start + index * ENTRY.size).some((entry) =>
    ENTRY.instructions.some((at) => data.getUint16(entry + at, true) !== ITSELF),
  );
}
