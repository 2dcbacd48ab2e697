import type { Address } from '@solana/kit';

import type { Deployment } from '../../client.js';
import { U64_MAX } from '../../math/integers.js';
import { invalidAccount } from '../../solana/account-data.js';
import { addressText, bytesOfAddress } from '../../solana/base58.js';
import { WRAPPED_SOL_MINT_ADDRESS } from '../../solana/programs.js';
import { assertOwned } from '../../solana/rpc/accounts.js';
import {
  decodeClock,
  decodeConfigVersion,
  decodeMint,
  decodeSolPrice,
  openPool,
  type PoolSnapshot,
  poolKindOf,
  type SolPrice,
} from '../decode.js';
import { CONFIG, FEED, POOL } from '../layout.js';
import { assertPoolKind, configVersionMismatch, poolMintMismatch } from '../mismatch.js';
import type { TrackedAccount, TrackedPool } from './accounts.js';

/** What was decoded from an account on arrival. A pool changes most often, so it is only decoded when a snapshot is needed. */
export interface Decoded {
  readonly pool: undefined;
  readonly protocolConfig: undefined;
  readonly mint: undefined;
  readonly priceFeed: SolPrice;
  readonly clock: Pick<PoolSnapshot, 'slot' | 'epoch' | 'unixTimestamp'>;
}

/** The known state that an update is checked against. */
export interface Known {
  /** The data of the known pool, if any. */
  pool(): Uint8Array | undefined;
  /** The newest clock's time in Unix seconds, if any. */
  now(): bigint | undefined;
  /** The token program, once it is known. */
  tokenProgram(): Address | undefined;
}

/** Decodes an account of a pool, or throws if the data can't be that account. Every update from a stream passes this check. */
export function admit(
  tracked: TrackedPool,
  { programAddress, chainlinkProgram }: Deployment,
  { name, owners }: TrackedAccount,
  account: { readonly address: Address; readonly data: Uint8Array; readonly owner: Address | undefined },
  known: Known | undefined,
): Decoded[keyof Decoded] {
  const { owner, data } = account;
  switch (name) {
    case 'pool':
      if (owner !== programAddress) assertOwner(account, POOL.name, owners);
      admitPool(tracked, data, known?.pool());
      return undefined;
    case 'protocolConfig': {
      if (owner !== programAddress) assertOwner(account, CONFIG.name, owners);
      const version = decodeConfigVersion(data, tracked.protocolConfig);
      if (version !== tracked.configVersion) throw configVersionMismatch(tracked.configVersion, version);
      return undefined;
    }
    case 'mint': {
      const tokenProgram = known?.tokenProgram();
      assertOwner(account, 'Mint', tokenProgram === undefined ? owners : [tokenProgram]);
      if (owner === undefined && tokenProgram === undefined)
        throw invalidAccount('Mint', 'its owner, the token program, is not known: give it', tracked.mint);
      // Checks both transfer fees, this epoch's and later ones.
      decodeMint(data, 0n);
      decodeMint(data, U64_MAX);
      return undefined;
    }
    case 'priceFeed':
      if (owner !== chainlinkProgram) assertOwner(account, FEED.name, owners);
      return decodeSolPrice(data, known?.now() ?? U64_MAX, account.address);
    default:
      assertOwner(account, 'Clock', owners);
      return decodeClock(data);
  }
}

function assertOwner(
  account: { readonly address: Address; readonly data: Uint8Array; readonly owner: Address | undefined },
  shown: string,
  allowed: readonly Address[],
): void {
  const { owner } = account;
  if (owner !== undefined) assertOwned({ ...account, owner }, shown, account.address, allowed);
}

function admitPool(tracked: TrackedPool, data: Uint8Array, known: Uint8Array | undefined): void {
  const { configVersion, mint, pool: address, protocolConfig, kind } = tracked;
  const pool = openPool(data, address);
  const version = pool.getUint16(POOL.protocolConfigVersion, true);
  if (version !== configVersion) throw configVersionMismatch(configVersion, version);
  if (kind !== undefined) assertPoolKind(kind, poolKindOf(pool));
  if (known !== undefined && isSamePool(data, known)) return;
  const fixed = [
    [POOL.tokenAMint, mint],
    [POOL.tokenBMint, WRAPPED_SOL_MINT_ADDRESS],
    [POOL.protocolConfig, protocolConfig],
  ] as const;
  for (const [offset, expected] of fixed) {
    if (isAt(data, offset, bytesOfAddress(expected), 0, 32)) continue;
    if (offset === POOL.tokenAMint)
      throw poolMintMismatch(address, mint, addressText(data.subarray(offset, offset + 32)));
    throw invalidAccount(
      POOL.name,
      `it is another pool's: the address at byte ${offset} is not the tracked one`,
      address,
    );
  }
  if (known !== undefined)
    throw invalidAccount(POOL.name, "it is another pool's: the kind and vaults never change", address);
}

/** Whether the parts of a pool that never change are unchanged. The known pool was checked against the tracked addresses on arrival. */
function isSamePool(data: Uint8Array, known: Uint8Array): boolean {
  if (data === known) return true;
  const { type, tokenAVault, tokenAMint, tokenBMint } = POOL;
  return (
    data[type] === known[type] &&
    // The vaults and the config, one after the other.
    isAt(data, tokenAVault, known, tokenAVault, 96) &&
    isAt(data, tokenAMint, known, tokenAMint, 32) &&
    isAt(data, tokenBMint, known, tokenBMint, 32)
  );
}

/** Whether the bytes at an offset equal these. */
function isAt(data: Uint8Array, offset: number, bytes: Uint8Array, from: number, length: number): boolean {
  for (let k = 0; k < length; k++) if (data[offset + k] !== bytes[from + k]) return false;
  return true;
}
