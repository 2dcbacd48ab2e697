import {
  address,
  digits,
  fraction,
  object,
  optional,
  type Shape,
  shownNumber,
  strict,
  uiAmount,
} from './codec.js';
import { basisPoints, programId, standardPool, u64, version } from './fields.js';

const percent = uiAmount({ maximum: 100 });
const amount = uiAmount({ exclusiveMinimum: 0 });

const buy = { ...standardPool, maxSolSpend: amount, slippageBps: basisPoints };
const sell = { ...standardPool, amountInUi: amount, slippageBps: basisPoints };

export const quoteBuyRequest = object(buy);
export const quoteSellRequest = object(sell);
export const quoteProBuyRequest = object({ ...buy, pool: address });
export const quoteProSellRequest = object({ ...sell, pool: address });

export const quoteInitialBuyRequest = object({
  ...programId,
  configVersion: version,
  initialPurchasePercent: percent,
  slippageBps: optional(basisPoints, 0),
  slippage: optional(fraction({ maximum: 1 })),
});

export const initialBuyAnswer = object({
  costLamports: u64,
  costSol: shownNumber,
  costUsd: shownNumber,
  tokenAmount: u64,
  tokenAmountUi: shownNumber,
});

const quote = {
  ...standardPool,
  minimumOut: u64,
  minimumOutUi: shownNumber,
  slippageBps: basisPoints,
};
const buyFields = { ...quote, maxLamportSpend: u64, maxSolSpend: shownNumber };
const sellFields = { ...quote, amountIn: u64, amountInUi: shownNumber };

/** A quote in a response. */
export const buyQuote = object(buyFields);
export const sellQuote = object(sellFields);

/** The integers of a quote as text. */
export const exact = object({
  maxLamportSpend: optional(digits),
  amountIn: optional(digits),
  minimumOut: optional(digits),
});

/** The only `details` of a quote that a transaction needs. */
export const returnedDetails = object({ pool: optional(address), exact: optional(exact) });

/**
 * A quote in a request. Drops the `details` of quotes that were made locally, and what only the other kind of quote has: the
 * service then says which field is missing.
 */
function returned<TShape extends Shape>(documented: TShape, other: Shape) {
  const shape = { ...documented, details: optional(returnedDetails) };
  const codec = strict(shape);
  const isSent = (name: string) =>
    Object.hasOwn(documented, name) || !(name === 'details' || Object.hasOwn(other, name));
  return {
    ...codec,
    encode: (value: unknown, field: string) => {
      const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
      const sent = isObject ? Object.entries(value).filter(([name]) => isSent(name)) : [];
      return codec.encode(isObject ? Object.fromEntries(sent) : value, field);
    },
  };
}

export const returnedBuyQuote = returned(buyFields, sellFields);
export const returnedSellQuote = returned(sellFields, buyFields);
