import { buildProAddLiquidity } from './pro/add-liquidity.js';
import { buildProBuy } from './pro/buy.js';
import { buildProClaimCreatorFees } from './pro/claim-creator-fees.js';
import { buildProClaimLpFees } from './pro/claim-lp-fees.js';
import { buildProCreate } from './pro/create.js';
import { buildProRemoveLiquidity } from './pro/remove-liquidity.js';
import { buildProSell } from './pro/sell.js';
import { buildProSetLpFee } from './pro/set-lp-fee.js';
import { buildProSetMarketCapCreatorFee } from './pro/set-market-cap-creator-fee.js';
import { buildProSetReflectionFee } from './pro/set-reflection-fee.js';
import { buildProSetSlotCreatorFee } from './pro/set-slot-creator-fee.js';
import { buildProToggleDeposit } from './pro/toggle-deposit.js';
import { buildProToggleSwap } from './pro/toggle-swap.js';
import { buildProToggleWithdraw } from './pro/toggle-withdraw.js';
import { buildProTransferLp } from './pro/transfer-lp.js';
import { buildProUpdateCreatorFeeReceiver } from './pro/update-creator-fee-receiver.js';
import { buildBuy } from './standard/buy.js';
import { buildClaimCreatorTradingFees } from './standard/claim-creator-trading-fees.js';
import { buildCreateStandardLiquidityPool } from './standard/create-standard-liquidity-pool.js';
import { buildSell } from './standard/sell.js';

/** Every builder of a transaction, by its name. */
export const builders = {
  buildBuy,
  buildSell,
  buildClaimCreatorTradingFees,
  buildCreateStandardLiquidityPool,
  buildProBuy,
  buildProSell,
  buildProCreate,
  buildProAddLiquidity,
  buildProRemoveLiquidity,
  buildProClaimCreatorFees,
  buildProClaimLpFees,
  buildProToggleSwap,
  buildProToggleDeposit,
  buildProToggleWithdraw,
  buildProSetReflectionFee,
  buildProSetLpFee,
  buildProSetMarketCapCreatorFee,
  buildProSetSlotCreatorFee,
  buildProUpdateCreatorFeeReceiver,
  buildProTransferLp,
} as const;

export type BuilderName = keyof typeof builders;
