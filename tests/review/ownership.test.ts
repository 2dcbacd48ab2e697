import type { Address } from '@solana/kit';
import { describe, expect, test } from 'vitest';
import { creation, type InstructionEffect } from '../../src/review/effects.js';
import { findOwnership } from '../../src/review/ownership.js';
import type { LoadedTransaction } from '../../src/solana/message.js';
import { TOKEN_PROGRAM_ADDRESS } from '../../src/solana/programs.js';
import { addressNamed } from '../support/addresses.js';

const OWNER = addressNamed('owner');
const ACCOUNT = addressNamed('account');

/** Whose account it is when an instruction pays it: by default the one after it was made. */
async function ownerAfter(effects: readonly InstructionEffect[], instruction = 1) {
  const transaction = { wire: { signatures: [{ address: OWNER }] }, instructions: [] };
  const steps = effects.map((effect) => ({ accounts: {}, effects: [effect] }));
  const sides = { owner: OWNER, recipients: [] };
  const ownership = await findOwnership(
    transaction as unknown as LoadedTransaction,
    steps as never,
    sides,
    {},
  );
  return ownership.ownerOf(ACCOUNT, instruction);
}

const close = (destination: Address): InstructionEffect => ({ kind: 'close', account: ACCOUNT, destination });
const made = creation(ACCOUNT, 'account', TOKEN_PROGRAM_ADDRESS);
const madeIfNone = creation(ACCOUNT, 'account', TOKEN_PROGRAM_ADDRESS, true);
const initialized = creation(ACCOUNT, 'token-account', OWNER);

describe('a token account of a transaction', () => {
  test.each<[string, owner: string, readonly InstructionEffect[], paidBy?: number]>([
    ['it is made for the owner and closed to the owner', 'own', [made, initialized, close(OWNER)]],
    ['it is paid by what closes it', 'unknown', [made, initialized, close(OWNER)], 2],
    ['it may be there already', 'unknown', [madeIfNone, initialized, close(OWNER)]],
  ])('if %s: %s', async (_, owner, effects, paidBy) => {
    const own = { kind: 'temporary-token-account', owner: OWNER };
    expect(await ownerAfter(effects, paidBy)).toEqual(owner === 'own' ? own : { kind: 'unknown' });
  });
});
