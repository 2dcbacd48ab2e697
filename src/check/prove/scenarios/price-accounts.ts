import type { Instruction, KeyPairSigner } from '@solana/kit';

import { getProSellInstruction } from '../../../program/instructions.js';
import { DEFAULT_RULES, type PricedInstruction } from '../../../program/rules.js';
import { withoutPair } from '../../price-accounts.js';
import { CannotObserve } from '../journal.js';
import type { Scenario, ScenarioInput } from '../scenario.js';
import { createStage, type Ran, type Stage } from '../stage.js';
import { depositOf, lpClaimOf, withdrawalOf } from './liquidity.js';
import {
  accountsOf,
  createProPool,
  creationOf,
  openProSet,
  type ProPool,
  proBuyOf,
  proParams,
} from './pro-pool.js';
import { hasMoved, NOTHING_MOVED, observe, openConfig, type Sender, SOL, senderOn, undo } from './scene.js';
import { creatorClaimOf, PAYABLE } from './settings.js';
import { openStandardPool } from './standard-claims.js';
import { standardCreation } from './standard-creation.js';

type ByInstruction<TValue> = { readonly [name in PricedInstruction]?: TValue };
const entriesOf = <TValue>(cases: ByInstruction<TValue>) =>
  Object.entries(cases) as readonly [PricedInstruction, TValue][];
const questionsOf = (cases: ByInstruction<unknown>) =>
  entriesOf(cases).map(([name]) => `A3.${name}` as const);

/** [Assumption A3](/protocol#assumptions): each instruction with the two price accounts after its list, and without them. */
export const priceAccounts: Scenario = {
  name: 'price accounts',
  questions: questionsOf(DEFAULT_RULES.priceAccounts),
  run: async (input) => {
    const { attempt } = input.journal;
    await attempt(questionsOf(IN_PRO_POOL), async () => {
      const pool = await openPool(input);
      for (const [name, instructionIn] of entriesOf<InstructionIn>(IN_PRO_POOL))
        await attempt([`A3.${name}`], async () => {
          const { wallet } = pool.creator;
          await compare(input, name, { ...pool, instruction: await instructionIn(pool), wallet });
        });
    });
    for (const [name, open] of entriesOf<(on: ScenarioInput) => Promise<Case>>(ALONE))
      await attempt([`A3.${name}`], async () => compare(input, name, await open(input)));
  },
};

/** An instruction that can succeed in the current state. */
interface Case {
  readonly stage: Stage;
  readonly send: Sender;
  readonly instruction: Instruction;
  readonly wallet: KeyPairSigner;
}

async function compare(
  { journal }: ScenarioInput,
  name: PricedInstruction,
  { stage, send, instruction, wallet }: Case,
): Promise<void> {
  const outcome = async (given: Instruction): Promise<Ran> => {
    const ran = await send(given, wallet);
    undo(stage, ran);
    if (ran.ok && !hasMoved(ran)) throw new CannotObserve(NOTHING_MOVED);
    return ran;
  };
  const given = await outcome(instruction);
  const without = await outcome(withoutPair(instruction, stage.client.deployment));
  if (!given.ok && !without.ok)
    throw new CannotObserve(
      `${name} fails with the price accounts (${given.reason}) and without them (${without.reason})`,
    );
  const [needed, notNeeded] = ['it fails without them', 'it succeeds without them'];
  const words = (ran: Ran) => (ran.ok ? 'succeeds' : `fails with ${ran.reason}`);
  observe(
    journal,
    {
      kind: `price accounts of ${name}`,
      what: `${name} ${words(given)} with the price accounts, and ${words(without)} without them`,
      size: 0n,
      ids: [`A3.${name}`],
    },
    without.ok ? notNeeded : needed,
    (rules) => (rules.priceAccounts[name] ? needed : notNeeded),
  );
}

/** A pro pool with fees to claim, in which everything is allowed. */
async function openPool(input: ScenarioInput): Promise<ProPool> {
  const pool = await createProPool(await openProSet(input));
  const trader = await pool.createParty();
  // If this fails, instructions that need no fees can still be observed.
  await pool.send(proBuyOf(pool, trader, 20n * SOL), trader.wallet);
  pool.stage.ledger.updatePool(pool.pool, () => PAYABLE);
  return pool;
}

type InstructionIn = (pool: ProPool) => Instruction | Promise<Instruction>;

/** Instructions of a pro pool's creator, each undone before the next. */
const IN_PRO_POOL = {
  pro_buy: (pool: ProPool) => proBuyOf(pool, pool.creator, SOL),
  pro_sell: (pool: ProPool) =>
    getProSellInstruction(
      {
        ...accountsOf(pool, pool.pool, pool.creator),
        params: { amountIn: 1_000_000_000n, minimumAmountOut: 1n, encodedUserDefinedEventData: '' },
      },
      pool.stage.client.deployment,
    ),
  add_liquidity_pro_pool: (pool: ProPool) =>
    depositOf(pool, pool.creator, { maxTokenA: 40_000_000_000n, maxTokenB: SOL, minLpTokens: 0n }),
  remove_liquidity_pro_pool: (pool: ProPool) =>
    withdrawalOf(pool, pool.creator, { lpTokensToBurn: 1_000_000n, minTokenA: 0n, minTokenB: 0n }),
  claim_pro_creator_trading_fees: (pool: ProPool) => creatorClaimOf(pool, pool.creator, 0n),
  claim_pro_liquidity_provider_trading_fees: (pool: ProPool) => lpClaimOf(pool, pool.creator),
} as const satisfies { readonly [name in PricedInstruction]?: InstructionIn };

/** The other instructions, each on a fresh ledger. */
const ALONE: {
  readonly [name in Exclude<PricedInstruction, keyof typeof IN_PRO_POOL>]: (
    input: ScenarioInput,
  ) => Promise<Case>;
} = {
  create_pro_liquidity_pool: async (input) => {
    const pool = await createProPool(await openProSet(input));
    undo(pool.stage, pool.creation);
    const at = { pool: pool.pool, position: await pool.positionOf(pool.creator) };
    return { ...pool, instruction: creationOf(pool, proParams(), at), wallet: pool.creator.wallet };
  },
  create_standard_liquidity_pool: async (input) => {
    const stage = createStage(await input.ground.open());
    const created = await standardCreation(stage, await openConfig(stage, 1));
    return { stage, send: senderOn(stage, input), ...created };
  },
  claim_standard_creator_trading_fees: async (input) => {
    const { stage, pool, receiver, claimOf } = await openStandardPool(input);
    stage.ledger.updatePool(pool, () => ({ ...PAYABLE, creatorTradingFeeTradingVolumeThreshold: 0 }));
    const instruction = claimOf(receiver, 0n);
    return { stage, send: senderOn(stage, input), instruction, wallet: receiver.wallet };
  },
};
