import { type Address, getBase58Encoder, getBase64Encoder } from '@solana/kit';
import { isTokenProgram } from '../../solana/programs.js';
import { MAX_ACCOUNTS_PER_CALL } from '../../solana/rpc/account-batches.js';
import type { LedgerState } from '../ledger-state.js';
import type { Account } from '../runtime.js';
import {
  type AccountEncoding,
  accountEncodingOf,
  encodedAccount,
  tokenAccountOf,
  tokenAmountOf,
} from './account-encoding.js';
import {
  addressOf,
  configOf,
  inContext,
  integerOf,
  invalidParams,
  listOf,
  type RpcMethods,
  wordOf,
} from './rpc.js';

const MAX_FILTERS = 4;
const MAX_COMPARED_BYTES = 128;

export function accountMethods(ledger: LedgerState): RpcMethods {
  const answer = (value: unknown) => inContext(ledger.slot, value);
  const shown = (address: Address, config: unknown) => {
    const encoding = accountEncodingOf(config);
    const account = ledger.getAccount(address);
    return account === undefined ? null : encodedAccount(account, encoding, ledger);
  };

  return {
    getAccountInfo: ([address, config]) => answer(shown(addressOf(address), config)),
    getBalance: ([address]) => answer(ledger.getAccount(addressOf(address))?.lamports ?? 0n),
    getMultipleAccounts: ([addresses, config]) => {
      // For this method, a node's default is base64.
      const encoded = { encoding: 'base64', ...configOf(config) };
      const asked = listOf(addresses, MAX_ACCOUNTS_PER_CALL, (address) => addressOf(address));
      return answer(asked.map((address) => shown(address, encoded)));
    },
    getProgramAccounts: (params) => programAccounts(ledger, params),
    getTokenAccountBalance: ([address]) => {
      const account = ledger.getAccount(addressOf(address));
      if (account === undefined) throw invalidParams('Invalid param: could not find account');
      const token = tokenAccountOf(account);
      if (token === undefined) throw invalidParams('Invalid param: not a Token account');
      return answer(tokenAmountOf(token, ledger));
    },
    getTokenAccountsByOwner: ([address, filter, config]) => {
      const owner = addressOf(address);
      const { mint, programId } = configOf(filter);
      if ((mint === undefined) === (programId === undefined))
        throw invalidParams('Invalid params: the filter must have either mint or programId.');
      const wantedMint = mint === undefined ? undefined : addressOf(mint, 'mint');
      const wantedProgram = programId === undefined ? undefined : addressOf(programId, 'programId');
      if (wantedMint !== undefined && ledger.getAccount(wantedMint) === undefined)
        throw invalidParams('Invalid param: could not find mint');
      if (wantedProgram !== undefined && !isTokenProgram(wantedProgram))
        throw invalidParams('Invalid param: unrecognized Token program id');
      const encoding = accountEncodingOf(config);
      const isAsked = (account: Readonly<Account>) => {
        const token = tokenAccountOf(account);
        if (token?.owner !== owner) return false;
        return wantedMint === undefined ? account.owner === wantedProgram : token.mint === wantedMint;
      };
      return answer(accountsThat(isAsked, ledger, encoding));
    },
  };
}

const accountsThat = (
  isAsked: (account: Readonly<Account>) => boolean,
  ledger: LedgerState,
  encoding: AccountEncoding,
) =>
  [...ledger.listAccounts()]
    .filter(([, account]) => isAsked(account))
    .map(([pubkey, account]) => ({ pubkey, account: encodedAccount(account, encoding, ledger) }));

function programAccounts(ledger: LedgerState, [address, config]: readonly unknown[]): unknown {
  const program = addressOf(address);
  const { filters, withContext } = configOf(config);
  const encoding = accountEncodingOf(config);
  const tests = listOf(filters ?? [], MAX_FILTERS, testOf);
  const isAsked = ({ owner, data }: Readonly<Account>) =>
    owner === program && tests.every((holds) => holds(data));
  const found = accountsThat(isAsked, ledger, encoding);
  return withContext === true ? inContext(ledger.slot, found) : found;
}

function testOf(filter: unknown): (data: Uint8Array) => boolean {
  const { dataSize, memcmp } = configOf(filter);
  if (dataSize !== undefined) {
    const size = Number(integerOf(dataSize, 'dataSize'));
    return (data) => data.length === size;
  }
  const { offset, bytes, encoding } = configOf(memcmp);
  const start = Number(integerOf(offset, 'memcmp.offset'));
  const wanted = bytesOf(bytes, wordOf(encoding ?? 'base58', 'memcmp.encoding', ['base58', 'base64']));
  if (wanted.length > MAX_COMPARED_BYTES) throw invalidParams('Encoded binary data is too large');
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
