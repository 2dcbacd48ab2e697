import { assertIsAddress, getAddressEncoder, type Transaction } from '@solana/kit';
import { PublicKey } from '@solana/web3.js';
import { describe, expect, test } from 'vitest';

import { type GrindProgress, grindMintAddress } from '../../src/index.js';
import { expectRefusal } from '../support/errors.js';

/** So long that it is never found by chance. */
const HOPELESS = '7777777';

/** A transaction of which nothing but the message matters. */
const transactionOf = (messageBytes: Uint8Array) =>
  ({ messageBytes, signatures: {} }) as unknown as Transaction;

const randomMessage = (size: number) => crypto.getRandomValues(new Uint8Array(size));

async function verifies(address: string, signature: Uint8Array, message: Uint8Array): Promise<boolean> {
  assertIsAddress(address);
  const publicKey = Uint8Array.from(getAddressEncoder().encode(address));
  const key = await crypto.subtle.importKey('raw', publicKey, 'Ed25519', false, ['verify']);
  return crypto.subtle.verify('Ed25519', key, Uint8Array.from(signature), Uint8Array.from(message));
}

describe.each(['', '7', 'z'])('an address that ends in "%s"', (suffix) => {
  test('is found, and is a public key', async () => {
    const { address } = await grindMintAddress({ suffix });
    assertIsAddress(address);
    expect(address.endsWith(suffix)).toBe(true);
    expect(PublicKey.isOnCurve(address)).toBe(true);
  });

  test.each([0, 1000])('signs %i random bytes', async (size) => {
    const { address, signTransactions } = await grindMintAddress({ suffix });
    const message = randomMessage(size);
    const [signatures] = await signTransactions([transactionOf(message) as never]);
    expect(Object.keys(signatures!)).toEqual([address]);
    const signature = signatures![address]!;
    expect(signature.length).toBe(64);
    expect(await verifies(address, signature, message)).toBe(true);
    expect(await verifies(address, signature, Uint8Array.of(...message, 0))).toBe(false);
  });
});

describe('the signer', () => {
  test('signs several transactions, each by its own message', async () => {
    const { address, signTransactions } = await grindMintAddress({ suffix: '' });
    const messages = [randomMessage(100), randomMessage(100), randomMessage(300)];
    const signed = await signTransactions(messages.map(transactionOf) as never);
    expect(signed).toHaveLength(messages.length);
    for (const [index, message] of messages.entries()) {
      expect(await verifies(address, signed[index]![address]!, message)).toBe(true);
    }
  });

  test('gives the same signature for the same message, and never the same nonce for another', async () => {
    const { address, signTransactions } = await grindMintAddress({ suffix: '' });
    const [one, other] = [randomMessage(100), randomMessage(100)];
    const signed = await signTransactions([one, one, other].map(transactionOf) as never);
    const [first, again, another] = signed.map((signatures) => [...signatures[address]!]);
    expect(again).toEqual(first);
    expect(another!.slice(0, 32)).not.toEqual(first!.slice(0, 32));
  });
});

describe('a suffix is rejected', () => {
  test.each([
    ['with a 0', '0'],
    ['with an l', '7l'],
    ['with an emoji', '🚀'],
    ['of 8 characters', '77777777'],
    ['that is a number', 777],
  ])('%s', async (_, suffix) => {
    await expectRefusal(grindMintAddress({ suffix: suffix as string }), 'invalid-input', {
      field: 'suffix',
      value: suffix,
    });
  });
});

describe('aborting', () => {
  test('beforehand: tries nothing', async () => {
    let calls = 0;
    const grinding = grindMintAddress({
      suffix: HOPELESS,
      abortSignal: AbortSignal.abort(),
      observe: () => calls++,
    });
    await expectRefusal(grinding, 'aborted', { method: 'grindMintAddress' });
    expect(calls).toBe(0);
  });
});

test('progress reports growing attempts, and the expected number', async () => {
  const controller = new AbortController();
  const reports: GrindProgress[] = [];
  const grinding = grindMintAddress({
    suffix: HOPELESS,
    abortSignal: controller.signal,
    observe: (progress) => {
      if (reports.push(progress) === 3) controller.abort();
    },
  });
  await expect(grinding).rejects.toThrow();
  const attempts = reports.map((report) => report.attempts);
  expect(attempts[0]).toBeGreaterThan(0);
  expect(attempts).toEqual([1, 2, 3].map((round) => round * attempts[0]!));
  for (const { expectedAttempts, attemptsPerSecond } of reports) {
    expect(expectedAttempts).toBe(58 ** HOPELESS.length);
    expect(attemptsPerSecond).toBeGreaterThan(0);
  }
});
