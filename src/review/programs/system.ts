import type { Address } from '@solana/kit';
import { parseSystemInstruction, SystemInstruction } from '@solana-program/system';

import { inSol } from '../../math/units.js';
import { creation, debit, type InstructionEffect } from '../effects.js';
import { at, type Prose, say } from '../prose.js';
import { addressesOf, makeStep, nameAndAccounts, type PlainInstruction, type Step } from '../step.js';

const assign = (account: Address, newAuthority: Address): InstructionEffect => ({
  kind: 'authority',
  account,
  authority: 'OwnerProgram',
  newAuthority,
});

export function systemStep(instruction: PlainInstruction): Step {
  const parsed = parseSystemInstruction(instruction);
  const name = SystemInstruction[parsed.instructionType];
  const step = (inWords: Prose, ...effects: readonly InstructionEffect[]): Step =>
    makeStep('system', name, parsed, inWords, effects);
  switch (parsed.instructionType) {
    case SystemInstruction.TransferSol:
    case SystemInstruction.TransferSolWithSeed: {
      const { source, destination } = addressesOf(parsed.accounts);
      const authority = 'baseAccount' in parsed.accounts ? parsed.accounts.baseAccount.address : source;
      const { amount } = parsed.data;
      return step(
        say`Transfer ${inSol(amount)} from ${at(source)} to ${at(destination)}`,
        debit('SOL', source, amount, authority, 'transfer', { destination }),
      );
    }
    case SystemInstruction.CreateAccount:
    case SystemInstruction.CreateAccountAllowPrefund:
    case SystemInstruction.CreateAccountWithSeed: {
      const { newAccount, payer } = addressesOf(parsed.accounts);
      const lamports = 'amount' in parsed.data ? parsed.data.amount : parsed.data.lamports;
      const owner = parsed.data.programAddress;
      const mayBeThere = parsed.instructionType === SystemInstruction.CreateAccountAllowPrefund;
      return step(
        say`Create the account ${at(newAccount)} with ${inSol(lamports)}, for the program ${at(owner)}`,
        ...(payer === undefined
          ? []
          : [debit('SOL', payer, lamports, payer, 'creation', { destination: newAccount })]),
        creation(newAccount, 'account', owner, mayBeThere),
        // The account's own signature allows this. It may be a wallet, which then changes hands with its SOL.
        ...(mayBeThere ? [assign(newAccount, owner)] : []),
      );
    }
    case SystemInstruction.Allocate:
    case SystemInstruction.AllocateWithSeed: {
      const { newAccount } = addressesOf(parsed.accounts);
      const { space } = parsed.data;
      const isProof = space === 0n && !('programAddress' in parsed.data);
      return step(
        isProof
          ? say`Prove that the account ${at(newAccount)} is new`
          : say`Give the account ${at(newAccount)} room for ${space} bytes`,
        { kind: 'assert-new', account: newAccount },
        ...(space === 0n ? [] : [{ kind: 'lock', account: newAccount } as const]),
        // The one with a seed assigns too.
        ...('programAddress' in parsed.data ? [assign(newAccount, parsed.data.programAddress)] : []),
      );
    }
    case SystemInstruction.Assign:
    case SystemInstruction.AssignWithSeed: {
      const { account } = addressesOf(parsed.accounts);
      const { programAddress } = parsed.data;
      return step(
        say`Give the account ${at(account)} to the program ${at(programAddress)}`,
        assign(account, programAddress),
      );
    }
    case SystemInstruction.WithdrawNonceAccount: {
      const { nonceAccount, nonceAuthority, recipientAccount: destination } = addressesOf(parsed.accounts);
      const { withdrawAmount } = parsed.data;
      return step(
        say`Move ${inSol(withdrawAmount)} from the nonce account ${at(nonceAccount)} to ${at(destination)}`,
        debit('SOL', nonceAccount, withdrawAmount, nonceAuthority, 'transfer', { destination }),
      );
    }
    case SystemInstruction.InitializeNonceAccount:
    case SystemInstruction.AuthorizeNonceAccount: {
      const { nonceAccount: account } = addressesOf(parsed.accounts);
      const { data } = parsed;
      const isNew = 'nonceAuthority' in data;
      const newAuthority = isNew ? data.nonceAuthority : data.newNonceAuthority;
      return step(
        isNew
          ? nameAndAccounts(name, parsed.accounts)
          : say`Give the nonce account ${at(account)} to ${at(newAuthority)}`,
        { kind: 'authority', account, authority: 'Nonce', newAuthority },
      );
    }
    case SystemInstruction.AdvanceNonceAccount: {
      const { nonceAccount } = addressesOf(parsed.accounts);
      return step(say`Advance the nonce ${at(nonceAccount)}`);
    }
    case SystemInstruction.UpgradeNonceAccount:
      return step(nameAndAccounts(name, parsed.accounts));
  }
}
