import { AccountRole, type Address, getU64Encoder, type Instruction } from '@solana/kit';
import { LIGHTHOUSE_PROGRAM_ADDRESS } from '../solana/lighthouse.js';

// The assertions that wallets add, with the bytes seen on mainnet. Level M.

const FAILED_PLAINTEXT = 4;
const ACCOUNT_INFO_MULTI = 6;
const TOKEN_ACCOUNT_MULTI = 10;
const ZERO = new Uint8Array(8);

function guard(kind: number, account: Address, ...demands: readonly (readonly number[])[]): Instruction {
  return {
    programAddress: LIGHTHOUSE_PROGRAM_ADDRESS,
    accounts: [{ address: account, role: AccountRole.READONLY }],
    data: Uint8Array.from([kind, FAILED_PLAINTEXT, demands.length, ...demands.flat()]),
  };
}

const atLeast = (tag: number, minimum: bigint) => [tag, ...getU64Encoder().encode(minimum), 4];
const SYSTEM_OWNED = [3, 0, 0];
const NO_DATA = [1, ...ZERO, 0];
const NO_DELEGATE = [3, 0, 0];
const NOTHING_DELEGATED = [6, ...ZERO, 5];
const IS_ASSOCIATED = [8];

/** Asserts that the wallet holds at least this many lamports and is still a wallet. */
export const walletGuard = (wallet: Address, minimum: bigint): Instruction =>
  guard(ACCOUNT_INFO_MULTI, wallet, atLeast(0, minimum), SYSTEM_OWNED, NO_DATA);

/** Asserts that the account is a wallet. */
export const systemGuard = (wallet: Address): Instruction =>
  guard(ACCOUNT_INFO_MULTI, wallet, SYSTEM_OWNED, NO_DATA);

/** Asserts that the account doesn't exist yet. */
export const absenceGuard = (account: Address): Instruction =>
  guard(ACCOUNT_INFO_MULTI, account, [0, ...ZERO, 0]);

/** Asserts before the transaction that only the owner controls the tokens. */
export const tokenGuardBefore = (account: Address): Instruction =>
  guard(TOKEN_ACCOUNT_MULTI, account, NO_DELEGATE, NOTHING_DELEGATED, IS_ASSOCIATED);

/** Asserts after the transaction that there are at least this many tokens, and that only the owner controls them. */
export const tokenGuardAfter = (account: Address, minimum: bigint): Instruction =>
  guard(TOKEN_ACCOUNT_MULTI, account, atLeast(2, minimum), NO_DELEGATE, NOTHING_DELEGATED, IS_ASSOCIATED);
