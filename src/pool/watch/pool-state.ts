import type { Address } from '@solana/kit';

import type { Deployment } from '../../client.js';
import { type AnyHeavenError, isHeavenError } from '../../errors.js';
import { invalidAccount, openAccount } from '../../solana/account-data.js';
import { SYSVAR_PROGRAM_ADDRESS } from '../../solana/programs.js';
import { assertOwned, type RawAccount } from '../../solana/rpc/accounts.js';
import { decodeClock, decodeMint, decodePoolSnapshot, decodeSolPrice, type PoolAccounts } from '../decode.js';
import { CONFIG, FEED, POOL } from '../layout.js';
import type { SnapshotAddresses } from '../locate.js';
import type { FetchedPoolSnapshot } from '../snapshot.js';

interface Notified {
  readonly account: RawAccount;
  readonly slot: bigint;
  /** How many notifications came before it. */
  readonly count: number;
}

interface State {
  readonly snapshot: FetchedPoolSnapshot;
  readonly accounts: PoolAccounts;
}

/** Those of a snapshot that was decoded, in the order of {@link SnapshotAddresses}. */
export type ReadAccounts = readonly [RawAccount, RawAccount, RawAccount, RawAccount, ...unknown[]];

/** The newest state of a pool: the last read, and what was notified since. */
export interface PoolState {
  readonly latest: () => FetchedPoolSnapshot | undefined;
  /** The notifications so far: what {@link PoolState.take} needs to know of the time at which a read begins. */
  readonly count: () => number;
  /** Takes over a read, except where a notification is newer. Returns the notifications that are not valid. */
  readonly take: (
    snapshot: FetchedPoolSnapshot,
    accounts: ReadAccounts,
    begun: number,
  ) => readonly (Notified & { readonly error: AnyHeavenError })[];
  /**
   * Takes over a notification, and says whether more than time went by. `undefined` if something newer is known.
   * @throws {HeavenError} for a notification that is no good; nothing has changed then
   */
  readonly update: (account: RawAccount, slot: bigint) => boolean | undefined;
}

export function createPoolState(deployment: Deployment, addresses: SnapshotAddresses): PoolState {
  let current: State | undefined;
  let readSlot = 0n;
  let newestSlot = 0n;
  let count = 0;
  /** The last good notification of each account, while no read is newer. */
  const notified = new Map<Address, Notified>();

  const apply = (before: State, notification: Notified): boolean => {
    const { account, slot } = notification;
    const newest = slot > newestSlot ? slot : newestSlot;
    const { isNews, snapshot, accounts } = withAccount(before, account, deployment, addresses);
    current = { snapshot: { ...snapshot, slot: newest }, accounts };
    newestSlot = newest;
    notified.set(account.address, notification);
    return isNews;
  };

  return {
    latest: () => current?.snapshot,
    count: () => count,
    take: (snapshot, read, begun) => {
      const [, mint, priceFeed, clock] = read;
      readSlot = snapshot.slot;
      if (readSlot > newestSlot) newestSlot = readSlot;
      current = {
        snapshot: { ...snapshot, slot: newestSlot },
        accounts: { ...snapshot.data, mint: mint.data, priceFeed: priceFeed.data, clock: clock.data },
      };
      const refused: (Notified & { readonly error: AnyHeavenError })[] = [];
      for (const notification of [...notified.values()]) {
        const isKnown = notification.count < begun;
        if (notification.slot < readSlot || (notification.slot === readSlot && isKnown)) continue;
        try {
          apply(current, notification);
        } catch (error) {
          if (!isHeavenError(error)) throw error;
          notified.delete(notification.account.address);
          refused.push({ ...notification, error });
        }
      }
      return refused;
    },
    update: (account, slot) => {
      const known = notified.get(account.address)?.slot ?? 0n;
      if (slot < known || slot < readSlot) return undefined;
      const notification = { account, slot, count: count++ };
      if (current !== undefined) return apply(current, notification);
      notified.set(account.address, notification);
      return false;
    },
  };
}

/** The state with another account in it, and whether that is news. Only what the account changes is decoded. */
function withAccount(
  { snapshot, accounts }: State,
  account: RawAccount,
  { programAddress, chainlinkProgram }: Deployment,
  [poolAddress, mintAddress, feedAddress, , configAddress]: SnapshotAddresses,
): State & { readonly isNews: boolean } {
  const { address, data } = account;
  const decoded = (changed: Partial<PoolAccounts>) => {
    const next = { ...accounts, ...changed };
    const { addresses, rules } = snapshot;
    const pool = decodePoolSnapshot(next, addresses, rules);
    return { snapshot: { ...pool, addresses }, accounts: next, isNews: true };
  };
  switch (address) {
    case poolAddress:
      assertOwned(account, POOL.name, address, [programAddress]);
      assertSamePool(data, accounts.pool, address);
      return decoded({ pool: data });
    case configAddress:
      assertOwned(account, CONFIG.name, address, [programAddress]);
      return decoded({ protocolConfig: data });
    case mintAddress:
      assertOwned(account, 'Mint', address, [snapshot.addresses.tokenProgram]);
      return decoded({ mint: data });
    case feedAddress: {
      assertOwned(account, FEED.name, address, [chainlinkProgram]);
      const solPrice = decodeSolPrice(data, snapshot.unixTimestamp, address);
      const { answer, decimals } = snapshot.solPrice;
      return {
        snapshot: { ...snapshot, solPrice },
        accounts: { ...accounts, priceFeed: data },
        isNews: solPrice.answer !== answer || solPrice.decimals !== decimals,
      };
    }
    default: {
      assertOwned(account, 'Clock', address, [SYSVAR_PROGRAM_ADDRESS]);
      const { epoch, unixTimestamp } = decodeClock(data);
      const hasEpochBegun = epoch !== snapshot.epoch;
      const hasOpened = snapshot.unixTimestamp < snapshot.opensAt && unixTimestamp >= snapshot.opensAt;
      const token = hasEpochBegun ? decodeMint(accounts.mint, epoch) : snapshot.token;
      return {
        snapshot: { ...snapshot, epoch, unixTimestamp, token },
        accounts: { ...accounts, clock: data },
        isNews: hasEpochBegun || hasOpened,
      };
    }
  }
}

/** What no pool ever changes: its kind and config version, its vaults and config, its mints. */
const fixedRanges = () =>
  [
    [POOL.protocolConfigVersion, POOL.type + 1],
    [POOL.tokenAVault, POOL.protocolConfig + 32],
    [POOL.tokenAMint, POOL.tokenAMint + 32],
    [POOL.tokenBMint, POOL.tokenBMint + 32],
  ] as const;

/** Refuses the data of another pool than the one that was read and checked. */
function assertSamePool(data: Uint8Array, known: Uint8Array, address: Address): void {
  openAccount(POOL, data, address);
  for (const [from, to] of fixedRanges()) {
    for (let offset = from; offset < to; offset++) {
      if (data[offset] !== known[offset]) {
        throw invalidAccount(POOL.name, `it is another pool's: byte ${offset} never changes`, address);
      }
    }
  }
}
