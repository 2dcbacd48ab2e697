import {
  type AccountMeta,
  AccountRole,
  type Address,
  createSolanaRpcFromTransport,
  type Instruction,
  type RpcTransport,
  type Signature,
} from '@solana/kit';
import { getSetComputeUnitLimitInstruction } from '@solana-program/compute-budget';
import {
  getCloseAccountInstruction,
  getSyncNativeInstruction,
  getTransferCheckedInstruction,
  getTransferInstruction,
} from '@solana-program/token';
import { describe, expect, test } from 'vitest';
import { isHeavenError, parseLogs, parseTransaction, type TransactionResponse } from '../../src/index.js';
import {
  type BuyInput,
  HEAVEN_PROGRAM_ADDRESS as EXCHANGE,
  getBuyInstruction,
  getProBuyInstruction,
  getSellInstruction,
  TOKEN_2022_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
  WRAPPED_SOL_MINT_ADDRESS,
} from '../../src/program/index.js';
import { createEmbeddedLedger } from '../../src/testing/index.js';
import { addressNamed } from '../support/addresses.js';
import { type Confirmed, confirmed, logsOf, type Ran, tradeLine } from '../support/confirmed.js';
import { heavenError } from '../support/errors.js';
import { fc } from '../support/properties.js';

// A trade as it really was: the LIGHT/SOL pool's last buy before it was captured on mainnet. All figures were worked out
// from the protocol's formulas in another language (Python integers). Of 2974457039 lamports, 50 and 100 basis points
// (14872285 + 29744570) are fees, and the other 2929840184 buy 195707570900467 units; the reserves are those after it.
const RESERVE_A = 103_927_583_151_068_173n;
const RESERVE_B = 1_558_777_720_473n;
const BUY = { lamports: 2_974_457_039n, net: 2_929_840_184n, fee: 44_616_855n, tokens: 195_707_570_900_467n };
const BUY_EVENT = [RESERVE_A, RESERVE_B, 420_891_248_646n, BUY.fee, 0n, BUY.tokens, BUY.net, 0n] as const;
// The next trade, a sell of 500000 tokens at the same rates.
const SELL = { tokens: 500_000_000_000_000n, gross: 7_463_438_650n, fee: 111_951_579n, net: 7_351_487_071n };
const SELL_EVENT = [
  104_427_583_151_068_173n,
  1_551_314_281_823n,
  420_891_248_646n,
  SELL.fee,
  SELL.tokens,
  0n,
  0n,
  SELL.gross,
] as const;

/** A list with another item at one place. */
const replaced = (list: readonly bigint[], place: number, item: bigint): readonly bigint[] =>
  list.map((old, index) => (index === place ? item : old));

const USER = addressNamed('user');
const MINT = addressNamed('mint');
const ROUTER = addressNamed('router');
const ED25519 = 'Ed25519SigVerify111111111111111111111111111' as Address;
const ACCOUNTS = {
  tokenAProgram: TOKEN_2022_PROGRAM_ADDRESS,
  liquidityPoolState: addressNamed('pool'),
  user: USER,
  tokenAMint: MINT,
  userTokenAVault: addressNamed('user tokens'),
  userTokenBVault: addressNamed('user sol'),
  tokenAVault: addressNamed('vault a'),
  tokenBVault: addressNamed('vault b'),
  protocolConfig: addressNamed('config'),
};
type Accounts = typeof ACCOUNTS;
const classic: Accounts = { ...ACCOUNTS, tokenAProgram: TOKEN_PROGRAM_ADDRESS as never };
const buyParams = {
  params: { maxSolSpend: BUY.lamports, minimumAmountOut: 1n, encodedUserDefinedEventData: '' },
};
const sellParams = {
  params: { amountIn: SELL.tokens, minimumAmountOut: 1n, encodedUserDefinedEventData: '' },
};
const budget: Ran = { instruction: getSetComputeUnitLimitInstruction({ units: 200_000 }) };

const moveSol = (source: Address, destination: Address, amount: bigint): Ran => ({
  instruction: getTransferInstruction({ source, destination, authority: USER, amount }),
});
const moveTokens = (
  { tokenAProgram }: Accounts,
  source: Address,
  destination: Address,
  amount: bigint,
  fee?: bigint,
): Ran => {
  const checked = getTransferCheckedInstruction(
    { source, mint: MINT, destination, authority: USER, amount, decimals: 9 },
    { programAddress: tokenAProgram },
  );
  if (fee === undefined) return { instruction: checked };
  // TransferCheckedWithFee: 26, 1, then amount, decimals, fee.
  const data = new Uint8Array(19);
  data.set([26, 1]);
  new DataView(data.buffer).setBigUint64(2, amount, true);
  data[10] = 9;
  new DataView(data.buffer).setBigUint64(11, fee, true);
  return { instruction: { ...checked, data } };
};

interface Options {
  readonly event?: readonly bigint[] | null;
  readonly accounts?: Accounts;
  readonly transferFee?: bigint;
  readonly logs?: readonly string[];
  readonly pro?: boolean;
}

const buy = ({ event = BUY_EVENT, accounts = ACCOUNTS, transferFee, logs = [], pro }: Options = {}): Ran => ({
  instruction: (pro ? getProBuyInstruction : getBuyInstruction)({ ...accounts, ...buyParams } as BuyInput),
  calls: [
    moveSol(accounts.userTokenBVault, accounts.tokenBVault, BUY.lamports),
    moveTokens(accounts, accounts.tokenAVault, accounts.userTokenAVault, BUY.tokens, transferFee),
  ],
  logs: ['Program log: Instruction: Buy', ...(event === null ? [] : [tradeLine(event)]), ...logs],
});
const sell = ({ event = SELL_EVENT, accounts = ACCOUNTS }: Options = {}): Ran => ({
  instruction: getSellInstruction({ ...accounts, ...sellParams }),
  calls: [
    moveTokens(accounts, accounts.userTokenAVault, accounts.tokenAVault, SELL.tokens),
    moveSol(accounts.tokenBVault, accounts.userTokenBVault, SELL.net),
  ],
  logs: event === null ? [] : [tradeLine(event)],
});

/** What the user holds of the token, before and after. */
const tokens = (before: bigint | undefined, after: bigint | undefined) => ({
  account: ACCOUNTS.userTokenAVault,
  mint: MINT,
  ...(before === undefined ? {} : { before }),
  ...(after === undefined ? {} : { after }),
});
const bought = tokens(7n, 7n + BUY.tokens);

const parse = (ran: readonly Ran[], options: Partial<Confirmed> = {}) =>
  parseTransaction(confirmed({ feePayer: USER, ran, ...options }) as unknown as TransactionResponse);
const tradeOf = (ran: readonly Ran[], options: Partial<Confirmed> = {}) => {
  const { trades } = parse(ran, options);
  expect(trades).toHaveLength(1);
  return trades[0]!;
};

describe('a buy', () => {
  test.each(['base64', 'json'] as const)("is described from its user's side (%s)", (encoding) => {
    const parsed = parse([budget, buy()], { holdings: [bought], encoding });
    expect(parsed.trades).toEqual([
      {
        instructionIndex: 1,
        side: 'buy',
        kind: 'standard',
        pool: ACCOUNTS.liquidityPoolState,
        mint: MINT,
        decimals: 9,
        user: USER,
        amountIn: BUY.lamports,
        amountOut: BUY.tokens,
        totalFee: BUY.fee,
        transferFee: 0n,
        networkFee: 5_000n,
        price: {
          lamports: BUY.lamports,
          tokenUnits: BUY.tokens,
          solPerToken: expect.closeTo(1.5198477122342651e-5, 15),
        },
        event: expect.objectContaining({ baseOut: BUY.tokens, quoteIn: BUY.net, priceSolUsd: 82 }),
        unproven: [],
      },
    ]);
    expect(parsed).toMatchObject({
      slot: 411_354_049n,
      blockTime: 1_775_456_070n,
      error: undefined,
      record: { logs: 'complete', innerInstructions: 'complete', tokenBalances: 'complete' },
    });
    // 64 bytes of 9 in base58.
    expect(parsed.signature).toMatch(/^[1-9A-HJ-NP-Za-km-z]{86,88}$/);
  });

  test('costs its user no network fee if another wallet paid it', () => {
    expect(tradeOf([buy()], { feePayer: addressNamed('payer') }).networkFee).toBe(0n);
  });

  test('has its instruction by name, with accounts, arguments and events', () => {
    const { instructions } = parse([budget, buy()], { holdings: [bought] });
    expect(instructions).toHaveLength(1);
    const [{ parsed, events, raw, ...position }] = instructions as [(typeof instructions)[number]];
    expect(position).toEqual({ instructionIndex: 1 });
    if (parsed?.name !== 'buy') throw new Error('It is a buy');
    expect(parsed.data.params.maxSolSpend).toBe(BUY.lamports);
    expect(parsed.accounts.user).toEqual({ address: USER, role: AccountRole.WRITABLE_SIGNER });
    expect(parsed.accounts.tokenBMint.address).toBe(WRAPPED_SOL_MINT_ADDRESS);
    expect(events.map(({ name }) => name)).toEqual(['TradeEvent']);
    expect(raw.programAddress).toBe(EXCHANGE);
  });

  test("is read from kit's response, with matching types", async () => {
    const answer = confirmed({ feePayer: USER, ran: [budget, buy()], holdings: [bought] });
    const rpc = createSolanaRpcFromTransport((async () => ({
      jsonrpc: '2.0',
      id: '0',
      result: structuredClone(answer),
    })) as RpcTransport) as ReturnType<typeof import('@solana/kit').createSolanaRpc>;
    const signature = '5'.repeat(88) as Signature;
    const config = { maxSupportedTransactionVersion: 1 } as const;
    const asBase64 = await rpc.getTransaction(signature, { ...config, encoding: 'base64' }).send();
    expect(parseTransaction(asBase64).trades[0]).toMatchObject({ amountOut: BUY.tokens, unproven: [] });
    // Only for their types: legacy transactions, and the other encodings.
    const others = async () => [
      parseTransaction(await rpc.getTransaction(signature, { encoding: 'base64' }).send()),
      parseTransaction(await rpc.getTransaction(signature, { ...config, encoding: 'json' }).send()),
    ];
    expect(others).toBeTypeOf('function');
  });

  test('with an account of wrapped SOL that is made and closed on the way', () => {
    const account = ACCOUNTS.userTokenBVault;
    const around: Ran[] = [
      { instruction: getSyncNativeInstruction({ account }) },
      buy(),
      { instruction: getCloseAccountInstruction({ account, destination: USER, owner: USER }) },
    ];
    expect(tradeOf(around, { holdings: [bought] })).toMatchObject({ amountIn: BUY.lamports, unproven: [] });
  });
});

describe('the fees of a buy', () => {
  const feeOf = (event: readonly bigint[]) => tradeOf([buy({ event })], { holdings: [bought] });
  const [a, b, c] = BUY_EVENT;

  test('from an event whose quoteIn is before fees, and whose totalFeePaid makes the curve fit', () => {
    expect(feeOf([a, b, c, BUY.fee, 0n, BUY.tokens, BUY.lamports, 0n]).totalFee).toBe(BUY.fee);
  });

  test('from an event whose totalFeePaid is the sum of all trades, and whose quoteIn is without fees', () => {
    expect(feeOf([a, b, c, 14_000_000_000_000n, 0n, BUY.tokens, BUY.net, 0n]).totalFee).toBe(BUY.fee);
  });

  test('from the event of an earlier version, by the curve', () => {
    const trade = feeOf([a, b, c, BUY.fee]);
    expect(trade).toMatchObject({ totalFee: BUY.fee, amountIn: BUY.lamports, amountOut: BUY.tokens });
    expect(trade.event).not.toHaveProperty('quoteIn');
  });

  test('of a sandwich window, if the curve does not fit but two figures agree', () => {
    expect(feeOf(replaced(BUY_EVENT, 0, 2n * a)).totalFee).toBe(BUY.fee);
  });

  test('are unknown if several figures fit', () => {
    // 520 * 990 / 100000 and 520 * 988 / 100000 are both 5 and a bit.
    const { instruction } = buy();
    const ran = (fee: bigint, quoteIn: bigint): Ran => ({
      instruction,
      calls: [
        moveSol(ACCOUNTS.userTokenBVault, ACCOUNTS.tokenBVault, 1_000n),
        moveTokens(ACCOUNTS, ACCOUNTS.tokenAVault, ACCOUNTS.userTokenAVault, 5n),
      ],
      logs: [tradeLine([515n, 100_000n, 0n, fee, 0n, 5n, quoteIn, 0n])],
    });
    const feeIn = (one: Ran) => tradeOf([one], { holdings: [tokens(0n, 5n)] }).totalFee;
    expect(feeIn(ran(10n, 988n))).toBeUndefined();
    expect(feeIn(ran(10n, 990n))).toBe(10n);
    expect(feeIn(ran(10n, 1_000n))).toBeUndefined();
    expect(feeIn(ran(10n, 100n))).toBe(10n);
  });

  test('are unknown if no figure fits', () => {
    const wrong = [
      [a, b, c, BUY.fee + 1n],
      [a, b, c, 14_000_000_000_000n],
      [a, b, c, BUY.fee + 1n, 0n, BUY.tokens, BUY.lamports, 0n],
      // Reserves from before the trade: the curve is another one.
      [a + BUY.tokens, b - BUY.net, c, BUY.fee],
      [0n, 0n, c, BUY.fee],
    ];
    for (const event of wrong) {
      const trade = feeOf(event);
      expect(trade.totalFee).toBeUndefined();
      expect(trade.unproven).toEqual(['The fees: no reading of the event agrees with what moved.']);
      expect(trade.amountOut).toBe(BUY.tokens);
    }
  });
});

describe('a sell', () => {
  test("is described from its user's side", () => {
    expect(tradeOf([sell()], { holdings: [tokens(SELL.tokens, 0n)] })).toMatchObject({
      instructionIndex: 0,
      side: 'sell',
      amountIn: SELL.tokens,
      amountOut: SELL.net,
      totalFee: SELL.fee,
      transferFee: 0n,
      price: {
        lamports: SELL.net,
        tokenUnits: SELL.tokens,
        solPerToken: expect.closeTo(1.4702974142e-5, 15),
      },
      unproven: [],
    });
  });

  test('whose token account is closed after it', () => {
    const close = getCloseAccountInstruction(
      { account: ACCOUNTS.userTokenAVault, destination: USER, owner: USER },
      { programAddress: TOKEN_2022_PROGRAM_ADDRESS },
    );
    const trade = tradeOf([sell(), { instruction: close }], { holdings: [tokens(SELL.tokens, undefined)] });
    expect(trade).toMatchObject({ amountIn: SELL.tokens, unproven: [] });
  });

  test('with the event of an earlier version, by the curve', () => {
    const event = SELL_EVENT.slice(0, 4);
    expect(tradeOf([sell({ event })]).totalFee).toBe(SELL.fee);
    expect(tradeOf([sell({ event: replaced(event, 3, SELL.fee - 1n) })]).totalFee).toBeUndefined();
  });

  test('whose event says less than what arrived has no fees', () => {
    const trade = tradeOf([sell({ event: replaced(SELL_EVENT, 7, SELL.net - 1n) })]);
    expect(trade.totalFee).toBeUndefined();
    expect(trade.amountOut).toBe(SELL.net);
  });
});

describe('what Token-2022 withholds', () => {
  const withheld = 1_957_075_709_005n;
  const arrived = BUY.tokens - withheld;
  const account = ACCOUNTS.userTokenAVault;
  const away = (amount: bigint) => moveTokens(ACCOUNTS, account, addressNamed('friend'), amount);

  test('shows in the balances', () => {
    expect(tradeOf([buy()], { holdings: [tokens(undefined, arrived)] })).toMatchObject({
      amountOut: arrived,
      transferFee: withheld,
      totalFee: BUY.fee,
      price: { tokenUnits: arrived },
      unproven: [],
    });
  });

  test('shows in the balances behind another transfer', () => {
    expect(tradeOf([buy(), away(5n)], { holdings: [tokens(9n, 4n + arrived)] })).toMatchObject({
      amountOut: arrived,
      transferFee: withheld,
    });
  });

  test('is stated by a transfer that names its fee', () => {
    const ran = [buy({ transferFee: withheld })];
    expect(tradeOf(ran)).toMatchObject({ amountOut: arrived, transferFee: withheld, unproven: [] });
    expect(tradeOf(ran, { holdings: [tokens(0n, arrived)] }).amountOut).toBe(arrived);
    const contradicted = tradeOf(ran, { holdings: [tokens(0n, arrived - 1n)] });
    expect(contradicted.amountOut).toBeUndefined();
    expect(contradicted.unproven[0]).toContain("the transfers don't explain");
  });

  test('is unknown without balances', () => {
    for (const options of [{}, { meta: { preTokenBalances: null, postTokenBalances: null } }]) {
      const trade = tradeOf([buy()], options);
      expect(trade).toMatchObject({ amountIn: BUY.lamports, amountOut: undefined, transferFee: undefined });
      expect(trade.price).toBeUndefined();
      expect(trade.unproven).toEqual([
        `What arrived in ${account}: ${BUY.tokens} units were sent, and the transaction does not tell what Token-2022 withheld of this transfer.`,
      ]);
    }
  });

  test("is not derived from another token's balance", () => {
    const other = { ...tokens(undefined, arrived), mint: addressNamed('another mint') };
    expect(tradeOf([buy()], { holdings: [other] }).amountOut).toBeUndefined();
  });

  test('is unknown for each of two buys, unless nothing was withheld', () => {
    const twice = [buy(), buy()];
    const some = parse(twice, { holdings: [tokens(0n, 2n * arrived)] });
    expect(some.trades.map(({ amountOut }) => amountOut)).toEqual([undefined, undefined]);
    const none = parse(twice, { holdings: [tokens(0n, 2n * BUY.tokens)] });
    expect(none.trades.map(({ amountOut }) => amountOut)).toEqual([BUY.tokens, BUY.tokens]);
  });

  test('is nothing with the classic Token program, which needs no balances', () => {
    expect(tradeOf([buy({ accounts: classic })])).toMatchObject({
      amountOut: BUY.tokens,
      transferFee: 0n,
      unproven: [],
    });
  });
});

describe('contradictions', () => {
  test('between balances and transfers leave the amount out', () => {
    for (const after of [BUY.tokens + 1n, -1n + 0n]) {
      const holdings = [tokens(after < 0n ? 1n : 0n, after < 0n ? 0n : after)];
      const trade = tradeOf([buy()], { holdings });
      expect(trade.amountOut).toBeUndefined();
      expect(trade.unproven[0]).toContain("which the transfers don't explain");
    }
  });

  test('between wrapped SOL balances and transfers too', () => {
    const sol = { account: ACCOUNTS.userTokenBVault, mint: WRAPPED_SOL_MINT_ADDRESS, before: 3_000_000_000n };
    const right = { ...sol, after: sol.before - BUY.lamports };
    expect(tradeOf([buy()], { holdings: [bought, right] }).unproven).toEqual([]);
    const wrong = { ...right, after: right.after + 1n };
    expect(tradeOf([buy()], { holdings: [bought, wrong] }).amountIn).toBeUndefined();
  });

  test("don't arise if SOL was wrapped in between", () => {
    const account = ACCOUNTS.userTokenBVault;
    const sol = { account, mint: WRAPPED_SOL_MINT_ADDRESS, before: 10n, after: 10n };
    const wrap: Ran = { instruction: getSyncNativeInstruction({ account }) };
    const trade = tradeOf([wrap, buy()], { holdings: [bought, sol] });
    expect(trade).toMatchObject({ amountIn: BUY.lamports, unproven: [] });
  });

  test('between event and transfers are named', () => {
    const trade = tradeOf([buy({ event: replaced(BUY_EVENT, 5, 1n) })], { holdings: [bought] });
    expect(trade.unproven).toEqual([
      `The event says that 1 token units moved, and the transfers are ${BUY.tokens}.`,
    ]);
  });

  test('a trade without transfers has no amounts', () => {
    const { calls: _, ...still } = buy();
    const trade = tradeOf([still, { instruction: getSyncNativeInstruction({ account: addressNamed('x') }) }]);
    expect(trade).toMatchObject({ amountIn: undefined, amountOut: undefined, totalFee: undefined });
    expect(trade.unproven).toHaveLength(2);
  });

  const balanceOf = (decimals: unknown, accountIndex: unknown = 0) => [
    { accountIndex, mint: MINT, uiTokenAmount: { amount: '1', decimals } },
  ];

  test.each<[string, unknown]>([
    ['an entry that is none', [null]],
    ['an entry of nothing', [{}]],
    ['no list', { length: 5 }],
    ['of no account', balanceOf(9, null)],
    ...[2n ** 70n, 1e9, -1, 0.5, 'x', undefined, null].map((decimals): [string, unknown] => [
      `with ${decimals} decimals`,
      balanceOf(decimals),
    ]),
  ])('rejects invalid balances: %s', (_, list) => {
    for (const name of ['preTokenBalances', 'postTokenBalances'])
      expect(() => parse([buy()], { meta: { [name]: list } })).toThrow(heavenError('malformed-data'));
  });

  test('rejects a balance that is not a number', () => {
    const response = confirmed({ feePayer: USER, ran: [buy()], holdings: [bought] });
    response.meta.postTokenBalances[0]!.uiTokenAmount.amount = '1.5';
    expect(() => parseTransaction(response as never)).toThrow(heavenError('malformed-data'));
  });
});

/** A program that calls the exchange: it is given all accounts of what it calls. */
const router = (calls: readonly Ran[], logs: readonly string[] = []): Ran => ({
  instruction: {
    programAddress: ROUTER,
    accounts: calls.flatMap(({ instruction }): AccountMeta[] => [
      ...((instruction.accounts ?? []) as AccountMeta[]),
      { address: instruction.programAddress, role: AccountRole.READONLY },
    ]),
    data: new Uint8Array([1]),
  },
  calls,
  logs,
});
const signatureCheck: Ran = {
  instruction: { programAddress: ED25519, accounts: [], data: new Uint8Array([1, 0]) },
  isSilent: true,
};

describe('which instruction an event belongs to', () => {
  test('after a signature check, which logs nothing', () => {
    const ran = [signatureCheck, budget, signatureCheck, buy()];
    const { instructions, trades } = parse(ran, { holdings: [bought] });
    expect(instructions.map(({ instructionIndex, events }) => [instructionIndex, events.length])).toEqual([
      [3, 1],
    ]);
    expect(trades[0]).toMatchObject({ instructionIndex: 3, unproven: [] });
    // The logs alone don't show the two.
    expect(parseLogs(logsOf(ran)).events[0]?.emittedBy).toEqual({ instructionIndex: 1, stackHeight: 1 });
  });

  test('of several in one transaction, directly and through other programs', () => {
    const other = { ...ACCOUNTS, liquidityPoolState: addressNamed('other pool') };
    const ran = [
      signatureCheck,
      router([moveSol(ACCOUNTS.userTokenBVault, addressNamed('tip'), 1n), buy(), router([sell()])]),
      buy({ accounts: other, event: replaced(BUY_EVENT, 2, 1n), pro: true }),
    ];
    const parsed = parse(ran);
    expect(
      parsed.trades.map(({ instructionIndex, innerIndex, kind, side, pool, amountIn, event }) => [
        instructionIndex,
        innerIndex,
        kind,
        side,
        pool,
        amountIn,
        event?.totalCreatorTradingFees,
      ]),
    ).toEqual([
      // Behind the tip; the buy's two transfers and the inner router come before the sell.
      [1, 1, 'standard', 'buy', ACCOUNTS.liquidityPoolState, BUY.lamports, 420_891_248_646n],
      [1, 5, 'standard', 'sell', ACCOUNTS.liquidityPoolState, SELL.tokens, 420_891_248_646n],
      [2, undefined, 'pro', 'buy', other.liquidityPoolState, BUY.lamports, 1n],
    ]);
  });

  test("the same bytes from another program are not the exchange's", () => {
    const trade = tradeOf([router([buy({ event: null })], [tradeLine(BUY_EVENT)])], { holdings: [bought] });
    expect(trade.event).toBeUndefined();
    expect(trade.unproven).toEqual([
      'The event, and so the fees: the logs show 0 events of this trade instead of one.',
    ]);
  });

  test('two trade events of one instruction count as none', () => {
    const trade = tradeOf([buy({ logs: [tradeLine(BUY_EVENT)] })], { holdings: [bought] });
    expect(trade).toMatchObject({ event: undefined, amountOut: BUY.tokens });
    expect(trade.unproven[0]).toBe(
      'The event, and so the fees: the logs show 2 events of this trade instead of one.',
    );
  });

  test('an event of a later version has more bytes', () => {
    const line = tradeLine(BUY_EVENT, 82, 40);
    expect(tradeOf([buy({ event: null, logs: [line] })], { holdings: [bought] })).toMatchObject({
      totalFee: BUY.fee,
      unproven: [],
    });
  });

  test('without stack heights, it is not known who called whom', () => {
    const response = confirmed({ feePayer: USER, ran: [router([buy(), sell()])] });
    const [group] = response.meta.innerInstructions as unknown as [
      { instructions: { stackHeight: unknown }[] },
    ];
    for (const inner of group.instructions) inner.stackHeight = null;
    const { trades } = parseTransaction(response as never);
    expect(trades.map(({ amountIn }) => amountIn)).toEqual([undefined, undefined]);
    expect(trades[0]?.unproven[0]).toMatch(/^The amounts: /);
    expect(trades[0]?.event).toBeDefined();
  });
});

describe('missing records', () => {
  test("without logs: the amounts are known, the event and the fees aren't", () => {
    for (const logMessages of [null, []]) {
      const parsed = parse([buy()], { holdings: [bought], meta: { logMessages } });
      expect(parsed.record.logs).toBe('missing');
      expect(parsed.trades[0]).toMatchObject({
        amountIn: BUY.lamports,
        amountOut: BUY.tokens,
        totalFee: undefined,
        event: undefined,
        unproven: ['The event, and so the fees: the logs show 0 events of this trade instead of one.'],
      });
    }
  });

  test('the end of the logs', () => {
    const logs = logsOf([budget, buy(), sell()]);
    const cut = logs.slice(0, logs.lastIndexOf(tradeLine(SELL_EVENT)));
    const parsed = parse([budget, buy(), sell()], {
      meta: { logMessages: [...cut, 'Log truncated', ...logs.slice(-1)] },
    });
    expect(parsed.record.logs).toBe('truncated');
    expect(parsed.trades.map(({ totalFee }) => totalFee)).toEqual([BUY.fee, undefined]);
    expect(parsed.trades[1]?.unproven[0]).toBe(
      'The event, and so the fees: the logs show 0 events of this trade instead of one.',
    );
  });

  test('inner instructions', () => {
    const parsed = parse([router([buy()]), buy()], { meta: { innerInstructions: null } });
    expect(parsed.record.innerInstructions).toBe('missing');
    // The one that the router called can't be seen.
    expect(parsed.trades).toHaveLength(1);
    expect(parsed.trades[0]).toMatchObject({
      instructionIndex: 1,
      amountIn: undefined,
      amountOut: undefined,
    });
    expect(parsed.trades[0]?.unproven[0]).toMatch(/^The amounts: the node does not say/);
    expect(parsed.trades[0]?.event).toBeDefined();
  });

  test('anything at all', () => {
    const response = { ...confirmed({ feePayer: USER, ran: [buy()] }), meta: null };
    expect(() => parseTransaction(response as never)).toThrow(
      heavenError('invalid-input', { field: 'transaction.meta' }),
    );
    expect(() => parseTransaction(null)).toThrow(heavenError('invalid-input', { field: 'transaction' }));
  });

  test.each([undefined, 'text', 7, {}, { transaction: 'x', meta: {} }])(
    'rejects what is not a transaction: %j',
    (value) => {
      expect(() => parseTransaction(value as never)).toThrow(heavenError('invalid-input'));
    },
  );

  test.each([
    ['bytes that are none', ['AAAA', 'base64']],
    ['no base64', ['!', 'base64']],
    ['another encoding', ['AAAA', 'base85']],
    ['an empty object', {}],
  ])('%s', (_, transaction) => {
    expect(() => parseTransaction({ transaction, slot: 1n, meta: { err: null } })).toThrow(
      heavenError('malformed-data'),
    );
  });

  test.each([
    ['jsonParsed', { message: { accountKeys: [], instructions: [] }, signatures: [] }],
    ['base58', ['1111', 'base58']],
  ])('rejects %s, and says which encoding to request', (_, transaction) => {
    expect(() => parseTransaction({ transaction, slot: 1n, meta: { err: null } })).toThrow(
      expect.objectContaining({
        code: 'malformed-data',
        message: expect.stringContaining("encoding: 'base64'"),
      }),
    );
  });
});

describe('lookup tables', () => {
  const table = addressNamed('table');
  const lookupTables = {
    [table]: [
      ACCOUNTS.protocolConfig,
      ACCOUNTS.tokenAVault,
      ACCOUNTS.tokenBVault,
      MINT,
      ACCOUNTS.userTokenAVault,
    ],
  };

  test.each(['base64', 'json'] as const)('are resolved (%s)', (encoding) => {
    const parsed = parse([buy()], { lookupTables, encoding, holdings: [bought] });
    const [instruction] = parsed.instructions;
    expect(instruction?.parsed?.accounts).toMatchObject({
      protocolConfig: { address: ACCOUNTS.protocolConfig, role: AccountRole.WRITABLE },
      tokenAMint: { address: MINT, role: AccountRole.READONLY },
    });
    expect(parsed.trades[0]).toMatchObject({ amountOut: BUY.tokens, unproven: [] });
  });

  test('asks for the addresses that the node left out', () => {
    const { protocolConfig, tokenAVault, tokenBVault, userTokenAVault } = ACCOUNTS;
    const writable = [protocolConfig, tokenAVault, tokenBVault, userTokenAVault];
    parse([buy()], { lookupTables, meta: { loadedAddresses: { writable, readonly: [MINT] } } });
    for (const loadedAddresses of [
      undefined,
      { writable: [MINT], readonly: [] },
      // One too many of either kind.
      { writable: [...writable, USER], readonly: [MINT] },
      { writable, readonly: [MINT, USER] },
    ]) {
      expect(() => parse([buy()], { lookupTables, meta: { loadedAddresses } })).toThrow(
        expect.objectContaining({
          code: 'malformed-data',
          message: expect.stringContaining('maxSupportedTransactionVersion'),
        }),
      );
    }
  });
});

describe('a failed transaction', () => {
  const failing: Ran = { ...sell(), failure: 'custom program error: 0x177d' };
  const err = { InstructionError: [2, { Custom: 6013 }] };

  test('says why, and has neither trades nor events', () => {
    const parsed = parse([budget, buy(), failing], { err, holdings: [bought] });
    expect(parsed.error).toMatchObject({
      instructionIndex: 2,
      code: 6013,
      programError: { name: 'ExceededSlippage' },
    });
    expect(parsed.error?.message).toContain('ExceededSlippage');
    expect(parsed.trades).toEqual([]);
    expect(parsed.instructions.map(({ parsed: read, events }) => [read?.name, events])).toEqual([
      ['buy', []],
      ['sell', []],
    ]);
  });

  test('never ran at all', () => {
    const parsed = parse([buy()], { err: 'BlockhashNotFound', meta: { logMessages: [] } });
    expect(parsed.error?.message).toMatch(/^The transaction failed: BlockhashNotFound\. /);
    expect(parsed.trades).toEqual([]);
  });

  test('its logs mark all events as reverted', () => {
    const { events } = parseLogs(logsOf([budget, buy(), failing]));
    expect(events.map(({ reverted }) => reverted)).toEqual([true, true]);
  });
});

describe('other instructions', () => {
  const unknown: Instruction = { programAddress: EXCHANGE, accounts: [], data: new Uint8Array(9).fill(1) };

  test('lists unknown instructions of the exchange, with the reason', () => {
    const { instructions } = parse([{ instruction: unknown, logs: [tradeLine(BUY_EVENT)] }]);
    expect(instructions).toMatchObject([{ parsed: undefined, instructionIndex: 0 }]);
    expect(instructions[0]?.problem).toContain('discriminator');
    expect(instructions[0]?.events).toHaveLength(1);
  });

  test('ignores instructions of other programs', () => {
    expect(parse([budget, router([])])).toMatchObject({ instructions: [], trades: [], error: undefined });
  });

  test("reads another deployment's instructions if its address is passed", () => {
    const moved = buy();
    const ran = [{ ...moved, instruction: { ...moved.instruction, programAddress: ROUTER } }];
    const response = confirmed({ feePayer: USER, ran, holdings: [bought] }) as never;
    expect(parseTransaction(response).trades).toEqual([]);
    expect(parseTransaction(response, { programAddress: ROUTER }).trades[0]?.unproven).toEqual([]);
    expect(() => parseTransaction(response, { programAddress: 'x' as Address })).toThrow(
      heavenError('invalid-address'),
    );
  });
});

test('whatever a node changes in its answer, the amounts are right or missing, or it throws', () => {
  const ran = [signatureCheck, budget, router([buy()]), sell()];
  const whole = confirmed({ feePayer: USER, ran });
  const logs = whole.meta.logMessages;
  const line = fc.oneof(fc.constantFrom(...logs, 'Log truncated', 'Program log: x'), fc.string());
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(logs.length), fc.nat(2), fc.array(line, { maxLength: 3 })), { maxLength: 4 }),
      fc.constantFrom('base64', 'json'),
      (changes, encoding) => {
        const logMessages = [...logs];
        for (const [at, removed, added] of changes) logMessages.splice(at, removed, ...added);
        const response = confirmed({
          feePayer: USER,
          ran,
          encoding: encoding as 'json',
          meta: { logMessages },
        });
        try {
          const { trades } = parseTransaction(response as never);
          expect(trades.map(({ amountIn }) => amountIn)).toEqual([BUY.lamports, SELL.tokens]);
          for (const { side, totalFee } of trades)
            expect([undefined, side === 'buy' ? BUY.fee : SELL.fee]).toContain(totalFee);
        } catch (error) {
          if (!isHeavenError(error, 'malformed-data')) throw error;
        }
      },
    ),
  );
});

test("the embedded ledger's transaction is the pool's last buy", async () => {
  const { rpc, pools, transactions, unixTimestamp } = await createEmbeddedLedger();
  const config = { encoding: 'base64', maxSupportedTransactionVersion: 1 } as const;
  const parsed = parseTransaction(await rpc.getTransaction(transactions.buy, config).send());
  expect(parsed).toMatchObject({ signature: transactions.buy, blockTime: unixTimestamp, error: undefined });
  expect(parsed.trades).toMatchObject([
    {
      pool: pools.creator.pool,
      mint: pools.creator.mint,
      amountIn: BUY.lamports,
      amountOut: BUY.tokens,
      totalFee: BUY.fee,
      unproven: [],
    },
  ]);
  const unknown = await rpc.getTransaction('1'.repeat(64) as Signature, config).send();
  expect(() => parseTransaction(unknown)).toThrow(heavenError('invalid-input', { field: 'transaction' }));
  await expect(rpc.getTransaction(transactions.buy, { encoding: 'base64' }).send()).rejects.toThrow();
});
