import type { Address } from '@solana/kit';
import { inSol } from '../../math/units.js';
import { type BuilderName, builders, readers } from '../../operations/index.js';
import { toFeeBrackets, toSlotFeeBrackets } from '../../operations/pro/brackets.js';
import type { CreatorOperationOptions } from '../../operations/pro/creator-operation.js';
import { toSlotFeeConfiguration } from '../../operations/pro/fee-settings.js';
import { quoteProAddLiquidity } from '../../operations/pro/quote-add-liquidity.js';
import { quoteProRemoveLiquidity } from '../../operations/pro/quote-remove-liquidity.js';
import type { LiquidityPoolState } from '../../program/accounts.js';
import type { Assumption } from '../../program/assumptions.js';
import type { HeavenClient } from '../../program/client.js';
import { type FeeBracket, MAX_MARKET_CAP_BOUND } from '../../program/types.js';
import type { BuiltTransaction } from '../../transaction/built.js';
import { changes, type Plan } from '../plan.js';
import type { Stage } from '../stage.js';
import { each, FAILURE, type Operation, operation, type Pool } from './row.js';
import { SOL, trade } from './trades.js';

interface SettingOptions<TArguments> {
  /** Whether a buy at the new fees follows. */
  readonly isTraded?: boolean;
  /** What the pool is set to before, so that the setting changes something. */
  readonly opposite?: (given: TArguments) => TArguments;
  /** The assumption without which it fails. */
  readonly tells?: Assumption;
}

/** Operations that change a pool's fields, one for each set of arguments. A buy at the new fees may follow. */
const setting = <TArguments extends object>(
  name: BuilderName,
  build: (client: HeavenClient, input: TArguments & CreatorOperationOptions) => Promise<BuiltTransaction>,
  assumes: readonly Assumption[],
  inputsOf: (pool: Pool) => Readonly<Record<string, TArguments>>,
  changed: (state: LiquidityPoolState, given: TArguments) => Partial<LiquidityPoolState>,
  { isTraded = false, opposite, tells }: SettingOptions<TArguments> = {},
): Operation => ({
  ...operation(name, 'pro', assumes, (pool) =>
    each(
      Object.entries(inputsOf(pool)),
      ([input]) => input,
      ([, given]) =>
        async (stage) => {
          const { address } = pool;
          if (opposite !== undefined)
            stage.ledger.updatePool(address, (now) => changed(now, opposite(given)));
          const state = await readers.getPoolState(stage.client, { pool: address });
          const payer = await stage.wallet(state.info.creator);
          const said = changes(state, { ...state, ...changed(state, given) });
          const built = await build(stage.client, { ...given, pool: address, payer });
          const next = isTraded ? { next: () => trade(stage, pool, 'buy') } : {};
          const alternatives = tells === undefined ? [] : [FAILURE];
          return { built, said, alternatives, pool: address, isExact: true, ...next };
        },
    ),
  ),
  ...(tells && { tells }),
});

const toggle = (
  name: Extract<BuilderName, `buildProToggle${string}`>,
  feature: 'swap' | 'depositLiquidity' | 'removeLiquidity',
) =>
  setting(
    name,
    builders[name],
    [],
    () => ({ on: { enabled: true }, off: { enabled: false } }),
    ({ allowlist }, { enabled }) => ({ allowlist: { ...allowlist, [feature]: enabled ? 1 : 0 } }),
    { opposite: ({ enabled }) => ({ enabled: !enabled }) },
  );

const bracket = (marketCapUpperBound: bigint, bps: number): FeeBracket => ({
  marketCapUpperBound,
  buyFeeBps: bps,
  sellFeeBps: bps - 1,
});

/** The bounds are millionths of a USD. If they were whole USD (the rival of A5), the first bracket would apply to any pool. */
export const THREE_BRACKETS = [
  bracket(1_000_000_000n, 401),
  bracket(10_000_000_000_000n, 203),
  bracket(MAX_MARKET_CAP_BOUND, 101),
];
export const ONE_BRACKET = [bracket(MAX_MARKET_CAP_BOUND, 123)];

const marketCapFee = (
  name: 'buildProSetReflectionFee' | 'buildProSetLpFee' | 'buildProSetMarketCapCreatorFee',
  fee: 'reflectionTradingFee' | 'liquidityProviderTradingFee' | 'creatorTradingFee',
) =>
  setting(
    name,
    builders[name],
    ['A5', 'A6'],
    () => ({ 'one bracket': { brackets: ONE_BRACKET }, 'three brackets': { brackets: THREE_BRACKETS } }),
    ({ marketCapBasedFees }, { brackets }) => ({
      marketCapBasedFees: { ...marketCapBasedFees, [fee]: toFeeBrackets(brackets) },
    }),
    { isTraded: true },
  );

export const slots = (last: number) =>
  toSlotFeeConfiguration([
    { slotOffsetUpperbound: last >> 1, buyFeeBps: 1_003, sellFeeBps: 807 },
    { slotOffsetUpperbound: last, buyFeeBps: 505, sellFeeBps: 303 },
  ]);

const NEW_RECEIVER = 'HeavenPoo1sNewReceiver1111111111111111111111' as Address;

const DEPOSITS = [SOL / 10n + 1n, 2n * SOL + 7n, 30n * SOL + 9n];
const PARTS = [1n, 3n, 1_009n];
const partOf = (part: bigint) => (part === 1n ? 'all LP tokens' : `1/${part} of the LP tokens`);

export const LIQUIDITY = [
  operation('buildProAddLiquidity', 'pro', ['A2', 'A3', 'A8'], (pool) => ({
    ...each(
      DEPOSITS,
      inSol,
      (lamports) => async (stage) => deposit(stage, pool, await stage.wallet(), lamports),
    ),
    'into an existing position': async (stage) => deposit(stage, pool, await provider(stage, pool), SOL + 3n),
  })),
  operation('buildProRemoveLiquidity', 'pro', ['A2', 'A3', 'A8'], (pool) =>
    each(PARTS, partOf, (part) => (stage) => withdrawal(stage, pool, part)),
  ),
  operation('buildProTransferLp', 'pro', ['A2', 'A8'], (pool) => ({
    ...each(PARTS, partOf, (part) => async (stage) => transfer(stage, pool, part, await stage.wallet())),
    'to an existing position': async (stage) => transfer(stage, pool, 7n, await provider(stage, pool)),
  })),
  operation('buildProClaimLpFees', 'pro', ['A2', 'A3', 'A8'], (pool) =>
    each(
      [SOL + 1n, 40n * SOL + 3n],
      (lamports) => `after a buy for ${inSol(lamports)}`,
      (lamports) => (stage) => lpClaimAfterBuy(stage, pool, lamports),
    ),
  ),
];

const positionOf = ({ client }: Stage, { address: pool }: Pool, user: Address) =>
  readers.getLpBalance(client, { pool, user });

export async function deposit(stage: Stage, pool: Pool, payer: Address, lamports: bigint): Promise<Plan> {
  const { address, mint, configVersion } = pool;
  const locator = { pool: address, mint, configVersion };
  const terms = { maxTokenB: lamports, slippageBps: 100 };
  const quote = await quoteProAddLiquidity(stage.client, { ...locator, ...terms });
  const { maxTokenA, maxTokenB, minLpTokens, lpTokens, tokenA, tokenB } = quote;
  const tokens = await stage.giveTokens(payer, pool, maxTokenA);
  const position = await positionOf(stage, pool, payer);
  const input = { ...locator, payer, maxTokenA, maxTokenB, minLpTokens };
  return {
    built: await builders.buildProAddLiquidity(stage.client, input),
    pool: address,
    at: { 'LP tokens': position.lpPositionAddress, tokens, lamports: payer },
    said: {
      'LP tokens': lpTokens,
      tokens: -tokenA,
      lamports: -tokenB,
      'reserve.tokenA': tokenA,
      'reserve.tokenB': tokenB,
      'lpToken.supply.total': lpTokens,
    },
  };
}

/** A new wallet with liquidity. */
export async function provider(stage: Stage, pool: Pool): Promise<Address> {
  const wallet = await stage.wallet();
  await stage.prepare('a deposit', await deposit(stage, pool, wallet, 4n * SOL + 11n));
  return wallet;
}

export async function withdrawal(stage: Stage, pool: Pool, part: bigint): Promise<Plan> {
  const { address, mint, configVersion } = pool;
  const locator = { pool: address, mint, configVersion };
  const payer = await provider(stage, pool);
  const { lpTokenBalance, lpPositionAddress } = await positionOf(stage, pool, payer);
  const terms = { lpTokensToBurn: lpTokenBalance / part, slippageBps: 100 };
  const quote = await quoteProRemoveLiquidity(stage.client, { ...locator, ...terms });
  const { lpTokensToBurn, minTokenA, minTokenB, tokenA, tokenB } = quote;
  const input = { ...locator, payer, lpTokensToBurn, minTokenA, minTokenB };
  return {
    built: await builders.buildProRemoveLiquidity(stage.client, input),
    pool: address,
    at: { lamports: payer, tokens: await stage.giveTokens(payer, pool, 0n), 'LP tokens': lpPositionAddress },
    said: {
      lamports: tokenB,
      tokens: tokenA,
      'LP tokens': -lpTokensToBurn,
      'reserve.tokenA': -tokenA,
      'reserve.tokenB': -tokenB,
      'lpToken.supply.total': -lpTokensToBurn,
    },
  };
}

async function transfer(stage: Stage, pool: Pool, part: bigint, receiver: Address): Promise<Plan> {
  const sender = await provider(stage, pool);
  const from = await positionOf(stage, pool, sender);
  const to = await positionOf(stage, pool, receiver);
  const amount = from.lpTokenBalance / part;
  const input = { pool: pool.address, sender, payer: sender, receiver, amount };
  return {
    built: await builders.buildProTransferLp(stage.client, input),
    pool: pool.address,
    at: { received: to.lpPositionAddress, sent: from.lpPositionAddress },
    said: { received: amount, sent: -amount, 'lpToken.supply.total': 0n },
  };
}

async function lpClaimAfterBuy(stage: Stage, pool: Pool, lamports: bigint): Promise<Plan> {
  const { client } = stage;
  const { info } = await readers.getPoolState(client, { pool: pool.address });
  const creator = await stage.wallet(info.creator);
  const input = { pool: pool.address, payer: creator, brackets: ONE_BRACKET };
  const fee = await builders.buildProSetLpFee(client, input);
  await stage.prepare('an LP fee', { built: fee, said: {} });
  const payer = await provider(stage, pool);
  await stage.prepare('a buy', await trade(stage, pool, 'buy', lamports));
  return await lpClaim(stage, pool, payer);
}

export async function lpClaim(stage: Stage, pool: Pool, payer: Address): Promise<Plan> {
  const { pendingFees } = await positionOf(stage, pool, payer);
  return {
    built: await builders.buildProClaimLpFees(stage.client, { pool: pool.address, payer }),
    at: { lamports: payer },
    said: { lamports: pendingFees },
  };
}

const claims = (pool: Pool) =>
  each(
    [1n, 3n],
    (part) => (part === 1n ? 'all fees' : `1/${part} of the fees`),
    (part) => (stage) => claimAfterBuy(stage, pool, part),
  );

export async function claimAfterBuy(stage: Stage, pool: Pool, part: bigint): Promise<Plan> {
  await stage.prepare('a buy', await trade(stage, pool, 'buy', 5n * SOL + 3n));
  return await claim(stage, pool, part);
}

async function claim(stage: Stage, pool: Pool, part: bigint): Promise<Plan> {
  const { client } = stage;
  const { address, kind, mint, configVersion: version } = pool;
  const state = await readers.getPoolState(client, { pool: address });
  const payer = await stage.wallet(state.creatorTradingFeeReceiver);
  const lamports = state.creatorTradingFees / part;
  const input = { payer, amount: part === 1n ? 0n : lamports };
  return {
    built:
      kind === 'pro'
        ? await builders.buildProClaimCreatorFees(client, { ...input, pool: address })
        : await builders.buildClaimCreatorTradingFees(client, { ...input, mint, version }),
    pool: address,
    at: { lamports: payer },
    said: { lamports, creatorTradingFees: -lamports },
  };
}

export const CREATOR = [
  operation('buildClaimCreatorTradingFees', 'standard', ['A3'], claims),
  operation('buildProClaimCreatorFees', 'pro', ['A3'], claims),
  toggle('buildProToggleSwap', 'swap'),
  toggle('buildProToggleDeposit', 'depositLiquidity'),
  toggle('buildProToggleWithdraw', 'removeLiquidity'),
  marketCapFee('buildProSetReflectionFee', 'reflectionTradingFee'),
  marketCapFee('buildProSetLpFee', 'liquidityProviderTradingFee'),
  marketCapFee('buildProSetMarketCapCreatorFee', 'creatorTradingFee'),
  setting(
    'buildProSetSlotCreatorFee',
    builders.buildProSetSlotCreatorFee,
    ['A6'],
    () => ({ '15 slots': slots(15), '65535 slots': slots(0xffff) }),
    ({ slotOffsetBasedFees }, schedule) => ({
      slotOffsetBasedFees: { ...slotOffsetBasedFees, creatorTradingFee: toSlotFeeBrackets(schedule) },
    }),
    { isTraded: true },
  ),
  setting(
    'buildProUpdateCreatorFeeReceiver',
    builders.buildProUpdateCreatorFeeReceiver,
    ['A11'],
    ({ mint, configVersion: version }) => ({ 'a new wallet': { mint, version, newReceiver: NEW_RECEIVER } }),
    (_, { newReceiver }) => ({ creatorTradingFeeReceiver: newReceiver }),
    { tells: 'A11' },
  ),
];
