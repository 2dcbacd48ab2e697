// The transactions of the pools view: what is typed, checked and built. Loaded on demand.
import { type Address, isAddress } from '@solana/kit';
import {
  type BuiltTransaction,
  buildProAddLiquidity,
  buildProClaimLpFees,
  buildProCreate,
  buildProRemoveLiquidity,
  type LpBalance,
  quoteProAddLiquidity,
  quoteProRemoveLiquidity,
} from 'heaven-pools';
import { COMMUNITY_LOOKUP_TABLE_ADDRESS } from 'heaven-pools/program';

import type { Connection } from './connection.js';
import type { Fact } from './dom.js';
import { formatAmount, formatPrice, formatSol, SOL_DECIMALS } from './format.js';
import type { LiquidityTab } from './liquidity-page.js';
import { explain, Problem } from './messages.js';
import type { Pool } from './pools.js';
import { readAmount, readSlippage } from './quote.js';
import { NO_LIFETIME } from './review.js';

const SLIPPAGE_BPS = 50;
const LP_DECIMALS = 9;
const PRO_CONFIG_VERSION = 3;
/** The last bracket of a pro pool's fees has no end. */
const NO_END = 9_223_372_036_854_775_807n;

/** Something wrong with a field of the view. */
export class LiquidityProblem extends Problem {
  readonly input: string;

  constructor(input: string, message: string) {
    super(undefined, message);
    this.input = input;
  }
}

export interface LiquidityInput {
  readonly connection: Connection;
  readonly pool: Pool;
  readonly decimals: number;
  readonly symbol: string;
  readonly values: (id: string) => string;
  readonly position: LpBalance | undefined;
}

/** What an action does, in words and figures. */
export interface LiquidityPlan {
  readonly title: string;
  readonly headline: string;
  readonly facts: readonly Fact[];
  readonly done: string;
  readonly noun: string;
  readonly build: (options: {
    readonly payer: Address;
    readonly transactionVersion: 0 | 1;
    readonly abortSignal: AbortSignal;
  }) => Promise<BuiltTransaction>;
}

const locatorOf = ({ address, mint, configVersion }: Pool) => ({ pool: address, mint, configVersion });

function amountAt(
  id: string,
  values: LiquidityInput['values'],
  side: 'buy' | 'sell',
  decimals: number,
): bigint {
  try {
    return readAmount(values(id), side, decimals);
  } catch (error) {
    throw new LiquidityProblem(id, explain(error).message);
  }
}

async function planDeposit(
  { connection, pool, values, decimals, symbol }: LiquidityInput,
  abortSignal: AbortSignal,
): Promise<LiquidityPlan> {
  const maxTokenB = amountAt('deposit-sol', values, 'buy', SOL_DECIMALS);
  const locator = locatorOf(pool);
  const quote = await quoteProAddLiquidity(connection.client, {
    ...locator,
    maxTokenB,
    slippageBps: SLIPPAGE_BPS,
    abortSignal,
  });
  const tokens = (amount: bigint) => `${formatAmount(amount, decimals)} ${symbol}`;
  return {
    title: 'Before you deposit',
    headline: `You deposit about ${formatSol(quote.tokenB)} and ${tokens(quote.tokenA)}.`,
    facts: [
      { term: 'SOL, about', value: formatSol(quote.tokenB) },
      { term: `${symbol}, about`, value: formatAmount(quote.tokenA, decimals) },
      { term: `${symbol}, at most`, value: formatAmount(quote.maxTokenA, decimals) },
      { term: 'LP tokens, at least', value: formatAmount(quote.minLpTokens, LP_DECIMALS), isStrong: true },
      { term: 'Share of the pool', value: `${formatPrice(quote.sharePct, 3)} %` },
    ],
    done: 'deposited',
    noun: 'deposit',
    build: (options) =>
      buildProAddLiquidity(connection.client, {
        ...locator,
        ...options,
        maxTokenA: quote.maxTokenA,
        maxTokenB: quote.maxTokenB,
        minLpTokens: quote.minLpTokens,
        lifetime: NO_LIFETIME,
        wrapSol: 'temporary',
      }),
  };
}

async function planWithdrawal(
  { connection, pool, values, decimals, symbol, position }: LiquidityInput,
  abortSignal: AbortSignal,
): Promise<LiquidityPlan> {
  const lpTokensToBurn = amountAt('withdraw-lp', values, 'sell', LP_DECIMALS);
  if (position !== undefined && lpTokensToBurn > position.lpTokenBalance)
    throw new LiquidityProblem(
      'withdraw-lp',
      `You have ${formatAmount(position.lpTokenBalance, LP_DECIMALS)} LP tokens. Type less, or press Max.`,
    );
  const locator = locatorOf(pool);
  const quote = await quoteProRemoveLiquidity(connection.client, {
    ...locator,
    lpTokensToBurn,
    slippageBps: SLIPPAGE_BPS,
    abortSignal,
  });
  return {
    title: 'Before you withdraw',
    headline: `You get about ${formatSol(quote.tokenB)} and ${formatAmount(quote.tokenA, decimals)} ${symbol}.`,
    facts: [
      { term: 'SOL, at least', value: formatSol(quote.minTokenB), isStrong: true },
      { term: `${symbol}, at least`, value: formatAmount(quote.minTokenA, decimals), isStrong: true },
      { term: 'Part of the pool', value: `${formatPrice(quote.sharePct, 3)} %` },
    ],
    done: 'withdrawn',
    noun: 'withdrawal',
    build: (options) =>
      buildProRemoveLiquidity(connection.client, {
        ...locator,
        ...options,
        lpTokensToBurn,
        minTokenA: quote.minTokenA,
        minTokenB: quote.minTokenB,
        lifetime: NO_LIFETIME,
        wrapSol: 'temporary',
      }),
  };
}

async function planClaim({ connection, pool, position }: LiquidityInput): Promise<LiquidityPlan> {
  if (position === undefined || !position.exists)
    throw new Problem(undefined, 'You have no share of this pool, so there is nothing to claim.');
  return {
    title: 'Before you claim',
    headline: `You claim about ${formatSol(position.pendingFees)} of fees.`,
    facts: [{ term: 'Fees', value: formatSol(position.pendingFees), isStrong: true }],
    done: 'claimed',
    noun: 'claim',
    build: (options) =>
      buildProClaimLpFees(connection.client, {
        pool: pool.address,
        ...options,
        lifetime: NO_LIFETIME,
        wrapSol: 'temporary',
      }),
  };
}

function feeAt(id: string, values: LiquidityInput['values'], byDefault: string) {
  const text = values(id).trim() || byDefault;
  let bps: number;
  try {
    bps = readSlippage(text);
  } catch {
    throw new LiquidityProblem(id, 'Type a percentage from 0 to 50 with at most two decimals, such as 0.5.');
  }
  return bps === 0 ? [] : [{ marketCapUpperBound: NO_END, buyFeeBps: bps, sellFeeBps: bps }];
}

async function planCreation({
  connection,
  values,
  pool,
  decimals,
  symbol,
}: LiquidityInput): Promise<LiquidityPlan> {
  const mint = values('create-mint').trim();
  if (!isAddress(mint))
    throw new LiquidityProblem(
      'create-mint',
      'Type the address of the token. It has 32 to 44 letters and digits.',
    );
  if (mint !== pool.mint)
    throw new LiquidityProblem(
      'create-mint',
      'Choose this token above first, so that the page knows its decimals.',
    );
  const initialTokenAAmount = amountAt('create-tokens', values, 'sell', decimals);
  const initialTokenBAmount = amountAt('create-sol', values, 'buy', SOL_DECIMALS);
  const liquidityProviderTradingFee = feeAt('create-lp-fee', values, '0.5');
  const creatorTradingFee = feeAt('create-creator-fee', values, '0');
  const price = (Number(initialTokenBAmount) / Number(initialTokenAAmount)) * 10 ** (decimals - SOL_DECIMALS);
  return {
    title: 'Before you create the pool',
    headline: `You create a pro pool with ${formatAmount(initialTokenAAmount, decimals)} ${symbol} and ${formatSol(initialTokenBAmount)}.`,
    facts: [
      { term: 'First price', value: `${formatPrice(price)} SOL` },
      { term: 'Token', value: mint },
    ],
    done: 'created',
    noun: 'new pool',
    build: ({ payer, transactionVersion, abortSignal }) =>
      buildProCreate(connection.client, {
        payer,
        creator: payer,
        transactionVersion,
        abortSignal,
        configVersion: PRO_CONFIG_VERSION,
        mint,
        initialTokenAAmount,
        initialTokenBAmount,
        liquidityProviderTradingFee,
        creatorTradingFee,
        ...(transactionVersion === 1
          ? {}
          : {
              lutAddress: connection.model?.ledger.lookupTables.community ?? COMMUNITY_LOOKUP_TABLE_ADDRESS,
            }),
        lifetime: NO_LIFETIME,
      }),
  };
}

/** What the typed action does, quoted. */
export function planOf(
  tab: LiquidityTab,
  input: LiquidityInput,
  abortSignal: AbortSignal,
): Promise<LiquidityPlan> {
  if (tab === 'deposit') return planDeposit(input, abortSignal);
  if (tab === 'withdraw') return planWithdrawal(input, abortSignal);
  return tab === 'earned' ? planClaim(input) : planCreation(input);
}
