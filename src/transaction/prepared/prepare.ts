import { type Address, getBase64Encoder } from '@solana/kit';
import { HeavenError } from '../../base/errors.js';
import { assertCall, assertFields, assertHas, assertU64, assertWhole, inputError } from '../../base/input.js';
import type { HeavenClient } from '../../program/client.js';
import { view } from '../../solana/account-data.js';
import { isOffCurve } from '../../solana/addresses.js';
import { SYSTEM_PROGRAM_ADDRESS } from '../../solana/programs.js';
import { wireLayoutOf } from '../../solana/wire-layout.js';
import { assertBuilt } from '../built.js';
import type { BuiltTrade } from '../trade.js';
import { type PreparedTradeData, patchTrade, type TradePatch } from './patch.js';

/** Options of {@link prepareTrade}. */
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

/**
 * Prepares a built trade for many uses. Each `patch` then only writes new amounts, limits and a block hash into its bytes.
 * Neither calls the node.
 *
 * @param client The client that built it.
 * @param built What {@link buildBuy}, {@link buildSell}, {@link buildProBuy}, {@link buildProSell} or {@link buildTrade} returned, for
 * any amounts: each patch sets its own. Build and prepare again when the payer, the accounts, the instructions or their texts change.
 * @throws {HeavenError} `invalid-input` (also if an address off the curve must sign, or with `closeTokenAccount`), `invalid-amount` and `amount-out-of-range` (`maxAge`),
 * `invalid-transaction` (`built` was changed, or built for another program)
 * @example
 * ```ts
 * const built = await buildBuy(client, { payer, quoteResponse: quote });
 * const prepared = prepareTrade(client, built);
 * const bytes = prepared.patch({ amount: 100_000_000n, minimumOut: 1n, lifetime }); // unsigned, for signPrepared
 * ```
 */
export function prepareTrade(
  client: HeavenClient,
  built: BuiltTrade,
  options: PrepareOptions = {},
): PreparedTrade {
  assertCall(client, options, { maxAge: 1 }, 'options');
  const { programAddress } = client.deployment;
  assertHas(built, 'settings', 'built', 'what a builder of trades returned, whole');
  assertBuilt(built);
  assertFields(options, 'options', { maxAge: 1 });
  const vault = Object.keys(built.transaction.signatures).find((signer) => isOffCurve(signer as Address));
  if (vault !== undefined)
    throw inputError(
      'built',
      `${vault} lies off the curve, so only its program can sign, and it can't sign patched bytes. Build each trade, and pass its instructions to the program.`,
      vault,
    );
  if (built.settings.closesTokenAccount)
    throw inputError(
      'built',
      'The trade closes its token account, which only the sale of the whole balance can: what is patched may sell less. Build it without closeTokenAccount.',
      true,
    );
  const bytes = new Uint8Array(getBase64Encoder().encode(built.tx));
  const { version, slot, settings } = built;
  const { computeUnitLimit, computeUnitPrice, tip } = settings;
  const offsets = offsetsIn(bytes, built, programAddress);
  const maxAge = maxAgeOf(options);
  const data = { version, bytes, slot, maxAge, computeUnitLimit, computeUnitPrice, tip, offsets };
  assertPatches(data, built);
  return { ...built, data, patch: (patch) => patchTrade(data, patch) };
}

function maxAgeOf({ maxAge }: PrepareOptions): bigint | undefined {
  if (maxAge === undefined || maxAge === null) return undefined;
  if (typeof maxAge === 'bigint') assertU64(maxAge, 'maxAge');
  else assertWhole('maxAge', maxAge, [0, Number.MAX_SAFE_INTEGER]);
  return BigInt(maxAge);
}

/** Of a swap, after the discriminator: the amount, then the minimum. */
export const SWAP = { amount: 8, minimumOut: 16 } as const;
/** After the number of the System program's instruction. */
const TRANSFER_AMOUNT = 4;
/** Number, base, and the seed after its length. */
const CREATE_WITH_SEED = { number: 3, seedLength: 36, seed: 44 } as const;
/** After the number of the compute budget program's instruction. */
const BUDGET_VALUE = 1;

/** Where the lamports stand in an instruction of the System program that funds a wrapped SOL account. */
export const wrappedAmountAt = (data: Uint8Array): number =>
  data[0] === CREATE_WITH_SEED.number
    ? CREATE_WITH_SEED.seed + (data[CREATE_WITH_SEED.seedLength] ?? 0)
    : TRANSFER_AMOUNT;

/** Where the values of a trade stand. The caller's own instructions may look like the trade's: those are found by position. */
function offsetsIn(
  bytes: Uint8Array,
  { version, side, amountIn, computeBudget, instructions, settings }: BuiltTrade,
  exchange: Address,
): PreparedTradeData['offsets'] {
  const { blockhash, computeUnitLimit, priorityFee, instructions: laidOut } = wireLayoutOf(bytes);
  /** Counted from the first instruction of the compute budget. */
  const budgetAt = (index: number): number => laidOut[index]?.data ?? Number.NaN;
  /** Counted as `instructions` counts. */
  const dataAt = (index: number): number => budgetAt(computeBudget.length + index);
  const hasLimit = version === 0 && settings.computeUnitLimit > 0;
  const hasPrice = version === 0 && settings.computeUnitPrice > 0n;
  const isBehind = (index: number) => index >= settings.instructionsBefore;
  const swap = instructions.findIndex(
    (instruction, index) => isBehind(index) && instruction.programAddress === exchange,
  );
  const wrap = instructions.findIndex(
    (instruction, index) =>
      isBehind(index) && index < swap && instruction.programAddress === SYSTEM_PROGRAM_ADDRESS,
  );
  const amounts = [{ at: dataAt(swap) + SWAP.amount, plus: 0n }];
  if (side === 'buy' && wrap >= 0) {
    const start = dataAt(wrap);
    const at = start + wrappedAmountAt(bytes.subarray(start));
    amounts.push({ at, plus: view(bytes).getBigUint64(at, true) - amountIn });
  }
  return {
    amounts,
    minimumOut: dataAt(swap) + SWAP.minimumOut,
    blockhash,
    computeUnitLimit: hasLimit ? budgetAt(0) + BUDGET_VALUE : computeUnitLimit,
    computeUnitPrice: hasPrice ? budgetAt(hasLimit ? 1 : 0) + BUDGET_VALUE : undefined,
    priorityFee,
    tip: settings.tip ? dataAt(instructions.length - 1) + TRANSFER_AMOUNT : undefined,
  };
}

/** Rejects offsets that don't hold the values that the builder wrote: a patch there would break the transaction. */
function assertPatches(data: PreparedTradeData, built: BuiltTrade): void {
  const { amountIn: amount, minimumOut, lifetime } = built;
  const { computeUnitLimit, computeUnitPrice, tip } = data;
  const values = { amount, minimumOut, lifetime, computeUnitLimit, computeUnitPrice, tip };
  const same = patchTrade({ ...data, maxAge: undefined }, values);
  if (same.every((byte, index) => byte === data.bytes[index])) return;
  const reason = 'a value was not found where it should stand';
  throw new HeavenError(
    'invalid-transaction',
    `This trade can't be prepared: ${reason}. Pass what the builder returned, unchanged, and the client that built it.`,
    { reason },
  );
}
