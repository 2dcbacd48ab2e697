// The metadata file of a token: writes it from the form, reads it the way wallets do, and compares it with the form. Loaded on demand.
import { getUriMetadata, type MetadataProblem, type UriMetadata } from 'heaven-pools';

import type { Connection } from './connection.js';
import { GATEWAYS, loadImage } from './token-metadata.js';

/** The form's values for the token. */
export interface TokenFile {
  readonly name: string;
  readonly symbol: string;
  readonly description: string;
  readonly image: string;
}

/** The file in the format that wallets expect, without empty fields. */
export const writeTokenFile = (file: TokenFile): string =>
  JSON.stringify(file, (_, value: unknown) => (value === '' ? undefined : value), 2);

const read = (fetchFile: Connection['fetchFile'], uri: string, abortSignal: AbortSignal) =>
  getUriMetadata(uri, { fetch: fetchFile, gateways: GATEWAYS, abortSignal });

/** What a wallet would read from the form's file. */
export const readForm = (file: TokenFile, abortSignal: AbortSignal): Promise<UriMetadata> =>
  read(async () => new Response(writeTokenFile(file)), 'https://example.com/token.json', abortSignal);

/** Reads the file at a URL. Check it before the launch, because the URL can't be changed later. */
export const readFile = (
  { fetchFile }: Pick<Connection, 'fetchFile'>,
  uri: string,
  abortSignal: AbortSignal,
): Promise<UriMetadata> => read(fetchFile, uri, abortSignal);

const PROBLEMS: Partial<Record<MetadataProblem['code'], string>> = {
  'unsafe-url': 'This is not an https: address of a public host, so wallets will not load it.',
  'too-large': 'This file is larger than 64 KB. Wallets may not load it.',
  timeout: 'The host of this file does not answer.',
  'not-json': 'This file is not a JSON object.',
};

/** Why the file can't be read or its image can't be shown. */
export function problemOf({ problems: [problem], image }: UriMetadata): string | undefined {
  if (problem?.source === 'image') return 'The image in this file is not at an https: or ipfs: address.';
  if (problem !== undefined)
    return (
      PROBLEMS[problem.code] ??
      'This page could not read the file. Check the address, and that any site may read it.'
    );
  return image === undefined ? 'This file names no image.' : undefined;
}

/** The differences between the file and the form. Empty form fields are not compared. */
export function differences(file: UriMetadata, form: UriMetadata): readonly string[] {
  const fields = [
    ['name', 'The name'],
    ['symbol', 'The symbol'],
    ['image', 'The image'],
    ['description', 'The description'],
  ] as const;
  return fields.flatMap(([field, what]) => {
    const [there, here] = [file[field]?.value, form[field]?.value];
    if (here === undefined || here === there) return [];
    const quoted = (text: string) => `“${text.length > 80 ? `${text.slice(0, 79)}…` : text}”`;
    return [
      `${what} is ${there === undefined ? 'missing' : quoted(there)} in the file, and ${quoted(here)} in the form.`,
    ];
  });
}

export const IMAGE_PROBLEM = 'This image can’t be shown. Use PNG, JPEG, GIF, WebP or AVIF, up to 1 MB.';

/** The image as a blob URL, or `undefined` if it can't be shown. */
export const showImage = async (
  { fetchFile }: Pick<Connection, 'fetchFile'>,
  { image }: UriMetadata,
  abortSignal: AbortSignal,
): Promise<string | undefined> =>
  image === undefined || image.isSvg
    ? undefined
    : await loadImage(fetchFile, image.value, abortSignal).catch(() => undefined);
