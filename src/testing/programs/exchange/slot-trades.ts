import type { Address } from '@solana/kit';

import type { LiquidityPoolState } from '../../../program/accounts.js';
import { LiquidityPoolType } from '../../../program/types.js';

export interface SlotTrade {
  readonly pool: Address;
  readonly user: Address;
  readonly side: 'buy' | 'sell';
}

export interface SlotTrades {
  has(trade: SlotTrade): boolean;
  add(trades: readonly SlotTrade[]): void;
}

/** The swaps of the current slot. It is not published where the program stores them; the model stores them outside the accounts. */
export function slotTrades(slot: () => bigint): SlotTrades {
  const made = new Set<string>();
  let of: bigint | undefined;
  const current = () => {
    if (of !== slot()) made.clear();
    of = slot();
    return made;
  };
  const keyOf = ({ pool, user, side }: SlotTrade) => `${side} ${pool} ${user}`;
  return {
    has: (trade) => current().has(keyOf(trade)),
    add: (trades) => {
      for (const trade of trades) current().add(keyOf(trade));
    },
  };
}

/**
 * Whether a swap completes a buy and a sell in one slot, in a pool that doesn't allow them. Only creators of pro pools can
 * choose that: standard pools also hold 0 there, but are not restricted.
 */
export const isForbiddenRoundTrip = (
  { info, allowlist }: LiquidityPoolState,
  trade: SlotTrade,
  trades: SlotTrades,
): boolean =>
  info.type === LiquidityPoolType.Pro &&
  allowlist.sameSlotTrading === 0 &&
  trades.has({ ...trade, side: trade.side === 'buy' ? 'sell' : 'buy' });
