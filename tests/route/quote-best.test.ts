import type { Address } from '@solana/kit';
import { describe, expect, test } from 'vitest';
import {
  findPools,
  type HeavenClient,
  type HeavenError,
  quoteBest,
  quoteBuy,
  quoteBuyExactOut,
  quoteProBuy,
  quoteProBuyExactOut,
  quoteProSell,
  quoteProSellExactOut,
  quoteSell,
  quoteSellExactOut,
} from '../../src/index.js';
import {
  createFeeBrackets,
  createSamplePoolFields,
  type SamplePool,
  type SamplePoolFields,
} from '../../src/testing/index.js';
import { createSampleConfig } from '../../src/testing/samples.js';
import { LIGHT } from '../mainnet/facts.js';
import { addressNamed } from '../support/addresses.js';
import { CATCH_ALL, U64_MAX } from '../support/amounts.js';
import { caseOf, expectRefusal, refusalOf } from '../support/errors.js';
import { client, ledger, lying, useLedger } from '../support/ledger.js';
import { fc } from '../support/properties.js';

useLedger();

const slippageBps = 50;
const methods = () => ledger.requests.map(({ method }) => method);

/** One more pro pool of the creator sample's token, made by somebody of that name. Its fees are the config's: 0.3 %. */
async function addPro(
  name: string,
  reserve: SamplePoolFields['reserve'],
  changes: Partial<SamplePoolFields> = {},
): Promise<SamplePool> {
  const { creator } = await createSamplePoolFields();
  const { mint, tokenProgram, token } = creator;
  const about = { kind: 'pro', configVersion: 3, mint, tokenProgram, token, state: {} } as const;
  return await ledger.addPool({ ...about, creator: addressNamed(name), reserve, ...changes });
}

/** Pools like the standard one, with another multiple of its reserves. */
const STANDARD = { tokenA: LIGHT.reserveA, tokenB: LIGHT.reserveB };
const CHEAP = { tokenA: 10n ** 16n, tokenB: 99_003_000_000n };
const scaled = (percent: bigint) => ({
  tokenA: (STANDARD.tokenA * percent) / 100n,
  tokenB: (STANDARD.tokenB * percent) / 100n,
});

/** A client over the ledger that answers a search for pools with other ones. */
const finding = (change: (found: readonly { readonly pubkey: string }[]) => unknown): HeavenClient =>
  lying('getProgramAccounts', change as never);

/** What is switched off, or paired with another token, as a pool of the ledger. */
const switchOff = (pool: Address) =>
  ledger.updatePool(pool, ({ allowlist }) => ({ allowlist: { ...allowlist, swap: 0 } }));
const pairWith = (pool: Address, name: string) =>
  ledger.updatePool(pool, ({ tokenB }) => ({ tokenB: { ...tokenB, mint: addressNamed(name) } }));
const known = (pools: readonly SamplePool[]) =>
  pools.map(({ pool: address }) => ({ address, configVersion: 3 }));

const buy = (mint: Address, more: object = {}, on: HeavenClient = client) =>
  quoteBest(on, { mint, side: 'buy', maxSolSpend: '1', slippageBps, ...more });
const sell = (mint: Address, more: object = {}, on: HeavenClient = client) =>
  quoteBest(on, { mint, side: 'sell', amountInUi: '1000', slippageBps, ...more });

const FUNCTIONS = {
  standard: { buy: [quoteBuy, quoteBuyExactOut], sell: [quoteSell, quoteSellExactOut] },
  pro: { buy: [quoteProBuy, quoteProBuyExactOut], sell: [quoteProSell, quoteProSellExactOut] },
} as const;
interface Trade {
  readonly side: 'buy' | 'sell';
  readonly lamports?: bigint;
  readonly amountIn?: bigint;
  readonly amountOut?: bigint;
}

/** The trade in one pool, by the pool's own function. */
async function alone({ kind, configVersion, mint, pool }: SamplePool, { side, ...amount }: Trade) {
  const [exactIn, exactOut] = FUNCTIONS[kind][side];
  const quoteIn = amount.amountOut === undefined ? exactIn : exactOut;
  const terms = { mint, configVersion, slippageBps, ...amount, ...(kind === 'pro' ? { pool } : {}) };
  try {
    return { pool, quote: await quoteIn(client, terms as never) };
  } catch (error) {
    return { pool, code: (error as HeavenError).code };
  }
}

describe('the best pool', () => {
  test('is the first of the pools quoted one by one, whatever they hold, whatever the trade and its transfer fee', async () => {
    const { creator } = ledger.pools;
    const reserve = fc.record({
      tokenA: fc.bigInt({ min: 1n, max: 10n ** 18n }),
      tokenB: fc.bigInt({ min: 1n, max: 10n ** 14n }),
    });
    const tokens = fc.bigInt({ min: 1n, max: 10n ** 17n });
    const lamports = fc.bigInt({ min: 1n, max: 10n ** 13n });
    const trade: fc.Arbitrary<Trade> = fc.oneof(
      fc.record({ side: fc.constant('buy' as const), lamports }),
      fc.record({ side: fc.constant('sell' as const), amountIn: tokens }),
      fc.record({ side: fc.constant('buy' as const), amountOut: tokens }),
      fc.record({ side: fc.constant('sell' as const), amountOut: lamports }),
    );
    const taxes = fc.constantFrom(0, 150);
    await fc.assert(
      fc.asyncProperty(fc.array(reserve, { maxLength: 4 }), trade, taxes, async (reserves, asked, tax) => {
        const fee = { epoch: 0n, basisPoints: tax, maximum: U64_MAX };
        const pros: SamplePool[] = [];
        for (const [index, one] of reserves.entries()) pros.push(await addPro(`pool ${index}`, one));
        const transferFee = { older: fee, newer: fee };
        ledger.setMint(creator.mint, creator.tokenProgram, { decimals: 9, supply: 10n ** 18n, transferFee });
        const pools = [creator, ...pros];
        const outcomes = await Promise.all(pools.map((pool) => alone(pool, asked)));
        const accepted = outcomes.flatMap(({ pool, quote }) =>
          quote === undefined ? [] : [{ pool, quote }],
        );
        const refused = outcomes.flatMap(({ pool, code }) => (code === undefined ? [] : [{ pool, code }]));
        const isExactOut = asked.amountOut !== undefined;
        /** How much of the input a pool spares, and then how much it gives. */
        const merits = ({ quote: { details } }: (typeof accepted)[number]) =>
          isExactOut ? [-details.amountIn, details.amountOut] : [details.amountOut];
        accepted.sort((a, b) => {
          const ahead = merits(b).map((merit, index) => merit - merits(a)[index]!);
          const [first = 0n] = ahead.filter((difference) => difference !== 0n);
          return first === 0n ? (a.pool < b.pool ? -1 : 1) : first > 0n ? 1 : -1;
        });
        const terms = { mint: creator.mint, slippageBps, ...asked, pools: known(pros) };
        const attempt = quoteBest(client, terms as never);
        const [first, ...rest] = accepted;
        if (first === undefined) return void (await refusalOf(attempt));
        const { pool, quote, others } = await attempt;
        expect({ pool, quote }).toEqual(first);
        const lower = others.flatMap((one) => (one.status === 'lower' ? [one] : []));
        expect(lower.map((one) => ({ pool: one.pool, quote: one.quote }))).toEqual(rest);
        for (const { lowerBy, quote: other } of lower)
          expect(lowerBy).toBe(merits(first)[0]! - merits({ pool, quote: other })[0]!);
        const codes = others.flatMap((one) =>
          one.status === 'refused' ? [{ pool: one.pool, code: one.error.code }] : [],
        );
        expect(codes).toEqual(refused);
      }),
      { numRuns: 120 },
    );
  });

  test('of equal ones is the one with the lower address, in whatever order the node names them', async () => {
    const { mint } = ledger.pools.creator;
    const made = [await addPro('a', CHEAP), await addPro('b', CHEAP), await addPro('c', CHEAP)];
    const [lowest, ...twins] = made.map(({ pool }) => pool).sort();
    const backwards = finding((list) => [...list].reverse());
    for (const best of [await buy(mint), await buy(mint, {}, backwards)]) {
      expect(best.pool).toBe(lowest);
      const ties = twins.map((pool) => ({ pool, reason: 'tie', lowerBy: 0n }));
      expect(best.others.slice(0, 2)).toMatchObject(ties);
    }
  });
});

test.each(['buy', 'sell'] as const)(
  'another pool gives less for its fees, its price or its depth: a %s',
  async (side) => {
    const { mint, pool } = ledger.pools.creator;
    // Six times the standard pool, at its price, for 0.3 %.
    await addPro('best', scaled(600n));
    const { marketCapBasedFees } = createSampleConfig(3);
    const creatorTradingFee = createFeeBrackets([CATCH_ALL, 900]);
    const costly = await addPro('costly', scaled(600n), {
      state: { feeConfigurationMode: 1, marketCapBasedFees: { ...marketCapBasedFees, creatorTradingFee } },
    });
    const { tokenA, tokenB } = scaled(600n);
    const worse = await addPro(
      'worse',
      side === 'buy' ? { tokenA: (tokenA * 9n) / 10n, tokenB } : { tokenA, tokenB: (tokenB * 9n) / 10n },
    );
    const shallow = await addPro('shallow', { tokenA: tokenA / 1_000n, tokenB: tokenB / 1_000n });
    const best = await (side === 'buy' ? buy(mint, { maxSolSpend: 5 }) : sell(mint, { amountInUi: 400_000 }));
    const reasons = best.others.map((one) => [one.pool, one.status === 'lower' && one.reason]);
    expect(Object.fromEntries(reasons)).toEqual({
      [pool]: 'higher-fees',
      [costly.pool]: 'higher-fees',
      [worse.pool]: 'worse-price',
      [shallow.pool]: 'less-liquidity',
    });
  },
);

describe('the calls', () => {
  test('are a search and one read, and with pools the read alone', async () => {
    const { mint } = ledger.pools.creator;
    await addPro('one', scaled(10n));
    await addPro('two', scaled(20n));
    const searched = await buy(mint);
    expect(methods()).toEqual(['getProgramAccounts', 'getMultipleAccounts']);
    // Three pools, the mint, the price feed, the clock, and the configs 1, 2 and 3.
    expect(ledger.requests[1]?.params[0]).toHaveLength(9);
    const found = await findPools(client, { mint });
    const before = methods().length;
    expect(await buy(mint, { pools: found })).toEqual(searched);
    expect(await buy(mint, { pools: [...found, ...found] })).toEqual(searched);
    expect(methods().slice(before)).toEqual(['getMultipleAccounts', 'getMultipleAccounts']);
  });

  test('need no search for the standard pool alone', async () => {
    const { creator } = ledger.pools;
    await addPro('better', CHEAP);
    const best = await buy(creator.mint, { pools: [] });
    expect(best).toMatchObject({ kind: 'standard', pool: creator.pool, others: [], leftOut: [] });
    expect(best.quote.configVersion).toBe(2);
    expect((await buy(ledger.pools.community.mint, { pools: [] })).quote.configVersion).toBe(1);
    expect(methods()).toEqual(['getMultipleAccounts', 'getMultipleAccounts']);
  });
});

describe('a pool that rejects the trade', () => {
  test('is named with its reason, and the others are quoted', async () => {
    const { creator, pro: stranger } = ledger.pools;
    const { mint } = creator;
    const fine = await addPro('fine', scaled(100n));
    const off = await addPro('off', scaled(100n));
    switchOff(off.pool);
    const later = await addPro('later', scaled(100n));
    ledger.updatePool(later.pool, ({ info }) => ({ info: { ...info, openAt: info.openAt + 10n ** 6n } }));
    const paired = await addPro('paired', scaled(100n));
    pairWith(paired.pool, 'USD');
    const empty = await addPro('empty', { tokenA: 1n, tokenB: 10n ** 18n });
    const wallet = addressNamed('wallet');
    ledger.setBalance(wallet, 1_000_000n);
    const pools = [
      ...known([fine, off, later, paired, empty]),
      { address: stranger.pool, configVersion: 3 },
      { address: ledger.pools.community.pool, configVersion: 1 },
      { address: addressNamed('nothing'), configVersion: 3 },
      { address: wallet, configVersion: 3 },
    ];
    const { others, pool } = await buy(mint, { pools });
    expect(pool).toBe(fine.pool);
    const found = others.map((one) => [
      one.pool,
      one.status === 'refused' ? caseOf(one.error.code, one.error.context) : one.status,
    ]);
    expect(Object.fromEntries(found)).toEqual({
      [creator.pool]: 'lower',
      [off.pool]: 'operation-disabled:swap',
      [later.pool]: 'pool-not-open',
      [paired.pool]: 'unsupported-mint:pool',
      [empty.pool]: 'output-is-zero',
      [stranger.pool]: 'pool-mismatch:mint',
      [ledger.pools.community.pool]: 'pool-mismatch:mint',
      [addressNamed('nothing')]: 'pool-not-found',
      [wallet]: 'invalid-account-data:found',
    });
    const wrong = await buy(mint, { pools: [{ address: fine.pool, configVersion: 7 }] });
    expect(wrong.others).toMatchObject([
      { pool: fine.pool, error: { code: 'pool-mismatch', context: { field: 'configVersion' } } },
    ]);
  });

  test('ranks too small pools below those deep enough', async () => {
    const { mint, tokenProgram } = ledger.pools.community;
    // More than the 80 SOL that were paid in comes out of the virtual SOL, which is not there.
    const { community: fields } = await createSamplePoolFields();
    const { tokenA, tokenB } = scaled(100n);
    const pro = await addPro('deep', { tokenA, tokenB }, { mint, tokenProgram, token: fields.token });
    const best = await sell(mint, { amountInUi: undefined, amountIn: 10n ** 18n });
    expect(best.pool).toBe(pro.pool);
    expect(best.others).toMatchObject([
      { kind: 'standard', status: 'refused', error: { code: 'insufficient-liquidity' } },
    ]);
  });

  test('gives its error if it is the only one, or all agree', async () => {
    const { creator, pro } = ledger.pools;
    switchOff(creator.pool);
    await expectRefusal(buy(creator.mint), 'operation-disabled:swap', { pool: creator.pool });
    switchOff((await addPro('off', scaled(100n))).pool);
    await expectRefusal(buy(creator.mint), 'operation-disabled:swap');
    // A token without a standard pool, of which nothing is said.
    expect(await buy(pro.mint)).toMatchObject({ kind: 'pro', pool: pro.pool, others: [] });
    switchOff(pro.pool);
    await expectRefusal(buy(pro.mint), 'operation-disabled:swap', { pool: pro.pool });
    await expectRefusal(buy(addressNamed('no token')), 'pool-not-found', { mint: addressNamed('no token') });
  });

  test('is named in the error if they differ', async () => {
    const { mint, pool } = ledger.pools.creator;
    switchOff(pool);
    const empty = await addPro('empty', { tokenA: 1n, tokenB: 10n ** 18n });
    await expectRefusal(buy(mint), 'no-pool-trades', {
      mint,
      refused: [
        { pool, code: 'operation-disabled' },
        { pool: empty.pool, code: 'output-is-zero' },
      ],
    });
  });
});

describe('maxPools', () => {
  test('keeps the standard pool and those with the most SOL, and names the rest', async () => {
    const { creator } = ledger.pools;
    const made: SamplePool[] = [];
    for (const percent of [3n, 50n, 1n, 20n]) made.push(await addPro(`of ${percent}`, scaled(percent)));
    const [three, fifty, one, twenty] = made.map(({ pool }) => pool);
    const leftOut = [
      { pool: three, kind: 'pro', lamports: scaled(3n).tokenB },
      { pool: one, kind: 'pro', lamports: scaled(1n).tokenB },
    ];
    const searched = await buy(creator.mint, { maxPools: 3 });
    expect([searched.pool, ...searched.others.map(({ pool }) => pool)].sort()).toEqual(
      [creator.pool, fifty, twenty].sort(),
    );
    expect(searched.leftOut).toEqual(leftOut);
    // Nothing of those that are left out is read.
    expect(ledger.requests.at(-1)?.params[0]).not.toContain(one);
    const given = await buy(creator.mint, { maxPools: 3, pools: known(made) });
    expect(given).toMatchObject({ pool: searched.pool, quote: searched.quote, leftOut: [] });
    expect(given.others).toHaveLength(4);
    const alone = await buy(creator.mint, { maxPools: 1 });
    expect(alone).toMatchObject({ pool: creator.pool, others: [] });
    expect(alone.leftOut.map(({ pool }) => pool)).toEqual([fifty, twenty, three, one]);
  });

  test('leaves out pools of another pair, whatever they hold', async () => {
    const { creator } = ledger.pools;
    const pro = await addPro('cheap', CHEAP);
    const small = await addPro('small', scaled(1n));
    const paired: Address[] = [];
    for (let k = 0; k < 15; k++) {
      const { pool } = await addPro(`paired ${k}`, { tokenA: 1n, tokenB: 10n ** 18n });
      pairWith(pool, 'worthless');
      paired.push(pool);
    }
    const best = await buy(creator.mint, { maxPools: 2 });
    expect(best.pool).toBe(pro.pool);
    // 1 SOL less 0.3 % is 0.997 SOL: 99.003 + 0.997 = 100 SOL, so that 0.997 % of the tokens come out.
    expect(best.quote.details.amountOut).toBe(99_700_000_000_000n);
    expect(best.leftOut).toMatchObject([{ pool: small.pool }]);
    // They are named without being read.
    const [first, ...rest] = best.others;
    expect(first).toMatchObject({ pool: creator.pool, status: 'lower' });
    expect(rest.map(({ pool }) => pool).sort()).toEqual([...paired].sort());
    for (const { pool, ...one } of rest)
      expect(one).toMatchObject({
        status: 'refused',
        error: { code: 'unsupported-mint', context: { pool, mint: addressNamed('worthless') } },
      });
    expect(ledger.requests.at(-1)?.params[0]).not.toContain(paired[0]);
  });

  test('and the error when no pool trades count pools of another pair only if there is nothing else', async () => {
    const { creator, pro } = ledger.pools;
    pairWith((await addPro('paired', scaled(100n))).pool, 'USD');
    switchOff(creator.pool);
    await expectRefusal(buy(creator.mint), 'operation-disabled:swap', { pool: creator.pool });
    // A token that has nothing else.
    pairWith(pro.pool, 'USD');
    const mint = addressNamed('USD');
    await expectRefusal(buy(pro.mint), 'unsupported-mint:pool', { pool: pro.pool, mint });
  });

  test('bounds the work if a node names thousands of pools', async () => {
    const { creator } = ledger.pools;
    await addPro('one', scaled(10n));
    const flooding = finding((list) => {
      const [pro] = list.filter(({ pubkey }) => pubkey !== creator.pool);
      const more = Array.from({ length: 3_000 }, (_, k) => ({ ...pro, pubkey: addressNamed(`${k}`) }));
      return [...list, ...more];
    });
    const best = await buy(creator.mint, { maxPools: 40 }, flooding);
    const reads = ledger.requests.filter(({ method }) => method === 'getMultipleAccounts');
    const read = reads.flatMap(({ params }) => params[0] as readonly Address[]).length;
    // 40 pools, three configs, the mint, the price feed and the clock.
    expect(read).toBe(46);
    expect(1 + best.others.length + best.leftOut.length).toBe(3_002);
  });
});

describe('the input', () => {
  const entry = { address: addressNamed('p'), configVersion: 3 };
  const { configVersion: _, ...withoutVersion } = entry;

  type Wrong = [what: string, change: object, code: string, field?: string];
  test.each<Wrong>([
    ['no side', { side: 'hold' }, 'invalid-input', 'side'],
    ['two amounts', { lamports: 1n }, 'invalid-input', 'lamports'],
    ['nothing', { maxSolSpend: 0 }, 'zero-amount'],
    ['too many decimals', { maxSolSpend: '0.0000000001' }, 'invalid-amount:decimals'],
    ['bad slippage', { slippageBps: 10_001 }, 'invalid-slippage'],
    ...[0, 41, 1.5].map((maxPools): Wrong => ['maxPools', { maxPools }, 'invalid-input', 'maxPools']),
    ['a mint that is none', { mint: 'x' }, 'invalid-address', 'mint'],
    ['pools that are no list', { pools: {} }, 'invalid-input', 'pools'],
    ['more pools than are read', { pools: Array(41).fill(entry) }, 'invalid-input', 'pools'],
    ['a pool that is none', { pools: [null] }, 'invalid-address', 'pools[0].address'],
    ['a pool without version', { pools: [withoutVersion] }, 'invalid-input', 'pools[0].configVersion'],
  ])('%s is rejected before a call is made', async (_, change, code, field) => {
    const context = field === undefined ? {} : { field };
    await expectRefusal(buy(ledger.pools.creator.mint, change), code, context);
    expect(methods()).toEqual([]);
  });

  test('more decimals than the token has are rejected as in any quote', async () => {
    const { mint } = ledger.pools.creator;
    await addPro('one', scaled(10n));
    const tooFine = sell(mint, { amountInUi: '0.0000000001' });
    await expectRefusal(tooFine, 'invalid-amount:decimals', { decimals: 9 });
    await expectRefusal(sell(mint, { amountInUi: '0' }), 'zero-amount');
  });

  test('an abort signal ends it', async () => {
    const { mint } = ledger.pools.creator;
    await expectRefusal(buy(mint, { abortSignal: AbortSignal.abort() }), 'aborted');
  });
});
