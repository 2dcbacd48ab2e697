import { HeavenError } from '../base/errors.js';
import { startsWith } from './discriminator.js';

/** What identifies an account's data. */
export interface AccountShape {
  readonly name: string;
  /** The fewest bytes it may have. */
  readonly size: number;
  /** Its first eight bytes, if it has a discriminator. */
  readonly discriminator?: ArrayLike<number>;
}

export const view = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

// Integers as numbers, straight from the bytes: on a hot path, creating a view costs more than reading them.
export const uint16 = (data: Uint8Array, at: number): number =>
  (data[at] as number) | ((data[at + 1] as number) << 8);
export const uint32 = (data: Uint8Array, at: number): number =>
  (uint16(data, at) | (uint16(data, at + 2) << 16)) >>> 0;

/** Whether the 64-bit integer at one offset is less than the one at another. */
export function isLessUint64(data: Uint8Array, at: number, other: number): boolean {
  const high = uint32(data, at + 4);
  const otherHigh = uint32(data, other + 4);
  return high < otherHigh || (high === otherHigh && uint32(data, at) < uint32(data, other));
}

/** Why data can't be an account's: it is too short, or has another discriminator. */
export function faultIn({ size, discriminator = [] }: AccountShape, bytes: Uint8Array): string | undefined {
  // Bytes of another realm have another class. A DataView has no length.
  if (!ArrayBuffer.isView(bytes)) return 'it is not a Uint8Array';
  if (!(bytes.length >= size)) return `it has ${bytes.length} bytes, but ${size} are needed`;
  return startsWith(bytes, discriminator) ? undefined : 'it starts with another discriminator';
}

/** Rejects data of the wrong size, or with another discriminator. */
export function assertShape(shape: AccountShape, bytes: Uint8Array, address?: string): void {
  const fault = faultIn(shape, bytes);
  if (fault) throw invalidAccount(shape.name, fault, address);
}

/** A view of an account's data, once it has the right size and discriminator. Without kit: a quote needs this. */
export function openAccount(shape: AccountShape, bytes: Uint8Array, address?: string): DataView {
  assertShape(shape, bytes, address);
  return view(bytes);
}

/** The error when an account decodes but holds what the program never writes. */
export function implausibleAccount(
  account: string,
  field: string,
  found: bigint | number,
  expected: string,
  address: string | undefined,
): HeavenError {
  const reason = `${field} is ${found}, and must be ${expected}`;
  return new HeavenError(
    'rpc-wrong-account',
    `The ${account} ${address ?? 'data'} can't be right: ${reason}. Use another node.`,
    { account, address, reason, field, found: BigInt(found), expected },
  );
}

export const invalidAccount = (account: string, reason: string, address?: string) =>
  new HeavenError(
    'invalid-account-data',
    `${address === undefined ? 'The data' : `The account ${address}`} is not a valid ${account}: ${reason}.`,
    { account, reason, ...(address === undefined ? {} : { address }) },
  );
