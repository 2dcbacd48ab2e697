import type { Address } from '@solana/kit';

import { HeavenError } from '../../errors.js';
import { view } from '../../solana/account-data.js';
import { addressAt } from '../../solana/base58.js';
import type { RawAccount } from '../../solana/rpc/accounts.js';

/** A program as it is deployed. */
export interface ProofProgram {
  readonly address: Address;
  /** The program itself: an ELF file. */
  readonly elf: Uint8Array;
  /** Of the ELF file, in hex. */
  readonly sha256: string;
  /** The account that holds it. `undefined` if the program can't be upgraded or comes from a file. */
  readonly programData?: Address;
  readonly lastDeploySlot?: bigint;
  /** Who may upgrade it. `undefined` if nobody may, or if the program comes from a file. */
  readonly upgradeAuthority?: Address;
}

/** The programs that a proof runs. */
export interface ProofPrograms {
  readonly exchange?: ProofProgram;
  /** The Chainlink store, which the exchange calls. */
  readonly chainlink?: ProofProgram;
  /** Metaplex Token Metadata, which a launch calls. */
  readonly metadata?: ProofProgram;
}

export type ProgramName = keyof ProofPrograms;
export const PROGRAM_NAMES = ['exchange', 'chainlink', 'metadata'] as const satisfies readonly ProgramName[];

const UPGRADEABLE_LOADER_ADDRESS = 'BPFLoaderUpgradeab1e11111111111111111111111' as Address;
const LOADER_2_ADDRESS = 'BPFLoader2111111111111111111111111111111111' as Address;

/** The layout of loader v3's accounts: a tag, then what it stands for. */
const PROGRAM = { tag: 2, size: 36, programData: 4 } as const;
const PROGRAM_DATA = { tag: 3, header: 45, slot: 4, hasAuthority: 12, authority: 13 } as const;
/** The most bytes that an account has. */
const MOST_ELF_BYTES = 10 * 1_024 * 1_024;
const LEAST_ELF_BYTES = 64;
const ELF_MAGIC = [0x7f, 0x45, 0x4c, 0x46] as const;

const invalidProgram = (program: Address, reason: string) =>
  new HeavenError(
    'invalid-program',
    `The program ${program} can't be run: ${reason}. Check the address and the cluster, or the file.`,
    { program, reason },
  );

/** Where the code of a program is: in an account behind its own, or in its own. */
export function codeOf(
  program: RawAccount,
): { readonly programData: Address } | { readonly elf: Uint8Array } {
  const { address, owner, data } = program;
  if (owner === LOADER_2_ADDRESS) return { elf: data };
  if (owner !== UPGRADEABLE_LOADER_ADDRESS)
    throw invalidProgram(address, `its account belongs to ${owner}, which is not a loader of programs`);
  if (data.length !== PROGRAM.size || view(data).getUint32(0, true) !== PROGRAM.tag)
    throw invalidProgram(address, 'its account is not that of a program');
  return { programData: addressAt(data, PROGRAM.programData) };
}

/** Takes the ELF file out of a program-data account. */
export async function programFrom(
  address: Address,
  programData: Address,
  account: RawAccount | undefined,
): Promise<ProofProgram> {
  if (account === undefined) throw invalidProgram(address, `it is closed: its code ${programData} is gone`);
  const { owner, data } = account;
  if (owner !== UPGRADEABLE_LOADER_ADDRESS)
    throw invalidProgram(address, `its code ${programData} belongs to ${owner}, not to the loader`);
  if (data.length < PROGRAM_DATA.header)
    throw invalidProgram(address, `its code ${programData} has ${data.length} bytes, less than a header`);
  const header = view(data);
  if (header.getUint32(0, true) !== PROGRAM_DATA.tag)
    throw invalidProgram(address, `it is closed, or ${programData} holds something else than code`);
  const hasAuthority = data[PROGRAM_DATA.hasAuthority];
  if (hasAuthority !== 0 && hasAuthority !== 1)
    throw invalidProgram(address, `the header of ${programData} is not one of a program`);
  return {
    ...(await programOf(address, data.slice(PROGRAM_DATA.header))),
    programData,
    lastDeploySlot: header.getBigUint64(PROGRAM_DATA.slot, true),
    ...(hasAuthority === 1 ? { upgradeAuthority: addressAt(data, PROGRAM_DATA.authority) } : {}),
  };
}

/** A program from its ELF file. Whether it runs shows when it is loaded. */
export async function programOf(address: Address, elf: Uint8Array): Promise<ProofProgram> {
  if (elf.length > MOST_ELF_BYTES)
    throw invalidProgram(address, `it has ${elf.length} bytes, and ${MOST_ELF_BYTES} are the most`);
  if (elf.length < LEAST_ELF_BYTES || ELF_MAGIC.some((byte, index) => elf[index] !== byte))
    throw invalidProgram(address, 'it is not an ELF file');
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', Uint8Array.from(elf)));
  const sha256 = [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return { address, elf, sha256 };
}
