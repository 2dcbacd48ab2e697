// The transactions of the pools view: reads, checks and builds what is typed. Loaded on demand.
import type { Address } from '@solana/kit';
import {
  type BuiltTransaction,
  buildClaimCreatorTradingFees,
  buildProAddLiquidity,
  buildProClaimCreatorFees,
  buildProClaimLpFees,
  buildProCreate,
  buildProRemoveLiquidity,
  buildProTransferLp,
  type LiquidityPoolState,
  type LpBalance,
  type LpShare,
  MAX_MARKET_CAP_BOUND,
  type ProPoolLocator,
  quoteProAddLiquidity,
  quoteProRemoveLiquidity,
} from 'heaven-pools';

import type { Connection } from './connection.js';
import { formatAmount, formatPrice, formatSol, SOL_DECIMALS } from './format.js';
import { Problem } from './messages.js';
import { planSetting, readPercent } from './pool-settings.js';
import type { Pool } from './pools.js';
import {
  addressAt,
  amountAt,
  type BuildOptions,
  FieldProblem,
  lookupTableOf,
  type Plan,
  valueAt,
} from './view-form.js';

const SLIPPAGE_BPS = 50;
export const LP_DECIMALS = 9;
const PRO_CONFIG_VERSION = 3;

export type PoolShare = LpBalance & LpShare;

export interface LiquidityInput {
  readonly connection: Connection;
  /** The connected wallet's account, which signs. */
  readonly owner: Address | undefined;
  readonly kind: Pool['kind'];
  readonly locator: ProPoolLocator;
  /** The pool's account. */
  readonly account: LiquidityPoolState;
  readonly decimals: number;
  readonly symbol: string;
  /** The owner's. */
  readonly share: PoolShare | undefined;
}

/** What a form does, in words and numbers. The rest of its {@link Plan} is the same for all that is typed. */
export interface LiquidityPlan
  extends Pick<Plan, 'headline' | 'facts' | 'warnings' | 'recipients' | 'canSendChanged' | 'lastSigner'> {
  readonly build: (options: BuildOptions) => Promise<BuiltTransaction>;
}

const lpTokens = (amount: bigint) => formatAmount(amount, LP_DECIMALS);
const inPercent = (percent: number) => `${formatPrice(percent, 3)} %`;

async function planDeposit(
  { connection: { client }, locator, decimals, symbol }: LiquidityInput,
  abortSignal: AbortSignal,
): Promise<LiquidityPlan> {
  const quote = await quoteProAddLiquidity(client, {
    ...locator,
    maxTokenB: amountAt('deposit-sol', SOL_DECIMALS),
    slippageBps: SLIPPAGE_BPS,
    abortSignal,
  });
  const [sol, tokens] = [formatSol(quote.tokenB), formatAmount(quote.tokenA, decimals)];
  const { maxTokenA, maxTokenB, minLpTokens } = quote;
  const limits = { maxTokenA, maxTokenB, minLpTokens };
  return {
    headline: `You deposit about ${sol} and ${tokens} ${symbol}.`,
    facts: [
      { term: 'SOL, about', value: sol },
      { term: `${symbol}, about`, value: tokens },
      { term: `${symbol}, at most`, value: formatAmount(quote.maxTokenA, decimals) },
      { term: 'LP tokens, at least', value: lpTokens(quote.minLpTokens), isStrong: true },
      { term: 'Share of the pool', value: inPercent(quote.sharePct) },
    ],
    build: (options) =>
      buildProAddLiquidity(client, { ...locator, ...options, ...limits, wrapSol: 'temporary' }),
  };
}

/** The LP tokens in a field, and at most those that the wallet has. */
function lpTokensAt(id: string, { share }: LiquidityInput): bigint {
  const amount = amountAt(id, LP_DECIMALS);
  if (share === undefined || amount <= share.lpTokenBalance) return amount;
  throw new FieldProblem(
    id,
    `You have ${lpTokens(share.lpTokenBalance)} LP tokens. Type less, or press Max.`,
  );
}

async function planWithdrawal(input: LiquidityInput, abortSignal: AbortSignal): Promise<LiquidityPlan> {
  const { connection, locator, decimals, symbol } = input;
  const quote = await quoteProRemoveLiquidity(connection.client, {
    ...locator,
    lpTokensToBurn: lpTokensAt('withdraw-lp', input),
    slippageBps: SLIPPAGE_BPS,
    abortSignal,
  });
  const { lpTokensToBurn, minTokenA, minTokenB } = quote;
  return {
    headline: `You get about ${formatSol(quote.tokenB)} and ${formatAmount(quote.tokenA, decimals)} ${symbol}.`,
    facts: [
      { term: 'SOL, at least', value: formatSol(quote.minTokenB), isStrong: true },
      { term: `${symbol}, at least`, value: formatAmount(quote.minTokenA, decimals), isStrong: true },
      { term: 'Part of the pool', value: inPercent(quote.sharePct) },
    ],
    build: (options) =>
      buildProRemoveLiquidity(connection.client, {
        ...locator,
        ...options,
        lpTokensToBurn,
        minTokenA,
        minTokenB,
        wrapSol: 'temporary',
      }),
  };
}

function planTransfer(input: LiquidityInput): LiquidityPlan {
  const { connection, locator, owner, share } = input;
  const amount = lpTokensAt('transfer-lp', input);
  const receiver = addressAt('transfer-to', 'the wallet that gets them');
  if (receiver === owner)
    throw new FieldProblem('transfer-to', 'This is your own wallet: nothing would move. Type another one.');
  const isAll = amount === share?.lpTokenBalance;
  return {
    headline: `You send ${isAll ? 'your whole share' : 'a part of your share'} of this pool to another wallet.`,
    facts: [
      { term: 'LP tokens', value: lpTokens(amount), isStrong: true },
      { term: 'Receiver', value: receiver, isStrong: true },
    ],
    warnings: [
      'Nobody can undo this: only the receiver can withdraw these LP tokens, or send them back. Compare its address letter by letter.',
    ],
    recipients: [receiver],
    build: (options) =>
      buildProTransferLp(connection.client, {
        ...options,
        pool: locator.pool,
        sender: options.payer,
        receiver,
        amount,
      }),
  };
}

const claim = (lamports: bigint, term: string, build: LiquidityPlan['build']): LiquidityPlan => ({
  headline: `You claim about ${formatSol(lamports)} of ${term.toLowerCase()}.`,
  facts: [{ term, value: formatSol(lamports), isStrong: true }],
  build,
});

function planClaim({ connection: { client }, locator: { pool }, share }: LiquidityInput): LiquidityPlan {
  if (share === undefined || !share.exists)
    throw new Problem(undefined, 'You have no share of this pool, so there is nothing to claim.');
  return claim(share.pendingFees, 'Fees', (options) =>
    buildProClaimLpFees(client, { pool, ...options, wrapSol: 'temporary' }),
  );
}

/** The creator fees of a pool of either kind. */
function planRoyalty({ connection: { client }, kind, locator, account }: LiquidityInput): LiquidityPlan {
  const { pool, mint, configVersion: version } = locator;
  return claim(account.creatorTradingFees, 'Creator fees', (options) =>
    kind === 'pro'
      ? buildProClaimCreatorFees(client, { pool, ...options, wrapSol: 'temporary' })
      : buildClaimCreatorTradingFees(client, { mint, version, ...options, wrapSol: 'temporary' }),
  );
}

/** One fee for every market cap. None if the field is empty. */
function feeAt(id: string, byDefault: string) {
  const bps = readPercent(valueAt(id) || byDefault);
  if (bps === undefined)
    throw new FieldProblem(id, 'Type a percentage from 0 to 100 with at most two decimals, such as 0.5.');
  return bps === 0 ? [] : [{ marketCapUpperBound: MAX_MARKET_CAP_BOUND, buyFeeBps: bps, sellFeeBps: bps }];
}

function planCreation({ connection, locator, decimals, symbol }: LiquidityInput): LiquidityPlan {
  const mint = addressAt('create-mint', 'the token');
  if (mint !== locator.mint)
    throw new FieldProblem(
      'create-mint',
      'Choose this token above first, so that the page knows its decimals.',
    );
  const created = {
    mint,
    configVersion: PRO_CONFIG_VERSION,
    initialTokenAAmount: amountAt('create-tokens', decimals),
    initialTokenBAmount: amountAt('create-sol', SOL_DECIMALS),
    liquidityProviderTradingFee: feeAt('create-lp-fee', '0.5'),
    creatorTradingFee: feeAt('create-creator-fee', '0'),
  };
  const { initialTokenAAmount: tokens, initialTokenBAmount: sol } = created;
  const price = (Number(sol) / Number(tokens)) * 10 ** (decimals - SOL_DECIMALS);
  return {
    headline: `You create a pro pool with ${formatAmount(tokens, decimals)} ${symbol} and ${formatSol(sol)}.`,
    facts: [
      { term: 'First price', value: `${formatPrice(price)} SOL` },
      { term: 'Token', value: mint },
    ],
    build: (options) =>
      buildProCreate(connection.client, {
        ...options,
        ...created,
        creator: options.payer,
        ...(options.transactionVersion === 1 ? {} : { lutAddress: lookupTableOf(connection, 'pro') }),
      }),
  };
}

/** How a form makes its plan, and the words of its review and receipt. */
const form = (
  plan: (input: LiquidityInput, signal: AbortSignal) => LiquidityPlan | Promise<LiquidityPlan>,
  title: string,
  noun: string,
  done: string,
  landed = done.replace(/^./, (letter) => letter.toUpperCase()),
) => ({ plan, words: { title: `Before you ${title}`, noun, done, receipt: { title: landed } } });

const FORMS = {
  deposit: form(planDeposit, 'deposit', 'deposit', 'deposited'),
  withdraw: form(planWithdrawal, 'withdraw', 'withdrawal', 'withdrawn'),
  transfer: form(planTransfer, 'send your share', 'transfer', 'sent'),
  earned: form(planClaim, 'claim', 'claim', 'claimed'),
  royalty: form(planRoyalty, 'claim', 'claim', 'claimed'),
  manage: form(planSetting, 'change the pool', 'change', 'changed'),
  create: form(planCreation, 'create the pool', 'new pool', 'created', 'Pool created'),
};

export type LiquidityForm = keyof typeof FORMS;
export const FORM_NAMES = Object.keys(FORMS) as readonly LiquidityForm[];

/** The quoted plan of a form. */
export async function planOf(
  name: LiquidityForm,
  input: LiquidityInput,
  abortSignal: AbortSignal,
): Promise<LiquidityPlan & Plan> {
  const {
    locator: { pool, mint },
    decimals,
    symbol,
  } = input;
  const { plan, words } = FORMS[name];
  return {
    ...words,
    token: { mint, decimals, symbol },
    known: { [mint]: 'this token', [pool]: 'this pool' },
    ...(await plan(input, abortSignal)),
  };
}
