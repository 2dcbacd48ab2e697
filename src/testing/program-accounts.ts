import { type Address, getBase58Encoder, getBase64Decoder, getBase64Encoder } from '@solana/kit';

/** An account with all that an answer says of it. */
interface ListedAccount {
  readonly address: Address;
  readonly owner: Address;
  readonly data: Uint8Array;
  readonly lamports: bigint;
}

type Filter =
  | { readonly dataSize: number | bigint }
  | {
      readonly memcmp: {
        readonly offset: number | bigint;
        readonly bytes: string;
        readonly encoding?: 'base58' | 'base64';
      };
    };

interface ProgramAccountsConfig {
  readonly encoding?: string;
  readonly filters?: readonly Filter[];
  readonly dataSlice?: { readonly offset: number | bigint; readonly length: number | bigint };
  readonly withContext?: boolean;
}

/** What real nodes allow. */
const MOST_FILTERS = 4;
const MOST_COMPARED_BYTES = 128;

/**
 * Answers `getProgramAccounts` as a node does: accounts in no particular order, filters all of which must hold, a slice of
 * the data if one is asked for.
 */
export function programAccounts(
  accounts: Iterable<ListedAccount>,
  [program, config = {}]: readonly unknown[],
  inContext: (value: unknown) => unknown,
): unknown {
  const { encoding, filters = [], dataSlice, withContext = false } = config as ProgramAccountsConfig;
  if (encoding !== 'base64') throw new Error('The embedded ledger encodes accounts in base64 only.');
  if (filters.length > MOST_FILTERS) throw new Error(`Too many filters provided; max ${MOST_FILTERS}`);
  const tests = filters.map(testOf);
  const found: unknown[] = [];
  for (const { address, owner, data, lamports } of accounts) {
    if (owner !== program || !tests.every((holds) => holds(data))) continue;
    const offset = Number(dataSlice?.offset ?? 0);
    const part = dataSlice ? data.subarray(offset, offset + Number(dataSlice.length)) : data;
    found.push({
      pubkey: address,
      account: {
        data: [getBase64Decoder().decode(part), 'base64'],
        executable: false,
        lamports,
        owner,
        rentEpoch: 0xffff_ffff_ffff_ffffn,
        space: BigInt(data.length),
      },
    });
  }
  return withContext ? inContext(found) : found;
}

function testOf(filter: Filter): (data: Uint8Array) => boolean {
  if ('dataSize' in filter) return (data) => data.length === Number(filter.dataSize);
  const { offset, bytes, encoding = 'base58' } = filter.memcmp;
  const wanted = (encoding === 'base64' ? getBase64Encoder() : getBase58Encoder()).encode(bytes);
  if (wanted.length > MOST_COMPARED_BYTES) throw new Error('Encoded binary data is too large');
  const start = Number(offset);
  return (data) =>
    data.length >= start + wanted.length && wanted.every((byte, index) => data[start + index] === byte);
}
