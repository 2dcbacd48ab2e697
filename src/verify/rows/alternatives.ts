import { type Address, getBase64EncodedWireTransaction, type Instruction } from '@solana/kit';

import { readers } from '../../operations.js';
import { marketCapInBoundUnits } from '../../pool/market-cap.js';
import { fetchPoolSnapshot } from '../../pool/read.js';
import { windowSlots } from '../../pool/swap-state.js';
import type { LiquidityPoolState } from '../../program/accounts.js';
import {
  findLpPositionAddress,
  findProtocolConfigAddress,
  LP_POSITION,
  PRO_POOL,
} from '../../program/addresses.js';
import {
  type CreateProLiquidityPoolInput,
  getCreateProLiquidityPoolInstruction,
  parseCreateProLiquidityPoolInstruction,
} from '../../program/instructions.js';
import { FeeConfigurationMode, MAX_MARKET_CAP_BOUND } from '../../program/types.js';
import { deriveAddress } from '../../solana/derived-addresses.js';
import { WRAPPED_SOL_MINT_ADDRESS } from '../../solana/programs.js';
import { createFeeBrackets } from '../../testing/encode.js';
import { unsignedTransaction } from '../../testing/wire.js';
import type { Figures, Plan } from '../plan.js';
import type { Stage } from '../stage.js';
import { creation, SEEDS } from './creation.js';
import { claimAfterBuy, deposit, lpClaim, provider, withdrawal } from './pro.js';
import { type MakePlan, type Operation, operation, type Pool } from './row.js';
import { moveBy, type Side, trade } from './trades.js';

const DEPOSIT = 2_000_000_007n;

// Rows that come out differently under an assumption's alternative. A9 and A10 have none: a launch's composition has no single
// alternative, and which lookup table serves which config is a fact of the cluster, not a rule.

type Change = (state: LiquidityPoolState) => Partial<LiquidityPoolState>;

/** A trade in a pool with some fields, and what it would do if the pool had others, which the alternative amounts to. */
async function tradeIn(stage: Stage, pool: Pool, side: Side, name: string, planted: Change, other: Change) {
  stage.ledger.updatePool(pool.address, other);
  const { said } = await trade(stage, pool, side);
  stage.ledger.updatePool(pool.address, planted);
  return { ...(await trade(stage, pool, side)), alternative: { name, said } };
}

type Brackets = ReturnType<typeof createFeeBrackets>;
const flat = (bps: number): Brackets => createFeeBrackets([MAX_MARKET_CAP_BOUND, bps, bps + 2]);

const withFee =
  (
    name: 'protocolTradingFee' | 'creatorTradingFee',
    brackets: Brackets,
    mode: FeeConfigurationMode,
  ): Change =>
  ({ marketCapBasedFees }) => ({
    feeConfigurationMode: mode,
    marketCapBasedFees: { ...marketCapBasedFees, [name]: brackets },
  });

/** Two brackets, of which the first ends at the market cap or one unit under it. */
async function bounded(stage: Stage, pool: Pool, under: bigint, name: string): Promise<Plan> {
  const { mint, configVersion } = pool;
  const snapshot = await fetchPoolSnapshot(stage.client, { pool: pool.address, mint, configVersion });
  const bound = marketCapInBoundUnits(snapshot) - under;
  const fee = (brackets: Brackets) => withFee('creatorTradingFee', brackets, FeeConfigurationMode.Local);
  const brackets = createFeeBrackets([bound, 401, 403], [MAX_MARKET_CAP_BOUND, 101, 103]);
  return await tradeIn(stage, pool, 'buy', name, fee(brackets), fee(flat(under === 0n ? 101 : 401)));
}

/** The protocol fee of the pool and of its config differ. */
async function decoyed(stage: Stage, pool: Pool, mode: FeeConfigurationMode): Promise<Plan> {
  const { protocolConfig } = await readers.getPoolState(stage.client, { pool: pool.address });
  const fee = (brackets: Brackets, of = mode) => withFee('protocolTradingFee', brackets, of);
  stage.ledger.updateConfig(protocolConfig, ({ marketCapBasedFees }) => ({
    marketCapBasedFees: { ...marketCapBasedFees, protocolTradingFee: flat(97) },
  }));
  if (mode === FeeConfigurationMode.Local)
    return await tradeIn(stage, pool, 'sell', "the config's protocol fee", fee(flat(31)), fee(flat(97)));
  const own = FeeConfigurationMode.Local;
  return await tradeIn(stage, pool, 'sell', "the pool's protocol fee", fee(flat(31)), fee(flat(31), own));
}

/** A sell after a buy, which would profit from it outside the buy's window. */
async function windowed(
  stage: Stage,
  pool: Pool,
  [first, second]: readonly [bigint, bigint],
  name: string,
): Promise<Plan> {
  const { ledger } = stage;
  const resist: Change = ({ featureFlags, reserve, allowlist }) => ({
    featureFlags: { ...featureFlags, sandwichResistantMode: 1 },
    allowlist: { ...allowlist, sameSlotTrading: 1 },
    reserve: { ...reserve, leaderSlotWindow: 1 },
  });
  const length = windowSlots(1);
  const begin = (ledger.slot / length + 2n) * length;
  ledger.updatePool(pool.address, resist);
  ledger.setSlot(begin + first);
  await moveBy(stage, pool, 'buy');
  ledger.setSlot(begin + second);
  // The alternative is what a window that began elsewhere gives.
  const other: Change = ({ reserve }) => ({
    reserve:
      second < length
        ? { ...reserve, snapshotA: 0n, snapshotB: 0n }
        : { ...reserve, snapshotSlot: begin + length },
  });
  const { reserve: noted } = await readers.getPoolState(stage.client, { pool: pool.address });
  return await tradeIn(stage, pool, 'sell', name, () => ({ reserve: noted }), other);
}

/** A sale of one lamport more than the config says is liquid. */
async function illiquid(stage: Stage, pool: Pool): Promise<Plan> {
  const { protocolConfig } = await readers.getPoolState(stage.client, { pool: pool.address });
  const plan = await trade(stage, pool, 'sell', 101n);
  const { said } = plan;
  const lamports = typeof said === 'string' ? 0n : (said.lamports as bigint);
  stage.ledger.updateConfig(protocolConfig, () => ({ unstakedWsolReserve: lamports - 1n }));
  return { ...plan, said: 'rejected', alternative: { name: 'no such limit', said } };
}

/** A transaction with another instruction of the exchange, without lookup tables. */
async function rewritten(
  stage: Stage,
  { built }: Plan,
  change: (given: Instruction) => Instruction,
): Promise<Plan['built']> {
  const { programAddress } = stage.client.deployment;
  const { value } = await stage.ledger.rpc.getLatestBlockhash().send();
  const instructions = built.instructions.map((one) =>
    one.programAddress === programAddress ? change(one) : one,
  );
  const [payer] = built.requiredSigners as [Address];
  const transaction = unsignedTransaction(0, payer, value.blockhash, [
    ...built.computeBudget,
    ...instructions,
  ]);
  return { ...built, tx: getBase64EncodedWireTransaction(transaction) };
}

/** A3: without the price feed's accounts it must fail. */
const withoutPrice =
  (plan: MakePlan): MakePlan =>
  async (stage) => {
    const whole = await plan(stage);
    const built = await rewritten(stage, whole, ({ accounts = [], ...rest }) => ({
      ...rest,
      accounts: accounts.slice(0, -2),
    }));
    const alternative = { name: 'it needs no price accounts', said: whole.said };
    return { ...withoutNext(whole), built, said: 'failed', alternative };
  };

const withoutNext = ({ next: _, ...plan }: Plan): Plan => plan;

/** With other addresses than ours, it must fail. */
async function readdressed(
  stage: Stage,
  plan: Plan,
  name: string,
  others: ReadonlyMap<Address, Address>,
): Promise<Plan> {
  const other = (address: Address) => others.get(address) ?? address;
  const built = await rewritten(stage, plan, ({ accounts = [], ...rest }) => ({
    ...rest,
    accounts: accounts.map((account) => ({ ...account, address: other(account.address) })),
  }));
  const at = Object.fromEntries(
    Object.entries(plan.at ?? {}).map(([figure, address]) => [figure, other(address)]),
  );
  const pool = plan.pool === undefined ? {} : { pool: other(plan.pool) };
  return { ...withoutNext(plan), ...pool, built, at, said: 'failed', alternative: { name, said: plan.said } };
}

async function creatorFirst(stage: Stage, { mint, ...token }: Pool): Promise<Plan> {
  const { deployment } = stage.client;
  const plan = await creation(stage, { mint, ...token }, SEEDS[0]);
  const [user] = plan.built.requiredSigners as [Address];
  const seeds = [user, mint, WRAPPED_SOL_MINT_ADDRESS];
  const pool = await deriveAddress(deployment.programAddress, [PRO_POOL.prefix], seeds);
  const position = await findLpPositionAddress({ pool, user }, deployment);
  const ours = [plan.pool, plan.at?.['LP tokens']] as [Address, Address];
  const others = new Map([
    [ours[0], pool],
    [ours[1], position],
  ]);
  return await readdressed(stage, plan, 'the creator comes before the mints in the seeds', others);
}

async function upperCase(stage: Stage, pool: Pool): Promise<Plan> {
  const user = await stage.wallet();
  const plan = await deposit(stage, pool, user, DEPOSIT);
  const seeds = [pool.address, user];
  const other = await deriveAddress(
    stage.client.deployment.programAddress,
    [LP_POSITION.prefix.toUpperCase()],
    seeds,
  );
  const ours = plan.at?.['LP tokens'] as Address;
  return await readdressed(stage, plan, 'the prefix is in capitals', new Map([[ours, other]]));
}

/** 12^9 is the supply of every standard pool. */
async function firstSupply(stage: Stage, pool: Pool): Promise<Plan> {
  const plan = await creation(stage, pool, SEEDS[1]);
  const fixed = { 'LP tokens': 12n ** 9n, 'lpToken.supply.total': 12n ** 9n };
  return {
    ...withoutNext(plan),
    alternative: { name: 'a fixed first supply', said: { ...(plan.said as Figures), ...fixed } },
  };
}

/** Fees of 7 lamports for each LP token by our scale. */
async function scaled(stage: Stage, pool: Pool): Promise<Plan> {
  const { client, ledger } = stage;
  const payer = await provider(stage, pool);
  const added = 7_000_000_000n;
  ledger.updatePool(pool.address, ({ reserve }) => ({
    reserve: { ...reserve, accumulatedFeePerLpToken: reserve.accumulatedFeePerLpToken + added },
  }));
  const { lpTokenBalance } = await readers.getLpBalance(client, { pool: pool.address, user: payer });
  const plan = await lpClaim(stage, pool, payer);
  return {
    ...plan,
    alternative: { name: 'a scale of 1e12', said: { lamports: (lpTokenBalance * added) / 10n ** 12n } },
  };
}

const REFLECTION = 'marketCapBasedFees.reflectionTradingFee.brackets.0.buyFeeBps';

/** A pool whose creator leaves the reflection fee to the program, under a config that has one. */
async function omitted(stage: Stage, pool: Pool): Promise<Plan> {
  const { client, ledger } = stage;
  const plan = withoutNext(await creation(stage, pool, SEEDS[0]));
  const config = await findProtocolConfigAddress({ version: 3 }, client.deployment);
  ledger.updateConfig(config, ({ marketCapBasedFees }) => ({
    marketCapBasedFees: { ...marketCapBasedFees, reflectionTradingFee: flat(77) },
  }));
  const built = await rewritten(stage, plan, (given) => {
    const { accounts, data } = parseCreateProLiquidityPoolInstruction(given, client.deployment);
    const addresses = Object.entries(accounts).map(([name, { address }]) => [name, address]);
    const params = { ...data.params, reflectionTradingFee: null };
    const input = { ...Object.fromEntries(addresses), ...data, params } as CreateProLiquidityPoolInput;
    return { ...given, data: getCreateProLiquidityPoolInstruction(input, client.deployment).data };
  });
  const said = (bps: string) => ({ ...(plan.said as Figures), [REFLECTION]: bps });
  return { ...plan, built, said: said('77'), alternative: { name: 'no fee', said: said('0') } };
}

const local = FeeConfigurationMode.Local;
const decoys = (pool: Pool): Readonly<Record<string, MakePlan>> => ({
  "its own protocol fee beside the config's": (stage) => decoyed(stage, pool, local),
  "the config's protocol fee beside its own": (stage) => decoyed(stage, pool, FeeConfigurationMode.Global),
});
const windows = (pool: Pool): Readonly<Record<string, MakePlan>> => ({
  "in the last slot of a buy's window": (stage) => windowed(stage, pool, [0n, 3n], 'a window of one slot'),
  "in the first slot after a buy's window": (stage) =>
    windowed(stage, pool, [2n, 4n], 'a window from its first trade on'),
});
const liquidity = (pool: Pool): Readonly<Record<string, MakePlan>> => ({
  'a lamport more than is liquid': (stage) => illiquid(stage, pool),
});
const NO_PRICE = 'without the price accounts';

export const ALTERNATIVES: readonly Operation[] = [
  operation('buildSell', 'standard', [], decoys),
  operation('buildSell', 'standard', ['A7'], windows),
  operation('buildSell', 'standard', ['A13'], liquidity),
  operation('buildProSell', 'pro', ['A6'], decoys),
  operation('buildProSell', 'pro', ['A7'], windows),
  operation('buildProSell', 'pro', ['A13'], liquidity),
  operation('buildProBuy', 'pro', ['A5'], (pool) => ({
    'a market cap at a bound': (stage) => bounded(stage, pool, 0n, 'the bound is exclusive'),
    'a market cap one unit over a bound': (stage) => bounded(stage, pool, 1n, 'bounds in whole dollars'),
  })),
  operation('buildProBuy', 'pro', ['A3'], (pool) => ({
    [NO_PRICE]: withoutPrice((stage) => trade(stage, pool, 'buy')),
  })),
  operation('buildProSell', 'pro', ['A3'], (pool) => ({
    [NO_PRICE]: withoutPrice((stage) => trade(stage, pool, 'sell', 101n)),
  })),
  operation('buildProAddLiquidity', 'pro', ['A3'], (pool) => ({
    [NO_PRICE]: withoutPrice(async (stage) => deposit(stage, pool, await stage.wallet(), DEPOSIT)),
  })),
  operation('buildProRemoveLiquidity', 'pro', ['A3'], (pool) => ({
    [NO_PRICE]: withoutPrice((stage) => withdrawal(stage, pool, 3n)),
  })),
  operation('buildProClaimCreatorFees', 'pro', ['A3'], (pool) => ({
    [NO_PRICE]: withoutPrice((stage) => claimAfterBuy(stage, pool, 1n)),
  })),
  operation('buildProAddLiquidity', 'pro', ['A2'], (pool) => ({
    'another position': (stage) => upperCase(stage, pool),
  })),
  operation('buildProClaimLpFees', 'pro', ['A8'], (pool) => ({
    'at each scale': (stage) => scaled(stage, pool),
  })),
  operation('buildProCreate', 'pro', ['A1'], (pool) => ({
    'another address': (stage) => creatorFirst(stage, pool),
  })),
  operation('buildProCreate', 'pro', ['A3'], (pool) => ({
    [NO_PRICE]: withoutPrice((stage) => creation(stage, pool, SEEDS[0])),
  })),
  operation('buildProCreate', 'pro', ['A8'], (pool) => ({
    'the first supply': (stage) => firstSupply(stage, pool),
  })),
  operation('buildProCreate', 'pro', ['A12'], (pool) => ({
    'without a reflection fee': (stage) => omitted(stage, pool),
  })),
];
