import type { Address } from '@solana/kit';

import { assertU64, assertWhole, invalidInput } from '../base/input.js';
import { implausibleAccount, invalidAccount, openAccount } from './account-data.js';
import { RENT_SYSVAR_ADDRESS, SYSVAR_PROGRAM_ADDRESS } from './programs.js';
import { accountAt, assertExpectedAt, type RawAccount } from './rpc/accounts.js';

/** The sysvar as it is stored: a u64, a double and a byte that says what is burnt. */
export const RENT = { name: 'Rent', size: 17, lamportsPerByte: 0, threshold: 8, burnPercent: 16 } as const;

/** Bytes that an account costs besides its data. */
const ACCOUNT_OVERHEAD = 128n;
/** The bound is more than ten times what any cluster has charged: a node that says more is wrong. */
const MAX_LAMPORTS_PER_BYTE = 100_000n;
const PLAUSIBLE_RATES = 'from 1 to 100000';
const TWO_TO_32 = 0x1_0000_0000n;

/**
 * The lamports that make an account of this many bytes rent-exempt: 128 bytes that each account costs and its data, at the
 * cluster's rate. For accounts that instructions of your own create.
 *
 * @param size Bytes of the account's data.
 * @param lamportsPerByte The cluster's rate, from {@link decodeLamportsPerByte}. It changes, so don't store it.
 * @throws {HeavenError} `invalid-input`, `invalid-amount`, `amount-out-of-range`
 * @example
 * ```ts
 * computeRentExemption(165, 5_080n); // 1488440n
 * ```
 */
export function computeRentExemption(size: number, lamportsPerByte: bigint): bigint {
  assertWhole('size', size, [0, Number.MAX_SAFE_INTEGER]);
  assertU64(lamportsPerByte, 'lamportsPerByte');
  return (BigInt(size) + ACCOUNT_OVERHEAD) * lamportsPerByte;
}

/**
 * The lamports per byte in the data of the rent sysvar, at `SYSVAR_RENT_ADDRESS` of `@solana/sysvars`: the stored rate times the exemption
 * threshold, which must make a whole number.
 *
 * @throws {HeavenError} `invalid-account-data`, `rpc-wrong-account`
 * @example
 * ```ts
 * const lamportsPerByte = decodeLamportsPerByte(rentData);
 * console.log(computeRentExemption(165, lamportsPerByte));
 * ```
 */
export function decodeLamportsPerByte(data: Uint8Array): bigint {
  const rent = openAccount(RENT, data, RENT_SYSVAR_ADDRESS);
  // Multiplied by a power of two, a double loses nothing.
  const threshold = rent.getFloat64(RENT.threshold, true) * Number(TWO_TO_32);
  if (!Number.isSafeInteger(threshold))
    throw invalidAccount(RENT.name, 'its exemption threshold is not usable', RENT_SYSVAR_ADDRESS);
  const scaled = rent.getBigUint64(RENT.lamportsPerByte, true) * BigInt(threshold);
  if (scaled % TWO_TO_32 !== 0n)
    throw invalidAccount(RENT.name, 'its lamports per byte are not a whole number', RENT_SYSVAR_ADDRESS);
  const found = scaled / TWO_TO_32;
  if (isPlausibleRate(found)) return found;
  throw implausibleAccount(RENT.name, 'lamportsPerByte', found, PLAUSIBLE_RATES, RENT_SYSVAR_ADDRESS);
}

const isPlausibleRate = (rate: bigint): boolean => rate >= 1n && rate <= MAX_LAMPORTS_PER_BYTE;

/** Rejects lamports per byte that no cluster charges. */
export function assertLamportsPerByte(rate: bigint): void {
  if (typeof rate !== 'bigint' || !isPlausibleRate(rate))
    throw invalidInput('lamportsPerByte', rate, `a bigint ${PLAUSIBLE_RATES}`);
}

/** The address of the rent sysvar, to be read together with other accounts. */
export const locateRent = (): Address => RENT_SYSVAR_ADDRESS;

/** The lamports per byte, out of accounts that were read with {@link locateRent}. */
export function lamportsPerByteIn(accounts: readonly (RawAccount | undefined)[]): bigint {
  const account = accountAt(accounts, RENT_SYSVAR_ADDRESS);
  assertExpectedAt(account, RENT_SYSVAR_ADDRESS, SYSVAR_PROGRAM_ADDRESS, RENT);
  return decodeLamportsPerByte(account.data);
}
