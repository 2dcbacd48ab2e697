import {
  type AccountMeta,
  AccountRole,
  type Address,
  createNoopSigner,
  downgradeRoleToNonSigner,
  getProgramDerivedAddress,
  type Instruction,
  isSignerRole,
} from '@solana/kit';

/** Where {@link vaultProgram} is deployed. */
export const VAULT_PROGRAM_ADDRESS = 'VauLt11111111111111111111111111111111111111' as Address;

/** A vault of {@link vaultProgram}, and how its program executes what needs its signature. */
export async function createVault() {
  const seeds = ['vault'];
  const [address, bump] = await getProgramDerivedAddress({ programAddress: VAULT_PROGRAM_ADDRESS, seeds });
  /** Instructions as inner ones of the program where the vault is to sign, else unchanged. */
  const through = (instructions: readonly Instruction[]): readonly Instruction[] =>
    instructions.map((instruction) => {
      const { programAddress, accounts = [], data = new Uint8Array() } = instruction;
      const isVault = (account: AccountMeta) => account.address === address && isSignerRole(account.role);
      if (!(accounts as readonly AccountMeta[]).some(isVault)) return instruction;
      return {
        programAddress: VAULT_PROGRAM_ADDRESS,
        accounts: [
          { address, role: AccountRole.WRITABLE },
          { address: programAddress, role: AccountRole.READONLY },
          ...accounts.map((account) =>
            account.address === address ? { address, role: downgradeRoleToNonSigner(account.role) } : account,
          ),
        ] as readonly AccountMeta[],
        data: Uint8Array.of(bump, ...data),
      };
    });
  return { signer: createNoopSigner(address), through };
}
