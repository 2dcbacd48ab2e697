import type { Address } from '@solana/kit';
import { HeavenError, isHeavenError } from '../../base/errors.js';
import { inputError, invalidInput } from '../../base/input.js';
import { BPS, ceilDiv, U64_MAX } from '../../base/integers.js';
import type { HeavenWarning } from '../../base/warnings.js';
import { checkInput, fieldsOf } from '../../input/check-input.js';
import {
  abortSignal,
  checkedBy,
  optional,
  requiredInRequests,
  slippage,
  u64,
  version,
} from '../../input/fields.js';
import { feeWarning } from '../../input/quotes.js';
import { inDigits, invalidFraction, slippageOf } from '../../math/slippage.js';
import { computeInitialPurchase, NO_FEES } from '../../math/swap.js';
import type { FeeAmounts } from '../../math/types.js';
import { scaleDecimal, toNativeAmount, toUiAmount, type UiAmount } from '../../math/units.js';
import { locatePriceAndClock } from '../../pool/addresses.js';
import { configFrom, creationDisabled, solPriceFrom, timeFrom } from '../../pool/check.js';
import type { SolPrice } from '../../pool/decode.js';
import { HIGH_SLIPPAGE_BPS, inWords } from '../../pool/doubts.js';
import { fetchDecoded } from '../../pool/explained.js';
import { highLaunchFee } from '../../pool/high-launch-fee.js';
import { computeMarketCap } from '../../pool/market-cap.js';
import { toUiNumber, walletLimit } from '../../pool/quote.js';
import { type FeeWarningOptions, inUnitOf, nativeOf, SOL_DECIMALS } from '../../pool/quote-amounts.js';
import type { ProtocolConfig } from '../../program/accounts.js';
import { deriveProtocolConfigAddress } from '../../program/addresses.js';
import type { HeavenClient } from '../../program/client.js';
import type { RawAccount } from '../../solana/rpc/accounts.js';
import type { RequestOptions } from '../../solana/rpc/send.js';
import { assertShownSol, decimalsOf, quoteMismatch } from '../../transaction/quote-response.js';

/** How much of a new token to buy at its launch: a share of the tokens or token units, never both. */
export type QuoteInitialBuyInput = RequestOptions &
  FeeWarningOptions & {
    /** 1 community, 2 creator. */
    readonly configVersion: number;
    /** Whole basis points to add to the cost, 0 to 10000: 50 is 0.5 %. Default 0. */
    readonly slippageBps?: number | null | undefined;
    /** The same as a fraction: 0.005 is 0.5 %, and 1 doubles the cost. Not both. */
    readonly slippage?: UiAmount | null | undefined;
  } & (
    | {
        /** Percent of the tokens that a launch starts with: 1 is 1 %. */
        readonly initialPurchasePercent: UiAmount;
        readonly tokenAmount?: null | undefined;
      }
    | {
        /** Token units: the `initialPurchaseAmount` of the launch. */
        readonly tokenAmount: bigint;
        readonly initialPurchasePercent?: null | undefined;
      }
  );

/** What a purchase at launch costs. */
export interface InitialBuyQuote {
  /** The most that it costs: the lowest price of the tokens plus the slippage. Lamports. */
  readonly costLamports: bigint;
  /** The same in SOL. For display. */
  readonly costSol: number;
  /** The same in USD. For display. */
  readonly costUsd: number;
  /** The tokens, in native units: `initialPurchaseAmount` of the launch. */
  readonly tokenAmount: bigint;
  /** The same in tokens. For display. */
  readonly tokenAmountUi: number;
  readonly details: {
    /** The lowest price of the tokens, in lamports. */
    readonly leastLamports: bigint;
    /** All 0: the purchase pays no fee. */
    readonly fees: FeeAmounts;
    /** 0 lamports. */
    readonly totalFee: bigint;
    /** Before the purchase. For display. */
    readonly marketCapUsd: number;
    /** The slot that the quote is for. */
    readonly slot: bigint;
    /** What to know before launching. */
    readonly warnings: readonly HeavenWarning[];
  };
}

/** Decimals of a fraction: more than any 64-bit amount can distinguish. */
const FRACTION_DIGITS = 32;
const FRACTION_ONE = 100_000_000_000_000_000_000_000_000_000_000n;

const percent = () => checkedBy<UiAmount>(shareOf, 'amount', { maximum: 100 });

const fraction = () => checkedBy<UiAmount>(fractionOf, 'amount', { maximum: 1 });

export const quoteInitialBuyFields = /* @__PURE__ */ fieldsOf<QuoteInitialBuyInput>()(() => ({
  documented: {
    configVersion: version(),
    initialPurchasePercent: requiredInRequests(percent()),
    slippageBps: optional(slippage()),
    slippage: optional(fraction()),
  },
  local: { abortSignal: abortSignal(), tokenAmount: optional(u64()), ...feeWarning() },
}));

/**
 * Quotes the purchase of a new token in the transaction that launches it, from a share of the tokens
 * (`initialPurchasePercent`) or their amount (`tokenAmount`): the least lamports that buy exactly the tokens, plus the
 * slippage. The purchase pays no fee, not even in a launch window: fees apply from the first trade on
 * ([level M](/protocol#initial-purchase)). One call to the node.
 *
 * @throws {HeavenError} `invalid-amount`, `zero-amount` (a share of less than one unit), `invalid-input` (more than 100 %, or share and amount both), `invalid-slippage`,
 * `insufficient-liquidity` (all the tokens can't be bought), `account-not-found` for a config version that does not
 * exist, `pool-mismatch`, `price-unavailable`, and the `rpc-…` codes
 * @example
 * ```ts
 * const { costSol, tokenAmount } = await quoteInitialBuy(client, { configVersion: 1, initialPurchasePercent: 5 });
 * ```
 */
export async function quoteInitialBuy(
  client: HeavenClient,
  input: QuoteInitialBuyInput,
): Promise<InitialBuyQuote> {
  const [checked, warnings] = checkInput(client, input, quoteInitialBuyFields);
  const { configVersion, abortSignal } = checked;
  const toTokenAmount = purchaseOf(checked);
  const addedSlippage = addedSlippageOf(checked);
  const launch = await fetchLaunch(client, configVersion, [], { abortSignal });
  const { config, reserveA, solPrice, slot } = launch;
  const tokenAmount = toTokenAmount(config);
  const leastLamports = costIn(launch, tokenAmount, checked);
  const costLamports = leastLamports + ceilDiv(leastLamports * addedSlippage, FRACTION_ONE);
  const { answer, decimals } = solPrice;
  return {
    costLamports,
    costSol: toUiNumber(costLamports, SOL_DECIMALS),
    costUsd: toUiNumber(costLamports * answer, SOL_DECIMALS + decimals),
    tokenAmount,
    tokenAmountUi: toUiNumber(tokenAmount, config.tokenADecimals),
    details: {
      leastLamports,
      fees: NO_FEES,
      totalFee: 0n,
      marketCapUsd: toUiNumber(computeMarketCap({ ...launch, token: { supply: reserveA } }), 6),
      slot,
      warnings: [
        ...warnings,
        ...creationDisabled(config),
        ...highCost(checked.slippage, addedSlippage, costLamports),
        ...highLaunchFee(config, checked),
        ...(await inWords([walletLimit(tokenAmount, config.maxSupplyPerWallet)])),
      ],
    },
  };
}

/**
 * Rejects a quote that can't answer its request, as far as that shows without the config. The config states how many tokens
 * a launch starts with, so this rejects only a share of more tokens than 64 bits can count.
 */
export function assertAnswersInitialBuy(
  { costLamports, costSol, tokenAmount, tokenAmountUi }: Omit<InitialBuyQuote, 'details'>,
  { initialPurchasePercent }: { readonly initialPurchasePercent: UiAmount },
): void {
  assertShownSol('costSol', costLamports, costSol);
  if (decimalsOf(tokenAmount, tokenAmountUi) === undefined)
    throw quoteMismatch('tokenAmountUi', tokenAmount, tokenAmountUi);
  const share = shareOf(initialPurchasePercent);
  if (tokenAmount > (U64_MAX * share) / FRACTION_ONE || (tokenAmount === 0n && share > 0n))
    throw quoteMismatch('tokenAmount', initialPurchasePercent, tokenAmount);
  if (tokenAmount === 0n && costLamports > 0n) throw quoteMismatch('costLamports', 0n, costLamports);
}

/** What to buy, with both of its fields, one of them `undefined`. */
type EitherPurchase = {
  readonly initialPurchasePercent: UiAmount | undefined;
  readonly tokenAmount: bigint | undefined;
};

const AMOUNTS = ['tokenAmount', 'initialPurchasePercent'] as const;

/** Checks how much to buy, and returns it in token units for a config. */
function purchaseOf(input: EitherPurchase): (config: ProtocolConfig) => bigint {
  const { initialPurchasePercent } = input;
  const tokenAmount = nativeOf(input.tokenAmount, initialPurchasePercent, AMOUNTS);
  if (tokenAmount === undefined) {
    const share = shareOf(initialPurchasePercent as UiAmount);
    return ({ initialTokenAAmount }) => {
      const amount = (initialTokenAAmount * share) / FRACTION_ONE;
      if (amount > 0n || share === 0n) return amount;
      const field = 'initialPurchasePercent';
      const message = `${field} ${inDigits(initialPurchasePercent)} rounds down to 0 token units. Buy more, or pass 0 to buy nothing.`;
      throw new HeavenError('zero-amount', message, { field });
    };
  }
  return () => tokenAmount;
}

/** What the purchase costs. An error about too large a percentage names the percentage. */
function costIn({ costOf, reserveA }: Launch, tokenAmount: bigint, input: EitherPurchase): bigint {
  try {
    return costOf(tokenAmount);
  } catch (error) {
    const asked = input.initialPurchasePercent ?? undefined;
    if (asked === undefined) throw error;
    // Rounded down, so it can be bought.
    const toPercent = (native: bigint) => toUiAmount((native * 10n ** 11n) / reserveA, 9);
    throw inUnitOf(error, 'initialPurchasePercent', asked, toPercent);
  }
}

/** A percentage as a fraction of {@link FRACTION_ONE}. */
function shareOf(percent: UiAmount, field = 'initialPurchasePercent'): bigint {
  // Far above any sensible value, so the error can say what is sensible.
  const most = FRACTION_ONE ** 3n;
  const share = scaleDecimal(percent, FRACTION_DIGITS - 2, field, most);
  if (share > FRACTION_ONE) throw invalidInput(field, percent, 'from 0 to 100');
  return share;
}

/** The slippage as a part of {@link FRACTION_ONE}. */
function addedSlippageOf(input: Pick<QuoteInitialBuyInput, 'slippageBps' | 'slippage'>): bigint {
  const field = 'slippage';
  const slippage = input.slippage ?? undefined;
  const slippageBps = input.slippageBps ?? undefined;
  if (slippageBps !== undefined) {
    if (slippage === undefined) return (slippageOf(slippageBps) * FRACTION_ONE) / BPS;
    throw inputError(field, 'slippageBps and slippage say the same: give one of the two.', slippage);
  }
  return fractionOf(slippage ?? 0, field);
}

/** Warns of a slippage that adds a lot to the cost. `fraction`: the slippage, if it is one. */
function highCost(
  fraction: UiAmount | undefined,
  added: bigint,
  costLamports: bigint,
): readonly HeavenWarning[] {
  if (added * BPS < FRACTION_ONE * BigInt(HIGH_SLIPPAGE_BPS)) return [];
  const isBasisPoints = fraction !== undefined && added * 2n > FRACTION_ONE;
  const meaning = isBasisPoints
    ? `slippage is ${inDigits(fraction)}, a fraction: 1 is 100 %. Pass slippageBps, such as 50 for 0.5 %.`
    : 'Choose less slippage.';
  const message = `With a slippage of ${toUiAmount(added * 100n, FRACTION_DIGITS)} % the purchase may cost up to ${costLamports} lamports. ${meaning}`;
  return [{ code: 'spend-too-high', message }];
}

/** A fraction as a part of {@link FRACTION_ONE}. */
function fractionOf(fraction: UiAmount, field: string): bigint {
  try {
    return scaleDecimal(fraction, FRACTION_DIGITS, field, FRACTION_ONE);
  } catch (error) {
    const isTooFine = isHeavenError(error, 'invalid-amount') && error.context.decimals !== undefined;
    throw isTooFine ? error : invalidFraction(field, fraction);
  }
}

/** What a launch starts from. */
export interface Launch {
  readonly config: ProtocolConfig;
  /** The config's address. */
  readonly protocolConfig: Address;
  /** The pool's first reserves: all tokens, and the virtual lamports. */
  readonly reserveA: bigint;
  readonly reserveB: bigint;
  readonly solPrice: SolPrice;
  readonly slot: bigint;
  /** What an initial purchase of exactly this many token units costs, in lamports. */
  readonly costOf: (tokenAmount: bigint) => bigint;
  /** The additional accounts that were read in the same call. */
  readonly more: readonly (RawAccount | undefined)[];
}

/**
 * Reads the config, the price feed, the clock and more accounts in one call, and states what a launch starts from.
 */
export async function fetchLaunch(
  client: HeavenClient,
  configVersion: number,
  addresses: readonly Address[],
  options: RequestOptions,
): Promise<Launch> {
  const { programAddress } = client.deployment;
  const protocolConfig = await deriveProtocolConfigAddress(configVersion, { programAddress });
  const all = [protocolConfig, ...locatePriceAndClock(client.deployment), ...addresses];
  return await fetchDecoded(client, {}, options, all, ([configAccount, priceFeed, clock, ...more]) => {
    const config = configFrom(configAccount, protocolConfig, programAddress, 'standard');
    const { slot, unixTimestamp } = timeFrom(clock);
    const reserveA = config.initialTokenAAmount;
    const reserveB = toNativeAmount(config.initialTokenBAmount, SOL_DECIMALS, 'initialTokenBAmount');
    return {
      config,
      protocolConfig,
      reserveA,
      reserveB,
      solPrice: solPriceFrom(priceFeed, client.deployment, unixTimestamp),
      slot,
      costOf: (tokenAmount) =>
        tokenAmount === 0n ? 0n : computeInitialPurchase({ reserveA, reserveB }, tokenAmount).amountIn,
      more,
    };
  });
}
