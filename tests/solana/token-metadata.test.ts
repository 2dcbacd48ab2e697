import { AccountRole, createNoopSigner, generateKeyPairSigner, type TransactionSigner } from '@solana/kit';
import { expect, test } from 'vitest';

import { TOKEN_2022_PROGRAM_ADDRESS, TOKEN_METADATA_PROGRAM_ADDRESS } from '../../src/program/index.js';
import {
  assertTokenMetadata,
  findMetadataAddress,
  getCreateTokenInstruction,
  type TokenMetadata,
} from '../../src/solana/token-metadata.js';
import { addressNamed } from '../support/addresses.js';
import { heavenError } from '../support/errors.js';
import RECORDED from './token-metadata.json' with { type: 'json' };

// RECORDED is what Metaplex's own package writes: tests/interop compares the two.

const create = async ([mint, authority, payer]: readonly TransactionSigner[], token: TokenMetadata) =>
  getCreateTokenInstruction({
    metadata: await findMetadataAddress(mint!.address),
    mint: mint!,
    authority: authority!,
    payer: payer!,
    tokenProgram: TOKEN_2022_PROGRAM_ADDRESS,
    decimals: 9,
    token,
  });

test.each(RECORDED)('Create with $what has the bytes of the official package', async ({ token, data }) => {
  const signers = ['mint', 'authority', 'payer'].map((name) => createNoopSigner(addressNamed(name)));
  const { data: ours } = await create(signers, token);
  expect(Buffer.from(ours!).toString('base64')).toBe(data);
});

test('Create attaches the signers where they sign, and only there', async () => {
  const signers = await Promise.all([1, 2, 3].map(() => generateKeyPairSigner()));
  const [mint, authority, payer] = signers;
  const { accounts } = await create(signers, { name: '', symbol: '', uri: '' });
  const attached = accounts!.map((meta) => ('signer' in meta ? meta.signer : undefined));
  expect(attached).toEqual([...Array(2), mint, authority, payer, ...Array(4)]);
  expect(accounts![5]).toEqual({ address: authority!.address, role: AccountRole.READONLY });
});

test('the metadata address is the official one', async () => {
  const found = await findMetadataAddress(addressNamed('mint'));
  expect(found).toBe('APAF1JUupgnziDhC6MfdYFLv6sWxgXLTdTs9qexVxWNb');
  expect(TOKEN_METADATA_PROGRAM_ADDRESS).toBe('metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s');
});

const LIMITS = { name: 32, symbol: 10, uri: 200 } as const;
test.each(Object.entries(LIMITS))('the %s has at most %i bytes', (field, limit) => {
  const check = (text: unknown) =>
    assertTokenMetadata({ name: '', symbol: '', uri: '', [field]: text } as TokenMetadata);
  for (const text of ['x'.repeat(limit), `${'x'.repeat(limit - 4)}🚀`, 'é'.repeat(limit / 2)])
    expect(() => check(text)).not.toThrow();
  for (const value of ['x'.repeat(limit + 1), `${'x'.repeat(limit - 3)}🚀`, '天'.repeat(limit), undefined, 7])
    expect(() => check(value)).toThrow(heavenError('invalid-input', { field }));
});
