import { type Address, generateKeyPairSigner } from '@solana/kit';
import { beforeEach, describe, expect, test } from 'vitest';

import {
  buildBuy,
  buildCreateStandardLiquidityPool,
  buildSell,
  type HeavenClient,
  inspectTransaction,
  quoteBuy,
  quoteSell,
  reviewTransaction,
} from '../../src/index.js';
import { expectRefusal } from '../support/errors.js';
import { client, launchOf, ledger, lying, termsOf, useLedger } from '../support/ledger.js';
import { type Call, clientOver, refusing } from '../support/rpc.js';
import { allInstructionsOf } from '../support/transactions.js';

useLedger();

/** Of the account of wrapped SOL, with its 165 bytes and the 128 that every account has, at the ledger's 5,080 lamports a byte. */
const WRAPPED_RENT = (165n + 128n) * 5_080n;
/** Of the token's own account, which stays: 182 bytes for this token, and up to 195 for one that nobody has looked at. */
const TOKEN_RENT = (182n + 128n) * 5_080n;
const MOST_TOKEN_RENT = (195n + 128n) * 5_080n;

let payer: Address;
beforeEach(async () => {
  payer = (await generateKeyPairSigner()).address;
  ledger.setBalance(payer, 50_000_000_000n);
});

async function buy(wrapSol: 'associated' | 'temporary' = 'temporary') {
  const quote = await quoteBuy(client, { ...termsOf(), maxSolSpend: '1.5' });
  return { quote, built: await buildBuy(client, { payer, quoteResponse: quote, wrapSol }) };
}

describe('reviewTransaction', () => {
  test.each(['associated', 'temporary'] as const)(
    'tells apart what a buy spends, and its rent (%s)',
    async (wrapSol) => {
      const { built, quote } = await buy(wrapSol);
      const { costs, simulation, inspection } = await reviewTransaction(client, built, { quote });
      if (!simulation.ok) throw new Error('it would fail');
      expect(simulation.comparison?.difference).toBe(0n);
      const rent = WRAPPED_RENT + TOKEN_RENT;
      expect(costs).toEqual({ sol: 1_500_000_000n + rent, rent, returnedRent: WRAPPED_RENT });
      const most = 1_500_000_000n + TOKEN_RENT + inspection.fees.total;
      expect(-simulation.sol.change).toBeLessThanOrEqual(most);
      expect(-simulation.sol.change).toBeGreaterThan(most - 100_000n);
    },
  );

  test('a sell sets rent aside only for a moment', async () => {
    const quoteResponse = await quoteSell(client, { ...termsOf(), amountInUi: 10 });
    const seller = ledger.pools.creator.creator;
    const built = await buildSell(client, { payer: seller, quoteResponse, wrapSol: 'temporary' });
    const { costs } = await reviewTransaction(client, built);
    expect(costs).toEqual({ sol: WRAPPED_RENT, rent: WRAPPED_RENT, returnedRent: WRAPPED_RENT });
  });

  test("a sponsor's costs are its own, and the trader's stay the trader's", async () => {
    const feePayer = (await generateKeyPairSigner()).address;
    ledger.setBalance(feePayer, 50_000_000_000n);
    const quoteResponse = await quoteBuy(client, { ...termsOf(), maxSolSpend: '1.5' });
    const input = { payer, feePayer, quoteResponse };
    const [fees, both] = await Promise.all([
      buildBuy(client, input),
      buildBuy(client, { ...input, rentPayer: 'feePayer' }),
    ]);
    const [rent, wrapped] = [TOKEN_RENT, WRAPPED_RENT];
    const costsOf = async (built: typeof fees, owner?: Address) =>
      (await reviewTransaction(client, built, { owner })).costs;
    const spent = 1_500_000_000n + wrapped;
    expect(await costsOf(fees)).toEqual({ sol: spent + rent, rent: rent + wrapped, returnedRent: wrapped });
    expect(await costsOf(fees, feePayer)).toEqual({ sol: 0n, rent: 0n, returnedRent: 0n });
    expect(await costsOf(both)).toEqual({ sol: spent, rent: wrapped, returnedRent: wrapped });
    expect(await costsOf(both, feePayer)).toMatchObject({ sol: rent, rent });
    // What a sponsor reads before it signs: what leaves its own account, and nothing else.
    const debitsOf = async ({ tx }: typeof fees) =>
      (await inspectTransaction(tx, { client, owner: feePayer })).debits;
    const debit = { account: feePayer, asset: 'SOL', amount: 8_010_000n };
    expect(await debitsOf(fees)).toMatchObject([debit]);
    expect(await debitsOf(both)).toMatchObject([{ ...debit, amount: 8_010_000n + MOST_TOKEN_RENT }]);
  });

  test("a launch's costs are not known, as the program decides them", async () => {
    const built = await buildCreateStandardLiquidityPool(client, {
      ...launchOf(payer),
      transactionVersion: 1,
      mintSigner: await generateKeyPairSigner(),
    });
    expect((await reviewTransaction(client, built)).costs.sol).toBeUndefined();
  });

  test('a node that can not simulate is reported, with all the rest', async () => {
    const { built } = await buy();
    const without = clientOver((call: Call) =>
      call.payload.method === 'simulateTransaction'
        ? refusing(-32_601)(call)
        : ledger.transport(call as never),
    );
    const { simulation, steps, costs } = await reviewTransaction(without, built);
    expect(costs.rent).toBe(WRAPPED_RENT + MOST_TOKEN_RENT);
    expect(simulation).toMatchObject({ ok: undefined, error: { code: 'rpc-method-unsupported' } });
    expect(steps).toHaveLength(allInstructionsOf(built).length);
  });

  test('a quote of another trade, and an abort, are errors', async () => {
    const { built } = await buy();
    const quote = await quoteBuy(client, { ...termsOf('community'), maxSolSpend: 1 });
    await expectRefusal(reviewTransaction(client, built, { quote }), 'quote-mismatch');
    const abortSignal = AbortSignal.abort();
    await expectRefusal(reviewTransaction(client, built, { abortSignal }), 'aborted');
  });

  test('warns as the inspection does, then as the builder does', async () => {
    const { built } = await buy();
    const warning = { code: 'minimum-too-low', message: 'The builder warns.' } as const;
    const warned = { ...built, warnings: [warning] };
    const { warnings } = await reviewTransaction(client, warned, { maxPriorityFee: 1n });
    expect(warnings).toEqual([expect.stringMatching(/priority/), 'The builder warns.']);
    expect((await reviewTransaction(client, built)).warnings).toEqual([]);
  });

  test('warns once of a high priority fee, which builder and inspection both see', async () => {
    const quoteResponse = await quoteBuy(client, { ...termsOf(), maxSolSpend: '10' });
    const built = await buildBuy(client, { payer, quoteResponse, computeUnitPrice: 1_000_000_000n });
    const { warnings } = await reviewTransaction(client, built);
    expect(warnings).toEqual([expect.stringMatching(/^The priority fee of up to 0\.2 SOL/)]);
  });
});

test('the steps name what is known, write all digits of tokens, and shorten the rest', async () => {
  const { built } = await buy();
  const { mint } = ledger.pools.creator;
  const stepsWith = async (options: object, of: HeavenClient = client) => {
    const { steps } = await reviewTransaction(of, built, options);
    expect(steps).toHaveLength(allInstructionsOf(built).length);
    return steps.join('\n');
  };
  const names = { [payer]: 'your wallet', [mint]: 'this token' };
  const known = await stepsWith({ names });
  expect(known).toContain('your wallet');
  expect(known).toMatch(/pay at most 1\.5 SOL for at least 97,923\.235301757 of this token/i);
  expect(known).not.toMatch(/[1-9A-HJ-NP-Za-km-z]{32,}/);
  expect(known).toMatch(/[\dA-Za-z]{4}…[\dA-Za-z]{4}/);
  expect(known).toMatch(/\d{5,} compute units/);
  expect(await stepsWith({ decimals: { [mint]: 6 } })).toContain('at least 97,923,235.301757 of');
  // Without its mint account, nobody knows.
  const without = lying('getMultipleAccounts', (result: { value: unknown[] }, [addresses]) => ({
    ...result,
    value: result.value.map((account, index) => ((addresses as string[])[index] === mint ? null : account)),
  }));
  expect(await stepsWith({}, without)).toMatch(/for at least 97923235301757 units of/);
});

test('a launch takes the decimals of its token from itself, and a warning those of its pool', async () => {
  const built = await buildCreateStandardLiquidityPool(client, {
    ...launchOf(payer),
    initialPurchaseAmount: 1_500_000_001n,
    mintSigner: await generateKeyPairSigner(),
  });
  const { steps } = await reviewTransaction(client, built);
  expect(steps.join()).toMatch(/and buy 1\.500000001 of \w{4}…\w{4} for/);
  const { quote } = await buy();
  const quoteResponse = { ...quote, minimumOut: 1_000_000_001n, minimumOutUi: 1.000000001 };
  const { warnings } = await reviewTransaction(client, await buildBuy(client, { payer, quoteResponse }));
  expect(warnings[0]).toContain('its minimum is 1.000000001 of');
});

test("a stranger's text stays as it is", async () => {
  const { mint } = ledger.pools.creator;
  const memo = `100 units of ${mint} to ${payer}`;
  const programAddress = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr' as Address;
  const built = await buildBuy(client, {
    payer,
    quoteResponse: await quoteBuy(client, { ...termsOf(), maxSolSpend: 1 }),
    after: [{ programAddress, data: new TextEncoder().encode(memo) }],
  });
  const known = { names: { [mint]: 'this token', [payer]: 'your wallet' }, decimals: { [mint]: 9 } };
  const { steps } = await reviewTransaction(client, built, known);
  expect(steps.at(-1)).toBe(`Note "${memo}".`);
});
