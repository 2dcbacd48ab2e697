import { inputError } from '../../base/input.js';
import { warnIf, withWarnings } from '../../base/warnings.js';
import { checkInput, fieldsOf } from '../../input/check-input.js';
import { address, positive, wallet } from '../../input/fields.js';
import { transaction, transactionLocals } from '../../input/transactions.js';
import { inSol } from '../../math/units.js';
import { fetchPoolAndPositions } from '../../pool/position.js';
import { userLpPositionDeclaration } from '../../program/account-layouts.js';
import { unverified } from '../../program/assumptions.js';
import type { HeavenClient } from '../../program/client.js';
import { transferLpTokens } from '../../program/instructions/declarations.js';
import type { AddressInput } from '../../solana/addresses.js';
import { buildInstruction } from '../../solana/define-instruction.js';
import { INCINERATOR_ADDRESS, SYSTEM_PROGRAM_ADDRESS } from '../../solana/programs.js';
import { computeRentExemption, lamportsPerByteIn, locateRent } from '../../solana/rent.js';
import { accountAt, ifCreated } from '../../solana/rpc/accounts.js';
import type { TransactionWallet } from '../../solana/wallet.js';
import { buildTransaction, type TransactionOptions } from '../../transaction/assemble.js';
import type { BuiltTransaction } from '../../transaction/built.js';
import { SETTING_COMPUTE_BUDGET } from './creator-operation.js';
import { assertLpTokens } from './liquidity.js';

/** LP tokens to move to another user. */
export interface BuildProTransferLpInput extends TransactionOptions {
  /** The address of the pro pool. */
  readonly pool: AddressInput;
  /** Owns the LP tokens and signs. */
  readonly sender: TransactionWallet;
  /** Signs and pays, including the rent of a new position. */
  readonly payer: TransactionWallet;
  /** The wallet that gets the LP tokens. */
  readonly receiver: AddressInput;
  /** LP tokens, native units. */
  readonly amount: bigint;
}

export const buildProTransferLpFields = /* @__PURE__ */ fieldsOf<BuildProTransferLpInput>()(() => ({
  documented: {
    ...transaction(),
    pool: address(),
    sender: wallet(),
    receiver: address(),
    amount: positive(),
  },
  local: transactionLocals(),
}));

/**
 * Builds the unsigned transaction that moves LP tokens to another user. If the receiver has no position yet it is created, and a
 * warning says who pays its rent. Another one, `receiver-not-wallet`, says that the receiver is a program, the incinerator or
 * owned by a program, such as a token account: nobody may be able to withdraw what it gets.
 *
 * @param input `computeUnitLimit` defaults to 60000, `computeUnitPrice` to 20000000 micro-lamports.
 * @throws {HeavenError} `insufficient-balance`, `zero-amount`, `invalid-amount`, `invalid-input` (to oneself),
 * `invalid-address`, `pool-not-found`, `pool-mismatch`, `invalid-account-data`, and the `rpc-…` codes
 * @example
 * ```ts
 * const { tx } = await buildProTransferLp(client, { pool, sender, payer: sender, receiver, amount: 1_000_000n });
 * ```
 */
export async function buildProTransferLp(
  client: HeavenClient,
  input: BuildProTransferLpInput,
): Promise<BuiltTransaction> {
  const [checked, ignored] = checkInput(client, input, buildProTransferLpFields);
  const { pool, sender, payer, receiver, amount, abortSignal } = checked;
  const from = sender.address;
  if (receiver === from)
    throw inputError('receiver', 'The receiver is the sender: nothing would move.', receiver);
  const built = await buildTransaction(client, checked, {
    budget: SETTING_COMPUTE_BUDGET,
    read: () =>
      fetchPoolAndPositions(client, { pool, abortSignal }, [from, receiver], [locateRent(), receiver]),
    compose: ({ positions: [held, received], more }) => {
      assertLpTokens(held.lpTokenBalance, amount);
      // An address without an account may be a new wallet.
      const { owner } = ifCreated(accountAt(more, receiver)) ?? { owner: SYSTEM_PROGRAM_ADDRESS };
      const isOwned = owner !== SYSTEM_PROGRAM_ADDRESS;
      const rent = computeRentExemption(userLpPositionDeclaration.size, lamportsPerByteIn(more));
      const accounts = {
        liquidityPoolState: pool,
        sender,
        payer,
        receiver,
        senderLpPosition: held.address,
        receiverLpPosition: received.address,
      };
      return {
        instructions: [buildInstruction(transferLpTokens, client.deployment, { ...accounts, amount })],
        warnings: [
          ...warnIf(
            isOwned || receiver === INCINERATOR_ADDRESS || receiver === client.deployment.programAddress,
            'receiver-not-wallet',
            `${receiver} is not a wallet${isOwned ? `: it belongs to the program ${owner}. Unless that program signs for it, nobody` : '. Nobody'} can ever withdraw these LP tokens.`,
          ),
          ...warnIf(
            !received.exists,
            'position-rent',
            `${receiver} has no position in this pool yet: ${payer.address} pays ${inSol(rent)} of rent for it.`,
          ),
        ],
      };
    },
  });
  return withWarnings(built, [...unverified(client, 'A2'), ...ignored]);
}
