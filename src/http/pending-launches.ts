import type { Address } from '@solana/kit';
import type { BuiltLaunch } from '../standard/create-standard-liquidity-pool.js';
import { refuse } from './errors.js';
import { retryAfter } from './exchange.js';

// Launches that a wallet signs before their mint's key does. They and their keys exist only in this process's memory.

/** A launch that waits for its wallet's signature. */
export interface PendingLaunch
  extends Required<
    Pick<BuiltLaunch, 'mint' | 'tx' | 'instructions' | 'computeBudget' | 'lifetime' | 'mintSigner'>
  > {
  /** The exchange program that it is for. */
  readonly programAddress: Address;
}

/** The waiting launches. There are no timers: each call drops the launches that are too old. */
export interface PendingLaunches {
  /** @throws {HttpError} 429 if there is no room */
  assertRoom(): void;
  /** @throws {HttpError} 429 if there is no room */
  add(launch: PendingLaunch): void;
  /** The launch whose mint is one of these accounts. */
  find(accounts: readonly Address[]): PendingLaunch | undefined;
  /** The number of waiting launches. */
  readonly size: number;
}

/**
 * How long a launch waits: about twice as long as its block hash is valid, because blocks are sometimes slow. A later signature
 * can't land.
 */
export const LAUNCH_WAIT_MS = 60_000;
/** The most waiting launches, about 20 MB. A core takes seconds to find a mint, so a single server never fills this. */
export const MOST_PENDING_LAUNCHES = 1_000;

/**
 * Keeps launches. When it is full, it rejects new ones: the caller learns this before asking a wallet, and can launch with
 * `mint-first`. If it dropped the oldest instead, anybody could void a launch that a user is about to sign.
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
  // All wait equally long, so the first to be added is the first to expire.
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
    add: ({ mint, tx, instructions, computeBudget, lifetime, mintSigner, programAddress }) => {
      // A source may return the same mint again: only its last launch counts.
      launches.delete(mint);
      assertRoom();
      const launch = { mint, tx, instructions, computeBudget, lifetime, mintSigner, programAddress };
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
