import type { Address, Instruction } from '@solana/kit';

import type { HeavenClient } from '../client.js';
import { HeavenError } from '../errors.js';
import { applySlippage } from '../math/slippage.js';
import { computeBuy, computeSell } from '../math/swap.js';
import {
  type FetchedPoolSnapshot,
  fetchPool,
  type PoolAddresses,
  type PoolLocator,
  poolRequest,
  type RawAccount,
} from '../pool/fetch.js';
import { assertSnapshotOf } from '../pool/given-snapshot.js';
import { assertTradable, type BuyQuote, type SellQuote } from '../pool/quote.js';
import { swapStateOf } from '../pool/swap-state.js';
import { TOKEN_PROGRAM_ADDRESS, WRAPPED_SOL_MINT_ADDRESS } from '../program/constants.js';
import type { BuyInput } from '../program/instructions.js';
import { assertAddress } from '../solana/addresses.js';
import { assertText } from '../solana/codec.js';
import { readTokenAccount, tokenAccountOf } from '../solana/token-account.js';
import { addressOf, type Wallet } from '../solana/wallet.js';
import type { Warning } from '../warnings.js';
import {
  assembleTransaction,
  type BuiltTransaction,
  lifetimeOf,
  planTransaction,
  type TransactionOptions,
} from './assemble.js';
import { assertQuotedPool } from './quote-response.js';
import { type WrapSol, wrapSol, wrapStrategyOf } from './wrapped-sol.js';

/** The compute budget of a swap. Level D. */
export const SWAP_COMPUTE_BUDGET = { limit: 200_000, price: 40_000_000n } as const;

/** What the builders of swaps take besides a quote. */
export interface TradeOptions extends TransactionOptions {
  /** Signs and pays. */
  readonly payer: Wallet;
  /** Emitted as an event by the program, for attribution. May be empty. */
  readonly encodedUserDefinedEventData: string;
  /** How SOL is wrapped and unwrapped. Default `associated`. */
  readonly wrapSol?: WrapSol | null | undefined;
  /** A snapshot at hand, for a build without reading the pool. A `source` is then not looked at either. */
  readonly snapshot?: FetchedPoolSnapshot | null | undefined;
}

/** A built trade. */
export interface BuiltTrade extends BuiltTransaction {
  readonly side: 'buy' | 'sell';
  readonly mint: Address;
  readonly pool: Address;
  /** What leaves the wallet: lamports of a buy, token units of a sell. */
  readonly amountIn: bigint;
  /** What the trade gives at the pool's state as it was read, before slippage: token units of a buy, lamports of a sell. */
  readonly amountOut: bigint;
  /** The least that must arrive: token units of a buy, lamports of a sell. */
  readonly minimumOut: bigint;
}

/** A trade that is to be built: everything checked that can be checked without the node. */
export interface Trade {
  readonly side: 'buy' | 'sell';
  readonly locator: PoolLocator;
  readonly quote: BuyQuote | SellQuote;
  /** Lamports of a buy, token units of a sell. */
  readonly amountIn: bigint;
  /** Owns the token accounts and signs. */
  readonly owner: Wallet;
  /** The token account to debit, if not the associated one: wrapped SOL of a buy, token A of a sell. */
  readonly source: Address | undefined;
  readonly options: TradeOptions;
  /** A last look at the snapshot, such as whether the pool is of the right kind. */
  readonly check: (snapshot: FetchedPoolSnapshot) => void;
  /** The swap instruction itself. */
  readonly swap: (accounts: Omit<BuyInput, 'params'>) => Instruction;
}

/**
 * Builds the transaction around a swap: compute budget, wrapping, the token account, the swap, unwrapping. The pool and
 * the block hash are read at the same time.
 */
export async function buildTrade(client: HeavenClient, trade: Trade): Promise<BuiltTrade> {
  const { side, quote, amountIn, owner, source, options } = trade;
  const { minimumOut } = quote;
  const strategy = wrapStrategyOf(options);
  const payerAddress = addressOf(options.payer, 'payer');
  const ownerAddress = addressOf(owner, 'source');
  assertText(options.encodedUserDefinedEventData, 'encodedUserDefinedEventData');
  if (source !== undefined) {
    assertAddress(source, 'source');
    if (side === 'buy' && (options.wrapSol ?? undefined) !== undefined) {
      throw new HeavenError(
        'invalid-input',
        'A buy with a source spends the wrapped SOL that is there: leave wrapSol out.',
        { field: 'wrapSol', value: options.wrapSol },
      );
    }
  }
  const plan = planTransaction(options, SWAP_COMPUTE_BUDGET);

  const wrapped =
    side === 'buy' && source !== undefined
      ? { account: source, open: [], close: [] }
      : await wrapSol(strategy, owner, side === 'buy' ? amountIn : 0n);
  /** The account that is debited as it stands, where there is one to be looked at. */
  const debited = source ?? (side === 'buy' && strategy === 'none' ? wrapped.account : undefined);

  const [{ snapshot, account }, lifetime] = await Promise.all([
    readPool(client, trade, debited),
    lifetimeOf(client, options),
  ]);
  const { addresses } = snapshot;
  trade.check(snapshot);
  assertQuotedPool(quote, addresses.pool);
  assertTradable(snapshot, addresses.pool);
  const state = swapStateOf(snapshot);
  const { amountOut } = side === 'buy' ? computeBuy(state, amountIn) : computeSell(state, amountIn);
  const warnings: Warning[] = [];
  if (amountOut < minimumOut) {
    warnings.push({
      code: 'minimum-not-reached',
      message: `At slot ${snapshot.slot} the trade gives ${amountOut}, under its minimum of ${minimumOut}: it would fail.`,
    });
  }
  // Whoever made the quote chose its slippage.
  warnings.push(...lowMinimum(amountOut, minimumOut, Math.min(quote.slippageBps, MOST_UNASKED_SLIPPAGE_BPS)));
  const { mint, tokenProgram } = addresses;
  if (debited !== undefined && !options.snapshot) {
    const [debitedMint, program] =
      side === 'buy' ? [WRAPPED_SOL_MINT_ADDRESS, TOKEN_PROGRAM_ADDRESS] : [mint, tokenProgram];
    // The associated account of a buy that wraps nothing may still be made by the caller's own instructions.
    const balance =
      account === undefined && source === undefined
        ? 0n
        : tokenAccountBalance(account, debited, {
            owner: ownerAddress,
            mint: debitedMint,
            tokenProgram: program,
            field: 'source',
          });
    if (balance < amountIn) {
      warnings.push({
        code: 'insufficient-balance',
        message: `The token account ${debited} holds ${balance} native units, and the trade takes ${amountIn}.`,
      });
    }
  }

  const tokenAccount = await tokenAccountOf({
    payer: options.payer,
    owner: ownerAddress,
    mint,
    tokenProgram,
  });
  const swap = trade.swap(
    swapAccounts(client, addresses, {
      user: owner,
      userTokenAVault: side === 'sell' && source !== undefined ? source : tokenAccount.address,
      userTokenBVault: wrapped.account,
    }),
  );
  const built = assembleTransaction({
    feePayer: payerAddress,
    plan,
    instructions: [...wrapped.open, ...(side === 'buy' ? [tokenAccount.create] : []), swap, ...wrapped.close],
    lifetime,
    warnings,
  });
  return { ...built, side, mint, pool: addresses.pool, amountIn, amountOut, minimumOut };
}

/** A quote that states more slippage than this is not taken at its word: a fraction of the minimum may be the service's. */
const MOST_UNASKED_SLIPPAGE_BPS = 1_000;
/** Nothing is protected at 10000, whoever asked for it. */
const MOST_SLIPPAGE_BPS = 9_999;

/** A warning of a minimum that protects less than the slippage would at the state of the chain now. */
export function lowMinimum(amountOut: bigint, minimumOut: bigint, slippageBps: number): readonly Warning[] {
  const protectedOut = applySlippage(amountOut, Math.min(slippageBps, MOST_SLIPPAGE_BPS));
  // A quote lies a little behind the price; a tenth is more than that, and may be somebody's doing.
  if (minimumOut >= protectedOut - protectedOut / 10n) return [];
  return [
    {
      code: 'minimum-too-low',
      message: `The minimum is ${minimumOut}, and the trade gives ${amountOut} now. Take a fresh quote with less slippage, from a source you trust.`,
    },
  ];
}

/** The accounts that swaps and claims share. */
export const swapAccounts = (
  { deployment }: HeavenClient,
  addresses: PoolAddresses,
  user: Pick<BuyInput, 'user' | 'userTokenAVault' | 'userTokenBVault'>,
): Omit<BuyInput, 'params'> => ({
  ...user,
  tokenAProgram: addresses.tokenProgram,
  liquidityPoolState: addresses.pool,
  tokenAMint: addresses.mint,
  tokenAVault: addresses.tokenAVault,
  tokenBVault: addresses.tokenBVault,
  protocolConfig: addresses.protocolConfig,
  chainlinkProgram: deployment.chainlinkProgram,
  chainlinkFeed: deployment.solUsdFeed,
});

async function readPool(client: HeavenClient, trade: Trade, debited: Address | undefined) {
  const { locator, options } = trade;
  const { snapshot, abortSignal } = options;
  if (snapshot !== undefined && snapshot !== null)
    return { snapshot: assertSnapshotOf(locator, client, snapshot), account: undefined };
  const fetched = await fetchPool(
    client,
    poolRequest({ ...locator, abortSignal }),
    debited === undefined ? [] : [debited],
  );
  return { snapshot: fetched.snapshot, account: fetched.more[0] };
}

/**
 * The balance of a token account that a caller named.
 *
 * @throws {HeavenError} `invalid-token-account`
 */
export function tokenAccountBalance(
  account: RawAccount | undefined,
  address: Address,
  expected: {
    readonly owner: Address;
    readonly mint: Address;
    readonly tokenProgram: Address;
    /** The caller's field that the account comes from. */
    readonly field: string;
  },
): bigint {
  const refuse = (reason: string): never => {
    throw new HeavenError(
      'invalid-token-account',
      `The token account ${address} can't be debited: ${reason}.`,
      {
        field: expected.field,
        address,
        reason,
      },
    );
  };
  if (account === undefined) return refuse('it does not exist');
  if (account.owner !== expected.tokenProgram)
    refuse(`it belongs to the program ${account.owner}, not to ${expected.tokenProgram}`);
  const held = readTokenAccount(account);
  if (held === undefined) return refuse('it is no initialized token account');
  if (held.mint !== expected.mint) refuse(`it holds the token ${held.mint}, not ${expected.mint}`);
  if (held.owner !== expected.owner) refuse(`it belongs to ${held.owner}, not to ${expected.owner}`);
  if (held.isFrozen) refuse('it is frozen');
  return held.amount;
}
