import { createSolanaRpcFromTransport, generateKeyPairSigner, type RpcTransport } from '@solana/kit';
import { describe, expect, test } from 'vitest';

import { createHandler, type Handler } from '../../src/http/index.js';
import { createHeavenClient, type HeavenRpc } from '../../src/index.js';
import {
  CreatorTradingFeeClaimStatus,
  CreatorTradingFeeDistribution,
  findLpPositionAddress,
  HEAVEN_PROGRAM_ADDRESS,
  RENT_SYSVAR_ADDRESS,
  SOL_USD_FEED_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
} from '../../src/program/index.js';
import {
  createEmbeddedLedger,
  createFeeBrackets,
  type EmbeddedLedger,
  encodePriceFeed,
} from '../../src/testing/index.js';
import { jsonText, objectText, post, readJson } from './support.js';
import { type Fields, PAYER, workingRequests } from './working-requests.js';

// Every text that the paths can be made to say is in the names of the interface, and its numbers are for people.

const mintSigner = await generateKeyPairSigner();
const handlerOver = (rpc: HeavenRpc): Handler =>
  createHandler({
    client: createHeavenClient({ rpc, timeoutMs: 50 }),
    mintSigner: async () => mintSigner,
    observe: () => {},
  });

async function createServed() {
  const ledger = await createEmbeddedLedger();
  const handler = handlerOver(ledger.rpc);
  return { ledger, handler, requests: await workingRequests(handler, ledger) };
}
const { ledger, handler, requests } = await createServed();

/** An object's JSON text with each of its fields changed to each value. */
const mistaken = (text: string): readonly string[] =>
  Object.entries(readJson(text)).flatMap(([field]) => {
    const others = Object.entries(readJson(text)).filter(([name]) => name !== field);
    const written = others.map(([name, value]) => [name, jsonText(value)]);
    return ['0', '1e30', '9007199254740992', 'null'].map((value) =>
      objectText({ ...Object.fromEntries(written), [field]: value }),
    );
  });

interface Answer {
  readonly error?: { readonly message: string; readonly details?: Readonly<Record<string, unknown>> };
  readonly details?: object;
}

/** What an error repeats of a request. */
const REPEATED = ['value', 'asked', 'found'];

/** The texts of an answer. Not what it repeats of the request: the quoted parts. */
async function textsOf(on: Handler, path: string, fields: Fields): Promise<readonly string[]> {
  const { text } = await post(on, path, objectText(fields));
  const { error, details } = JSON.parse(text) as Answer;
  const ours = Object.entries(error?.details ?? {}).filter(([name]) => !REPEATED.includes(name));
  return [error?.message, ...stringsIn(ours), ...stringsIn(details)]
    .filter((each) => each !== undefined)
    .map((each) =>
      each.replace(/"(?:[^"\\]|\\.)*"/g, '""').replace(/\b[1-9A-HJ-NP-Za-km-z]{32,44}\b/g, 'ADDRESS'),
    );
}

const stringsIn = (value: unknown): readonly string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(stringsIn)
      : [];

/** Methods of a node, and the option of the client that an operator of the service sets. */
const NOT_FIELDS = /\b(?:get[A-Z]\w+|maxResponseBytes)\b/g;

function assertForCallers(texts: Iterable<string>): void {
  for (const text of new Set(texts)) {
    expect(text.replace(NOT_FIELDS, '')).not.toMatch(/\b[a-z]+[A-Z]\w*|\w\[\d+\]/);
    expect(text).not.toMatch(/\b\d+n\b|\.\d{10}|NaN|undefined|\[object/);
  }
}

/** What each field of each request is changed to. */
const VALUES = ['null', '"x"', '0', '-1', '18446744073709551616', '{}', '1e30', '0.1'];

const bracket = (bound: string, fee: number) =>
  `{"market_cap_upper_bound":${bound},"buy_fee_bps":${fee},"sell_fee_bps":${fee}}`;
const slots = (bound: number, fee: number) =>
  `{"slot_offset_upperbound":${bound},"buy_fee_bps":${fee},"sell_fee_bps":${fee}}`;
const LONG = JSON.stringify('é'.repeat(700));

/** Values that go together, for every path that has the first of their fields. */
const CHANGES: readonly Readonly<Record<string, string>>[] = [
  { slippage_bps: '50', slippage: '0.5' },
  { slippage: '2' },
  { initial_purchase_percent: '101' },
  { initial_purchase_percent: '100' },
  { max_sol_spend: '1000000' },
  { max_sol_spend: '0.000000000000000001' },
  { max_sol_spend: '0.000000001' },
  { amount_in_ui: '18446744073.7' },
  { amount_in_ui: '0.000000000000000001' },
  { compute_unit_limit: '0', transaction_version: '1' },
  { compute_unit_price: '18446744073709551615', transaction_version: '1', compute_unit_limit: '1400000' },
  { transaction_version: '2' },
  { loaded_accounts_data_size_limit: '0' },
  { encoded_user_defined_event_data: LONG },
  { encoded_user_defined_event_data: LONG, transaction_version: '1' },
  { encoded_user_defined_event_data: JSON.stringify('x'.repeat(500)) },
  { name: LONG },
  { uri: JSON.stringify('x'.repeat(190)), symbol: '"maxSolSpend"' },
  { config_version: '3' },
  { config_version: '2' },
  { config_version: '9' },
  { lut_address: JSON.stringify(ledger.lookupTables.creator) },
  { lut_address: JSON.stringify(PAYER) },
  { initial_purchase_amount: '1000000000000000000' },
  { initial_token_a_amount: '18446744073709551615' },
  { creator: JSON.stringify(PAYER) },
  { payer: JSON.stringify(HEAVEN_PROGRAM_ADDRESS) },
  { payer: JSON.stringify(PAYER) },
  { source: JSON.stringify(PAYER) },
  { receiver: JSON.stringify(ledger.pools.pro.creator) },
  { receiver: JSON.stringify(ledger.pools.pro.mint) },
  { new_receiver: JSON.stringify(ledger.pools.pro.creator) },
  { pool: JSON.stringify(ledger.pools.creator.pool) },
  { pool: JSON.stringify(ledger.pools.pro.pool) },
  { amount: '18446744073709551615' },
  { min_lp_tokens: '18446744073709551615' },
  { min_token_a: '18446744073709551615' },
  { lp_tokens_to_burn: '18446744073709551615' },
  { brackets: `[${bracket('5', 10_001)}]` },
  { brackets: `[${bracket('5', 10)},${bracket('5', 10)}]` },
  { brackets: `[${bracket('9223372036854775808', 10)}]` },
  { brackets: `[${bracket('5', 10)}]` },
  { brackets: `[${slots(5, 4_000)}]`, max_slot_offset: '4' },
  { brackets: `[${slots(5, 4_000)}]`, max_slot_offset: '5', max_fee_bps: '3' },
  { brackets: `[${slots(5, 9_000)},${slots(6, 1)}]`, max_slot_offset: '9', max_fee_bps: '10000' },
  { brackets: `[${slots(5, 9)},${slots(5, 1)}]`, max_slot_offset: '9', max_fee_bps: '9' },
  { creator_trading_fee: `[${bracket('5', 6_000)}]` },
  { reflection_trading_fee: `[${bracket('5', 10)},${bracket('4', 10)}]` },
  { liquidity_provider_trading_fee: `[${bracket('5', 10)}]` },
  {
    creator_slot_trading_fee: `{"brackets":[${slots(5, 9)}],"max_slot_offset":4,"max_fee_bps":9,"enabled":true}`,
  },
  {
    creator_slot_trading_fee: `{"brackets":[${slots(5, 9)}],"max_slot_offset":5,"max_fee_bps":8,"enabled":true}`,
  },
  { features: '{"enable_swaps":true}' },
];

/** States of the ledger in which operations refuse or warn. */
const STATES: Readonly<Record<string, (ledger: EmbeddedLedger) => void | Promise<void>>> = {
  'all switched off': (ledger) => {
    const off = {
      swap: 0,
      removeLiquidity: 0,
      depositLiquidity: 0,
      sameSlotTrading: 0,
      updateCreatorTradingFee: 0,
    };
    for (const { pool, protocolConfig } of [ledger.pools.creator, ledger.pools.pro, ledger.pools.community]) {
      ledger.updatePool(pool, () => ({ allowlist: off }));
      ledger.updateConfig(protocolConfig, () => ({ allowCreatePool: 0 }));
    }
  },
  'pools that open later': (ledger) => {
    for (const { pool } of [ledger.pools.creator, ledger.pools.pro])
      ledger.updatePool(pool, ({ info }) => ({ info: { ...info, openAt: ledger.unixTimestamp + 5n } }));
  },
  'too little volume': (ledger) => {
    for (const { pool } of [ledger.pools.creator, ledger.pools.pro])
      ledger.updatePool(pool, () => ({
        tradingVolumeUsd: 0.1 + 0.2,
        creatorTradingFeeTradingVolumeThreshold: 9,
      }));
  },
  'claims that are blocked': (ledger) => {
    for (const { pool } of [ledger.pools.creator, ledger.pools.pro])
      ledger.updatePool(pool, () => ({
        creatorTradingFeeDistribution: CreatorTradingFeeDistribution.Blocked,
      }));
  },
  'claims that are not processed': (ledger) => {
    for (const { pool } of [ledger.pools.creator, ledger.pools.pro]) {
      const creatorTradingFeeClaimStatus = CreatorTradingFeeClaimStatus.Submitted;
      ledger.updatePool(pool, () => ({
        creatorTradingFeeClaimStatus,
        creatorTradingFeeTradingVolumeThreshold: 0.1,
      }));
    }
  },
  'nothing to claim': async (ledger) => {
    for (const { pool } of [ledger.pools.creator, ledger.pools.pro])
      ledger.updatePool(pool, () => ({ creatorTradingFees: 0n }));
    const { pool, creator: user } = ledger.pools.pro;
    await ledger.setLpPosition({ pool, user, lpTokenBalance: 1n, rewardDebt: 0n, pendingFees: 0n });
  },
  'no positions': async (ledger) => {
    const { pool, creator: user } = ledger.pools.pro;
    ledger.setAccount(await findLpPositionAddress({ pool, user }), undefined);
  },
  'no liquidity': (ledger) => {
    ledger.setReserves(ledger.pools.pro.pool, { tokenA: 0n, tokenB: 0n });
    ledger.setReserves(ledger.pools.creator.pool, { tokenB: 1n });
    ledger.updatePool(ledger.pools.pro.pool, ({ lpToken }) => ({
      lpToken: { ...lpToken, supply: { ...lpToken.supply, total: 0n } },
    }));
  },
  'fees of everything': (ledger) => {
    for (const { protocolConfig } of [ledger.pools.creator, ledger.pools.pro, ledger.pools.community]) {
      ledger.updateConfig(protocolConfig, ({ marketCapBasedFees }) => ({
        marketCapBasedFees: {
          ...marketCapBasedFees,
          protocolTradingFee: createFeeBrackets([2n ** 63n - 1n, 10_000]),
        },
        maxCreatorTradingFee: 1,
      }));
    }
  },
  'fees that descend': (ledger) => {
    for (const { protocolConfig } of [ledger.pools.creator, ledger.pools.pro, ledger.pools.community]) {
      ledger.updateConfig(protocolConfig, ({ marketCapBasedFees }) => ({
        marketCapBasedFees: {
          ...marketCapBasedFees,
          protocolTradingFee: createFeeBrackets([5n, 1], [4n, 1]),
        },
      }));
    }
  },
  'a transfer fee': (ledger) => {
    const fee = { epoch: 0n, basisPoints: 333, maximum: 2n ** 64n - 1n };
    for (const { mint, tokenProgram } of [ledger.pools.creator, ledger.pools.pro])
      ledger.setMint(mint, tokenProgram, {
        decimals: 9,
        supply: 10n ** 18n,
        transferFee: { older: fee, newer: fee },
      });
  },
  'a window that began at half the price': (ledger) => {
    for (const { pool } of [ledger.pools.creator, ledger.pools.pro]) {
      ledger.updatePool(pool, ({ reserve }) => ({
        featureFlags: { sandwichResistantMode: 1 },
        reserve: {
          ...reserve,
          snapshotSlot: ledger.slot - (ledger.slot % 4n),
          snapshotA: reserve.tokenA / 2n,
          snapshotB: reserve.tokenB,
        },
      }));
    }
  },
  'an old price': (ledger) => setFeed(ledger, ledger.unixTimestamp - 9_999n),
  'a price of the future': (ledger) => setFeed(ledger, ledger.unixTimestamp + 9_999n),
  'no price': (ledger) => ledger.setAccount(SOL_USD_FEED_ADDRESS, undefined),
  'an impossible rent': (ledger) =>
    ledger.setAccount(RENT_SYSVAR_ADDRESS, {
      ...ledger.getAccount(RENT_SYSVAR_ADDRESS)!,
      data: new Uint8Array(17),
    }),
  'accounts of somebody else': (ledger) => {
    for (const { pool, mint } of [ledger.pools.creator, ledger.pools.pro]) {
      for (const address of [pool, mint])
        ledger.setAccount(address, { ...ledger.getAccount(address)!, owner: TOKEN_PROGRAM_ADDRESS });
    }
  },
  'accounts that are too short': (ledger) => {
    for (const { pool, mint } of [ledger.pools.creator, ledger.pools.pro]) {
      for (const address of [pool, mint]) {
        const { owner, data } = ledger.getAccount(address)!;
        ledger.setAccount(address, { owner, data: data.slice(0, 40) });
      }
    }
  },
};

const setFeed = (ledger: EmbeddedLedger, timestamp: bigint) => {
  const { owner } = ledger.getAccount(SOL_USD_FEED_ADDRESS)!;
  ledger.setAccount(SOL_USD_FEED_ADDRESS, {
    owner,
    data: encodePriceFeed({ price: 82, slot: ledger.slot, timestamp }),
  });
};

/** A node's failures. */
const FAILURES: Readonly<Record<string, (method: string) => unknown>> = {
  'no answer': () => new Promise(() => {}),
  'an error': () => Promise.reject(new TypeError('fetch failed')),
  'an answer of another kind': () => ({ jsonrpc: '2.0', id: '0', result: 5 }),
  'too few accounts': () => ({ jsonrpc: '2.0', id: '0', result: { context: { slot: 1n }, value: [] } }),
};

describe('each text is in the names of the interface', () => {
  test('for any value of any field', { timeout: 60_000 }, async () => {
    const texts = new Set<string>();
    for (const [path, { required, optional }] of Object.entries(requests)) {
      const fields = { ...required, ...optional };
      for (const field of Object.keys(fields)) {
        const values = [...VALUES, ...(fields[field]?.startsWith('{') ? mistaken(fields[field]) : [])];
        for (const value of values) {
          for (const text of await textsOf(handler, path, { ...required, [field]: value })) texts.add(text);
        }
      }
    }
    assertForCallers(texts);
    expect(texts.size).toBeGreaterThan(200);
  });

  test('for values that contradict each other', async () => {
    const texts = new Set<string>();
    for (const [path, { required, optional, alternative }] of Object.entries(requests)) {
      const fields = { ...required, ...optional, ...alternative };
      for (const change of CHANGES) {
        if (!((Object.keys(change)[0] as string) in fields)) continue;
        for (const text of await textsOf(handler, path, { ...required, ...change })) texts.add(text);
      }
    }
    assertForCallers(texts);
    const all = [...texts].join('\n');
    // One of each kind, which would show if nothing was collected: an error, a reason, a warning, an instruction.
    for (const part of [
      'set transaction_version to 1',
      'max_slot_offset is 4',
      'Check lut_address.',
      'Exchange: ',
    ])
      expect(all).toContain(part);
  });

  const working = async (served: Awaited<ReturnType<typeof createServed>>) => {
    const texts = Object.entries(served.requests).map(async ([path, { required }]) =>
      textsOf(served.handler, path, required),
    );
    return new Set((await Promise.all(texts)).flat());
  };

  test.each(Object.entries(STATES))('with %s', async (_, arrange) => {
    const served = await createServed();
    const before = await working(served);
    await arrange(served.ledger);
    const texts = await working(served);
    assertForCallers(texts);
    // The state matters to somebody.
    expect([...texts].filter((text) => !before.has(text))).not.toEqual([]);
  });

  test.each(Object.entries(FAILURES))('with a node that gives %s', async (_, fail) => {
    const transport = (({ payload }: { readonly payload: { readonly method: string } }) =>
      Promise.resolve(fail(payload.method))) as RpcTransport;
    const failing = handlerOver(createSolanaRpcFromTransport(transport) as HeavenRpc);
    const texts = await Promise.all(
      Object.entries(requests).map(([path, { required }]) => textsOf(failing, path, required)),
    );
    assertForCallers(texts.flat());
    expect(texts.every((each) => each.length > 0)).toBe(true);
  });
});
