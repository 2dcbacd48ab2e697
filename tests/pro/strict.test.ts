import type { Address } from '@solana/kit';
import { beforeEach, describe, expect, test } from 'vitest';
import { createHandler } from '../../src/http/index.js';
import {
  buildProAddLiquidity,
  buildProClaimCreatorFees,
  buildProClaimLpFees,
  buildProCreate,
  buildProSetMarketCapCreatorFee,
  buildProToggleSwap,
  buildProUpdateCreatorFeeReceiver,
  quoteProAddLiquidity,
  quoteProRemoveLiquidity,
} from '../../src/index.js';
import {
  encodeProtocolConfig,
  findProtocolConfigAddress,
  HEAVEN_PROGRAM_ADDRESS,
} from '../../src/program/index.js';
import { type SamplePool, sampleConfig } from '../../src/testing/index.js';
import { CATCH_ALL } from '../support/amounts.js';
import { expectRefusal } from '../support/errors.js';
import { client, ledger, useLedger } from '../support/ledger.js';

let pro: SamplePool;

useLedger();
beforeEach(() => {
  pro = ledger.pools.pro;
});

const locator = () => ({ pool: pro.pool, mint: pro.mint, configVersion: 3 });

const creating = (change: object = {}) => {
  ledger.setAccount(pro.pool, undefined);
  return buildProCreate(client, {
    payer: pro.creator,
    creator: pro.creator,
    encodedUserDefinedEventData: '',
    configVersion: 3,
    mint: pro.mint,
    initialTokenAAmount: 1_000n,
    initialTokenBAmount: 1_000n,
    lutAddress: ledger.lookupTables.community,
    ...change,
  });
};

describe('features', () => {
  test.each([5, 'x', [], true])('%j are none', async (features) => {
    await expectRefusal(creating({ features }), 'invalid-input', { field: 'features' });
  });

  test('a misspelt one is not created with its default', async () => {
    await expectRefusal(creating({ features: { enableSwpa: false } }), 'invalid-input', {
      field: 'features.enableSwpa',
    });
  });
});

describe('what can be known before is refused before the node is asked', () => {
  const x = 'x' as Address;
  test.each([
    [
      'a toggle of no pool',
      () => buildProToggleSwap(client, { pool: x, payer: pro.creator, enabled: true }),
      'pool',
    ],
    [
      'a claim from no pool',
      () => buildProClaimCreatorFees(client, { pool: x, payer: pro.creator, amount: 0n }),
      'pool',
    ],
    ['an LP claim from no pool', () => buildProClaimLpFees(client, { pool: x, payer: pro.creator }), 'pool'],
    [
      'a receiver of no pool',
      () =>
        buildProUpdateCreatorFeeReceiver(client, {
          pool: x,
          mint: pro.mint,
          version: 3,
          payer: pro.creator,
          newReceiver: pro.mint,
        }),
      'pool',
    ],
    [
      'a receiver with no version',
      () =>
        buildProUpdateCreatorFeeReceiver(client, {
          pool: pro.pool,
          mint: pro.mint,
          version: undefined as never,
          payer: pro.creator,
          newReceiver: pro.mint,
        }),
      'version',
    ],
    [
      'a quote of no deposit',
      () => quoteProAddLiquidity(client, { ...locator(), slippageBps: 0 }),
      'maxTokenA',
    ],
    [
      'a quote of nothing',
      () => quoteProAddLiquidity(client, { ...locator(), maxTokenB: 0n, slippageBps: 0 }),
      'maxTokenB',
    ],
    [
      'a quote of no withdrawal',
      () => quoteProRemoveLiquidity(client, { ...locator(), lpTokensToBurn: 0n, slippageBps: 0 }),
      'lpTokensToBurn',
    ],
    [
      'a deposit of nothing',
      () =>
        buildProAddLiquidity(client, {
          ...locator(),
          payer: pro.creator,
          maxTokenA: 1n,
          maxTokenB: 0n,
          minLpTokens: 0n,
        }),
      'maxTokenB',
    ],
  ])('%s', async (_, attempt, field) => {
    await expect(attempt()).rejects.toEqual(
      expect.objectContaining({ context: expect.objectContaining({ field }) }),
    );
    expect(ledger.requests).toEqual([]);
  });
});

test.each([{}, { blockhash: 7 }])('a lifetime of %j is none', async (lifetime) => {
  const attempt = buildProToggleSwap(client, {
    pool: pro.pool,
    payer: pro.creator,
    enabled: false,
    lifetime: lifetime as never,
  });
  await expectRefusal(attempt, 'invalid-input', { field: 'lifetime.blockhash' });
});

test('a creator without the token is named as such', async () => {
  await expectRefusal(creating({ creator: pro.mint }), 'invalid-token-account', { field: 'creator' });
});

test('the highest creator fee is that of the config which the pool has', async () => {
  const other = await findProtocolConfigAddress({ version: 4 });
  const data = encodeProtocolConfig({ ...sampleConfig(3), version: 4, maxCreatorTradingFee: 200 });
  ledger.setAccount(other, { owner: HEAVEN_PROGRAM_ADDRESS, data });
  const setting = (buyFeeBps: number) =>
    buildProSetMarketCapCreatorFee(client, {
      pool: pro.pool,
      payer: pro.creator,
      brackets: [{ marketCapUpperBound: CATCH_ALL, buyFeeBps, sellFeeBps: 0 }],
    });
  await expect(setting(300)).resolves.toBeDefined();
  ledger.updatePool(pro.pool, () => ({ protocolConfig: other }));
  await expectRefusal(setting(300), 'fee-too-high', { feeBps: 300, most: 200 });
  await expect(setting(200)).resolves.toBeDefined();
});

test('a path in an error is a JSON path over HTTP, whoever refuses', async () => {
  const handler = createHandler({ client });
  const response = await handler(
    new Request('http://localhost/tx/pro/set-lp-fee', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: `{"program_id":"${HEAVEN_PROGRAM_ADDRESS}","pool":"${pro.pool}","payer":"${pro.creator}",
        "brackets":[{"market_cap_upper_bound":${CATCH_ALL},"buy_fee_bps":10001,"sell_fee_bps":0}]}`,
    }),
  );
  expect(await response.json()).toMatchObject({
    error: { code: 'fee-too-high', details: { field: 'brackets.0.buy_fee_bps' } },
  });
});
