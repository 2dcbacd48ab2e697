import { getBase58Encoder, getBase64Encoder } from '@solana/kit';

import { accountEncodingOf, encodedAccount } from './account-encoding.js';
import { inContext, type LedgerReads } from './ledger-reads.js';
import { addressOf, configOf, integerOf, listOf, wordOf } from './params.js';
import { invalidParams } from './refusal.js';

/** What real nodes allow. */
const MOST_FILTERS = 4;
const MOST_COMPARED_BYTES = 128;

/**
 * Answers `getProgramAccounts` as a node does: accounts in no particular order, filters all of which must hold, a slice of
 * the data if one is asked for.
 */
export function programAccounts(
  { slot, getAccount, listAccounts }: LedgerReads,
  [address, config]: readonly unknown[],
): unknown {
  const program = addressOf(address);
  const { filters, withContext } = configOf(config);
  const encoding = accountEncodingOf(config);
  if (encoding.encoding === 'jsonParsed')
    throw invalidParams(
      'Invalid params: the embedded ledger lists accounts in base64 or base58, not in jsonParsed.',
    );
  const tests = listOf(filters ?? [], MOST_FILTERS, testOf);
  const found: unknown[] = [];
  for (const [pubkey, account] of listAccounts()) {
    if (account.owner !== program || !tests.every((holds) => holds(account.data))) continue;
    found.push({ pubkey, account: encodedAccount(account, encoding, getAccount) });
  }
  return withContext === true ? inContext(slot(), found) : found;
}

function testOf(filter: unknown): (data: Uint8Array) => boolean {
  const { dataSize, memcmp } = configOf(filter);
  if (dataSize !== undefined) {
    const size = Number(integerOf(dataSize, 'dataSize'));
    return (data) => data.length === size;
  }
  const { offset, bytes, encoding } = configOf(memcmp);
  const start = Number(integerOf(offset, 'memcmp.offset'));
  const wanted = bytesOf(bytes, wordOf(encoding, 'memcmp.encoding', ['base58', 'base64']));
  if (wanted.length > MOST_COMPARED_BYTES) throw invalidParams('Encoded binary data is too large');
  return (data) =>
    data.length >= start + wanted.length && wanted.every((byte, index) => data[start + index] === byte);
}

function bytesOf(text: unknown, encoding: 'base58' | 'base64') {
  try {
    return (encoding === 'base64' ? getBase64Encoder() : getBase58Encoder()).encode(text as string);
  } catch {
    throw invalidParams(`Invalid params: memcmp.bytes is not valid ${encoding}.`);
  }
}
