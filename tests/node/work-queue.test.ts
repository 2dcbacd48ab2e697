import { expect, test } from 'vitest';

import { WorkQueue } from '../../src/node/work-queue.js';

test('as many wait as may, in their order, and the others are told at once to come back', async () => {
  const queue = new WorkQueue(40);
  const begun: number[] = [];
  const refused: number[] = [];
  const all = Array.from({ length: 50 }, async (_, at) => {
    const limit = await queue.enter();
    if (limit === undefined) begun.push(at);
    else refused.push(at);
    return limit;
  });

  await new Promise<void>((resolve) => queueMicrotask(resolve));
  expect([begun, refused]).toEqual([[], [40, 41, 42, 43, 44, 45, 46, 47, 48, 49]]);
  expect(await all[49]).toEqual({ retryAfterSeconds: 1, isOverload: true });

  await Promise.all(all);
  expect(begun).toEqual(Array.from({ length: 40 }, (_, at) => at));
  expect(await queue.enter()).toBeUndefined();
});

test('what arrives is read while others wait for their turn', async () => {
  const queue = new WorkQueue(1_000);
  let working = 0;
  const all = Array.from({ length: 200 }, async () => {
    await queue.enter();
    working += 1;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(working).toBeGreaterThan(0);
  expect(working).toBeLessThan(100);
  await Promise.all(all);
  expect(working).toBe(200);
});
