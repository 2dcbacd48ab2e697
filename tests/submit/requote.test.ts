import { createAddressWithSeed, generateKeyPairSigner, type KeyPairSigner } from '@solana/kit';
import { getCreateAccountWithSeedInstruction, getTransferSolInstruction } from '@solana-program/system';
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
import {
  findAssociatedTokenAddress,
  HEAVEN_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
  WRAPPED_SOL_MINT_ADDRESS,
} from '../../src/program/index.js';
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
async function shownTrade(name: Trade, change: Partial<Requote> = {}, input: object = {}) {
  const quoteAgain = vi.fn<() => Promise<TradeQuote>>(QUOTES[name]);
  const buildAgain = vi.fn((quote: TradeQuote) =>
    'amountIn' in quote
      ? buildSell(client, { payer: signer.address, quoteResponse: quote, ...input })
      : buildBuy(client, { payer: signer.address, quoteResponse: quote, ...input }),
  );
  const quote: TradeQuote = await QUOTES[name]();
  const built = await buildAgain(quote);
  buildAgain.mockClear();
  const accept = vi.fn<Requote['accept']>(() => expect.fail('somebody was asked'));
  const { signTransaction } = await createPracticeWallet({ signer, rpc: ledger.rpc });
  const sign = vi.fn(signTransaction);
  const events: SignAndSubmitEvent[] = [];
  const submit = (abortSignal?: AbortSignal) =>
    signAndSubmitTransaction(client as typeof client & { readonly rpc: HeavenSubmitRpc }, built, {
      sign,
      requote: { quote, maxAge: 10n, quoteAgain, buildAgain, accept, ...change },
      abortSignal,
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
    const { built, quoteAgain, events, submit } = await shownTrade(name);
    wait(10n);
    const result = await submit();
    expect(result.status).toBe('landed');
    expect(result.built.instructions).toBe(built.instructions);
    expect(quoteAgain).not.toHaveBeenCalled();
    expect(events[0]?.type).toBe('asking');
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
    const field = name === 'buy of an exact amount' ? 'amountIn' : 'minimumOut';
    expect(result.error).toMatchObject({ code: 'quote-mismatch', context: { field } });
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

test.each([
  ['without details', undefined],
  ['of a slot in the far future', { slot: 2n ** 53n }],
])('a quote %s counts as old', async (_, details) => {
  const quote = { ...(await QUOTES.buy()), details };
  const { quoteAgain, submit } = await shownTrade('buy', { quote });
  expect((await submit()).status).toBe('landed');
  expect(quoteAgain).toHaveBeenCalledTimes(1);
});

test('a quote that ages while the user compares is made once more', async () => {
  const { accept, quoteAgain, submit } = await shownTrade('buy');
  wait(11n);
  movePrice(11n);
  accept.mockImplementationOnce(() => {
    wait(300n);
    movePrice(11n);
    return true;
  });
  accept.mockReturnValueOnce(true);
  const result = await submit();
  expect(result.status).toBe('landed');
  expect([quoteAgain, accept].map(({ mock }) => mock.calls.length)).toEqual([2, 2]);
  // Each time, beside what the user saw last.
  const [[, second] = [], [shown] = []] = accept.mock.calls;
  expect(shown).toBe(second);
});

describe('what is built again', () => {
  beforeEach(() => ledger.setBalance(STRANGER, SOL));
  const transfer = () => getTransferSolInstruction({ source: signer, destination: STRANGER, amount: 1n });
  const CHANGES: Readonly<Record<string, () => object>> = {
    'a priority fee of 1 SOL': () => ({ computeUnitPrice: 5_000_000_000n }),
    'another limit': () => ({ computeUnitLimit: 250_000 }),
    'a tip': () => ({ tip: { to: STRANGER, lamports: 5n } }),
    'an instruction before it': () => ({ before: [transfer()] }),
    'an instruction after it': () => ({ after: [transfer()] }),
    'other event data': () => ({ encodedUserDefinedEventData: 'x' }),
    'another account of wrapped SOL': () => ({ wrapSol: 'temporary' }),
    'another version': () => ({ transactionVersion: 1 }),
  };

  test.each(Object.entries(CHANGES))('with %s goes to the wallet only if that is accepted', async (_, of) => {
    const build = (quoteResponse: BuyQuote, change: object) =>
      buildBuy(client, { payer: signer.address, quoteResponse, ...change });
    let isForged = true;
    // What it says of itself is that of the honest one.
    const buildAgain = async (quote: TradeQuote) => {
      const [honest, other] = await Promise.all([{}, of()].map((change) => build(quote as BuyQuote, change)));
      return isForged ? { ...honest!, transaction: other!.transaction } : other!;
    };
    const { built, accept, sign, submit } = await shownTrade('buy', { buildAgain });
    accept.mockReturnValueOnce(false);
    wait(11n);
    const declined = await submit();
    if (declined.status !== 'declined') throw new Error(declined.status);
    expect(declined.built).toBe(built);
    const [[, quote, changed] = []] = accept.mock.calls;
    expect(changed).toMatchObject({ shown: built, error: { code: 'transaction-mismatch' } });
    expect([declined.quote, declined.error]).toEqual([quote, changed?.error]);
    expect(sign).not.toHaveBeenCalled();
    isForged = false;
    accept.mockReturnValueOnce(true);
    const result = await submit();
    if (result.status !== 'landed') throw new Error(result.status);
    // What was shown is what was signed, but for the block hash.
    const [, [, , accepted] = []] = accept.mock.calls;
    expect(result.built.size).toBe(accepted?.fresh.size);
  });

  test.each(['buy', 'sell'] as const)('of a %s with the same options asks nobody', async (name) => {
    for (const change of Object.values(CHANGES)) {
      const { submit } = await shownTrade(name, {}, change());
      wait(11n);
      movePrice(name === 'sell' ? 11n : 9n);
      expect((await submit()).status).toBe('landed');
    }
  });

  test("is compared without the caller's own instructions, though they look like the trade's", async () => {
    const { address } = signer;
    const programAddress = TOKEN_PROGRAM_ADDRESS;
    const wrapped = { owner: address, mint: WRAPPED_SOL_MINT_ADDRESS, tokenProgram: programAddress };
    const destination = await findAssociatedTokenAddress(wrapped);
    const newAccount = await createAddressWithSeed({ baseAddress: address, programAddress, seed: 'x' });
    const made = { newAccount, base: address, seed: 'x', amount: 9n, space: 165n, programAddress };
    for (const input of [
      { before: [getTransferSolInstruction({ source: signer, destination, amount: 9n })] },
      { wrapSol: 'temporary', before: [getCreateAccountWithSeedInstruction({ payer: signer, ...made })] },
    ]) {
      const { buildAgain, sign, submit } = await shownTrade('buy of an exact amount', {}, input);
      sign.mockResolvedValueOnce(undefined as never);
      wait(11n);
      movePrice(9n);
      await expectRefusal(submit(), 'transaction-not-signed');
      expect(buildAgain).toHaveBeenCalledTimes(1);
    }
  });

  test('otherwise is shown beside what was shown last, and the quote may age meanwhile', async () => {
    const prices = [50_000_000n, 60_000_000n, 60_000_000n];
    const buildAgain = async (quote: TradeQuote) =>
      buildBuy(client, {
        payer: signer.address,
        quoteResponse: quote as BuyQuote,
        computeUnitPrice: prices.shift()!,
      });
    const { accept, quoteAgain, submit } = await shownTrade('buy', { buildAgain });
    wait(11n);
    accept.mockImplementationOnce(() => {
      wait(300n);
      return true;
    });
    accept.mockReturnValueOnce(true);
    expect((await submit()).status).toBe('landed');
    expect(quoteAgain).toHaveBeenCalledTimes(2);
    const [[, , first] = [], [, , second] = []] = accept.mock.calls;
    expect(second?.shown).toBe(first?.fresh);
  });
});

describe('ends when the signal fires', () => {
  const forever = new Promise<never>(() => {});
  type Aborting = <TValue>(value: TValue) => () => TValue;
  test.each<[string, (aborting: Aborting) => Partial<Requote>]>([
    ['while the quote is made', (aborting) => ({ quoteAgain: aborting(forever) })],
    ['while the user compares', (aborting) => ({ accept: aborting(forever) })],
    ['as the user accepts', (aborting) => ({ accept: aborting(true) })],
    ['while it is built', (aborting) => ({ accept: () => true, buildAgain: aborting(forever) })],
  ])('%s', async (_, change) => {
    const controller = new AbortController();
    const aborting: Aborting = (value) => () => {
      controller.abort();
      return value;
    };
    const { sign, submit } = await shownTrade('buy', change(aborting));
    wait(11n);
    movePrice(11n);
    await expectRefusal(() => submit(controller.signal), 'aborted');
    expect(sign).not.toHaveBeenCalled();
  });
});

test('in LiteSVM a wallet that can just pay for the new quote lands it', async () => {
  await useLedger({ engine });
  const { accept, submit } = await shownTrade('buy of an exact amount');
  const fee = 5_000n + 8_000_000n;
  let missing = 0n;
  let held = 0n;
  accept.mockImplementation((_, fresh) => {
    const { maxLamportSpend } = fresh as BuyQuote;
    held = maxLamportSpend + fee + ledger.computeRentExemption(165) - missing;
    ledger.setBalance(signer.address, held);
    return true;
  });
  wait(11n);
  movePrice(11n);
  expect((await submit()).status).toBe('landed');
  // The exchange of this machine takes nothing, so the wrapped SOL comes back.
  expect(ledger.getAccount(signer.address)?.lamports).toBe(held - fee);
  missing = 1n;
  wait(11n);
  expect((await submit()).status).toBe('failed');
});

describe('rejects, before the wallet is asked,', () => {
  const looser = () => quoteBuy(client, { ...terms(), maxSolSpend: 1, slippageBps: 5_000 });
  const ofStranger = async () => ({ ...(await QUOTES.buy()), mint: STRANGER });
  const buildLooser = async () => buildBuy(client, { payer: signer.address, quoteResponse: await looser() });
  const buildForStranger = (quoteResponse: BuyQuote) => {
    ledger.setBalance(STRANGER, 50n * SOL);
    return buildBuy(client, { payer: STRANGER, quoteResponse });
  };

  const rejects = async (change: object, code: string, field: string) => {
    const { sign, submit } = await shownTrade('buy', change);
    wait(11n);
    await expectRefusal(() => submit(), code, { field });
    expect(sign).not.toHaveBeenCalled();
  };
  test.each<[string, change: object, code: string, field: string]>([
    ['an age in seconds', { maxAge: 10 }, 'invalid-amount', 'requote.maxAge'],
    ['no quote', { quote: undefined }, 'invalid-input', 'requote.quote'],
    ['null for a quote', { quote: null }, 'invalid-input', 'requote.quote'],
    ['a promise of a quote', { quote: Promise.resolve() }, 'invalid-input', 'requote.quote'],
    ['no way to ask', { accept: undefined }, 'invalid-input', 'requote.accept'],
    ['null for a new quote', { quoteAgain: async () => null }, 'invalid-input', 'requote.quoteAgain'],
    ['a sale instead of a buy', { quoteAgain: QUOTES.sell }, 'quote-mismatch', 'requote.quoteAgain.side'],
    ['another token', { quoteAgain: ofStranger }, 'quote-mismatch', 'requote.quoteAgain.mint'],
    ['nothing built', { buildAgain: async () => undefined }, 'invalid-input', 'built'],
    ["another quote's build", { buildAgain: buildLooser }, 'quote-mismatch', 'requote.buildAgain.minimumOut'],
    ["another payer's build", { buildAgain: buildForStranger }, 'quote-mismatch', 'requote.buildAgain.payer'],
  ])('%s', async (_, change, code, field) => {
    await rejects(change, code, field);
  });

  test('another quote than it was built from', async () => {
    await rejects({ quote: await looser() }, 'quote-mismatch', 'built.minimumOut');
  });
});

test('an error of the new quote is thrown unchanged', async () => {
  const error = new Error('the node is away');
  const { submit } = await shownTrade('buy', { quoteAgain: () => Promise.reject(error) });
  wait(11n);
  await expect(submit()).rejects.toBe(error);
});
