import type { Address } from '@solana/kit';
import { assembleTransaction, type BuiltTransaction } from '../build/assemble.js';
import { buildProBuy } from '../pro/buy.js';
import { buildProClaimCreatorFees } from '../pro/claim-creator-fees.js';
import { quoteProBuy } from '../pro/quote-buy.js';
import { confirmed, refuted, type Settled, unknown } from './deployment.js';
import { simulatedCreation } from './derived-addresses.js';
import { attempt, codeOf, NO_WALLET, type Scene, simulated, wordsOf } from './scene.js';

/** What says that price accounts are missing or wrong. */
const PRICE_CODES: readonly (number | undefined)[] = [3005, 6036, 6037];

export async function settlePriceAccounts(scene: Scene): Promise<Settled> {
  const { client, proPools, wallets, options } = scene;
  const [wallet] = wallets;
  const parts: { readonly name: string; readonly verdict: Settled }[] = [];
  const settlePart = async (name: string, make: () => Promise<BuiltTransaction>) => {
    parts.push({ name, verdict: await settlePricePart(scene, make) });
  };
  const pool = proPools.find(({ state }) => state.allowlist.swap !== 0);
  const cannot = (name: string, reason: string) => parts.push({ name, verdict: unknown(reason) });
  const noPool = scene.proReason ?? 'there is no pro pool that can be traded in';
  if (pool === undefined) cannot('pro_buy', noPool);
  else if (wallet === undefined) cannot('pro_buy', NO_WALLET);
  else {
    await settlePart('pro_buy', async () => {
      const locator = { configVersion: pool.configVersion, mint: pool.mint, pool: pool.address, ...options };
      const quoteResponse = await quoteProBuy(client, {
        ...locator,
        maxSolSpend: '0.05',
        slippageBps: 10_000,
      });
      return await buildProBuy(client, {
        payer: wallet,
        quoteResponse,
        encodedUserDefinedEventData: '',
        ...locator,
      });
    });
  }
  const claimable = proPools.filter(({ state }) => state.creatorTradingFees > 0n);
  const claim = claimable.find(({ state }) => wallets.includes(state.creatorTradingFeeReceiver));
  if (claim === undefined)
    cannot('claim_pro_creator_trading_fees', 'no pro pool with fees to claim by a funded wallet was found');
  else {
    await settlePart('claim_pro_creator_trading_fees', () =>
      buildProClaimCreatorFees(client, {
        pool: claim.address,
        payer: claim.state.creatorTradingFeeReceiver,
        amount: 0n,
        ...options,
      }),
    );
  }
  const creation = await simulatedCreation(scene);
  const { built } = creation;
  if (built === undefined) cannot('create_pro_liquidity_pool', wordsOf(creation.outcome));
  else await settlePart('create_pro_liquidity_pool', async () => built);

  const lines = parts.map(({ name, verdict }) => `${name}: ${verdict.detail}`);
  const detail = lines.join('; ');
  const wrong = parts.filter(({ verdict }) => verdict.verdict === 'refuted');
  if (wrong.length > 0)
    return refuted(detail, wrong.map(({ name, verdict }) => `${name} ${verdict.shouldBe}`).join('; '), lines);
  return parts.every(({ verdict }) => verdict.verdict === 'confirmed')
    ? confirmed(detail, lines)
    : unknown(detail, lines);
}

/** Simulates with the two accounts and without them. */
async function settlePricePart(scene: Scene, make: () => Promise<BuiltTransaction>): Promise<Settled> {
  const { value: built, reason = '' } = await attempt(make);
  if (built === undefined) return unknown(reason);
  // Emulated or not: what a missing program says comes behind the checks of the accounts.
  const given = await simulated(scene, async () => built);
  const without = await simulated(scene, async () => withoutPrice(scene, built));
  if (PRICE_CODES.includes(codeOf(given)))
    return refuted(`refused with the two accounts: ${wordsOf(given)}`, 'wants other price accounts');
  const isPast = given.kind === 'ok' || given.kind === 'failed' || given.isPastChecks === true;
  if (isPast && PRICE_CODES.includes(codeOf(without)))
    return confirmed('refused without the two accounts, and not with them');
  if (given.kind === 'ok' && without.kind === 'ok')
    return refuted(
      'succeeds without the two accounts too',
      'does not read the price accounts; they do no harm',
    );
  return unknown(`it fails for another reason (${wordsOf(given)})`);
}

function withoutPrice({ client }: Scene, built: BuiltTransaction): BuiltTransaction {
  const { programAddress, chainlinkProgram, solUsdFeed } = client.deployment;
  const [feePayer] = Object.keys(built.transaction.signatures) as [Address];
  const instructions = built.instructions.map((instruction) =>
    instruction.programAddress === programAddress && instruction.accounts !== undefined
      ? {
          ...instruction,
          accounts: instruction.accounts.filter(
            ({ address }) => address !== chainlinkProgram && address !== solUsdFeed,
          ),
        }
      : instruction,
  );
  const plan = { budget: [], before: [], after: [] };
  return assembleTransaction({ feePayer, plan, instructions, lifetime: built.lifetime, warnings: [] });
}
