import type { Address } from '@solana/kit';

import type { LiquidityPoolState } from '../../../program/accounts.js';
import { LiquidityPoolType } from '../../../program/types.js';

/** A swap that a wallet made in a pool. */
export interface SlotTrade {
  readonly pool: Address;
  readonly user: Address;
  readonly side: 'buy' | 'sell';
}

/** The swaps of the current slot. */
export interface SlotTrades {
  has(trade: SlotTrade): boolean;
  add(trades: readonly SlotTrade[]): void;
}

/**
 * Keeps the swaps of one slot: those of another slot are forgotten. Where the program keeps them is not published, so they
 * are kept beside the accounts rather than in one of them.
 */
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
 * Whether a swap is the second half of a buy and a sell in one slot, in a pool that does not allow them.
 *
 * Only pro pools are restricted: same-slot trading is one of the features that their creators choose. Standard pools hold 0
 * there too, but nobody chose it, and their quotes do not warn of it.
 */
export const isForbiddenRoundTrip = (
  { info, allowlist }: LiquidityPoolState,
  trade: SlotTrade,
  trades: SlotTrades,
): boolean =>
  info.type === LiquidityPoolType.Pro &&
  allowlist.sameSlotTrading === 0 &&
  trades.has({ ...trade, side: trade.side === 'buy' ? 'sell' : 'buy' });
