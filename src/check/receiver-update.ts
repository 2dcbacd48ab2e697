import { buildProUpdateCreatorFeeReceiver } from '../pro/update-creator-fee-receiver.js';
import { confirmed, refuted, type Settled, unknown } from './deployment.js';

import { codeOf, isFrameworkCode, type Scene, simulated, wordsOf } from './scene.js';
export async function settleReceiverUpdate(scene: Scene): Promise<Settled> {
  const { client, proPools, wallets, options } = scene;
  if (proPools.length === 0) return unknown(scene.proReason ?? 'there is no pro pool');
  const pool = proPools.find(
    ({ state, creator }) =>
      state.creatorTradingFeeClaimStatus === 2 &&
      state.creatorTradingFeeDistribution === 1 &&
      wallets.includes(creator),
  );
  if (pool === undefined)
    return unknown('no pro pool was found whose funded creator may change the receiver now');
  const newReceiver = wallets.find(
    (wallet) => wallet !== pool.creator && wallet !== pool.state.creatorTradingFeeReceiver,
  );
  if (newReceiver === undefined) return unknown('no second wallet was found to be the new receiver');
  const outcome = await simulated(scene, () =>
    buildProUpdateCreatorFeeReceiver(client, {
      pool: pool.address,
      mint: pool.mint,
      version: pool.configVersion,
      payer: pool.creator,
      newReceiver,
      ...options,
    }),
  );
  if (outcome.kind === 'ok') return confirmed(`a simulated update in the pool ${pool.address} succeeds`);
  const code = codeOf(outcome);
  return code !== undefined && isFrameworkCode(code)
    ? refuted(
        `a simulated update in the pool ${pool.address} fails: ${wordsOf(outcome)}`,
        undefined,
        outcome.kind === 'failed' ? outcome.logs.slice(-6) : [],
      )
    : unknown(`the simulated update does not tell: ${wordsOf(outcome)}`);
}
