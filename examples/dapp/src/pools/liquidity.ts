import type { Address } from '@solana/kit';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import * as heaven from 'heaven-pools';
import { formatBps, SOL, type Unit } from '../format';
import { useNetwork } from '../network/network';
import { type Pool, usePriorityFee } from '../queries';
import { useReview } from '../review/review';
import { amountFact, type Fact } from '../ui';
import { useWallet } from '../wallet/wallet';

const SLIPPAGE_BPS = 50;
/** The compute units of a deposit or a withdrawal. Claims take less. */
const UNITS = 250_000;
export const LP: Unit = { decimals: 9, symbol: 'LP tokens' };

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

export interface Plan {
  facts: Fact[];
  /** What the wallet must hold of each side. */
  needs?: { tokenUnits: bigint; lamports: bigint };
  build: (options: Pick<heaven.BuildProClaimLpFeesInput, BuildOption>) => Promise<heaven.BuiltTransaction>;
}
type BuildOption = 'payer' | 'transactionVersion' | 'computeUnitPrice' | 'wrapSol' | 'abortSignal';

const locate = ({ address, mint, configVersion }: Pool) => ({ pool: address, mint, configVersion });
const shareFact = (pct: number): Fact => ({ term: 'Share of the pool', value: formatBps(pct * 100) });

type Planner = (client: heaven.HeavenClient, pool: Pool, unit: Unit, amount: bigint) => Promise<Plan>;

const deposit: Planner = async (client, pool, unit, maxTokenB) => {
  const input = { ...locate(pool), maxTokenB };
  const quote = await heaven.quoteProAddLiquidity(client, { ...input, slippageBps: SLIPPAGE_BPS });
  const { tokenA, tokenB, maxTokenA, minLpTokens } = quote;
  return {
    facts: [
      amountFact('You deposit', tokenB, SOL, true),
      amountFact('and about', tokenA, unit, true),
      amountFact('and at most', maxTokenA, unit),
      amountFact('Minimum received', minLpTokens, LP),
      shareFact(quote.sharePct),
    ],
    needs: { tokenUnits: tokenA, lamports: tokenB },
    build: (options) => heaven.buildProAddLiquidity(client, { ...input, ...options, maxTokenA, minLpTokens }),
  };
};

const withdraw: Planner = async (client, pool, unit, lpTokensToBurn) => {
  const input = { ...locate(pool), lpTokensToBurn };
  const quote = await heaven.quoteProRemoveLiquidity(client, { ...input, slippageBps: SLIPPAGE_BPS });
  const { minTokenA, minTokenB } = quote;
  return {
    facts: [
      amountFact('To your wallet, about', quote.tokenB, SOL, true),
      amountFact('and about', quote.tokenA, unit, true),
      amountFact('Minimum received', minTokenB, SOL),
      amountFact('and at least', minTokenA, unit),
      shareFact(quote.sharePct),
    ],
    build: (options) =>
      heaven.buildProRemoveLiquidity(client, { ...input, ...options, minTokenA, minTokenB }),
  };
};

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

export const claim = (
  of: 'liquidity' | 'token',
  client: heaven.HeavenClient,
  { address: pool, mint, kind, configVersion: version }: Pool,
  lamports: bigint,
): Plan => ({
  facts: [amountFact('To your wallet, about', lamports, SOL, true)],
  build: (options) => {
    if (of === 'liquidity') return heaven.buildProClaimLpFees(client, { pool, ...options });
    if (kind === 'pro') return heaven.buildProClaimCreatorFees(client, { pool, ...options });
    return heaven.buildClaimCreatorTradingFees(client, { mint, version, ...options });
  },
});

const WORDS = { deposit: 'deposited', withdrawal: 'withdrawn', claim: 'claimed' };

export function useOpenPlan(pool: Pool, unit: Unit) {
  const wallet = useWallet();
  const review = useReview();
  const { priceFor } = usePriorityFee();
  return (noun: keyof typeof WORDS, { facts, build }: Plan, onLanded?: () => void) => {
    if (wallet === undefined) return;
    const { address: payer, version: transactionVersion } = wallet;
    const options = {
      payer,
      transactionVersion,
      computeUnitPrice: priceFor(UNITS),
      wrapSol: 'temporary',
    } as const;
    const done = WORDS[noun];
    const title = done.replace(/^./, (letter) => letter.toUpperCase());
    review({
      title: `Review the ${noun}`,
      confirm: `Confirm ${noun}`,
      noun,
      done,
      facts,
      token: { mint: pool.mint, ...unit },
      names: { [pool.mint]: 'this token', [pool.address]: 'this pool' },
      build: (abortSignal) => build({ ...options, abortSignal }),
      receipt: () => {
        onLanded?.();
        // More may have come since the review.
        const done = facts.map((one) => (noun === 'claim' ? { ...one, term: 'Claimed, at least' } : one));
        return { title, headline: `${title}: ${pool.symbol} / SOL.`, facts: done };
      },
    });
  };
}
