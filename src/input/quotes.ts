import { assertPositiveU64, describe, inputError } from '../base/input.js';
import { toNativeAmount, type UiAmount } from '../math/units.js';
import type { FetchedPoolSnapshot } from '../pool/check.js';
import {
  FEE_WARNING_BPS,
  PRICE_IMPACT_BPS,
  type SlippageOn,
  SOL_DECIMALS,
  STALE_PRICE_SECONDS,
} from '../pool/quote-amounts.js';
import { assertSnapshot } from '../pool/read.js';
import {
  abortSignal,
  address,
  checkedBy,
  oneOf,
  optional,
  positive,
  slippage,
  uiAmount,
  version,
} from './fields.js';

// The fields that several quotes share.

/** SOL to spend: more than 0. */
const solToSpend = () =>
  checkedBy<UiAmount>(
    (value: UiAmount, field) => assertPositiveU64(toNativeAmount(value, SOL_DECIMALS, field), field),
    'positiveAmount',
  );

/** A standard pool, which its token and config version identify. */
export const standardPool = () => ({ configVersion: version(), mint: address() });

/** A pro pool, which its own address identifies too. */
export const proPool = () => ({ ...standardPool(), pool: address() });

/** What a buy spends, in SOL or lamports. A request names the latter as the quote does: `max_lamport_spend`. */
export const buyAmount = () => ({
  slippageBps: slippage(),
  maxSolSpend: optional(solToSpend()),
  lamports: nativeAmount(),
});

/** What a sell gives, in tokens or token units. */
export const sellAmount = () => ({
  slippageBps: slippage(),
  amountInUi: optional(uiAmount()),
  amountIn: nativeAmount(),
});

/** What is to arrive of an exact-out quote. */
export const exactOutAmount = () => ({
  amountOut: optional(positive()),
  amountOutUi: optional(uiAmount()),
  slippageBps: slippage(),
  slippageOn: optional(oneOf<SlippageOn>(['input', 'output'], "'input' or 'output'")),
});

export const snapshot = () => optional(checkedBy<FetchedPoolSnapshot>(assertSnapshot));

const threshold = (unit: string, byDefault: number) =>
  optional(
    checkedBy<number>((value: unknown, field) => {
      if (typeof value === 'number' && value >= 0) return;
      const message = `${field} must be a number of ${unit} from 0 on; got ${describe(value)}. Leave it out for ${byDefault}.`;
      throw inputError(field, message, value);
    }),
  );

/** When anything warns of its fees. */
export const feeWarning = () => ({ feeWarningBps: threshold('basis points', FEE_WARNING_BPS) });

/** When a quote warns. */
export const quoteThresholds = () => ({
  ...feeWarning(),
  stalePriceSeconds: threshold('seconds', STALE_PRICE_SECONDS),
  maxPriceImpactBps: threshold('basis points', PRICE_IMPACT_BPS),
});

/** The fields of every quote that a request can't carry. */
export const quoteLocals = () => ({
  abortSignal: abortSignal(),
  snapshot: snapshot(),
  ...quoteThresholds(),
});

/** The native amount of a buy or a sell. */
export const nativeAmount = () => optional(positive());
