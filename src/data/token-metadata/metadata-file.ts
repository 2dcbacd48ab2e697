import { HeavenError } from '../../errors.js';
import { assertText } from '../../solana/codec.js';
import { MAX_URI_BYTES, uriMetadataOf } from './get-token-metadata.js';
import type { MetadataGateways, UriMetadata } from './types.js';
import { gatewaysFrom } from './urls.js';

/** What a token's metadata file says. A field that is missing or empty is left out of the file. */
export interface MetadataFileInput {
  readonly name: string;
  readonly symbol: string;
  readonly description?: string | null | undefined;
  /** An `https:` URL, or one that starts with `ipfs://` or `ar://`. */
  readonly image?: string | null | undefined;
  /** As those of {@link getUriMetadata}: they decide which URL of the image is in `metadata`. */
  readonly gateways?: MetadataGateways | null | undefined;
}

/** A metadata file that nobody hosts yet. */
export interface MetadataFile {
  /** The file, as JSON text. */
  readonly json: string;
  /** What {@link getUriMetadata} will read from it: the sanitized texts, and what is wrong with the image. */
  readonly metadata: UriMetadata;
}

/** A field in which two metadata files differ. */
export interface MetadataDifference {
  readonly field: 'name' | 'symbol' | 'description' | 'image';
  /** What was asked for. */
  readonly asked: string;
  /** What the other file says, if anything. */
  readonly found: string | undefined;
}

const FIELDS = ['name', 'symbol', 'description', 'image'] as const;

/**
 * Writes the metadata file of a token to launch. Host it, and pass its address as `uri` to the launch. The image is not loaded.
 *
 * @throws {HeavenError} `invalid-input` (a field or gateway), `text-too-long` (a file of more than 64 KiB, which wallets may not read)
 * @example
 * ```ts
 * const { json, metadata } = writeUriMetadata({ name: 'A token', symbol: 'TOKEN', image: 'https://example.com/token.png' });
 * if (metadata.problems.length === 0) console.log(json);
 * ```
 */
export function writeUriMetadata(input: MetadataFileInput): MetadataFile {
  const gateways = gatewaysFrom(input.gateways);
  const content: Record<string, string> = {};
  for (const field of FIELDS) {
    const text = input[field] ?? '';
    assertText(text, field);
    if (text !== '') content[field] = text;
  }
  const json = JSON.stringify(content, undefined, 2);
  const size = new TextEncoder().encode(json).length;
  if (size > MAX_URI_BYTES)
    throw new HeavenError(
      'text-too-long',
      `The metadata file has ${size} bytes, and wallets read at most ${MAX_URI_BYTES}. Shorten its texts.`,
      { field: 'description', size, limit: MAX_URI_BYTES },
    );
  return { json, metadata: uriMetadataOf(content, gateways) };
}

/**
 * Compares a hosted metadata file with what it is meant to say, such as the form of a launch. Compares what a reader sees, and only the
 * fields that `asked` has.
 *
 * @example
 * ```ts
 * const { metadata } = writeUriMetadata({ name: 'A token', symbol: 'TOKEN' });
 * const hosted = await getUriMetadata('https://example.com/token.json', { fetch });
 * for (const { field, asked, found } of compareUriMetadata(metadata, hosted)) console.log(field, asked, found);
 * ```
 */
export const compareUriMetadata = (asked: UriMetadata, found: UriMetadata): readonly MetadataDifference[] =>
  FIELDS.flatMap((field) => {
    const [here, there] = [asked[field]?.value, found[field]?.value];
    return here === undefined || here === there ? [] : [{ field, asked: here, found: there }];
  });
