import {
  initialBuyDetails,
  quoteDetails,
  transactionDetails,
  warnings,
} from '../src/http/schemas/details.js';
import type { Field, Shape } from '../src/input/field.js';
import { checkedBy, listOf, object, oneOf, optional, text, u64 } from '../src/input/fields.js';
import { digits, quoteDetails as returnedDetails } from '../src/input/transactions.js';
import type { OperationName } from '../src/operations/index.js';
import { assertText } from '../src/solana/codec.js';

// What answers have besides the contract: `details`, of which the remote client passes on some, and fields that it doesn't read.

const ignored = () => ({ ignoredFields: optional(listOf(text())) });
/** What answers without warnings of their own have if fields were ignored. */
const notes = () => ({ warnings: optional(warnings()), ...ignored() });

const more = () => ({
  instructions: listOf(text()),
  rounded: optional(listOf(object({ field: text(), received: u64(), used: digits() }, 'RoundedAmount'))),
});

const creatorFeeReason = () => ({
  reason: oneOf(['blocked', 'community', 'volume-below-threshold', 'not-processed']),
  message: text(),
});

const poolInfoDetails = () => ({
  creatorFees: optional(object(creatorFeeReason(), 'CreatorFeeReason')),
  ...notes(),
});

const lpBalanceDetails = () => ({
  storedPendingFees: u64(),
  accumulatedFeePerLpToken: u64(),
  feePerLpTokenUnit: u64(),
  lpSupply: u64(),
  ...notes(),
});

/** The fields of an operation's answer that the remote client doesn't read. */
export const unreadBy = (name: OperationName): Shape =>
  name === 'getPoolState' ? { data: checkedBy<string>(assertText, 'base64') } : {};

/** The `details` of an operation's answer. */
export function detailsOf(name: OperationName): Field {
  if (name.startsWith('build'))
    return object({ ...transactionDetails(), ...more(), ...ignored() }, 'TransactionDetails');
  if (name === 'quoteInitialBuy')
    return object({ ...initialBuyDetails(), ...ignored() }, 'InitialBuyDetails');
  if (name.startsWith('quote'))
    return object({ ...returnedDetails(), ...quoteDetails(), ...ignored() }, 'QuoteDetails');
  if (name === 'getPoolInfo') return object(poolInfoDetails(), 'PoolInfoDetails');
  return name === 'getLpBalance' ? object(lpBalanceDetails(), 'LpBalanceDetails') : object(notes(), 'Notes');
}
