import { computeMarketCap } from '../../../pool/market-cap.js';
import type { LiquidityPoolState } from '../../../program/accounts.js';
import { FeeConfigurationMode } from '../../../program/types.js';
import { createFeeBrackets, createSlotFeeBrackets } from '../../../testing/encode.js';
import type { Scenario, ScenarioInput } from '../scenario.js';
import { editConfig, editPool } from './account-edits.js';
import { goToBound, goToSlotOffset, slotBounds } from './brackets.js';
import type { Aspect } from './observe-trade.js';
import { pick } from './random.js';
import { ALL_TRADE_QUESTIONS, type TradeScene, tradeInEachPool, tradeQuestions } from './trade-scene.js';
import { type TradesInSlots, tradeInSlots } from './trade-slots.js';

const U64_MAX = 0xffff_ffff_ffff_ffffn;
/** Five fees of this rate together still leave something of a trade. */
const MOST_BPS = 1_500;
const MOST_SLOT_BRACKETS = 42;
/** How many of the last slots at which schedules change are picked more often. */
const LATEST = 8;
/** Two trades in the same slot, two in the slots after it, and one in the next window. */
const SLOTS = [0n, 0n, 1n, 3n, 4n] as const;

export interface EditedConfigsOptions {
  /** How often each edit is made in each pool, with different numbers each time. Each round makes about five trades. */
  readonly roundsPerEdit: number;
}

/** A change to a pool and its config, and the slots of the trades that show it. */
interface Edit extends Omit<Partial<TradesInSlots>, 'prepare'> {
  readonly aspect: Aspect;
  apply(random: () => number, scene: TradeScene): void;
  /** Runs before each trade, because the previous trade moved the market cap away from the bound. */
  readonly goTo?: (random: () => number, scene: TradeScene) => void;
}

/** Trades in pools and configs that are edited in place, for cases that don't occur on chain. */
export const editedConfigs = ({ roundsPerEdit }: EditedConfigsOptions): Scenario => ({
  name: 'trades in edited pools and configs',
  questions: ALL_TRADE_QUESTIONS,
  run: (input) =>
    tradeInEachPool(input, async (scene) => {
      for (let round = 0; round < roundsPerEdit; round++)
        for (const edit of EDITS) await tradeEdited(input, scene, edit);
    }),
});

async function tradeEdited(input: ScenarioInput, scene: TradeScene, edit: Edit): Promise<void> {
  scene.nextRound();
  await input.journal.attempt(tradeQuestions(scene.pool), async () => {
    edit.apply(input.random, scene);
    const prepare = () => edit.goTo?.(input.random, scene);
    await tradeInSlots(input, scene, { slots: SLOTS, ...edit, prepare });
  });
}

type Fees = Pick<LiquidityPoolState, 'marketCapBasedFees' | 'slotOffsetBasedFees'>;

const FEES = [
  'protocolTradingFee',
  'liquidityProviderTradingFee',
  'creatorTradingFee',
  'creatorTradingFeeProtocolFee',
  'reflectionTradingFee',
] as const;

const each = <T>(make: () => T) =>
  Object.fromEntries(FEES.map((name) => [name, make()])) as Record<(typeof FEES)[number], T>;

const rate = (random: () => number) => Math.floor(random() * (MOST_BPS + 1));

/**
 * Brackets around the market cap, in dollars and in millionths of a dollar: some that reach to the end, and some that trades
 * can cross.
 */
function marketCapFees(random: () => number, scene: TradeScene): Pick<Fees, 'marketCapBasedFees'> {
  const millionths = computeMarketCap(scene.snapshot());
  const dollars = millionths / 1_000_000n;
  const choices = [
    [dollars, dollars * 2n, millionths, U64_MAX],
    [dollars, dollars * 2n],
    [millionths, millionths * 2n],
  ] as const;
  return {
    marketCapBasedFees: each(() =>
      createFeeBrackets(
        ...pick<readonly bigint[]>(random, choices).map(
          (bound) => [bound, rate(random), rate(random)] as const,
        ),
      ),
    ),
  };
}

/**
 * A few brackets, or as many as fit, some of a single slot. A schedule may end before or after its last bracket. Some are disabled.
 */
function slotFees(random: () => number): Pick<Fees, 'slotOffsetBasedFees'> {
  const schedule = () => {
    let bound = 2;
    const made = createSlotFeeBrackets(
      ...Array.from({ length: pick(random, [1, 3, MOST_SLOT_BRACKETS]) }, () => {
        bound += 1 + Math.floor(random() * 3);
        return [bound, rate(random), rate(random)] as const;
      }),
    );
    return { ...made, maxSlotOffset: made.maxSlotOffset + pick(random, [-2, 0, 3]) };
  };
  return {
    slotOffsetBasedFees: each(() =>
      random() < 0.3 ? { ...schedule(), enabled: 0 } : schedule(),
    ) as Fees['slotOffsetBasedFees'],
  };
}

function setFees(scene: TradeScene, isLocal: boolean, fees: Partial<Fees>): void {
  const { ledger } = scene.stage;
  const { pool, protocolConfig } = scene.addresses;
  const feeConfigurationMode = isLocal ? FeeConfigurationMode.Local : FeeConfigurationMode.Global;
  // Windows are a different question.
  const featureFlags = { sandwichResistantMode: 0 };
  editPool(ledger, pool, () => ({ feeConfigurationMode, featureFlags, ...(isLocal ? fees : {}) }));
  if (!isLocal) editConfig(ledger, protocolConfig, () => fees);
}

function goToSlotBound(random: () => number, scene: TradeScene): void {
  const all = slotBounds(scene.snapshot());
  // Without this, the few slots at which schedules end would rarely be picked.
  const bound = pick(random, random() < 0.5 ? all.slice(-LATEST) : all);
  if (bound !== undefined) goToSlotOffset(random, scene, bound);
}

const windowEdit = (isResistant: boolean, leaderSlotWindow: number): Edit => {
  const end = BigInt(4 * leaderSlotWindow);
  return {
    aspect: { words: isResistant ? `with windows of ${leaderSlotWindow}` : 'without windows' },
    slots: [0n, 0n, 1n, BigInt(leaderSlotWindow), end - 1n, end],
    isReversing: true,
    apply: (_, { stage, addresses }) =>
      editPool(stage.ledger, addresses.pool, ({ reserve }) => ({
        featureFlags: { sandwichResistantMode: isResistant ? 1 : 0 },
        reserve: { ...reserve, leaderSlotWindow },
      })),
  };
};

const feesEdit = (
  what: string,
  isLocal: boolean,
  apply: (random: () => number, scene: TradeScene, set: (fees: Partial<Fees>) => void) => void,
  goTo: NonNullable<Edit['goTo']>,
): Edit => ({
  goTo,
  aspect: { words: `with ${what} of the ${isLocal ? 'pool' : 'config'}`, isApart: true },
  apply: (random, scene) => apply(random, scene, (fees) => setFees(scene, isLocal, fees)),
});

const feeEdits = (isLocal: boolean): readonly Edit[] => [
  feesEdit(
    'market cap brackets',
    isLocal,
    (random, scene, set) =>
      set({ ...marketCapFees(random, scene), slotOffsetBasedFees: each(() => createSlotFeeBrackets()) }),
    goToBound,
  ),
  feesEdit(
    'slot brackets',
    isLocal,
    (random, scene, set) => set({ ...marketCapFees(random, scene), ...slotFees(random) }),
    goToSlotBound,
  ),
];

const thresholdEdit = (threshold: number): Edit => ({
  aspect: { words: `with a volume threshold of ${threshold} USD` },
  apply: (_, { stage, addresses }) =>
    editPool(stage.ledger, addresses.pool, () => ({ creatorTradingFeeTradingVolumeThreshold: threshold })),
});

const EDITS: readonly Edit[] = [
  windowEdit(true, 1),
  windowEdit(true, 2),
  windowEdit(true, 3),
  windowEdit(false, 1),
  ...feeEdits(false),
  ...feeEdits(true),
  thresholdEdit(0),
  thresholdEdit(1e15),
];
