import type { Address } from '@solana/kit';

import { decodeLiquidityPoolState, type LiquidityPoolState } from '../../../program/accounts.js';
import { getClaimStandardCreatorTradingFeesInstruction } from '../../../program/instructions.js';
import { CreatorTradingFeeClaimStatus, CreatorTradingFeeDistribution } from '../../../program/types.js';
import { buildClaimCreatorTradingFees } from '../../../standard/claim-creator-trading-fees.js';
import { CannotObserve } from '../journal.js';
import type { Scenario, ScenarioInput } from '../scenario.js';
import { createStage, type Stage } from '../stage.js';
import { observeClaim } from './claims.js';
import { launch } from './launch.js';
import { type Party, partyOn } from './pro-pool.js';
import { openConfig, senderOn, undo } from './scene.js';

/** Claims of a standard pool's creator fees in every state that decides whether they are paid. */
export const standardClaims: Scenario = {
  name: "claims of a standard pool's creator fees",
  questions: ['creator-claim'],
  run: (input) => input.journal.attempt(['creator-claim'], () => claims(input)),
};

type StandardPool = Awaited<ReturnType<typeof openStandardPool>>;

/** 3 SOL: less than the shared vault holds. */
const FEES = 3_000_000_007n;

/** A standard pool whose creator fees go to one of the proof's own wallets: one from the source, or a newly launched one. */
export async function openStandardPool(input: ScenarioInput) {
  const stage = createStage(await input.ground.open());
  const { ledger, client } = stage;
  const read = input.ground.pools.find(({ kind }) => kind === 'standard')?.pool;
  const pool = read ?? (await launched(input, stage));
  const state = () => {
    const account = ledger.getAccount(pool);
    if (account === undefined) throw new CannotObserve(`the pool ${pool} is missing`);
    return decodeLiquidityPoolState(account.data, pool);
  };
  const { tokenA, tokenAVault, tokenBVault, protocolConfig } = state();
  const token = { mint: tokenA.mint, tokenProgram: tokenA.owner };
  const createParty = () => partyOn(stage, token, 0n, 0n);
  const receiver = await createParty();
  const { address } = receiver.wallet;
  ledger.updatePool(pool, ({ info }) => ({
    info: { ...info, creator: address },
    creatorTradingFeeReceiver: address,
    creatorTradingFees: FEES,
  }));
  const { programAddress, chainlinkProgram, solUsdFeed } = client.deployment;
  return {
    stage,
    pool,
    receiver,
    createParty,
    state,
    claimOf: ({ wallet, vaults }: Party, amount: bigint) =>
      getClaimStandardCreatorTradingFeesInstruction(
        {
          ...vaults,
          tokenAProgram: token.tokenProgram,
          tokenAMint: token.mint,
          tokenAVault,
          tokenBVault,
          protocolConfig,
          liquidityPoolState: pool,
          user: wallet.address,
          chainlinkProgram,
          chainlinkFeed: solUsdFeed,
          amount,
        },
        { programAddress },
      ),
  };
}

async function launched(input: ScenarioInput, stage: Stage): Promise<Address> {
  const config = await openConfig(stage, 1);
  return (await launch(input, stage, config, { percent: 20, inVersion: 1 })).built.pool;
}

/** Trading volumes under and at the threshold for claiming creator fees, in words. */
const VOLUMES = [
  { words: 'under the threshold', tradingVolumeUsd: 99_999.5 },
  { words: 'at the threshold', tradingVolumeUsd: 100_000 },
] as const;

async function claims(input: ScenarioInput): Promise<void> {
  const scene = await openStandardPool(input);
  const { stage, pool, receiver } = scene;
  const send = senderOn(stage, input);
  const claim = async (what: string, amount: bigint, party: Party = receiver) => {
    const ran = await observeClaim(input, {
      what: `a claim of ${what}`,
      amount,
      isReceiver: party === receiver,
      account: party.vaults.userTokenBVault,
      state: scene.state,
      run: () => send(scene.claimOf(party, amount), party.wallet),
    });
    undo(stage, ran);
  };
  const set = (fields: Partial<LiquidityPoolState>) => stage.ledger.updatePool(pool, () => fields);
  for (const [distribution, creatorTradingFeeDistribution] of Object.entries(CreatorTradingFeeDistribution))
    for (const [status, creatorTradingFeeClaimStatus] of Object.entries(CreatorTradingFeeClaimStatus))
      for (const { words, tradingVolumeUsd } of VOLUMES) {
        set({
          creatorTradingFeeDistribution,
          creatorTradingFeeClaimStatus,
          tradingVolumeUsd,
          creatorTradingFeeTradingVolumeThreshold: 100_000,
        });
        await claim(`creator fees, volume ${words}, ${status}, distribution ${distribution}`, 0n);
      }
  set({
    creatorTradingFeeDistribution: CreatorTradingFeeDistribution.Creator,
    creatorTradingFeeClaimStatus: CreatorTradingFeeClaimStatus.Processed,
    tradingVolumeUsd: 0,
    creatorTradingFeeTradingVolumeThreshold: 0,
  });
  for (const amount of [0n, 1n, FEES / 3n, FEES, FEES + 1n])
    await claim(`${amount === 0n ? 'all' : amount} of ${FEES} lamports of creator fees`, amount);
  await claim('creator fees by another wallet', 0n, await scene.createParty());
  await claimBuilt(input, scene);
}

/** Claims with the library's builder, which unwraps the fees. */
async function claimBuilt(input: ScenarioInput, scene: StandardPool): Promise<void> {
  const { stage, receiver, state } = scene;
  const { address: payer } = receiver.wallet;
  const { tokenA, info } = state();
  const built = await buildClaimCreatorTradingFees(stage.client, {
    mint: tokenA.mint,
    version: info.protocolConfigVersion,
    payer,
    amount: 0n,
  });
  await observeClaim(input, {
    what: 'a claim of all creator fees by the builder',
    amount: 0n,
    isReceiver: true,
    account: receiver.vaults.userTokenBVault,
    state,
    run: () => stage.run(built, receiver.wallet),
  });
  input.progress();
}
