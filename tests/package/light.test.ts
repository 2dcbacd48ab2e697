import { beforeAll, describe, expect, test } from 'vitest';

import {
  computeBuy,
  computeMarketCap,
  computeSell,
  decodePoolSnapshot,
  type PoolSnapshot,
  toSwapState,
} from '../../src/index.js';
import { encodeClock } from '../../src/testing/encode.js';
import { lightAccounts } from '../mainnet/accounts.js';
import { BEFORE_LAST_BUY, LAST_BUY, LIGHT } from '../mainnet/facts.js';

// The LIGHT/SOL pool as it stood on mainnet. All figures below were worked out from the formulas of the protocol in
// another language (Python integers), with A = 103927583151068173 token units and B = 1558777720473 lamports in the
// pool, and fees of 50 (protocol, from $100k on) and 100 (creator) basis points, each rounded down by itself:
//   buy:  net = in - in*50/10000 - in*100/10000, out = A*net / (B + net)
//   sell: gross = B*in / (A + in), out = gross - gross*50/10000 - gross*100/10000

describe('the captured LIGHT/SOL pool', () => {
  let snapshot: PoolSnapshot;

  beforeAll(async () => {
    const clock = encodeClock({ slot: 411_354_049n, epoch: 952n, unixTimestamp: 1_775_456_070n });
    snapshot = decodePoolSnapshot({ ...lightAccounts(), clock });
  });

  test('has the reserves, supply and price that the chain has', () => {
    expect(snapshot).toMatchObject({
      kind: 'standard',
      configVersion: 2,
      ...LIGHT,
      virtualReserveB: 162_000_000_000n,
      feeSource: 'global',
      isSwapEnabled: true,
      isSandwichResistant: true,
      createdAtSlot: 359_414_896n,
      opensAt: 1_754_944_645n,
      token: { decimals: 9, supply: 925_699_119_637_156_028n, transferFee: undefined },
      solPrice: { answer: 8_201_759_900n, decimals: 8, updatedAt: 1_775_456_068n },
    });
  });

  test('has a market cap of $1,138,754.914347', () => {
    // B * supply / A = 13884275182791 lamports, at 82.017599 USD per SOL.
    expect(computeMarketCap(snapshot)).toBe(1_138_754_914_347n);
  });

  test.each([
    // in, protocol fee, creator fee, out
    [1n, 0n, 0n, 66_672n],
    [100n, 0n, 1n, 6_600_575n],
    [200n, 1n, 2n, 13_134_479n],
    [1_000_000_000n, 5_000_000n, 10_000_000n, 65_630_924_537_521n],
    [1_000_000_000_000n, 5_000_000_000n, 10_000_000_000n, 40_242_773_014_289_675n],
    [100_000_000_000_000n, 500_000_000_000n, 1_000_000_000_000n, 102_308_534_779_209_604n],
  ])('a buy of %s lamports', (amountIn, protocol, creator, amountOut) => {
    const buy = computeBuy(toSwapState(snapshot), amountIn);
    const fees = { protocol, liquidityProvider: 0n, creator, creatorProtocol: 0n, reflection: 0n };
    expect(buy).toMatchObject({ amountIn, amountOut, fees, totalFee: protocol + creator });
    expect(buy.reserveAAfter).toBe(LIGHT.reserveA - amountOut);
    expect(buy.reserveBAfter).toBe(LIGHT.reserveB + amountIn - protocol - creator);
  });

  test.each([
    // in, gross, protocol fee, creator fee
    [66_672n, 0n, 0n, 0n],
    [66_673n, 1n, 0n, 0n],
    [1_000_000_000_000n, 14_998_546n, 74_992n, 149_985n],
    [100_000_000_000_000_000n, 764_378_068_129n, 3_821_890_340n, 7_643_780_681n],
    // every LIGHT that is not in the pool
    [821_771_536_486_087_855n, 1_383_774_852_130n, 6_918_874_260n, 13_837_748_521n],
  ])('a sell of %s units', (amountIn, gross, protocol, creator) => {
    const sell = computeSell(toSwapState(snapshot), amountIn);
    const amountOut = gross - protocol - creator;
    expect(sell).toMatchObject({ amountIn, amountOut, fees: { protocol, creator } });
    expect(sell.reserveAAfter).toBe(LIGHT.reserveA + amountIn);
    expect(sell.reserveBAfter).toBe(LIGHT.reserveB - gross);
  });

  test('the real buy between the two states spent the only amount that explains it', () => {
    // The reserves noted at slot 411351016 became today's by one buy.
    const before = { ...toSwapState(snapshot), ...BEFORE_LAST_BUY };
    const { lamports, fee, net, tokens } = LAST_BUY;
    expect(lamports - fee).toBe(net);
    expect(computeBuy(before, lamports)).toMatchObject({
      amountOut: tokens,
      totalFee: fee,
      reserveAAfter: LIGHT.reserveA,
      reserveBAfter: LIGHT.reserveB,
    });
    for (const more of [-2n, -1n, 1n, 2n])
      expect(computeBuy(before, lamports + more).reserveBAfter).not.toBe(LIGHT.reserveB);
  });

  test.each([411_351_016n, 411_351_019n])(
    'at slot %s, in the window of the last trade, the worse price counts',
    (slot) => {
      // The window has four aligned slots: from slot 411351016 the reserves noted there bind until 411351019.
      const state = toSwapState(snapshot, { slot });
      // 66,920 units per lamport then, 66,672 now: a buy gets today's price, a sell that of the window.
      expect(computeBuy(state, 1_000_000_000n).amountOut).toBe(65_630_924_537_521n);
      // 1555847880289 * 1e12 / (104123290721968640 + 1e12) = 14942218, fees 74711 + 149422
      expect(computeSell(state, 1_000_000_000_000n).amountOut).toBe(14_942_218n - 74_711n - 149_422n);
    },
  );

  test.each([411_351_015n, 411_351_020n])('at slot %s the window does not matter', (slot) => {
    expect(toSwapState(snapshot, { slot }).windowReserves).toBeUndefined();
  });
});
