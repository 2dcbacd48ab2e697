import { type Address, isAddress, isSignature, type Signature } from '@solana/kit';

import { U64_MAX } from '../../base/integers.js';

// What the methods share: reading params, rejecting them, and wrapping results.

export type RpcMethods = Readonly<Record<string, (params: readonly unknown[]) => unknown>>;

export const RPC_ERROR = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  preflightFailure: -32002,
  signatureFailure: -32003,
  unsupportedTransactionVersion: -32015,
  minContextSlotNotReached: -32016,
} as const;

/** An error that a node returns, with its JSON-RPC code and data. */
export class RpcRefusal extends Error {
  readonly code: number;
  readonly data?: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export const invalidParams = (message: string) => new RpcRefusal(RPC_ERROR.invalidParams, message);

/** A result with the slot that it is from, wrapped like a node's. */
export const inContext = (slot: bigint, value: unknown) => ({
  context: { apiVersion: '3.0.0', slot },
  value,
});

/** The options after a method's other params; an empty object if there are none. */
export function configOf(value: unknown): Readonly<Record<string, unknown>> {
  if (value === undefined || value === null) return {};
  if (typeof value === 'object' && !Array.isArray(value)) return value as Readonly<Record<string, unknown>>;
  throw invalidParams('Invalid params: the options must be an object.');
}

/** Rejects a request whose options, the last param, have a later `minContextSlot` than the ledger's slot. */
export function assertSlotReached(params: readonly unknown[], slot: bigint): void {
  const { minContextSlot } = Object(params.at(-1)) as { readonly minContextSlot?: unknown };
  const isGiven = minContextSlot !== undefined && minContextSlot !== null;
  if (!isGiven || integerOf(minContextSlot, 'minContextSlot') <= slot) return;
  const message = 'Minimum context slot has not been reached';
  throw new RpcRefusal(RPC_ERROR.minContextSlotNotReached, message, { contextSlot: slot });
}

export function addressOf(value: unknown, name = 'The address'): Address {
  if (typeof value === 'string' && isAddress(value)) return value;
  throw invalidParams(`Invalid param: ${name} must be 32 bytes in base58.`);
}

export function signatureOf(value: unknown): Signature {
  if (typeof value === 'string' && isSignature(value)) return value;
  throw invalidParams('Invalid param: a signature must be 64 bytes in base58.');
}

export function listOf<T>(value: unknown, most: number, read: (item: unknown) => T): readonly T[] {
  if (!Array.isArray(value)) throw invalidParams('Invalid params: expected a list.');
  if (value.length > most) throw invalidParams(`Too many inputs provided; max ${most}`);
  return value.map((item: unknown) => read(item));
}

/** An integer from a JSON number or a bigint. */
export function integerOf(value: unknown, name: string, most: bigint = U64_MAX): bigint {
  const integer = typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : value;
  if (typeof integer === 'bigint' && integer >= 0n && integer <= most) return integer;
  throw invalidParams(`Invalid params: ${name} must be an integer from 0 to ${most}.`);
}

/** Requires one of these words. */
export function wordOf<T extends string>(value: unknown, name: string, words: readonly T[]): T {
  const found = words.find((word) => word === value);
  if (found !== undefined) return found;
  throw invalidParams(`Invalid params: ${name} must be one of ${words.join(', ')}.`);
}
