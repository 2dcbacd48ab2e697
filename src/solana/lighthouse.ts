import { type Address, getAddressDecoder, type ReadonlyUint8Array } from '@solana/kit';
import { U64_MAX } from '../base/integers.js';
import { view } from './account-data.js';
import { SYSTEM_PROGRAM_ADDRESS, TOKEN_2022_PROGRAM_ADDRESS, TOKEN_PROGRAM_ADDRESS } from './programs.js';

/**
 * Lighthouse: wallets add its assertions to what they sign. The transaction then fails instead of taking more than the
 * wallet showed its user.
 */
export const LIGHTHOUSE_PROGRAM_ADDRESS = 'L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95' as Address;

/** Its instructions by their first byte, with the number of accounts that each takes. */
const INSTRUCTIONS = [
  ['MemoryWrite', 5],
  ['MemoryClose', 3],
  ['AssertAccountData', 1],
  ['AssertAccountDataMulti', 1],
  ['AssertAccountDelta', 2],
  ['AssertAccountInfo', 1],
  ['AssertAccountInfoMulti', 1],
  ['AssertMintAccount', 1],
  ['AssertMintAccountMulti', 1],
  ['AssertTokenAccount', 1],
  ['AssertTokenAccountMulti', 1],
  ['AssertStakeAccount', 1],
  ['AssertStakeAccountMulti', 1],
  ['AssertUpgradeableLoaderAccount', 1],
  ['AssertUpgradeableLoaderAccountMulti', 1],
  ['AssertSysvarClock', 0],
  ['AssertMerkleTreeAccount', 3],
  ['AssertBubblegumTreeConfigAccount', 1],
] as const;

export type LighthouseInstructionName = (typeof INSTRUCTIONS)[number][0];

/** The name of an instruction of Lighthouse that has the accounts it should have. */
export function lighthouseInstructionName({
  data,
  accounts,
}: {
  readonly data: ReadonlyUint8Array;
  readonly accounts: readonly unknown[];
}): LighthouseInstructionName | undefined {
  const [name, accountCount] = INSTRUCTIONS[data[0] ?? INSTRUCTIONS.length] ?? [];
  return accounts.length === accountCount ? name : undefined;
}

/** Whether an instruction only compares and fails: all of Lighthouse's but the two that write to an account of its own. */
export const isLighthouseAssertion = (instruction: {
  readonly programAddress: Address;
  readonly data: ReadonlyUint8Array;
  readonly accounts: readonly unknown[];
}): boolean =>
  instruction.programAddress === LIGHTHOUSE_PROGRAM_ADDRESS &&
  (lighthouseInstructionName(instruction)?.startsWith('Assert') ?? false);

/** The one assertion that calls another program, with the accounts that it is given. */
export const callsAnotherProgram = ({ data }: { readonly data: ReadonlyUint8Array }): boolean =>
  INSTRUCTIONS[data[0] ?? INSTRUCTIONS.length]?.[0] === 'AssertMerkleTreeAccount';

/** How an assertion compares: what is found stands on the left. */
export type Comparison = '=' | '≠' | '>' | '<' | '≥' | '≤';

/** One thing that an assertion demands. `null` is none, as of a delegate. */
export interface Demand {
  readonly field: DemandField;
  readonly comparison: Comparison;
  readonly value: bigint | boolean | Address | null;
  /** Where in the account's data the value stands, and in how many bytes, if it is a value of its data. */
  readonly at?: { readonly offset: bigint; readonly bytes: number; readonly isSigned: boolean };
}

export type DemandField =
  | 'lamports'
  | 'data-length'
  | 'program'
  | 'rent-epoch'
  | 'is-signer'
  | 'is-writable'
  | 'is-executable'
  | 'data'
  | 'mint'
  | 'token-owner'
  | 'amount'
  | 'delegate'
  | 'state'
  | 'native-reserve'
  | 'delegated-amount'
  | 'close-authority'
  | 'is-associated'
  | 'slot'
  | 'epoch-start'
  | 'epoch'
  | 'leader-schedule-epoch'
  | 'unix-time';

const COMPARISONS = ['=', '≠', '>', '<', '≥', '≤'] as const;
/** The programs that an assertion can name by a number, as far as wallets were seen to use it. */
const KNOWN_PROGRAMS = [SYSTEM_PROGRAM_ADDRESS, TOKEN_PROGRAM_ADDRESS, TOKEN_2022_PROGRAM_ADDRESS];
/** Silent, plain text and encoded, each always or only on failure. */
const LOG_LEVELS = 7;
/** An assertion takes at least a byte. */
const MOST_DEMANDS = 255;

/**
 * What an assertion demands, for the kinds that wallets use: about an account, a token account, the clock, or a number or
 * address in an account's data. `undefined` for other kinds, and for malformed ones.
 */
export function readDemands(data: ReadonlyUint8Array): readonly Demand[] | undefined {
  const reader = new Reader(Uint8Array.from(data));
  try {
    const demands = demandsFrom(reader);
    return reader.isAtEnd ? demands : undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function demandsFrom(reader: Reader): readonly Demand[] {
  const name = INSTRUCTIONS[reader.u8()]?.[0];
  if (reader.u8() >= LOG_LEVELS) throw new RangeError();
  switch (name) {
    case 'AssertAccountInfo':
      return [accountDemand(reader)];
    case 'AssertAccountInfoMulti':
      return reader.many(accountDemand);
    case 'AssertTokenAccount':
      return [tokenDemand(reader)];
    case 'AssertTokenAccountMulti':
      return reader.many(tokenDemand);
    case 'AssertAccountData':
      return [dataDemand(reader)];
    case 'AssertSysvarClock':
      return [clockDemand(reader)];
  }
  throw new RangeError();
}

/** The bytes of an instruction, from the front. Throws a `RangeError` at their end. */
class Reader {
  readonly #view: DataView;
  #offset = 0;

  constructor(bytes: Uint8Array) {
    this.#view = view(bytes);
  }

  get isAtEnd(): boolean {
    return this.#offset === this.#view.byteLength;
  }

  u8(): number {
    return this.#view.getUint8(this.#skip(1));
  }

  u64(): bigint {
    return this.#view.getBigUint64(this.#skip(8), true);
  }

  i64(): bigint {
    return BigInt.asIntN(64, this.u64());
  }

  number(bytes: number, isSigned: boolean): bigint {
    let value = 0n;
    for (let index = 0; index < bytes; index += 1) value |= BigInt(this.u8()) << BigInt(8 * index);
    return isSigned ? BigInt.asIntN(8 * bytes, value) : value;
  }

  bool(): boolean {
    return this.#oneOf([false, true]);
  }

  address(): Address {
    const start = this.#skip(32);
    return getAddressDecoder().decode(new Uint8Array(this.#view.buffer, this.#view.byteOffset + start, 32));
  }

  /** A `u64` of seven bits a byte. */
  compact(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 64n; shift += 7n) {
      const byte = this.u8();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) {
        if (value > U64_MAX) break;
        return value;
      }
    }
    throw new RangeError();
  }

  optional<T>(read: () => T): T | null {
    return this.bool() ? read() : null;
  }

  many(read: (reader: Reader) => Demand): readonly Demand[] {
    const count = this.compact();
    if (count > BigInt(MOST_DEMANDS)) throw new RangeError();
    return Array.from({ length: Number(count) }, () => read(this));
  }

  comparison(): Comparison {
    return this.#oneOf(COMPARISONS);
  }

  equality(): Comparison {
    return this.#oneOf(['=', '≠']);
  }

  knownProgram(): Address {
    return this.#oneOf(KNOWN_PROGRAMS);
  }

  #oneOf<T>(values: readonly T[]): T {
    const value = values[this.u8()];
    if (value === undefined) throw new RangeError();
    return value;
  }

  #skip(bytes: number): number {
    const start = this.#offset;
    this.#offset += bytes;
    return start;
  }
}

function accountDemand(reader: Reader): Demand {
  switch (reader.u8()) {
    case 0:
      return { field: 'lamports', value: reader.u64(), comparison: reader.comparison() };
    case 1:
      return { field: 'data-length', value: reader.u64(), comparison: reader.comparison() };
    case 2:
      return { field: 'program', value: reader.address(), comparison: reader.equality() };
    case 3:
      return { field: 'program', value: reader.knownProgram(), comparison: reader.equality() };
    case 4:
      return { field: 'rent-epoch', value: reader.u64(), comparison: reader.comparison() };
    case 5:
      return { field: 'is-signer', value: reader.bool(), comparison: reader.equality() };
    case 6:
      return { field: 'is-writable', value: reader.bool(), comparison: reader.equality() };
    case 7:
      return { field: 'is-executable', value: reader.bool(), comparison: reader.equality() };
  }
  throw new RangeError();
}

function tokenDemand(reader: Reader): Demand {
  const address = () => reader.address();
  switch (reader.u8()) {
    case 0:
      return { field: 'mint', value: reader.address(), comparison: reader.equality() };
    case 1:
      return { field: 'token-owner', value: reader.address(), comparison: reader.equality() };
    case 2:
      return { field: 'amount', value: reader.u64(), comparison: reader.comparison() };
    case 3:
      return { field: 'delegate', value: reader.optional(address), comparison: reader.equality() };
    case 4:
      return { field: 'state', value: BigInt(reader.u8()), comparison: reader.comparison() };
    case 5:
      return {
        field: 'native-reserve',
        value: reader.optional(() => reader.u64()),
        comparison: reader.equality(),
      };
    case 6:
      return { field: 'delegated-amount', value: reader.u64(), comparison: reader.comparison() };
    case 7:
      return { field: 'close-authority', value: reader.optional(address), comparison: reader.equality() };
    case 8:
      return { field: 'is-associated', value: true, comparison: '=' };
  }
  throw new RangeError();
}

/** Of a number in an account's data, from tag 1 on: each size without a sign, then with one. */
const NUMBER_BYTES = [1, 2, 4, 8, 16] as const;
const DATA_ADDRESS = 12;

function dataDemand(reader: Reader): Demand {
  const offset = reader.compact();
  const tag = reader.u8();
  if (tag === 0) {
    const at = { offset, bytes: 1, isSigned: false };
    return { field: 'data', at, value: reader.bool(), comparison: reader.equality() };
  }
  if (tag === DATA_ADDRESS) {
    const at = { offset, bytes: 32, isSigned: false };
    return { field: 'data', at, value: reader.address(), comparison: reader.equality() };
  }
  const bytes = NUMBER_BYTES[(tag - 1) >> 1];
  if (bytes === undefined) throw new RangeError();
  const isSigned = tag % 2 === 0;
  const value = reader.number(bytes, isSigned);
  return { field: 'data', at: { offset, bytes, isSigned }, value, comparison: reader.comparison() };
}

function clockDemand(reader: Reader): Demand {
  const fields = ['slot', 'epoch-start', 'epoch', 'leader-schedule-epoch', 'unix-time'] as const;
  const field = fields[reader.u8()];
  if (field === undefined) throw new RangeError();
  const isTime = field === 'epoch-start' || field === 'unix-time';
  return { field, value: isTime ? reader.i64() : reader.u64(), comparison: reader.comparison() };
}
