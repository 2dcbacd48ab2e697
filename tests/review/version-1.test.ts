import {
  getBase64EncodedWireTransaction,
  type Instruction,
  partiallySignTransaction,
  type V1TransactionConfig,
} from '@solana/kit';
import {
  getSetComputeUnitLimitInstruction,
  getSetComputeUnitPriceInstruction,
} from '@solana-program/compute-budget';
import { describe, expect, test } from 'vitest';

import { inspectTransaction } from '../../src/index.js';
import { COMPUTE_BUDGET_PROGRAM_ADDRESS } from '../support/addresses.js';
import { asVersion1, ENOUGH } from '../support/version-1.js';
import { buildLocally, createWorld, intentsIn, wallet } from './support.js';

const world = await createWorld();
const { client, payer } = world;
const intents = await intentsIn(world);
const buy = await buildLocally(client, intents.buy!);
const own = asVersion1(buy).instructions;
const inspect = (config: V1TransactionConfig, instructions = own) =>
  inspectTransaction(asVersion1(buy, config, instructions).tx, { client, owner: payer });

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
    expect(inspection.summary.join(' ')).toContain('0.000001234 SOL of priority (200000 compute units)');
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
    (await inspect(config)).warnings.map(({ code }) => code);

  test.each<[string, V1TransactionConfig, readonly string[]]>([
    ['no config', {}, ['bound-to-fail', 'bound-to-fail']],
    ['no compute units', { ...ENOUGH, computeUnitLimit: 0 }, ['bound-to-fail']],
    ['no room for accounts', { computeUnitLimit: 200_000 }, ['bound-to-fail']],
    ['a priority fee of 0.05 SOL', { ...ENOUGH, priorityFeeLamports: 50_000_000n }, []],
    ['a higher one', { ...ENOUGH, priorityFeeLamports: 50_000_001n }, ['high-priority-fee']],
  ])('with %s has its warnings', async (_, config, codes) => {
    expect(await warningsOf(config)).toEqual(codes);
  });

  test('warns of a heap that no program can have', async () => {
    const bytes = Buffer.from(asVersion1(buy, { ...ENOUGH, heapSize: 65_536 }).tx, 'base64');
    // Behind the priority fee and the two limits.
    bytes.writeUInt32LE(65_537, bytes.indexOf(Uint8Array.of(0x40, 0x0d, 3, 0)) + 8);
    const { computeBudget, warnings } = await inspectTransaction(bytes.toString('base64'));
    expect(computeBudget.heapSize).toBe(65_537);
    expect(warnings.map(({ code }) => code)).toEqual(['bound-to-fail']);
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
    for (const { description } of inspection.instructions.slice(0, 4))
      expect(description).toContain('no effect');
    expect(inspection.instructions.slice(0, 4).flatMap(({ effects }) => effects)).toEqual([]);
  });

  test('distinguishes a signature over it from one over something else', async () => {
    const signed = async (config: V1TransactionConfig) =>
      await partiallySignTransaction([(await wallet(1)).keyPair], asVersion1(buy, config).transaction);
    const honest = await signed(ENOUGH);
    const raised = await signed({ ...ENOUGH, priorityFeeLamports: 9_000_000n });
    const forged = { ...raised, signatures: honest.signatures };
    const inspectSigned = async (transaction: typeof honest) => {
      const { signers, warnings } = await inspectTransaction(getBase64EncodedWireTransaction(transaction));
      return [signers[0]!.signature, ...warnings.map(({ code }) => code)];
    };
    expect(await inspectSigned(honest)).toEqual(['valid']);
    expect(await inspectSigned(forged)).toEqual(['invalid', 'invalid-signature']);
  });
});
