import type { Address } from '@solana/kit';

import type { Deployment } from '../../client.js';
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
  type PoolAccounts,
  type PoolSnapshot,
  poolKindOf,
  poolVersionOf,
  type SolPrice,
} from '../decode.js';
import { CONFIG, FEED, POOL } from '../layout.js';
import { assertPoolKind, configVersionMismatch, poolMintMismatch } from '../mismatch.js';
import { ownersOf, type TrackedPool } from './accounts.js';

/** The parts of a pool's account that never change. */
export interface PoolIdentity {
  readonly type: number;
  /** The account's bytes from the vaults to the mint of SOL. */
  readonly bytes: Uint8Array;
}

/** What was decoded from an account on arrival. A pool changes most often, so the rest is only decoded when a snapshot is needed. */
export interface Decoded {
  /** The same object for all versions of the same pool. */
  readonly pool: PoolIdentity;
  readonly protocolConfig: undefined;
  readonly mint: undefined;
  readonly priceFeed: SolPrice;
  readonly clock: Pick<PoolSnapshot, 'slot' | 'epoch' | 'unixTimestamp'>;
}

/** The known state that an update is checked against. */
export interface Known {
  /** The known pool's identity, if any. */
  pool(): PoolIdentity | undefined;
  /** The newest clock's time in Unix seconds, if any. */
  now(): bigint | undefined;
  /** The token program, once it is known. */
  tokenProgram(): Address | undefined;
}

/** Decodes an account of a pool, or throws if the data can't be that account. Every update from a stream passes this check. */
export function admit(
  tracked: TrackedPool,
  deployment: Deployment,
  name: keyof PoolAccounts,
  account: { readonly address: Address; readonly data: Uint8Array; readonly owner: Address | undefined },
  known: Known | undefined,
): Decoded[keyof Decoded] {
  const { owner, data } = account;
  switch (name) {
    case 'pool':
      if (owner !== deployment.programAddress) assertOwner(account, POOL.name, ownersOf(name, deployment));
      return admitPool(tracked, data, known?.pool());
    case 'protocolConfig': {
      if (owner !== deployment.programAddress) assertOwner(account, CONFIG.name, ownersOf(name, deployment));
      const version = decodeConfigVersion(data, tracked.protocolConfig);
      if (version !== tracked.configVersion) throw configVersionMismatch(tracked.configVersion, version);
      return undefined;
    }
    case 'mint': {
      const tokenProgram = known?.tokenProgram();
      assertOwner(account, 'Mint', tokenProgram === undefined ? ownersOf(name, deployment) : [tokenProgram]);
      if (owner === undefined && tokenProgram === undefined)
        throw invalidAccount('Mint', 'its owner, the token program, is not known: give it', tracked.mint);
      // Checks both transfer fees, this epoch's and later ones.
      decodeMint(data, 0n);
      decodeMint(data, U64_MAX);
      return undefined;
    }
    case 'priceFeed':
      if (owner !== deployment.chainlinkProgram) assertOwner(account, FEED.name, ownersOf(name, deployment));
      return decodeSolPrice(data, known?.now() ?? U64_MAX, account.address);
    default:
      assertOwner(account, 'Clock', ownersOf(name, deployment));
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
