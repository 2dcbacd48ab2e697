/** What an error code of the program means. */
export interface HeavenProgramError {
  readonly code: number;
  /** The program's own name for it. */
  readonly name: string;
  /** What is wrong. */
  readonly meaning: string;
  /** What to do about it. */
  readonly action: string;
}

export const FIRST_CODE = 6000;

type ErrorRow = readonly [name: string, meaning: string, action: string];

const PRO_ADMIN = 'Only the creator or the protocol can change this; check the pool with getPoolState.';
const NOT_YOURS = 'Leave the account out and let the builder derive it, or pass that of the signing wallet.';
const DERIVE = 'Let the builder derive the accounts.';
export const UPDATE = 'Update this library: the program may have changed.';
const BUILD = 'Build the instruction with this library.';
const SEE_LOGS = 'The logs name the account.';
const MINT_PROGRAM = 'Use the program that owns the mint.';
const NOTHING = 'Nothing can be done for this pool.';
const MOVING = 'Try again later: the protocol is moving its reserve.';
const TRADE_MORE = 'Trade a larger amount.';
const SIGN = 'Let every wallet in requiredSigners sign.';
const REBUILD = 'Take a fresh quote and build again.';

/** Code 6000 + index. Names: [level I](/protocol). Meanings and remedies: ours, from the names and the interface. */
const heavenErrors = (): readonly ErrorRow[] =>
  Object.entries({
    UnsupportedTokenMint: [
      'The token is of a kind that the exchange does not take.',
      'Use a fungible token of the Token or Token-2022 program without unsupported extensions.',
    ],
    InvalidTokenVaultBalance: [
      'A vault does not hold what the pool says it should.',
      'Fetch the pool again; if it stays so, report the pool to the protocol.',
    ],
    InvalidUserToken: ["The user's token account is for another mint or another owner.", NOT_YOURS],
    InvalidTaxationMode: ['The taxation mode is not one that the pool knows.', PRO_ADMIN],
    InvalidOwner: [
      'An account belongs to another owner than it must.',
      'Sign with the wallet that owns the account.',
    ],
    InvalidLockLiquidityProviderTokenPercentage: [
      'The share of LP tokens to lock is out of range.',
      'Give a share from 0 to 100 %.',
    ],
    CannotCreatePoolWithDisabledProtocolConfigVersion: [
      'No pools can be created with this config version at the moment.',
      'Check allowCreatePool with getProtocolConfigState, and use a version that is open.',
    ],
    InvalidTokenInputAmount: [
      'The token amount is 0, or not what the instruction needs.',
      'Check the amount in native units.',
    ],
    InvalidSwapTax: [
      'The fees of a swap do not add up.',
      'Fetch the pool again: its fees may just have changed.',
    ],
    InvalidFeeMode: ['The fee configuration mode does not allow this.', PRO_ADMIN],
    InvalidLiquidityProviderTokenLockVault: ['The vault for locked LP tokens is not the right one.', DERIVE],
    InvalidUserLiquidityProviderTokenVault: ["The user's LP token account is not the right one.", NOT_YOURS],
    InsufficientBalance: [
      'An account holds less than the instruction moves.',
      'Check the balances of the wallet, wrapped SOL included, and leave some SOL for rent and fees.',
    ],
    ExceededSlippage: [
      'The price moved by more than the slippage allows: less would come out than the minimum.',
      `${REBUILD} A higher slippageBps makes it more likely to pass.`,
    ],
    InvalidAddLiquidityInput: [
      'The amounts of the deposit are 0 or do not fit together.',
      'Quote the deposit again and use its amounts.',
    ],
    InvalidRemoveLiquidityInput: [
      'The amounts of the withdrawal are 0 or more than the position holds.',
      'Check the position with getLpBalance.',
    ],
    AddLiquidityDisabled: [
      "The pool's creator has switched deposits off.",
      'Wait until deposits are switched on again.',
    ],
    RemoveLiquidityDisabled: [
      "The pool's creator has switched withdrawals off.",
      'Wait until withdrawals are switched on again.',
    ],
    SwapDisabled: ['Swapping is switched off in this pool.', 'Wait until swapping is switched on again.'],
    LiquidityPoolIsNotOpenYet: [
      'The pool opens later.',
      'Wait until info.openAt (Unix seconds), see getPoolState.',
    ],
    InvalidSwapInInputs: ['The input of the swap is 0 or out of range.', 'Check the amount in native units.'],
    InvalidProtocolSwapFeeWallet: ["The protocol's fee wallet is not the right one.", DERIVE],
    InvalidSwapOutInputs: ['The output of the swap is 0 or out of range.', TRADE_MORE],
    InvalidPostFeeAmount: [
      'Nothing is left of the amount after fees.',
      'Trade a larger amount, or wait for the launch window with its high fees to pass.',
    ],
    ExceededQuoteTokenSlippage: [
      'The SOL side moved by more than the limit allows.',
      `${REBUILD} Widen the limit on the SOL side if need be.`,
    ],
    ExceededBaseTokenSlippage: [
      'The token side moved by more than the limit allows.',
      `${REBUILD} Widen the limit on the token side if need be.`,
    ],
    LpTokensLocked: ['The LP tokens are locked.', 'Wait until they are unlocked.'],
    InvalidProtocolBaseTokenSwapFeeVault: [
      "The protocol's fee vault for the token is not the right one.",
      DERIVE,
    ],
    InvalidProtocolQuoteTokenSwapFeeVault: ["The protocol's fee vault for SOL is not the right one.", DERIVE],
    InvalidUserPoolStatsAccount: [
      "The account of the user's statistics in the pool is not the right one.",
      DERIVE,
    ],
    InvalidUserGlobalStatsAccount: [
      "The account of the user's overall statistics is not the right one.",
      DERIVE,
    ],
    CannotUpdateLpLock: ['The lock of the LP tokens can no longer be changed.', NOTHING],
    ZeroAmount: ['An amount is 0, or rounds down to 0.', TRADE_MORE],
    CannotUpdateLpOpenTime: ['The opening time can no longer be changed.', NOTHING],
    CannotSetLockBurnLpTokens: ['LP tokens cannot be locked or burnt in this pool.', 'Leave the option out.'],
    InvalidTax: [
      'A fee is out of range.',
      "Keep each fee within the config's maxCreatorTradingFee and under 10000 basis points.",
    ],
    InvalidChainlinkFeedAccount: [
      'The price feed is not the one that the exchange reads.',
      "Use the deployment's SOL/USD feed.",
    ],
    InvalidChainlinkProgram: [
      'The price feed program is not the one that the exchange reads.',
      "Use the deployment's Chainlink store program.",
    ],
    InvalidConfigVersion: [
      "The config version is not the pool's, or not for this kind of pool.",
      "Use the pool's info.protocolConfigVersion: 1 community, 2 creator, 3 pro.",
    ],
    CannotUpdateLockedTaxation: ['The fees are locked.', NOTHING],
    CannotClaimSwapFee: [
      'These fees cannot be claimed: not by this wallet, or not yet.',
      'Check the receiver, the claim status and the distribution mode with getPoolInfo.',
    ],
    NonCreatorCannotAddLp: ["Only the pool's creator may add liquidity.", 'Sign with the creator.'],
    SimpleAmmBaseTokenCannotHaveFreezeAuthority: [
      'The token still has a freeze authority.',
      'Give up the freeze authority before the pool is created.',
    ],
    SimpleAmmBaseTokenCannotHaveMintAuthority: [
      'The token still has a mint authority.',
      'Give up the mint authority before the pool is created.',
    ],
    SimpleAmmQuoteTokenMustBeWSOL: [
      'The other side of the pool is not wrapped SOL.',
      'Pair the token with wrapped SOL.',
    ],
    SimpleAmmBaseTokenSupplyMustMatchInputAmount: [
      "The token's supply is not the amount that seeds the pool.",
      "Mint exactly the config's initialTokenAAmount, once.",
    ],
    SimpleAmmBaseTokenMustBeSplToken: [
      'The token is not one of a token program.',
      'Use a token of the Token or Token-2022 program.',
    ],
    InvalidProgramAuthorityLookupTableAddress: [
      'The lookup table of the program authority is not the right one.',
      DERIVE,
    ],
    CannotCreatePoolWithUnsupportedPoolType: [
      'The config version is not for this kind of pool.',
      'Use 1 or 2 for a standard pool, 3 for a pro pool.',
    ],
    InvalidLendingMarket: ['The lending market of the reserve is not the right one.', MOVING],
    KaminoPriceListRefreshIxNotFound: ['A price refresh that the reserve needs is missing.', MOVING],
    KaminoError: ['The lending market of the reserve failed.', MOVING],
    ReserveRebalancing: ['The protocol is rebalancing its reserve.', 'Try again in a few slots.'],
    OnlySingleSwapAllowed: [
      'A transaction may hold only one swap of the exchange.',
      'Put each swap into a transaction of its own. In a pro pool without same-slot trading, wait for the next slot between a buy and a sell.',
    ],
  } satisfies Readonly<Record<string, readonly [meaning: string, action: string]>>).map(
    ([name, [meaning, action]]) => [name, meaning, action],
  );

const anchorErrors = (): Readonly<Record<number, ErrorRow>> => ({
  100: ['InstructionMissing', 'The instruction has no discriminator.', 'Build it with this library.'],
  101: ['InstructionFallbackNotFound', 'The program does not know this instruction.', UPDATE],
  102: ['InstructionDidNotDeserialize', 'The program cannot read the arguments.', UPDATE],
  103: ['InstructionDidNotSerialize', 'The program cannot write the arguments.', UPDATE],
  2000: ['ConstraintMut', 'An account must be writable.', BUILD],
  2001: [
    'ConstraintHasOne',
    'An account does not belong to another one given.',
    'Check that pool, mint and config version go together.',
  ],
  2002: ['ConstraintSigner', 'An account must sign.', SIGN],
  2003: ['ConstraintRaw', 'A condition of the program does not hold.', SEE_LOGS],
  2004: ['ConstraintOwner', 'An account belongs to another program.', SEE_LOGS],
  2005: ['ConstraintRentExempt', 'An account is not rent-exempt.', 'Fund the account.'],
  2006: [
    'ConstraintSeeds',
    'A derived address is not the one that the program derives.',
    'The logs show the given (Left) and the expected (Right) address; see the list of assumptions in the docs.',
  ],
  2009: ['ConstraintAssociated', 'An account is not the associated token account it must be.', DERIVE],
  2011: ['ConstraintClose', 'An account cannot be closed.', SEE_LOGS],
  2012: [
    'ConstraintAddress',
    'An account is not at the address that the program requires.',
    "Use the deployment's addresses.",
  ],
  2014: ['ConstraintTokenMint', 'A token account is for another mint.', NOT_YOURS],
  2015: ['ConstraintTokenOwner', 'A token account belongs to another wallet.', NOT_YOURS],
  2016: ['ConstraintMintMintAuthority', 'The mint has another mint authority.', 'Check the token.'],
  2017: ['ConstraintMintFreezeAuthority', 'The mint has another freeze authority.', 'Check the token.'],
  2018: ['ConstraintMintDecimals', 'The mint has other decimals.', 'Check the token.'],
  2019: ['ConstraintSpace', 'An account has another size.', SEE_LOGS],
  2020: ['ConstraintAccountIsNone', 'An account that is needed was left out.', BUILD],
  2021: ['ConstraintTokenTokenProgram', 'A token account belongs to another token program.', MINT_PROGRAM],
  2022: ['ConstraintMintTokenProgram', 'A mint belongs to another token program.', MINT_PROGRAM],
  2023: [
    'ConstraintAssociatedTokenTokenProgram',
    'An associated token account belongs to another token program.',
    MINT_PROGRAM,
  ],
  3000: ['AccountDiscriminatorAlreadySet', 'The account exists already.', 'Use the existing account.'],
  3001: ['AccountDiscriminatorNotFound', 'The account is empty.', 'Check the address.'],
  3002: ['AccountDiscriminatorMismatch', 'The account is of another kind.', 'Check the address.'],
  3003: ['AccountDidNotDeserialize', 'The program cannot read the account.', 'Check the address.'],
  3004: ['AccountDidNotSerialize', 'The program cannot write the account.', 'Check the address.'],
  3005: ['AccountNotEnoughKeys', 'Accounts are missing.', UPDATE],
  3006: ['AccountNotMutable', 'An account must be writable.', BUILD],
  3007: [
    'AccountOwnedByWrongProgram',
    'An account belongs to another program.',
    'Check the addresses and the token program.',
  ],
  3008: ['InvalidProgramId', 'A program account is not the expected program.', MINT_PROGRAM],
  3009: ['InvalidProgramExecutable', 'A program account is not executable.', 'Check the addresses.'],
  3010: ['AccountNotSigner', 'An account did not sign.', SIGN],
  3011: ['AccountNotSystemOwned', 'An account is not a plain wallet.', 'Check the address.'],
  3012: [
    'AccountNotInitialized',
    'An account does not exist yet.',
    'Create the token account first, or the wallet holds none of the token; the logs name the account.',
  ],
  3014: [
    'AccountNotAssociatedTokenAccount',
    'An account is not the associated token account it must be.',
    DERIVE,
  ],
  4100: [
    'DeclaredProgramIdMismatch',
    'The program runs at another address than it was built for.',
    "Use the deployment's program address.",
  ],
});

/**
 * What a custom error code of the exchange means: its own codes (6000 to 6053) and those of the Anchor framework.
 * @returns `undefined` for a code that is not known.
 */
export function toHeavenProgramError(code: number): HeavenProgramError | undefined {
  if (typeof code !== 'number') return undefined;
  const row = code >= FIRST_CODE ? heavenErrors()[code - FIRST_CODE] : anchorErrors()[code];
  return row && errorOf(code, row);
}

const errorOf = (code: number, [name, meaning, action]: ErrorRow): HeavenProgramError => ({
  code,
  name,
  meaning,
  action,
});

/** All error codes of the exchange's own, for tools such as the IDL writer. */
export const listHeavenProgramErrors = (): readonly HeavenProgramError[] =>
  heavenErrors().map((row, index) => errorOf(FIRST_CODE + index, row));
