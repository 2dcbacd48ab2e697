// What a wallet holds, and what a trade can take from it.
import type { Address } from '@solana/kit';
import { type FetchedPoolSnapshot, getWalletBalances, type MaximumSpend, maximumSpend } from 'heaven-pools';

import { type Connection, TIMEOUT_MS } from './connection.js';
import { formatSol } from './format.js';
import { Problem } from './messages.js';
import type { Side } from './quote.js';

export interface Balances {
  /** Lamports. */
  readonly sol: bigint;
  /** Native units, in all of the wallet's accounts of the token. */
  readonly token: bigint;
  /** The most that either trade can take, and what it needs besides. */
  readonly most: Readonly<Record<Side, MaximumSpend>>;
}

/** What a later sale costs: the documented priority fee, a signature, and what a wallet may add for its guards. */
const SALE_LAMPORTS = 8_005_000n + 1_200_000n;

/** What a wallet holds of SOL and of the pool's token, and the most that it can trade. */
export async function fetchBalances(
  { client }: Pick<Connection, 'client'>,
  wallet: Address,
  { addresses: { mint } }: FetchedPoolSnapshot,
): Promise<Balances> {
  const abortSignal = AbortSignal.timeout(TIMEOUT_MS);
  const common = { wallet, mint, wrapSol: 'temporary', abortSignal } as const;
  const [held, buy, sell] = await Promise.all([
    getWalletBalances(client, { wallet, mints: [mint], abortSignal }),
    // A buy leaves what it takes to sell again.
    maximumSpend(client, { ...common, side: 'buy', keepLamports: SALE_LAMPORTS }),
    maximumSpend(client, { ...common, side: 'sell' }),
  ]);
  return { sol: held.sol.lamports, token: held.tokens[0]?.amount ?? 0n, most: { buy, sell } };
}

/** What a trade costs besides what it spends, in lamports. */
export function costsOf(side: Side, { most }: Balances) {
  const { signatureFee, priorityFee, wrappedSolRent, tokenAccountRent } = most[side].breakdown;
  return {
    network: signatureFee + priorityFee,
    /** Comes back at the end of the transaction. */
    wrapping: wrappedSolRent,
    /** Stays in the token account until it is closed. */
    tokenAccount: tokenAccountRent,
  };
}

/** What "Max" fills in. */
export const mostOf = (side: Side, { most }: Balances): bigint => most[side].amount;

/** Less in the wallet than a trade needs. */
export class NotEnough extends Problem {
  readonly asset: 'SOL' | 'token';

  constructor(asset: 'SOL' | 'token', message: string) {
    super('amount', message);
    this.asset = asset;
  }
}

/** Refuses more than there is. It names one maximum: the one that "Max" fills in. */
export function assertAffordable(
  side: Side,
  amountIn: bigint,
  balances: Balances,
  formatted: (amount: bigint) => string,
) {
  const { amount, missingLamports, breakdown } = balances.most[side];
  if (side === 'sell' && amountIn > balances.token)
    throw new NotEnough(
      'token',
      `You have ${formatted(balances.token)}.${amount > 0n ? ' Type less, or press Max.' : ''}`,
    );
  if (side === 'sell' ? missingLamports === 0n : amount > 0n && amountIn <= amount + breakdown.kept) return;
  throw new NotEnough(
    'SOL',
    side === 'buy' && amount > 0n
      ? `You have ${formatSol(balances.sol)}, and fees and rent need some of it. You can spend up to ${formatSol(amount)}.`
      : `You have ${formatSol(balances.sol)}, which does not pay for fees and rent. Add SOL to your wallet.`,
  );
}
