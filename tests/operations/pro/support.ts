import type { Address } from '@solana/kit';
import { beforeEach, expect } from 'vitest';

import {
  type BuiltTransaction,
  buildProAddLiquidity,
  buildProClaimCreatorFees,
  buildProClaimLpFees,
  buildProRemoveLiquidity,
  buildProSetLpFee,
  buildProSetMarketCapCreatorFee,
  buildProSetReflectionFee,
  buildProSetSlotCreatorFee,
  buildProToggleDeposit,
  buildProToggleSwap,
  buildProToggleWithdraw,
  buildProTransferLp,
  buildProUpdateCreatorFeeReceiver,
  type QuoteDetails,
  quoteProBuy,
  quoteProSell,
} from '../../../src/index.js';
import {
  findAssociatedTokenAddress,
  findLpPositionAddress,
  HEAVEN_PROGRAM_ADDRESS,
  type LiquidityPoolAllowlist,
  type LiquidityPoolState,
  parseHeavenInstruction,
} from '../../../src/program/index.js';
import type { SamplePool } from '../../../src/testing/index.js';
import { OTHER, STRANGER } from '../../support/addresses.js';
import { CATCH_ALL } from '../../support/amounts.js';
import { client, ledger, useLedger } from '../../support/ledger.js';
import { ownWarnings } from '../../support/warnings.js';

/** Creator fees that have accrued in the pool. */
export const ACCRUED = 5_000_000n;

export let pro: SamplePool;

/** A ledger for each test of a file. */
export function useProPool(): void {
  useLedger();
  beforeEach(() => {
    pro = ledger.pools.pro;
    update({ creatorTradingFees: ACCRUED });
  });
}

export const update = (fields: Partial<LiquidityPoolState>) => ledger.updatePool(pro.pool, () => fields);

export const allow = (change: Partial<LiquidityPoolAllowlist>) =>
  ledger.updatePool(pro.pool, ({ allowlist }) => ({ allowlist: { ...allowlist, ...change } }));

/** Reserves and LP tokens in existence. */
export const setLiquidity = (tokenA: bigint, tokenB: bigint, total: bigint) =>
  ledger.updatePool(pro.pool, ({ reserve, lpToken }) => ({
    reserve: { ...reserve, tokenA, tokenB },
    lpToken: { ...lpToken, supply: { ...lpToken.supply, total } },
  }));

/** What an LP token has earned so far. */
export const accumulate = (accumulatedFeePerLpToken: bigint) =>
  ledger.updatePool(pro.pool, ({ reserve }) => ({ reserve: { ...reserve, accumulatedFeePerLpToken } }));

/** The creator's position, empty but for these fields. */
export const setPosition = (fields: Partial<Parameters<typeof ledger.setLpPosition>[0]>) => {
  const empty = { lpTokenBalance: 0n, rewardDebt: 0n, pendingFees: 0n };
  return ledger.setLpPosition({ pool: pro.pool, user: pro.creator, ...empty, ...fields });
};

export const locator = () => ({ configVersion: 3, mint: pro.mint, pool: pro.pool });

export const toBuy = (change: object = {}) =>
  quoteProBuy(client, { ...locator(), maxSolSpend: 1, slippageBps: 50, ...change });
export const toSell = (change: object = {}) =>
  quoteProSell(client, { ...locator(), amountInUi: 1000, slippageBps: 50, ...change });

export const codesOf = (result: Pick<QuoteDetails | BuiltTransaction, 'warnings'>) =>
  ownWarnings(result).map(({ code }) => code);

export const brackets = [
  { marketCapUpperBound: 100_000_000_000n, buyFeeBps: 300, sellFeeBps: 400 },
  { marketCapUpperBound: CATCH_ALL, buyFeeBps: 100, sellFeeBps: 200 },
] as const;
export const UNUSED = { marketCapUpperBound: 0n, buyFeeBps: 0, sellFeeBps: 0 };
export const slotBrackets = [
  { slotOffsetUpperbound: 5, buyFeeBps: 5_000, sellFeeBps: 4_000 },
  { slotOffsetUpperbound: 15, buyFeeBps: 1_000, sellFeeBps: 1_000 },
] as const;
export const schedule = { brackets: slotBrackets, maxSlotOffset: 15, maxFeeBps: 5_000, enabled: true };
export const own = () => ({ pool: pro.pool, payer: pro.creator });

/** Each builder and a valid input. */
const OPERATIONS = {
  add: {
    build: buildProAddLiquidity,
    input: () => ({
      ...locator(),
      payer: pro.creator,
      maxTokenA: 1_000_000_000n,
      maxTokenB: 1_000_000n,
      minLpTokens: 1_000_000n,
    }),
  },
  remove: {
    build: buildProRemoveLiquidity,
    input: () => ({
      ...locator(),
      payer: pro.creator,
      lpTokensToBurn: 1_000_000n,
      minTokenA: 1_000_000_000n,
      minTokenB: 1_000_000n,
    }),
  },
  claimCreatorFees: { build: buildProClaimCreatorFees, input: () => ({ ...own(), amount: 0n }) },
  claimLpFees: { build: buildProClaimLpFees, input: own },
  toggleSwap: { build: buildProToggleSwap, input: () => ({ ...own(), enabled: false }) },
  toggleDeposit: { build: buildProToggleDeposit, input: () => ({ ...own(), enabled: false }) },
  toggleWithdraw: { build: buildProToggleWithdraw, input: () => ({ ...own(), enabled: false }) },
  setReflectionFee: { build: buildProSetReflectionFee, input: () => ({ ...own(), brackets }) },
  setLpFee: { build: buildProSetLpFee, input: () => ({ ...own(), brackets }) },
  setMarketCapCreatorFee: { build: buildProSetMarketCapCreatorFee, input: () => ({ ...own(), brackets }) },
  setSlotCreatorFee: { build: buildProSetSlotCreatorFee, input: () => ({ ...own(), ...schedule }) },
  updateReceiver: {
    build: buildProUpdateCreatorFeeReceiver,
    input: () => ({ ...own(), mint: pro.mint, version: 3, newReceiver: STRANGER }),
  },
  transfer: {
    build: buildProTransferLp,
    input: () => ({ ...own(), sender: pro.creator, payer: OTHER, receiver: STRANGER, amount: 1_000_000n }),
  },
} as const;
export type Operation = keyof typeof OPERATIONS;

export const run = (name: Operation, change: object = {}): Promise<BuiltTransaction> => {
  const { build, input } = OPERATIONS[name];
  return build(client, { ...input(), ...change } as never);
};

/** The exchange's instruction, of which there is one. */
export const parsedOf = ({ instructions }: BuiltTransaction) => {
  const [instruction, ...others] = instructions.filter(
    ({ programAddress }) => programAddress === HEAVEN_PROGRAM_ADDRESS,
  );
  expect(others).toEqual([]);
  const { data, accounts } = parseHeavenInstruction(instruction!);
  return { data, accounts: accounts as Readonly<Record<string, { readonly address: Address }>> };
};

export const positionOf = (user: Address) => findLpPositionAddress({ pool: pro.pool, user });
export const tokenAccountOf = (owner: Address, mint = pro.mint) =>
  findAssociatedTokenAddress({ owner, mint });
