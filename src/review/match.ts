import {
  AccountRole,
  type Address,
  areV1ConfigsEqual,
  bytesEqual,
  mergeRoles,
  type TransactionVersion,
  type V1TransactionConfig,
} from '@solana/kit';
import { isSignatureValid, type LoadedInstruction, type LoadedTransaction } from '../solana/message.js';

// Decides whether a transaction may be signed. Nothing else decides: explain-mismatch.ts only explains why the answer was no.

/** What a transaction must be, whatever the order of its accounts and the lookup tables that hold them. */
export interface ExpectedTransaction {
  readonly version: TransactionVersion;
  /** The limits and the priority fee of version 1, `undefined` in the others. */
  readonly config: V1TransactionConfig | undefined;
  readonly feePayer: Address;
  readonly instructions: readonly LoadedInstruction[];
}

/**
 * Whether a transaction is the expected one: the same version, limits and priority fee, the same instructions in the same
 * order, byte by byte, with the same accounts and rights, paid by the same wallet. A durable nonce is an instruction too, so
 * it passes only if it was asked for.
 */
export function isSameTransaction(
  { wire, accounts, instructions }: LoadedTransaction,
  expected: ExpectedTransaction,
): boolean {
  const addresses = new Set(accounts.map(({ address }) => address));
  return (
    wire.version === expected.version &&
    areV1ConfigsEqual(wire.config ?? {}, expected.config ?? {}) &&
    // No account hides in a lookup table whose contents are unknown.
    !addresses.has(undefined) &&
    // No account is loaded twice, once by name and once through a table.
    addresses.size === accounts.length &&
    accounts[0]?.address === expected.feePayer &&
    instructions.length === expected.instructions.length &&
    instructions.every((instruction, index) =>
      isSameInstruction(instruction, expected.instructions[index] as LoadedInstruction),
    ) &&
    hasSameRights(accounts, rightsIn(expected))
  );
}

/** Whether two instructions run the same program on the same accounts, in order, with the same data. */
export const isSameInstruction = (one: LoadedInstruction, other: LoadedInstruction): boolean =>
  one.programAddress === other.programAddress &&
  one.accounts.length === other.accounts.length &&
  one.accounts.every(({ address }, index) => address === other.accounts[index]?.address) &&
  bytesEqual(one.data, other.data);

/** The rights of every account: in a transaction, an account has the most that any instruction wants for it. */
export function rightsIn({ feePayer, instructions }: ExpectedTransaction): ReadonlyMap<Address, AccountRole> {
  const rights = new Map<Address, AccountRole>([[feePayer, AccountRole.WRITABLE_SIGNER]]);
  const add = (address: Address, role: AccountRole) =>
    rights.set(address, mergeRoles(rights.get(address) ?? AccountRole.READONLY, role));
  for (const { programAddress, accounts } of instructions) {
    add(programAddress, AccountRole.READONLY);
    for (const { address, role } of accounts) add(address as Address, role);
  }
  return rights;
}

/** Equal rights, and no unused account, such as one that is loaded from a table but not used. */
const hasSameRights = (
  accounts: LoadedTransaction['accounts'],
  rights: ReadonlyMap<Address, AccountRole>,
): boolean =>
  accounts.length === rights.size &&
  accounts.every(({ address, role }) => rights.get(address as Address) === role);

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
