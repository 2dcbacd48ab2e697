import {
  type Address,
  isSolanaError,
  SOLANA_ERROR__INSTRUCTION_ERROR__COMPUTATIONAL_BUDGET_EXCEEDED,
  SOLANA_ERROR__INSTRUCTION_ERROR__CUSTOM,
  SOLANA_ERROR__INSTRUCTION_ERROR__INSUFFICIENT_FUNDS,
  SOLANA_ERROR__INSTRUCTION_ERROR__MISSING_REQUIRED_SIGNATURE,
  SOLANA_ERROR__INSTRUCTION_ERROR__UNKNOWN,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE,
  SOLANA_ERROR__TRANSACTION_ERROR__ACCOUNT_NOT_FOUND,
  SOLANA_ERROR__TRANSACTION_ERROR__ADDRESS_LOOKUP_TABLE_NOT_FOUND,
  SOLANA_ERROR__TRANSACTION_ERROR__ALREADY_PROCESSED,
  SOLANA_ERROR__TRANSACTION_ERROR__BLOCKHASH_NOT_FOUND,
  SOLANA_ERROR__TRANSACTION_ERROR__INSUFFICIENT_FUNDS_FOR_FEE,
  SOLANA_ERROR__TRANSACTION_ERROR__INSUFFICIENT_FUNDS_FOR_RENT,
  SOLANA_ERROR__TRANSACTION_ERROR__SIGNATURE_FAILURE,
  SOLANA_ERROR__TRANSACTION_ERROR__UNKNOWN,
} from '@solana/kit';
import type { InstructionConfig } from '../solana/define-instruction.js';
import {
  HEAVEN_PROGRAM_ADDRESS,
  SYSTEM_PROGRAM_ADDRESS,
  TOKEN_2022_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
} from './constants.js';

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

const FIRST_CODE = 6000;

type ErrorRow = readonly [name: string, meaning: string, action: string];

const PRO_ADMIN = 'Only the creator or the protocol can change this; check the pool with getPoolState.';
const NOT_YOURS =
  'Leave the account out and let the builder derive it, or name the one of the signing wallet.';
const REBUILD = 'Take a fresh quote and build again.';

/** Code 6000 + index. Names: level I. Meanings and remedies: ours, from the names and the interface. */
const heavenErrors = (): readonly ErrorRow[] => [
  [
    'UnsupportedTokenMint',
    'The token is of a kind that the exchange does not take.',
    'Use a fungible token of the Token or Token-2022 program without unsupported extensions.',
  ],
  [
    'InvalidTokenVaultBalance',
    'A vault does not hold what the pool says it should.',
    'Fetch the pool again; if it stays so, report the pool to the protocol.',
  ],
  ['InvalidUserToken', "The user's token account is for another mint or another owner.", NOT_YOURS],
  ['InvalidTaxationMode', 'The taxation mode is not one that the pool knows.', PRO_ADMIN],
  [
    'InvalidOwner',
    'An account belongs to another owner than it must.',
    'Sign with the wallet that owns the account.',
  ],
  [
    'InvalidLockLiquidityProviderTokenPercentage',
    'The share of LP tokens to lock is out of range.',
    'Give a share from 0 to 100 %.',
  ],
  [
    'CannotCreatePoolWithDisabledProtocolConfigVersion',
    'No pools can be created with this config version at the moment.',
    'Check allowCreatePool with getProtocolConfigState, and use a version that is open.',
  ],
  [
    'InvalidTokenInputAmount',
    'The token amount is 0, or not what the instruction needs.',
    'Check the amount in native units.',
  ],
  [
    'InvalidSwapTax',
    'The fees of a swap do not add up.',
    'Fetch the pool again: its fees may just have changed.',
  ],
  ['InvalidFeeMode', 'The fee configuration mode does not allow this.', PRO_ADMIN],
  [
    'InvalidLiquidityProviderTokenLockVault',
    'The vault for locked LP tokens is not the right one.',
    'Let the builder derive the accounts.',
  ],
  ['InvalidUserLiquidityProviderTokenVault', "The user's LP token account is not the right one.", NOT_YOURS],
  [
    'InsufficientBalance',
    'An account holds less than the instruction moves.',
    'Check the balances of the wallet, wrapped SOL included, and leave some SOL for rent and fees.',
  ],
  [
    'ExceededSlippage',
    'The price moved by more than the slippage allows: less would come out than the minimum.',
    `${REBUILD} A higher slippageBps makes it more likely to pass.`,
  ],
  [
    'InvalidAddLiquidityInput',
    'The amounts of the deposit are 0 or do not fit together.',
    'Quote the deposit again and use its amounts.',
  ],
  [
    'InvalidRemoveLiquidityInput',
    'The amounts of the withdrawal are 0 or more than the position holds.',
    'Check the position with getLpBalance.',
  ],
  [
    'AddLiquidityDisabled',
    "The pool's creator has switched deposits off.",
    'Wait until deposits are switched on again.',
  ],
  [
    'RemoveLiquidityDisabled',
    "The pool's creator has switched withdrawals off.",
    'Wait until withdrawals are switched on again.',
  ],
  ['SwapDisabled', 'Swapping is switched off in this pool.', 'Wait until swapping is switched on again.'],
  [
    'LiquidityPoolIsNotOpenYet',
    'The pool opens later.',
    'Wait until info.openAt (Unix seconds), see getPoolState.',
  ],
  ['InvalidSwapInInputs', 'The input of the swap is 0 or out of range.', 'Check the amount in native units.'],
  [
    'InvalidProtocolSwapFeeWallet',
    "The protocol's fee wallet is not the right one.",
    'Let the builder derive the accounts.',
  ],
  ['InvalidSwapOutInputs', 'The output of the swap is 0 or out of range.', 'Trade a larger amount.'],
  [
    'InvalidPostFeeAmount',
    'Nothing is left of the amount after fees.',
    'Trade a larger amount, or wait for the launch window with its high fees to pass.',
  ],
  [
    'ExceededQuoteTokenSlippage',
    'The SOL side moved by more than the limit allows.',
    `${REBUILD} Widen the limit on the SOL side if need be.`,
  ],
  [
    'ExceededBaseTokenSlippage',
    'The token side moved by more than the limit allows.',
    `${REBUILD} Widen the limit on the token side if need be.`,
  ],
  ['LpTokensLocked', 'The LP tokens are locked.', 'Wait until they are unlocked.'],
  [
    'InvalidProtocolBaseTokenSwapFeeVault',
    "The protocol's fee vault for the token is not the right one.",
    'Let the builder derive the accounts.',
  ],
  [
    'InvalidProtocolQuoteTokenSwapFeeVault',
    "The protocol's fee vault for SOL is not the right one.",
    'Let the builder derive the accounts.',
  ],
  [
    'InvalidUserPoolStatsAccount',
    "The account of the user's statistics in the pool is not the right one.",
    'Let the builder derive the accounts.',
  ],
  [
    'InvalidUserGlobalStatsAccount',
    "The account of the user's overall statistics is not the right one.",
    'Let the builder derive the accounts.',
  ],
  [
    'CannotUpdateLpLock',
    'The lock of the LP tokens can no longer be changed.',
    'Nothing can be done for this pool.',
  ],
  ['ZeroAmount', 'An amount is 0, or rounds down to 0.', 'Trade a larger amount.'],
  [
    'CannotUpdateLpOpenTime',
    'The opening time can no longer be changed.',
    'Nothing can be done for this pool.',
  ],
  [
    'CannotSetLockBurnLpTokens',
    'LP tokens can not be locked or burnt in this pool.',
    'Leave the option out.',
  ],
  [
    'InvalidTax',
    'A fee is out of range.',
    "Keep each fee within the config's maxCreatorTradingFee and under 10000 basis points.",
  ],
  [
    'InvalidChainlinkFeedAccount',
    'The price feed is not the one that the exchange reads.',
    "Use the deployment's SOL/USD feed.",
  ],
  [
    'InvalidChainlinkProgram',
    'The price feed program is not the one that the exchange reads.',
    "Use the deployment's Chainlink store program.",
  ],
  [
    'InvalidConfigVersion',
    "The config version is not the pool's, or not for this kind of pool.",
    "Use the pool's info.protocolConfigVersion: 1 community, 2 creator, 3 pro.",
  ],
  ['CannotUpdateLockedTaxation', 'The fees are locked.', 'Nothing can be done for this pool.'],
  [
    'CannotClaimSwapFee',
    'These fees can not be claimed: not by this wallet, or not yet.',
    'Check the receiver, the claim status and the distribution mode with getPoolInfo.',
  ],
  ['NonCreatorCannotAddLp', "Only the pool's creator may add liquidity.", 'Sign with the creator.'],
  [
    'SimpleAmmBaseTokenCannotHaveFreezeAuthority',
    'The token still has a freeze authority.',
    'Give up the freeze authority before the pool is created.',
  ],
  [
    'SimpleAmmBaseTokenCannotHaveMintAuthority',
    'The token still has a mint authority.',
    'Give up the mint authority before the pool is created.',
  ],
  [
    'SimpleAmmQuoteTokenMustBeWSOL',
    'The other side of the pool is not wrapped SOL.',
    'Pair the token with wrapped SOL.',
  ],
  [
    'SimpleAmmBaseTokenSupplyMustMatchInputAmount',
    "The token's supply is not the amount that seeds the pool.",
    "Mint exactly the config's initialTokenAAmount, once.",
  ],
  [
    'SimpleAmmBaseTokenMustBeSplToken',
    'The token is not one of a token program.',
    'Use a token of the Token or Token-2022 program.',
  ],
  [
    'InvalidProgramAuthorityLookupTableAddress',
    'The lookup table of the program authority is not the right one.',
    'Let the builder derive the accounts.',
  ],
  [
    'CannotCreatePoolWithUnsupportedPoolType',
    'The config version is not for this kind of pool.',
    'Use 1 or 2 for a standard pool, 3 for a pro pool.',
  ],
  [
    'InvalidLendingMarket',
    'The lending market of the reserve is not the right one.',
    'Try again later: the protocol is moving its reserve.',
  ],
  [
    'KaminoPriceListRefreshIxNotFound',
    'A price refresh that the reserve needs is missing.',
    'Try again later: the protocol is moving its reserve.',
  ],
  [
    'KaminoError',
    'The lending market of the reserve failed.',
    'Try again later: the protocol is moving its reserve.',
  ],
  ['ReserveRebalancing', 'The protocol is rebalancing its reserve.', 'Try again in a few slots.'],
  [
    'OnlySingleSwapAllowed',
    'A transaction may hold only one swap of the exchange.',
    'Put each swap into a transaction of its own. In a pro pool without same-slot trading, wait for the next slot between a buy and a sell.',
  ],
];

const anchorErrors = (): Readonly<Record<number, ErrorRow>> => ({
  100: ['InstructionMissing', 'The instruction has no discriminator.', 'Build it with this library.'],
  101: [
    'InstructionFallbackNotFound',
    'The program does not know this instruction.',
    'Update this library: the program may have changed.',
  ],
  102: [
    'InstructionDidNotDeserialize',
    'The program can not read the arguments.',
    'Update this library: the program may have changed.',
  ],
  103: [
    'InstructionDidNotSerialize',
    'The program can not write the arguments.',
    'Update this library: the program may have changed.',
  ],
  2000: ['ConstraintMut', 'An account must be writable.', 'Build the instruction with this library.'],
  2001: [
    'ConstraintHasOne',
    'An account does not belong to another one given.',
    'Check that pool, mint and config version go together.',
  ],
  2002: ['ConstraintSigner', 'An account must sign.', 'Let every wallet in requiredSigners sign.'],
  2003: ['ConstraintRaw', 'A condition of the program does not hold.', 'The logs name the account.'],
  2004: ['ConstraintOwner', 'An account belongs to another program.', 'The logs name the account.'],
  2005: ['ConstraintRentExempt', 'An account is not rent-exempt.', 'Fund the account.'],
  2006: [
    'ConstraintSeeds',
    'A derived address is not the one that the program derives.',
    'The logs show the given (Left) and the expected (Right) address; see the list of assumptions in the docs.',
  ],
  2009: [
    'ConstraintAssociated',
    'An account is not the associated token account it must be.',
    'Let the builder derive the accounts.',
  ],
  2011: ['ConstraintClose', 'An account can not be closed.', 'The logs name the account.'],
  2012: [
    'ConstraintAddress',
    'An account is not the one at the fixed address.',
    "Use the deployment's addresses.",
  ],
  2014: ['ConstraintTokenMint', 'A token account is for another mint.', NOT_YOURS],
  2015: ['ConstraintTokenOwner', 'A token account belongs to another wallet.', NOT_YOURS],
  2016: ['ConstraintMintMintAuthority', 'The mint has another mint authority.', 'Check the token.'],
  2017: ['ConstraintMintFreezeAuthority', 'The mint has another freeze authority.', 'Check the token.'],
  2018: ['ConstraintMintDecimals', 'The mint has other decimals.', 'Check the token.'],
  2019: ['ConstraintSpace', 'An account has another size.', 'The logs name the account.'],
  2020: [
    'ConstraintAccountIsNone',
    'An account that is needed was left out.',
    'Build the instruction with this library.',
  ],
  2021: [
    'ConstraintTokenTokenProgram',
    'A token account belongs to another token program.',
    'Use the program that owns the mint.',
  ],
  2022: [
    'ConstraintMintTokenProgram',
    'A mint belongs to another token program.',
    'Use the program that owns the mint.',
  ],
  2023: [
    'ConstraintAssociatedTokenTokenProgram',
    'An associated token account belongs to another token program.',
    'Use the program that owns the mint.',
  ],
  3000: ['AccountDiscriminatorAlreadySet', 'The account exists already.', 'Use the existing account.'],
  3001: ['AccountDiscriminatorNotFound', 'The account is empty.', 'Check the address.'],
  3002: ['AccountDiscriminatorMismatch', 'The account is of another kind.', 'Check the address.'],
  3003: ['AccountDidNotDeserialize', 'The program can not read the account.', 'Check the address.'],
  3004: ['AccountDidNotSerialize', 'The program can not write the account.', 'Check the address.'],
  3005: [
    'AccountNotEnoughKeys',
    'Accounts are missing.',
    'Update this library: the program may have changed.',
  ],
  3006: ['AccountNotMutable', 'An account must be writable.', 'Build the instruction with this library.'],
  3007: [
    'AccountOwnedByWrongProgram',
    'An account belongs to another program.',
    'Check the addresses and the token program.',
  ],
  3008: [
    'InvalidProgramId',
    'A program account is not the expected program.',
    'Use the program that owns the mint.',
  ],
  3009: ['InvalidProgramExecutable', 'A program account is not executable.', 'Check the addresses.'],
  3010: ['AccountNotSigner', 'An account did not sign.', 'Let every wallet in requiredSigners sign.'],
  3011: ['AccountNotSystemOwned', 'An account is not a plain wallet.', 'Check the address.'],
  3012: [
    'AccountNotInitialized',
    'An account does not exist yet.',
    'Create the token account first, or the wallet holds none of the token; the logs name the account.',
  ],
  3014: [
    'AccountNotAssociatedTokenAccount',
    'An account is not the associated token account it must be.',
    'Let the builder derive the accounts.',
  ],
  4100: [
    'DeclaredProgramIdMismatch',
    'The program runs at another address than it was built for.',
    "Use the deployment's program address.",
  ],
});

/**
 * What a custom error code of the exchange means: its own codes (6000 to 6053) and those of the Anchor framework.
 *
 * @returns `undefined` for a code that is not known.
 * @example
 * ```ts
 * getHeavenProgramError(6013)?.name; // 'ExceededSlippage'
 * ```
 */
export function getHeavenProgramError(code: number): HeavenProgramError | undefined {
  const row = code >= FIRST_CODE ? heavenErrors()[code - FIRST_CODE] : anchorErrors()[code];
  if (row === undefined) return undefined;
  const [name, meaning, action] = row;
  return { code, name, meaning, action };
}

/**
 * All error codes of the exchange's own, for tools such as the IDL writer.
 *
 * @example
 * ```ts
 * for (const { code, name, meaning } of getHeavenProgramErrors()) console.log(code, name, meaning);
 * ```
 */
export const getHeavenProgramErrors = (): readonly HeavenProgramError[] =>
  heavenErrors().map(([name, meaning, action], index) => ({
    code: FIRST_CODE + index,
    name,
    meaning,
    action,
  }));

/** Why a transaction failed. */
export interface TransactionFailure {
  /** The failure in a sentence: what happened, and what to do where that is known. */
  readonly message: string;
  /** The index of the instruction that failed, from 0, unless the transaction failed as a whole. `message` counts from 1. */
  readonly instructionIndex?: number;
  /** The custom error code of the program, if it gave one. */
  readonly code?: number;
  /** The program that failed, where the logs or the instructions tell. */
  readonly programAddress?: Address;
  /** What the code means, if the exchange's program gave it. */
  readonly programError?: HeavenProgramError;
}

/** What a node says of a failed simulation or transaction. */
export interface FailedTransaction {
  /** `value.err` of a simulation, `meta.err` of a transaction, or the error that kit threw. */
  readonly err: unknown;
  /** The logs: they say which program failed. */
  readonly logs?: readonly string[] | null;
  /** The program addresses of the transaction's instructions, in order, for a failure without logs. */
  readonly instructionPrograms?: readonly Address[];
}

/** What `getTransaction` answers, as far as a failure goes. */
export interface FailedTransactionResponse {
  readonly meta: { readonly err: unknown; readonly logMessages?: readonly string[] | null } | null;
}

const FAILED = /^Program (\w+) failed: custom program error: 0x([0-9a-f]+)$/i;

/**
 * Explains a failed simulation or transaction: which instruction, which program, which error, and what to do.
 *
 * A code means something only together with the program that gave it. That comes from the logs, else from
 * `instructionPrograms`; without either, codes from 6000 on are taken for the exchange's.
 *
 * @param failure What a simulation, `getTransaction` or `getSignatureStatuses` says, or the error that kit threw.
 * @returns `undefined` if nothing failed (`err` is `null`), the node knows nothing (`failure` is `null`), or an error is not
 *   about a failed transaction, such as a node that can't be reached: then its own `message` says what it is.
 * @example
 * ```ts
 * const { value } = await rpc.simulateTransaction(tx, { encoding: 'base64', sigVerify: false }).send();
 * const failure = explainTransactionFailure(value);
 * if (failure) console.error(failure.message);
 * ```
 */
export function explainTransactionFailure(
  failure: FailedTransaction | FailedTransactionResponse | Error | null | undefined,
  config: InstructionConfig = {},
): TransactionFailure | undefined {
  if (failure === null || failure === undefined) return undefined;
  const failed = failedOf(failure);
  const { err, logs } = unwrap(failed);
  if (err === null || err === undefined || (err instanceof Error && !isOfTransaction(err))) return undefined;
  const { instructionIndex, code, reason } = readError(err);
  // Counted as inspectTransaction counts them in words.
  const what = instructionIndex === undefined ? 'The transaction' : `Instruction ${instructionIndex + 1}`;
  if (code === undefined) {
    return {
      message: `${what} failed: ${reason}.${CLUSTER_ERRORS.find(([name]) => name === reason)?.[2] ?? ''}`,
      ...(instructionIndex === undefined ? {} : { instructionIndex }),
    };
  }
  // The innermost program fails first, so its line comes first.
  const failing = logs
    ?.map((line) => FAILED.exec(line))
    .find((match) => match !== null && Number.parseInt(match[2] ?? '', 16) === code);
  const programAddress =
    (failing?.[1] as Address | undefined) ??
    (instructionIndex === undefined ? undefined : failed.instructionPrograms?.[instructionIndex]);
  const exchange = config.programAddress ?? HEAVEN_PROGRAM_ADDRESS;
  const isExchange = programAddress === undefined ? code >= FIRST_CODE : programAddress === exchange;
  const programError = isExchange ? getHeavenProgramError(code) : undefined;
  const said = programError
    ? `${programError.name} (${code}). ${programError.meaning} ${programError.action}`
    : `custom error ${code} of ${programAddress ?? 'an unknown program'}.${wordsFor(programAddress, code)}`;
  return {
    message: `${what} failed: ${said}`,
    code,
    ...(instructionIndex === undefined ? {} : { instructionIndex }),
    ...(programAddress === undefined ? {} : { programAddress }),
    ...(programError === undefined ? {} : { programError }),
  };
}

function failedOf(failure: FailedTransaction | FailedTransactionResponse | Error): FailedTransaction {
  if (failure instanceof Error) return { err: failure };
  if (!('meta' in failure)) return failure;
  return { err: failure.meta?.err, logs: failure.meta?.logMessages ?? null };
}

/** What the errors of other programs mean that users run into. */
function wordsFor(program: Address | undefined, code: number): string {
  if (program === SYSTEM_PROGRAM_ADDRESS && code === 1)
    return ' A wallet holds less SOL than it pays. Use less, and leave some for rent and fees.';
  if (program !== TOKEN_PROGRAM_ADDRESS && program !== TOKEN_2022_PROGRAM_ADDRESS) return '';
  if (code === 1) return ' A token account holds less than is taken from it. Check its balance.';
  return code === 17 ? ' A token account is frozen: only whoever has frozen it can change that.' : '';
}

/** Errors of the cluster itself that users run into: a node's name for each, kit's code, and what to do. */
const CLUSTER_ERRORS: readonly (readonly [name: string, kitCode: number, words: string])[] = [
  [
    'AccountNotFound',
    SOLANA_ERROR__TRANSACTION_ERROR__ACCOUNT_NOT_FOUND,
    ' The wallet that pays for the transaction holds no SOL.',
  ],
  [
    'AddressLookupTableNotFound',
    SOLANA_ERROR__TRANSACTION_ERROR__ADDRESS_LOOKUP_TABLE_NOT_FOUND,
    ' A lookup table that it names is not there, or not yet.',
  ],
  [
    'AlreadyProcessed',
    SOLANA_ERROR__TRANSACTION_ERROR__ALREADY_PROCESSED,
    " It has landed before: look for its signature, and don't send it again.",
  ],
  [
    'BlockhashNotFound',
    SOLANA_ERROR__TRANSACTION_ERROR__BLOCKHASH_NOT_FOUND,
    ' Its block hash is too old, or the node is behind. Take a new one with refreshLifetime, and sign again.',
  ],
  [
    'InsufficientFundsForFee',
    SOLANA_ERROR__TRANSACTION_ERROR__INSUFFICIENT_FUNDS_FOR_FEE,
    ' The wallet that pays holds less SOL than the fee. Add SOL, or set a lower computeUnitPrice.',
  ],
  [
    'InsufficientFundsForRent',
    SOLANA_ERROR__TRANSACTION_ERROR__INSUFFICIENT_FUNDS_FOR_RENT,
    ' It would leave an account less SOL than its rent. Use less.',
  ],
  [
    'SignatureFailure',
    SOLANA_ERROR__TRANSACTION_ERROR__SIGNATURE_FAILURE,
    ' A signature is missing or wrong. Sign the transaction as it was built, with all its requiredSigners.',
  ],
  [
    'ComputationalBudgetExceeded',
    SOLANA_ERROR__INSTRUCTION_ERROR__COMPUTATIONAL_BUDGET_EXCEEDED,
    ' It needs more compute units than it allows: set a higher computeUnitLimit.',
  ],
  [
    'InsufficientFunds',
    SOLANA_ERROR__INSTRUCTION_ERROR__INSUFFICIENT_FUNDS,
    ' An account holds less than is taken from it.',
  ],
  [
    'MissingRequiredSignature',
    SOLANA_ERROR__INSTRUCTION_ERROR__MISSING_REQUIRED_SIGNATURE,
    ' A wallet that has to sign did not.',
  ],
];

/** kit throws a failed preflight as an error whose cause is the transaction's, and whose context has the logs. */
function unwrap({ err, logs }: FailedTransaction): {
  err: unknown;
  logs: readonly string[] | null | undefined;
} {
  if (!isSolanaError(err)) return { err, logs };
  const context = err.context as { logs?: readonly string[] | null; code?: number };
  const inner = context.code === undefined && isSolanaError(err.cause) ? err.cause : err;
  return { err: inner, logs: logs ?? context.logs };
}

/** Whether kit says with it that a transaction failed. Its codes for that are numbered from these two on. */
function isOfTransaction(error: Error): boolean {
  if (!isSolanaError(error)) return false;
  const code: number = error.context.__code;
  return (
    code === SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE ||
    [SOLANA_ERROR__INSTRUCTION_ERROR__UNKNOWN, SOLANA_ERROR__TRANSACTION_ERROR__UNKNOWN].some(
      (first) => code >= first && code < first + 1000,
    )
  );
}

function readError(err: unknown): { instructionIndex?: number; code?: number; reason: string } {
  if (isSolanaError(err, SOLANA_ERROR__INSTRUCTION_ERROR__CUSTOM)) {
    return { instructionIndex: err.context.index, code: err.context.code, reason: 'custom error' };
  }
  if (err instanceof Error) {
    const index = isSolanaError(err) && 'index' in err.context ? Number(err.context.index) : Number.NaN;
    // kit has no words in a production build, only codes.
    const [name] = CLUSTER_ERRORS.find(([, kitCode]) => isSolanaError(err, kitCode as never)) ?? [];
    return { reason: name ?? err.message, ...(Number.isInteger(index) ? { instructionIndex: index } : {}) };
  }
  if (typeof err === 'object' && err !== null && 'InstructionError' in err) {
    const [index, inner] = err.InstructionError as readonly [number | bigint, unknown];
    const instructionIndex = Number(index);
    if (typeof inner === 'object' && inner !== null && 'Custom' in inner) {
      return { instructionIndex, code: Number(inner.Custom), reason: 'custom error' };
    }
    return {
      instructionIndex,
      reason: typeof inner === 'string' ? inner : Object.keys(inner ?? {}).join() || 'unknown error',
    };
  }
  return { reason: typeof err === 'object' ? (Object.keys(err ?? {})[0] ?? 'unknown error') : String(err) };
}
