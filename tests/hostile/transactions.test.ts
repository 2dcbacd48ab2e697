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
  getRequestHeapFrameInstruction,
  getSetComputeUnitLimitInstruction,
  getSetComputeUnitPriceInstruction,
} from '@solana-program/compute-budget';
import {
  getAdvanceNonceAccountInstruction,
  getAssignInstruction,
  getCreateAccountWithSeedInstruction,
  getTransferSolInstruction,
} from '@solana-program/system';
import {
  AuthorityType,
  getApproveInstruction,
  getCloseAccountInstruction,
  getCreateAssociatedTokenIdempotentInstruction,
  getSetAuthorityInstruction,
  getTransferInstruction,
} from '@solana-program/token';
import { describe, expect, test } from 'vitest';
import {
  assertTransactionMatches,
  isHeavenError,
  type TransactionIntent,
  type TransactionMismatchReason,
} from '../../src/index.js';
import {
  findProtocolConfigAddress,
  HEAVEN_PROGRAM_ADDRESS,
  TOKEN_2022_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
  WRAPPED_SOL_MINT_ADDRESS,
} from '../../src/program/index.js';
import { encodeLookupTable } from '../../src/testing/index.js';
import { type Parts, partsOf, unsigned } from '../review/signed-support.js';
import {
  asMutable,
  associated,
  buildLocally,
  createWorld,
  type Draft,
  intentsIn,
  LOOKUP_TABLE_PROGRAM,
  MEMO_PROGRAM,
  type Mutable,
  putTogether,
  signer,
  type Tamper,
  tableOf,
  takeApart,
  wallet,
} from '../review/support.js';
import { fc } from '../support/properties.js';

const world = await createWorld();
const { client, ledger, payer, other, attacker, mint } = world;
const { creator, pro } = ledger.pools;
const intents = await intentsIn(world);

const community = ledger.lookupTables.community;
const LAUNCH_TABLE = tableOf(ledger, community);
const STRANGER = (await wallet(80)).address;
const UNKNOWN_PROGRAM = (await wallet(81)).address;
const NONCE = (await wallet(82)).address;
const attackersTokens = await associated(attacker, creator.mint, creator.tokenProgram);
const attackersWrapped = await associated(attacker, WRAPPED_SOL_MINT_ADDRESS, TOKEN_PROGRAM_ADDRESS);
const attackersProTokens = await associated(attacker, pro.mint, pro.tokenProgram);
const payersWrapped = await associated(payer, WRAPPED_SOL_MINT_ADDRESS, TOKEN_PROGRAM_ADDRESS);
const payersTokens = await associated(payer, creator.mint, creator.tokenProgram);
const otherConfig = await findProtocolConfigAddress({ version: 1 });

// ---------------------------------------------------------------- ways to tamper

const add =
  (index: number, ...instructions: readonly Instruction[]): Tamper =>
  ({ instructions: list }) =>
    void list.splice(index < 0 ? list.length : index, 0, ...instructions.map(asMutable));
const again =
  (index: number): Tamper =>
  ({ instructions }) =>
    void instructions.push(structuredClone(instructions[index]!));
const drop =
  (index: number): Tamper =>
  ({ instructions }) =>
    void instructions.splice(index, 1);
const replace =
  (index: number, instruction: Instruction): Tamper =>
  ({ instructions }) =>
    void instructions.splice(index, 1, asMutable(instruction));
const swap =
  (one: number, two: number): Tamper =>
  ({ instructions }) => {
    [instructions[one], instructions[two]] = [instructions[two]!, instructions[one]!];
  };
const at = (draft: Draft, index: number): Mutable => draft.instructions[index]!;
const account =
  (index: number, position: number, address: Address): Tamper =>
  (draft) => {
    at(draft, index).accounts[position]!.address = address;
  };
const everywhere =
  (from: Address, to: Address): Tamper =>
  (draft) => {
    for (const { accounts } of draft.instructions)
      for (const meta of accounts) if (meta.address === from) meta.address = to;
  };
const role =
  (index: number, position: number, to: AccountRole): Tamper =>
  (draft) => {
    at(draft, index).accounts[position]!.role = to;
  };
const u64 =
  (index: number, offset: number, change: (value: bigint) => bigint): Tamper =>
  (draft) => {
    const view = new DataView(at(draft, index).data.buffer);
    view.setBigUint64(offset, change(view.getBigUint64(offset, true)), true);
  };
const byte =
  (index: number, offset: number, value: number): Tamper =>
  (draft) => {
    at(draft, index).data[offset] = value;
  };
const longer =
  (index: number, ...bytes: readonly number[]): Tamper =>
  (draft) => {
    at(draft, index).data = Uint8Array.from([...at(draft, index).data, ...bytes]);
  };
const program =
  (index: number, address: Address): Tamper =>
  (draft) => {
    at(draft, index).programAddress = address;
  };
const text =
  (index: number, from: string, to: string): Tamper =>
  (draft) => {
    const { data } = at(draft, index);
    const [wanted, put] = [from, to].map((value) => [...new TextEncoder().encode(value)]);
    expect(put!.length).toBe(wanted!.length);
    const start = data.findIndex((_, offset) =>
      wanted!.every((each, place) => data[offset + place] === each),
    );
    expect(start).toBeGreaterThan(0);
    data.set(put!, start);
  };
const all =
  (...tampers: readonly Tamper[]): Tamper =>
  async (draft) => {
    for (const tamper of tampers) await tamper(draft);
  };

const transfer = (amount = 1_000_000n, source = payer, destination = attacker) =>
  getTransferSolInstruction({ source: signer(source), destination, amount });
const memo: Instruction = {
  programAddress: MEMO_PROGRAM,
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
const takeOver = getSetAuthorityInstruction(
  {
    owned: payersTokens,
    owner: signer(payer),
    authorityType: AuthorityType.AccountOwner,
    newAuthority: attacker,
  },
  { programAddress: TOKEN_2022_PROGRAM_ADDRESS },
);
const closeTokens = getCloseAccountInstruction(
  { account: payersTokens, destination: attacker, owner: signer(payer) },
  { programAddress: TOKEN_2022_PROGRAM_ADDRESS },
);
const nonce = getAdvanceNonceAccountInstruction({ nonceAccount: NONCE, nonceAuthority: signer(payer) });

// ---------------------------------------------------------------- what is tampered with

// A buy: 0 limit, 1 price, 2 wrapped SOL account, 3 transfer, 4 sync, 5 token account, 6 buy, 7 close.
// A sell: 0 limit, 1 price, 2 wrapped SOL account, 3 sell, 4 close.
// A launch: 0 limit, 1 price, 2 mint and metadata, 3 token account, 4 mint to, 5 mint authority, 6 freeze authority, 7 pool.
type Case = readonly [
  name: string,
  intent: string,
  tamper: Tamper,
  reason: TransactionMismatchReason,
  instruction: number | undefined,
];

const CASES: readonly Case[] = [
  // Other recipients.
  ['the tokens of a buy go to another', 'buy', account(6, 8, attackersTokens), 'account', 6],
  ['the SOL of a sell goes to another', 'sell', account(3, 9, attackersWrapped), 'account', 3],
  ['the wrapping pays another', 'buy', account(3, 1, attackersWrapped), 'account', 3],
  ['the wrapped SOL is closed to another', 'buy', account(7, 1, attacker), 'account', 7],
  ["a sell's wrapped SOL is closed to another", 'sell, temporary', account(5, 1, attacker), 'account', 5],
  [
    'the token account is made for another',
    'buy',
    all(account(5, 1, attackersTokens), account(5, 2, attacker)),
    'account',
    5,
  ],
  ['a claim pays another', 'claim', account(4, 9, attackersWrapped), 'account', 4],
  ['a withdrawal pays tokens to another', 'withdrawal', account(4, 9, attackersProTokens), 'account', 4],
  ['a withdrawal pays SOL to another', 'withdrawal', account(4, 10, attackersWrapped), 'account', 4],
  ['LP tokens go to another', 'LP transfer', account(2, 4, attacker), 'account', 2],
  ['a deposit is credited to another position', 'deposit', account(5, 14, STRANGER), 'account', 5],
  ['the creator fees go to another', 'fee receiver', account(4, 14, attacker), 'account', 4],
  ["a launch's supply is minted to another", 'launch', account(5, 1, attackersTokens), 'account', 5],
  ["a launch's purchase goes to another", 'launch', account(8, 7, attackersTokens), 'account', 8],
  ['the tip goes to another', 'buy with a tip', account(8, 1, attacker), 'account', 8],
  ["a claim's tokens go to another", 'claim', account(4, 8, attackersTokens), 'account', 4],
  // Other accounts.
  [
    "the user's two accounts change places",
    'buy',
    all(account(6, 8, payersWrapped), account(6, 9, payersTokens)),
    'account',
    6,
  ],
  ['a buy spends from another account', 'buy', account(6, 9, world.wrapped), 'account', 6],
  ['a sell sells from another account', 'sell', account(3, 8, world.tokens), 'account', 3],
  ['the pool is a look-alike', 'buy', account(6, 4, STRANGER), 'account', 6],
  ['the vault is a look-alike', 'buy', account(6, 11, STRANGER), 'account', 6],
  ['the config is another', 'buy', account(6, 12, otherConfig), 'account', 6],
  ['the price feed is another', 'buy', account(6, 15, STRANGER), 'account', 6],
  ['the mint is another', 'buy', account(6, 6, pro.mint), 'account', 6],
  ['the account to be made is not the associated one', 'buy', account(5, 1, STRANGER), 'account', 5],
  [
    'the wrapping takes the SOL of another',
    'pro buy for another, associated',
    account(3, 0, payer),
    'account',
    3,
  ],
  [
    'a trade is for the payer, not the source',
    'pro sell for another, none',
    account(3, 5, payer),
    'account',
    3,
  ],
  [
    'a buy gets one account more',
    'buy',
    (draft) => void at(draft, 6).accounts.push({ address: STRANGER, role: AccountRole.READONLY }),
    'account',
    6,
  ],
  ['a tip loses its mark', 'buy with a tip', (draft) => void at(draft, 8).accounts.pop(), 'account', 8],
  ['a buy gets one account less', 'buy', (draft) => void at(draft, 6).accounts.pop(), 'account', 6],
  ['another pool is switched', 'toggle swap', account(2, 0, STRANGER), 'account', 2],
  ["a launch's creator is another", 'launch', everywhere(other, attacker), 'account', 3],
  ["a launch's metadata belong to another", 'launch', account(3, 5, attacker), 'account', 3],
  ["a launch's metadata are elsewhere", 'launch', account(3, 0, STRANGER), 'account', 3],
  [
    'a temporary account is not what its seed says',
    'buy, temporary',
    (draft) => everywhere(at(draft, 2).accounts[1]!.address, STRANGER)(draft),
    'account',
    2,
  ],
  [
    "a temporary account is another's",
    'buy, temporary',
    async (draft) => {
      const { data, accounts } = at(draft, 2);
      const seed = new TextDecoder().decode(data.slice(44, 64));
      data.set(getAddressEncoder().encode(attacker), 4);
      await everywhere(
        accounts[1]!.address,
        await createAddressWithSeed({ baseAddress: attacker, programAddress: TOKEN_PROGRAM_ADDRESS, seed }),
      )(draft);
    },
    'account',
    2,
  ],
  // Amounts.
  ['a buy spends more', 'buy', u64(6, 8, (value) => value + 1n), 'data', 6],
  ['a buy spends all', 'buy', u64(6, 8, () => 0xffff_ffff_ffff_ffffn), 'data', 6],
  ['more is wrapped', 'buy', u64(3, 4, (value) => value * 10n), 'data', 3],
  ['a temporary account gets more', 'buy, temporary', u64(2, 64, (value) => value + 1_000_000n), 'data', 2],
  ['a sell sells more', 'sell', u64(3, 8, (value) => value * 2n), 'data', 3],
  ['a deposit takes more tokens', 'deposit', u64(5, 8, (value) => value + 1n), 'data', 5],
  ['a deposit takes more SOL', 'deposit', u64(5, 16, (value) => value + 1n), 'data', 5],
  ['a withdrawal burns more', 'withdrawal', u64(4, 8, (value) => value + 1n), 'data', 4],
  ['more LP tokens are given away', 'LP transfer', u64(2, 8, (value) => value * 2n), 'data', 2],
  ['a claim is for another amount', 'claim, associated', u64(4, 8, () => 0n), 'data', 4],
  ['a launch buys less', 'launch', u64(8, 23, (value) => value - 1n), 'data', 8],
  ['more is minted', 'launch', u64(5, 1, (value) => value + 1n), 'data', 5],
  ['a pool is seeded with more', 'pro creation', u64(2, 32, (value) => value + 1n), 'data', 2],
  [
    'a tip of the user is larger',
    'buy with instructions of its own',
    u64(10, 4, (value) => value * 100n),
    'data',
    10,
  ],
  ['a launch may spend more', 'launch with a limit', u64(8, 31, (value) => value + 1n), 'data', 8],
  ['the tip is larger', 'buy with a tip', u64(8, 4, (value) => value + 1n), 'data', 8],
  // Minimums.
  ['a buy has a lower minimum', 'buy', u64(6, 16, (value) => value - 1n), 'data', 6],
  ['a sell has no minimum', 'sell', u64(3, 16, () => 0n), 'data', 3],
  ['a deposit has a lower minimum', 'deposit', u64(5, 24, () => 0n), 'data', 5],
  ['a withdrawal has a lower minimum', 'withdrawal', u64(4, 24, () => 0n), 'data', 4],
  // Instructions too many.
  ['a transfer in front', 'buy', add(0, transfer()), 'extra-instruction', 0],
  ['a transfer behind', 'buy', add(-1, transfer()), 'extra-instruction', 8],
  ['a transfer in the middle', 'buy', add(4, transfer()), 'extra-instruction', 4],
  [
    'a token transfer',
    'sell',
    add(
      3,
      getTransferInstruction(
        { source: payersTokens, destination: attackersTokens, authority: signer(payer), amount: 1n },
        { programAddress: TOKEN_2022_PROGRAM_ADDRESS },
      ),
    ),
    'extra-instruction',
    3,
  ],
  ['a memo', 'buy', add(-1, memo), 'extra-instruction', 8],
  ['an account is closed', 'buy', add(7, closeTokens), 'extra-instruction', 7],
  ['an unknown program', 'buy', add(6, unknown), 'extra-instruction', 6],
  [
    'an account for another is paid for',
    'buy',
    add(
      6,
      getCreateAssociatedTokenIdempotentInstruction({
        payer: signer(payer),
        ata: attackersTokens,
        owner: attacker,
        mint: creator.mint,
        tokenProgram: creator.tokenProgram,
      }),
    ),
    'extra-instruction',
    6,
  ],
  [
    'the buy twice',
    'buy',
    (draft) => void draft.instructions.splice(7, 0, structuredClone(at(draft, 6))),
    'extra-instruction',
    7,
  ],
  [
    'the transfer twice',
    'buy',
    (draft) => void draft.instructions.splice(4, 0, structuredClone(at(draft, 3))),
    'extra-instruction',
    4,
  ],
  ["the user's tip twice", 'buy with instructions of its own', again(10), 'extra-instruction', 11],
  ['a launch creates two pools', 'launch', again(8), 'extra-instruction', 9],
  ['a pro creation creates two pools', 'pro creation', again(2), 'extra-instruction', 3],
  [
    'a sell behind the buy',
    'buy',
    add(-1, {
      programAddress: HEAVEN_PROGRAM_ADDRESS,
      accounts: [{ address: payer, role: AccountRole.WRITABLE_SIGNER }],
      data: Uint8Array.of(0x33, 0xe6, 0x85, 0xa4, 0x01, 0x7f, 0x83, 0xad),
    }),
    'extra-instruction',
    8,
  ],
  // Rights.
  ['an approval', 'buy', add(-1, approve), 'extra-instruction', 8],
  ['an approval instead of the closing', 'buy', replace(7, approve), 'program', 7],
  ['a change of the authority', 'sell', add(2, takeOver), 'extra-instruction', 2],
  [
    "the wallet's own program is changed",
    'buy',
    add(6, getAssignInstruction({ account: signer(payer), programAddress: UNKNOWN_PROGRAM })),
    'extra-instruction',
    6,
  ],
  [
    "a launch's mint authority goes to another",
    'launch',
    (draft) => {
      at(draft, 6).data = Uint8Array.of(
        6,
        AuthorityType.MintTokens,
        1,
        ...getAddressEncoder().encode(attacker),
      );
    },
    'data',
    6,
  ],
  [
    "a launch's freeze authority is given up twice, its mint authority never",
    'launch',
    byte(6, 1, AuthorityType.FreezeAccount),
    'data',
    6,
  ],
  ['a launch does not prove its mint to be new', 'launch', drop(2), 'mint-may-exist', 2],
  ['a launch proves its mint to be new too late', 'launch', swap(2, 3), 'mint-may-exist', 2],
  ["a launch proves a stranger's address to be new", 'launch', account(2, 0, STRANGER), 'mint-may-exist', 3],
  ['a launch gives its mint room for data', 'launch', byte(2, 4, 82), 'mint-may-exist', 3],
  // Instructions too few, and their order.
  ['the closing is missing', 'buy', drop(7), 'missing-instruction', 7],
  ['the tip is missing', 'buy with a tip', drop(8), 'missing-instruction', 8],
  ['the token account is missing', 'buy', drop(5), 'missing-instruction', 5],
  ["a launch's mint authority is kept", 'launch', drop(6), 'missing-instruction', 6],
  ['nothing is left', 'toggle swap', drop(2), 'missing-instruction', 2],
  ['the closing comes before the buy', 'buy', swap(6, 7), 'program', 6],
  ['a launch gives its authorities up in another order', 'launch', swap(6, 7), 'data', 6],
  ['the budget comes last', 'toggle swap', swap(0, 2), 'program', 0],
  // Programs.
  ['another program in place of the exchange', 'buy', program(6, UNKNOWN_PROGRAM), 'program', 6],
  ['another token program', 'buy', program(7, TOKEN_2022_PROGRAM_ADDRESS), 'program', 7],
  ['another metadata program', 'launch', program(3, UNKNOWN_PROGRAM), 'program', 3],
  ['an unknown instruction in place of the closing', 'buy', replace(7, unknown), 'program', 7],
  // Data.
  ['data with bytes behind it', 'buy', longer(6, 0), 'data', 6],
  ['a transfer with bytes behind it', 'buy', longer(3, 1, 2, 3), 'data', 3],
  ['other event data', 'buy', text(6, 'ref:42', 'ref:43'), 'data', 6],
  [
    "a sell in the buy's place",
    'pro buy',
    (draft) => at(draft, 6).data.set([0x66, 0x06, 0x3d, 0x12, 0x01, 0xda, 0xeb, 0xea]),
    'data',
    6,
  ],
  ['a switch the other way', 'toggle swap', byte(2, 8, 1), 'data', 2],
  [
    'deposits are switched instead of swaps',
    'toggle swap',
    (draft) => at(draft, 2).data.set([0xa0, 0x89, 0x80, 0xcc, 0x2a, 0xb3, 0x66, 0xca]),
    'data',
    2,
  ],
  ['other fees', 'LP fee', byte(2, 16, 0xff), 'data', 2],
  ['another name', 'launch', text(3, 'A t', 'B t'), 'data', 3],
  ['another URI', 'launch', text(3, 'https://example.com', 'https://example.net'), 'data', 3],
  [
    'metadata that can be changed',
    'launch',
    (draft) => {
      const { data } = at(draft, 3);
      data[data.length - 10] = 1;
    },
    'data',
    3,
  ],
  ['another config version', 'launch', byte(8, 8, 2), 'data', 8],
  [
    'a feature is switched',
    'pro creation',
    (draft) => {
      const { data } = at(draft, 2);
      data[data.length - 1] = 0;
    },
    'data',
    2,
  ],
  ['a memo of the user says something else', 'buy with instructions of its own', byte(2, 0, 72), 'data', 2],
  ['the create-if-missing becomes one that fails', 'buy', byte(5, 0, 0), 'data', 5],
  // The compute budget.
  ['a price a thousand times as high', 'buy', u64(1, 1, (value) => value * 1000n), 'compute-budget', 1],
  ['a price higher by one', 'buy with a budget', u64(1, 1, (value) => value + 1n), 'compute-budget', 1],
  [
    'a higher limit',
    'buy',
    replace(0, getSetComputeUnitLimitInstruction({ units: 1_400_000 })),
    'compute-budget',
    0,
  ],
  [
    'a price where none was wanted',
    'buy without a budget',
    add(0, getSetComputeUnitPriceInstruction({ microLamports: 1n })),
    'compute-budget',
    0,
  ],
  ['the limit is missing', 'buy', drop(0), 'compute-budget', 0],
  ['a heap', 'buy', add(2, getRequestHeapFrameInstruction({ bytes: 65_536 })), 'compute-budget', 2],
  // The transaction as a whole.
  [
    'another fee payer',
    'buy',
    (draft) => {
      draft.feePayer = attacker;
    },
    'fee-payer',
    undefined,
  ],
  [
    'the other wallet pays',
    'pro buy for another, none',
    (draft) => {
      draft.feePayer = other;
    },
    'fee-payer',
    undefined,
  ],
  ['a durable nonce', 'buy', add(0, nonce), 'extra-instruction', 0],
  ["a durable nonce in the budget's place", 'buy', replace(0, nonce), 'program', 0],
  ['a nonce further back', 'buy', add(3, nonce), 'extra-instruction', 3],
  [
    'a legacy transaction',
    'buy',
    (draft) => {
      draft.version = 'legacy';
    },
    'version',
    undefined,
  ],
  ['one more signer', 'buy', role(6, 12, AccountRole.WRITABLE_SIGNER), 'signer', undefined],
  ['the mint of a buy as a signer', 'buy', role(6, 6, AccountRole.READONLY_SIGNER), 'signer', undefined],
  [
    'the creator need not sign',
    'launch',
    (draft) => {
      for (const { accounts } of draft.instructions)
        for (const meta of accounts) if (meta.address === other) meta.role = AccountRole.READONLY;
    },
    'signer',
    undefined,
  ],
  ['a mint that can be written to', 'buy', role(6, 6, AccountRole.WRITABLE), 'writable', undefined],
  ['a price feed that can be written to', 'buy', role(6, 15, AccountRole.WRITABLE), 'writable', undefined],
  ['a pool that cannot be written to', 'buy', role(6, 4, AccountRole.READONLY), 'writable', undefined],
];

const bytesOf = (tx: string) => Uint8Array.from(getBase64Encoder().encode(tx));
const textOf = (bytes: Uint8Array) => getBase64Decoder().decode(bytes);

async function refusal(tx: string, intent: TransactionIntent, lookupTables = {}) {
  try {
    await assertTransactionMatches(tx, intent, { client, lookupTables });
  } catch (error) {
    if (isHeavenError(error)) return error;
    throw error;
  }
  throw new Error('It passes.');
}

const originals = new Map<string, string>();
async function originalOf(name: string): Promise<string> {
  if (!originals.has(name)) originals.set(name, (await buildLocally(client, intents[name]!)).tx);
  return originals.get(name)!;
}

const tablesOf = (name: string) => (name.startsWith('launch') ? LAUNCH_TABLE : {});
const draftOf = async (name: string) => takeApart(await originalOf(name), tablesOf(name));
/** The mint signs whatever an attacker makes of a launch: it is the attacker's. */
const signersOf = (name: string) => (name.startsWith('launch') ? [mint] : []);

describe('rejects a tampered transaction:', () => {
  test('has enough cases', () => {
    expect(CASES.length).toBeGreaterThanOrEqual(100);
    expect(new Set(CASES.map(([name]) => name)).size).toBe(CASES.length);
  });

  test.each(CASES)('%s', async (_, name, tamper, reason, instruction) => {
    // The honest twin: taken apart and put together again.
    const honest = await putTogether(await draftOf(name), signersOf(name));
    await assertTransactionMatches(honest, intents[name]!, { client });
    const draft = await draftOf(name);
    await tamper(draft);
    const error = await refusal(await putTogether(draft, signersOf(name)), intents[name]!);
    expect({ code: error.code, message: error.message, context: error.context }).toEqual({
      code: 'transaction-mismatch',
      message: expect.stringMatching(
        /^This is not the transaction that was asked for.*: .*\. Don't sign it\.$/s,
      ),
      context: expect.objectContaining({ reason }),
    });
    expect((error.context as { instruction?: number }).instruction).toBe(instruction);
  });
});

test.each<[string, Tamper, object]>([
  ['buy', account(6, 8, attackersTokens), { field: 'userTokenAVault', found: attackersTokens }],
  ['buy', account(3, 1, attackersWrapped), { field: 'destination', found: attackersWrapped }],
  ['buy', u64(6, 8, () => 7n), { field: 'maxSolSpend', asked: 1_500_000_000n, found: 7n }],
  ['sell', u64(3, 16, () => 0n), { field: 'minimumAmountOut', found: 0n }],
  ['launch', text(3, 'A t', 'B t'), { field: 'name', asked: 'A tøken', found: 'B tøken' }],
  ['buy with a tip', (draft) => void at(draft, 8).accounts.pop(), { field: 'account 3', found: undefined }],
  ['buy', longer(6, 0), { field: undefined, found: expect.any(Uint8Array) }],
])('the rejection of a tampered %s names the account or argument', async (name, tamper, context) => {
  const draft = await draftOf(name);
  await tamper(draft);
  const error = await refusal(await putTogether(draft, signersOf(name)), intents[name]!);
  expect({ field: undefined, ...error.context }).toMatchObject(context);
});

describe('rejects a tampered transaction of version 1:', () => {
  const config = {
    computeUnitLimit: 150_000,
    priorityFeeLamports: 1_500n,
    loadedAccountsDataSizeLimit: 3_000_000,
  };
  const { input } = intents.buy as Extract<TransactionIntent, { function: 'buildBuy' }>;
  const version1 = {
    transactionVersion: 1,
    computeUnitLimit: config.computeUnitLimit,
    computeUnitPrice: 10_000n,
    loadedAccountsDataSizeLimit: config.loadedAccountsDataSizeLimit,
  } as const;
  const intent = { function: 'buildBuy', input: { ...input, ...version1 } } as const;

  test.each<[string, (parts: Parts) => Parts, TransactionMismatchReason]>([
    [
      'a higher fee',
      (parts) => ({ ...parts, config: { ...config, priorityFeeLamports: 1_501n } }),
      'compute-budget',
    ],
    [
      'a higher limit',
      (parts) => ({ ...parts, config: { ...config, computeUnitLimit: 150_001 } }),
      'compute-budget',
    ],
    ['a heap', (parts) => ({ ...parts, config: { ...config, heapSize: 65_536 } }), 'compute-budget'],
    [
      'more room',
      (parts) => ({ ...parts, config: { ...config, loadedAccountsDataSizeLimit: 3_000_001 } }),
      'compute-budget',
    ],
    ['no config', (parts) => ({ ...parts, config: {} }), 'compute-budget'],
    ['version 0', (parts) => ({ ...parts, version: 0 }), 'version'],
    [
      'a transfer',
      (parts) => ({ ...parts, instructions: [...parts.instructions, asMutable(transfer())] }),
      'extra-instruction',
    ],
  ])('%s', async (_, change, reason) => {
    const parts = partsOf((await buildLocally(client, intent)).tx);
    expect(parts.config).toEqual(config);
    await assertTransactionMatches(unsigned(parts), intent, { client });
    const { code, context } = await refusal(unsigned(change(parts)), intent);
    expect({ code, context }).toMatchObject({ code: 'transaction-mismatch', context: { reason } });
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
      owner: LOOKUP_TABLE_PROGRAM,
      data: encodeLookupTable({ addresses, ...fields }),
    });
    return await putTogether(draft);
  }
  const nothing = () => {};
  const intent = intents.buy!;

  test('accepts the right table', async () => {
    await assertTransactionMatches(await through(believed, nothing), intent, { client });
  });

  test.each<[string, readonly Address[], Tamper, object, number | undefined]>([
    ['another account in its place', [STRANGER, creator.tokenAVault], nothing, {}, 6],
    ['two accounts that change places', [creator.tokenAVault, creator.pool], nothing, {}, 6],
    ["the attacker's account", believed, account(6, 8, attackersTokens), {}, 6],
    ['too few accounts', [creator.pool], nothing, {}, undefined],
    ['an account that is there already', [creator.mint, creator.tokenAVault], nothing, {}, undefined],
    ['the fee payer again', [payer, creator.tokenAVault], nothing, {}, undefined],
    ['nothing any more', believed, nothing, { deactivationSlot: 1n }, undefined],
  ])('%s', async (_, addresses, tamper, fields, instruction) => {
    const { code, context } = await refusal(await through(addresses, tamper, fields), intent);
    expect(code).toBe('transaction-mismatch');
    expect(context).toMatchObject({ reason: 'lookup-table' });
    expect((context as { instruction?: number }).instruction).toBe(instruction);
  });

  test('what is not a table, and a missing one', async () => {
    const tx = await through(believed, nothing);
    ledger.setAccount(TABLE, { owner: STRANGER, data: new Uint8Array(500) });
    expect((await refusal(tx, intent)).context).toMatchObject({ reason: 'lookup-table', found: TABLE });
    ledger.setAccount(TABLE, undefined);
    expect((await refusal(tx, intent)).context).toMatchObject({ reason: 'lookup-table', found: TABLE });
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

describe("rejects another seed of the user's own account", () => {
  const asked = (seed: string) => {
    const make = async () =>
      getCreateAccountWithSeedInstruction({
        payer: signer(payer),
        newAccount: await createAddressWithSeed({
          baseAddress: payer,
          programAddress: TOKEN_PROGRAM_ADDRESS,
          seed,
        }),
        base: payer,
        seed,
        amount: 2_039_280n,
        space: 165n,
        programAddress: TOKEN_PROGRAM_ADDRESS,
      });
    return make().then((instruction) => [instruction]);
  };

  test.each(['associated', 'temporary'] as const)('%s', async (wrapSol) => {
    const { input } = intents.buy as Extract<TransactionIntent, { function: 'buildBuy' }>;
    const intentWith = async (seed: string) =>
      ({ function: 'buildBuy', input: { ...input, wrapSol, before: await asked(seed) } }) as const;
    const mine = await intentWith('mine');
    const theirs = await buildLocally(client, await intentWith('their'));
    expect((await refusal(theirs.tx, mine)).context).toMatchObject({ reason: 'account', instruction: 2 });
    await assertTransactionMatches((await buildLocally(client, mine)).tx, mine, { client });
  });
});

describe('rejects changes on the wire:', () => {
  const withBytes = async (name: string, change: (bytes: number[]) => void) => {
    const bytes = [...bytesOf(await originalOf(name))];
    change(bytes);
    return textOf(Uint8Array.from(bytes));
  };
  const intentOf = (name: string) => intents[name]!;

  test.each<[string, (tx: string) => string]>([
    ['a byte behind it', (tx) => textOf(Uint8Array.from([...bytesOf(tx), 0]))],
    [
      'a whole transaction behind it',
      (tx) => textOf(Uint8Array.from([...bytesOf(tx), ...bytesOf(tx).slice(0, 200)])),
    ],
    ['a byte missing', (tx) => textOf(bytesOf(tx).slice(0, -1))],
    ['a space in front', (tx) => ` ${tx}`],
    ['a line break behind it', (tx) => `${tx}\n`],
    ['no padding', (tx) => (tx.endsWith('=') ? tx.replace(/=+$/, '') : `${tx}=`)],
    ['hexadecimal', (tx) => [...bytesOf(tx)].map((each) => each.toString(16).padStart(2, '0')).join('')],
    ['nothing', () => ''],
    ['words', () => 'not a transaction'],
    ['a megabyte', () => 'A'.repeat(1_048_576)],
    [
      'its accounts counted in two bytes',
      (tx) => {
        const bytes = [...bytesOf(tx)];
        const at = layoutOf(Uint8Array.from(bytes)).keys - 1;
        bytes.splice(at, 1, bytes[at]! | 0x80, 0);
        return textOf(Uint8Array.from(bytes));
      },
    ],
    [
      'a signature too many',
      (tx) => {
        const bytes = [...bytesOf(tx)];
        bytes.splice(1, 0, ...new Array(64).fill(0));
        bytes[0] = bytes[0]! + 1;
        return textOf(Uint8Array.from(bytes));
      },
    ],
    [
      'an account twice',
      (tx) => {
        const bytes = bytesOf(tx);
        const { keys } = layoutOf(bytes);
        bytes.set(bytes.slice(keys, keys + 32), keys + 32);
        return textOf(bytes);
      },
    ],
    [
      'a version of the future',
      (tx) => {
        const bytes = bytesOf(tx);
        bytes[layoutOf(bytes).message] = 0x82;
        return textOf(bytes);
      },
    ],
  ])('%s', async (_, change) => {
    const tx = await originalOf('buy');
    const { code, context } = await refusal(change(tx), intentOf('buy'));
    expect({ code, context }).toEqual({ code: 'malformed-data', context: { what: 'transaction' } });
  });

  test('what is not a string', async () => {
    for (const tx of [undefined, null, 1, {}, new Uint8Array(3)]) {
      expect((await refusal(tx as never, intentOf('buy'))).code).toBe('malformed-data');
    }
  });

  test('its two signatures counted in two bytes', async () => {
    const tx = await withBytes('LP transfer', (bytes) => bytes.splice(0, 1, 0x82, 0));
    expect((await refusal(tx, intentOf('LP transfer'))).code).toBe('malformed-data');
  });

  test('a transaction of version 1', async () => {
    const draft = { ...(await draftOf('buy')), version: 1 as const };
    const tx = await putTogether(draft);
    expect((await refusal(tx, intentOf('buy'))).context).toMatchObject({
      reason: 'version',
      asked: 0,
      found: 1,
    });
    const nonsense = textOf(Uint8Array.from([0x81, 1, 0, 1, ...new Array(300).fill(0)]));
    expect((await refusal(nonsense, intentOf('buy'))).code).toBe('malformed-data');
  });

  test('swapped signers, so that the other pays', async () => {
    const tx = await withBytes('pro buy for another, none', (bytes) => {
      const { keys } = layoutOf(Uint8Array.from(bytes));
      const payerKey = bytes.slice(keys, keys + 32);
      bytes.splice(keys, 32, ...bytes.slice(keys + 32, keys + 64));
      bytes.splice(keys + 32, 32, ...payerKey);
    });
    const { context } = await refusal(tx, intentOf('pro buy for another, none'));
    expect(context).toMatchObject({ reason: 'fee-payer', asked: payer, found: other });
  });

  test('an account without a role, signing or not', async () => {
    const key = [...getAddressEncoder().encode(STRANGER)];
    const idle = await withBytes('buy', (bytes) => {
      const { keys, accounts, header } = layoutOf(Uint8Array.from(bytes));
      bytes.splice(keys + accounts * 32, 0, ...key);
      bytes[keys - 1] = accounts + 1;
      bytes[header + 2] = bytes[header + 2]! + 1;
    });
    expect((await refusal(idle, intentOf('buy'))).context).toEqual({ reason: 'account', found: 'READONLY' });
    const draft = await draftOf('buy');
    draft.instructions[6]!.accounts.push({ address: STRANGER, role: AccountRole.READONLY_SIGNER });
    const bytes = [...bytesOf(await putTogether(draft))];
    // The instruction takes it no more, and it still signs.
    const buy = bytes.findIndex((_, index) =>
      [0x66, 0x06, 0x3d, 0x12].every((each, place) => bytes[index + place] === each),
    );
    const dataLength = buy - 1;
    expect(bytes[dataLength - 18]).toBe(17);
    bytes.splice(dataLength - 1, 1);
    bytes[dataLength - 18] = 16;
    expect((await refusal(textOf(Uint8Array.from(bytes)), intentOf('buy'))).context).toEqual({
      reason: 'signer',
      found: 'READONLY_SIGNER',
    });
  });

  test('signatures that are not valid', async () => {
    const forged = await withBytes('buy', (bytes) => bytes.fill(7, 1, 65));
    expect((await refusal(forged, intentOf('buy'))).context).toEqual({ reason: 'signature', found: payer });
    const signed = bytesOf(await putTogether(await draftOf('buy'), [await wallet(1)]));
    await assertTransactionMatches(textOf(signed), intentOf('buy'), { client });
    signed[layoutOf(signed).blockhash]! ^= 1;
    expect((await refusal(textOf(signed), intentOf('buy'))).context).toEqual({
      reason: 'signature',
      found: payer,
    });
  });

  test("a launch that its mint has not signed, or not as it stands, or that is another's mint", async () => {
    const unsigned = await putTogether(await draftOf('launch'));
    expect((await refusal(unsigned, intentOf('launch'))).context).toEqual({
      reason: 'signature',
      asked: mint.address,
    });
    const old = await withBytes('launch', (bytes) => {
      const { blockhash } = layoutOf(Uint8Array.from(bytes));
      bytes[blockhash] = bytes[blockhash]! ^ 1;
    });
    expect((await refusal(old, intentOf('launch'))).context).toEqual({
      reason: 'signature',
      found: mint.address,
    });

    const another = await wallet(90);
    const draft = await draftOf('launch');
    const { input } = intents.launch as Extract<
      TransactionIntent,
      { function: 'buildCreateStandardLiquidityPool' }
    >;
    const theirs = await buildLocally(client, {
      function: 'buildCreateStandardLiquidityPool',
      input: { ...input, mintSigner: another },
    });
    expect((await refusal(theirs.tx, intentOf('launch'))).context).toMatchObject({
      reason: 'account',
      instruction: 3,
      asked: mint.address,
      found: another.address,
    });
    const { mintSigner, ...asked } = input;
    const anyMint = { function: 'buildCreateStandardLiquidityPool', input: asked } as const;
    expect((await refusal(theirs.tx, anyMint)).context).toMatchObject({ reason: 'account', asked: '777' });
    const mintSuffix = another.address.slice(-2);
    await assertTransactionMatches(theirs.tx, { ...anyMint, mintSuffix }, { client });
    // A mint that is a wallet of the launch, or does not sign.
    await everywhere(mint.address, payer)(draft);
    expect((await refusal(await putTogether(draft), { ...anyMint, mintSuffix: '' })).context).toMatchObject({
      reason: 'account',
      found: payer,
    });
    const silent = await draftOf('launch');
    for (const { accounts } of silent.instructions)
      for (const meta of accounts) if (meta.address === mint.address) meta.role = AccountRole.WRITABLE;
    expect((await refusal(await putTogether(silent), intentOf('launch'))).context).toMatchObject({
      reason: 'signer',
      instruction: 3,
    });
  });
});

describe('a single bit', () => {
  test.each([
    'buy',
    'sell, temporary',
    'launch',
    'pro creation with everything',
    'LP transfer',
    'buy with instructions of its own',
  ])('flipped in a transaction is always rejected: %s', async (name) => {
    const good = bytesOf(await originalOf(name));
    const { blockhash } = layoutOf(good);
    const inBlockhash = (at: number) => at >= blockhash && at < blockhash + 32;
    await fc.assert(
      fc.asyncProperty(fc.nat(good.length - 1), fc.nat(7), async (at, bit) => {
        const bytes = good.slice();
        bytes[at]! ^= 1 << bit;
        const judged = assertTransactionMatches(textOf(bytes), intents[name]!, { client });
        // A mint has signed the block hash, too.
        if (inBlockhash(at) && name !== 'launch') return void (await judged);
        const error: unknown = await judged.then(
          () => undefined,
          (thrown: unknown) => thrown,
        );
        expect(isHeavenError(error)).toBe(true);
        expect(['transaction-mismatch', 'malformed-data']).toContain((error as { code?: string }).code);
      }),
      { numRuns: 200 },
    );
  });

  test('nor any byte of a buy replaced by any other', async () => {
    const good = bytesOf(await originalOf('buy'));
    const { blockhash } = layoutOf(good);
    for (let at = 0; at < good.length; at++) {
      if (at >= blockhash && at < blockhash + 32) continue;
      const bytes = good.slice();
      bytes[at] = (bytes[at]! + 1 + ((at * 7) % 255)) % 256;
      const error = await refusal(textOf(bytes), intents.buy!);
      expect(['transaction-mismatch', 'malformed-data']).toContain(error.code);
    }
  });

  test('nor does garbage pass, or crash', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 1300 }), async (bytes) => {
        expect((await refusal(textOf(bytes), intents.buy!)).code).toMatch(
          /malformed-data|transaction-mismatch/,
        );
      }),
    );
  });
});
