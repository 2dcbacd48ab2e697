import { runInNewContext } from 'node:vm';
import {
  AccountRole,
  type Address,
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  getTransactionDecoder,
  partiallySignTransaction,
} from '@solana/kit';
import { describe, expect, test } from 'vitest';

import { assertSignedTransactionMatches, type BuiltTransaction, buildBuy } from '../../src/index.js';
import { expectRefusal } from '../support/errors.js';
import {
  compile,
  copyOf,
  GUARDS,
  type guard,
  inVersion1,
  LIGHTHOUSE,
  limitOf,
  type Parts,
  partsOf,
  signedBy,
  unsigned,
} from './signed-support.js';
import { buildLocally, createWorld, intentsIn, tableOf, wallet } from './support.js';

const world = await createWorld();
const { client, ledger, payer, mint } = world;
const [user, other] = await Promise.all([wallet(1), wallet(2)]);
const STRANGER = (await wallet(80)).address;
const TABLE = tableOf(ledger, ledger.lookupTables.community);
const intents = await intentsIn(world);
const buy = await buildLocally(client, intents.buy!);
const launch = await buildLocally(client, intents.launch!);
const UNITS = 'ComputeBudget111111111111111111111111111111';

/** A version 1 transaction that pays 1,000 lamports for 100,000 units. */
const inOne = inVersion1(partsOf(buy.tx), {
  computeUnitLimit: 100_000,
  loadedAccountsDataSizeLimit: 4_000_000,
  priorityFeeLamports: 1_000n,
});

const added = (parts: Parts, ...guards: readonly ReturnType<typeof guard>[]): Parts => ({
  ...parts,
  instructions: [...parts.instructions, ...guards],
});

const setLimit = (parts: Parts, units: number): Parts => {
  const copy = copyOf(parts);
  const limit = copy.instructions.find(
    ({ programAddress, data }) => programAddress === UNITS && data[0] === 2,
  )!;
  new DataView(limit.data.buffer).setUint32(1, units, true);
  return copy;
};

describe('what wallets do', () => {
  test('a wallet that changes nothing', async () => {
    const tx = await signedBy(partsOf(buy.tx), user);
    const result = await assertSignedTransactionMatches(tx, buy);
    expect(result).toMatchObject({ tx, added: [], missingSigners: [] });
    expect(result.transaction.messageBytes).toEqual(buy.transaction.messageBytes);
    expect(result.transaction.lifetimeConstraint).toEqual(buy.lifetime);
    expect(result.signature).toMatch(/^[1-9A-HJ-NP-Za-km-z]{64,88}$/);
  });

  test('guards before, between and after, and a higher limit', async () => {
    const parts = setLimit(partsOf(buy.tx), limitOf(partsOf(buy.tx)) + 6_000);
    const [limit, price, ...rest] = parts.instructions;
    const instructions = [
      GUARDS.payer(payer),
      limit!,
      GUARDS.system(payer),
      price!,
      ...rest,
      GUARDS.tokenAfter(STRANGER),
    ];
    const tx = await signedBy({ ...parts, instructions }, user);
    const result = await assertSignedTransactionMatches(tx, buy);
    expect(result.added.map(({ index }) => index)).toEqual([0, 2, instructions.length - 1]);
    expect(result.added[0]!.description).toContain(`${payer} has a balance ≥ 0.000000001 SOL`);
    expect(result.added[0]!.instruction.programAddress).toBe(LIGHTHOUSE);
  });

  test('base64, bytes and the transaction of kit', async () => {
    const tx = await signedBy(added(partsOf(buy.tx), GUARDS.payer(payer)), user);
    const bytes = Uint8Array.from(getBase64Encoder().encode(tx));
    const fromElsewhere = runInNewContext('Uint8Array.from(bytes)', { bytes: [...bytes] }) as Uint8Array;
    for (const signed of [tx, bytes, fromElsewhere, getTransactionDecoder().decode(bytes)])
      expect((await assertSignedTransactionMatches(signed, buy)).tx).toBe(tx);
    // What is returned is a copy: the wallet can't change it afterwards.
    const promise = assertSignedTransactionMatches(bytes, buy);
    bytes.fill(0);
    expect((await promise).tx).toBe(tx);
  });

  test('only the base64 of what was built', async () => {
    const tx = await signedBy(added(partsOf(buy.tx), GUARDS.payer(payer)), user);
    expect((await assertSignedTransactionMatches(tx, buy.tx)).transaction).not.toHaveProperty(
      'lifetimeConstraint',
    );
  });

  test('version 1', async () => {
    const built = { tx: unsigned(inOne) } as Pick<BuiltTransaction, 'tx'>;
    const raised = {
      computeUnitLimit: 110_000,
      loadedAccountsDataSizeLimit: 4_500_000,
      priorityFeeLamports: 1_100n,
    };
    const tx = await signedBy({ ...added(inOne, GUARDS.payer(payer)), config: raised }, user);
    const result = await assertSignedTransactionMatches(tx, built);
    expect(result).toMatchObject({ tx, added: [{}] });
  });
});

describe('lookup tables', () => {
  const options = { missingSigners: [mint.address, other.address] };

  test('are known from what was built', async () => {
    const parts = added(partsOf(launch.tx, TABLE), GUARDS.payer(payer));
    const tx = await signedBy(parts, user);
    const result = await assertSignedTransactionMatches(tx, launch, options);
    expect(new Set(result.missingSigners)).toEqual(new Set([mint.address, other.address]));
  });

  test('must be known', async () => {
    const tx = await signedBy(partsOf(launch.tx, TABLE), user);
    await expectRefusal(assertSignedTransactionMatches(tx, launch.tx, options), 'invalid-input', {
      field: 'lookupTables',
    });
    expect(
      (await assertSignedTransactionMatches(tx, launch.tx, { ...options, lookupTables: TABLE })).added,
    ).toEqual([]);
    const { computeBudget, ...withoutBudget } = launch;
    const wrong = [
      { ...launch, instructions: [...launch.instructions].reverse() },
      { ...launch, instructions: launch.instructions.slice(0, -1) },
      { ...launch, computeBudget: [...computeBudget].reverse() },
      { ...launch, computeBudget: computeBudget.slice(1) },
      withoutBudget,
    ];
    for (const given of wrong)
      await expectRefusal(assertSignedTransactionMatches(tx, given, options), 'invalid-input', {
        field: 'built',
      });
  });

  test('can bring accounts for guards if they are known', async () => {
    const [table] = Object.keys(TABLE) as [Address];
    const tables: Record<Address, Address[]> = { [table]: [...TABLE[table]!, STRANGER] };
    const tx = await signedBy(
      { ...added(partsOf(launch.tx, TABLE), GUARDS.missing(STRANGER)), tables },
      user,
    );
    await expectRefusal(assertSignedTransactionMatches(tx, launch, options), 'transaction-mismatch', {
      reason: 'lookup-table',
    });
    const known = { ...options, lookupTables: tables };
    expect((await assertSignedTransactionMatches(tx, launch, known)).added).toHaveLength(1);
  });
});

describe('rejects', () => {
  const parts = partsOf(buy.tx);
  const options = { missingSigners: [STRANGER, other.address], maxAddedComputeUnits: 10 };
  const signing = {
    ...GUARDS.missing(STRANGER),
    accounts: [{ address: STRANGER, role: AccountRole.READONLY_SIGNER }],
  };

  test.each<[string, string, Parts]>([
    ['a guard that wants a signature', 'signer', added(parts, signing)],
    ['a limit over the bound that was named', 'compute-budget', setLimit(parts, limitOf(parts) + 11)],
    ['another fee payer', 'fee-payer', { ...parts, feePayer: other.address }],
  ])('%s', async (_, reason, changed) => {
    const checked = assertSignedTransactionMatches(await signedBy(changed, user), buy, options);
    await expectRefusal(checked, 'transaction-mismatch', { reason });
    const honest = await signedBy(setLimit(parts, limitOf(parts) + 10), user);
    await assertSignedTransactionMatches(honest, buy, options);
  });

  test('in version 1: a fee that grows faster than the limit, and all else of the config', async () => {
    const built = { tx: unsigned(inOne) } as Pick<BuiltTransaction, 'tx'>;
    for (const change of [
      { priorityFeeLamports: 1_001n },
      { priorityFeeLamports: 999n },
      { priorityFeeLamports: 1_101n, computeUnitLimit: 110_000 },
      { computeUnitLimit: 130_001 },
      { computeUnitLimit: 99_999 },
      { heapSize: 65_536 },
      { loadedAccountsDataSizeLimit: 3_999_999 },
      { loadedAccountsDataSizeLimit: 4_000_000 + 1_048_577 },
    ]) {
      const tx = await signedBy({ ...inOne, config: { ...inOne.config, ...change } }, user);
      await expectRefusal(assertSignedTransactionMatches(tx, built), 'transaction-mismatch', {
        reason: 'compute-budget',
      });
    }
    // Without a limit there is no price, and any fee would be in proportion.
    const free = { ...inOne, config: { priorityFeeLamports: 1n } };
    const greedy = { computeUnitLimit: 30_000, priorityFeeLamports: 1_000_000_000n };
    await expectRefusal(
      assertSignedTransactionMatches(await signedBy({ ...inOne, config: greedy }, user), unsigned(free)),
      'transaction-mismatch',
      { reason: 'compute-budget' },
    );
  });

  test('another signer as fee payer, with all the same rights', async () => {
    const missingSigners = [mint.address, other.address];
    const tx = await signedBy({ ...partsOf(launch.tx, TABLE), feePayer: mint.address }, user);
    await expectRefusal(
      assertSignedTransactionMatches(tx, launch, { missingSigners }),
      'transaction-mismatch',
      { reason: 'fee-payer', asked: payer, found: mint.address },
    );
  });

  test('a signature that is missing, and one that is not valid', async () => {
    await expectRefusal(assertSignedTransactionMatches(buy.tx, buy), 'transaction-mismatch', {
      reason: 'signature',
      asked: payer,
    });
    const bytes = Uint8Array.from(getBase64Encoder().encode(await signedBy(parts, user)));
    bytes[1]! ^= 1;
    await expectRefusal(
      assertSignedTransactionMatches(bytes, buy, { missingSigners: [payer] }),
      'transaction-mismatch',
      { reason: 'signature', found: payer },
    );
  });
});

describe('wrong arguments', () => {
  const attempt = async (built: unknown, options?: unknown) =>
    assertSignedTransactionMatches(await signedBy(partsOf(buy.tx), user), built as never, options as never);

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['a number', 5],
    ['an object of something else', {}],
    ['the block hash of another transaction', { ...buy, lifetime: { ...buy.lifetime, blockhash: payer } }],
    ['a lifetime that is a text', { ...buy, lifetime: 'x' }],
  ])('%s for what was built', async (_, built) => {
    await expectRefusal(attempt(built), 'invalid-input', { field: 'built' });
  });

  test.each<[object, string]>([
    [{ missingSigners: payer }, 'invalid-input'],
    [{ missingSigners: ['x'] }, 'invalid-address'],
    [{ maxAddedComputeUnits: -1 }, 'invalid-input'],
  ])('the options %o', async (options, code) => {
    await expectRefusal(attempt(buy, options), code);
  });

  test('null for what need not be there', async () => {
    const { transaction } = await attempt(
      { ...buy, lifetime: null, instructions: null },
      { missingSigners: null, lookupTables: null },
    );
    expect('lifetimeConstraint' in transaction).toBe(false);
  });

  test('what is not a signed transaction', async () => {
    const bytes = getBase64Encoder().encode(await signedBy(partsOf(buy.tx), user));
    for (const wrong of [Uint8Array.of(...bytes, 0), new Uint8Array(), new Uint8Array(5_000_000)])
      await expectRefusal(assertSignedTransactionMatches(wrong, buy), 'malformed-data');
    await expectRefusal(assertSignedTransactionMatches({} as never, buy), 'invalid-input', {
      field: 'signed',
    });
  });
});

describe('a version 1 transaction with the maximum of compute units', () => {
  const most = {
    ...inOne,
    config: { ...inOne.config, computeUnitLimit: 1_400_000, priorityFeeLamports: 1_400_000n },
  };
  /** With bytes that kit does not write: the fee stands behind the addresses, and the limit behind the fee. */
  const signed = async (computeUnitLimit: number, priorityFeeLamports: bigint) => {
    const transaction = compile(most);
    const bytes = Uint8Array.from(transaction.messageBytes);
    const config = new DataView(bytes.buffer, 42 + 32 * bytes[41]!);
    config.setBigUint64(0, priorityFeeLamports, true);
    config.setUint32(8, computeUnitLimit, true);
    const messageBytes = bytes as unknown as typeof transaction.messageBytes;
    return getBase64EncodedWireTransaction(
      await partiallySignTransaction([user.keyPair], { ...transaction, messageBytes }),
    );
  };

  test('pays nothing for a limit over them', async () => {
    await expectRefusal(
      assertSignedTransactionMatches(await signed(1_430_000, 1_430_000n), unsigned(most)),
      'transaction-mismatch',
      { reason: 'compute-budget' },
    );
    await assertSignedTransactionMatches(await signed(1_430_000, 1_400_000n), unsigned(most));
  });

  test('pays for the rest of them', async () => {
    const less = { ...most, config: { ...most.config, computeUnitLimit: 1_399_000 } };
    const built = unsigned({ ...less, config: { ...less.config, priorityFeeLamports: 1_399_000n } });
    await assertSignedTransactionMatches(await signed(1_429_000, 1_400_000n), built);
    await expectRefusal(
      assertSignedTransactionMatches(await signed(1_429_000, 1_400_001n), built),
      'transaction-mismatch',
      { reason: 'compute-budget' },
    );
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
  const check = (program: string, ...data: readonly number[]) => ({
    programAddress: program as Address,
    accounts: [],
    data: Uint8Array.from(data),
  });
  const around = async (instruction: ReturnType<typeof check>, change: (parts: Parts) => Parts) => {
    const built = await buildBuy(client, {
      ...(intents.buy!.input as object),
      before: [instruction],
    } as never);
    const tx = await signedBy(change(partsOf(built.tx)), user);
    return () => assertSignedTransactionMatches(tx, built);
  };
  const guarded = GUARDS.payer(payer);
  const atFront = (parts: Parts): Parts => ({ ...parts, instructions: [guarded, ...parts.instructions] });
  const atEnd = (parts: Parts): Parts => added(parts, guarded);

  test.each([
    ['ed25519 with a signature elsewhere', check(ED25519, 1, 0, ...entry(3, ITSELF, ITSELF))],
    ['ed25519 with a key elsewhere', check(ED25519, 1, 0, ...entry(ITSELF, 3, ITSELF))],
    ['ed25519 with a message elsewhere', check(ED25519, 1, 0, ...entry(ITSELF, ITSELF, 0))],
    [
      'ed25519 whose second message is elsewhere',
      check(ED25519, 2, 0, ...entry(ITSELF, ITSELF, ITSELF), ...entry(ITSELF, ITSELF, 255)),
    ],
    ['ed25519 cut short', check(ED25519, 1, 0, 1)],
    ['secp256r1', check(SECP256R1, 1, 0, ...entry(3, ITSELF, ITSELF))],
    ['secp256k1, which counts itself', check(SECP256K1, 1, 12, 0, 2, 32, 0, 2, 97, 0, 4, 0, 2)],
  ])('%s: guards may stand only at the end', async (_, instruction) => {
    const context = { reason: 'guard', instruction: 0 };
    await expectRefusal(await around(instruction, atFront), 'transaction-mismatch', context);
    expect((await (await around(instruction, atEnd))()).added).toHaveLength(1);
  });

  test.each([
    ['ed25519', check(ED25519, 1, 0, ...entry(ITSELF, ITSELF, ITSELF))],
    ['secp256r1', check(SECP256R1, 1, 0, ...entry(ITSELF, ITSELF, ITSELF))],
    ['ed25519 of no signature', check(ED25519, 0, 0)],
    ['secp256k1 without data', check(SECP256K1)],
  ])('%s with all its data inside: guards may stand anywhere', async (_, instruction) => {
    expect((await (await around(instruction, atFront))()).added.map(({ index }) => index)).toEqual([0]);
  });
});

describe('an invalid compute unit limit', () => {
  const withLimit = (...data: readonly number[]) => {
    const parts = partsOf(buy.tx);
    const instructions = parts.instructions.map((one, index) =>
      index === 0 ? { ...one, data: Uint8Array.from(data) } : one,
    );
    return { ...parts, instructions };
  };
  const limit = [...partsOf(buy.tx).instructions[0]!.data];

  test('is not a raised limit: truncated, or with extra bytes', async () => {
    expect(limit[0]).toBe(2);
    for (const data of [limit.slice(0, 4), [2], [...limit, 0], [2, ...limit.slice(1, 4), limit[4]! + 1, 9]])
      await expectRefusal(
        assertSignedTransactionMatches(await signedBy(withLimit(...data), user), buy),
        'transaction-mismatch',
        { reason: 'compute-budget' },
      );
  });

  test("can't be raised", async () => {
    for (const data of [[2], limit.slice(0, 4), [...limit, 0]])
      await expectRefusal(
        assertSignedTransactionMatches(
          await signedBy(withLimit(...limit), user),
          unsigned(withLimit(...data)),
        ),
        'transaction-mismatch',
      );
  });
});
