import type { Address } from '@solana/kit';
import { PublicKey } from '@solana/web3.js';
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

const PROGRAM = 'HEAVENoP2qxoeuF8Dj2oT1GHEnu49U5mJYkdeC8BAX2o';
const WRAPPED_SOL = 'So11111111111111111111111111111111111111112';
const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb' as Address;
const ASSOCIATED_TOKEN = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL';

/** The same derivation by another library: text seeds in quotes, addresses in base58. */
const derive = (seeds: readonly (Uint8Array | string)[], program = PROGRAM): string =>
  PublicKey.findProgramAddressSync(
    seeds.map((seed) => (typeof seed === 'string' ? new PublicKey(seed).toBytes() : seed)),
    new PublicKey(program),
  )[0].toBase58();

const text = (seed: string): Uint8Array => new TextEncoder().encode(seed);

const mint = addressNamed('mint');
const creator = addressNamed('creator');
const pool = addressNamed('pool');
const user = addressNamed('user');
const programAddress = addressNamed('deployment');

describe('addresses seen on mainnet', () => {
  test.each([
    [1, '42mepa9xLCtuerAEnnDY43KLRN5dgkrkKvoCT6nDZsyj'],
    [2, 'KpXrCt3pjJYFind2kgk7nQ3dS6bqjC2Ze3zzE5MQ78v'],
  ])('protocol config %d', async (version, address) => {
    expect(await findProtocolConfigAddress({ version })).toBe(address);
  });

  test('the standard pool of LIGHT', async () => {
    const light = 'LiGHtkg3uTa9836RaNkKLLriqTNRcMdRAhqjGWNv777' as Address;
    expect(await findPoolAddress({ mint: light })).toBe('EkU9zGSkUnVVK6nhmPSqnxqcKPzt1PicrCjdxSbWo9uA');
  });
});

test.each([
  ['mainnet', PROGRAM, {}],
  ['another deployment', programAddress, { programAddress }],
] as const)('the seeds on %s', async (_, program, config) => {
  // A version is big-endian; the creator of a pro pool comes last.
  expect(await findProtocolConfigAddress({ version: 0x0102 }, config)).toBe(
    derive([text('protocol_config_state'), Uint8Array.of(1, 2)], program),
  );
  expect(await findPoolAddress({ mint }, config)).toBe(
    derive([text('liquidity_pool_state'), mint, WRAPPED_SOL], program),
  );
  expect(await findProPoolAddress({ mint, creator }, config)).toBe(
    derive([text('liquidity_pool_state'), mint, WRAPPED_SOL, creator], program),
  );
  expect(await findLpPositionAddress({ pool, user }, config)).toBe(
    derive([text('user_lp_position'), pool, user], program),
  );
});

test('an associated token account is under the classic Token program unless told otherwise', async () => {
  const classic = await findAssociatedTokenAddress({ owner: user, mint });
  expect(classic).toBe(derive([user, TOKEN, mint], ASSOCIATED_TOKEN));
  const extended = await findAssociatedTokenAddress({ owner: user, mint, tokenProgram: TOKEN_2022 });
  expect(extended).toBe(derive([user, TOKEN_2022, mint], ASSOCIATED_TOKEN));
});

describe('rejects', () => {
  const bad = 'nowhere' as Address;

  test.each([-1, 65_536, 1.5, '2'])('config version %s', async (version) => {
    await expectRefusal(findProtocolConfigAddress({ version: version as number }), 'invalid-input', {
      field: 'version',
      value: version,
    });
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
