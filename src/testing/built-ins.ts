import type { Address } from '@solana/kit';

import { CHAINLINK_STORE_PROGRAM_ADDRESS } from '../program/constants.js';
import { LIGHTHOUSE_PROGRAM_ADDRESS } from '../solana/lighthouse.js';
import * as known from '../solana/programs.js';
import { encodeMint } from './encode.js';
import type { Account } from './runtime.js';

const NATIVE_LOADER = 'NativeLoader1111111111111111111111111111111' as Address;
const NATIVE = [known.SYSTEM_PROGRAM_ADDRESS, known.COMPUTE_BUDGET_PROGRAM_ADDRESS];
const DEPLOYED = [
  known.TOKEN_PROGRAM_ADDRESS,
  known.TOKEN_2022_PROGRAM_ADDRESS,
  known.ASSOCIATED_TOKEN_PROGRAM_ADDRESS,
  known.TOKEN_METADATA_PROGRAM_ADDRESS,
  known.LOOKUP_TABLE_PROGRAM_ADDRESS,
  known.MEMO_PROGRAM_ADDRESS,
  LIGHTHOUSE_PROGRAM_ADDRESS,
  CHAINLINK_STORE_PROGRAM_ADDRESS,
];
const RESERVED = [
  ...NATIVE,
  known.LOOKUP_TABLE_PROGRAM_ADDRESS,
  known.CLOCK_SYSVAR_ADDRESS,
  known.RENT_SYSVAR_ADDRESS,
  known.INSTRUCTIONS_SYSVAR_ADDRESS,
];

/** A program's account. Its code is missing: the model takes its place. */
const program = (owner: Address): Account => ({ owner, data: new Uint8Array(36), lamports: 1_141_440n });

/** What a cluster has from the start, besides sysvars: programs, the exchange among them, and the mint of wrapped SOL. */
export const builtIns = (exchange: Address): Map<Address, Account> =>
  new Map([
    ...NATIVE.map((address) => [address, program(NATIVE_LOADER)] as const),
    ...[...DEPLOYED, exchange].map(
      (address) => [address, program(known.UPGRADEABLE_LOADER_ADDRESS)] as const,
    ),
    [known.WRAPPED_SOL_MINT_ADDRESS, WRAPPED_SOL_MINT],
  ]);

const WRAPPED_SOL_MINT: Account = {
  owner: known.TOKEN_PROGRAM_ADDRESS,
  data: encodeMint({ decimals: 9, supply: 0n }),
  lamports: 1_461_600n,
};

export const isProgram = ({ owner }: Pick<Account, 'owner'>): boolean =>
  owner === NATIVE_LOADER || owner === known.UPGRADEABLE_LOADER_ADDRESS;

/** Whether the runtime keeps an account read-only, whatever a transaction says. */
export const isReserved = (address: Address): boolean => RESERVED.includes(address);
