import type { Instruction, KeyPairSigner } from '@solana/kit';

import type { BuiltTransaction } from '../../../build/assemble.js';
import type { HeavenClient } from '../../../client.js';
import { toFeeBrackets, toSlotFeeBrackets } from '../../../pro/brackets.js';
import type { CreatorOperationOptions } from '../../../pro/creator-operation.js';
import { buildProSetLpFee } from '../../../pro/set-lp-fee.js';
import { buildProSetMarketCapCreatorFee } from '../../../pro/set-market-cap-creator-fee.js';
import { buildProSetReflectionFee } from '../../../pro/set-reflection-fee.js';
import { buildProSetSlotCreatorFee } from '../../../pro/set-slot-creator-fee.js';
import { buildProToggleDeposit } from '../../../pro/toggle-deposit.js';
import { buildProToggleSwap } from '../../../pro/toggle-swap.js';
import { buildProToggleWithdraw } from '../../../pro/toggle-withdraw.js';
import type { LiquidityPoolState } from '../../../program/accounts.js';
import {
  getClaimProCreatorTradingFeesInstruction,
  getCreatorSetProMarketCapCreatorFeeInstruction,
  getCreatorSetProMarketCapLpFeeInstruction,
  getCreatorSetProMarketCapReflectionFeeInstruction,
  getCreatorSetProSlotCreatorFeeInstruction,
  getCreatorToggleProDepositInstruction,
  getCreatorToggleProSwapInstruction,
  getCreatorToggleProWithdrawInstruction,
  getUpdateProCreatorTradingFeeReceiverInstruction,
} from '../../../program/instructions.js';
import type { InstructionConfig } from '../../../program/rules.js';
import {
  CreatorTradingFeeClaimStatus,
  CreatorTradingFeeDistribution,
  type LiquidityPoolAllowlist,
  MAX_MARKET_CAP_BOUND,
} from '../../../program/types.js';
import { isFrameworkCode } from '../../scene.js';
import { CannotObserve } from '../journal.js';
import type { Scenario, ScenarioInput } from '../scenario.js';
import type { Ran } from '../stage.js';
import { observeClaim } from './claims.js';
import { lpClaimOf, transferOf, withdrawalOf } from './liquidity.js';
import { accountsOf, createProPool, openProSet, type Party, type ProPool, proBuyOf } from './pro-pool.js';
import {
  assertMoved,
  changesOf,
  foundIn,
  hasMoved,
  isComparable,
  NOTHING_MOVED,
  observe,
  undo,
} from './scene.js';

/** What creators set and claim, and whether anybody else can. */
export const settings: Scenario = {
  name: "what a pro pool's creator may",
  questions: ['setting', 'permission', 'creator-claim'],
  run: async (input) => {
    await input.journal.attempt(['setting', 'permission'], async () => {
      const pool = await createProPool(await openProSet(input));
      const intruder = await pool.createParty();
      for (const change of changes())
        await input.journal.attempt(['setting', 'permission'], () => setting(pool, intruder, change));
      for (const use of uses)
        await input.journal.attempt(['permission'], () => positionUse(pool, intruder, use));
    });
    await input.journal.attempt(['creator-claim', 'permission'], () => claims(input));
  },
};

/** [Assumption A11](/protocol#assumptions). */
export const receiverUpdate: Scenario = {
  name: "the update of a pro pool's receiver",
  questions: ['A11', 'permission'],
  run: (input) => input.journal.attempt(['A11', 'permission'], () => receiver(input)),
};

/** The error that the program returns to a wallet without rights in a pool. */
const INVALID_OWNER = 6004;

/** A setting that a pool's creator changes. */
interface Change {
  readonly what: string;
  readonly instruction: (accounts: CreatorAccounts, config: InstructionConfig) => Instruction;
  /** The same with the library's builder. */
  readonly build: (client: HeavenClient, input: CreatorOperationOptions) => Promise<BuiltTransaction>;
  readonly changed: (state: LiquidityPoolState) => Partial<LiquidityPoolState>;
}
type CreatorAccounts = {
  readonly liquidityPoolState: ProPool['pool'];
  readonly creator: Party['wallet']['address'];
};

export function changes(): readonly Change[] {
  const brackets = [
    { marketCapUpperBound: 70_000_000_000n, buyFeeBps: 91, sellFeeBps: 92 },
    { marketCapUpperBound: MAX_MARKET_CAP_BOUND, buyFeeBps: 83, sellFeeBps: 84 },
  ];
  const fees = toFeeBrackets(brackets);
  const configuration = {
    brackets: [
      { slotOffsetUpperbound: 10, buyFeeBps: 95, sellFeeBps: 96 },
      { slotOffsetUpperbound: 20, buyFeeBps: 85, sellFeeBps: 86 },
    ],
    maxSlotOffset: 20,
    maxFeeBps: 96,
    enabled: true,
  };
  const schedule = toSlotFeeBrackets(configuration);
  const byMarketCap = (
    what: string,
    which: keyof LiquidityPoolState['marketCapBasedFees'],
    encode: typeof getCreatorSetProMarketCapLpFeeInstruction,
    build: typeof buildProSetLpFee,
  ): Change => ({
    what: `setting the ${what} fee by market cap`,
    instruction: (accounts, config) => encode({ ...accounts, fees }, config),
    build: (client, input) => build(client, { ...input, brackets }),
    changed: ({ marketCapBasedFees }) => ({ marketCapBasedFees: { ...marketCapBasedFees, [which]: fees } }),
  });
  const toggled = (
    what: string,
    which: keyof LiquidityPoolAllowlist,
    encode: typeof getCreatorToggleProSwapInstruction,
    build: typeof buildProToggleSwap,
  ): readonly Change[] =>
    [false, true].map((enabled) => ({
      what: `switching ${what} ${enabled ? 'on' : 'off'}`,
      instruction: (accounts, config) => encode({ ...accounts, enabled }, config),
      build: (client, input) => build(client, { ...input, enabled }),
      changed: ({ allowlist }) => ({ allowlist: { ...allowlist, [which]: enabled ? 1 : 0 } }),
    }));
  return [
    byMarketCap(
      'creator',
      'creatorTradingFee',
      getCreatorSetProMarketCapCreatorFeeInstruction,
      buildProSetMarketCapCreatorFee,
    ),
    byMarketCap(
      'LP',
      'liquidityProviderTradingFee',
      getCreatorSetProMarketCapLpFeeInstruction,
      buildProSetLpFee,
    ),
    byMarketCap(
      'reflection',
      'reflectionTradingFee',
      getCreatorSetProMarketCapReflectionFeeInstruction,
      buildProSetReflectionFee,
    ),
    {
      what: 'setting the creator fee by slots',
      instruction: (accounts, config) =>
        getCreatorSetProSlotCreatorFeeInstruction({ ...accounts, fees: schedule }, config),
      build: (client, input) => buildProSetSlotCreatorFee(client, { ...input, ...configuration }),
      changed: ({ slotOffsetBasedFees }) => ({
        slotOffsetBasedFees: { ...slotOffsetBasedFees, creatorTradingFee: schedule },
      }),
    },
    ...toggled('swaps', 'swap', getCreatorToggleProSwapInstruction, buildProToggleSwap),
    ...toggled('deposits', 'depositLiquidity', getCreatorToggleProDepositInstruction, buildProToggleDeposit),
    ...toggled(
      'withdrawals',
      'removeLiquidity',
      getCreatorToggleProWithdrawInstruction,
      buildProToggleWithdraw,
    ),
  ];
}

async function setting(pool: ProPool, intruder: Party, change: Change): Promise<void> {
  const by = ({ wallet }: Party) =>
    pool.send(
      change.instruction(
        { liquidityPoolState: pool.pool, creator: wallet.address },
        pool.stage.client.deployment,
      ),
      wallet,
    );
  const wrong = await by(intruder);
  undo(pool.stage, wrong);
  const isSeen = await observeSetting(pool, change, () => by(pool.creator));
  if (isSeen) observePermission(pool, change.what, wrong, INVALID_OWNER);
}

/** Makes a change as the creator, and compares every change to the pool. Returns whether it succeeded. */
export async function observeSetting(
  pool: ProPool,
  { what, changed }: Pick<Change, 'what' | 'changed'>,
  run: () => Promise<Ran>,
): Promise<boolean> {
  const before = pool.state();
  const ran = await run();
  const subject = { kind: 'setting', what, size: 0n, ids: ['setting'] } as const;
  if (!isComparable(pool.input, ran, subject, pool.mint)) return false;
  const words = (after: LiquidityPoolState) => changesOf(before, after).join(', ');
  observe(pool.input.journal, subject, words(pool.state()), () => words({ ...before, ...changed(before) }));
  return true;
}

/** Records what happens if another wallet signs what the right signer could do. */
function observePermission(
  { input: { journal } }: ProPool,
  what: string,
  wrong: Ran,
  expected: number,
): void {
  const by = `${what} by another wallet`;
  journal.fail({ what: by, expected, found: foundIn(wrong) });
  observe(
    journal,
    { kind: `permission: ${what}`, what: by, size: 0n, ids: ['permission'] },
    wrong.ok ? 'it succeeds' : 'it is refused',
    () => 'it is refused',
  );
}

/** An operation on an LP position, the party's own or another's. */
interface Use {
  readonly what: string;
  readonly instruction: (pool: ProPool, party: Party) => Promise<Instruction>;
}

const uses: readonly Use[] = [
  {
    what: 'withdrawing from an LP position',
    instruction: (pool, party) =>
      withdrawalOf(pool, party, { lpTokensToBurn: 1_000_003n, minTokenA: 0n, minTokenB: 0n }),
  },
  {
    what: 'transferring the LP tokens of a position',
    instruction: async (pool, party) => await transferOf(pool, party, await pool.createParty(), 1_000_003n),
  },
  { what: 'claiming the fees of an LP position', instruction: lpClaimOf },
];

/** Anchor's ConstraintSeeds: a position's address depends on its owner. */
const WRONG_SEEDS = 2006;

async function positionUse(pool: ProPool, intruder: Party, { what, instruction }: Use): Promise<void> {
  const trade = await pool.send(proBuyOf(pool, intruder, 2_000_000_000n), intruder.wallet);
  if (!trade.ok) throw new CannotObserve(`a buy that prepares the scene fails with ${trade.reason}`);
  const [mine, theirs] = [await pool.positionOf(intruder), await pool.positionOf(pool.creator)];
  const own = await instruction(pool, intruder);
  const accounts = own.accounts?.map((meta) => (meta.address === mine ? { ...meta, address: theirs } : meta));
  const wrong = await pool.send({ ...own, ...(accounts === undefined ? {} : { accounts }) }, intruder.wallet);
  undo(pool.stage, wrong);
  const right = await pool.send(await instruction(pool, pool.creator), pool.creator.wallet);
  assertMoved(right, `${what} by its owner`);
  observePermission(pool, what, wrong, WRONG_SEEDS);
}

export const creatorClaimOf = (pool: ProPool, party: Party, amount: bigint): Instruction =>
  getClaimProCreatorTradingFeesInstruction(
    { ...accountsOf(pool, pool.pool, party), amount },
    pool.stage.client.deployment,
  );

export const PAYABLE = {
  creatorTradingFeeClaimStatus: CreatorTradingFeeClaimStatus.Processed,
  creatorTradingFeeDistribution: CreatorTradingFeeDistribution.Creator,
} as const;

async function claims(input: ScenarioInput): Promise<void> {
  const pool = await createProPool(await openProSet(input));
  const intruder = await pool.createParty();
  const claim = (what: string, amount: bigint, party: Party = pool.creator) =>
    observeClaim(input, {
      what: `a claim of ${what}`,
      amount,
      isReceiver: party === pool.creator,
      account: party.vaults.userTokenBVault,
      state: pool.state,
      run: () => pool.send(creatorClaimOf(pool, party, amount), party.wallet),
    });
  undo(pool.stage, await claim('creator fees before there are any', 0n));
  const trade = await pool.send(proBuyOf(pool, intruder, 30_000_000_003n), intruder.wallet);
  if (!trade.ok) throw new CannotObserve(`a buy that should leave creator fees fails with ${trade.reason}`);
  const { creatorTradingFees: fees } = pool.state();
  if (fees === 0n) throw new CannotObserve('a buy leaves no creator fees');
  undo(pool.stage, await claim('creator fees as the pool was created', 0n));
  pool.stage.ledger.updatePool(pool.pool, () => PAYABLE);
  const wrong = await claim('creator fees by another wallet', 0n, intruder);
  undo(pool.stage, wrong);
  await claim(`${fees + 1n} of ${fees} lamports of creator fees`, fees + 1n);
  const right = await claim(`a third of ${fees} lamports of creator fees`, fees / 3n);
  await claim('all the creator fees', 0n);
  if (right.ok && hasMoved(right)) observePermission(pool, 'claiming creator fees', wrong, INVALID_OWNER);
}

async function receiver(input: ScenarioInput): Promise<void> {
  const pool = await createProPool(await openProSet(input));
  const [intruder, next] = [await pool.createParty(), await pool.createParty()];
  pool.stage.ledger.updatePool(pool.pool, () => PAYABLE);
  const update = (party: Party, newReceiver: KeyPairSigner) => {
    const { chainlinkProgram: _, chainlinkFeed: __, ...accounts } = accountsOf(pool, pool.pool, party);
    const instruction = getUpdateProCreatorTradingFeeReceiverInstruction(
      { ...accounts, newReceiver: newReceiver.address },
      pool.stage.client.deployment,
    );
    return pool.send(instruction, party.wallet, newReceiver);
  };
  const wrong = await update(intruder, next.wallet);
  undo(pool.stage, wrong);
  const what = "an update of a pro pool's receiver with the 14 accounts and the new receiver";
  const right = await update(pool.creator, next.wallet);
  // Any other code means that the update isn't allowed now, not that its accounts are wrong.
  if (!right.ok && right.code !== undefined && !isFrameworkCode(right.code))
    throw new CannotObserve(`${what} fails with ${right.code}, which is not about its accounts`);
  if (right.ok && !hasMoved(right)) throw new CannotObserve(NOTHING_MOVED);
  const isSet = pool.state().creatorTradingFeeReceiver === next.wallet.address;
  const found = right.ok
    ? isSet
      ? 'the new receiver is set'
      : 'it succeeds, and the receiver is not the new one'
    : `it fails with ${right.reason}`;
  observe(
    input.journal,
    { kind: 'update of the receiver', what, size: 0n, ids: ['A11'] },
    found,
    () => 'the new receiver is set',
  );
  if (right.ok && isSet) observePermission(pool, 'updating the receiver', wrong, INVALID_OWNER);
}
