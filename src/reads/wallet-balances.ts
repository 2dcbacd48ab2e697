import type { Address } from '@solana/kit';
import { assertCall, invalidInput } from '../base/input.js';
import { toUiAmount } from '../math/units.js';
import type { HeavenClient } from '../program/client.js';
import { type AddressInput, addressIn, assertAddress } from '../solana/addresses.js';
import { WRAPPED_SOL_MINT_ADDRESS } from '../solana/programs.js';
import type { RequestOptions } from '../solana/rpc/send.js';
import { withheldFeesIn } from '../solana/token-extensions.js';
import {
  fetchAllTokens,
  type ListedAccount,
  type TokenAccountBalance,
  type UnreadableAccount,
} from './listed-tokens.js';
import { fetchWalletAccounts, MAX_BALANCE_MINTS, type WalletToken } from './wallet-accounts.js';

/** Whose balances to read. */
export interface GetWalletBalancesInput extends RequestOptions {
  readonly wallet: AddressInput;
  /**
   * Reads only these tokens, at most 32, each in the wallet's associated account. One call, which every node supports. The result also
   * lists tokens that the wallet doesn't hold. Default: all its token accounts, which takes a node with `getTokenAccountsByOwner`.
   */
  readonly mints?: readonly Address[] | null | undefined;
}

/** A wallet's SOL. All in lamports. */
export interface SolBalance {
  /** The SOL in the wallet's account, without wrapped SOL. */
  readonly lamports: bigint;
  /** Rent that must stay in the wallet's account: a transaction that leaves less fails, unless it leaves nothing. */
  readonly rentExemptMinimum: bigint;
  /** `lamports` minus `rentExemptMinimum`. It also pays fees and other rent: {@link maximumSpend} says what a trade can use. */
  readonly spendable: bigint;
  /** Wrapped SOL in the wallet's token accounts that were read. A buy doesn't spend it unless `wrapSol` is `none`. */
  readonly wrapped: bigint;
}

/** A wallet's balance of one token. Native units. */
export interface TokenBalance {
  readonly mint: Address;
  /** Tokenkeg or Token-2022. */
  readonly tokenProgram: Address;
  readonly decimals: number;
  /** The total of all accounts, including frozen ones. */
  readonly amount: bigint;
  /** `amount` as an exact decimal string, such as `1.5`. */
  readonly uiAmount: string;
  /** The part of `amount` in frozen accounts. */
  readonly frozen: bigint;
  /** Withheld transfer fees in the accounts. They are not part of `amount`. */
  readonly withheldFees: bigint;
  /** The associated account first, then the others by amount. Empty if the wallet holds none. */
  readonly accounts: readonly TokenAccountBalance[];
}

/** A wallet's SOL and tokens. */
export interface WalletBalances {
  readonly wallet: Address;
  readonly sol: SolBalance;
  /** In the order of `mints`, or by address. Does not include wrapped SOL: see `sol.wrapped`. */
  readonly tokens: readonly TokenBalance[];
  /** Accounts that `tokens` leaves out, because their decimals are unknown. Empty with `mints`. */
  readonly unreadable: readonly UnreadableAccount[];
  /** The cluster's rent price, for {@link computeRentExemption}. */
  readonly lamportsPerByte: bigint;
  /** The slot at which SOL, rent and `mints` were read. Without `mints`, separate concurrent calls list the tokens. */
  readonly slot: bigint;
}

/**
 * Reads a wallet's SOL, the part of it that is locked as rent, its wrapped SOL, and its tokens of both token programs. One call to the
 * node; without `mints` three, made concurrently.
 *
 * @throws {HeavenError} `invalid-address`, `invalid-input`, `account-not-found` (a mint), `invalid-account-data`,
 * and the `rpc-…` codes
 * @example
 * ```ts
 * const { sol, tokens } = await getWalletBalances(client, { wallet: user, mints: [mint] });
 * console.log(formatAmount(sol.spendable, 9), tokens[0]?.uiAmount);
 * ```
 */
export async function getWalletBalances(
  client: HeavenClient,
  input: GetWalletBalancesInput,
): Promise<WalletBalances> {
  assertCall(client, input, { wallet: 1, mints: 1, abortSignal: 1 });
  const { mints, abortSignal } = input;
  const wallet = addressIn(input.wallet, 'wallet');
  const isAll = mints === undefined || mints === null;
  if (!isAll) assertMints(mints);
  const [own, listed] = await Promise.all([
    fetchWalletAccounts(client, wallet, mints ?? [], { abortSignal }),
    isAll ? fetchAllTokens(client, wallet, { abortSignal }) : undefined,
  ]);
  const found = listed?.readable ?? own.tokens.flatMap(tokenInAssociated);
  const isWrapped = ({ mint }: ListedAccount) => mint === WRAPPED_SOL_MINT_ADDRESS;
  const wrapped = listed
    ? sumOf(listed.readable.filter(isWrapped), ({ amount }) => amount)
    : (own.wrapped.held?.amount ?? 0n);
  const { lamports, rentExemptMinimum, lamportsPerByte, slot } = own;
  const tokens = isAll
    ? groupedByMint(found.filter((account) => !isWrapped(account)))
    : own.tokens.map((token) =>
        tokenBalance(
          token,
          found.filter(({ mint }) => mint === token.mint),
        ),
      );
  return {
    wallet,
    sol: {
      lamports,
      rentExemptMinimum,
      spendable: lamports > rentExemptMinimum ? lamports - rentExemptMinimum : 0n,
      wrapped,
    },
    tokens,
    unreadable: listed?.unreadable ?? [],
    lamportsPerByte,
    slot,
  };
}

/** Throws unless `mints` is a list of different tokens. */
function assertMints(mints: readonly Address[]): void {
  if (!Array.isArray(mints) || mints.length > MAX_BALANCE_MINTS)
    throw invalidInput('mints', mints, `a list of at most ${MAX_BALANCE_MINTS} addresses`);
  for (const [index, mint] of mints.entries()) {
    assertAddress(mint, `mints[${index}]`);
    if (mint === WRAPPED_SOL_MINT_ADDRESS)
      throw invalidInput(`mints[${index}]`, mint, 'a token: wrapped SOL is in sol.wrapped');
    if (mints.indexOf(mint) < index) throw invalidInput(`mints[${index}]`, mint, 'in the list once');
  }
}

/** Returns the associated account of a requested token, if it exists. */
function tokenInAssociated({ mint, tokenProgram, decimals, account }: WalletToken): readonly ListedAccount[] {
  const { address, lamports, data, held } = account;
  if (data === undefined || held === undefined) return [];
  return [
    {
      mint,
      tokenProgram,
      decimals,
      address,
      lamports,
      amount: held.amount,
      isFrozen: held.isFrozen,
      isAssociated: true,
      withheldFees: withheldFeesIn(data),
    },
  ];
}

function groupedByMint(accounts: readonly ListedAccount[]): readonly TokenBalance[] {
  const byMint = new Map<Address, ListedAccount[]>();
  for (const account of accounts) {
    const others = byMint.get(account.mint);
    if (others === undefined) byMint.set(account.mint, [account]);
    else others.push(account);
  }
  return [...byMint]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, group]) => (group[0] === undefined ? [] : [tokenBalance(group[0], group)]));
}

function tokenBalance(
  { mint, tokenProgram, decimals }: Pick<ListedAccount, 'mint' | 'tokenProgram' | 'decimals'>,
  listed: readonly ListedAccount[],
): TokenBalance {
  const accounts = listed
    .map(({ address, amount, isAssociated, isFrozen, withheldFees, lamports }) => ({
      address,
      amount,
      isAssociated,
      isFrozen,
      withheldFees,
      lamports,
    }))
    .sort((a, b) =>
      a.isAssociated === b.isAssociated ? (a.amount > b.amount ? -1 : 1) : a.isAssociated ? -1 : 1,
    );
  const amount = sumOf(accounts, (account) => account.amount);
  return {
    mint,
    tokenProgram,
    decimals,
    amount,
    uiAmount: toUiAmount(amount, decimals),
    frozen: sumOf(accounts, (account) => (account.isFrozen ? account.amount : 0n)),
    withheldFees: sumOf(accounts, (account) => account.withheldFees),
    accounts,
  };
}

const sumOf = <T>(items: readonly T[], of: (item: T) => bigint): bigint =>
  items.reduce((sum, item) => sum + of(item), 0n);
