import { getBase64Encoder, getU64Decoder } from '@solana/kit';

import { CLOCK_SYSVAR_ADDRESS } from '../programs.js';
import { slotOf } from './accounts.js';

/** The slot in the clock account of a node's answer, or `undefined` if the answer doesn't hold that account. */
export function clockSlotAmong(addresses: readonly unknown[], value: readonly unknown[]): bigint | undefined {
  const account = value[addresses.indexOf(CLOCK_SYSVAR_ADDRESS)];
  const { data } = (account ?? {}) as { readonly data?: unknown };
  if (!Array.isArray(data)) return undefined;
  try {
    const slot = getU64Decoder().decode(getBase64Encoder().encode(String(data[0])));
    return slotOf({ context: { slot } });
  } catch {
    return undefined;
  }
}
