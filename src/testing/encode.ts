import { type Address, none, some } from '@solana/kit';
import { AccountState, getMintEncoder, getTokenEncoder } from '@solana-program/token';
import { assertHas, assertNames, assertU64, assertWhole, computeFrom, invalidInput } from '../base/input.js';

import { toNativeAmount, type UiAmount } from '../math/units.js';
import { CLOCK, FEE_BRACKETS, FEED, SLOT_BRACKETS, TRANSFER_FEE_EXTENSION } from '../pool/layout.js';
import type { FeeBracket, FeeBrackets, SlotFeeBracket, SlotFeeBrackets } from '../program/types.js';
import { view } from '../solana/account-data.js';
import { assertAddress, bytesOfAddress } from '../solana/addresses.js';
import { LOOKUP_TABLE } from '../solana/lookup-table.js';
import { RENT } from '../solana/rent.js';
import { ACCOUNT_TYPE, EXTENSION_HEADER, FIRST_EXTENSION, IS_MINT } from '../solana/token-layout.js';

// Encoders for the accounts that are not the exchange's own, and short forms for fee schedules.

const BRACKETS = 'lists of a bound, a buy fee and perhaps a sell fee';

/**
 * Market cap brackets in their on-chain form, at most 4, for tests that give a pool fees with `updatePool`. Fees in basis points: one for
 * both sides, or a buy and a sell fee.
 *
 * @throws {HeavenError} `invalid-input`; RangeError for more than 4 brackets
 * @example
 * ```ts
 * const fees = createFeeBrackets([100_000n, 100], [9_223_372_036_854_775_807n, 50, 25]);
 * console.log(fees.count); // 2
 * ```
 */
export const createFeeBrackets = (
  ...brackets: readonly (readonly [marketCapUpperBound: bigint, buyFeeBps: number, sellFeeBps?: number])[]
): FeeBrackets =>
  storedBrackets(
    computeFrom('brackets', BRACKETS, () =>
      brackets.map(([marketCapUpperBound, buyFeeBps, sellFeeBps = buyFeeBps]) => ({
        marketCapUpperBound,
        buyFeeBps,
        sellFeeBps,
      })),
    ),
  );

/**
 * An enabled slot schedule in its on-chain form, at most 42 brackets; without brackets, a disabled one. Fees in basis points.
 *
 * @throws {HeavenError} `invalid-input`; RangeError for more than 42 brackets
 * @example
 * ```ts
 * const schedule = createSlotFeeBrackets([5, 5_000], [15, 1_000]);
 * console.log(schedule.maxSlotOffset); // 15
 * ```
 */
export function createSlotFeeBrackets(
  ...brackets: readonly (readonly [slotOffsetUpperbound: number, buyFeeBps: number, sellFeeBps?: number])[]
): SlotFeeBrackets {
  const used = computeFrom('brackets', BRACKETS, () =>
    brackets.map(([slotOffsetUpperbound, buyFeeBps, sellFeeBps = buyFeeBps]) => ({
      slotOffsetUpperbound,
      buyFeeBps,
      sellFeeBps,
    })),
  );
  return {
    ...storedSlotBrackets(used),
    maxSlotOffset: Math.max(0, ...used.map((bracket) => bracket.slotOffsetUpperbound)),
    maxFeeBps: Math.max(0, ...used.flatMap((bracket) => [bracket.buyFeeBps, bracket.sellFeeBps])),
    enabled: used.length > 0 ? 1 : 0,
  };
}

/** Market cap brackets, padded to the list of four that accounts hold. */
export const storedBrackets = (brackets: readonly FeeBracket[]): FeeBrackets =>
  stored(brackets, FEE_BRACKETS.maxBrackets, { marketCapUpperBound: 0n, buyFeeBps: 0, sellFeeBps: 0 });

/** Slot brackets, padded to the list of 42 that accounts hold. */
export const storedSlotBrackets = (brackets: readonly SlotFeeBracket[]) =>
  stored(brackets, SLOT_BRACKETS.maxBrackets, { slotOffsetUpperbound: 0, buyFeeBps: 0, sellFeeBps: 0 });

const stored = <TBracket>(used: readonly TBracket[], length: number, unused: TBracket) => ({
  brackets: [...used, ...Array<TBracket>(length - used.length).fill(unused)],
  count: used.length,
});

/** A Token-2022 transfer fee, in force from an epoch on. */
export interface TransferFeeSetting {
  readonly epoch: bigint;
  readonly basisPoints: number;
  /** The most that one transfer is charged, in token units. */
  readonly maximum: bigint;
}

/** What a mint of the embedded ledger holds. */
export interface MintFields {
  readonly decimals: number;
  /** Native units. */
  readonly supply: bigint;
  readonly mintAuthority?: Address;
  readonly freezeAuthority?: Address;
  /** Adds the transfer fee extension of Token-2022. */
  readonly transferFee?: { readonly older: TransferFeeSetting; readonly newer: TransferFeeSetting };
}

/**
 * A mint: 82 bytes, or a Token-2022 mint of 278 with the transfer fee extension.
 *
 * @throws {HeavenError} `invalid-address`, `invalid-amount`, `amount-out-of-range`, `invalid-input`
 * @example
 * ```ts
 * const data = encodeMint({ decimals: 9, supply: 1_000_000_000_000_000_000n });
 * console.log(data.length); // 82
 * ```
 */
export function encodeMint(fields: MintFields): Uint8Array {
  const known = { decimals: 1, supply: 1, mintAuthority: 1, freezeAuthority: 1, transferFee: 1 };
  assertNames(fields, 'fields', known);
  const { decimals, supply, mintAuthority, freezeAuthority, transferFee } = fields;
  assertWhole('decimals', decimals, [0, 255]);
  assertU64(supply, 'supply');
  if (mintAuthority) assertAddress(mintAuthority, 'mintAuthority');
  if (freezeAuthority) assertAddress(freezeAuthority, 'freezeAuthority');
  const base = getMintEncoder().encode({
    decimals,
    supply,
    isInitialized: true,
    mintAuthority: mintAuthority ? some(mintAuthority) : none(),
    freezeAuthority: freezeAuthority ? some(freezeAuthority) : none(),
  });
  if (!transferFee) return base as Uint8Array;
  const { type, size, older, newer, epoch, maximum, basisPoints } = TRANSFER_FEE_EXTENSION;
  const bytes = new Uint8Array(FIRST_EXTENSION + EXTENSION_HEADER + size);
  bytes.set(base);
  const data = view(bytes);
  data.setUint8(ACCOUNT_TYPE, IS_MINT);
  data.setUint16(FIRST_EXTENSION, type, true);
  data.setUint16(FIRST_EXTENSION + 2, size, true);
  for (const [offset, setting] of [
    [older, transferFee.older],
    [newer, transferFee.newer],
  ] as const) {
    const at = FIRST_EXTENSION + EXTENSION_HEADER + offset;
    assertHas(setting, 'epoch', 'transferFee', 'an object with an older and a newer fee');
    assertU64(setting.epoch, 'transferFee.epoch');
    assertU64(setting.maximum, 'transferFee.maximum');
    data.setBigUint64(at + epoch, setting.epoch, true);
    data.setBigUint64(at + maximum, setting.maximum, true);
    data.setUint16(at + basisPoints, setting.basisPoints, true);
  }
  return bytes;
}

/**
 * A token account of 165 bytes.
 *
 * @throws {HeavenError} `invalid-address`, `invalid-amount`, `amount-out-of-range`
 * @example
 * ```ts
 * const data = encodeTokenAccount({ mint, owner: wallet, amount: 1_000_000_000n });
 * console.log(data.length); // 165
 * ```
 */
export function encodeTokenAccount(fields: {
  readonly mint: Address;
  readonly owner: Address;
  readonly amount: bigint;
  readonly isFrozen?: boolean;
  /** The rent that a wrapped SOL account sets aside, in lamports. */
  readonly nativeReserve?: bigint;
}): Uint8Array {
  const known = { mint: 1, owner: 1, amount: 1, isFrozen: 1, nativeReserve: 1 };
  assertNames(fields, 'fields', known);
  assertAddress(fields.mint, 'mint');
  assertAddress(fields.owner, 'owner');
  assertU64(fields.amount, 'amount');
  if (fields.nativeReserve !== undefined) assertU64(fields.nativeReserve, 'nativeReserve');
  return getTokenEncoder().encode({
    mint: fields.mint,
    owner: fields.owner,
    amount: fields.amount,
    delegate: none(),
    state: fields.isFrozen ? AccountState.Frozen : AccountState.Initialized,
    isNative: fields.nativeReserve === undefined ? none() : some(fields.nativeReserve),
    delegatedAmount: 0n,
    closeAuthority: none(),
  }) as Uint8Array;
}

/** A Chainlink feed with one transmission and 8 decimals. */
export function encodePriceFeed(fields: {
  /** USD per SOL. */
  readonly price: UiAmount;
  readonly slot: bigint;
  /** Unix seconds. */
  readonly timestamp: bigint;
}): Uint8Array {
  assertU64(fields.slot, 'slot');
  assertU64(fields.timestamp, 'timestamp');
  const bytes = new Uint8Array(FEED.ring + FEED.transmission);
  const data = view(bytes);
  bytes.set(FEED.discriminator);
  data.setUint8(8, 2);
  data.setUint8(9, 1);
  data.setUint8(FEED.decimals, 8);
  data.setUint32(FEED.liveLength, 1, true);
  data.setBigUint64(FEED.ring, fields.slot, true);
  data.setUint32(FEED.ring + FEED.timestamp, Number(fields.timestamp), true);
  data.setBigUint64(FEED.ring + FEED.answer, toNativeAmount(fields.price, 8, 'price'), true);
  return bytes;
}

/** The clock sysvar. */
export function encodeClock(fields: {
  readonly slot: bigint;
  readonly epoch: bigint;
  readonly unixTimestamp: bigint;
}): Uint8Array {
  const { slot, epoch, unixTimestamp } = fields;
  assertU64(slot, 'slot');
  assertU64(epoch, 'epoch');
  if (typeof unixTimestamp !== 'bigint') throw invalidInput('unixTimestamp', unixTimestamp, 'a bigint');
  const bytes = new Uint8Array(CLOCK.size);
  const data = view(bytes);
  data.setBigUint64(CLOCK.slot, slot, true);
  data.setBigUint64(CLOCK.epoch, epoch, true);
  data.setBigInt64(CLOCK.unixTimestamp, unixTimestamp, true);
  return bytes;
}

/** The rent sysvar, as clusters write it today: the threshold is 1. */
export function encodeRent(lamportsPerByte: bigint): Uint8Array {
  const bytes = new Uint8Array(RENT.size);
  const data = view(bytes);
  data.setBigUint64(RENT.lamportsPerByte, lamportsPerByte, true);
  data.setFloat64(RENT.threshold, 1, true);
  data.setUint8(RENT.burnPercent, 50);
  return bytes;
}

/** An active lookup table. */
export function encodeLookupTable(fields: {
  readonly addresses: readonly Address[];
  /** Default: long ago. */
  readonly lastExtendedSlot?: bigint;
  /** How many addresses the table had before its last extension. Default: none. */
  readonly lastExtendedStart?: number;
  /** Default: never. */
  readonly deactivationSlot?: bigint;
}): Uint8Array {
  const { header, type, deactivationSlot, lastExtendedSlot, lastExtendedStart } = LOOKUP_TABLE;
  for (const field of ['deactivationSlot', 'lastExtendedSlot'] as const)
    if (fields[field] !== undefined) assertU64(fields[field], field);
  const bytes = new Uint8Array(header + fields.addresses.length * 32);
  const data = view(bytes);
  data.setUint32(type, 1, true);
  data.setBigUint64(deactivationSlot, fields.deactivationSlot ?? 0xffff_ffff_ffff_ffffn, true);
  data.setBigUint64(lastExtendedSlot, fields.lastExtendedSlot ?? 0n, true);
  data.setUint8(lastExtendedStart, fields.lastExtendedStart ?? 0);
  for (const [index, address] of fields.addresses.entries()) {
    assertAddress(address, `addresses[${index}]`);
    bytes.set(bytesOfAddress(address), header + index * 32);
  }
  return bytes;
}
