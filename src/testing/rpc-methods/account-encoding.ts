import { type Address, getBase58Decoder, getBase64Decoder, type Option, unwrapOption } from '@solana/kit';
import { AccountState, getMintDecoder, getTokenDecoder, type Token } from '@solana-program/token';

import { toUiAmount } from '../../math/units.js';
import { TOKEN_2022_PROGRAM_ADDRESS, TOKEN_PROGRAM_ADDRESS } from '../../program/constants.js';
import { configOf, integerOf, wordOf } from './params.js';
import { RPC_ERROR, RpcRefusal } from './refusal.js';

/** An account with all that an answer says of it. */
export interface WholeAccount {
  readonly owner: Address;
  readonly data: Uint8Array;
  readonly lamports: bigint;
}

/** Finds an account. */
export type FindAccount = (address: Address) => WholeAccount | undefined;

const MINT_SIZE = 82;
const TOKEN_SIZE = 165;
/** What follows a token account's first 165 bytes, or a mint's padding to as many: which of the two it is. */
const ACCOUNT_TYPE = { mint: 1, token: 2 } as const;
/** A node's limit: base58 takes time with the square of the length. */
const MOST_BASE58_BYTES = 128;

const PROGRAM_NAMES: Readonly<Record<string, string>> = {
  [TOKEN_PROGRAM_ADDRESS]: 'spl-token',
  [TOKEN_2022_PROGRAM_ADDRESS]: 'spl-token-2022',
};

/** How accounts are to be written: the options of `getAccountInfo` and its kin. */
export interface AccountEncoding {
  readonly encoding: 'base64' | 'base58' | 'jsonParsed' | 'binary';
  readonly dataSlice?: { readonly offset: number; readonly length: number };
}

/** Reads an account's encoding from a method's options. A node writes text in base58 unless it is told otherwise. */
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

/** An account as a node writes it. Where it can't parse one for `jsonParsed`, it writes base64. */
export function encodedAccount(
  account: WholeAccount,
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

/** A token account's fields, if it is one. */
export function tokenAccountOf(account: WholeAccount | undefined): Token | undefined {
  if (account === undefined || !Object.hasOwn(PROGRAM_NAMES, account.owner)) return undefined;
  const { data } = account;
  const isToken = data.length === TOKEN_SIZE || data[TOKEN_SIZE] === ACCOUNT_TYPE.token;
  return isToken ? getTokenDecoder().decode(data.subarray(0, TOKEN_SIZE)) : undefined;
}

function mintOf(account: WholeAccount | undefined) {
  if (account === undefined || !Object.hasOwn(PROGRAM_NAMES, account.owner)) return undefined;
  const { data } = account;
  const isMint = data.length === MINT_SIZE || data[TOKEN_SIZE] === ACCOUNT_TYPE.mint;
  return isMint ? getMintDecoder().decode(data.subarray(0, MINT_SIZE)) : undefined;
}

/** An amount of a token as a node writes it. */
export function tokenAmountOf(token: Pick<Token, 'amount' | 'isNative' | 'mint'>, find: FindAccount) {
  const { amount } = token;
  const decimals = token.isNative.__option === 'Some' ? 9 : (mintOf(find(token.mint))?.decimals ?? 0);
  const uiAmountString = toUiAmount(amount, decimals);
  return { amount: String(amount), decimals, uiAmount: Number(uiAmountString), uiAmountString };
}

const orNull = <T>(option: Option<T>): T | null => unwrapOption(option);

const STATES = {
  [AccountState.Uninitialized]: 'uninitialized',
  [AccountState.Initialized]: 'initialized',
  [AccountState.Frozen]: 'frozen',
} as const;

/** Token accounts and mints, without the extensions of Token-2022. */
function parsedData(account: WholeAccount, find: FindAccount) {
  const program = PROGRAM_NAMES[account.owner];
  const inProgram = (type: string, info: unknown) => ({
    program,
    parsed: { info, type },
    space: BigInt(account.data.length),
  });
  const token = tokenAccountOf(account);
  if (token !== undefined) {
    const { mint, owner, isNative } = token;
    const delegate = orNull(token.delegate);
    const closeAuthority = orNull(token.closeAuthority);
    return inProgram('account', {
      mint,
      owner,
      isNative: isNative.__option === 'Some',
      state: STATES[token.state],
      tokenAmount: tokenAmountOf(token, find),
      ...(delegate === null
        ? {}
        : { delegate, delegatedAmount: tokenAmountOf({ ...token, amount: token.delegatedAmount }, find) }),
      ...(closeAuthority === null ? {} : { closeAuthority }),
    });
  }
  const mint = mintOf(account);
  if (mint === undefined) return undefined;
  const { decimals, isInitialized, supply } = mint;
  return inProgram('mint', {
    decimals,
    freezeAuthority: orNull(mint.freezeAuthority),
    isInitialized,
    mintAuthority: orNull(mint.mintAuthority),
    supply: String(supply),
  });
}
