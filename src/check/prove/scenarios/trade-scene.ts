import { type Address, bytesEqual, type KeyPairSigner } from '@solana/kit';

import type { BuiltTrade } from '../../../build/trade.js';
import { isHeavenError } from '../../../errors.js';
import { U64_MAX } from '../../../math/integers.js';
import { computeBuyExactOut, computeSell, computeSellExactOut } from '../../../math/swap.js';
import { toUiAmount } from '../../../math/units.js';
import { decodePoolSnapshot, type PoolAccounts, type PoolSnapshot } from '../../../pool/decode.js';
import { fetchPoolSnapshot } from '../../../pool/fetch.js';
import type { PoolAddresses } from '../../../pool/locate.js';
import { type DetailedBuyQuote, type DetailedSellQuote, SOL_DECIMALS } from '../../../pool/quote.js';
import { buildProBuy } from '../../../pro/buy.js';
import { quoteProBuy } from '../../../pro/quote-buy.js';
import { quoteProSell } from '../../../pro/quote-sell.js';
import { buildProSell } from '../../../pro/sell.js';
import { CLOCK_SYSVAR_ADDRESS } from '../../../solana/programs.js';
import { buildBuy } from '../../../standard/buy.js';
import { quoteBuy } from '../../../standard/quote-buy.js';
import { quoteSell } from '../../../standard/quote-sell.js';
import { buildSell } from '../../../standard/sell.js';
import type { LedgerAccount } from '../../../testing/ledger-state.js';
import { CannotObserve } from '../journal.js';
import { ifPossible, type Side, swapStateUnder, tradeUnder } from '../predict.js';
import type { ProofQuestionId } from '../questions.js';
import type { ProvingPool, ScenarioInput } from '../scenario.js';
import { createStage, type Ran, type Stage, setTokens, tokensIn } from '../stage.js';
import { type Aspect, CHANGED_MEANWHILE, observeTrade, TRADED_MEANWHILE } from './observe-trade.js';

/** A rule may forbid a wallet to buy and sell in one slot. No scenario makes more trades than this in one. */
const WALLETS = 6;
/** 1,000,000 SOL, for a wallet and again for the vault. */
const PLENTY = 1_000_000_000_000_000n;
/** A trade is at most this many times its input reserve, which takes 98 % of the other one. */
const MOST_RESERVES = 50n;
/** A minimum of 0, so that trades also succeed under rules other than the assumed ones. */
const ACCEPT_ANYTHING = 10_000;

/** What trades in a pool can answer. */
export const tradeQuestions = ({ kind }: Pick<ProvingPool, 'kind'>): readonly ProofQuestionId[] => [
  'A4',
  ...(kind === 'pro' ? (['A5', 'A6', 'A8.scale'] as const) : []),
  'A7.length',
  'A7.fill',
  'buy',
  'sell',
  'exact-out',
  'event',
  'counters',
];

export const ALL_TRADE_QUESTIONS: readonly ProofQuestionId[] = tradeQuestions({ kind: 'pro' });

/** Runs work in each pool of the ground, each in a separate scene. Records and skips pools whose scene can't be created. */
export async function tradeInEachPool(
  input: ScenarioInput,
  trade: (scene: TradeScene) => Promise<void>,
): Promise<void> {
  for (const pool of input.ground.pools)
    await input.journal.attempt(tradeQuestions(pool), async () => trade(await createTradeScene(input, pool)));
}

export interface TradeWallet {
  readonly signer: KeyPairSigner;
  readonly tokenAccount: Address;
}

interface TradeOptions {
  readonly wallet?: TradeWallet;
  readonly aspect?: Aspect | undefined;
}

interface Made {
  readonly ran: Ran;
  /** What changed for another reason meanwhile, if anything. The trade then shows nothing. */
  readonly disturbance: string | undefined;
}

/** A pool on a separate ledger, and wallets with plenty of SOL and tokens. */
export interface TradeScene {
  readonly stage: Stage;
  readonly pool: ProvingPool;
  readonly addresses: PoolAddresses;
  /** A funded wallet that hasn't traded recently. */
  nextWallet(): TradeWallet;
  snapshot(): PoolSnapshot;
  /** Saves the pool, its config, its mint, its vaults and the price. Returns a function that restores them. */
  save(): () => void;
  /** Restores their initial state, and moves to the first slot of a later window. */
  nextRound(): void;
  /** The smallest and the largest sensible trade under the assumed rules. `undefined` if there is none. */
  range(side: Side): { readonly least: bigint; readonly most: bigint } | undefined;
  build(side: Side, amountIn: bigint, wallet: TradeWallet): Promise<BuiltTrade>;
  /** Makes a trade and records what it shows. */
  trade(side: Side, amountIn: bigint, options?: TradeOptions): Promise<Made>;
}

/**
 * @throws {HeavenError} if the pool can't be read
 * @throws {CannotObserve} if an account that trades need is missing
 */
export async function createTradeScene(input: ScenarioInput, pool: ProvingPool): Promise<TradeScene> {
  const { ground, journal, progress } = input;
  const stage = createStage(await ground.open());
  const { ledger, client } = stage;
  const { mint } = pool;
  const { addresses } = await fetchPoolSnapshot(client, locatorOf(pool));
  const { protocolConfig, tokenAVault, tokenBVault } = addresses;
  const priceFeed = client.deployment.solUsdFeed;

  const { accounts, snapshot, vaultOf, save } = poolAccounts(stage, pool, addresses);
  // All pools of a config share the wrapped SOL vault, so its balance was never this pool's alone.
  setTokens(ledger, tokenBVault, vaultOf(tokenBVault) + PLENTY);
  const { reserveA } = snapshot();
  if (vaultOf(tokenAVault) < reserveA) setTokens(ledger, tokenAVault, reserveA);
  const restore = save();
  // 48 is a multiple of 4, 8 and 12: windows of up to three leaders also begin there, and no two rounds share one.
  const roundSlots = 48n * BigInt(snapshot().window.slots || 1);

  const wallets: TradeWallet[] = [];
  for (let index = 0; index < WALLETS; index++) {
    const signer = await stage.createWallet();
    wallets.push({ signer, tokenAccount: await stage.giveTokens(signer, addresses, 0n) });
  }
  const mostTokens = () => {
    const now = snapshot();
    const room = (U64_MAX - vaultOf(tokenAVault)) / 2n;
    const most = now.reserveA * MOST_RESERVES;
    return most < room ? most : room;
  };
  let turn = 0;
  const nextWallet = () => {
    turn = (turn + 1) % wallets.length;
    const wallet = wallets[turn] as TradeWallet;
    ledger.setBalance(wallet.signer.address, PLENTY);
    // A rule may limit what a wallet holds.
    setTokens(ledger, wallet.tokenAccount, 0n);
    return wallet;
  };

  const build = tradeBuilder(stage, pool);
  const trade: TradeScene['trade'] = async (side, amountIn, { wallet = nextWallet(), aspect } = {}) => {
    const before = accounts();
    const built = await build(side, amountIn, wallet);
    let writes = 0;
    const stop = ledger.onWrite((address) => {
      if (address === pool.pool) writes++;
    });
    const ran = await stage.run(built, wallet.signer);
    stop();
    progress();
    const isSame = (address: Address, was: Uint8Array, data = ledger.getAccount(address)?.data) =>
      data !== undefined && bytesEqual(data, was);
    const isPoolSame = writes < 2 && isSame(pool.pool, before.pool, ran.before(pool.pool)?.data);
    const areOthersSame =
      isSame(protocolConfig, before.protocolConfig, ran.before(protocolConfig)?.data) &&
      isSame(mint, before.mint) &&
      isSame(priceFeed, before.priceFeed) &&
      isSame(CLOCK_SYSVAR_ADDRESS, before.clock);
    const disturbance = !isPoolSame ? TRADED_MEANWHILE : !areOthersSame ? CHANGED_MEANWHILE : undefined;
    if (disturbance === undefined) {
      assertQuoted(built, decodePoolSnapshot(before));
      const { tokenAccount } = wallet;
      const { address } = wallet.signer;
      const made = {
        side,
        amountIn,
        aspect,
        accounts: before,
        addresses,
        wallet: address,
        tokenAccount,
        ran,
      };
      observeTrade(journal, made);
    } else journal.skip(tradeQuestions(pool), disturbance);
    return { ran, disturbance };
  };

  return {
    stage,
    pool,
    addresses,
    nextWallet,
    snapshot,
    save,
    nextRound: () => {
      restore();
      ledger.setSlot((ledger.slot / roundSlots + 1n) * roundSlots);
    },
    range: (side) => {
      const now = snapshot();
      return rangeOf(side, now, side === 'buy' ? now.reserveB * MOST_RESERVES : mostTokens());
    },
    build,
    trade,
  };
}

function poolAccounts(
  { ledger, client }: Stage,
  { pool, mint }: ProvingPool,
  { protocolConfig, tokenAVault, tokenBVault }: PoolAddresses,
) {
  const priceFeed = client.deployment.solUsdFeed;
  const read = (address: Address, name: string): LedgerAccount => {
    const account = ledger.getAccount(address);
    if (account === undefined) throw new CannotObserve(`${name} ${address} is missing`);
    return account;
  };
  const accounts = (): PoolAccounts => ({
    pool: read(pool, 'the pool').data,
    protocolConfig: read(protocolConfig, 'the protocol config').data,
    mint: read(mint, 'the mint').data,
    priceFeed: read(priceFeed, 'the price feed').data,
    clock: read(CLOCK_SYSVAR_ADDRESS, 'the clock').data,
  });
  const snapshot = () => decodePoolSnapshot(accounts());

  const vaultOf = (address: Address) =>
    tokensIn(read(address, 'the vault') as Required<LedgerAccount>, address);
  const save = () => {
    const saved = [pool, protocolConfig, mint, priceFeed, tokenAVault, tokenBVault].map(
      (address) => [address, ledger.getAccount(address)] as const,
    );
    return () => {
      for (const [address, account] of saved) ledger.setAccount(address, account);
    };
  };
  return { accounts, snapshot, vaultOf, save };
}

/** Quotes and builds trades the way a user does. */
function tradeBuilder({ ledger, client }: Stage, proving: ProvingPool): TradeScene['build'] {
  const { pool } = proving;
  const isPro = proving.kind === 'pro';
  const locator = locatorOf(proving);
  return async (side, amountIn, { signer, tokenAccount }) => {
    if (side === 'sell') setTokens(ledger, tokenAccount, amountIn);
    const now = await fetchPoolSnapshot(client, locator);
    const on = { ...locator, pool, snapshot: now, slippageBps: ACCEPT_ANYTHING };
    const order = { payer: signer.address, encodedUserDefinedEventData: '', pool, snapshot: now };
    if (side === 'buy') {
      const maxSolSpend = toUiAmount(amountIn, SOL_DECIMALS);
      const quoteResponse: DetailedBuyQuote = await (isPro ? quoteProBuy : quoteBuy)(client, {
        ...on,
        maxSolSpend,
      });
      return await (isPro ? buildProBuy : buildBuy)(client, { ...order, quoteResponse });
    }
    const amountInUi = toUiAmount(amountIn, now.token.decimals);
    const quoteResponse: DetailedSellQuote = await (isPro ? quoteProSell : quoteSell)(client, {
      ...on,
      amountInUi,
    });
    return await (isPro ? buildProSell : buildSell)(client, { ...order, quoteResponse });
  };
}

/** A standard pool is located by its token. */
const locatorOf = ({ kind, configVersion, mint, pool }: ProvingPool) => ({
  configVersion,
  mint,
  ...(kind === 'pro' ? { pool } : {}),
});

/** The prediction under the assumed answers must equal the quote that a user gets. */
function assertQuoted({ side, amountIn, amountOut }: BuiltTrade, snapshot: PoolSnapshot): void {
  const [assumed] = tradeUnder({}, { snapshot, side, amountIn });
  if (assumed?.amountOut === amountOut) return;
  throw new TypeError(`A ${side} of ${amountIn} is quoted at ${amountOut}, not at ${assumed?.amountOut}`);
}

/** From the trade that gives one unit to the largest that the pool accepts, at most `wanted`. */
function rangeOf(side: Side, snapshot: PoolSnapshot, wanted: bigint): ReturnType<TradeScene['range']> {
  const state = swapStateUnder({}, snapshot);
  return ifPossible(() => {
    if (side === 'buy') {
      const most = wanted < PLENTY / 2n ? wanted : PLENTY / 2n;
      const { amountIn: least } = computeBuyExactOut(state, 1n);
      return least > most ? undefined : { least, most };
    }
    const { amountIn: least } = computeSellExactOut(state, 1n);
    const most = largestSaleUpTo(wanted, (amount) => computeSell(state, amount));
    return least > most ? undefined : { least, most };
  });
}

function largestSaleUpTo(wanted: bigint, sell: (amount: bigint) => unknown): bigint {
  try {
    sell(wanted);
    return wanted;
  } catch (error) {
    if (!isHeavenError(error, 'insufficient-liquidity')) throw error;
    return error.context.available;
  }
}
