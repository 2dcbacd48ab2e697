import {
  AccountRole,
  getBase64EncodedWireTransaction,
  type Instruction,
  partiallySignTransaction,
  type V1TransactionConfig,
} from '@solana/kit';
import {
  getSetComputeUnitLimitInstruction,
  getSetComputeUnitPriceInstruction,
} from '@solana-program/compute-budget';
import { getTransferSolInstruction } from '@solana-program/system';
import { describe, expect, test } from 'vitest';

import { inspectTransaction } from '../../src/index.js';
import { expectedFrom } from '../../src/review/expected.js';
import { explainMismatch } from '../../src/review/explain.js';
import { areSignaturesValid, isSameTransaction } from '../../src/review/match.js';
import { loadTransaction, readWireTransaction } from '../../src/solana/message.js';
import { COMPUTE_BUDGET_PROGRAM_ADDRESS } from '../support/addresses.js';
import { asVersion1, ENOUGH } from '../support/version-1.js';
import { buildLocally, createWorld, intentsIn, signer, wallet } from './support.js';

const world = await createWorld();
const { client, payer, attacker } = world;
const intents = await intentsIn(world);
const buy = await buildLocally(client, intents.buy!);
const own = asVersion1(buy).instructions;
const inspect = (config: V1TransactionConfig, instructions = own) =>
  inspectTransaction(asVersion1(buy, config, instructions).tx, { client, owner: payer });
const load = (tx: string) => loadTransaction(readWireTransaction(tx), new Map());

describe('the inspection of a version 1 transaction', () => {
  test('has its limits and fees from its config', async () => {
    const inspection = await inspect({ ...ENOUGH, heapSize: 65_536 });
    expect(inspection).toMatchObject({
      version: 1,
      feePayer: payer,
      computeBudget: {
        unitLimit: 200_000,
        isLimitSet: true,
        unitPrice: undefined,
        loadedAccountsDataSizeLimit: 1_048_576,
        heapSize: 65_536,
      },
      fees: { signatures: 5_000n, priority: 1_234n, total: 6_234n },
      lookupTables: [],
      warnings: [],
    });
    expect(inspection.summary[0]).toBe(
      `A version 1 transaction of ${inspection.size} bytes and ${own.length} instructions, for the block hash ${buy.lifetime.blockhash}.`,
    );
    expect(inspection.summary).toContain(
      `Fees: ${payer} pays 0.000005 SOL for signatures and 0.000001234 SOL of priority (200000 compute units).`,
    );
    const fees = (await inspectTransaction(buy.tx, { client, owner: payer })).debits[0]!.amount as bigint;
    // It takes what version 0 takes but for the fees: 8,005,000 lamports there.
    expect(inspection.debits[0]).toMatchObject({
      account: payer,
      asset: 'SOL',
      amount: fees - 8_005_000n + 6_234n,
    });
  });

  test("lowers a compute unit limit over the cluster's as the cluster does", async () => {
    const { tx } = asVersion1(buy);
    const bytes = Buffer.from(tx, 'base64');
    const place = bytes.indexOf(Uint8Array.of(0x40, 0x0d, 3, 0));
    bytes.writeUInt32LE(4_000_000_000, place);
    const { computeBudget } = await inspectTransaction(bytes.toString('base64'));
    expect(computeBudget.unitLimit).toBe(1_400_000);
  });

  const warningsOf = async (config: V1TransactionConfig) =>
    (await inspect(config)).warnings.map(({ code, message }) => [code, message]);
  const ZERO = 'What a version 1 transaction leaves unset is zero.';

  test.each<[string, V1TransactionConfig, readonly string[]]>([
    [
      'no config',
      {},
      [
        `It can only fail: its compute unit limit is zero. ${ZERO}`,
        `It can only fail: it may load zero bytes of accounts. ${ZERO}`,
      ],
    ],
    [
      'no compute units',
      { ...ENOUGH, computeUnitLimit: 0 },
      [`It can only fail: its compute unit limit is zero. ${ZERO}`],
    ],
    [
      'no room for accounts',
      { computeUnitLimit: 200_000 },
      [`It can only fail: it may load zero bytes of accounts. ${ZERO}`],
    ],
  ])('warns of %s', async (_, config, messages) => {
    expect(await warningsOf(config)).toEqual(messages.map((message) => ['bound-to-fail', message]));
  });

  test('warns of a heap that no program can have', async () => {
    const bytes = Buffer.from(asVersion1(buy, { ...ENOUGH, heapSize: 65_536 }).tx, 'base64');
    // Behind the priority fee and the two limits.
    bytes.writeUInt32LE(65_537, bytes.indexOf(Uint8Array.of(0x40, 0x0d, 3, 0)) + 8);
    const { computeBudget, warnings } = await inspectTransaction(bytes.toString('base64'));
    expect(computeBudget.heapSize).toBe(65_537);
    expect(warnings).toContainEqual(
      expect.objectContaining({
        code: 'bound-to-fail',
        message: expect.stringContaining('a multiple of 1024 from 32768 to 262144'),
      }),
    );
  });

  test('warns of a high priority fee in its config', async () => {
    expect(await warningsOf({ ...ENOUGH, priorityFeeLamports: 50_000_000n })).toEqual([]);
    expect(await warningsOf({ ...ENOUGH, priorityFeeLamports: 50_000_001n })).toEqual([
      [
        'high-priority-fee',
        'The priority fee of up to 0.050000001 SOL is over 0.05 SOL. Lower the priority fee, unless you mean to pay that much.',
      ],
    ]);
  });

  test('ignores compute budget instructions, which have no effect', async () => {
    const dead: readonly Instruction[] = [
      getSetComputeUnitLimitInstruction({ units: 1_000 }),
      getSetComputeUnitPriceInstruction({ microLamports: 1n }),
      { programAddress: COMPUTE_BUDGET_PROGRAM_ADDRESS, data: Uint8Array.of(99) },
      { programAddress: COMPUTE_BUDGET_PROGRAM_ADDRESS },
    ];
    const config = { ...ENOUGH, priorityFeeLamports: 2_000_000_000n };
    const instructions = [...dead, ...own];
    const inspection = await inspect(config, instructions);
    expect(inspection).toMatchObject({
      computeBudget: { unitLimit: 200_000 },
      fees: { priority: 2_000_000_000n, total: 2_000_005_000n },
      warnings: [{ code: 'high-priority-fee' }],
    });
    const words = inspection.instructions.slice(0, 4).map(({ description }) => description);
    expect(words).toEqual([
      'Allow 1000 compute units: no effect, because version 1 has its limits and priority fee in its config',
      'Pay 1 micro-lamports per compute unit: no effect, because version 1 has its limits and priority fee in its config',
      'A compute budget instruction, which has no effect in version 1',
      'A compute budget instruction, which has no effect in version 1',
    ]);
    expect(inspection.instructions.slice(0, 4).flatMap(({ effects }) => effects)).toEqual([]);
    // The price that only pretends does not hide that nothing is set.
    expect((await inspect({}, instructions)).warnings.map(({ code }) => code)).toEqual([
      'bound-to-fail',
      'bound-to-fail',
    ]);
  });

  test('distinguishes a signature over it from one over something else', async () => {
    const key = await wallet(90);
    const transfer = getTransferSolInstruction({
      source: signer(key.address),
      destination: key.address,
      amount: 1n,
    });
    const signed = async (config: V1TransactionConfig) => {
      const { transaction } = asVersion1(await ofKey(), config, [transfer]);
      return await partiallySignTransaction([key.keyPair], transaction);
    };
    const ofKey = async () => {
      const intent = intents.buy!;
      return await buildLocally(client, {
        ...intent,
        input: { ...intent.input, payer: key.address },
      } as never);
    };
    const honest = await signed(ENOUGH);
    const raised = await signed({ ...ENOUGH, priorityFeeLamports: 9_000_000n });
    const forged = getBase64EncodedWireTransaction({ ...raised, signatures: honest.signatures });
    const signatureIn = async (tx: string) => (await inspectTransaction(tx)).signers[0]!.signature;
    expect(await signatureIn(getBase64EncodedWireTransaction(honest))).toBe('valid');
    expect(await signatureIn(forged)).toBe('invalid');
    expect((await inspectTransaction(forged)).warnings.map(({ code }) => code)).toEqual([
      'invalid-signature',
    ]);
    expect(await areSignaturesValid(load(getBase64EncodedWireTransaction(honest)), [key.address])).toBe(true);
    expect(await areSignaturesValid(load(forged), [])).toBe(false);
  });
});

describe('a version 1 transaction compared with the requested one', () => {
  const asked = asVersion1(buy);
  const expected = expectedFrom(asked);

  test('is the same with the same config', () => {
    expect(expected).toMatchObject({
      wire: { version: 1, config: ENOUGH },
      accounts: expect.arrayContaining([{ address: payer, role: AccountRole.WRITABLE_SIGNER }]),
    });
    expect(isSameTransaction(load(asVersion1(buy).tx), expected)).toBe(true);
  });

  test.each<[string, V1TransactionConfig, string, unknown, unknown]>([
    [
      'a raised priority fee',
      { ...ENOUGH, priorityFeeLamports: 1_235n },
      'its priorityFeeLamports is 1235, not 1234',
      1_234n,
      1_235n,
    ],
    [
      'another compute unit limit',
      { ...ENOUGH, computeUnitLimit: 199_999 },
      'its computeUnitLimit is 199999, not 200000',
      200_000,
      199_999,
    ],
    [
      'another limit of loaded accounts',
      { ...ENOUGH, loadedAccountsDataSizeLimit: 0 },
      'its loadedAccountsDataSizeLimit is 0, not 1048576',
      1_048_576,
      0,
    ],
    ['a heap', { ...ENOUGH, heapSize: 32_768 }, 'its heapSize is 32768, not left unset', undefined, 32_768],
    [
      'no priority fee',
      { computeUnitLimit: 200_000, loadedAccountsDataSizeLimit: 1_048_576 },
      'its priorityFeeLamports is not set, not 1234',
      1_234n,
      undefined,
    ],
  ])('differs by %s', (_, config, words, wanted, found) => {
    const actual = load(asVersion1(buy, config).tx);
    expect(isSameTransaction(actual, expected)).toBe(false);
    const error = explainMismatch(actual, expected, {});
    expect(error.context).toMatchObject({ reason: 'compute-budget', asked: wanted, found });
    expect(error.message).toContain(words);
  });

  test('differs by an instruction that has no effect', () => {
    const dead = getSetComputeUnitPriceInstruction({ microLamports: 1n });
    const actual = load(asVersion1(buy, ENOUGH, [dead, ...own]).tx);
    expect(isSameTransaction(actual, expected)).toBe(false);
    expect(explainMismatch(actual, expected, {}).context).toMatchObject({
      reason: 'compute-budget',
      instruction: 0,
      found: expect.stringContaining('no effect'),
    });
  });

  test('differs by who pays for it', () => {
    const [, ...accounts] = expected.accounts;
    const other = {
      ...expected,
      accounts: [{ address: attacker, role: AccountRole.WRITABLE_SIGNER }, ...accounts],
    };
    expect(isSameTransaction(load(asked.tx), other)).toBe(false);
    expect(explainMismatch(load(asked.tx), other, {}).context).toMatchObject({ reason: 'fee-payer' });
  });

  test('does not match a version 0 transaction, nor the reverse', () => {
    const old = load(buy.tx);
    expect(isSameTransaction(old, expected)).toBe(false);
    expect(explainMismatch(old, expected, {})).toMatchObject({
      context: { reason: 'version', asked: 1, found: 0 },
      message: expect.stringContaining('it is a version 0 transaction, not version 1'),
    });
    const sameOtherwise = { ...expectedFrom(buy), instructions: expected.instructions };
    expect(isSameTransaction(load(asked.tx), sameOtherwise)).toBe(false);
    expect(explainMismatch(load(asked.tx), sameOtherwise, {}).context).toMatchObject({
      reason: 'version',
      asked: 0,
      found: 1,
    });
  });
});
