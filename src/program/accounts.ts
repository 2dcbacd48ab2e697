import type { Address } from '@solana/kit';

import { assertShape } from '../solana/account-data.js';
import { assertMatches, readValue, type TypeOf, writeValue } from '../solana/codec.js';
import { hexBytes } from '../solana/discriminator.js';
import {
  type AccountDeclaration,
  liquidityPoolStateDeclaration,
  protocolConfigDeclaration,
  shapeOf,
  userLpPositionDeclaration,
} from './account-layouts.js';

function decode<TDeclaration extends AccountDeclaration>(
  declaration: TDeclaration,
  data: Uint8Array,
  address: Address | undefined,
): TypeOf<TDeclaration> {
  assertShape(shapeOf(declaration), data, address);
  return readAccount(declaration, data);
}

/** The fields of an account whose size and discriminator are checked. */
export const readAccount = <TDeclaration extends AccountDeclaration>(
  declaration: TDeclaration,
  data: Uint8Array,
): TypeOf<TDeclaration> => readValue(declaration, data, 8)[0] as TypeOf<TDeclaration>;

function encode<TDeclaration extends AccountDeclaration>(
  declaration: TDeclaration,
  value: TypeOf<TDeclaration>,
): Uint8Array {
  assertMatches(declaration, value, '');
  return writeValue(declaration, value, hexBytes(declaration.discriminator));
}

/** A pool as it stands on chain. Amounts are native (token units and lamports); one-byte fields keep their number. */
export interface LiquidityPoolState extends TypeOf<typeof liquidityPoolStateDeclaration> {}

/**
 * Decodes a pool. Bytes after the known layout are ignored.
 * @throws {HeavenError} `invalid-account-data`
 * @example
 * ```ts
 * const { reserve } = decodeLiquidityPoolState(poolData);
 * console.log(reserve.tokenA, reserve.tokenB);
 * ```
 */
export const decodeLiquidityPoolState = (data: Uint8Array, address?: Address): LiquidityPoolState =>
  decode(liquidityPoolStateDeclaration, data, address);

/**
 * Encodes a pool, discriminator included, padding zero: for fixtures and simulations.
 * @throws {HeavenError} `invalid-input`, `invalid-address`, `invalid-amount`, `amount-out-of-range`
 * @example
 * ```ts
 * const state = decodeLiquidityPoolState(poolData);
 * const closed = encodeLiquidityPoolState({ ...state, allowlist: { ...state.allowlist, swap: 0 } });
 * console.log(closed.length === poolData.length); // true
 * ```
 */
export const encodeLiquidityPoolState = (state: LiquidityPoolState): Uint8Array =>
  encode(liquidityPoolStateDeclaration, state);

/** The settings of a config version, as they stand on chain. `initialTokenBAmount` is in SOL, the rest native. */
export interface ProtocolConfig extends TypeOf<typeof protocolConfigDeclaration> {}

/**
 * Decodes a protocol config. Bytes after the known layout are ignored.
 * @throws {HeavenError} `invalid-account-data`
 * @example
 * ```ts
 * const { maxCreatorTradingFee } = decodeProtocolConfig(configData);
 * console.log(maxCreatorTradingFee);
 * ```
 */
export const decodeProtocolConfig = (data: Uint8Array, address?: Address): ProtocolConfig =>
  decode(protocolConfigDeclaration, data, address);

/**
 * Encodes a protocol config, discriminator included, padding zero: for fixtures and simulations.
 * @throws {HeavenError} `invalid-input`, `invalid-address`, `invalid-amount`, `amount-out-of-range`
 * @example
 * ```ts
 * const config = decodeProtocolConfig(configData);
 * const closed = encodeProtocolConfig({ ...config, allowCreatePool: 0 });
 * console.log(closed.length === configData.length); // true
 * ```
 */
export const encodeProtocolConfig = (config: ProtocolConfig): Uint8Array =>
  encode(protocolConfigDeclaration, config);

/** A user's liquidity in a pro pool, as it stands on chain. */
export interface UserLpPosition extends TypeOf<typeof userLpPositionDeclaration> {}

/**
 * Decodes an LP position. Bytes after the known layout are ignored.
 * @throws {HeavenError} `invalid-account-data`
 * @example
 * ```ts
 * const { lpTokenBalance } = decodeUserLpPosition(positionData);
 * console.log(lpTokenBalance);
 * ```
 */
export const decodeUserLpPosition = (data: Uint8Array, address?: Address): UserLpPosition =>
  decode(userLpPositionDeclaration, data, address);

/**
 * Encodes an LP position, discriminator included: for fixtures and simulations.
 * @throws {HeavenError} `invalid-input`, `invalid-address`, `invalid-amount`, `amount-out-of-range`
 * @example
 * ```ts
 * const position = decodeUserLpPosition(positionData);
 * const emptied = encodeUserLpPosition({ ...position, lpTokenBalance: 0n });
 * console.log(emptied.length === positionData.length); // true
 * ```
 */
export const encodeUserLpPosition = (position: UserLpPosition): Uint8Array =>
  encode(userLpPositionDeclaration, position);
