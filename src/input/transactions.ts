import type { Instruction } from '@solana/kit';
import { HeavenError } from '../base/errors.js';
import { assertWhole, invalidInput, type UnknownNames, withNamesOfQuote } from '../base/input.js';
import { U32_MAX, U64_MAX } from '../base/integers.js';
import { MAX_FEE_BRACKETS, MAX_SLOT_FEE_BRACKETS } from '../program/types.js';
import { assertInstructions } from '../solana/define-instruction.js';
import { MAX_LOADED_ACCOUNTS_BYTES, MAX_TRANSACTION_INSTRUCTIONS } from '../solana/limits.js';
import { budgetValue } from '../transaction/compute-units.js';
import { assertLifetime, type TransactionLifetime } from '../transaction/lifetime.js';
import { assertSide } from '../transaction/quote-response.js';
import type { TransactionTip } from '../transaction/tip.js';
import { assertRentPayer, assertWrapSol, type RentPayer, type WrapSol } from '../transaction/wrapped-sol.js';
import type { Checked, Field, InputOf, ObjectField, OutputOf } from './field.js';
import {
  abortSignal,
  address,
  checkedBy,
  flag,
  listOf,
  object,
  optional,
  positive,
  programValue,
  requiredInRequests,
  shown,
  slippage,
  strict,
  text,
  u64,
  version,
  wallet,
} from './fields.js';
import { feeWarning, snapshot } from './quotes.js';

// The fields that several builders share.

const computeUnits = () =>
  checkedBy<number>((value: number, field) => budgetValue(field, value, BigInt(U32_MAX)), 'u32');

const microLamports = () =>
  checkedBy<bigint | number>((value: bigint | number, field) => budgetValue(field, value, U64_MAX), 'u64');

const loadedBytes = () =>
  checkedBy<number>(
    (value: unknown, field) => assertWhole(field, value, [1, MAX_LOADED_ACCOUNTS_BYTES]),
    'loadedBytes',
  );

const transactionVersion = () =>
  checkedBy<0 | 1>((value: unknown, field) => {
    if (value !== 0 && value !== 1) throw invalidInput(field, value, 'the number 0 or 1');
  }, 'transactionVersion');

/** Who pays for a transaction, its version and its budget. */
export const transaction = () => ({
  payer: wallet(),
  computeUnitLimit: optional(computeUnits()),
  computeUnitPrice: optional(microLamports()),
  loadedAccountsDataSizeLimit: optional(loadedBytes()),
  transactionVersion: optional(transactionVersion()),
  feePayer: optional(wallet()),
});

const instructions = () =>
  optional(
    checkedBy<readonly Instruction[]>((value, field) => {
      if (!Array.isArray(value) || value.length <= MAX_TRANSACTION_INSTRUCTIONS)
        return assertInstructions(value, field);
      const reason = `${field} has ${value.length} instructions, but a transaction has at most ${MAX_TRANSACTION_INSTRUCTIONS}`;
      throw new HeavenError('invalid-transaction', `${reason}. Leave some out.`, { reason });
    }),
  );

const decision = () =>
  checkedBy<boolean>((value: unknown, field) => {
    if (typeof value !== 'boolean') throw invalidInput(field, value, 'true or false');
  }, 'bool');

/** The options of every builder that a request can't carry. */
export const transactionLocals = () => ({
  abortSignal: abortSignal(),
  tip: optional(strict({ to: address(), lamports: positive() }) as Checked<TransactionTip, TransactionTip>),
  dontFront: optional(decision()),
  before: instructions(),
  after: instructions(),
  // Not copied: a bot recognizes the lifetime that it passed.
  lifetime: optional(checkedBy<TransactionLifetime>(assertLifetime)),
});

/** How SOL is wrapped, and who opens the accounts that stay. */
export const wrapping = () => ({
  wrapSol: optional(checkedBy<WrapSol>(assertWrapSol, 'text', { enum: ['associated', 'temporary', 'none'] })),
  rentPayer: optional(checkedBy<RentPayer>(assertRentPayer, 'text', { enum: ['payer', 'fee_payer'] })),
});

/** What every claim takes. */
export const claim = () => ({ ...transaction(), ...wrapping(), allowEmpty: optional(decision()) });

/** What every builder of a swap takes besides the quote. */
export const trade = () => ({ ...transaction(), ...wrapping(), ...eventData() });

/** What the builders of sells take. */
export const sale = () => ({
  ...trade(),
  closeTokenAccount: optional(decision()),
  quoteResponse: sellQuote(),
});

/** The options of a swap that a request can't carry. */
export const tradeLocals = () => ({ ...transactionLocals(), ...feeWarning(), snapshot: snapshot() });

/** A text that the program emits. */
export const eventData = () => ({
  encodedUserDefinedEventData: requiredInRequests(text()),
});

/** The lookup table of a creation. */
export const lookupTable = () => ({ lutAddress: optional(address()) });

/** Lamports to claim. */
export const claimAmount = () => ({ amount: optional(u64()) });

/** What the program takes as a fee. The interface documents the whole as its most. */
const feeBps = (schema: 'u16' | 'u32') => programValue(schema, 'bps');

/** Brackets, which are counted before anybody looks at one. */
const bracketsOf = <TBracket extends Field>(bracket: TBracket, maxItems: number) =>
  listOf(bracket, {
    maxItems,
    of: 'brackets',
    assertCount: (value, field) => {
      if (!Array.isArray(value) || value.length <= maxItems) return;
      const reason = `there are ${value.length}, but at most ${maxItems} fit on chain`;
      throw new HeavenError('invalid-fees', `${field} can't be used: ${reason}.`, { field, reason });
    },
  });

/** Fees by market cap. Whether they fit together is checked by `assertBrackets`. */
export const feeBrackets = () => {
  const bracket = strict(
    {
      marketCapUpperBound: programValue('u64', 'int64'),
      buyFeeBps: feeBps('u32'),
      sellFeeBps: feeBps('u32'),
    },
    'FeeBracketInput',
  );
  return bracketsOf(bracket, MAX_FEE_BRACKETS);
};

/** Fees by slots since the launch, which `assertSlotConfiguration` checks. */
export const slotSchedule = () => {
  const bracket = strict(
    {
      slotOffsetUpperbound: programValue('u16'),
      buyFeeBps: feeBps('u16'),
      sellFeeBps: feeBps('u16'),
    },
    'SlotFeeBracketInput',
  );
  return {
    brackets: bracketsOf(bracket, MAX_SLOT_FEE_BRACKETS),
    maxSlotOffset: programValue('u16'),
    maxFeeBps: feeBps('u16'),
    enabled: flag(),
  };
};

// ---------------------------------------------------------------- quotes that come back

/** An integer in a string, for callers whose JSON rounds integers. */
export const digits = () =>
  checkedBy<string>(
    (value: unknown, field) => {
      if (typeof value !== 'string' || !DIGITS.test(value))
        throw invalidInput(field, value, 'a string of digits');
    },
    'text',
    { pattern: DIGITS.source },
  );

const DIGITS = /^\d{1,20}$/;

/** The only `details` of a quote that a transaction needs: the pool, and the integers as text. */
export const quoteDetails = () => ({
  pool: optional(address()),
  exact: optional(
    object({
      maxLamportSpend: optional(digits()),
      amountIn: optional(digits()),
      minimumOut: optional(digits()),
    }),
  ),
});

/** What every quote has. */
const quotedFields = () => ({
  programId: address(),
  mint: address(),
  configVersion: version(),
  slippageBps: slippage(),
  minimumOut: u64(),
  minimumOutUi: shown(),
});

export const buyQuoteFields = () => ({
  ...quotedFields(),
  maxLamportSpend: positive(),
  maxSolSpend: shown(),
});

export const sellQuoteFields = () => ({ ...quotedFields(), amountIn: positive(), amountInUi: shown() });

// A local quote has more details, which a transaction doesn't need.
const returned = () => ({ details: optional(object(quoteDetails())) });

/** A quote of one side. A quote of the other is rejected as such, not for the fields that it lacks. */
const ofSide = <TQuote extends Field & ObjectField>(side: 'buy' | 'sell', quote: TQuote) => ({
  ...quote,
  check: (value: InputOf<TQuote>, field: string) => {
    assertSide(value, side, field);
    return quote.check(value, field) as OutputOf<TQuote>;
  },
  // Whoever made a quote may say more in it than is documented: `checkInput` warns of that.
  unknownIn: (value: unknown, top: UnknownNames) =>
    withNamesOfQuote(top, 'quoteResponse', value, quote.shape),
});

export const buyQuote = () =>
  ofSide('buy', object({ ...buyQuoteFields(), ...returned() }, 'ReturnedBuyQuote'));

export const sellQuote = () =>
  ofSide('sell', object({ ...sellQuoteFields(), ...returned() }, 'ReturnedSellQuote'));
