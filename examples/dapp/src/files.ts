// Files of strangers: a token's JSON and its image. Anybody chooses their addresses, so nothing of the reader goes along, and what
// comes back is limited in size and kind.
import type { Address } from '@solana/kit';
import { useQuery } from '@tanstack/react-query';
import { getTokenMetadata } from 'heaven-pools';

import { UserError } from './format';
import { type Network, useNetwork } from './network/network';

export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'];
export const IMAGE_BYTES = 1_000_000;
const JSON_BYTES = 65_536;

/** The `https:` address of a token's file, by way of a gateway for IPFS and Arweave. */
export function toFileUrl(uri: string): string | undefined {
  const url = uri
    .replace(/^ipfs:\/\/(ipfs\/)?/, 'https://ipfs.io/ipfs/')
    .replace(/^ar:\/\//, 'https://arweave.net/');
  return URL.canParse(url) && new URL(url).protocol === 'https:' ? url : undefined;
}

/** Whether a file is an image that the browser can show, of a kind and size that others can. Its bytes say so, not its name. */
export async function isImage(file: Blob): Promise<boolean> {
  if (!IMAGE_TYPES.includes(file.type) || file.size > IMAGE_BYTES) return false;
  const bitmap = await createImageBitmap(file).catch(() => undefined);
  bitmap?.close();
  return bitmap !== undefined;
}

/** Reads a file up to a size. `undefined` if there is none, or if it is larger. */
async function readFile({ fetchFile }: Network, uri: unknown, most: number, abortSignal: AbortSignal) {
  const url = toFileUrl(String(uri));
  if (url === undefined) return undefined;
  const signal = AbortSignal.any([abortSignal, AbortSignal.timeout(8_000)]);
  const response = await fetchFile(url, { credentials: 'omit', referrerPolicy: 'no-referrer', signal });
  if (!response.ok || response.body === null) return undefined;
  const parts: BlobPart[] = [];
  let size = 0;
  for (const reader = response.body.getReader(); ; ) {
    const { value, done } = await reader.read();
    if (done) return new Blob(parts, { type: response.headers.get('content-type')?.split(';')[0] ?? '' });
    size += value.length;
    if (size > most) return void reader.cancel();
    parts.push(value);
  }
}

/** A token's metadata file, and a copy of its image in the page's memory: its host sees one request. */
export async function fetchMetadata(network: Network, uri: unknown, signal: AbortSignal) {
  const file = await readFile(network, uri, JSON_BYTES, signal);
  if (file === undefined) throw new UserError('There is no such file, or it is too large.');
  const json = JSON.parse(await file.text()) as Partial<Record<'name' | 'symbol' | 'image', unknown>>;
  const image = await readFile(network, json.image, IMAGE_BYTES, signal).catch(() => undefined);
  return { json, image: image && (await isImage(image)) ? URL.createObjectURL(image) : undefined };
}

export function useTokenImage(mint: Address): string | undefined {
  const network = useNetwork();
  const { data } = useQuery({
    queryKey: [network.rpcUrl, 'image', mint],
    queryFn: async ({ signal }) => {
      const [token] = await getTokenMetadata(network.client, { mints: [mint], abortSignal: signal });
      // An address that can't be read is not asked again by the next view.
      return (await fetchMetadata(network, token?.uri, signal).catch(() => undefined))?.image ?? null;
    },
    staleTime: 'static',
    retry: false,
  });
  return data ?? undefined;
}
