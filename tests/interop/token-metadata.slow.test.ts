import { createV1, findMetadataPda, TokenStandard } from '@metaplex-foundation/mpl-token-metadata';
import {
  createNoopSigner as createUmiSigner,
  none,
  percentAmount,
  publicKey,
  some,
} from '@metaplex-foundation/umi';
import { type Address, createNoopSigner, generateKeyPairSigner } from '@solana/kit';
import { PublicKey } from '@solana/web3.js';
import { describe, expect, test } from 'vitest';

import { TOKEN_2022_PROGRAM_ADDRESS, TOKEN_PROGRAM_ADDRESS } from '../../src/program/index.js';
import { findMetadataAddress, getCreateTokenInstruction } from '../../src/solana/token-metadata.js';
import RECORDED from '../solana/token-metadata.json' with { type: 'json' };

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

describe.each([
  ['Token-2022', TOKEN_2022_PROGRAM_ADDRESS],
  ['Token', TOKEN_PROGRAM_ADDRESS],
])('Create for %s is what the official package makes', (_, tokenProgram) => {
  test.each(RECORDED)('with $what', async ({ token, data }) => {
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
    expect(Buffer.from(official!.data).toString('base64')).toBe(data);
  });
});

test('the metadata address is the official one', async () => {
  for (const mint of await Promise.all(Array.from({ length: 8 }, randomAddress))) {
    const [official] = findMetadataPda(umiWith(mint), { mint: publicKey(mint) });
    expect(await findMetadataAddress(mint)).toBe(official);
  }
});
