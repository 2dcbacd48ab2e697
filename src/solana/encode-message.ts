import type { Address, ReadonlyUint8Array, TransactionMessageBytes } from '@solana/kit';

import { addressBytes } from './base58.js';

// The bytes of a version 0 message that kit has compiled. kit's own encoder sets up all its codecs for each message, which takes
// two thirds of a build.

/** What kit's `compileTransactionMessage` gives for version 0. */
interface CompiledVersion0 {
  readonly header: {
    readonly numSignerAccounts: number;
    readonly numReadonlySignerAccounts: number;
    readonly numReadonlyNonSignerAccounts: number;
  };
  readonly staticAccounts: readonly Address[];
  readonly lifetimeToken: string;
  readonly instructions: readonly {
    readonly programAddressIndex: number;
    readonly accountIndices?: readonly number[];
    readonly data?: ReadonlyUint8Array;
  }[];
  readonly addressTableLookups?: readonly {
    readonly lookupTableAddress: Address;
    readonly writableIndexes: readonly number[];
    readonly readonlyIndexes: readonly number[];
  }[];
}

const VERSION_0 = 0x80;
/** No transaction is as long. */
const ROOM = 1_232;

export function encodeVersion0({
  header,
  staticAccounts,
  lifetimeToken,
  instructions,
  addressTableLookups = [],
}: CompiledVersion0): TransactionMessageBytes {
  let bytes = new Uint8Array(ROOM);
  let size = 0;
  const write = (values: ArrayLike<number>) => {
    const start = size;
    size += values.length;
    if (size > bytes.length) {
      const larger = new Uint8Array(2 * size);
      larger.set(bytes);
      bytes = larger;
    }
    bytes.set(values, start);
  };
  /** Values behind how many they are, in seven bits a byte. */
  const writeList = (values: ArrayLike<number>) => {
    writeLength(values.length);
    write(values);
  };
  const writeLength = (length: number) => {
    for (let rest = length; ; rest >>= 7) {
      write([rest < 0x80 ? rest : (rest & 0x7f) | 0x80]);
      if (rest < 0x80) return;
    }
  };
  const { numSignerAccounts, numReadonlySignerAccounts, numReadonlyNonSignerAccounts } = header;
  write([VERSION_0, numSignerAccounts, numReadonlySignerAccounts, numReadonlyNonSignerAccounts]);
  writeLength(staticAccounts.length);
  for (const address of staticAccounts) write(bytesOf(address));
  write(bytesOf(lifetimeToken));
  writeLength(instructions.length);
  for (const { programAddressIndex, accountIndices = [], data = [] } of instructions) {
    write([programAddressIndex]);
    writeList(accountIndices);
    writeList(data);
  }
  writeLength(addressTableLookups.length);
  for (const { lookupTableAddress, writableIndexes, readonlyIndexes } of addressTableLookups) {
    write(bytesOf(lookupTableAddress));
    writeList(writableIndexes);
    writeList(readonlyIndexes);
  }
  return bytes.slice(0, size) as ReadonlyUint8Array as TransactionMessageBytes;
}

function bytesOf(text: string): Uint8Array {
  const bytes = typeof text === 'string' ? addressBytes(text) : undefined;
  if (bytes === undefined) throw new TypeError(`${String(text)} is not a base58 address of 32 bytes.`);
  return bytes;
}
