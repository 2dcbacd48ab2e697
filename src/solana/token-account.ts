import type { Address, Instruction } from '@solana/kit';
import {
  getCloseAccountInstruction,
  getCreateAssociatedTokenIdempotentInstruction,
} from '@solana-program/token';

import { findAssociatedTokenAddress } from './derived-addresses.js';
import { addressOf, signerOf, type Wallet } from './wallet.js';

/** An owner's associated token account, and the instruction that creates it if there is none. */
export async function tokenAccountOf(input: {
  /** Pays the rent if it is created. */
  readonly payer: Wallet;
  readonly owner: Address;
  readonly mint: Address;
  readonly tokenProgram: Address;
}): Promise<{ readonly address: Address; readonly create: Instruction }> {
  const { payer, owner, mint, tokenProgram } = input;
  const address = await findAssociatedTokenAddress({ owner, mint, tokenProgram });
  const create = getCreateAssociatedTokenIdempotentInstruction({
    payer: signerOf(payer),
    ata: address,
    owner,
    mint,
    tokenProgram,
  });
  return { address, create };
}

/** Closes a token account of a wallet's. The wallet gets its rent, and the SOL in it if it is wrapped SOL. */
export const closeTokenAccount = (account: Address, owner: Wallet, tokenProgram: Address): Instruction =>
  getCloseAccountInstruction(
    { account, destination: addressOf(owner, 'owner'), owner: signerOf(owner) },
    { programAddress: tokenProgram },
  );
