import type { Address } from '@solana/kit';

import type { HeavenClient } from '../client.js';
import { inputError } from '../input.js';
import type { RequestOptions } from '../solana/rpc/send.js';

/** Whose balances to read. */
export interface GetWalletBalancesInput extends RequestOptions {
  readonly wallet: Address;
  /**
   * Reads these tokens only, each in the wallet's associated account, any RPC node can do that; also those that it holds none of are in the answer.
   * Default: every token account of the wallet's.
   */
  readonly mints?: readonly Address[] | null | undefined;
}

/** A wallet's SOL. All in lamports. */
export interface SolBalance {
  /** What the wallet's account holds, without wrapped SOL. */
  readonly lamports: bigint;
  /** Rent that the wallet's account has to keep: a transaction that leaves less fails, unless it leaves nothing. */
  readonly rentExemptMinimum: bigint;
  /** `lamports` without `rentExemptMinimum`. Fees and other rent come out of it: {@link maximumSpend} says what a trade can use. */
  readonly spendable: bigint;
  /** Wrapped SOL in the wallet's token accounts, which were read. A buy doesn't spend it unless `wrapSol` is `none`. */
  readonly wrapped: bigint;
}

/** One token account of a wallet's. */
export interface TokenAccountBalance {
  readonly address: Address;
  /** Native units. */
  readonly amount: bigint;
  /** Whether it is the one that this library trades from and into. */
  readonly isAssociated: boolean;
  /** A frozen account can neither send nor receive. */
  readonly isFrozen: boolean;
  /** Transfer fees that wait in it for the token's authority. They are not part of `amount`, and are not the wallet's. Native units. */
  readonly withheldFees: bigint;
  /** What it holds in lamports: rent, which comes back when it is closed, and for wrapped SOL the SOL. */
  readonly lamports: bigint;
}

/** What a wallet holds of a token. Native units. */
export interface TokenBalance {
  readonly mint: Address;
  /** Tokenkeg or Token-2022. */
  readonly tokenProgram: Address;
  readonly decimals: number;
  /** In all accounts, frozen ones included. */
  readonly amount: bigint;
  /** `amount` as an exact decimal string, such as `1.5`. */
  readonly uiAmount: string;
  /** What of `amount` lies in frozen accounts. */
  readonly frozen: bigint;
  /** Transfer fees that wait in the accounts. They are not part of `amount`. */
  readonly withheldFees: bigint;
  /** The associated account first, the others by their amount. Empty if the wallet holds none. */
  readonly accounts: readonly TokenAccountBalance[];
}

/** What a wallet holds. */
export interface WalletBalances {
  readonly wallet: Address;
  readonly sol: SolBalance;
  /** In the order of `mints`, or of their addresses. Wrapped SOL is not among them: see `sol.wrapped`. */
  readonly tokens: readonly TokenBalance[];
  /** What the cluster charges in rent, for {@link computeRentExemption}. */
  readonly lamportsPerByte: bigint;
  /** The slot that was read; the oldest, if the node read at several. */
  readonly slot: bigint;
}

/**
 * Reads what a wallet holds: SOL, what of it is bound as rent, wrapped SOL, and tokens of both token programs. One round trip.
 *
 * @throws {HeavenError} `invalid-address`, `invalid-input`, `account-not-found` (a mint), `account-owner-mismatch`,
 * `invalid-account-data`, and the `rpc-…` codes
 * @example
 * ```ts
 * const { sol, tokens } = await getWalletBalances(client, { wallet: user, mints: [mint] });
 * console.log(formatAmount(sol.spendable, 9), tokens[0]?.uiAmount);
 * ```
 */
export async function getWalletBalances(
  client: HeavenClient,
  input: GetWalletBalancesInput,
): Promise<WalletBalances> {
  throw inputError('wallet', `Not built yet: ${client.commitment} ${input.wallet}.`);
}
