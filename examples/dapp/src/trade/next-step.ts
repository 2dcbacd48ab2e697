import { assertTradable, isHeavenError } from 'heaven-pools';

import { explainError, formatAmount, formatSol } from '../format';
import type { Trade } from './use-trade';

/** The text of the card's button, what it does, and why if that is not plain. Without `act`, there is nothing to do but wait. */
export interface NextStep {
  label: string;
  act?: 'choose token' | 'read again' | 'connect' | 'open settings' | 'correct' | 'use most' | 'review';
  reason?: string | null | undefined;
}

export function nextStep(trade: Trade, isConnected: boolean): NextStep {
  const { found, pool, read, snapshot, problem, shortage, units, isSlow } = trade;
  const [unfound, failed] = [found.error, read.error].map((error) => error && explainError(error).message);
  const outage = failed ?? (isSlow ? 'The node hasn’t answered for 3 seconds.' : undefined);
  if (found.isLoading) return { label: 'Reading the pool…', reason: outage };
  if (pool === undefined) return { label: 'Choose a token', act: 'choose token', reason: unfound };
  if (snapshot === undefined)
    return failed
      ? { label: 'Try again', act: 'read again', reason: failed }
      : { label: 'Reading the pool…', reason: outage };
  try {
    assertTradable(snapshot);
  } catch (error) {
    const label = isHeavenError(error, 'pool-not-open') ? 'Not open yet' : 'Trading is off';
    return { label, reason: explainError(error).message };
  }
  if (!isConnected) return { label: 'Connect wallet', act: 'connect' };
  if (trade.slippage.bps === undefined) return { label: 'Set the slippage', act: 'open settings' };
  if (problem !== undefined) return { label: 'Change the amount', act: 'correct', reason: problem };
  if (trade.amounts[trade.given] === undefined) return { label: 'Enter an amount', act: 'correct' };
  if (shortage !== undefined) {
    const lack = `Not enough ${shortage.asset === 'SOL' ? 'SOL' : pool.symbol}`;
    const reason = shortage.asset === 'SOL' ? 'Fees and rent need some SOL, too.' : undefined;
    if (shortage.most === 0n) return { label: lack, act: 'correct', reason };
    return {
      label: `${lack}: use ${formatAmount(shortage.most, units.pay.decimals)}`,
      act: 'use most',
      reason,
    };
  }
  const label = `Review ${trade.side}`;
  if (outage) return { label, reason: `${outage} This quote may be old.` };
  if (trade.trade === undefined || trade.quoted.isPlaceholderData) return { label };
  const rent = formatSol(trade.returnedRent);
  const reason =
    trade.returnedRent > 0n ? `Also closes the token account: ${rent} of rent comes back.` : undefined;
  return { label, act: 'review', reason };
}
