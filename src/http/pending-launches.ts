import type { Address } from '@solana/kit';
import type { BuiltLaunch } from '../standard/create-standard-liquidity-pool.js';
import { refuse } from './errors.js';
import { retryAfter } from './exchange.js';

// Launches that a wallet signs before their mint's key does. They and their keys exist only in this process' memory.

/** A launch that waits for its wallet's signature. */
export interface PendingLaunch
  extends Required<Pick<BuiltLaunch, 'mint' | 'tx' | 'instructions' | 'lifetime' | 'mintSigner'>> {
  /** The exchange program that it is for. */
  readonly programAddress: Address;
}

/** The launches that wait. Neither a timer nor a request that never comes keeps one: the next call drops what is too old. */
export interface PendingLaunches {
  /** @throws {HttpError} 429 if there is no room */
  assertRoom(): void;
  /** @throws {HttpError} 429 if there is no room */
  add(launch: PendingLaunch): void;
  /** The launch of one of these accounts. */
  find(accounts: readonly Address[]): PendingLaunch | undefined;
  /** How many there are. */
  readonly size: number;
}

/**
 * How long a launch waits: about twice as long as its block hash is valid, as blocks can take longer at times. What is signed
 * later can't land.
 */
export const LAUNCH_WAIT_MS = 60_000;
/** The most that wait, in about 20 MB. A core takes seconds to find a mint, so a single server doesn't fill this. */
export const MOST_PENDING_LAUNCHES = 1_000;

/**
 * Keeps launches. When it is full, it rejects new ones: the caller hears before asking a wallet, and can launch with
 * `mint-first`. If it dropped the oldest instead, anybody could void what a user is about to sign.
 */
export function createPendingLaunches({
  most = MOST_PENDING_LAUNCHES,
  waitMs = LAUNCH_WAIT_MS,
  now = () => performance.now(),
}: {
  readonly most?: number;
  readonly waitMs?: number;
  readonly now?: () => number;
} = {}): PendingLaunches {
  // All wait as long, so the first to be added is the first to end.
  const launches = new Map<Address, { readonly launch: PendingLaunch; readonly endsAt: number }>();
  const dropOld = () => {
    for (const [mint, { endsAt }] of launches) {
      if (endsAt > now()) break;
      launches.delete(mint);
    }
  };
  const assertRoom = () => {
    dropOld();
    if (launches.size < most) return;
    const [oldest] = launches.values();
    const retryAfterSeconds = ((oldest?.endsAt ?? 0) - now()) / 1000;
    refuse({
      status: 429,
      code: 'too-many-launches',
      message:
        'Too many launches wait for their wallets. Retry after the number of seconds in the retry-after header, or launch without signing_order.',
      headers: retryAfter({ retryAfterSeconds }),
    });
  };
  return {
    assertRoom,
    add: ({ mint, tx, instructions, lifetime, mintSigner, programAddress }) => {
      // A source may give the same mint again: its last launch counts.
      launches.delete(mint);
      assertRoom();
      const launch = { mint, tx, instructions, lifetime, mintSigner, programAddress };
      launches.set(mint, { launch, endsAt: now() + waitMs });
    },
    find: (accounts) => {
      dropOld();
      const mint = accounts.find((account) => launches.has(account));
      return mint && launches.get(mint)?.launch;
    },
    get size() {
      return launches.size;
    },
  };
}
