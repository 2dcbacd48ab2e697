import type { AccountMeta, Address, Instruction } from '@solana/kit';
import {
  COMPUTE_BUDGET_PROGRAM_ADDRESS,
  ComputeBudgetInstruction,
  parseComputeBudgetInstruction,
} from '@solana-program/compute-budget';
import { parseSystemInstruction, SystemInstruction } from '@solana-program/system';
import {
  ASSOCIATED_TOKEN_PROGRAM_ADDRESS,
  parseCreateAssociatedTokenIdempotentInstruction,
  parseRecoverNestedAssociatedTokenInstruction,
  parseTokenInstruction,
  TokenInstruction,
} from '@solana-program/token';

import {
  HEAVEN_PROGRAM_ADDRESS,
  SYSTEM_PROGRAM_ADDRESS,
  TOKEN_2022_PROGRAM_ADDRESS,
  TOKEN_METADATA_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
} from '../program/constants.js';
import { type HeavenInstruction, parseHeavenInstruction } from '../program/instructions.js';
import type { InstructionConfig } from '../solana/define-instruction.js';
import type { LoadedInstruction } from '../solana/message.js';
import { parseCreateToken } from '../solana/token-metadata.js';

const MEMO_PROGRAM_ADDRESSES: readonly string[] = [
  'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
  'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVddwQDwyMo',
];

/** The programs whose instructions are understood. */
export type StepProgram =
  | 'associated-token'
  | 'compute-budget'
  | 'exchange'
  | 'memo'
  | 'system'
  | 'token'
  | 'token-2022'
  | 'token-metadata';

/** An instruction that is understood. */
export interface Step {
  readonly program: StepProgram;
  /** The program's own name for it: `TransferSol`, `buy`. */
  readonly name: string;
  /** Its accounts by name, in order. */
  readonly accounts: Readonly<Record<string, Address>>;
  /** Its arguments by name. */
  readonly data: Readonly<Record<string, unknown>>;
  /** The exchange's instructions, fully typed. */
  readonly exchange?: HeavenInstruction;
}

/**
 * What an instruction is, if it is of a program that is known and one of its instructions that is understood. Everything
 * else is `undefined`: of an instruction that can't be read nothing may be concluded.
 */
export function stepOf(instruction: LoadedInstruction, config: InstructionConfig = {}): Step | undefined {
  // Those of the compute budget take no accounts, and the cluster heeds them whatever they are given.
  const needsAccounts = instruction.programAddress !== COMPUTE_BUDGET_PROGRAM_ADDRESS;
  if (needsAccounts && instruction.accounts.some(({ address }) => address === undefined)) return undefined;
  try {
    return parse(instruction as Parsable, config.programAddress ?? HEAVEN_PROGRAM_ADDRESS);
  } catch {
    // The parsers throw for an instruction that is too short or that they don't know.
    return undefined;
  }
}

type Parsable = Instruction & {
  readonly accounts: readonly AccountMeta[];
  readonly data: Uint8Array;
};

function parse(instruction: Parsable, exchange: Address): Step | undefined {
  const { programAddress, data } = instruction;
  switch (programAddress) {
    case exchange: {
      const parsed = parseHeavenInstruction(instruction, { programAddress });
      const { params = {}, ...args } = parsed.data as Readonly<Record<string, object>>;
      return {
        program: 'exchange',
        name: parsed.name,
        accounts: addressesOf(parsed.accounts),
        data: { ...args, ...params },
        exchange: parsed,
      };
    }
    case COMPUTE_BUDGET_PROGRAM_ADDRESS: {
      const parsed = parseComputeBudgetInstruction(instruction);
      return step('compute-budget', ComputeBudgetInstruction[parsed.instructionType], {
        accounts: {},
        data: parsed.data,
      });
    }
    case SYSTEM_PROGRAM_ADDRESS: {
      const parsed = parseSystemInstruction(instruction);
      return step('system', SystemInstruction[parsed.instructionType], parsed);
    }
    case TOKEN_PROGRAM_ADDRESS:
    case TOKEN_2022_PROGRAM_ADDRESS: {
      const parsed = parseTokenInstruction(instruction);
      const name = TokenInstruction[parsed.instructionType];
      // A batch holds instructions of its own, which nothing here reads.
      if (parsed.instructionType === TokenInstruction.Batch) return undefined;
      return step(
        programAddress === TOKEN_PROGRAM_ADDRESS ? 'token' : 'token-2022',
        name,
        parsed as { readonly accounts?: object; readonly data: object },
      );
    }
    case ASSOCIATED_TOKEN_PROGRAM_ADDRESS:
      return associatedToken(instruction, data[0] ?? 0);
    case TOKEN_METADATA_PROGRAM_ADDRESS: {
      const parsed = parseCreateToken(instruction);
      return parsed && step('token-metadata', 'Create', parsed);
    }
  }
  return MEMO_PROGRAM_ADDRESSES.includes(programAddress)
    ? step('memo', 'Memo', { accounts: {}, data: { memo: new TextDecoder().decode(data) } })
    : undefined;
}

/** An instruction without data is the creation that fails if the account is there. */
function associatedToken(instruction: Parsable, discriminator: number): Step | undefined {
  switch (discriminator) {
    case 0:
    case 1:
      return step(
        'associated-token',
        discriminator === 0 ? 'CreateAssociatedToken' : 'CreateAssociatedTokenIdempotent',
        // Both take the same accounts, and their data says no more than which one it is.
        parseCreateAssociatedTokenIdempotentInstruction({ ...instruction, data: Uint8Array.of(1) }),
      );
    case 2:
      return step(
        'associated-token',
        'RecoverNestedAssociatedToken',
        parseRecoverNestedAssociatedTokenInstruction(instruction),
      );
  }
  return undefined;
}

function step(
  program: StepProgram,
  name: string,
  parsed: { readonly accounts?: object; readonly data: object },
): Step {
  const { discriminator: _, ...data } = parsed.data as Record<string, unknown>;
  return { program, name, accounts: addressesOf(parsed.accounts ?? {}), data };
}

const addressesOf = (accounts: object): Readonly<Record<string, Address>> =>
  Object.fromEntries(
    Object.entries(accounts as Readonly<Record<string, AccountMeta | undefined>>).flatMap(([name, meta]) =>
      meta === undefined ? [] : [[name, meta.address]],
    ),
  );
