import { type Address, createAddressWithSeed } from '@solana/kit';
import { parseSystemInstruction, SystemInstruction } from '@solana-program/system';

import { SYSTEM_PROGRAM_ADDRESS } from '../../solana/programs.js';
import { assertSigner, custom, notEmulated, parsed } from '../failure.js';
import type { Context, Program } from '../runtime.js';

export const systemProgram: Program = {
  isBuiltIn: true,
  units: 150,
  run: async (context, call) => {
    const instruction = parsed(() => parseSystemInstruction(call));
    switch (instruction.instructionType) {
      case SystemInstruction.TransferSol: {
        const { source, destination } = instruction.accounts;
        assertSigner(source);
        context.moveLamports(source.address, destination.address, instruction.data.amount);
        return;
      }
      case SystemInstruction.CreateAccountWithSeed: {
        const { payer, newAccount } = instruction.accounts;
        const { base, seed, programAddress, amount, space } = instruction.data;
        assertSigner(payer);
        const { address } = newAccount;
        if (address !== (await createAddressWithSeed({ baseAddress: base, seed, programAddress })))
          throw custom(5, 'Create: address does not match derived address');
        if (context.get(address) !== undefined) throw custom(0, 'Create Account: account already in use');
        context.moveLamports(payer.address, address, amount);
        context.create(address, {
          owner: programAddress,
          data: new Uint8Array(Number(space)),
          lamports: amount,
        });
        return;
      }
      case SystemInstruction.Allocate: {
        const { newAccount } = instruction.accounts;
        assertSigner(newAccount);
        assertUnused(context, newAccount.address);
        context.create(newAccount.address, {
          owner: SYSTEM_PROGRAM_ADDRESS,
          lamports: context.get(newAccount.address)?.lamports ?? 0n,
          data: new Uint8Array(Number(instruction.data.space)),
        });
        return;
      }
    }
    throw notEmulated(`${SystemInstruction[instruction.instructionType]} of the system program`);
  },
};

export function assertUnused(context: Context, address: Address): void {
  if (context.isInUse(address)) throw custom(0, `Allocate: account ${address} already in use`);
}
