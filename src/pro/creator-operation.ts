import type { Address, Instruction } from '@solana/kit';
import {
  assembleTransaction,
  type BuiltTransaction,
  lifetimeOf,
  planTransaction,
  type TransactionOptions,
} from '../build/assemble.js';
import type { HeavenClient } from '../client.js';
import { assertCreator, type FetchedPoolState, fetchPoolState } from '../pool/state.js';
import { assertAddress } from '../solana/addresses.js';
import { addressOf, type Wallet } from '../solana/wallet.js';
import type { Warning } from '../warnings.js';

/** The compute budget of a setting. Ours: the interface names none. */
export const SETTING_COMPUTE_BUDGET = { limit: 60_000, price: 20_000_000n } as const;

/** What every operation of a pro pool's creator takes. */
export interface CreatorOperationOptions extends TransactionOptions {
  readonly pool: Address;
  /** The pool's creator: signs and pays. */
  readonly payer: Wallet;
}

interface Operation {
  readonly instruction: Instruction;
  readonly warnings?: readonly Warning[];
}

/**
 * Builds a transaction of one instruction that only the pool's creator may send.
 *
 * @param more Accounts to read in the same call as the pool.
 * @param make The instruction, once the pool is known to be the payer's.
 */
export async function buildCreatorOperation(
  client: HeavenClient,
  input: CreatorOperationOptions,
  more: readonly Address[],
  make: (
    pool: FetchedPoolState,
    accounts: { readonly liquidityPoolState: Address; readonly creator: Wallet },
  ) => Operation | Promise<Operation>,
): Promise<BuiltTransaction> {
  const { pool, payer, abortSignal } = input;
  const feePayer = addressOf(payer, 'payer');
  assertAddress(pool, 'pool');
  const plan = planTransaction(input, SETTING_COMPUTE_BUDGET);
  const [fetched, lifetime] = await Promise.all([
    fetchPoolState(client, 'pro', { pool, abortSignal }, more),
    lifetimeOf(client, input),
  ]);
  assertCreator(fetched.state, feePayer);
  const { instruction, warnings = [] } = await make(fetched, { liquidityPoolState: pool, creator: payer });
  return assembleTransaction({ feePayer, plan, instructions: [instruction], lifetime, warnings });
}
