import { type Address, type Instruction, type TransactionSigner, unwrapOption } from '@solana/kit';
import {
  AccountState,
  getCloseAccountInstruction,
  getCreateAssociatedTokenIdempotentInstruction,
  getTokenDecoder,
} from '@solana-program/token';

import { deriveAssociatedTokenAddress } from './derived-addresses.js';
import { isTokenProgram } from './programs.js';
import type { RawAccount } from './rpc/accounts.js';
import { ACCOUNT_TYPE, IS_TOKEN_ACCOUNT, TOKEN_ACCOUNT_SIZE, TOKEN_ACCOUNT_STATE } from './token-layout.js';

/** An owner's associated token account, and the instruction that creates it if there is none. */
export async function tokenAccountOf(input: {
  /** Pays the rent if it is created. */
  readonly payer: TransactionSigner;
  readonly owner: Address;
  readonly mint: Address;
  readonly tokenProgram: Address;
}): Promise<{ readonly address: Address; readonly create: Instruction }> {
  const { payer, owner, mint, tokenProgram } = input;
  const address = await deriveAssociatedTokenAddress({ owner, mint, tokenProgram });
  const create = getCreateAssociatedTokenIdempotentInstruction({
    payer,
    ata: address,
    owner,
    mint,
    tokenProgram,
  });
  return { address, create };
}

/** Closes a wallet's token account. The wallet gets its rent and, for wrapped SOL, the SOL in it. */
export const closeTokenAccount = (
  account: Address,
  owner: TransactionSigner,
  tokenProgram: Address,
): Instruction =>
  getCloseAccountInstruction(
    { account, destination: owner.address, owner },
    { programAddress: tokenProgram },
  );

/** What a token account holds, and who may use it. */
export interface TokenAccount {
  readonly mint: Address;
  readonly owner: Address;
  /** Native units. */
  readonly amount: bigint;
  readonly isFrozen: boolean;
  /** Who else may close it, and so take the SOL in it. */
  readonly closeAuthority: Address | undefined;
}

/** A token account of either token program; `undefined` for an account that is not one, or not initialized. */
export function readTokenAccount({ owner: program, data }: RawAccount): TokenAccount | undefined {
  if (!isTokenProgram(program) || data.length < TOKEN_ACCOUNT_SIZE) return undefined;
  // Mints with extensions and multisigs can be as long; the byte behind tells token accounts apart.
  if (data.length > TOKEN_ACCOUNT_SIZE && data[ACCOUNT_TYPE] !== IS_TOKEN_ACCOUNT) return undefined;
  const initialized: readonly unknown[] = [AccountState.Initialized, AccountState.Frozen];
  if (!initialized.includes(data[TOKEN_ACCOUNT_STATE])) return undefined;
  const { mint, owner, amount, state, closeAuthority } = getTokenDecoder().decode(data);
  return {
    mint,
    owner,
    amount,
    isFrozen: state === AccountState.Frozen,
    closeAuthority: unwrapOption(closeAuthority) ?? undefined,
  };
}
