import { generateKeyPairSigner } from '@solana/kit';
import { describe, expect, test } from 'vitest';

import { createHandler, createRemoteClient } from '../../src/http/index.js';
import {
  assertTransactionMatches,
  buildBuy,
  buildCreateStandardLiquidityPool,
  buildProBuy,
  buildSell,
  buildTrade,
  fetchPoolSnapshot,
  quoteBest,
  quoteBuy,
  quoteBuyExactOut,
  quoteInitialBuy,
  quoteMany,
  quoteProAddLiquidity,
  quoteProBuy,
  quoteProBuyExactOut,
  quoteProRemoveLiquidity,
  quoteProSell,
  quoteSell,
  quoteSellExactOut,
  reviewTransaction,
  toSwapState,
} from '../../src/index.js';
import { createFeeBrackets, createSlotFeeBrackets } from '../../src/testing/index.js';
import { U64_MAX } from '../support/amounts.js';
import { client, launchOf, ledger, locatorOf, openConfigTwo, termsOf, useLedger } from '../support/ledger.js';
import { fc } from '../support/properties.js';

useLedger();

interface Warned {
  readonly warnings?: readonly { readonly code: string; readonly message: string }[] | undefined;
  readonly details?: object | undefined;
}
/** What a result says under a code. */
const told = async (code: string, result: Warned | Promise<Warned>) => {
  const { warnings, details } = await result;
  return (warnings ?? (details as Warned | undefined)?.warnings ?? []).flatMap((one) =>
    one.code === code ? [one.message] : [],
  );
};
const highFee = (result: Warned | Promise<Warned>) => told('high-fee', result);

const proTerms = () => {
  const { configVersion, mint, pool } = ledger.pools.pro;
  return { configVersion, mint, pool, slippageBps: 50 };
};

describe('high fees', () => {
  // Of the sample's config: 50 % for the creator up to the fifth slot, 10 % up to the fifteenth, then 0.1 %; 1 % for the protocol.
  const FALLS =
    'They fall to 11 % at slot 411354053, in about 1 s, and to 1.1 % at slot 411354063, in about 3 s.';
  const remote = () => {
    const handler = createHandler({ client, mintSigner: () => generateKeyPairSigner() });
    const send = (url: string | URL | Request, init?: RequestInit) => handler(new Request(url, init));
    return createRemoteClient({ baseUrl: 'http://service', fetch: send });
  };

  test.each(['buy', 'sell'] as const)(
    'every quote, builder and review of a %s says when they fall',
    async (side) => {
      const { pool, creator: payer } = ledger.pools.community;
      ledger.updatePool(pool, () => ({ createdAtSlot: ledger.slot - 2n }));
      const isBuy = side === 'buy';
      const terms = termsOf('community');
      const amount = { lamports: 10n ** 9n, amountIn: 10n ** 15n };
      const quoteResponse = (await (isBuy
        ? quoteBuy(client, { ...terms, lamports: amount.lamports })
        : quoteSell(client, { ...terms, amountIn: amount.amountIn }))) as never;
      const build = { payer, quoteResponse, encodedUserDefinedEventData: '' };
      const name = isBuy ? 'buildBuy' : 'buildSell';
      const built = await (isBuy ? buildBuy : buildSell)(client, build);
      const asked = { ...terms, ...(isBuy ? { maxSolSpend: 1 } : { amountInUi: '1000000' }) } as never;
      const [many] = await quoteMany(client, [{ side, ...(asked as object) } as never]);
      const service = remote();
      const outcomes: readonly (Warned | Promise<Warned>)[] = [
        quoteResponse,
        (isBuy ? quoteBuyExactOut : quoteSellExactOut)(client, { ...terms, amountOut: 10n ** 6n }),
        (many as { readonly quote: Warned }).quote,
        quoteBest(client, { ...(asked as object), side, configVersion: undefined, pools: [] } as never).then(
          ({ quote }) => quote,
        ),
        built,
        buildTrade(client, { quote: quoteResponse, payer }),
        assertTransactionMatches(built.tx, { function: name, input: build } as never, { client }),
        isBuy ? service.quoteBuy(asked) : service.quoteSell(asked),
        isBuy ? service.buildBuy(build) : service.buildSell(build),
      ];
      const expected = `The fees of this ${side} are 51 % of its SOL. ${FALLS}`;
      for (const outcome of outcomes) expect(await highFee(outcome)).toEqual([expected]);
      expect((await reviewTransaction(client, built)).warnings).toContain(expected);
    },
  );

  test('a launch and its quote say what trades pay then', async () => {
    const { creator } = ledger.pools.creator;
    const launch = (change: object = {}) =>
      generateKeyPairSigner().then((mintSigner) =>
        buildCreateStandardLiquidityPool(client, { ...launchOf(creator), mintSigner, ...change }),
      );
    const quote = { configVersion: 1, initialPurchasePercent: 1 };
    const expected =
      'The purchase in a launch pays no fee, but the fees of a trade right after it are up to 51 % of its SOL. They fall to 11 % 6 slots after the launch, in about 2 s, and to 1.1 % 16 slots after the launch, in about 4 s.';
    for (const outcome of [
      launch(),
      quoteInitialBuy(client, quote),
      remote().quoteInitialBuy(quote),
      remote().buildCreateStandardLiquidityPool({ ...launchOf(creator), encodedUserDefinedEventData: '' }),
    ])
      expect(await highFee(outcome)).toEqual([expected]);
    openConfigTwo(ledger);
    const none = [
      launch({ feeWarningBps: 5_101 }),
      quoteInitialBuy(client, { ...quote, feeWarningBps: 5_101 }),
      quoteInitialBuy(client, { ...quote, configVersion: 2 }),
      launch({ configVersion: 2, lutAddress: ledger.lookupTables.creator }),
    ];
    for (const outcome of none) expect(await highFee(outcome)).toEqual([]);
  });

  test('from 5 % of the SOL on, or another limit', async () => {
    const { protocolConfig, creator: payer } = ledger.pools.creator;
    // 1 % for the creator, and half a percent for the protocol.
    const warned = async (change: object = {}) => {
      const quoteResponse = await quoteBuy(client, { ...termsOf(), maxSolSpend: 1, ...change });
      const [quoted, built] = await Promise.all([
        highFee(quoteResponse),
        highFee(buildBuy(client, { payer, quoteResponse, ...change })),
      ]);
      expect(built).toEqual(quoted);
      return quoted;
    };
    const only = (rate: string) => [`The fees of this buy are ${rate} % of its SOL.`];
    expect(await warned()).toEqual([]);
    expect(await warned({ feeWarningBps: 150 })).toEqual(only('1.5'));
    expect(await warned({ feeWarningBps: 150.01 })).toEqual([]);
    for (const [bps, expected] of [
      [449, []],
      [450, only('5')],
    ] as const) {
      ledger.updateConfig(protocolConfig, ({ marketCapBasedFees }) => ({
        marketCapBasedFees: { ...marketCapBasedFees, creatorTradingFee: createFeeBrackets([U64_MAX, bps]) },
      }));
      expect(await warned({ feeWarningBps: null })).toEqual(expected);
    }
  });

  test("of a pro pool's own schedule", async () => {
    const { pool, creator: payer } = ledger.pools.pro;
    ledger.updatePool(pool, ({ slotOffsetBasedFees }) => ({
      createdAtSlot: ledger.slot,
      slotOffsetBasedFees: {
        ...slotOffsetBasedFees,
        reflectionTradingFee: createSlotFeeBrackets([9, 1_000]),
      },
    }));
    const quoteResponse = await quoteProBuy(client, { ...proTerms(), maxSolSpend: 1 });
    for (const outcome of [quoteResponse, buildProBuy(client, { payer, pool, quoteResponse })])
      expect(await highFee(outcome)).toEqual([
        'The fees of this buy are 11.5 % of its SOL. They fall to 1.6 % at slot 411354059, in about 2 s.',
      ]);
  });

  test('names the slots at which a search finds lower ones, whatever the schedules', async () => {
    const { protocolConfig, pool } = ledger.pools.community;
    const brackets = fc.array(fc.tuple(fc.nat(40), fc.nat(4_500)), { maxLength: 4 });
    const schedule = fc.tuple(brackets, fc.nat(40)).map(([list, maxSlotOffset]) => ({
      ...createSlotFeeBrackets(...list.sort(([a], [b]) => a - b)),
      maxSlotOffset,
    }));
    await fc.assert(
      fc.asyncProperty(schedule, schedule, fc.bigInt(0n, 45n), async (creator, protocol, offset) => {
        ledger.updateConfig(protocolConfig, ({ slotOffsetBasedFees }) => ({
          slotOffsetBasedFees: {
            ...slotOffsetBasedFees,
            creatorTradingFee: creator,
            protocolTradingFee: protocol,
          },
        }));
        ledger.updatePool(pool, () => ({ createdAtSlot: ledger.slot - offset }));
        const snapshot = await fetchPoolSnapshot(client, locatorOf(termsOf('community')));
        const rateAt = (slot: bigint) => {
          const { buyFees } = toSwapState(snapshot, { slot });
          return Number(buyFees.creator + buyFees.protocol);
        };
        const now = rateAt(snapshot.slot);
        const later = Array.from({ length: 50 }, (_, index) => snapshot.slot + BigInt(index));
        const first = later.find((slot) => rateAt(slot) < now);
        const low = later.find((slot) => rateAt(slot) < 500);
        const slots = now < 500 ? [] : [...new Set([first, low])].filter((slot) => slot !== undefined);
        const quote = await quoteBuy(client, { ...termsOf('community'), maxSolSpend: 1, snapshot });
        const [message = ''] = await highFee(quote);
        const named = [...message.matchAll(/to ([\d.]+) % at slot (\d+)/g)];
        expect(named.map(([, rate, slot]) => [Number(rate) * 100, slot])).toEqual(
          slots.map((slot) => [expect.closeTo(rateAt(slot), 6), String(slot)]),
        );
        expect(message !== '').toBe(now >= 500);
      }),
      { numRuns: 100 },
    );
  });
});

test('every quote warns of a slippage of 10 % and more', async () => {
  const standard = termsOf('community');
  const pro = proTerms();
  const ways = [
    (slippageBps: number) => quoteBuy(client, { ...standard, maxSolSpend: 1, slippageBps }),
    (slippageBps: number) => quoteSell(client, { ...standard, amountInUi: 1000, slippageBps }),
    (slippageBps: number) => quoteBuyExactOut(client, { ...standard, amountOutUi: 1000, slippageBps }),
    (slippageBps: number) => quoteSellExactOut(client, { ...standard, amountOut: 1_000n, slippageBps }),
    (slippageBps: number) => quoteProBuy(client, { ...pro, maxSolSpend: 1, slippageBps }),
    (slippageBps: number) => quoteProSell(client, { ...pro, amountInUi: 1000, slippageBps }),
    (slippageBps: number) =>
      quoteProBuyExactOut(client, { ...pro, amountOut: 1_000n, slippageBps, slippageOn: 'output' }),
    (slippageBps: number) => quoteProAddLiquidity(client, { ...pro, maxTokenB: 1_000_000n, slippageBps }),
    (slippageBps: number) =>
      quoteProRemoveLiquidity(client, { ...pro, lpTokensToBurn: 1_000_000n, slippageBps }),
  ];
  for (const quote of ways) {
    expect(await told('minimum-too-low', quote(999))).toEqual([]);
    const [message, ...more] = await told('minimum-too-low', quote(1_250));
    expect(message).toMatch(/^A slippage of 12\.5 % allows \d.* instead of \d.*\. Choose less\.$/);
    expect(more).toEqual([]);
    expect(await told('minimum-too-low', quote(1_000))).toHaveLength(1);
  }
});
