import type { Address } from '@solana/kit';

import { view } from '../../solana/account-data.js';
import { addressAt } from '../../solana/addresses.js';
import { TOKEN_METADATA_PROGRAM_ADDRESS } from '../../solana/programs.js';
import type { RawAccount } from '../../solana/rpc/accounts.js';
import { EXTENSION, extensionIn } from '../../solana/token-extensions.js';

/** What an account says about a token, as stored. Don't trust it. */
export interface StoredMetadata {
  readonly name: string;
  readonly symbol: string;
  readonly uri: string;
  /** `null` if nobody can change it. */
  readonly updateAuthority: Address | null;
}

/** 32 zeros mean no address. */
const NOBODY = '11111111111111111111111111111111' as Address;

/** More than any text in an account needs: Token-2022 accounts can hold megabytes. */
const MAX_TEXT_BYTES = 4_096;

/** Reads the three texts that both programs store, each after its length. `undefined` if they are truncated. */
function textsAt(data: Uint8Array, offset: number) {
  const bytes = view(data);
  const texts: string[] = [];
  let at = offset;
  for (let count = 0; count < 3; count++) {
    if (at + 4 > data.length) return undefined;
    const length = bytes.getUint32(at, true);
    at += 4;
    if (length > data.length - at) return undefined;
    const kept = data.subarray(at, at + Math.min(length, MAX_TEXT_BYTES));
    texts.push(new TextDecoder().decode(kept).replace(/\0+$/, ''));
    at += length;
  }
  const [name = '', symbol = '', uri = ''] = texts;
  return { name, symbol, uri, end: at };
}

/** Returns where a Token-2022 mint says its metadata is; `undefined` if it doesn't say. */
export function metadataPointerIn(mint: Uint8Array): Address | undefined {
  const pointer = extensionIn(mint, EXTENSION.metadataPointer);
  if (pointer === undefined || pointer.length < 64) return undefined;
  const address = addressAt(pointer, 32);
  return address === NOBODY ? undefined : address;
}

/** Reads a Token-2022 mint's own metadata: update authority, mint, texts. `undefined` if it has none. [Level D](/protocol). */
export function extensionMetadata(data: Uint8Array, mint: Address): StoredMetadata | undefined {
  const content = extensionIn(data, EXTENSION.tokenMetadata);
  if (content === undefined || content.length < 64 || addressAt(content, 32) !== mint) return undefined;
  const texts = textsAt(content, 64);
  if (texts === undefined) return undefined;
  const authority = addressAt(content, 0);
  const { name, symbol, uri } = texts;
  return { name, symbol, uri, updateAuthority: authority === NOBODY ? null : authority };
}

const METAPLEX = { key: 4, updateAuthority: 1, mint: 33, texts: 65 } as const;
const CREATOR_SIZE = 34;
const MAX_CREATORS = 32;

/** Reads Metaplex's metadata account of a mint. `undefined` if it is not one, or is another mint's. [Level M](/protocol). */
export function metaplexMetadata({ owner, data }: RawAccount, mint: Address): StoredMetadata | undefined {
  if (owner !== TOKEN_METADATA_PROGRAM_ADDRESS || data.length < METAPLEX.texts) return undefined;
  if (data[0] !== METAPLEX.key || addressAt(data, METAPLEX.mint) !== mint) return undefined;
  const texts = textsAt(data, METAPLEX.texts);
  if (texts === undefined) return undefined;
  const isMutable = mutableFlagAt(data, texts.end);
  if (isMutable === undefined) return undefined;
  const { name, symbol, uri } = texts;
  return {
    name,
    symbol,
    uri,
    updateAuthority: isMutable ? addressAt(data, METAPLEX.updateAuthority) : null,
  };
}

/** Reads the flag after the texts, the seller's fee, the creators if any, and whether it was sold. */
function mutableFlagAt(data: Uint8Array, texts: number): boolean | undefined {
  const creators = texts + 2;
  if (creators + 5 > data.length) return undefined;
  const count = data[creators] === 1 ? view(data).getUint32(creators + 1, true) : 0;
  if (count > MAX_CREATORS) return undefined;
  const flag = data[creators + 1 + (data[creators] === 1 ? 4 + count * CREATOR_SIZE : 0) + 1];
  return flag === undefined ? undefined : flag !== 0;
}
