import type { Address } from '@solana/kit';
import { beforeEach, describe, expect, test } from 'vitest';
import { suggestPriorityFee } from '../../src/index.js';
import { endOf } from '../support/errors.js';
import { buyFor, client, ledger, useLedger } from '../support/ledger.js';
import { fc } from '../support/properties.js';
import { clientOver, type Does, refusing } from '../support/rpc.js';

let pool: Address;

useLedger();
beforeEach(() => {
  ({ pool } = ledger.pools.creator);
});

const answering =
  (result: unknown): Does =>
  ({ payload: { id } }) => ({ jsonrpc: '2.0', id, result });

const setFees = (...fees: readonly bigint[]) =>
  ledger.setPrioritizationFees(
    fees.map((prioritizationFee, index) => ({ slot: 1_000n + BigInt(index), prioritizationFee })),
  );

describe('percentiles', () => {
  test('count the slots that cost nothing as zero', async () => {
    setFees(0n, 0n, 40_000n, 40_000n);
    const { freeSlots, slots, newestSlot, percentiles, suggested } = await suggestPriorityFee(client, [pool]);
    expect({ freeSlots, slots, newestSlot }).toEqual({ freeSlots: 2, slots: 4, newestSlot: 1_003n });
    expect(suggested).toEqual(percentiles[50]);
    expect(percentiles[50]?.microLamports).toBe(0n);
    expect(percentiles[75]?.microLamports).toBe(40_000n);
    expect(percentiles[90]?.microLamports).toBe(40_000n);
  });

  test('cover at least their share of slots', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.bigInt({ min: 0n, max: 2n ** 63n }), { minLength: 1, maxLength: 150 }),
        fc.constantFrom(25, 50, 75, 90, 95),
        async (fees, percentile) => {
          setFees(...fees);
          const { suggested } = await suggestPriorityFee(client, [pool], { percentile: percentile as 50 });
          const price = suggested?.microLamports ?? -1n;
          expect(fees).toContain(price);
          const needed = percentile * fees.length;
          expect(fees.filter((fee) => fee <= price).length * 100).toBeGreaterThanOrEqual(needed);
          expect(fees.filter((fee) => fee < price).length * 100).toBeLessThan(needed);
        },
      ),
      { numRuns: 50 },
    );
  });
});

test('lamports are rounded up, for the given limit', async () => {
  setFees(7n);
  // 7 * 133000 = 931000 micro-lamports.
  const { suggested } = await suggestPriorityFee(client, [pool], { computeUnitLimit: 133_000 });
  expect(suggested).toEqual({ microLamports: 7n, lamports: 1n });
  setFees(40_000_000n);
  expect((await suggestPriorityFee(client, [pool])).suggested?.lamports).toBe(8_000_000n);
});

test("reads the prices for a built transaction's writable accounts, with its own limit", async () => {
  const { creator } = ledger.pools;
  setFees(1_000_000n);
  const built = await buyFor(creator.creator, { computeUnitLimit: 150_000 });
  const { suggested, computeUnitLimit } = await suggestPriorityFee(client, built);
  expect(computeUnitLimit).toBe(150_000);
  expect(suggested?.lamports).toBe(150_000n);
  const asked = ledger.requests.at(-1)?.params[0] as readonly Address[];
  expect(asked[0]).toBe(creator.creator);
  const { tokenAVault, tokenBVault, protocolConfig, mint } = creator;
  expect(asked).toEqual(expect.arrayContaining([pool, tokenAVault, tokenBVault, protocolConfig]));
  expect(asked).not.toContain(mint);
  expect(new Set(asked).size).toBe(asked.length);
});

test('rejects bad input before any call to the node', async () => {
  const before = ledger.requests.length;
  for (const accounts of [[], 'all', null])
    expect(await endOf(suggestPriorityFee(client, accounts as never))).toBe('invalid-input');
  expect(await endOf(suggestPriorityFee(client, ['nowhere' as Address]))).toBe('invalid-address');
  for (const options of [
    { percentile: 51 },
    ...[0, -1, 1.5, 1_400_001, Number.NaN].map((computeUnitLimit) => ({ computeUnitLimit })),
  ])
    expect(await endOf(suggestPriorityFee(client, [pool], options as never))).toBe('invalid-input');
  expect(ledger.requests.length).toBe(before);
  // The same account a hundred times is one account.
  await suggestPriorityFee(client, Array(129).fill(pool));
  expect(ledger.requests.at(-1)?.params).toEqual([[pool]]);
});

test.each<[string, Does, string]>([
  ['is not a list', answering({}), 'rpc-invalid-response'],
  ['lacks a fee', answering([{ slot: 1n }]), 'rpc-invalid-response'],
  ['has no such method', refusing(-32_601), 'rpc-method-unsupported'],
  ['is an error', refusing(-32_603), 'rpc-failed'],
])('rejects an answer that %s', async (_, node, code) => {
  expect(await endOf(suggestPriorityFee(clientOver(node), [pool]))).toBe(code);
});
