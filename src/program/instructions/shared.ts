import type { AccountDeclaration } from '../../solana/define-instruction.js';
import {
  ASSOCIATED_TOKEN_PROGRAM_ADDRESS,
  INSTRUCTIONS_SYSVAR_ADDRESS,
  SYSTEM_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
  WRAPPED_SOL_MINT_ADDRESS,
} from '../../solana/programs.js';
import { CHAINLINK_STORE_PROGRAM_ADDRESS, SOL_USD_FEED_ADDRESS } from '../constants.js';

// Account lists and arguments: level M for buy and sell, I for the rest, A where it says so.

export const SOLANA_SYSTEM = { role: 'readonly', address: SYSTEM_PROGRAM_ADDRESS } as const;
export const CLASSIC_TOKEN = { role: 'readonly', address: TOKEN_PROGRAM_ADDRESS } as const;
export const ASSOCIATED_TOKEN = { role: 'readonly', address: ASSOCIATED_TOKEN_PROGRAM_ADDRESS } as const;
export const WRAPPED_SOL = { role: 'readonly', address: WRAPPED_SOL_MINT_ADDRESS } as const;

/** One list of accounts and more behind it, or one of its roles changed. A call, so that it shakes out of a bundle. */
export function extend<const TBase, const TMore extends { readonly [account: string]: AccountDeclaration }>(
  base: TBase,
  more: TMore,
): Omit<TBase, keyof TMore> & TMore {
  return { ...base, ...more };
}

/** The 14 accounts that swaps, claims and receiver updates share. */
export const SWAP_ACCOUNTS = {
  tokenAProgram: 'readonly',
  tokenBProgram: CLASSIC_TOKEN,
  associatedTokenProgram: ASSOCIATED_TOKEN,
  systemProgram: SOLANA_SYSTEM,
  liquidityPoolState: 'writable',
  user: 'signer',
  tokenAMint: 'readonly',
  tokenBMint: WRAPPED_SOL,
  userTokenAVault: 'writable',
  userTokenBVault: 'writable',
  tokenAVault: 'writable',
  tokenBVault: 'writable',
  protocolConfig: 'writable',
  instructionSysvarAccountInfo: { role: 'readonly', address: INSTRUCTIONS_SYSVAR_ADDRESS },
} as const;

/** The program reads the price feed through these two, behind its own list (level M for buy and sell). */
export const PRICE_ACCOUNTS = {
  chainlinkProgram: { role: 'readonly', default: CHAINLINK_STORE_PROGRAM_ADDRESS },
  chainlinkFeed: { role: 'readonly', default: SOL_USD_FEED_ADDRESS },
} as const;

/**
 * Assumption A3: the pro swaps, the claims and the creation of pools read the price feed the same way. An account that
 * the program doesn't read there does no harm.
 */
export const ASSUMED_PRICE_ACCOUNTS = PRICE_ACCOUNTS;
