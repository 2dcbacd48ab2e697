import type { HeavenClient } from '../client.js';
import { builders, type Operations, readers } from '../operations.js';

/** A function bound to its client. */
type Bound<TFunction> = TFunction extends (client: HeavenClient, input: infer TInput) => infer TResult
  ? (input: TInput) => TResult
  : never;

// Mapped over the tables themselves, so editors show their docstrings.
type BoundReaders = { readonly [TName in keyof typeof readers]: Bound<(typeof readers)[TName]> };
type BoundBuilders = { readonly [TName in keyof typeof builders]: Bound<(typeof builders)[TName]> };

/** The documented functions, bound to a client. */
export interface LocalClient extends BoundReaders, BoundBuilders {}

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
  const operations: Operations = { ...readers, ...builders };
  const bound = Object.entries<(client: HeavenClient, input: never) => unknown>(operations).map(
    ([name, call]) => [name, (input: never) => call(client, input)],
  );
  return Object.fromEntries(bound) as LocalClient;
}
