import { HeavenError } from '../errors.js';
import type { TransferFee } from '../math/types.js';
import { DEFAULT_RULES, type ProtocolRules } from '../program/rules.js';
import { invalidAccount, openAccount, view } from '../solana/account-data.js';
import { extensionIn, isMintData } from '../solana/token-extensions.js';
import {
  CLOCK,
  CONFIG,
  FEE_BRACKETS,
  FEE_TYPES,
  FEED,
  MINT,
  POOL,
  SLOT_BRACKETS,
  TRANSFER_FEE_EXTENSION,
} from './layout.js';
import { configVersionMismatch } from './mismatch.js';

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

/** SOL in USD: `answer / 10^decimals`. */
export interface SolPrice {
  readonly answer: bigint;
  readonly decimals: number;
  /** Unix seconds. */
  readonly updatedAt: bigint;
}

/** A pool and everything that determines the price of a trade in it, as of one slot. */
export interface PoolSnapshot {
  readonly kind: 'standard' | 'pro';
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
  };
  readonly solPrice: SolPrice;
  /** The rules that the program is assumed to follow: the client's rules. */
  readonly rules: ProtocolRules;
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
 * @param rules A client's `deployment.rules`. Default: {@link DEFAULT_RULES}.
 * @throws {HeavenError} `invalid-account-data`, `implausible-account`, `config-version-mismatch`, `price-unavailable`
 * @example
 * ```ts
 * const snapshot = decodePoolSnapshot(poolAccounts); // of five accounts, as they were read
 * const { amountOut } = computeBuy(toSwapState(snapshot), 1_000_000_000n);
 * ```
 */
export function decodePoolSnapshot(
  accounts: PoolAccounts,
  addresses: PoolAccountNames = {},
  rules: ProtocolRules = DEFAULT_RULES,
): PoolSnapshot {
  const pool = readPool(openPool(accounts.pool, addresses.pool));
  const actual = decodeConfigVersion(accounts.protocolConfig, addresses.protocolConfig);
  if (actual !== pool.configVersion) throw configVersionMismatch(actual, pool.configVersion);
  const clock = decodeClock(accounts.clock);
  return composeSnapshot(
    pool,
    clock,
    decodeMint(accounts.mint, clock.epoch),
    decodeSolPrice(accounts.priceFeed, clock.unixTimestamp, addresses.priceFeed),
    rules,
    { pool: accounts.pool, protocolConfig: accounts.protocolConfig },
  );
}

/** Composes a snapshot from its decoded parts. Field by field: on a hot path, spreading this many is slow. */
export const composeSnapshot = (
  pool: DecodedPool,
  { slot, epoch, unixTimestamp }: Pick<PoolSnapshot, 'slot' | 'epoch' | 'unixTimestamp'>,
  token: PoolSnapshot['token'],
  solPrice: SolPrice,
  rules: ProtocolRules,
  data: PoolSnapshot['data'],
): PoolSnapshot => ({
  kind: pool.kind,
  configVersion: pool.configVersion,
  slot,
  epoch,
  unixTimestamp,
  reserveA: pool.reserveA,
  reserveB: pool.reserveB,
  virtualReserveB: pool.virtualReserveB,
  window: pool.window,
  isSwapEnabled: pool.isSwapEnabled,
  isSameSlotTradingAllowed: pool.isSameSlotTradingAllowed,
  isSandwichResistant: pool.isSandwichResistant,
  feeSource: pool.feeSource,
  opensAt: pool.opensAt,
  createdAtSlot: pool.createdAtSlot,
  token,
  solPrice,
  rules,
  data,
});

/** The part of a snapshot that comes from the pool's own account. */
export type DecodedPool = Omit<
  PoolSnapshot,
  'slot' | 'epoch' | 'unixTimestamp' | 'token' | 'solPrice' | 'rules' | 'data'
>;

/** Returns a view of a pool's account after checking that nothing in it is impossible. */
export function openPool(bytes: Uint8Array, address?: string): DataView {
  const pool = openAccount(POOL, bytes, address);
  const mode = pool.getUint8(POOL.feeConfigurationMode);
  if (mode > 1)
    throw invalidAccount(
      POOL.name,
      `its fee configuration mode is ${mode}, neither global (0) nor local (1)`,
    );
  if (poolKindOf(pool) === 'standard') {
    const reserveB = pool.getBigUint64(POOL.reserveB, true);
    const virtualReserveB = pool.getBigUint64(POOL.initialB, true);
    if (reserveB < virtualReserveB)
      throw implausible(POOL.name, 'reserve.tokenB', reserveB, `at least ${virtualReserveB}`, address);
  }
  assertSchedules(POOL, pool, address);
  return pool;
}

/** Reads a pool's account through the view that {@link openPool} returned. */
export function readPool(pool: DataView): DecodedPool {
  const kind = poolKindOf(pool);
  return {
    kind,
    configVersion: pool.getUint16(POOL.protocolConfigVersion, true),
    reserveA: pool.getBigUint64(POOL.reserveA, true),
    reserveB: pool.getBigUint64(POOL.reserveB, true),
    virtualReserveB: kind === 'standard' ? pool.getBigUint64(POOL.initialB, true) : 0n,
    window: {
      slot: pool.getBigUint64(POOL.snapshotSlot, true),
      slots: pool.getUint8(POOL.leaderSlotWindow),
      reserveA: pool.getBigUint64(POOL.snapshotA, true),
      reserveB: pool.getBigUint64(POOL.snapshotB, true),
    },
    isSwapEnabled: pool.getUint8(POOL.allowSwap) !== 0,
    isSameSlotTradingAllowed: pool.getUint8(POOL.allowSameSlotTrading) !== 0,
    isSandwichResistant: pool.getUint8(POOL.sandwichResistantMode) !== 0,
    feeSource: pool.getUint8(POOL.feeConfigurationMode) === 0 ? 'global' : 'local',
    opensAt: pool.getBigUint64(POOL.openAt, true),
    createdAtSlot: pool.getBigUint64(POOL.createdAtSlot, true),
  };
}

/** Returns the version of a protocol config, whose schedules must be readable. */
export function decodeConfigVersion(bytes: Uint8Array, address?: string): number {
  const config = openAccount(CONFIG, bytes, address);
  assertSchedules(CONFIG, config, address);
  return config.getUint16(CONFIG.version, true);
}

/** Returns whether a pool is standard or pro. */
export function poolKindOf(pool: DataView): PoolSnapshot['kind'] {
  const type = pool.getUint8(POOL.type);
  if (type === 2) return 'standard';
  if (type === 1) return 'pro';
  throw invalidAccount(POOL.name, `its pool type is ${type}, neither pro (1) nor standard (2)`);
}

const implausible = (
  account: string,
  field: string,
  found: bigint | number,
  expected: string,
  address: string | undefined,
) =>
  new HeavenError(
    'implausible-account',
    `The ${account} ${address ?? 'data'} can't be right: ${field} is ${found}, and must be ${expected}. Use another node.`,
    { account, address, field, found: BigInt(found), expected },
  );

/** Throws if there are more fee brackets than fit, or a bound is below the one before. If bounds are equal, the first applies. */
export function assertSchedules(
  { name, marketCapBasedFees, slotOffsetBasedFees }: typeof POOL | typeof CONFIG,
  account: DataView,
  address: string | undefined,
): void {
  assertBrackets(name, 'marketCapBasedFees', account, marketCapBasedFees, FEE_BRACKETS, address);
  assertBrackets(name, 'slotOffsetBasedFees', account, slotOffsetBasedFees, SLOT_BRACKETS, address);
}

function assertBrackets(
  name: string,
  group: string,
  account: DataView,
  offset: number,
  { size, bracket, most, upperBound, count: countAt }: typeof FEE_BRACKETS | typeof SLOT_BRACKETS,
  address: string | undefined,
): void {
  for (let type = 0; type < FEE_TYPES.length; type++) {
    const start = offset + type * size;
    const count = account.getUint8(start + countAt);
    if (count > most)
      throw implausible(name, `${group}.${FEE_TYPES[type]}.count`, count, `at most ${most}`, address);
    let before: bigint | number = 0;
    for (let k = 0; count > 1 && k < count; k++) {
      const at = start + k * bracket + upperBound;
      const bound =
        size === SLOT_BRACKETS.size ? account.getUint16(at, true) : account.getBigUint64(at, true);
      if (bound < before)
        throw implausible(
          name,
          `${group}.${FEE_TYPES[type]}.brackets[${k}]`,
          bound,
          `at least ${before}`,
          address,
        );
      before = bound;
    }
  }
}

/** Decodes the slot, the epoch and the time (Unix seconds) from the clock sysvar. */
export function decodeClock(bytes: Uint8Array): Pick<PoolSnapshot, 'slot' | 'epoch' | 'unixTimestamp'> {
  const clock = openAccount(CLOCK, bytes);
  return {
    slot: clock.getBigUint64(CLOCK.slot, true),
    epoch: clock.getBigUint64(CLOCK.epoch, true),
    unixTimestamp: clock.getBigInt64(CLOCK.unixTimestamp, true),
  };
}

/** How many seconds a price may be ahead of the clock, which is the validators' estimate and lags behind. */
const MOST_SECONDS_AHEAD = 300n;

/**
 * Decodes the latest price in a Chainlink feed ([level M](/protocol)).
 * @param now The clock's time, in Unix seconds.
 */
export function decodeSolPrice(feed: Uint8Array, now: bigint, address?: string): SolPrice {
  const data = openAccount(FEED, feed, address);
  const length = data.getUint32(FEED.liveLength, true);
  const cursor = data.getUint32(FEED.liveCursor, true);
  const decimals = data.getUint8(FEED.decimals);
  if (length > 0 && decimals <= 18) {
    const latest = FEED.ring + ((cursor + length - 1) % length) * FEED.transmission;
    if (data.byteLength >= latest + FEED.transmission) {
      const high = data.getBigInt64(latest + FEED.answer + 8, true);
      const answer = (high << 64n) + data.getBigUint64(latest + FEED.answer, true);
      if (answer > 0n) {
        const updatedAt = BigInt(data.getUint32(latest + FEED.timestamp, true));
        const most = now + MOST_SECONDS_AHEAD;
        if (updatedAt <= most) return { answer, decimals, updatedAt };
        throw implausible(FEED.name, 'updatedAt', updatedAt, `at most ${most}`, address);
      }
    }
  }
  throw new HeavenError(
    'price-unavailable',
    'The SOL/USD feed holds no price, so the fees by market cap are not known. Try again later.',
    {},
  );
}

/** Decodes the decimals, supply and transfer fee of a mint. */
export function decodeMint(bytes: Uint8Array, epoch: bigint): PoolSnapshot['token'] {
  const mint = openAccount(MINT, bytes);
  if (mint.getUint8(MINT.isInitialized) !== 1) throw invalidAccount(MINT.name, 'it is not initialized');
  return {
    decimals: mint.getUint8(MINT.decimals),
    supply: mint.getBigUint64(MINT.supply, true),
    transferFee: transferFeeAt(bytes, epoch),
  };
}

/** Returns the fee of a Token-2022 mint: `newer` once its epoch is reached, else `older` ([level M](/protocol)). */
function transferFeeAt(data: Uint8Array, epoch: bigint): TransferFee | undefined {
  if (data.length <= MINT.extensions) return undefined;
  if (!isMintData(data)) throw invalidAccount(MINT.name, 'its account type says it is none');
  const { type, size, newer, older, epoch: from, maximum, basisPoints } = TRANSFER_FEE_EXTENSION;
  const content = extensionIn(data, type, (cut) => {
    throw invalidAccount(MINT.name, `its extension ${cut} is cut short`);
  });
  if (content === undefined) return undefined;
  if (content.length < size) throw invalidAccount(MINT.name, 'its transfer fee extension is cut short');
  const fields = view(content);
  const fee = epoch >= fields.getBigUint64(newer + from, true) ? newer : older;
  const rate = BigInt(fields.getUint16(fee + basisPoints, true));
  if (rate > 10_000n) throw invalidAccount(MINT.name, `its transfer fee is ${rate} basis points`);
  return rate === 0n ? undefined : { basisPoints: rate, maximum: fields.getBigUint64(fee + maximum, true) };
}
