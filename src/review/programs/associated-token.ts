import {
  parseCreateAssociatedTokenIdempotentInstruction,
  parseRecoverNestedAssociatedTokenInstruction,
} from '@solana-program/token';

import { TOKEN_2022_PROGRAM_ADDRESS } from '../../solana/programs.js';
import { TOKEN_ACCOUNT_SIZE } from '../../solana/token-layout.js';
import { creation, debit } from '../effects.js';
import { at, say } from '../prose.js';
import { addressesOf, makeStep, type PlainInstruction, type Step } from '../step.js';

/**
 * The largest token account that Token-2022 makes by itself: 165 bytes, the account type, and the extensions that a mint
 * may ask for (immutable owner 4, transfer fee 12, non-transferable 4, transfer hook 5, pausable 4).
 */
export const TOKEN_2022_ACCOUNT_SIZE = 195;

export function associatedTokenStep(instruction: PlainInstruction): Step | undefined {
  // An instruction without data is the creation that fails if the account is there.
  const [discriminator = 0] = instruction.data;
  if (discriminator === 2) return recoverNested(instruction);
  return discriminator <= 1 ? create(instruction, discriminator === 1) : undefined;
}

function create(instruction: PlainInstruction, isIdempotent: boolean): Step {
  // Both creations take the same accounts, and their data says no more than which one it is.
  const parsed = parseCreateAssociatedTokenIdempotentInstruction({ ...instruction, data: Uint8Array.of(1) });
  const { payer, ata, owner, mint, tokenProgram } = addressesOf(parsed.accounts);
  const size = tokenProgram === TOKEN_2022_PROGRAM_ADDRESS ? TOKEN_2022_ACCOUNT_SIZE : TOKEN_ACCOUNT_SIZE;
  return makeStep(
    'associated-token',
    isIdempotent ? 'CreateAssociatedTokenIdempotent' : 'CreateAssociatedToken',
    parsed,
    say`Create the token account ${at(ata)} of ${at(owner)} for ${at(mint)}${isIdempotent ? ' if there is none' : ''}`,
    [
      creation(ata, 'token-account', owner, isIdempotent),
      debit('SOL', payer, 'unknown', payer, 'rent', { destination: ata, accountSizes: [size] }),
    ],
  );
}

function recoverNested(instruction: PlainInstruction): Step {
  const parsed = parseRecoverNestedAssociatedTokenInstruction(instruction);
  const accounts = addressesOf(parsed.accounts);
  const { nestedAssociatedAccountAddress: nested, walletAddress: wallet } = accounts;
  const { destinationAssociatedAccountAddress: destination, nestedTokenMintAddress: mint } = accounts;
  return makeStep(
    'associated-token',
    'RecoverNestedAssociatedToken',
    parsed,
    say`Move all of ${at(nested)} to ${at(destination)} and close it`,
    [
      { kind: 'close', account: nested, destination: wallet },
      debit('token', nested, 'all', wallet, 'close', { mint, destination }),
    ],
  );
}
