import { BPS, ceilDiv } from '../base/integers.js';
import type { TransferFee } from './types.js';

/** What Token-2022 withholds from a transfer of `amount` units: `basisPoints` of it, rounded up, at most `maximum`. */
export function transferFeeOf(amount: bigint, fee: TransferFee | undefined): bigint {
  if (fee === undefined || fee.basisPoints === 0n) return 0n;
  const charged = ceilDiv(amount * fee.basisPoints, BPS);
  return charged < fee.maximum ? charged : fee.maximum;
}

/** The least amount to send so that at least `received` units arrive. */
export function leastTransferFor(received: bigint, fee: TransferFee | undefined): bigint {
  if (fee === undefined || fee.basisPoints === 0n || received === 0n) return received;
  const atMaximumFee = received + fee.maximum;
  if (fee.basisPoints >= BPS) return atMaximumFee;
  const atRate = ceilDiv(received * BPS, BPS - fee.basisPoints);
  return atRate < atMaximumFee ? atRate : atMaximumFee;
}
