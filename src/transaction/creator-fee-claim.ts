import type { Address } from '@solana/kit';
import { HeavenError } from '../base/errors.js';
import { type HeavenWarning, warnIf } from '../base/warnings.js';
import { creatorFeeObstacle, obstacleInWords } from '../pool/creator-fees.js';
import { fetchPoolState } from '../pool/read.js';
import type { LiquidityPoolState } from '../program/accounts.js';
import type { HeavenClient } from '../program/client.js';
import type {
  claimProCreatorTradingFees,
  claimStandardCreatorTradingFees,
} from '../program/instructions/declarations.js';
import { buildInstruction } from '../solana/define-instruction.js';
import type { TransactionWallet } from '../solana/wallet.js';
import { buildTransaction, type Paying, type TransactionOptions } from './assemble.js';
import type { BuiltTransaction } from './built.js';
import { aroundUserAccounts, sharedAccounts } from './user-accounts.js';
import { accountsToWrap, openerOf, type RentOptions, strategyOf, type WrapSol } from './wrapped-sol.js';

/** The compute budget of a claim. [Level D](/protocol) for standard pools. */
export const CLAIM_COMPUTE_BUDGET = { limit: 130_000, price: 20_000_000n } as const;

/** What the builders of all claims take. */
export interface ClaimOptions extends TransactionOptions, RentOptions {
  /**
   * Builds the claim even if nothing has accrued, with the warning `nothing-to-claim`, instead of throwing. The transaction
   * then only costs its fees. Default false.
   */
  readonly allowEmpty?: boolean | null | undefined;
}

/** What the builders of creator fee claims take besides the pool. */
export interface CreatorFeeClaimOptions extends ClaimOptions {
  /** Lamports to claim; 0 claims all. Default 0. */
  readonly amount?: bigint | null | undefined;
  /** The pool's designated fee receiver: signs, pays, and is paid. */
  readonly payer: TransactionWallet;
  /** Where the claimed SOL ends up: unwrapped, unless it is `none`. Default `associated`. */
  readonly wrapSol?: WrapSol | null | undefined;
}

/** Builds the claim of a pool's creator fees, of either kind of pool. */
export async function buildCreatorFeeClaim(
  client: HeavenClient,
  input: Paying & CreatorFeeClaimOptions,
  kind: 'standard' | 'pro',
  expected: Parameters<typeof fetchPoolState>[2],
  instruction: typeof claimStandardCreatorTradingFees | typeof claimProCreatorTradingFees,
): Promise<BuiltTransaction> {
  const { payer, abortSignal } = input;
  const amount = input.amount ?? 0n;
  const strategy = strategyOf(input);
  const opener = openerOf(input, payer);
  return await buildTransaction(client, input, {
    budget: CLAIM_COMPUTE_BUDGET,
    read: () => fetchPoolState(client, kind, { ...expected, abortSignal }, accountsToWrap(strategy)),
    compose: async ({ state, addresses, more: read }, receiver) => {
      assertClaimable(state, receiver);
      const warnings = warnIfEmpty(state.creatorTradingFees === 0n, 'the receiver', input);
      assertAccrued(state, amount);
      return {
        instructions: await aroundUserAccounts(payer, addresses, { opener, strategy, read }, (vaults) =>
          buildInstruction(instruction, client.deployment, {
            ...sharedAccounts(client, addresses, payer, vaults),
            amount,
          }),
        ),
        warnings,
        // Of nothing, the other warning says enough.
        lamports: amount || state.creatorTradingFees || undefined,
      };
    },
  });
}

/**
 * Rejects a claim that would pay nothing, unless the caller allows it: then the result has a warning.
 * @param whose Who has no fees, such as `this position`
 */
export function warnIfEmpty(
  isEmpty: boolean,
  whose: string,
  { allowEmpty }: ClaimOptions,
): readonly HeavenWarning[] {
  const message = `No fees have accrued to ${whose} since the last claim: this transaction would pay nothing. Claim later.`;
  if (isEmpty && allowEmpty !== true)
    throw new HeavenError('fees-not-claimable', message, { reason: 'nothing-to-claim' });
  return warnIf(isEmpty, 'nothing-to-claim', message);
}

function assertClaimable(pool: LiquidityPoolState, receiver: Address): void {
  const { creatorTradingFeeReceiver: expected } = pool;
  if (expected !== receiver) {
    throw new HeavenError(
      'not-authorized',
      `Only the designated receiver ${expected} may claim the creator fees, not ${receiver}.`,
      { role: 'fee-receiver', asked: receiver, found: expected },
    );
  }
  const reason = creatorFeeObstacle(pool);
  if (reason === undefined) return;
  const { tradingVolumeUsd, creatorTradingFeeTradingVolumeThreshold: tradingVolumeThresholdUsd } = pool;
  const volumes = { tradingVolumeUsd, tradingVolumeThresholdUsd };
  throw new HeavenError('fees-not-claimable', obstacleInWords(reason, pool), {
    reason,
    ...(reason === 'volume-below-threshold' ? volumes : {}),
  });
}

function assertAccrued({ creatorTradingFees: available }: LiquidityPoolState, amount: bigint): void {
  if (amount > available) {
    throw new HeavenError(
      'insufficient-balance',
      `${amount} lamports requested, but only ${available} have accrued. Ask for less, or for 0 to claim all.`,
      { asset: 'creator-fees', requested: amount, available },
    );
  }
}
