import type { AccountMeta, Address, Instruction } from '@solana/kit';
import {
  TOKEN_2022_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
  WRAPPED_SOL_MINT_ADDRESS,
} from '../program/constants.js';
import { view } from '../solana/account-data.js';

/** What an instruction of a token program does to the balance of one account. */
export interface Movement {
  /** Native units that leave the account. */
  readonly out: bigint;
  /** Native units that are sent to it. */
  readonly in: bigint;
  /** What Token-2022 withholds of `in`; `undefined` if the instruction doesn't say. */
  readonly withheld: bigint | undefined;
}

const NOTHING: Movement = { out: 0n, in: 0n, withheld: 0n };

const TRANSFER = 3;
const MINT_TO = 7;
const BURN = 8;
const CLOSE = 9;
const TRANSFER_CHECKED = 12;
const MINT_TO_CHECKED = 14;
const BURN_CHECKED = 15;
const TRANSFER_FEE_EXTENSION = 26;
const TRANSFER_CHECKED_WITH_FEE = 1;
/** Instructions that initialize, approve, set authorities or only tell something: they leave balances alone. */
const WITHOUT_EFFECT: readonly number[] = [0, 1, 2, 4, 5, 6, 10, 11, 13, 16, 18, 20, 21, 22, 23, 24, 25];
/** A wrapped SOL account counts its lamports when it is initialized. */
const INITIALIZE_ACCOUNT: readonly number[] = [1, 16, 18];

const isTokenProgram = (program: Address): boolean =>
  program === TOKEN_PROGRAM_ADDRESS || program === TOKEN_2022_PROGRAM_ADDRESS;

/**
 * What one instruction does to the balance of a token account. Only the token programs change balances, so all others do
 * nothing by themselves.
 *
 * @returns `undefined` if the instruction takes the account and what it does to it can't be told.
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
  const transfer = (
    from: Address | undefined,
    to: Address | undefined,
    amount: bigint | undefined,
    fee: bigint | undefined,
  ): Movement | undefined =>
    amount === undefined
      ? undefined
      : {
          out: from === account ? amount : 0n,
          in: to === account ? amount : 0n,
          withheld: to === account ? fee : 0n,
        };
  const [first, second, third] = addresses;
  // The classic program has no transfer fee, and Token-2022 refuses the unchecked transfer of a token that has one.
  const checkedFee = programAddress === TOKEN_PROGRAM_ADDRESS ? 0n : undefined;
  switch (kind) {
    case TRANSFER:
      return transfer(first, second, amountAt(1), 0n);
    case TRANSFER_CHECKED:
      return transfer(first, third, amountAt(1), checkedFee);
    case TRANSFER_FEE_EXTENSION:
      return bytes[1] === TRANSFER_CHECKED_WITH_FEE
        ? transfer(first, third, amountAt(2), amountAt(11))
        : undefined;
    case MINT_TO:
    case MINT_TO_CHECKED:
      return transfer(undefined, second, amountAt(1), 0n);
    case BURN:
    case BURN_CHECKED:
      return transfer(first, undefined, amountAt(1), 0n);
  }
  const isWrappedSol = mint === WRAPPED_SOL_MINT_ADDRESS;
  // Only an empty account can be closed, unless it holds wrapped SOL.
  if (kind === CLOSE) return isWrappedSol && first === account ? undefined : NOTHING;
  if (!WITHOUT_EFFECT.includes(kind)) return undefined;
  return isWrappedSol && INITIALIZE_ACCOUNT.includes(kind) ? undefined : NOTHING;
}
