import type { Address } from '@solana/kit';
import {
  AuthorityType,
  type Mint,
  parseAssociatedTokenInstruction,
  parseTokenInstruction,
  TokenInstruction,
} from '@solana-program/token';

import { findAssociatedTokenAddress } from '../../solana/derived-addresses.js';
import { SYSTEM_PROGRAM_ADDRESS } from '../../solana/programs.js';
import { assertSigner, custom, Failure, notEmulated, parsed } from '../failure.js';
import type { Call, Context, Program } from '../runtime.js';
import {
  initializeToken,
  mintOf,
  moveTokens,
  openToken,
  tokenOf,
  updateMint,
  updateToken,
} from '../token-accounts.js';

export const associatedTokenProgram: Program = {
  units: 22_000,
  run: async (context, call) => {
    const instruction = parsed(() => parseAssociatedTokenInstruction(call));
    if (call.data[0] !== 1 || !('payer' in instruction.accounts))
      throw notEmulated('this instruction of the associated token program');
    const { payer, ata, owner, mint, tokenProgram } = instruction.accounts;
    const account = { owner: owner.address, mint: mint.address, tokenProgram: tokenProgram.address };
    if (ata.address !== (await findAssociatedTokenAddress(account))) {
      const line = 'Program log: Error: Associated address does not match seed derivation';
      throw new Failure('InvalidSeeds', [line]);
    }
    openToken(context, { ...account, address: ata.address, payer });
  },
};

/** What the two token programs do for trades and launches. */
export const tokenProgram: Program = { units: 3_000, run: runToken };

function runToken(context: Context, call: Call): void {
  const { programAddress } = call;
  const instruction = parsed(() => parseTokenInstruction(call));
  const assertOurs = (address: Address) => {
    if (context.get(address)?.owner !== programAddress) throw new Failure('IncorrectProgramId');
  };
  const ours = (address: Address) => {
    assertOurs(address);
    return tokenOf(context, address);
  };
  switch (instruction.instructionType) {
    case TokenInstruction.SyncNative: {
      const { address } = instruction.accounts.account;
      const { isNative } = ours(address);
      if (isNative.__option === 'None')
        throw custom(19, 'Program log: Error: Instruction does not support non-native tokens');
      updateToken(context, address, { amount: context.need(address).lamports - isNative.value });
      return;
    }
    case TokenInstruction.InitializeAccount3: {
      const { account, mint } = instruction.accounts;
      assertOurs(account.address);
      initializeToken(context, account.address, mint.address, instruction.data.owner);
      return;
    }
    case TokenInstruction.CloseAccount: {
      const { account, destination, owner } = instruction.accounts;
      const { address } = account;
      const token = ours(address);
      assertSigner(owner);
      if (token.owner !== owner.address) throw custom(4, 'Program log: Error: owner does not match');
      if (token.isNative.__option === 'None' && token.amount > 0n)
        throw custom(11, 'Program log: Error: Non-native account can only be closed if its balance is zero');
      context.moveLamports(address, destination.address, context.need(address).lamports);
      context.create(address, { owner: SYSTEM_PROGRAM_ADDRESS, data: new Uint8Array(), lamports: 0n });
      return;
    }
    case TokenInstruction.Transfer:
    case TokenInstruction.TransferChecked: {
      const { source, destination, authority } = instruction.accounts;
      ours(source.address);
      assertSigner(authority);
      moveTokens(context, source.address, destination.address, authority.address, instruction.data.amount);
      return;
    }
    case TokenInstruction.MintTo: {
      const { mint, token, mintAuthority } = instruction.accounts;
      const { amount } = instruction.data;
      const account = ours(token.address);
      const state = mintOf(context, mint.address, programAddress);
      assertSigner(mintAuthority);
      assertAuthority(state.mintAuthority, mintAuthority.address);
      if (account.mint !== mint.address)
        throw custom(3, 'Program log: Error: Account not associated with this Mint');
      updateMint(context, mint.address, { supply: state.supply + amount });
      updateToken(context, token.address, { amount: account.amount + amount });
      return;
    }
    case TokenInstruction.SetAuthority: {
      const { owned, owner } = instruction.accounts;
      const { authorityType, newAuthority } = instruction.data;
      const field =
        authorityType === AuthorityType.MintTokens
          ? 'mintAuthority'
          : authorityType === AuthorityType.FreezeAccount
            ? 'freezeAuthority'
            : undefined;
      if (field === undefined) break;
      const state = mintOf(context, owned.address, programAddress);
      assertSigner(owner);
      assertAuthority(state[field], owner.address);
      updateMint(context, owned.address, { [field]: newAuthority });
      return;
    }
  }
  throw notEmulated(`${TokenInstruction[instruction.instructionType]} of the token program`);
}

function assertAuthority(authority: Mint['mintAuthority'], given: Address): void {
  if (authority.__option === 'None')
    throw custom(5, 'Program log: Error: the total supply of this token is fixed');
  if (authority.value !== given) throw custom(4, 'Program log: Error: owner does not match');
}
