import { address, listOf, object, optional, shown, text, u64 } from '../src/door/fields.js';
import type { Field } from '../src/door/kinds.js';
import { quoteDetails } from '../src/door/transactions.js';
import { integer, small } from '../src/http/schemas/answers.js';
import type { OperationName } from '../src/operations.js';

// The `details` of the answers, which nothing reads: only the OpenAPI document has their fields.

const ignored = () => ({ ignoredFields: optional(listOf(text())) });
const warnings = () => listOf(object({ code: text(), message: text() }, 'Warning'));
/** What answers without warnings of their own have if fields were ignored. */
const notes = () => ({ warnings: optional(warnings()), ...ignored() });
const perFee = (name: string, each: () => Field<bigint>) =>
  object(
    {
      protocol: each(),
      liquidityProvider: each(),
      creator: each(),
      creatorProtocol: each(),
      reflection: each(),
    },
    name,
  );

const transactionDetails = () => ({
  warnings: warnings(),
  size: small(),
  requiredSigners: listOf(address()),
  lastValidBlockHeight: u64(),
  instructions: listOf(text()),
  rounded: optional(listOf(object({ field: text(), received: u64(), used: u64() }, 'RoundedAmount'))),
  ...ignored(),
});

const detailsOfQuote = () => ({
  ...quoteDetails(),
  amountIn: u64(),
  amountOut: u64(),
  fees: perFee('FeeAmounts', u64),
  feeRates: perFee('FeeRates', integer),
  totalFee: u64(),
  transferFee: u64(),
  priceBefore: shown(),
  priceAfter: shown(),
  priceImpactBps: shown(),
  marketCapUsd: shown(),
  solPriceUsd: shown(),
  slot: u64(),
  warnings: warnings(),
  ...ignored(),
});

const initialBuyDetails = () => ({
  leastLamports: u64(),
  fees: perFee('FeeAmounts', u64),
  totalFee: u64(),
  marketCapUsd: shown(),
  slot: u64(),
  warnings: warnings(),
  ...ignored(),
});

const lpBalanceDetails = () => ({
  storedPendingFees: u64(),
  accumulatedFeePerLpToken: u64(),
  feePerLpTokenUnit: u64(),
  lpSupply: u64(),
  ...notes(),
});

const poolInfoDetails = () => ({
  creatorFees: optional(object({ reason: text(), message: text() }, 'CreatorFeeReason')),
  ...notes(),
});

/** The `details` of an operation's answer. */
export function detailsOf(name: OperationName): Field {
  if (name.startsWith('build')) return object(transactionDetails(), 'TransactionDetails');
  if (name === 'quoteInitialBuy') return object(initialBuyDetails(), 'InitialBuyDetails');
  if (name.startsWith('quote')) return object(detailsOfQuote(), 'QuoteDetails');
  if (name === 'getPoolInfo') return object(poolInfoDetails(), 'PoolInfoDetails');
  return name === 'getLpBalance' ? object(lpBalanceDetails(), 'LpBalanceDetails') : object(notes(), 'Notes');
}
