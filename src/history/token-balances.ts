import type { Address } from '@solana/kit';

import { type Meta, malformed } from './recorded-transaction.js';

interface Balance {
  readonly account: Address | undefined;
  readonly mint: unknown;
  readonly amount: bigint;
  readonly decimals: number;
}

/** The token balances of a transaction's accounts before and after it, as far as the node kept them. */
export class TokenBalances {
  readonly #before: readonly Balance[] | undefined;
  readonly #after: readonly Balance[] | undefined;

  constructor({ preTokenBalances, postTokenBalances }: Meta, accounts: readonly Address[]) {
    this.#before = balancesIn(preTokenBalances, accounts);
    this.#after = balancesIn(postTokenBalances, accounts);
  }

  get isComplete(): boolean {
    return this.#before !== undefined && this.#after !== undefined;
  }

  /** How much the whole transaction changed a token account, if the node says so. */
  change(account: Address, mint: Address): bigint | undefined {
    const before = this.#before?.find((balance) => balance.account === account);
    const after = this.#after?.find((balance) => balance.account === account);
    // An account in neither list was created and closed on the way, or the node left it out.
    const known = before ?? after;
    if (!this.isComplete || known === undefined) return undefined;
    if (known.mint !== mint || (after ?? known).mint !== mint) return undefined;
    return (after?.amount ?? 0n) - (before?.amount ?? 0n);
  }

  /** A token's decimals, if one of the accounts holds it. */
  decimals(mint: Address): number | undefined {
    const balances = [...(this.#before ?? []), ...(this.#after ?? [])];
    return balances.find((balance) => balance.mint === mint)?.decimals;
  }
}

function balancesIn(list: unknown, accounts: readonly Address[]): readonly Balance[] | undefined {
  if (list === null || list === undefined) return undefined;
  if (!Array.isArray(list)) throw malformed('The token balances are not a list. Ask another node.');
  return list.map((entry: unknown) => {
    const { accountIndex, mint, uiTokenAmount } = Object(entry) as Readonly<Record<string, unknown>>;
    const { amount, decimals } = Object(uiTokenAmount) as Readonly<Record<string, unknown>>;
    const account = accounts[Number(accountIndex ?? -1)];
    // The token programs store decimals in one byte.
    const hasDecimals =
      Number.isInteger(decimals) && (decimals as number) >= 0 && (decimals as number) <= 255;
    if (account === undefined || !hasDecimals || typeof amount !== 'string' || !/^\d{1,20}$/.test(amount))
      throw malformed('A token balance lacks its account, its amount or its decimals. Ask another node.');
    return { account, mint, amount: BigInt(amount), decimals: decimals as number };
  });
}
