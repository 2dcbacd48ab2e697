import type { InstructionInput, ParsedInstruction } from '../../solana/define-instruction.js';
import { builderOf, parserOf } from '../declare.js';
import * as declared from './declarations.js';

/** What {@link getCreateStandardLiquidityPoolInstruction} takes. */
export interface CreateStandardLiquidityPoolInput
  extends InstructionInput<typeof declared.createStandardLiquidityPool> {}
/** What {@link parseCreateStandardLiquidityPoolInstruction} returns. */
export interface ParsedCreateStandardLiquidityPoolInstruction
  extends ParsedInstruction<typeof declared.createStandardLiquidityPool> {}
/**
 * Creates a standard pool from the whole supply of a new token, with an optional initial purchase, which pays no fee. Arguments and
 * accounts from `user` to `liquidityPoolState`: [level M](/protocol#initial-purchase).
 * @throws {HeavenError} `invalid-address`, `invalid-input`, `invalid-amount`, `amount-out-of-range`
 * @example
 * ```ts
 * const params = { encodedUserDefinedEventData: '', initialPurchaseAmount: 0n, maxSolSpend: 0n };
 * const instruction = getCreateStandardLiquidityPoolInstruction({ ...accounts, protocolConfigVersion: 1, params });
 * ```
 */
export const getCreateStandardLiquidityPoolInstruction =
  /* @__PURE__ */ builderOf<CreateStandardLiquidityPoolInput>(declared.createStandardLiquidityPool);
/**
 * Parses a standard pool's creation. The reverse of {@link getCreateStandardLiquidityPoolInstruction}.
 * @throws {HeavenError} `malformed-data`
 * @example
 * ```ts
 * const { data } = parseCreateStandardLiquidityPoolInstruction(instruction);
 * ```
 */
export const parseCreateStandardLiquidityPoolInstruction =
  /* @__PURE__ */ parserOf<ParsedCreateStandardLiquidityPoolInstruction>(
    declared.createStandardLiquidityPool,
  );

/** What {@link getCreateProLiquidityPoolInstruction} takes. */
export interface CreateProLiquidityPoolInput
  extends InstructionInput<typeof declared.createProLiquidityPool> {}
/** What {@link parseCreateProLiquidityPoolInstruction} returns. */
export interface ParsedCreateProLiquidityPoolInstruction
  extends ParsedInstruction<typeof declared.createProLiquidityPool> {}
/**
 * Creates a pro pool of an existing token and SOL. Amounts are native units.
 * @throws {HeavenError} `invalid-address`, `invalid-input`, `invalid-amount`, `amount-out-of-range`
 * @example
 * ```ts
 * const brackets = [{ marketCapUpperBound: 9_223_372_036_854_775_807n, buyFeeBps: 100, sellFeeBps: 100 }];
 * const params = {
 *   encodedUserDefinedEventData: '',
 *   initialTokenAAmount: 400_000_000_000_000n,
 *   initialTokenBAmount: 400_000_000_000n,
 *   creatorTradingFee: { brackets, count: 1 },
 *   reflectionTradingFee: null, // the config's
 *   liquidityProviderTradingFee: null, // the config's
 *   creatorSlotTradingFee: null, // none
 *   enableSameSlotTrading: false,
 *   enableSandwichResistantMode: false,
 *   enableDepositLiquidity: true,
 *   enableWithdrawLiquidity: true,
 *   enableSwap: true,
 *   enableUpdateCreatorTradingFee: true,
 * };
 * const instruction = getCreateProLiquidityPoolInstruction({ ...accounts, protocolConfigVersion: 3, params });
 * ```
 */
export const getCreateProLiquidityPoolInstruction = /* @__PURE__ */ builderOf<CreateProLiquidityPoolInput>(
  declared.createProLiquidityPool,
);
/**
 * Parses a pro pool's creation. The reverse of {@link getCreateProLiquidityPoolInstruction}.
 * @throws {HeavenError} `malformed-data`
 * @example
 * ```ts
 * const { data } = parseCreateProLiquidityPoolInstruction(instruction);
 * ```
 */
export const parseCreateProLiquidityPoolInstruction =
  /* @__PURE__ */ parserOf<ParsedCreateProLiquidityPoolInstruction>(declared.createProLiquidityPool);
