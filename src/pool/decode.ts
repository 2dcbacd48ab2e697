import { HeavenError } from '../base/errors.js';
import { assertObject } from '../base/input.js';
import type { TransferFee } from '../math/types.js';
import {
  assertShape,
  implausibleAccount,
  invalidAccount,
  isLessUint64,
  uint16,
  view,
} from '../solana/account-data.js';
import {
  extensionIn,
  isDisplayScaled,
  isMintData,
  type MintRight,
  readMintControl,
  type TransferLimit,
} from '../solana/token-extensions.js';
import { FIRST_EXTENSION, MINT } from '../solana/token-layout.js';
import {
  CLOCK,
  CONFIG,
  FEE_BRACKETS,
  FEE_TYPES,
  FEED,
  POOL,
  SLOT_BRACKETS,
  TRANSFER_FEE_EXTENSION,
} from './layout.js';

/** The raw data of the five accounts that a quote reads. */
export interface PoolAccounts {
  readonly pool: Uint8Array;
  readonly protocolConfig: Uint8Array;
  /** The mint of token A. */
  readonly mint: Uint8Array;
  /** The Chainlink SOL/USD feed. */
  readonly priceFeed: Uint8Array;
  /** The clock sysvar. */
  readonly clock: Uint8Array;
}

export type PoolKind = 'standard' | 'pro';

/** SOL in USD: `answer / 10^decimals`. */
export interface SolPrice {
  readonly answer: bigint;
  readonly decimals: number;
  /** Unix seconds. */
  readonly updatedAt: bigint;
}

/** A pool and everything that determines the price of a trade in it, as of one slot. */
export interface PoolSnapshot {
  readonly kind: PoolKind;
  readonly configVersion: number;
  /** The slot, epoch and time (Unix seconds) of the clock. */
  readonly slot: bigint;
  readonly epoch: bigint;
  readonly unixTimestamp: bigint;
  /** Token units. */
  readonly reserveA: bigint;
  /** Lamports, virtual SOL included. */
  readonly reserveB: bigint;
  /** Lamports of `reserveB` that nobody paid in: the virtual SOL of a standard pool, 0 for a pro pool. */
  readonly virtualReserveB: bigint;
  /** The reserves at the start of the last trade's slot window. `slots`: the pool's `leader_slot_window`, in leaders' slots. */
  readonly window: {
    readonly slot: bigint;
    readonly slots: number;
    readonly reserveA: bigint;
    readonly reserveB: bigint;
  };
  readonly isSwapEnabled: boolean;
  readonly isSameSlotTradingAllowed: boolean;
  readonly isSandwichResistant: boolean;
  /** Whose fee schedules apply: the protocol config's or the pool's own. */
  readonly feeSource: 'global' | 'local';
  /** Unix seconds. */
  readonly opensAt: bigint;
  readonly createdAtSlot: bigint;
  readonly token: {
    readonly decimals: number;
    /** Total supply in native units. */
    readonly supply: bigint;
    /** The Token-2022 transfer fee in force at `epoch`, unless it is 0. */
    readonly transferFee: TransferFee | undefined;
    /** The transfer fee from a later epoch on, if it costs more: its rate or its maximum is higher. */
    readonly nextTransferFee: (TransferFee & { readonly epoch: bigint }) | undefined;
    /** What those who control the mint can do to its holders. Empty for a mint without authorities. */
    readonly rights: readonly MintRight[];
    /** What stands in the way of transfers now. Empty for most tokens. */
    readonly transferLimits: readonly TransferLimit[];
    /** Whether wallets show other amounts than the decimals give, so that UI amounts are rejected. */
    readonly isDisplayScaled: boolean;
  };
  readonly solPrice: SolPrice;
  /** The data of the pool and its config, which hold the fee schedules. */
  readonly data: { readonly pool: Uint8Array; readonly protocolConfig: Uint8Array };
}

/** The addresses of {@link PoolAccounts}, for errors that name them. */
export interface PoolAccountNames {
  readonly pool?: string;
  readonly protocolConfig?: string;
  readonly priceFeed?: string;
}

/**
 * Decodes a snapshot from raw account data, without kit and without a call.
 * @param addresses The addresses of the accounts, to name them in errors.
 * @throws {HeavenError} `invalid-account-data`, `rpc-wrong-account`, `pool-mismatch`, `price-unavailable`
 * @example
 * ```ts
 * const snapshot = decodePoolSnapshot(poolAccounts); // of five accounts, as they were read
 * const { amountOut } = computeBuy(toSwapState(snapshot), 1_000_000_000n);
 * ```
 */
export function decodePoolSnapshot(accounts: PoolAccounts, addresses: PoolAccountNames = {}): PoolSnapshot {
  assertObject(accounts, 'accounts');
  assertObject(addresses, 'addresses');
  const { pool, protocolConfig, mint, priceFeed, clock } = accounts;
  assertShape(POOL, pool, addresses.pool);
  assertShape(CONFIG, protocolConfig, addresses.protocolConfig);
  assertShape(FEED, priceFeed, addresses.priceFeed);
  assertShape(CLOCK, clock);
  plausibleKindOf(pool, addresses.pool);
  assertSameVersion(configVersionIn(protocolConfig, addresses.protocolConfig), poolVersionOf(pool));
  const time = timeIn(clock);
  return composeSnapshot(pool, protocolConfig, {
    ...time,
    token: decodeMint(mint, time.epoch),
    solPrice: solPriceIn(priceFeed, time.unixTimestamp, addresses.priceFeed),
  });
}

/** The snapshot of a pool that {@link plausibleKindOf} accepted, its config, and what the other accounts hold. */
export function composeSnapshot(
  pool: Uint8Array,
  protocolConfig: Uint8Array,
  {
    slot,
    epoch,
    unixTimestamp,
    token,
    solPrice,
  }: Pick<PoolSnapshot, 'slot' | 'epoch' | 'unixTimestamp' | 'token' | 'solPrice'>,
): PoolSnapshot {
  const fields = view(pool);
  const flag = (offset: number) => pool[offset] !== 0;
  const kind = poolKindOf(pool);
  return {
    kind,
    configVersion: poolVersionOf(pool),
    slot,
    epoch,
    unixTimestamp,
    reserveA: uint64(fields, POOL.reserveA),
    reserveB: uint64(fields, POOL.reserveB),
    virtualReserveB: kind === 'standard' ? uint64(fields, POOL.initialB) : 0n,
    window: {
      slot: uint64(fields, POOL.snapshotSlot),
      slots: pool[POOL.leaderSlotWindow] as number,
      reserveA: uint64(fields, POOL.snapshotA),
      reserveB: uint64(fields, POOL.snapshotB),
    },
    isSwapEnabled: flag(POOL.allowSwap),
    isSameSlotTradingAllowed: flag(POOL.allowSameSlotTrading),
    isSandwichResistant: flag(POOL.sandwichResistantMode),
    feeSource: flag(POOL.feeConfigurationMode) ? 'local' : 'global',
    opensAt: uint64(fields, POOL.openAt),
    createdAtSlot: uint64(fields, POOL.createdAtSlot),
    token,
    solPrice,
    data: { pool, protocolConfig },
  };
}

const uint64 = (fields: DataView, at: number): bigint => fields.getBigUint64(at, true);

/** Returns the kind of a pool. Rejects one that holds what the program never writes. */
export function plausibleKindOf(pool: Uint8Array, address?: string): PoolKind {
  const mode = pool[POOL.feeConfigurationMode] as number;
  if (mode > 1)
    throw invalidAccount(
      POOL.name,
      `its fee configuration mode is ${mode}, neither global (0) nor local (1)`,
      address,
    );
  const kind = poolKindOf(pool, address);
  if (kind === 'standard' && isLessUint64(pool, POOL.reserveB, POOL.initialB)) {
    throw implausibleAccount(
      POOL.name,
      'reserve.tokenB',
      uint64(view(pool), POOL.reserveB),
      `at least ${uint64(view(pool), POOL.initialB)}`,
      address,
    );
  }
  assertSchedules(POOL, pool, address);
  return kind;
}

/** Returns the version of a pool's protocol config. */
export const poolVersionOf = (pool: Uint8Array): number => uint16(pool, POOL.protocolConfigVersion);

/** Returns the version of a protocol config whose shape is checked. Its schedules must be readable. */
export function configVersionIn(config: Uint8Array, address?: string): number {
  assertSchedules(CONFIG, config, address);
  return uint16(config, CONFIG.version);
}

const forKind = (kind: PoolKind) => ` the functions and quotes for ${kind} pools`;

/** The error when a pool has a different config version, which may mean that it is of another kind. */
export const configVersionMismatch = (asked: number | string, found: number, kind?: PoolKind) =>
  new HeavenError(
    'pool-mismatch',
    `The config version is ${asked}, but the pool belongs to version ${found}. Use ${found}${kind ? `, with${forKind(kind)}` : ''}.`,
    { field: 'configVersion', asked, found },
  );

/** Throws if a pool is not of the config version that it is expected to have. */
export function assertSameVersion(asked: number, found: number): void {
  if (asked !== found) throw configVersionMismatch(asked, found);
}

/** Throws if a pool is not of the kind that the function is for. */
export function assertPoolKind(asked: PoolKind, found: PoolKind): void {
  if (asked === found) return;
  throw new HeavenError(
    'pool-mismatch',
    `This is a ${found} pool, not a ${asked} one. Use${forKind(found)}.`,
    { field: 'kind', asked, found },
  );
}

/** Returns whether a pool is standard or pro. */
export function poolKindOf(pool: Uint8Array, address?: string): PoolKind {
  const type = pool[POOL.type];
  if (type === 2) return 'standard';
  if (type === 1) return 'pro';
  throw invalidAccount(POOL.name, `its pool type is ${type}, neither pro (1) nor standard (2)`, address);
}

/** Throws if there are more fee brackets than fit, or a bound is below the one before. If bounds are equal, the first applies. */
function assertSchedules(
  layout: typeof POOL | typeof CONFIG,
  account: Uint8Array,
  address: string | undefined,
): void {
  for (const group of ['marketCapBasedFees', 'slotOffsetBasedFees'] as const) {
    const isShort = group === 'slotOffsetBasedFees';
    const { size, bracketSize, maxBrackets, upperBound, countAt } = isShort ? SLOT_BRACKETS : FEE_BRACKETS;
    const bound = (at: number) => (isShort ? uint16(account, at) : uint64(view(account), at));
    for (const [type, name] of FEE_TYPES.entries()) {
      const start = layout[group] + type * size;
      const count = account[start + countAt] as number;
      const refuse = (field: string, found: bigint | number, expected: string) =>
        implausibleAccount(layout.name, `${group}.${name}.${field}`, found, expected, address);
      if (count > maxBrackets) throw refuse('count', count, `at most ${maxBrackets}`);
      for (let k = 1; k < count; k++) {
        const at = start + k * bracketSize + upperBound;
        const before = at - bracketSize;
        if (isShort ? uint16(account, at) < uint16(account, before) : isLessUint64(account, at, before))
          throw refuse(`brackets[${k}]`, bound(at), `at least ${bound(before)}`);
      }
    }
  }
}

type Time = Pick<PoolSnapshot, 'slot' | 'epoch' | 'unixTimestamp'>;

/** Decodes the slot, the epoch and the time (Unix seconds) from the clock sysvar. */
export function decodeClock(bytes: Uint8Array): Time {
  assertShape(CLOCK, bytes);
  return timeIn(bytes);
}

/** {@link decodeClock} of data whose shape is checked. */
export function timeIn(bytes: Uint8Array): Time {
  const clock = view(bytes);
  return {
    slot: uint64(clock, CLOCK.slot),
    epoch: uint64(clock, CLOCK.epoch),
    unixTimestamp: clock.getBigInt64(CLOCK.unixTimestamp, true),
  };
}

/** How many seconds a price may be ahead of the clock, which is the validators' estimate and lags behind. */
const MAX_SECONDS_AHEAD = 300n;

/**
 * Decodes the latest price in a Chainlink feed ([level M](/protocol)) whose shape is checked.
 * @param now The clock's time, in Unix seconds.
 */
export function solPriceIn(feed: Uint8Array, now: bigint, address?: string): SolPrice {
  const data = view(feed);
  const length = data.getUint32(FEED.liveLength, true);
  const cursor = data.getUint32(FEED.liveCursor, true);
  const decimals = data.getUint8(FEED.decimals);
  if (length > 0 && decimals <= 18) {
    const latest = FEED.ring + ((cursor + length - 1) % length) * FEED.transmission;
    if (data.byteLength >= latest + FEED.transmission) {
      const high = data.getBigInt64(latest + FEED.answer + 8, true);
      const answer = (high << 64n) + uint64(data, latest + FEED.answer);
      if (answer > 0n) {
        const updatedAt = BigInt(data.getUint32(latest + FEED.timestamp, true));
        const most = now + MAX_SECONDS_AHEAD;
        if (updatedAt <= most) return { answer, decimals, updatedAt };
        throw implausibleAccount(FEED.name, 'updatedAt', updatedAt, `at most ${most}`, address);
      }
    }
  }
  throw new HeavenError(
    'price-unavailable',
    'The SOL/USD feed holds no price, so the fees by market cap are not known. Try again later.',
    {},
  );
}

/** Decodes the decimals and supply of a mint, and what its extensions say. */
export function decodeMint(bytes: Uint8Array, epoch: bigint): PoolSnapshot['token'] {
  assertShape(MINT, bytes);
  const mint = view(bytes);
  if (mint.getUint8(MINT.isInitialized) !== 1) throw invalidAccount(MINT.name, 'it is not initialized');
  return {
    decimals: mint.getUint8(MINT.decimals),
    supply: uint64(mint, MINT.supply),
    ...transferFeesAt(bytes, epoch),
    ...readMintControl(bytes),
    isDisplayScaled: isDisplayScaled(bytes),
  };
}

type TransferFees = Pick<PoolSnapshot['token'], 'transferFee' | 'nextTransferFee'>;

/** Returns the fees of a Token-2022 mint: `newer` applies once its epoch is reached, else `older` ([level M](/protocol)). */
function transferFeesAt(data: Uint8Array, epoch: bigint): TransferFees {
  const none = { transferFee: undefined, nextTransferFee: undefined };
  if (data.length <= FIRST_EXTENSION) return none;
  if (!isMintData(data)) throw invalidAccount(MINT.name, 'its account type is not that of a mint');
  const { type, size, newer, older, epoch: from, maximum, basisPoints } = TRANSFER_FEE_EXTENSION;
  const content = extensionIn(data, type, (cut) => {
    throw invalidAccount(MINT.name, `its extension ${cut} is cut short`);
  });
  if (content === undefined) return none;
  if (content.length < size) throw invalidAccount(MINT.name, 'its transfer fee extension is cut short');
  const fields = view(content);
  const feeAt = (at: number): TransferFee | undefined => {
    const rate = BigInt(fields.getUint16(at + basisPoints, true));
    if (rate > 10_000n) throw invalidAccount(MINT.name, `its transfer fee is ${rate} basis points`);
    return rate === 0n ? undefined : { basisPoints: rate, maximum: uint64(fields, at + maximum) };
  };
  const start = uint64(fields, newer + from);
  const next = feeAt(newer);
  if (epoch >= start) return { ...none, transferFee: next };
  const transferFee = feeAt(older);
  const costsMore =
    next &&
    !(transferFee && next.basisPoints <= transferFee.basisPoints && next.maximum <= transferFee.maximum);
  return { transferFee, nextTransferFee: costsMore ? { ...next, epoch: start } : undefined };
}
