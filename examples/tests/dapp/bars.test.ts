import { generateKeyPairSigner } from '@solana/kit';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  buildCreateStandardLiquidityPool,
  createHeavenClient,
  type FetchedPoolSnapshot,
  fetchPoolSnapshot,
  listTrades,
  signAndSubmitTransaction,
  type Trade,
  toPosition,
  toSpotPrice,
} from '../../../src/index.js';
import { createEmbeddedLedger, createPracticeWallet, runSampleTrades } from '../../../src/testing/index.js';
import { locatorOf } from '../../../tests/support/ledger.js';
import { priceAfter, priceBefore, priceChange, toBars, withLaunch } from '../../dapp/src/market/bars.js';
import { createPast } from '../../dapp/src/network/other-traders.js';
import { PAST_VOLUME_USD } from '../../dapp/src/network/practice.js';

// Header, chart and list show one price: that of the pool after the last trade.

describe('the bars of the chart', () => {
  let trades: readonly Trade[];
  let snapshot: FetchedPoolSnapshot;
  beforeAll(async () => {
    const ledger = await createEmbeddedLedger();
    const pool = ledger.pools.community;
    const client = createHeavenClient({ rpc: ledger.rpc });
    await runSampleTrades(ledger, { pool, count: 20, seconds: 7_200 });
    snapshot = await fetchPoolSnapshot(client, locatorOf(pool));
    ({ trades } = await listTrades(client, { pool: pool.pool, limit: 20 }));
  });

  test('end at the price of the header, which is that of the last trade', () => {
    const { solPerToken } = toSpotPrice(snapshot);
    expect(priceAfter(trades[0] as Trade)).toBeCloseTo(solPerToken, 15);
    for (const seconds of [60, 300, 900, 3_600])
      expect(toBars(trades, seconds, snapshot).at(-1)?.close).toBe(solPerToken);
  });

  test('open where the one before closed, at even times, and are flat where nothing was traded', () => {
    const bars = toBars(trades, 300, snapshot);
    const [, ...later] = bars;
    expect(bars.some(({ volume }) => volume === 0)).toBe(true);
    for (const [index, { time, open, high, low, close, volume }] of later.entries()) {
      expect([time, open]).toEqual([(bars[index]?.time ?? 0) + 300, bars[index]?.close]);
      expect([high, low]).toEqual([Math.max(high, open, close), Math.min(low, open, close)]);
      if (volume === 0) expect([high, low, open]).toEqual([close, close, close]);
    }
    expect(bars.reduce((sum, { volume }) => sum + volume, 0)).toBeCloseTo(
      toBars(trades, 3_600, snapshot).reduce((sum, { volume }) => sum + volume, 0),
    );
  });

  test('rise with a buy and fall with a sell', () => {
    for (const [index, trade] of trades.slice(0, -1).entries()) {
      const change = (priceAfter(trade) ?? 0) - (priceAfter(trades[index + 1] as Trade) ?? 0);
      expect(Math.sign(change)).toBe(trade.side === 'buy' ? 1 : -1);
    }
  });

  test('begin at the price before the first trade', () => {
    for (const [index, trade] of trades.slice(0, -1).entries()) {
      const before = priceAfter(trades[index + 1] as Trade) ?? 0;
      expect((priceBefore(trade) ?? 0) / before).toBeCloseTo(1, 6);
    }
    const first = trades.at(-1) as Trade;
    expect(toBars(trades, 60, snapshot)[0]).toMatchObject({
      open: priceBefore(first),
      close: priceAfter(first),
    });
    const { percent } = priceChange([first], snapshot) as { percent: number };
    expect(percent).toBeCloseTo((toSpotPrice(snapshot).solPerToken / (priceBefore(first) ?? 0) - 1) * 100, 9);
  });

  test('are marked where the reader traded', () => {
    const [{ user } = { user: '' }] = trades;
    const marked = toBars(trades, 900, snapshot, user).filter(({ own }) => own.length > 0);
    const own = trades.filter((trade) => trade.user === user);
    expect(new Set(marked.flatMap((bar) => bar.own))).toEqual(new Set(own.map(({ side }) => side)));
    expect(marked.at(-1)?.time).toBe(Number(trades[0]?.blockTime) - (Number(trades[0]?.blockTime) % 900));
    expect(toBars(trades, 900, snapshot).flatMap((bar) => bar.own)).toEqual([]);
  });

  test('are none without a trade, and neither is the change', () => {
    expect([toBars([], 300, snapshot), priceChange([], snapshot)]).toEqual([[], undefined]);
    expect(priceChange(trades, snapshot)?.hours).toBe(2);
  });

  test('begin with the purchase in a launch, which logs no event', async () => {
    const ledger = await createEmbeddedLedger();
    const { address, signTransaction } = await createPracticeWallet();
    ledger.setBalance(address, 10_000_000_000n);
    const client = createHeavenClient({ rpc: ledger.rpc });
    const launch = { payer: address, creator: address, configVersion: 1, uri: 'https://example.com/a.json' };
    const tokens = 78_947_368_421_052_631n;
    const token = { name: 'A token', symbol: 'TOKEN', initialPurchaseAmount: tokens };
    const mintSigner = await generateKeyPairSigner();
    const how = { mintSigner, signingOrder: 'wallet-first', transactionVersion: 1 } as const;
    const built = await buildCreateStandardLiquidityPool(client, { ...launch, ...token, ...how });
    const outcome = await signAndSubmitTransaction(client, built, { sign: signTransaction });
    expect(outcome.status).toBe('landed');
    const at = await fetchPoolSnapshot(client, { mint: built.mint, configVersion: 1 });
    const { trades: listed } = await listTrades(client, { mint: built.mint });
    // As recorded on mainnet: 3 SOL buy these tokens, beside 35 virtual SOL.
    const initial = { tokens: 10n ** 18n, lamports: 35_000_000_000n };
    const [first, ...others] = withLaunch(listed, { initial }) as [Trade];
    expect([others, first.user, first.amountIn]).toEqual([[], address, 3_000_000_000n]);
    expect(priceBefore(first)).toBeCloseTo(35e-9, 14);
    expect(priceAfter(first)).toBeCloseTo(toSpotPrice(at).solPerToken, 15);
    expect(toBars([first], 60, at)).toMatchObject([{ open: priceBefore(first), volume: 3 }]);
    expect(toPosition([first], address)).toMatchObject({ held: tokens, cost: 3_000_000_000n });
  });

  test('of practice mode’s past add up to the volume of its pool', async () => {
    const past = await createPast(28_800);
    const usd = past.map(
      ({ event }) => Number(event?.quoteIn || event?.quoteOut) * (event?.priceSolUsd ?? 0),
    );
    expect(usd.reduce((sum, one) => sum + one, 0) / 1e9).toBeCloseTo(PAST_VOLUME_USD, 2);
  });
});
