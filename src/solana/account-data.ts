import { HeavenError } from '../errors.js';

/** What identifies an account's data. */
export interface AccountShape {
  readonly name: string;
  /** The fewest bytes it may have. */
  readonly size: number;
  /** Its first eight bytes, if it has a discriminator. */
  readonly discriminator?: bigint;
}

export const view = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Rejects data that is too short for an account. */
export function assertReadable({ name, size }: AccountShape, bytes: Uint8Array, address?: string): void {
  if (!(bytes instanceof Uint8Array)) throw invalidAccount(name, 'it is not a Uint8Array', address);
  if (bytes.length < size)
    throw invalidAccount(name, `it has ${bytes.length} bytes, but ${size} are needed`, address);
}

/** A view of an account's data, once it has the right size and discriminator. Without kit: a quote needs this. */
export function openAccount(shape: AccountShape, bytes: Uint8Array, address?: string): DataView {
  assertReadable(shape, bytes, address);
  const data = view(bytes);
  if (shape.discriminator !== undefined && data.getBigUint64(0) !== shape.discriminator)
    throw invalidAccount(shape.name, 'it starts with another discriminator', address);
  return data;
}

export const invalidAccount = (account: string, reason: string, address?: string) =>
  new HeavenError(
    'invalid-account-data',
    `${address === undefined ? 'The data' : `The account ${address}`} is not a valid ${account}: ${reason}.`,
    { account, reason, ...(address === undefined ? {} : { address }) },
  );
