import { isSolanaError, SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR } from '@solana/kit';
import { type AnyHeavenError, isHeavenError } from 'heaven-pools';

import { formatBps } from './format.js';

/** The field that an error is about. */
export type Field = 'amount' | 'slippage' | 'find' | 'rpc';

/** An error that the user sees and can fix. */
export class Problem extends Error {
  readonly field: Field | undefined;

  constructor(field: Field | undefined, message: string) {
    super(message);
    this.field = field;
  }
}

const NODE_DOWN =
  'The node does not answer. Check your connection and the RPC URL, or try again in a moment. Nothing was lost.';

const NODE_ERROR = 'The node answered with an error. Try again, or use another node.';
const TOO_SLOW = 'The node takes too long to answer. Try again, or use another node.';
const TOO_MANY = 'The node refuses more requests for now. Wait a little, or use another node.';

/** An error for the user: what is wrong, and what to do. */
export function explain(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (isHeavenError(error)) return explainHeavenError(error);
  if (isTimeout(error)) return new Problem(undefined, TOO_SLOW);
  if (isSolanaError(error, SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR))
    return new Problem(undefined, error.context.statusCode === 429 ? TOO_MANY : NODE_ERROR);
  if (isSolanaError(error)) return new Problem(undefined, NODE_ERROR);
  if (error instanceof TypeError && /dynamically imported|module script/i.test(error.message))
    return new Problem(undefined, 'A part of the page could not be loaded. Load the page again.');
  // fetch throws a TypeError if the connection fails.
  if (error instanceof TypeError && /fetch|network/i.test(error.message))
    return new Problem(undefined, NODE_DOWN);
  return new Problem(
    undefined,
    `Something went wrong: ${error instanceof Error ? error.message : String(error)}`,
  );
}

const isTimeout = (error: unknown) => error instanceof DOMException && error.name === 'TimeoutError';

function explainHeavenError(error: AnyHeavenError): Problem {
  const amount = (message: string) => new Problem('amount', message);
  const general = (message: string) => new Problem(undefined, message);
  switch (error.code) {
    case 'zero-amount':
      return amount('Type an amount over 0.');
    case 'invalid-amount':
      return amount('Type the amount in digits, with a point for the decimals, such as 1.5.');
    case 'too-many-decimals':
      return amount(`At most ${error.context.decimals} digits behind the point. Take some away.`);
    case 'amount-out-of-range':
      return amount('That is more than there can be. Type a smaller amount.');
    case 'output-is-zero':
      return amount('That is too little to give anything. Type a larger amount.');
    case 'insufficient-liquidity':
      return amount('The pool does not hold enough for that. Type a smaller amount.');
    case 'fees-exceed-amount':
      return amount(
        `The fees are ${formatBps(error.context.feeBps)} now: nothing would be left. Wait until the launch is over.`,
      );
    case 'invalid-slippage':
      return new Problem('slippage', 'Slippage is a percentage from 0 to 50, such as 0.5.');
    case 'swap-disabled':
      return general('Trading is switched off in this pool. Only its creator can switch it on.');
    case 'pool-not-open':
      return general(`This pool is not open yet. It opens at ${timeOf(error.context.opensAt)}.`);
    case 'pool-not-found':
      return general('There is no such pool on this network.');
    case 'price-unavailable':
      return general('The price of SOL is not known right now, so the fees are not either. Try again later.');
    case 'rpc-failed':
      return general(
        error.context.status === undefined && error.context.rpcCode === undefined ? NODE_DOWN : NODE_ERROR,
      );
    case 'rpc-timeout':
      return general(TOO_SLOW);
    case 'rpc-rate-limited':
      return general(TOO_MANY);
    case 'transaction-not-signed':
      return general('The wallet gave back something that is not signed by it. Nothing was sent.');
    case 'transaction-mismatch':
      return general('A wallet changed the transaction, or did not sign it. Nothing was sent.');
    case 'transaction-too-large':
      return general('The transaction would be too large for Solana.');
  }
  return general(error.message);
}

/** A Unix time in the reader's time zone. */
const timeOf = (seconds: bigint): string => {
  const date = new Date(Number(seconds) * 1000);
  return Number.isNaN(date.getTime())
    ? 'a time far ahead'
    : date.toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
};
