import { type Address, getBase58Decoder, getBase64Decoder, unwrapOption } from '@solana/kit';
import { AccountState, type Mint, type Token } from '@solana-program/token';

import { toUiAmount } from '../../math/units.js';
import { MINT } from '../../pool/layout.js';
import { TOKEN_PROGRAM_ADDRESS } from '../../solana/programs.js';
import { EXTENSION, extensionIn, withheldFeesIn } from '../../solana/token-extensions.js';
import type { Account } from '../runtime.js';
import { ACCOUNT_TYPE, decodeToken, decodeTokenMint, TOKEN_PROGRAMS, TOKEN_SIZE } from '../token-accounts.js';
import { configOf, integerOf, RPC_ERROR, RpcRefusal, wordOf } from './rpc.js';

type FindAccount = (address: Address) => Readonly<Account> | undefined;

/** A node's limit, because the time for base58 grows with the square of the length. */
const MOST_BASE58_BYTES = 128;

export interface AccountEncoding {
  readonly encoding: 'base64' | 'base58' | 'jsonParsed' | 'binary';
  readonly dataSlice?: { readonly offset: number; readonly length: number };
}

/** Reads an account's encoding from a method's options. A node's default is base58 as a plain string. */
export function accountEncodingOf(config: unknown): AccountEncoding {
  const { encoding, dataSlice } = configOf(config);
  const known = wordOf(encoding, 'encoding', ['binary', 'base64', 'base58', 'jsonParsed']);
  if (dataSlice === undefined || dataSlice === null) return { encoding: known };
  const { offset, length } = configOf(dataSlice);
  const most = 0xffff_ffffn;
  return {
    encoding: known,
    dataSlice: {
      offset: Number(integerOf(offset, 'dataSlice.offset', most)),
      length: Number(integerOf(length, 'dataSlice.length', most)),
    },
  };
}

/** An account in a node's format. If `jsonParsed` can't parse it, in base64. */
export function encodedAccount(
  account: Readonly<Account>,
  { encoding, dataSlice }: AccountEncoding,
  find: FindAccount,
) {
  const { owner, data, lamports } = account;
  const shown = dataSlice ? data.subarray(dataSlice.offset, dataSlice.offset + dataSlice.length) : data;
  return {
    data:
      (encoding === 'jsonParsed' ? parsedData(account, find) : undefined) ??
      (encoding === 'base58' || encoding === 'binary'
        ? base58Data(shown, encoding)
        : [getBase64Decoder().decode(shown), 'base64']),
    executable: false,
    lamports,
    owner,
    rentEpoch: 0xffff_ffff_ffff_ffffn,
    space: BigInt(data.length),
  };
}

function base58Data(data: Uint8Array, encoding: 'base58' | 'binary') {
  if (data.length > MOST_BASE58_BYTES) {
    throw new RpcRefusal(
      RPC_ERROR.invalidRequest,
      `Encoded binary (base 58) data should be less than ${MOST_BASE58_BYTES} bytes, please use Base64 encoding.`,
    );
  }
  const text = getBase58Decoder().decode(data);
  return encoding === 'binary' ? text : [text, encoding];
}

const isOfTokens = (account: Readonly<Account> | undefined): account is Readonly<Account> =>
  account !== undefined && TOKEN_PROGRAMS.includes(account.owner);

export function tokenAccountOf(account: Readonly<Account> | undefined): Token | undefined {
  if (!isOfTokens(account)) return undefined;
  const { data } = account;
  const isToken = data.length === TOKEN_SIZE || data[TOKEN_SIZE] === ACCOUNT_TYPE.token;
  return isToken ? decodeToken(data) : undefined;
}

function mintAccountOf(account: Readonly<Account> | undefined): Mint | undefined {
  if (!isOfTokens(account)) return undefined;
  const { data } = account;
  const isMint = data.length === MINT.size || data[MINT.accountType] === ACCOUNT_TYPE.mint;
  return isMint ? decodeTokenMint(data) : undefined;
}

export function tokenAmountOf(token: Pick<Token, 'amount' | 'isNative' | 'mint'>, find: FindAccount) {
  const { amount } = token;
  const decimals = token.isNative.__option === 'Some' ? 9 : (mintAccountOf(find(token.mint))?.decimals ?? 0);
  const uiAmountString = toUiAmount(amount, decimals);
  return { amount: String(amount), decimals, uiAmount: Number(uiAmountString), uiAmountString };
}

const STATES = {
  [AccountState.Uninitialized]: 'uninitialized',
  [AccountState.Initialized]: 'initialized',
  [AccountState.Frozen]: 'frozen',
} as const;

/** Parses token accounts and mints. The only Token-2022 extension that it parses is the withheld transfer fees. */
function parsedData(account: Readonly<Account>, find: FindAccount) {
  const program = account.owner === TOKEN_PROGRAM_ADDRESS ? 'spl-token' : 'spl-token-2022';
  const inProgram = (type: string, info: unknown) => ({
    program,
    parsed: { info, type },
    space: BigInt(account.data.length),
  });
  const token = tokenAccountOf(account);
  if (token !== undefined) {
    const { mint, owner, isNative } = token;
    const delegate = unwrapOption(token.delegate);
    const closeAuthority = unwrapOption(token.closeAuthority);
    return inProgram('account', {
      mint,
      owner,
      isNative: isNative.__option === 'Some',
      state: STATES[token.state],
      tokenAmount: tokenAmountOf(token, find),
      ...parsedExtensions(account.data),
      ...(delegate === null
        ? {}
        : { delegate, delegatedAmount: tokenAmountOf({ ...token, amount: token.delegatedAmount }, find) }),
      ...(closeAuthority === null ? {} : { closeAuthority }),
    });
  }
  const mint = mintAccountOf(account);
  if (mint === undefined) return undefined;
  const { decimals, isInitialized, supply } = mint;
  return inProgram('mint', {
    decimals,
    freezeAuthority: unwrapOption(mint.freezeAuthority),
    isInitialized,
    mintAuthority: unwrapOption(mint.mintAuthority),
    supply: String(supply),
  });
}

const parsedExtensions = (data: Uint8Array) =>
  extensionIn(data, EXTENSION.transferFeeAmount) === undefined
    ? {}
    : {
        extensions: [{ extension: 'transferFeeAmount', state: { withheldAmount: withheldFeesIn(data) } }],
      };
