import {
  type Address,
  createNoopSigner,
  generateKeyPairSigner,
  getSignersFromInstruction,
  type Instruction,
} from '@solana/kit';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  assertTransactionMatches,
  type BuiltTransaction,
  buildCreateStandardLiquidityPool,
  type HeavenClient,
  inspectTransaction,
  type TransactionIntent,
  type TransactionOptions,
} from '../../src/index.js';
import { buildLocally, createWorld, intentsIn, type World } from '../review/support.js';
import { COMPUTE_BUDGET_PROGRAM_ADDRESS, MEMO_PROGRAM_ADDRESS } from '../support/addresses.js';
import { U64_MAX } from '../support/amounts.js';
import { expectRefusal } from '../support/errors.js';
import { launchOf } from '../support/ledger.js';
import { fc } from '../support/properties.js';
import { compiledOf, lookupTablesIn, messageOf } from '../support/transactions.js';

const MIB_64 = 67_108_864;

let world: World;
let client: HeavenClient;
let intents: Readonly<Record<string, TransactionIntent>>;

beforeAll(async () => {
  // The seed of a temporary account is random, and the same in both versions only so.
  vi.spyOn(globalThis.crypto, 'getRandomValues').mockImplementation((bytes) => {
    (bytes as unknown as Uint8Array).fill(7);
    return bytes;
  });
  world = await createWorld();
  ({ client } = world);
  intents = await intentsIn(world);
});
afterAll(() => {
  vi.restoreAllMocks();
});

const NAMES = Object.keys(await intentsIn(await createWorld()));
/** Asks for no limit of compute units, which version 1 can't run with. */
const WITHOUT_LIMIT = 'buy without a budget';

const withOptions = (name: string, options: TransactionOptions): TransactionIntent => {
  const intent = intents[name]!;
  return { ...intent, input: { ...intent.input, ...options } } as TransactionIntent;
};
const build = (name: string, options: TransactionOptions = {}): Promise<BuiltTransaction> =>
  buildLocally(client, withOptions(name, options));
const inBoth = async (name: string) => {
  const zero = await build(name);
  return [zero, await build(name, { transactionVersion: 1, lifetime: zero.lifetime })] as const;
};

/** A switch of a pro pool's swaps: one instruction with two accounts and 9 bytes. */
const toggle = (options: TransactionOptions = {}) => build('toggle swap', options);

const isBudget = ({ programAddress }: Instruction) => programAddress === COMPUTE_BUDGET_PROGRAM_ADDRESS;

const tables = () => ({ ...lookupTablesIn(world.ledger), [world.emptyTable]: [] });

/** The instructions as they are on the wire, where each account has the role that it has in all. */
const instructionsOf = (built: BuiltTransaction): readonly Instruction[] =>
  messageOf(built, tables()).instructions;

/** Each account with its role, where it is looked up left out. */
const plain = ({ programAddress, accounts = [], data = new Uint8Array() }: Instruction) => ({
  programAddress,
  accounts: accounts.map(({ address, role }) => ({ address, role })),
  data: Uint8Array.from(data),
});

describe.each(NAMES.filter((name) => name !== WITHOUT_LIMIT))('%s', (name) => {
  test('has the same instructions, accounts and roles in both versions', async () => {
    const [zero, one] = await inBoth(name);
    expect([zero.version, zero.config, zero.computeBudget.every(isBudget)]).toEqual([0, undefined, true]);
    expect([one.version, one.computeBudget]).toEqual([1, []]);
    expect(zero.instructions.some(isBudget)).toBe(false);
    expect(one.instructions.map(plain)).toEqual(zero.instructions.map(plain));
    const withoutBudget = instructionsOf(zero).filter((instruction) => !isBudget(instruction));
    expect(instructionsOf(one).map(plain)).toEqual(withoutBudget.map(plain));
    const signersOf = ({ transaction }: BuiltTransaction) => new Set(Object.keys(transaction.signatures));
    expect(signersOf(one)).toEqual(signersOf(zero));
    expect(messageOf(one)).toMatchObject({ version: 1, config: one.config });
    expect(one.config?.loadedAccountsDataSizeLimit).toBe(MIB_64);
  });

  test('keeps a signer that pays attached, and makes the same transaction', async () => {
    const { payer } = intents[name]!.input as { readonly payer: Address };
    const signer = createNoopSigner(payer);
    const { lifetime, tx } = await build(name);
    const bySigner = await build(name, { payer: signer, lifetime } as TransactionOptions);
    expect(bySigner.tx).toBe(tx);
    const signers = bySigner.instructions
      .flatMap((instruction) => getSignersFromInstruction(instruction))
      .filter(({ address }) => address === payer);
    const accounts = bySigner.instructions.flatMap(({ accounts = [] }) => accounts);
    // Who only pays the fee is in no instruction.
    const isNamed = accounts.some(({ address }) => address === payer);
    expect(new Set(signers)).toEqual(new Set(isNamed ? [signer] : []));
  });

  test('is described in the same words at the same cost, and matches its own version only', async () => {
    const [zero, one] = await inBoth(name);
    const options = { client, lookupTables: tables() };
    const seen0 = await inspectTransaction(zero.tx, options);
    const seen1 = await inspectTransaction(one.tx, options);
    const meant = ({ instructions }: typeof seen0) =>
      instructions
        .filter(({ program }) => program !== 'compute-budget')
        .map(({ description }) => description.replace(/#\d+/g, '#'));
    expect(meant(seen1)).toEqual(meant(seen0));
    const withoutPlaces = (changes: readonly object[]) =>
      changes.map((change) => ({ ...change, instructions: undefined }));
    expect(withoutPlaces(seen1.debits)).toEqual(withoutPlaces(seen0.debits));
    expect(withoutPlaces(seen1.credits)).toEqual(withoutPlaces(seen0.credits));
    expect(seen1.fees).toEqual(seen0.fees);

    const asked = withOptions(name, { transactionVersion: 1 });
    await assertTransactionMatches(one.tx, asked, options);
    const kind = 'instruction';
    for (const [tx, intent, context] of [
      [one.tx, intents[name]!, { kind, asked: 0, found: 1 }],
      [zero.tx, asked, { kind, asked: 1, found: 0 }],
    ] as const)
      await expectRefusal(assertTransactionMatches(tx, intent, options), 'transaction-mismatch', context);
  });
});

test('version 1 states the fee that version 0 pays for any limit and price, or is rejected if it exceeds 64 bits', async () => {
  const price = fc.oneof(fc.bigInt(0n, U64_MAX), fc.bigInt(0n, 100_000_000n));
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 1_400_000 }), price, async (units, microLamports) => {
      const options = { computeUnitLimit: units, computeUnitPrice: microLamports };
      const attempt = toggle({ ...options, transactionVersion: 1 });
      const total = BigInt(units) * microLamports;
      const lamports = total / 1_000_000n + (total % 1_000_000n === 0n ? 0n : 1n);
      const refusal = { field: 'computeUnitPrice', value: microLamports };
      const config = { computeUnitLimit: units, loadedAccountsDataSizeLimit: MIB_64 };
      if (lamports > U64_MAX) await expectRefusal(attempt, 'invalid-input', refusal);
      else expect((await attempt).config).toEqual({ ...config, priorityFeeLamports: lamports });
    }),
    { numRuns: 60 },
  );
});

describe('loadedAccountsDataSizeLimit', () => {
  const instructionOf = ({ computeBudget }: BuiltTransaction) =>
    computeBudget.map(({ data }) => Buffer.from(data ?? []).toString('hex'));

  test('is an instruction in version 0, and left out unless requested', async () => {
    const limited = await toggle({ loadedAccountsDataSizeLimit: 98_304 });
    const plainly = await toggle({});
    // Kind 4, and 98304 = 0x018000 in 4 bytes, the lowest first.
    expect(instructionOf(limited)).toEqual([...instructionOf(plainly), '0400800100']);
  });

  test.each([0, MIB_64 + 1])('is not %i', async (value) => {
    await expectRefusal(toggle({ loadedAccountsDataSizeLimit: value }), 'invalid-input', { value });
  });
});

describe('limits', () => {
  const memo = (bytes: number) => ({
    programAddress: MEMO_PROGRAM_ADDRESS,
    data: new Uint8Array(bytes).fill(97),
  });
  const filled = async (transactionVersion: 0 | 1, size: number) => {
    const base = (await toggle({ transactionVersion, after: [memo(300)] })).size;
    return await toggle({ transactionVersion, after: [memo(300 + size - base)] });
  };
  test.each([
    [0, 1232],
    [1, 4096],
  ] as const)('version %i has at most %i bytes, and warns if 250 more do not fit', async (version, limit) => {
    const codes = async (size: number) => (await filled(version, size)).warnings.map(({ code }) => code);
    const usual = (await toggle({})).warnings.map(({ code }) => code);
    expect(await codes(limit - 250)).toEqual(usual);
    expect(await codes(limit - 249)).toEqual([...usual, 'little-room-for-guards']);
    expect((await filled(version, limit)).size).toBe(limit);
    const excess = { size: limit + 1, limit, excess: 1 };
    const refusal = await expectRefusal(filled(version, limit + 1), 'transaction-too-large', excess);
    expect(refusal.message.includes('transactionVersion to 1')).toBe(version === 0);
  });

  /** A memo that names other accounts. */
  const naming = async (count: number, role: 0 | 2) => {
    const others = await Promise.all(Array.from({ length: count }, generateKeyPairSigner));
    return [{ ...memo(1), accounts: others.map(({ address }) => ({ address, role })) }];
  };
  test.each<[number, string, (count: number) => Promise<readonly Instruction[]>]>([
    // Named besides: the creator, the pool, the exchange, and the memo program.
    [64, 'addresses', (count) => naming(count - 4, 0)],
    [64, 'instructions', async (count) => Array.from({ length: count - 1 }, () => memo(1))],
    [12, 'signers', (count) => naming(count - 1, 2)],
  ])('version 1 has at most %i %s', async (most, what, instructions) => {
    const withMost = async (count: number) =>
      toggle({ transactionVersion: 1, after: await instructions(count) });
    const built = await withMost(most);
    const counts: Readonly<Record<string, number>> = {
      addresses: compiledOf(built).staticAccounts.length,
      instructions: built.instructions.length,
      signers: built.requiredSigners.length,
    };
    expect(counts[what]).toBe(most);
    await expectRefusal(withMost(most + 1), 'invalid-transaction');
  });
});

test('a launch in version 1 needs no lookup table, and reads none', async () => {
  const { ledger } = world;
  const mintSigner = await generateKeyPairSigner();
  const { lutAddress: table, ...fields } = launchOf(ledger.pools.community.creator, ledger);
  const launch = (options: object) =>
    buildCreateStandardLiquidityPool(client, { ...fields, mintSigner, transactionVersion: 1, ...options });
  const from = ledger.requests.length;
  const { lifetime, ...without } = await launch({});
  const given = await launch({ lutAddress: table, lifetime });
  expect(given.tx).toBe(without.tx);
  expect(JSON.stringify(ledger.requests.slice(from))).not.toContain(table);
  expect(without.warnings).toMatchObject([{ code: 'high-fee' }]);
  for (const wrong of [{ lutAddress: 'x' }, { transactionVersion: 0 }])
    await expectRefusal(launch(wrong), 'invalid-address', { field: 'lutAddress' });
});
