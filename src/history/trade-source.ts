import type { Address } from '@solana/kit';
import { describe, inputError } from '../base/input.js';
import type { Named } from '../pool/explained.js';
import { assertConfigVersion, findPoolAddress } from '../program/addresses.js';
import type { Deployment } from '../program/client.js';
import { type AddressInput, addressIn } from '../solana/addresses.js';
import { placeOf } from './order.js';
import type { ParsedTransaction } from './parse-transaction.js';
import type { Trade } from './trades.js';

/**
 * Whose trades to read:
 *
 * - `{ pool }`, or a pool's locator `{ configVersion, mint, pool? }`: the trades of one pool.
 * - `{ mint }`: the trades of every pool of the token, standard and pro, including pools created later.
 * - `wallet` with either: only one user's trades.
 */
export interface TradeSource {
  /** The token. On its own: all its pools. With `configVersion`: its standard pool, unless `pool` names another. */
  readonly mint?: AddressInput | null | undefined;
  readonly pool?: AddressInput | null | undefined;
  readonly configVersion?: number | null | undefined;
  /** Only trades of this user. The node then lists the wallet's transactions instead of the pool's or the token's. */
  readonly wallet?: AddressInput | null | undefined;
}

/** Whose transactions to ask a node for, and which of their trades count. */
export interface ResolvedSource {
  readonly address: Address;
  /** The addresses that the source names. */
  readonly named: Pick<Named, 'mint' | 'pool' | 'wallet'>;
  readonly tradesIn: (transaction: ParsedTransaction) => readonly Trade[];
}

/** Checks a source and resolves its address. */
export async function resolveSource(
  { programAddress }: Deployment,
  source: TradeSource,
): Promise<ResolvedSource> {
  if (typeof source !== 'object' || source === null)
    throw inputError('input', `The input must be an object; got ${describe(source)}.`, source);
  const configVersion = source.configVersion ?? undefined;
  const [mint, given, wallet] = (['mint', 'pool', 'wallet'] as const).map((field) => {
    const given = source[field] ?? undefined;
    return given === undefined ? undefined : addressIn(given, field);
  });
  if (configVersion !== undefined) {
    assertConfigVersion(configVersion, 'configVersion');
    if (mint === undefined) throw inputError('mint', 'Pass mint together with configVersion.');
  }
  const isStandard = configVersion !== undefined && mint !== undefined;
  const pool = given ?? (isStandard ? await findPoolAddress({ mint }, { programAddress }) : undefined);
  const address = wallet ?? pool ?? mint;
  if (address === undefined || (pool ?? mint) === undefined)
    throw inputError('pool', 'Pass pool, or mint for every pool of the token.');
  return {
    address,
    named: { mint, pool: given, wallet },
    tradesIn: (transaction) =>
      transaction.trades
        .filter(
          (trade) =>
            (pool === undefined || trade.pool === pool) &&
            (mint === undefined || trade.mint === mint) &&
            (wallet === undefined || trade.user === wallet),
        )
        .map((trade) => {
          const { signature, slot, blockTime } = transaction;
          return { ...trade, signature, slot, blockTime, place: placeOf(transaction, trade) };
        }),
  };
}
