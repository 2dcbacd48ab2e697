import { type Address, getAddressEncoder, isNone } from '@solana/kit';

import { view } from '../../solana/account-data.js';
import { type StructSchema, writeValue } from '../../solana/codec.js';
import {
  SYSTEM_PROGRAM_ADDRESS,
  TOKEN_2022_PROGRAM_ADDRESS,
  TOKEN_METADATA_PROGRAM_ADDRESS,
} from '../../solana/programs.js';
import { EXTENSION } from '../../solana/token-extensions.js';
import { ACCOUNT_TYPE, FIRST_EXTENSION, IS_MINT, MINT } from '../../solana/token-layout.js';
import { findMetadataAddress, METADATA_LIMITS, parseCreateToken } from '../../solana/token-metadata.js';
import { encodeMint } from '../encode.js';
import { assertSigner, custom, notEmulated, parsed } from '../failure.js';
import type { Program } from '../runtime.js';
import { assertUnused } from './system.js';
import { TokenAccounts } from './token.js';

/** What the metadata program charges for a new token on top of the rent: 0.01 SOL. */
const METADATA_FEE = 10_000_000n;
const METADATA_SIZE = 607;
const METADATA_KEY = 4;

const metadataSchema = {
  fields: {
    key: 'u8',
    updateAuthority: 'pubkey',
    mint: 'pubkey',
    name: 'string',
    symbol: 'string',
    uri: 'string',
    sellerFeeBasisPoints: 'u16',
    creators: { option: 'u8' },
    primarySaleHappened: 'bool',
    isMutable: 'bool',
    editionNonce: { option: 'u8' },
    tokenStandard: { option: 'u8' },
    collection: { option: 'u8' },
  },
} as const satisfies StructSchema;

type CreateTokenData = NonNullable<ReturnType<typeof parseCreateToken>>['data'];

/** Metaplex's `Create` of a fungible token. Like it, this accepts existing mints whose extensions give others rights. */
export const metadataProgram: Program = {
  units: 46_000,
  run: async (context, call) => {
    const create = parsed(() => parseCreateToken(call));
    const tokenProgram = call.accounts[8]?.address;
    const { metadata, mint, authority, payer } = create?.accounts ?? {};
    if (!create || !metadata || !mint || !authority || !payer || !tokenProgram)
      throw notEmulated('this instruction of the metadata program');
    assertSigner(authority, payer);
    if (metadata.address !== (await findMetadataAddress(mint.address)))
      throw custom(5, 'Program log: Derived key invalid');
    assertUnused(context, metadata.address);
    if (context.isInUse(mint.address)) {
      const { mintAuthority } = new TokenAccounts(context, tokenProgram).ownMint(mint.address);
      if (isNone(mintAuthority) || mintAuthority.value !== authority.address)
        throw custom(10, 'Program log: Mint authority provided does not match the authority on the mint');
    } else {
      assertSigner(mint);
      const data = encodeNewMint(authority.address, metadata.address, create.data.decimals ?? 0);
      const size = tokenProgram === TOKEN_2022_PROGRAM_ADDRESS ? data.length : MINT.size;
      context.allocate(payer.address, mint.address, tokenProgram, data.slice(0, size));
    }
    const data = encodeMetadata(mint.address, authority.address, create.data);
    context.allocate(payer.address, metadata.address, TOKEN_METADATA_PROGRAM_ADDRESS, data, METADATA_FEE);
  },
};

/** A metadata account, padded as the metadata program pads it. */
export function encodeMetadata(
  mint: Address,
  updateAuthority: Address,
  token: Pick<
    CreateTokenData,
    'name' | 'symbol' | 'uri' | 'sellerFeeBasisPoints' | 'primarySaleHappened' | 'isMutable' | 'tokenStandard'
  >,
): Uint8Array {
  const filled = (field: keyof typeof METADATA_LIMITS) => {
    const size = new TextEncoder().encode(token[field]).length;
    return token[field] + '\0'.repeat(Math.max(0, METADATA_LIMITS[field] - size));
  };
  const data = new Uint8Array(METADATA_SIZE);
  data.set(
    writeValue(metadataSchema, {
      ...token,
      key: METADATA_KEY,
      updateAuthority,
      mint,
      name: filled('name'),
      symbol: filled('symbol'),
      uri: filled('uri'),
      creators: null,
      editionNonce: null,
      collection: null,
    }),
  );
  return data;
}

/** An extension type of Token-2022. */
const MINT_CLOSE_AUTHORITY = 3;

/** A Token-2022 mint as the metadata program creates it: only that program may close it, and nobody can move its metadata pointer. */
function encodeNewMint(authority: Address, metadata: Address, decimals: number): Uint8Array {
  const data = new Uint8Array(270);
  const bytes = view(data);
  data.set(encodeMint({ decimals, supply: 0n, mintAuthority: authority, freezeAuthority: authority }));
  bytes.setUint8(ACCOUNT_TYPE, IS_MINT);
  let offset: number = FIRST_EXTENSION;
  for (const [type, addresses] of [
    [MINT_CLOSE_AUTHORITY, [metadata]],
    [EXTENSION.metadataPointer, [SYSTEM_PROGRAM_ADDRESS, metadata]],
  ] as const) {
    bytes.setUint16(offset, type, true);
    bytes.setUint16(offset + 2, addresses.length * 32, true);
    offset += 4;
    for (const address of addresses) {
      data.set(getAddressEncoder().encode(address), offset);
      offset += 32;
    }
  }
  return data;
}
