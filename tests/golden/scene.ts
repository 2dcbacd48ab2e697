import type { Address } from '@solana/kit';

import {
  findAssociatedTokenAddress,
  TOKEN_PROGRAM_ADDRESS,
  WRAPPED_SOL_MINT_ADDRESS,
} from '../../src/program/index.js';
import type { EmbeddedLedger } from '../../src/testing/index.js';
import { LARGE } from '../support/amounts.js';
import { enlargeProPool } from '../support/large-pro-pool.js';

// Who trades in the recorded requests, and what they hold.

export const PAYER = '4vQpohTywkQyTjERdKPwSyXTAdkbQcYHvKGTqRaVTAJs' as Address;
export const CREATOR = 'HEvSKofvBgfaexv23kMabbYqxasxU3mQ4ibBMEmJWHny' as Address;
export const WALLET = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin' as Address;

/** Gives the wallets tokens, wrapped SOL and a liquidity position. Returns the payer's token accounts. */
export async function furnish(ledger: EmbeddedLedger) {
  const { creator, pro } = ledger.pools;
  await enlargeProPool(ledger);
  const giveTokens = async (wallet: Address, mint: Address, tokenProgram: Address) => {
    const account = await findAssociatedTokenAddress({ owner: wallet, mint, tokenProgram });
    ledger.setTokenAccount(account, tokenProgram, { mint, owner: wallet, amount: 2n * LARGE });
    return account;
  };
  for (const wallet of [WALLET, CREATOR]) {
    await giveTokens(wallet, pro.mint, pro.tokenProgram);
    await giveTokens(wallet, WRAPPED_SOL_MINT_ADDRESS, TOKEN_PROGRAM_ADDRESS);
  }
  const tokens = await giveTokens(PAYER, creator.mint, creator.tokenProgram);
  const wrappedSol = await giveTokens(PAYER, WRAPPED_SOL_MINT_ADDRESS, TOKEN_PROGRAM_ADDRESS);
  return { tokens, wrappedSol };
}
