import { assertClient } from '../base/input.js';
import { builders, readers } from '../operations/index.js';
import type { HeavenClient } from '../program/client.js';
import { type Bound, bind } from './bind.js';

/** The documented functions, bound to a client. */
export interface LocalClient extends Bound<typeof readers>, Bound<typeof builders> {}

/**
 * Binds the documented functions to a client. It is the counterpart of `createRemoteClient`: one line decides whether
 * quotes and transactions are computed locally or by a service. A bundle then contains all of them; to bundle only
 * what you use, import functions one by one.
 *
 * @example
 * ```ts
 * const heaven = createLocalClient(client);
 * const quote = await heaven.quoteBuy({ configVersion: 2, mint, maxSolSpend: '1.5', slippageBps: 50 });
 * ```
 */
export function createLocalClient(client: HeavenClient): LocalClient {
  assertClient(client);
  return { ...bind(readers, client), ...bind(builders, client) };
}
