import type { Address } from '@solana/kit';

import { U64_MAX } from '../../math/integers.js';
import { invalidAccount } from '../../solana/account-data.js';
import { addressAt, bytesOfAddress } from '../../solana/addresses.js';
import { WRAPPED_SOL_MINT_ADDRESS } from '../../solana/programs.js';
import { assertOwned } from '../../solana/rpc/accounts.js';
import {
  assertPoolData,
  decodeClock,
  decodeConfigVersion,
  decodeMint,
  decodeSolPrice,
  type PoolSnapshot,
  poolKindOf,
  poolVersionOf,
  type SolPrice,
} from '../decode.js';
import { CLOCK, CONFIG, FEED, MINT, POOL } from '../layout.js';
import { assertPoolKind, configVersionMismatch, poolMintMismatch } from '../mismatch.js';
import type { TrackedAccount, TrackedPool } from './accounts.js';

/** The parts of a pool's account that never change. */
export interface PoolIdentity {
  readonly type: number;
  /** The account's bytes from the vaults to the mint of SOL. */
  readonly bytes: Uint8Array;
}

/** What is decoded from an account on arrival. A pool changes most often, so its fields are only decoded when they are read. */
export interface Decoded {
  /** The same object as long as the pool is the known one. */
  readonly pool: PoolIdentity;
  readonly protocolConfig: undefined;
  readonly mint: undefined;
  readonly priceFeed: SolPrice;
  readonly clock: Pick<PoolSnapshot, 'slot' | 'epoch' | 'unixTimestamp'>;
}

/** The known state that an update must agree with. */
export interface Known {
  readonly identity: PoolIdentity | undefined;
  /** The newest clock's time in Unix seconds. */
  readonly now: bigint | undefined;
  readonly tokenProgram: Address | undefined;
}

/** Decodes an account of a pool, or throws if the data can't be that account. Every update and every read passes this check. */
export function admit(
  tracked: TrackedPool,
  { name, address, owners }: TrackedAccount,
  data: Uint8Array,
  owner: Address | undefined,
  known: Known | undefined,
): Decoded[keyof Decoded] {
  const { tokenProgram } = known ?? {};
  const allowed = name === 'mint' && tokenProgram !== undefined ? [tokenProgram] : owners;
  if (owner !== undefined && !allowed.includes(owner))
    assertOwned({ address, data, owner }, SHAPE_OF[name].name, address, allowed);
  switch (name) {
    case 'pool':
      return admitPool(tracked, data, known?.identity);
    case 'protocolConfig': {
      const version = decodeConfigVersion(data, address);
      if (version !== tracked.configVersion) throw configVersionMismatch(tracked.configVersion, version);
      return undefined;
    }
    case 'mint':
      if (owner === undefined && tokenProgram === undefined)
        throw invalidAccount(MINT.name, 'its owner, the token program, is not known: give it', address);
      // Checks both transfer fees, this epoch's and later ones.
      decodeMint(data, 0n);
      decodeMint(data, U64_MAX);
      return undefined;
    case 'priceFeed':
      return decodeSolPrice(data, known?.now ?? U64_MAX, address);
    default:
      return decodeClock(data);
  }
}

const SHAPE_OF = { pool: POOL, protocolConfig: CONFIG, mint: MINT, priceFeed: FEED, clock: CLOCK };

function admitPool(tracked: TrackedPool, data: Uint8Array, known: PoolIdentity | undefined): PoolIdentity {
  const { configVersion, mint, pool: address, protocolConfig, kind } = tracked;
  assertPoolData(data, address);
  const version = poolVersionOf(data);
  if (version !== configVersion) throw configVersionMismatch(configVersion, version);
  if (kind !== undefined) assertPoolKind(kind, poolKindOf(data));
  if (known !== undefined && isPool(data, known)) return known;
  const fixed = [
    [POOL.tokenAMint, mint],
    [POOL.tokenBMint, WRAPPED_SOL_MINT_ADDRESS],
    [POOL.protocolConfig, protocolConfig],
  ] as const;
  for (const [offset, expected] of fixed) {
    if (isAt(data, offset, bytesOfAddress(expected), 0, 32)) continue;
    if (offset === POOL.tokenAMint)
      throw poolMintMismatch(address, mint, addressAt(data.subarray(offset, offset + 32)));
    throw invalidAccount(
      POOL.name,
      `it is another pool's: the address at byte ${offset} is not the tracked one`,
      address,
    );
  }
  if (known !== undefined)
    throw invalidAccount(POOL.name, "it is another pool's: the kind and vaults never change", address);
  return {
    type: data[POOL.type] as number,
    bytes: data.slice(POOL.tokenAVault, POOL.tokenBMint + 32),
  };
}

/** Whether the parts that never change are unchanged. The identity was checked against the tracked addresses on arrival. */
function isPool(data: Uint8Array, { type, bytes }: PoolIdentity): boolean {
  const { tokenAVault, tokenAMint, tokenBMint } = POOL;
  return (
    data[POOL.type] === type &&
    // The vaults and the config, one after the other.
    isAt(data, tokenAVault, bytes, 0, 96) &&
    isAt(data, tokenAMint, bytes, tokenAMint - tokenAVault, 32) &&
    isAt(data, tokenBMint, bytes, tokenBMint - tokenAVault, 32)
  );
}

/** Whether the bytes at an offset equal these. */
function isAt(data: Uint8Array, offset: number, bytes: Uint8Array, from: number, length: number): boolean {
  for (let k = 0; k < length; k++) if (data[offset + k] !== bytes[from + k]) return false;
  return true;
}
