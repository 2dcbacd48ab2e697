// From a form to its review: what a transaction does in figures, what builds it, and what it moved in the end.
import type { Address, Signature } from '@solana/kit';
import type * as heaven from 'heaven-pools';
import { WRAPPED_SOL_MINT_ADDRESS } from 'heaven-pools/program';

import { SOL, type Unit } from '../format';
import { type Network, useNetwork } from '../network/network';
import { type Pool, usePriorityFee } from '../queries';
import { useReview } from '../review/review';
import { amountFact, type Fact, type Listed } from '../ui';
import { useWallet } from '../wallet/wallet';

export interface Plan {
  facts: Listed<Fact>;
  build: (options: BuildOptions) => Promise<heaven.BuiltTransaction>;
  /** Who signs beside the wallet. */
  lastSigner?: heaven.LastSigner | undefined;
}
type Option = 'payer' | 'transactionVersion' | 'computeUnitPrice' | 'abortSignal';
export type BuildOptions = Pick<heaven.BuildProClaimLpFeesInput, Option> & { payer: Address };

/** The compute units of a new pool. The others take less. */
const UNITS = 400_000;
const DONE = { deposit: 'Deposited', withdrawal: 'Withdrawn', claim: 'Claimed', change: 'Changed' };

/** What every builder takes from the connected wallet. `undefined` without one. */
export function useBuildOptions(): BuildOptions | undefined {
  const wallet = useWallet();
  const { priceFor } = usePriorityFee();
  const { address: payer, version: transactionVersion } = wallet ?? {};
  return payer && { payer, transactionVersion, computeUnitPrice: priceFor(UNITS) };
}

export function useOpenPlan(pool: Pool, unit: Unit) {
  const network = useNetwork();
  const options = useBuildOptions();
  const review = useReview();
  return (noun: keyof typeof DONE, { facts, build, lastSigner }: Plan, onLanded?: () => void) => {
    if (options === undefined) return;
    const title = DONE[noun];
    review({
      ...{ noun, done: title.toLowerCase(), facts, lastSigner },
      token: { mint: pool.mint, ...unit },
      names: { [pool.address]: 'this pool' },
      build: (abortSignal) => build({ ...options, abortSignal }),
      receipt: async ({ signature }) => {
        onLanded?.();
        const headline = `${title}: ${pool.symbol} / SOL.`;
        if (noun === 'change') return { title, headline, facts };
        const moved = await fetchMoved(network, signature, pool.mint, options.payer).catch(() => undefined);
        const verb = noun === 'deposit' ? 'You deposited' : 'You received';
        const arrived = moved && [
          amountFact(verb, moved.lamports, SOL, true),
          moved.tokenUnits > 0n && amountFact('and', moved.tokenUnits, unit, true),
        ];
        return { title, headline, facts: arrived ?? facts };
      },
    });
  };
}

/**
 * What a landed transaction moved between a wallet and the exchange, from the node's record: SOL by the exchange's accounts of wrapped SOL,
 * as the wallet's also pays fees and rent; tokens by the wallet's own, as a token may keep a part of a transfer.
 */
async function fetchMoved({ client }: Network, signature: Signature, mint: Address, wallet: Address) {
  const config = { encoding: 'json', maxSupportedTransactionVersion: 1, commitment: 'confirmed' } as const;
  const recorded = await client.rpc.getTransaction(signature, config).send();
  const { preTokenBalances: before, postTokenBalances: after } = recorded?.meta ?? {};
  // Then the receipt keeps what was planned: nothing known is not nothing moved.
  if (before === undefined || after === undefined) return undefined;
  const moved = (of: Address, isOwn: boolean) => {
    const sum = (balances: typeof before) =>
      balances
        .filter(({ mint, owner }) => mint === of && (owner === wallet) === isOwn)
        .reduce((all, { uiTokenAmount }) => all + BigInt(uiTokenAmount.amount), 0n);
    const change = sum(after) - sum(before);
    return change < 0n ? -change : change;
  };
  return { lamports: moved(WRAPPED_SOL_MINT_ADDRESS, false), tokenUnits: moved(mint, true) };
}
