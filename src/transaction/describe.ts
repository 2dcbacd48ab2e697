import {
  type Base64EncodedWireTransaction,
  decompileTransactionMessage,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  type Instruction,
  isNone,
} from '@solana/kit';
import {
  COMPUTE_BUDGET_PROGRAM_ADDRESS,
  parseSetComputeUnitLimitInstruction,
  parseSetComputeUnitPriceInstruction,
} from '@solana-program/compute-budget';
import { parseSystemInstruction, SYSTEM_PROGRAM_ADDRESS, SystemInstruction } from '@solana-program/system';
import {
  ASSOCIATED_TOKEN_PROGRAM_ADDRESS,
  AuthorityType,
  parseCreateAssociatedTokenIdempotentInstruction,
  parseTokenInstruction,
  TOKEN_PROGRAM_ADDRESS,
  TokenInstruction,
} from '@solana-program/token';

import { HeavenError } from '../errors.js';
import { toUiAmount } from '../math/units.js';
import {
  HEAVEN_PROGRAM_ADDRESS,
  TOKEN_2022_PROGRAM_ADDRESS,
  TOKEN_METADATA_PROGRAM_ADDRESS,
} from '../program/constants.js';
import type { InstructionConfig } from '../program/define-instruction.js';
import { parseHeavenInstruction } from '../program/instructions.js';
import type { LookupTables } from './lookup-table.js';

/**
 * What a transaction that this library built does, a line per instruction. For a person to read, not to decide by.
 *
 * @throws {HeavenError} `malformed-data`
 */
export function describeTransaction(
  tx: Base64EncodedWireTransaction,
  { lookupTables = {}, ...config }: InstructionConfig & { readonly lookupTables?: LookupTables } = {},
): readonly string[] {
  let instructions: readonly Instruction[];
  try {
    const { messageBytes } = getTransactionDecoder().decode(getBase64Encoder().encode(tx));
    instructions = decompileTransactionMessage(getCompiledTransactionMessageDecoder().decode(messageBytes), {
      addressesByLookupTableAddress: lookupTables,
    }).instructions;
  } catch (cause) {
    throw new HeavenError(
      'malformed-data',
      'This is no base64 transaction.',
      { what: 'transaction' },
      { cause },
    );
  }
  return instructions.map((instruction) => describeInstruction(instruction as never, config));
}

const sol = (lamports: bigint) => `${toUiAmount(lamports, 9)} SOL`;

function describeInstruction(
  instruction: Parameters<typeof parseCreateAssociatedTokenIdempotentInstruction>[0],
  config: InstructionConfig,
): string {
  switch (instruction.programAddress) {
    case COMPUTE_BUDGET_PROGRAM_ADDRESS:
      return instruction.data[0] === 2
        ? `Allow ${parseSetComputeUnitLimitInstruction(instruction).data.units} compute units`
        : `Pay ${parseSetComputeUnitPriceInstruction(instruction).data.microLamports} micro-lamports per compute unit`;
    case SYSTEM_PROGRAM_ADDRESS: {
      const parsed = parseSystemInstruction(instruction);
      if (parsed.instructionType === SystemInstruction.TransferSol) {
        return `Transfer ${sol(parsed.data.amount)} to ${parsed.accounts.destination.address}`;
      }
      if (parsed.instructionType === SystemInstruction.CreateAccountWithSeed) {
        return `Create the account ${parsed.accounts.newAccount.address} with ${sol(parsed.data.amount)}`;
      }
      break;
    }
    case ASSOCIATED_TOKEN_PROGRAM_ADDRESS: {
      const { ata, mint } = parseCreateAssociatedTokenIdempotentInstruction(instruction).accounts;
      return `Create the token account ${ata.address} for ${mint.address} if there is none`;
    }
    case TOKEN_METADATA_PROGRAM_ADDRESS:
      return `Create the mint ${instruction.accounts[2]?.address} and its metadata`;
    case TOKEN_2022_PROGRAM_ADDRESS:
    case TOKEN_PROGRAM_ADDRESS: {
      const parsed = parseTokenInstruction(instruction);
      if (parsed.instructionType === TokenInstruction.SyncNative)
        return `Count the SOL in ${parsed.accounts.account.address} as wrapped`;
      if (parsed.instructionType === TokenInstruction.InitializeAccount3)
        return `Make ${parsed.accounts.account.address} a token account`;
      if (parsed.instructionType === TokenInstruction.MintTo) {
        return `Mint ${parsed.data.amount} units to ${parsed.accounts.token.address}`;
      }
      if (parsed.instructionType === TokenInstruction.SetAuthority && isNone(parsed.data.newAuthority)) {
        return `Give up the ${AuthorityType[parsed.data.authorityType]} authority of ${parsed.accounts.owned.address}`;
      }
      if (parsed.instructionType === TokenInstruction.CloseAccount) {
        const { account, destination } = parsed.accounts;
        return `Close ${account.address} and pay what is in it to ${destination.address}`;
      }
      break;
    }
    case config.programAddress ?? HEAVEN_PROGRAM_ADDRESS: {
      const { name, data } = parseHeavenInstruction(instruction, config);
      const shown = JSON.stringify(data, (_, value: unknown) =>
        typeof value === 'bigint' ? value.toString() : value,
      );
      return `Exchange: ${name} ${shown}`;
    }
  }
  return `An instruction of the program ${instruction.programAddress}`;
}
