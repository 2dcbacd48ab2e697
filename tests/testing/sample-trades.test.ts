import { describe, expect, test } from 'vitest';
import { parseTransaction } from '../../src/index.js';
import { decodeLiquidityPoolState } from '../../src/program/index.js';
import { createEmbeddedLedger, type EmbeddedLedger, runSampleTrades } from '../../src/testing/index.js';
import { expectRefusal } from '../support/errors.js';

const tradesOf = async (ledger: EmbeddedLedger, signatures: readonly string[]) => {
  const config = { encoding: 'base64', maxSupportedTransactionVersion: 1 } as const;
  const records = await Promise.all(
    signatures.map((signature) => ledger.rpc.getTransaction(signature as never, config).send()),
  );
  return records.map((record) => parseTransaction(record as never));
};

const COMPLETE = { logs: 'complete', innerInstructions: 'complete', tokenBalances: 'complete' };

describe('sample trades', () => {
  const names = ['creator', 'community', 'pro', 'launching'] as const;
  test.each(names)('of the pool %s have every figure proven, and add up to the pool', async (name) => {
    const ledger = await createEmbeddedLedger();
    const pool = ledger.pools[name];
    const reserve = () => decodeLiquidityPoolState(ledger.getAccount(pool.pool)!.data, pool.pool).reserve;
    const before = reserve();
    const start = { slot: ledger.slot, blockTime: ledger.unixTimestamp };
    const { signatures, traders } = await runSampleTrades(ledger, { pool, count: 20, seconds: 3_600 });
    expect(new Set(signatures).size).toBe(20);

    let tokenA = before.tokenA;
    let sides = '';
    for (const { record, slot, blockTime, trades, error } of await tradesOf(ledger, signatures)) {
      expect(error).toBeUndefined();
      expect(record).toEqual(COMPLETE);
      // Five slots a second.
      expect(blockTime).toBe(start.blockTime + (slot! - start.slot) / 5n);
      const [trade] = trades;
      expect(trade).toMatchObject({ pool: pool.pool, mint: pool.mint, kind: pool.kind, unproven: [] });
      expect(traders).toContain(trade!.user);
      tokenA += trade!.side === 'buy' ? -trade!.amountOut! : trade!.amountIn!;
      sides += trade!.side[0];
    }
    // No sample token has a transfer fee now, so what the traders gained is what the pool lost.
    expect(reserve().tokenA).toBe(tokenA);
    expect(sides).toMatch(/^b.*s/);
  });

  test('fill the time, each in a slot of its own, and are the same for the same seed', async () => {
    const run = async (seed: number) => {
      const ledger = await createEmbeddedLedger();
      const start = ledger.unixTimestamp;
      const { signatures } = await runSampleTrades(ledger, { count: 12, seconds: 600, seed });
      const slots = (await tradesOf(ledger, signatures)).map(({ slot }) => slot!);
      return { signatures, slots, passed: ledger.unixTimestamp - start };
    };
    const [one, again, other] = [await run(1), await run(1), await run(2)];
    expect(again).toEqual(one);
    expect(other.signatures).not.toEqual(one.signatures);
    expect(new Set(one.slots).size).toBe(12);
    expect([...one.slots].sort()).toEqual(one.slots);
    expect(one.passed).toBe(600n);
  });

  test("are rejected if they can't run", async () => {
    const ledger = await createEmbeddedLedger();
    const { pool } = ledger.pools.creator;
    const many = runSampleTrades(ledger, { count: 2_001 });
    await expectRefusal(many, 'invalid-input', { field: 'count', value: 2_001 });
    const fast = runSampleTrades(ledger, { count: 10, seconds: 1 });
    await expectRefusal(fast, 'invalid-input', { field: 'seconds', value: 1 });
    ledger.updatePool(pool, ({ allowlist }) => ({ allowlist: { ...allowlist, swap: 0 } }));
    await expect(runSampleTrades(ledger, { count: 1 })).rejects.toThrow(/failed \(.*6018/);
  });
});
