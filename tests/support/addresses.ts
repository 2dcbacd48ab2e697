import { createHash } from 'node:crypto';

import { type Address, getAddressDecoder } from '@solana/kit';

const decoder = getAddressDecoder();

/** The address of 32 equal bytes. */
export const addressOfByte = (byte: number): Address => decoder.decode(new Uint8Array(32).fill(byte));

/** A made-up address, another one for each name. */
export const addressNamed = (name: string): Address =>
  decoder.decode(createHash('sha256').update(name).digest());

/** A made-up address, another one for each number. */
export const addressNumbered = (number: number): Address => {
  const bytes = new Uint8Array(32).fill(7);
  new DataView(bytes.buffer).setUint32(28, number);
  return decoder.decode(bytes);
};

// Literals, so that no test compares the SDK's constants with themselves.
export const CLOCK_SYSVAR_ADDRESS = 'SysvarC1ock11111111111111111111111111111111' as Address;
export const COMPUTE_BUDGET_PROGRAM_ADDRESS = 'ComputeBudget111111111111111111111111111111' as Address;
export const LOOKUP_TABLE_PROGRAM_ADDRESS = 'AddressLookupTab1e1111111111111111111111111' as Address;
export const MEMO_PROGRAM_ADDRESS = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr' as Address;
export const OTHER_PROGRAM_ADDRESS = 'pAMMBay6oceH9fJKBRHGP5D4bD4sWpmSwMn52FMfXEA' as Address;

/** Of the three, `STRANGER` alone has no part in the embedded ledger. */
export const WALLET = '4vQpohTywkQyTjERdKPwSyXTAdkbQcYHvKGTqRaVTAJs' as Address;
export const STRANGER = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin' as Address;
export const OTHER = 'HEvSKofvBgfaexv23kMabbYqxasxU3mQ4ibBMEmJWHny' as Address;
