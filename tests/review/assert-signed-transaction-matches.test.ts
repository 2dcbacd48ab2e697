import { runInNewContext } from 'node:vm';
import { AccountRole, type Address, getBase64Encoder, getTransactionDecoder } from '@solana/kit';
import { describe, expect, test } from 'vitest';

import {
  type AssertSignedTransactionMatchesOptions,
  assertSignedTransactionMatches,
  type BuiltTransaction,
} from '../../src/index.js';
import { expectRefusal } from '../support/errors.js';
import {
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
    expect(result.added.map(({ description }) => description)).toEqual([
      `Fail the transaction unless ${payer} has a balance ≥ 0.000000001 SOL, program = 11111111111111111111111111111111, data length = 0`,
      `Fail the transaction unless ${payer} has program = 11111111111111111111111111111111, data length = 0`,
      `Fail the transaction unless ${STRANGER} has amount ≥ 1, delegate = none, delegated amount ≤ 0, is associated = true`,
    ]);
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
    // Without any table it is the same transaction.
    const plain = await signedBy({ ...partsOf(launch.tx, TABLE), tables: {} }, user);
    if (getBase64Encoder().encode(plain).length <= 1232)
      expect((await assertSignedTransactionMatches(plain, launch, options)).added).toEqual([]);
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
  const limit = limitOf(parts);
  const signing = {
    ...GUARDS.missing(STRANGER),
    accounts: [{ address: STRANGER, role: AccountRole.READONLY_SIGNER }],
  };
  const cases: Readonly<Record<string, readonly [string, Parts, AssertSignedTransactionMatchesOptions?]>> = {
    'a guard that wants a signature': ['signer', added(parts, signing), { missingSigners: [STRANGER] }],
    'a limit over the bound that was named': [
      'compute-budget',
      setLimit(parts, limit + 11),
      { maxAddedComputeUnits: 10 },
    ],
    'another fee payer': [
      'fee-payer',
      { ...parts, feePayer: other.address },
      { missingSigners: [other.address] },
    ],
  };

  test.each(Object.entries(cases))('%s', async (_, [reason, changed, options]) => {
    const tx = await signedBy(changed, user);
    const error = await expectRefusal(
      assertSignedTransactionMatches(tx, buy, options),
      'transaction-mismatch',
      { reason },
    );
    expect(error.message).toMatch(
      /^The wallet did not sign the transaction that it was given.*Don't send it\./,
    );
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

  test('bytes that are not a transaction', async () => {
    const tx = await signedBy(parts, user);
    const bytes = Uint8Array.from(getBase64Encoder().encode(tx));
    await expectRefusal(assertSignedTransactionMatches(Uint8Array.of(...bytes, 0), buy), 'malformed-data');
    await expectRefusal(assertSignedTransactionMatches(new Uint8Array(), buy), 'malformed-data');
    await expectRefusal(assertSignedTransactionMatches({} as never, buy), 'invalid-input', {
      field: 'signed',
    });
    await expectRefusal(
      assertSignedTransactionMatches(tx, buy, { maxAddedComputeUnits: -1 }),
      'invalid-input',
    );
    await expectRefusal(
      assertSignedTransactionMatches(tx, buy, { missingSigners: ['x' as Address] }),
      'invalid-address',
    );
  });
});
