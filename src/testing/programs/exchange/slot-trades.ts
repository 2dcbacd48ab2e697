import type { Address } from '@solana/kit';

import type { LiquidityPoolState } from '../../../program/accounts.js';
import { LiquidityPoolType } from '../../../program/types.js';

export interface SlotTrade {
  readonly pool: Address;
  readonly user: Address;
  readonly side: 'buy' | 'sell';
}

/** The swaps of the current slot. It is not published where the program stores them; the model stores them outside the accounts. */
export class SlotTrades {
  #slot = -1n;
  readonly #made = new Set<string>();

  has(slot: bigint, trade: SlotTrade): boolean {
    return slot === this.#slot && this.#made.has(keyOf(trade));
  }

  add(slot: bigint, trades: readonly SlotTrade[]): void {
    if (slot !== this.#slot) this.#made.clear();
    this.#slot = slot;
    for (const trade of trades) this.#made.add(keyOf(trade));
  }
}

const keyOf = ({ pool, user, side }: SlotTrade) => `${side} ${pool} ${user}`;

/**
 * Whether a swap completes a buy and a sell in one slot, in a pool that doesn't allow them. Only creators of pro pools can
 * choose that: standard pools also hold 0 there, but are not restricted.
 */
export const isForbiddenRoundTrip = (
  { info, allowlist }: LiquidityPoolState,
  trade: SlotTrade,
  trades: SlotTrades,
  slot: bigint,
): boolean =>
  info.type === LiquidityPoolType.Pro &&
  allowlist.sameSlotTrading === 0 &&
  trades.has(slot, { ...trade, side: trade.side === 'buy' ? 'sell' : 'buy' });
