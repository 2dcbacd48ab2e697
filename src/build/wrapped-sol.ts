import { type Address, createAddressWithSeed, type Instruction } from '@solana/kit';
import { getCreateAccountWithSeedInstruction, getTransferSolInstruction } from '@solana-program/system';
import { getInitializeAccount3Instruction, getSyncNativeInstruction } from '@solana-program/token';

import { HeavenError } from '../errors.js';
import { describe } from '../input.js';
import { TOKEN_PROGRAM_ADDRESS, WRAPPED_SOL_MINT_ADDRESS } from '../program/constants.js';
import { closeTokenAccount, tokenAccountOf } from '../solana/token-account.js';
import { addressOf, signerOf, type Wallet } from '../solana/wallet.js';

/**
 * How SOL gets into the pool and out of it; the pool takes and pays wrapped SOL.
 *
 * - `associated` (the documented behaviour, default): through the owner's associated wrapped SOL account, which is
 *   created if need be and closed at the end. Closing it also unwraps whatever wrapped SOL the owner already held there.
 * - `temporary`: through an account made for this transaction alone and closed at its end. What the owner holds in wrapped
 *   SOL stays untouched. Costs 90 bytes more for a buy and 145 for a sell, and 0.00203928 SOL of rent in between.
 * - `none`: nothing is wrapped or unwrapped. A buy spends wrapped SOL from the owner's associated account, a sell pays
 *   into it (and creates it if need be, at the owner's expense).
 */
export type WrapSol = 'associated' | 'temporary' | 'none';

const TOKEN_ACCOUNT_SIZE = 165n;
/** The rent exemption of a token account in lamports. It comes back when the account is closed. */
export const TOKEN_ACCOUNT_RENT = 2_039_280n;

export interface WrappedSol {
  /** The wrapped SOL account that the exchange debits or pays into. */
  readonly account: Address;
  /** Before the trade. */
  readonly open: readonly Instruction[];
  /** Behind the trade. */
  readonly close: readonly Instruction[];
}

/**
 * The wrapped SOL account of an operation, with what makes and closes it. The owner funds it, as closing it pays the owner.
 *
 * @param owner Owns the account and signs.
 * @param lamports To wrap; 0 for an account that is only paid into.
 */
export async function wrapSol(strategy: WrapSol, owner: Wallet, lamports: bigint): Promise<WrappedSol> {
  const ownerAddress = addressOf(owner, 'owner');
  const signer = signerOf(owner);
  if (strategy === 'temporary') {
    const seed = randomSeed();
    const account = await createAddressWithSeed({
      baseAddress: ownerAddress,
      seed,
      programAddress: TOKEN_PROGRAM_ADDRESS,
    });
    // Lamports that are there before the account is initialized count as wrapped: no sync is needed.
    const create = getCreateAccountWithSeedInstruction({
      payer: signer,
      newAccount: account,
      base: ownerAddress,
      seed,
      amount: TOKEN_ACCOUNT_RENT + lamports,
      space: TOKEN_ACCOUNT_SIZE,
      programAddress: TOKEN_PROGRAM_ADDRESS,
    });
    const initialize = getInitializeAccount3Instruction({
      account,
      mint: WRAPPED_SOL_MINT_ADDRESS,
      owner: ownerAddress,
    });
    return {
      account,
      open: [create, initialize],
      close: [closeTokenAccount(account, owner, TOKEN_PROGRAM_ADDRESS)],
    };
  }
  const { address: account, create } = await tokenAccountOf({
    payer: owner,
    owner: ownerAddress,
    mint: WRAPPED_SOL_MINT_ADDRESS,
    tokenProgram: TOKEN_PROGRAM_ADDRESS,
  });
  if (strategy === 'none') return { account, open: lamports === 0n ? [create] : [], close: [] };
  const fund =
    lamports === 0n
      ? []
      : [
          getTransferSolInstruction({ source: signer, destination: account, amount: lamports }),
          getSyncNativeInstruction({ account }),
        ];
  return {
    account,
    open: [create, ...fund],
    close: [closeTokenAccount(account, owner, TOKEN_PROGRAM_ADDRESS)],
  };
}

/**
 * How a caller wants SOL wrapped: the documented way unless told otherwise.
 *
 * @throws {HeavenError} `invalid-input`
 */
export function wrapStrategyOf({
  wrapSol: value,
}: {
  readonly wrapSol?: WrapSol | null | undefined;
}): WrapSol {
  if (value === undefined || value === null) return 'associated';
  if (value !== 'associated' && value !== 'temporary' && value !== 'none') {
    throw new HeavenError(
      'invalid-input',
      `wrapSol must be 'associated', 'temporary' or 'none'; got ${describe(value)}.`,
      {
        field: 'wrapSol',
        value,
      },
    );
  }
  return value;
}

/** 20 random characters: 100 bits, so that no two transactions of a wallet make the same account. */
const randomSeed = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(20)), (byte) => (byte & 31).toString(32)).join('');
