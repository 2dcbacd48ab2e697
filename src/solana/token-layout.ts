// Where a mint and a token account of either token program hold what is read without a decoder ([level M](/protocol)).

export const MINT = {
  name: 'Mint',
  size: 82,
  mintAuthority: 0,
  supply: 36,
  decimals: 44,
  isInitialized: 45,
  freezeAuthority: 46,
} as const;

export const TOKEN_ACCOUNT_SIZE = 165;
/** A token account's state: 0 before it is initialized. */
export const TOKEN_ACCOUNT_STATE = 108;

/** With extensions, a mint is padded to the size of a token account, and the next byte says which of the two it is. */
export const ACCOUNT_TYPE = 165;
export const IS_MINT = 1;
export const IS_TOKEN_ACCOUNT = 2;

/** Each extension begins with its type and its length, 16 bits each. */
export const FIRST_EXTENSION = 166;
export const EXTENSION_HEADER = 4;
