import type { Address } from '@solana/kit';

import type { HeavenClient } from '../../client.js';
import { sanitizeText } from '../../format/text.js';
import { assertMilliseconds, assertWhole, invalidInput } from '../../input.js';
import { MINT } from '../../pool/layout.js';
import { assertAddress } from '../../solana/addresses.js';
import { addressAt } from '../../solana/base58.js';
import { isTokenProgram, SYSTEM_PROGRAM_ADDRESS } from '../../solana/programs.js';
import { accountAt, fetchAccounts, ifCreated, type RawAccount } from '../../solana/rpc/accounts.js';
import { EXTENSION, extensionIn, isMintData } from '../../solana/token-extensions.js';
import { findMetadataAddress } from '../../solana/token-metadata.js';
import { extensionMetadata, metadataPointerIn, metaplexMetadata, type StoredMetadata } from './accounts.js';
import { type JsonLimits, readJson } from './read-json.js';
import type {
  GetTokenMetadataInput,
  GetUriMetadataInput,
  MetadataFact,
  MetadataImage,
  MetadataProblem,
  MetadataSource,
  MintMetadata,
  UriMetadata,
} from './types.js';
import { type Gateways, gatewaysFrom, isSvgUrl, safeUrl } from './urls.js';

/** The most bytes that a token's JSON has, unless the caller says otherwise. */
export const MAX_URI_BYTES = 65_536;
/** With two accounts per mint, one call can return this many. */
const MOST_MINTS = 50;
/** How many hosts to ask concurrently. */
const MOST_AT_ONCE = 8;
/** In characters as a reader counts them. */
const MOST_CHARACTERS = { name: 64, symbol: 16, description: 1_000, uri: 512 } as const;

/**
 * Reads the metadata of tokens: from the Token-2022 mint or Metaplex's metadata account, and with a `fetch` from the JSON at the URI.
 * One call to the node for all of them. A token's `problems` lists what went wrong with it, without affecting the others. Texts are
 * sanitized as in {@link sanitizeText}. Anybody can give a token any name, so show its address too.
 *
 * @returns One entry for each of `mints`, in the same order.
 * @throws {HeavenError} `invalid-address`, `invalid-input`, `aborted`, and the `rpc-…` codes
 * @example
 * ```ts
 * const [token] = await getTokenMetadata(client, { mints: [mint] }); // with `fetch`, its image too
 * console.log(token?.name?.value, token?.isMutable, token?.problems);
 * ```
 */
export async function getTokenMetadata(
  client: HeavenClient,
  input: GetTokenMetadataInput,
): Promise<readonly MintMetadata[]> {
  const { mints, abortSignal } = input;
  assertMints(mints);
  const limits = limitsOf(input);
  const gateways = gatewaysFrom(input.gateways);
  const places = await Promise.all(
    mints.map(async (mint) => ({ mint, metaplex: await findMetadataAddress(mint) })),
  );
  const addresses = places.flatMap(({ mint, metaplex }) => [mint, metaplex]);
  const accounts = addresses.length === 0 ? [] : await fetchAccounts(client, addresses, { abortSignal });
  const stored = places.map(({ mint, metaplex }) =>
    storedMetadata(mint, metaplex, accountAt(accounts, mint), accountAt(accounts, metaplex)),
  );
  if (limits === undefined)
    return stored.map((one) => ({ mint: one.mint, ...describedBy(one, {}, gateways) }));
  return await eachOf(stored, async (one) => {
    const { json, problem } = one.stored?.uri ? await readJson(one.stored.uri.trim(), limits) : {};
    if (problem !== undefined) one.problems.push(problem);
    return { mint: one.mint, ...describedBy(one, json ?? {}, gateways) };
  });
}

/**
 * Reads a metadata file that no token names yet, to check it before a launch. Applies {@link getTokenMetadata}'s limits and sanitizing.
 *
 * @throws {HeavenError} `invalid-input`, `aborted`. Problems with the file itself are in `problems`
 * @example
 * ```ts
 * const { name, image, problems } = await getUriMetadata('https://example.com/token.json', { fetch });
 * console.log(name?.value, image?.value, problems);
 * ```
 */
export async function getUriMetadata(uri: string, input: GetUriMetadataInput): Promise<UriMetadata> {
  if (typeof uri !== 'string') throw invalidInput('uri', uri, 'a string');
  const limits = limitsOf(input);
  if (limits === undefined) throw invalidInput('fetch', input.fetch, 'a function such as the global fetch');
  const { json, problem } = await readJson(uri.trim(), limits);
  return uriMetadataOf(json ?? {}, limits.gateways, problem);
}

/** Describes a token by its JSON alone. */
export function uriMetadataOf(json: object, gateways: Gateways, problem?: MetadataProblem): UriMetadata {
  const nothing = { account: undefined, stored: undefined, source: 'metaplex', isMutable: false } as const;
  const problems = problem === undefined ? [] : [problem];
  const { name, symbol, description, image } = describedBy({ ...nothing, problems }, json, gateways);
  return { name, symbol, description, image, problems };
}

function assertMints(mints: readonly Address[]): void {
  if (!Array.isArray(mints) || mints.length > MOST_MINTS)
    throw invalidInput('mints', mints, `a list of at most ${MOST_MINTS} addresses`);
  for (const [index, mint] of mints.entries()) {
    assertAddress(mint, `mints[${index}]`);
    if (mints.indexOf(mint) < index) throw invalidInput(`mints[${index}]`, mint, 'in the list once');
  }
}

function limitsOf(input: Omit<GetTokenMetadataInput, 'mints'>): JsonLimits | undefined {
  const { fetch, uriTimeoutMs, maxUriBytes, abortSignal } = input;
  const timeoutMs = uriTimeoutMs ?? 5_000;
  const maxBytes = maxUriBytes ?? MAX_URI_BYTES;
  assertMilliseconds('uriTimeoutMs', timeoutMs);
  assertWhole('maxUriBytes', maxBytes, [1, 16_777_216]);
  if (fetch === undefined || fetch === null) return undefined;
  if (typeof fetch !== 'function') throw invalidInput('fetch', fetch, 'a function such as the global fetch');
  // The global `fetch` must not be called as a method.
  return {
    fetch: (url, init) => fetch(url, init),
    gateways: gatewaysFrom(input.gateways),
    timeoutMs,
    maxBytes,
    abortSignal,
  };
}

/** What a token's accounts say. */
interface Stored {
  readonly mint: Address;
  readonly account: RawAccount | undefined;
  readonly stored: StoredMetadata | undefined;
  readonly source: 'token-2022' | 'metaplex';
  readonly isMutable: boolean;
  readonly problems: MetadataProblem[];
}

function storedMetadata(
  mint: Address,
  metaplex: Address,
  account: RawAccount | undefined,
  metadata: RawAccount | undefined,
): Stored {
  const problems: MetadataProblem[] = [];
  const note = (code: MetadataProblem['code'], source: MetadataProblem['source'], message: string) =>
    problems.push({ code, source, message });
  const found = (stored: StoredMetadata | undefined, source: Stored['source'], isPointerFixed = true) => {
    const isMutable = stored !== undefined && (stored.updateAuthority !== null || !isPointerFixed);
    return { mint, account, stored, source, isMutable, problems };
  };
  if (account === undefined || ifCreated(account) === undefined) {
    note('mint-not-found', 'mint', `There is no account at ${mint} on this cluster.`);
    return { ...found(undefined, 'metaplex'), account: undefined };
  }
  if (!isTokenProgram(account.owner) || !isMintData(account.data)) {
    note('not-a-mint', 'mint', `The account ${mint} is not a token's mint.`);
    return { ...found(undefined, 'metaplex'), account: undefined };
  }
  const pointer = metadataPointerIn(account.data);
  const isFixed = isPointerFixed(account.data);
  if (pointer === mint) {
    const own = extensionMetadata(account.data, mint);
    if (own !== undefined) return found(own, 'token-2022', isFixed);
    note(
      'wrong-metadata',
      'token-2022',
      'The mint says that it holds its metadata, and holds none of its own.',
    );
  } else if (pointer !== undefined && pointer !== metaplex) {
    note(
      'wrong-metadata',
      'token-2022',
      `The mint says that its metadata is at ${pointer}, which is not followed.`,
    );
  }
  const created = ifCreated(metadata);
  const own = created && metaplexMetadata(created, mint);
  if (created !== undefined && own === undefined)
    note('wrong-metadata', 'metaplex', `The account ${metaplex} is not the metadata of this token.`);
  return found(own, 'metaplex', isFixed);
}

/** Whether nobody can point the mint to different metadata. */
function isPointerFixed(mint: Uint8Array): boolean {
  const pointer = extensionIn(mint, EXTENSION.metadataPointer);
  return pointer === undefined || pointer.length < 32 || addressAt(pointer, 0) === SYSTEM_PROGRAM_ADDRESS;
}

/** Describes a token by its accounts, and by the JSON for what those don't say. */
function describedBy(
  { account, stored, source, isMutable, problems }: Omit<Stored, 'mint'>,
  json: object,
  gateways: Gateways,
): Omit<MintMetadata, 'mint'> {
  const fact = (
    field: keyof typeof MOST_CHARACTERS,
    text: unknown,
    from: MetadataSource,
  ): MetadataFact | undefined => {
    const value = typeof text === 'string' ? sanitizeText(text, MOST_CHARACTERS[field]) : '';
    return value === '' ? undefined : { value, source: from };
  };
  const inJson = (member: string): unknown =>
    Object.hasOwn(json, member) ? (json as Readonly<Record<string, unknown>>)[member] : undefined;
  return {
    tokenProgram: account?.owner,
    decimals: account?.data[MINT.decimals],
    name: fact('name', stored?.name, source) ?? fact('name', inJson('name'), 'uri'),
    symbol: fact('symbol', stored?.symbol, source) ?? fact('symbol', inJson('symbol'), 'uri'),
    description: fact('description', inJson('description'), 'uri'),
    image: imageFrom(inJson('image'), gateways, problems),
    uri: fact('uri', stored?.uri, source),
    updateAuthority: stored?.updateAuthority,
    isMutable: stored === undefined ? undefined : isMutable,
    problems,
  };
}

function imageFrom(
  image: unknown,
  gateways: Gateways,
  problems: MetadataProblem[],
): MetadataImage | undefined {
  if (typeof image !== 'string' || image === '') return undefined;
  const value = safeUrl(image, gateways);
  if (value !== undefined) return { value, source: 'uri', isSvg: isSvgUrl(value) };
  const message = 'The image is not at an https: URL of a public host, and no gateway is set for it.';
  problems.push({ code: 'unsafe-url', source: 'image', message });
  return undefined;
}

/** Processes items concurrently, a few at a time. */
async function eachOf<T, TResult>(
  items: readonly T[],
  run: (item: T) => Promise<TResult>,
): Promise<readonly TResult[]> {
  const results: TResult[] = [];
  const waiting = items.entries();
  const work = async () => {
    for (const [index, item] of waiting) results[index] = await run(item);
  };
  await Promise.all(Array.from({ length: Math.min(MOST_AT_ONCE, items.length) }, work));
  return results;
}
