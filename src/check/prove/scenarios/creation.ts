import { computeInitialLpTokens } from '../../../math/liquidity.js';
import { toFeeBrackets, toFeeBracketsParams, toSlotFeeBracketsParams } from '../../../pro/brackets.js';
import type { LiquidityPoolState } from '../../../program/accounts.js';
import {
  type CreateProLiquidityPoolParams,
  type FeeBracket,
  type FeeBracketsParams,
  LiquidityPoolType,
} from '../../../program/types.js';
import { TOKEN_2022_PROGRAM_ADDRESS, TOKEN_PROGRAM_ADDRESS } from '../../../solana/programs.js';
import { CannotObserve } from '../journal.js';
import type { Scenario, ScenarioInput } from '../scenario.js';
import { tokensGained } from '../stage.js';
import {
  type CreationBy,
  createProPool,
  openProSet,
  type ProPool,
  type ProSet,
  proBuyOf,
  proParams,
} from './pro-pool.js';
import { assertMoved, isComparable, lamportsLost, listed, observe, randomIn, SOL } from './scene.js';

const BOUNDS = [5_000_000_000n, 60_000_000_000n, 100_000_000_000n];

/** Brackets up to $5k, $60k, $100k and beyond, at random rates. */
const randomBrackets = (random: () => number): FeeBracketsParams =>
  toFeeBracketsParams(
    [...BOUNDS.slice(Number(randomIn(random, 0n, 3n))), 0n].map((marketCapUpperBound) => ({
      marketCapUpperBound,
      buyFeeBps: Number(randomIn(random, 1n, 300n)),
      sellFeeBps: Number(randomIn(random, 1n, 300n)),
    })),
  );

interface Variant {
  readonly what: string;
  readonly params: CreateProLiquidityPoolParams;
  readonly tokenProgram?: typeof TOKEN_2022_PROGRAM_ADDRESS;
}

const NO_FEES = {
  creatorTradingFee: toFeeBracketsParams(null),
  reflectionTradingFee: toFeeBracketsParams(null),
  liquidityProviderTradingFee: toFeeBracketsParams(null),
};
const ALL_OFF = {
  enableSameSlotTrading: false,
  enableSandwichResistantMode: false,
  enableDepositLiquidity: false,
  enableWithdrawLiquidity: false,
  enableSwap: false,
  enableUpdateCreatorTradingFee: false,
};

const variantsOf = (random: () => number): readonly Variant[] => [
  { what: 'a creation with everything allowed', params: proParams() },
  {
    what: 'a creation with nothing allowed, no fees and tiny amounts',
    params: proParams({
      ...ALL_OFF,
      ...NO_FEES,
      initialTokenAAmount: randomIn(random, 1_000n, 9_999n),
      initialTokenBAmount: randomIn(random, 100n, 999n),
    }),
  },
  {
    what: 'a creation of a Token-2022 token with a schedule by slots and large amounts',
    tokenProgram: TOKEN_2022_PROGRAM_ADDRESS,
    params: proParams({
      enableSandwichResistantMode: true,
      enableSameSlotTrading: false,
      initialTokenAAmount: randomIn(random, 5_000_000_000_000_000n, 9_999_999_999_999_999n),
      initialTokenBAmount: randomIn(random, 10_000n * SOL, 50_000n * SOL),
      creatorSlotTradingFee: toSlotFeeBracketsParams({
        brackets: [
          { slotOffsetUpperbound: 5, buyFeeBps: 900, sellFeeBps: 800 },
          { slotOffsetUpperbound: 15, buyFeeBps: 400, sellFeeBps: 300 },
        ],
        maxSlotOffset: 15,
        maxFeeBps: 900,
        enabled: true,
      }),
    }),
  },
  {
    what: 'a creation with brackets of every kind',
    params: proParams({
      creatorTradingFee: randomBrackets(random),
      reflectionTradingFee: randomBrackets(random),
      liquidityProviderTradingFee: randomBrackets(random),
      enableWithdrawLiquidity: random() < 0.5,
      enableDepositLiquidity: random() < 0.5,
      initialTokenAAmount: randomIn(random, 1_000_000n, 1_000_000_000_000_000n),
      initialTokenBAmount: randomIn(random, 1_000_000n, 100n * SOL),
    }),
  },
];

/** What the creation of a pro pool makes and costs, at which addresses, and what it does about fees that are left out. */
export const creation: Scenario = {
  name: 'creation of pro pools',
  questions: ['A1', 'A2', 'A8.first-supply', 'A12', 'creation'],
  run: async (input) => {
    for (const variant of variantsOf(input.random))
      await input.journal.attempt(['A1', 'A2', 'A8.first-supply', 'creation'], () =>
        observeVariant(input, variant),
      );
    await input.journal.attempt(['A12'], () => observeOmitted(input));
  },
};

async function observeVariant(input: ScenarioInput, variant: Variant): Promise<void> {
  await observeCreation(await openProSet(input, variant.tokenProgram ?? TOKEN_PROGRAM_ADDRESS), variant);
}

/**
 * Creates a pro pool and compares what that makes and costs.
 * @throws {CannotObserve} if it can't be created
 */
export async function observeCreation(
  set: ProSet,
  { what, params }: Variant,
  by?: CreationBy,
): Promise<ProPool> {
  const { input } = set;
  const pool = await createProPool(set, params, by);
  const subject = {
    kind: 'creation',
    what: `${what}${set.config.edited}`,
    size: params.initialTokenBAmount,
  };
  const { creation: ran } = pool;
  if (!isComparable(input, ran, { ...subject, ids: ['A8.first-supply', 'creation'] }, set.mint)) return pool;
  const state = pool.state();
  const position = await pool.positionState(set.creator);
  const { total } = state.lpToken.supply;
  const { initialTokenAAmount: a, initialTokenBAmount: b } = params;
  const first = `${what} with ${a} units and ${b} lamports`;
  observe(
    input.journal,
    { ...subject, kind: 'first LP supply', what: first, ids: ['A8.first-supply'] },
    `${total} LP tokens, the creator has ${position?.lpTokenBalance}`,
    ({ firstLpSupply }) => {
      const lpTokens = computeInitialLpTokens(a, b, firstLpSupply);
      return `${lpTokens} LP tokens, the creator has ${lpTokens}`;
    },
  );
  observe(input.journal, { ...subject, ids: ['creation'] }, madeBy(pool, state), () =>
    made(params, set.config.fields.createPoolFee),
  );
  return pool;
}

const bracketsOf = ({ brackets, count }: FeeBracketsParams): string =>
  brackets
    .slice(0, count)
    .map((bracket: FeeBracket) => `${bracket.marketCapUpperBound}:${bracket.buyFeeBps}/${bracket.sellFeeBps}`)
    .join(' ');

/** What a creation made and cost: the part that quotes and transactions depend on. */
function madeBy({ creation: ran, creator, vaults, mint, config }: ProPool, state: LiquidityPoolState) {
  const { marketCapBasedFees: fees, slotOffsetBasedFees, allowlist, reserve, info } = state;
  const payer = creator.wallet.address;
  const { brackets, count, enabled } = slotOffsetBasedFees.creatorTradingFee;
  const isPlaced =
    info.creator === payer &&
    state.creatorTradingFeeReceiver === payer &&
    state.tokenA.mint === mint &&
    state.protocolConfig === config.address &&
    state.tokenAVault === vaults.tokenAVault &&
    state.tokenBVault === vaults.tokenBVault;
  return listed({
    accounts: isPlaced ? 'as given' : 'others',
    version: info.protocolConfigVersion,
    type: info.type,
    reserves: `${reserve.tokenA}/${reserve.tokenB}`,
    beginning: `${reserve.initialA}/${reserve.initialB}`,
    tokens: -tokensGained(ran, creator.vaults.userTokenAVault),
    lamports: lamportsLost(ran),
    creator: bracketsOf(fees.creatorTradingFee),
    reflection: bracketsOf(fees.reflectionTradingFee),
    liquidity: bracketsOf(fees.liquidityProviderTradingFee),
    slots: enabled === 0 ? '' : slotsOf({ brackets, count }),
    ...flagsOf({
      enableSwap: allowlist.swap,
      enableDepositLiquidity: allowlist.depositLiquidity,
      enableWithdrawLiquidity: allowlist.removeLiquidity,
      enableSameSlotTrading: allowlist.sameSlotTrading,
      enableUpdateCreatorTradingFee: allowlist.updateCreatorTradingFee,
      enableSandwichResistantMode: state.featureFlags.sandwichResistantMode,
    }),
  });
}

/** The same, computed from the parameters. */
function made(params: CreateProLiquidityPoolParams, createPoolFee: bigint): string {
  const { initialTokenAAmount: a, initialTokenBAmount: b, creatorSlotTradingFee } = params;
  return listed({
    accounts: 'as given',
    version: 3,
    type: LiquidityPoolType.Pro,
    reserves: `${a}/${b}`,
    beginning: `${a}/${b}`,
    tokens: a,
    lamports: b + createPoolFee,
    creator: bracketsOf(params.creatorTradingFee),
    reflection: bracketsOf(params.reflectionTradingFee ?? toFeeBracketsParams(null)),
    liquidity: bracketsOf(params.liquidityProviderTradingFee ?? toFeeBracketsParams(null)),
    slots: creatorSlotTradingFee === null ? '' : slotsOf(creatorSlotTradingFee),
    ...flagsOf(params),
  });
}

const slotsOf = ({
  brackets,
  count,
}: Pick<NonNullable<CreateProLiquidityPoolParams['creatorSlotTradingFee']>, 'brackets' | 'count'>): string =>
  brackets
    .slice(0, count)
    .map((bracket) => `${bracket.slotOffsetUpperbound}:${bracket.buyFeeBps}/${bracket.sellFeeBps}`)
    .join(' ');

type Flags = { readonly [flag in keyof typeof ALL_OFF]: boolean | number };

const flagsOf = (flags: Flags) =>
  Object.fromEntries(
    (Object.keys(ALL_OFF) as (keyof Flags)[]).map((name) => [name, flags[name] ? 'on' : 'off']),
  );

/** The rates of the config in {@link observeOmitted}, in basis points. The creator fee has the LP fee's rate. */
const CONFIG_RATES = { liquidityProvider: 100, reflection: 50 };

/** Creates a pool without a reflection or LP fee, and observes what a buy then pays. */
async function observeOmitted(input: ScenarioInput): Promise<void> {
  const set = await openProSet(input);
  const flat = (bps: number) => toFeeBrackets([{ marketCapUpperBound: 0n, buyFeeBps: bps, sellFeeBps: bps }]);
  set.stage.ledger.updateConfig(set.config.address, ({ marketCapBasedFees }) => ({
    marketCapBasedFees: {
      ...marketCapBasedFees,
      liquidityProviderTradingFee: flat(CONFIG_RATES.liquidityProvider),
      reflectionTradingFee: flat(CONFIG_RATES.reflection),
    },
  }));
  const omitted = { reflectionTradingFee: null, liquidityProviderTradingFee: null };
  const pool = await createProPool(set, proParams(omitted));
  const before = pool.state();
  const ran = await set.send(proBuyOf(pool, set.creator, 3n * SOL), set.creator.wallet);
  assertMoved(ran, 'a buy in a pool without a reflection or LP fee');
  const after = pool.state();
  const creatorFee = after.creatorTradingFees - before.creatorTradingFees;
  const lpFee = after.liquidityProviderTradingFees - before.liquidityProviderTradingFees;
  const reflection = after.reflectionTradingFees - before.reflectionTradingFees;
  if (creatorFee <= 0n) throw new CannotObserve('a buy leaves no creator fee to compare others with');
  // Rounding each fee separately makes a difference of less than one unit.
  const isConfigs = lpFee === creatorFee && reflection === creatorFee / 2n;
  const none = 'neither fee';
  const configs = "both fees at the config's rates";
  const found =
    lpFee === 0n && reflection === 0n
      ? none
      : isConfigs
        ? configs
        : `${lpFee} lamports of LP and ${reflection} of reflection fees, with ${creatorFee} of creator fees`;
  observe(
    input.journal,
    {
      kind: 'omitted fees',
      what: 'a buy of 3 SOL in a pool created without a reflection or LP fee',
      size: 3n * SOL,
      ids: ['A12'],
    },
    found,
    (_, { A12 }) => (A12 === 'config' ? configs : none),
  );
}
