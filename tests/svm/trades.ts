import type { Instruction } from '@solana/kit';
import { getTransferCheckedInstruction, type TransferCheckedInput } from '@solana-program/token';
import type { TransactionMetadata } from 'litesvm';

import {
  type BuildBuyInput,
  type BuildSellInput,
  type BuiltTransaction,
  buildBuy,
  buildSell,
  quoteBuy,
  quoteSell,
  type WrapSol,
} from '../../src/index.js';
import {
  HEAVEN_PROGRAM_ADDRESS,
  parseHeavenInstruction,
  WRAPPED_SOL_MINT_ADDRESS,
} from '../../src/program/index.js';
import { POOLS, type World } from './harness.js';

export const STRATEGIES: readonly WrapSol[] = ['associated', 'temporary', 'none'];

/** A built trade, with what it moves in native units: out of the wallet, and into it. */
export interface Trade {
  readonly built: BuiltTransaction;
  readonly paid: bigint;
  readonly received: bigint;
  /** What the token's own transfer fee keeps of the tokens. */
  readonly withheld: bigint;
}

/** What every builder needs of a world. */
const essentials = (world: World) => ({
  payer: world.owner.address,
  encodedUserDefinedEventData: '',
  lifetime: world.lifetime(),
});

/** Quotes and builds a buy, by default for 1.5 SOL. */
export async function buy(
  world: World,
  options: Partial<BuildBuyInput> = {},
  lamports = 1_500_000_000n,
): Promise<Trade> {
  const { mint, configVersion } = world.pool;
  const quote = { configVersion, mint, lamports, slippageBps: 50 };
  const quoteResponse = await quoteBuy(world.client, quote);
  const built = await buildBuy(world.client, { ...essentials(world), quoteResponse, ...options });
  const { amountOut: received, transferFee: withheld } = quoteResponse.details;
  return { built, paid: quoteResponse.maxLamportSpend, received, withheld };
}

/** Quotes and builds a sell of 2.5 million tokens. */
export async function sell(world: World, options: Partial<BuildSellInput> = {}): Promise<Trade> {
  const { mint, configVersion } = world.pool;
  const quote = { configVersion, mint, amountInUi: '2500000', slippageBps: 50 };
  const quoteResponse = await quoteSell(world.client, quote);
  const built = await buildSell(world.client, { ...essentials(world), quoteResponse, ...options });
  const { amountOut: received, transferFee: withheld } = quoteResponse.details;
  return { built, paid: quoteResponse.amountIn, received, withheld };
}

/** The exchange's instruction in a transaction: where it is, and what it is. */
export function swapOf({ instructions }: BuiltTransaction) {
  const index = instructions.findIndex(({ programAddress }) => programAddress === HEAVEN_PROGRAM_ADDRESS);
  const { name, accounts } = parseHeavenInstruction(instructions[index]!);
  if (name !== 'buy' && name !== 'sell') throw new Error(`${name} is no standard swap`);
  return { index, name, accounts };
}

type Transfer = Omit<TransferCheckedInput, 'mint' | 'decimals'>;

/**
 * What was built with the swap carried out: in the place of the exchange's instruction stand the two transfers that the
 * exchange would make, between the accounts that it was given. The owner and the bank sign.
 */
export function settled(world: World, { built, paid, received }: Trade): readonly Instruction[] {
  const { owner, bank, pool } = world;
  const { index, name, accounts } = swapOf(built);
  const token = { mint: pool.mint, decimals: POOLS[world.name].decimals };
  const transferToken = (transfer: Transfer) =>
    getTransferCheckedInstruction({ ...transfer, ...token }, { programAddress: pool.tokenProgram });
  const transferSol = (transfer: Transfer) =>
    getTransferCheckedInstruction({ ...transfer, mint: WRAPPED_SOL_MINT_ADDRESS, decimals: 9 });
  const { userTokenAVault, userTokenBVault, tokenAVault, tokenBVault } = accounts;
  const byOwner = { authority: owner, amount: paid };
  const byBank = { authority: bank.signer, amount: received };
  const transfers =
    name === 'buy'
      ? [
          transferSol({ source: userTokenBVault.address, destination: tokenBVault.address, ...byOwner }),
          transferToken({ source: bank.tokenAccount, destination: userTokenAVault.address, ...byBank }),
        ]
      : [
          transferToken({ source: userTokenAVault.address, destination: tokenAVault.address, ...byOwner }),
          transferSol({ source: bank.wrappedSolAccount, destination: userTokenBVault.address, ...byBank }),
        ];
  return built.instructions.flatMap((instruction, at) => (at === index ? transfers : [instruction]));
}

/** Runs what was {@link settled}, with the version and the compute budget of what was built, paid by the wallet or a sponsor. */
export const settle = (world: World, trade: Trade, payer = world.wallet): Promise<TransactionMetadata> =>
  world.runBy(payer, [...trade.built.computeBudget, ...settled(world, trade)], trade.built.config);
