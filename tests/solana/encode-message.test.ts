import { getCompiledTransactionMessageEncoder } from '@solana/kit';
import { expect, test } from 'vitest';
import { encodeVersion0 } from '../../src/solana/encode-message.js';
import { addressOfBytes } from '../support/addresses.js';
import { fc } from '../support/properties.js';

const byte = fc.nat(255);
const address = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(addressOfBytes);
const indexes = fc.array(byte, { maxLength: 200 });

const compiled = fc.record({
  version: fc.constant(0 as const),
  header: fc.record({
    numSignerAccounts: byte,
    numReadonlySignerAccounts: byte,
    numReadonlyNonSignerAccounts: byte,
  }),
  staticAccounts: fc.array(address, { maxLength: 140 }),
  lifetimeToken: address,
  instructions: fc.array(
    fc.record(
      { programAddressIndex: byte, accountIndices: indexes, data: fc.uint8Array({ maxLength: 20_000 }) },
      { requiredKeys: ['programAddressIndex'] },
    ),
    { maxLength: 10 },
  ),
  addressTableLookups: fc.array(
    fc.record({ lookupTableAddress: address, writableIndexes: indexes, readonlyIndexes: indexes }),
    { maxLength: 3 },
  ),
});

test("a message is encoded as kit's encoder does it", () => {
  const encoder = getCompiledTransactionMessageEncoder();
  fc.assert(
    fc.property(compiled, (message) => {
      expect(Buffer.from(encodeVersion0(message)).equals(Buffer.from(encoder.encode(message as never)))).toBe(
        true,
      );
    }),
    { numRuns: 300 },
  );
});

test.each([['short'], [undefined], [5]])('an address that is %s is rejected', (wrong) => {
  const lifetimeToken = addressOfBytes(new Uint8Array(32));
  const header = { numSignerAccounts: 1, numReadonlySignerAccounts: 0, numReadonlyNonSignerAccounts: 0 };
  const message = { header, lifetimeToken, staticAccounts: [wrong as never], instructions: [] };
  expect(() => encodeVersion0(message)).toThrow(TypeError);
});
