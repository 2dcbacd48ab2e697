import { computeBuy, computeSell, decodePoolSnapshot, swapStateOf } from 'heaven-pools';
import { createEmbeddedLedger } from 'heaven-pools/testing';
import { bench, describe } from 'vitest';
import { CLOCK_SYSVAR_ADDRESS, SOL_USD_FEED_ADDRESS } from '../src/program/constants.js';

const ledger = await createEmbeddedLedger();
const { pool, protocolConfig, mint } = ledger.pools.creator;
const data = (address: typeof pool) => ledger.getAccount(address)?.data ?? new Uint8Array();
const accounts = {
  pool: data(pool),
  protocolConfig: data(protocolConfig),
  mint: data(mint),
  priceFeed: data(SOL_USD_FEED_ADDRESS),
  clock: data(CLOCK_SYSVAR_ADDRESS),
};
const snapshot = decodePoolSnapshot(accounts);
const state = swapStateOf(snapshot);

/** Keeps the floor's result, so that its work is not optimised away. */
const kept: object[] = [];

describe('one quote', () => {
  let amount = 1_000_000_000n;
  bench('computeBuy', () => {
    computeBuy(state, ++amount);
  });
  bench('computeSell', () => {
    computeSell(state, ++amount);
  });
  // The same buy in plain bigint: two fees, the curve, the reserves after, the price impact.
  bench('floor: plain bigint', () => {
    const amountIn = ++amount;
    const protocol = (amountIn * 50n) / 10_000n;
    const creator = (amountIn * 100n) / 10_000n;
    const net = amountIn - protocol - creator;
    const out = (state.reserveA * net) / (state.reserveB + net);
    const impact =
      Number(((net * state.reserveA - out * state.reserveB) * 1_000_000n) / (net * state.reserveA)) / 100;
    kept[0] = { protocol, creator, out, a: state.reserveA - out, b: state.reserveB + net, impact };
  });
});

describe('from raw accounts', () => {
  bench('decodePoolSnapshot + swapStateOf', () => {
    swapStateOf(decodePoolSnapshot(accounts));
  });
});
