import {
  AccountRole,
  type Address,
  createAddressWithSeed,
  getAddressEncoder,
  getBase64Decoder,
  getBase64Encoder,
  type Instruction,
} from '@solana/kit';
import {
  getSetComputeUnitLimitInstruction,
  getSetComputeUnitPriceInstruction,
} from '@solana-program/compute-budget';
import {
  getAdvanceNonceAccountInstruction,
  getCreateAccountWithSeedInstruction,
  getTransferSolInstruction,
} from '@solana-program/system';
import { AuthorityType, getApproveInstruction, getCloseAccountInstruction } from '@solana-program/token';
import { describe, expect, test } from 'vitest';
import {
  assertTransactionMatches,
  type TransactionIntent,
  type TransactionMismatchKind,
} from '../../src/index.js';
import {
  TOKEN_2022_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
  WRAPPED_SOL_MINT_ADDRESS,
} from '../../src/program/index.js';
import { encodeLookupTable } from '../../src/testing/encode.js';
import {
  asMutable,
  associated,
  buildLocally,
  createWorld,
  type Draft,
  intentsIn,
  type Mutable,
  putTogether,
  signer,
  sponsoredBy,
  type Tamper,
  tableOf,
  takeApart,
  wallet,
} from '../review/support.js';
import { LOOKUP_TABLE_PROGRAM_ADDRESS, MEMO_PROGRAM_ADDRESS } from '../support/addresses.js';
import { refusalOf } from '../support/errors.js';
import { fc } from '../support/properties.js';

const world = await createWorld();
const { client, ledger, payer, other, attacker, mint, sponsor, tokens } = world;
const { creator } = ledger.pools;
const possible = await intentsIn(world);
const intents: typeof possible = {
  ...possible,
  'sponsored buy': sponsoredBy(sponsor, possible['buy with a tip']!),
  'buy with sponsored rent': sponsoredBy(sponsor, possible['buy with a tip']!, { rentPayer: 'feePayer' }),
  'sponsored LP transfer': sponsoredBy(sponsor, possible['LP transfer']!),
  'launch with a sponsor': sponsoredBy(sponsor, possible.launch!),
};
const { input: buyInput } = intents.buy as Extract<TransactionIntent, { function: 'buildBuy' }>;

const community = ledger.lookupTables.community;
const LAUNCH_TABLE = tableOf(ledger, community);
const STRANGER = (await wallet(80)).address;
const UNKNOWN_PROGRAM = (await wallet(81)).address;
const NONCE = (await wallet(82)).address;
const attackersTokens = await associated(attacker, creator.mint, creator.tokenProgram);
const attackersWrapped = await associated(attacker, WRAPPED_SOL_MINT_ADDRESS, TOKEN_PROGRAM_ADDRESS);
const payersWrapped = await associated(payer, WRAPPED_SOL_MINT_ADDRESS, TOKEN_PROGRAM_ADDRESS);
const payersTokens = await associated(payer, creator.mint, creator.tokenProgram);
// ---------------------------------------------------------------- ways to tamper

const END = Number.POSITIVE_INFINITY;
const splice =
  (start: number, removed: number, ...instructions: readonly Instruction[]): Tamper =>
  (draft) =>
    void draft.instructions.splice(start, removed, ...instructions.map(asMutable));
const add = (index: number, instruction: Instruction) => splice(index, 0, instruction);
const drop = (index: number) => splice(index, 1);
const replace = (index: number, instruction: Instruction) => splice(index, 1, instruction);
const again =
  (index: number, place = END): Tamper =>
  ({ instructions }) =>
    void instructions.splice(place, 0, structuredClone(instructions[index]!));
const swap =
  (one: number, two: number): Tamper =>
  ({ instructions }) => {
    [instructions[one], instructions[two]] = [instructions[two]!, instructions[one]!];
  };
/** Changes what stands beside the instructions. */
const beside =
  (change: Partial<Draft>): Tamper =>
  (draft) =>
    void Object.assign(draft, change);
const at = (draft: Draft, index: number): Mutable => draft.instructions[index]!;
const program =
  (index: number, programAddress: Address): Tamper =>
  (draft) =>
    void Object.assign(at(draft, index), { programAddress });

type Meta = Mutable['accounts'][number];
const meta =
  (index: number, position: number, change: Partial<Meta>): Tamper =>
  (draft) =>
    void Object.assign(at(draft, index).accounts[position]!, change);
const account = (index: number, position: number, address: Address) => meta(index, position, { address });
const role = (index: number, position: number, to: AccountRole) => meta(index, position, { role: to });
const metaEverywhere =
  (address: Address, change: Partial<Meta>): Tamper =>
  ({ instructions }) => {
    const metas = instructions.flatMap(({ accounts }) => accounts);
    for (const found of metas.filter((one) => one.address === address)) Object.assign(found, change);
  };
const everywhere = (from: Address, to: Address) => metaEverywhere(from, { address: to });
const roleEverywhere = (address: Address, to: AccountRole) => metaEverywhere(address, { role: to });

const data =
  (index: number, change: (data: Uint8Array) => Uint8Array): Tamper =>
  (draft) => {
    const instruction = at(draft, index);
    instruction.data = change(instruction.data);
  };
const u64 = (index: number, offset: number, change: (value: bigint) => bigint) =>
  data(index, (bytes) => {
    const view = new DataView(bytes.buffer);
    view.setBigUint64(offset, change(view.getBigUint64(offset, true)), true);
    return bytes;
  });
/** Sets a byte, counted from the end if its offset is negative. */
const byte = (index: number, offset: number, value: number) =>
  data(index, (bytes) => {
    bytes.subarray(offset)[0] = value;
    return bytes;
  });
const discriminator = (index: number, start: readonly number[]) =>
  data(index, (bytes) => Uint8Array.of(...start, ...bytes.slice(start.length)));
const longer = (index: number, ...more: readonly number[]) =>
  data(index, (bytes) => Uint8Array.of(...bytes, ...more));
const text =
  (index: number, from: string, to: string): Tamper =>
  (draft) => {
    const { data } = at(draft, index);
    expect(to.length).toBe(from.length);
    const start = Buffer.from(data).indexOf(from);
    expect(start).toBeGreaterThan(0);
    data.set(new TextEncoder().encode(to), start);
  };
const all =
  (...tampers: readonly Tamper[]): Tamper =>
  async (draft) => {
    for (const tamper of tampers) await tamper(draft);
  };

const transfer = (amount = 1_000_000n, source = payer, destination = attacker) =>
  getTransferSolInstruction({ source: signer(source), destination, amount });
const memo: Instruction = {
  programAddress: MEMO_PROGRAM_ADDRESS,
  accounts: [],
  data: new TextEncoder().encode('hi'),
};
const unknown: Instruction = {
  programAddress: UNKNOWN_PROGRAM,
  accounts: [{ address: payer, role: AccountRole.WRITABLE_SIGNER }],
  data: Uint8Array.of(1, 2, 3),
};
const approve = getApproveInstruction(
  { source: payersTokens, delegate: attacker, owner: signer(payer), amount: 1n },
  { programAddress: TOKEN_2022_PROGRAM_ADDRESS },
);
const closing = (destination: Address) =>
  getCloseAccountInstruction(
    { account: tokens, destination, owner: signer(payer) },
    { programAddress: TOKEN_2022_PROGRAM_ADDRESS },
  );
const price = getSetComputeUnitPriceInstruction({ microLamports: 1n });
const nonce = getAdvanceNonceAccountInstruction({ nonceAccount: NONCE, nonceAuthority: signer(payer) });

const SELL = [0x66, 0x06, 0x3d, 0x12, 0x01, 0xda, 0xeb, 0xea];
const TOGGLE_DEPOSIT = [0xa0, 0x89, 0x80, 0xcc, 0x2a, 0xb3, 0x66, 0xca];

const tokenAccountOfAttacker = all(account(5, 1, attackersTokens), account(5, 2, attacker));
const accountsOfUserSwapped = all(account(6, 8, payersWrapped), account(6, 9, payersTokens));
const withoutMark: Tamper = (draft) => void at(draft, 8).accounts.pop();
const oneAccountMore: Tamper = (draft) =>
  void at(draft, 6).accounts.push({ address: STRANGER, role: AccountRole.READONLY });
const anotherTemporaryAccount: Tamper = (draft) =>
  everywhere(at(draft, 2).accounts[1]!.address, STRANGER)(draft);
const temporaryAccountOfAttacker: Tamper = async (draft) => {
  const { data, accounts } = at(draft, 2);
  const seed = new TextDecoder().decode(data.slice(44, 64));
  data.set(getAddressEncoder().encode(attacker), 4);
  const base = { baseAddress: attacker, programAddress: TOKEN_PROGRAM_ADDRESS, seed };
  await everywhere(accounts[1]!.address, await createAddressWithSeed(base))(draft);
};
const mintAuthorityToAttacker = data(6, () =>
  Uint8Array.of(6, AuthorityType.MintTokens, 1, ...getAddressEncoder().encode(attacker)),
);

// ---------------------------------------------------------------- what is tampered with

// A buy: 0 limit, 1 price, 2 wrapped SOL account, 3 transfer, 4 sync, 5 token account, 6 buy, 7 close.
// A sell: 0 limit, 1 price, 2 wrapped SOL account, 3 sell, 4 close. If it closes its source: 5.
// A launch: 0 limit, 1 price, 2 proof, 3 mint and metadata, 4 token account, 5 mint to, 6 mint authority, 7 freeze
// authority, 8 pool.
type Case = readonly [what: string, intent: string, tamper: Tamper, instruction?: number];

const OWN = 'buy with instructions of its own';
const FOR_OTHER = 'pro buy for another, associated';
const CLOSING = 'sell that closes its source';

/** By the kind of difference for which each is rejected. */
const CASES: Readonly<Record<TransactionMismatchKind, readonly Case[]>> = {
  account: [
    // Other recipients.
    ['the tokens of a buy go to another', 'buy', account(6, 8, attackersTokens), 6],
    ['the SOL of a sell goes to another', 'sell', account(3, 9, attackersWrapped), 3],
    ['the wrapped SOL is closed to another', 'buy', account(7, 1, attacker), 7],
    ['the closed account pays another', CLOSING, account(5, 1, attacker), 5],
    ["the user's other account is closed", CLOSING, account(5, 0, payersTokens), 5],
    ['the token account is made for another', 'buy', tokenAccountOfAttacker, 5],
    ['LP tokens go to another', 'LP transfer', account(2, 4, attacker), 2],
    ['a deposit is credited to another position', 'deposit', account(5, 14, STRANGER), 5],
    ['the creator fees go to another', 'fee receiver', account(4, 14, attacker), 4],
    ["a launch's supply is minted to another", 'launch', account(5, 1, attackersTokens), 5],
    ['the tip goes to another', 'buy with a tip', account(8, 1, attacker), 8],
    // A sponsor pays the fees, and the rent of accounts that stay if the user says so.
    ['the sponsor opens the token account', 'sponsored buy', account(5, 0, sponsor), 5],
    ['the user opens it instead of the sponsor', 'buy with sponsored rent', account(5, 0, payer), 5],
    ['the sponsor opens what is closed to the user', 'buy with sponsored rent', account(2, 0, sponsor), 2],
    ['the sponsor pays what is wrapped', 'sponsored buy', account(3, 0, sponsor), 3],
    ['the sponsor pays the tip', 'sponsored buy', account(8, 0, sponsor), 8],
    ["the sponsor pays another's position", 'sponsored LP transfer', account(2, 3, sponsor), 2],
    // Other accounts.
    ["the user's accounts change places", 'buy', accountsOfUserSwapped, 6],
    ['the pool is a look-alike', 'buy', account(6, 4, STRANGER), 6],
    ['the price feed is another', 'buy', account(6, 15, STRANGER), 6],
    ['the wrapping takes the SOL of another', FOR_OTHER, account(3, 0, payer), 3],
    ['a buy gets one account more', 'buy', oneAccountMore, 6],
    ['a tip loses its mark', 'buy with a tip', withoutMark, 8],
    ["a launch's creator is another", 'launch', everywhere(other, attacker), 3],
    ["a launch's metadata belong to another", 'launch', account(3, 5, attacker), 3],
    ['a temporary account is not what its seed says', 'buy, temporary', anotherTemporaryAccount, 2],
    ["a temporary account is another's", 'buy, temporary', temporaryAccountOfAttacker, 2],
  ],
  amount: [
    ['a buy spends more', 'buy', u64(6, 8, (value) => value + 1n), 6],
    ['more is wrapped', 'buy', u64(3, 4, (value) => value * 10n), 3],
    ['a deposit takes more tokens', 'deposit', u64(5, 8, (value) => value + 1n), 5],
    ['more LP tokens are given away', 'LP transfer', u64(2, 8, (value) => value + 1n), 2],
    ['a launch may spend more', 'launch with a limit', u64(8, 31, (value) => value + 1n), 8],
    ['more is minted', 'launch', u64(5, 1, (value) => value + 1n), 5],
    ['a buy has a lower minimum', 'buy', u64(6, 16, (value) => value - 1n), 6],
    ['a sell has no minimum', 'sell', u64(3, 16, () => 0n), 3],
    ['a price higher by one', 'buy with a budget', u64(1, 1, (value) => value + 1n), 1],
    ['a higher limit', 'buy', replace(0, getSetComputeUnitLimitInstruction({ units: 1_400_000 })), 0],
  ],
  instruction: [
    // Rights, and what is set.
    ["a launch's mint authority goes to another", 'launch', mintAuthorityToAttacker, 6],
    ['a launch gives its authorities up in another order', 'launch', swap(6, 7), 6],
    ['a buy with bytes behind its data', 'buy', longer(6, 0), 6],
    ["a sell in the buy's place", 'pro buy', discriminator(6, SELL), 6],
    ['deposits are switched instead of swaps', 'toggle swap', discriminator(2, TOGGLE_DEPOSIT), 2],
    ['another name', 'launch', text(3, 'A t', 'B t'), 3],
    ['metadata that can be changed', 'launch', byte(3, -10, 1), 3],
    ['a feature is switched', 'pro creation', byte(2, -1, 0), 2],
    ['the create-if-missing becomes one that fails', 'buy', byte(5, 0, 0), 5],
    // More of them, fewer, or others.
    ['a transfer behind', 'buy', add(END, transfer()), 8],
    ['a transfer from the sponsor', 'sponsored buy', add(END, transfer(1n, sponsor, payer)), 9],
    ['a memo', 'buy', add(END, memo), 8],
    ['an unknown program', 'buy', add(6, unknown), 6],
    ['the buy twice', 'buy', again(6, 7), 7],
    ["the user's own transfer twice", OWN, again(10), 11],
    ['a launch creates two pools', 'launch', again(8), 9],
    ['a durable nonce', 'buy', add(0, nonce), 0],
    ['the closing is missing', 'buy', drop(7), 7],
    ['the token account stays open', CLOSING, drop(5), 5],
    ['the token account is closed unasked', 'sell from a source', add(END, closing(payer)), 5],
    ['it is closed unasked, and pays another', 'sell from a source', add(END, closing(attacker)), 5],
    ['the tip is missing', 'buy with a tip', drop(8), 8],
    ["a launch's mint authority is kept", 'launch', drop(6), 6],
    ['a sponsored launch names no mint', 'launch with a sponsor', drop(3), 3],
    ['a launch does not prove its mint to be new', 'launch', drop(2), 2],
    ['a launch proves its mint to be new too late', 'launch', swap(2, 3), 2],
    ["a launch proves a stranger's address to be new", 'launch', account(2, 0, STRANGER), 3],
    ['a launch gives its mint room for data', 'launch', byte(2, 4, 82), 3],
    ['another program in place of the exchange', 'buy', program(6, UNKNOWN_PROGRAM), 6],
    ['an approval instead of the closing', 'buy', replace(7, approve), 7],
    ['the closing comes before the buy', 'buy', swap(6, 7), 6],
    ['the budget comes last', 'toggle swap', swap(0, 2), 0],
    ['a price where none was wanted', 'buy without a budget', add(0, price), 0],
    ['the limit is missing', 'buy', drop(0), 0],
    ['a legacy transaction', 'buy', beside({ version: 'legacy' })],
  ],
  payer: [
    ['another fee payer', 'buy', beside({ feePayer: attacker })],
    ['the user instead of the sponsor', 'sponsored buy', beside({ feePayer: payer })],
    ['another sponsor', 'sponsored buy', beside({ feePayer: other })],
    ['the other wallet pays', 'pro buy for another, none', beside({ feePayer: other })],
  ],
  rights: [
    ['one more signer', 'buy', role(6, 12, AccountRole.WRITABLE_SIGNER)],
    ['the creator need not sign', 'launch', roleEverywhere(other, AccountRole.READONLY)],
    ['a mint that can be written to', 'buy', role(6, 6, AccountRole.WRITABLE)],
    ['a pool that cannot be written to', 'buy', role(6, 4, AccountRole.READONLY)],
  ],
};

const bytesOf = (tx: string) => Uint8Array.from(getBase64Encoder().encode(tx));
const textOf = (bytes: Uint8Array) => getBase64Decoder().decode(bytes);

const refusal = (tx: string, intent: TransactionIntent) =>
  refusalOf(assertTransactionMatches(tx, intent, { client }));

const originals = new Map<string, string>();
async function originalOf(name: string): Promise<string> {
  if (!originals.has(name)) originals.set(name, (await buildLocally(client, intents[name]!)).tx);
  return originals.get(name)!;
}

const tablesOf = (name: string) => (name.startsWith('launch') ? LAUNCH_TABLE : {});
const draftOf = async (name: string) => takeApart(await originalOf(name), tablesOf(name));
/** The mint signs whatever an attacker makes of a launch: it is the attacker's. */
const signersOf = (name: string) => (name.startsWith('launch') ? [mint] : []);
const nothing = () => {};
/** The transaction of an intent, taken apart, changed and put together again. */
async function tampered(name: string, tamper: Tamper, signers = signersOf(name)): Promise<string> {
  const draft = await draftOf(name);
  await tamper(draft);
  return await putTogether(draft, signers);
}

const rows = Object.entries(CASES).flatMap(([kind, cases]) =>
  cases.map(([what, intent, tamper, instruction]) => [what, intent, tamper, { kind, instruction }] as const),
);

describe('rejects a tampered transaction:', () => {
  test.each(rows)('%s', async (_, name, tamper, expected) => {
    const { code, context } = await refusal(await tampered(name, tamper), intents[name]!);
    expect({ instruction: undefined, ...context }).toMatchObject(expected);
    expect(code).toBe('transaction-mismatch');
  });

  // The honest twins.
  test.each([...new Set(rows.map(([, name]) => name))])('and takes the honest %s', async (name) => {
    await assertTransactionMatches(await tampered(name, nothing), intents[name]!, { client });
  });
});

test.each<[string, Tamper, object]>([
  ['buy', account(6, 8, attackersTokens), { field: 'userTokenAVault', found: attackersTokens }],
  ['buy', u64(6, 8, () => 7n), { field: 'maxSolSpend', asked: 1_500_000_000n, found: 7n }],
  ['sell', u64(3, 16, () => 0n), { field: 'minimumAmountOut', found: 0n }],
  ['buy with a tip', withoutMark, { field: 'account 3', found: undefined }],
  ['buy', longer(6, 0), { field: undefined, found: expect.any(Number) }],
])('the rejection of a tampered %s names the account or argument', async (name, tamper, context) => {
  const error = await refusal(await tampered(name, tamper), intents[name]!);
  expect({ field: undefined, ...error.context }).toMatchObject(context);
});

describe('rejects a tampered transaction of version 1:', () => {
  const config = {
    computeUnitLimit: 150_000,
    priorityFeeLamports: 1_500n,
    loadedAccountsDataSizeLimit: 3_000_000,
  };
  const version1 = {
    transactionVersion: 1,
    computeUnitLimit: config.computeUnitLimit,
    computeUnitPrice: 10_000n,
    loadedAccountsDataSizeLimit: config.loadedAccountsDataSizeLimit,
  } as const;
  const intent = { function: 'buildBuy', input: { ...buyInput, ...version1 } } as const;

  const configured = (change: object) => (draft: Draft) => {
    draft.config = { ...draft.config, ...change };
  };
  test.each<[string, Tamper, TransactionMismatchKind]>([
    ['a higher fee', configured({ priorityFeeLamports: 1_501n }), 'amount'],
    ['a heap', configured({ heapSize: 65_536 }), 'amount'],
    ['more room', configured({ loadedAccountsDataSizeLimit: 3_000_001 }), 'amount'],
    ['an instruction without effect', add(0, price), 'instruction'],
    ['version 0', beside({ version: 0 }), 'instruction'],
  ])('%s', async (_, tamper, kind) => {
    const draft = takeApart((await buildLocally(client, intent)).tx);
    expect(draft).toMatchObject({ version: 1, config });
    await assertTransactionMatches(await putTogether(draft), intent, { client });
    await tamper(draft);
    const { code, context } = await refusal(await putTogether(draft), intent);
    expect({ code, context }).toMatchObject({ code: 'transaction-mismatch', context: { kind } });
  });
});

describe('rejects lookup tables with other contents:', () => {
  const TABLE = NONCE;
  const believed = [creator.pool, creator.tokenAVault, attackersTokens, STRANGER];

  /** The transaction as an attacker makes it, over a table whose contents are these. */
  async function through(addresses: readonly Address[], tamper: Tamper, fields = {}) {
    const draft = await draftOf('buy');
    await tamper(draft);
    draft.tables = { [TABLE]: [...believed] };
    ledger.setAccount(TABLE, {
      owner: LOOKUP_TABLE_PROGRAM_ADDRESS,
      data: encodeLookupTable({ addresses, ...fields }),
    });
    return await putTogether(draft);
  }
  const intent = intents.buy!;

  test('accepts the right table', async () => {
    await assertTransactionMatches(await through(believed, nothing), intent, { client });
  });

  test.each<[string, readonly Address[], Tamper, object, number | undefined]>([
    ['another account in its place', [STRANGER, creator.tokenAVault], nothing, {}, 6],
    ['two accounts that change places', [creator.tokenAVault, creator.pool], nothing, {}, 6],
    ['too few accounts', [creator.pool], nothing, {}, undefined],
    ['an account that is there already', [creator.mint, creator.tokenAVault], nothing, {}, undefined],
    ['nothing any more', believed, nothing, { deactivationSlot: 1n }, undefined],
  ])('%s', async (_, addresses, tamper, fields, instruction) => {
    const { code, context } = await refusal(await through(addresses, tamper, fields), intent);
    expect(code).toBe('transaction-mismatch');
    expect({ instruction: undefined, ...context }).toMatchObject({ kind: 'account', instruction });
  });

  test('what is not a table, and a missing one', async () => {
    const tx = await through(believed, nothing);
    for (const account of [{ owner: STRANGER, data: new Uint8Array(500) }, undefined]) {
      ledger.setAccount(TABLE, account);
      expect((await refusal(tx, intent)).context).toMatchObject({ kind: 'account', found: TABLE });
    }
    await assertTransactionMatches(tx, intent, { client, lookupTables: { [TABLE]: believed } });
  });
});

/** Where the parts of a version 0 transaction of fewer than 128 accounts are. */
function layoutOf(bytes: Uint8Array) {
  const signatures = bytes[0]!;
  const message = 1 + signatures * 64;
  const accounts = bytes[message + 4]!;
  const blockhash = message + 5 + accounts * 32;
  return { signatures, message, header: message + 1, keys: message + 5, accounts, blockhash };
}

test.each(['associated', 'temporary'] as const)(
  "rejects another seed of the user's own account, with %s wrapped SOL",
  async (wrapSol) => {
    const intentWith = async (seed: string): Promise<TransactionIntent> => {
      const programAddress = TOKEN_PROGRAM_ADDRESS;
      const newAccount = await createAddressWithSeed({ baseAddress: payer, programAddress, seed });
      const space = { amount: 2_039_280n, space: 165n };
      const to = { payer: signer(payer), newAccount, base: payer, seed, programAddress };
      const before = [getCreateAccountWithSeedInstruction({ ...to, ...space })];
      return { function: 'buildBuy', input: { ...buyInput, wrapSol, before } };
    };
    const mine = await intentWith('mine');
    const theirs = await buildLocally(client, await intentWith('their'));
    expect((await refusal(theirs.tx, mine)).context).toMatchObject({ kind: 'account', instruction: 2 });
    await assertTransactionMatches((await buildLocally(client, mine)).tx, mine, { client });
  },
);

describe('rejects changes on the wire:', () => {
  type Layout = ReturnType<typeof layoutOf>;
  /** The built transaction with other bytes. */
  const withBytes = async (name: string, change: (bytes: number[], layout: Layout) => void) => {
    const good = bytesOf(await originalOf(name));
    const bytes = [...good];
    change(bytes, layoutOf(good));
    return textOf(Uint8Array.from(bytes));
  };
  const contextOf = async (tx: string, intent: TransactionIntent) => (await refusal(tx, intent)).context;

  test.each<[string, string, (bytes: number[], layout: Layout) => void]>([
    ['a byte behind it', 'buy', (bytes) => void bytes.push(0)],
    ['a byte missing', 'buy', (bytes) => void bytes.pop()],
    [
      'accounts counted in two bytes',
      'buy',
      (b, { keys }) => void b.splice(keys - 1, 1, b[keys - 1]! | 0x80, 0),
    ],
    ['signatures counted in two bytes', 'LP transfer', (bytes) => void bytes.splice(0, 1, 0x82, 0)],
    ['a signature too many', 'buy', (bytes) => void bytes.splice(0, 1, 2, ...new Array(64).fill(0))],
    ['an account twice', 'buy', (b, { keys }) => void b.splice(keys + 32, 32, ...b.slice(keys, keys + 32))],
    ['a version of the future', 'buy', (bytes, { message }) => void bytes.splice(message, 1, 0x82)],
  ])('%s', async (_, name, change) => {
    const { code, context } = await refusal(await withBytes(name, change), intents[name]!);
    expect({ code, context }).toEqual({ code: 'malformed-data', context: { what: 'transaction' } });
  });

  test('text that is not its base64', async () => {
    const tx = await originalOf('buy');
    const unpadded = tx.endsWith('=') ? tx.replace(/=+$/, '') : `${tx}=`;
    for (const wrong of [` ${tx}`, `${tx}\n`, unpadded, '', undefined, new Uint8Array(3)])
      expect((await refusal(wrong as string, intents.buy!)).code).toBe('malformed-data');
  });

  test('swapped signers, so that the other pays', async () => {
    const name = 'pro buy for another, none';
    const tx = await withBytes(name, (bytes, { keys }) => {
      bytes.splice(keys, 64, ...bytes.slice(keys + 32, keys + 64), ...bytes.slice(keys, keys + 32));
    });
    const swapped = { kind: 'payer', asked: payer, found: other };
    expect(await contextOf(tx, intents[name]!)).toMatchObject(swapped);
  });

  test('an account without a role', async () => {
    const key = [...getAddressEncoder().encode(STRANGER)];
    const idle = await withBytes('buy', (bytes, { keys, accounts, header }) => {
      bytes.splice(keys + accounts * 32, 0, ...key);
      bytes[keys - 1] = accounts + 1;
      bytes[header + 2] = bytes[header + 2]! + 1;
    });
    expect(await contextOf(idle, intents.buy!)).toEqual({ kind: 'account', found: STRANGER });
  });

  test('signatures that are not valid', async () => {
    const forged = await withBytes('buy', (bytes) => bytes.fill(7, 1, 65));
    expect(await contextOf(forged, intents.buy!)).toEqual({ kind: 'rights', found: payer });
    const signed = bytesOf(await tampered('buy', nothing, [await wallet(1)]));
    await assertTransactionMatches(textOf(signed), intents.buy!, { client });
    signed[layoutOf(signed).blockhash]! ^= 1;
    expect(await contextOf(textOf(signed), intents.buy!)).toEqual({ kind: 'rights', found: payer });
  });

  describe('a launch', () => {
    const LAUNCH = 'buildCreateStandardLiquidityPool';
    const intent = intents.launch as Extract<TransactionIntent, { function: typeof LAUNCH }>;
    const { mintSigner: _, ...withoutMint } = intent.input;
    const anyMint = { function: LAUNCH, input: withoutMint } as const;

    test('that its mint has not signed, or not as it stands', async () => {
      const unsigned = await tampered('launch', nothing, []);
      expect(await contextOf(unsigned, intent)).toEqual({ kind: 'rights', asked: mint.address });
      const old = await withBytes('launch', (bytes, { blockhash }) => {
        bytes[blockhash]! ^= 1;
      });
      expect(await contextOf(old, intent)).toEqual({ kind: 'rights', found: mint.address });
    });

    test("of another's mint, or one without the suffix that was asked for", async () => {
      const another = await wallet(90);
      const input = { ...intent.input, mintSigner: another };
      const { tx } = await buildLocally(client, { function: LAUNCH, input });
      const [asked, found] = [mint.address, another.address];
      expect(await contextOf(tx, intent)).toMatchObject({ kind: 'account', instruction: 3, asked, found });
      expect(await contextOf(tx, anyMint)).toMatchObject({ kind: 'account', asked: '777' });
      await assertTransactionMatches(tx, { ...anyMint, mintSuffix: another.address.slice(-2) }, { client });
    });

    test('whose mint is a wallet of the launch, or does not sign', async () => {
      const ofPayer = await tampered('launch', everywhere(mint.address, payer), []);
      const anySuffix = { ...anyMint, mintSuffix: '' };
      expect(await contextOf(ofPayer, anySuffix)).toMatchObject({ kind: 'account', found: payer });
      const ofSponsor = await tampered('launch with a sponsor', everywhere(mint.address, sponsor), []);
      const sponsored = { ...anySuffix, input: { ...anySuffix.input, feePayer: sponsor } };
      expect(await contextOf(ofSponsor, sponsored)).toMatchObject({ kind: 'account', found: sponsor });
      const silent = await tampered('launch', roleEverywhere(mint.address, AccountRole.WRITABLE), []);
      expect(await contextOf(silent, intent)).toMatchObject({ kind: 'rights', instruction: 3 });
    });
  });
});

test.each([
  'buy',
  'sell, temporary',
  'launch',
  'pro creation with everything',
  'LP transfer',
  'buy with instructions of its own',
])('a single bit flipped in a transaction is always rejected: %s', async (name) => {
  const good = bytesOf(await originalOf(name));
  const { blockhash } = layoutOf(good);
  await fc.assert(
    fc.asyncProperty(fc.nat(good.length - 1), fc.nat(7), async (at, bit) => {
      const bytes = good.slice();
      bytes[at]! ^= 1 << bit;
      // Any block hash will do, but a mint has signed its own.
      const isFree = at >= blockhash && at < blockhash + 32 && name !== 'launch';
      if (isFree) return void (await assertTransactionMatches(textOf(bytes), intents[name]!, { client }));
      const { code } = await refusal(textOf(bytes), intents[name]!);
      expect(['transaction-mismatch', 'malformed-data']).toContain(code);
    }),
    { numRuns: 100 },
  );
});
