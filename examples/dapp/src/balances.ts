// What a wallet can spend on a trade, in words.
import { findShortage, type WalletSpend } from 'heaven-pools';

import { formatSol } from './format.js';
import { Problem } from './messages.js';
import type { Side } from './quote.js';

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
  balances: WalletSpend,
  formatted: (amount: bigint) => string,
): NotEnough | undefined {
  const asset = findShortage(balances, side, amountIn);
  const { amount } = balances[side];
  if (asset === undefined) return undefined;
  if (asset === 'token')
    return new NotEnough(
      asset,
      `You have ${formatted(balances.tokenUnits)}.${amount > 0n ? ' Type less, or press Max.' : ''}`,
    );
  return new NotEnough(
    asset,
    side === 'buy' && amount > 0n
      ? `You have ${formatSol(balances.lamports)}, and fees and rent need some of it. You can spend up to ${formatSol(amount)}.`
      : `You have ${formatSol(balances.lamports)}, which does not pay for fees and rent. Add SOL to your wallet.`,
  );
}
