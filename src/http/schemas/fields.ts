import { MAX_FEE_BRACKETS, MAX_SLOT_FEE_BRACKETS } from '../../program/types.js';
import type { ComputeBudgetDefaults } from '../../transaction/message-format.js';
import {
  address,
  type Codec,
  flag,
  flexibleInteger,
  integer,
  list,
  optional,
  smallInteger,
  strict,
  text,
} from './codec.js';

// Fields that several operations share.

/** A native amount, or a slot. */
export const u64 = integer({ format: 'uint64' });
/** A native amount that must not be 0. */
export const positive = integer({ format: 'uint64', minimum: 1 });
export const basisPoints = smallInteger(10_000);
export const version = smallInteger(65_535);
const slots = smallInteger(65_535);

/** A transaction version. The builders check it, because their error uses the caller's field name. */
const transactionVersion = smallInteger(1) as Codec<0 | 1>;

export const programId = { programId: address };
export const pool = { programId: address, pool: address };
export const standardPool = { programId: address, configVersion: version, mint: address };
/** Required in requests, but callers of the remote client may leave it out. */
export const eventData = { encodedUserDefinedEventData: { ...text, whenLeftOut: '' } };

const computeUnits = smallInteger(4_294_967_295);
const loadedBytes = smallInteger(67_108_864);
const microLamports = flexibleInteger({ format: 'uint64' });

/** The fields of every transaction request. */
export const transaction = ({ limit, price }: ComputeBudgetDefaults) => ({
  payer: address,
  computeUnitLimit: optional(computeUnits, limit),
  computeUnitPrice: optional(microLamports, Number(price)),
  loadedAccountsDataSizeLimit: optional(loadedBytes),
  transactionVersion: optional(transactionVersion, 0),
});

/** Lamports to claim. */
export const claimAmount = { amount: optional(u64, 0) };

export const feeBracket = strict({
  marketCapUpperBound: integer({ format: 'int64' }),
  buyFeeBps: basisPoints,
  sellFeeBps: basisPoints,
});
export const slotFeeBracket = strict({
  slotOffsetUpperbound: slots,
  buyFeeBps: basisPoints,
  sellFeeBps: basisPoints,
});

const BRACKETS = 'a list of brackets';
export const feeBrackets = list(feeBracket, { maxItems: MAX_FEE_BRACKETS, what: BRACKETS });
export const slotSchedule = {
  brackets: list(slotFeeBracket, { maxItems: MAX_SLOT_FEE_BRACKETS, what: BRACKETS }),
  maxSlotOffset: slots,
  maxFeeBps: basisPoints,
  enabled: flag,
};
