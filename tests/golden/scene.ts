import type { Address } from '@solana/kit';

import {
  findAssociatedTokenAddress,
  TOKEN_PROGRAM_ADDRESS,
  WRAPPED_SOL_MINT_ADDRESS,
} from '../../src/program/index.js';
import { type EmbeddedLedger, encodeLookupTable } from '../../src/testing/index.js';

// Who trades in the recorded requests, and what they hold.

export const PAYER = 'AEWnEAoFTHRtg8FFsgjeqz7QXsP6QNy3CykhpG9iCNDD' as Address;
export const CREATOR = 'HEvSKofvBgfaexv23kMabbYqxasxU3mQ4ibBMEmJWHny' as Address;
export const WALLET = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin' as Address;
/** A lookup table without any address of use. */
export const EMPTY_TABLE = '3DENDMbqpVuarsEvk3MYJMpcZqsrQanK8Z8cVeDf53oS' as Address;
/** Amounts that no JavaScript number holds. */
export const LARGE = 1_000_000_000_000_000_001n;
export const ODD = 9_007_199_254_740_993n;
export const CATCH_ALL = 9_223_372_036_854_775_807n;

/** Gives the wallets tokens, wrapped SOL and a liquidity position. Returns the payer's token accounts. */
export async function furnish(ledger: EmbeddedLedger) {
  const { creator, pro } = ledger.pools;
  const { owner } = ledger.getAccount(ledger.lookupTables.community)!;
  ledger.setAccount(EMPTY_TABLE, { owner, data: encodeLookupTable({ addresses: [] }) });
  ledger.updatePool(pro.pool, ({ lpToken }) => ({
    creatorTradingFees: 2n * LARGE,
    lpToken: { ...lpToken, supply: { ...lpToken.supply, total: 4n * LARGE } },
  }));
  await ledger.setLpPosition({
    pool: pro.pool,
    user: pro.creator,
    lpTokenBalance: 2n * LARGE,
    rewardDebt: 3n,
    pendingFees: ODD,
  });
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
