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
const initialized = creation(ACCOUNT, 'token-account', OWNER);

describe('a token account of a transaction', () => {
  test("is the owner's if it is made for the owner and closed to the owner", async () => {
    expect(await ownerAfter([made, initialized, close(OWNER)])).toEqual({
      kind: 'temporary-token-account',
      owner: OWNER,
    });
    expect(await ownerAfter([made, initialized, close(OWNER)], 2)).toEqual({ kind: 'unknown' });
  });

  test.each<[string, readonly InstructionEffect[]]>([
    ['is closed to somebody else', [made, initialized, close(addressNamed('stranger'))]],
    ['is never closed', [made, initialized]],
    ['is used again', [made, initialized, close(OWNER), made]],
    [
      'may be there already',
      [creation(ACCOUNT, 'account', TOKEN_PROGRAM_ADDRESS, true), initialized, close(OWNER)],
    ],
    ['belongs to another program', [creation(ACCOUNT, 'account', OWNER), initialized, close(OWNER)]],
  ])("is a stranger's if it %s", async (_, effects) => {
    expect(await ownerAfter(effects)).toEqual({ kind: 'unknown' });
  });
});
