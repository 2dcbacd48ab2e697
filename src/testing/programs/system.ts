import { type Address, createAddressWithSeed, isSignerRole } from '@solana/kit';
import { parseSystemInstruction, SystemInstruction } from '@solana-program/system';

import { SYSTEM_PROGRAM_ADDRESS } from '../../solana/programs.js';
import { assertSigner, custom, Failure, notEmulated, parsed } from '../failure.js';
import type { Context, Program } from '../runtime.js';

/** 10 MiB. */
const MAX_DATA_BYTES = 10_485_760n;

export const systemProgram: Program = {
  isBuiltIn: true,
  units: 150,
  run: async (context, call) => {
    const instruction = parsed(() => parseSystemInstruction(call), 'MissingAccount');
    switch (instruction.instructionType) {
      case SystemInstruction.TransferSol: {
        const { source, destination } = instruction.accounts;
        assertSigner(source);
        context.transferSol(source.address, destination.address, instruction.data.amount);
        return;
      }
      case SystemInstruction.CreateAccount: {
        const { payer, newAccount } = instruction.accounts;
        const { programAddress, lamports, space } = instruction.data;
        assertNew(context, newAccount.address);
        assertSigner(newAccount);
        allocate(context, newAccount.address, space, programAddress);
        assertSigner(payer);
        context.transferSol(payer.address, newAccount.address, lamports);
        return;
      }
      case SystemInstruction.CreateAccountWithSeed: {
        const { payer, newAccount } = instruction.accounts;
        const { base, seed, programAddress, amount, space } = instruction.data;
        const { address } = newAccount;
        if (address !== (await createAddressWithSeed({ baseAddress: base, seed, programAddress })))
          throw custom(5, 'Create: address does not match derived address');
        assertNew(context, address);
        if (!call.accounts.some(({ address, role }) => address === base && isSignerRole(role)))
          throw new Failure('MissingRequiredSignature');
        allocate(context, address, space, programAddress);
        assertSigner(payer);
        context.transferSol(payer.address, address, amount);
        return;
      }
      case SystemInstruction.Allocate: {
        const { newAccount } = instruction.accounts;
        assertSigner(newAccount);
        allocate(context, newAccount.address, instruction.data.space);
        return;
      }
    }
    throw notEmulated(`${SystemInstruction[instruction.instructionType]} of the system program`);
  },
};

function assertNew(context: Context, address: Address): void {
  if (context.get(address) !== undefined)
    throw custom(0, `Create Account: account ${address} already in use`);
}

export function assertUnused(context: Context, address: Address): void {
  if (context.isInUse(address)) throw custom(0, `Allocate: account ${address} already in use`);
}

function allocate(context: Context, address: Address, space: bigint, owner = SYSTEM_PROGRAM_ADDRESS): void {
  assertUnused(context, address);
  if (space > MAX_DATA_BYTES) throw custom(3, `Allocate: requested ${space}, max allowed ${MAX_DATA_BYTES}`);
  context.assertWritable(address, 'ReadonlyDataModified');
  const { lamports = 0n } = context.get(address) ?? {};
  context.create(address, { owner, lamports, data: new Uint8Array(Number(space)) });
}
