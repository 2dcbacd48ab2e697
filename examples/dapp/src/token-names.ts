import {
  type Address,
  getAddressDecoder,
  getAddressEncoder,
  getBase64Encoder,
  getProgramDerivedAddress,
  type ReadonlyUint8Array,
} from '@solana/kit';
import { TOKEN_METADATA_PROGRAM_ADDRESS } from 'heaven-pools/program';

import { type Connection, TIMEOUT_MS } from './connection.js';
import { tame } from './format.js';

/** What a token calls itself. Anybody can call a token anything: show its address with it. */
export interface TokenName {
  readonly name: string;
  readonly symbol: string;
}

const MOST_ACCOUNTS_PER_CALL = 100;

export async function findMetadataAddress(mint: Address): Promise<Address> {
  const encode = getAddressEncoder().encode;
  const seeds = ['metadata', encode(TOKEN_METADATA_PROGRAM_ADDRESS), encode(mint)];
  const [address] = await getProgramDerivedAddress({ programAddress: TOKEN_METADATA_PROGRAM_ADDRESS, seeds });
  return address;
}

/** The names of tokens. One that has none, or none that can be read, is left out. */
export async function fetchTokenNames(
  { rpc }: Pick<Connection, 'rpc'>,
  mints: readonly Address[],
): Promise<ReadonlyMap<Address, TokenName>> {
  const names = new Map<Address, TokenName>();
  for (let from = 0; from < mints.length; from += MOST_ACCOUNTS_PER_CALL) {
    const some = mints.slice(from, from + MOST_ACCOUNTS_PER_CALL);
    const addresses = await Promise.all(some.map(findMetadataAddress));
    const { value } = await rpc
      .getMultipleAccounts(addresses, { encoding: 'base64' })
      .send({ abortSignal: AbortSignal.timeout(TIMEOUT_MS) });
    for (const [index, account] of value.entries()) {
      const mint = some[index];
      if (account === null || mint === undefined || account.owner !== TOKEN_METADATA_PROGRAM_ADDRESS)
        continue;
      const name = decodeTokenName(getBase64Encoder().encode(account.data[0]), mint);
      if (name !== undefined) names.set(mint, name);
    }
  }
  return names;
}

/** The name and the symbol in a Metaplex metadata account, if it is one of this mint. */
export function decodeTokenName(data: ReadonlyUint8Array, mint: Address): TokenName | undefined {
  const METADATA = 4;
  const MINT = 33;
  const NAME = 65;
  if (data.length < NAME || data[0] !== METADATA || getAddressDecoder().decode(data, MINT) !== mint)
    return undefined;
  const bytes = Uint8Array.from(data);
  const view = new DataView(bytes.buffer);
  let at = NAME;
  const texts: string[] = [];
  for (let text = 0; text < 2; text++) {
    if (at + 4 > bytes.length) return undefined;
    const length = view.getUint32(at, true);
    at += 4;
    if (at + length > bytes.length) return undefined;
    texts.push(new TextDecoder().decode(bytes.subarray(at, at + length)));
    at += length;
  }
  const [name = '', symbol = ''] = texts;
  return { name: tame(name, 32), symbol: tame(symbol, 10) };
}
