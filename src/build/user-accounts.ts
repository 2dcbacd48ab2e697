import type { Address } from '@solana/kit';

import type { PoolAddresses } from '../pool/fetch.js';
import { tokenAccountOf } from '../solana/token-account.js';
import { addressOf, type Wallet } from '../solana/wallet.js';
import { type WrapSol, wrapSol } from './wrapped-sol.js';

/**
 * A wallet's two accounts in an operation on a pool: its token account for token A, and the wrapped SOL account, with what
 * makes and closes them.
 *
 * @param lamports To wrap; 0 for an account that is only paid into.
 */
export async function userAccountsOf(
  wallet: Wallet,
  { mint, tokenProgram }: Pick<PoolAddresses, 'mint' | 'tokenProgram'>,
  strategy: WrapSol,
  lamports: bigint,
) {
  const owner: Address = addressOf(wallet, 'owner');
  const tokenAccount = await tokenAccountOf({ payer: wallet, owner, mint, tokenProgram });
  const wrapped = await wrapSol(strategy, wallet, lamports);
  return {
    /** As the instructions name them. */
    vaults: { userTokenAVault: tokenAccount.address, userTokenBVault: wrapped.account },
    createTokenAccount: tokenAccount.create,
    open: wrapped.open,
    close: wrapped.close,
  };
}
