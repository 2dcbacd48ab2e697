import type { AccountRole, Address } from '@solana/kit';
import { areV1ConfigsEqual, bytesEqual } from '@solana/kit';
import { isSignatureValid, type LoadedInstruction, type LoadedTransaction } from '../solana/message.js';

// Decides whether a transaction may be signed, and guards.ts what a wallet may add. explain.ts only explains why the answer was no.

/**
 * Whether a transaction is the expected one, whatever the order of its accounts and the lookup tables that hold them: the same
 * version, limits and priority fee, the same instructions in the same order, byte by byte, with the same accounts and rights,
 * paid by the same wallet. In version 0, limits and priority fee are instructions. A block hash may be any: it moves nothing. A durable
 * nonce is an instruction too, so it passes only if it was asked for.
 */
export const isSameTransaction = (actual: LoadedTransaction, expected: LoadedTransaction): boolean =>
  actual.wire.version === expected.wire.version &&
  areV1ConfigsEqual(actual.wire.config ?? {}, expected.wire.config ?? {}) &&
  hasAllAccountsOnce(actual) &&
  actual.accounts[0]?.address === expected.accounts[0]?.address &&
  actual.instructions.length === expected.instructions.length &&
  actual.instructions.every((instruction, index) =>
    isSameInstruction(instruction, expected.instructions[index] as LoadedInstruction),
  ) &&
  hasExactRights(actual, rightsIn(expected));

/** Whether two instructions run the same program on the same accounts, in order, with the same data. */
export const isSameInstruction = (one: LoadedInstruction, other: LoadedInstruction): boolean =>
  one.programAddress === other.programAddress &&
  one.accounts.length === other.accounts.length &&
  one.accounts.every(({ address }, index) => address === other.accounts[index]?.address) &&
  bytesEqual(one.data, other.data);

/** No account hides in a lookup table whose contents are unknown, and none is loaded twice. */
export function hasAllAccountsOnce({ accounts }: LoadedTransaction): boolean {
  const addresses = new Set(accounts.map(({ address }) => address));
  return addresses.size === accounts.length && !addresses.has(undefined);
}

/** The rights of each account. */
export type Rights = ReadonlyMap<Address | undefined, AccountRole>;

export const rightsIn = ({ accounts }: LoadedTransaction): Rights =>
  new Map(accounts.map(({ address, role }) => [address, role]));

/** Each account has the rights that it should have. So none is unused, such as one that is loaded from a table for nothing. */
export const hasExactRights = ({ accounts }: LoadedTransaction, rights: Rights): boolean =>
  accounts.length === rights.size && accounts.every(({ address, role }) => rights.get(address) === role);

/** Whether every signature is valid, and no required one is missing. */
export async function areSignaturesValid(
  { wire }: LoadedTransaction,
  mustHaveSigned: readonly Address[],
): Promise<boolean> {
  const present = wire.signatures.flatMap(({ address, signature }) =>
    signature === undefined ? [] : [{ address, signature }],
  );
  if (!mustHaveSigned.every((signer) => present.some(({ address }) => address === signer))) return false;
  const verdicts = await Promise.all(
    present.map(({ address, signature }) => isSignatureValid(wire, address, signature)),
  );
  return verdicts.every((isValid) => isValid);
}
