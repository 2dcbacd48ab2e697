import {
  type Address,
  createNoopSigner,
  type Instruction,
  isTransactionSigner,
  type TransactionSigner,
} from '@solana/kit';

import { assertAddress } from './addresses.js';

/** A wallet: its address, or a kit signer, which then stays attached to the instructions. */
export type TransactionWallet = Address | TransactionSigner;

/** The address of a wallet. */
export function addressOf(wallet: TransactionWallet, field: string): Address {
  const address: unknown =
    typeof wallet === 'object' && wallet !== null && isTransactionSigner(wallet) ? wallet.address : wallet;
  assertAddress(address, field);
  return address;
}

const standIns = new WeakSet<object>();

/** The clients of the token and system programs require a signer. This placeholder signs nothing. */
export function signerOf(wallet: TransactionWallet): TransactionSigner {
  if (typeof wallet !== 'string') return wallet;
  const standIn = createNoopSigner(wallet);
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
