import type { Address } from '@solana/kit';

import type { RequestOptions } from '../../solana/rpc/send.js';

/**
 * Fetches the JSON at a token's URI: the global `fetch`, or your own that uses a proxy. It only receives `https:` URLs with public host
 * names. Anybody can choose those URLs, and a name can resolve to any address: on a server, keep it away from your own network.
 */
export type MetadataFetch = (url: string, init: MetadataFetchInit) => Promise<MetadataResponse>;

/** How to fetch the JSON. */
export interface MetadataFetchInit {
  readonly signal: AbortSignal;
  /** `manual`: the SDK checks each redirect first. `follow` only where a browser does not reveal redirects. */
  readonly redirect: 'manual' | 'follow';
  readonly credentials: 'omit';
  readonly referrerPolicy: 'no-referrer';
}

/** The parts of a `Response` that the SDK reads. */
export interface MetadataResponse {
  readonly ok: boolean;
  readonly status: number;
  /** `opaqueredirect`: the browser doesn't say where it leads. */
  readonly type?: string | undefined;
  /** The final URL of the response. */
  readonly url?: string | undefined;
  readonly headers: { get(name: string): string | null };
  /** A stream of bytes, read up to the limit. */
  readonly body: unknown;
  text(): Promise<string>;
}

/** The gateways for `ipfs://` and `ar://`: `https:` URLs, such as `https://ipfs.io/ipfs/` and `https://arweave.net/`. */
export interface MetadataGateways {
  readonly ipfs?: string | null | undefined;
  readonly arweave?: string | null | undefined;
}

/** Which tokens to describe, and the limits for that. */
export interface GetTokenMetadataInput extends RequestOptions {
  /** At most 50, each once. */
  readonly mints: readonly Address[];
  /** Reads the JSON at each token's URI. Without it, only the node is called, and `image` and `description` stay `undefined`. */
  readonly fetch?: MetadataFetch | null | undefined;
  /** Without a gateway for its scheme, a URI is reported as the problem `unsafe-url`. */
  readonly gateways?: MetadataGateways | null | undefined;
  /** The time limit for one token's JSON, redirects included. Default 5000 milliseconds. */
  readonly uriTimeoutMs?: number | null | undefined;
  /** The maximum size of one token's JSON in bytes. Default 65536. */
  readonly maxUriBytes?: number | null | undefined;
}

/** How to read a metadata file. */
export interface GetUriMetadataInput
  extends Pick<GetTokenMetadataInput, 'gateways' | 'uriTimeoutMs' | 'maxUriBytes' | 'abortSignal'> {
  /** Reads the file. */
  readonly fetch: MetadataFetch;
}

/** Where a fact comes from: an extension of a Token-2022 mint, Metaplex's metadata account, or the JSON at the URI. */
export type MetadataSource = 'token-2022' | 'metaplex' | 'uri';

/** A text that anybody may have written, sanitized for display, and its source. */
export interface MetadataFact {
  readonly value: string;
  readonly source: MetadataSource;
}

/** Why a part of a token's metadata is missing or was ignored. */
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
  /** What the problem is about. */
  readonly source: MetadataSource | 'mint' | 'image';
  readonly message: string;
}

/** The `https:` URL of an image that is safe to show. */
export interface MetadataImage extends MetadataFact {
  /** Whether the URL looks like an SVG. Show an SVG only in an `<img>`, never inline: it may contain scripts. */
  readonly isSvg: boolean;
}

/** A token's own description. Anybody can give a token any name: show its address with it. */
export interface MintMetadata {
  readonly mint: Address;
  readonly tokenProgram: Address | undefined;
  readonly decimals: number | undefined;
  readonly name: MetadataFact | undefined;
  readonly symbol: MetadataFact | undefined;
  readonly description: MetadataFact | undefined;
  readonly image: MetadataImage | undefined;
  /** The stored URI, for display only: it is not checked, so don't open it. */
  readonly uri: MetadataFact | undefined;
  /** Who may change the name, symbol and URI; `null` if nobody can, `undefined` if there is no metadata. */
  readonly updateAuthority: Address | null | undefined;
  /**
   * Whether the name, symbol and URI may change: through the update authority, or by pointing a Token-2022 mint to other metadata.
   * `undefined` if there is no metadata. The content at an `https:` URI may change in any case.
   */
  readonly isMutable: boolean | undefined;
  /** Empty if everything was read. */
  readonly problems: readonly MetadataProblem[];
}

/** What a metadata file says. */
export type UriMetadata = Pick<MintMetadata, 'name' | 'symbol' | 'description' | 'image' | 'problems'>;
