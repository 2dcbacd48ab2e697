import type { HeavenClient, RequestOptions } from '../client.js';
import { HeavenError, isHeavenError } from '../errors.js';
import { describe } from '../input.js';
import { BPS, ceilDiv, U64_MAX } from '../math/integers.js';
import { slippageOf as bpsOf, invalidFraction } from '../math/slippage.js';
import { computeBuyExactOut } from '../math/swap.js';
import type { FeeAmounts, SwapResult } from '../math/types.js';
import { scaleDecimal, toNativeAmount, type UiAmount } from '../math/units.js';
import { assertSchedules, decodeClock, decodeSolPrice, type PoolSnapshot } from '../pool/decode.js';
import {
  assertClock,
  assertConfig,
  assertConfigKind,
  assertPriceFeed,
  fetchAccounts,
  type RawAccount,
} from '../pool/fetch.js';
import { CONFIG } from '../pool/layout.js';
import { locateConfig, locatePriceAndClock } from '../pool/locate.js';
import { marketCapMicroUsd } from '../pool/market-cap.js';
import { SOL_DECIMALS, toUiNumber } from '../pool/quote.js';
import { assertShown, decimalsOf, quoteMismatch } from '../pool/quote-request.js';
import { swapStateOf } from '../pool/swap-state.js';
import { decodeProtocolConfig, type ProtocolConfig } from '../program/accounts.js';
import { assertConfigVersion } from '../program/addresses.js';
import { view } from '../solana/account-data.js';

/** How much of a new token its launch is to buy. */
export interface QuoteInitialBuyInput extends RequestOptions {
  /** 1 community, 2 creator. */
  readonly configVersion: number;
  /** Percent of the tokens that a launch starts with: 1 is 1 %. */
  readonly initialPurchasePercent: UiAmount;
  /** Whole basis points to add to the cost, 0 to 10000: 50 is 0.5 %. Default 0. */
  readonly slippageBps?: number | null | undefined;
  /** The same as a fraction: 0.005 is 0.5 %. Not both. */
  readonly slippage?: UiAmount | null | undefined;
}

/** What a purchase at launch costs. */
export interface InitialBuyQuote {
  /** What it costs at most: the least that buys the tokens, plus the slippage. Lamports. */
  readonly costLamports: bigint;
  /** The same in SOL and in USD. For display. */
  readonly costSol: number;
  readonly costUsd: number;
  /** The tokens, in native units: `initialPurchaseAmount` of the launch. */
  readonly tokenAmount: bigint;
  /** The same in tokens. For display. */
  readonly tokenAmountUi: number;
  readonly details: {
    /** The least that buys the tokens, in lamports. */
    readonly leastLamports: bigint;
    readonly fees: FeeAmounts;
    /** In lamports. */
    readonly totalFee: bigint;
    /** Before the purchase. For display. */
    readonly marketCapUsd: number;
    readonly slot: bigint;
  };
}

/** Digits behind the point of a fraction: more than any amount of 64 bits can tell apart. */
const FRACTION_DIGITS = 32;
const FRACTION_ONE = 10n ** BigInt(FRACTION_DIGITS);
/** Far over what is sensible, so that the error says what is. */
const MOST = FRACTION_ONE ** 3n;

/**
 * What it costs to buy a share of a new token in the transaction that launches it: the least lamports that buy exactly
 * the tokens, under the config's fees at the launch's market cap and in its first slot, plus the slippage. One call to the
 * node. There is no warning of the price impact: the purchase always moves the price, by about the share that it buys.
 *
 * @throws {HeavenError} `invalid-amount`, `invalid-input` (more than 100 %), `invalid-slippage`, `too-many-decimals`,
 * `insufficient-liquidity` (all the tokens can't be bought), `account-not-found` for a config version that does not
 * exist, `pool-kind-mismatch`, `implausible-account`, `price-unavailable`, and the `rpc-…` codes
 * @example
 * ```ts
 * const { costSol, tokenAmount } = await quoteInitialBuy(client, { configVersion: 1, initialPurchasePercent: 5 });
 * ```
 */
export async function quoteInitialBuy(
  client: HeavenClient,
  input: QuoteInitialBuyInput,
): Promise<InitialBuyQuote> {
  const { configVersion, abortSignal } = input;
  const share = shareOf(input.initialPurchasePercent);
  const slippage = slippageOf(input);
  const launch = launchFrom(await fetchLaunchAccounts(client, configVersion, [], { abortSignal }));
  const tokenAmount = (launch.config.initialTokenAAmount * share) / FRACTION_ONE;
  const { snapshot } = launch;
  const purchase = launch.purchase(tokenAmount);
  const leastLamports = purchase?.amountIn ?? 0n;
  const costLamports = leastLamports + ceilDiv(leastLamports * slippage, FRACTION_ONE);
  const { answer, decimals } = snapshot.solPrice;
  return {
    costLamports,
    costSol: toUiNumber(costLamports, SOL_DECIMALS),
    costUsd: toUiNumber(costLamports * answer, SOL_DECIMALS + decimals),
    tokenAmount,
    tokenAmountUi: toUiNumber(tokenAmount, snapshot.token.decimals),
    details: {
      leastLamports,
      fees: purchase?.fees ?? {
        protocol: 0n,
        liquidityProvider: 0n,
        creator: 0n,
        creatorProtocol: 0n,
        reflection: 0n,
      },
      totalFee: purchase?.totalFee ?? 0n,
      marketCapUsd: toUiNumber(marketCapMicroUsd(snapshot), 6),
      slot: snapshot.slot,
    },
  };
}

/**
 * Refuses a quote that can't answer its request, as far as that shows without the config: how many tokens a launch starts with
 * is written there, so only a share that would need more tokens than 64 bits can count is refused.
 *
 * @throws {HeavenError} `quote-mismatch`
 */
export function assertAnswersInitialBuy(
  { costLamports, costSol, tokenAmount, tokenAmountUi }: Omit<InitialBuyQuote, 'details'>,
  { initialPurchasePercent }: QuoteInitialBuyInput,
): void {
  assertShown('costSol', costLamports, costSol);
  if (decimalsOf(tokenAmount, tokenAmountUi) === undefined)
    throw quoteMismatch('tokenAmountUi', tokenAmount, tokenAmountUi);
  const most = (U64_MAX * shareOf(initialPurchasePercent)) / FRACTION_ONE;
  if (tokenAmount > most) throw quoteMismatch('tokenAmount', initialPurchasePercent, tokenAmount);
  if (tokenAmount === 0n && costLamports > 0n) throw quoteMismatch('costLamports', 0n, costLamports);
}

/** A percentage as a fraction of {@link FRACTION_ONE}. */
function shareOf(percent: UiAmount): bigint {
  const field = 'initialPurchasePercent';
  const share = scaleDecimal(percent, FRACTION_DIGITS - 2, field, MOST);
  if (share > FRACTION_ONE) {
    throw new HeavenError('invalid-input', `${field} must be from 0 to 100; got ${describe(percent)}.`, {
      field,
      value: percent,
    });
  }
  return share;
}

/** The slippage as a part of {@link FRACTION_ONE}. */
function slippageOf({
  slippageBps,
  slippage,
}: Pick<QuoteInitialBuyInput, 'slippageBps' | 'slippage'>): bigint {
  const field = 'slippage';
  if (slippageBps !== undefined && slippageBps !== null) {
    if (slippage === undefined || slippage === null) return (bpsOf(slippageBps) * FRACTION_ONE) / BPS;
    throw new HeavenError('invalid-input', 'slippageBps and slippage say the same: give one of the two.', {
      field,
      value: slippage,
    });
  }
  try {
    return scaleDecimal(slippage ?? 0, FRACTION_DIGITS, field, FRACTION_ONE);
  } catch (error) {
    throw isHeavenError(error, 'too-many-decimals') ? error : invalidFraction(field, slippage);
  }
}

/** The accounts that say how a launch begins. */
export interface LaunchAccounts {
  readonly configVersion: number;
  readonly protocolConfig: RawAccount;
  readonly priceFeed: RawAccount;
  readonly clock: RawAccount;
  readonly more: readonly (RawAccount | undefined)[];
}

/** Reads the config, the price feed and the clock, and more accounts in the same call. */
export async function fetchLaunchAccounts(
  client: HeavenClient,
  configVersion: number,
  more: readonly RawAccount['address'][],
  options: RequestOptions,
): Promise<LaunchAccounts> {
  assertConfigVersion(configVersion, 'configVersion');
  const { programAddress } = client.deployment;
  const address = await locateConfig(configVersion, programAddress);
  const [protocolConfig, priceFeed, clock, ...rest] = await fetchAccounts(
    client,
    [address, ...locatePriceAndClock(client.deployment), ...more],
    options,
  );
  assertConfig(protocolConfig, address, programAddress);
  assertPriceFeed(priceFeed, client.deployment);
  assertClock(clock);
  return { configVersion, protocolConfig, priceFeed, clock, more: rest };
}

/** A launch as its first slot will find it. */
export interface Launch {
  readonly config: ProtocolConfig;
  readonly snapshot: PoolSnapshot;
  /** The cheapest purchase of exactly so many token units; `undefined` for none. */
  readonly purchase: (tokenAmount: bigint) => SwapResult | undefined;
}

/**
 * The pool that a launch with this config would begin with.
 *
 * @throws {HeavenError} `pool-kind-mismatch` for a config of pro pools, `implausible-account`, `price-unavailable`
 */
export function launchFrom(accounts: LaunchAccounts): Launch {
  const { protocolConfig, priceFeed, clock, configVersion } = accounts;
  const config = decodeProtocolConfig(protocolConfig.data, protocolConfig.address);
  assertConfigKind(config, 'standard');
  assertSchedules(CONFIG, view(protocolConfig.data), protocolConfig.address);
  const { slot, epoch, unixTimestamp } = decodeClock(clock.data);
  const reserveA = config.initialTokenAAmount;
  const reserveB = toNativeAmount(config.initialTokenBAmount, SOL_DECIMALS, 'initialTokenBAmount');
  const snapshot: PoolSnapshot = {
    kind: 'standard',
    configVersion,
    slot,
    epoch,
    unixTimestamp,
    reserveA,
    reserveB,
    virtualReserveB: reserveB,
    window: { slot: 0n, slots: 1, reserveA: 0n, reserveB: 0n },
    isSwapEnabled: true,
    isSameSlotTradingAllowed: true,
    isSandwichResistant: false,
    feeSource: 'global',
    opensAt: 0n,
    createdAtSlot: slot,
    token: { decimals: config.tokenADecimals, supply: reserveA, transferFee: undefined },
    solPrice: decodeSolPrice(priceFeed.data, unixTimestamp, priceFeed.address),
    data: { pool: new Uint8Array(), protocolConfig: protocolConfig.data },
  };
  const state = swapStateOf(snapshot);
  return {
    config,
    snapshot,
    purchase: (tokenAmount) => (tokenAmount === 0n ? undefined : computeBuyExactOut(state, tokenAmount)),
  };
}
