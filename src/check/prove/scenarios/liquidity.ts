import { computeDeposit, computePendingFees, computeWithdrawal } from '../../../math/liquidity.js';
import { liquidityOf } from '../../../pro/liquidity.js';
import type { LiquidityPoolState, UserLpPosition } from '../../../program/accounts.js';
import {
  getAddLiquidityProPoolInstruction,
  getClaimProLiquidityProviderTradingFeesInstruction,
  getRemoveLiquidityProPoolInstruction,
  getTransferLpTokensInstruction,
} from '../../../program/instructions.js';
import { DEFAULT_RULES } from '../../../program/rules.js';
import type { AddLiquidityParams, RemoveLiquidityParams } from '../../../program/types.js';
import { CannotObserve } from '../journal.js';
import type { Scenario, ScenarioInput } from '../scenario.js';
import { type Ran, tokensGained } from '../stage.js';
import { accountsOf, createProPool, openProSet, type Party, type ProPool, proBuyOf } from './pro-pool.js';
import { assertMoved, isComparable, observe, paidInto, randomIn, SOL, type Subject } from './scene.js';

const liquidityAccounts = async (pool: ProPool, party: Party) => ({
  ...accountsOf(pool, pool.pool, party),
  payer: party.wallet.address,
  userLpPosition: await pool.positionOf(party),
});

export const depositOf = async (pool: ProPool, party: Party, params: AddLiquidityParams) =>
  getAddLiquidityProPoolInstruction(
    { ...(await liquidityAccounts(pool, party)), params },
    pool.stage.client.deployment,
  );

export const withdrawalOf = async (pool: ProPool, party: Party, params: RemoveLiquidityParams) =>
  getRemoveLiquidityProPoolInstruction(
    { ...(await liquidityAccounts(pool, party)), params },
    pool.stage.client.deployment,
  );

export const transferOf = async (pool: ProPool, sender: Party, receiver: Party, amount: bigint) =>
  getTransferLpTokensInstruction(
    {
      liquidityPoolState: pool.pool,
      sender: sender.wallet.address,
      payer: sender.wallet.address,
      receiver: receiver.wallet.address,
      senderLpPosition: await pool.positionOf(sender),
      receiverLpPosition: await pool.positionOf(receiver),
      amount,
    },
    pool.stage.client.deployment,
  );

export const lpClaimOf = async (pool: ProPool, party: Party) =>
  getClaimProLiquidityProviderTradingFeesInstruction(
    { ...accountsOf(pool, pool.pool, party), userLpPosition: await pool.positionOf(party) },
    pool.stage.client.deployment,
  );

/** How to run the liquidity operations. Default: with the library's instructions. */
export interface LiquidityOperations {
  deposit(pool: ProPool, party: Party, params: AddLiquidityParams): Promise<Ran>;
  withdraw(pool: ProPool, party: Party, params: RemoveLiquidityParams): Promise<Ran>;
  transfer(pool: ProPool, sender: Party, receiver: Party, amount: bigint): Promise<Ran>;
  claim(pool: ProPool, party: Party): Promise<Ran>;
}

const BY_INSTRUCTION: LiquidityOperations = {
  deposit: async (pool, party, params) => await pool.send(await depositOf(pool, party, params), party.wallet),
  withdraw: async (pool, party, params) =>
    await pool.send(await withdrawalOf(pool, party, params), party.wallet),
  transfer: async (pool, sender, receiver, amount) =>
    await pool.send(await transferOf(pool, sender, receiver, amount), sender.wallet),
  claim: async (pool, party) => await pool.send(await lpClaimOf(pool, party), party.wallet),
};

/** Deposits, withdrawals and transfers of liquidity, and what liquidity providers earn. */
export const liquidity: Scenario = {
  name: 'liquidity of a pro pool',
  questions: ['A8.rounding', 'A8.scale', 'deposit', 'withdrawal', 'lp-transfer', 'lp-claim'],
  run: async (input) => {
    await input.journal.attempt(['A8.rounding', 'deposit', 'withdrawal', 'lp-transfer'], () => shares(input));
    await input.journal.attempt(['A8.scale', 'lp-claim'], () => fees(input));
  },
};

/** A pool's and a position's holdings before or after an operation. */
interface Held {
  readonly state: LiquidityPoolState;
  readonly position: UserLpPosition | undefined;
}

async function heldBy(pool: ProPool, party: Party): Promise<Held> {
  return { state: pool.state(), position: await pool.positionState(party) };
}

const lpOf = ({ position }: Held) => position?.lpTokenBalance ?? 0n;

/** What a deposit or withdrawal changed in the vaults, the reserves and the LP tokens. */
function movedBy(
  { vaults: { tokenAVault, tokenBVault } }: ProPool,
  ran: Ran,
  before: Held,
  after: Held,
): string {
  const [a, b] = [tokensGained(ran, tokenAVault), tokensGained(ran, tokenBVault)];
  const reserves = {
    a: after.state.reserve.tokenA - before.state.reserve.tokenA,
    b: after.state.reserve.tokenB - before.state.reserve.tokenB,
  };
  const supply = after.state.lpToken.supply.total - before.state.lpToken.supply.total;
  const lpTokens = lpOf(after) - lpOf(before);
  const isWhole = reserves.a === a && reserves.b === b && supply === lpTokens;
  return isWhole
    ? wordsOf({ tokenA: a, tokenB: b, lpTokens })
    : `${wordsOf({ tokenA: a, tokenB: b, lpTokens })}; the reserves gain ${reserves.a} units and ${reserves.b} lamports, the LP supply ${supply}`;
}

const wordsOf = (moved: { readonly tokenA: bigint; readonly tokenB: bigint; readonly lpTokens: bigint }) =>
  `the pool gains ${moved.tokenA} units and ${moved.tokenB} lamports, the position ${moved.lpTokens} LP tokens`;

async function shares(input: ScenarioInput): Promise<void> {
  const pool = await createProPool(await openProSet(input));
  const { random, journal } = input;
  const provider = await pool.createParty();
  const maxima = [
    [1_000n, 9_999n],
    [1_000_000n, 9_999_999n],
    [SOL, 99n * SOL],
    [100n * SOL, 999n * SOL],
  ] as const;
  for (const [least, most] of [...maxima, ...maxima]) {
    const { reserve } = pool.state();
    const maxTokenB = randomIn(random, least, most);
    // From a fifth to five times the matching amount.
    const factor = randomIn(random, 20n, 500n);
    const maxTokenA = (maxTokenB * reserve.tokenA * factor) / (reserve.tokenB * 100n);
    await journal.attempt(['A8.rounding', 'deposit'], () =>
      deposit(pool, provider, { maxTokenA, maxTokenB, minLpTokens: 0n }),
    );
  }
  const receiver = await pool.createParty();
  await journal.attempt(['lp-transfer'], async () => {
    for (const what of ['a new position', 'an existing position'])
      await transfer(pool, [provider, receiver], what);
  });
  await journal.attempt(['withdrawal'], async () => {
    const balance = async () => lpOf(await heldBy(pool, provider));
    const held = await balance();
    for (const part of [held / 3n, randomIn(random, 1_000n, 1_000_000n)])
      await withdrawal(pool, provider, part);
    await withdrawal(pool, provider, await balance());
  });
}

export async function deposit(
  pool: ProPool,
  party: Party,
  params: AddLiquidityParams,
  by = BY_INSTRUCTION,
): Promise<void> {
  const before = await heldBy(pool, party);
  const ran = await by.deposit(pool, party, params);
  const { maxTokenA, maxTokenB } = params;
  const subject: Subject = {
    kind: 'deposit',
    what: `a deposit of at most ${maxTokenA} units and ${maxTokenB} lamports`,
    size: maxTokenB,
    ids: ['A8.rounding', 'deposit'],
  };
  if (!isComparable(pool.input, ran, subject, pool.mint)) return;
  const found = movedBy(pool, ran, before, await heldBy(pool, party));
  observe(pool.input.journal, subject, found, (rules) =>
    wordsOf(computeDeposit(liquidityOf(before.state, rules), { maxTokenA, maxTokenB })),
  );
}

export async function withdrawal(
  pool: ProPool,
  party: Party,
  lpTokensToBurn: bigint,
  by = BY_INSTRUCTION,
): Promise<void> {
  const before = await heldBy(pool, party);
  const params = { lpTokensToBurn, minTokenA: 0n, minTokenB: 0n };
  const ran = await by.withdraw(pool, party, params);
  const subject: Subject = {
    kind: 'withdrawal',
    what: `a withdrawal of ${lpTokensToBurn} of ${lpOf(before)} LP tokens`,
    size: lpTokensToBurn,
    ids: ['withdrawal'],
  };
  if (!isComparable(pool.input, ran, subject, pool.mint)) return;
  // The program may close an empty position.
  const found = movedBy(pool, ran, before, await heldBy(pool, party));
  const { tokenA, tokenB } = computeWithdrawal(liquidityOf(before.state, DEFAULT_RULES), lpTokensToBurn);
  observe(pool.input.journal, subject, found, () =>
    wordsOf({ tokenA: -tokenA, tokenB: -tokenB, lpTokens: -lpTokensToBurn }),
  );
}

export async function transfer(
  pool: ProPool,
  [sender, receiver]: readonly [Party, Party],
  to: string,
  by = BY_INSTRUCTION,
): Promise<void> {
  const before = [await heldBy(pool, sender), await heldBy(pool, receiver)] as const;
  const amount = lpOf(before[0]) / 7n;
  if (amount === 0n) throw new CannotObserve('there are no LP tokens to transfer');
  const ran = await by.transfer(pool, sender, receiver, amount);
  const subject: Subject = {
    kind: 'transfer of LP tokens',
    what: `a transfer of ${amount} LP tokens to ${to}`,
    size: amount,
    ids: ['lp-transfer'],
  };
  if (!isComparable(pool.input, ran, subject)) return;
  const after = [await heldBy(pool, sender), await heldBy(pool, receiver)] as const;
  const words = (sent: bigint, received: bigint, supply: bigint) =>
    `the sender has ${sent} less, the receiver ${received} more, the supply changes by ${supply}`;
  const supply = after[0].state.lpToken.supply.total - before[0].state.lpToken.supply.total;
  observe(
    pool.input.journal,
    subject,
    words(lpOf(before[0]) - lpOf(after[0]), lpOf(after[1]) - lpOf(before[1]), supply),
    () => words(amount, amount, 0n),
  );
}

/** LP fees of several positions, with deposits between the trades. */
async function fees(input: ScenarioInput): Promise<void> {
  const pool = await createProPool(await openProSet(input));
  const { random } = input;
  const trader = await pool.createParty();
  const provider = await pool.createParty();
  const deposits = async () => {
    const { reserve } = pool.state();
    const maxTokenB = randomIn(random, 5n * SOL, 30n * SOL);
    const maxTokenA = (maxTokenB * reserve.tokenA) / reserve.tokenB + 1n;
    const most = { maxTokenA, maxTokenB, minLpTokens: 0n };
    const ran = await pool.send(await depositOf(pool, provider, most), provider.wallet);
    assertMoved(ran, 'a deposit');
  };
  await accrue(pool, trader, randomIn(random, 1n * SOL, 5n * SOL));
  await deposits();
  await accrue(pool, trader, randomIn(random, 10n * SOL, 30n * SOL));
  await lpClaim(pool, provider);
  await accrue(pool, trader, randomIn(random, SOL / 10n, SOL));
  await deposits();
  await accrue(pool, trader, randomIn(random, SOL, 9n * SOL));
  await lpClaim(pool, pool.creator);
  await lpClaim(pool, provider);
}

/** Makes a buy that leaves LP fees, and observes how much the accumulator grows. */
export async function accrue(pool: ProPool, trader: Party, lamports: bigint): Promise<void> {
  const before = pool.state();
  const ran = await pool.send(proBuyOf(pool, trader, lamports), trader.wallet);
  assertMoved(ran, 'a buy that should leave LP fees');
  const after = pool.state();
  const collected = after.liquidityProviderTradingFees - before.liquidityProviderTradingFees;
  if (collected <= 0n) throw new CannotObserve('a buy leaves no LP fees');
  const { total } = before.lpToken.supply;
  const accumulated = ({ reserve }: LiquidityPoolState) => reserve.accumulatedFeePerLpToken;
  observe(
    pool.input.journal,
    {
      kind: 'accumulated LP fees',
      what: `a buy that leaves ${collected} lamports of LP fees with ${total} LP tokens`,
      size: collected,
      ids: ['A8.scale'],
    },
    `${accumulated(after) - accumulated(before)} per LP token`,
    ({ feePerLpTokenUnit }) => `${(collected * feePerLpTokenUnit) / total} per LP token`,
  );
}

export async function lpClaim(pool: ProPool, party: Party, by = BY_INSTRUCTION): Promise<void> {
  const before = await heldBy(pool, party);
  const { position } = before;
  if (position === undefined) throw new CannotObserve('there is no LP position to claim the fees of');
  const { accumulatedFeePerLpToken: accumulated } = before.state.reserve;
  const ran = await by.claim(pool, party);
  const { lpTokenBalance, rewardDebt, pendingFees } = position;
  const subject: Subject = {
    kind: 'claim of LP fees',
    what: `a claim of LP fees with ${lpTokenBalance} LP tokens, ${accumulated} accumulated, ${rewardDebt} of debt and ${pendingFees} pending`,
    size: lpTokenBalance,
    ids: ['A8.scale', 'lp-claim'],
  };
  if (!isComparable(pool.input, ran, subject, pool.mint)) return;
  const after = await pool.positionState(party);
  const { userTokenBVault: account } = party.vaults;
  const words = (paid: bigint, debt: bigint | undefined, pending: bigint | undefined) =>
    `pays ${paid} lamports and leaves ${debt} of debt and ${pending} pending`;
  observe(
    pool.input.journal,
    subject,
    words(paidInto(account, ran), after?.rewardDebt, after?.pendingFees),
    (rules) =>
      words(
        computePendingFees(position, accumulated, rules.feePerLpTokenUnit),
        (lpTokenBalance * accumulated) / rules.feePerLpTokenUnit,
        0n,
      ),
  );
}
