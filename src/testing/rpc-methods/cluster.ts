import { type Address, getAddressDecoder, getAddressEncoder } from '@solana/kit';

import { view } from '../../solana/account-data.js';
import { BLOCKHASH_LIFETIME_BLOCKS } from '../../solana/timing.js';
import { type LedgerState, SLOTS_PER_EPOCH } from '../ledger-state.js';
import { addressOf, inContext, integerOf, listOf, type RpcMethods } from './rpc.js';

const MAX_FEE_ACCOUNTS = 128;
const MAX_ACCOUNT_BYTES = 10_485_760n;
const VERSION = { 'solana-core': '3.0.0', 'feature-set': 0 } as const;

/** The lowest priority fee paid in a slot. */
export interface PrioritizationFee {
  readonly slot: bigint;
  /** Micro-lamports per compute unit. */
  readonly prioritizationFee: bigint;
}

/** Each slot has its own block hash. */
export function blockhashOf(slot: bigint): string {
  const bytes = new Uint8Array(32).fill(7);
  new DataView(bytes.buffer).setBigUint64(0, slot);
  return getAddressDecoder().decode(bytes);
}

export const lifetimeAt = (slot: bigint) => ({
  blockhash: blockhashOf(slot),
  lastValidBlockHeight: slot + BLOCKHASH_LIFETIME_BLOCKS,
});

/** Whether a transaction with this block hash can still be sent. */
export function isFresh(blockhash: string, slot: bigint): boolean {
  const since = view(getAddressEncoder().encode(blockhash as Address) as Uint8Array).getBigUint64(0);
  return since <= slot && slot - since <= BLOCKHASH_LIFETIME_BLOCKS && blockhash === blockhashOf(since);
}

export function clusterMethods(
  ledger: LedgerState,
  prioritizationFees: () => readonly PrioritizationFee[] | undefined,
): RpcMethods {
  return {
    getBlockHeight: () => ledger.slot,
    getEpochInfo: () => ({
      absoluteSlot: ledger.slot,
      blockHeight: ledger.slot,
      epoch: ledger.epoch,
      slotIndex: ledger.slot % SLOTS_PER_EPOCH,
      slotsInEpoch: SLOTS_PER_EPOCH,
      transactionCount: 0n,
    }),
    getGenesisHash: () => blockhashOf(0n),
    getHealth: () => 'ok',
    getLatestBlockhash: () => inContext(ledger.slot, lifetimeAt(ledger.slot)),
    getMinimumBalanceForRentExemption: ([size]) =>
      ledger.computeRentExemption(Number(integerOf(size, 'the size', MAX_ACCOUNT_BYTES))),
    getRecentPrioritizationFees: ([addresses]) => {
      listOf(addresses ?? [], MAX_FEE_ACCOUNTS, (address) => addressOf(address));
      return prioritizationFees() ?? sampleFees(ledger.slot);
    },
    getSlot: () => ledger.slot,
    getVersion: () => VERSION,
    isBlockhashValid: ([blockhash]) =>
      inContext(ledger.slot, isFresh(addressOf(blockhash, 'The block hash'), ledger.slot)),
  };
}

/** The fees of the last 150 slots: 0 in every third slot, 1000 to 50000 micro-lamports in the others. */
const sampleFees = (slot: bigint): readonly PrioritizationFee[] =>
  Array.from({ length: 150 }, (_, index) => ({
    slot: slot - 149n + BigInt(index),
    prioritizationFee: index % 3 === 0 ? 0n : BigInt((index % 50) + 1) * 1_000n,
  }));
