import type { Address } from '@solana/kit';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import * as heaven from 'heaven-pools';
import { formatBps, SOL, type Unit } from '../format';
import { useNetwork } from '../network/network';
import type { Balances, Pool } from '../queries';
import { amountFact, type Fact, paidFact } from '../ui';
import { useWallet } from '../wallet/wallet';
import type { Plan } from './plan';

const SLIPPAGE_BPS = 50;
/** Leaves the wallet's own wrapped SOL alone. */
const wrapSol = 'temporary';
export const LP: Unit = { decimals: 9, symbol: 'LP tokens' };
/** Which amount is typed: SOL or tokens to deposit, LP tokens to withdraw. */
export type Typed = 'maxTokenB' | 'maxTokenA' | 'lpTokensToBurn';

export function useShare(pool: Pool, snapshot: heaven.FetchedPoolSnapshot | undefined) {
  const { client, rpcUrl } = useNetwork();
  const user = useWallet()?.address as Address;
  const { data } = useQuery({
    queryKey: [rpcUrl, 'share', pool.address, user],
    queryFn: ({ signal }) => heaven.getLpBalance(client, { pool: pool.address, user, abortSignal: signal }),
    enabled: user !== undefined && pool.kind === 'pro',
    refetchInterval: 15_000,
  });
  return data && snapshot?.kind === 'pro' ? { ...data, ...heaven.toLpShare(snapshot, data) } : undefined;
}

const locate = ({ address, mint, configVersion }: Pool) => ({ pool: address, mint, configVersion });
const shareFact = (pct: number): Fact => ({ term: 'Share of the pool', value: formatBps(pct * 100) });

export interface LiquidityPlan extends Plan {
  /** What the wallet must hold of each side. */
  needs?: { tokenUnits: bigint; lamports: bigint };
}
type Planner<T> = (client: heaven.HeavenClient, pool: Pool, unit: Unit, amount: T) => Promise<LiquidityPlan>;

const deposit: Planner<Partial<Record<Typed, bigint>>> = async (client, pool, unit, most) => {
  const quote = await heaven.quoteProAddLiquidity(client, {
    ...locate(pool),
    ...most,
    slippageBps: SLIPPAGE_BPS,
  });
  const { tokenA, tokenB, maxTokenA, maxTokenB, minLpTokens } = quote;
  return {
    facts: [
      paidFact('You deposit', tokenB, SOL),
      paidFact('and about', tokenA, unit),
      most.maxTokenB ? paidFact('at most', maxTokenA, unit) : paidFact('at most', maxTokenB, SOL),
      amountFact('Minimum received', minLpTokens, LP),
      shareFact(quote.sharePct),
    ],
    needs: { tokenUnits: tokenA, lamports: tokenB },
    build: (options) =>
      heaven.buildProAddLiquidity(client, {
        ...locate(pool),
        ...{ maxTokenA, maxTokenB, minLpTokens, wrapSol },
        ...options,
      }),
  };
};

const withdraw: Planner<bigint> = async (client, pool, unit, lpTokensToBurn) => {
  const input = { ...locate(pool), lpTokensToBurn };
  const quote = await heaven.quoteProRemoveLiquidity(client, { ...input, slippageBps: SLIPPAGE_BPS });
  const { minTokenA, minTokenB } = quote;
  return {
    facts: [
      amountFact('You receive about', quote.tokenB, SOL, true),
      amountFact('and about', quote.tokenA, unit, true),
      amountFact('Minimum received', minTokenB, SOL),
      amountFact('and at least', minTokenA, unit),
      shareFact(quote.sharePct),
    ],
    build: (options) =>
      heaven.buildProRemoveLiquidity(client, { ...input, minTokenA, minTokenB, wrapSol, ...options }),
  };
};

/** Quotes a deposit or a withdrawal while its amount is typed. */
export function usePlan(typed: Typed, pool: Pool, unit: Unit, amount: bigint) {
  const { client, rpcUrl } = useNetwork();
  return useQuery({
    queryKey: [rpcUrl, 'plan', typed, pool.address, String(amount)],
    queryFn: () =>
      typed === 'lpTokensToBurn'
        ? withdraw(client, pool, unit, amount)
        : deposit(client, pool, unit, { [typed]: amount }),
    enabled: amount > 0n,
    placeholderData: keepPreviousData,
    refetchInterval: 10_000,
    retry: false,
    structuralSharing: false,
  });
}

/** The largest deposit that a wallet's SOL and tokens allow. */
export async function largestDeposit(client: heaven.HeavenClient, pool: Pool, balances: Balances) {
  const { amount, breakdown } = balances.buy;
  // More than the rent of a first deposit's position.
  const kept = 2n * breakdown.walletRent;
  return await heaven.quoteProAddLiquidity(client, {
    ...locate(pool),
    maxTokenA: balances.tokenUnits,
    maxTokenB: amount > kept ? amount - kept : 0n,
    slippageBps: SLIPPAGE_BPS,
  });
}

export const claim = (
  of: 'liquidity' | 'token',
  client: heaven.HeavenClient,
  { address: pool, mint, kind, configVersion: version }: Pool,
  lamports: bigint,
): Plan => ({
  facts: [amountFact('You receive about', lamports, SOL, true)],
  build: (options) => {
    if (of === 'liquidity') return heaven.buildProClaimLpFees(client, { pool, wrapSol, ...options });
    if (kind === 'pro') return heaven.buildProClaimCreatorFees(client, { pool, wrapSol, ...options });
    return heaven.buildClaimCreatorTradingFees(client, { mint, version, wrapSol, ...options });
  },
});
