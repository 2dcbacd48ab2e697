import {
  createV1,
  findMetadataPda,
  getCreateV1InstructionDataSerializer,
  TokenStandard,
} from '@metaplex-foundation/mpl-token-metadata';
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
  ['the shortest texts', { name: 'a', symbol: 'b', uri: 'c' }],
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
      authority,
      payer,
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

const createWith = async (token: TokenMetadata, decimals = 9) => {
  const mint = await generateKeyPairSigner();
  return getCreateTokenInstruction({
    metadata: await findMetadataAddress(mint.address),
    mint,
    authority: mint.address,
    payer: mint.address,
    tokenProgram: TOKEN_2022_PROGRAM_ADDRESS,
    decimals,
    token,
  });
};

describe('Create', () => {
  test.each(TEXTS)('with %s is read by the official package', async (_, token) => {
    const { data } = await createWith(token, 6);
    const [read, end] = getCreateV1InstructionDataSerializer().deserialize(Uint8Array.from(data!));
    expect(end).toBe(data!.length);
    expect(read).toMatchObject({
      ...token,
      discriminator: 42,
      createV1Discriminator: 0,
      sellerFeeBasisPoints: percentAmount(0),
      creators: none(),
      primarySaleHappened: false,
      isMutable: false,
      tokenStandard: TokenStandard.Fungible,
      collection: none(),
      uses: none(),
      collectionDetails: none(),
      ruleSet: none(),
      decimals: some(6),
      printSupply: none(),
    });
  });

  test('has 269 bytes of data at the longest texts', async () => {
    const [, longest] = TEXTS.find(([what]) => what === 'the longest texts')!;
    expect((await createWith(longest)).data).toHaveLength(269);
  });

  test('attaches the signers where they sign, and only there', async () => {
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
});

test('the metadata address is the official one', async () => {
  for (const mint of await Promise.all(Array.from({ length: 8 }, randomAddress))) {
    const [official] = findMetadataPda(umiWith(mint), { mint: publicKey(mint) });
    expect(await findMetadataAddress(mint)).toBe(official);
  }
  expect(TOKEN_METADATA_PROGRAM_ADDRESS).toBe('metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s');
});

describe.each([
  ['name', 32],
  ['symbol', 10],
  ['uri', 200],
] as const)('the limit of the %s, %i bytes', (field, limit) => {
  const check = (text: string) => assertTokenMetadata({ name: '', symbol: '', uri: '', [field]: text });
  const tooLong = (text: string, size: number) =>
    expect.objectContaining({
      code: 'invalid-input',
      message: `${field} has ${size} bytes, and the metadata program allows ${limit}.`,
      context: { field, value: text },
    });

  test.each([
    ['in ASCII', 'x'.repeat(limit)],
    ['that ends in an emoji', `${'x'.repeat(limit - 4)}🚀`],
    ['in letters of two bytes', 'é'.repeat(limit / 2)],
  ])('lets a text through %s', (_, text) => {
    expect(() => check(text)).not.toThrow();
  });

  test.each([
    ['in ASCII', 'x'.repeat(limit + 1), limit + 1],
    ['by the last byte of an emoji', `${'x'.repeat(limit - 3)}🚀`, limit + 1],
    ['of letters of two bytes', 'é'.repeat(limit / 2 + 1), limit + 2],
    ['with no more characters than bytes allowed', '天'.repeat(limit), limit * 3],
  ])('stops a text %s', (_, text, size) => {
    expect(() => check(text)).toThrow(tooLong(text, size));
  });

  test.each([
    ['undefined', undefined],
    ['a number', 7],
    ['null', null],
  ])('stops %s', (_, text) => {
    expect(() => check(text as never)).toThrow(
      expect.objectContaining({ code: 'invalid-input', context: expect.objectContaining({ field }) }),
    );
  });
});
