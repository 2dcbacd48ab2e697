import type { AccountMeta, AccountRole, AccountSignerMeta } from '@solana/kit';
import { createNoopSigner, type Instruction, isTransactionSigner, type TransactionSigner } from '@solana/kit';

import { type AddressInput, plainAddress } from './addresses.js';

/** A wallet: its address, an object that has one, or a kit signer, which then stays attached to the instructions. */
export type TransactionWallet = AddressInput | TransactionSigner;

/** A wallet among the accounts of an instruction. */
export const signing = (wallet: TransactionWallet, role: AccountRole): AccountMeta | AccountSignerMeta =>
  (typeof wallet === 'object' && isTransactionSigner(wallet)
    ? { address: wallet.address, role, signer: wallet }
    : { address: plainAddress(wallet), role }) as AccountMeta | AccountSignerMeta;

const standIns = new WeakSet<object>();

/** The clients of the token and system programs require a signer. This placeholder signs nothing. */
export function signerOf(wallet: TransactionWallet): TransactionSigner {
  if (typeof wallet === 'object' && isTransactionSigner(wallet)) return wallet;
  const standIn = createNoopSigner(plainAddress(wallet));
  standIns.add(standIn);
  return standIn;
}

/** The instruction without stand-ins, which would clash with the wallet's real signer when it is composed further. */
export function withoutStandIns(instruction: Instruction): Instruction {
  const accounts = instruction.accounts?.map((meta) =>
    'signer' in meta && standIns.has(meta.signer as object)
      ? { address: meta.address, role: meta.role }
      : meta,
  );
  return accounts === undefined ? instruction : { ...instruction, accounts };
}
