import type { Address } from '@solana/kit';

import { FEED, MINT, TRANSFER_FEE_EXTENSION } from '../../../pool/layout.js';
import {
  decodeLiquidityPoolState,
  decodeProtocolConfig,
  encodeLiquidityPoolState,
  encodeProtocolConfig,
  type LiquidityPoolState,
  type ProtocolConfig,
} from '../../../program/accounts.js';
import { view } from '../../../solana/account-data.js';
import { EXTENSION, extensionIn } from '../../../solana/token-extensions.js';
import type { Ledger } from '../../../testing/ledger.js';
import { ACCOUNT_TYPE } from '../../../testing/token-accounts.js';

// Edits in place: everything else in the account stays as it was read.

/** Changes the data of an existing account. */
export function editData(ledger: Ledger, address: Address, edit: (data: DataView) => void): void {
  const account = ledger.getAccount(address);
  if (account === undefined) return;
  const data = Uint8Array.from(account.data);
  edit(view(data));
  ledger.setAccount(address, { ...account, data });
}

/** Sets the latest answer of a price feed, in its own decimals. */
export function setAnswer(feed: DataView, answer: bigint): void {
  const length = feed.getUint32(FEED.liveLength, true);
  if (length === 0) return;
  const latest = (feed.getUint32(FEED.liveCursor, true) + length - 1) % length;
  const at = FEED.ring + latest * FEED.transmission + FEED.answer;
  feed.setBigUint64(at, answer, true);
  feed.setBigUint64(at + 8, 0n, true);
}

/** Where a mint's transfer fee extension begins, if it has one. */
export function transferFeeOffset(mint: DataView): number | undefined {
  const data = new Uint8Array(mint.buffer, mint.byteOffset, mint.byteLength);
  const content = extensionIn(data, TRANSFER_FEE_EXTENSION.type);
  return content && content.byteOffset - mint.byteOffset;
}

/** Sets a mint's transfer fee for every epoch. */
export function setTransferFee(mint: DataView, basisPoints: number, maximum: bigint): void {
  const extension = transferFeeOffset(mint);
  if (extension === undefined) return;
  for (const rate of [TRANSFER_FEE_EXTENSION.older, TRANSFER_FEE_EXTENSION.newer]) {
    mint.setBigUint64(extension + rate + TRANSFER_FEE_EXTENSION.maximum, maximum, true);
    mint.setUint16(extension + rate + TRANSFER_FEE_EXTENSION.basisPoints, basisPoints, true);
  }
}

/** 1 SOL: more than the rent of any extension. */
const FOR_RENT = 1_000_000_000n;

/** Inserts an extension of zeros before the others of a Token-2022 account. */
function addExtension(
  ledger: Ledger,
  address: Address,
  accountType: keyof typeof ACCOUNT_TYPE,
  { type, size }: { readonly type: number; readonly size: number },
): void {
  const account = ledger.getAccount(address);
  if (account === undefined) return;
  const others = account.data.subarray(MINT.extensions);
  const data = new Uint8Array(MINT.extensions + 4 + size + others.length);
  data.set(account.data.subarray(0, MINT.extensions));
  data.set(others, MINT.extensions + 4 + size);
  const fields = view(data);
  fields.setUint8(MINT.accountType, ACCOUNT_TYPE[accountType]);
  fields.setUint16(MINT.extensions, type, true);
  fields.setUint16(MINT.extensions + 2, size, true);
  ledger.setAccount(address, { ...account, data, lamports: (account.lamports ?? 0n) + FOR_RENT });
}

/**
 * Adds the transfer fee extension to a Token-2022 mint without one, with a fee of zero, and the matching extension to one of
 * its token accounts. Accounts created later have it from the start.
 */
export function addTransferFee(ledger: Ledger, mint: Address, tokenAccount: Address): void {
  const account = ledger.getAccount(mint);
  if (account === undefined || transferFeeOffset(view(account.data)) !== undefined) return;
  addExtension(ledger, mint, 'mint', TRANSFER_FEE_EXTENSION);
  addExtension(ledger, tokenAccount, 'token', { type: EXTENSION.transferFeeAmount, size: 8 });
}

/** Changes fields of a pool. Bytes outside the declared fields stay. */
export const editPool = (
  ledger: Ledger,
  address: Address,
  change: (state: LiquidityPoolState) => Partial<LiquidityPoolState>,
): void =>
  editData(ledger, address, (data) => {
    const state = decodeLiquidityPoolState(bytesOf(data), address);
    const changed = { ...state, ...change(state) };
    writeChanges(data, encodeLiquidityPoolState(state), encodeLiquidityPoolState(changed));
  });

/** Changes fields of a protocol config. Bytes outside the declared fields stay. */
export const editConfig = (
  ledger: Ledger,
  address: Address,
  change: (config: ProtocolConfig) => Partial<ProtocolConfig>,
): void =>
  editData(ledger, address, (data) => {
    const config = decodeProtocolConfig(bytesOf(data), address);
    const changed = { ...config, ...change(config) };
    writeChanges(data, encodeProtocolConfig(config), encodeProtocolConfig(changed));
  });

const bytesOf = ({ buffer, byteOffset, byteLength }: DataView) =>
  new Uint8Array(buffer, byteOffset, byteLength);

function writeChanges(data: DataView, before: Uint8Array, after: Uint8Array): void {
  for (const [index, byte] of after.entries()) if (byte !== before[index]) data.setUint8(index, byte);
}
