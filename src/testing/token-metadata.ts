import type { Address } from '@solana/kit';
import { assertHas, assertNames } from '../base/input.js';

import { SYSTEM_PROGRAM_ADDRESS, TOKEN_METADATA_PROGRAM_ADDRESS } from '../solana/programs.js';
import { assertTokenMetadata, findMetadataAddress, type TokenMetadata } from '../solana/token-metadata.js';
import type { Ledger } from './ledger.js';
import { encodeMetadata } from './programs/metadata.js';

/** The metadata program's number for a fungible token. */
const FUNGIBLE = 2;

/**
 * Gives a token of a ledger a name, a symbol and a URI, in an immutable metadata account as a launch creates it. `getTokenMetadata`
 * reads it. The sample tokens have none.
 *
 * @throws {HeavenError} `invalid-input`
 * @example
 * ```ts
 * const ledger = await createEmbeddedLedger();
 * const { mint } = ledger.pools.creator;
 * await setTokenMetadata(ledger, mint, { name: 'Creator token', symbol: 'CREA', uri: 'https://example.com/creator.json' });
 * ```
 */
export async function setTokenMetadata(
  ledger: Pick<Ledger, 'setAccount'>,
  mint: Address,
  metadata: TokenMetadata,
): Promise<void> {
  assertHas(ledger, 'setAccount', 'ledger', 'a ledger');
  assertNames(metadata, 'metadata', { name: 1, symbol: 1, uri: 1 });
  const { name, symbol, uri } = metadata;
  assertTokenMetadata({ name, symbol, uri });
  ledger.setAccount(await findMetadataAddress(mint), {
    owner: TOKEN_METADATA_PROGRAM_ADDRESS,
    data: encodeMetadata(mint, SYSTEM_PROGRAM_ADDRESS, {
      name,
      symbol,
      uri,
      sellerFeeBasisPoints: 0,
      primarySaleHappened: false,
      isMutable: false,
      tokenStandard: FUNGIBLE,
    }),
  });
}
