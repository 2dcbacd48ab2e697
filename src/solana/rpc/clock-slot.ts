import { base64Bytes } from '../base64.js';
import { CLOCK_SYSVAR_ADDRESS } from '../programs.js';
import { slotOf } from './accounts.js';

/** The slot in the clock account of a node's answer, or `undefined` if the answer doesn't hold that account. */
export function clockSlotAmong(addresses: readonly unknown[], value: readonly unknown[]): bigint | undefined {
  const account = value[addresses.indexOf(CLOCK_SYSVAR_ADDRESS)];
  const { data } = (account ?? {}) as { readonly data?: unknown };
  if (!Array.isArray(data)) return undefined;
  try {
    const slot = new DataView(base64Bytes(String(data[0])).buffer).getBigUint64(0, true);
    return slotOf({ context: { slot } });
  } catch {
    return undefined;
  }
}
