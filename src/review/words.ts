import {
  AccountRole,
  type Base64EncodedWireTransaction,
  type Instruction,
  type TransactionVersion,
} from '@solana/kit';
import type { InstructionConfig } from '../program/deployment.js';
import type { LookupTables } from '../solana/lookup-table.js';
import {
  type LoadedInstruction,
  loadTransaction,
  lookupTablesOf,
  readWireTransaction,
} from '../solana/message.js';
import { type Step, stepOf, stepsOf } from './step.js';

/**
 * What a transaction does, a line per instruction. This is for people to read; to decide in code, use {@link inspectTransaction}.
 *
 * @throws {HeavenError} `malformed-data`
 */
export function describeTransaction(
  tx: Base64EncodedWireTransaction,
  { lookupTables = {}, ...config }: InstructionConfig & { readonly lookupTables?: LookupTables } = {},
): readonly string[] {
  const wire = readWireTransaction(tx);
  const tables = lookupTablesOf(wire).map(
    (table) => [table, { addresses: lookupTables[table] ?? [] }] as const,
  );
  const { instructions } = loadTransaction(wire, new Map(tables));
  const steps = stepsOf(instructions, wire.version, config);
  return instructions.map((instruction, index) => describeInstruction(instruction, steps[index]));
}

/** {@link describeTransaction} for a transaction that was built here, with any lookup tables. */
export const describeInstructions = (
  instructions: readonly Instruction[],
  config: InstructionConfig,
): readonly string[] =>
  instructions.map((instruction) => {
    const { programAddress, accounts = [], data = new Uint8Array() } = instruction;
    const loaded = { programAddress, accounts, data: Uint8Array.from(data) };
    return describeInstruction(loaded, stepOf(loaded, config));
  });

/** `legacy`, `version 0`, `version 1`. */
export const versionInWords = (version: TransactionVersion): string =>
  version === 'legacy' ? version : `version ${version}`;

export function describeInstruction(instruction: LoadedInstruction, step: Step | undefined): string {
  if (step !== undefined) return step.inWords;
  const { programAddress, accounts } = instruction;
  const hidden = accounts.filter(({ address }) => address === undefined).length;
  if (hidden > 0) {
    return `An instruction of the program ${programAddress}, ${hidden} of whose accounts are hidden in lookup tables that are not known`;
  }
  const signers = accounts.filter(({ role }) => role >= AccountRole.READONLY_SIGNER).length;
  return `An instruction of the program ${programAddress} that is not understood, with ${signers === 0 ? 'no signature' : 'the rights of a signer'}`;
}
