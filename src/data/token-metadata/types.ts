import type { Address } from '@solana/kit';

import type { RequestOptions } from '../../solana/rpc/send.js';

/**
 * What reads the JSON behind a token's URI: the global `fetch`, or your own that goes through a proxy. It is only given `https:` URLs of public names. Those
 * are what anybody wrote: on a server, keep it away from your own network, as a name can lead to any address.
 */
export type MetadataFetch = (url: string, init: MetadataFetchInit) => Promise<MetadataResponse>;

/** How the JSON is asked for. */
export interface MetadataFetchInit {
  readonly signal: AbortSignal;
  /** `manual`: each place that an answer leads to is checked first. `follow` only where a browser shows no such places. */
  readonly redirect: 'manual' | 'follow';
  readonly credentials: 'omit';
  readonly referrerPolicy: 'no-referrer';
}

/** What of a `Response` is read. */
export interface MetadataResponse {
  readonly ok: boolean;
  readonly status: number;
  /** `opaqueredirect`: a browser doesn't say where to. */
  readonly type?: string | undefined;
  /** Where the answer came from in the end. */
  readonly url?: string | undefined;
  readonly headers: { get(name: string): string | null };
  /** A stream of bytes, read up to the limit. */
  readonly body: unknown;
  text(): Promise<string>;
}

/** Where `ipfs://` and `ar://` lead: `https:` URLs, such as `https://ipfs.io/ipfs/` and `https://arweave.net/`. */
export interface MetadataGateways {
  readonly ipfs?: string | null | undefined;
  readonly arweave?: string | null | undefined;
}

/** Which tokens to describe, and how far to go for it. */
export interface GetTokenMetadataInput extends RequestOptions {
  /** 50 at most, each once. */
  readonly mints: readonly Address[];
  /** Reads the JSON behind each token's URI. Without it nothing but the node is called, and `image` and `description` stay `undefined`. */
  readonly fetch?: MetadataFetch | null | undefined;
  /** Without a gateway, URIs of its scheme are a problem `unsafe-url`. */
  readonly gateways?: MetadataGateways | null | undefined;
  /** How long the JSON of one token may take, redirects included. Default 5000 milliseconds. */
  readonly uriTimeoutMs?: number | null | undefined;
  /** The most bytes of one token's JSON. Default 65536. */
  readonly maxUriBytes?: number | null | undefined;
}

/** How to read a metadata file. */
export interface GetUriMetadataInput
  extends Pick<GetTokenMetadataInput, 'gateways' | 'uriTimeoutMs' | 'maxUriBytes' | 'abortSignal'> {
  /** Reads the file. */
  readonly fetch: MetadataFetch;
}

/** Where a fact comes from: an extension of a Token-2022 mint, Metaplex's metadata account, or the JSON behind the URI. */
export type MetadataSource = 'token-2022' | 'metaplex' | 'uri';

/** A text that somebody wrote, made harmless to show, and where it comes from. */
export interface MetadataFact {
  readonly value: string;
  readonly source: MetadataSource;
}

/** Why a part of a token's metadata is missing or was passed over. */
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
  /** What it is about. */
  readonly source: MetadataSource | 'mint' | 'image';
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
  /** As it is stored, to be shown: not checked, and not to be opened. */
  readonly uri: MetadataFact | undefined;
  /** Who may change name, symbol and URI; `null` if nobody can, `undefined` if there is no metadata. */
  readonly updateAuthority: Address | null | undefined;
  /**
   * Whether name, symbol and URI may change later: by the update authority, or by who may point a Token-2022 mint to other metadata. `undefined` if there is none.
   * What is behind an `https:` URI may change in any case.
   */
  readonly isMutable: boolean | undefined;
  /** Empty if all was read. */
  readonly problems: readonly MetadataProblem[];
}

/** What a metadata file says. */
export type UriMetadata = Pick<MintMetadata, 'name' | 'symbol' | 'description' | 'image' | 'problems'>;
