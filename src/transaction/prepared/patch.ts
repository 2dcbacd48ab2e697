import { HeavenError, type HeavenErrorContexts } from '../../base/errors.js';
import {
  assertHas,
  assertPositiveU64,
  assertU64,
  type FieldsOf,
  hasNoField,
  inputError,
  invalidInput,
  throughJson,
} from '../../base/input.js';
import { U64_MAX } from '../../base/integers.js';
import { view } from '../../solana/account-data.js';
import { addressIn, bytesOfAddress, isValidAddress, plainAddress } from '../../solana/addresses.js';
import { priorityFee } from '../../solana/compute-budget.js';
import { createRecent } from '../../solana/recent.js';
import { computeUnitsOf } from '../compute-units.js';
import type { TransactionLifetime } from '../lifetime.js';
import type { TransactionTip } from '../tip.js';

// The hot path of a bot: bytes in, bytes out. Without kit.

/** A prepared trade as plain data, made by {@link prepareTrade}. `structuredClone` copies it, so a worker can patch it. */
export interface PreparedTradeData {
  readonly version: 0 | 1;
  /** The unsigned transaction as it was built. */
  readonly bytes: Uint8Array;
  /** The slot of the pool state that it was built on. */
  readonly slot: bigint;
  /** How many slots after `slot` it may still be patched. `undefined`: any number. */
  readonly maxAge: bigint | undefined;
  /** The values it was built with. A patch keeps those that it doesn't set. */
  readonly computeUnitLimit: number;
  /** Micro-lamports. */
  readonly computeUnitPrice: bigint;
  readonly tip: TransactionTip | undefined;
  /** The offset of each value in `bytes`. */
  readonly offsets: {
    /** The amount, and what the builder added to it: the rent of a temporary account. */
    readonly amounts: readonly { readonly at: number; readonly plus: bigint }[];
    readonly minimumOut: number;
    readonly blockhash: number;
    readonly computeUnitLimit: number | undefined;
    /** The price of a unit in version 0. */
    readonly computeUnitPrice: number | undefined;
    /** The fee in lamports in version 1. */
    readonly priorityFee: number | undefined;
    readonly tip: number | undefined;
  };
}

/** What {@link patchTrade} writes into a prepared trade. Values left out stay as prepared. */
export interface TradePatch {
  /** What leaves the wallet: lamports of a buy, token units of a sell. */
  readonly amount: bigint;
  /** The least that must arrive: token units of a buy, lamports of a sell. From a quote of `amount`. */
  readonly minimumOut: bigint;
  /** The newest block hash. Two trades with the same values and block hash are one transaction, which runs once. */
  readonly lifetime?: Pick<TransactionLifetime, 'blockhash'> | null | undefined;
  readonly computeUnitLimit?: number | null | undefined;
  /** Micro-lamports. */
  readonly computeUnitPrice?: bigint | number | null | undefined;
  /** A new amount for the account that the trade was prepared with. */
  readonly tip?: TransactionTip | null | undefined;
  /** The cluster's slot now. Needed if the trade was prepared with a `maxAge`. */
  readonly currentSlot?: bigint | null | undefined;
}

/** By name, to catch misspelt values. */
const FIELDS: FieldsOf<TradePatch> = {
  amount: 1,
  minimumOut: 1,
  lifetime: 1,
  computeUnitLimit: 1,
  computeUnitPrice: 1,
  tip: 1,
  currentSlot: 1,
};

/**
 * Writes new values into a prepared trade in a few microseconds, without kit and without a call to the node. The result is
 * byte for byte what the builder would build for these values.
 *
 * It does not quote: take `minimumOut` from a quote on the current state.
 *
 * @param prepared The `data` of a prepared trade.
 * @returns The unsigned transaction as it goes over the wire, with empty signatures: for `signPrepared`.
 * @throws {HeavenError} `not-patchable` (with this value the accounts or instructions would be others, or the trade is older than its `maxAge`),
 * `invalid-input`, `invalid-amount`, `zero-amount`, `amount-out-of-range`
 * @example
 * ```ts
 * const { data } = prepareTrade(client, await buildBuy(client, { payer, quoteResponse: quote }));
 * const bytes = patchTrade(data, { amount: 100_000_000n, minimumOut: 1n, lifetime });
 * ```
 */
export function patchTrade(prepared: PreparedTradeData, patch: TradePatch): Uint8Array<ArrayBuffer> {
  assertHas(prepared, 'offsets', 'prepared', 'the data of a prepared trade');
  if (!ArrayBuffer.isView(prepared.bytes)) throw throughJson('prepared');
  assertHas(patch, 'amount', 'patch', 'an object with amount and minimumOut');
  for (const field in patch) if (!Object.hasOwn(FIELDS, field)) throw unknownField(field);
  const { amount, minimumOut } = patch;
  assertPositiveU64(amount, 'amount');
  assertU64(minimumOut, 'minimumOut');
  if (prepared.maxAge !== undefined) assertRecent(prepared, prepared.maxAge, patch.currentSlot);

  const { offsets } = prepared;
  const bytes = new Uint8Array(prepared.bytes);
  const data = view(bytes);
  for (const { at, plus } of offsets.amounts) {
    assertWithinU64(amount, plus);
    data.setBigUint64(at, amount + plus, true);
  }
  data.setBigUint64(offsets.minimumOut, minimumOut, true);
  if (patch.lifetime) bytes.set(blockhashBytes(patch.lifetime.blockhash), offsets.blockhash);
  writeBudget(data, prepared, patch);
  if (patch.tip) writeTip(data, prepared, patch.tip);
  return bytes;
}

/** A buy through a temporary account puts the account's rent and the amount into one transfer. */
function assertWithinU64(amount: bigint, plus: bigint): void {
  if (amount + plus <= U64_MAX) return;
  throw new HeavenError(
    'amount-out-of-range',
    `amount is ${amount}: with the ${plus} lamports of rent for the temporary account it does not fit into 64 bits.`,
    { field: 'amount', value: amount },
  );
}

function assertRecent(
  { slot }: PreparedTradeData,
  maxAge: bigint,
  currentSlot: bigint | null | undefined,
): void {
  if (currentSlot === undefined || currentSlot === null)
    throw inputError(
      'currentSlot',
      'The trade was prepared with a maxAge: pass the current slot as currentSlot.',
    );
  assertU64(currentSlot, 'currentSlot');
  if (currentSlot - slot <= maxAge) return;
  throw notPatchable(
    'currentSlot',
    `The trade was prepared on the state of slot ${slot}. Slot ${currentSlot} is ${currentSlot - slot} slots later, and maxAge is ${maxAge}. Prepare it again.`,
    { asked: currentSlot, found: slot, maxAge },
  );
}

const decoded = /* @__PURE__ */ createRecent<Uint8Array>(64);

/** Caches the latest block hashes: many trades share one. */
function blockhashBytes(blockhash: string): Uint8Array {
  const known = typeof blockhash === 'string' ? decoded.get(blockhash) : undefined;
  if (known !== undefined) return known;
  if (!isValidAddress(blockhash))
    throw invalidInput('lifetime.blockhash', blockhash, 'a base58 block hash of 32 bytes');
  const bytes = bytesOfAddress(blockhash);
  decoded.set(blockhash, bytes);
  return bytes;
}

function writeBudget(data: DataView, prepared: PreparedTradeData, patch: TradePatch): void {
  const { version, offsets } = prepared;
  const limit = patch.computeUnitLimit ?? undefined;
  const microLamports = patch.computeUnitPrice ?? undefined;
  if (limit === undefined && microLamports === undefined) return;
  const { units, price } = computeUnitsOf(
    version,
    limit ?? prepared.computeUnitLimit,
    microLamports ?? prepared.computeUnitPrice,
  );
  if (version === 0) {
    assertSameInstruction('computeUnitLimit', prepared.computeUnitLimit, units);
    assertSameInstruction('computeUnitPrice', prepared.computeUnitPrice, price);
  }
  if (offsets.computeUnitLimit !== undefined) data.setUint32(offsets.computeUnitLimit, units, true);
  if (offsets.computeUnitPrice !== undefined) data.setBigUint64(offsets.computeUnitPrice, price, true);
  if (offsets.priorityFee !== undefined)
    data.setBigUint64(offsets.priorityFee, priorityFee(units, price), true);
}

/** Version 0 has an instruction for a value, and none for 0. */
function assertSameInstruction(field: string, found: number | bigint, asked: number | bigint): void {
  if ((Number(found) === 0) === (Number(asked) === 0)) return;
  const [is, was] = Number(asked) === 0 ? ['no instruction', 'one'] : ['an instruction', 'none'];
  throw notPatchable(
    field,
    `${field} ${asked} takes ${is}, and the trade was prepared with ${was}, for ${found}. Prepare another trade with it.`,
    { asked, found },
  );
}

function writeTip(data: DataView, { tip: prepared, offsets }: PreparedTradeData, tip: TransactionTip): void {
  assertHas(tip, 'lamports', 'tip', 'an object with to and lamports');
  const { to, lamports } = tip;
  if (prepared === undefined || offsets.tip === undefined) {
    throw notPatchable('tip', 'The trade was prepared without a tip. Prepare it with one.', { asked: tip });
  }
  const [asked, found] = [addressIn(to, 'tip.to'), plainAddress(prepared.to)];
  if (asked !== found) {
    throw notPatchable(
      'tip.to',
      `The trade was prepared with a tip to ${found}, not to ${asked}. Prepare one trade for each account.`,
      { asked, found },
    );
  }
  assertPositiveU64(lamports, 'tip.lamports');
  data.setBigUint64(offsets.tip, lamports, true);
}

const unknownField = (field: string) =>
  notPatchable(field, `A patch ${hasNoField(field, FIELDS)}. Prepare another trade for anything else.`);

const notPatchable = (
  field: string,
  message: string,
  values: Omit<HeavenErrorContexts['not-patchable'], 'field'> = {},
) => new HeavenError('not-patchable', message, { field, ...values });
