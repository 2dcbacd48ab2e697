import { isHeavenError } from 'heaven-pools';
import { useState } from 'react';

import { explainError, readAmount, SOL, shareOf, toDollars, toField, toLamports, USD } from '../format';
import { useIsSlow } from '../network/network';
import { useBalances, useFoundPools, useSnapshot } from '../queries';
import { useSetting } from '../setting';
import { type Given, type Side, useQuote } from './quote';
import { useSlippage } from './settings';
import { shortageOf } from './words';

const NOTHING: { given: Given; text: string; mint?: string | undefined } = { given: 'pay', text: '' };

/** Everything about the trade in the card: what was typed, its quote, and what the wallet lacks for it. */
export function useTrade() {
  const found = useFoundPools();
  const pools = found.data ?? [];
  const [pool] = pools;
  const polled = useSnapshot(pool);
  const snapshot = polled.data;
  const { data: balances } = useBalances(pool?.mint);
  const [side, setSide] = useSetting<Side>('side', 'buy', { buy: 1, sell: 1 });
  const [typed, setTyped] = useState(NOTHING);
  const [wantsDollars, setWantsDollars] = useState(false);
  const slippage = useSlippage();

  const token = { decimals: snapshot?.token.decimals ?? 0, symbol: pool?.symbol ?? 'tokens' };
  const units = side === 'buy' ? { pay: SOL, receive: token } : { pay: token, receive: SOL };
  const { given } = typed;
  // An amount of another token means nothing for this one.
  const isOfOther = units[given] !== SOL && typed.mint !== pool?.mint;
  const text = isOfOther ? '' : typed.text;
  const typedIn = wantsDollars && units[given] === SOL ? USD : units[given];
  const read = readAmount(snapshot === undefined ? '' : text, typedIn.decimals);
  const typedAmount = read.amount || undefined;
  const amount = snapshot && typedAmount && typedIn === USD ? toLamports(typedAmount, snapshot) : typedAmount;

  const { bps } = slippage;
  const ask = amount && bps !== undefined ? { side, given, amount, slippageBps: bps } : undefined;
  const quoted = useQuote(pools, ask);
  const trade = ask && quoted.data;
  // While another amount is quoted, the read of the pool tells.
  const isSlowQuote = useIsSlow(quoted.isFetching && !quoted.isPlaceholderData);
  const isSlow = useIsSlow(found.isFetching || polled.isFetching) || isSlowQuote;
  const amounts = {
    pay: trade?.quote.details.amountIn,
    receive: trade?.quote.details.amountOut,
    ...(amount !== undefined && { [given]: amount }),
  };

  const type = (of: Given, what: string) => setTyped({ given: of, text: what, mint: pool?.mint });
  return {
    ...{ found, pools, pool, read: polled, snapshot, balances, slippage, side, units, given, text },
    /** What the typed amount is in: dollars, or the unit of its side. */
    typedIn,
    typedAmount,
    /** Switches between SOL and dollars. The amount stays. */
    switchUnit: () => {
      setWantsDollars(typedIn !== USD);
      if (amount === undefined || snapshot === undefined) return;
      const isSol = typedIn === USD;
      type(given, toField(isSol ? amount : toDollars(amount, snapshot), isSol ? SOL.decimals : USD.decimals));
    },
    /** Why what was typed is not an amount, or why it can't be quoted. */
    problem: read.problem ?? (quoted.error ? explainError(reasonOf(quoted.error)).message : undefined),
    /** The node has not answered for seconds: what is shown may be old. */
    isSlow,
    ...{ amounts, quoted, trade },
    shortage: balances && amounts.pay ? shortageOf(side, amounts.pay, balances) : undefined,
    type,
    clear: () => setTyped(NOTHING),
    setSide: (chosen: Side) => {
      setSide(chosen);
      setTyped(NOTHING);
    },
    /** Switches the sides. What was typed stays with its token. */
    flip: () => {
      setSide(side === 'buy' ? 'sell' : 'buy');
      if (text !== '') type(given === 'pay' ? 'receive' : 'pay', text);
    },
    /** What a sale of all tokens returns: the rent of their account, which it closes. */
    returnedRent:
      balances && side === 'sell' && amounts.pay === balances.tokenUnits
        ? balances.sell.breakdown.returnedRent
        : 0n,
    /** Fills in a part of the most that the wallet can trade. */
    fill: (percent: bigint) => {
      if (balances === undefined) return;
      setWantsDollars(false);
      type('pay', toField(shareOf(balances[side].amount, percent), units.pay.decimals));
    },
  };
}

export type Trade = ReturnType<typeof useTrade>;

/** Of several pools' errors, the first. */
const reasonOf = (error: Error) => (isHeavenError(error, 'no-pool-trades') ? error.cause : error);
