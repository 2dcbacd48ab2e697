import { describe, expect, test } from 'vitest';
import { createHandler, createRemoteClient } from '../../src/http/index.js';
import {
  assertTransactionMatches,
  buildBuy,
  buildProAddLiquidity,
  buildProCreate,
  buildProRemoveLiquidity,
  buildSell,
  fetchPoolSnapshot,
  quoteBest,
  quoteBuy,
  quoteBuyExactOut,
  quoteProAddLiquidity,
  quoteProRemoveLiquidity,
  quoteSell,
  reviewTransaction,
} from '../../src/index.js';
import { TOKEN_2022_PROGRAM_ADDRESS } from '../../src/program/index.js';
import { deriveAssociatedTokenAddress } from '../../src/solana/derived-addresses.js';
import { encodeClock } from '../../src/testing/encode.js';
import { encodeTokenAccount } from '../../src/testing/index.js';
import { CLOCK_SYSVAR_ADDRESS } from '../support/addresses.js';
import { expectRefusal } from '../support/errors.js';
import { client, ledger, locatorOf, termsOf, useLedger } from '../support/ledger.js';

// Bytes of mints by hand: 82 of the mint (its authorities at 0 and 46, a tag of 4 bytes before each), then at 165 the kind of account and
// each extension as type, length and content.

useLedger();

const KEY = new Array<number>(32).fill(7);
const NO_KEY = new Array<number>(32).fill(0);
/** The fees before and after an epoch: the authorities, what is withheld, then epoch, maximum and rate, twice. */
const fee = (epoch: number, bps: readonly [number, number], most = 9) => [
  ...[...KEY, ...KEY, ...u64(0)],
  ...[...u64(0), ...u64(9), ...u16(bps[0])],
  ...[...u64(epoch), ...u64(most), ...u16(bps[1])],
];
const u16 = (value: number) => [value & 255, value >> 8];
const u64 = (value: number) => [...u16(value & 0xffff), ...u16(value >> 16), 0, 0, 0, 0];

type Extension = readonly [type: number, content: readonly number[]];

function setMint(extensions: readonly Extension[], authorityAt?: number, { mint } = ledger.pools.creator) {
  const base = [...(ledger.getAccount(mint)?.data.subarray(0, 82) ?? [])];
  if (authorityAt !== undefined) base.splice(authorityAt, 36, 1, 0, 0, 0, ...KEY);
  const content = extensions.flatMap(([type, bytes]) => [...u16(type), ...u16(bytes.length), ...bytes]);
  const data = Uint8Array.from([...base, ...new Array<number>(83).fill(0), 1, ...content]);
  ledger.setAccount(mint, { owner: TOKEN_2022_PROGRAM_ADDRESS, data });
}

const NEXT_YEAR = 60_000;
const DELEGATE: Extension = [12, KEY];
const STAYS: Extension = [9, []];
const PAUSED: Extension = [26, [...NO_KEY, 1]];
const HOOK: Extension = [14, [...NO_KEY, ...KEY]];
const FROZEN: Extension = [6, [2]];
const can = (rights: string) =>
  `mint-rights: Those who control the token's mint can ${rights}. Trade it only if you trust them.`;
const CALLS =
  "transfer-hook: Each transfer of the token calls a program, and the exchange's instructions have no place for its accounts: this will fail. Use another token.";
// (60000 * 432000 - 411354049) slots of 200 ms.
const rises = (percent: string) =>
  `transfer-fee: The token's transfer fee will be ${percent}, from epoch 60000, in about 5101729190 s.`;

const payer = () => ledger.pools.creator.creator;
const sale = () => quoteSell(client, { ...termsOf(), amountIn: 10n ** 12n });
const purchase = () => quoteBuy(client, { ...termsOf(), maxSolSpend: '1' });

const OF_MINT = /^(transfer-|frozen-|mint-)/;

/** What a quote of a sale and the builder warn of. */
async function warned(): Promise<readonly string[]> {
  const quoteResponse = await sale();
  const { warnings } = await buildSell(client, { payer: payer(), quoteResponse });
  const [quoted, built] = [quoteResponse.details.warnings, warnings].map((list) =>
    list
      .map(({ code, message }) => `${code}: ${message}`)
      .filter((text) => OF_MINT.test(text) && !text.includes('withholds')),
  );
  expect(built).toEqual(quoted);
  return quoted ?? [];
}

test.each<[string, readonly Extension[], number | undefined, readonly string[]]>([
  ['nothing', [], undefined, []],
  ['a mint authority', [], 0, [can('issue more of it')]],
  ['a freeze authority', [], 46, [can('freeze your account')]],
  ['a permanent delegate', [DELEGATE], undefined, [can('take or burn what you hold')]],
  ['no permanent delegate', [[12, NO_KEY]], undefined, []],
  ['a hook', [HOOK], undefined, [CALLS]],
  ['an authority that could set a hook', [[14, [...KEY, ...NO_KEY]]], undefined, []],
  ['a pause', [[26, [...KEY, 0]]], undefined, [can('pause all transfers')]],
  ['a pause without an authority', [[26, [...NO_KEY, 0]]], undefined, []],
  ['frozen accounts, which a sale opens none of', [FROZEN], undefined, []],
  ['a fee that rises', [[1, fee(NEXT_YEAR, [0, 300])]], undefined, [rises('3 %, at most 9 units')]],
  [
    'a maximum that rises',
    [[1, fee(NEXT_YEAR, [300, 300], 10)]],
    undefined,
    [rises('3 %, at most 10 units')],
  ],
  ['a fee that falls', [[1, fee(NEXT_YEAR, [300, 0])]], undefined, []],
  ['a fee that has risen', [[1, fee(1, [0, 300])]], undefined, []],
  [
    'a hook, a delegate and a freeze authority',
    [HOOK, DELEGATE],
    46,
    [CALLS, can('freeze your account, take or burn what you hold')],
  ],
])('of %s', async (_, extensions, authorityAt, warnings) => {
  setMint(extensions, authorityAt);
  expect(await warned()).toEqual(warnings);
});

test.each([
  ['paused', PAUSED],
  ['non-transferable', STAYS],
])('a token that is %s is not traded, moved or paired', async (reason, extension) => {
  const [buyQuote, sellQuote] = [await purchase(), await sale()];
  const { pro, community } = ledger.pools;
  const { mint, pool, creator } = pro;
  const locator = { mint, pool, configVersion: 3 };
  ledger.updatePool(pool, ({ tokenA }) => ({ tokenA: { ...tokenA, owner: TOKEN_2022_PROGRAM_ADDRESS } }));
  for (const of of [ledger.pools.creator, pro, community]) setMint([extension], undefined, of);
  const best = { mint: termsOf().mint, slippageBps: 50, side: 'buy' } as const;
  for (const [address, refused] of [
    [termsOf().mint, purchase()],
    [termsOf().mint, sale()],
    [termsOf().mint, buildBuy(client, { payer: payer(), quoteResponse: buyQuote })],
    [termsOf().mint, buildSell(client, { payer: payer(), quoteResponse: sellQuote })],
    [termsOf().mint, quoteBest(client, { ...best, maxSolSpend: '1' })],
    [mint, quoteProAddLiquidity(client, { ...locator, maxTokenB: 10n ** 9n, slippageBps: 50 })],
    [mint, quoteProRemoveLiquidity(client, { ...locator, lpTokensToBurn: 5n, slippageBps: 50 })],
    [
      mint,
      buildProAddLiquidity(client, {
        ...locator,
        payer: creator,
        maxTokenA: 9n,
        maxTokenB: 9n,
        minLpTokens: 1n,
      }),
    ],
    [
      mint,
      buildProRemoveLiquidity(client, {
        ...locator,
        payer: creator,
        lpTokensToBurn: 5n,
        minTokenA: 0n,
        minTokenB: 0n,
      }),
    ],
    [community.mint, creation()],
  ] as const)
    await expectRefusal(refused, 'token-not-transferable', { reason, mint: address });
});

/** A pro pool of the community pool's token. */
const creation = () => {
  const { community, pro } = ledger.pools;
  const amounts = { initialTokenAAmount: 10n ** 9n, initialTokenBAmount: 10n ** 9n };
  const wallet = community.creator;
  return buildProCreate(client, {
    ...{ payer: wallet, creator: wallet, configVersion: 3, mint: community.mint, ...amounts },
    ...{ creatorTradingFee: [], reflectionTradingFee: [], liquidityProviderTradingFee: [] },
    lutAddress: ledger.lookupTables.pro ?? pro.pool,
  });
};

test('no pool is created of a token with a hook', async () => {
  const { mint } = ledger.pools.community;
  setMint([HOOK], undefined, ledger.pools.community);
  await expectRefusal(creation(), 'unsupported-mint', {
    mint,
    reason: expect.stringContaining('calls a program'),
  });
});

describe('where new accounts are frozen', () => {
  const account = () =>
    deriveAssociatedTokenAddress({ ...termsOf(), owner: payer(), tokenProgram: TOKEN_2022_PROGRAM_ADDRESS });
  const hold = async (state?: number) => {
    const address = await account();
    const data = encodeTokenAccount({ mint: termsOf().mint, owner: payer(), amount: 10n ** 13n });
    if (state !== undefined) data[108] = state;
    ledger.setAccount(address, state === undefined ? undefined : { owner: TOKEN_2022_PROGRAM_ADDRESS, data });
    return address;
  };

  test.each([
    ['missing', undefined],
    ['frozen', 2],
    ['thawed', 1],
  ])('a buy into an account that is %s', async (name, state) => {
    setMint([FROZEN]);
    const quoteResponse = await purchase();
    expect(quoteResponse.details.warnings).toMatchObject([{ code: 'frozen-accounts' }]);
    const snapshot = await fetchPoolSnapshot(client, locatorOf(termsOf()));
    const address = await hold(state);
    for (const change of [{}, { snapshot }]) {
      const built = buildBuy(client, { payer: payer(), quoteResponse, ...change });
      if (name === 'thawed') await expect(built).resolves.toBeDefined();
      else await expectRefusal(built, 'unusable-account:token account', { address });
    }
  });

  test('also of a token without the extension, a frozen account neither buys nor sells', async () => {
    const [buyQuote, sellQuote] = [await purchase(), await sale()];
    const address = await hold(2);
    const context = { address, reason: expect.stringContaining('it is frozen') };
    for (const built of [
      buildBuy(client, { payer: payer(), quoteResponse: buyQuote }),
      buildSell(client, { payer: payer(), quoteResponse: sellQuote }),
      buildSell(client, { payer: payer(), quoteResponse: sellQuote, source: address }),
    ])
      await expectRefusal(built, 'unusable-account:token account', context);
  });
});

describe('a higher transfer fee that may apply before a trade lands', () => {
  const EPOCH = 953;
  const BEGINS = BigInt(EPOCH) * 432_000n;
  const amounts = async () => {
    const [buy, sell] = [await purchase(), await sale()];
    return [buy, sell].map(({ minimumOut, details: { amountOut, transferFee } }) => ({
      minimumOut,
      amountOut,
      transferFee,
    }));
  };
  /** As at a fee in force. */
  const at = async (bps: number, most: number) => {
    setMint([[1, fee(1, [0, bps], most)]]);
    return await amounts();
  };

  test.each<[string, bigint, number, [number, number], number, [number, number]]>([
    // The fees before and after, the maximum after (9 before), and what the quote counts with.
    ['301 slots before', BEGINS - 301n, EPOCH, [100, 5_000], 10 ** 9, [100, 9]],
    ['300 slots before', BEGINS - 300n, EPOCH, [100, 5_000], 10 ** 9, [5_000, 10 ** 9]],
    ['from no fee', BEGINS - 1n, EPOCH, [0, 5_000], 10 ** 9, [5_000, 10 ** 9]],
    ['a higher rate and a lower maximum', BEGINS - 1n, EPOCH, [100, 5_000], 8, [5_000, 9]],
    ['an epoch earlier', BEGINS - 1n, EPOCH + 1, [100, 5_000], 10 ** 9, [100, 9]],
  ])('%s', async (_, slot, from, rates, most, counted) => {
    ledger.setSlot(slot);
    const expected = await at(...counted);
    setMint([[1, fee(from, rates, most)]]);
    expect(await amounts()).toEqual(expected);
    // The builder counts with the same: the minimum is not too low.
    const { warnings } = await buildSell(client, { payer: payer(), quoteResponse: await sale() });
    expect(warnings.map(({ code }) => code)).not.toContain('minimum-too-low');
  });

  test('on devnet, whose epochs begin at other slots', async () => {
    const clock = (slot: bigint) => encodeClock({ slot, epoch: 14n, unixTimestamp: ledger.unixTimestamp });
    const place = (slot: bigint) =>
      ledger.setAccount(CLOCK_SYSVAR_ADDRESS, {
        ...ledger.getAccount(CLOCK_SYSVAR_ADDRESS)!,
        data: clock(slot),
      });
    // The first whole epoch, 14, begins at 2^19 - 32 = 524256.
    const next = 524_256n + 432_000n;
    setMint([[1, fee(15, [0, 5_000], 10 ** 9)]]);
    for (const [slot, seconds] of [
      [next - 301n, 60],
      [next - 300n, 60],
      [next - 5n, 1],
    ] as const) {
      place(slot);
      const { transferFee, warnings } = (await purchase()).details;
      expect(transferFee).toBe(slot === next - 301n ? 0n : 10n ** 9n);
      expect(warnings).toContainEqual({
        code: 'transfer-fee',
        message: expect.stringContaining(`in about ${seconds} s.`),
      });
    }
  });
});

test.each<[string, Extension]>([
  ['interest-bearing', [10, new Array<number>(52).fill(1)]],
  ['scaled', [25, new Array<number>(56).fill(1)]],
])('of a token with a %s display, UI amounts are rejected and native amounts work', async (_, extension) => {
  setMint([extension]);
  await expectRefusal(quoteSell(client, { ...termsOf(), amountInUi: '1' }), 'invalid-input', {
    field: 'amountInUi',
  });
  const best = { mint: termsOf().mint, slippageBps: 50 };
  for (const quote of [
    quoteBuyExactOut(client, { ...termsOf(), amountOutUi: '1' }),
    quoteBest(client, { ...best, side: 'buy', amountOutUi: '1' }),
  ])
    await expectRefusal(quote, 'invalid-input', { field: 'amountOutUi' });
  const { amountIn } = await quoteSell(client, { ...termsOf(), amountIn: 10n ** 9n });
  expect(amountIn).toBe(10n ** 9n);
  const quote = await quoteBuy(client, { ...termsOf(), maxSolSpend: '1' });
  expect(quote.maxLamportSpend).toBe(10n ** 9n);
  // As a service shows it that scales amounts as wallets do.
  const quoteResponse = { ...quote, minimumOutUi: quote.minimumOutUi * 1.07 };
  const input = { payer: ledger.pools.creator.creator, quoteResponse };
  const built = await buildBuy(client, input);
  const { tx, minimumOut } = built;
  expect(minimumOut).toBe(quote.minimumOut);
  expect((await reviewTransaction(client, built)).steps.join()).toContain(`${minimumOut} units of`);
  const intent = { function: 'buildBuy', input, request: { ...termsOf(), maxSolSpend: '1' } } as const;
  await assertTransactionMatches(tx, intent, { client });
  const handler = createHandler({ client });
  const fetch = async (url: unknown, init: RequestInit = {}) => {
    const answer = await (await handler(new Request(String(url), init))).text();
    return new Response(answer.replace(/"minimum_out_ui":[^,]+/, '"minimum_out_ui":12.34'));
  };
  const ask = (node?: typeof client) =>
    createRemoteClient({ baseUrl: 'http://x', fetch, node }).quoteBuy({ ...termsOf(), maxSolSpend: '1' });
  expect(await ask(client)).toMatchObject({ minimumOut, minimumOutUi: 12.34 });
  // Only a node says so.
  await expectRefusal(ask(), 'quote-mismatch', { field: 'minimumOutUi' });
  // The same of an ordinary mint.
  setMint([]);
  await expectRefusal(buildBuy(client, input), 'quote-mismatch', { field: 'quoteResponse.minimumOutUi' });
});
