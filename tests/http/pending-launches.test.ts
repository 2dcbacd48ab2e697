import { createNoopSigner } from '@solana/kit';
import { expect, test } from 'vitest';

import { createPendingLaunches, type PendingLaunch } from '../../src/http/pending-launches.js';
import { SYSTEM_PROGRAM_ADDRESS } from '../../src/program/index.js';
import { wallet } from '../review/support.js';

const [one, two, three, four] = (await Promise.all([1, 2, 3, 4].map(wallet))).map(({ address }) => address);

const launchOf = (mint = one!): PendingLaunch => ({
  mint,
  tx: `tx of ${mint}` as never,
  instructions: [],
  computeBudget: [],
  lifetime: { blockhash: SYSTEM_PROGRAM_ADDRESS as never, lastValidBlockHeight: 1n },
  mintSigner: createNoopSigner(mint),
  programAddress: SYSTEM_PROGRAM_ADDRESS,
});

test('the oldest launches expire first, and none is kept beyond its time', () => {
  let time = 0;
  const launches = createPendingLaunches({ most: 2, waitMs: 100, now: () => time });
  launches.add(launchOf(one));
  time = 50;
  launches.add(launchOf(two));
  expect(() => launches.add(launchOf(three))).toThrow(/Too many launches/);
  expect(() => launches.assertRoom()).toThrow(/Too many launches/);
  expect([launches.size, launches.find([one!])?.tx]).toEqual([2, `tx of ${one}`]);
  time = 99;
  expect(launches.find([four!, one!])?.mint).toBe(one);
  time = 100;
  expect(launches.find([one!])).toBeUndefined();
  expect(launches.size).toBe(1);
  launches.add(launchOf(three));
  expect(launches.size).toBe(2);
  time = 1_000;
  launches.assertRoom();
  expect(launches.size).toBe(0);
});

test('a repeated mint takes no further place, and its wait starts over', () => {
  let time = 0;
  const launches = createPendingLaunches({ most: 2, waitMs: 100, now: () => time });
  launches.add(launchOf(one));
  time = 60;
  launches.add(launchOf(two));
  launches.add({ ...launchOf(one), tx: 'another' as never });
  expect(launches.size).toBe(2);
  time = 120;
  expect(launches.find([one!])?.tx).toBe('another');
});

test('says how long the oldest still waits', () => {
  let time = 0;
  const launches = createPendingLaunches({ most: 1, waitMs: 60_000, now: () => time });
  launches.add(launchOf(one));
  time = 17_500;
  expect(() => launches.assertRoom()).toThrow(
    expect.objectContaining({
      answer: expect.objectContaining({ status: 429, headers: { 'retry-after': '43' } }),
    }),
  );
});

test('keeps only what is needed to check and sign', () => {
  const launches = createPendingLaunches();
  launches.add({ ...launchOf(one), transaction: { large: true } } as PendingLaunch);
  expect(Object.keys(launches.find([one!])!).sort()).toEqual([
    'computeBudget',
    'instructions',
    'lifetime',
    'mint',
    'mintSigner',
    'programAddress',
    'tx',
  ]);
});
