import {
  type Address,
  createNoopSigner,
  type Instruction,
  isTransactionSigner,
  type SignaturesMap,
  type TransactionSigner,
} from '@solana/kit';

import { type AddressInput, isOffCurve } from './addresses.js';

/** A wallet: its address, an object that has one, or a kit signer, which then stays attached to the instructions. */
export type TransactionWallet = AddressInput | TransactionSigner;

export const isSigner = (wallet: TransactionWallet): wallet is TransactionSigner =>
  typeof wallet === 'object' && isTransactionSigner(wallet);

/** Placeholders that sign nothing, and the caller's signers that they stand for. */
const standIns = new WeakMap<object, TransactionSigner | undefined>();

/**
 * A caller's wallet with the address that was checked: its own may be another one the next time it is read. A signer, as the
 * clients of the token and system programs require one.
 */
export function walletAt(address: Address, wallet: TransactionWallet = address): TransactionSigner {
  const signer = isSigner(wallet) ? wallet : undefined;
  if (signer !== undefined && standIns.has(signer)) return signer;
  const standIn = createNoopSigner(address);
  standIns.set(standIn, signer);
  return standIn;
}

/** The instruction with the caller's signers and without stand-ins, which would clash with them when it is composed further. */
export function withoutStandIns(instruction: Instruction): Instruction {
  const accounts = instruction.accounts?.map((meta) => {
    if (!('signer' in meta) || !standIns.has(meta.signer as object)) return meta;
    const { address, role } = meta;
    const signer = standIns.get(meta.signer as object);
    return signer === undefined ? { address, role } : { address, role, signer };
  });
  return accounts === undefined ? instruction : { ...instruction, accounts };
}

/** Who must still sign, in order: without addresses off the curve, which no wallet can sign for. */
export const requiredSignersOf = (signatures: SignaturesMap): readonly Address[] =>
  Object.entries(signatures).flatMap(([signer, signature]) =>
    signature === null && !isOffCurve(signer as Address) ? [signer as Address] : [],
  );
