import { getBase64Decoder } from '@solana/kit';
import { checkKnownInput, fieldsOf } from '../../input/check-input.js';
import { abortSignal, address, optional } from '../../input/fields.js';
import { fetchPoolState } from '../../pool/read.js';
import type { LiquidityPoolState } from '../../program/accounts.js';
import type { HeavenClient } from '../../program/client.js';
import { type AddressInput, assertAddress } from '../../solana/addresses.js';
import type { RequestOptions } from '../../solana/rpc/send.js';

/** Which pool to read: the standard pool of a token, or any pool by its address. */
export type GetPoolStateInput = RequestOptions &
  (
    | {
        /** The mint of a standard pool. */
        readonly mint: AddressInput;
        readonly pool?: null | undefined;
      }
    | {
        /** The address of any pool, in place of the mint. */
        readonly pool: AddressInput;
        readonly mint?: null | undefined;
      }
  );

export const getPoolStateFields = /* @__PURE__ */ fieldsOf<GetPoolStateInput>()(() => ({
  documented: { mint: optional(address()), pool: optional(address()) },
  local: { abortSignal: abortSignal() },
}));

/** A pool's whole account, decoded and as it is. */
export interface PoolState extends LiquidityPoolState {
  /** The account's bytes in base64, for other decoders. */
  readonly data: string;
}

/**
 * Reads and decodes a whole pool account. One call to the node.
 *
 * @throws {HeavenError} `invalid-address`, `pool-not-found`, `pool-mismatch` (`pool` does not trade `mint`),
 * `invalid-account-data`, and the `rpc-…` codes
 * @example
 * ```ts
 * const { reserve } = await getPoolState(client, { mint });
 * console.log(reserve.tokenA, reserve.tokenB);
 * ```
 */
export async function getPoolState(client: HeavenClient, input: GetPoolStateInput): Promise<PoolState> {
  const checked = checkKnownInput(client, input, getPoolStateFields);
  if (checked.pool === undefined) assertAddress(checked.mint, 'mint');
  const { state, account } = await fetchPoolState(client, undefined, checked);
  return { ...state, data: getBase64Decoder().decode(account.data) };
}
