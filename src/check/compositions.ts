import { generateKeyPairSigner } from '@solana/kit';

import { buildProUpdateCreatorFeeReceiver } from '../pro/update-creator-fee-receiver.js';
import { COMMUNITY_LOOKUP_TABLE_ADDRESS } from '../program/constants.js';
import { CreatorTradingFeeClaimStatus, CreatorTradingFeeDistribution } from '../program/types.js';
import { buildCreateStandardLiquidityPool } from '../standard/create-standard-liquidity-pool.js';
import { confirmed, refuted, type SettledAssumption, unknown } from './deployment.js';
import { codeOf, isFrameworkCode, NO_WALLET, type Scene, simulated, wordsOf } from './scene.js';

/** Error codes that mean that a creation is composed incorrectly, not that it isn't allowed. */
const COMPOSITION_CODES: readonly number[] = [6000, 6002, 6007, 6042, 6043, 6044, 6045, 6046];

/** Whether a launch failed because it is composed incorrectly. `isOurs`: it failed in the exchange. */
export const isCompositionFault = (code: number, isOurs: boolean): boolean =>
  !isOurs || COMPOSITION_CODES.includes(code) || isFrameworkCode(code);

export async function settleLaunch(scene: Scene): Promise<SettledAssumption> {
  const { client, base, wallets, options } = scene;
  const open = [...base.configs.values()].find(
    ({ version, allowCreatePool }) => version < 3 && allowCreatePool !== 0,
  );
  if (open === undefined) return unknown('no config allows launches now');
  const [wallet] = wallets;
  if (wallet === undefined) return unknown(NO_WALLET);
  const mintSigner = await generateKeyPairSigner();
  const outcome = await simulated(scene, () =>
    buildCreateStandardLiquidityPool(client, {
      payer: wallet,
      creator: wallet,
      encodedUserDefinedEventData: '',
      name: 'A token',
      symbol: 'TOKEN',
      uri: 'https://example.com/token.json',
      configVersion: open.version,
      initialPurchaseAmount: 1_000_000_000n,
      lutAddress: COMMUNITY_LOOKUP_TABLE_ADDRESS,
      mintSigner,
      ...options,
    }),
  );
  const launch = `a simulated launch with config ${open.version}`;
  if (outcome.kind === 'ok') return confirmed(`${launch} succeeds`);
  if (outcome.kind === 'none') return unknown(outcome.reason);
  const { code = -1, programAddress } = outcome.error;
  const isOurs = programAddress === client.deployment.programAddress;
  return isCompositionFault(code, isOurs)
    ? refuted(`${launch} fails: ${wordsOf(outcome)}`, undefined, outcome.logs.slice(-6))
    : unknown(`${launch} fails for another reason: ${wordsOf(outcome)}`);
}

export async function settleReceiverUpdate(scene: Scene): Promise<SettledAssumption> {
  const { client, proPools, wallets, options } = scene;
  if (proPools.length === 0) return unknown(scene.proReason ?? 'there is no pro pool');
  const pool = proPools.find(
    ({ state, creator }) =>
      state.creatorTradingFeeClaimStatus === CreatorTradingFeeClaimStatus.Processed &&
      state.creatorTradingFeeDistribution === CreatorTradingFeeDistribution.Creator &&
      wallets.includes(creator),
  );
  if (pool === undefined)
    return unknown('no pro pool was found whose funded creator may change the receiver now');
  const { address, mint, configVersion: version, creator: payer, state } = pool;
  const newReceiver = wallets.find(
    (wallet) => wallet !== payer && wallet !== state.creatorTradingFeeReceiver,
  );
  if (newReceiver === undefined) return unknown('no second wallet was found to be the new receiver');
  const input = { pool: address, mint, version, payer, newReceiver, ...options };
  const outcome = await simulated(scene, () => buildProUpdateCreatorFeeReceiver(client, input));
  const update = `a simulated update in the pool ${address}`;
  if (outcome.kind === 'ok') return confirmed(`${update} succeeds`);
  return outcome.kind === 'failed' && isFrameworkCode(codeOf(outcome) ?? -1)
    ? refuted(`${update} fails: ${wordsOf(outcome)}`, undefined, outcome.logs.slice(-6))
    : unknown(`the simulated update does not tell: ${wordsOf(outcome)}`);
}
