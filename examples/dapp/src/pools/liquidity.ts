import type { Address } from '@solana/kit';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import {
  type BuildProClaimLpFeesInput,
  type BuiltTransaction,
  buildClaimCreatorTradingFees,
  buildProAddLiquidity,
  buildProClaimCreatorFees,
  buildProClaimLpFees,
  buildProRemoveLiquidity,
  type FetchedPoolSnapshot,
  getLpBalance,
  type HeavenClient,
  quoteProAddLiquidity,
  quoteProRemoveLiquidity,
  toLpShare,
} from 'heaven-pools';

import { formatBps, SOL, type Unit } from '../format';
import { useNetwork } from '../network/network';
import { type Pool, usePriorityFee } from '../queries';
import { type Operation, useReview } from '../review/review';
import { amountFact, type Fact } from '../ui';
import { useWallet } from '../wallet/wallet';

const SLIPPAGE_BPS = 50;
/** The compute units of a deposit or a withdrawal. Claims take less. */
const UNITS = 250_000;
export const LP: Unit = { decimals: 9, symbol: 'LP tokens' };

/** What the wallet has in a pro pool, at the snapshot. */
export function useShare(pool: Pool, snapshot: FetchedPoolSnapshot | undefined) {
  const { client, rpcUrl } = useNetwork();
  const user = useWallet()?.address as Address;
  const { data } = useQuery({
    queryKey: [rpcUrl, 'share', pool.address, user],
    queryFn: ({ signal }) => getLpBalance(client, { pool: pool.address, user, abortSignal: signal }),
    enabled: user !== undefined && pool.kind === 'pro',
    refetchInterval: 15_000,
  });
  return data && snapshot?.kind === 'pro' ? { ...data, ...toLpShare(snapshot, data) } : undefined;
}

type BuildOptions = Pick<
  BuildProClaimLpFeesInput,
  'payer' | 'transactionVersion' | 'computeUnitPrice' | 'wrapSol' | 'abortSignal'
>;

/** What a transaction does, and how to build it. */
export interface Plan {
  facts: Fact[];
  /** What the wallet must hold of each side. */
  needs?: { tokenUnits: bigint; lamports: bigint };
  build: (options: BuildOptions) => Promise<BuiltTransaction>;
}

const locate = ({ address, mint, configVersion }: Pool) => ({ pool: address, mint, configVersion });

async function deposit(client: HeavenClient, pool: Pool, unit: Unit, maxTokenB: bigint): Promise<Plan> {
  const input = { ...locate(pool), maxTokenB, slippageBps: SLIPPAGE_BPS };
  const { tokenA, tokenB, sharePct, maxTokenA, minLpTokens } = await quoteProAddLiquidity(client, input);
  return {
    facts: [
      amountFact('You deposit', tokenB, SOL, true),
      amountFact('and about', tokenA, unit, true),
      amountFact('and at most', maxTokenA, unit),
      amountFact('Minimum received', minLpTokens, LP),
      { term: 'Share of the pool', value: formatBps(sharePct * 100) },
    ],
    needs: { tokenUnits: tokenA, lamports: tokenB },
    build: (options) =>
      buildProAddLiquidity(client, { ...locate(pool), ...options, maxTokenA, maxTokenB, minLpTokens }),
  };
}

async function withdraw(client: HeavenClient, pool: Pool, unit: Unit, lpTokensToBurn: bigint): Promise<Plan> {
  const input = { ...locate(pool), lpTokensToBurn, slippageBps: SLIPPAGE_BPS };
  const { tokenA, tokenB, sharePct, minTokenA, minTokenB } = await quoteProRemoveLiquidity(client, input);
  return {
    facts: [
      amountFact('You receive about', tokenB, SOL, true),
      amountFact('and about', tokenA, unit, true),
      amountFact('Minimum received', minTokenB, SOL),
      amountFact('and at least', minTokenA, unit),
      { term: 'Share of the pool', value: formatBps(sharePct * 100) },
    ],
    build: (options) =>
      buildProRemoveLiquidity(client, { ...locate(pool), ...options, lpTokensToBurn, minTokenA, minTokenB }),
  };
}

/** Quotes a deposit of SOL or a withdrawal of LP tokens, while its amount is typed. */
export function usePlan(kind: 'deposit' | 'withdraw', pool: Pool, unit: Unit, amount: bigint) {
  const { client, rpcUrl } = useNetwork();
  return useQuery({
    queryKey: [rpcUrl, kind, pool.address, String(amount)],
    queryFn: () => (kind === 'deposit' ? deposit : withdraw)(client, pool, unit, amount),
    enabled: amount > 0n,
    placeholderData: keepPreviousData,
    refetchInterval: 10_000,
    retry: false,
    structuralSharing: false,
  });
}

/** A claim of the fees that the wallet's liquidity, or the token, has earned. */
export const claim = (
  of: 'liquidity' | 'token',
  client: HeavenClient,
  pool: Pool,
  lamports: bigint,
): Plan => ({
  facts: [amountFact('You receive about', lamports, SOL, true)],
  build: (options) =>
    of === 'liquidity'
      ? buildProClaimLpFees(client, { pool: pool.address, ...options })
      : pool.kind === 'pro'
        ? buildProClaimCreatorFees(client, { pool: pool.address, ...options })
        : buildClaimCreatorTradingFees(client, { mint: pool.mint, version: pool.configVersion, ...options }),
});

const words = (noun: string, done: string) => ({
  title: `Review the ${noun}`,
  confirm: `Confirm ${noun}`,
  noun,
  done,
});
export const WORDS = {
  deposit: words('deposit', 'deposited'),
  withdraw: words('withdrawal', 'withdrawn'),
  claim: words('claim', 'claimed'),
};

/** Opens the review of a plan. */
export function useOpenPlan(pool: Pool, unit: Unit) {
  const wallet = useWallet();
  const review = useReview();
  const { priceFor } = usePriorityFee();
  return (name: keyof typeof WORDS, { facts, build }: Plan, onLanded?: () => void) => {
    if (wallet === undefined) return;
    const { address: payer, version: transactionVersion } = wallet;
    const landed = WORDS[name].done.replace(/^./, (letter) => letter.toUpperCase());
    const operation: Operation = {
      ...WORDS[name],
      legs: [],
      facts,
      warnings: [],
      token: { mint: pool.mint, ...unit },
      names: { [pool.mint]: 'this token', [pool.address]: 'this pool' },
      build: (abortSignal) =>
        build({
          payer,
          transactionVersion,
          computeUnitPrice: priceFor(UNITS),
          wrapSol: 'temporary',
          abortSignal,
        }),
      receipt: () => {
        onLanded?.();
        return { title: landed, headline: `${landed}: ${pool.symbol} / SOL.`, facts };
      },
    };
    review(operation);
  };
}
