import { assertTradable, isHeavenError } from 'heaven-pools';

import { explainError, formatAmount, formatSpan } from '../format';
import type { Wallet } from '../wallet/wallet';
import type { Trade } from './use-trade';

/** What the card's button can do. */
interface Acts {
  chooseToken: () => void;
  openSettings: () => void;
  connect: () => void;
  focus: () => void;
  useMost: () => void;
  review: () => void;
}

/** The text of the card's button, what it does, and why if that is not plain. Without `act`, there is nothing to do but wait. */
export interface NextStep {
  label: string;
  act?: () => void;
  reason?: string | undefined;
}

export function nextStep(trade: Trade, wallet: Wallet | undefined, acts: Acts): NextStep {
  const { found, pool, read, snapshot, slippage, side, problem, quoted, shortage, units } = trade;
  if (pool === undefined) {
    const reason = found.error ? explainError(found.error).message : undefined;
    return found.isLoading
      ? { label: 'Reading the pool…' }
      : { label: 'Choose a token', act: acts.chooseToken, reason };
  }
  const outage = read.error ? explainError(read.error).message : undefined;
  if (snapshot === undefined)
    return outage === undefined
      ? { label: 'Reading the pool…' }
      : { label: 'Try again', act: () => void read.refetch(), reason: outage };
  try {
    assertTradable(snapshot);
  } catch (error) {
    const wait = Number(snapshot.opensAt - snapshot.unixTimestamp);
    const isEarly = isHeavenError(error, 'pool-not-open');
    return {
      label: isEarly ? `Opens in ${formatSpan(wait)}` : 'Trading is off',
      reason: explainError(error).message,
    };
  }
  if (wallet === undefined) return { label: 'Connect wallet', act: acts.connect };
  if (slippage.bps === undefined) return { label: 'Correct the slippage', act: acts.openSettings };
  if (problem !== undefined) return { label: 'Change the amount', act: acts.focus, reason: problem };
  if (trade.amounts[trade.given] === undefined) return { label: 'Enter an amount', act: acts.focus };
  if (shortage !== undefined) {
    const name = shortage.asset === 'SOL' ? 'SOL' : pool.symbol;
    const most = formatAmount(shortage.most, units.pay.decimals);
    return shortage.most > 0n
      ? {
          label: `Not enough ${name}: use ${most}`,
          act: acts.useMost,
          reason: 'Fees and rent need some SOL, too.',
        }
      : { label: `Not enough ${name}`, act: acts.focus };
  }
  if (trade.trade === undefined || quoted.isPlaceholderData) return { label: `Review ${side}` };
  return {
    label: `Review ${side}`,
    act: acts.review,
    reason: outage && `${outage} This quote is of slot ${snapshot.slot}.`,
  };
}
