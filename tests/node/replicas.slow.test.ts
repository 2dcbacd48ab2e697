import { setTimeout as pause } from 'node:timers/promises';

import {
  type Address,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  type KeyPairSigner,
  signTransaction,
} from '@solana/kit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import {
  createHeavenClient,
  MAX_MARKET_CAP_BOUND,
  quoteProAddLiquidity,
  quoteProRemoveLiquidity,
} from '../../src/index.js';
import { HEAVEN_PROGRAM_ADDRESS } from '../../src/program/index.js';
import { createEmbeddedLedger, type EmbeddedLedger } from '../../src/testing/index.js';
import { jsonText, readJson } from '../http/support.js';
import { balanceChange, balances } from '../support/balance-change.js';
import { type LedgerNode, serveLedger } from '../support/node.js';
import { type RunningProxy, startProxy } from '../support/proxy.js';
import { decodedOf } from '../support/transactions.js';
import { type BundledCli, bundleCli, serve } from './cli-support.js';

// Two servers over one node, behind a proxy that gives each request to the other one than the request before: a quote of one
// becomes a transaction of the other. Transactions are signed here and sent to the node.

let cli: BundledCli;
let ledger: EmbeddedLedger;
let node: LedgerNode;
let proxy: RunningProxy;
let creator: KeyPairSigner;
let trader: KeyPairSigner;
let mint: Address;

beforeAll(async () => {
  cli = await bundleCli();
  ledger = await createEmbeddedLedger();
  node = await serveLedger(() => ledger);
  const start = async () => (await serve(cli, { env: { RPC_URL: node.url, MINTS: '1' } })).url;
  proxy = await startProxy(await Promise.all([start(), start()]));
  [creator, trader] = await Promise.all([generateKeyPairSigner(), generateKeyPairSigner()]);
  for (const { address } of [creator, trader]) ledger.setBalance(address, 100_000_000_000n);
});
afterAll(async () => {
  cli?.remove();
  proxy?.close();
  await node?.close();
});

type Fields = Readonly<Record<string, unknown>>;

async function post(path: string, fields: Fields): Promise<Fields> {
  const response = await fetch(proxy.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    // A quote says it itself.
    body: jsonText('quote_response' in fields ? fields : { program_id: HEAVEN_PROGRAM_ADDRESS, ...fields }),
  });
  const text = await response.text();
  expect({ path, status: response.status, text }).toMatchObject({ status: 200 });
  return readJson(text);
}

const integer = (value: unknown) => BigInt(String(value));

/** Builds a transaction that pays no priority fee, signs it and sends it. Returns what the path answered. */
async function land(path: string, fields: Fields, payer: KeyPairSigner): Promise<Fields> {
  const answer = await post(path, { payer: payer.address, compute_unit_price: 0, ...fields });
  const signed = await signTransaction([payer.keyPair], decodedOf(answer.tx as string));
  await ledger.rpc.sendTransaction(getBase64EncodedWireTransaction(signed), { encoding: 'base64' }).send();
  // A wallet can't buy and sell in one slot, and the replicas cache accounts for 150 ms.
  ledger.setSlot(ledger.slot + 2n);
  await pause(200);
  return answer;
}

const changeOf = ({ address: owner }: KeyPairSigner, step: () => Promise<unknown>) =>
  balanceChange(ledger, { owner, mint }, step);

const SIGNATURE = 5_000n;

/** Buys and sells: each changes the trader's balances by what its quote says. */
async function trade(group: '' | '/pro', locator: Fields): Promise<void> {
  const swap = async (side: 'buy' | 'sell', amount: Fields) => {
    const quote = await post(`/quote${group}/${side}`, { ...locator, ...amount, slippage_bps: 50 });
    const { pool } = locator;
    const build = { quote_response: quote, encoded_user_defined_event_data: '', ...(pool ? { pool } : {}) };
    const change = await changeOf(trader, () => land(`/tx${group}/${side}`, build, trader));
    const { amount_in, amount_out } = quote.details as Fields;
    const [paid, got] = [integer(amount_in), integer(amount_out)];
    expect(change).toEqual(
      side === 'buy'
        ? { units: got, lamports: -paid - SIGNATURE }
        : { units: -paid, lamports: got - SIGNATURE },
    );
    return got;
  };
  const bought = await swap('buy', { max_sol_spend: 1.5 });
  expect(bought).toBeGreaterThan(0n);
  await swap('buy', { max_sol_spend: 0.25 });
  for (const part of [3n, 7n]) await swap('sell', { amount_in_ui: String(bought / part / 10n ** 9n) });
}

describe('two replicas behind a proxy without sticky sessions', { timeout: 60_000 }, () => {
  test('a launch: its first purchase, and trades', async () => {
    const terms = { config_version: 1, initial_purchase_percent: 2.5, slippage_bps: 50 };
    const quote = await post('/quote/initial-buy', terms);
    const launch = {
      config_version: 1,
      creator: creator.address,
      name: 'Two replicas',
      symbol: 'TWO',
      uri: 'https://example.com/token.json',
      initial_purchase_amount: quote.token_amount,
      lut_address: ledger.lookupTables.community,
      encoded_user_defined_event_data: '',
    };
    const path = '/tx/create-standard-liquidity-pool';
    const other = await post(path, { payer: creator.address, ...launch });
    const created = await land(path, launch, creator);
    mint = created.mint as Address;
    const { units } = await balances(ledger, { owner: creator.address, mint });
    // Each replica searches for its own mints.
    expect(mint).toMatch(/777$/);
    expect(other.mint).not.toBe(mint);
    expect(units).toBe(integer(quote.token_amount));

    await trade('', { mint, config_version: 1 });
    const { data } = await post('/data/pool-info', { mint });
    expect(data).toMatchObject({ creator: creator.address });
  });

  test('a pro pool: fees, liquidity, trades, claims, and the liquidity out again', async () => {
    const { units } = await balances(ledger, { owner: creator.address, mint });
    const seed = { initial_token_a_amount: units / 2n, initial_token_b_amount: 2_000_000_000n };
    const creation = { creator: creator.address, config_version: 3, mint, ...seed };
    const rest = { lut_address: ledger.lookupTables.pro, encoded_user_defined_event_data: '' };
    const { pool } = (await land('/tx/pro/create', { ...creation, ...rest }, creator)) as { pool: Address };
    const bracket = (bps: number) => ({
      brackets: [{ market_cap_upper_bound: MAX_MARKET_CAP_BOUND, buy_fee_bps: bps, sell_fee_bps: bps }],
    });
    await land('/tx/pro/set-lp-fee', { pool, ...bracket(30) }, creator);
    await land('/tx/pro/set-market-cap-creator-fee', { pool, ...bracket(70) }, creator);

    const lpTokens = async () => {
      const balance = await post('/data/lp-balance', { pool, user: creator.address });
      return { held: integer(balance.lp_token_balance), fees: integer(balance.pending_fees) };
    };
    const client = createHeavenClient({ rpc: ledger.rpc });
    const own = { pool, mint, configVersion: 3 };
    const inPool = { pool, mint, config_version: 3 };
    const { held } = await lpTokens();
    const deposit = await quoteProAddLiquidity(client, { ...own, maxTokenB: 500_000_000n, slippageBps: 50 });
    const most = { max_token_a: deposit.maxTokenA, max_token_b: deposit.maxTokenB };
    const adding = { ...inPool, ...most, min_lp_tokens: deposit.minLpTokens };
    expect(await changeOf(creator, () => land('/tx/pro/add-liquidity', adding, creator))).toEqual({
      units: -deposit.tokenA,
      lamports: -deposit.tokenB - SIGNATURE,
    });
    expect((await lpTokens()).held).toBe(held + deposit.lpTokens);

    await trade('/pro', inPool);

    const claim = (what: string) => changeOf(creator, () => land(`/tx/pro/claim-${what}`, { pool }, creator));
    const earned = integer((await post('/data/pool-state', { pool })).creator_trading_fees);
    const { fees } = await lpTokens();
    for (const amount of [earned, fees]) expect(amount).toBeGreaterThan(SIGNATURE);
    expect(await claim('creator-fees')).toEqual({ units: 0n, lamports: earned - SIGNATURE });
    expect(await claim('lp-fees')).toEqual({ units: 0n, lamports: fees - SIGNATURE });

    const lpTokensToBurn = (await lpTokens()).held / 2n;
    const out = await quoteProRemoveLiquidity(client, { ...own, lpTokensToBurn, slippageBps: 50 });
    const least = { min_token_a: out.minTokenA, min_token_b: out.minTokenB };
    const removing = { ...inPool, lp_tokens_to_burn: lpTokensToBurn, ...least };
    expect(await changeOf(creator, () => land('/tx/pro/remove-liquidity', removing, creator))).toEqual({
      units: out.tokenA,
      lamports: out.tokenB - SIGNATURE,
    });
  });

  test('both replicas quoted, built and read', () => {
    for (const paths of proxy.asked) {
      const groups = new Set([...paths].map((path) => path.split('/')[1]));
      expect([...groups].sort()).toEqual(['data', 'quote', 'tx']);
    }
  });
});
