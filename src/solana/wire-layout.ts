import { HeavenError } from '../base/errors.js';
import { isBytes } from '../base/input.js';
import { view } from './account-data.js';

// Where things stand in the bytes of a transaction. Works without kit, and doesn't decode what it only moves.

export const ADDRESS_BYTES = 32;
export const SIGNATURE_BYTES = 64;
/** The first byte of a version 1 transaction, and of a version 0 message. */
const VERSION_0 = 0x80;
const VERSION_1 = 0x81;
const HEADER_BYTES = 3;

/** A transaction's signatures, and what they are over. */
export interface WireEnvelope {
  readonly version: 'legacy' | 0 | 1;
  /** Where the first signature stands. The others follow. */
  readonly signatures: number;
  readonly signers: number;
  readonly messageStart: number;
  readonly messageEnd: number;
  /** Where the addresses stand, the signers' first and in the order of the signatures. */
  readonly addresses: number;
}

const cutShort = (cause?: unknown) =>
  new HeavenError(
    'malformed-data',
    'These are not the bytes of a transaction: they end too early, or count their signers twice and differently.',
    { what: 'transaction' },
    { cause },
  );

/** Finds a transaction's signatures. */
export function wireEnvelopeOf(bytes: Uint8Array): WireEnvelope {
  const isV1 = bytes[0] === VERSION_1;
  const signers = bytes[isV1 ? 1 : 0] ?? 0;
  const room = SIGNATURE_BYTES * signers;
  const messageStart = isV1 ? 0 : 1 + room;
  const version = isV1 ? 1 : bytes[messageStart] === VERSION_0 ? 0 : 'legacy';
  const messageEnd = isV1 ? bytes.length - room : bytes.length;
  const header = messageStart + (version === 'legacy' ? 0 : 1);
  // Version 1: mask, block hash and two counts. The others: one count of one byte.
  const addresses = header + HEADER_BYTES + (isV1 ? 4 + ADDRESS_BYTES + 2 : 1);
  if (
    !isBytes(bytes) ||
    signers === 0 ||
    bytes[header] !== signers ||
    addresses + ADDRESS_BYTES * signers > messageEnd
  )
    throw cutShort();
  const signatures = isV1 ? messageEnd : 1;
  return { version, signatures, signers, messageStart, messageEnd, addresses };
}

/** Where the parts of an instruction stand. */
export interface WireInstruction {
  /** The index of its program's address. */
  readonly program: number;
  readonly accountCount: number;
  /** Where the indexes of its accounts start, and its data behind them. */
  readonly accounts: number;
  readonly data: number;
  readonly end: number;
}

/** Where the parts of a transaction stand. */
export interface WireLayout extends WireEnvelope {
  /** How many addresses the transaction itself has. Others are in lookup tables. */
  readonly addressCount: number;
  readonly blockhash: number;
  /** The values of version 1's config: where they stand, if they are set. */
  readonly priorityFee: number | undefined;
  readonly computeUnitLimit: number | undefined;
  readonly instructions: readonly WireInstruction[];
}

/** Finds the parts of a transaction. */
export function wireLayoutOf(bytes: Uint8Array): WireLayout {
  const envelope = wireEnvelopeOf(bytes);
  let parts: Parts;
  try {
    parts = envelope.version === 1 ? layoutV1(bytes) : layoutV0(bytes, envelope);
  } catch (cause) {
    throw cutShort(cause);
  }
  if (parts.instructions.some(({ end }) => end > envelope.messageEnd)) throw cutShort();
  return { ...envelope, ...parts };
}

type Parts = Omit<WireLayout, keyof WireEnvelope>;

function layoutV0(bytes: Uint8Array, { addresses }: WireEnvelope): Parts {
  const data = view(bytes);
  let offset = addresses - 1;
  /** A length in seven bits a byte. */
  const next = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = data.getUint8(offset++);
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const addressCount = next();
  const blockhash = offset + ADDRESS_BYTES * addressCount;
  offset = blockhash + ADDRESS_BYTES;
  const instructions = Array.from({ length: next() }, () => {
    const program = data.getUint8(offset++);
    const accountCount = next();
    const accounts = offset;
    offset += accountCount;
    const size = next();
    const start = offset;
    offset += size;
    return { program, accountCount, accounts, data: start, end: offset };
  });
  return { addressCount, blockhash, priorityFee: undefined, computeUnitLimit: undefined, instructions };
}

/** In the order of their bits, which is that of their values. */
const PRIORITY_FEE_BITS = 0b11;
const LIMIT_BIT = 0b100;
const LATER_BITS = [0b1000, 0b10000] as const;

function layoutV1(bytes: Uint8Array): Parts {
  const data = view(bytes);
  const mask = data.getUint32(4, true);
  const [blockhash, count, addressCount] = [8, data.getUint8(40), data.getUint8(41)];
  let offset = 42 + ADDRESS_BYTES * addressCount;
  const pass = (isThere: boolean, size: number) => {
    const start = offset;
    if (!isThere) return undefined;
    offset += size;
    return start;
  };
  const priorityFee = pass((mask & PRIORITY_FEE_BITS) !== 0, 8);
  const computeUnitLimit = pass((mask & LIMIT_BIT) !== 0, 4);
  for (const bit of LATER_BITS) pass((mask & bit) !== 0, 4);
  const headers = offset;
  offset += 4 * count;
  const instructions = Array.from({ length: count }, (_, index) => {
    const header = headers + 4 * index;
    const [program, accountCount, accounts] = [data.getUint8(header), data.getUint8(header + 1), offset];
    const start = accounts + accountCount;
    offset = start + data.getUint16(header + 2, true);
    return { program, accountCount, accounts, data: start, end: offset };
  });
  return { addressCount, blockhash, priorityFee, computeUnitLimit, instructions };
}
