import type { Address, Signature } from '@solana/kit';

import { assertCall, assertFunction, invalidInput } from '../base/input.js';
import { assertAsNamed } from '../pool/explained.js';
import { assertConfigVersion } from '../program/addresses.js';
import { parseLogs } from '../program/events.js';
import { AddressWatch, type HistoryWatch, type HistoryWatchOptions } from './address-watch.js';
import type { ParsedTransaction } from './parse-transaction.js';
import type { HistoryClient } from './signatures.js';

/** A pool that was just created. */
export interface NewPool {
  readonly kind: 'standard' | 'pro';
  readonly pool: Address;
  /** The token. */
  readonly mint: Address;
  readonly configVersion: number;
  readonly creator: Address;
  readonly signature: Signature;
  readonly slot: bigint;
  /** Unix seconds. `undefined` if the node does not say. */
  readonly blockTime: bigint | undefined;
}

/** Which new pools {@link watchNewPools} watches. */
export interface WatchNewPoolsOptions extends HistoryWatchOptions {
  /** Default: both. */
  readonly kind?: NewPool['kind'] | null | undefined;
  /** Default: any. */
  readonly configVersion?: number | null | undefined;
  /** Starts after this transaction of the exchange. Default: start now. */
  readonly from?: Signature | NewPool | null | undefined;
}

/**
 * Watches launches and the creation of pro pools, with {@link watchTrades}'s guarantees: it yields each once, oldest first, without a
 * gap.
 *
 * It subscribes to the exchange's logs and reads the transactions that create a pool. After a lost connection it reads all
 * of the exchange's transactions since then, so a `from` long ago takes many calls.
 * @throws {HeavenError} from the iterator: those of {@link watchTrades}
 * @example
 * ```ts
 * for await (const { kind, mint, pool, creator } of watchNewPools(client, { kind: 'standard', abortSignal })) {
 *   console.log(kind, mint, pool, creator);
 * }
 * ```
 */
export function watchNewPools(
  client: HistoryClient,
  options: WatchNewPoolsOptions = {},
): HistoryWatch<NewPool> {
  assertCall(
    client,
    options,
    { kind: 1, configVersion: 1, from: 1, abortSignal: 1, observe: assertFunction },
    'options',
  );
  const { programAddress } = client.deployment;
  return new AddressWatch(
    client,
    async () => {
      const { kind = null, configVersion = null } = options;
      if (kind !== null && kind !== 'standard' && kind !== 'pro')
        throw invalidInput('kind', kind, "'standard' or 'pro'");
      if (configVersion !== null) assertConfigVersion(configVersion, 'configVersion');
      await assertAsNamed(client, {}, options);
      return {
        address: programAddress,
        isWanted: (logs) => logs === undefined || mayCreate(logs, programAddress),
        itemsIn: (transaction) =>
          newPoolsIn(transaction).filter(
            (pool) =>
              (kind === null || pool.kind === kind) &&
              (configVersion === null || pool.configVersion === configVersion),
          ),
      };
    },
    options.from,
    options,
  );
}

/** Whether a transaction with these logs may create a pool. Reading one too many is harmless. */
function mayCreate(logs: readonly unknown[], programAddress: Address): boolean {
  if (!logs.every((line) => typeof line === 'string')) return true;
  if (logs.some((line) => line.includes('Instruction: Create'))) return true;
  const { events, truncated } = parseLogs(logs, { programAddress });
  return truncated || events.some(({ name }) => name.startsWith('Create'));
}

function newPoolsIn({ signature, slot, blockTime, instructions, error }: ParsedTransaction): NewPool[] {
  if (error !== undefined) return [];
  return instructions.flatMap(({ parsed }) => {
    if (parsed?.name !== 'create_standard_liquidity_pool' && parsed?.name !== 'create_pro_liquidity_pool')
      return [];
    const { accounts, data, name } = parsed;
    return {
      kind: name === 'create_standard_liquidity_pool' ? 'standard' : 'pro',
      pool: accounts.liquidityPoolState.address,
      mint: accounts.tokenAMint.address,
      configVersion: data.protocolConfigVersion,
      creator: accounts.user.address,
      signature,
      slot,
      blockTime,
    };
  });
}
