import type { RpcTransport } from '@solana/kit';
import { type EmbeddedLedger, SLOT_MS } from 'heaven-pools/testing';

import { GENESIS } from '../testing/samples.js';

/** 10 seconds, so that quotes never report a stale price. */
const PRICE_SLOTS = BigInt(10_000 / SLOT_MS);

/**
 * A ledger's transport whose slots follow the time. It catches up before each request, so it needs no timer.
 *
 * @param now A clock in milliseconds.
 */
export function overTime(ledger: EmbeddedLedger, now: () => number = () => performance.now()): RpcTransport {
  const start = { slot: ledger.slot, time: now() };
  let pricedAt = ledger.slot;
  const catchUp = () => {
    const slot = start.slot + BigInt(Math.floor((now() - start.time) / SLOT_MS));
    if (slot <= ledger.slot) return;
    ledger.setSlot(slot);
    if (slot - pricedAt < PRICE_SLOTS) return;
    ledger.setSolPrice(GENESIS.solPrice);
    pricedAt = slot;
  };
  return (config) => {
    catchUp();
    return ledger.transport(config);
  };
}
