import { isDeepStrictEqual } from 'node:util';

import {
  AccountRole,
  type Address,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  type Instruction,
  type SignatureBytes,
  signTransaction,
  type Transaction,
  type V1TransactionConfig,
} from '@solana/kit';
import { describe, expect, test } from 'vitest';
import { isHeavenError } from '../../src/base/errors.js';
import { isSignatureValid, loadTransaction, readWireTransaction } from '../../src/solana/message.js';
import { compileDraft, draftOf } from '../review/support.js';
import { addressNamed, addressNumbered } from '../support/addresses.js';
import { base64Of } from '../support/bytes.js';
import { fc } from '../support/properties.js';

const read = (bytes: Uint8Array) => readWireTransaction(base64Of(bytes));
const malformed = (reason: string) => {
  const message = expect.stringContaining(reason);
  return expect.objectContaining({ code: 'malformed-data', context: { what: 'transaction' }, message });
};

/** Addresses of 32 equal bytes each. */
const keysOf = (...bytes: readonly number[]) => bytes.map((byte) => new Uint8Array(32).fill(byte));

/** A version 1 transaction written by hand, field by field as SIMD-0385 has them. */
function written({
  version = 0x81,
  header = [1, 0, 1],
  mask = 0,
  addresses = keysOf(1, 2, 3),
  values = [] as readonly number[],
  instructions = [{ program: 2, accounts: [0, 1], data: [9] }],
} = {}): Uint8Array {
  const u16 = (value: number) => [value & 0xff, value >> 8];
  const u32 = (value: number) => [...u16(value & 0xffff), ...u16(value >>> 16)];
  return Uint8Array.from([
    version,
    ...header,
    ...u32(mask),
    ...new Uint8Array(32).fill(7),
    instructions.length,
    addresses.length,
    ...addresses.flatMap((address) => [...address]),
    ...values,
    ...instructions.flatMap(({ program, accounts, data }) => [program, accounts.length, ...u16(data.length)]),
    ...instructions.flatMap(({ accounts, data }) => [...accounts, ...data]),
    ...new Uint8Array(64 * header[0]!).fill(5),
  ]);
}

describe('a version 1 transaction written by hand', () => {
  const numbered = (count: number) => keysOf(...Array.from({ length: count }, (_, index) => index + 1));
  const nothing = { program: 2, accounts: [], data: [] };
  const calling = (change: object) => written({ instructions: [{ ...nothing, ...change }] });
  const signedBy = (count: number) => {
    const instructions = [{ ...nothing, program: count }];
    return written({ header: [count, 0, 1], addresses: numbered(count + 1), instructions });
  };
  /** 42 + 3 * 32 + 4 + 64 bytes besides the data. */
  const sized = (bytes: number) => calling({ data: Array(bytes - 206).fill(1) });
  const tooMany = (found: string, most: number) => `it has ${found}, but at most ${most} are allowed`;

  test('may have 64 accounts, 64 instructions, 12 signers and 4096 bytes', () => {
    expect(read(written({ addresses: numbered(64) })).staticAccounts).toHaveLength(64);
    expect(read(written({ instructions: Array(64).fill(nothing) })).instructions).toHaveLength(64);
    expect(read(signedBy(12)).signatures).toHaveLength(12);
    expect(read(sized(4_096)).size).toBe(4_096);
  });

  test.each<[string, Uint8Array, string]>([
    ['an unknown bit in its mask', written({ mask: 0b100000 }), 'fields that are not known'],
    ['the highest bit in its mask', written({ mask: 0x8000_0000 }), 'fields that are not known'],
    ['the lower half of a priority fee', written({ mask: 0b01, values: Array(8).fill(0) }), 'its bytes'],
    ['the higher half of a priority fee', written({ mask: 0b10, values: Array(8).fill(0) }), 'its bytes'],
    ['an account twice', written({ addresses: keysOf(1, 2, 1) }), 'twice'],
    ['65 accounts', written({ addresses: numbered(65) }), tooMany('65 accounts', 64)],
    ['65 calls', written({ instructions: Array(65).fill(nothing) }), tooMany('65 instructions', 64)],
    ['13 signers', signedBy(13), tooMany('13 signers', 12)],
    ['4097 bytes', sized(4_097), tooMany('4097 bytes', 4096)],
    ['no signer', written({ header: [0, 0, 1] }), 'its bytes'],
    ['a fee payer who is read-only', written({ header: [1, 1, 1] }), 'nobody pays'],
    ['more signers than accounts', written({ header: [4, 0, 0] }), 'its bytes'],
    ['a fee payer that is a program', calling({ program: 0 }), 'names a program that'],
    ['a program it does not name', calling({ program: 3 }), 'names a program that'],
    ['an account it does not name', calling({ accounts: [3] }), 'an account that'],
    ['version 2', written({ version: 0x82 }), 'of version 2, and only legacy and versions 0 and 1 are read'],
    ['nothing but its version', Uint8Array.of(0x81), 'its bytes'],
  ])('is rejected with %s', (_, bytes, reason) => {
    expect(() => read(bytes)).toThrow(malformed(reason));
  });
});

interface Wanted {
  readonly feePayer: Address;
  readonly config: V1TransactionConfig;
  readonly blockhash: Address;
  readonly instructions: readonly Required<Instruction>[];
  readonly signed: Uint8Array;
}

const { READONLY, WRITABLE, READONLY_SIGNER, WRITABLE_SIGNER } = AccountRole;
const ROLES = [READONLY, WRITABLE, READONLY_SIGNER, WRITABLE_SIGNER];
const wanted: fc.Arbitrary<Wanted> = fc.record({
  feePayer: fc.constant(addressNamed('fee payer')),
  config: fc.record(
    {
      priorityFeeLamports: fc.bigInt({ min: 0n, max: 0xffff_ffff_ffff_ffffn }),
      computeUnitLimit: fc.integer({ min: 0, max: 1_400_000 }),
      loadedAccountsDataSizeLimit: fc.integer({ min: 0, max: 0xffff_ffff }),
      heapSize: fc.integer({ min: 32, max: 256 }).map((kibibytes) => kibibytes * 1_024),
    },
    { requiredKeys: [] },
  ),
  blockhash: fc.nat(99).map(addressNumbered),
  instructions: fc.array(
    fc.record({
      programAddress: fc.integer({ min: 200, max: 204 }).map(addressNumbered),
      // An account has one role throughout: its number decides.
      accounts: fc.array(
        fc.nat(13).map((number) => ({ address: addressNumbered(number), role: ROLES[number >> 2]! })),
        { maxLength: 8 },
      ),
      data: fc.uint8Array({ maxLength: 60 }),
    }),
    { maxLength: 8 },
  ),
  signed: fc.uint8Array({ minLength: 64, maxLength: 64 }).filter((bytes) => bytes.some((byte) => byte !== 0)),
});

/** Written by kit, which has no part in reading the envelope. */
const compiled = ({ feePayer, config, blockhash, instructions }: Omit<Wanted, 'signed'>) =>
  compileDraft({ ...draftOf(instructions, feePayer), version: 1, config, blockhash });

const wireBytes = (transaction: Transaction) =>
  Uint8Array.from(Buffer.from(getBase64EncodedWireTransaction(transaction), 'base64'));

function encoded({ signed, ...wanted }: Wanted): Uint8Array {
  const transaction = compiled(wanted);
  const signatures = { ...transaction.signatures, [wanted.feePayer]: signed as SignatureBytes };
  return wireBytes({ ...transaction, signatures });
}

/** All that a transaction says, without the bytes that say it. */
const contentOf = (bytes: Uint8Array) => {
  const { messageBytes: _, size: __, ...content } = read(bytes);
  return content;
};

/** What is read of the bytes, or `undefined` if they are rejected. Nothing else may happen. */
function contentOrRefusal(bytes: Uint8Array) {
  try {
    return contentOf(bytes);
  } catch (error) {
    if (isHeavenError(error, 'malformed-data')) return undefined;
    throw error;
  }
}

const changedAt = (bytes: Uint8Array, offset: number, mask = 1) =>
  bytes.map((byte, index) => (index === offset ? byte ^ mask : byte));

describe('two spellings of one transaction', () => {
  const message = written().slice(0, -64);
  const signature = new Uint8Array(64).fill(5);

  test('a version 1 message with its signature in front is rejected', () => {
    expect(() => read(Uint8Array.of(1, ...signature, ...message))).toThrow(malformed('bytes'));
    expect(read(Uint8Array.of(...message, ...signature)).version).toBe(1);
  });

  test('base64 with spaces, without its padding or with stray bits is rejected', () => {
    const text = base64Of(written({ instructions: [{ program: 2, accounts: [], data: [] }] }));
    expect(text).toMatch(/U=$/);
    expect(readWireTransaction(text).version).toBe(1);
    const bare = text.slice(0, -1);
    const stray = text.replace(/U=$/, 'V=');
    for (const other of [` ${text}`, `${text}\n`, bare, `${text}=`, stray])
      expect(() => readWireTransaction(other), other.slice(-8)).toThrow(malformed('base64'));
  });
});

describe('any version 1 transaction', () => {
  test('is read as it was written', () => {
    fc.assert(
      fc.property(wanted, (transaction) => {
        const bytes = encoded(transaction);
        fc.pre(bytes.length <= 4_096);
        const loaded = loadTransaction(read(bytes), new Map());
        const { wire, instructions } = loaded;
        expect(wire).toMatchObject({ version: 1, lifetimeToken: transaction.blockhash, size: bytes.length });
        expect(wire.config).toEqual(transaction.config);
        expect(wire.signatures[0]).toEqual({ address: transaction.feePayer, signature: transaction.signed });
        expect(wire.signatures.slice(1).every(({ signature }) => signature === undefined)).toBe(true);
        const expected = transaction.instructions.map((one) => ({ ...one, data: Uint8Array.from(one.data) }));
        expect(instructions).toEqual(expected);
      }),
      { numRuns: 40, endOnFailure: true },
    );
  });

  test('of every length and with any byte changed is rejected, or says something else', () => {
    const bytes = written({ mask: 0b11111, values: [...Array(16).fill(1), 0, 0, 1, 0] });
    const content = contentOf(bytes);
    for (let offset = 0; offset < bytes.length; offset += 1) {
      if (contentOrRefusal(bytes.slice(0, offset))) expect.fail(`${offset} bytes are read`);
      const longer = Uint8Array.of(...bytes, ...bytes.slice(0, offset + 1));
      if (contentOrRefusal(longer)) expect.fail(`${longer.length} bytes are read`);
      // Each bit where a bit has a meaning of its own, one elsewhere: in addresses, the block hash and the signature.
      const isSpecial =
        offset < 8 || (offset >= 40 && offset < 42) || (offset >= 138 && offset < bytes.length - 64);
      for (let bit = 0; bit < (isSpecial ? 8 : 1); bit += 1) {
        const changed = contentOrRefusal(changedAt(bytes, offset, 1 << bit));
        if (isDeepStrictEqual(changed, content)) expect.fail(`bit ${bit} of byte ${offset} says nothing`);
      }
    }
  });
});

test('the signature of a version 1 transaction is over its message', async () => {
  const signer = await generateKeyPairSigner();
  const transaction = compiled({
    feePayer: signer.address,
    config: { priorityFeeLamports: 5n, computeUnitLimit: 9 },
    blockhash: signer.address,
    instructions: [],
  });
  const bytes = wireBytes(await signTransaction([signer.keyPair], transaction));
  const isValid = async (at: Uint8Array) => {
    const wire = read(at);
    const { address, signature } = wire.signatures[0]!;
    return await isSignatureValid(wire, address, signature!);
  };
  expect(await isValid(bytes)).toBe(true);
  // The lowest byte of the priority fee, behind the header and one address.
  expect(bytes[74]).toBe(5);
  expect(await isValid(changedAt(bytes, 74))).toBe(false);
  expect(await isValid(changedAt(bytes, bytes.length - 1))).toBe(false);
});
