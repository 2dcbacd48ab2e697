/**
 * How a transaction differs from what was asked for.
 *
 * - `version`, `fee-payer`, `durable-nonce`: of the transaction as a whole.
 * - `missing-instruction`, `extra-instruction`, `order`: one that should be there, should not, or stands elsewhere.
 * - `authority-change`: rights over an account are given away that were not asked for, or to somebody else.
 * - `compute-budget`: another limit or price than was asked for.
 * - `program`, `data`: an instruction of another program, or that says something else.
 * - `amount`, `minimum`: it takes another amount, or protects another minimum.
 * - `recipient`, `account`: what it pays goes elsewhere; another account is used.
 * - `lookup-table`: an account that a lookup table hides, or gives in another's place.
 * - `signer`, `writable`: an account signs, or may be written to, that should not.
 * - `mint-may-exist`: a launch that does not prove its mint to be new. Whoever holds the mint's key could create it first,
 *   with rights of their own that survive the launch.
 * - `signature`: one that is there is not valid, or one that must be there is missing, such as a new mint's.
 * - `lifetime`: a wallet put in another block hash.
 * - `guard`: a wallet added more, or something else, than assertions of Lighthouse.
 */
export type TransactionMismatchReason =
  | 'version'
  | 'fee-payer'
  | 'durable-nonce'
  | 'missing-instruction'
  | 'extra-instruction'
  | 'order'
  | 'authority-change'
  | 'compute-budget'
  | 'program'
  | 'data'
  | 'amount'
  | 'minimum'
  | 'recipient'
  | 'account'
  | 'lookup-table'
  | 'signer'
  | 'writable'
  | 'mint-may-exist'
  | 'signature'
  | 'lifetime'
  | 'guard';

/**
 * What each error code carries, so that a program can act on it without reading the message. Where two values differ,
 * `asked` is the one that the call stands for, and `found` is the one on the cluster, in the quote or in the transaction.
 */
export interface HeavenErrorContexts {
  /** A field has the wrong type or an impossible value. */
  'invalid-input': { readonly field: string; readonly value?: unknown };
  /** A string is not a base58 address of 32 bytes. */
  'invalid-address': { readonly field: string; readonly value: unknown };
  /** An amount is not a non-negative integer (native units) or decimal number (UI units). */
  'invalid-amount': { readonly field: string; readonly value: unknown };
  /** An amount of zero where there must be something to trade. */
  'zero-amount': { readonly field: string };
  /** An amount that does not fit into 64 bits. */
  'amount-out-of-range': { readonly field: string; readonly value: unknown };
  /** A UI amount with more decimals than the token has. */
  'too-many-decimals': { readonly field: string; readonly value: unknown; readonly decimals: number };
  /** Slippage that is not a whole number of basis points from 0 to 10000; a launch's: not a fraction from 0 to 1. */
  'invalid-slippage': { readonly field: string; readonly value: unknown };
  /** The pool can't give, or take, that much. */
  'insufficient-liquidity': { readonly requested: bigint; readonly available: bigint };
  /** The fees in force leave nothing of the amount. */
  'fees-exceed-amount': { readonly feeBps: bigint };
  /** The trade is so small that nothing would come out of it. */
  'output-is-zero': { readonly field: string; readonly amountIn: bigint };
  /** An account that the operation needs is not on the cluster. */
  'account-not-found': { readonly account: string; readonly address: string };
  /** No pool exists for this mint (or at this address). */
  'pool-not-found': { readonly pool: string; readonly mint?: string };
  /** An account belongs to another program than it should. */
  'account-owner-mismatch': {
    readonly account: string;
    readonly address: string;
    /** The program, or programs, that should own it. */
    readonly asked: string;
    /** The program that owns it. */
    readonly found: string;
  };
  /** An account's bytes are not what they should be: too short, another discriminator, inconsistent. */
  'invalid-account-data': { readonly account: string; readonly address?: string; readonly reason: string };
  /** An account decodes but holds what the program never writes. `field` is a path, `expected` is in words. */
  'implausible-account': {
    readonly account: string;
    readonly address?: string | undefined;
    readonly field: string;
    readonly found: bigint;
    readonly expected: string;
  };
  /** The pool is of another kind (standard, pro) than the function is for. */
  'pool-kind-mismatch': { readonly asked: string; readonly found: string };
  /** The pool trades another token than was named. */
  'pool-mint-mismatch': { readonly asked: string; readonly found: string };
  /** The pool pairs the token with something other than SOL. `found` is the other token. */
  'unsupported-pair': { readonly pool: string; readonly found: string };
  /** The pool belongs to another protocol config version than was named. */
  'config-version-mismatch': { readonly asked: number | string; readonly found: number };
  /** The SOL/USD feed holds no usable price. */
  'price-unavailable': { readonly address?: string };
  /** Swapping is switched off in this pool. */
  'swap-disabled': { readonly pool?: string };
  /** Each pool of the token refuses the trade, for different reasons. */
  'no-pool-trades': {
    readonly mint: string;
    readonly refused: readonly { readonly pool: string; readonly code: HeavenErrorCode }[];
  };
  /** The pool opens later. Both times are Unix seconds. */
  'pool-not-open': { readonly opensAt: bigint; readonly now: bigint };
  /** No pools can be created with this config version for now. */
  'pool-creation-disabled': { readonly configVersion: number };
  /** Only the pool's creator may do this. */
  'not-pool-creator': { readonly asked: string; readonly found: string };
  /** Deposits are switched off in this pool. */
  'deposit-disabled': { readonly pool: string };
  /** Withdrawals are switched off in this pool. */
  'withdraw-disabled': { readonly pool: string };
  /** The pool was created with its creator fee fixed for good. */
  'creator-fee-locked': { readonly pool: string };
  /** Fee brackets that contradict themselves. */
  'invalid-brackets': { readonly field: string; readonly reason: string };
  /** A fee over what is allowed. Basis points. */
  'fee-too-high': { readonly field: string; readonly feeBps: number; readonly most: number };
  /** A mint that can't be token A of a pool. */
  'unsupported-mint': { readonly mint: string; readonly reason: string };
  /** The pool is there already. */
  'pool-exists': { readonly pool: string };
  /** A position holds fewer LP tokens than are asked for. */
  'insufficient-lp-tokens': { readonly requested: bigint; readonly available: bigint };
  /** The fee receiver can't be changed in the pool's present state. */
  'receiver-update-not-allowed': { readonly claimStatus: number; readonly distribution: number };
  /** Only the designated receiver may claim creator fees. */
  'not-fee-receiver': { readonly asked: string; readonly found: string };
  /** The creator fees can't be claimed in the pool's present state. */
  'fees-not-claimable': {
    readonly reason:
      | 'blocked'
      | 'community'
      | 'volume-below-threshold'
      | 'not-processed'
      | 'nothing-to-claim';
  };
  /** More was asked for than has accrued. Lamports. */
  'insufficient-fees': { readonly requested: bigint; readonly available: bigint };
  /** The spend that is allowed does not pay for the purchase. Lamports. */
  'spend-too-low': { readonly field: string; readonly required: bigint; readonly allowed: bigint };
  /** A text is longer than the chain stores. Both in bytes of UTF-8. */
  'text-too-long': { readonly field: string; readonly size: number; readonly limit: number };
  /** A lookup table can't be used. */
  'invalid-lookup-table': { readonly address: string; readonly reason: string };
  /** A quote that is not for what is being built, or does not answer the request. */
  'quote-mismatch': {
    readonly field: string;
    /** The value that the call stands for. */
    readonly asked?: unknown;
    /** The value that the quote has. */
    readonly found?: unknown;
  };
  /** A token account given by the caller can't be used for this. */
  'invalid-token-account': { readonly field: string; readonly address: string; readonly reason: string };
  /** A transaction, account or other binary that can't be decoded. */
  'malformed-data': { readonly what: string };
  /** An instruction that is not the one it was taken for. */
  'instruction-mismatch': { readonly asked: string; readonly reason: string };
  /** The transaction is over Solana's size limit (all in bytes). */
  'transaction-too-large': { readonly size: number; readonly limit: number; readonly excess: number };
  /** Instructions that can't be compiled together; `reason` is kit's. */
  'invalid-transaction': { readonly reason: string };
  /** The RPC node answered with an error, or could not be reached. */
  'rpc-failed': { readonly method: string; readonly status?: number; readonly rpcCode?: number };
  /** The RPC node refuses more requests for now. */
  'rpc-rate-limited': { readonly method: string; readonly retryAfterSeconds?: number };
  /** The RPC node did not answer in time. */
  'rpc-timeout': { readonly method: string; readonly timeoutMs: number };
  /** The RPC node answered something that is not a valid answer. */
  'rpc-invalid-response': { readonly method: string; readonly reason: string };
  /** The RPC node gave, at an address that this library derived, an account of another owner, size or discriminator. */
  'rpc-wrong-account': { readonly account: string; readonly address: string; readonly reason: string };
  /** The RPC node's answer is longer than the client reads. Bytes, after decompression. */
  'rpc-response-too-large': { readonly method: string; readonly maxResponseBytes: number };
  /** The RPC node answers of an older slot than was read before. */
  'rpc-behind': { readonly method: string; readonly minContextSlot: bigint };
  /** The RPC node does not answer this kind of query. */
  'rpc-method-unsupported': { readonly method: string; readonly rpcCode?: number };
  /** The RPC node does not know the transaction that a list of transactions was to begin or end at. */
  'history-cursor-unknown': { readonly signature: string };
  /** The RPC node lists a transaction and does not give it, so that trades could be missing. */
  'history-incomplete': { readonly signature: string };
  /** A transaction does something else, or more, than was asked for. */
  'transaction-mismatch': {
    /** What kind of difference it is. */
    readonly reason: TransactionMismatchReason;
    /** The instruction, counted from 0, if it is one. */
    readonly instruction?: number;
    readonly asked?: unknown;
    readonly found?: unknown;
  };
  /** A change would make signatures void that are there already. */
  'signature-lost': { readonly signers: readonly string[] };
  /** A prepared trade can't take this value: its accounts or instructions would be others. */
  'not-patchable': { readonly field: string; readonly asked?: unknown; readonly found?: unknown };
  /** A prepared trade rests on a state of the pool that is older than allowed. All in slots. */
  'snapshot-stale': { readonly slot: bigint; readonly currentSlot: bigint; readonly maxAge: bigint };
  /** A transaction that was to be sent lacks a signature, or has one that is not valid. */
  'transaction-not-signed': { readonly signer: string; readonly reason: 'missing' | 'invalid' };
  /** No node says any more what became of a sent transaction. It may have landed. */
  'outcome-unknown': { readonly signature: string; readonly lastValidBlockHeight: bigint };
  /** A service that a remote client calls failed, or could not be reached; `code` is what it says itself. */
  'service-failed': {
    readonly path: string;
    readonly status?: number;
    readonly code?: string;
    readonly requestId?: string;
  };
  /** An optional package that this needs is not installed, or doesn't run on this machine. */
  'missing-package': { readonly package: string; readonly range: string };
  /** The bytes of a program are not a program that can be run. */
  'invalid-program': { readonly program: string; readonly reason: string };
  /** A folder with what a proof downloaded is not as it was saved. */
  'invalid-proof-source': { readonly file: string; readonly reason: string };
  /** A `keepLifetime` has no block hash that is new enough, or was stopped. Ages in blocks. */
  'lifetime-stale': {
    readonly reason: 'old' | 'stopped';
    readonly ageInBlocks: number;
    readonly maxAgeBlocks: number;
  };
  /** The caller's abort signal fired. With a `signature`, that transaction was sent and may still land. */
  aborted: { readonly method: string; readonly signature?: string };
}

/** The codes of {@link HeavenError}. They are stable; new ones may come with a minor version. */
export type HeavenErrorCode = keyof HeavenErrorContexts;

/**
 * The one error class of this library.
 *
 * `code` is stable, `context` is typed by it, `message` says what happened and what to do. Tell it apart with
 * {@link isHeavenError}, which also works when two copies of the library are installed.
 * @example
 * ```ts
 * try {
 *   toNativeAmount('0.1234567891', 9, 'maxSolSpend');
 * } catch (error) {
 *   if (isHeavenError(error, 'too-many-decimals')) console.log(error.context.decimals); // 9
 * }
 * ```
 */
export class HeavenError<TCode extends HeavenErrorCode = HeavenErrorCode> extends Error {
  override readonly name: string = 'HeavenError';
  readonly code: TCode;
  readonly context: Readonly<HeavenErrorContexts[TCode]>;

  constructor(code: TCode, message: string, context: HeavenErrorContexts[TCode], options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.context = Object.freeze(context);
  }
}

/** Any {@link HeavenError}, as a union told apart by `code`. */
export type AnyHeavenError = { [TCode in HeavenErrorCode]: HeavenError<TCode> }[HeavenErrorCode];

/**
 * Whether `error` is a {@link HeavenError}, of the given code if one is given.
 * @example
 * ```ts
 * try {
 *   await quoteBuy(client, { configVersion: 2, mint, maxSolSpend: '1.5', slippageBps: 50 });
 * } catch (error) {
 *   if (!isHeavenError(error)) throw error;
 *   if (error.code === 'pool-not-open') console.log(error.context.opensAt);
 *   else console.error(error.message);
 * }
 * ```
 */
export function isHeavenError(error: unknown): error is AnyHeavenError;
export function isHeavenError<TCode extends HeavenErrorCode>(
  error: unknown,
  code: TCode,
): error is HeavenError<TCode>;
export function isHeavenError(error: unknown, code?: HeavenErrorCode): boolean {
  return (
    error instanceof Error &&
    error.name === 'HeavenError' &&
    (code === undefined || (error as Partial<HeavenError>).code === code)
  );
}
