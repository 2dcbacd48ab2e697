import { createV1, findMetadataPda, TokenStandard } from '@metaplex-foundation/mpl-token-metadata';
import {
  createNoopSigner as createUmiSigner,
  none,
  percentAmount,
  publicKey,
  some,
} from '@metaplex-foundation/umi';
import { AccountRole, type Address, createNoopSigner, generateKeyPairSigner } from '@solana/kit';
import { PublicKey } from '@solana/web3.js';
import { describe, expect, test } from 'vitest';

import {
  TOKEN_2022_PROGRAM_ADDRESS,
  TOKEN_METADATA_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
} from '../../src/program/index.js';
import {
  assertTokenMetadata,
  findMetadataAddress,
  getCreateTokenInstruction,
  type TokenMetadata,
} from '../../src/solana/token-metadata.js';
import { heavenError } from '../support/errors.js';

const randomAddress = async (): Promise<Address> => (await generateKeyPairSigner()).address;

/** As much of an Umi context as the official package needs here: how addresses are derived, and where programs are. */
const umiWith = (wallet: Address) => {
  const signer = createUmiSigner(publicKey(wallet));
  const context = {
    eddsa: {
      findPda: (program: string, seeds: Uint8Array[]) => {
        const [address, bump] = PublicKey.findProgramAddressSync(seeds, new PublicKey(program));
        return [publicKey(address.toBase58()), bump];
      },
    },
    programs: { getPublicKey: (_name: string, fallback: string) => publicKey(fallback) },
    identity: signer,
    payer: signer,
  };
  return context as unknown as Parameters<typeof createV1>[0];
};

const TEXTS: readonly (readonly [what: string, token: TokenMetadata])[] = [
  ['no texts', { name: '', symbol: '', uri: '' }],
  ['ordinary texts', { name: 'A token', symbol: 'TOKEN', uri: 'https://example.com/token.json' }],
  ['the longest texts', { name: 'n'.repeat(32), symbol: 's'.repeat(10), uri: 'u'.repeat(200) }],
  ['texts of several bytes a letter', { name: 'Ünïcødé 天国 🚀', symbol: '天国', uri: 'https://例え.jp/é' }],
  ['the longest texts in emoji', { name: '🚀'.repeat(8), symbol: '🚀🚀ab', uri: '🚀'.repeat(50) }],
];

describe.each([
  ['Token-2022', TOKEN_2022_PROGRAM_ADDRESS],
  ['Token', TOKEN_PROGRAM_ADDRESS],
])('Create for %s is what the official package makes', (_, tokenProgram) => {
  test.each(TEXTS)('with %s', async (_, token) => {
    const [mint, authority, payer] = await Promise.all([randomAddress(), randomAddress(), randomAddress()]);
    const decimals = 9;
    const ours = getCreateTokenInstruction({
      metadata: await findMetadataAddress(mint),
      mint: createNoopSigner(mint),
      authority: createNoopSigner(authority),
      payer: createNoopSigner(payer),
      tokenProgram,
      decimals,
      token,
    });
    const [official] = createV1(umiWith(payer), {
      ...token,
      mint: createUmiSigner(publicKey(mint)),
      authority: createUmiSigner(publicKey(authority)),
      payer: createUmiSigner(publicKey(payer)),
      // By default it is the authority once more, as a signer, which it is in the same transaction anyway.
      updateAuthority: publicKey(authority),
      splTokenProgram: publicKey(tokenProgram),
      sellerFeeBasisPoints: percentAmount(0),
      creators: none(),
      isMutable: false,
      tokenStandard: TokenStandard.Fungible,
      decimals: some(decimals),
    }).getInstructions();
    expect(ours.programAddress).toBe(official!.programId);
    expect(ours.accounts!.map(({ address, role }) => ({ address, role }))).toEqual(
      official!.keys.map(({ pubkey, isSigner, isWritable }) => ({
        address: pubkey,
        role: (isSigner ? 2 : 0) | (isWritable ? 1 : 0),
      })),
    );
    expect([...ours.data!]).toEqual([...official!.data]);
  });
});

test('Create attaches the signers where they sign, and only there', async () => {
  const [mint, authority, payer] = await Promise.all([1, 2, 3].map(() => generateKeyPairSigner()));
  const { accounts } = getCreateTokenInstruction({
    metadata: await findMetadataAddress(mint!.address),
    mint: mint!,
    authority: authority!,
    payer: payer!,
    tokenProgram: TOKEN_2022_PROGRAM_ADDRESS,
    decimals: 9,
    token: { name: '', symbol: '', uri: '' },
  });
  expect(accounts!.map((meta) => ('signer' in meta ? meta.signer : undefined))).toEqual([
    undefined,
    undefined,
    mint,
    authority,
    payer,
    ...Array(4).fill(undefined),
  ]);
  expect(accounts![5]).toEqual({ address: authority!.address, role: AccountRole.READONLY });
});

test('the metadata address is the official one', async () => {
  for (const mint of await Promise.all(Array.from({ length: 8 }, randomAddress))) {
    const [official] = findMetadataPda(umiWith(mint), { mint: publicKey(mint) });
    expect(await findMetadataAddress(mint)).toBe(official);
  }
  expect(TOKEN_METADATA_PROGRAM_ADDRESS).toBe('metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s');
});

test.each([
  ['name', 32],
  ['symbol', 10],
  ['uri', 200],
] as const)('the %s has at most %i bytes', (field, limit) => {
  const check = (text: unknown) =>
    assertTokenMetadata({ name: '', symbol: '', uri: '', [field]: text } as TokenMetadata);
  for (const text of ['x'.repeat(limit), `${'x'.repeat(limit - 4)}🚀`, 'é'.repeat(limit / 2)])
    expect(() => check(text)).not.toThrow();
  for (const value of ['x'.repeat(limit + 1), `${'x'.repeat(limit - 3)}🚀`, '天'.repeat(limit), undefined, 7])
    expect(() => check(value)).toThrow(heavenError('invalid-input', { field, value }));
});
