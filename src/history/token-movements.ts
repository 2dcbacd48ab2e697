import type { AccountMeta, Address, Instruction } from '@solana/kit';
import { view } from '../solana/account-data.js';
import { isTokenProgram, TOKEN_PROGRAM_ADDRESS, WRAPPED_SOL_MINT_ADDRESS } from '../solana/programs.js';

/** What a token program's instruction does to the balance of one account. */
export interface Movement {
  /** Native units that leave the account. */
  readonly out: bigint;
  /** Native units that are sent to it. */
  readonly in: bigint;
  /** What Token-2022 withholds from `in`; `undefined` if the instruction doesn't say. */
  readonly withheld: bigint | undefined;
}

const NOTHING: Movement = { out: 0n, in: 0n, withheld: 0n };

const CLOSE = 9;
const TRANSFER_CHECKED = 12;
const TRANSFER_FEE_EXTENSION = 26;
const TRANSFER_CHECKED_WITH_FEE = 1;
/** The indexes of the accounts that an instruction moves tokens between. */
const MOVES: Readonly<Record<number, { readonly from?: number; readonly to?: number }>> = {
  3: { from: 0, to: 1 }, // Transfer
  7: { to: 1 }, // MintTo
  8: { from: 0 }, // Burn
  12: { from: 0, to: 2 }, // TransferChecked
  14: { to: 1 }, // MintToChecked
  15: { from: 0 }, // BurnChecked
};
/** Instructions that initialize, approve, set authorities or only report something: they don't change balances. */
const WITHOUT_EFFECT: readonly number[] = [0, 1, 2, 4, 5, 6, 10, 11, 13, 16, 18, 20, 21, 22, 23, 24, 25];
/** Initializing a wrapped SOL account adds its lamports to its balance. */
const INITIALIZE_ACCOUNT: readonly number[] = [1, 16, 18];

/**
 * Returns what one instruction does to a token account's balance. Only the token programs change balances, so other programs do
 * nothing themselves.
 *
 * @returns `undefined` if the instruction uses the account in a way that can't be determined.
 */
export function movementOf(
  { programAddress, accounts = [], data = new Uint8Array() }: Instruction,
  account: Address,
  mint: Address,
): Movement | undefined {
  const addresses = (accounts as readonly AccountMeta[]).map(({ address }) => address);
  if (!isTokenProgram(programAddress) || !addresses.includes(account)) return NOTHING;
  const bytes = Uint8Array.from(data);
  const kind = bytes[0] ?? -1;
  const amountAt = (offset: number) =>
    bytes.length >= offset + 8 ? view(bytes).getBigUint64(offset, true) : undefined;
  const isWithFee = kind === TRANSFER_FEE_EXTENSION && bytes[1] === TRANSFER_CHECKED_WITH_FEE;
  const move = MOVES[isWithFee ? TRANSFER_CHECKED : kind];
  if (move !== undefined) {
    const amount = amountAt(isWithFee ? 2 : 1);
    if (amount === undefined) return undefined;
    const isOut = move.from !== undefined && addresses[move.from] === account;
    const isIn = move.to !== undefined && addresses[move.to] === account;
    // The classic program has no transfer fee, and Token-2022 rejects the unchecked transfer of a token that has one.
    const isFree = kind !== TRANSFER_CHECKED || programAddress === TOKEN_PROGRAM_ADDRESS;
    const fee = isWithFee ? amountAt(11) : isFree ? 0n : undefined;
    return { out: isOut ? amount : 0n, in: isIn ? amount : 0n, withheld: isIn ? fee : 0n };
  }
  const isWrappedSol = mint === WRAPPED_SOL_MINT_ADDRESS;
  // An account can only be closed when it is empty, unless it holds wrapped SOL.
  if (kind === CLOSE) return isWrappedSol && addresses[0] === account ? undefined : NOTHING;
  if (!WITHOUT_EFFECT.includes(kind)) return undefined;
  return isWrappedSol && INITIALIZE_ACCOUNT.includes(kind) ? undefined : NOTHING;
}
