// The transactions of the pools view: reads, checks and builds what is typed. Loaded on demand.
import { isAddress } from '@solana/kit';
import {
  type BuiltTransaction,
  buildClaimCreatorTradingFees,
  buildProAddLiquidity,
  buildProClaimCreatorFees,
  buildProClaimLpFees,
  buildProCreate,
  buildProRemoveLiquidity,
  type LiquidityPoolState,
  type LpBalance,
  MAX_MARKET_CAP_BOUND,
  quoteProAddLiquidity,
  quoteProRemoveLiquidity,
} from 'heaven-pools';

import type { Connection } from './connection.js';
import { formatAmount, formatPrice, formatSol, SOL_DECIMALS } from './format.js';
import type { LiquidityForm } from './liquidity-page.js';
import { Problem } from './messages.js';
import { planSetting, readPercent } from './pool-settings.js';
import type { Pool } from './pools.js';
import { NO_LIFETIME } from './review.js';
import { amountAt, type BuildOptions, FieldProblem, lookupTableOf, type Plan, valueAt } from './view-form.js';

const SLIPPAGE_BPS = 50;
const LP_DECIMALS = 9;
const PRO_CONFIG_VERSION = 3;

export interface LiquidityInput {
  readonly connection: Connection;
  readonly pool: Pool;
  /** The pool's account. */
  readonly account: LiquidityPoolState;
  readonly decimals: number;
  readonly symbol: string;
  readonly position: LpBalance | undefined;
}

/** An action in words and numbers. */
export interface LiquidityPlan extends Plan {
  readonly build: (options: BuildOptions) => Promise<BuiltTransaction>;
}

const locatorOf = ({ address, mint, configVersion }: Pool) => ({ pool: address, mint, configVersion });

/** The pool details that every plan here shows. */
const about = ({ pool, decimals, symbol }: LiquidityInput) => ({
  token: { mint: pool.mint, decimals, symbol },
  known: { [pool.mint]: 'this token', [pool.address]: 'this pool' },
});

async function planDeposit(input: LiquidityInput, abortSignal: AbortSignal): Promise<LiquidityPlan> {
  const { connection, pool, decimals, symbol } = input;
  const maxTokenB = amountAt('deposit-sol', SOL_DECIMALS);
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
    receipt: { title: 'Deposited' },
    ...about(input),
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

async function planWithdrawal(input: LiquidityInput, abortSignal: AbortSignal): Promise<LiquidityPlan> {
  const { connection, pool, decimals, symbol, position } = input;
  const lpTokensToBurn = amountAt('withdraw-lp', LP_DECIMALS);
  if (position !== undefined && lpTokensToBurn > position.lpTokenBalance)
    throw new FieldProblem(
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
    receipt: { title: 'Withdrawn' },
    ...about(input),
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

function planClaim(input: LiquidityInput): LiquidityPlan {
  const { connection, pool, position } = input;
  if (position === undefined || !position.exists)
    throw new Problem(undefined, 'You have no share of this pool, so there is nothing to claim.');
  return claim(input, position.pendingFees, 'Fees', (options) =>
    buildProClaimLpFees(connection.client, { pool: pool.address, ...options, ...CLAIM }),
  );
}

/** The creator fees of a pool of either kind. */
function planRoyalty(input: LiquidityInput): LiquidityPlan {
  const { connection, pool, account } = input;
  const { client } = connection;
  const { address, mint, configVersion: version } = pool;
  return claim(input, account.creatorTradingFees, 'Creator fees', (options) =>
    pool.kind === 'pro'
      ? buildProClaimCreatorFees(client, { pool: address, ...options, ...CLAIM })
      : buildClaimCreatorTradingFees(client, { mint, version, ...options, ...CLAIM }),
  );
}

const CLAIM = { lifetime: NO_LIFETIME, wrapSol: 'temporary' } as const;

const claim = (
  input: LiquidityInput,
  lamports: bigint,
  term: string,
  build: LiquidityPlan['build'],
): LiquidityPlan => ({
  title: 'Before you claim',
  headline: `You claim about ${formatSol(lamports)} of ${term.toLowerCase()}.`,
  facts: [{ term, value: formatSol(lamports), isStrong: true }],
  done: 'claimed',
  noun: 'claim',
  receipt: { title: 'Claimed' },
  ...about(input),
  build,
});

/** One fee for every market cap. None if the field is empty. */
function feeAt(id: string, byDefault: string) {
  const bps = readPercent(valueAt(id) || byDefault);
  if (bps === undefined)
    throw new FieldProblem(id, 'Type a percentage from 0 to 100 with at most two decimals, such as 0.5.');
  return bps === 0 ? [] : [{ marketCapUpperBound: MAX_MARKET_CAP_BOUND, buyFeeBps: bps, sellFeeBps: bps }];
}

function planCreation(input: LiquidityInput): LiquidityPlan {
  const { connection, pool, decimals, symbol } = input;
  const mint = valueAt('create-mint');
  if (!isAddress(mint))
    throw new FieldProblem(
      'create-mint',
      'Type the address of the token. It has 32 to 44 letters and digits.',
    );
  if (mint !== pool.mint)
    throw new FieldProblem(
      'create-mint',
      'Choose this token above first, so that the page knows its decimals.',
    );
  const initialTokenAAmount = amountAt('create-tokens', decimals);
  const initialTokenBAmount = amountAt('create-sol', SOL_DECIMALS);
  const liquidityProviderTradingFee = feeAt('create-lp-fee', '0.5');
  const creatorTradingFee = feeAt('create-creator-fee', '0');
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
    receipt: { title: 'Pool created' },
    ...about(input),
    build: (options) =>
      buildProCreate(connection.client, {
        ...options,
        creator: options.payer,
        configVersion: PRO_CONFIG_VERSION,
        mint,
        initialTokenAAmount,
        initialTokenBAmount,
        liquidityProviderTradingFee,
        creatorTradingFee,
        ...(options.transactionVersion === 1 ? {} : { lutAddress: lookupTableOf(connection) }),
        lifetime: NO_LIFETIME,
      }),
  };
}

const PLANS: Readonly<
  Record<
    LiquidityForm,
    (input: LiquidityInput, signal: AbortSignal) => LiquidityPlan | Promise<LiquidityPlan>
  >
> = {
  deposit: planDeposit,
  withdraw: planWithdrawal,
  earned: planClaim,
  royalty: planRoyalty,
  manage: (input) => ({ ...about(input), ...planSetting(input) }),
  create: planCreation,
};

/** The quoted plan of a form. */
export const planOf = async (
  form: LiquidityForm,
  input: LiquidityInput,
  abortSignal: AbortSignal,
): Promise<LiquidityPlan> => await PLANS[form](input, abortSignal);
