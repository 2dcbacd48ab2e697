import { type Address, generateKeyPairSigner, type Instruction } from '@solana/kit';

import { U64_MAX } from '../../../math/integers.js';
import { toFeeBrackets, toFeeBracketsParams } from '../../../pro/brackets.js';
import type { ProtocolConfig } from '../../../program/accounts.js';
import {
  getCreateStandardLiquidityPoolInstruction,
  getCreatorSetProMarketCapCreatorFeeInstruction,
  getCreatorSetProMarketCapLpFeeInstruction,
  parseCreateStandardLiquidityPoolInstruction,
} from '../../../program/instructions.js';
import {
  type AddLiquidityParams,
  type CreateProLiquidityPoolParams,
  LiquidityPoolType,
  type RemoveLiquidityParams,
} from '../../../program/types.js';
import { TOKEN_PROGRAM_ADDRESS, WRAPPED_SOL_MINT_ADDRESS } from '../../../solana/programs.js';
import type { Scenario, ScenarioInput } from '../scenario.js';
import { createStage, type Ran, type Stage } from '../stage.js';
import { depositOf, lpClaimOf, transferOf, withdrawalOf } from './liquidity.js';
import { createProPool, creationOf, openProSet, type Party, type ProPool, proParams } from './pro-pool.js';
import { foundIn, type OpenConfig, openConfig, senderOn, undo } from './scene.js';
import { standardCreation } from './standard-creation.js';

// Not provoked here, because these need a trade or can't be caused from outside: 6000 to 6003, 6005, 6008 to 6011, 6018 to
// 6023, 6026 to 6031,
// 6033, 6034, 6036, 6037 (needs the price accounts), 6041, 6046, 6047 and 6049 to 6053.

/** Provokes each documented failure that needs no trade, and records the error code. */
export const failures: Scenario = {
  name: 'documented failures',
  questions: [],
  run: async (input) => {
    await input.journal.attempt([], () => standardCreations(input));
    await input.journal.attempt([], () => proCreations(input));
    await input.journal.attempt([], () => liquidityOf(input));
    await input.journal.attempt([], () => settingsOf(input));
  },
};

/** Runs something that should fail and records the result. Undoes it if it succeeds. */
async function provoke(
  { journal }: ScenarioInput,
  stage: Stage,
  what: string,
  expected: number,
  run: () => Promise<Ran>,
): Promise<void> {
  await journal.attempt([], async () => {
    const ran = await run();
    undo(stage, ran);
    journal.fail({ what, expected, found: foundIn(ran) });
  });
}

/** Runs work on an edited config, and restores it afterwards. */
async function withConfig<T>(
  { ledger }: Stage,
  { address, fields }: OpenConfig,
  change: Partial<ProtocolConfig>,
  run: () => Promise<T>,
): Promise<T> {
  ledger.updateConfig(address, () => change);
  try {
    return await run();
  } finally {
    ledger.updateConfig(address, () => fields);
  }
}

async function standardCreations(input: ScenarioInput): Promise<void> {
  const stage = createStage(await input.ground.open());
  const config = await openConfig(stage, 1);
  const send = senderOn(stage, input);
  const { address: authority } = await generateKeyPairSigner();
  const { programAddress } = stage.client.deployment;
  const create = async (
    fields: Parameters<typeof standardCreation>[2] = {},
    change: (instruction: Instruction) => Instruction = (instruction) => instruction,
  ) => {
    const { instruction, wallet } = await standardCreation(stage, config, fields);
    return await send(change(instruction), wallet);
  };
  const { initialTokenAAmount: supply } = config.fields;
  const of = (more: string, code: number, run: () => Promise<Ran>) =>
    provoke(input, stage, `a launch ${more}`, code, run);
  await of('with a config that takes no pools', 6006, () =>
    withConfig(stage, config, { allowCreatePool: 0 }, () => create()),
  );
  await of('with a config for pro pools', 6048, () =>
    withConfig(stage, config, { supportedPoolType: LiquidityPoolType.Pro }, () => create()),
  );
  await of('of a mint with a freeze authority', 6042, () => create({ freezeAuthority: authority }));
  await of('of a mint with a mint authority', 6043, () => create({ mintAuthority: authority }));
  await of('of a mint with another supply', 6045, () => create({ supply: supply - 1n }));
  await of('with another quote token than wrapped SOL', 6044, () =>
    create({}, (instruction) => {
      const mint = authority;
      stage.ledger.setMint(mint, TOKEN_PROGRAM_ADDRESS, { decimals: 9, supply });
      return replaced(instruction, WRAPPED_SOL_MINT_ADDRESS, mint);
    }),
  );
  await of("with another config's version", 6038, () =>
    create({}, (instruction) => {
      const { accounts, data } = parseCreateStandardLiquidityPoolInstruction(instruction, { programAddress });
      const addresses = Object.entries(accounts).map(([name, meta]) => [name, meta?.address]);
      return getCreateStandardLiquidityPoolInstruction(
        { ...Object.fromEntries(addresses), ...data, protocolConfigVersion: 2 },
        { programAddress },
      );
    }),
  );
}

const replaced = (instruction: Instruction, from: Address, to: Address): Instruction => ({
  ...instruction,
  accounts: (instruction.accounts ?? []).map((meta) =>
    meta.address === from ? { ...meta, address: to } : meta,
  ),
});

async function proCreations(input: ScenarioInput): Promise<void> {
  // Creating a pool first finds the right addresses, so that later failures are not about them.
  const pool = await createProPool(await openProSet(input));
  const { stage, config, creator } = pool;
  undo(stage, pool.creation);
  const at = { pool: pool.pool, position: await pool.positionOf(creator) };
  const create = (params: Partial<CreateProLiquidityPoolParams> = {}, version = 3) =>
    pool.send(creationOf(pool, proParams(params), at, version), creator.wallet);
  const of = (more: string, code: number, run: () => Promise<Ran>) =>
    provoke(input, stage, `the creation of a pro pool ${more}`, code, run);
  await of('with a config that takes no pools', 6006, () =>
    withConfig(stage, config, { allowCreatePool: 0 }, () => create()),
  );
  await of('with a config for standard pools', 6048, () =>
    withConfig(stage, config, { supportedPoolType: LiquidityPoolType.Standard }, () => create()),
  );
  await of("with another config's version", 6038, () => create({}, 2));
  await of('without token A', 6032, () => create({ initialTokenAAmount: 0n }));
  await of('without SOL', 6032, () => create({ initialTokenBAmount: 0n }));
  const over = toFeeBracketsParams([{ marketCapUpperBound: 0n, buyFeeBps: 10_001, sellFeeBps: 10_001 }]);
  await of('with a creator fee over 100 %', 6035, () => create({ creatorTradingFee: over }));
  await of('with an LP fee over 100 %', 6035, () => create({ liquidityProviderTradingFee: over }));
  await of('with more token A than its creator has', 1, () =>
    create({ initialTokenAAmount: 900_000_000_000_000_000n }),
  );
}

async function liquidityOf(input: ScenarioInput): Promise<void> {
  const pool = await createProPool(await openProSet(input));
  const { stage, creator } = pool;
  const stranger = await pool.createParty();
  const of = (what: string, code: number, run: () => Promise<Ran>) => provoke(input, stage, what, code, run);
  const deposit = async (change: Partial<AddLiquidityParams> = {}) => {
    const params = { maxTokenA: 40_000_000_000n, maxTokenB: 1_000_000_000n, minLpTokens: 0n, ...change };
    return await pool.send(await depositOf(pool, creator, params), creator.wallet);
  };
  const withdraw = async (change: Partial<RemoveLiquidityParams> = {}, party: Party = creator) => {
    const params = { lpTokensToBurn: 1_000_000_000n, minTokenA: 0n, minTokenB: 0n, ...change };
    return await pool.send(await withdrawalOf(pool, party, params), party.wallet);
  };
  const transfer = async (amount: bigint) =>
    await pool.send(await transferOf(pool, creator, stranger, amount), creator.wallet);
  const held = (await pool.positionState(creator))?.lpTokenBalance ?? 0n;

  await of('a deposit that gives too few LP tokens', 6013, () => deposit({ minLpTokens: U64_MAX }));
  await of('a deposit of nothing', 6032, () => deposit({ maxTokenA: 0n, maxTokenB: 0n }));
  await of('a deposit where they are off', 6016, () =>
    withAllowed(pool, 'depositLiquidity', () => deposit()),
  );
  await of('a withdrawal where they are off', 6017, () =>
    withAllowed(pool, 'removeLiquidity', () => withdraw()),
  );
  await of('a withdrawal that pays too little token A', 6025, () => withdraw({ minTokenA: U64_MAX }));
  await of('a withdrawal that pays too little SOL', 6024, () => withdraw({ minTokenB: U64_MAX }));
  await of('a withdrawal of nothing', 6032, () => withdraw({ lpTokensToBurn: 0n }));
  await of('a withdrawal of more LP tokens than are held', 6015, () =>
    withdraw({ lpTokensToBurn: held + 1n }),
  );
  await of('a transfer of more LP tokens than are held', 6012, () => transfer(held + 1n));
  await of('a transfer of no LP tokens', 6032, () => transfer(0n));
  await of('a claim of LP fees before there are any', 6032, async () =>
    pool.send(await lpClaimOf(pool, creator), creator.wallet),
  );
  await of('a claim of LP fees without a position', 3012, async () =>
    pool.send(await lpClaimOf(pool, stranger), stranger.wallet),
  );
}

/** Runs work in a pool that forbids it, and allows it again afterwards. */
async function withAllowed<T>(
  { stage, pool }: ProPool,
  what: 'depositLiquidity' | 'removeLiquidity' | 'updateCreatorTradingFee',
  run: () => Promise<T>,
): Promise<T> {
  const set = (value: 0 | 1) =>
    stage.ledger.updatePool(pool, ({ allowlist }) => ({ allowlist: { ...allowlist, [what]: value } }));
  set(0);
  try {
    return await run();
  } finally {
    set(1);
  }
}

async function settingsOf(input: ScenarioInput): Promise<void> {
  const pool = await createProPool(await openProSet(input));
  const { wallet } = pool.creator;
  const accounts = { liquidityPoolState: pool.pool, creator: wallet.address };
  const set = (build: typeof getCreatorSetProMarketCapLpFeeInstruction, bps: number) => {
    const fees = toFeeBrackets([{ marketCapUpperBound: 0n, buyFeeBps: bps, sellFeeBps: bps }]);
    return pool.send(build({ ...accounts, fees }, pool.stage.client.deployment), wallet);
  };
  const of = (what: string, code: number, run: () => Promise<Ran>) =>
    provoke(input, pool.stage, what, code, run);
  await of('setting a creator fee that is fixed', 6039, () =>
    withAllowed(pool, 'updateCreatorTradingFee', () =>
      set(getCreatorSetProMarketCapCreatorFeeInstruction, 50),
    ),
  );
  await of('setting an LP fee over 100 %', 6035, () =>
    set(getCreatorSetProMarketCapLpFeeInstruction, 10_001),
  );
}
