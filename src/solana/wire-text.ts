import {
  type Base64EncodedWireTransaction,
  getBase64Decoder,
  getBase64EncodedWireTransaction,
  type Transaction,
} from '@solana/kit';

import { HeavenError } from '../base/errors.js';
import { invalidIdentity } from '../base/input.js';
import { MAX_TRANSACTION_BYTES_V1 } from './limits.js';

/** The base64 of a transaction that came as text, as bytes or as a kit transaction: a copy that nobody else can change. */
export function wireTextOf(signed: unknown, field = 'signed'): Base64EncodedWireTransaction {
  if (typeof signed === 'string') return signed as Base64EncodedWireTransaction;
  // A wallet's bytes may come from another realm, where Uint8Array is another class.
  if (ArrayBuffer.isView(signed)) {
    // One byte too many is enough for the reader to reject it.
    const length = Math.min(signed.byteLength, MAX_TRANSACTION_BYTES_V1 + 1);
    const bytes = new Uint8Array(signed.buffer, signed.byteOffset, length);
    return getBase64Decoder().decode(bytes) as Base64EncodedWireTransaction;
  }
  const isTransaction =
    typeof signed === 'object' && signed !== null && 'messageBytes' in signed && 'signatures' in signed;
  if (!isTransaction) throw invalidIdentity(field, signed, "a transaction: base64, a Uint8Array, or kit's");
  try {
    return getBase64EncodedWireTransaction(signed as Transaction);
  } catch (cause) {
    throw new HeavenError(
      'malformed-data',
      `${field} can't be encoded as a transaction. Pass what kit's signing functions return.`,
      { what: 'transaction' },
      { cause },
    );
  }
}
