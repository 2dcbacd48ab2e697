import {
  AccountRole,
  type Address,
  decompileTransactionMessage,
  getAddressEncoder,
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  type Instruction,
  type KeyPairSigner,
  type V1TransactionConfig,
} from '@solana/kit';

import { asMutable, compileDraft, type Mutable, putTogether } from './support.js';

export const LIGHTHOUSE = 'L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95' as Address;

const UNITS = 'ComputeBudget111111111111111111111111111111';

/** A transaction of version 0 or 1, taken apart with kit alone, to be changed and put together again. */
export interface Parts {
  version: 0 | 1;
  feePayer: Address;
  blockhash: string;
  instructions: Mutable[];
  tables: Record<Address, Address[]>;
  config: V1TransactionConfig;
}

export function partsOf(tx: string, tables: Record<Address, Address[]> = {}): Parts {
  const { messageBytes } = getTransactionDecoder().decode(getBase64Encoder().encode(tx));
  const compiled = getCompiledTransactionMessageDecoder().decode(messageBytes);
  const message = decompileTransactionMessage(compiled, { addressesByLookupTableAddress: tables });
  return {
    version: message.version as 0 | 1,
    feePayer: message.feePayer.address,
    blockhash: compiled.lifetimeToken,
    instructions: (message.instructions as readonly Instruction[]).map(asMutable),
    tables,
    config: ('config' in message ? message.config : undefined) ?? {},
  };
}

export const copyOf = (parts: Parts): Parts => ({
  ...parts,
  instructions: parts.instructions.map(asMutable),
  config: { ...parts.config },
});

/** Compiles the parts: sorts the accounts again, without signatures. */
export const compile = (parts: Parts) => compileDraft(parts, parts.blockhash);

export const unsigned = (parts: Parts): string => getBase64EncodedWireTransaction(compile(parts));

export const signedBy = (parts: Parts, ...signers: readonly KeyPairSigner[]): Promise<string> =>
  putTogether(parts, signers, parts.blockhash);

/** The same transaction in version 1: the compute budget goes into its config. */
export function inVersion1({ tables: _, ...parts }: Parts, config: V1TransactionConfig): Parts {
  const instructions = parts.instructions.filter(({ programAddress }) => programAddress !== UNITS);
  return { ...parts, version: 1, tables: {}, instructions, config };
}

/** The compute unit limit that an instruction sets. */
export const limitOf = ({ instructions }: Parts): number =>
  new DataView(
    instructions.find(({ programAddress, data }) => programAddress === UNITS && data[0] === 2)!.data.buffer,
  ).getUint32(1, true);

const u64 = (value: bigint) => [...new Uint8Array(new BigUint64Array([value]).buffer)];

/** An instruction of Lighthouse, by its bytes. */
export const guard = (accounts: readonly Address[], ...data: readonly number[]): Mutable => ({
  programAddress: LIGHTHOUSE,
  accounts: accounts.map((address) => ({ address, role: AccountRole.READONLY })),
  data: Uint8Array.from(data),
});

/** What Phantom was seen to add, byte for byte: kinds, log level, number of assertions, and each with its operator. */
export const GUARDS = {
  payer: (payer: Address, least = 1n) =>
    guard([payer], 6, 4, 3, 0, ...u64(least), 4, 3, 0, 0, 1, ...u64(0n), 0),
  system: (account: Address) => guard([account], 6, 4, 2, 3, 0, 0, 1, ...u64(0n), 0),
  tokenAfter: (account: Address, least = 1n) =>
    guard([account], 10, 4, 4, 2, ...u64(least), 4, 3, 0, 0, 6, ...u64(0n), 5, 8),
  tokenBefore: (account: Address) => guard([account], 10, 4, 3, 3, 0, 0, 6, ...u64(0n), 5, 8),
  owner: (account: Address, owner: Address) =>
    guard([account], 6, 4, 1, 2, ...getAddressEncoder().encode(owner), 0),
  missing: (account: Address) => guard([account], 6, 4, 1, 0, ...u64(0n), 0),
} as const;
