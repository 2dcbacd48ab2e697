import { describe, hideKeys, shortened } from './shown.js';

/**
 * How a transaction differs from what was asked for.
 *
 * - `instruction`: it does something else. An instruction is missing, added or another one, or the version or block hash differs.
 * - `account`: it uses another account, or a lookup table hides one.
 * - `amount`: an amount, a limit or the priority fee is another.
 * - `rights`: an account signs or is writable, or is not, or a signature is missing or invalid.
 * - `payer`: someone else pays the fees.
 */
export type TransactionMismatchKind = 'instruction' | 'account' | 'amount' | 'rights' | 'payer';

/**
 * What each error code carries, for a program to act on without reading the message. Where two values differ, `asked` is
 * what the call asked for, and `found` is what the cluster, the quote or the transaction has. What looks like a secret key stands in
 * none of them, nor does an object of the caller: `value`, `asked` and `found` have words in place of it.
 */
export interface HeavenErrorContexts {
  /** A field has the wrong type or an impossible value. */
  'invalid-input': { readonly field: string; readonly value?: unknown };
  /** A string is not a base58 address of 32 bytes. */
  'invalid-address': { readonly field: string; readonly value: unknown };
  /**
   * An amount is not a non-negative integer (native units) or decimal number (UI units); with `decimals`: it has more decimals
   * than these; with `example`: how it is typed.
   */
  'invalid-amount': {
    readonly field: string;
    readonly value: unknown;
    readonly decimals?: number;
    readonly example?: string;
  };
  /** An amount of zero where a positive amount is needed. */
  'zero-amount': { readonly field: string };
  /** An amount that does not fit into 64 bits, or more SOL than there is. */
  'amount-out-of-range': { readonly field: string; readonly value: unknown };
  /** Slippage that is not a whole number of basis points from 0 to 10000; a launch's: not a fraction from 0 to 1. */
  'invalid-slippage': { readonly field: string; readonly value: unknown };
  /** The pool can't give, or take, that much. */
  'insufficient-liquidity': {
    readonly requested: bigint;
    readonly available: bigint;
    /** The token's transfer fee, which may be why nothing arrives. */
    readonly transferFeeBps?: bigint | undefined;
  };
  /** The fees in force leave nothing of the amount. */
  'fees-exceed-amount': { readonly feeBps: bigint };
  /** The trade is so small that it would return nothing. */
  'output-is-zero': {
    readonly field: string;
    readonly amountIn: bigint;
    /** The token's transfer fee, which may be why nothing arrives. */
    readonly transferFeeBps?: bigint | undefined;
  };
  /** An account that the operation needs is not on the cluster. */
  'account-not-found': { readonly account: string; readonly address: string };
  /** No pool exists for this mint (or at this address). */
  'pool-not-found': { readonly pool: string; readonly mint?: string };
  /** An account's bytes are not what they should be: too short, another discriminator, inconsistent. Or its owner is not. */
  'invalid-account-data': {
    readonly account: string;
    readonly address?: string;
    readonly reason: string;
    /** The program, or programs, that should own it. Only if it belongs to another. */
    readonly asked?: string;
    /** The program that owns it. Only if it is another. */
    readonly found?: string;
  };
  /** A lookup table can't be used, or a token account: one given by the caller, or one that is or would be frozen. */
  'unusable-account': {
    readonly account: 'lookup table' | 'token account';
    readonly address: string;
    readonly reason: string;
    /** The caller's field that the token account comes from. */
    readonly field?: string;
  };
  /** The pool, or the config, is not the one that the call is for. */
  'pool-mismatch': {
    /** What differs: whether it is a standard or a pro pool, its token, or the version of its protocol config. */
    readonly field: 'kind' | 'mint' | 'configVersion';
    readonly asked: number | string;
    readonly found: number | string;
  };
  /** The SOL/USD feed holds no usable price. */
  'price-unavailable': { readonly address?: string };
  /** The pool does not allow this, or the config version allows no new pools. */
  'operation-disabled': {
    readonly operation:
      | 'swap'
      | 'deposit'
      | 'withdraw'
      | 'create'
      | 'set-creator-fee'
      | 'update-fee-receiver';
    readonly pool?: string;
    /** Only with `create`. */
    readonly configVersion?: number;
    /** The state in which the receiver can't change: only with `update-fee-receiver`. */
    readonly claimStatus?: number;
    readonly distribution?: number;
  };
  /** Every pool of the token rejects the trade, for different reasons. */
  'no-pool-trades': {
    readonly mint: string;
    readonly refused: readonly { readonly pool: string; readonly code: HeavenErrorCode }[];
  };
  /** The pool opens later. Both times are Unix seconds. */
  'pool-not-open': { readonly opensAt: bigint; readonly now: bigint };
  /** Only the pool's creator may do this, or only the designated receiver may claim creator fees. */
  'not-authorized': {
    readonly role: 'creator' | 'fee-receiver';
    readonly asked: string;
    readonly found: string;
  };
  /** Fees above the allowed maximum, or fee brackets that contradict themselves. */
  'invalid-fees': {
    readonly field: string;
    readonly reason: string;
    /** Basis points: only if the fee is above the maximum. */
    readonly feeBps?: number;
    readonly maxFeeBps?: number;
  };
  /** A mint that can't be token A of a pool; with `pool`: the mint that this pool has as token B in place of SOL. */
  'unsupported-mint': { readonly mint: string; readonly reason: string; readonly pool?: string };
  /** No transfer of the token succeeds: its issuer has paused it, or it never can be transferred. */
  'token-not-transferable': { readonly reason: 'paused' | 'non-transferable'; readonly mint?: string };
  /** The pool already exists. */
  'pool-exists': { readonly pool: string };
  /** There are fewer LP tokens than requested, or fewer accrued creator fees (lamports). */
  'insufficient-balance': {
    readonly asset: 'lp-tokens' | 'creator-fees';
    readonly requested: bigint;
    readonly available: bigint;
  };
  /** The fees can't be claimed in the pool's present state, or none have accrued. */
  'fees-not-claimable': {
    readonly reason:
      | 'blocked'
      | 'community'
      | 'volume-below-threshold'
      | 'not-processed'
      | 'nothing-to-claim';
    /** What the pool has traded, and what it must trade first: only with `volume-below-threshold`. */
    readonly tradingVolumeUsd?: number;
    readonly tradingVolumeThresholdUsd?: number;
  };
  /** The allowed spend does not cover the purchase. Lamports. */
  'spend-too-low': { readonly field: string; readonly required: bigint; readonly allowed: bigint };
  /** A quote is for something other than what is being built, or doesn't answer the request. */
  'quote-mismatch': {
    readonly field: string;
    /** The value that the call asked for. */
    readonly asked?: unknown;
    /** The value that the quote has. */
    readonly found?: unknown;
  };
  /** A transaction, account or other binary that can't be decoded. Of an instruction: which one was `asked` for, and why it isn't. */
  'malformed-data': { readonly what: string; readonly asked?: string; readonly reason?: string };
  /** The transaction is over Solana's size limit (all in bytes). */
  'transaction-too-large': { readonly size: number; readonly limit: number; readonly excess: number };
  /** Instructions that can't be compiled together; or a change that would void the signatures of `signers`. */
  'invalid-transaction': { readonly reason: string; readonly signers?: readonly string[] };
  /** The RPC node answered with an error, or could not be reached. */
  'rpc-failed': {
    readonly method: string;
    readonly status?: number;
    readonly rpcCode?: number;
    /** What the node says: at most 200 visible characters, without URLs and keys. Never over HTTP. */
    readonly rpcMessage?: string;
  };
  /** The RPC node limits requests. */
  'rpc-rate-limited': { readonly method: string; readonly retryAfterSeconds?: number };
  /** The RPC node did not answer in time. */
  'rpc-timeout': { readonly method: string; readonly timeoutMs: number };
  /** The RPC node returned an invalid answer, or one that is too long. */
  'rpc-invalid-response': {
    readonly method: string;
    readonly reason: string;
    /** The most bytes that the client reads, after decompression. Only if the answer is longer. */
    readonly maxResponseBytes?: number;
  };
  /**
   * A node's account can't be right: at an address that this library derived it has another owner, size or discriminator; or
   * it decodes but holds what the program never writes.
   */
  'rpc-wrong-account': {
    readonly account: string;
    readonly address?: string | undefined;
    readonly reason: string;
    /** The path of the value that the program never writes, and the value. */
    readonly field?: string;
    readonly found?: bigint;
    /** What it must be, in words. */
    readonly expected?: string;
  };
  /** The RPC node answered from an older slot than one already read. */
  'rpc-behind': { readonly method: string; readonly minContextSlot: bigint };
  /** The RPC node does not support this kind of query. */
  'rpc-method-unsupported': { readonly method: string; readonly rpcCode?: number };
  /** The RPC node can't list the whole history, so trades could be missing. */
  'history-incomplete': {
    /**
     * - `unknown-cursor`: it does not know the transaction at which the list should begin or end.
     * - `not-returned`: it lists a transaction but doesn't return it.
     * - `too-many`: there are too many to catch up with.
     */
    readonly reason: 'unknown-cursor' | 'not-returned' | 'too-many';
    readonly signature: string;
  };
  /** A transaction does something other than what was asked for, or more. */
  'transaction-mismatch': {
    readonly kind: TransactionMismatchKind;
    /** The instruction, counted from 0, if the difference is in one. */
    readonly instruction?: number;
    /** The instruction's account or argument that differs, by the name that its program gives it. Of `rights`, the account. */
    readonly field?: string;
    readonly asked?: unknown;
    readonly found?: unknown;
  };
  /** A prepared trade can't take this value: it would change accounts or instructions, or the trade is too old for it. */
  'not-patchable': {
    readonly field: string;
    readonly asked?: unknown;
    readonly found?: unknown;
    /** In slots. Only if the pool state that the trade was prepared on (`found`) is older than this at the slot `asked`. */
    readonly maxAge?: bigint;
  };
  /** The transaction to send lacks a signature, or has an invalid one. */
  'transaction-not-signed': { readonly signer: string; readonly reason: 'missing' | 'invalid' };
  /** No node can say what happened to a sent transaction. It may have landed. */
  'outcome-unknown': { readonly signature: string; readonly lastValidBlockHeight: bigint };
  /** The service behind a remote client failed, or could not be reached; `code` is the service's own error code. */
  'service-failed': {
    readonly path: string;
    readonly status?: number;
    readonly code?: string;
    readonly requestId?: string;
    /** How long it asks callers to wait, at most a day. */
    readonly retryAfterSeconds?: number;
  };
  /** What this needs is not there: an optional package, or `crypto.subtle`, which only https pages and localhost have, and React Native with a polyfill. */
  'missing-package': { readonly package: string; readonly range: string };
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

/** No message of this library is longer, whatever was passed. */
export const LONGEST_MESSAGE = 1_000;

/**
 * The one error class of this library.
 *
 * `code` is stable, `context` is typed by it, `message` says what happened and what to do. Recognize it with
 * {@link isHeavenError}, which also works when two copies of the library are installed.
 * @example
 * ```ts
 * try {
 *   toNativeAmount('0.1234567891', 9, 'maxSolSpend');
 * } catch (error) {
 *   if (isHeavenError(error, 'invalid-amount')) console.log(error.context.decimals); // 9
 * }
 * ```
 */
export class HeavenError<TCode extends HeavenErrorCode = HeavenErrorCode> extends Error {
  override readonly name: string = 'HeavenError';
  declare readonly code: TCode;
  declare readonly context: Readonly<HeavenErrorContexts[TCode]>;
  /** Marks an error of a service that {@link createRemoteClient} passes on: the words of `message` are the service's. */
  declare readonly source?: 'service';

  constructor(code: TCode, message: string, context: HeavenErrorContexts[TCode], options?: ErrorOptions) {
    const hide = 'signature' in context ? String : hideKeys;
    super(hide(message).slice(0, LONGEST_MESSAGE), options);
    this.code = code;
    const shown: Record<string, unknown> = { ...context };
    for (const name in shown) {
      const value = shown[name];
      if (typeof value === 'string') shown[name] = (name === 'value' ? shortened : hide)(value);
      // A key may be anywhere in a caller's object.
      else if (typeof value === 'object' && value && !OWN_LISTS.test(name)) shown[name] = describe(value);
    }
    this.context = Object.freeze(shown) as typeof this.context;
  }
}

const OWN_LISTS = /signers|refused/;

/** Any {@link HeavenError}, as a union discriminated by `code`. */
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
    // Not instanceof: it may be of another realm.
    'stack' in Object(error) &&
    (error as HeavenError).name === 'HeavenError' &&
    (code === undefined || (error as HeavenError).code === code)
  );
}
