import type { Address } from '@solana/kit';
import { type HeavenWarning, warnIf } from '../base/warnings.js';
import { inUnits } from '../math/units.js';
import type { HeavenClient } from '../program/client.js';
import { deriveAssociatedTokenAddress } from '../solana/derived-addresses.js';
import { TOKEN_2022_PROGRAM_ADDRESS, TOKEN_PROGRAM_ADDRESS } from '../solana/programs.js';
import { accountAt } from '../solana/rpc/accounts.js';
import { closeTokenAccount, readTokenAccount, type TokenAccount } from '../solana/token-account.js';
import { isConfidential, withheldFeesIn } from '../solana/token-extensions.js';
import { buildTransaction, type Paying } from './assemble.js';
import { type BuiltTrade, buildSwap, swapSteps, type Trade, type TradeOptions } from './trade.js';

/** What the builders of sells take besides {@link TradeOptions}. */
export interface SellOptions {
  /**
   * Closes the token account after the sale, if that takes its whole balance: the rent goes to the trader, whoever paid it. If the account
   * stays open, the warning `account-stays-open` says why. The transaction fails if tokens arrive in the account before it lands, be it
   * dust from a stranger: sell again without closing. Default `false`.
   */
  readonly closeTokenAccount?: boolean | null | undefined;
}

type Sale = Extract<Trade, { readonly side: 'sell' }>;

/** Builds the transaction around a sell, and closes the token account behind it if that is asked for. */
export async function buildSale(
  client: HeavenClient,
  options: Paying & TradeOptions & SellOptions,
  sale: Sale,
): Promise<BuiltTrade> {
  if (options.closeTokenAccount !== true) return await buildSwap(client, options, sale);
  const { owner = options.payer, quote, debitAccount } = sale;
  const { mint, amountIn } = quote;
  const associated = (tokenProgram: Address) =>
    deriveAssociatedTokenAddress({ owner: owner.address, mint, tokenProgram });
  // Which program a token belongs to is not known before it is read.
  const either = () => Promise.all([TOKEN_PROGRAM_ADDRESS, TOKEN_2022_PROGRAM_ADDRESS].map(associated));
  const named = options.snapshot && debitAccount ? [debitAccount] : [];
  const steps = await swapSteps(client, options, sale, debitAccount === undefined ? await either() : named);
  return await buildTransaction(client, options, {
    ...steps,
    compose: async (found) => {
      const { instructions, warnings = [], result, ...composed } = await steps.compose(found);
      const { tokenProgram } = found.snapshot.addresses;
      const address = debitAccount ?? (await associated(tokenProgram));
      const account = accountAt(found.accounts, address);
      const held = account?.owner === tokenProgram ? readTokenAccount(account) : undefined;
      const isOwn = held?.owner === owner.address && held.mint === mint;
      const reason = isOwn
        ? reasonToStayOpen(held, account?.data, amountIn)
        : `it isn't a token account of ${owner.address} for this token`;
      return {
        ...composed,
        instructions:
          reason === undefined
            ? [...instructions, closeTokenAccount(address, owner, tokenProgram)]
            : instructions,
        warnings: [...warnings, ...staysOpen(address, reason)],
        result: { ...result, settings: { ...result.settings, closesTokenAccount: true } },
      };
    },
  });
}

const staysOpen = (address: Address, reason: string | undefined): readonly HeavenWarning[] =>
  warnIf(reason !== undefined, 'account-stays-open', `The token account ${address} stays open: ${reason}.`);

/** Why its owner can't close a token account after a sale, as far as the account says. */
export function reasonToStayOpen(
  { owner, amount, closeAuthority = owner }: TokenAccount,
  data: Uint8Array = new Uint8Array(),
  sold = amount,
): string | undefined {
  if (amount !== sold) return `it holds ${inUnits(amount)}, and the sale takes ${sold}. Sell all of it`;
  if (closeAuthority !== owner) return `only ${closeAuthority} may close it`;
  const withheld = withheldFeesIn(data);
  if (withheld > 0n)
    return `it holds ${inUnits(withheld)} of withheld transfer fees. Whoever wants can move them to the mint, with HarvestWithheldTokensToMint`;
  if (isConfidential(data)) return 'it may hold a confidential balance, which nobody else can see';
  return undefined;
}
