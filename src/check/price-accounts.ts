import type { Address, Instruction } from '@solana/kit';

import {
  allInstructions,
  assembleTransaction,
  type BuiltTransaction,
  planTransaction,
} from '../build/assemble.js';
import type { Deployment } from '../client.js';
import { buildProBuy } from '../pro/buy.js';
import { buildProClaimCreatorFees } from '../pro/claim-creator-fees.js';
import { quoteProBuy } from '../pro/quote-buy.js';
import { buildProRemoveLiquidity } from '../pro/remove-liquidity.js';
import type { PricedInstruction, RulesPatch } from '../program/rules.js';
import { confirmed, refuted, type SettledAssumption, together, unknown } from './deployment.js';
import { simulatedCreation } from './derived-addresses.js';
import { buildDeposit, depositor } from './liquidity.js';
import { attempt, codeOf, NO_WALLET, type Scene, simulated, wordsOf } from './scene.js';

/** Error codes that mean that price accounts are missing or wrong. */
const PRICE_CODES: readonly (number | undefined)[] = [3005, 6036, 6037];

/** The rule that an instruction needs no price accounts. The caller adds the instruction's name. */
const NOT_READ: RulesPatch = { priceAccounts: {} };

export async function settlePriceAccounts(scene: Scene): Promise<SettledAssumption> {
  const parts: { readonly [instruction in PricedInstruction]?: SettledAssumption } = {
    pro_buy: await settleBuy(scene),
    add_liquidity_pro_pool: await settleDeposit(scene),
    remove_liquidity_pro_pool: await settleWithdrawal(scene),
    claim_pro_creator_trading_fees: await settleClaim(scene),
    create_pro_liquidity_pool: await settleCreation(scene),
  };
  return together(
    Object.entries(parts).map(([name, { verdict, detail, shouldBe, rules }]) => ({
      verdict,
      detail: `${name}: ${detail}`,
      evidence: [`${name}: ${detail}`],
      ...(shouldBe === undefined ? {} : { shouldBe: `${name} ${shouldBe}` }),
      ...(rules === undefined ? {} : { rules: { priceAccounts: { [name]: false } } }),
    })),
  );
}

async function settleBuy(scene: Scene): Promise<SettledAssumption> {
  const { client, options, wallets } = scene;
  const pool = scene.proPools.find(({ state }) => state.allowlist.swap !== 0);
  const [payer] = wallets;
  if (pool === undefined) return unknown(scene.proReason ?? 'there is no pro pool that can be traded in');
  if (payer === undefined) return unknown(NO_WALLET);
  const { configVersion, mint, address } = pool;
  return await settlePricePart(scene, async () => {
    const common = { pool: address, ...options };
    const terms = { configVersion, mint, maxSolSpend: '0.05', slippageBps: 10_000 };
    const quoteResponse = await quoteProBuy(client, { ...common, ...terms });
    return await buildProBuy(client, { payer, quoteResponse, encodedUserDefinedEventData: '', ...common });
  });
}

async function settleDeposit(scene: Scene): Promise<SettledAssumption> {
  const who = await depositor(scene);
  if (typeof who === 'string') return unknown(who);
  return await settlePricePart(scene, () => buildDeposit(scene, who));
}

async function settleWithdrawal(scene: Scene): Promise<SettledAssumption> {
  const { client, options, proPools, positions, wallets } = scene;
  const open = proPools.filter(({ state }) => state.allowlist.removeLiquidity !== 0);
  const held = positions
    .filter(({ fields: { user, lpTokenBalance } }) => lpTokenBalance > 0n && wallets.includes(user))
    .flatMap(({ fields }) => {
      const pool = open.find(({ address }) => address === fields.pool);
      return pool === undefined ? [] : [{ found: pool, ...fields }];
    });
  const [position] = held;
  if (position === undefined) return unknown('no LP position of a funded wallet that may withdraw was found');
  const { found, pool, user: payer, lpTokenBalance } = position;
  const { configVersion, mint } = found;
  const lpTokensToBurn = lpTokenBalance / 100n || 1n;
  return await settlePricePart(scene, () =>
    buildProRemoveLiquidity(client, {
      pool,
      mint,
      configVersion,
      payer,
      lpTokensToBurn,
      minTokenA: 0n,
      minTokenB: 0n,
      ...options,
    }),
  );
}

async function settleClaim(scene: Scene): Promise<SettledAssumption> {
  const { client, options, wallets } = scene;
  const pool = scene.proPools.find(
    ({ state }) => state.creatorTradingFees > 0n && wallets.includes(state.creatorTradingFeeReceiver),
  );
  if (pool === undefined) return unknown('no pro pool with fees to claim by a funded wallet was found');
  const payer = pool.state.creatorTradingFeeReceiver;
  const input = { pool: pool.address, payer, amount: 0n, ...options };
  return await settlePricePart(scene, () => buildProClaimCreatorFees(client, input));
}

async function settleCreation(scene: Scene): Promise<SettledAssumption> {
  const { built, outcome } = await simulatedCreation(scene);
  return built === undefined ? unknown(wordsOf(outcome)) : await settlePricePart(scene, async () => built);
}

/** Simulates with and without the two accounts. */
async function settlePricePart(
  scene: Scene,
  build: () => Promise<BuiltTransaction>,
): Promise<SettledAssumption> {
  const { value: built, reason = '' } = await attempt(build);
  if (built === undefined) return unknown(reason);
  // A missing program is reported only after the accounts are checked, so that outcome counts, too.
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
      [],
      NOT_READ,
    );
  return unknown(`it fails for another reason (${wordsOf(given)})`);
}

/** An instruction of the exchange without the two price accounts at the end of its list. */
export const withoutPair = (instruction: Instruction, deployment: Deployment): Instruction =>
  instruction.programAddress === deployment.programAddress && instruction.accounts !== undefined
    ? {
        ...instruction,
        accounts: instruction.accounts.filter(
          ({ address }) => address !== deployment.chainlinkProgram && address !== deployment.solUsdFeed,
        ),
      }
    : instruction;

function withoutPrice({ client }: Scene, built: BuiltTransaction): BuiltTransaction {
  const [feePayer] = Object.keys(built.transaction.signatures) as [Address];
  const instructions = allInstructions(built).map((instruction) =>
    withoutPair(instruction, client.deployment),
  );
  // The compute budget is already among the instructions.
  const plan = planTransaction({}, { limit: 0, price: 0n });
  return assembleTransaction({ feePayer, plan, instructions, lifetime: built.lifetime });
}
