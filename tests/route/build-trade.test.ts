import { generateKeyPairSigner, getBase64EncodedWireTransaction, signTransaction } from '@solana/kit';
import { beforeEach, describe, expect, test } from 'vitest';

import {
  type BuyQuote,
  buildBuy,
  buildProBuy,
  buildProSell,
  buildSell,
  buildTrade,
  type HeavenClient,
  quoteBest,
  quoteBuy,
  quoteBuyExactOut,
  quoteProBuy,
  quoteProSell,
  quoteSell,
  type SellQuote,
  type TransactionLifetime,
} from '../../src/index.js';
import { findAssociatedTokenAddress } from '../../src/program/index.js';
import { createSamplePoolFields } from '../../src/testing/index.js';
import { addressNamed, WALLET as payer } from '../support/addresses.js';
import { expectRefusal } from '../support/errors.js';
import { client, ledger, termsOf, useLedger } from '../support/ledger.js';

useLedger();

const slippageBps = 50;
let lifetime: TransactionLifetime;
beforeEach(async () => {
  ({ value: lifetime } = await ledger.rpc.getLatestBlockhash().send());
});

const pro = () => {
  const { mint, configVersion, pool } = ledger.pools.pro;
  return { mint, configVersion, pool, slippageBps };
};

const OPTIONS = {
  computeUnitLimit: 150_000,
  computeUnitPrice: 7n,
  transactionVersion: 1,
  wrapSol: 'none',
  tip: { to: addressNamed('tip'), lamports: 5_000n },
  encodedUserDefinedEventData: 'ref',
} as const;
const inPro = () => ({ pool: ledger.pools.pro.pool });
const exactOut = () => quoteBuyExactOut(client, { ...termsOf(), amountOut: 10n ** 12n });

test.each<[string, () => Promise<BuyQuote | SellQuote>, unknown, (() => object)?, object?]>([
  ['a buy', () => quoteBuy(client, { ...termsOf(), lamports: 10n ** 9n }), buildBuy],
  ['a sell', () => quoteSell(client, { ...termsOf(), amountIn: 10n ** 12n }), buildSell],
  [
    'a sell that closes its account',
    () => quoteSell(client, { ...termsOf(), amountIn: 10n ** 12n }),
    buildSell,
    () => ({}),
    { closeTokenAccount: true },
  ],
  ['a pro buy', () => quoteProBuy(client, { ...pro(), lamports: 10n ** 9n }), buildProBuy, inPro],
  ['a pro sell', () => quoteProSell(client, { ...pro(), amountIn: 10n ** 9n }), buildProSell, inPro],
  ['an exact-out buy, with all options of a transaction', exactOut, buildBuy, () => ({}), OPTIONS],
])('builds what the builder of the quote would: %s', async (_, quoteIt, builder, where, options) => {
  const quote = await quoteIt();
  const build = builder as (on: HeavenClient, input: object) => Promise<object>;
  const given = { payer, lifetime, encodedUserDefinedEventData: '', ...where?.(), ...options };
  expect(await buildTrade(client, { quote, payer, lifetime, ...options })).toEqual(
    await build(client, { ...given, quoteResponse: quote }),
  );
});

test('the best quotes land: a buy in a pro pool, and a sell of all of it in the standard pool of the token', async () => {
  const { creator } = ledger.pools;
  const { mint, tokenProgram } = creator;
  const { creator: fields } = await createSamplePoolFields();
  const cheap = { kind: 'pro', configVersion: 3, creator: addressNamed('cheap'), state: {} } as const;
  const reserve = { tokenA: 10n ** 16n, tokenB: 99_003_000_000n };
  const { pool } = await ledger.addPool({ ...fields, ...cheap, reserve });
  const wallet = await generateKeyPairSigner();
  ledger.setBalance(wallet.address, 5_000_000_000n);
  const account = await findAssociatedTokenAddress({ owner: wallet.address, mint, tokenProgram });
  const tokens = () => new DataView(ledger.getAccount(account)!.data.slice().buffer).getBigUint64(64, true);
  const land = async (quote: BuyQuote | SellQuote) => {
    const built = await buildTrade(client, { quote, payer: wallet.address });
    const signed = await signTransaction([wallet.keyPair], built.transaction);
    const tx = getBase64EncodedWireTransaction(signed);
    await ledger.rpc.sendTransaction(tx, { encoding: 'base64' }).send();
    return built.pool;
  };

  const bought = await quoteBest(client, { mint, side: 'buy', maxSolSpend: '1', slippageBps });
  expect(await land(bought.quote)).toBe(pool);
  // 1 SOL less 0.3 % into 99.003 SOL and ten million tokens.
  expect(tokens()).toBe(99_700_000_000_000n);
  const sold = await quoteBest(client, { mint, side: 'sell', amountIn: tokens(), slippageBps });
  expect(await land(sold.quote)).toBe(creator.pool);
  expect(tokens()).toBe(0n);
});

describe('a quote', () => {
  test('without its pool is rejected', async () => {
    const quote = await quoteBuy(client, { ...termsOf(), lamports: 10n ** 9n });
    const { details: _, ...bare } = quote;
    const field = 'quote.details.pool';
    await expectRefusal(buildTrade(client, { quote: bare, payer }), 'invalid-input', { field });
    await expectRefusal(buildTrade(client, { payer } as never), 'invalid-input', { field });
    await expectRefusal(buildTrade(client, { quote: quoteBuy as never, payer }), 'invalid-input', { field });
    const elsewhere = { ...quote, details: { ...quote.details, pool: 'x' as never } };
    await expectRefusal(buildTrade(client, { quote: elsewhere, payer }), 'invalid-address', { field });
  });

  test('whose pool was changed is rejected', async () => {
    const quote = await quoteBuy(client, { ...termsOf(), lamports: 10n ** 9n });
    const swapped = { ...quote, details: { ...quote.details, pool: ledger.pools.pro.pool } };
    await expectRefusal(buildTrade(client, { quote: swapped, payer }), 'pool-mismatch:configVersion');
    const nowhere = { ...quote, details: { ...quote.details, pool: addressNamed('nowhere') } };
    await expectRefusal(buildTrade(client, { quote: nowhere, payer }), 'pool-not-found');
  });
});
