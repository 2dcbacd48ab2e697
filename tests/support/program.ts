import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';

import type { Address } from '@solana/kit';
import { PublicKey } from '@solana/web3.js';
import { expect } from 'vitest';

import type { HeavenErrorCode } from '../../src/errors.js';

/** How Anchor makes a discriminator: the first 8 bytes of sha256("namespace:name"), in hex. */
export const anchorDiscriminator = (namespace: 'global' | 'account' | 'event', name: string): string =>
  createHash('sha256').update(`${namespace}:${name}`).digest('hex').slice(0, 16);

/** Hex written by hand, in groups, as one string. */
export const hex = (...groups: readonly string[]): string => groups.join('').replaceAll(/\s/g, '');

export const bytesOf = (...groups: readonly string[]): Uint8Array =>
  Uint8Array.from(Buffer.from(hex(...groups), 'hex'));

export const hexOf = (bytes: ArrayLike<number>): string => Buffer.from(Array.from(bytes)).toString('hex');

export const base64Of = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

/** The address of 32 equal bytes. */
export const addressOfByte = (byte: number): Address => addressOfBytes(new Uint8Array(32).fill(byte));

export const addressOfBytes = (bytes: Uint8Array): Address => new PublicKey(bytes).toBase58() as Address;

/** A made-up address, another one for each name. */
export const addressNamed = (name: string): Address =>
  addressOfBytes(createHash('sha256').update(name).digest());

/** A `HeavenError` of a code, for `toThrow`. */
export const heavenError = (code: HeavenErrorCode, context: object = {}) =>
  expect.objectContaining({ name: 'HeavenError', code, context: expect.objectContaining(context) });

const CAPTURED = new URL('../../../shared/accounts/', import.meta.url);
export const hasCapturedAccounts = existsSync(CAPTURED);

export interface CapturedAccount {
  readonly address: Address;
  readonly owner: Address;
  readonly data: Uint8Array;
}

/** An account captured on mainnet, in the format of `solana account --output json`. */
export function capturedAccount(name: string): CapturedAccount {
  const { pubkey, account } = JSON.parse(readFileSync(new URL(`${name}.json`, CAPTURED), 'utf8')) as {
    pubkey: Address;
    account: { data: [string, 'base64']; owner: Address };
  };
  return {
    address: pubkey,
    owner: account.owner,
    data: Uint8Array.from(Buffer.from(account.data[0], 'base64')),
  };
}
