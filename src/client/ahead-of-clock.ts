import { getBase64Encoder } from '@solana/kit';

import { CLOCK } from '../pool/layout.js';
import { view } from '../solana/account-data.js';
import { CLOCK_SYSVAR_ADDRESS } from '../solana/programs.js';
import { MAX_SLOTS_AHEAD } from '../solana/timing.js';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Whether a response to `getMultipleAccounts` names a slot far ahead of the clock that it holds. Its slot is then wrong: every later
 * read would wait for nodes to reach it. A response without the clock proves nothing.
 */
export function isAheadOfClock(addresses: unknown, response: unknown): boolean {
  const at = Array.isArray(addresses) ? addresses.indexOf(CLOCK_SYSVAR_ADDRESS) : -1;
  const { context, value } = Object(response) as Fields;
  const { data } = Object(at < 0 ? undefined : Object(value)[at]) as Fields;
  const [text, encoding] = Array.isArray(data) ? (data as readonly unknown[]) : [];
  if (encoding !== 'base64' || typeof text !== 'string') return false;
  try {
    const clock = view(getBase64Encoder().encode(text) as Uint8Array).getBigUint64(CLOCK.slot, true);
    return BigInt((Object(context) as Fields).slot as bigint) > clock + MAX_SLOTS_AHEAD;
  } catch {
    // Whoever reads the response says what is wrong with it.
    return false;
  }
}
