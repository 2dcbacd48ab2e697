import { type Address, getAddressEncoder } from '@solana/kit';

import { view } from '../solana/account-data.js';
import { encoderFor, type StructSchema } from '../solana/codec.js';
import { encodeMint } from './encode.js';

/** What the metadata program charges for a new token, besides the rent: 0.01 SOL. */
export const METADATA_FEE = 10_000_000n;
const METADATA_SIZE = 607;

/** The sizes that the metadata program fills its texts up to. */
const TEXT = { name: 32, symbol: 10, uri: 200 } as const;

const metadataSchema = {
  name: 'Metadata',
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

const METADATA_KEY = 4;

/** A token's metadata account. */
export function encodeMetadata(token: {
  readonly mint: Address;
  readonly updateAuthority: Address;
  readonly name: string;
  readonly symbol: string;
  readonly uri: string;
  readonly sellerFeeBasisPoints: number;
  readonly primarySaleHappened: boolean;
  readonly isMutable: boolean;
  readonly tokenStandard: number;
}): Uint8Array {
  const padded = (field: keyof typeof TEXT) => {
    const size = new TextEncoder().encode(token[field]).length;
    return token[field] + '\0'.repeat(Math.max(0, TEXT[field] - size));
  };
  const { mint, updateAuthority, sellerFeeBasisPoints, primarySaleHappened, isMutable, tokenStandard } =
    token;
  const data = new Uint8Array(METADATA_SIZE);
  data.set(
    encoderFor(metadataSchema).encode({
      key: METADATA_KEY,
      updateAuthority,
      mint,
      name: padded('name'),
      symbol: padded('symbol'),
      uri: padded('uri'),
      sellerFeeBasisPoints,
      creators: null,
      primarySaleHappened,
      isMutable,
      editionNonce: null,
      tokenStandard,
      collection: null,
    }) as Uint8Array,
  );
  return data;
}

/** Extension types of Token-2022. */
const MINT_CLOSE_AUTHORITY = 3;
const METADATA_POINTER = 18;

/** A Token-2022 mint as the metadata program makes it: the first 82 bytes are those of a classic one. */
export function encodeNewMint(authority: Address, metadata: Address, decimals: number): Uint8Array {
  const data = new Uint8Array(270);
  const bytes = view(data);
  const put = (address: Address, offset: number) => data.set(getAddressEncoder().encode(address), offset);
  data.set(encodeMint({ decimals, supply: 0n, mintAuthority: authority, freezeAuthority: authority }));
  bytes.setUint8(165, 1);
  bytes.setUint16(166, MINT_CLOSE_AUTHORITY, true);
  bytes.setUint16(168, 32, true);
  put(authority, 170);
  bytes.setUint16(202, METADATA_POINTER, true);
  bytes.setUint16(204, 64, true);
  put(authority, 206);
  put(metadata, 238);
  return data;
}
