import type { Address } from '@solana/kit';

import type { RequestOptions } from '../../solana/rpc/send.js';

/** What reads the JSON behind a token's URI: the global `fetch`, or your own that goes through a proxy. */
export type MetadataFetch = (
  url: string,
  init: { readonly signal: AbortSignal; readonly redirect: 'error'; readonly credentials: 'omit' },
) => Promise<MetadataResponse>;

/** What of a `Response` is read. */
export interface MetadataResponse {
  readonly ok: boolean;
  readonly status: number;
  readonly body: MetadataBody | null;
}

/** A stream of bytes, such as a `ReadableStream<Uint8Array>`. */
export interface MetadataBody {
  getReader(): {
    read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
    cancel(): Promise<void>;
  };
}

/** Which tokens to describe, and how far to go for it. */
export interface GetTokenMetadataInput extends RequestOptions {
  /** At most 50. */
  readonly mints: readonly Address[];
  /** Reads the JSON behind each token's URI. Without it nothing but the node is called, and `image` and `description` stay `undefined`. */
  readonly fetch?: MetadataFetch | null | undefined;
  /** Where `ipfs://` and `ar://` lead, such as `https://ipfs.io/ipfs/`. Without one, such URIs are a problem `unsafe-url`. */
  readonly gateways?: { readonly ipfs?: string | undefined; readonly arweave?: string | undefined };
  /** How long the JSON of one token may take. Default 5000 milliseconds. */
  readonly uriTimeoutMs?: number | null | undefined;
  /** The most bytes of one token's JSON. Default 65536. */
  readonly maxUriBytes?: number | null | undefined;
}

/** Where a fact comes from: an extension of a Token-2022 mint, Metaplex's metadata account, or the JSON behind the URI. */
export type MetadataSource = 'token-2022' | 'metaplex' | 'uri';

/** A text that somebody wrote, made harmless to show, and where it comes from. */
export interface MetadataFact {
  readonly value: string;
  readonly source: MetadataSource;
}

/** Why a part of a token's metadata is missing. */
export interface MetadataProblem {
  readonly code:
    | 'mint-not-found'
    | 'not-a-mint'
    | 'wrong-metadata'
    | 'unsafe-url'
    | 'fetch-failed'
    | 'timeout'
    | 'too-large'
    | 'not-json';
  readonly source: MetadataSource | 'mint';
  readonly message: string;
}

/** An image that may be shown: an `https:` URL. */
export interface MetadataImage extends MetadataFact {
  /** Whether the URL says that it is an SVG: show it in an `<img>` only, never inline, as it may hold scripts. */
  readonly isSvg: boolean;
}

/** What a token says of itself. Anybody can call a token anything: show its address with it. */
export interface MintMetadata {
  readonly mint: Address;
  readonly tokenProgram: Address | undefined;
  readonly decimals: number | undefined;
  readonly name: MetadataFact | undefined;
  readonly symbol: MetadataFact | undefined;
  readonly description: MetadataFact | undefined;
  readonly image: MetadataImage | undefined;
  /** As it is stored, for links: not checked, and not to be opened unseen. */
  readonly uri: MetadataFact | undefined;
  /** Who may change name, symbol and URI; `null` if nobody can, `undefined` if there is no metadata. */
  readonly updateAuthority: Address | null | undefined;
  /** Whether name, symbol and URI may change later. What is behind the URI may in any case, unless it is content-addressed. */
  readonly isMutable: boolean | undefined;
  /** Empty if all was read. */
  readonly problems: readonly MetadataProblem[];
}
