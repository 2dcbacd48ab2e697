import { expect, test } from 'vitest';

import { createJournal } from '../../../src/check/prove/journal.js';
import { createStage, tokensIn } from '../../../src/check/prove/stage.js';
import { buildBuy, buildSell, HeavenError, quoteBuy, quoteSell } from '../../../src/index.js';
import { findAssociatedTokenAddress } from '../../../src/program/index.js';
import { createEmbeddedLedger } from '../../../src/testing/index.js';

test('runs a built trade with its own keys, and reports what changed', async () => {
  const ledger = await createEmbeddedLedger();
  const stage = createStage(ledger);
  const { mint, configVersion, tokenProgram } = ledger.pools.creator;
  const wallet = await stage.createWallet(10_000_000_000n);
  const quote = await quoteBuy(stage.client, { configVersion, mint, maxSolSpend: 1, slippageBps: 0 });
  const built = await buildBuy(stage.client, {
    payer: wallet.address,
    quoteResponse: quote,
    encodedUserDefinedEventData: '',
  });
  const ran = await stage.run(built, wallet);
  const account = await findAssociatedTokenAddress({ owner: wallet.address, mint, tokenProgram });
  expect(ran).toMatchObject({ ok: true, fee: 8_005_000n });
  expect(ran.before(account)).toBeUndefined();
  expect(tokensIn(ran.after(account), account)).toBe(quote.details.amountOut);
  expect(ran.before(wallet.address)?.lamports).toBe(10_000_000_000n);
});

test('gives tokens that can be sold, and says why a transaction failed', async () => {
  const ledger = await createEmbeddedLedger();
  const stage = createStage(ledger);
  const { creator } = ledger.pools;
  const wallet = await stage.createWallet();
  await stage.giveTokens(wallet, creator, 5_000_000_000n);
  const quote = await quoteSell(stage.client, {
    configVersion: creator.configVersion,
    mint: creator.mint,
    amountInUi: '5',
    slippageBps: 0,
  });
  const input = { payer: wallet.address, quoteResponse: quote, encodedUserDefinedEventData: '' };
  const built = await buildSell(stage.client, input);
  ledger.updatePool(creator.pool, ({ allowlist }) => ({ allowlist: { ...allowlist, swap: 0 } }));
  expect(await stage.run(built, wallet)).toMatchObject({ ok: false, code: 6018 });
  await expect(stage.prepare(built, wallet)).rejects.toThrow('prepares the scene fails with');
  ledger.updatePool(creator.pool, ({ allowlist }) => ({ allowlist: { ...allowlist, swap: 1 } }));
  expect((await stage.run(built, wallet)).ok).toBe(true);
});

test('a journal notes what could not be observed, and throws bugs', async () => {
  const journal = createJournal();
  await journal.attempt(['A4'], async () => {
    throw new HeavenError('account-not-found', 'There is no pool.', { account: 'pool', address: 'x' });
  });
  expect(journal.skipped).toEqual([{ questions: ['A4'], reason: 'There is no pool' }]);
  const bug = journal.attempt(['A4'], async () => {
    throw new TypeError('a bug');
  });
  await expect(bug).rejects.toThrow('a bug');
});
