import { runInNewContext } from 'node:vm';
import {
  AccountRole,
  type Address,
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  partiallySignTransaction,
  type V1TransactionConfig,
} from '@solana/kit';
import {
  getSetComputeUnitLimitInstruction,
  getSetComputeUnitPriceInstruction,
} from '@solana-program/compute-budget';
import { describe, expect, test } from 'vitest';

import { assertSignedTransactionMatches, buildBuy, inspectTransaction } from '../../src/index.js';
import { MEMO_PROGRAM_ADDRESS, COMPUTE_BUDGET_PROGRAM_ADDRESS as UNITS } from '../support/addresses.js';
import { U64_MAX } from '../support/amounts.js';
import { errorOf, expectRefusal } from '../support/errors.js';
import {
  compile,
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
import { asMutable, buildLocally, createWorld, intentsIn, type Mutable, tableOf, wallet } from './support.js';

const world = await createWorld();
const { client, ledger, payer, mint } = world;
const [user, other] = await Promise.all([wallet(1), wallet(2)]);
const STRANGER = (await wallet(80)).address;
const TABLE = tableOf(ledger, ledger.lookupTables.community);
const intents = await intentsIn(world);
const buy = await buildLocally(client, intents.buy!);
const launch = await buildLocally(client, intents.launch!);
const parts = partsOf(buy.tx);

/** A version 1 transaction that pays 1,000 lamports for 100,000 units. */
const inOne = inVersion1(parts, {
  computeUnitLimit: 100_000,
  loadedAccountsDataSizeLimit: 4_000_000,
  priorityFeeLamports: 1_000n,
});

/** The same transaction with other instructions. */
const madeOf = (of: Parts, ...instructions: Parts['instructions']): Parts => ({ ...of, instructions });
const added = (to: Parts, guard: Mutable): Parts => madeOf(to, ...to.instructions, guard);
const inFront = (of: Parts, instruction: Mutable): Parts => madeOf(of, instruction, ...of.instructions);

/** An instruction without accounts. */
const bare = (program: string, ...data: readonly number[]): Mutable => ({
  programAddress: program as Address,
  accounts: [],
  data: Uint8Array.from(data),
});

/** The buy with a compute unit limit, which its first instruction sets, that is so much higher. */
const raisedBy = (units: number): Parts => {
  const copy = copyOf(parts);
  const limit = new DataView(copy.instructions[0]!.data.buffer);
  limit.setUint32(1, limit.getUint32(1, true) + units, true);
  return copy;
};

type Given = Parameters<typeof assertSignedTransactionMatches>[1];

/** What a check says of a transaction that the user signed after a change. */
const checked = async (changed: Parts, given: Given = buy, options = {}) =>
  assertSignedTransactionMatches(await signedBy(changed, user), given, options);
const rejects = (checking: Promise<unknown>, kind: string, context: object = {}) =>
  expectRefusal(checking, 'transaction-mismatch', { kind, ...context });

describe('what wallets do', () => {
  test('a wallet that changes nothing', async () => {
    const tx = await signedBy(parts, user);
    const result = await assertSignedTransactionMatches(tx, buy);
    expect(result).toMatchObject({ tx, added: [], missingSigners: [] });
    expect(result.transaction.messageBytes).toEqual(buy.transaction.messageBytes);
    expect(result.transaction.lifetimeConstraint).toEqual(buy.lifetime);
    expect(result.signature).toMatch(/^[1-9A-HJ-NP-Za-km-z]{64,88}$/);
  });

  test('guards before, between and after, and a higher limit', async () => {
    const [limit, ...rest] = raisedBy(6_000).instructions;
    const guards = [GUARDS.payer(payer), GUARDS.system(payer), GUARDS.tokenAfter(STRANGER)] as const;
    const result = await checked(madeOf(parts, guards[0], limit!, guards[1], ...rest, guards[2]));
    expect(result.added.map(({ index }) => index)).toEqual([0, 2, rest.length + 3]);
    expect(result.added[0]!.description).toContain(`unless ${payer} is`);
    expect(result.added[0]!.instruction.programAddress).toBe(LIGHTHOUSE);
  });

  test('bytes of another realm are copied: the wallet can not change them afterwards', async () => {
    const tx = await signedBy(added(parts, GUARDS.payer(payer)), user);
    const bytes = Uint8Array.from(getBase64Encoder().encode(tx));
    const foreign = runInNewContext('Uint8Array.from(bytes)', { bytes: [...bytes] }) as Uint8Array;
    for (const given of [bytes, foreign]) {
      const promise = assertSignedTransactionMatches(given, buy);
      given.fill(0);
      expect((await promise).tx).toBe(tx);
    }
  });
});

describe('lookup tables', () => {
  const options = { missingSigners: [mint.address, other.address] };

  test('are known from what was built, and must be known', async () => {
    const guarded = added(partsOf(launch.tx, TABLE), GUARDS.payer(payer));
    const { missingSigners } = await checked(guarded, launch, options);
    expect(new Set(missingSigners)).toEqual(new Set(options.missingSigners));
    await expectRefusal(checked(guarded, launch.tx, options), 'invalid-input', { field: 'lookupTables' });
    const known = { ...options, lookupTables: TABLE };
    expect((await checked(guarded, launch.tx, known)).added).toHaveLength(1);
    const { computeBudget, ...withoutBudget } = launch;
    const wrong = [
      { ...launch, instructions: [...launch.instructions].reverse() },
      { ...launch, instructions: launch.instructions.slice(0, -1) },
      { ...launch, computeBudget: [...computeBudget].reverse() },
      { ...launch, computeBudget: computeBudget.slice(1) },
      withoutBudget,
    ];
    for (const given of wrong)
      await expectRefusal(checked(guarded, given, options), 'invalid-input', { field: 'built' });
  });

  test('can bring accounts for guards if they are known', async () => {
    const [table] = Object.keys(TABLE) as [Address];
    const tables: Record<Address, Address[]> = { [table]: [...TABLE[table]!, STRANGER] };
    const guarded = { ...added(partsOf(launch.tx, TABLE), GUARDS.missing(STRANGER)), tables };
    await rejects(checked(guarded, launch, options), 'account');
    const known = { ...options, lookupTables: tables };
    expect((await checked(guarded, launch, known)).added).toHaveLength(1);
  });
});

describe('rejects', () => {
  const signing = {
    ...GUARDS.missing(STRANGER),
    accounts: [{ address: STRANGER, role: AccountRole.READONLY_SIGNER }],
  };

  test.each<[string, string, Parts]>([
    ['a guard that wants a signature', 'rights', added(parts, signing)],
    ['a limit over the bound that was named', 'amount', raisedBy(11)],
    ['another fee payer', 'payer', { ...parts, feePayer: other.address }],
  ])('%s', async (_, kind, changed) => {
    const options = { missingSigners: [STRANGER, other.address], maxAddedComputeUnits: 10 };
    await rejects(checked(changed, buy, options), kind);
    await checked(raisedBy(10), buy, options);
  });

  test('a guard that calls another program and names what signs or is written to', async () => {
    const ASSERT_MERKLE_TREE = 16;
    const [tree, root, program] = [STRANGER, other.address, LIGHTHOUSE];
    const calling = (...accounts: readonly Address[]) =>
      checked(added(parts, guard(accounts, ASSERT_MERKLE_TREE, 4)));
    expect((await calling(tree, root, program)).added).toHaveLength(1);
    for (const accounts of [
      [payer, root, program],
      [tree, payer, program],
      [tree, root, payer],
    ])
      await rejects(calling(...accounts), 'rights');
  });

  const OF_DATA = [4, 0, 9, 61, 0] as const;
  const inFirst = (program: string, data: readonly number[], to = parts) =>
    inFront(to, bare(program, ...data));
  test.each<[string, string, readonly number[], readonly number[], Parts?]>([
    ['what looks like a limit, of another program', STRANGER, [2, 1, 0, 0, 0], [2, 2, 0, 0, 0]],
    ['a larger heap', UNITS, [1, 0, 128, 0, 0], [1, 0, 0, 1, 0]],
    ['a lower limit of loaded data', UNITS, OF_DATA, [4, 255, 8, 61, 0]],
    ['a limit of loaded data that is over a MiB higher', UNITS, OF_DATA, [4, 1, 9, 77, 0]],
    ['a limit in version 1, which ignores it', UNITS, [2, 1, 0, 0, 0], [2, 2, 0, 0, 0], inOne],
  ])('%s', async (_, program, data, changed, to) => {
    const given = unsigned(inFirst(program, data, to));
    await expectRefusal(checked(inFirst(program, changed, to), given), 'transaction-mismatch');
    await checked(inFirst(program, data, to), given);
  });

  test('a limit of loaded data that is a MiB higher is not among them', async () => {
    await checked(inFirst(UNITS, [4, 0, 9, 77, 0]), unsigned(inFirst(UNITS, OF_DATA)));
  });

  test('a signature that is missing, and one that is not valid', async () => {
    await rejects(assertSignedTransactionMatches(buy.tx, buy), 'rights', { asked: payer });
    const bytes = Uint8Array.from(getBase64Encoder().encode(await signedBy(parts, user)));
    bytes[1]! ^= 1;
    const checking = assertSignedTransactionMatches(bytes, buy, { missingSigners: [payer] });
    await rejects(checking, 'rights', { found: payer });
    const ofTwo = await buildLocally(client, intents['pro sell for another, associated']!);
    const halfSigned = await signedBy(partsOf(ofTwo.tx), user);
    await rejects(assertSignedTransactionMatches(halfSigned, ofTwo), 'rights', { asked: other.address });
  });

  const [setLimit, ...others] = parts.instructions as [Mutable, ...Mutable[]];
  const limit = [...setLimit.data];
  const withLimit = (data: readonly number[]) => madeOf(parts, bare(UNITS, ...data), ...others);
  test.each([[limit.slice(0, 4)], [[2]], [[...limit, 0]], [[2, ...limit.slice(1, 4), limit[4]! + 1, 9]]])(
    'the compute unit limit %j, which is none: as a raised one, and raised',
    async (data) => {
      await expectRefusal(checked(withLimit(data)), 'transaction-mismatch');
      await expectRefusal(checked(parts, unsigned(withLimit(data))), 'transaction-mismatch');
    },
  );
});

test("an assertion of the caller's own stays, and is not blamed for another change", async () => {
  const input = { ...(intents.buy!.input as object), after: [GUARDS.system(payer)] };
  const own = await buildBuy(client, input as never);
  const asked = partsOf(own.tx);
  expect((await checked(added(asked, GUARDS.payer(payer)), own)).added).toHaveLength(1);
  const without = madeOf(asked, ...asked.instructions.slice(0, -1));
  await rejects(checked(without, own), 'instruction', { asked: expect.stringContaining(payer) });
  // The amount of the transfer that wraps the SOL.
  const other = copyOf(asked);
  other.instructions[3]!.data[4]! ^= 1;
  await rejects(checked(other, own), 'amount', { instruction: 3, field: 'amount', asked: 1_500_000_000n });
});

describe('the config of version 1', () => {
  const built = unsigned(inOne);
  const inVersion = (config: V1TransactionConfig): Parts => ({ ...inOne, config });
  const RAISED = {
    computeUnitLimit: 110_000,
    loadedAccountsDataSizeLimit: 4_500_000,
    priorityFeeLamports: 1_100n,
  };

  test('may have higher limits, and a fee in proportion', async () => {
    const guarded = added(inVersion(RAISED), GUARDS.payer(payer));
    expect(await checked(guarded, built)).toMatchObject({ added: [{}] });
  });

  test.each([
    { priorityFeeLamports: 1_001n },
    { priorityFeeLamports: 999n },
    { priorityFeeLamports: 1_101n, computeUnitLimit: 110_000 },
    { computeUnitLimit: 130_001 },
    { computeUnitLimit: 99_999 },
    { heapSize: 65_536 },
    { loadedAccountsDataSizeLimit: 3_999_999 },
    { loadedAccountsDataSizeLimit: 4_000_000 + 1_048_577 },
  ])('may not be changed by %o', async (change) => {
    await rejects(checked(inVersion({ ...inOne.config, ...change }), built), 'amount');
  });

  test('without a limit has no price, and no fee is in proportion', async () => {
    const greedy = inVersion({ computeUnitLimit: 30_000, priorityFeeLamports: 1_000_000_000n });
    const free = unsigned(inVersion({ priorityFeeLamports: 1n }));
    await rejects(checked(greedy, free), 'amount');
  });

  /** Signed with bytes that kit does not write: the fee stands behind the addresses, and the limit behind the fee. */
  const signedOver = async (computeUnitLimit: number, priorityFeeLamports: bigint) => {
    const transaction = compile(inVersion({ ...inOne.config, computeUnitLimit: 1, priorityFeeLamports: 1n }));
    const bytes = Uint8Array.from(transaction.messageBytes);
    const config = new DataView(bytes.buffer, 42 + 32 * bytes[41]!);
    config.setBigUint64(0, priorityFeeLamports, true);
    config.setUint32(8, computeUnitLimit, true);
    const messageBytes = bytes as unknown as typeof transaction.messageBytes;
    const signed = await partiallySignTransaction([user.keyPair], { ...transaction, messageBytes });
    return getBase64EncodedWireTransaction(signed);
  };
  // There are 1,400,000 units at most: what is over them is not paid for.
  test.each([
    [1_400_000, 1_430_000, 1_400_000n],
    [1_399_000, 1_429_000, 1_400_000n],
  ])('with a limit of %i pays for one of %i at most %d lamports', async (limit, raised, most) => {
    const fee = BigInt(limit);
    const given = unsigned(inVersion({ ...inOne.config, computeUnitLimit: limit, priorityFeeLamports: fee }));
    await assertSignedTransactionMatches(await signedOver(raised, most), given);
    const over = assertSignedTransactionMatches(await signedOver(raised, most + 1n), given);
    await rejects(over, 'amount');
  });
});

describe("a wallet's own priority fee", () => {
  const limit = (units: number) => asMutable(getSetComputeUnitLimitInstruction({ units }));
  const price = (microLamports: bigint) => asMutable(getSetComputeUnitPriceInstruction({ microLamports }));
  const [ownLimit, ownPrice, ...rest] = parts.instructions as [Mutable, Mutable, ...Mutable[]];
  const accepting = (maxLamports: bigint) => ({ acceptFee: { maxLamports } });
  const GUARD = GUARDS.payer(payer);

  // In lamports: price times limit, in millionths, rounded up.
  test.each<[string, fee: bigint, ...Mutable[]]>([
    ['another price', 10_000_000n, ownLimit, price(50_000_000n)],
    ['a part of a lamport', 2n, limit(143_000), price(7n)],
    ['a lower limit and a higher price, in another order', 6_000_000n, price(60_000_000n), limit(100_000)],
    ['a limit over the most', 56_000_000n, limit(4_000_000_000), ownPrice],
    ['a guard between', 10_000_000n, ownLimit, GUARD, price(50_000_000n)],
    ['no price', 0n, ownLimit],
  ])('%s passes up to what is accepted', async (_, fee, ...first) => {
    const changed = madeOf(parts, ...first, ...rest);
    const { added } = await checked(changed, buy, accepting(fee));
    expect(added).toHaveLength(first.includes(GUARD) ? 1 : 0);
    if (fee === 0n) return;
    const refused = (await errorOf(() => checked(changed, buy, accepting(fee - 1n)))) as Error;
    const words = `priority fee, ${fee} lamports here, over the ${fee - 1n} of acceptFee. To accept it, pass acceptFee: { maxLamports: ${fee}n }`;
    expect(refused.message).toContain(words);
    await expect(checked(changed)).rejects.toThrow(`${fee} lamports here. To accept it, pass acceptFee`);
  });

  test('passes where none was set, at the end too', async () => {
    const input = { ...(intents.buy!.input as object), computeUnitLimit: 0, computeUnitPrice: 0 };
    const built = await buildBuy(client, input as never);
    const free = partsOf(built.tx);
    const fee = [limit(100_000), price(10_000_000n)];
    for (const all of [
      [...fee, ...free.instructions],
      [...free.instructions, ...fee],
    ])
      await checked(madeOf(free, ...all), built, accepting(1_000_000n));
    // The default limit: 200,000 for each instruction, and 3,000 for those that are built in.
    const { fees } = await inspectTransaction(unsigned(inFront(free, price(1_000_000n))));
    await checked(inFront(free, price(1_000_000n)), built, accepting(fees.priority));
    await rejects(checked(inFront(free, price(1_000_000n)), built, accepting(fees.priority - 1n)), 'account');
  });

  const more = (instruction: Mutable, ...data: readonly number[]): Mutable => ({
    ...instruction,
    data: Uint8Array.from(data),
  });
  const swapped = copyOf(parts).instructions.at(-1)!;
  swapped.data[0]! ^= 1;
  const hidden = { ...price(5n), accounts: [{ address: STRANGER, role: AccountRole.READONLY }] };
  test.each<[string, ...Mutable[]]>([
    ['two prices', ownLimit, price(5n), price(6n), ...rest],
    ['two limits', limit(5), limit(6), ownPrice, ...rest],
    ['a price with an account', ownLimit, hidden, ...rest],
    ['a price with a byte more', ownLimit, more(ownPrice, ...ownPrice.data, 0), ...rest],
    ['a price with a byte less', ownLimit, more(ownPrice, ...ownPrice.data.slice(0, -1)), ...rest],
    ['a heap', ownLimit, price(5n), bare(UNITS, 1, 0, 0, 1, 0), ...rest],
    ['a limit of data', ownLimit, price(5n), bare(UNITS, 4, 0, 0, 1, 0), ...rest],
    ['the obsolete instruction', ownLimit, price(5n), bare(UNITS, 0, 1, 0, 0, 0, 1, 0, 0, 0), ...rest],
    ['another program', ownLimit, bare(STRANGER, ...price(5n).data), ...rest],
    ['a memo', ownLimit, price(5n), bare(MEMO_PROGRAM_ADDRESS, 65), ...rest],
    ['an instruction less', ownLimit, price(5n), ...rest.slice(1)],
    ['an instruction twice', ownLimit, price(5n), rest[0]!, ...rest],
    ['another order', ownLimit, price(5n), ...[...rest].reverse()],
    ['other data', ownLimit, price(5n), ...rest.slice(0, -1), swapped],
  ])('excuses nothing else: %s', async (_, ...instructions) => {
    const checking = () => checked(madeOf(parts, ...instructions), buy, accepting(U64_MAX));
    const error = (await errorOf(checking)) as Error;
    expect(error).toMatchObject({ code: 'transaction-mismatch' });
    expect(error.message).not.toContain('acceptFee');
  });

  test('in version 1 stands in the config, of which nothing else may differ', async () => {
    const built = unsigned(inOne);
    const inVersion = (config: V1TransactionConfig) => inVersion1(parts, { ...inOne.config, ...config });
    const change = { priorityFeeLamports: 5_001n, computeUnitLimit: 60_000 };
    await checked(inVersion(change), built, accepting(5_001n));
    await rejects(checked(inVersion(change), built, accepting(5_000n)), 'amount');
    await rejects(checked(inVersion({ ...change, heapSize: 65_536 }), built, accepting(U64_MAX)), 'amount');
    await rejects(checked(inFront(inVersion(change), price(5n)), built, accepting(U64_MAX)), 'account');
  });

  test('is never accepted where a signature check counts instructions', async () => {
    const check = bare('KeccakSecp256k11111111111111111111111111111', 1);
    const built = await buildBuy(client, { ...(intents.buy!.input as object), before: [check] } as never);
    const [first, , ...others] = partsOf(built.tx).instructions as Mutable[];
    const changed = madeOf(partsOf(built.tx), first!, price(5n), ...others);
    await rejects(checked(changed, built, accepting(U64_MAX)), 'amount');
  });
});

describe('wrong arguments', () => {
  const attempt = async (built: unknown, options = {}) =>
    assertSignedTransactionMatches(await signedBy(parts, user), built as never, options);

  const otherHash = { ...buy, lifetime: { ...buy.lifetime, blockhash: payer } };
  test.each([undefined, 5, {}, otherHash, { ...buy, lifetime: 'x' }])(
    '%# for what was built',
    async (built) => {
      await expectRefusal(attempt(built), 'invalid-input', { field: 'built' });
    },
  );

  test.each<[object, string]>([
    [{ missingSigners: payer }, 'invalid-input'],
    [{ missingSigners: ['x'] }, 'invalid-address'],
    [{ maxAddedComputeUnits: -1 }, 'invalid-input'],
    [{ acceptFee: 5n }, 'invalid-input'],
    [{ acceptFee: { maxLamport: 5n } }, 'invalid-input'],
    [{ acceptFee: { maxLamports: 5 } }, 'invalid-amount'],
    [{ acceptFee: { maxLamports: -1n } }, 'invalid-amount'],
  ])('the options %o', async (options, code) => {
    await expectRefusal(attempt(buy, options), code);
  });

  test('null for what need not be there, and only the base64 of what was built', async () => {
    const nulls = { missingSigners: null, lookupTables: null };
    for (const { transaction } of [
      await attempt({ ...buy, lifetime: null, instructions: null }, nulls),
      await attempt(buy.tx),
    ])
      expect('lifetimeConstraint' in transaction).toBe(false);
  });

  test('what is not a signed transaction', async () => {
    const bytes = getBase64Encoder().encode(await signedBy(parts, user));
    for (const wrong of [Uint8Array.of(...bytes, 0), new Uint8Array(), new Uint8Array(5_000_000)])
      await expectRefusal(assertSignedTransactionMatches(wrong, buy), 'malformed-data');
    await expectRefusal(assertSignedTransactionMatches({} as never, buy), 'invalid-input', {
      field: 'signed',
    });
  });
});

describe('a signature check among the instructions', () => {
  const u16 = (value: number) => [value & 0xff, value >> 8];
  /** What the cluster's ed25519 and secp256r1 programs read: where signature, key and message stand. */
  const entry = (signature: number, key: number, message: number) =>
    [16, signature, 80, key, 112, 4, message].flatMap(u16);
  const ED25519 = 'Ed25519SigVerify111111111111111111111111111';
  const SECP256K1 = 'KeccakSecp256k11111111111111111111111111111';
  const SECP256R1 = 'Secp256r1SigVerify1111111111111111111111111';
  const ITSELF = 0xffff;
  const around = async (check: Mutable, change: (to: Parts) => Parts) => {
    const input = { ...(intents.buy!.input as object), before: [check] };
    const built = await buildBuy(client, input as never);
    return checked(change(partsOf(built.tx)), built);
  };
  const guarded = GUARDS.payer(payer);
  const atFront = (of: Parts) => inFront(of, guarded);
  const atEnd = (of: Parts) => added(of, guarded);

  test.each([
    ['ed25519 with a signature elsewhere', bare(ED25519, 1, 0, ...entry(3, ITSELF, ITSELF))],
    ['ed25519 with a key elsewhere', bare(ED25519, 1, 0, ...entry(ITSELF, 3, ITSELF))],
    ['ed25519 with a message elsewhere', bare(ED25519, 1, 0, ...entry(ITSELF, ITSELF, 0))],
    [
      'ed25519 whose second message is elsewhere',
      bare(ED25519, 2, 0, ...entry(ITSELF, ITSELF, ITSELF), ...entry(ITSELF, ITSELF, 255)),
    ],
    ['ed25519 cut short', bare(ED25519, 1, 0, 1)],
    ['secp256r1', bare(SECP256R1, 1, 0, ...entry(3, ITSELF, ITSELF))],
    ['secp256k1, which counts itself', bare(SECP256K1, 1, 12, 0, 2, 32, 0, 2, 97, 0, 4, 0, 2)],
  ])('%s: guards may stand only at the end', async (_, check) => {
    await rejects(around(check, atFront), 'instruction', { instruction: 0 });
    const atBoth = (of: Parts) => atEnd(atFront(of));
    await rejects(around(check, atBoth), 'instruction');
    expect((await around(check, atEnd)).added).toHaveLength(1);
  });

  test.each([
    ['ed25519', bare(ED25519, 1, 0, ...entry(ITSELF, ITSELF, ITSELF))],
    ['secp256r1', bare(SECP256R1, 1, 0, ...entry(ITSELF, ITSELF, ITSELF))],
    ['ed25519 of no signature', bare(ED25519, 0, 0)],
    ['secp256k1 without data', bare(SECP256K1)],
  ])('%s with all its data inside: guards may stand anywhere', async (_, check) => {
    expect((await around(check, atFront)).added.map(({ index }) => index)).toEqual([0]);
  });
});
