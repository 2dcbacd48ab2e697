import { existsSync, readFileSync } from 'node:fs';
import type { Address } from '@solana/kit';

const folder = new URL('../../../shared/accounts/', import.meta.url);

/** Real mainnet accounts lie beside the repository; without them the tests that need them are skipped. */
export const hasCapturedAccounts = existsSync(new URL('light_sol_pool.json', folder));

export const withCapturedAccounts = hasCapturedAccounts
  ? ''
  : ' (skipped: no captured mainnet accounts beside the repository)';

export interface CapturedAccount {
  readonly address: Address;
  readonly owner: Address;
  readonly lamports: bigint;
  readonly data: Uint8Array;
}

/** One captured account, in the format of `solana account --output json`. */
export function capturedAccount(name: string): CapturedAccount {
  const { pubkey, account } = JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8'));
  const data = Uint8Array.from(Buffer.from(account.data[0], 'base64'));
  return { address: pubkey, owner: account.owner, lamports: BigInt(account.lamports), data };
}
