import { isDeepStrictEqual } from 'node:util';
import { AccountRole, type Address, getBase64Decoder, getBase64Encoder } from '@solana/kit';
import { describe, expect, test } from 'vitest';

import { assertSignedTransactionMatches, isHeavenError } from '../../src/index.js';
import { guardsIn } from '../../src/review/guards.js';
import type { LoadedTransaction } from '../../src/solana/message.js';
import {
  copyOf,
  GUARDS,
  guard,
  inVersion1,
  LIGHTHOUSE,
  type Parts,
  partsOf,
  signedBy,
  unsigned,
} from './signed-support.js';
import { buildLocally, createWorld, intentsIn, type Mutable, tableOf, wallet } from './support.js';

// Whatever a wallet may do passes, and nothing else does. Nobody signs, except where it is said: a signature of a changed
// message would be refused for itself.

const world = await createWorld();
const { client, ledger } = world;
const [user, stranger] = await Promise.all([wallet(1), wallet(80)]);
const STRANGER = stranger.address;
const TABLE = tableOf(ledger, ledger.lookupTables.community);
const OTHER_TABLE = tableOf(ledger, ledger.lookupTables.creator);
const UNITS = 'ComputeBudget111111111111111111111111111111';
const MOST_BYTES = { 0: 1232, 1: 4096 };

interface Given {
  readonly name: string;
  readonly parts: Parts;
  readonly built: Parameters<typeof assertSignedTransactionMatches>[1];
}

const intents = await intentsIn(world);
const version0 = await Promise.all(
  Object.entries(intents).map(async ([name, intent]): Promise<Given> => {
    const built = await buildLocally(client, intent);
    const tables = name.startsWith('launch') ? (name === 'launch by the payer' ? OTHER_TABLE : TABLE) : {};
    return { name, built, parts: partsOf(built.tx, tables) };
  }),
);
const SAMPLE = ['buy', 'launch', 'pro creation with everything', 'sell, temporary', 'LP transfer'];
const version1 = version0
  .filter(({ name }) => SAMPLE.includes(name))
  .map(({ name, parts }): Given => {
    const config = {
      computeUnitLimit: 250_000,
      loadedAccountsDataSizeLimit: 2_097_152,
      priorityFeeLamports: 9_999n,
    };
    const inOne = inVersion1(parts, config);
    return { name: `${name} in version 1`, parts: inOne, built: { tx: unsigned(inOne) as never } };
  });
const sample = [...version0.filter(({ name }) => SAMPLE.includes(name)), ...version1];

/** The same numbers on each run. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

type Random = ReturnType<typeof randomNumbers>;

const pick = <T>(random: Random, list: readonly T[]): T => list[random(list.length)]!;

const addressesIn = ({ instructions }: Parts): Address[] => [
  ...new Set(instructions.flatMap(({ accounts }) => accounts.map(({ address }) => address))),
];

function randomGuard(random: Random, parts: Parts): Mutable {
  const known = addressesIn(parts);
  const account = random(4) === 0 ? STRANGER : pick(random, known);
  // A guard asks for its accounts read-only and unsigned, whoever they are.
  switch (random(8)) {
    case 0:
      return GUARDS.payer(parts.feePayer, BigInt(random(1000)));
    case 1:
      return GUARDS.system(account);
    case 2:
      return GUARDS.tokenAfter(account, BigInt(random(1000)));
    case 3:
      return GUARDS.tokenBefore(account);
    case 4:
      return GUARDS.owner(account, pick(random, known));
    case 5:
      return GUARDS.missing(account);
    case 6:
      return guard([], 15, 4, 0, 1, 0, 0, 0, 0, 0, 0, 0, 4);
    default:
      return guard([account, pick(random, known)], 4, 4, random(256), random(256));
  }
}

/** A transaction as it is read from the wire, had it been compiled: an account has the most that any instruction asks for. */
function load({ version, feePayer, blockhash, instructions, config }: Parts): LoadedTransaction {
  const roles = new Map<Address, AccountRole>([[feePayer, AccountRole.WRITABLE_SIGNER]]);
  const ask = (address: Address, role: AccountRole) => roles.set(address, (roles.get(address) ?? 0) | role);
  for (const { programAddress, accounts } of instructions) {
    ask(programAddress, AccountRole.READONLY);
    for (const { address, role } of accounts) ask(address, role);
  }
  const wire = { version, lifetimeToken: blockhash, config: version === 1 ? config : undefined };
  return {
    wire: wire as LoadedTransaction['wire'],
    accounts: [...roles].map(([address, role]) => ({ address, role })),
    instructions: instructions.map(({ accounts, ...one }) => ({
      ...one,
      accounts: accounts.map(({ address }) => ({ address, role: roles.get(address)! })),
    })),
  };
}

const isLimit = ({ programAddress, data }: Mutable) => programAddress === UNITS && data[0] === 2;

function setLimit(parts: Parts, change: (units: number) => number): boolean {
  if (parts.version === 1) {
    const old = parts.config.computeUnitLimit!;
    const units = change(old);
    const fee = (parts.config.priorityFeeLamports! * BigInt(Math.max(units, old))) / BigInt(old);
    parts.config = { ...parts.config, computeUnitLimit: units, priorityFeeLamports: fee };
    return true;
  }
  const limit = parts.instructions.find(isLimit);
  if (limit === undefined) return false;
  const view = new DataView(limit.data.buffer);
  view.setUint32(1, change(view.getUint32(1, true)), true);
  return true;
}

/** What a wallet may make of it: guards anywhere, as many as there is room for, and a higher limit. */
function honest(random: Random, { parts }: Given, room: number = MOST_BYTES[parts.version]): Parts {
  const copy = copyOf(parts);
  if (random(2) === 0) setLimit(copy, (units) => units + random(30_001));
  for (let left = random(13); left > 0; left -= 1) {
    const { instructions } = copy;
    const at = random(instructions.length + 1);
    copy.instructions = [...instructions.slice(0, at), randomGuard(random, parts), ...instructions.slice(at)];
    if (room === Number.POSITIVE_INFINITY || sizeOf(copy) <= room) continue;
    copy.instructions = instructions;
    break;
  }
  return copy;
}

const bytesOf = (tx: string) => Uint8Array.from(getBase64Encoder().encode(tx));
const sizeOf = (parts: Parts) => bytesOf(unsigned(parts)).length;

const check = (tx: string, { built, parts }: Given, options = {}) =>
  assertSignedTransactionMatches(tx, built, {
    missingSigners: [parts.feePayer, ...addressesIn(parts), STRANGER],
    lookupTables: parts.tables,
    ...options,
  });

describe('what a wallet may do', () => {
  test.each([...version0, ...version1])('$name', async (given) => {
    const random = randomNumbers(given.name.length);
    for (let round = 0; round < 4; round += 1) {
      const parts = honest(random, given);
      const guards = parts.instructions.length - given.parts.instructions.length;
      const result = await check(unsigned(parts), given);
      expect(result.added).toHaveLength(guards);
      for (const { index } of result.added)
        expect(parts.instructions[index]!.programAddress).toBe(LIGHTHOUSE);
    }
  });

  test('with its signature', async () => {
    const random = randomNumbers(7);
    for (const given of sample.filter(({ parts }) => parts.feePayer === user.address)) {
      const tx = await signedBy(honest(random, given), user);
      const result = await check(tx, given, {
        missingSigners: addressesIn(given.parts).filter((one) => one !== user.address),
      });
      expect(result.signature).toBeTypeOf('string');
    }
  });
});

const own = ({ instructions }: Parts) =>
  instructions.flatMap(({ programAddress }, index) => (programAddress === LIGHTHOUSE ? [] : [index]));

/** Adds an instruction anywhere. */
const add = (random: Random, parts: Parts, instruction: Mutable) => {
  parts.instructions.splice(random(parts.instructions.length + 1), 0, instruction);
};

/** What nobody may do to a transaction. `false` if it can't be done to this one. */
const CHANGES: Readonly<Record<string, (random: Random, parts: Parts, given: Parts) => unknown>> = {
  'instructions swapped': (random, parts) => {
    const indices = own(parts);
    const [a, b] = [pick(random, indices), pick(random, indices)];
    const { instructions } = parts;
    [instructions[a], instructions[b]] = [instructions[b]!, instructions[a]!];
  },
  'an instruction dropped': (random, parts) => void parts.instructions.splice(pick(random, own(parts)), 1),
  'an instruction twice': (random, parts) =>
    add(random, parts, parts.instructions[pick(random, own(parts))]!),
  'another account': (random, parts) => {
    const { accounts } = parts.instructions[pick(random, own(parts))]!;
    if (accounts.length === 0) return false;
    const index = random(accounts.length);
    accounts[index] = { ...accounts[index]!, address: pick(random, [STRANGER, ...addressesIn(parts)]) };
    return true;
  },
  'an account more or less': (random, parts) => {
    const { accounts } = parts.instructions[pick(random, own(parts))]!;
    if (random(2) === 0 && accounts.length > 0) accounts.splice(random(accounts.length), 1);
    else accounts.splice(random(accounts.length + 1), 0, { address: STRANGER, role: AccountRole.READONLY });
  },
  'another role': (random, parts) => {
    const address = pick(random, addressesIn(parts));
    const role = random(4) as AccountRole;
    for (const { accounts } of parts.instructions)
      for (const [index, account] of accounts.entries())
        if (account.address === address) accounts[index] = { address, role };
  },
  'a guard that raises a role': (random, parts, given) => {
    const address = pick(random, [STRANGER, ...addressesIn(given)]);
    const role = (1 + random(3)) as AccountRole;
    const held = load(given).accounts.find((account) => account.address === address)?.role ?? 0;
    if ((held | role) === held) return false;
    add(random, parts, { ...GUARDS.missing(address), accounts: [{ address, role }] });
    return true;
  },
  'an extra signer': (random, parts) =>
    add(random, parts, {
      ...GUARDS.missing(STRANGER),
      accounts: [{ address: STRANGER, role: AccountRole.READONLY_SIGNER }],
    }),
  'another block hash': (random, parts) => {
    parts.blockhash = pick(random, [STRANGER, LIGHTHOUSE, user.address]);
  },
  'another price': (random, parts) => {
    if (parts.version === 1) {
      const more = BigInt(1 + random(5_000_000)) + 9_999n * 2n;
      parts.config = { ...parts.config, priorityFeeLamports: random(3) === 0 ? BigInt(random(9_999)) : more };
      return true;
    }
    const price = parts.instructions.find(
      ({ programAddress, data }) => programAddress === UNITS && data[0] === 3,
    );
    if (price === undefined) return false;
    price.data[1 + random(8)]! ^= 1 + random(255);
    return true;
  },
  'an instruction of Lighthouse that is no assertion': (random, parts) =>
    add(random, parts, {
      ...randomGuard(random, parts),
      data: Uint8Array.of(pick(random, [0, 1, 18 + random(238)]), 4, 0),
    }),
  'an instruction of Lighthouse with other accounts': (random, parts, given) => {
    const one = GUARDS.payer(given.feePayer);
    const { accounts } = one;
    add(random, parts, { ...one, accounts: random(2) === 0 ? [] : [...accounts, ...accounts] });
  },
  'an instruction of another program': (random, parts, given) =>
    add(random, parts, {
      ...randomGuard(random, given),
      programAddress: pick(random, [STRANGER, UNITS as Address]),
    }),
  'an instruction for another program': (random, parts) => {
    parts.instructions[pick(random, own(parts))]!.programAddress = pick(random, [STRANGER, LIGHTHOUSE]);
  },
  'thirteen guards': (random, parts, given) => {
    const account = pick(random, addressesIn(given));
    parts.instructions = [
      ...parts.instructions.filter(({ programAddress }) => programAddress !== LIGHTHOUSE),
      ...Array.from({ length: 13 + random(3) }, () => guard([account], 6, 4, 0)),
    ];
  },
  'a limit too high': (random, parts, given) => {
    const copy = copyOf(given);
    return setLimit(copy, (units) => units + 30_001 + random(1_000_000)) && adopt(parts, copy);
  },
  'a lower limit': (random, parts, given) => {
    const copy = copyOf(given);
    return setLimit(copy, (units) => units - 1 - random(1000)) && adopt(parts, copy);
  },
  'a limit more': (random, parts) =>
    add(random, parts, {
      programAddress: UNITS as Address,
      accounts: [],
      data: Uint8Array.of(2, 1, 0, 0, 0),
    }),
  'another heap or size': (random, parts) => {
    if (parts.version !== 1) return false;
    const { loadedAccountsDataSizeLimit: size = 0 } = parts.config;
    parts.config =
      random(2) === 0
        ? { ...parts.config, heapSize: 1024 * (33 + random(200)) }
        : { ...parts.config, loadedAccountsDataSizeLimit: size + 1_048_577 + random(1000) };
    return true;
  },
  'another fee payer': (random, parts, given) => {
    parts.feePayer = pick(random, [STRANGER, ...addressesIn(given)]);
    return parts.feePayer !== given.feePayer;
  },
  'other data': (random, parts) => {
    const { data, ...one } = parts.instructions[pick(random, own(parts))]!;
    if (isLimit({ data, ...one })) return false;
    if (data.length === 0) return false;
    data[random(data.length)]! ^= 1 + random(255);
    return true;
  },
  'more or less data': (random, parts) => {
    const one = parts.instructions[pick(random, own(parts))]!;
    one.data = random(2) === 0 ? Uint8Array.of(...one.data, random(256)) : one.data.slice(0, -1);
  },
};

function adopt(parts: Parts, copy: Parts): true {
  Object.assign(parts, { instructions: copy.instructions, config: copy.config });
  return true;
}

/** Whether the transaction is refused as another, or as none. */
async function isRefused(tx: string, given: Given, options = {}): Promise<boolean> {
  try {
    await check(tx, given, options);
  } catch (error) {
    if (isHeavenError(error, 'transaction-mismatch') || isHeavenError(error, 'malformed-data')) return true;
    throw error;
  }
  return false;
}

describe('what nobody may do', () => {
  const names = Object.keys(CHANGES);
  const allowance = 30_000;

  test('49,500 changes', { timeout: 120_000 }, async () => {
    const random = randomNumbers(42);
    const loaded = new Map(sample.map((given) => [given, load(given.parts)]));
    const counts: Record<string, number> = {};
    for (let done = 0; done < 49_500; ) {
      const given = pick(random, sample);
      const before = honest(random, given, Number.POSITIVE_INFINITY);
      const unchanged = load(before);
      expect(guardsIn(unchanged, loaded.get(given)!, allowance)).toBeDefined();
      for (let more = 0; more < 16; more += 1) {
        const name = pick(random, names);
        const parts = copyOf(before);
        if (CHANGES[name]!(random, parts, given.parts) === false) continue;
        const changed = load(parts);
        if (isDeepStrictEqual(changed, unchanged)) continue;
        if (guardsIn(changed, loaded.get(given)!, allowance)) expect.fail(`${given.name}: ${name} (${done})`);
        counts[name] = (counts[name] ?? 0) + 1;
        done += 1;
        // The same through the front door, where it can be compiled and has room.
        if (done % 200 === 0) {
          const tx = compiled(parts);
          if (tx !== undefined && !(await isRefused(tx, given)))
            expect.fail(`${given.name}: ${name} (${done})`);
        }
      }
    }
    expect(Object.keys(counts).sort()).toEqual([...names].sort());
    for (const count of Object.values(counts)) expect(count).toBeGreaterThan(500);
  });

  test('500 changes of the bytes', { timeout: 120_000 }, async () => {
    const random = randomNumbers(43);
    const all = sample.map((given) => ({ given, bytes: bytesOf(unsigned(given.parts)) }));
    for (let done = 0; done < 500; ) {
      const { given, bytes } = pick(random, all);
      const isOne = given.parts.version === 1;
      const [start, end] = isOne ? [0, bytes.length - 64 * bytes[1]!] : [1 + 64 * bytes[0]!, bytes.length];
      const at = start + random(end - start);
      // The size of the accounts' data may be raised by a MiB: it stands behind the fee and the limit in version 1's config.
      const size = isOne ? 42 + 32 * bytes[41]! + 12 : Number.POSITIVE_INFINITY;
      if (at >= size && at < size + 4) continue;
      const kind = random(20);
      const changed =
        kind === 0
          ? Uint8Array.of(...bytes, random(256))
          : kind === 1
            ? bytes.slice(0, -1 - random(200))
            : bytes.map((byte, index) => (index === at ? byte ^ (1 << random(8)) : byte));
      if (!(await isRefused(getBase64Decoder().decode(changed), given, { maxAddedComputeUnits: 0 })))
        expect.fail(`${given.name}: byte ${at} (${done})`);
      done += 1;
    }
  });
});

function compiled(parts: Parts): string | undefined {
  try {
    return unsigned(parts);
  } catch {
    // No transaction at all, such as one whose fee payer is a program.
    return undefined;
  }
}
