import {
  assertIsAddress,
  getPublicKeyFromAddress,
  isOffCurveAddress,
  type Transaction,
  verifySignature,
} from '@solana/kit';
import { expect, test, vi } from 'vitest';

import { type GrindProgress, grindMintAddress } from '../../../src/index.js';
import { expectRefusal } from '../../support/errors.js';

/** So long that it is never found by chance. */
const HOPELESS = '7777777';

/** A transaction of which nothing but the message matters. */
const transactionOf = (messageBytes: Uint8Array) =>
  ({ messageBytes, signatures: {} }) as unknown as Transaction;

const randomMessage = (size: number) => crypto.getRandomValues(new Uint8Array(size));

test.each(['', '7', 'z'])(
  'an address that ends in "%s" is found, is a public key, and signs',
  async (suffix) => {
    const { address, signTransactions } = await grindMintAddress({ suffix });
    assertIsAddress(address);
    expect(address.endsWith(suffix)).toBe(true);
    expect(isOffCurveAddress(address)).toBe(false);
    const publicKey = await getPublicKeyFromAddress(address);
    const messages = [0, 100, 1000].map(randomMessage);
    const signed = await signTransactions(messages.map(transactionOf) as never);
    expect(signed.map((signatures) => Object.keys(signatures))).toEqual(messages.map(() => [address]));
    for (const [index, message] of messages.entries()) {
      const signature = signed[index]![address]!;
      expect(await verifySignature(publicKey, signature, message)).toBe(true);
      expect(await verifySignature(publicKey, signature, Uint8Array.of(...message, 0))).toBe(false);
    }
  },
);

test('the signer gives the same signature for the same message, and never the same nonce for another', async () => {
  const { address, signTransactions } = await grindMintAddress({ suffix: '' });
  const [one, other] = [randomMessage(100), randomMessage(100)];
  const signed = await signTransactions([one, one, other].map(transactionOf) as never);
  const [first, again, another] = signed.map((signatures) => [...signatures[address]!]);
  expect(again).toEqual(first);
  expect(another!.slice(0, 32)).not.toEqual(first!.slice(0, 32));
});

test.each(['0', '7l', '🚀', '77777777', 777])('the suffix %s is rejected', async (suffix) => {
  const context = { field: 'suffix', value: suffix };
  await expectRefusal(grindMintAddress({ suffix: suffix as string }), 'invalid-input', context);
});

test('a search that is aborted beforehand tries nothing', async () => {
  const observe = vi.fn();
  const abortSignal = AbortSignal.abort();
  const grinding = grindMintAddress({ suffix: HOPELESS, abortSignal, observe });
  await expectRefusal(grinding, 'aborted', { method: 'grindMintAddress' });
  expect(observe).not.toHaveBeenCalled();
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
