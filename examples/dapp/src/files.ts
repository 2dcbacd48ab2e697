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

export function useTokenImage(mint: Address): string | undefined {
  const network = useNetwork();
  const { data } = useQuery({
    queryKey: [network.rpcUrl, 'image', mint],
    queryFn: async ({ signal }) => {
      const [token] = await getTokenMetadata(network.client, { mints: [mint], abortSignal: signal });
      const json = await readFile(network, token?.uri, JSON_BYTES, signal);
      const { image } = (json ? JSON.parse(await json.text()) : {}) as { image?: unknown };
      const file = await readFile(network, image, IMAGE_BYTES, signal);
      // A copy in the page's memory: its host sees one request.
      return file && IMAGE_TYPES.includes(file.type) ? URL.createObjectURL(file) : null;
    },
    staleTime: 'static',
    retry: false,
  });
  return data ?? undefined;
}
