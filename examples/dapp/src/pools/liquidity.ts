import type { Address } from '@solana/kit';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import {
  type BuiltTransaction,
  buildClaimCreatorTradingFees,
  buildProAddLiquidity,
  buildProClaimCreatorFees,
  buildProClaimLpFees,
  buildProRemoveLiquidity,
  type FetchedPoolSnapshot,
  getLpBalance,
  quoteProAddLiquidity,
  quoteProRemoveLiquidity,
  toLpShare,
} from 'heaven-pools';

import { formatBps, formatExact, formatUnits, SOL, type Unit } from '../format';
import { useNetwork } from '../network/network';
import { type Pool, usePriorityFee } from '../queries';
import { type Operation, useReview } from '../review/review';
import type { Fact } from '../ui';
import { useWallet } from '../wallet/wallet';

const SLIPPAGE_BPS = 50;
/** The compute units of a deposit or a withdrawal. Claims take less. */
const UNITS = 250_000;
export const LP: Unit = { decimals: 9, symbol: 'LP tokens' };

/** What the wallet has in a pro pool, at the snapshot. */
export function useShare(pool: Pool, snapshot: FetchedPoolSnapshot | undefined) {
  const { client, rpcUrl } = useNetwork();
  const user = useWallet()?.address;
  const { data } = useQuery({
    queryKey: [rpcUrl, 'share', pool.address, user],
    queryFn: ({ signal }) =>
      getLpBalance(client, { pool: pool.address, user: user as Address, abortSignal: signal }),
    enabled: user !== undefined && pool.kind === 'pro',
    refetchInterval: 15_000,
  });
  return data && snapshot?.kind === 'pro' ? { ...data, ...toLpShare(snapshot, data) } : undefined;
}

export type Share = NonNullable<ReturnType<typeof useShare>>;

interface BuildOptions {
  readonly payer: Address;
  readonly transactionVersion: 0 | 1;
  readonly computeUnitPrice: bigint;
  readonly wrapSol: 'temporary';
  readonly abortSignal: AbortSignal;
}

/** What a transaction does, and how to build it. */
export interface Plan {
  readonly facts: readonly Fact[];
  readonly build: (options: BuildOptions) => Promise<BuiltTransaction>;
}

const amountFact = (term: string, amount: bigint, unit: Unit, isStrong = false): Fact => ({
  term,
  value: formatUnits(amount, unit),
  exact: formatExact(amount, unit),
  isStrong,
});

/** Quotes a deposit of SOL or a withdrawal of LP tokens, while its amount is typed. */
export function usePlan(kind: 'deposit' | 'withdraw', pool: Pool, unit: Unit, amount: bigint) {
  const { client, rpcUrl } = useNetwork();
  const { mint, configVersion } = pool;
  const locator = { pool: pool.address, mint, configVersion };
  const deposit = async (abortSignal: AbortSignal): Promise<Plan> => {
    const input = { ...locator, maxTokenB: amount, slippageBps: SLIPPAGE_BPS, abortSignal };
    const quote = await quoteProAddLiquidity(client, input);
    const { maxTokenA, maxTokenB, minLpTokens } = quote;
    return {
      facts: [
        amountFact('You deposit', quote.tokenB, SOL, true),
        amountFact('and', quote.tokenA, unit, true),
        amountFact(`${unit.symbol} at most`, maxTokenA, unit),
        amountFact('Minimum received', minLpTokens, LP),
        { term: 'Share of the pool', value: formatBps(quote.sharePct * 100) },
      ],
      build: (options) =>
        buildProAddLiquidity(client, { ...locator, ...options, maxTokenA, maxTokenB, minLpTokens }),
    };
  };
  const withdraw = async (abortSignal: AbortSignal): Promise<Plan> => {
    const input = { ...locator, lpTokensToBurn: amount, slippageBps: SLIPPAGE_BPS, abortSignal };
    const quote = await quoteProRemoveLiquidity(client, input);
    const { minTokenA, minTokenB } = quote;
    return {
      facts: [
        amountFact('You receive', quote.tokenB, SOL, true),
        amountFact('and', quote.tokenA, unit, true),
        amountFact('Minimum received', minTokenB, SOL),
        amountFact('and at least', minTokenA, unit),
        { term: 'Part of the pool', value: formatBps(quote.sharePct * 100) },
      ],
      build: (options) =>
        buildProRemoveLiquidity(client, {
          ...locator,
          ...options,
          lpTokensToBurn: amount,
          minTokenA,
          minTokenB,
        }),
    };
  };
  return useQuery({
    queryKey: [rpcUrl, kind, pool.address, String(amount)],
    queryFn: ({ signal }) => (kind === 'deposit' ? deposit(signal) : withdraw(signal)),
    enabled: amount > 0n,
    placeholderData: keepPreviousData,
    refetchInterval: 10_000,
    retry: false,
    structuralSharing: false,
  });
}

/** A claim of the fees that liquidity or a token's creator has earned. */
export function useClaims(pool: Pool) {
  const { client } = useNetwork();
  const { mint, configVersion } = pool;
  const plan = (lamports: bigint, build: Plan['build']): Plan => ({
    facts: [amountFact('You receive about', lamports, SOL, true)],
    build,
  });
  return {
    ofLiquidity: (lamports: bigint) =>
      plan(lamports, (options) => buildProClaimLpFees(client, { pool: pool.address, ...options })),
    ofCreator: (lamports: bigint) =>
      plan(lamports, (options) =>
        pool.kind === 'pro'
          ? buildProClaimCreatorFees(client, { pool: pool.address, ...options })
          : buildClaimCreatorTradingFees(client, { mint, version: configVersion, ...options }),
      ),
  };
}

type Words = Pick<Operation, 'title' | 'confirm' | 'noun' | 'done'> & { readonly landed: string };

export const WORDS = {
  deposit: {
    title: 'Review the deposit',
    confirm: 'Confirm deposit',
    noun: 'deposit',
    done: 'deposited',
    landed: 'Deposited',
  },
  withdraw: {
    title: 'Review the withdrawal',
    confirm: 'Confirm withdrawal',
    noun: 'withdrawal',
    done: 'withdrawn',
    landed: 'Withdrawn',
  },
  claim: {
    title: 'Review the claim',
    confirm: 'Confirm claim',
    noun: 'claim',
    done: 'claimed',
    landed: 'Claimed',
  },
} satisfies Record<string, Words>;

/** Opens the review of a plan. */
export function useOpenPlan(pool: Pool, unit: Unit) {
  const wallet = useWallet();
  const review = useReview();
  const { priceFor } = usePriorityFee();
  return (name: keyof typeof WORDS, { facts, build }: Plan, onLanded: () => void) => {
    if (wallet === undefined) return;
    const { landed, ...words } = WORDS[name];
    const options = {
      payer: wallet.address,
      transactionVersion: wallet.version,
      computeUnitPrice: priceFor(UNITS),
      wrapSol: 'temporary',
    } as const;
    review({
      ...words,
      legs: [],
      facts,
      warnings: [],
      token: { mint: pool.mint, ...unit },
      names: { [pool.mint]: 'this token', [pool.address]: 'this pool' },
      build: (abortSignal) => build({ ...options, abortSignal }),
      receipt: () => {
        onLanded();
        return { title: landed, headline: `${landed}: ${pool.symbol} / SOL.`, facts };
      },
    });
  };
}
