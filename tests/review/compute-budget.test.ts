import { AccountRole, type Address, type Instruction } from '@solana/kit';
import {
  getSetComputeUnitLimitInstruction,
  getSetComputeUnitPriceInstruction,
} from '@solana-program/compute-budget';
import { describe, expect, test } from 'vitest';
import { buildBuy, inspectTransaction } from '../../src/index.js';
import { COMPUTE_BUDGET_PROGRAM_ADDRESS, MEMO_PROGRAM_ADDRESS } from '../support/addresses.js';
import { asVersion1, ENOUGH } from '../support/version-1.js';
import { buildLocally, codesOf, createWorld, intentsIn, payingIn, SOMEWHERE, TABLE } from './support.js';

const world = await createWorld();
const { client, payer, other } = world;
const intent = (await intentsIn(world)).buy!;
const buy = await buildLocally(client, intent);
const { transactionOf, toOther } = payingIn(world);

describe('the fees', () => {
  const U64_MAX = 2n ** 64n - 1n;
  const price = (microLamports: bigint) => getSetComputeUnitPriceInstruction({ microLamports });
  const limit = (units: number) => getSetComputeUnitLimitInstruction({ units });
  const memo: Instruction = { programAddress: MEMO_PROGRAM_ADDRESS, data: Uint8Array.of(65) };
  const memos: readonly Instruction[] = Array(8).fill(memo);

  test.each<[string, readonly Instruction[], number, bigint, ...codes: string[]]>([
    ['of the highest limit', [limit(1_400_000), price(7n)], 1_400_000, 10n],
    ['of a limit over it', [limit(1_400_001), price(7n)], 1_400_000, 10n, 'compute-limit-too-high'],
    ['of two prices', [price(2n), limit(500_001), price(7n), price(3n)], 500_001, 4n, 'bound-to-fail'],
    // 6,000 times 18,446,744,073,709,551,615 micro-lamports.
    ['of a product beyond 64 bits', [price(U64_MAX), toOther()], 6_000, 110_680_464_442_257_310n],
    ['that would be beyond 64 bits', [price(U64_MAX), ...memos], 1_400_000, U64_MAX],
  ])('%s', async (_, instructions, unitLimit, priority, ...codes) => {
    const inspection = await inspectTransaction(await transactionOf(instructions), { recipients: [other] });
    const { fees, computeBudget } = inspection;
    expect(codesOf(inspection).filter((code) => code !== 'high-priority-fee')).toEqual(codes);
    expect(computeBudget.unitLimit).toBe(unitLimit);
    expect(fees).toEqual({ signatures: 5_000n, priority, total: 5_000n + priority });
  });

  test('of a budget with a hidden account', async () => {
    const hidden = { address: SOMEWHERE, role: AccountRole.READONLY };
    const instructions = [limit(1_400_000), { ...price(1_000_000_000n), accounts: [hidden] }, toOther(1n)];
    const tx = await transactionOf(instructions, { tables: { [TABLE]: [SOMEWHERE] } });
    const inspection = await inspectTransaction(tx, { client, recipients: [other] });
    expect(inspection.fees.priority).toBe(1_400_000_000n);
    expect(inspection.debits).toMatchObject([{ account: payer, amount: 1_400_005_001n }]);
    expect(codesOf(inspection)).toEqual(['unresolved-lookup-table', 'high-priority-fee']);
  });

  test('for signatures that instructions check are warned of as well', async () => {
    const programAddress = 'Ed25519SigVerify111111111111111111111111111' as Address;
    const check = { programAddress, accounts: [], data: Uint8Array.of(255) };
    const before = Array.from({ length: 40 }, () => check);
    const input = { ...(intent.input as object), transactionVersion: 1, before };
    const { tx } = await buildBuy(client, input as never);
    const { fees } = await inspectTransaction(tx);
    expect(fees.signatures).toBe(5_000n * (1n + 40n * 255n));
    // It is the total that counts: 51000000 lamports for the checks, and the priority fee.
    const codesAt = async (maxPriorityFee: bigint) =>
      codesOf(await inspectTransaction(tx, { maxPriorityFee }));
    expect(await codesAt(51_000_000n + fees.priority)).not.toContain('high-priority-fee');
    expect(await codesAt(51_000_000n + fees.priority - 1n)).toContain('high-priority-fee');
  });
});

describe('what the cluster heeds of the compute budget', () => {
  const u32 = (value: number) => [...new Uint8Array(Uint32Array.of(value).buffer)];
  const u64 = (value: bigint) => [...new Uint8Array(BigUint64Array.of(value).buffer)];
  const setting = (...data: readonly number[]): Instruction => ({
    programAddress: COMPUTE_BUDGET_PROGRAM_ADDRESS,
    data: Uint8Array.from(data),
  });
  const inspected = async (...before: readonly Instruction[]) =>
    await inspectTransaction(await transactionOf([...before, toOther()]));

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
    expect((await inspected(check)).computeBudget.unitLimit).toBe(3_000 + units);
  });
});

describe('version 1', () => {
  const { tx } = asVersion1(buy, { ...ENOUGH, heapSize: 65_536 });

  test('has its limits and fees in its config', async () => {
    const inspection = await inspectTransaction(tx, { client, owner: payer });
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
    const { debits } = await inspectTransaction(buy.tx, { client, owner: payer });
    // It takes what version 0 takes but for the fees: 8,005,000 lamports there.
    const amount = (debits[0]!.amount as bigint) - 8_005_000n + 6_234n;
    expect(inspection.debits[0]).toMatchObject({ account: payer, asset: 'SOL', amount });
  });

  // The config's limits stand behind its priority fee: units, bytes of accounts, heap.
  test.each([
    ['computeUnitLimit', 0, 4_000_000_000, { unitLimit: 1_400_000 }, ['compute-limit-too-high']],
    ['loadedAccountsDataSizeLimit', 4, 0xffff_ffff, { loadedAccountsDataSizeLimit: 67_108_864 }, []],
    ['heapSize', 8, 65_537, { heapSize: 65_537 }, ['bound-to-fail']],
  ])('with a %s over the maximum counts what the cluster does', async (_, offset, value, seen, codes) => {
    const bytes = Buffer.from(tx, 'base64');
    bytes.writeUInt32LE(value, bytes.indexOf(Uint8Array.of(0x40, 0x0d, 3, 0)) + offset);
    const inspection = await inspectTransaction(bytes.toString('base64'));
    expect(inspection.computeBudget).toMatchObject(seen);
    expect(codesOf(inspection)).toEqual(codes);
  });
});
