// What a wallet holds. Loaded once there is one.
import type { Address } from '@solana/kit';
import { type FetchedPoolSnapshot, getWalletBalances, maximumSpend } from 'heaven-pools';

import type { Balances } from './balances.js';
import { type Connection, TIMEOUT_MS } from './connection.js';

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
