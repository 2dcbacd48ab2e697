import { isSolanaError } from '@solana/kit';
import { type AnyHeavenError, type HeavenError, isHeavenError, LONGEST_MESSAGE } from '../base/errors.js';
import { isError } from '../base/input.js';
import { BPS } from '../base/integers.js';
import { outsideText, quotation, shortenAddress } from '../base/text.js';
import { DECIMAL, inSol } from '../math/units.js';
import { isHttpError, isUnreachable } from '../solana/rpc/errors.js';
import { formatBps } from './figure.js';

/** An error in words for the user of a page. */
export interface ExplainedError {
  /** What is wrong and what to do, in one or two sentences. Never contains a node's URL. */
  readonly message: string;
  /** The field of a form that the user can correct, if the error is about one. */
  readonly field: 'amount' | 'slippage' | undefined;
}

const NODE_DOWN =
  "The node didn't answer. Check your connection and the RPC URL, or try again in a moment. Nothing was lost.";
const SERVICE_DOWN = "The service didn't answer. Check your connection, or try again in a moment.";
const NODE_ERROR = 'The node answered with an error. Try again, or use another node.';
const nodeSays = (words: string) =>
  `The node answered with an error: ${quotation(withoutHosts(words))}. Try again, or use another node.`;
const TOO_SLOW = 'The node takes too long to answer. Try again, or use another node.';
const TOO_MANY = 'The node refuses more requests for now. Wait a little, or use another node.';

/**
 * Puts an error into words for the user of a page: a {@link HeavenError}, a kit error, one that `fetch` or a wallet throws, or the
 * {@link TransactionFailure} of a simulation or a transaction. The `message` of a `HeavenError` is for programmers; this one says what
 * the user can do. A code without words of its own keeps its `message`, and those of a service stand in quotation marks.
 *
 * @example
 * ```ts
 * try {
 *   await quoteBuy(client, { configVersion: 2, mint, maxSolSpend: '0', slippageBps: 50 });
 * } catch (error) {
 *   const { message, field } = explainError(error);
 *   console.log(field, message); // amount Type an amount over 0.
 * }
 * ```
 */
export function explainError(error: unknown): ExplainedError {
  try {
    const { message, field } = explain(error);
    // Its own message, which may have a signature.
    const isOurs = isHeavenError(error) && 'signature' in error.context && error.source === undefined;
    return { message: isOurs ? message : outsideText(message, LONGEST_MESSAGE), field };
  } catch {
    // An error may be anything, even an object that throws when it is read.
    return general('Something went wrong. Try again.');
  }
}

function explain(error: unknown): ExplainedError {
  if (isHeavenError(error)) return explainHeavenError(error);
  if (isTransactionFailure(error)) return general(explainFailure(error));
  if (isRejection(error)) return general('You rejected the request in your wallet. Nothing was sent.');
  if (isError(error) && error.name === 'TimeoutError') return general(TOO_SLOW);
  if (isHttpError(error)) return general(error.context.statusCode === 429 ? TOO_MANY : NODE_ERROR);
  // JSON-RPC's own codes are negative.
  if (isSolanaError(error) && error.context.__code < 0) return general(NODE_ERROR);
  if (isUnreachable(error)) return general(NODE_DOWN);
  const said = isError(error) ? error.message : String(error);
  return general(`Something went wrong: ${quotation(withoutHosts(outsideText(said)))}`);
}

/** EIP-1193's code, which Solana wallets use as well. */
const USER_REJECTED = 4001;

/** How wallets say that the user rejected the request. A node rejects, denies and cancels requests too, in longer sentences. */
const BY_USER =
  /\buser (?:has )?(?:reject|declin|den[iy]|refus|cancel|disapprov)|\b(?:reject|declin|deni|refus|cancel)\w*ed by (?:the )?user\b/i;
const REJECTED =
  /^(?:(?:the|signature|signing|transaction) )?(?:request|transaction|approval) (?:was )?(?:rejected|declined|denied)\W*$/i;

function isRejection(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { readonly code?: unknown; readonly message?: unknown };
  if (code === USER_REJECTED) return true;
  return (
    typeof message === 'string' && [BY_USER, REJECTED].some((words) => words.test(message.slice(0, 200)))
  );
}

/** What this needs of a {@link TransactionFailure}. */
interface Failure {
  readonly message: string;
  readonly name?: string | undefined;
}

/** How the message of each failure begins. */
const FAILED = /^(?:The transaction|Instruction \d+) failed: /;

/** A failure is not an `Error`: it is what `simulate` and `submitTransaction` report. */
const isTransactionFailure = (error: unknown): error is Failure =>
  !isError(error) && FAILED.test(String(Object(error).message));

const SWAP_OFF = 'Trading is switched off in this pool. Try again later, or trade in another pool.';
const PRICE_MOVED = 'The price moved past your slippage. Nothing was traded.';
const TOO_LITTLE_SOL = 'The wallet has too little SOL. Add some, or use less: fees and rent come on top.';

/** What users run into, by the names of the errors. */
const failuresInWords = (): Readonly<Record<string, string>> => ({
  ExceededSlippage: PRICE_MOVED,
  ExceededQuoteTokenSlippage: PRICE_MOVED,
  ExceededBaseTokenSlippage: PRICE_MOVED,
  AccountNotFound: TOO_LITTLE_SOL,
  InsufficientFundsForFee: TOO_LITTLE_SOL,
  InsufficientFundsForRent: TOO_LITTLE_SOL,
  ResultWithNegativeLamports: TOO_LITTLE_SOL,
  BlockhashNotFound: 'The transaction is too old, or the node is behind. Try again.',
  SwapDisabled: SWAP_OFF,
  LiquidityPoolIsNotOpenYet: 'This pool is not open yet. Try again later.',
  InsufficientBalance: 'The wallet holds less than this takes. Use less.',
  OnlySingleSwapAllowed: 'This pool takes one trade at a time. Try again in a moment.',
});

const explainFailure = ({ message, name = '' }: Failure): string => {
  const inWords = failuresInWords();
  return Object.hasOwn(inWords, name) ? (inWords[name] as string) : message;
};

/** A host name in small letters or an IPv4 address, with its port and path. A name such as `wallet.signIn` is none. */
const HOSTS = /\b(?:(?:[a-z\d-]+\.)+[a-z]{2,}|\d{1,3}(?:\.\d{1,3}){3})\b(?::\d+)?(?:\/\S*)?/gu;
const withoutHosts = (text: string) => text.replace(HOSTS, 'a host');

const ALL_WITHHELD =
  'The token keeps all of each transfer for itself: nothing would arrive. Choose another token.';

const general = (message: string): ExplainedError => ({ message, field: undefined });
const amount = (message: string): ExplainedError => ({ message, field: 'amount' });

/** The message of an error, which is a stranger's if it came from a service. */
const wordsOf = ({ message, source }: HeavenError): string =>
  source === 'service' ? `The service says: ${quotation(withoutHosts(message))}` : message;

function explainHeavenError(error: AnyHeavenError): ExplainedError {
  switch (error.code) {
    case 'zero-amount':
      return amount('Type an amount over 0.');
    case 'invalid-amount':
      return explainAmount(error);
    case 'amount-out-of-range':
      return amount('That is more than there can be. Type a smaller amount.');
    case 'output-is-zero':
      return error.context.transferFeeBps === BPS
        ? general(ALL_WITHHELD)
        : amount('That is too little to give anything. Type a larger amount.');
    case 'insufficient-liquidity':
      return error.context.transferFeeBps === BPS
        ? general(ALL_WITHHELD)
        : amount('The pool does not hold enough for that. Type a smaller amount.');
    case 'fees-exceed-amount':
      return amount(
        `The fees are ${formatBps(error.context.feeBps)} now: nothing would be left. Wait until the launch is over.`,
      );
    case 'invalid-slippage':
      return { message: 'Slippage is a percentage from 0 to 100, such as 0.5.', field: 'slippage' };
    case 'operation-disabled':
      return general(explainDisabled(error));
    case 'not-authorized':
      return general(
        error.context.role === 'creator'
          ? "Only the pool's creator can do that. Connect the wallet that created the pool."
          : wordsOf(error),
      );
    case 'pool-exists':
      return general('This wallet already has a pool of this token. Use that pool, or another wallet.');
    case 'token-not-transferable':
      return general(
        error.context.reason === 'paused'
          ? 'The issuer of this token has paused all transfers. Try again later.'
          : "This token can't be transferred, so nobody can trade it.",
      );
    case 'pool-not-open':
      return general(`This pool is not open yet. It opens at ${timeOf(error.context.opensAt)}.`);
    case 'pool-not-found':
      return general('There is no such pool on this network.');
    case 'price-unavailable':
      return general('The price of SOL is not known right now, so the fees are not either. Try again later.');
    case 'rpc-failed':
      return general(explainNode(error));
    case 'rpc-timeout':
      return general(TOO_SLOW);
    case 'rpc-rate-limited':
      return general(TOO_MANY);
    case 'spend-too-low':
      return amount(
        `The first purchase costs ${inSol(error.context.required)}, and may cost ${inSol(error.context.allowed)}. Allow more, or buy less.`,
      );
    case 'service-failed':
      return general(explainService(error));
    case 'transaction-not-signed':
      return general(explainSignature(error));
    case 'transaction-mismatch':
      return general('This is not the transaction that you asked for. Do not sign it, and do not send it.');
    case 'transaction-too-large':
      return general('The transaction would be too large for Solana.');
  }
  return general(wordsOf(error));
}

function explainAmount(error: HeavenError<'invalid-amount'>): ExplainedError {
  const { field, value = '', decimals, example } = error.context;
  const message = wordsOf(error);
  if (decimals !== undefined) return amount(`Use at most ${decimals} decimal places.`);
  if (value === '') return amount('Type the amount in digits, with a point for the decimals, such as 1.5.');
  // Nobody types an amount that is inside an object.
  if (/\W/.test(field)) return general(message);
  const isUnlike = Number.isNaN(value) || (typeof value === 'string' && !DECIMAL.test(value));
  return amount(
    error.source === undefined && (isUnlike || example !== undefined)
      ? `Type an amount such as ${example ?? '1.5'}.`
      : message,
  );
}

const explainSignature = ({ context: { signer, reason } }: HeavenError<'transaction-not-signed'>): string =>
  `The signature of ${shortenAddress(signer)} is ${reason === 'missing' ? 'missing' : 'not valid'}. Nothing was sent. Sign again, or use another wallet.`;

function explainService(error: HeavenError<'service-failed'>): string {
  const { status, retryAfterSeconds } = error.context;
  if (retryAfterSeconds) return `The service is busy. Try again in ${retryAfterSeconds} seconds.`;
  if (status === undefined && isUnreachable(error.cause)) return SERVICE_DOWN;
  // This library's own message, around words of a service.
  return withoutHosts(wordsOf(error));
}

function explainNode(error: HeavenError<'rpc-failed'>): string {
  const { context, cause } = error;
  const { status, rpcCode, rpcMessage } = context;
  if (rpcMessage !== undefined) return nodeSays(rpcMessage);
  if (status !== undefined || rpcCode !== undefined) return NODE_ERROR;
  return cause === undefined || isUnreachable(cause) ? NODE_DOWN : wordsOf(error);
}

function explainDisabled(error: HeavenError<'operation-disabled'>): string {
  switch (error.context.operation) {
    case 'swap':
      return SWAP_OFF;
    case 'deposit':
      return "The pool's creator has switched deposits off. Try again later, or use another pool.";
    case 'withdraw':
      return "The pool's creator has switched withdrawals off. Try again later.";
  }
  return wordsOf(error);
}

/** A Unix time in the reader's time zone. */
const timeOf = (seconds: bigint): string => {
  const date = new Date(Number(seconds) * 1000);
  return Number.isNaN(date.getTime())
    ? 'a time far ahead'
    : date.toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
};
