import {
  type Address,
  assertIsFullySignedTransaction,
  createNoopSigner,
  decompileTransactionMessage,
  generateKeyPairSigner,
  getCompiledTransactionMessageDecoder,
  getSignersFromInstruction,
  type Instruction,
  isWritableRole,
  type KeyPairSigner,
  partiallySignTransactionWithSigners,
} from '@solana/kit';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  assertTransactionMatches,
  type BuiltTransaction,
  buildCreateStandardLiquidityPool,
  createLocalClient,
  type HeavenClient,
  inspectTransaction,
  refreshLifetime,
  type TransactionIntent,
  type TransactionOptions,
} from '../../src/index.js';
import {
  TOKEN_PROGRAM_ADDRESS as TOKEN,
  WRAPPED_SOL_MINT_ADDRESS as WRAPPED_SOL,
} from '../../src/program/index.js';
import { encodeTokenAccount } from '../../src/testing/index.js';
import {
  associated,
  buildLocally,
  intentsIn,
  tableOf,
  type World,
  createWorld as worldOf,
} from '../review/support.js';
import { MEMO_PROGRAM_ADDRESS } from '../support/addresses.js';
import { SOL, U64_MAX } from '../support/amounts.js';
import { expectRefusal } from '../support/errors.js';
import { fc } from '../support/properties.js';
import { compiledOf } from '../support/transactions.js';

const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111';
const WRAPPED_SOL_RENT = 2_039_280n;
const MIB_64 = 67_108_864;
const LAMPORTS_PER_SIGNATURE = 5_000n;

let world: World;
let client: HeavenClient;
let intents: Readonly<Record<string, TransactionIntent>>;

beforeAll(async () => {
  // The seed of a temporary account is random, and the same in both versions only so.
  vi.spyOn(globalThis.crypto, 'getRandomValues').mockImplementation((bytes) => {
    (bytes as unknown as Uint8Array).fill(7);
    return bytes;
  });
  world = await worldOf();
  ({ client } = world);
  // Rich enough for every intent to run: SOL, and wrapped SOL with lamports behind it.
  const { payer, other, ledger } = world;
  for (const address of [payer, other]) ledger.setBalance(address, SOL * 10_000n);
  const owners = [payer, other, ledger.pools.pro.creator];
  const own = owners.map(async (owner) => [await associated(owner, WRAPPED_SOL, TOKEN), owner] as const);
  for (const [address, owner] of [...(await Promise.all(own)), [world.wrapped, payer] as const]) {
    const amount = SOL * 1_000n;
    const fields = { mint: WRAPPED_SOL, owner, amount, nativeReserve: WRAPPED_SOL_RENT };
    ledger.setAccount(address, {
      owner: TOKEN,
      data: encodeTokenAccount(fields),
      lamports: amount + WRAPPED_SOL_RENT,
    });
  }
  intents = await intentsIn(world);
});
afterAll(() => {
  vi.restoreAllMocks();
});

const NAMES = Object.keys(await intentsIn(await worldOf()));
/** Asks for no limit of compute units, which version 1 can't run with. */
const WITHOUT_LIMIT = 'buy without a budget';
/** Calls a program that the ledger does not have. */
const WITH_MEMO = 'buy with instructions of its own';
const BUILDABLE = NAMES.filter((name) => name !== WITHOUT_LIMIT);

const withOptions = (name: string, options: TransactionOptions): TransactionIntent => {
  const intent = intents[name]!;
  return { ...intent, input: { ...intent.input, ...options } } as TransactionIntent;
};
const build = (name: string, options: TransactionOptions = {}): Promise<BuiltTransaction> =>
  buildLocally(client, withOptions(name, options));

/** A switch of a pro pool's swaps: one instruction with two accounts and 9 bytes. */
const toggle = (options: TransactionOptions = {}) => build('toggle swap', options);

const isBudget = ({ programAddress }: Instruction) => programAddress === COMPUTE_BUDGET;

const tables = () => ({
  ...tableOf(world.ledger, world.ledger.lookupTables.community),
  ...tableOf(world.ledger, world.ledger.lookupTables.creator),
  [world.emptyTable]: [],
});

/** The message as it is on the wire: with the roles that an account has in all. */
function messageOf(built: BuiltTransaction) {
  const message = decompileTransactionMessage(compiledOf(built), { addressesByLookupTableAddress: tables() });
  const instructions: readonly Instruction[] = message.instructions;
  return { ...message, instructions };
}

/** Each account with its role, where it is looked up left out. */
const plain = ({ programAddress, accounts = [], data = new Uint8Array() }: Instruction) => ({
  programAddress,
  accounts: accounts.map(({ address, role }) => ({ address, role })),
  data: Uint8Array.from(data),
});

/** The accounts that may be written to. */
const writableIn = (built: BuiltTransaction): readonly Address[] => {
  const { feePayer, instructions } = messageOf(built);
  const named = instructions.flatMap(({ accounts = [] }) =>
    accounts.filter(({ role }) => isWritableRole(role)).map(({ address }) => address),
  );
  return [...new Set([feePayer.address, ...named])];
};

/** An error with the index of its instruction moved. */
const indexes = (err: unknown, offset: number) =>
  JSON.parse(
    JSON.stringify(err, (_, value) => (typeof value === 'bigint' ? Number(value) : value)),
    (key, value) => (key === 'InstructionError' ? [value[0] + offset, value[1]] : value),
  );

/** What version 0 is charged, read out of its instructions by their layout. */
function feeOfVersion0({ computeBudget, transaction }: BuiltTransaction): bigint {
  const dataOf = (kind: number) => {
    const found = computeBudget.find(({ data }) => data?.[0] === kind)?.data;
    return found && new DataView(Uint8Array.from(found).buffer);
  };
  const units = BigInt(dataOf(2)?.getUint32(1, true) ?? 0);
  const price = dataOf(3)?.getBigUint64(1, true) ?? 0n;
  const signatures = BigInt(Object.keys(transaction.signatures).length);
  return signatures * LAMPORTS_PER_SIGNATURE + (units * price + 999_999n) / 1_000_000n;
}

const feeOfVersion1 = ({ config, transaction }: BuiltTransaction): bigint =>
  BigInt(Object.keys(transaction.signatures).length) * LAMPORTS_PER_SIGNATURE +
  (config?.priorityFeeLamports ?? -1n);

test('the intents name every builder', () => {
  const builders = Object.keys(createLocalClient(client)).filter((name) => name.startsWith('build'));
  expect(new Set(Object.values(intents).map(({ function: name }) => name))).toEqual(new Set(builders));
});

describe.each(BUILDABLE)('%s', (name) => {
  test('has the same instructions, accounts and roles in both versions, and costs the same', async () => {
    const { lifetime, ...zero } = await build(name);
    const one = await build(name, { transactionVersion: 1, lifetime });
    expect([zero.version, zero.config]).toEqual([0, undefined]);
    expect(one.version).toBe(1);
    expect(one.computeBudget).toEqual([]);
    expect(zero.computeBudget.every(isBudget)).toBe(true);
    expect(zero.instructions.some(isBudget)).toBe(false);
    expect(one.instructions.map(plain)).toEqual(zero.instructions.map(plain));
    const [message0, message1] = [messageOf({ lifetime, ...zero }), messageOf(one)];
    expect(message1.version).toBe(1);
    expect(message1.feePayer).toEqual(message0.feePayer);
    expect(message1.instructions.map(plain)).toEqual(
      message0.instructions.filter((instruction) => !isBudget(instruction)).map(plain),
    );
    expect(Object.keys(one.transaction.signatures).sort()).toEqual(
      Object.keys(zero.transaction.signatures).sort(),
    );
    expect(feeOfVersion1(one)).toBe(feeOfVersion0({ lifetime, ...zero }));
    // The description matches the bytes.
    expect(getCompiledTransactionMessageDecoder().decode(one.transaction.messageBytes)).toMatchObject({
      configMask: 0b1111,
    });
    expect(message1).toMatchObject({ config: one.config });
    expect(one.config?.loadedAccountsDataSizeLimit).toBe(MIB_64);
    expect(one.size).toBe(Buffer.from(one.tx, 'base64').length);
  });

  test('does the same on the embedded ledger', async () => {
    const { lifetime, ...zero } = await build(name);
    const one = await build(name, { transactionVersion: 1, lifetime });
    const changed = writableIn(one);
    expect(new Set(changed)).toEqual(new Set(writableIn({ lifetime, ...zero })));
    const run = async ({ tx }: Pick<BuiltTransaction, 'tx'>) => {
      const accounts = { addresses: changed, encoding: 'base64' } as const;
      const request = { encoding: 'base64', sigVerify: false, accounts } as const;
      const { value } = await world.ledger.rpc.simulateTransaction(tx, request).send();
      return value;
    };
    const [ran0, ran1] = await Promise.all([run(zero), run(one)]);
    if (name !== WITH_MEMO) expect(ran0.err).toBeNull();
    expect(indexes(ran1.err, zero.computeBudget.length)).toEqual(indexes(ran0.err, 0));
    expect(ran1.accounts).toEqual(ran0.accounts);
    // An instruction of the compute budget program takes 150 units.
    const budget = BigInt(zero.computeBudget.length) * 150n;
    expect(ran1.unitsConsumed! + budget).toBe(ran0.unitsConsumed);
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

  test('is described in the same words, and matches its own version only', async () => {
    const { lifetime, tx } = await build(name);
    const one = await build(name, { transactionVersion: 1, lifetime });
    const [seen0, seen1] = await Promise.all(
      [tx, one.tx].map((each) => inspectTransaction(each, { client, lookupTables: tables() })),
    );
    const meant = ({ instructions }: NonNullable<typeof seen0>) =>
      instructions
        .filter(({ program }) => program !== 'compute-budget')
        .map(({ description }) => description.replace(/#\d+/g, '#'));
    expect(meant(seen1!)).toEqual(meant(seen0!));
    // The compute budget comes first in version 0, so all that follows has a higher index.
    const offset = seen0!.instructions.length - seen1!.instructions.length;
    const moved = (changes: readonly { readonly instructions: readonly number[] }[]) =>
      changes.map((change) => ({
        ...change,
        instructions: change.instructions.map((index) => index + offset),
      }));
    expect(moved(seen1!.debits)).toEqual(seen0!.debits);
    expect(moved(seen1!.credits)).toEqual(seen0!.credits);
    expect(seen1!.fees).toEqual(seen0!.fees);

    const asked = withOptions(name, { transactionVersion: 1 });
    await assertTransactionMatches(one.tx, asked, { client, lookupTables: tables() });
    const other = assertTransactionMatches(one.tx, intents[name]!, { client, lookupTables: tables() });
    await expectRefusal(other, 'transaction-mismatch', { reason: 'version', asked: 0, found: 1 });
    const older = assertTransactionMatches(tx, asked, { client, lookupTables: tables() });
    await expectRefusal(older, 'transaction-mismatch', { reason: 'version', asked: 1, found: 0 });
  });
});

describe('the budget of version 1', () => {
  test('is the fee that version 0 pays for any limit and price, or is rejected if it exceeds 64 bits', async () => {
    const price = fc.oneof(fc.bigInt(0n, U64_MAX), fc.bigInt(0n, 100_000_000n));
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 1_400_000 }), price, async (units, microLamports) => {
        const options = { computeUnitLimit: units, computeUnitPrice: microLamports };
        const attempt = toggle({ ...options, transactionVersion: 1 });
        const total = BigInt(units) * microLamports;
        const lamports = total / 1_000_000n + (total % 1_000_000n === 0n ? 0n : 1n);
        if (lamports > U64_MAX) {
          await expectRefusal(attempt, 'invalid-input', { field: 'computeUnitPrice', value: microLamports });
        } else {
          expect((await attempt).config).toEqual({
            computeUnitLimit: units,
            loadedAccountsDataSizeLimit: MIB_64,
            priorityFeeLamports: lamports,
          });
        }
      }),
      { numRuns: 60 },
    );
  });

  test.each([
    ['no units', { computeUnitLimit: 0 }, 'computeUnitLimit', 0],
    ['more units than the cluster has', { computeUnitLimit: 1_400_001 }, 'computeUnitLimit', 1_400_001],
    [
      'a fee over 64 bits',
      { computeUnitLimit: 1_000_001, computeUnitPrice: U64_MAX },
      'computeUnitPrice',
      U64_MAX,
    ],
  ])('is rejected for %s', async (_, options, field, value) => {
    await expectRefusal(toggle({ ...options, transactionVersion: 1 }), 'invalid-input', { field, value });
    // Version 0 leaves the instruction out, and the cluster lowers a limit.
    expect((await toggle(options)).version).toBe(0);
  });
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

  test('fails on the ledger if too small, and succeeds with the size that simulate measured', async () => {
    const run = async (options: TransactionOptions) => {
      const { tx } = await toggle({ ...options, transactionVersion: 1 });
      const { value } = await world.ledger.rpc
        .simulateTransaction(tx, { encoding: 'base64', sigVerify: false })
        .send();
      return value;
    };
    const { loadedAccountsDataSize = 0 } = await run({});
    const loaded = Number(loadedAccountsDataSize);
    expect((await run({ loadedAccountsDataSizeLimit: loaded })).err).toBeNull();
    expect((await run({ loadedAccountsDataSizeLimit: loaded - 1 })).err).toBe(
      'MaxLoadedAccountsDataSizeExceeded',
    );
  });
});

describe('limits', () => {
  const memo = (bytes: number): Instruction => ({
    programAddress: MEMO_PROGRAM_ADDRESS,
    data: new Uint8Array(bytes).fill(97),
  });
  const filled = async (transactionVersion: 0 | 1, size: number) => {
    const base = (await toggle({ transactionVersion, after: [memo(300)] })).size;
    return await toggle({ transactionVersion, after: [memo(300 + size - base)] });
  };
  const LIMITS = [
    [0, 1232],
    [1, 4096],
  ] as const;

  test.each(LIMITS)('version %i has at most %i bytes', async (version, limit) => {
    expect((await filled(version, limit)).size).toBe(limit);
    const refusal = await expectRefusal(filled(version, limit + 1), 'transaction-too-large', {
      size: limit + 1,
      limit,
      excess: 1,
    });
    expect(refusal.message.includes('transactionVersion to 1')).toBe(version === 0);
  });

  test.each(LIMITS)('version %i warns with less than 250 bytes left of %i', async (version, limit) => {
    const codes = async (size: number) => (await filled(version, size)).warnings.map(({ code }) => code);
    const usual = (await toggle({})).warnings.map(({ code }) => code);
    expect(await codes(limit - 250)).toEqual(usual);
    expect(await codes(limit - 249)).toEqual([...usual, 'little-room-for-guards']);
  });

  const withAccounts = async (count: number) => {
    const { instructions } = await toggle({ transactionVersion: 1 });
    // The creator, the pool, the exchange, and the memo program.
    const named = 4;
    expect(instructions.length).toBe(1);
    const accounts = await Promise.all(
      Array.from({ length: count - named }, async () => ({
        address: (await generateKeyPairSigner()).address,
        role: 0 as const,
      })),
    );
    return await toggle({ transactionVersion: 1, after: [{ ...memo(1), accounts }] });
  };

  test('version 1 has at most 64 addresses', async () => {
    expect(compiledOf(await withAccounts(64)).staticAccounts.length).toBe(64);
    await expectRefusal(withAccounts(65), 'invalid-transaction');
  });

  test('version 1 has at most 64 instructions', async () => {
    const memos = (count: number) =>
      toggle({ transactionVersion: 1, after: Array.from({ length: count }, () => memo(1)) });
    expect((await memos(63)).instructions.length).toBe(64);
    await expectRefusal(memos(64), 'invalid-transaction');
  });

  test('version 1 has at most 12 signers', async () => {
    const signedBy = async (count: number) => {
      const signers = await Promise.all(Array.from({ length: count - 1 }, () => generateKeyPairSigner()));
      const accounts = signers.map(({ address }) => ({ address, role: 2 as const }));
      return await toggle({ transactionVersion: 1, after: [{ ...memo(1), accounts }] });
    };
    expect((await signedBy(12)).requiredSigners.length).toBe(12);
    await expectRefusal(signedBy(13), 'invalid-transaction');
  });
});

describe('a launch in version 1', () => {
  const launch = (mintSigner: KeyPairSigner, options: object = {}) => {
    const payer = world.ledger.pools.community.creator;
    return buildCreateStandardLiquidityPool(client, {
      payer,
      creator: payer,
      encodedUserDefinedEventData: '',
      name: 'A token',
      symbol: 'TOKEN',
      uri: 'https://example.com/token.json',
      initialPurchaseAmount: 0n,
      mintSigner,
      transactionVersion: 1,
      ...options,
    });
  };

  test('needs no lookup table, and reads none', async () => {
    const mintSigner = await generateKeyPairSigner();
    const table = world.ledger.lookupTables.community;
    const from = world.ledger.requests.length;
    const { lifetime, ...without } = await launch(mintSigner);
    const given = await launch(mintSigner, { lutAddress: table, lifetime });
    expect(given.tx).toBe(without.tx);
    expect(JSON.stringify(world.ledger.requests.slice(from))).not.toContain(table);
    expect(without.warnings).toEqual([]);
    await expectRefusal(launch(mintSigner, { lutAddress: 'x' }), 'invalid-address', { field: 'lutAddress' });
    await expectRefusal(launch(mintSigner, { transactionVersion: 0 }), 'invalid-address', {
      field: 'lutAddress',
    });
  });

  test('keeps room for guards with the longest texts of a token, unlike version 0', async () => {
    const mintSigner = await generateKeyPairSigner();
    const longest = { name: 'n'.repeat(32), symbol: 's'.repeat(10), uri: 'u'.repeat(200) };
    const codes = async (options: object) =>
      (await launch(mintSigner, { ...longest, ...options })).warnings.map(({ code }) => code);
    const lutAddress = world.ledger.lookupTables.community;
    expect(await codes({})).toEqual([]);
    expect(await codes({ transactionVersion: 0, lutAddress })).toEqual(['little-room-for-guards']);
  });

  test("can be signed by kit's functions, also after a fresh block hash", async () => {
    const mintSigner = await generateKeyPairSigner();
    const payer = await generateKeyPairSigner();
    world.ledger.setBalance(payer.address, 10n ** 12n);
    const built = await launch(mintSigner, { payer: payer.address, creator: payer.address });
    world.ledger.setSlot(world.ledger.slot + 200n);
    const fresh = await refreshLifetime(client, built, { mintSigner });
    expect(compiledOf(fresh)).toEqual({ ...compiledOf(built), lifetimeToken: fresh.lifetime.blockhash });
    expect(fresh).toMatchObject({ version: 1, config: built.config, size: built.size });
    const signed = await partiallySignTransactionWithSigners([payer], fresh.transaction);
    assertIsFullySignedTransaction(signed);
  });
});
