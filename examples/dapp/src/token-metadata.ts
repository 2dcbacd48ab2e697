// What tokens call themselves, and their images, which come through a limit of size and kind.
import type { Address } from '@solana/kit';
import { getTokenMetadata, type MintMetadata } from 'heaven-pools';

import type { Connection } from './connection.js';
import { setTokenImage } from './token-image.js';

/** What a token calls itself. Anybody can call a token anything: show its address with it. */
export interface TokenName {
  readonly name: string;
  readonly symbol: string;
}

/** Where what is on IPFS and Arweave is read. */
export const GATEWAYS = { ipfs: 'https://ipfs.io/ipfs/', arweave: 'https://arweave.net/' } as const;
const MOST_PER_CALL = 50;
const MOST_IMAGE_BYTES = 1_000_000;
const IMAGE_TIMEOUT_MS = 8_000;
/** Not SVG: it is a document, and can be as much work as its author likes. */
const KINDS = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'];

const nameOf = ({ name, symbol }: Pick<MintMetadata, 'name' | 'symbol'>): TokenName | undefined =>
  name === undefined && symbol === undefined
    ? undefined
    : {
        name: [...(name?.value ?? '')].slice(0, 32).join(''),
        symbol: [...(symbol?.value ?? '')].slice(0, 10).join(''),
      };

/** The names of tokens. One that has none, or none that can be read, is left out. */
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

/** Loads the image of a token. It is shown from this page's own memory, so that its host sees no more than one request. */
export async function loadTokenImage(
  { client, fetchFile }: Pick<Connection, 'client' | 'fetchFile'>,
  mint: Address,
  abortSignal: AbortSignal,
): Promise<string | undefined> {
  const [token] = await getTokenMetadata(client, {
    mints: [mint],
    fetch: fetchFile,
    gateways: GATEWAYS,
    abortSignal,
  });
  if (token?.image === undefined || token.image.isSvg) return undefined;
  const url = await loadImage(fetchFile, token.image.value, abortSignal);
  if (url !== undefined) setTokenImage(mint, url);
  return url;
}

/** An image as an address inside this page. */
export async function loadImage(
  fetchFile: Connection['fetchFile'],
  from: string,
  abortSignal: AbortSignal,
): Promise<string | undefined> {
  const signal = AbortSignal.any([abortSignal, AbortSignal.timeout(IMAGE_TIMEOUT_MS)]);
  const response = await fetchFile(from, {
    signal,
    redirect: 'follow',
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
  });
  const type = response.headers.get('content-type')?.split(';')[0]?.trim() ?? '';
  if (!response.ok || !KINDS.includes(type) || !(response.body instanceof ReadableStream)) return undefined;
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const reader = (response.body as ReadableStream<Uint8Array<ArrayBuffer>>).getReader();
  for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) {
    if (value === undefined) break;
    size += value.length;
    if (size > MOST_IMAGE_BYTES) {
      await reader.cancel();
      return undefined;
    }
    parts.push(value);
  }
  return URL.createObjectURL(new Blob(parts, { type }));
}
