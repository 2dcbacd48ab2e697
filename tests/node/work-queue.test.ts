import { expect, test } from 'vitest';

import { WorkQueue } from '../../src/node/work-queue.js';

/** So many enter. Their numbers, as they begin or are refused. */
function enterAll(queue: WorkQueue, count: number) {
  const begun: number[] = [];
  const refused: number[] = [];
  const all = Array.from({ length: count }, async (_, at) => {
    const limit = await queue.enter();
    if (limit === undefined) begun.push(at);
    else refused.push(at);
    return limit;
  });
  return { begun, refused, all };
}
const turn = () => new Promise((resolve) => setImmediate(resolve));
const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at);

test('as many wait as may, in their order, and the others are told to come back', async () => {
  const queue = new WorkQueue(40);
  const { begun, refused, all } = enterAll(queue, 50);
  expect([begun, refused]).toEqual([[], []]);
  await turn();
  expect([begun, refused]).toEqual([numbers(0, 32), numbers(40, 44)]);
  await Promise.all(all);
  expect([begun, refused]).toEqual([numbers(0, 40), numbers(40, 50)]);
  expect(await all[49]).toEqual({ retryAfterSeconds: 1, isOverload: true });
  expect(await queue.enter()).toBeUndefined();
});

test('the more wait, the shorter are the turns, so that what arrives is accepted and read', async () => {
  const { begun, all } = enterAll(new WorkQueue(1_000), 144);
  const after: number[] = [];
  for (let turns = 0; turns < 4; turns++) {
    await turn();
    after.push(begun.length);
  }
  expect(after).toEqual([8, 16, 48, 80]);
  await Promise.all(all);
  expect(begun).toEqual(numbers(0, 144));
});
