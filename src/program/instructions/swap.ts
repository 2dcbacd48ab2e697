import {
  defineInstruction,
  type InstructionInput,
  type ParsedInstruction,
} from '../../solana/define-instruction.js';
import { builderOf, parserOf } from '../declare.js';
import { buyParamsSchema, sellParamsSchema } from '../types.js';
import { ASSUMED_PRICE_ACCOUNTS, extend, PRICE_ACCOUNTS, SWAP_ACCOUNTS } from './shared.js';

/** Confirmed swaps pass the user writable: it pays for what the program does on its behalf (level M). */
const TRADE_ACCOUNTS = /* @__PURE__ */ extend(SWAP_ACCOUNTS, { user: 'writable-signer' });

export const buyDeclaration = /* @__PURE__ */ defineInstruction({
  name: 'buy',
  discriminator: '66063d1201daebea',
  docs: 'Buys token A of a standard pool with wrapped SOL.',
  accounts: TRADE_ACCOUNTS,
  remainingAccounts: PRICE_ACCOUNTS,
  args: { params: buyParamsSchema },
});
/** What {@link getBuyInstruction} takes: its accounts by name, and its arguments. */
export interface BuyInput extends InstructionInput<typeof buyDeclaration> {}
/** What {@link parseBuyInstruction} gives: its accounts by name, and its arguments. */
export interface ParsedBuyInstruction extends ParsedInstruction<typeof buyDeclaration> {}
/**
 * Buys token A of a standard pool with wrapped SOL. Amounts are native units.
 * @throws {HeavenError} `invalid-address`, `invalid-input`, `invalid-amount`, `amount-out-of-range`
 * @example
 * ```ts
 * const params = { maxSolSpend: 1_500_000_000n, minimumAmountOut: 1n, encodedUserDefinedEventData: '' };
 * const instruction = getBuyInstruction({ ...accounts, params });
 * ```
 */
export const getBuyInstruction = /* @__PURE__ */ builderOf<BuyInput>(buyDeclaration);
/**
 * Reads a buy in a standard pool back: the other way round of {@link getBuyInstruction}.
 * @throws {HeavenError} `instruction-mismatch`
 * @example
 * ```ts
 * const { data } = parseBuyInstruction(instruction);
 * ```
 */
export const parseBuyInstruction = /* @__PURE__ */ parserOf<ParsedBuyInstruction>(buyDeclaration);

export const sellDeclaration = /* @__PURE__ */ defineInstruction({
  name: 'sell',
  discriminator: '33e685a4017f83ad',
  docs: 'Sells token A to a standard pool for wrapped SOL.',
  accounts: TRADE_ACCOUNTS,
  remainingAccounts: PRICE_ACCOUNTS,
  returns: 'u64',
  args: { params: sellParamsSchema },
});
/** What {@link getSellInstruction} takes: its accounts by name, and its arguments. */
export interface SellInput extends InstructionInput<typeof sellDeclaration> {}
/** What {@link parseSellInstruction} gives: its accounts by name, and its arguments. */
export interface ParsedSellInstruction extends ParsedInstruction<typeof sellDeclaration> {}
/**
 * Sells token A to a standard pool for wrapped SOL. Amounts are native units.
 * @throws {HeavenError} `invalid-address`, `invalid-input`, `invalid-amount`, `amount-out-of-range`
 * @example
 * ```ts
 * const params = { amountIn: 250_000_000_000n, minimumAmountOut: 1n, encodedUserDefinedEventData: '' };
 * const instruction = getSellInstruction({ ...accounts, params });
 * ```
 */
export const getSellInstruction = /* @__PURE__ */ builderOf<SellInput>(sellDeclaration);
/**
 * Reads a sell in a standard pool back: the other way round of {@link getSellInstruction}.
 * @throws {HeavenError} `instruction-mismatch`
 * @example
 * ```ts
 * const { data } = parseSellInstruction(instruction);
 * ```
 */
export const parseSellInstruction = /* @__PURE__ */ parserOf<ParsedSellInstruction>(sellDeclaration);

export const proBuyDeclaration = /* @__PURE__ */ defineInstruction({
  name: 'pro_buy',
  discriminator: '67abc4ee9f2dbbf6',
  docs: 'Buys token A of a pro pool with wrapped SOL.',
  accounts: TRADE_ACCOUNTS,
  remainingAccounts: ASSUMED_PRICE_ACCOUNTS,
  args: { params: buyParamsSchema },
});
/** What {@link getProBuyInstruction} takes: its accounts by name, and its arguments. */
export interface ProBuyInput extends InstructionInput<typeof proBuyDeclaration> {}
/** What {@link parseProBuyInstruction} gives: its accounts by name, and its arguments. */
export interface ParsedProBuyInstruction extends ParsedInstruction<typeof proBuyDeclaration> {}
/**
 * Buys token A of a pro pool with wrapped SOL. Amounts are native units.
 * @throws {HeavenError} `invalid-address`, `invalid-input`, `invalid-amount`, `amount-out-of-range`
 * @example
 * ```ts
 * const params = { maxSolSpend: 1_500_000_000n, minimumAmountOut: 1n, encodedUserDefinedEventData: '' };
 * const instruction = getProBuyInstruction({ ...accounts, params });
 * ```
 */
export const getProBuyInstruction = /* @__PURE__ */ builderOf<ProBuyInput>(proBuyDeclaration);
/**
 * Reads a buy in a pro pool back: the other way round of {@link getProBuyInstruction}.
 * @throws {HeavenError} `instruction-mismatch`
 * @example
 * ```ts
 * const { data } = parseProBuyInstruction(instruction);
 * ```
 */
export const parseProBuyInstruction = /* @__PURE__ */ parserOf<ParsedProBuyInstruction>(proBuyDeclaration);

export const proSellDeclaration = /* @__PURE__ */ defineInstruction({
  name: 'pro_sell',
  discriminator: '8c4f7a601689ee7c',
  docs: 'Sells token A to a pro pool for wrapped SOL.',
  accounts: TRADE_ACCOUNTS,
  remainingAccounts: ASSUMED_PRICE_ACCOUNTS,
  args: { params: sellParamsSchema },
});
/** What {@link getProSellInstruction} takes: its accounts by name, and its arguments. */
export interface ProSellInput extends InstructionInput<typeof proSellDeclaration> {}
/** What {@link parseProSellInstruction} gives: its accounts by name, and its arguments. */
export interface ParsedProSellInstruction extends ParsedInstruction<typeof proSellDeclaration> {}
/**
 * Sells token A to a pro pool for wrapped SOL. Amounts are native units.
 * @throws {HeavenError} `invalid-address`, `invalid-input`, `invalid-amount`, `amount-out-of-range`
 * @example
 * ```ts
 * const params = { amountIn: 250_000_000_000n, minimumAmountOut: 1n, encodedUserDefinedEventData: '' };
 * const instruction = getProSellInstruction({ ...accounts, params });
 * ```
 */
export const getProSellInstruction = /* @__PURE__ */ builderOf<ProSellInput>(proSellDeclaration);
/**
 * Reads a sell in a pro pool back: the other way round of {@link getProSellInstruction}.
 * @throws {HeavenError} `instruction-mismatch`
 * @example
 * ```ts
 * const { data } = parseProSellInstruction(instruction);
 * ```
 */
export const parseProSellInstruction = /* @__PURE__ */ parserOf<ParsedProSellInstruction>(proSellDeclaration);
