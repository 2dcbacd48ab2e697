import { type Address, bytesEqual, createAddressWithSeed, type Instruction } from '@solana/kit';
import {
  type CreateAccountWithSeedInstructionDataArgs,
  getCreateAccountWithSeedInstructionDataEncoder,
} from '@solana-program/system';
import type { LookupTables } from '../solana/lookup-table.js';
import {
  type KnownTable,
  type KnownTables,
  type LoadedTransaction,
  loadTransaction,
  lookupTablesOf,
  readWireTransaction,
  type WireTransaction,
} from '../solana/message.js';
import { allInstructions, type BuiltTransaction } from '../transaction/built.js';
import { stepOf } from './read-step.js';

/** The transaction that was built from what the caller asked for. */
export function expectedFrom(
  built: Pick<BuiltTransaction, 'tx' | 'instructions' | 'computeBudget'>,
): LoadedTransaction {
  const wire = readWireTransaction(built.tx);
  return loadTransaction(wire, impliedTables(wire, allInstructions(built), {}));
}

/** The lookup tables of a transaction: those given, and of the others what its own instructions, in order, say of them. */
export function impliedTables(
  wire: WireTransaction,
  instructions: readonly Instruction[],
  given: LookupTables,
): KnownTables {
  const implied = new Map(lookupTablesOf(wire).map((table) => [table, [] as Address[]]));
  for (const [position, { accounts }] of loadTransaction(wire, new Map()).instructions.entries()) {
    for (const [index, { lookup }] of accounts.entries()) {
      const address = instructions[position]?.accounts?.[index]?.address;
      const addresses = lookup && implied.get(lookup.table);
      if (addresses && address !== undefined) addresses[lookup.index] = address;
    }
  }
  const tables: LookupTables = { ...Object.fromEntries(implied), ...given };
  return new Map(
    Object.entries(tables).map(([table, addresses]): [Address, KnownTable] => [
      table as Address,
      { addresses: [...addresses] },
    ]),
  );
}

/** The expected transaction with the actual one's random seed, if the address follows from it. `own`: the caller's instructions. */
export async function withTemporaryAccount(
  expected: LoadedTransaction,
  actual: LoadedTransaction,
  own: readonly Instruction[],
): Promise<LoadedTransaction> {
  const mine = creationIn(expected, own);
  const seed = creationIn(actual, own)?.seed;
  if (mine === undefined || seed === undefined) return expected;
  const { base, programAddress } = mine;
  const address = await createAddressWithSeed({ baseAddress: base, programAddress, seed }).catch(
    () => undefined,
  );
  if (address === undefined) return expected;
  const renamed = <TAccount extends { readonly address: Address | undefined }>(
    account: TAccount,
  ): TAccount => (account.address === mine.account ? { ...account, address } : account);
  const data = Uint8Array.from(getCreateAccountWithSeedInstructionDataEncoder().encode({ ...mine, seed }));
  return {
    wire: expected.wire,
    accounts: expected.accounts.map(renamed),
    instructions: expected.instructions.map((instruction) => ({
      ...instruction,
      accounts: instruction.accounts.map(renamed),
      data: instruction === mine.instruction ? data : instruction.data,
    })),
  };
}

/** The instruction that makes an account of a seed, and its arguments. */
function creationIn({ instructions }: LoadedTransaction, own: readonly Instruction[]) {
  for (const instruction of instructions) {
    const step = stepOf(instruction);
    const isOwn = own.some(({ data = new Uint8Array() }) => bytesEqual(data, instruction.data));
    if (step?.program !== 'system' || step.name !== 'CreateAccountWithSeed' || isOwn) continue;
    const data = step.data as unknown as CreateAccountWithSeedInstructionDataArgs;
    return { instruction, account: step.accounts.newAccount, ...data };
  }
  return undefined;
}
