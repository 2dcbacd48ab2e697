import type { Address } from '@solana/kit';
import { assertCall, invalidInput } from '../../base/input.js';
import { sanitizeText } from '../../base/text.js';
import type { HeavenClient } from '../../program/client.js';
import { addressAt, assertAddress } from '../../solana/addresses.js';
import { isTokenProgram, SYSTEM_PROGRAM_ADDRESS } from '../../solana/programs.js';
import { accountAt, fetchAccounts, ifCreated, type RawAccount } from '../../solana/rpc/accounts.js';
import type { RequestOptions } from '../../solana/rpc/send.js';
import { EXTENSION, extensionIn, isMintData } from '../../solana/token-extensions.js';
import { MINT } from '../../solana/token-layout.js';
import { findMetadataAddress } from '../../solana/token-metadata.js';
import { extensionMetadata, metadataPointerIn, metaplexMetadata, type StoredMetadata } from './accounts.js';

/** With two accounts per mint, one call can return this many. */
const MAX_METADATA_MINTS = 50;
/** In characters as a reader counts them. */
const MAX_CHARACTERS = { name: 64, symbol: 16, uri: 512 } as const;

/** Which tokens to describe. */
export interface GetTokenMetadataInput extends RequestOptions {
  /** At most 50, each once. */
  readonly mints: readonly Address[];
}

/** Why a token's metadata is missing or was ignored. */
export interface MetadataProblem {
  readonly code: 'mint-not-found' | 'not-a-mint' | 'wrong-metadata';
  readonly message: string;
}

/** A token's own description, sanitized for display. Anybody can give a token any name: show its address with it. */
export interface TokenDescription {
  readonly mint: Address;
  readonly tokenProgram: Address | undefined;
  readonly decimals: number | undefined;
  readonly name: string | undefined;
  readonly symbol: string | undefined;
  /** Where the issuer says that the token's JSON is. It may be any text: check it before you fetch it. */
  readonly uri: string | undefined;
  /** An extension of the Token-2022 mint, or Metaplex's account. `undefined` if there is no metadata. */
  readonly source: 'token-2022' | 'metaplex' | undefined;
  /** Who may change the name, symbol and URI; `null` if nobody can, `undefined` if there is no metadata. */
  readonly updateAuthority: Address | null | undefined;
  /**
   * Whether the name, symbol and URI may change: through the update authority, or by pointing a Token-2022 mint to other metadata.
   * `undefined` if there is no metadata. The content behind the URI may change in any case.
   */
  readonly isMutable: boolean | undefined;
  /** Empty if everything was read. */
  readonly problems: readonly MetadataProblem[];
}

/**
 * Reads the metadata of tokens on chain: from the Token-2022 mint or Metaplex's metadata account. One call to the node for all of
 * them. A token's `problems` lists what went wrong with it, without affecting the others. Texts are sanitized as in
 * {@link sanitizeText}. It fetches nothing from the URI.
 *
 * @returns One entry for each of `mints`, in the same order.
 * @throws {HeavenError} `invalid-address`, `invalid-input`, `aborted`, and the `rpc-…` codes
 * @example
 * ```ts
 * const [token] = await getTokenMetadata(client, { mints: [mint] });
 * console.log(token?.name, token?.isMutable, token?.problems);
 * ```
 */
export async function getTokenMetadata(
  client: HeavenClient,
  input: GetTokenMetadataInput,
): Promise<readonly TokenDescription[]> {
  assertCall(client, input, { mints: 1, abortSignal: 1 });
  const { mints, abortSignal } = input;
  assertMints(mints);
  if (mints.length === 0) return [];
  const places = await Promise.all(
    mints.map(async (mint) => ({ mint, metaplex: await findMetadataAddress(mint) })),
  );
  const addresses = places.flatMap(({ mint, metaplex }) => [mint, metaplex]);
  const accounts = await fetchAccounts(client, addresses, { abortSignal });
  return places.map(({ mint, metaplex }) =>
    describe(mint, metaplex, accountAt(accounts, mint), ifCreated(accountAt(accounts, metaplex))),
  );
}

function assertMints(mints: readonly Address[]): void {
  if (!Array.isArray(mints) || mints.length > MAX_METADATA_MINTS)
    throw invalidInput('mints', mints, `a list of at most ${MAX_METADATA_MINTS} addresses`);
  for (const [index, mint] of mints.entries()) {
    assertAddress(mint, `mints[${index}]`);
    if (mints.indexOf(mint) < index) throw invalidInput(`mints[${index}]`, mint, 'in the list once');
  }
}

function describe(
  mint: Address,
  metaplex: Address,
  account: RawAccount | undefined,
  metadata: RawAccount | undefined,
): TokenDescription {
  const problems: MetadataProblem[] = [];
  const note = (code: MetadataProblem['code'], message: string) => problems.push({ code, message });
  const isMint = account !== undefined && isTokenProgram(account.owner) && isMintData(account.data);
  const data = isMint ? account.data : undefined;
  if (account === undefined || ifCreated(account) === undefined)
    note('mint-not-found', `There is no account at ${mint} on this cluster.`);
  else if (!isMint) note('not-a-mint', `The account ${mint} is not a token's mint.`);

  let found: { readonly stored: StoredMetadata; readonly source: 'token-2022' | 'metaplex' } | undefined;
  if (data !== undefined) {
    const pointer = metadataPointerIn(data);
    const own = pointer === mint ? extensionMetadata(data, mint) : undefined;
    if (own !== undefined) found = { stored: own, source: 'token-2022' };
    else if (pointer === mint)
      note('wrong-metadata', 'The mint says that it holds its metadata, and holds none of its own.');
    else if (pointer !== undefined && pointer !== metaplex)
      note('wrong-metadata', `The mint says that its metadata is at ${pointer}, which is not followed.`);
  }
  if (data !== undefined && found === undefined && metadata !== undefined) {
    const stored = metaplexMetadata(metadata, mint);
    if (stored === undefined)
      note('wrong-metadata', `The account ${metaplex} is not the metadata of this token.`);
    else found = { stored, source: 'metaplex' };
  }
  const text = (field: keyof typeof MAX_CHARACTERS): string | undefined =>
    sanitizeText(found?.stored[field] ?? '', MAX_CHARACTERS[field]) || undefined;
  return {
    mint,
    tokenProgram: isMint ? account.owner : undefined,
    decimals: data?.[MINT.decimals],
    name: text('name'),
    symbol: text('symbol'),
    uri: text('uri'),
    source: found?.source,
    updateAuthority: found?.stored.updateAuthority,
    isMutable:
      found === undefined || data === undefined
        ? undefined
        : found.stored.updateAuthority !== null || !isPointerFixed(data),
    problems,
  };
}

/** Whether nobody can point the mint to different metadata. */
function isPointerFixed(mint: Uint8Array): boolean {
  const pointer = extensionIn(mint, EXTENSION.metadataPointer);
  return pointer === undefined || pointer.length < 32 || addressAt(pointer, 0) === SYSTEM_PROGRAM_ADDRESS;
}
