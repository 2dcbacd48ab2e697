import {
  AccountRole,
  type Address,
  getBase64EncodedWireTransaction,
  type KeyPairSigner,
  type V1TransactionConfig,
} from '@solana/kit';
import { COMPUTE_BUDGET_PROGRAM_ADDRESS } from '../support/addresses.js';
import { asMutable, compileDraft, type Draft, type Mutable, putTogether, takeApart } from './support.js';

export const LIGHTHOUSE = 'L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95' as Address;

/** A transaction of version 0 or 1, taken apart with kit alone, to be changed and put together again. */
export type Parts = Draft;
export { compileDraft as compile, takeApart as partsOf };

export const copyOf = (parts: Parts): Parts => ({
  ...parts,
  instructions: parts.instructions.map(asMutable),
  config: { ...parts.config },
});

export const unsigned = (parts: Parts): string => getBase64EncodedWireTransaction(compileDraft(parts));

export const signedBy = (parts: Parts, ...signers: readonly KeyPairSigner[]): Promise<string> =>
  putTogether(parts, signers);

/** The same transaction in version 1: the compute budget goes into its config. */
export function inVersion1({ tables: _, ...parts }: Parts, config: V1TransactionConfig): Parts {
  const instructions = parts.instructions.filter(
    ({ programAddress }) => programAddress !== COMPUTE_BUDGET_PROGRAM_ADDRESS,
  );
  return { ...parts, version: 1, tables: {}, instructions, config };
}

const u64 = (value: bigint) => [...new Uint8Array(new BigUint64Array([value]).buffer)];

/** An instruction of Lighthouse, by its bytes. */
export const guard = (accounts: readonly Address[], ...data: readonly number[]): Mutable => ({
  programAddress: LIGHTHOUSE,
  accounts: accounts.map((address) => ({ address, role: AccountRole.READONLY })),
  data: Uint8Array.from(data),
});

/** What Phantom was seen to add, byte for byte: kinds, log level, number of assertions, and each with its operator. */
export const GUARDS = {
  payer: (payer: Address) => guard([payer], 6, 4, 3, 0, ...u64(1n), 4, 3, 0, 0, 1, ...u64(0n), 0),
  system: (account: Address) => guard([account], 6, 4, 2, 3, 0, 0, 1, ...u64(0n), 0),
  tokenAfter: (account: Address) =>
    guard([account], 10, 4, 4, 2, ...u64(1n), 4, 3, 0, 0, 6, ...u64(0n), 5, 8),
  missing: (account: Address) => guard([account], 6, 4, 1, 0, ...u64(0n), 0),
} as const;
