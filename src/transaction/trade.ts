import type { Address, Instruction, TransactionSigner } from '@solana/kit';
import { inputError } from '../base/input.js';
import { leastMinimum } from '../math/slippage.js';
import { computeBuy, computeSell } from '../math/swap.js';
import { inUnits } from '../math/units.js';
import { candidatesOf, type PoolAddresses } from '../pool/addresses.js';
import type { FetchedPoolSnapshot } from '../pool/check.js';
import { assertPoolKind } from '../pool/decode.js';
import { type Doubt, HIGH_SLIPPAGE_BPS, inWords } from '../pool/doubts.js';
import { type BuyQuote, doubtsOf, type SellQuote, tradableStateOf } from '../pool/quote.js';
import type { FeeWarningOptions } from '../pool/quote-amounts.js';
import { assertSnapshotOf, fetchPool } from '../pool/read.js';
import { opensFrozen } from '../pool/token-limits.js';
import type { HeavenClient } from '../program/client.js';
import type { buy, proBuy, proSell, sell } from '../program/instructions/declarations.js';
import { type AddressInput, plainAddress } from '../solana/addresses.js';
import { buildInstruction } from '../solana/define-instruction.js';
import { deriveWrappedSolAddress } from '../solana/derived-addresses.js';
import { TOKEN_PROGRAM_ADDRESS, WRAPPED_SOL_MINT_ADDRESS } from '../solana/programs.js';
import { accountAt, fetchAccounts, type RawAccount } from '../solana/rpc/accounts.js';
import { tokenAccountOf } from '../solana/token-account.js';
import type { TransactionWallet } from '../solana/wallet.js';
import { buildTransaction, type Paying, type TransactionOptions } from './assemble.js';
import type { BuiltTransaction } from './built.js';
import { SWAP_COMPUTE_BUDGET } from './compute-units.js';
import type { EventDataOptions } from './event-data.js';
import { assertQuotedPool, assertShownTokens } from './quote-response.js';
import type { TransactionTip } from './tip.js';
import { assertNotFrozen, sharedAccounts, token2022AccountOf, tokenAccountBalance } from './user-accounts.js';
import {
  accountsToWrap,
  openerOf,
  type RentOptions,
  strategyOf,
  type WrappedSol,
  type WrapSol,
  wrapSol,
} from './wrapped-sol.js';

/** What the builders of swaps take besides a quote. */
export interface TradeOptions extends TransactionOptions, RentOptions, EventDataOptions, FeeWarningOptions {
  /** Signs and pays. */
  readonly payer: TransactionWallet;
  /** How SOL is wrapped and unwrapped. Default `associated`. */
  readonly wrapSol?: WrapSol | null | undefined;
  /**
   * A snapshot that you already have. The builder then reads neither the pool nor a `source`. `wrapSol: 'temporary'`
   * still reads the cluster's rent, at the same time as the block hash.
   */
  readonly snapshot?: FetchedPoolSnapshot | null | undefined;
}

/** {@link TradeOptions} of a pro pool. */
export interface ProTradeOptions extends TradeOptions {
  /** The address of the pro pool. */
  readonly pool: AddressInput;
  /**
   * The wallet that trades: it owns the token accounts and signs, while the payer pays the fees. Default: the payer. The `source` of a
   * standard trade is something else: a token account.
   */
  readonly source?: TransactionWallet | null | undefined;
}

/** A built trade. */
export interface BuiltTrade extends BuiltTransaction {
  readonly side: 'buy' | 'sell';
  readonly mint: Address;
  readonly pool: Address;
  /** What leaves the wallet: lamports of a buy, token units of a sell. */
  readonly amountIn: bigint;
  /** What the trade returns at the pool state that was read, before slippage: token units of a buy, lamports of a sell. */
  readonly amountOut: bigint;
  /** The least that must arrive: token units of a buy, lamports of a sell. */
  readonly minimumOut: bigint;
  /** The slot of the pool state that it was built on. */
  readonly slot: bigint;
  readonly settings: TradeSettings;
}

/** How a trade was built, as far as its bytes don't say: for {@link prepareTrade}. */
export interface TradeSettings {
  readonly computeUnitLimit: number;
  /** Micro-lamports. */
  readonly computeUnitPrice: bigint;
  readonly tip: TransactionTip | undefined;
  /** How many of the caller's own instructions come before the trade's. */
  readonly instructionsBefore: number;
  /** Whether it closes the token account that it sells from, if it takes all of it. */
  readonly closesTokenAccount?: boolean | undefined;
}

/** A trade to build: a checked quote and the instruction. */
export type Trade = {
  /** Of a pro pool. */
  readonly pool?: Address;
  /** Owns the token accounts and signs. Default: the payer. */
  readonly owner?: TransactionSigner | undefined;
  /** The token account to debit, if not the associated one: wrapped SOL of a buy, token A of a sell. */
  readonly debitAccount?: Address | undefined;
} & (
  | { readonly side: 'buy'; readonly quote: BuyQuote; readonly instruction: typeof buy | typeof proBuy }
  | { readonly side: 'sell'; readonly quote: SellQuote; readonly instruction: typeof sell | typeof proSell }
);

/**
 * Builds the transaction around a swap: compute budget, wrapping, the token account, the swap, unwrapping. The pool and
 * the block hash are read at the same time.
 */
export const buildSwap = async (
  client: HeavenClient,
  options: Paying & TradeOptions,
  trade: Trade,
): Promise<BuiltTrade> => buildTransaction(client, options, await swapSteps(client, options, trade));

/** What {@link buildSwap} reads and composes. `more`: accounts to read besides. */
export async function swapSteps(
  client: HeavenClient,
  options: Paying & TradeOptions,
  trade: Trade,
  more: readonly Address[] = [],
) {
  const { side, quote } = trade;
  const isBuy = side === 'buy';
  const { minimumOut } = quote;
  const amountIn = isBuy ? trade.quote.maxLamportSpend : trade.quote.amountIn;
  const owner = trade.owner ?? options.payer;
  const { wrapped, named, debited } = await solSideOf(trade, owner, amountIn, options);
  const checked = options.snapshot ? undefined : debited;
  const toRead = [...accountsToWrap(strategyOf(options)), ...more, ...(checked ? [checked] : [])];
  const own = await token2022AccountOf(owner.address, quote.mint);

  return {
    budget: SWAP_COMPUTE_BUDGET,
    read: () => readPool(client, options, trade, own, toRead),
    compose: async ({ snapshot, accounts }: Awaited<ReturnType<typeof fetchPool>>) => {
      const { addresses } = snapshot;
      const { mint, pool, tokenProgram } = addresses;
      if (trade.pool !== undefined) assertPoolKind('pro', snapshot.kind);
      assertShownTokens(quote, snapshot.token);
      assertQuotedPool(quote, pool);
      const state = tradableStateOf(snapshot);
      const expected = (isBuy ? computeBuy : computeSell)(state, amountIn);
      const { amountOut } = expected;
      const payer = openerOf(options, options.payer);
      const tokenAccount = await tokenAccountOf({ payer, owner: owner.address, mint, tokenProgram });
      // A sale debits the associated account of the token unless told otherwise: naming it changes nothing.
      const isDefault = !isBuy && checked === tokenAccount.address;
      const shortage =
        checked === undefined || isDefault
          ? undefined
          : shortageOf(
              side,
              named,
              addresses,
              owner.address,
              checked,
              accountAt(accounts, checked),
              amountIn,
            );
      const userTokenAVault = isBuy ? tokenAccount.address : (named ?? tokenAccount.address);
      assertNotFrozen(userTokenAVault, accounts, isBuy && opensFrozen(snapshot.token));
      const swap = swapInstruction(
        client,
        trade,
        sharedAccounts(client, addresses, owner, {
          userTokenAVault,
          userTokenBVault: wrapped.account,
        }),
        options.encodedUserDefinedEventData ?? '',
      );
      return {
        instructions: [
          ...wrapped.open(accounts),
          ...(isBuy ? [tokenAccount.create] : []),
          swap,
          ...wrapped.close,
        ],
        warnings: [
          ...(await inWords([
            amountOut < minimumOut && ['minimum-not-reached', snapshot.slot, amountOut, minimumOut],
            // Whoever made the quote chose its slippage: a high one may be the service's.
            lowMinimum(amountOut, minimumOut, Math.min(quote.slippageBps, HIGH_SLIPPAGE_BPS)),
          ])),
          ...(await doubtsOf(snapshot, side, state, expected, options)),
          ...(await inWords([shortage])),
        ],
        lamports: isBuy ? amountIn : amountOut,
        result: {
          side,
          mint,
          pool,
          amountIn,
          amountOut,
          minimumOut,
          slot: snapshot.slot,
          settings: settingsOf(options),
        },
      };
    },
  };
}

/** The wrapped SOL account of a trade, and what it debits. */
interface SolSide {
  readonly wrapped: WrappedSol;
  /** The token account that the caller named, unless it is the default. */
  readonly named: Address | undefined;
  /** The token account that is debited as it stands, and not filled by the transaction first. */
  readonly debited: Address | undefined;
}

async function solSideOf(
  { side, debitAccount }: Trade,
  owner: TransactionSigner,
  amountIn: bigint,
  options: Paying & TradeOptions,
): Promise<SolSide> {
  const strategy = strategyOf(options);
  if (side === 'sell') {
    const wrapped = await wrapSol(strategy, owner, 0n, openerOf(options, owner));
    return { wrapped, named: debitAccount, debited: debitAccount };
  }
  if (debitAccount === undefined || debitAccount === (await deriveWrappedSolAddress(owner.address))) {
    const wrapped = await wrapSol(strategy, owner, amountIn);
    return { wrapped, named: undefined, debited: strategy === 'none' ? wrapped.account : undefined };
  }
  const message = 'A buy with a source spends existing wrapped SOL: leave wrapSol out.';
  if (options.wrapSol) throw inputError('wrapSol', message, strategy);
  const wrapped = { account: debitAccount, open: () => [], close: [] };
  return { wrapped, named: debitAccount, debited: debitAccount };
}

const settingsOf = (options: TradeOptions): TradeSettings => ({
  computeUnitLimit: options.computeUnitLimit ?? SWAP_COMPUTE_BUDGET.limit,
  computeUnitPrice: BigInt(options.computeUnitPrice ?? SWAP_COMPUTE_BUDGET.price),
  tip: options.tip ? { to: plainAddress(options.tip.to), lamports: options.tip.lamports } : undefined,
  instructionsBefore: options.before?.length ?? 0,
});

/** A warning of an account that holds less than the trade takes from it. */
function shortageOf(
  side: Trade['side'],
  named: Address | undefined,
  { mint, tokenProgram }: PoolAddresses,
  owner: Address,
  debited: Address,
  account: RawAccount | undefined,
  amountIn: bigint,
): Doubt | false {
  const token =
    side === 'buy'
      ? { mint: WRAPPED_SOL_MINT_ADDRESS, tokenProgram: TOKEN_PROGRAM_ADDRESS }
      : { mint, tokenProgram };
  // The associated account of a buy that wraps nothing may still be made by the caller's own instructions.
  const isUnmade = account === undefined && named === undefined;
  const expected = { owner, field: 'source', ...token };
  const balance = isUnmade ? 0n : tokenAccountBalance(account, debited, expected);
  return balance < amountIn && ['insufficient-balance', debited, inUnits(balance), amountIn];
}

/** The pool and more accounts in one call to the node. With a snapshot, only those. */
async function readPool(
  client: HeavenClient,
  options: TradeOptions,
  trade: Trade,
  own: Address,
  toRead: readonly Address[],
): ReturnType<typeof fetchPool> {
  const { snapshot, abortSignal } = options;
  const { configVersion, mint } = trade.quote;
  const locator = { configVersion, mint, pool: trade.pool };
  const withOwn = [...new Set([own, ...toRead])];
  if (snapshot) {
    assertSnapshotOf(locator, client, snapshot);
    const more = trade.side === 'buy' && opensFrozen(snapshot.token) ? withOwn : toRead;
    return {
      snapshot,
      accounts: more.length === 0 ? [] : await fetchAccounts(client, more, { abortSignal }),
    };
  }
  return await fetchPool(client, candidatesOf(locator), { abortSignal }, withOwn);
}

function swapInstruction(
  { deployment }: HeavenClient,
  trade: Trade,
  accounts: ReturnType<typeof sharedAccounts>,
  encodedUserDefinedEventData: string,
): Instruction {
  const { minimumOut: minimumAmountOut } = trade.quote;
  const terms = { minimumAmountOut, encodedUserDefinedEventData };
  return trade.side === 'buy'
    ? buildInstruction(trade.instruction, deployment, {
        ...accounts,
        params: { maxSolSpend: trade.quote.maxLamportSpend, ...terms },
      })
    : buildInstruction(trade.instruction, deployment, {
        ...accounts,
        params: { amountIn: trade.quote.amountIn, ...terms },
      });
}

/** 10000 would protect nothing, even if the caller asks for it. */
const MAX_SLIPPAGE_BPS = 9_999;

/** A warning of a minimum that protects less than the slippage would at the state of the chain now. */
export function lowMinimum(
  amountOut: bigint,
  minimumOut: bigint,
  slippageBps: number,
  driftBps?: number,
): Doubt | false {
  return (
    minimumOut < leastMinimum(amountOut, Math.min(slippageBps, MAX_SLIPPAGE_BPS), driftBps) && [
      'minimum-too-low',
      minimumOut,
      amountOut,
    ]
  );
}
