import {
  type Address,
  getAddressDecoder,
  getAddressEncoder,
  isAddress,
  isOffCurveAddress,
  type ReadonlyUint8Array,
} from '@solana/kit';

import { HeavenError } from '../base/errors.js';
import { describeKey } from '../base/shown.js';
import { createRecent } from './recent.js';

const validAddresses = /* @__PURE__ */ createRecent<true>(16_384);

/** Whether it is a base58 address of 32 bytes. Caches valid ones (bounded), because the check takes some 10 microseconds. */
export function isValidAddress(value: unknown): value is Address {
  if (typeof value !== 'string') return false;
  if (validAddresses.get(value)) return true;
  if (!isAddress(value)) return false;
  validAddresses.set(value, true);
  return true;
}

const offCurve = /* @__PURE__ */ createRecent<'yes' | 'no'>(16_384);

/** Whether no key can sign for an address, as for a multisig's vault: only its program can. Cached (bounded): it takes some 300 microseconds. */
export function isOffCurve(address: Address): boolean {
  const known = offCurve.get(address);
  if (known !== undefined) return known === 'yes';
  const found = isOffCurveAddress(address);
  offCurve.set(address, found ? 'yes' : 'no');
  return found;
}

/** Rejects anything but a base58 address of 32 bytes. */
export function assertAddress(value: unknown, field: string): asserts value is Address {
  if (isValidAddress(value)) return;
  throw new HeavenError(
    'invalid-address',
    `${field} must be a base58 address of 32 bytes; got ${describeKey(value)}.`,
    { field, value },
  );
}

export const bytesOfAddress = (address: Address): Uint8Array<ArrayBuffer> =>
  getAddressEncoder().encode(address) as Uint8Array<ArrayBuffer>;

/**
 * The address in some data.
 * @throws {SolanaError} when the data ends before it does
 */
export const addressAt = (data: ReadonlyUint8Array, offset = 0): Address =>
  getAddressDecoder().decode(data, offset);

/** An address, or an object that has one, such as a signer or an account. */
export type AddressInput = Address | { readonly address: Address };

/** The address of an {@link AddressInput} that was checked. */
export const plainAddress = (value: AddressInput): Address =>
  typeof value === 'object' ? value.address : value;

/** The address of what should be an {@link AddressInput}. Read it once: an object's may differ the next time. */
export function addressOf(value: unknown): unknown {
  try {
    return typeof value === 'object' && value !== null && 'address' in value ? value.address : value;
  } catch {
    return value;
  }
}

/** Checks an {@link AddressInput}, and returns its address. */
export function addressIn(value: unknown, field: string): Address {
  const address = addressOf(value);
  assertAddress(address, field);
  return address;
}
