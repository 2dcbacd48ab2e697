import type { Address } from '@solana/kit';
import {
  assembleTransaction,
  type BuiltTransaction,
  lifetimeOf,
  planTransaction,
  type TransactionOptions,
} from '../build/assemble.js';
import type { HeavenClient } from '../client.js';
import { positionFrom } from '../data/lp-balance.js';
import { HeavenError } from '../errors.js';
import { assertPositiveU64 } from '../input.js';
import { toUiAmount } from '../math/units.js';
import { locatePosition } from '../pool/locate.js';
import { SOL_DECIMALS } from '../pool/quote.js';
import { fetchPoolState } from '../pool/state.js';
import { userLpPositionDeclaration } from '../program/accounts.js';
import { getTransferLpTokensInstruction } from '../program/instructions.js';
import { assertAddress } from '../solana/addresses.js';
import { rentExemption } from '../solana/rent.js';
import { addressOf, type Wallet } from '../solana/wallet.js';
import type { Warning } from '../warnings.js';
import { SETTING_COMPUTE_BUDGET } from './creator-operation.js';
import { assertLpTokens } from './remove-liquidity.js';

/** LP tokens to move to another user. */
export interface BuildProTransferLpInput extends TransactionOptions {
  readonly pool: Address;
  /** Owns the LP tokens and signs. */
  readonly sender: Wallet;
  /** Signs and pays, the rent of a new position included. */
  readonly payer: Wallet;
  readonly receiver: Address;
  /** LP tokens, native units. */
  readonly amount: bigint;
}

/**
 * Builds the unsigned transaction that moves LP tokens to another user. If the receiver has no position yet it is created, and a
 * warning says who pays its rent.
 *
 * @param input `computeUnitLimit` defaults to 60000, `computeUnitPrice` to 20000000 micro-lamports.
 * @throws {HeavenError} `insufficient-lp-tokens`, `zero-amount`, `invalid-amount`, `invalid-input` (to oneself),
 * `invalid-address`, `pool-not-found`, `pool-kind-mismatch`, and the `rpc-…` codes
 * @example
 * ```ts
 * const { tx } = await buildProTransferLp(client, { pool, sender, payer: sender, receiver, amount: 1_000_000n });
 * ```
 */
export async function buildProTransferLp(
  client: HeavenClient,
  input: BuildProTransferLpInput,
): Promise<BuiltTransaction> {
  const { pool, sender, payer, receiver, amount, abortSignal } = input;
  const from = addressOf(sender, 'sender');
  const feePayer = addressOf(payer, 'payer');
  assertAddress(receiver, 'receiver');
  assertPositiveU64(amount, 'amount');
  if (receiver === from) {
    throw new HeavenError('invalid-input', 'The receiver is the sender: nothing would move.', {
      field: 'receiver',
      value: receiver,
    });
  }
  const plan = planTransaction(input, SETTING_COMPUTE_BUDGET);
  const { programAddress } = client.deployment;
  const [senderLpPosition, receiverLpPosition] = await Promise.all([
    locatePosition(pool, from, programAddress),
    locatePosition(pool, receiver, programAddress),
  ]);
  const [{ more }, lifetime] = await Promise.all([
    fetchPoolState(client, 'pro', { pool, abortSignal }, [senderLpPosition, receiverLpPosition]),
    lifetimeOf(client, input),
  ]);
  assertLpTokens(positionFrom(more[0], senderLpPosition, programAddress)?.lpTokenBalance ?? 0n, amount);
  const warnings: Warning[] = [];
  if (positionFrom(more[1], receiverLpPosition, programAddress) === undefined) {
    warnings.push({
      code: 'position-rent',
      message: `${receiver} has no position in this pool yet: ${feePayer} pays some ${toUiAmount(rentExemption(userLpPositionDeclaration.size), SOL_DECIMALS)} SOL of rent for it.`,
    });
  }
  const transfer = getTransferLpTokensInstruction(
    { liquidityPoolState: pool, sender, payer, receiver, senderLpPosition, receiverLpPosition, amount },
    { programAddress },
  );
  return assembleTransaction({ feePayer, plan, instructions: [transfer], lifetime, warnings });
}
