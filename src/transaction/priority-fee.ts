import type { Address } from '@solana/kit';
import { assertCall, assertWhole, inputError, invalidInput } from '../base/input.js';
import type { HeavenClient } from '../program/client.js';
import { assertAddress } from '../solana/addresses.js';
import { priorityFee, readComputeBudget } from '../solana/compute-budget.js';
import { MAX_COMPUTE_UNITS } from '../solana/limits.js';
import { explainMissingMethod, invalidResponse } from '../solana/rpc/errors.js';
import { type RequestOptions, send } from '../solana/rpc/send.js';
import { allInstructions, type BuiltTransaction } from './built.js';
import { SWAP_COMPUTE_BUDGET } from './compute-units.js';
import { writableAccountsOf } from './writable-accounts.js';

const PERCENTILES = [25, 50, 75, 90, 95] as const;
/** The percentiles that {@link suggestPriorityFee} returns: 25, 50, 75, 90, 95. */
export type PriorityFeePercentile = (typeof PERCENTILES)[number];

/** What {@link suggestPriorityFee} suggests. */
export interface SuggestPriorityFeeOptions extends RequestOptions {
  /** Which percentile to suggest. Default 50, the median. */
  readonly percentile?: PriorityFeePercentile | undefined;
  /** The compute units that the fee in lamports is for. Default: the transaction's own limit, or that of a swap for a list of accounts. */
  readonly computeUnitLimit?: number | undefined;
}

/** A price per compute unit, and the fee that it amounts to. */
export interface PriorityFee {
  /** Micro-lamports per compute unit: the builders' `computeUnitPrice`. */
  readonly microLamports: bigint;
  /** For the compute limit, rounded up as the cluster does. */
  readonly lamports: bigint;
}

/** What transactions on the same accounts have paid recently. */
export interface PriorityFeeSuggestion {
  /** The requested percentile. `undefined` if the node reports no slots. */
  readonly suggested: PriorityFee | undefined;
  /** For 25, 50, 75, 90 and 95 % of the slots. Empty if the node reports none. */
  readonly percentiles: { readonly [TPercentile in PriorityFeePercentile]?: PriorityFee };
  /** The compute units that the lamports are for. */
  readonly computeUnitLimit: number;
  /** How many slots the answer covers, at most some 150. */
  readonly slots: number;
  /** In how many of them a transaction on these accounts paid nothing, or none landed. They count as 0. */
  readonly freeSlots: number;
  /** The newest slot covered. */
  readonly newestSlot: bigint | undefined;
}

const MAX_ACCOUNTS = 128;

/**
 * Suggests a priority fee, from what the cheapest transaction that locks these accounts paid in each of the last
 * slots. One call to the node. The builders don't call this: without a `computeUnitPrice` they use the documented
 * price.
 *
 * A percentile is an observed price: the smallest that sufficed in at least that percentage of the slots.
 *
 * @param accounts The writable accounts (above all the pool), or a built transaction, to use its own.
 * @throws {HeavenError} `invalid-input`, `invalid-address`, `rpc-method-unsupported`, and the other `rpc-…` codes
 * @example
 * ```ts
 * const { suggested } = await suggestPriorityFee(client, [pool], { percentile: 75 });
 * await buildBuy(client, { ...input, computeUnitPrice: suggested?.microLamports }); // undefined: the documented price
 * ```
 */
export async function suggestPriorityFee(
  client: HeavenClient,
  accounts: readonly Address[] | BuiltTransaction,
  options: SuggestPriorityFeeOptions = {},
): Promise<PriorityFeeSuggestion> {
  assertCall(client, options, { percentile: 1, computeUnitLimit: 1, abortSignal: 1 }, 'options');
  const { percentile = 50 } = options;
  if (!PERCENTILES.includes(percentile))
    throw invalidInput('percentile', percentile, `one of ${PERCENTILES.join(', ')}`);
  const addresses = addressesOf(accounts);
  const computeUnitLimit = limitOf(accounts, options.computeUnitLimit);
  const fees = await recentFees(client, addresses, options);
  const prices = fees.map(({ price }) => price).sort(ascending);
  const feeAt = (percent: number): PriorityFee => {
    // Nearest rank: the smallest price that at least so many per cent of the slots don't exceed.
    const microLamports = prices[Math.ceil((percent * prices.length) / 100) - 1] ?? 0n;
    return { microLamports, lamports: priorityFee(computeUnitLimit, microLamports) };
  };
  const known = prices.length > 0 ? PERCENTILES : [];
  const percentiles: PriorityFeeSuggestion['percentiles'] = Object.fromEntries(
    known.map((percent) => [percent, feeAt(percent)]),
  );
  return {
    suggested: percentiles[percentile],
    percentiles,
    computeUnitLimit,
    slots: prices.length,
    freeSlots: prices.filter((price) => price === 0n).length,
    newestSlot: fees
      .map(({ slot }) => slot)
      .sort(ascending)
      .at(-1),
  };
}

const ascending = (a: bigint, b: bigint) => (a < b ? -1 : a > b ? 1 : 0);

function addressesOf(accounts: readonly Address[] | BuiltTransaction): readonly Address[] {
  const isBuilt = typeof accounts === 'object' && accounts !== null && 'instructions' in accounts;
  if (!isBuilt && !Array.isArray(accounts))
    throw inputError('accounts', 'accounts must be a list of addresses or a built transaction.', accounts);
  const addresses = isBuilt ? writableAccountsOf(accounts) : [...new Set(accounts as readonly Address[])];
  for (const [index, address] of addresses.entries()) assertAddress(address, `accounts[${index}]`);
  if (addresses.length > 0 && addresses.length <= MAX_ACCOUNTS) return addresses;
  throw inputError(
    'accounts',
    `accounts must name 1 to ${MAX_ACCOUNTS} writable accounts; it names ${addresses.length}.`,
  );
}

function limitOf(accounts: readonly Address[] | BuiltTransaction, given: number | undefined): number {
  const stated =
    'instructions' in accounts
      ? (accounts.config?.computeUnitLimit ?? readComputeBudget(allInstructions(accounts)).limit)
      : undefined;
  const limit = given ?? Math.min(stated ?? SWAP_COMPUTE_BUDGET.limit, MAX_COMPUTE_UNITS);
  assertWhole('computeUnitLimit', limit, [1, MAX_COMPUTE_UNITS]);
  return limit;
}

async function recentFees(client: HeavenClient, addresses: readonly Address[], options: RequestOptions) {
  const method = 'getRecentPrioritizationFees';
  let response: unknown;
  try {
    response = await send(client, method, client.rpc.getRecentPrioritizationFees([...addresses]), options);
  } catch (error) {
    throw explainMissingMethod(error, method);
  }
  if (!Array.isArray(response)) throw invalidResponse(method, 'it is not a list');
  return response.map((fee: { readonly slot?: unknown; readonly prioritizationFee?: unknown } | null) => {
    const { slot, prioritizationFee: price } = fee ?? {};
    if (typeof slot !== 'bigint' || typeof price !== 'bigint' || price < 0n)
      throw invalidResponse(method, 'an entry holds no slot or no fee');
    return { slot, price };
  });
}
