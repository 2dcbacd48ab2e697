import type { Address } from '@solana/kit';
import { HeavenError } from '../base/errors.js';
import { assertCall, assertU64, assertWhole, inputError, invalidInput } from '../base/input.js';
import { transferFeeOf } from '../math/transfer-fee.js';
import { toUiAmount } from '../math/units.js';
import { explaining } from '../pool/explained.js';
import { SOL_DECIMALS } from '../pool/quote-amounts.js';
import type { HeavenClient } from '../program/client.js';
import { invalidAccount } from '../solana/account-data.js';
import { type AddressInput, addressIn } from '../solana/addresses.js';
import { priorityFee } from '../solana/compute-budget.js';
import { LAMPORTS_PER_SIGNATURE, MAX_COMPUTE_UNITS, MAX_GUARD_COMPUTE_UNITS } from '../solana/limits.js';
import {
  SYSTEM_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
  WRAPPED_SOL_MINT_ADDRESS,
} from '../solana/programs.js';
import { computeRentExemption } from '../solana/rent.js';
import { assertOwned } from '../solana/rpc/accounts.js';
import type { RequestOptions } from '../solana/rpc/send.js';
import { tokenAccountSizeOf } from '../solana/token-extensions.js';
import { TOKEN_ACCOUNT_SIZE } from '../solana/token-layout.js';
import { computeUnitsOf, SWAP_COMPUTE_BUDGET } from '../transaction/compute-units.js';
import { reasonToStayOpen } from '../transaction/sale.js';
import { assertTip, type TransactionTip } from '../transaction/tip.js';
import {
  assertRentPayer,
  openerOf,
  type RentOptions,
  type WrapSol,
  wrapStrategyOf,
} from '../transaction/wrapped-sol.js';
import {
  type AssociatedAccount,
  fetchWalletAccounts,
  type WalletAccounts,
  type WalletToken,
} from './wallet-accounts.js';

/** The trade to maximize. The options are the builder's: pass the same to both. */
export interface MaximumSpendInput extends RequestOptions, RentOptions {
  readonly wallet: AddressInput;
  readonly side: 'buy' | 'sell';
  /** The token. */
  readonly mint: AddressInput;
  /** As in the builder. Default: the builder's. */
  readonly computeUnitLimit?: number | null | undefined;
  /** As in the builder, in micro-lamports. Default: the builder's. */
  readonly computeUnitPrice?: bigint | null | undefined;
  /** As in the builder. */
  readonly tip?: TransactionTip | null | undefined;
  /** As in the builder. Default `associated`. */
  readonly wrapSol?: WrapSol | null | undefined;
  /** As in the builder of a sell: whether the token account is closed after it. Default `false`. */
  readonly closeTokenAccount?: boolean | null | undefined;
  /** As in the builder: another wallet that pays the network and priority fee, so that none is kept back. Default: the wallet. */
  readonly feePayer?: AddressInput | null | undefined;
  /**
   * Compute units that a wallet may add for its own guards, each at `computeUnitPrice`. Default 30000, which
   * `assertSignedTransactionMatches` allows. Pass 0 for a key that signs transactions unchanged.
   */
  readonly guardComputeUnits?: number | null | undefined;
  /**
   * Lamports to keep in the wallet in addition, such as for the fee of the next sell. Default 0.
   *
   * Some wallets guard their balance and tolerate a share of what remains. If such a wallet raises the limit after computing that share,
   * a buy that leaves little fails at the guard. With a share of 1 %, a hundred times `breakdown.guardFee` must remain.
   */
  readonly keepLamports?: bigint | null | undefined;
}

/** Where a wallet's lamports go, or why they stay. */
export interface SpendBreakdown {
  /** The wallet account's lamports. */
  readonly balance: bigint;
  /** 5000 lamports for the wallet's signature. This and the other fees are 0 if a `feePayer` pays them. */
  readonly signatureFee: bigint;
  readonly priorityFee: bigint;
  /** The extra priority fee in lamports if the wallet raises the compute unit limit for its guards. */
  readonly guardFee: bigint;
  readonly tip: bigint;
  /** Rent of the token account that a buy opens; 0 if it exists. It comes back when the account is closed. */
  readonly tokenAccountRent: bigint;
  /** Rent of the wrapped SOL account; it comes back within the transaction. 0 if the account exists, or nothing is wrapped. */
  readonly wrappedSolRent: bigint;
  /** What the token account of a sell returns if `closeTokenAccount` closes it: its rent, and any other SOL in it. Else 0. */
  readonly returnedRent: bigint;
  /** The rent that must remain in the wallet's account at the end. */
  readonly walletRent: bigint;
  /** `keepLamports`. */
  readonly kept: bigint;
}

/** The most that a trade can use from a wallet now. */
export interface MaximumSpend {
  readonly side: 'buy' | 'sell';
  /** Lamports for a buy, native token units for a sell. 0 if there is nothing to trade, or the wallet can't pay for the trade. */
  readonly amount: bigint;
  /** `amount` as an exact decimal string. */
  readonly uiAmount: string;
  /** The decimals of `amount`: 9 for a buy, the token's for a sell. */
  readonly decimals: number;
  /** Lamports that the wallet lacks for any such trade: fees, rent and tip, ignoring what a sell receives. 0 if it can pay for them. */
  readonly missingLamports: bigint;
  /** Whether the wallet's token account is frozen, so it can neither send nor receive and `amount` is 0. */
  readonly isFrozen: boolean;
  /** For a sell: the token units of `amount` that reach the pool, after the token's own transfer fee. For a buy: `amount`, in lamports. */
  readonly amountAfterTransferFee: bigint;
  /**
   * The wallet account's lamports after a trade of `amount`, including rent that comes back and after paying `guardFee`, but without what
   * a sell receives.
   */
  readonly lamportsAfter: bigint;
  readonly breakdown: SpendBreakdown;
  /** The slot of the read. */
  readonly slot: bigint;
}

/**
 * Computes the most that a buy or a sell can use from a wallet now, to the lamport: what remains after the network fee, the tip, the rent
 * of accounts that the transaction opens, the wallet's own rent, and the priority fee that a wallet may add for its guards. One call to
 * the node.
 *
 * The wallet must be the builder's `payer`. The fee depends on a compute unit limit and price: the builder's by default.
 *
 * @throws {HeavenError} `invalid-address`, `invalid-input`, `invalid-amount`, `account-not-found` (the mint), `invalid-account-data`
 * (also if a program owns the wallet or the wallet has data: then it can't pay),
 * `unusable-account` (the wallet gave away its associated account or the right to close it), and the `rpc-…` codes
 * @example
 * ```ts
 * const { amount, breakdown } = await maximumSpend(client, { wallet: user, side: 'buy', mint });
 * console.log(formatAmount(amount, 9), formatAmount(breakdown.tokenAccountRent, 9, { rounding: 'up' }));
 * ```
 */
export async function maximumSpend(client: HeavenClient, input: MaximumSpendInput): Promise<MaximumSpend> {
  assertCall(client, input, {
    wallet: 1,
    side: 1,
    mint: 1,
    computeUnitLimit: 1,
    computeUnitPrice: 1,
    tip: 1,
    wrapSol: 1,
    closeTokenAccount: 1,
    feePayer: 1,
    guardComputeUnits: 1,
    keepLamports: 1,
    abortSignal: 1,
    rentPayer: 1,
  });
  const { side } = input;
  if (side !== 'buy' && side !== 'sell') throw invalidInput('side', side, "'buy' or 'sell'");
  assertClosing(input);
  const costs = expectedCosts(input);
  return spendFrom(await readWallet(client, input), side, input, costs);
}

function assertClosing({ side, closeTokenAccount }: MaximumSpendInput): void {
  if (typeof (closeTokenAccount ?? false) !== 'boolean')
    throw invalidInput('closeTokenAccount', closeTokenAccount, 'true or false');
  if (side === 'buy' && closeTokenAccount)
    throw inputError('closeTokenAccount', 'closeTokenAccount is for a sell. Leave it out.', true);
}

type Costs = Omit<
  SpendBreakdown,
  'balance' | 'tokenAccountRent' | 'wrappedSolRent' | 'returnedRent' | 'walletRent'
>;

interface ReadWallet {
  readonly accounts: WalletAccounts;
  readonly token: WalletToken;
  readonly sponsor: Sponsor;
}

/** What another wallet pays for. */
interface Sponsor {
  readonly paysFees: boolean;
  readonly opensAccounts: boolean;
}

function sponsorOf({ feePayer, rentPayer }: MaximumSpendInput, wallet: Address): Sponsor {
  const sponsor = feePayer ? addressIn(feePayer, 'feePayer') : undefined;
  if (rentPayer) assertRentPayer(rentPayer, 'rentPayer');
  return {
    paysFees: (sponsor ?? wallet) !== wallet,
    opensAccounts: openerOf({ feePayer: sponsor, rentPayer }, wallet) !== wallet,
  };
}

function expectedCosts(input: MaximumSpendInput): Costs {
  const kept = input.keepLamports ?? 0n;
  assertU64(kept, 'keepLamports');
  return { ...networkCosts(input), kept };
}

async function readWallet(client: HeavenClient, input: MaximumSpendInput): Promise<ReadWallet> {
  const { abortSignal } = input;
  const wallet = addressIn(input.wallet, 'wallet');
  const mint = addressIn(input.mint, 'mint');
  if (mint === WRAPPED_SOL_MINT_ADDRESS) throw invalidInput('mint', mint, 'a token, not wrapped SOL');
  const strategy = wrapStrategyOf(input);
  const sponsor = sponsorOf(input, wallet);
  const accounts = await fetchWalletAccounts(client, wallet, [mint], { abortSignal });
  const [token] = accounts.tokens;
  if (token === undefined) throw inputError('mint', 'A mint is needed.', mint);
  try {
    assertCanPay(accounts, wallet);
  } catch (error) {
    return await explaining(client, { wallet }, input)(error);
  }
  assertStillOwn(token.account);
  if (strategy !== 'temporary') assertStillOwn(accounts.wrapped);
  if (strategy === 'associated') assertClosable(accounts.wrapped, wallet);
  return { accounts, token, sponsor };
}

/** Computes the most that a trade can use from a wallet that was read. */
function spendFrom(
  { accounts, token, sponsor }: ReadWallet,
  side: 'buy' | 'sell',
  input: MaximumSpendInput,
  costs: Costs,
): MaximumSpend {
  const strategy = wrapStrategyOf(input);
  const spend =
    side === 'buy' ? spendOfBuy(accounts, token, strategy) : spendOfSell(accounts, token, strategy);
  const returnedRent = input.closeTokenAccount ? rentIn(token.account) : 0n;
  const isEmptySponsored = sponsor.paysFees && accounts.lamports === 0n;
  const breakdown = {
    balance: accounts.lamports,
    ...costs,
    ...(sponsor.paysFees ? { signatureFee: 0n, priorityFee: 0n, guardFee: 0n } : {}),
    tokenAccountRent: sponsor.opensAccounts ? 0n : spend.tokenAccountRent,
    // What the transaction closes again is never the sponsor's.
    wrappedSolRent: sponsor.opensAccounts && strategy === 'none' ? 0n : spend.wrappedSolRent,
    returnedRent,
    // A wallet without lamports need not exist.
    walletRent: isEmptySponsored ? 0n : accounts.rentExemptMinimum,
  };
  const isFrozen = token.account.held?.isFrozen === true;
  const { free, missing, inTheEnd } = lamportsFor(breakdown, spend);
  const amount = isFrozen || missing > 0n ? 0n : (spend.held ?? free);
  const decimals = side === 'buy' ? SOL_DECIMALS : token.decimals;
  return {
    side,
    amount,
    uiAmount: toUiAmount(amount, decimals),
    decimals,
    missingLamports: missing,
    isFrozen,
    amountAfterTransferFee: side === 'buy' ? amount : amount - transferFeeOf(amount, token.transferFee),
    lamportsAfter: missing > 0n ? accounts.lamports : inTheEnd - (spend.held === undefined ? amount : 0n),
    breakdown,
    slot: accounts.slot,
  };
}

/** Computes a transaction's costs apart from the trade itself. */
function networkCosts(input: MaximumSpendInput): Omit<Costs, 'kept'> {
  const { tip } = input;
  if (tip !== undefined && tip !== null) assertTip(tip);
  const { units, price } = computeUnitsOf(
    0,
    input.computeUnitLimit ?? SWAP_COMPUTE_BUDGET.limit,
    input.computeUnitPrice ?? SWAP_COMPUTE_BUDGET.price,
  );
  if (units === 0 && price > 0n) {
    throw inputError(
      'computeUnitLimit',
      'computeUnitLimit is 0, so the priority fee depends on the instructions. Set a limit, or a computeUnitPrice of 0.',
      units,
    );
  }
  const guardUnits = input.guardComputeUnits ?? MAX_GUARD_COMPUTE_UNITS;
  assertWhole('guardComputeUnits', guardUnits, [0, MAX_COMPUTE_UNITS]);
  const limit = Math.min(units, MAX_COMPUTE_UNITS);
  const fee = priorityFee(limit, price);
  return {
    signatureFee: LAMPORTS_PER_SIGNATURE,
    priorityFee: fee,
    guardFee: priorityFee(Math.min(limit + guardUnits, MAX_COMPUTE_UNITS), price) - fee,
    tip: tip?.lamports ?? 0n,
  };
}

/** How a trade affects a wallet's accounts, besides the swap. Lamports. */
interface AccountCosts {
  /** The amount in an account that the trade debits directly; `undefined` if it takes the wallet's SOL. */
  readonly held: bigint | undefined;
  readonly tokenAccountRent: bigint;
  readonly wrappedSolRent: bigint;
  /** Lamports that come back when the wrapped SOL account is closed, before the tip is paid. */
  readonly returned: bigint;
}

function spendOfBuy(accounts: WalletAccounts, token: WalletToken, strategy: WrapSol): AccountCosts {
  const tokenAccountRent = rentToOpen(token.account, tokenAccountSize(token), accounts);
  const held = strategy === 'none' ? (accounts.wrapped.held?.amount ?? 0n) : undefined;
  return { held, tokenAccountRent, ...wrappingCosts(accounts, strategy === 'none' ? 'unused' : strategy) };
}

const spendOfSell = (
  accounts: WalletAccounts,
  { account }: WalletToken,
  strategy: WrapSol,
): AccountCosts => ({
  held: account.held?.amount ?? 0n,
  tokenAccountRent: 0n,
  ...wrappingCosts(accounts, strategy),
});

/** Computes what the wrapped SOL account costs and returns. */
function wrappingCosts(
  accounts: WalletAccounts,
  use: WrapSol | 'unused',
): Pick<AccountCosts, 'wrappedSolRent' | 'returned'> {
  const { wrapped, lamportsPerByte } = accounts;
  const rent = computeRentExemption(TOKEN_ACCOUNT_SIZE, lamportsPerByte);
  switch (use) {
    case 'unused':
      return { wrappedSolRent: 0n, returned: 0n };
    case 'temporary':
      return { wrappedSolRent: rent, returned: rent };
    case 'none':
      return { wrappedSolRent: rentToOpen(wrapped, TOKEN_ACCOUNT_SIZE, accounts), returned: 0n };
    case 'associated': {
      // Closing it also returns everything that was in it before.
      const wrappedSolRent = rentToOpen(wrapped, TOKEN_ACCOUNT_SIZE, accounts);
      return { wrappedSolRent, returned: wrapped.lamports + wrappedSolRent };
    }
  }
}

/** Returns how much rent a missing account still needs. */
function rentToOpen(
  { data, lamports }: AssociatedAccount,
  size: number,
  { lamportsPerByte }: WalletAccounts,
): bigint {
  const rent = computeRentExemption(size, lamportsPerByte);
  return data !== undefined || lamports >= rent ? 0n : rent - lamports;
}

/** Returns what closing a token account returns after all in it is sold; 0 if it stays open. */
function rentIn({ held, data, lamports }: AssociatedAccount): bigint {
  if (held === undefined || held.amount === 0n || held.isFrozen) return 0n;
  return reasonToStayOpen(held, data) === undefined ? lamports : 0n;
}

const tokenAccountSize = ({ tokenProgram, mintData }: WalletToken): number =>
  tokenProgram === TOKEN_PROGRAM_ADDRESS ? TOKEN_ACCOUNT_SIZE : tokenAccountSizeOf(mintData);

/**
 * Computes how far a wallet's lamports go. It pays the fee, and must then be rent-exempt. It pays for what it opens and wraps while the
 * transaction runs. And it must be rent-exempt at the end.
 */
function lamportsFor(costs: SpendBreakdown, { held, returned }: AccountCosts) {
  const afterFee = costs.balance - costs.signatureFee - costs.priorityFee - costs.guardFee;
  const whileRunning = afterFee - costs.tokenAccountRent - costs.wrappedSolRent;
  const inTheEnd = whileRunning + returned + costs.returnedRent - costs.tip;
  const free = least(whileRunning, inTheEnd - costs.walletRent - costs.kept);
  // The smallest trade takes one lamport, if it takes lamports.
  const room = least(held === undefined ? free - 1n : free, afterFee - costs.walletRent);
  return { free, missing: room < 0n ? -room : 0n, inTheEnd };
}

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** Throws if the wallet can't pay: only accounts of the System program pay fees, and only those without data send lamports. */
function assertCanPay({ own }: WalletAccounts, wallet: Address): void {
  if (own === undefined) return;
  assertOwned(own, 'wallet', wallet, [SYSTEM_PROGRAM_ADDRESS]);
  if (own.data.length > 0)
    throw invalidAccount(
      'wallet',
      `it holds ${own.data.length} bytes of data, so it can't pay for a trade`,
      wallet,
    );
}

/** Throws if the wallet gave its associated account away: a trade would fail. */
function assertStillOwn({ address, data, held }: AssociatedAccount): void {
  if (data !== undefined && held === undefined) throw unusable(address, 'it belongs to another wallet now');
}

/** Throws if someone else may close the account: then the wallet can't, and a trade that ends with closing it would fail. */
function assertClosable({ address, held }: AssociatedAccount, wallet: Address): void {
  if (held?.closeAuthority === undefined || held.closeAuthority === wallet) return;
  throw unusable(address, `only ${held.closeAuthority} may close it. Pass wrapSol: 'temporary'`);
}

const unusable = (address: Address, reason: string) =>
  new HeavenError('unusable-account', `The token account ${address} can't be used: ${reason}.`, {
    account: 'token account',
    field: 'wallet',
    address,
    reason,
  });
