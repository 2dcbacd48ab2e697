import type { Address } from '@solana/kit';

import { parseCreateToken } from '../../solana/token-metadata.js';
import { creation, debit, type InstructionEffect } from '../effects.js';
import { at, say } from '../prose.js';
import { addressesOf, makeStep, type PlainInstruction, quoted, type Step } from '../step.js';

export function tokenMetadataStep(instruction: PlainInstruction): Step | undefined {
  const parsed = parseCreateToken(instruction);
  if (parsed === undefined) return undefined;
  // The parser insists on the last of its accounts, and so on those before it.
  const { mint, metadata, authority, payer, updateAuthority } = addressesOf(parsed.accounts) as {
    readonly [TName in keyof typeof parsed.accounts]: Address;
  };
  const { name, symbol, uri, isMutable } = parsed.data;
  const effects: InstructionEffect[] = [
    creation(mint, 'mint', authority, true),
    creation(metadata, 'metadata', updateAuthority),
    // Rent, and a fee that the metadata program sets.
    debit('SOL', payer, 'unknown', payer, 'creation'),
  ];
  if (updateAuthority !== authority) {
    effects.push({
      kind: 'authority',
      account: metadata,
      authority: 'MetadataUpdate',
      newAuthority: updateAuthority,
    });
  }
  return makeStep(
    'token-metadata',
    'Create',
    parsed,
    say`Create the mint ${at(mint)} and its ${isMutable ? 'changeable' : 'final'} metadata: ${quoted(name)} (${quoted(symbol)}), ${quoted(uri)}`,
    effects,
  );
}
