import { CREATE_COMPUTE_BUDGET } from '../../pro/create.js';
import { SETTING_COMPUTE_BUDGET } from '../../pro/creator-operation.js';
import { LIQUIDITY_COMPUTE_BUDGET } from '../../pro/liquidity.js';
import { LAUNCH_COMPUTE_BUDGET } from '../../standard/create-standard-liquidity-pool.js';
import { CLAIM_COMPUTE_BUDGET } from '../../transaction/creator-fee-claim.js';
import { SWAP_COMPUTE_BUDGET } from '../../transaction/trade.js';
import {
  address,
  flag,
  type ObjectCodec,
  object,
  optional,
  strict,
  text,
  uiAmount,
  wireTransaction,
} from './codec.js';
import {
  claimAmount,
  eventData,
  feeBrackets,
  pool,
  positive,
  programId,
  slotSchedule,
  standardPool,
  transaction,
  u64,
  version,
} from './fields.js';
import { returnedBuyQuote, returnedSellQuote } from './quotes.js';

export const transactionAnswer = object({ tx: wireTransaction });
export const launchAnswer = object({ tx: wireTransaction, mint: address });
export const proCreateAnswer = object({ tx: wireTransaction, pool: address });

const swap = transaction(SWAP_COMPUTE_BUDGET);
const claim = transaction(CLAIM_COMPUTE_BUDGET);
const liquidity = { ...transaction(LIQUIDITY_COMPUTE_BUDGET), ...standardPool, pool: address };
const setting = { ...transaction(SETTING_COMPUTE_BUDGET), ...pool };
const source = { source: optional(address) };

interface Creation {
  readonly transactionVersion?: 0 | 1;
  readonly lutAddress?: unknown;
}

/** Requires a lookup table for a creation, except in version 1, which has none. */
const creation = <TCodec extends ObjectCodec<Creation>>(codec: TCodec): TCodec => ({
  ...codec,
  decode: (json, path, problems) => {
    const value = codec.decode(json, path, problems);
    const isKnown = value === undefined || value.transactionVersion === 1 || value.lutAddress !== undefined;
    const field = 'lut_address';
    if (!isKnown && !problems.some((problem) => problem.path === field))
      problems.push({ path: field, message: 'is missing' });
    return value;
  },
});

// ---------------------------------------------------------------- standard pools

const buy = { ...swap, quoteResponse: returnedBuyQuote, ...eventData };
const sell = { ...swap, quoteResponse: returnedSellQuote, ...eventData };

export const buyRequest = object({ ...buy, ...source });
export const sellRequest = object({ ...sell, ...source });

export const claimCreatorTradingFeesRequest = object({
  ...claim,
  ...programId,
  ...claimAmount,
  mint: address,
  version,
});

export const createStandardLiquidityPoolRequest = creation(
  object({
    ...transaction(LAUNCH_COMPUTE_BUDGET),
    ...programId,
    creator: address,
    ...eventData,
    name: text,
    symbol: text,
    uri: text,
    configVersion: optional(version, 1),
    initialPurchaseAmount: u64,
    lutAddress: optional(address),
    maxSolSpend: optional(uiAmount()),
  }),
);

// ---------------------------------------------------------------- pro pools

export const proBuyRequest = object({ ...buy, pool: address, ...source });
export const proSellRequest = object({ ...sell, pool: address, ...source });

const on = optional(flag, true);
const off = optional(flag, false);
const brackets = optional(feeBrackets);

export const creatorSchedule = strict(slotSchedule);

export const proCreateRequest = creation(
  object({
    ...transaction(CREATE_COMPUTE_BUDGET),
    ...standardPool,
    creator: address,
    ...eventData,
    initialTokenAAmount: positive,
    initialTokenBAmount: positive,
    lutAddress: optional(address),
    features: optional(
      strict({
        enableSwap: on,
        enableDepositLiquidity: on,
        enableWithdrawLiquidity: on,
        enableUpdateCreatorTradingFee: on,
        enableSameSlotTrading: off,
        enableSandwichResistantMode: off,
      }),
    ),
    creatorTradingFee: brackets,
    creatorSlotTradingFee: optional(creatorSchedule),
    reflectionTradingFee: brackets,
    liquidityProviderTradingFee: brackets,
  }),
);

export const proAddLiquidityRequest = object({
  ...liquidity,
  maxTokenA: positive,
  maxTokenB: positive,
  minLpTokens: u64,
});

export const proRemoveLiquidityRequest = object({
  ...liquidity,
  lpTokensToBurn: positive,
  minTokenA: u64,
  minTokenB: u64,
});

export const proClaimCreatorFeesRequest = object({ ...claim, ...pool, ...claimAmount });
export const proClaimLpFeesRequest = object({ ...claim, ...pool });

export const proToggleRequest = object({ ...setting, enabled: flag });
export const proSetFeeRequest = object({ ...setting, brackets: feeBrackets });
export const proSetSlotFeeRequest = object({ ...setting, ...slotSchedule });

export const proUpdateCreatorFeeReceiverRequest = object({
  ...claim,
  ...pool,
  mint: address,
  version,
  newReceiver: address,
});

export const proTransferLpRequest = object({
  ...setting,
  sender: address,
  receiver: address,
  amount: positive,
});
