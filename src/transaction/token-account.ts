import type { Address, Instruction } from '@solana/kit';
import { getCreateAssociatedTokenIdempotentInstruction } from '@solana-program/token';

import { findAssociatedTokenAddress } from '../program/addresses.js';
import { signerOf, type Wallet } from './wallet.js';

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
