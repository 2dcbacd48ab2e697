import { type Address, isNone, type Option } from '@solana/kit';
import { AuthorityType, parseTokenInstruction, TokenInstruction } from '@solana-program/token';

import { inSol } from '../../math/units.js';
import { WRAPPED_SOL_MINT_ADDRESS } from '../../solana/programs.js';
import { creation, credit, debit, type InstructionEffect } from '../effects.js';
import { at, type Prose, say, unitsOf } from '../prose.js';
import { addressesOf, makeStep, nameAndAccounts, type PlainInstruction, type Step } from '../step.js';

const orNull = <T>(option: Option<T>): T | null => (isNone(option) ? null : option.value);

/** An amount of a token, whose mint the instruction may leave open. */
const amountOf = (amount: bigint, mint: Address | undefined): Prose =>
  mint === undefined ? say`${amount} units` : unitsOf(amount, mint);

export function tokenStep(program: 'token' | 'token-2022', instruction: PlainInstruction): Step | undefined {
  const parsed = parseTokenInstruction(instruction);
  const name = TokenInstruction[parsed.instructionType];
  const step = (inWords: Prose, ...effects: readonly InstructionEffect[]): Step =>
    makeStep(program, name, parsed, inWords, effects);
  switch (parsed.instructionType) {
    case TokenInstruction.Transfer:
    case TokenInstruction.TransferChecked: {
      const { source, destination, authority } = addressesOf(parsed.accounts);
      const mint = 'mint' in parsed.accounts ? parsed.accounts.mint.address : undefined;
      const { amount } = parsed.data;
      return step(
        say`Transfer ${amountOf(amount, mint)} from ${at(source)} to ${at(destination)}`,
        debit('token', source, amount, authority, 'transfer', { mint, destination }),
      );
    }
    case TokenInstruction.Burn:
    case TokenInstruction.BurnChecked: {
      const { account, mint, authority } = addressesOf(parsed.accounts);
      const { amount } = parsed.data;
      return step(
        say`Burn ${unitsOf(amount, mint)} in ${at(account)}`,
        debit('token', account, amount, authority, 'burn', { mint }),
      );
    }
    case TokenInstruction.MintTo:
    case TokenInstruction.MintToChecked: {
      const { mint, token: account, mintAuthority: authority } = addressesOf(parsed.accounts);
      const { amount } = parsed.data;
      return step(say`Mint ${unitsOf(amount, mint)} to ${at(account)}`, {
        kind: 'mint',
        mint,
        account,
        amount,
        authority,
      });
    }
    case TokenInstruction.CloseAccount: {
      const { account, destination, owner } = addressesOf(parsed.accounts);
      return step(
        say`Close ${at(account)} and pay what is in it to ${at(destination)}`,
        { kind: 'close', account, destination },
        debit('SOL', account, 'all', owner, 'close', { destination }),
      );
    }
    case TokenInstruction.UnwrapLamports: {
      const { source, destination, authority } = addressesOf(parsed.accounts);
      const lamports = orNull(parsed.data.amount);
      const amount = lamports ?? 'all';
      return step(
        say`Unwrap ${lamports === null ? 'all' : inSol(lamports)} of ${at(source)} to ${at(destination)}`,
        debit('token', source, amount, authority, 'transfer', { mint: WRAPPED_SOL_MINT_ADDRESS }),
        credit('SOL', destination, amount, 0n, authority),
      );
    }
    case TokenInstruction.WithdrawExcessLamports: {
      const { source, destination, authority } = addressesOf(parsed.accounts);
      return step(
        say`Move the SOL beyond the rent from ${at(source)} to ${at(destination)}`,
        debit('SOL', source, 'all', authority, 'transfer', { destination }),
      );
    }
    case TokenInstruction.Approve:
    case TokenInstruction.ApproveChecked: {
      const { source: account, delegate } = addressesOf(parsed.accounts);
      const mint = 'mint' in parsed.accounts ? parsed.accounts.mint.address : undefined;
      const { amount } = parsed.data;
      return step(say`Let ${at(delegate)} take up to ${amountOf(amount, mint)} from ${at(account)}`, {
        kind: 'delegate',
        account,
        delegate,
        amount,
      });
    }
    case TokenInstruction.Revoke: {
      const { source: account } = addressesOf(parsed.accounts);
      return step(say`Take back what others may take from ${at(account)}`, {
        kind: 'delegate',
        account,
        delegate: null,
        amount: 0n,
      });
    }
    case TokenInstruction.SetAuthority: {
      const { owned: account } = addressesOf(parsed.accounts);
      const authority = AuthorityType[parsed.data.authorityType];
      const newAuthority = orNull(parsed.data.newAuthority);
      return step(
        newAuthority === null
          ? say`Give up the ${authority} authority of ${at(account)}`
          : say`Give the ${authority} authority of ${at(account)} to ${at(newAuthority)}`,
        { kind: 'authority', account, authority, newAuthority },
      );
    }
    case TokenInstruction.FreezeAccount:
    case TokenInstruction.ThawAccount: {
      const { account, mint, owner: authority } = addressesOf(parsed.accounts);
      const isFrozen = parsed.instructionType === TokenInstruction.FreezeAccount;
      return step(say`${isFrozen ? 'Freeze' : 'Thaw'} ${at(account)}`, {
        kind: 'freeze',
        account,
        mint,
        isFrozen,
        authority,
      });
    }
    case TokenInstruction.InitializeAccount:
    case TokenInstruction.InitializeAccount2:
    case TokenInstruction.InitializeAccount3: {
      const { account, mint } = addressesOf(parsed.accounts);
      const owner =
        parsed.instructionType === TokenInstruction.InitializeAccount
          ? parsed.accounts.owner.address
          : parsed.data.owner;
      return step(
        say`Make ${at(account)} a token account of ${at(owner)} for ${at(mint)}`,
        creation(account, 'token-account', owner),
      );
    }
    case TokenInstruction.InitializeMint:
    case TokenInstruction.InitializeMint2: {
      const { mint: account } = addressesOf(parsed.accounts);
      const owner = parsed.data.mintAuthority;
      return step(nameAndAccounts(name, parsed.accounts), creation(account, 'mint', owner));
    }
    case TokenInstruction.InitializeMultisig:
    case TokenInstruction.InitializeMultisig2: {
      const { multisig: account } = addressesOf(parsed.accounts);
      return step(nameAndAccounts(name, parsed.accounts), creation(account, 'account', undefined));
    }
    case TokenInstruction.SyncNative:
      return step(say`Count the SOL in ${at(parsed.accounts.account.address)} as wrapped`);
    case TokenInstruction.InitializeImmutableOwner:
    case TokenInstruction.GetAccountDataSize:
    case TokenInstruction.AmountToUiAmount:
    case TokenInstruction.UiAmountToAmount:
      return step(nameAndAccounts(name, parsed.accounts));
    case TokenInstruction.Batch:
      // It contains further instructions, which nothing here reads.
      return undefined;
  }
}
