import type { BuiltTransaction } from '../../../build/assemble.js';
import { createClient, type HeavenClient } from '../../../client.js';
import { buildProAddLiquidity } from '../../../pro/add-liquidity.js';
import { buildProClaimCreatorFees } from '../../../pro/claim-creator-fees.js';
import { buildProClaimLpFees } from '../../../pro/claim-lp-fees.js';
import { buildProCreate } from '../../../pro/create.js';
import { buildProRemoveLiquidity } from '../../../pro/remove-liquidity.js';
import { buildProTransferLp } from '../../../pro/transfer-lp.js';
import { buildProUpdateCreatorFeeReceiver } from '../../../pro/update-creator-fee-receiver.js';
import type { FeeBracketsParams } from '../../../program/types.js';
import { CannotObserve } from '../journal.js';
import { type ProofChoice, type ProofQuestionId, rulesOf } from '../questions.js';
import type { Scenario, ScenarioInput } from '../scenario.js';
import type { Ran } from '../stage.js';
import { observeClaim } from './claims.js';
import { observeCreation } from './creation.js';
import { accrue, deposit, type LiquidityOperations, lpClaim, transfer, withdrawal } from './liquidity.js';
import { createProPool, openProSet, type Party, type ProPool, type ProSet, proParams } from './pro-pool.js';
import { isComparable, SOL } from './scene.js';
import { changes, observeSetting, PAYABLE } from './settings.js';

const QUESTIONS = [
  'creation',
  'deposit',
  'withdrawal',
  'lp-transfer',
  'setting',
  'creator-claim',
  'lp-claim',
] as const satisfies readonly ProofQuestionId[];

/** A pro pool's life in the transactions that the library's builders build, with their compute budgets. */
export const builtProLife: Scenario = {
  name: 'the life of a pro pool, as the builders make it',
  questions: QUESTIONS,
  run: async (input) => {
    await input.journal.attempt(QUESTIONS, async () => {
      const { seeds } = await createProPool(await openProSet(input));
      if (!('A1' in seeds && 'A2' in seeds))
        throw new CannotObserve('the builders do not find a pro pool whose seeds are not known');
      for (const transactionVersion of [0, 1] as const)
        await input.journal.attempt(QUESTIONS, () => live(input, seeds, transactionVersion));
    });
  },
};

type Version = 0 | 1;

/** @throws {CannotObserve} if the pool can't be created */
async function live(input: ScenarioInput, seeds: ProofChoice, transactionVersion: Version): Promise<void> {
  const set = await openProSet(input);
  const client = createClient({ rpc: set.stage.ledger.rpc, deployment: { rules: rulesOf(seeds) } });
  const built: Built = { client, transactionVersion };
  const what = 'a creation by the builder';
  const create = async () => {
    // In version 0, a creation needs accounts that few lookup tables hold.
    const ran = await run(set, await creationOf(set, { ...built, transactionVersion: 1 }), set.creator);
    if (!ran.ok) isComparable(input, ran, { kind: 'creation', what, size: 0n, ids: ['creation'] });
    return ran;
  };
  const pool = await observeCreation(set, { what, params: proParams() }, { seeds, create });
  const { attempt } = input.journal;
  const by = liquidityBy(built);
  const [provider, receiver] = [await pool.createParty(), await pool.createParty()];
  await attempt(['deposit'], () =>
    deposit(pool, provider, { maxTokenA: SUPPLY, maxTokenB: 7n * SOL + 3n, minLpTokens: 0n }, by),
  );
  await attempt(['lp-transfer'], async () => {
    for (const to of ['a new position', 'an existing position'])
      await transfer(pool, [provider, receiver], to, by);
  });
  await attempt(['creator-claim', 'lp-claim'], () => accrue(pool, receiver, 30n * SOL + 3n));
  await attempt(['lp-claim'], () => lpClaim(pool, provider, by));
  await attempt(['withdrawal'], () => withdrawal(pool, provider, 1_000_003n, by));
  for (const change of changes())
    await attempt(['setting'], async () => {
      const setting = async () =>
        run(
          pool,
          await change.build(client, {
            pool: pool.pool,
            payer: pool.creator.wallet.address,
            transactionVersion,
          }),
          pool.creator,
        );
      await observeSetting(pool, change, setting);
    });
  pool.stage.ledger.updatePool(pool.pool, () => PAYABLE);
  for (const amount of [1_000_003n, 0n]) await attempt(['creator-claim'], () => claim(pool, built, amount));
  await attempt(['setting'], () => changeReceiver(pool, receiver, built));
}

/** More tokens than the deposits need. */
const SUPPLY = 1_000_000_000_000_000n;

/** What the calls to the builders share. */
interface Built {
  readonly client: HeavenClient;
  readonly transactionVersion: Version;
}

async function run(
  { stage, input }: ProSet,
  built: BuiltTransaction,
  ...parties: readonly Party[]
): Promise<Ran> {
  const ran = await stage.run(built, ...parties.map(({ wallet }) => wallet));
  input.progress();
  return ran;
}

/** The creation that {@link proParams} describe. */
async function creationOf({ creator, mint }: ProSet, { client, transactionVersion }: Built) {
  const {
    creatorTradingFee,
    reflectionTradingFee,
    liquidityProviderTradingFee,
    creatorSlotTradingFee: _,
    ...params
  } = proParams();
  const bracketsOf = (fees: FeeBracketsParams | null) => fees?.brackets.slice(0, fees.count);
  const { encodedUserDefinedEventData, initialTokenAAmount, initialTokenBAmount, ...features } = params;
  return await buildProCreate(client, {
    payer: creator.wallet.address,
    creator: creator.wallet.address,
    configVersion: 3,
    mint,
    encodedUserDefinedEventData,
    initialTokenAAmount,
    initialTokenBAmount,
    creatorTradingFee: bracketsOf(creatorTradingFee),
    reflectionTradingFee: bracketsOf(reflectionTradingFee),
    liquidityProviderTradingFee: bracketsOf(liquidityProviderTradingFee),
    features,
    transactionVersion,
  });
}

function liquidityBy({ client, transactionVersion }: Built): LiquidityOperations {
  const inputOf = ({ pool }: ProPool, { wallet }: Party) => ({
    pool,
    payer: wallet.address,
    transactionVersion,
  });
  const liquidityOf = (pool: ProPool, party: Party) => ({
    ...inputOf(pool, party),
    mint: pool.mint,
    configVersion: 3,
  });
  return {
    deposit: async (pool, party, params) =>
      await run(pool, await buildProAddLiquidity(client, { ...liquidityOf(pool, party), ...params }), party),
    withdraw: async (pool, party, params) =>
      await run(
        pool,
        await buildProRemoveLiquidity(client, { ...liquidityOf(pool, party), ...params }),
        party,
      ),
    transfer: async (pool, from, { wallet: { address: receiver } }, amount) => {
      const parties = { sender: from.wallet.address, receiver };
      const transferred = await buildProTransferLp(client, { ...inputOf(pool, from), ...parties, amount });
      return await run(pool, transferred, from);
    },
    claim: async (pool, party) =>
      await run(pool, await buildProClaimLpFees(client, inputOf(pool, party)), party),
  };
}

async function claim(pool: ProPool, { client, transactionVersion }: Built, amount: bigint): Promise<void> {
  const { creator, state } = pool;
  const built = await buildProClaimCreatorFees(client, {
    pool: pool.pool,
    payer: creator.wallet.address,
    amount,
    transactionVersion,
  });
  await observeClaim(pool.input, {
    what: `a claim of ${amount === 0n ? 'all' : amount} of ${state().creatorTradingFees} lamports of creator fees by the builder`,
    amount,
    isReceiver: true,
    account: creator.vaults.userTokenBVault,
    state,
    run: () => run(pool, built, creator),
  });
}

async function changeReceiver(
  pool: ProPool,
  receiver: Party,
  { client, transactionVersion }: Built,
): Promise<void> {
  const { address } = receiver.wallet;
  const what = 'an update of the receiver by the builder';
  const update = async () => {
    const built = await buildProUpdateCreatorFeeReceiver(client, {
      pool: pool.pool,
      mint: pool.mint,
      version: 3,
      payer: pool.creator.wallet.address,
      newReceiver: address,
      transactionVersion,
    });
    const ran = await run(pool, built, pool.creator, receiver);
    // Assumption A11 is about its accounts and when it is allowed.
    if (ran.code !== undefined) throw new CannotObserve(`${what} fails with ${ran.code}`);
    return ran;
  };
  await observeSetting(pool, { what, changed: () => ({ creatorTradingFeeReceiver: address }) }, update);
}
