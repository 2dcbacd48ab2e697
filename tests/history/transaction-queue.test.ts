import type { Signature } from '@solana/kit';
import { expect, test } from 'vitest';
import { TransactionQueue } from '../../src/history/transaction-queue.js';

const at = (name: string, slot: bigint, hasFailed = false) => ({
  signature: name as Signature,
  slot,
  hasFailed,
});

test('a list puts what was notified in order, and adds what was missed', () => {
  const queue = new TransactionQueue(at('start', 1n));
  queue.add(at('c', 5n), () => true);
  queue.add(at('a', 5n), () => true);
  queue.add(at('later', 6n), () => true);
  queue.add(at('unwanted', 6n), () => false);
  // Newest first.
  const missed = queue.addListed([
    at('c', 5n),
    at('b', 5n),
    at('failed', 5n, true),
    at('a', 5n),
    at('old', 4n),
  ]);
  expect(missed.map(({ signature }) => signature)).toEqual(['b', 'failed', 'old']);
  expect(queue.newest?.signature).toBe('c');
  queue.add(at('b', 5n), () => true);
  expect(queue.length).toBe(5);
  expect(queue.take(9).map(({ signature }) => signature)).toEqual(['old', 'a', 'b', 'c', 'later']);
  expect(queue.length).toBe(0);
});
