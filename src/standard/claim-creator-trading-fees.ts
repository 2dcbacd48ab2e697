import type { Address } from '@solana/kit';
import { getCreateAssociatedTokenIdempotentInstruction } from '@solana-program/token';

import type { HeavenClient } from '../client.js';
import { HeavenError } from '../errors.js';
import { assertU64 } from '../math/integers.js';
import { claimObstacle } from '../pool/creator-fees.js';
import { fetchPool, poolRequest } from '../pool/fetch.js';
import { decodeLiquidityPoolState, type LiquidityPoolState } from '../program/accounts.js';
import { findAssociatedTokenAddress } from '../program/addresses.js';
import { getClaimStandardCreatorTradingFeesInstruction } from '../program/instructions.js';
import {
  assembleTransaction,
  type BuiltTransaction,
  lifetimeOf,
  planTransaction,
  type TransactionOptions,
} from '../transaction/assemble.js';
import { swapAccounts } from '../transaction/trade.js';
import { addressOf, signerOf, type Wallet } from '../transaction/wallet.js';
import { assertWrapSol, type WrapSol, wrapSol } from '../transaction/wrapped-sol.js';

/** The compute budget of a claim. Level D. */
export const CLAIM_COMPUTE_BUDGET = { limit: 130_000, price: 20_000_000n } as const;

export interface BuildClaimCreatorTradingFeesInput extends TransactionOptions {
  /** Lamports to claim; 0 claims all. */
  readonly amount: bigint;
  readonly mint: Address;
  /** The pool's designated fee receiver: signs, pays, and is paid. */
  readonly payer: Wallet;
  /** The pool's config version. */
  readonly version: number;
  /** Where the claimed SOL ends up: unwrapped, unless it is `none`. Default `associated`. */
  readonly wrapSol?: WrapSol | undefined;
}

/**
 * Builds the unsigned transaction that claims a standard pool's creator fees and unwraps them. Two calls to the node, made
 * at the same time.
 *
 * The program wants a token account of the receiver's for the pool's token: it is created if there is none.
 *
 * @param input `computeUnitLimit` defaults to 130000, `computeUnitPrice` to 20000000 micro-lamports.
 * @throws {HeavenError} `not-fee-receiver`, `fees-not-claimable`, `insufficient-fees`, `invalid-amount`,
 * `invalid-address`, `invalid-input`, and those of {@link fetchPoolSnapshot}
 * @example
 * ```ts
 * const { tx } = await buildClaimCreatorTradingFees(client, { amount: 0n, mint, payer, version: 2 });
 * ```
 */
export async function buildClaimCreatorTradingFees(
  client: HeavenClient,
  input: BuildClaimCreatorTradingFeesInput,
): Promise<BuiltTransaction> {
  const { amount, mint, payer, version, abortSignal } = input;
  const strategy = input.wrapSol ?? 'associated';
  assertWrapSol(strategy);
  assertU64(amount, 'amount');
  const receiver = addressOf(payer, 'payer');
  const plan = planTransaction(input, CLAIM_COMPUTE_BUDGET);
  const [{ snapshot }, lifetime] = await Promise.all([
    fetchPool(client, poolRequest({ configVersion: version, mint, abortSignal }), []),
    lifetimeOf(client, input),
  ]);
  const { addresses } = snapshot;
  assertClaimable(decodeLiquidityPoolState(snapshot.data.pool, addresses.pool), receiver, amount);

  const { tokenProgram } = addresses;
  const tokenAccount = await findAssociatedTokenAddress({ owner: receiver, mint, tokenProgram });
  const createTokenAccount = getCreateAssociatedTokenIdempotentInstruction({
    payer: signerOf(payer),
    ata: tokenAccount,
    owner: receiver,
    mint,
    tokenProgram,
  });
  const wrapped = await wrapSol(strategy, {
    owner: payer,
    ownerAddress: receiver,
    payer,
    payerAddress: receiver,
    lamports: 0n,
  });
  const claim = getClaimStandardCreatorTradingFeesInstruction(
    {
      ...swapAccounts(client, addresses, {
        user: payer,
        userTokenAVault: tokenAccount,
        userTokenBVault: wrapped.account,
      }),
      amount,
    },
    { programAddress: addresses.programAddress },
  );
  return assembleTransaction({
    feePayer: receiver,
    plan,
    instructions: [...wrapped.open, createTokenAccount, claim, ...wrapped.close],
    lifetime,
    warnings: [],
  });
}

const OBSTACLES = {
  blocked: 'The creator fees of this pool are blocked: the protocol has to lift that.',
  'volume-below-threshold':
    'The pool has not reached the trading volume that is needed to claim its creator fees.',
  'not-processed': "The pool's creator fee claim has not been processed by the protocol yet.",
  'nothing-to-claim': 'There is nothing to claim: no creator fees have accrued since the last claim.',
} as const;

function assertClaimable(pool: LiquidityPoolState, receiver: Address, amount: bigint): void {
  if (pool.creatorTradingFeeReceiver !== receiver) {
    throw new HeavenError(
      'not-fee-receiver',
      `Only the designated receiver ${pool.creatorTradingFeeReceiver} may claim the creator fees, not ${receiver}.`,
      { expected: pool.creatorTradingFeeReceiver, actual: receiver },
    );
  }
  const available = pool.creatorTradingFees;
  const reason = claimObstacle(pool) ?? (available === 0n ? 'nothing-to-claim' : undefined);
  if (reason !== undefined) throw new HeavenError('fees-not-claimable', OBSTACLES[reason], { reason });
  if (amount > available) {
    throw new HeavenError(
      'insufficient-fees',
      `${amount} lamports were asked for, and ${available} have accrued. Ask for less, or for 0 to claim all.`,
      { requested: amount, available },
    );
  }
}
