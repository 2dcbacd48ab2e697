// Files of strangers: a token's JSON and its image. Anybody chooses their addresses, so nothing of the reader goes along, and what
// comes back is limited in size and kind.
import type { Address } from '@solana/kit';
import { useQuery } from '@tanstack/react-query';
import { getTokenMetadata } from 'heaven-pools';

import { type Network, useNetwork } from './network/network';

const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'];
const IMAGE_BYTES = 1_000_000;
const JSON_BYTES = 65_536;

/** The `https:` address of a token's file, by way of a gateway for IPFS and Arweave. */
export function toFileUrl(uri: string): string | undefined {
  const url = uri
    .replace(/^ipfs:\/\/(ipfs\/)?/, 'https://ipfs.io/ipfs/')
    .replace(/^ar:\/\//, 'https://arweave.net/');
  return URL.canParse(url) && new URL(url).protocol === 'https:' ? url : undefined;
}

/** Reads a file up to a size. `undefined` if there is none, or if it is larger. */
async function readFile(
  network: Network,
  uri: string,
  most: number,
  signal: AbortSignal,
): Promise<Blob | undefined> {
  const url = toFileUrl(uri);
  if (url === undefined) return undefined;
  const response = await network.fetchFile(url, {
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    signal: AbortSignal.any([signal, AbortSignal.timeout(8_000)]),
  });
  if (!response.ok || response.body === null) return undefined;
  const parts: BlobPart[] = [];
  let size = 0;
  for (const reader = response.body.getReader(); ; ) {
    const { value, done } = await reader.read();
    if (done) return new Blob(parts, { type: response.headers.get('content-type')?.split(';')[0] ?? '' });
    size += value.length;
    if (size > most) {
      await reader.cancel();
      return undefined;
    }
    parts.push(value);
  }
}

/** A token's metadata file: what it says of itself, unchecked. */
export async function readMetadataFile(
  network: Network,
  uri: string,
  signal: AbortSignal,
): Promise<Record<string, unknown> | undefined> {
  const file = await readFile(network, uri, JSON_BYTES, signal);
  const json: unknown = file && JSON.parse(await file.text());
  return typeof json === 'object' && json !== null ? (json as Record<string, unknown>) : undefined;
}

/** An image, as the address of a copy in the page's memory: its host sees one request. */
export async function readImage(
  network: Network,
  uri: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const file = await readFile(network, uri, IMAGE_BYTES, signal);
  return file && IMAGE_TYPES.includes(file.type) ? URL.createObjectURL(file) : undefined;
}

export function useTokenImage(mint: Address): string | undefined {
  const network = useNetwork();
  const { data } = useQuery({
    queryKey: [network.rpcUrl, 'image', mint],
    queryFn: async ({ signal }) => {
      const [token] = await getTokenMetadata(network.client, { mints: [mint], abortSignal: signal });
      const file = token?.uri ? await readMetadataFile(network, token.uri, signal) : undefined;
      return (typeof file?.image === 'string' && (await readImage(network, file.image, signal))) || null;
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  return data ?? undefined;
}
