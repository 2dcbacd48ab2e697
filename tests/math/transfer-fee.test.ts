import { describe, expect, test } from 'vitest';

import { leastTransferFor, transferFeeOf } from '../../src/math/transfer-fee.js';

describe('a transfer fee', () => {
  const fees = [0n, 1n, 150n, 3_333n, 9_999n, 10_000n].flatMap((basisPoints) =>
    [0n, 1n, 7n, 1_000n].map((maximum) => ({ basisPoints, maximum })),
  );

  test('is nothing for a token without one', () => {
    expect(transferFeeOf(5n, undefined)).toBe(0n);
    expect(leastTransferFor(5n, undefined)).toBe(5n);
  });

  test.each(fees)('of $basisPoints bps, at most $maximum, is rounded up', ({ basisPoints, maximum }) => {
    for (let amount = 0n; amount < 60n; amount++) {
      const exact = Math.ceil((Number(amount) * Number(basisPoints)) / 10_000);
      expect(transferFeeOf(amount, { basisPoints, maximum })).toBe(BigInt(Math.min(exact, Number(maximum))));
    }
  });

  test.each(fees)('of $basisPoints bps, at most $maximum: the least that leaves an amount', (fee) => {
    let sent = 0n;
    for (let received = 0n; received < 60n; received++) {
      while (sent - transferFeeOf(sent, fee) < received) sent++;
      expect(leastTransferFor(received, fee), `for ${received}`).toBe(sent);
    }
  });
});
