import { generateKeyPairSigner, type KeyPairSigner } from '@solana/kit';
import { beforeEach, describe, expect, test, vi } from 'vitest';

import {
  type BuyQuote,
  buildBuy,
  buildSell,
  createHeavenClient,
  type HeavenSubmitRpc,
  quoteBuy,
  quoteBuyExactOut,
  quoteSell,
  type Requote,
  type SignAndSubmitEvent,
  signAndSubmitTransaction,
  type TradeQuote,
} from '../../src/index.js';
import { findAssociatedTokenAddress, HEAVEN_PROGRAM_ADDRESS } from '../../src/program/index.js';
import {
  createEmbeddedLedger,
  createPracticeWallet,
  createSvmEngine,
  type EmbeddedLedger,
} from '../../src/testing/index.js';
import { STRANGER } from '../support/addresses.js';
import { SOL } from '../support/amounts.js';
import { expectRefusal } from '../support/errors.js';
import { noopProgram } from '../svm/programs.js';

const engine = await createSvmEngine({ programs: { [HEAVEN_PROGRAM_ADDRESS]: noopProgram() } });

let ledger: EmbeddedLedger;
let client: ReturnType<typeof createHeavenClient>;
let signer: KeyPairSigner;
async function useLedger(options: Parameters<typeof createEmbeddedLedger>[0]) {
  ledger = await createEmbeddedLedger(options);
  client = createHeavenClient({ rpc: ledger.rpc });
  signer = await generateKeyPairSigner();
  ledger.setBalance(signer.address, 50n * SOL);
  const { mint, tokenProgram } = ledger.pools.creator;
  const account = await findAssociatedTokenAddress({ owner: signer.address, mint, tokenProgram });
  ledger.setTokenAccount(account, tokenProgram, { owner: signer.address, mint, amount: 10n ** 18n });
}
beforeEach(() => useLedger({}));

const terms = () => {
  const { mint, configVersion } = ledger.pools.creator;
  return { mint, configVersion, slippageBps: 50 };
};
const QUOTES = {
  buy: () => quoteBuy(client, { ...terms(), maxSolSpend: 1 }),
  'buy of an exact amount': () => quoteBuyExactOut(client, { ...terms(), amountOutUi: 1_000 }),
  sell: () => quoteSell(client, { ...terms(), amountInUi: 1_000 }),
} as const satisfies Readonly<Record<string, () => Promise<TradeQuote>>>;
type Trade = keyof typeof QUOTES;

/** What the user saw, and what a page does as they press the button. */
async function shownTrade(name: Trade, change: Partial<Requote> = {}) {
  const quoteAgain = vi.fn<() => Promise<TradeQuote>>(QUOTES[name]);
  const buildAgain = vi.fn((quote: TradeQuote) =>
    'amountIn' in quote
      ? buildSell(client, { payer: signer.address, quoteResponse: quote })
      : buildBuy(client, { payer: signer.address, quoteResponse: quote }),
  );
  const quote: TradeQuote = await QUOTES[name]();
  const built = await buildAgain(quote);
  buildAgain.mockClear();
  const accept = vi.fn<Requote['accept']>(() => expect.fail('somebody was asked'));
  const { signTransaction } = await createPracticeWallet({ signer, rpc: ledger.rpc });
  const sign = vi.fn(signTransaction);
  const events: SignAndSubmitEvent[] = [];
  const submit = () =>
    signAndSubmitTransaction(client as typeof client & { readonly rpc: HeavenSubmitRpc }, built, {
      sign,
      requote: { quote, maxAge: 10n, quoteAgain, buildAgain, accept, ...change },
      observe: (event) => events.push(event),
    });
  return { quote, built, quoteAgain, buildAgain, accept, sign, events, submit };
}

const wait = (slots: bigint) => ledger.setSlot(ledger.slot + slots);
/** Others trade. A token costs about so many tenths of what it did. */
const movePrice = (tenths: bigint) =>
  ledger.updatePool(ledger.pools.creator.pool, ({ reserve }) => ({
    reserve: { ...reserve, tokenB: (reserve.tokenB * tenths) / 10n },
  }));
const minimumOf = (quote: TradeQuote | undefined) => quote?.minimumOut ?? 0n;

describe.each(Object.keys(QUOTES) as Trade[])('a %s', (name) => {
  const [better, worse] = name === 'sell' ? [11n, 9n] : [9n, 11n];

  test('whose quote is young enough goes to the wallet as it is', async () => {
    const { built, quoteAgain, submit } = await shownTrade(name);
    wait(10n);
    const result = await submit();
    expect(result.status).toBe('landed');
    expect(result.built.instructions).toBe(built.instructions);
    expect(quoteAgain).not.toHaveBeenCalled();
  });

  test.each([
    ['the same', 10n],
    ['better', better],
  ] as const)('whose quote is old, and the new one %s, goes on with that', async (_, tenths) => {
    const { quote, built, quoteAgain, buildAgain, events, submit } = await shownTrade(name);
    wait(11n);
    movePrice(tenths);
    const result = await submit();
    expect(result.status).toBe('landed');
    expect(quoteAgain).toHaveBeenCalledTimes(1);
    const [[fresh] = []] = buildAgain.mock.calls;
    expect(events[0]).toEqual({ type: 'requoted', quote: fresh });
    expect(minimumOf(fresh) >= quote.minimumOut).toBe(true);
    expect(result.built.instructions).not.toBe(built.instructions);
  });

  test('whose quote is old, and the new one worse: the caller sees both and declines', async () => {
    const { quote, built, accept, buildAgain, sign, events, submit } = await shownTrade(name);
    accept.mockReturnValue(false);
    wait(11n);
    movePrice(worse);
    const before = ledger.getAccount(signer.address)?.lamports;
    const result = await submit();
    if (result.status !== 'declined') throw new Error(result.status);
    expect(accept).toHaveBeenCalledWith(quote, result.quote);
    expect(result.quote).toEqual(await QUOTES[name]());
    expect(result.built).toBe(built);
    expect(result.error).toMatchObject({
      code: 'quote-mismatch',
      context: { asked: quote.minimumOut, found: result.quote.minimumOut },
    });
    expect([buildAgain, sign].map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
    expect(events).toEqual([]);
    expect(ledger.getAccount(signer.address)?.lamports).toBe(before);
  });

  test('whose new quote is worse, and accepted, lands with it', async () => {
    const { accept, buildAgain, submit } = await shownTrade(name, { maxAge: 0n });
    accept.mockResolvedValue(true);
    wait(1n);
    movePrice(worse);
    const result = await submit();
    if (result.status !== 'landed') throw new Error(result.status);
    // With the old minimum it would have failed.
    expect(result.built.instructions).toBe((await buildAgain.mock.results[0]?.value)?.instructions);
  });
});

test('only true accepts', async () => {
  const { submit, sign } = await shownTrade('buy', { accept: () => 'yes' as never });
  wait(11n);
  movePrice(11n);
  expect((await submit()).status).toBe('declined');
  expect(sign).not.toHaveBeenCalled();
});

test('a quote without details counts as old', async () => {
  const { details: _, ...bare } = await QUOTES.buy();
  const { quoteAgain, submit } = await shownTrade('buy', { quote: bare });
  expect((await submit()).status).toBe('landed');
  expect(quoteAgain).toHaveBeenCalledTimes(1);
});

test('in LiteSVM a wallet that can just pay for the new quote lands it', async () => {
  await useLedger({ engine });
  const { accept, submit } = await shownTrade('buy of an exact amount');
  const fee = 5_000n + 8_000_000n;
  const enough = ({ maxLamportSpend }: BuyQuote) => maxLamportSpend + fee + ledger.computeRentExemption(165);
  let held = 0n;
  const hold = (lamports: bigint) => ledger.setBalance(signer.address, lamports);
  accept.mockImplementation((_, fresh) => {
    held = enough(fresh as BuyQuote);
    hold(held);
    return true;
  });
  wait(11n);
  movePrice(11n);
  expect((await submit()).status).toBe('landed');
  // The exchange of this machine takes nothing, so the wrapped SOL comes back.
  expect(ledger.getAccount(signer.address)?.lamports).toBe(held - fee);
  accept.mockImplementation((_, fresh) => {
    hold(enough(fresh as BuyQuote) - 1n);
    return true;
  });
  wait(11n);
  expect((await submit()).status).toBe('failed');
});

describe('rejects, before the wallet is asked,', () => {
  test.each<[string, Partial<Requote>, string, object?]>([
    ['an age in seconds', { maxAge: 10 as never }, 'invalid-amount', { field: 'requote.maxAge' }],
    ['no quote', { quote: undefined as never }, 'invalid-input', { field: 'requote.quote' }],
    [
      'a promise of a quote',
      { quote: Promise.resolve() as never },
      'invalid-input',
      { field: 'requote.quote' },
    ],
    [
      'a sale instead of a buy',
      { quoteAgain: () => QUOTES.sell() },
      'quote-mismatch',
      { field: 'requote.quoteAgain.side' },
    ],
    [
      'another token',
      { quoteAgain: async () => ({ ...(await QUOTES.buy()), mint: STRANGER }) },
      'quote-mismatch',
      { field: 'requote.quoteAgain.mint' },
    ],
    ['nothing built', { buildAgain: async () => undefined as never }, 'invalid-input', { field: 'built' }],
  ])('%s', async (_, change, code, context) => {
    const { sign, submit } = await shownTrade('buy', change);
    wait(11n);
    await expectRefusal(submit, code, context);
    expect(sign).not.toHaveBeenCalled();
  });
});

test('an error of the new quote is thrown unchanged', async () => {
  const error = new Error('the node is away');
  const { submit } = await shownTrade('buy', { quoteAgain: () => Promise.reject(error) });
  wait(11n);
  await expect(submit()).rejects.toBe(error);
});
