import { getBase64Encoder } from '@solana/kit';
import { HeavenError } from '../../base/errors.js';
import { assertU64, assertWhole, hasNoField, inputError, misspelt, unknownNames } from '../../base/input.js';
import type { HeavenClient } from '../../client.js';
import { view } from '../../solana/account-data.js';
import { SYSTEM_PROGRAM_ADDRESS } from '../../solana/programs.js';
import { wireLayoutOf } from '../../solana/wire-layout.js';
import { computeUnitsOf } from '../compute-units.js';
import { type BuiltTrade, SWAP_COMPUTE_BUDGET, type TradeOptions } from '../trade.js';
import { type PreparedTradeData, patchTrade, type TradePatch } from './patch.js';

/** Options for preparing a trade, besides its builder's. */
export interface PrepareOptions {
  /**
   * How many slots after the pool state that it was built on a trade may still be patched. Each patch then needs
   * `currentSlot`. Default: any number.
   */
  readonly maxAge?: bigint | number | null | undefined;
}

/** A trade that is built once and patched for each use: the builder's result, and {@link patchTrade} bound to its `data`. */
export interface PreparedTrade extends BuiltTrade {
  /** For {@link patchTrade}, for example in a worker. */
  readonly data: PreparedTradeData;
  /** {@link patchTrade} of `data`. */
  readonly patch: (patch: TradePatch) => Uint8Array<ArrayBuffer>;
}

type Input = TradeOptions & PrepareOptions;

/** Prepares the trade that a builder has built. */
export function preparedFrom(
  { deployment: { programAddress } }: HeavenClient,
  input: Input,
  built: BuiltTrade,
): PreparedTrade {
  const bytes = new Uint8Array(getBase64Encoder().encode(built.tx));
  const { version, slot } = built;
  const { units, price } = computeUnitsOf(
    version,
    input.computeUnitLimit ?? SWAP_COMPUTE_BUDGET.limit,
    input.computeUnitPrice ?? SWAP_COMPUTE_BUDGET.price,
  );
  const data: PreparedTradeData = {
    version,
    bytes,
    slot,
    maxAge: maxAgeOf(input),
    computeUnitLimit: units,
    computeUnitPrice: price,
    tip: input.tip ? { to: input.tip.to, lamports: input.tip.lamports } : undefined,
    offsets: offsetsIn(bytes, input, built, { programAddress, units, price }),
  };
  assertPatches(data, input, built);
  return { ...built, data, patch: (patch) => patchTrade(data, patch) };
}

const PREPARE_FIELDS = { maxAge: 1 } as const satisfies Record<keyof PrepareOptions, 1>;

/** The input of a trade's builder, from that of its preparation. */
export function tradeOf<TInput extends Input>(input: TInput): TInput {
  maxAgeOf(input ?? {});
  const [name] = misspelt(unknownNames(input ?? {}, PREPARE_FIELDS), PREPARE_FIELDS);
  if (name !== undefined) throw inputError(name, `The input ${hasNoField(name, PREPARE_FIELDS)}`);
  return { ...input, maxAge: undefined };
}

function maxAgeOf({ maxAge }: PrepareOptions): bigint | undefined {
  if (maxAge === undefined || maxAge === null) return undefined;
  if (typeof maxAge === 'bigint') assertU64(maxAge, 'maxAge');
  else assertWhole('maxAge', maxAge, [0, Number.MAX_SAFE_INTEGER]);
  return BigInt(maxAge);
}

/** After the discriminator: the amount, then the minimum. */
const SWAP = { amount: 8, minimumOut: 16 } as const;
/** After the number of the System program's instruction. */
const TRANSFER_AMOUNT = 4;
/** Number, base, and the seed after its length. */
const CREATE_WITH_SEED = { number: 3, seedLength: 36, seed: 44 } as const;
/** After the number of the compute budget program's instruction. */
const BUDGET_VALUE = 1;

/** Where the values of a trade stand. The caller's own instructions may look like the trade's: those are found by position. */
function offsetsIn(
  bytes: Uint8Array,
  { before, tip }: Input,
  { version, side, amountIn, computeBudget, instructions }: BuiltTrade,
  { programAddress, units, price }: { programAddress: string; units: number; price: bigint },
): PreparedTradeData['offsets'] {
  const { blockhash, computeUnitLimit, priorityFee, instructionData } = wireLayoutOf(bytes);
  /** Counted from the first instruction of the compute budget. */
  const budgetAt = (index: number): number => instructionData[index] ?? Number.NaN;
  /** Counted as `instructions` counts. */
  const dataAt = (index: number): number => budgetAt(computeBudget.length + index);
  const hasLimit = version === 0 && units > 0;
  const hasPrice = version === 0 && price > 0n;
  const own = before?.length ?? 0;
  const isBehind = (index: number) => index >= own;
  const swap = instructions.findIndex(
    (instruction, index) => isBehind(index) && instruction.programAddress === programAddress,
  );
  const wrap = instructions.findIndex(
    (instruction, index) =>
      isBehind(index) && index < swap && instruction.programAddress === SYSTEM_PROGRAM_ADDRESS,
  );
  const amounts = [{ at: dataAt(swap) + SWAP.amount, plus: 0n }];
  if (side === 'buy' && wrap >= 0) {
    const start = dataAt(wrap);
    const isCreation = bytes[start] === CREATE_WITH_SEED.number;
    const at =
      start +
      (isCreation
        ? CREATE_WITH_SEED.seed + (bytes[start + CREATE_WITH_SEED.seedLength] ?? 0)
        : TRANSFER_AMOUNT);
    amounts.push({ at, plus: view(bytes).getBigUint64(at, true) - amountIn });
  }
  return {
    amounts,
    minimumOut: dataAt(swap) + SWAP.minimumOut,
    blockhash,
    computeUnitLimit: hasLimit ? budgetAt(0) + BUDGET_VALUE : computeUnitLimit,
    computeUnitPrice: hasPrice ? budgetAt(hasLimit ? 1 : 0) + BUDGET_VALUE : undefined,
    priorityFee,
    tip: tip ? dataAt(instructions.length - 1) + TRANSFER_AMOUNT : undefined,
  };
}

/** Rejects offsets that don't hold the values that the builder wrote: a patch there would break the transaction. */
function assertPatches(data: PreparedTradeData, input: Input, built: BuiltTrade): void {
  const { amountIn: amount, minimumOut, lifetime } = built;
  const { computeUnitLimit, computeUnitPrice, bytes } = data;
  const [unpatched, sameTip] = [{ ...data, maxAge: undefined }, input.tip ?? undefined];
  const same = patchTrade(unpatched, {
    amount,
    minimumOut,
    lifetime,
    computeUnitLimit,
    computeUnitPrice,
    tip: sameTip,
  });
  if (same.every((byte, index) => byte === bytes[index])) return;
  const reason = 'a value was not found where it should stand';
  throw new HeavenError('invalid-transaction', `This trade can't be prepared: ${reason}.`, { reason });
}
