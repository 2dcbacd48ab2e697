import { type Address, createAddressWithSeed, type Instruction, type TransactionSigner } from '@solana/kit';
import { getCreateAccountWithSeedInstruction, getTransferSolInstruction } from '@solana-program/system';
import { getInitializeAccount3Instruction, getSyncNativeInstruction } from '@solana-program/token';
import { inputError, invalidInput } from '../base/input.js';
import { TOKEN_PROGRAM_ADDRESS, WRAPPED_SOL_MINT_ADDRESS } from '../solana/programs.js';
import { computeRentExemption, lamportsPerByteIn, locateRent } from '../solana/rent.js';
import type { RawAccount } from '../solana/rpc/accounts.js';
import { closeTokenAccount, tokenAccountOf } from '../solana/token-account.js';
import { TOKEN_ACCOUNT_SIZE } from '../solana/token-layout.js';
import { assertWebCrypto } from '../solana/web-crypto.js';

/**
 * How SOL gets into the pool and out of it; the pool takes and pays wrapped SOL.
 *
 * - `associated` (the documented behavior, default): through the owner's associated wrapped SOL account, which is
 *   created if need be and closed at the end. Closing it also unwraps whatever wrapped SOL the owner already held there.
 * - `temporary`: through an account made for this transaction alone and closed at its end. What the owner holds in wrapped
 *   SOL stays untouched. Costs 90 bytes more for a buy and 145 for a sell, and locks up the rent of a token account in between,
 *   which the builder reads from the cluster (`rpc-wrong-account` if it can't be right).
 * - `none`: nothing is wrapped or unwrapped. A buy spends wrapped SOL from the owner's associated account, a sell pays
 *   into it (and creates it if need be, at the owner's expense, see `rentPayer`).
 */
export type WrapSol = 'associated' | 'temporary' | 'none';

const STRATEGIES: readonly unknown[] = ['associated', 'temporary', 'none'] satisfies WrapSol[];

/** Rejects what is not a {@link WrapSol}. */
export function assertWrapSol(strategy: unknown, field: string): asserts strategy is WrapSol {
  if (!STRATEGIES.includes(strategy))
    throw invalidInput(field, strategy, "'associated', 'temporary' or 'none'");
}

/** Who opens accounts: the builder's `payer`, or its `feePayer`. */
export type RentPayer = 'payer' | 'feePayer';

/** Rejects what is not a {@link RentPayer}. */
export function assertRentPayer(value: unknown, field: string): asserts value is RentPayer {
  if (value !== 'payer' && value !== 'feePayer') throw invalidInput(field, value, "'payer' or 'feePayer'");
}

/** Who pays for the accounts of a builder's transaction. */
export interface RentOptions {
  /**
   * Who opens token accounts and an LP position, if they are missing: with `feePayer`, the sponsor. They belong to the trader all the
   * same, who gets their rent when closing them. A wrapped SOL account that the transaction closes itself is always the trader's, who
   * gets everything in it: a sponsor's rent would be a gift with each trade. So a wallet without any SOL sells with `wrapSol: 'none'`.
   * Default `payer`.
   */
  readonly rentPayer?: RentPayer | null | undefined;
}

/** Who opens an account that stays: the sponsor, or else the wallet that does so without one. */
export function openerOf<TWallet>(
  { feePayer, rentPayer }: { readonly feePayer?: TWallet | undefined } & RentOptions,
  wallet: TWallet,
): TWallet {
  if (rentPayer !== 'feePayer') return wallet;
  if (feePayer === undefined)
    throw inputError('rentPayer', "rentPayer is 'feePayer', but there is none. Name a feePayer.", rentPayer);
  return feePayer;
}

/** What {@link wrapSol} needs of the cluster: the addresses to read together with whatever the operation reads. */
export const accountsToWrap = (strategy: WrapSol): readonly Address[] =>
  strategy === 'temporary' ? [locateRent()] : [];

export interface WrappedSol {
  /** The wrapped SOL account that the exchange debits or pays into. */
  readonly account: Address;
  /** Before the operation, by the accounts at {@link accountsToWrap}. */
  readonly open: (read: readonly (RawAccount | undefined)[]) => readonly Instruction[];
  /** After it. */
  readonly close: readonly Instruction[];
}

/**
 * The wrapped SOL account of an operation, and the instructions that make and close it. The owner funds it, as closing it pays
 * the owner.
 *
 * @param owner Owns the account and signs.
 * @param lamports To wrap; 0 for an account that is only paid into.
 * @param opener Pays the rent of an account that stays open.
 */
export async function wrapSol(
  strategy: WrapSol,
  owner: TransactionSigner,
  lamports: bigint,
  opener = owner,
): Promise<WrappedSol> {
  if (strategy === 'temporary') return await temporaryAccount(owner, lamports);
  const { address: account, create } = await tokenAccountOf({
    payer: strategy === 'none' ? opener : owner,
    owner: owner.address,
    mint: WRAPPED_SOL_MINT_ADDRESS,
    tokenProgram: TOKEN_PROGRAM_ADDRESS,
  });
  if (strategy === 'none') {
    const open = lamports === 0n ? [create] : [];
    return { account, open: () => open, close: [] };
  }
  const fund =
    lamports === 0n
      ? []
      : [
          getTransferSolInstruction({ source: owner, destination: account, amount: lamports }),
          getSyncNativeInstruction({ account }),
        ];
  return {
    account,
    open: () => [create, ...fund],
    close: [closeTokenAccount(account, owner, TOKEN_PROGRAM_ADDRESS)],
  };
}

async function temporaryAccount(owner: TransactionSigner, lamports: bigint): Promise<WrappedSol> {
  assertWebCrypto();
  const base = owner.address;
  const programAddress = TOKEN_PROGRAM_ADDRESS;
  // 20 random characters of 5 bits each, so that no two transactions of a wallet make the same account.
  const random = crypto.getRandomValues(new Uint8Array(20));
  const seed = Array.from(random, (byte) => (byte & 31).toString(32)).join('');
  const account = await createAddressWithSeed({ baseAddress: base, seed, programAddress });
  // Lamports that are there before the account is initialized count as wrapped: no sync is needed.
  const create = (rent: bigint) =>
    getCreateAccountWithSeedInstruction({
      payer: owner,
      newAccount: account,
      base,
      seed,
      amount: rent + lamports,
      space: TOKEN_ACCOUNT_SIZE,
      programAddress,
    });
  const initialize = getInitializeAccount3Instruction({
    account,
    mint: WRAPPED_SOL_MINT_ADDRESS,
    owner: base,
  });
  return {
    account,
    open: (read) => [create(computeRentExemption(TOKEN_ACCOUNT_SIZE, lamportsPerByteIn(read))), initialize],
    close: [closeTokenAccount(account, owner, programAddress)],
  };
}

interface Wrapping {
  readonly wrapSol?: WrapSol | null | undefined;
}

/** How a checked input wants SOL wrapped: `associated` by default. */
export const strategyOf = ({ wrapSol: strategy }: Wrapping): WrapSol => strategy ?? 'associated';

/** {@link strategyOf} for an input that nobody has checked. */
export function wrapStrategyOf(input: Wrapping): WrapSol {
  const strategy = strategyOf(input);
  assertWrapSol(strategy, 'wrapSol');
  return strategy;
}
