import type { Address } from '@solana/kit';

import type { TransactionTip } from '../build/tip.js';
import type { WrapSol } from '../build/wrapped-sol.js';
import type { HeavenClient } from '../client.js';
import { inputError } from '../input.js';
import type { RequestOptions } from '../solana/rpc/send.js';

/** Which trade is to be as large as it can be. The options are those of the builder: give both the same. */
export interface MaximumSpendInput extends RequestOptions {
  readonly wallet: Address;
  readonly side: 'buy' | 'sell';
  /** The token. */
  readonly mint: Address;
  /** As for the builder. Default: the documented one. */
  readonly computeUnitLimit?: number | null | undefined;
  /** As for the builder, micro-lamports. Default: the documented one. */
  readonly computeUnitPrice?: bigint | null | undefined;
  /** As for the builder. */
  readonly tip?: TransactionTip | null | undefined;
  /** As for the builder. Default `associated`. */
  readonly wrapSol?: WrapSol | null | undefined;
  /**
   * Compute units that a wallet may add for guards of its own, which raise the priority fee. Default 0 without a priority fee to raise, and otherwise
   * what wallets have been seen to need.
   */
  readonly guardComputeUnits?: number | null | undefined;
  /** Lamports to leave in the wallet besides, such as for the fee of the sale that follows. Default 0. */
  readonly keepLamports?: bigint | null | undefined;
}

/** Where a wallet's lamports go, or stay. */
export interface SpendBreakdown {
  /** What the wallet's account holds. */
  readonly balance: bigint;
  /** 5000 for the wallet's signature. */
  readonly signatureFee: bigint;
  readonly priorityFee: bigint;
  /** More priority fee, if the wallet raises the compute unit limit for its guards. */
  readonly guardFee: bigint;
  readonly tip: bigint;
  /** Rent of the token account that a buy opens; 0 if there is one. It comes back when the account is closed. */
  readonly tokenAccountRent: bigint;
  /** Rent of the wrapped SOL account; it comes back within the transaction. 0 if there is one, or nothing is wrapped. */
  readonly wrappedSolRent: bigint;
  /** What the wallet's account has to keep as its own rent at the end. */
  readonly walletRent: bigint;
  /** `keepLamports`. */
  readonly kept: bigint;
}

/** The most that a trade can take from a wallet now. */
export interface MaximumSpend {
  readonly side: 'buy' | 'sell';
  /** Lamports of a buy, native token units of a sell; 0 if there is nothing, or if the wallet can't pay for the trade. */
  readonly amount: bigint;
  /** `amount` as an exact decimal string. */
  readonly uiAmount: string;
  /** Lamports that the wallet lacks for any such trade: fees, rent and tip. 0 if it can pay for them. */
  readonly missingLamports: bigint;
  /** Of a sell: why `amount` is 0 although the wallet holds the token, if it is so. */
  readonly isFrozen: boolean;
  /** Of a sell: what arrives at the pool of `amount`, after the token's own transfer fee. Of a buy: `amount`. */
  readonly arrives: bigint;
  readonly breakdown: SpendBreakdown;
  /** The slot that was read. */
  readonly slot: bigint;
}

/**
 * The most that a buy or a sell can take from a wallet now, to the lamport: the balance less network fee, tip, the rent of accounts that it opens and
 * the wallet's own. One round trip.
 *
 * @throws {HeavenError} `invalid-address`, `invalid-input`, `account-not-found` (the mint), `account-owner-mismatch`,
 * `invalid-account-data`, and the `rpc-…` codes
 * @example
 * ```ts
 * const { amount, breakdown } = await maximumSpend(client, { wallet: user, side: 'buy', mint });
 * console.log(formatAmount(amount, 9), formatAmount(breakdown.tokenAccountRent, 9, { rounding: 'up' }));
 * ```
 */
export async function maximumSpend(client: HeavenClient, input: MaximumSpendInput): Promise<MaximumSpend> {
  throw inputError('wallet', `Not built yet: ${client.commitment} ${input.wallet}.`);
}
