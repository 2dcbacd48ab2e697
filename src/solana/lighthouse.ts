import type { Address, ReadonlyUint8Array } from '@solana/kit';

/**
 * Lighthouse: wallets add its assertions to what they sign. The transaction then fails instead of taking more than the
 * wallet showed its user.
 */
export const LIGHTHOUSE_PROGRAM_ADDRESS = 'L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95' as Address;

/** An instruction, as far as it matters here. */
interface Instruction {
  readonly programAddress: Address;
  readonly data: ReadonlyUint8Array;
  readonly accounts: readonly unknown[];
}

/** By the first byte of the data. The two below write to an account of Lighthouse's own, at the payer's expense. */
const [FIRST_ASSERTION, LAST_ASSERTION] = [2, 17];
const [ACCOUNT_DELTA, CLOCK, MERKLE_TREE] = [4, 15, 16];
const ACCOUNT_COUNTS = new Map([
  [ACCOUNT_DELTA, 2],
  [CLOCK, 0],
  [MERKLE_TREE, 3],
]);

/** Whether an instruction is an assertion of Lighthouse, which only compares and fails, with the accounts that it takes. */
export function isLighthouseAssertion({ programAddress, data: [kind], accounts }: Instruction): boolean {
  if (programAddress !== LIGHTHOUSE_PROGRAM_ADDRESS || kind === undefined) return false;
  return (
    kind >= FIRST_ASSERTION && kind <= LAST_ASSERTION && accounts.length === (ACCOUNT_COUNTS.get(kind) ?? 1)
  );
}

/** The one assertion that calls another program, with the accounts that it is given. */
export const callsAnotherProgram = ({ data }: Pick<Instruction, 'data'>): boolean => data[0] === MERKLE_TREE;
