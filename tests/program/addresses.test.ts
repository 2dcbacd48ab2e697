import type { Address } from '@solana/kit';
import { describe, expect, test } from 'vitest';

import {
  findAssociatedTokenAddress,
  findLpPositionAddress,
  findPoolAddress,
  findProPoolAddress,
  findProtocolConfigAddress,
} from '../../src/program/index.js';
import { addressNamed } from '../support/addresses.js';
import { expectRefusal } from '../support/errors.js';

const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb' as Address;

const mint = addressNamed('mint');
const creator = addressNamed('creator');
const pool = addressNamed('pool');
const user = addressNamed('user');

// Addresses seen on mainnet: mainnet/facts.test.ts. As web3.js 1.98 derives them from the seeds in docs/protocol.md. A version is big-endian; the creator of a pro pool comes last.
test.each([
  [
    'mainnet',
    {},
    {
      config: '3NoKp62fuy3NNHmU2xBHKjViFQrKTLHvoe2Mc7TFZsAi',
      pool: 'FR9KS2x1esAyxN4YE3Tw6GohBsuNg9PsfrwGsE5BCFzq',
      proPool: '4M2abMEuyemXQPmt43GH38cExGoCb7dkkyUVqAnhzBA9',
      position: '57JWYoToxYToWJoyCJPsvSdzMSz3nZidYTfoTNjkwti5',
    },
  ],
  [
    'another deployment',
    { programAddress: addressNamed('deployment') },
    {
      config: '6VapP9riDQtFNAnuJcoCWfDZdWW7UY4R2qWPTvysJZMC',
      pool: '5WH8S31JfY6p3rDyWXyQJWgUAWaJLQYS5JXeDR1AMmpe',
      proPool: 'JEEGumSR5m2wkgLXvYGJvAqc4u4NAC1rgk2u44g1BRnT',
      position: 'FfGigYeiaES2qMGNHuVrCFsm6ZPj6xcaZGG1EHSe6XtB',
    },
  ],
] as const)('the seeds on %s', async (_, config, expected) => {
  expect(await findProtocolConfigAddress({ version: 0x0102 }, config)).toBe(expected.config);
  expect(await findPoolAddress({ mint }, config)).toBe(expected.pool);
  expect(await findProPoolAddress({ mint, creator }, config)).toBe(expected.proPool);
  expect(await findLpPositionAddress({ pool, user }, config)).toBe(expected.position);
});

test('an associated token account is under the classic Token program unless told otherwise', async () => {
  const classic = await findAssociatedTokenAddress({ owner: user, mint });
  expect(classic).toBe('7md1NYPLtF87YEFYB5bsWLbGzPb45hMeXaSBKGGxWkZF');
  const extended = await findAssociatedTokenAddress({ owner: user, mint, tokenProgram: TOKEN_2022 });
  expect(extended).toBe('6Zon6cr6EJnJt3C1K5XNBENvEYfBJtGbuxp86pEX6Yyo');
});

describe('rejects', () => {
  const bad = 'nowhere' as Address;

  test.each([-1, 65_536, 1.5, '2'])('config version %s', async (version) => {
    const found = findProtocolConfigAddress({ version: version as number });
    await expectRefusal(found, 'invalid-input', { field: 'version', value: version });
  });

  test.each([
    ['mint', () => findPoolAddress({ mint: bad })],
    ['mint', () => findProPoolAddress({ mint: bad, creator })],
    ['creator', () => findProPoolAddress({ mint, creator: bad })],
    ['pool', () => findLpPositionAddress({ pool: bad, user })],
    ['user', () => findLpPositionAddress({ pool, user: bad })],
    ['owner', () => findAssociatedTokenAddress({ owner: bad, mint })],
    ['mint', () => findAssociatedTokenAddress({ owner: user, mint: bad })],
    ['tokenProgram', () => findAssociatedTokenAddress({ owner: user, mint, tokenProgram: bad })],
    ['programAddress', () => findPoolAddress({ mint }, { programAddress: bad })],
  ])('a bad %s: %s', async (field, find) => {
    await expectRefusal(find(), 'invalid-address', { field, value: bad });
  });
});
