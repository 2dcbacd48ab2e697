import type { Address } from '@solana/kit';
import { parseSystemInstruction, SystemInstruction } from '@solana-program/system';

import { inSol } from '../../math/units.js';
import { debit, type InstructionEffect } from '../effects.js';
import type { PlainInstruction, Step } from '../step.js';
import { addressesOf, makeStep, nameAndAccounts } from './make-step.js';

const assign = (account: Address, newAuthority: Address): InstructionEffect => ({
  kind: 'authority',
  account,
  authority: 'OwnerProgram',
  newAuthority,
});

export function systemStep(instruction: PlainInstruction): Step {
  const parsed = parseSystemInstruction(instruction);
  const name = SystemInstruction[parsed.instructionType];
  switch (parsed.instructionType) {
    case SystemInstruction.TransferSol:
    case SystemInstruction.TransferSolWithSeed: {
      const { source, destination } = addressesOf(parsed.accounts);
      const authority = 'baseAccount' in parsed.accounts ? parsed.accounts.baseAccount.address : source;
      const { amount } = parsed.data;
      return makeStep('system', name, parsed, {
        inWords: `Transfer ${inSol(amount)} from ${source} to ${destination}`,
        effects: [debit('SOL', source, amount, authority, 'transfer', { destination })],
        recipients: ['destination'],
        amounts: ['amount'],
      });
    }
    case SystemInstruction.CreateAccount:
    case SystemInstruction.CreateAccountAllowPrefund:
    case SystemInstruction.CreateAccountWithSeed:
      return creation(parsed, name);
    case SystemInstruction.Allocate:
    case SystemInstruction.AllocateWithSeed: {
      const { newAccount } = addressesOf(parsed.accounts);
      const { space } = parsed.data;
      return makeStep('system', name, parsed, {
        inWords: `Give the account ${newAccount} room for ${space} bytes`,
        effects: [
          { kind: 'assert-new', account: newAccount },
          ...(space === 0n ? [] : [{ kind: 'lock', account: newAccount } as const]),
          // The one with a seed assigns too.
          ...('programAddress' in parsed.data ? [assign(newAccount, parsed.data.programAddress)] : []),
        ],
      });
    }
    case SystemInstruction.Assign:
    case SystemInstruction.AssignWithSeed: {
      const { account } = addressesOf(parsed.accounts);
      const { programAddress } = parsed.data;
      return makeStep('system', name, parsed, {
        inWords: `Give the account ${account} to the program ${programAddress}`,
        effects: [assign(account, programAddress)],
      });
    }
    case SystemInstruction.WithdrawNonceAccount: {
      const { nonceAccount, nonceAuthority, recipientAccount: destination } = addressesOf(parsed.accounts);
      const { withdrawAmount } = parsed.data;
      return makeStep('system', name, parsed, {
        inWords: `Move ${inSol(withdrawAmount)} from the nonce account ${nonceAccount} to ${destination}`,
        effects: [debit('SOL', nonceAccount, withdrawAmount, nonceAuthority, 'transfer', { destination })],
        recipients: ['recipientAccount'],
        amounts: ['withdrawAmount'],
      });
    }
    case SystemInstruction.InitializeNonceAccount:
    case SystemInstruction.AuthorizeNonceAccount: {
      const account = parsed.accounts.nonceAccount.address;
      const { data } = parsed;
      const isNew = 'nonceAuthority' in data;
      const newAuthority = isNew ? data.nonceAuthority : data.newNonceAuthority;
      return makeStep('system', name, parsed, {
        inWords: isNew
          ? nameAndAccounts(name, parsed.accounts)
          : `Give the nonce account ${account} to ${newAuthority}`,
        effects: [{ kind: 'authority', account, authority: 'Nonce', newAuthority }],
      });
    }
    case SystemInstruction.AdvanceNonceAccount:
      return makeStep('system', name, parsed, {
        inWords: `Advance the nonce ${parsed.accounts.nonceAccount.address}, which keeps this transaction valid for any time`,
      });
    case SystemInstruction.UpgradeNonceAccount:
      return makeStep('system', name, parsed, { inWords: nameAndAccounts(name, parsed.accounts) });
  }
}

type Creation = Extract<
  ReturnType<typeof parseSystemInstruction>,
  {
    readonly instructionType:
      | SystemInstruction.CreateAccount
      | SystemInstruction.CreateAccountAllowPrefund
      | SystemInstruction.CreateAccountWithSeed;
  }
>;

function creation(parsed: Creation, name: string): Step {
  const { newAccount, payer } = addressesOf(parsed.accounts);
  const { data } = parsed;
  const isWithSeed = 'amount' in data;
  const lamports = isWithSeed ? data.amount : data.lamports;
  const owner = data.programAddress;
  const mayBeThere = parsed.instructionType === SystemInstruction.CreateAccountAllowPrefund;
  return {
    ...makeStep('system', name, parsed, {
      inWords: `Create the account ${newAccount} with ${inSol(lamports)}, for the program ${owner}`,
      effects: [
        ...(payer === undefined
          ? []
          : [debit('SOL', payer, lamports, payer, 'creation', { destination: newAccount })]),
        { kind: 'create', account: newAccount, what: 'account', owner, isIdempotent: mayBeThere },
        // The account's own signature allows this. It may be a wallet, which then changes hands with its SOL.
        ...(mayBeThere ? [assign(newAccount, owner)] : []),
      ],
    }),
    amounts: [isWithSeed ? 'amount' : 'lamports'],
  };
}
