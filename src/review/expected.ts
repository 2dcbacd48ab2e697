import { type Address, bytesEqual, createAddressWithSeed, type Instruction, mergeBytes } from '@solana/kit';
import { allInstructions, type BuiltTransaction } from '../build/assemble.js';
import { view } from '../solana/account-data.js';
import { type LoadedInstruction, type LoadedTransaction, readWireTransaction } from '../solana/message.js';
import { SYSTEM_PROGRAM_ADDRESS } from '../solana/programs.js';
import type { ExpectedTransaction } from './match.js';
import { stepOf } from './step.js';

export function expectedFrom(
  built: Pick<BuiltTransaction, 'tx' | 'instructions' | 'computeBudget'>,
): ExpectedTransaction {
  const { version, config, staticAccounts } = readWireTransaction(built.tx);
  return {
    version,
    config,
    feePayer: staticAccounts[0] as Address,
    instructions: allInstructions(built).map(
      ({ programAddress, accounts = [], data = new Uint8Array() }: Instruction) => ({
        programAddress,
        accounts: accounts.map(({ address, role }) => ({ address, role })),
        data: Uint8Array.from(data),
      }),
    ),
  };
}

// CreateAccountWithSeed: u32 3, base, u64 length and seed, u64 lamports, u64 space, owner.
const CREATE_WITH_SEED = 3;
const SEED_LENGTH = 36;
const SEED = 44;
const MOST_SEED_BYTES = 32;

const isCreateWithSeed = ({ programAddress, data }: LoadedInstruction): boolean =>
  programAddress === SYSTEM_PROGRAM_ADDRESS && data.length > SEED && data[0] === CREATE_WITH_SEED;

const seedOf = ({ data }: LoadedInstruction): Uint8Array | undefined => {
  const length = view(data).getBigUint64(SEED_LENGTH, true);
  return length > MOST_SEED_BYTES ? undefined : data.slice(SEED, SEED + Number(length));
};

/** The expected transaction with the actual one's random seed, if the address follows from it. `given`: the caller's own instructions. */
export async function withTemporaryAccount(
  expected: ExpectedTransaction,
  { instructions }: LoadedTransaction,
  given: readonly Instruction[],
): Promise<ExpectedTransaction> {
  const isTemporary = (instruction: LoadedInstruction) =>
    isCreateWithSeed(instruction) &&
    !given.some(({ data = new Uint8Array() }) => bytesEqual(data, instruction.data));
  const mine = expected.instructions.find(isTemporary);
  const theirs = instructions.find(isTemporary);
  const [payer, account] = mine?.accounts ?? [];
  const oldSeed = mine && seedOf(mine);
  const seed = theirs && seedOf(theirs);
  const step = mine && stepOf(mine);
  if (!payer || !account || !oldSeed || !seed || !step) return expected;
  const address = await createAddressWithSeed({
    baseAddress: step.data.base as Address,
    programAddress: step.data.programAddress as Address,
    seed,
  }).catch(() => undefined);
  if (address === undefined || address !== theirs.accounts[1]?.address) return expected;
  const length = new Uint8Array(8);
  view(length).setBigUint64(0, BigInt(seed.length), true);
  return {
    ...expected,
    instructions: expected.instructions.map((instruction) => ({
      ...instruction,
      accounts: instruction.accounts.map((meta) =>
        meta.address === account.address ? { ...meta, address } : meta,
      ),
      data:
        instruction === mine
          ? mergeBytes([
              mine.data.subarray(0, SEED_LENGTH),
              length,
              seed,
              mine.data.subarray(SEED + oldSeed.length),
            ])
          : instruction.data,
    })),
  };
}
