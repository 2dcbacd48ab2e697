import { assertTradable, isHeavenError } from 'heaven-pools';

import { explainError, formatAmount } from '../format';
import type { Trade } from './use-trade';

/** The text of the card's button, what it does, and why if that is not plain. Without `act`, there is nothing to do but wait. */
export interface NextStep {
  label: string;
  act?: 'choose token' | 'read again' | 'connect' | 'open settings' | 'correct' | 'use most' | 'review';
  reason?: string | null | undefined;
}

export function nextStep(trade: Trade, isConnected: boolean): NextStep {
  const { found, pool, read, snapshot, problem, shortage, units } = trade;
  const [unfound, outage] = [found.error, read.error].map((error) => error && explainError(error).message);
  if (found.isLoading) return { label: 'Reading the pool…' };
  if (pool === undefined) return { label: 'Choose a token', act: 'choose token', reason: unfound };
  if (snapshot === undefined)
    return outage
      ? { label: 'Try again', act: 'read again', reason: outage }
      : { label: 'Reading the pool…' };
  try {
    assertTradable(snapshot);
  } catch (error) {
    const label = isHeavenError(error, 'pool-not-open') ? 'Not open yet' : 'Trading is off';
    return { label, reason: explainError(error).message };
  }
  if (!isConnected) return { label: 'Connect wallet', act: 'connect' };
  if (trade.slippage.bps === undefined) return { label: 'Slippage is not valid', act: 'open settings' };
  if (problem !== undefined) return { label: 'Change the amount', act: 'correct', reason: problem };
  if (trade.amounts[trade.given] === undefined) return { label: 'Enter an amount', act: 'correct' };
  if (shortage !== undefined) {
    const lack = `Not enough ${shortage.asset === 'SOL' ? 'SOL' : pool.symbol}`;
    if (shortage.most === 0n) return { label: lack, act: 'correct' };
    const most = formatAmount(shortage.most, units.pay.decimals);
    return { label: `${lack}: use ${most}`, act: 'use most', reason: 'Fees and rent need some SOL, too.' };
  }
  const label = `Review ${trade.side}`;
  if (trade.trade === undefined || trade.quoted.isPlaceholderData) return { label };
  return { label, act: 'review', reason: outage && `${outage} This quote is of slot ${snapshot.slot}.` };
}
