// What a wallet can spend on a trade.
import type { MaximumSpend } from 'heaven-pools';

import { formatSol } from './format.js';
import { Problem } from './messages.js';
import type { Side } from './quote.js';

export interface Balances {
  /** Lamports. */
  readonly sol: bigint;
  /** Native units, in all of the wallet's accounts of the token. */
  readonly token: bigint;
  /** The most that each side can spend, and its other costs. */
  readonly most: Readonly<Record<Side, MaximumSpend>>;
}

/** What "Max" fills in. */
export const mostOf = (side: Side, { most }: Balances): bigint => most[side].amount;

/** The wallet holds less than the trade needs. */
export class NotEnough extends Problem {
  readonly asset: 'SOL' | 'token';

  constructor(asset: 'SOL' | 'token', message: string) {
    super('amount', message);
    this.asset = asset;
  }
}

/** What is missing for a trade, if anything. It names only the maximum that "Max" fills in. */
export function shortageOf(
  side: Side,
  amountIn: bigint,
  balances: Balances,
  formatted: (amount: bigint) => string,
): NotEnough | undefined {
  const { amount, missingLamports, breakdown } = balances.most[side];
  if (side === 'sell' && amountIn > balances.token)
    return new NotEnough(
      'token',
      `You have ${formatted(balances.token)}.${amount > 0n ? ' Type less, or press Max.' : ''}`,
    );
  if (side === 'sell' ? missingLamports === 0n : amount > 0n && amountIn <= amount + breakdown.kept)
    return undefined;
  return new NotEnough(
    'SOL',
    side === 'buy' && amount > 0n
      ? `You have ${formatSol(balances.sol)}, and fees and rent need some of it. You can spend up to ${formatSol(amount)}.`
      : `You have ${formatSol(balances.sol)}, which does not pay for fees and rent. Add SOL to your wallet.`,
  );
}
