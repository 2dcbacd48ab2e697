import { type AccountMeta, AccountRole, type Address, getU64Encoder, type Instruction } from '@solana/kit';
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
  TOKEN_2022_PROGRAM_ADDRESS as TOKEN_2022,
  TOKEN_PROGRAM_ADDRESS,
  WRAPPED_SOL_MINT_ADDRESS,
} from '../../src/program/index.js';
import { CAPTURED } from '../mainnet/accounts.js';
import { LAST_BUY, LIGHT } from '../mainnet/facts.js';
import { addressNamed } from '../support/addresses.js';
import {
  type Confirmed,
  confirmed,
  logsOf,
  type Ran,
  type TokenHolding,
  tradeLine,
} from '../support/confirmed.js';
import { expectRefusal, heavenError } from '../support/errors.js';
import { fc } from '../support/properties.js';

// A trade as it really was: the LIGHT/SOL pool's last buy before it was captured on mainnet. The reserves are those after it.
const BUY = LAST_BUY;
/** What the creator has earned so far. */
const EARNED = BigInt(CAPTURED.light_sol_pool.input.fields.creator_trading_fees);
const BUY_EVENT = [LIGHT.reserveA, LIGHT.reserveB, EARNED, BUY.fee, 0n, BUY.tokens, BUY.net, 0n] as const;
// The next trade, made up: a sell of 500000 tokens at the same rates, worked out in another language (Python integers).
const SELL = { tokens: 500_000_000_000_000n, gross: 7_463_438_650n, fee: 111_951_579n, net: 7_351_487_071n };
const AFTER_SELL = [104_427_583_151_068_173n, 1_551_314_281_823n] as const;
const SELL_EVENT = [...AFTER_SELL, EARNED, SELL.fee, SELL.tokens, 0n, 0n, SELL.gross] as const;

/** A list with another item at one place. */
const replaced = (list: readonly bigint[], place: number, item: bigint): readonly bigint[] =>
  list.map((old, index) => (index === place ? item : old));

const USER = addressNamed('user');
const MINT = addressNamed('mint');
const ROUTER = addressNamed('router');
const ED25519 = 'Ed25519SigVerify111111111111111111111111111' as Address;
const ACCOUNTS = {
  tokenAProgram: TOKEN_2022,
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
const common = { minimumAmountOut: 1n, encodedUserDefinedEventData: '' };
const buyParams = { params: { maxSolSpend: BUY.lamports, ...common } };
const sellParams = { params: { amountIn: SELL.tokens, ...common } };
const budget: Ran = { instruction: getSetComputeUnitLimitInstruction({ units: 200_000 }) };

const moveSol = (source: Address, destination: Address, amount: bigint): Ran => ({
  instruction: getTransferInstruction({ source, destination, authority: USER, amount }),
});
const u64 = (value: bigint) => getU64Encoder().encode(value);
const moveTokens = (program: Address, source: Address, to: Address, amount: bigint, fee?: bigint): Ran => {
  const input = { source, mint: MINT, destination: to, authority: USER, amount, decimals: 9 };
  const checked = getTransferCheckedInstruction(input, { programAddress: program });
  if (fee === undefined) return { instruction: checked };
  // TransferCheckedWithFee: 26, 1, then amount, decimals, fee.
  const data = Uint8Array.of(26, 1, ...u64(amount), 9, ...u64(fee));
  return { instruction: { ...checked, data } };
};

interface Options {
  readonly event?: readonly bigint[] | null;
  readonly accounts?: Accounts;
  readonly transferFee?: bigint;
  readonly logs?: readonly string[];
  readonly pro?: boolean;
}

const buy = ({ event = BUY_EVENT, accounts = ACCOUNTS, transferFee, logs = [], pro }: Options = {}): Ran => {
  const { tokenAProgram, userTokenAVault, userTokenBVault, tokenAVault, tokenBVault } = accounts;
  return {
    instruction: (pro ? getProBuyInstruction : getBuyInstruction)({ ...accounts, ...buyParams } as BuyInput),
    calls: [
      moveSol(userTokenBVault, tokenBVault, BUY.lamports),
      moveTokens(tokenAProgram, tokenAVault, userTokenAVault, BUY.tokens, transferFee),
    ],
    logs: ['Program log: Instruction: Buy', ...(event === null ? [] : [tradeLine(event)]), ...logs],
  };
};
const sell = ({ event = SELL_EVENT }: Pick<Options, 'event'> = {}): Ran => ({
  instruction: getSellInstruction({ ...ACCOUNTS, ...sellParams }),
  calls: [
    moveTokens(TOKEN_2022, ACCOUNTS.userTokenAVault, ACCOUNTS.tokenAVault, SELL.tokens),
    moveSol(ACCOUNTS.tokenBVault, ACCOUNTS.userTokenBVault, SELL.net),
  ],
  logs: event === null ? [] : [tradeLine(event)],
});

/** What the user holds of the token, before and after. */
const tokens = (before: bigint | undefined, after: bigint | undefined) =>
  ({ account: ACCOUNTS.userTokenAVault, mint: MINT, before, after }) as TokenHolding;
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
    const solPerToken = expect.closeTo(1.5198477122342651e-5, 15);
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
        price: { lamports: BUY.lamports, tokenUnits: BUY.tokens, solPerToken },
        event: expect.objectContaining({ baseOut: BUY.tokens, quoteIn: BUY.net, priceSolUsd: 82 }),
        unproven: [],
      },
    ]);
    expect(parsed).toMatchObject({
      // 64 bytes of 9 in base58.
      signature: expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{86,88}$/),
      slot: 411_354_049n,
      blockTime: 1_775_456_070n,
      error: undefined,
      record: { logs: 'complete', innerInstructions: 'complete', tokenBalances: 'complete' },
    });
    expect(parsed.instructions).toEqual([
      {
        instructionIndex: 1,
        parsed: expect.objectContaining({ name: 'buy' }),
        events: [expect.objectContaining({ name: 'TradeEvent' })],
        raw: expect.objectContaining({ programAddress: EXCHANGE }),
      },
    ]);
    expect(parsed.instructions[0]?.parsed).toMatchObject({
      data: { params: { maxSolSpend: BUY.lamports } },
      accounts: { user: { address: USER, role: AccountRole.WRITABLE_SIGNER } },
    });
  });

  test('costs its user no network fee if another wallet paid it', () => {
    expect(tradeOf([buy()], { feePayer: addressNamed('payer') }).networkFee).toBe(0n);
  });
});

describe('the fees of a buy', () => {
  const [a, b, c] = BUY_EVENT;
  const SUM = 14_000_000_000_000n;

  test.each<[string, readonly bigint[], bigint | undefined]>([
    ['whose quoteIn is before fees', [a, b, c, BUY.fee, 0n, BUY.tokens, BUY.lamports, 0n], BUY.fee],
    ['whose totalFeePaid is of all trades', [a, b, c, SUM, 0n, BUY.tokens, BUY.net, 0n], BUY.fee],
    ['of an earlier version, by the curve', [a, b, c, BUY.fee], BUY.fee],
    ['of a sandwich window: two figures agree', replaced(BUY_EVENT, 0, 2n * a), BUY.fee],
    ['of an earlier version, whose fee is one more', [a, b, c, BUY.fee + 1n], undefined],
    ['of an earlier version, whose fee is of all trades', [a, b, c, SUM], undefined],
    ['of no figure that fits', [a, b, c, BUY.fee + 1n, 0n, BUY.tokens, BUY.lamports, 0n], undefined],
    ['with the reserves before the trade', [a + BUY.tokens, b - BUY.net, c, BUY.fee], undefined],
    ['without reserves', [0n, 0n, c, BUY.fee], undefined],
  ])('from an event %s', (_, event, fee) => {
    const trade = tradeOf([buy({ event })], { holdings: [bought] });
    expect(trade).toMatchObject({ totalFee: fee, amountIn: BUY.lamports, amountOut: BUY.tokens });
    expect(trade.unproven).toHaveLength(fee === undefined ? 1 : 0);
  });

  // 520 * 990 / 100000 and 520 * 988 / 100000 are both 5 and a bit.
  test.each([
    [988n, undefined],
    [990n, 10n],
    [1_000n, undefined],
    [100n, 10n],
  ])('are unknown if several figures fit: a quoteIn of %s', (quoteIn, fee) => {
    const { instruction } = buy();
    const calls = [
      moveSol(ACCOUNTS.userTokenBVault, ACCOUNTS.tokenBVault, 1_000n),
      moveTokens(TOKEN_2022, ACCOUNTS.tokenAVault, ACCOUNTS.userTokenAVault, 5n),
    ];
    const logs = [tradeLine([515n, 100_000n, 0n, 10n, 0n, 5n, quoteIn, 0n])];
    expect(tradeOf([{ instruction, calls, logs }], { holdings: [tokens(0n, 5n)] }).totalFee).toBe(fee);
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
      price: { lamports: SELL.net, tokenUnits: SELL.tokens },
      unproven: [],
    });
  });

  test('whose token account is closed after it', () => {
    const closing = { account: ACCOUNTS.userTokenAVault, destination: USER, owner: USER };
    const instruction = getCloseAccountInstruction(closing, { programAddress: TOKEN_2022 });
    const trade = tradeOf([sell(), { instruction }], { holdings: [tokens(SELL.tokens, undefined)] });
    expect(trade).toMatchObject({ amountIn: SELL.tokens, unproven: [] });
  });

  test.each<[string, readonly bigint[], bigint | undefined]>([
    ['of an earlier version', SELL_EVENT.slice(0, 4), SELL.fee],
    ['of an earlier version that is wrong', replaced(SELL_EVENT.slice(0, 4), 3, SELL.fee - 1n), undefined],
    ['that says less than what arrived', replaced(SELL_EVENT, 7, SELL.net - 1n), undefined],
  ])('with an event %s', (_, event, fee) => {
    expect(tradeOf([sell({ event })])).toMatchObject({ totalFee: fee, amountOut: SELL.net });
  });
});

describe('what Token-2022 withholds', () => {
  const withheld = 1_957_075_709_005n;
  const arrived = BUY.tokens - withheld;
  const away = moveTokens(TOKEN_2022, ACCOUNTS.userTokenAVault, addressNamed('friend'), 5n);
  const stated = buy({ transferFee: withheld });
  const noBalances = { preTokenBalances: null, postTokenBalances: null };
  const ofAnother = { ...tokens(undefined, arrived), mint: addressNamed('another mint') };

  type Shown = { readonly amountOut: bigint | undefined; readonly transferFee: bigint | undefined };
  const known: Shown = { amountOut: arrived, transferFee: withheld };
  const nothing: Shown = { amountOut: BUY.tokens, transferFee: 0n };
  const unknown: Shown = { amountOut: undefined, transferFee: undefined };
  test.each<[string, readonly Ran[], Partial<Confirmed>, Shown]>([
    ['shows in the balances', [buy()], { holdings: [tokens(undefined, arrived)] }, known],
    ['shows behind another transfer', [buy(), away], { holdings: [tokens(9n, 4n + arrived)] }, known],
    ['is stated by a transfer', [stated], {}, known],
    ['is stated by a transfer, and shows', [stated], { holdings: [tokens(0n, arrived)] }, known],
    ['is unknown if they disagree', [stated], { holdings: [tokens(0n, arrived - 1n)] }, unknown],
    ['is unknown without a holding', [buy()], {}, unknown],
    ['is unknown without balances', [buy()], { meta: noBalances }, unknown],
    ["is not derived from another token's balance", [buy()], { holdings: [ofAnother] }, unknown],
    ['is nothing with the classic Token program', [buy({ accounts: classic })], {}, nothing],
  ])('%s', (_, ran, options, shown) => {
    const trade = tradeOf(ran, options);
    expect(trade).toMatchObject({ ...shown, amountIn: BUY.lamports });
    expect(trade.unproven.length > 0).toBe(shown.amountOut === undefined);
    expect(trade.price?.tokenUnits).toBe(shown.amountOut);
  });

  test('is unknown for each of two buys, unless nothing was withheld', () => {
    const outOf = (total: bigint) =>
      parse([buy(), buy()], { holdings: [tokens(0n, total)] }).trades.map(({ amountOut }) => amountOut);
    expect(outOf(2n * arrived)).toEqual([undefined, undefined]);
    expect(outOf(2n * BUY.tokens)).toEqual([BUY.tokens, BUY.tokens]);
  });
});

describe('contradictions', () => {
  test('between balances and transfers leave the amount out', () => {
    for (const holding of [tokens(0n, BUY.tokens + 1n), tokens(1n, 0n)])
      expect(tradeOf([buy()], { holdings: [holding] }).amountOut).toBeUndefined();
  });

  test('between wrapped SOL balances and transfers too, unless SOL was wrapped in between', () => {
    const account = ACCOUNTS.userTokenBVault;
    const amountIn = (after: bigint, ...around: readonly Ran[]) => {
      const sol = { account, mint: WRAPPED_SOL_MINT_ADDRESS, before: 3_000_000_000n, after };
      return tradeOf([...around, buy()], { holdings: [bought, sol] }).amountIn;
    };
    expect(amountIn(3_000_000_000n - BUY.lamports)).toBe(BUY.lamports);
    expect(amountIn(3_000_000_000n - BUY.lamports + 1n)).toBeUndefined();
    expect(amountIn(3_000_000_000n)).toBeUndefined();
    // It may also have been paid out with the account's lamports.
    const wrap = getSyncNativeInstruction({ account });
    const close = getCloseAccountInstruction({ account, destination: USER, owner: USER });
    for (const instruction of [wrap, close])
      expect(amountIn(3_000_000_000n, { instruction })).toBe(BUY.lamports);
  });

  test('between event and transfers are named', () => {
    const trade = tradeOf([buy({ event: replaced(BUY_EVENT, 5, 1n) })], { holdings: [bought] });
    expect(trade.unproven).toEqual([expect.stringContaining(`the transfers are ${BUY.tokens}`)]);
  });

  test('a trade without transfers has no amounts', () => {
    const { calls: _, ...still } = buy();
    const trade = tradeOf([still, { instruction: getSyncNativeInstruction({ account: addressNamed('x') }) }]);
    expect(trade).toMatchObject({ amountIn: undefined, amountOut: undefined, totalFee: undefined });
    expect(trade.unproven).toHaveLength(2);
  });

  const balanceOf = (decimals: unknown, accountIndex: unknown = 0, amount = '1') => [
    { accountIndex, mint: MINT, uiTokenAmount: { amount, decimals } },
  ];
  test.each<[string, unknown]>([
    ['an entry that is none', [null]],
    ['an entry of nothing', [{}]],
    ['no list', { length: 5 }],
    ['of no account', balanceOf(9, null)],
    ['with a fraction', balanceOf(9, 0, '1.5')],
    ...[2n ** 70n, 1e9, -1, 0.5, 'x', undefined, null].map((decimals): [string, unknown] => [
      `with ${decimals} decimals`,
      balanceOf(decimals),
    ]),
  ])('rejects invalid balances: %s', (_, list) => {
    for (const name of ['preTokenBalances', 'postTokenBalances'])
      expect(() => parse([buy()], { meta: { [name]: list } })).toThrow(heavenError('malformed-data'));
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
    expect(instructions).toMatchObject([{ instructionIndex: 3, events: [{ name: 'TradeEvent' }] }]);
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
    const { trades } = parse(ran);
    const places = trades.map(({ instructionIndex, innerIndex }) => [instructionIndex, innerIndex]);
    // Behind the tip; the buy's two transfers and the inner router come before the sell.
    expect(places).toEqual([
      [1, 1],
      [1, 5],
      [2, undefined],
    ]);
    const inPool = { kind: 'standard', pool: ACCOUNTS.liquidityPoolState };
    const earned = (totalCreatorTradingFees: bigint) => ({ totalCreatorTradingFees });
    expect(trades).toMatchObject([
      { ...inPool, side: 'buy', amountIn: BUY.lamports, event: earned(EARNED) },
      { ...inPool, side: 'sell', amountIn: SELL.tokens, event: earned(EARNED) },
      { kind: 'pro', pool: other.liquidityPoolState, side: 'buy', amountIn: BUY.lamports, event: earned(1n) },
    ]);
  });

  test("the same bytes from another program are not the exchange's", () => {
    const trade = tradeOf([router([buy({ event: null })], [tradeLine(BUY_EVENT)])], { holdings: [bought] });
    expect(trade.event).toBeUndefined();
    expect(trade.unproven).toHaveLength(1);
  });

  test('two trade events of one instruction count as none', () => {
    const trade = tradeOf([buy({ logs: [tradeLine(BUY_EVENT)] })], { holdings: [bought] });
    expect(trade).toMatchObject({ event: undefined, amountOut: BUY.tokens });
    expect(trade.unproven).toHaveLength(1);
  });

  test('an event of a later version has more bytes', () => {
    const line = tradeLine(BUY_EVENT, 82, 40);
    const trade = tradeOf([buy({ event: null, logs: [line] })], { holdings: [bought] });
    expect(trade).toMatchObject({ totalFee: BUY.fee, unproven: [] });
  });

  test('without stack heights, it is not known who called whom', () => {
    const response = confirmed({ feePayer: USER, ran: [router([buy(), sell()])] });
    for (const inner of response.meta.innerInstructions[0]!.instructions)
      Object.assign(inner, { stackHeight: null });
    const { trades } = parseTransaction(response as never);
    expect(trades.map(({ amountIn }) => amountIn)).toEqual([undefined, undefined]);
    expect(trades[0]?.event).toBeDefined();
  });
});

describe('missing records', () => {
  test.each([[null], [[]]])("without logs, the event and the fees aren't known: %o", (logMessages) => {
    const parsed = parse([buy()], { holdings: [bought], meta: { logMessages } });
    expect(parsed.record.logs).toBe('missing');
    const amounts = { amountIn: BUY.lamports, amountOut: BUY.tokens };
    expect(parsed.trades[0]).toMatchObject({ ...amounts, totalFee: undefined, event: undefined });
    expect(parsed.trades[0]?.unproven).toHaveLength(1);
  });

  test('the end of the logs', () => {
    const logs = logsOf([budget, buy(), sell()]);
    const cut = logs.slice(0, logs.lastIndexOf(tradeLine(SELL_EVENT)));
    const logMessages = [...cut, 'Log truncated', ...logs.slice(-1)];
    const parsed = parse([budget, buy(), sell()], { meta: { logMessages } });
    expect(parsed.record.logs).toBe('truncated');
    expect(parsed.trades.map(({ totalFee }) => totalFee)).toEqual([BUY.fee, undefined]);
  });

  test('inner instructions', () => {
    const parsed = parse([router([buy()]), buy()], { meta: { innerInstructions: null } });
    expect(parsed.record.innerInstructions).toBe('missing');
    // The one that the router called can't be seen.
    const unknown = { instructionIndex: 1, amountIn: undefined, amountOut: undefined };
    expect(parsed.trades).toMatchObject([{ ...unknown, event: expect.anything() }]);
  });

  const withMeta = (transaction: unknown) => ({ transaction, slot: 1n, meta: { err: null } });
  const jsonParsed = { message: { accountKeys: [], instructions: [] }, signatures: [] };
  const ofBuy = confirmed({ feePayer: USER, ran: [buy()] });
  test.each<[string, unknown, string, object?]>([
    ['no meta', { ...ofBuy, meta: null }, 'invalid-input', { field: 'transaction.meta' }],
    ['null', null, 'invalid-input', { field: 'transaction' }],
    ['nothing', undefined, 'invalid-input'],
    ['an empty object', {}, 'invalid-input'],
    ['a text', { transaction: 'x', meta: {} }, 'invalid-input'],
    ['bytes that are none', withMeta(['AAAA', 'base64']), 'malformed-data'],
    ['no base64', withMeta(['!', 'base64']), 'malformed-data'],
    ['another encoding', withMeta(['AAAA', 'base85']), 'malformed-data'],
    ['base58', withMeta(['1111', 'base58']), 'malformed-data'],
    ['an empty transaction', withMeta({}), 'malformed-data'],
    ['jsonParsed', withMeta(jsonParsed), 'malformed-data'],
  ])('rejects %s', (_, value, code, context) => {
    expect(() => parseTransaction(value as never)).toThrow(heavenError(code, context));
  });
});

describe('lookup tables', () => {
  const table = addressNamed('table');
  const { protocolConfig, tokenAVault, tokenBVault, userTokenAVault } = ACCOUNTS;
  const writable = [protocolConfig, tokenAVault, tokenBVault, userTokenAVault];
  const lookupTables = { [table]: [MINT, ...writable] };

  test.each(['base64', 'json'] as const)('are resolved (%s)', (encoding) => {
    const parsed = parse([buy()], { lookupTables, encoding, holdings: [bought] });
    const [instruction] = parsed.instructions;
    expect(instruction?.parsed?.accounts).toMatchObject({
      protocolConfig: { address: protocolConfig, role: AccountRole.WRITABLE },
      tokenAMint: { address: MINT, role: AccountRole.READONLY },
    });
    expect(parsed.trades[0]).toMatchObject({ amountOut: BUY.tokens, unproven: [] });
  });

  test('asks for the addresses that the node left out', async () => {
    parse([buy()], { lookupTables, meta: { loadedAddresses: { writable, readonly: [MINT] } } });
    for (const loadedAddresses of [
      undefined,
      { writable: [MINT], readonly: [] },
      // One too many of either kind.
      { writable: [...writable, USER], readonly: [MINT] },
      { writable, readonly: [MINT, USER] },
    ]) {
      const parsing = () => parse([buy()], { lookupTables, meta: { loadedAddresses } });
      const { message } = await expectRefusal(parsing, 'malformed-data');
      // The setting that makes a node send them.
      expect(message).toContain('maxSupportedTransactionVersion');
    }
  });
});

test('a failed transaction says why, and has neither trades nor events', () => {
  const failing: Ran = { ...sell(), failure: 'custom program error: 0x177d' };
  const err = { InstructionError: [2, { Custom: 6013 }] };
  const { error, trades, instructions } = parse([budget, buy(), failing], { err, holdings: [bought] });
  const programError = { name: 'ExceededSlippage' };
  const message = expect.stringContaining('ExceededSlippage');
  expect(error).toMatchObject({ instructionIndex: 2, code: 6013, programError, message });
  expect(trades).toEqual([]);
  expect(instructions).toMatchObject([
    { parsed: { name: 'buy' }, events: [] },
    { parsed: { name: 'sell' }, events: [] },
  ]);
});

describe('other instructions', () => {
  const unknown: Instruction = { programAddress: EXCHANGE, accounts: [], data: new Uint8Array(9).fill(1) };

  test('lists unknown instructions of the exchange, with the reason', () => {
    const problem = expect.stringContaining('discriminator');
    const { instructions } = parse([{ instruction: unknown, logs: [tradeLine(BUY_EVENT)] }]);
    expect(instructions).toMatchObject([
      { parsed: undefined, instructionIndex: 0, problem, events: [{ name: 'TradeEvent' }] },
    ]);
  });

  test("reads another deployment's instructions if its address is passed", () => {
    const moved = buy();
    const ran = [{ ...moved, instruction: { ...moved.instruction, programAddress: ROUTER } }];
    const response = confirmed({ feePayer: USER, ran, holdings: [bought] }) as never;
    expect(parseTransaction(response).trades).toEqual([]);
    expect(parseTransaction(response, { programAddress: ROUTER }).trades[0]?.unproven).toEqual([]);
    const wrong = { programAddress: 'x' as Address };
    expect(() => parseTransaction(response, wrong)).toThrow(heavenError('invalid-address'));
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
        const changed = { encoding: encoding as 'json', meta: { logMessages } };
        const response = confirmed({ feePayer: USER, ran, ...changed });
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
