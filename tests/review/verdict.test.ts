import { AccountRole, type Address } from '@solana/kit';
import { describe, expect, test } from 'vitest';
import type { TransactionIntent } from '../../src/index.js';
import { expectedFrom } from '../../src/review/expected.js';
import { explainMismatch, explainSignedMismatch } from '../../src/review/explain.js';
import { guardsIn } from '../../src/review/guards.js';
import { areSignaturesValid, isSameInstruction, isSameTransaction } from '../../src/review/match.js';
import {
  type LoadedInstruction,
  type LoadedTransaction,
  loadTransaction,
  readWireTransaction,
} from '../../src/solana/message.js';
import { fc } from '../support/properties.js';
import { GUARDS, LIGHTHOUSE } from './signed-support.js';
import { buildLocally, createWorld, intentsIn, putTogether, tableOf, takeApart, wallet } from './support.js';

const world = await createWorld();
const { client, ledger, payer, attacker } = world;
const intents = await intentsIn(world);
const inVersion1 = { ...intents.buy, input: { ...intents.buy!.input, transactionVersion: 1 } };
const STRANGER = (await wallet(80)).address;

async function transactionOf(name: string) {
  const built = await buildLocally(client, intents[name] ?? (inVersion1 as TransactionIntent));
  const known = name.startsWith('launch') ? tableOf(ledger, ledger.lookupTables.community) : {};
  const tables = Object.entries(known).map(
    ([table, addresses]) => [table as Address, { addresses }] as const,
  );
  const actual = loadTransaction(readWireTransaction(built.tx), new Map(tables));
  return { actual, expected: expectedFrom(built) };
}

const NAMES = [
  'buy',
  'sell, temporary',
  'launch',
  'pro creation with everything',
  'LP transfer',
  'fee receiver',
  'buy in version 1',
];
const transactions = await Promise.all(NAMES.map(transactionOf));

/** A number below a length. */
type Draw = (length: number) => number;
/** What becomes different in a transaction. */
type Edit = (transaction: LoadedTransaction, at: Draw) => Partial<LoadedTransaction>;

const changeInstruction =
  (change: (instruction: LoadedInstruction, at: Draw) => Partial<LoadedInstruction>): Edit =>
  (transaction, at) => {
    const instructions = [...transaction.instructions];
    const index = at(instructions.length);
    const instruction = instructions[index]!;
    instructions[index] = { ...instruction, ...change(instruction, at) };
    return { instructions };
  };

const EDITS: Readonly<Record<string, Edit>> = {
  'a byte of data': changeInstruction((instruction, at) => {
    const data = instruction.data.slice();
    if (data.length === 0) return { data: Uint8Array.of(1) };
    data[at(data.length)]! ^= 1 << at(8);
    return { data };
  }),
  'a byte more': changeInstruction(({ data }) => ({ data: Uint8Array.from([...data, 0]) })),
  'another account': changeInstruction((instruction, at) => {
    const accounts = [...instruction.accounts, { address: STRANGER, role: AccountRole.READONLY }];
    accounts[at(accounts.length)] = accounts.pop()!;
    return { accounts };
  }),
  'a hidden account': changeInstruction(({ accounts }) => ({
    accounts: [...accounts, { address: undefined, role: AccountRole.WRITABLE }],
  })),
  'another program': changeInstruction(() => ({ programAddress: STRANGER })),
  'other rights': (transaction, at) => {
    const accounts = [...transaction.accounts];
    const index = at(accounts.length);
    const role = ((accounts[index]!.role + 1 + at(3)) % 4) as AccountRole;
    accounts[index] = { ...accounts[index]!, role };
    return { accounts };
  },
  'an account with no part': ({ accounts }, at) => ({
    accounts: [...accounts, { address: STRANGER, role: at(4) as AccountRole }],
  }),
  'an account twice': ({ accounts }, at) => ({ accounts: [...accounts, accounts[at(accounts.length)]!] }),
  'an unknown account of a table': ({ accounts }) => {
    const lookup = { table: STRANGER, index: 0 };
    return { accounts: [...accounts, { address: undefined, role: AccountRole.READONLY, lookup }] };
  },
  'another fee payer': ({ accounts }) => ({
    accounts: [{ address: attacker, role: AccountRole.WRITABLE_SIGNER }, ...accounts.slice(1)],
  }),
  'another signer as fee payer, with all the same rights': ({ accounts }) => {
    const [payer, ...others] = accounts;
    const other = others.find(({ role }) => role === AccountRole.WRITABLE_SIGNER);
    fc.pre(other !== undefined);
    return { accounts: [other!, payer!, ...others.filter((each) => each !== other)] };
  },
  'another order': (transaction, at) => {
    const instructions = [...transaction.instructions];
    const [one, other] = [at(instructions.length), at(instructions.length)];
    fc.pre(!isSameInstruction(instructions[one]!, instructions[other]!));
    [instructions[one], instructions[other]] = [instructions[other]!, instructions[one]!];
    return { instructions };
  },
  'an instruction less': ({ instructions }, at) => {
    const index = at(instructions.length);
    return { instructions: instructions.filter((_, other) => other !== index) };
  },
  'an instruction twice': (transaction, at) => {
    const instructions = [...transaction.instructions];
    instructions.splice(at(instructions.length + 1), 0, instructions[at(instructions.length)]!);
    return { instructions };
  },
  'no instructions': () => ({ instructions: [] }),
  'another version': ({ wire }) => ({ wire: { ...wire, version: 'legacy' } }),
  'another priority fee or limit in version 1': ({ wire }, at) => {
    fc.pre(wire.version === 1);
    const {
      computeUnitLimit = 0,
      loadedAccountsDataSizeLimit = 0,
      priorityFeeLamports = 0n,
    } = wire.config ?? {};
    const changes = [
      { computeUnitLimit: computeUnitLimit + 1 },
      { loadedAccountsDataSizeLimit: loadedAccountsDataSizeLimit - 1 },
      { priorityFeeLamports: priorityFeeLamports + 1n },
      { heapSize: 32_768 },
    ];
    return { wire: { ...wire, config: { ...wire.config, ...changes[at(4)] } } };
  },
};

/** The transaction with guards at these places, as a wallet adds them. */
function guarded(transaction: LoadedTransaction, places: readonly number[]): LoadedTransaction {
  const instructions = [...transaction.instructions];
  const guard = GUARDS.payer(transaction.accounts[0]!.address!);
  for (const place of places) instructions.splice(place % (instructions.length + 1), 0, guard);
  const lighthouse = { address: LIGHTHOUSE, role: AccountRole.READONLY };
  return { ...transaction, instructions, accounts: [...transaction.accounts, lighthouse] };
}

/** Numbers below a length, from what fast-check draws. */
const drawing = (numbers: readonly number[]): Draw => {
  let next = 0;
  return (length) => numbers[next++ % numbers.length]! % length;
};
const draws = fc.array(fc.nat(), { minLength: 4, maxLength: 4 });

describe('the verdict alone', () => {
  test.each(NAMES)('accepts what was asked for: %s', (name) => {
    const { actual, expected } = transactions[NAMES.indexOf(name)]!;
    expect(isSameTransaction(actual, expected)).toBe(true);
  });

  test.each(Object.entries(EDITS))('rejects %s, and explains why', (_, edit) => {
    fc.assert(
      fc.property(fc.constantFrom(...transactions), draws, ({ actual, expected }, numbers) => {
        const edited = { ...actual, ...edit(actual, drawing(numbers)) };
        expect(isSameTransaction(edited, expected)).toBe(false);
        expect(isSameTransaction(actual, { ...expected, instructions: edited.instructions })).toBe(
          edited.instructions === actual.instructions,
        );
        expect(explainMismatch(edited, expected, {}).message).not.toContain('it differs');
        // Nor may a wallet change it so, with guards or without, if it may not raise the limit.
        expect(guardsIn(edited, expected, { addedUnits: 0 })).toBeUndefined();
        expect(guardsIn(guarded(edited, numbers), expected, { addedUnits: 0 })).toBeUndefined();
      }),
      { numRuns: 60 },
    );
  });

  test('takes up to twelve guards of a wallet wherever they stand, and no more', () => {
    const places = fc.array(fc.nat(), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(fc.constantFrom(...transactions), places, ({ expected }, numbers) => {
        const signed = guarded(expected, numbers);
        const guards = [...signed.instructions.entries()].filter(
          ([, { programAddress }]) => programAddress === LIGHTHOUSE,
        );
        expect(guardsIn(signed, expected, { addedUnits: 0 })).toEqual(guards.map(([index]) => index));
        const thirteen = [...numbers, ...new Array(13 - numbers.length).fill(0)];
        expect(guardsIn(guarded(expected, thirteen), expected, { addedUnits: 0 })).toBeUndefined();
      }),
    );
  });

  test('rejects one account less, even if no instruction uses it', () => {
    for (const { actual, expected } of transactions) {
      const unused = { address: STRANGER, role: AccountRole.READONLY };
      const more = { ...expected, accounts: [...expected.accounts, unused] };
      expect(isSameTransaction(actual, more)).toBe(false);
      expect(guardsIn(expected, expected, { addedUnits: 0 })).toEqual([]);
      expect(guardsIn(expected, more, { addedUnits: 0 })).toBeUndefined();
    }
  });

  test("doesn't blame twelve guards for something else", () => {
    const { expected } = transactions[0]!;
    const guards = Array.from({ length: 12 }, () => GUARDS.payer(payer));
    const signed = {
      ...expected,
      accounts: [...expected.accounts, { address: STRANGER, role: AccountRole.WRITABLE }],
      instructions: [...expected.instructions, ...guards],
    };
    expect(explainSignedMismatch(signed, expected, {}).context).toMatchObject({ kind: 'account' });
    signed.instructions.push(GUARDS.payer(payer));
    const tooMany = { kind: 'instruction', asked: 12, found: 13 };
    expect(explainSignedMismatch(signed, expected, {}).context).toMatchObject(tooMany);
  });

  test('an unexplained rejection is still a rejection', () => {
    const unexplained = { message: 'it differs', context: { kind: 'instruction' } };
    for (const { actual, expected } of transactions)
      expect(explainMismatch(actual, expected, {})).toEqual(unexplained);
  });
});

describe('the verdict about signatures', () => {
  test('requires the mandatory ones, and each present one to be valid', async () => {
    const { tx } = await buildLocally(client, intents.buy!);
    const areValid = async (signed: string, mandatory: readonly Address[], forge = 0) => {
      const loaded = loadTransaction(readWireTransaction(signed), new Map());
      for (const { signature } of loaded.wire.signatures) if (signature) signature[0]! ^= forge;
      return await areSignaturesValid(loaded, mandatory);
    };
    expect(await areValid(tx, [])).toBe(true);
    expect(await areValid(tx, [payer])).toBe(false);
    const signed = await putTogether(takeApart(tx), [await wallet(1)]);
    expect(await areValid(signed, [payer])).toBe(true);
    expect(await areValid(signed, [STRANGER])).toBe(false);
    expect(await areValid(signed, [], 1)).toBe(false);
  });
});
