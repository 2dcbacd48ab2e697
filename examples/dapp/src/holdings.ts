// A wallet's balances of SOL and a token, and the most that it can trade. Loaded once a wallet is connected.
import type { Address } from '@solana/kit';
import { createBalancesStore, maximumSpend, type WalletBalances } from 'heaven-pools';

import type { Balances } from './balances.js';
import { type Connection, TIMEOUT_MS } from './connection.js';
import { explain } from './messages.js';

/** The cost of a later sale: the documented priority fee, a signature, and what a wallet's guards may add. */
const SALE_LAMPORTS = 8_005_000n + 1_200_000n;

export interface Holdings {
  readonly refresh: () => Promise<void>;
  readonly stop: () => void;
}

/** Reports a wallet's balances, now and whenever they change. */
export function followHoldings(
  connection: Pick<Connection, 'client'>,
  wallet: Address,
  mint: Address,
  tell: (news: { readonly balances?: Balances; readonly problem?: string }) => void,
): Holdings {
  const store = createBalancesStore(connection.client, { wallet, mints: [mint] });
  let read: WalletBalances | undefined;
  let known: Balances | undefined;
  let working: Promise<void> | undefined;

  const work = async (held: WalletBalances) => {
    try {
      const balances = await balancesOf(connection, wallet, mint, held);
      if (read !== held) return;
      known = balances;
      tell({ balances });
    } catch (error) {
      if (read === held) tell({ problem: explain(error).message });
    }
  };
  store.subscribe(({ data, error }) => {
    if (error !== undefined) tell({ problem: explain(error).message });
    if (data === undefined || data === read) return;
    read = data;
    if (known === undefined || data.sol.lamports !== known.sol || tokensOf(data) !== known.token)
      working = work(data);
  });
  return {
    refresh: async () => {
      await store.refresh();
      await working;
    },
    stop: () => store.dispose(),
  };
}

const tokensOf = ({ tokens }: WalletBalances): bigint => tokens[0]?.amount ?? 0n;

/** A wallet's balances, and the most that it can trade. */
export async function balancesOf(
  { client }: Pick<Connection, 'client'>,
  wallet: Address,
  mint: Address,
  held: WalletBalances,
): Promise<Balances> {
  const abortSignal = AbortSignal.timeout(TIMEOUT_MS);
  const common = { wallet, mint, wrapSol: 'temporary', abortSignal } as const;
  const [buy, sell] = await Promise.all([
    // A buy keeps enough SOL to sell again.
    maximumSpend(client, { ...common, side: 'buy', keepLamports: SALE_LAMPORTS }),
    maximumSpend(client, { ...common, side: 'sell' }),
  ]);
  return { sol: held.sol.lamports, token: tokensOf(held), most: { buy, sell } };
}
