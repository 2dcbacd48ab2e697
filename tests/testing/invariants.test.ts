import { type Address, createKeyPairSignerFromPrivateKeyBytes } from '@solana/kit';
import { expect, test } from 'vitest';

import * as heaven from '../../src/index.js';
import { findAssociatedTokenAddress } from '../../src/program/index.js';
import { createEmbeddedLedger } from '../../src/testing/index.js';
import { STRANGER } from '../support/addresses.js';
import { CATCH_ALL, SOL, U64_MAX } from '../support/amounts.js';
import { openConfigTwo } from '../support/ledger.js';
import { fc } from '../support/properties.js';
import { Auditor, type Intent, KINDS, lpTokensOf, type Pool, solOf, unitsOf } from './books.js';

// Random operations of several wallets on standard and pro pools. After each the books must balance (see books.ts), and what
// happened must be what was quoted. A failure prints the fewest steps that lead to it.
// `INVARIANT_RUNS=2000` runs longer, `FAST_CHECK_SEED=2` takes other steps.

/** How long to look for a shorter sequence that fails, in milliseconds. */
const SHRINK_MS = 20_000;

const RUNS = Number(process.env.INVARIANT_RUNS ?? 34);

/** Why the library may refuse a random step. */
const REFUSALS: readonly string[] = [
  'account-not-found',
  'amount-out-of-range',
  'fees-exceed-amount',
  'fees-not-claimable',
  'insufficient-balance',
  'insufficient-liquidity',
  'invalid-input',
  'not-authorized',
  'operation-disabled',
  'output-is-zero',
  'pool-exists',
  'pool-mismatch',
  'unusable-account',
  'zero-amount',
];
/**
 * Why a transaction may fail right after it was built: the wallet holds too little (1), has no wrapped SOL account (3012), has nothing
 * to claim (6032), or has traded the other way in the same slot (6053).
 */
const FAILURES = [{ Custom: 1 }, { Custom: 3012 }, { Custom: 6032 }, { Custom: 6053 }];
/** It would leave the payer less than the rent exemption. */
const POOR_PAYER = { InsufficientFundsForRent: { account_index: 0 } };

/** What decides which steps are possible: how many pools there are, and whether a transaction is held back. */
interface Model {
  pools: number;
  isLate: boolean;
}

/** The ledger, and the transaction that is held back. */
interface World {
  readonly auditor: Auditor;
  readonly client: heaven.HeavenClient;
  late?: Intent | undefined;
}

/** Three wallets with SOL, tokens and liquidity, two of them creators of pools. One token has a transfer fee. */
async function createWorld(): Promise<World> {
  const ledger = await createEmbeddedLedger();
  openConfigTwo(ledger);
  const { community, creator, pro } = ledger.pools;
  const fee = { epoch: 0n, basisPoints: 150, maximum: U64_MAX };
  const transferFee = { older: fee, newer: fee };
  ledger.setMint(creator.mint, creator.tokenProgram, { decimals: 9, supply: 10n ** 18n, transferFee });
  const wallets = [pro.creator, creator.creator, STRANGER];
  for (const owner of wallets) {
    ledger.setBalance(owner, 1_000n * SOL);
    const fees = { rewardDebt: 0n, pendingFees: 0n };
    await ledger.setLpPosition({ pool: pro.pool, user: owner, lpTokenBalance: 100_000_000_000n, ...fees });
    for (const { mint, tokenProgram } of [community, creator, pro]) {
      const account = await findAssociatedTokenAddress({ owner, mint, tokenProgram });
      ledger.setTokenAccount(account, tokenProgram, { mint, owner, amount: 50_000_000_000_000n });
    }
  }
  ledger.updatePool(pro.pool, ({ lpToken: { supply, decimals } }) => ({
    lpToken: { decimals, supply: { ...supply, total: 300_000_000_000n, unlocked: 300_000_000_000n } },
  }));
  // Without the other fields of a sample pool: an operation would look for what each unknown name might stand for.
  const pools = [];
  for (const { kind, pool, mint, configVersion } of Object.values(ledger.pools))
    pools.push({ kind, pool, mint, configVersion });
  const client = heaven.createHeavenClient({ rpc: ledger.rpc });
  return { auditor: new Auditor(ledger, wallets, pools), client };
}

/** Who takes a step, in which pool, and the names of what it holds. */
function seatOf({ auditor, client }: World, wallet: number, poolIndex: number) {
  const payer = auditor.wallets[wallet] as Address;
  const pool = auditor.pools[poolIndex] as Pool;
  const held = {
    sol: solOf(payer),
    units: unitsOf(payer, pool.mint),
    lpTokens: lpTokensOf(payer, pool.pool),
  };
  return { auditor, client, payer, pool, ...held };
}
type Seat = ReturnType<typeof seatOf>;

interface StepTerms {
  readonly wallet: number;
  readonly pool: number;
  /** Whether to send the transaction later, after other steps. */
  readonly isLate?: boolean;
}

type Plan = Pick<Intent, 'tx' | 'promised'> & Partial<Intent>;

/** Quotes, builds and sends a transaction. */
const step = (
  what: Intent['what'],
  text: string,
  { wallet, pool, isLate = false }: StepTerms,
  plan: (seat: Seat) => Promise<Plan>,
): fc.AsyncCommand<Model, World> => ({
  check: ({ pools }) => pool < pools,
  run: async (model, world) => {
    const { auditor } = world;
    const before = auditor.books();
    const seat = seatOf(world, wallet, pool);
    const planned = await plan(seat).catch((error: unknown) => {
      if (!heaven.isHeavenError(error)) throw error;
      expect(REFUSALS, error.message).toContain(error.code);
      count('refused');
      return undefined;
    });
    expect(auditor.books(), 'written by a quote or a builder').toBe(before);
    if (planned === undefined) return;
    const intent = { what, payer: seat.payer, pool: seat.pool, ...planned };
    if (!isLate) return await send(model, auditor, intent, true);
    world.late = intent;
    model.isLate = true;
  },
  toString: () => `\n  wallet ${wallet} ${text} (pool ${pool})${isLate ? ' and holds it back' : ''}`,
});

async function send(model: Model, auditor: Auditor, intent: Intent, isFresh: boolean): Promise<void> {
  const failure = await auditor.send(intent, isFresh);
  if (failure !== undefined && failure !== 'InsufficientFundsForFee' && isFresh)
    expect(failure).toBeOneOf([
      POOR_PAYER,
      { InstructionError: [expect.any(Number), expect.toBeOneOf(FAILURES)] },
    ]);
  count(failure === undefined ? intent.what : 'failed');
  model.pools = auditor.pools.length;
}

const sendLate: fc.AsyncCommand<Model, World> = {
  check: ({ isLate }) => isLate,
  run: async (model, world) => {
    if (world.late !== undefined) await send(model, world.auditor, world.late, false);
    model.isLate = false;
    world.late = undefined;
  },
  toString: () => '\n  the transaction that was held back is sent',
};

/** How often each kind of transaction succeeded or failed, and how often each refusal was met. */
const tally = new Map<string, number>();
const count = (what: string) => tally.set(what, (tally.get(what) ?? 0) + 1);

const wallet = fc.integer({ min: 0, max: 2 });
/** The creator of the sample pro pool, mostly. */
const creator = fc.constantFrom(0, 0, 0, 1);
/** The four sample pools, then created ones. */
const anyPool = fc.integer({ min: 0, max: 6 });
/** The sample pro pool, then created pools, of which some are standard pools. */
const proPool = fc.constantFrom(2, 2, 2, 2, 4, 5);
const isLate = fc.constantFrom(false, false, false, true);
const slippageBps = fc.constantFrom(0, 100, 2_000);
const wrapSol = fc.constantFrom('associated', 'temporary', 'none');
const bps = fc.integer({ min: 0, max: 1_000 });
const inAllBrackets = (bps: number) => [{ marketCapUpperBound: CATCH_ALL, buyFeeBps: bps, sellFeeBps: bps }];

/** Some units, or a part of what there is: up to a little more than all of it. */
const amount = fc.oneof(
  fc.bigInt({ min: 1n, max: 5_000n }).map((units) => ({ text: `${units} units of`, of: () => units })),
  fc.integer({ min: 1, max: 1_030 }).map((permille) => ({
    text: `${permille / 10} % of`,
    of: (whole: bigint) => (whole * BigInt(permille)) / 1_000n,
  })),
);

type Quoted = heaven.DetailedBuyQuote | heaven.DetailedSellQuote;
type Quote = (client: heaven.HeavenClient, input: object) => Promise<Quoted>;
type Build = (client: heaven.HeavenClient, input: object) => Promise<heaven.BuiltTransaction>;
const TRADES = {
  'standard buy': { in: heaven.quoteBuy, out: heaven.quoteBuyExactOut, build: heaven.buildBuy },
  'standard sell': { in: heaven.quoteSell, out: heaven.quoteSellExactOut, build: heaven.buildSell },
  'pro buy': { in: heaven.quoteProBuy, out: heaven.quoteProBuyExactOut, build: heaven.buildProBuy },
  'pro sell': { in: heaven.quoteProSell, out: heaven.quoteProSellExactOut, build: heaven.buildProSell },
} as unknown as Readonly<Record<string, { readonly in: Quote; readonly out: Quote; readonly build: Build }>>;

const trade = fc
  .record({
    terms: fc.record({ wallet, pool: anyPool, isLate }),
    side: fc.constantFrom('buy', 'sell'),
    by: fc.constantFrom('in', 'out'),
    options: fc.record({ slippageBps, wrapSol }),
    amount,
  })
  .map(({ terms, side, by, options, amount }) => {
    const { name, of } = {
      'buy in': { name: 'lamports', of: 'its SOL' },
      'buy out': { name: 'amountOut', of: "a quarter of the pool's tokens" },
      'sell in': { name: 'amountIn', of: 'its tokens' },
      'sell out': { name: 'amountOut', of: "1 % of the pool's SOL" },
    }[`${side} ${by}` as const];
    const text = `${side}s ${by === 'in' ? 'with' : 'for'} ${amount.text} ${of} ${JSON.stringify(options)}`;
    return step('trade', text, terms, async ({ client, payer, pool, sol, units, auditor }) => {
      const functions = TRADES[`${pool.kind} ${side}`]!;
      const { reserve } = auditor.stateOf(pool);
      const whole = {
        'buy in': auditor.has(sol),
        'buy out': reserve.tokenA / 4n,
        'sell in': auditor.has(units),
        'sell out': reserve.tokenB / 100n,
      }[`${side} ${by}` as const];
      const input = { ...pool, ...options };
      const quoteResponse = await functions[by](client, { ...input, [name]: amount.of(whole) });
      const { tx } = await functions.build(client, { ...input, payer, quoteResponse });
      const { minimumOut, details } = quoteResponse;
      const [paid, received] = side === 'buy' ? [sol, units] : [units, sol];
      return {
        tx,
        promised: { [paid]: -details.amountIn, [received]: details.amountOut },
        worst: { [paid]: -details.amountIn, [received]: minimumOut },
        fees: details.fees,
        feeRates: details.feeRates,
        transferFee: details.transferFee,
      };
    });
  });

const proTerms = fc.record({ wallet, pool: proPool, isLate });

const deposit = fc
  .record({ terms: proTerms, side: fc.constantFrom('SOL', 'tokens'), slippageBps, wrapSol, amount })
  .map(({ terms, side, slippageBps, wrapSol, amount }) => {
    const text = `deposits ${amount.text} its ${side} with ${slippageBps} bps slippage, ${wrapSol}`;
    return step('liquidity', text, terms, async (seat) => {
      const { client, auditor, payer, pool, sol, units, lpTokens } = seat;
      const most =
        side === 'SOL'
          ? { maxTokenB: amount.of(auditor.has(sol)) }
          : { maxTokenA: amount.of(auditor.has(units)) };
      const quote = await heaven.quoteProAddLiquidity(client, { ...pool, ...most, slippageBps });
      const { maxTokenA, maxTokenB, minLpTokens } = quote;
      const limits = { maxTokenA, maxTokenB, minLpTokens };
      const { tx } = await heaven.buildProAddLiquidity(client, { ...pool, ...limits, payer, wrapSol });
      return {
        tx,
        promised: { [sol]: -quote.tokenB, [units]: -quote.tokenA, [lpTokens]: quote.lpTokens },
        worst: { [sol]: -maxTokenB, [units]: -maxTokenA, [lpTokens]: minLpTokens },
      };
    });
  });

const withdrawal = fc
  .record({ terms: proTerms, slippageBps, wrapSol, amount })
  .map(({ terms, slippageBps, wrapSol, amount }) => {
    const text = `withdraws ${amount.text} its LP tokens with ${slippageBps} bps slippage, ${wrapSol}`;
    return step('liquidity', text, terms, async (seat) => {
      const { client, auditor, payer, pool, sol, units, lpTokens } = seat;
      const lpTokensToBurn = amount.of(auditor.has(lpTokens));
      const quote = await heaven.quoteProRemoveLiquidity(client, { ...pool, lpTokensToBurn, slippageBps });
      const { minTokenA, minTokenB } = quote;
      const limits = { lpTokensToBurn, minTokenA, minTokenB };
      const { tx } = await heaven.buildProRemoveLiquidity(client, { ...pool, ...limits, payer, wrapSol });
      return {
        tx,
        promised: { [sol]: quote.tokenB, [units]: quote.tokenA, [lpTokens]: -lpTokensToBurn },
        worst: { [sol]: minTokenB, [units]: minTokenA, [lpTokens]: -lpTokensToBurn },
      };
    });
  });

const lpTransfer = fc
  .record({ terms: fc.record({ wallet, pool: proPool }), to: wallet, amount })
  .map(({ terms, to, amount }) => {
    const text = `gives ${amount.text} its LP tokens to wallet ${to}`;
    return step('LP transfer', text, terms, async ({ client, auditor, payer, pool: { pool }, lpTokens }) => {
      const receiver = auditor.wallets[to] as Address;
      const moved = amount.of(auditor.has(lpTokens));
      const input = { pool, sender: payer, payer, receiver, amount: moved };
      const { tx } = await heaven.buildProTransferLp(client, input);
      return { tx, promised: { [lpTokens]: -moved, [lpTokensOf(receiver, pool)]: moved } };
    });
  });

const creatorClaim = fc
  .record({ terms: fc.record({ wallet, pool: anyPool }), part: fc.constantFrom(0n, 1n, 3n), wrapSol })
  .map(({ terms, part, wrapSol }) => {
    const text = `claims ${part === 0n ? 'all' : `1/${part}`} of the creator fees, ${wrapSol}`;
    return step('creator claim', text, terms, async ({ client, auditor, payer, pool, sol }) => {
      const { creatorTradingFees } = auditor.stateOf(pool);
      const amount = part === 0n ? 0n : creatorTradingFees / part;
      const input = { ...pool, version: pool.configVersion, payer, amount, wrapSol };
      const build =
        pool.kind === 'pro' ? heaven.buildProClaimCreatorFees : heaven.buildClaimCreatorTradingFees;
      const { tx } = await build(client, input);
      return { tx, promised: { [sol]: amount === 0n ? creatorTradingFees : amount } };
    });
  });

const lpClaim = fc
  .record({ terms: fc.record({ wallet, pool: proPool }), wrapSol })
  .map(({ terms, wrapSol }) => {
    const text = `claims its LP fees, ${wrapSol}`;
    return step('LP claim', text, terms, async ({ client, payer, pool: { pool }, sol }) => {
      const { pendingFees } = await heaven.getLpBalance(client, { pool, user: payer });
      const { tx } = await heaven.buildProClaimLpFees(client, { pool, payer, wrapSol });
      return { tx, promised: { [sol]: pendingFees } };
    });
  });

const SETTINGS = {
  swaps: heaven.buildProToggleSwap,
  deposits: heaven.buildProToggleDeposit,
  withdrawals: heaven.buildProToggleWithdraw,
  'the creator fee': heaven.buildProSetMarketCapCreatorFee,
  'the LP fee': heaven.buildProSetLpFee,
  'the reflection fee': heaven.buildProSetReflectionFee,
  'the receiver': heaven.buildProUpdateCreatorFeeReceiver,
} as unknown as Readonly<Record<string, Build>>;

/** Off one time in three. */
const isOn = fc.constantFrom(true, true, false);
const toggle = fc.record({ name: fc.constantFrom('swaps', 'deposits', 'withdrawals'), value: isOn });
const feeName = fc.constantFrom('the creator fee', 'the LP fee', 'the reflection fee');
const feeChange = fc.record({ name: feeName, value: bps });
const newReceiver = fc.record({ name: fc.constant('the receiver'), value: wallet });

const settingTerms = fc.record({ wallet: creator, pool: proPool });

const setting = fc
  .record({ terms: settingTerms, change: fc.oneof(toggle, feeChange, newReceiver) })
  .map(({ terms, change: { name, value } }) => {
    const text = `sets ${name} to ${value}`;
    return step('setting', text, terms, async ({ client, auditor, payer, pool }) => {
      const number = Number(value);
      const brackets = inAllBrackets(number);
      const change = { enabled: value, brackets, newReceiver: auditor.wallets[number] };
      const { tx } = await SETTINGS[name]!(client, { ...pool, version: 3, payer, ...change });
      return { tx, promised: {} };
    });
  });

const launch = fc
  .record({ wallet, configVersion: fc.constantFrom(1, 2), percent: fc.constantFrom(0, 0.3, 40) })
  .map(({ wallet, configVersion, percent }) => {
    const text = `launches a token with config ${configVersion} and buys ${percent} % of it`;
    return step('creation', text, { wallet, pool: 0 }, async ({ client, auditor, payer, sol }) => {
      const purchase = { configVersion, initialPurchasePercent: percent };
      const { tokenAmount, details } = await heaven.quoteInitialBuy(client, purchase);
      const key = new Uint8Array(32).fill(auditor.pools.length);
      const { tx, mint, pool } = await heaven.buildCreateStandardLiquidityPool(client, {
        payer,
        creator: payer,
        configVersion,
        mintSigner: await createKeyPairSignerFromPrivateKeyBytes(key),
        name: 'A token',
        symbol: 'TOKEN',
        uri: 'https://example.com/token.json',
        initialPurchaseAmount: tokenAmount,
        lutAddress: auditor.ledger.lookupTables[configVersion === 1 ? 'community' : 'creator'],
      });
      const minted = 10n ** 18n;
      return {
        tx,
        pool: { kind: 'standard', pool, mint, configVersion },
        promised: { [sol]: -details.leastLamports, [unitsOf(payer, mint)]: tokenAmount },
        created: { reserveA: minted, reserveB: 35n * SOL, lpSupply: 0n },
        minted,
      };
    });
  });

/** Not pool 1, as deposits don't account for a transfer fee. */
const otherPool = fc.constantFrom(0, 2, 3, 4, 5);
const lamports = fc.bigInt({ min: 1n, max: 50n * SOL });

/** Of another pool's token. */
const creation = fc
  .record({ terms: fc.record({ wallet, pool: otherPool }), lamports, amount, bps })
  .map(({ terms, lamports, amount, bps }) => {
    const text = `creates a pro pool with ${amount.text} its tokens, ${lamports} lamports and fees of ${bps} bps`;
    return step('creation', text, terms, async (seat) => {
      const { client, auditor, payer, sol, units } = seat;
      const { mint } = seat.pool;
      const tokens = amount.of(auditor.has(units));
      const { tx, pool, lpTokens } = await heaven.buildProCreate(client, {
        payer,
        creator: payer,
        configVersion: 3,
        mint,
        lutAddress: auditor.ledger.lookupTables.pro,
        initialTokenAAmount: tokens,
        initialTokenBAmount: lamports,
        creatorTradingFee: inAllBrackets(bps),
        liquidityProviderTradingFee: inAllBrackets(bps),
      });
      return {
        tx,
        pool: { kind: 'pro', pool, mint, configVersion: 3 },
        promised: { [sol]: -lamports, [units]: -tokens, [lpTokensOf(payer, pool)]: lpTokens },
        created: { reserveA: tokens, reserveB: lamports, lpSupply: lpTokens },
      };
    });
  });

const change = (text: string, run: (auditor: Auditor) => void): fc.AsyncCommand<Model, World> => ({
  check: () => true,
  run: async (_, { auditor }) => run(auditor),
  toString: () => `\n  ${text}`,
});
const wait = fc
  .integer({ min: 1, max: 20 })
  .map((slots) => change(`${slots} slots pass`, ({ ledger }) => ledger.setSlot(ledger.slot + BigInt(slots))));
const solPrice = fc
  .integer({ min: 20, max: 300 })
  .map((usd) => change(`SOL costs ${usd} USD`, ({ ledger }) => ledger.setSolPrice(usd)));

test('random operations keep the books balanced, and do what was quoted', async () => {
  const most = [trade, trade, trade, trade, trade, trade, deposit, deposit, wait, wait];
  const newPool = fc.oneof(launch, creation);
  const others = [withdrawal, lpTransfer, creatorClaim, lpClaim, setting, newPool, solPrice];
  const all = [...most, ...others, fc.constant(sendLate)];
  const steps = fc.commands<Model, World, false>(all, { maxCommands: 200, size: 'max' });
  let shrinkUntil = Number.POSITIVE_INFINITY;
  const property = fc.asyncProperty(steps, async (taken) => {
    // What is not tried counts as passed, so that the shortest sequence so far is printed.
    if (Date.now() > shrinkUntil) return;
    const real = await createWorld();
    const model = { pools: real.auditor.pools.length, isLate: false };
    try {
      await fc.asyncModelRun(() => ({ model, real }), taken);
    } catch (error) {
      shrinkUntil = Math.min(shrinkUntil, Date.now() + SHRINK_MS);
      throw error;
    }
  });
  await fc.assert(property, { numRuns: RUNS });
  // None of it was for nothing.
  for (const what of [...KINDS, 'failed', 'refused']) expect(tally.get(what) ?? 0, what).toBeGreaterThan(2);
});
