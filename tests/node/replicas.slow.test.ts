import { setTimeout as pause } from 'node:timers/promises';

import {
  type Address,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  type KeyPairSigner,
  signTransaction,
} from '@solana/kit';
import { afterAll, beforeAll, expect, test } from 'vitest';

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

const SIGNATURE = 5_000n;

/** Buys or sells: it changes the trader's balances by what its quote says. Returns what the trader got. */
async function trade(side: 'buy' | 'sell', amount: Fields): Promise<bigint> {
  const quote = await post(`/quote/${side}`, { mint, config_version: 1, ...amount, slippage_bps: 50 });
  const build = { quote_response: quote, encoded_user_defined_event_data: '' };
  const change = await balanceChange(ledger, { owner: trader.address, mint }, () =>
    land(`/tx/${side}`, build, trader),
  );
  const { amount_in, amount_out } = quote.details as Fields;
  const [paid, got] = [integer(amount_in), integer(amount_out)];
  const [units, lamports] = side === 'buy' ? [got, -paid] : [-paid, got];
  expect(change).toEqual({ units, lamports: lamports - SIGNATURE });
  return got;
}

test('two replicas behind a proxy without sticky sessions launch a token and trade it', async () => {
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

  const bought = await trade('buy', { max_sol_spend: 1.5 });
  expect(bought).toBeGreaterThan(0n);
  await trade('buy', { max_sol_spend: 0.25 });
  for (const part of [3n, 7n]) await trade('sell', { amount_in_ui: String(bought / part / 10n ** 9n) });

  const { data } = await post('/data/pool-info', { mint });
  expect(data).toMatchObject({ creator: creator.address });
  expect((await post('/data/pool-info', { mint })).data).toEqual(data);
  // Both replicas quoted, built and read.
  for (const paths of proxy.asked) {
    const groups = new Set([...paths].map((path) => path.split('/')[1]));
    expect([...groups].sort()).toEqual(['data', 'quote', 'tx']);
  }
});
