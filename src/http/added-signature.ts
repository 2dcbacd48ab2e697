import type { Base64EncodedWireTransaction, ReadonlyUint8Array } from '@solana/kit';
import type { HeavenError } from '../errors.js';

// Loaded on demand, so pages without launches don't download it. It imports nothing, because code shared with the client would
// become a separate chunk.

type Refuse = (reason: string) => HeavenError;
type LastAnswer = { readonly tx: Base64EncodedWireTransaction };

const SIGNATURE_BYTES = 64;
const VERSION_1 = 0x81;

/** Asks the service for the mint's signature, and checks the answer. `mint`: the bytes of the address. */
export async function addMintSignature(
  transaction: string | ReadonlyUint8Array,
  mint: Uint8Array<ArrayBuffer>,
  ask: (body: string) => Promise<{ readonly value: LastAnswer; readonly refuse: Refuse }>,
): Promise<LastAnswer> {
  // A wallet's bytes may come from another realm with its own Uint8Array class.
  const signed = ArrayBuffer.isView(transaction)
    ? btoa(Array.from(transaction as Uint8Array, (byte) => String.fromCharCode(byte)).join(''))
    : transaction;
  const { value, refuse } = await ask(JSON.stringify({ tx: signed }));
  await assertOnlyMintSigned(value.tx, { signed, mint, refuse });
  return value;
}

/**
 * Rejects an answer unless it is, byte by byte, what the wallet signed plus the mint's signature. Any other change could make
 * the transaction do something else.
 *
 * @throws {HeavenError} what `refuse` returns
 */
async function assertOnlyMintSigned(
  tx: string,
  { signed, mint, refuse }: { signed: string; mint: Uint8Array<ArrayBuffer>; refuse: Refuse },
): Promise<void> {
  const [given, found] = [bytesOf(signed), bytesOf(tx)];
  // Version 1 starts with its version and the number of signers, and ends with the signatures. Other versions start with the signatures.
  const isVersion1 = given[0] === VERSION_1;
  const count = given[isVersion1 ? 1 : 0] ?? 0;
  const start = isVersion1 ? given.length - count * SIGNATURE_BYTES : 1;
  const end = start + count * SIGNATURE_BYTES;
  const isMissing = (at: number) => given.subarray(at, at + SIGNATURE_BYTES).every((byte) => byte === 0);
  const [at, ...more] = Array.from({ length: count }, (_, index) => start + index * SIGNATURE_BYTES).filter(
    isMissing,
  );
  if (at === undefined || more.length > 0)
    throw refuse(
      `what was signed lacks ${more.length > 0 ? 'more signatures than' : 'no signature, not even'} the mint's`,
    );
  const signature = found.slice(at, at + SIGNATURE_BYTES);
  const isTheRest =
    found.length === given.length &&
    found.every((byte, index) => byte === given[index] || (index >= at && index < at + SIGNATURE_BYTES));
  if (!isTheRest) throw refuse("its tx differs from the signed one in more than the mint's signature");
  const message = isVersion1 ? given.slice(0, start) : given.slice(end);
  const key = await crypto.subtle.importKey('raw', mint, 'Ed25519', false, ['verify']);
  if (!(await crypto.subtle.verify('Ed25519', key, signature, message)))
    throw refuse("its tx has no valid signature of the launch's mint");
}

function bytesOf(tx: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(tx), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}
