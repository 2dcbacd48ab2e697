import { getBase64Decoder } from '@solana/kit';
import { AccountState, getMintDecoder, getTokenDecoder, type Token } from '@solana-program/token';

import { toUiAmount } from '../../math/units.js';
import { isTokenProgram, TOKEN_PROGRAM_ADDRESS } from '../../solana/programs.js';
import { EXTENSION, extensionIn, isMintData, withheldFeesIn } from '../../solana/token-extensions.js';
import { ACCOUNT_TYPE, IS_TOKEN_ACCOUNT, TOKEN_ACCOUNT_SIZE } from '../../solana/token-layout.js';
import { isProgram } from '../built-ins.js';
import type { LedgerState } from '../ledger-state.js';
import type { Account } from '../runtime.js';
import { configOf, invalidParams, wordOf } from './rpc.js';

type Accounts = Pick<LedgerState, 'getAccount'>;

export type AccountEncoding = 'base64' | 'jsonParsed';

/** Reads an account's encoding from a method's options. Neither base58, a node's default, nor a part of the data is supported. */
export function accountEncodingOf(config: unknown): AccountEncoding {
  const { encoding, dataSlice = null } = configOf(config);
  if (dataSlice !== null) throw invalidParams('Invalid params: the embedded ledger has no dataSlice.');
  return wordOf(encoding, 'encoding', ['base64', 'jsonParsed']);
}

/** An account in a node's format. If `jsonParsed` can't parse it, in base64. */
export function encodedAccount(account: Readonly<Account>, encoding: AccountEncoding, accounts: Accounts) {
  const { owner, data, lamports } = account;
  const parsed = encoding === 'jsonParsed' ? parsedData(account, accounts) : undefined;
  return {
    data: parsed ?? [getBase64Decoder().decode(data), 'base64'],
    executable: isProgram(account),
    lamports,
    owner,
    rentEpoch: 0xffff_ffff_ffff_ffffn,
    space: BigInt(data.length),
  };
}

export function tokenAccountOf(account: Readonly<Account> | undefined): Token | undefined {
  if (account === undefined || !isTokenProgram(account.owner)) return undefined;
  const { data } = account;
  const isToken = data.length === TOKEN_ACCOUNT_SIZE || data[ACCOUNT_TYPE] === IS_TOKEN_ACCOUNT;
  return isToken ? getTokenDecoder().decode(data) : undefined;
}

export function tokenAmountOf(token: Pick<Token, 'amount' | 'isNative' | 'mint'>, accounts: Accounts) {
  const { amount } = token;
  const mint = accounts.getAccount(token.mint);
  const isMint = mint !== undefined && isTokenProgram(mint.owner) && isMintData(mint.data);
  const knownDecimals = isMint ? getMintDecoder().decode(mint.data).decimals : 0;
  const decimals = token.isNative.__option === 'Some' ? 9 : knownDecimals;
  const uiAmountString = toUiAmount(amount, decimals);
  return { amount: String(amount), decimals, uiAmount: Number(uiAmountString), uiAmountString };
}

const STATES = {
  [AccountState.Uninitialized]: 'uninitialized',
  [AccountState.Initialized]: 'initialized',
  [AccountState.Frozen]: 'frozen',
} as const;

/** Parses token accounts. The only Token-2022 extension that it parses is the withheld transfer fees. */
function parsedData(account: Readonly<Account>, accounts: Accounts) {
  const token = tokenAccountOf(account);
  if (token === undefined) return undefined;
  const { owner: programAddress, data } = account;
  const { mint, owner, isNative } = token;
  return {
    program: programAddress === TOKEN_PROGRAM_ADDRESS ? 'spl-token' : 'spl-token-2022',
    parsed: {
      type: 'account',
      info: {
        mint,
        owner,
        isNative: isNative.__option === 'Some',
        state: STATES[token.state],
        tokenAmount: tokenAmountOf(token, accounts),
        ...parsedExtensions(data),
      },
    },
    space: BigInt(data.length),
  };
}

const parsedExtensions = (data: Uint8Array) =>
  extensionIn(data, EXTENSION.transferFeeAmount) === undefined
    ? {}
    : {
        extensions: [{ extension: 'transferFeeAmount', state: { withheldAmount: withheldFeesIn(data) } }],
      };
