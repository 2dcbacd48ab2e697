import type { InstructionInput, ParsedInstruction } from '../../solana/define-instruction.js';
import { builderOf, parserOf } from '../declare.js';
import * as declared from './declarations.js';

/** What {@link getBuyInstruction} takes. */
export interface BuyInput extends InstructionInput<typeof declared.buy> {}
/** What {@link parseBuyInstruction} returns. */
export interface ParsedBuyInstruction extends ParsedInstruction<typeof declared.buy> {}
/**
 * Buys token A of a standard pool with wrapped SOL. Amounts are native units.
 * @throws {HeavenError} `invalid-address`, `invalid-input`, `invalid-amount`, `amount-out-of-range`
 * @example
 * ```ts
 * const params = { maxSolSpend: 1_500_000_000n, minimumAmountOut: 1n, encodedUserDefinedEventData: '' };
 * const instruction = getBuyInstruction({ ...accounts, params });
 * ```
 */
export const getBuyInstruction = /* @__PURE__ */ builderOf<BuyInput>(declared.buy);
/**
 * Parses a buy in a standard pool. The reverse of {@link getBuyInstruction}.
 * @throws {HeavenError} `malformed-data`
 * @example
 * ```ts
 * const { data } = parseBuyInstruction(instruction);
 * ```
 */
export const parseBuyInstruction = /* @__PURE__ */ parserOf<ParsedBuyInstruction>(declared.buy);

/** What {@link getSellInstruction} takes. */
export interface SellInput extends InstructionInput<typeof declared.sell> {}
/** What {@link parseSellInstruction} returns. */
export interface ParsedSellInstruction extends ParsedInstruction<typeof declared.sell> {}
/**
 * Sells token A to a standard pool for wrapped SOL. Amounts are native units.
 * @throws {HeavenError} `invalid-address`, `invalid-input`, `invalid-amount`, `amount-out-of-range`
 * @example
 * ```ts
 * const params = { amountIn: 250_000_000_000n, minimumAmountOut: 1n, encodedUserDefinedEventData: '' };
 * const instruction = getSellInstruction({ ...accounts, params });
 * ```
 */
export const getSellInstruction = /* @__PURE__ */ builderOf<SellInput>(declared.sell);
/**
 * Parses a sell in a standard pool. The reverse of {@link getSellInstruction}.
 * @throws {HeavenError} `malformed-data`
 * @example
 * ```ts
 * const { data } = parseSellInstruction(instruction);
 * ```
 */
export const parseSellInstruction = /* @__PURE__ */ parserOf<ParsedSellInstruction>(declared.sell);

/** What {@link getProBuyInstruction} takes. */
export interface ProBuyInput extends InstructionInput<typeof declared.proBuy> {}
/** What {@link parseProBuyInstruction} returns. */
export interface ParsedProBuyInstruction extends ParsedInstruction<typeof declared.proBuy> {}
/**
 * Buys token A of a pro pool with wrapped SOL. Amounts are native units.
 * @throws {HeavenError} `invalid-address`, `invalid-input`, `invalid-amount`, `amount-out-of-range`
 * @example
 * ```ts
 * const params = { maxSolSpend: 1_500_000_000n, minimumAmountOut: 1n, encodedUserDefinedEventData: '' };
 * const instruction = getProBuyInstruction({ ...accounts, params });
 * ```
 */
export const getProBuyInstruction = /* @__PURE__ */ builderOf<ProBuyInput>(declared.proBuy);
/**
 * Parses a buy in a pro pool. The reverse of {@link getProBuyInstruction}.
 * @throws {HeavenError} `malformed-data`
 * @example
 * ```ts
 * const { data } = parseProBuyInstruction(instruction);
 * ```
 */
export const parseProBuyInstruction = /* @__PURE__ */ parserOf<ParsedProBuyInstruction>(declared.proBuy);

/** What {@link getProSellInstruction} takes. */
export interface ProSellInput extends InstructionInput<typeof declared.proSell> {}
/** What {@link parseProSellInstruction} returns. */
export interface ParsedProSellInstruction extends ParsedInstruction<typeof declared.proSell> {}
/**
 * Sells token A to a pro pool for wrapped SOL. Amounts are native units.
 * @throws {HeavenError} `invalid-address`, `invalid-input`, `invalid-amount`, `amount-out-of-range`
 * @example
 * ```ts
 * const params = { amountIn: 250_000_000_000n, minimumAmountOut: 1n, encodedUserDefinedEventData: '' };
 * const instruction = getProSellInstruction({ ...accounts, params });
 * ```
 */
export const getProSellInstruction = /* @__PURE__ */ builderOf<ProSellInput>(declared.proSell);
/**
 * Parses a sell in a pro pool. The reverse of {@link getProSellInstruction}.
 * @throws {HeavenError} `malformed-data`
 * @example
 * ```ts
 * const { data } = parseProSellInstruction(instruction);
 * ```
 */
export const parseProSellInstruction = /* @__PURE__ */ parserOf<ParsedProSellInstruction>(declared.proSell);
