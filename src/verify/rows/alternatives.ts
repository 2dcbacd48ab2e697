import { type Address, getBase64EncodedWireTransaction, type Instruction } from '@solana/kit';

import { U64_MAX } from '../../base/integers.js';
import { feesOf, sumFees } from '../../math/swap.js';
import { type BuilderName, readers } from '../../operations/index.js';
import { TRANSFER_FEE_EXTENSION } from '../../pool/layout.js';
import { marketCapInBoundUnits } from '../../pool/market-cap.js';
import { fetchPoolSnapshot } from '../../pool/read.js';
import { toSwapState, windowSlots } from '../../pool/swap-state.js';
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
} from '../../program/instructions/index.js';
import { FeeConfigurationMode, MAX_MARKET_CAP_BOUND } from '../../program/types.js';
import { view } from '../../solana/account-data.js';
import { deriveAddress } from '../../solana/derived-addresses.js';
import { WRAPPED_SOL_MINT_ADDRESS } from '../../solana/programs.js';
import { extensionIn } from '../../solana/token-extensions.js';
import { createFeeBrackets } from '../../testing/encode.js';
import { unsignedTransaction } from '../../testing/wire.js';
import type { Figures, Plan } from '../plan.js';
import { CannotRun, type Stage } from '../stage.js';
import { creation, SEEDS } from './creation.js';
import { claimAfterBuy, deposit, lpClaim, provider, withdrawal } from './pro.js';
import { type MakePlan, type Operation, operation, type Pool, telling } from './row.js';
import { feeFigures, moveBy, type Side, SOL, trade } from './trades.js';

const DEPOSIT = 2_000_000_007n;

// Rows that come out differently under an assumption's alternative. Of A9 and A11, which have no single one, success tells (creation.ts,
// pro.ts). Nothing tells A10, as a launch with another table only is larger, A14, which needs a program that calls the exchange, and A16, which needs
// one that a mint calls.

type Change = (state: LiquidityPoolState) => Partial<LiquidityPoolState>;

/** A trade in a pool with some fields, and what it would do if the pool had others, which the alternative amounts to. */
async function tradeIn(
  stage: Stage,
  pool: Pool,
  side: Side,
  name: string,
  [planted, other]: readonly [Change, Change],
  amount?: bigint,
): Promise<Plan & Required<Pick<Plan, 'alternatives'>>> {
  stage.ledger.updatePool(pool.address, other);
  const { said } = await trade(stage, pool, side, amount);
  stage.ledger.updatePool(pool.address, planted);
  return { ...(await trade(stage, pool, side, amount)), alternatives: [{ name, said }] };
}

const snapshotOf = ({ client }: Stage, { address: pool, mint, configVersion }: Pool) =>
  fetchPoolSnapshot(client, { pool, mint, configVersion });

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
  const bound = marketCapInBoundUnits(await snapshotOf(stage, pool)) - under;
  const fee = (brackets: Brackets) => withFee('creatorTradingFee', brackets, FeeConfigurationMode.Local);
  const brackets = createFeeBrackets([bound, 401, 403], [MAX_MARKET_CAP_BOUND, 101, 103]);
  return await tradeIn(stage, pool, 'buy', name, [fee(brackets), fee(flat(under === 0n ? 101 : 401))]);
}

/** The protocol fee of the pool and of its config differ. */
async function decoyed(stage: Stage, pool: Pool, mode: FeeConfigurationMode): Promise<Plan> {
  const { protocolConfig } = await readers.getPoolState(stage.client, { pool: pool.address });
  const fee = (brackets: Brackets, of = mode) => withFee('protocolTradingFee', brackets, of);
  stage.ledger.updateConfig(protocolConfig, ({ marketCapBasedFees }) => ({
    marketCapBasedFees: { ...marketCapBasedFees, protocolTradingFee: flat(97) },
  }));
  if (mode === FeeConfigurationMode.Local)
    return await tradeIn(stage, pool, 'sell', "the config's protocol fee", [fee(flat(31)), fee(flat(97))]);
  const own = FeeConfigurationMode.Local;
  return await tradeIn(stage, pool, 'sell', "the pool's protocol fee", [fee(flat(31)), fee(flat(31), own)]);
}

/** A sell of half of what a buy before it bought. It would profit from that outside the buy's window. */
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
  const { reserve: start } = await readers.getPoolState(stage.client, { pool: pool.address });
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
  const bought = start.tokenA - noted.tokenA;
  if (bought <= 0n) throw new CannotRun('it needs a buy, which leaves the reserves as they are');
  const amount = (2n * noted.tokenA) / bought;
  const plan = await tradeIn(stage, pool, 'sell', name, [() => ({ reserve: noted }), other], amount);
  if (second >= length) return plan;
  const filled = { name: 'filled at the recorded price', said: await atRecordedPrice(stage, pool, plan) };
  return { ...plan, alternatives: [...plan.alternatives, filled] };
}

/** What a sell gets that undoes a part of the window's trades at the price before them. */
async function atRecordedPrice(stage: Stage, pool: Pool, { said }: Plan): Promise<Figures> {
  const snapshot = await snapshotOf(stage, pool);
  const { window } = snapshot;
  const sold = said as Figures & { readonly 'reserve.tokenA': bigint };
  const gross = (sold['reserve.tokenA'] * window.reserveB) / window.reserveA;
  const fees = feesOf(toSwapState(snapshot).sellFees, gross);
  return { ...sold, lamports: gross - sumFees(fees), 'reserve.tokenB': -gross, ...feeFigures(fees) };
}

/** A trade of a token whose mint withholds a part of each transfer. */
async function taxed(stage: Stage, pool: Pool, side: Side): Promise<Plan> {
  const setFee = (bps: number) => {
    const account = stage.ledger.getAccount(pool.mint);
    const data = Uint8Array.from(account?.data ?? []);
    const { type, older, newer, basisPoints, maximum } = TRANSFER_FEE_EXTENSION;
    const extension = extensionIn(data, type);
    if (account === undefined || extension === undefined)
      throw new CannotRun('its mint was created without a transfer fee');
    for (const fee of [older, newer]) {
      view(extension).setUint16(fee + basisPoints, bps, true);
      view(extension).setBigUint64(fee + maximum, U64_MAX, true);
    }
    stage.ledger.setAccount(pool.mint, { ...account, data });
  };
  setFee(0);
  const { said } = await trade(stage, pool, side, side === 'buy' ? SOL + 7n : 101n);
  setFee(137);
  const plan = await trade(stage, pool, side, side === 'buy' ? SOL + 7n : 101n);
  return { ...plan, alternatives: [{ name: 'the program gives the transfer fee back', said }] };
}

/** A sale of one lamport more than the config says is liquid. */
async function illiquid(stage: Stage, pool: Pool): Promise<Plan> {
  const { protocolConfig } = await readers.getPoolState(stage.client, { pool: pool.address });
  const plan = await trade(stage, pool, 'sell', 101n);
  const { said } = plan;
  const lamports = typeof said === 'string' ? 0n : (said.lamports as bigint);
  stage.ledger.updateConfig(protocolConfig, () => ({ unstakedWsolReserve: lamports - 1n }));
  return { ...plan, said: 'rejected', alternatives: [{ name: 'no such limit', said }] };
}

/** A transaction with another instruction of the exchange, without lookup tables. If both fail, neither tells anything. */
async function rewritten(
  stage: Stage,
  plan: Plan,
  change: (given: Instruction) => Instruction,
): Promise<Plan['built']> {
  const { built } = plan;
  const { programAddress } = stage.client.deployment;
  const { value } = await stage.ledger.rpc.getLatestBlockhash().send();
  const [payer] = built.requiredSigners as [Address];
  const write = (instructions: readonly Instruction[]): Plan['built'] => {
    const all = [...built.computeBudget, ...instructions];
    const transaction = unsignedTransaction(0, payer, value.blockhash, all);
    return { ...built, tx: getBase64EncodedWireTransaction(transaction) };
  };
  const changed = write(
    built.instructions.map((one) => (one.programAddress === programAddress ? change(one) : one)),
  );
  const failed = await stage.rehearse({ ...plan, built: write(built.instructions) });
  if (failed !== undefined && (await stage.rehearse({ ...plan, built: changed })) !== undefined)
    throw new CannotRun(`it needs the unchanged transaction, which fails: ${failed.reason}`);
  return changed;
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
    const alternatives = [{ name: 'it needs no price accounts', said: whole.said }];
    return { ...withoutNext(whole), built, said: 'failed', alternatives };
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
  const alternatives = [{ name, said: plan.said }];
  return { ...withoutNext(plan), ...pool, built, at, said: 'failed', alternatives };
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

/** Every standard pool holds 12^9 LP tokens, all of them locked. */
async function firstSupply(stage: Stage, pool: Pool): Promise<Plan> {
  const plan = withoutNext(await creation(stage, pool, SEEDS[1]));
  const fixed = 12n ** 9n;
  const said = plan.said as Figures;
  const unlocked = (said['LP tokens'] as bigint) - fixed;
  return {
    ...plan,
    alternatives: [
      { name: 'a fixed first supply', said: { ...said, 'LP tokens': fixed, 'lpToken.supply.total': fixed } },
      { name: 'a fixed part of it is locked', said: { ...said, 'LP tokens': unlocked } },
    ],
  };
}

/** A deposit whose amounts don't divide evenly. */
async function rounded(stage: Stage, pool: Pool): Promise<Plan> {
  const plan = await deposit(stage, pool, await stage.wallet(), DEPOSIT);
  const said = plan.said as Record<'tokens' | 'lamports' | 'reserve.tokenA' | 'reserve.tokenB', bigint>;
  const less = {
    tokens: said.tokens + 1n,
    lamports: said.lamports + 1n,
    'reserve.tokenA': said['reserve.tokenA'] - 1n,
    'reserve.tokenB': said['reserve.tokenB'] - 1n,
  };
  return { ...plan, alternatives: [{ name: 'what it takes is rounded down', said: { ...said, ...less } }] };
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
  const by = (name: string, unit: bigint) => ({ name, said: { lamports: (lpTokenBalance * added) / unit } });
  return {
    ...(await lpClaim(stage, pool, payer)),
    alternatives: [by('a scale of 1e12', 10n ** 12n), by('a scale of 2^64', 2n ** 64n)],
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
  return { ...plan, built, said: said('77'), alternatives: [{ name: 'no fee', said: said('0') }] };
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
const unpriced = (name: BuilderName, plan: (stage: Stage, pool: Pool) => Promise<Plan>) =>
  telling('A3', name, 'pro', (pool) => ({
    'without the price accounts': withoutPrice((stage) => plan(stage, pool)),
  }));

export const ALTERNATIVES: readonly Operation[] = [
  operation('buildSell', 'standard', [], decoys),
  telling('A7', 'buildSell', 'standard', windows),
  telling('A13', 'buildSell', 'standard', liquidity),
  telling('A15', 'buildBuy', 'standard', (pool) => ({
    'a token with a transfer fee': (stage) => taxed(stage, pool, 'buy'),
  })),
  telling('A15', 'buildSell', 'standard', (pool) => ({
    'a token with a transfer fee': (stage) => taxed(stage, pool, 'sell'),
  })),
  telling('A6', 'buildProSell', 'pro', decoys),
  telling('A7', 'buildProSell', 'pro', windows),
  telling('A13', 'buildProSell', 'pro', liquidity),
  telling('A5', 'buildProBuy', 'pro', (pool) => ({
    'a market cap at a bound': (stage) => bounded(stage, pool, 0n, 'the bound is exclusive'),
    'a market cap one unit over a bound': (stage) => bounded(stage, pool, 1n, 'bounds in whole dollars'),
  })),
  unpriced('buildProBuy', (stage, pool) => trade(stage, pool, 'buy')),
  unpriced('buildProSell', (stage, pool) => trade(stage, pool, 'sell', 101n)),
  unpriced('buildProAddLiquidity', async (stage, pool) =>
    deposit(stage, pool, await stage.wallet(), DEPOSIT),
  ),
  unpriced('buildProRemoveLiquidity', (stage, pool) => withdrawal(stage, pool, 3n)),
  unpriced('buildProClaimCreatorFees', (stage, pool) => claimAfterBuy(stage, pool, 1n)),
  unpriced('buildProCreate', (stage, pool) => creation(stage, pool, SEEDS[0])),
  telling('A2', 'buildProAddLiquidity', 'pro', (pool) => ({
    'another position': (stage) => upperCase(stage, pool),
  })),
  telling('A8', 'buildProAddLiquidity', 'pro', (pool) => ({
    'what it takes': (stage) => rounded(stage, pool),
  })),
  telling('A8', 'buildProClaimLpFees', 'pro', (pool) => ({
    'at each scale': (stage) => scaled(stage, pool),
  })),
  telling('A8', 'buildProCreate', 'pro', (pool) => ({
    'the first supply': (stage) => firstSupply(stage, pool),
  })),
  telling('A1', 'buildProCreate', 'pro', (pool) => ({
    'another address': (stage) => creatorFirst(stage, pool),
  })),
  telling('A12', 'buildProCreate', 'pro', (pool) => ({
    'without a reflection fee': (stage) => omitted(stage, pool),
  })),
];
