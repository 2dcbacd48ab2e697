import type { OperationName } from '../../operations.js';
import {
  address,
  type Codec,
  integer,
  list,
  type ObjectCodec,
  object,
  optional,
  shownNumber,
  smallInteger,
  text,
} from './codec.js';
import { feeBracket, slotFeeBracket, u64 } from './fields.js';
import * as quotes from './quotes.js';

// The `details` of the answers, and the objects with a name in the OpenAPI document. Only the document needs them.

const ignored = () => ({ ignoredFields: optional(list(text)) });
const warnings = () => list(object({ code: text, message: text }));
/** What answers without warnings of their own have if fields were ignored. */
const notes = () => ({ warnings: optional(warnings()), ...ignored() });
const perFee = (each: Codec<bigint>) =>
  object({ protocol: each, liquidityProvider: each, creator: each, creatorProtocol: each, reflection: each });

const detailCodecs = () => ({
  notes: object(notes()),
  quote: object({
    ...quotes.returnedDetails.of.shape,
    amountIn: u64,
    amountOut: u64,
    fees: perFee(u64),
    feeRates: perFee(integer()),
    totalFee: u64,
    transferFee: u64,
    priceBefore: shownNumber,
    priceAfter: shownNumber,
    priceImpactBps: shownNumber,
    marketCapUsd: shownNumber,
    solPriceUsd: shownNumber,
    slot: u64,
    warnings: warnings(),
    ...ignored(),
  }),
  initialBuy: object({
    leastLamports: u64,
    fees: perFee(u64),
    totalFee: u64,
    marketCapUsd: shownNumber,
    slot: u64,
    warnings: warnings(),
    ...ignored(),
  }),
  transaction: object({
    warnings: warnings(),
    size: smallInteger(),
    requiredSigners: list(address),
    lastValidBlockHeight: u64,
    instructions: list(text),
    rounded: optional(list(object({ field: text, received: u64, used: u64 }))),
    ...ignored(),
  }),
  lpBalance: object({
    storedPendingFees: u64,
    accumulatedFeePerLpToken: u64,
    feePerLpTokenUnit: u64,
    lpSupply: u64,
    ...notes(),
  }),
});

let made: ReturnType<typeof detailCodecs> | undefined;

/** The `details` of an operation's answer. */
export function detailsOf(name: OperationName): ObjectCodec<unknown> {
  made ??= detailCodecs();
  if (name.startsWith('build')) return made.transaction;
  if (name === 'quoteInitialBuy') return made.initialBuy;
  if (name.startsWith('quote')) return made.quote;
  return name === 'getLpBalance' ? made.lpBalance : made.notes;
}

/** The name of an object in the document, if it has one. */
export const nameOf = (
  codec: Codec<unknown>,
): { readonly id: string; readonly description: string } | undefined => {
  switch (codec) {
    case quotes.buyQuote:
      return { id: 'BuyQuote', description: 'A buy quote.' };
    case quotes.sellQuote:
      return { id: 'SellQuote', description: 'A sell quote.' };
    case quotes.returnedBuyQuote:
      return { id: 'ReturnedBuyQuote', description: 'The quote, as it was returned.' };
    case quotes.returnedSellQuote:
      return { id: 'ReturnedSellQuote', description: 'The quote, as it was returned.' };
    case feeBracket:
      return { id: 'FeeBracket', description: 'Fees up to a market cap.' };
    case slotFeeBracket:
      return { id: 'SlotFeeBracket', description: 'Fees up to a slot after the launch.' };
  }
  return undefined;
};
