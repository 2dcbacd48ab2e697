// Tokens' own names and images.
import type { Address } from '@solana/kit';
import { fetchTokenImage, getTokenMetadata, type MintMetadata } from 'heaven-pools';

import type { Connection } from './connection.js';
import { setTokenImage } from './token-image.js';

/** A token's own name. Anybody can use any name, so show the address with it. */
export interface TokenName {
  readonly name: string;
  readonly symbol: string;
}

/** The gateways for files on IPFS and Arweave. */
export const GATEWAYS = { ipfs: 'https://ipfs.io/ipfs/', arweave: 'https://arweave.net/' } as const;
const MOST_PER_CALL = 50;

const nameOf = ({ name, symbol }: Pick<MintMetadata, 'name' | 'symbol'>): TokenName | undefined =>
  name === undefined && symbol === undefined
    ? undefined
    : {
        name: [...(name?.value ?? '')].slice(0, 32).join(''),
        symbol: [...(symbol?.value ?? '')].slice(0, 10).join(''),
      };

/** The names of tokens. Leaves out tokens without a readable name. */
export async function fetchTokenNames(
  { client }: Pick<Connection, 'client'>,
  mints: readonly Address[],
): Promise<ReadonlyMap<Address, TokenName>> {
  const names = new Map<Address, TokenName>();
  for (let from = 0; from < mints.length; from += MOST_PER_CALL) {
    const found = await getTokenMetadata(client, { mints: mints.slice(from, from + MOST_PER_CALL) });
    for (const one of found) {
      const name = nameOf(one);
      if (name !== undefined) names.set(one.mint, name);
    }
  }
  return names;
}

/** Loads the image of a token. The page shows a copy from memory, so that the host sees only one request. */
export async function loadTokenImage(
  { client, fetchFile }: Pick<Connection, 'client' | 'fetchFile'>,
  mint: Address,
  abortSignal: AbortSignal,
): Promise<void> {
  const [token] = await getTokenMetadata(client, {
    mints: [mint],
    fetch: fetchFile,
    gateways: GATEWAYS,
    abortSignal,
  });
  if (token?.image === undefined || token.image.isSvg) return;
  const url = await loadImage(fetchFile, token.image.value, abortSignal);
  if (url !== undefined) setTokenImage(mint, url);
}

/** An image as a blob URL. */
export async function loadImage(
  fetch: Connection['fetchFile'],
  from: string,
  abortSignal: AbortSignal,
): Promise<string | undefined> {
  const image = await fetchTokenImage(from, { fetch, abortSignal });
  return image && URL.createObjectURL(new Blob([image.bytes], { type: image.type }));
}
