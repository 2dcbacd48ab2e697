import {
  type Address,
  createSolanaRpcFromTransport,
  generateKeyPairSigner,
  getBase58Decoder,
  getBase58Encoder,
  getBase64EncodedWireTransaction,
  type RpcTransport,
  type Signature,
  signTransaction,
} from '@solana/kit';
import { beforeAll, describe, expect, test } from 'vitest';
import { UNREAD_FEE } from '../../src/history/trades.js';
import {
  createHeavenClient,
  decodePoolSnapshot,
  fetchPoolSnapshot,
  type ParsedTrade,
  type ParsedTransaction,
  type PoolSnapshot,
  parseTransaction,
} from '../../src/index.js';
import { builders } from '../../src/operations/index.js';
import type { ProtocolConfig, TradeEvent } from '../../src/program/index.js';
import { createEmbeddedLedger, type EmbeddedLedger, runSampleTrades } from '../../src/testing/index.js';
import {
  replayFindingsOf,
  replayPool,
  replayTableOf,
  replayTransactions,
  tokenAccountOf,
} from '../../src/verify/index.js';
import { capturedData as data } from '../mainnet/accounts.js';
import { locatorOf } from '../support/ledger.js';

const LIGHT_POOL = 'EkU9zGSkUnVVK6nhmPSqnxqcKPzt1PicrCjdxSbWo9uA' as Address;

// LIGHT's pool on mainnet: the reserves that its captured window began with, the buy that left the captured reserves, and a sell after it
// at the same rates (50 + 100 bps), worked out by hand.
const BEGIN = { baseReserve: 104_123_290_721_968_640n, quoteReserve: 1_555_847_880_289n };
const BUY = { amountIn: 2_974_457_039n, amountOut: 195_707_570_900_467n };
const BUY_EVENT = {
  baseReserve: 103_927_583_151_068_173n,
  quoteReserve: 1_558_777_720_473n,
  totalFeePaid: 44_616_855n,
  totalCreatorTradingFees: 29_744_570n,
  baseIn: 0n,
  baseOut: 195_707_570_900_467n,
  quoteIn: 2_974_457_039n,
  quoteOut: 0n,
};
const SELL = { amountIn: 500_000_000_000_000n, amountOut: 7_351_487_071n };
const SELL_EVENT = {
  baseReserve: 104_427_583_151_068_173n,
  quoteReserve: 1_551_314_281_823n,
  totalFeePaid: 111_951_579n,
  totalCreatorTradingFees: 29_744_570n + 74_634_386n,
  baseIn: 500_000_000_000_000n,
  baseOut: 0n,
  quoteIn: 0n,
  quoteOut: 7_463_438_650n,
};

type Change = { readonly [name in keyof TradeEvent]?: TradeEvent[name] | undefined };

/** A transaction with one instruction of the exchange on LIGHT's pool. */
function transaction(slot: bigint, side: 'buy' | 'sell', amounts: typeof BUY, event: Change) {
  const position = { instructionIndex: 0 };
  const raw = { programAddress: LIGHT_POOL, accounts: [{ address: LIGHT_POOL, role: 1 }] };
  const { amountIn, amountOut: minimumAmountOut } = amounts;
  const params = { minimumAmountOut, [side === 'buy' ? 'maxSolSpend' : 'amountIn']: amountIn };
  const whole = { priceSolUsd: 82.017599, ...event };
  return {
    signature: `s${slot}` as Signature,
    slot,
    instructions: [{ ...position, raw, parsed: { name: side, data: { params } } }],
    trades: [{ ...position, side, ...amounts, unproven: [], event: whole }],
  } as unknown as ParsedTransaction;
}

const FIRST_EVENT = { ...BUY_EVENT, ...BEGIN, totalCreatorTradingFees: 0n };
const first = transaction(411_350_000n, 'buy', BUY, FIRST_EVENT);
const buy = (change: Change = {}) => transaction(411_351_016n, 'buy', BUY, { ...BUY_EVENT, ...change });
const sell = (change: Change = {}, slot = 411_351_020n) =>
  transaction(slot, 'sell', SELL, { ...SELL_EVENT, ...change });

const BUY_PARAMS = { maxSolSpend: BUY.amountIn, minimumAmountOut: BUY.amountOut };

/** The same transaction with another instruction. */
const calling = ({ instructions, ...rest }: ParsedTransaction, parsed: object | undefined) =>
  ({
    ...rest,
    instructions: instructions.map((each) => ({ ...each, parsed })),
  }) as unknown as ParsedTransaction;

/** Another instruction on the pool. */
const passing = (name: string | undefined) =>
  calling({ ...first, trades: [] }, name === undefined ? undefined : { name });

/** A transaction whose trade has other fields. */
const trading = (
  { trades, ...rest }: ParsedTransaction,
  fields: Partial<ParsedTrade>,
): ParsedTransaction => ({
  ...rest,
  trades: trades.map((trade) => ({ ...trade, ...fields })),
});

let ledger: EmbeddedLedger;
let snapshot: PoolSnapshot;
beforeAll(async () => {
  ledger = await createEmbeddedLedger();
  snapshot = await fetchPoolSnapshot(
    createHeavenClient({ rpc: ledger.rpc }),
    locatorOf(ledger.pools.creator),
  );
});

const replay = (...transactions: Parameters<typeof replayTransactions>[2]) =>
  replayTransactions(snapshot, LIGHT_POOL, transactions);

describe("LIGHT's last trades", () => {
  test('are equal to the unit, after the first', () => {
    const report = replay(first, buy(), sell());
    expect(report.rows.map(({ verdict }) => verdict)).toEqual(['not judged', 'equal', 'equal']);
    expect(report).toMatchObject({ isEqual: true, rows: [{}, { quoteIn: 'gross' }, {}] });
    expect(report.rows[1]).toMatchObject({ said: BUY_EVENT, rate: { now: 150n, paid: [150n, 150n] } });
    expect(report.rows[2]).toMatchObject({ said: { ...SELL_EVENT, amountOut: SELL.amountOut } });
    const shown = ['411350000', 's411350000', 'buy', 'not judged', 'the first trade of the list'];
    expect(replayTableOf(report)[1]).toEqual(shown);
    expect(replayFindingsOf(report)).toEqual([
      'quote_in of a buy: gross (1 buys)',
      'Equal: 2. Different: 0. Not judged: 1.',
    ]);
  });

  test('are equal by the captured settings', () => {
    const clock = new Uint8Array(40);
    const fields = new DataView(clock.buffer);
    fields.setBigUint64(16, 1_000n, true); // the epoch, in which the mint's fee is 0
    fields.setBigInt64(32, 2_000_000_000n, true);
    const captured = decodePoolSnapshot({
      pool: data('light_sol_pool'),
      protocolConfig: data('protocol_config_v2'),
      mint: data('light_mint'),
      priceFeed: data('chainlink_sol_usd'),
      clock,
    });
    expect([captured.window.reserveA, captured.window.reserveB]).toEqual(Object.values(BEGIN));
    const { rows } = replayTransactions(captured, LIGHT_POOL, [first, buy(), sell()]);
    expect(rows.map(({ verdict }) => verdict)).toEqual(['not judged', 'equal', 'equal']);
  });

  test.each([
    ...Object.entries(BUY_EVENT).map(([name, value]) => ['buy', name, value + 1n] as const),
    ...Object.entries(SELL_EVENT).map(([name, value]) => ['sell', name, value - 1n] as const),
  ])('of which one is a %s differ by one unit of %s', (side, name, value) => {
    const changed = { [name]: value };
    const [, row] = replay(...(side === 'buy' ? [first, buy(changed)] : [buy(), sell(changed)])).rows;
    expect(row).toMatchObject({ verdict: 'different', did: changed });
  });

  test('show that quoteIn is net, if it is', () => {
    const report = replay(first, buy({ quoteIn: 2_929_840_184n }));
    expect(report).toMatchObject({ isEqual: true, rows: [{}, { quoteIn: 'net' }] });
    const neither = { isEqual: false, rows: [{}, { quoteIn: 'neither' }] };
    expect(replay(first, buy({ quoteIn: 1n }))).toMatchObject(neither);
  });

  test.each<[string, Parameters<typeof replayTransactions>[2]]>([
    ['an event of 32 bytes', [first, buy({ priceSolUsd: undefined })]],
    ['the rest of its window is missing', [buy(), sell({}, 411_351_019n)]],
    ['an unknown instruction in between', [buy(), passing(undefined), sell()]],
    ['claim_pro_creator_trading_fees in between', [buy(), passing('claim_pro_creator_trading_fees'), sell()]],
    ['the list has slot 411351021', [buy(), { ...sell(), listedSlot: 411_351_021n }]],
    // It may be in that window.
    ['the rest of its window is missing', [first, { ...buy(), listedSlot: 411_351_020n }, sell()]],
    ['its slot is before the last one', [first, sell(), buy()]],
    ['the event before leaves an empty pool', [buy({ quoteReserve: 0n }), sell()]],
    ...[Number.NaN, Number.POSITIVE_INFINITY, 1e305, 0, -82].map((price): [string, ParsedTransaction[]] => [
      `an event with a SOL price of ${price}`,
      [buy(), sell({ priceSolUsd: price })],
    ]),
    ['the balances', [buy(), trading(sell(), { unproven: ['the balances'] })]],
    ['the amounts', [buy(), trading(sell(), { unproven: ['the amounts'], amountIn: undefined })]],
    ['what arrived', [buy(), trading(sell(), { unproven: ['what arrived'], amountOut: undefined })]],
  ])('are not judged: %s', (reason, transactions) => {
    const report = replay(...transactions);
    expect(report.rows.at(-1)).toMatchObject({ verdict: 'not judged', reason });
    expect(report.isEqual).toBe(false);
  });

  test('are different if the instruction asked for something else', () => {
    const asking = (params: object) =>
      calling(buy(), { name: 'buy', data: { params: { ...BUY_PARAMS, ...params } } });
    expect(replay(first, asking({})).isEqual).toBe(true);
    const [, spent] = replay(first, asking({ maxSolSpend: BUY.amountIn + 1n })).rows;
    expect(spent).toMatchObject({ verdict: 'different', did: { amountIn: BUY.amountIn } });
    const [, under] = replay(first, asking({ minimumAmountOut: BUY.amountOut + 1n })).rows;
    expect(under).toMatchObject({ verdict: 'different', said: { rejected: `under ${BUY.amountOut + 1n}` } });
  });

  test('are different if a transfer fee was withheld that the mint does not have', () => {
    const [, row] = replay(first, trading(buy(), { transferFee: 1n })).rows;
    expect(row).toMatchObject({ verdict: 'different', said: { transferFee: 0n }, did: { transferFee: 1n } });
  });

  test('are judged if only the event leaves the fee open', () => {
    const { isEqual } = replay(first, trading(buy(), { unproven: [UNREAD_FEE] }));
    expect(isEqual).toBe(true);
  });

  test('in one window get no better price than at its start', () => {
    // The buy opens the window of the slots 411351016 to 411351019.
    const gross = (1_555_847_880_289n * SELL.amountIn) / (BEGIN.baseReserve + SELL.amountIn);
    const fee = (gross * 50n) / 10_000n + (gross * 100n) / 10_000n;
    const quoteReserve = BUY_EVENT.quoteReserve - gross;
    const totalCreatorTradingFees = BUY_EVENT.totalCreatorTradingFees + (gross * 100n) / 10_000n;
    const change = { quoteReserve, quoteOut: gross, totalFeePaid: fee, totalCreatorTradingFees };
    const event = { ...SELL_EVENT, ...change };
    const worse = transaction(411_351_019n, 'sell', { ...SELL, amountOut: gross - fee }, event);
    expect(replay(first, buy(), worse).rows[2]).toMatchObject({ verdict: 'equal' });
    expect(replay(first, buy(), sell({}, 411_351_019n)).rows[2]).toMatchObject({ verdict: 'different' });
  });
});

const client = () => createHeavenClient({ rpc: ledger.rpc });

describe.each(['creator', 'pro'] as const)('the sample trades of the pool %s', (name) => {
  beforeAll(async () => {
    ledger = await createEmbeddedLedger();
    await runSampleTrades(ledger, { pool: ledger.pools[name], count: 12, seconds: 60 });
  });

  test('are equal', async () => {
    const { rows, isEqual } = await replayPool(client(), ledger.pools[name].pool, 100);
    expect(isEqual).toBe(true);
    expect(rows.map(({ verdict }) => verdict).slice(0, 2)).toEqual(['not judged', 'equal']);
    expect(rows.filter(({ verdict }) => verdict === 'equal').length).toBeGreaterThanOrEqual(11);
  });

  test('are replayed alone where the node lists a few', async () => {
    expect((await replayPool(client(), ledger.pools[name].pool, 3)).rows).toHaveLength(3);
  });

  describe('of which one is not recorded as it happened', () => {
    type Response = Parameters<typeof parseTransaction>[0] & object;
    type Tampering = (meta: Response['meta'] & object, accounts: readonly Address[]) => void;

    /** The verdict of the last trade, after a change of its record. */
    async function lastVerdict(tamper: Tampering) {
      const { pool, mint, configVersion } = ledger.pools[name];
      const listed = await ledger.rpc.getSignaturesForAddress(pool).send();
      const config = { encoding: 'json', maxSupportedTransactionVersion: 1 } as const;
      const read = ({ signature }: (typeof listed)[number]) =>
        ledger.rpc.getTransaction(signature, config).send();
      const responses = structuredClone(await Promise.all([...listed].reverse().map(read)));
      const last = responses.at(-1) as unknown as Response;
      const keys = (last.transaction as { message: { accountKeys: Address[] } }).message.accountKeys;
      tamper(last.meta as Response['meta'] & object, keys);
      const current = await fetchPoolSnapshot(client(), { pool, mint, configVersion });
      const parsed = responses.map((response) => parseTransaction(response as unknown as Response));
      return replayTransactions(current, pool, parsed).rows.at(-1);
    }

    test('if nothing is changed, it is equal', async () => {
      expect(await lastVerdict(() => {})).toMatchObject({ verdict: 'equal' });
    });

    test('each balance counts: the user’s and both vaults’', async () => {
      let count = 0;
      await lastVerdict(({ postTokenBalances }) => {
        count = postTokenBalances?.length ?? 0;
      });
      expect(count).toBeGreaterThanOrEqual(3);
      for (let index = 0; index < count; index++) {
        const row = await lastVerdict(({ postTokenBalances }) => {
          const balance = postTokenBalances?.[index]?.uiTokenAmount as { amount: string };
          balance.amount = String(BigInt(balance.amount) + 1n);
        });
        expect(row).toMatchObject({
          verdict: 'not judged',
          reason: expect.stringContaining("which the transfers don't explain"),
        });
      }
    });

    test('each transfer counts', async () => {
      const isTransfer = (data: string) => [3, 12].includes(getBase58Encoder().encode(data)[0] as number);
      const row = await lastVerdict(({ innerInstructions }) => {
        const [calls] = innerInstructions as { instructions: { data: string }[] }[];
        const [call] = calls?.instructions.filter(({ data }) => isTransfer(data)) ?? [];
        const bytes = Uint8Array.from(getBase58Encoder().encode(call?.data ?? ''));
        bytes[1] = (bytes[1] as number) ^ 1;
        if (call !== undefined) call.data = getBase58Decoder().decode(bytes);
      });
      expect(row).toMatchObject({ verdict: expect.stringMatching(/^(not judged|different)$/) });
    });
  });

  test('are not judged if the node lists them in other slots', async () => {
    const transport: RpcTransport = async (request) => {
      const response = (await ledger.transport(request)) as { result: { slot: bigint }[] };
      const { method } = request.payload as { readonly method: string };
      if (method === 'getSignaturesForAddress') for (const entry of response.result) entry.slot += 1n;
      return response as never;
    };
    const rpc = createSolanaRpcFromTransport(transport) as typeof ledger.rpc;
    const { rows, isEqual } = await replayPool(createHeavenClient({ rpc }), ledger.pools[name].pool, 100);
    expect(isEqual).toBe(false);
    for (const { verdict, slot, ...row } of rows)
      expect({ verdict, ...row }).toMatchObject({
        verdict: 'not judged',
        reason: `the list has slot ${slot + 1n}`,
      });
  });

  test('differ by the rate where the settings have changed since', async () => {
    const isPro = name === 'pro';
    const { pool, protocolConfig } = ledger.pools[name];
    const at = ledger.slot;
    const change = ({ marketCapBasedFees: fees }: Pick<ProtocolConfig, 'marketCapBasedFees'>) => {
      const { brackets, ...others } = fees.creatorTradingFee;
      const changed = brackets.map((each) => ({ ...each, buyFeeBps: 7, sellFeeBps: 9 }));
      return { marketCapBasedFees: { ...fees, creatorTradingFee: { ...others, brackets: changed } } };
    };
    if (isPro) ledger.updatePool(pool, change);
    else ledger.updateConfig(protocolConfig, change);
    await runSampleTrades(ledger, { pool: ledger.pools[name], count: 3, seed: 2, seconds: 60 });
    const report = await replayPool(client(), pool, 100);
    const [buy, sell] = isPro ? [160n, 210n] : [150n, 150n];
    const settingsBefore = { slot: at, buy: [buy, buy], sell: [sell, sell] };
    expect(report).toMatchObject({ isEqual: false, settingsBefore });
    expect(report.rows.slice(-3).map(({ verdict }) => verdict)).toEqual(Array(3).fill('equal'));
    expect(replayFindingsOf(report)).toContain(
      `The settings may have changed after slot ${at}: until then a buy paid ${buy} bps, and a sell paid ${sell} bps.`,
    );
  });
});

test('a trade after a deposit is not judged', async () => {
  ledger = await createEmbeddedLedger();
  const { pro } = ledger.pools;
  await runSampleTrades(ledger, { pool: pro, count: 2 });
  const { pool, mint, tokenProgram, configVersion } = pro;
  const wallet = await generateKeyPairSigner();
  const owner = wallet.address;
  ledger.setBalance(owner, 10_000_000_000n);
  const terms = { maxTokenA: 2_000_000_000_000_000n, maxTokenB: 1_000_000_000n, minLpTokens: 0n };
  const account = await tokenAccountOf(owner, { mint, tokenProgram });
  ledger.setTokenAccount(account, tokenProgram, { mint, owner, amount: terms.maxTokenA });
  const input = { pool, mint, configVersion, payer: owner, ...terms };
  const { transaction } = await builders.buildProAddLiquidity(client(), input);
  const signed = await signTransaction([wallet.keyPair], transaction);
  const tx = getBase64EncodedWireTransaction(signed);
  await ledger.rpc.sendTransaction(tx, { encoding: 'base64', skipPreflight: true }).send();
  await runSampleTrades(ledger, { pool: pro, count: 2, seed: 3 });
  const { rows } = await replayPool(client(), pool, 100);
  expect(rows.slice(-2)).toMatchObject([
    { verdict: 'not judged', reason: 'add_liquidity_pro_pool in between' },
    { verdict: 'equal' },
  ]);
});
