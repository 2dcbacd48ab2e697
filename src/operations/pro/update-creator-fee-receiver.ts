import type { Address } from '@solana/kit';
import { HeavenError } from '../../base/errors.js';
import { withWarnings } from '../../base/warnings.js';
import { checkInput, fieldsOf } from '../../input/check-input.js';
import { address, version, wallet } from '../../input/fields.js';
import { transaction, transactionLocals } from '../../input/transactions.js';
import { assertCreator, fetchPoolState } from '../../pool/read.js';
import type { LiquidityPoolState } from '../../program/accounts.js';
import type { HeavenClient } from '../../program/client.js';
import { updateProCreatorTradingFeeReceiver } from '../../program/instructions/declarations.js';
import { CreatorTradingFeeClaimStatus, CreatorTradingFeeDistribution } from '../../program/types.js';
import type { AddressInput } from '../../solana/addresses.js';
import { buildInstruction } from '../../solana/define-instruction.js';
import {
  TOKEN_2022_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
  WRAPPED_SOL_MINT_ADDRESS,
} from '../../solana/programs.js';
import { ifCreated } from '../../solana/rpc/accounts.js';
import { closeTokenAccount, tokenAccountOf } from '../../solana/token-account.js';
import type { TransactionWallet } from '../../solana/wallet.js';
import { buildTransaction, type TransactionOptions } from '../../transaction/assemble.js';
import type { BuiltTransaction } from '../../transaction/built.js';
import { CLAIM_COMPUTE_BUDGET } from '../../transaction/creator-fee-claim.js';
import { sharedAccounts } from '../../transaction/user-accounts.js';

/** A new receiver for a pro pool's creator fees. */
export interface BuildProUpdateCreatorFeeReceiverInput extends TransactionOptions {
  /** The address of the pro pool. */
  readonly pool: AddressInput;
  /** The mint of the token. */
  readonly mint: AddressInput;
  /** The pool's config version, 3. */
  readonly version: number;
  /** The pool's creator: signs and pays. */
  readonly payer: TransactionWallet;
  /** The wallet that claims the creator fees from now on. It signs too. */
  readonly newReceiver: TransactionWallet;
}

export const buildProUpdateCreatorFeeReceiverFields =
  /* @__PURE__ */ fieldsOf<BuildProUpdateCreatorFeeReceiverInput>()(() => ({
    documented: {
      ...transaction(),
      pool: address(),
      mint: address(),
      version: version(),
      newReceiver: wallet(),
    },
    local: transactionLocals(),
  }));

/**
 * Builds the unsigned transaction that gives a pro pool's creator fees to another wallet. Both sign, the creator first. The
 * instruction names token accounts of the creator. The transaction creates missing ones and closes them at the end, which
 * returns their rent; existing ones stay as they are. An account that your own `before` or `after` instructions name stays
 * open, because it may not be empty.
 *
 * @param input `computeUnitLimit` defaults to 130000, `computeUnitPrice` to 20000000 micro-lamports.
 * @throws {HeavenError} `not-authorized`, `operation-disabled` (the claim status is not Processed, the distribution not
 * Creator, or the receiver stays the same), `invalid-address`, `pool-not-found`, `pool-mismatch`, and the `rpc-…` codes
 * @example
 * ```ts
 * const { tx } = await buildProUpdateCreatorFeeReceiver(client, { pool, mint, version: 3, payer: creator, newReceiver });
 * ```
 */
export async function buildProUpdateCreatorFeeReceiver(
  client: HeavenClient,
  input: BuildProUpdateCreatorFeeReceiverInput,
): Promise<BuiltTransaction> {
  const [checked, ignored] = checkInput(client, input, buildProUpdateCreatorFeeReceiverFields);
  const { pool, mint, version: configVersion, payer, newReceiver, abortSignal } = checked;
  const creator = payer.address;
  const receiver = newReceiver.address;
  const accountFor = (token: Address, tokenProgram: Address) =>
    tokenAccountOf({ payer, owner: creator, mint: token, tokenProgram });
  // The mint's token program is not known yet, so both accounts are read.
  const [classic, token2022, wrappedSol] = await Promise.all([
    accountFor(mint, TOKEN_PROGRAM_ADDRESS),
    accountFor(mint, TOKEN_2022_PROGRAM_ADDRESS),
    accountFor(WRAPPED_SOL_MINT_ADDRESS, TOKEN_PROGRAM_ADDRESS),
  ]);
  const accounts = [classic, token2022, wrappedSol].map(({ address }) => address);
  const expected = { pool, mint, configVersion, abortSignal };
  const built = await buildTransaction(client, checked, {
    budget: CLAIM_COMPUTE_BUDGET,
    read: () => fetchPoolState(client, 'pro', expected, accounts),
    compose: ({ state, addresses, more }, _, { before, after }) => {
      assertReceiver(state, creator, receiver);
      const { tokenProgram } = addresses;
      const tokenAccount = tokenProgram === TOKEN_PROGRAM_ADDRESS ? classic : token2022;
      const vaults = { userTokenAVault: tokenAccount.address, userTokenBVault: wrappedSol.address };
      const update = buildInstruction(updateProCreatorTradingFeeReceiver, client.deployment, {
        ...sharedAccounts(client, addresses, payer, vaults),
        newReceiver,
      });
      const kept = new Set([
        ...more.flatMap((account) => ifCreated(account)?.address ?? []),
        ...[...before, ...after].flatMap(({ accounts = [] }) => accounts.map(({ address }) => address)),
      ]);
      const close = [
        { account: tokenAccount.address, program: tokenProgram },
        { account: wrappedSol.address, program: TOKEN_PROGRAM_ADDRESS },
      ].flatMap(({ account, program }) =>
        kept.has(account) ? [] : [closeTokenAccount(account, payer, program)],
      );
      return { instructions: [tokenAccount.create, wrappedSol.create, update, ...close] };
    },
  });
  return withWarnings(built, ignored);
}

function assertReceiver(state: LiquidityPoolState, creator: Address, receiver: Address): void {
  assertCreator(state, creator);
  const { creatorTradingFeeClaimStatus: claimStatus, creatorTradingFeeDistribution: distribution } = state;
  const context = { operation: 'update-fee-receiver', pool: state.key, claimStatus, distribution } as const;
  const refusal = (message: string) => new HeavenError('operation-disabled', message, context);
  if (
    claimStatus !== CreatorTradingFeeClaimStatus.Processed ||
    distribution !== CreatorTradingFeeDistribution.Creator
  )
    throw refusal(
      'You can change the receiver only while the claim status is Processed and the distribution mode is Creator.',
    );
  if (receiver === state.creatorTradingFeeReceiver)
    throw refusal(`${receiver} already receives the creator fees. Name another wallet, or change nothing.`);
}
