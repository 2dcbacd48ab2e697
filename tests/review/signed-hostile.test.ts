import { type Address, getBase64EncodedWireTransaction, partiallySignTransaction } from '@solana/kit';
import { describe, expect, test } from 'vitest';

import { assertSignedTransactionMatches, buildBuy, inspectTransaction } from '../../src/index.js';
import { expectRefusal } from '../support/errors.js';
import { compile, GUARDS, inVersion1, type Parts, partsOf, signedBy, unsigned } from './signed-support.js';
import { buildLocally, createWorld, intentsIn, wallet } from './support.js';

const world = await createWorld();
const { client, payer } = world;
const user = await wallet(1);
const intent = (await intentsIn(world)).buy!;
const buy = await buildLocally(client, intent);

describe('a version 1 transaction with the maximum of compute units', () => {
  const most = inVersion1(partsOf(buy.tx), {
    computeUnitLimit: 1_400_000,
    loadedAccountsDataSizeLimit: 4_000_000,
    priorityFeeLamports: 1_400_000n,
  });
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
    const built = await buildBuy(client, { ...(intent.input as object), before: [instruction] } as never);
    const tx = await signedBy(change(partsOf(built.tx)), user);
    return () => assertSignedTransactionMatches(tx, built);
  };
  const atFront = (parts: Parts): Parts => ({
    ...parts,
    instructions: [GUARDS.payer(payer), ...parts.instructions],
  });
  const atEnd = (parts: Parts): Parts => ({
    ...parts,
    instructions: [...parts.instructions, GUARDS.payer(payer)],
  });

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
    const error = await expectRefusal(await around(instruction, atFront), 'transaction-mismatch', {
      reason: 'guard',
      instruction: 0,
    });
    expect(error.message).toContain('a signature check');
    const { added } = await (await around(instruction, atEnd))();
    expect(added).toHaveLength(1);
  });

  test.each([
    ['ed25519', check(ED25519, 1, 0, ...entry(ITSELF, ITSELF, ITSELF))],
    ['secp256r1', check(SECP256R1, 1, 0, ...entry(ITSELF, ITSELF, ITSELF))],
    ['ed25519 of no signature', check(ED25519, 0, 0)],
    ['secp256k1 without data', check(SECP256K1)],
  ])('%s with all its data inside: guards may stand anywhere', async (_, instruction) => {
    const { added } = await (await around(instruction, atFront))();
    expect(added.map(({ index }) => index)).toEqual([0]);
  });
});

describe('wrong arguments', () => {
  const tx = signedBy(partsOf(buy.tx), user);
  const attempt = async (built: unknown, options?: unknown) =>
    await assertSignedTransactionMatches(await tx, built as never, options as never);

  test.each([
    ['nothing', undefined, 'built'],
    ['null', null, 'built'],
    ['a number', 5, 'built'],
    ['an object of something else', {}, 'built'],
    [
      'a block hash of another transaction',
      { ...buy, lifetime: { ...buy.lifetime, blockhash: payer } },
      'built',
    ],
    ['a lifetime that is a text', { ...buy, lifetime: 'x' }, 'built'],
  ])('%s for what was built', async (_, built, field) => {
    await expectRefusal(attempt(built), 'invalid-input', { field });
  });

  test('one address for a list', async () => {
    await expectRefusal(attempt(buy, { missingSigners: payer }), 'invalid-input', {
      field: 'missingSigners',
    });
    await expectRefusal(inspectTransaction(buy.tx, { recipients: payer as never }), 'invalid-input', {
      field: 'recipients',
    });
  });

  test('null for what need not be there', async () => {
    const built = { ...buy, lifetime: null };
    const options = { missingSigners: null, lookupTables: null };
    const { transaction } = await attempt(built, options);
    expect('lifetimeConstraint' in transaction).toBe(false);
    expect((await attempt({ tx: buy.tx, instructions: null })).tx).toBe(await tx);
    await inspectTransaction(buy.tx, { recipients: null, lookupTables: null } as never);
  });

  test('more than any transaction has, without reading it', async () => {
    const long = 'A'.repeat(5_465);
    const error = await expectRefusal(inspectTransaction(long), 'malformed-data');
    expect(error.message).toContain('5465 characters');
    await expectRefusal(assertSignedTransactionMatches(new Uint8Array(5_000_000), buy), 'malformed-data');
  });
});

test('fees for signatures that instructions check are warned of as well', async () => {
  const check = {
    programAddress: 'Ed25519SigVerify111111111111111111111111111' as Address,
    accounts: [],
    data: Uint8Array.of(255),
  };
  const built = await buildBuy(client, {
    ...(intent.input as object),
    transactionVersion: 1,
    before: Array.from({ length: 40 }, () => check),
  } as never);
  const { fees, warnings } = await inspectTransaction(built.tx);
  expect(fees.signatures).toBe(5_000n * (1n + 40n * 255n));
  expect(warnings.map(({ code }) => code)).toContain('high-priority-fee');
  // It is the total that counts: 51000000 lamports for the checks, and the priority fee.
  const codesAt = async (maxPriorityFee: bigint) =>
    (await inspectTransaction(built.tx, { maxPriorityFee })).warnings.map(({ code }) => code);
  expect(await codesAt(51_000_000n + fees.priority)).not.toContain('high-priority-fee');
  expect(await codesAt(51_000_000n + fees.priority - 1n)).toContain('high-priority-fee');
});

describe('what the cluster heeds of the compute budget', () => {
  const BUDGET = 'ComputeBudget111111111111111111111111111111' as Address;
  const setting = (...data: readonly number[]) => ({
    programAddress: BUDGET,
    accounts: [],
    data: Uint8Array.from(data),
  });
  const u32 = (value: number) => [...new Uint8Array(Uint32Array.of(value).buffer)];
  const u64 = (value: bigint) => [...new Uint8Array(BigUint64Array.of(value).buffer)];
  const inspected = async (...before: readonly ReturnType<typeof setting>[]) => {
    const built = await buildBuy(client, {
      ...(intent.input as object),
      computeUnitLimit: 0,
      computeUnitPrice: 0n,
      before,
    } as never);
    return await inspectTransaction(built.tx);
  };

  test.each([
    ['the last', [5n, 9n]],
    ['the first', [9n, 5n]],
  ])('the larger of two prices and limits, if it is %s', async (_, prices) => {
    const { fees, computeBudget } = await inspected(
      ...prices.flatMap((price) => [
        setting(3, ...u64(price * 1_000_000n)),
        setting(2, ...u32(Number(price) * 1_000)),
      ]),
    );
    expect(computeBudget.unitLimit).toBe(9_000);
    expect(fees.priority).toBe(81_000n);
  });

  test('a price with extra bytes, but no truncated one', async () => {
    const limit = setting(2, ...u32(1_000));
    const long = await inspected(limit, setting(3, ...u64(7_000_000n), 1, 2, 3));
    expect(long.fees.priority).toBe(7_000n);
    const short = await inspected(limit, setting(3, ...u64(7_000_000n).slice(1)));
    expect(short.fees.priority).toBe(0n);
  });

  test.each([
    ['Ed25519SigVerify111111111111111111111111111', 3_000],
    ['KeccakSecp256k11111111111111111111111111111', 3_000],
    ['Secp256r1SigVerify1111111111111111111111111', 200_000],
    ['Stake11111111111111111111111111111111111111', 200_000],
  ])('without a limit, %s counts as %i units', async (program, units) => {
    const check = { ...setting(0), programAddress: program as Address };
    const [none, one] = [await inspected(), await inspected(check)];
    expect(one.computeBudget.unitLimit - none.computeBudget.unitLimit).toBe(units);
  });

  test('no more account bytes in version 1 than the maximum', async () => {
    const built = unsigned(
      inVersion1(partsOf(buy.tx), { computeUnitLimit: 1, loadedAccountsDataSizeLimit: 0xffff_ffff }),
    );
    expect((await inspectTransaction(built)).computeBudget.loadedAccountsDataSizeLimit).toBe(67_108_864);
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

test.each([0, 1])('a builder of version %i rejects invalid limits and prices', async (transactionVersion) => {
  for (const field of ['computeUnitLimit', 'computeUnitPrice'])
    for (const value of [
      -1,
      -1n,
      1.5,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      2 ** 53,
      '5',
      true,
      {},
      2n ** 64n,
    ])
      await expectRefusal(
        buildBuy(client, { ...(intent.input as object), transactionVersion, [field]: value } as never),
        'invalid-input',
        { field },
      );
});
