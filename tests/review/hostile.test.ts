import {
  AccountRole,
  type Address,
  createAddressWithSeed,
  getAddressEncoder,
  type Instruction,
} from '@solana/kit';
import { getSetComputeUnitPriceInstruction } from '@solana-program/compute-budget';
import * as system from '@solana-program/system';
import * as token from '@solana-program/token';
import { describe, expect, test } from 'vitest';

import { inspectTransaction } from '../../src/index.js';
import {
  findLpPositionAddress,
  SYSTEM_PROGRAM_ADDRESS,
  TOKEN_2022_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
  WRAPPED_SOL_MINT_ADDRESS,
} from '../../src/program/index.js';
import {
  associated,
  buildLocally,
  codesOf,
  createWorld,
  type Draft,
  intentsIn,
  type Mutable,
  payingIn,
  putTogether,
  signer,
  tableOf,
  takeApart,
} from './support.js';

// Transactions that steal without looking like it, each with its honest twin, and what the user sees.

const world = await createWorld();
const { client, ledger, payer, other, attacker, mint } = world;
const { creator, pro } = ledger.pools;
const intents = await intentsIn(world);
const { transactionOf } = payingIn(world);

const wrappedOf = (owner: Address) => associated(owner, WRAPPED_SOL_MINT_ADDRESS, TOKEN_PROGRAM_ADDRESS);
const MY_TOKENS = await associated(payer, creator.mint, creator.tokenProgram);
const ofTokenProgram = { programAddress: TOKEN_PROGRAM_ADDRESS };
const X = await createAddressWithSeed({ baseAddress: attacker, seed: 'x', ...ofTokenProgram });
const THEIR_WRAPPED = await wrappedOf(attacker);
const THEIR_TOKENS = await associated(attacker, creator.mint, creator.tokenProgram);
const THEIR_PRO_TOKENS = await associated(attacker, pro.mint, pro.tokenProgram);
const THEIR_POSITION = await findLpPositionAddress({ pool: pro.pool, user: attacker });
const THEIR_LAUNCHED = await associated(attacker, mint.address, TOKEN_2022_PROGRAM_ADDRESS);

/** What somebody does to a transaction so that an address is paid. */
type Tamper = (draft: Draft, to: Address) => void;

/** Gives one account of the exchange's instruction another address. */
const inExchange =
  (position: number): Tamper =>
  ({ instructions }, to) => {
    const isExchange = ({ programAddress }: Mutable) => programAddress === client.deployment.programAddress;
    instructions.find(isExchange)!.accounts[position]!.address = to;
  };
/** Gives one account of an instruction another address. */
const account =
  (index: number, position: number, role = AccountRole.WRITABLE): Tamper =>
  ({ instructions }, to) => {
    instructions[index]!.accounts[position] = { address: to, role };
  };
const draftFor = async (name: string) =>
  takeApart(
    (await buildLocally(client, intents[name]!)).tx,
    name.startsWith('launch') ? tableOf(ledger, ledger.lookupTables.community) : {},
  );

/** Where the user accounts stand in the exchange's instructions. */
const USER_A = 8;
const USER_B = 9;

/** The wallets whose side is taken. */
const OWNERS: Readonly<Record<string, Address>> = {
  claim: creator.creator,
  withdrawal: pro.creator,
  'withdrawal, temporary': pro.creator,
  deposit: pro.creator,
  'pro claim': pro.creator,
  'LP claim': pro.creator,
  'pro creation': other,
  launch: other,
};

type Row = readonly [
  what: string,
  honest: string,
  tamper: Tamper,
  /** Where the money may go; `temporary`: the account that the transaction creates with a seed. */
  to: Address | 'temporary',
  /** What goes there, in the words of the warning; where they depend on the cluster, without a client and with one. */
  said: string | readonly [string, string],
];

/** Makes the temporary account of a transaction somebody else's. */
const initializedForAttacker: Tamper = ({ instructions }) => {
  const initialize = instructions.find(({ data }) => data[0] === 18)!;
  initialize.data.set(getAddressEncoder().encode(attacker), 1);
};
const accountForAttacker: Tamper = ({ instructions }, to) => {
  const create = instructions[5]!;
  create.accounts[1]!.address = to;
  create.accounts[2] = { address: attacker, role: AccountRole.READONLY };
};
const closedToSigner = account(7, 1, AccountRole.WRITABLE_SIGNER);
const RENT: Row[4] = ['The rent of an account of 195 bytes', '0.00164084 SOL'];

const TAKEN: readonly Row[] = [
  ['a buy', 'buy', inExchange(USER_A), THEIR_TOKENS, 'At least '],
  ['a pro buy', 'pro buy', inExchange(USER_A), THEIR_PRO_TOKENS, 'At least '],
  ['a sell', 'sell', inExchange(USER_B), THEIR_WRAPPED, 'At least '],
  ['a sell without unwrapping', 'sell, none', inExchange(USER_B), THEIR_WRAPPED, 'At least '],
  ['a pro sell', 'pro sell', inExchange(USER_B), THEIR_WRAPPED, 'At least '],
  ['a creator fee claim', 'claim', inExchange(USER_B), THEIR_WRAPPED, 'An amount of wrapped SOL'],
  ["a claim's tokens", 'claim', inExchange(USER_A), THEIR_TOKENS, 'An amount of the token'],
  ['a pro claim', 'pro claim', inExchange(USER_B), THEIR_WRAPPED, '0.000000007 of wrapped SOL'],
  ['an LP fee claim', 'LP claim', inExchange(8), THEIR_WRAPPED, 'An amount of wrapped SOL'],
  [
    "a withdrawal's tokens",
    'withdrawal',
    inExchange(9),
    THEIR_PRO_TOKENS,
    ['At least 1 units of', 'At least 0.000001 of'],
  ],
  ["a withdrawal's SOL", 'withdrawal', inExchange(10), THEIR_WRAPPED, 'At least 0.000000002 of wrapped'],
  ['a deposit', 'deposit', inExchange(14), THEIR_POSITION, 'At least 1 units of LP tokens'],
  ["a new pool's position", 'pro creation', inExchange(13), THEIR_POSITION, 'An amount of LP'],
  ["a launch's purchase", 'launch', inExchange(7), THEIR_LAUNCHED, '12,345,678.901234567 of'],
  ["a launch's supply", 'launch', account(5, 1), THEIR_LAUNCHED, '1,000,000,000 of'],
  ['what is wrapped', 'buy', account(3, 1), attacker, '1.5 SOL'],
  ['what is unwrapped', 'buy', account(7, 1), attacker, 'All SOL'],
  ['what a sell unwraps', 'sell', account(4, 1), attacker, 'All SOL'],
  ['what is unwrapped, to one who signs', 'buy', closedToSigner, attacker, 'All SOL'],
  ['the rent of a token account', 'buy', accountForAttacker, THEIR_TOKENS, RENT],
  ['a temporary account', 'buy, temporary', initializedForAttacker, 'temporary', '1.50148844 SOL'],
  ["a sell's temporary account", 'sell, temporary', initializedForAttacker, 'temporary', '0.00148844 SOL'],
];

/** What an inspection without a client says, and one with it. */
const inspectTwice = async (tx: string, options: object) => [
  await inspectTransaction(tx, options),
  await inspectTransaction(tx, { ...options, client }),
];

describe('money that goes to a stranger:', () => {
  test.each(TAKEN)('%s', async (_, name, tamper, where, said) => {
    const draft = await draftFor(name);
    const created = draft.instructions.find(
      ({ programAddress, data }) => programAddress === SYSTEM_PROGRAM_ADDRESS && data[0] === 3,
    );
    const to = where === 'temporary' ? created!.accounts[1]!.address : where;
    const signers = name === 'launch' ? [mint] : [];
    const options = { owner: OWNERS[name] ?? payer, lookupTables: draft.tables };
    for (const honest of await inspectTwice(await putTogether(draft, signers), options)) {
      expect(codesOf(honest)).not.toContain('unknown-recipient');
      expect(honest.credits.every(({ ownership }) => ownership.kind !== 'unknown')).toBe(true);
      expect(honest.summary.join('\n')).not.toContain('NOT known');
    }
    tamper(draft, to);
    const inspections = await inspectTwice(await putTogether(draft, signers), options);
    for (const [index, hostile] of inspections.entries()) {
      const warning = hostile.warnings.find(({ message }) => message.includes(`may go to ${to}:`));
      expect(warning?.code).toBe('unknown-recipient');
      expect(warning?.message).toContain(typeof said === 'string' ? said : said[index]);
      const whose = hostile.credits.find((credit) => credit.account === to)?.ownership;
      // As a signer, a stranger is known, and still a stranger.
      const signs = hostile.signers.some(({ address }) => address === attacker);
      expect(whose).toEqual(signs ? { kind: 'wallet', owner: attacker } : { kind: 'unknown' });
      const inWords = signs ? `the wallet of ${attacker}` : 'NOT known to belong to a signer';
      expect(hostile.summary.join('\n')).toContain(`${to}: ${inWords}.`);
    }
  });

  test('moving LP tokens warns unless the recipient is named', async () => {
    const { tx } = await buildLocally(client, intents['LP transfer']!);
    const codesFor = async (recipients: readonly Address[]) =>
      codesOf(await inspectTransaction(tx, { owner: pro.creator, client, recipients }));
    expect(await codesFor([])).toEqual(['unknown-recipient']);
    expect(await codesFor([other])).toEqual([]);
    expect(await codesFor([attacker])).toEqual(['unknown-recipient']);
  });

  test("another token account of the owner's is not known to be theirs, unless it is a recipient", async () => {
    const draft = await draftFor('sell');
    inExchange(USER_B)(draft, world.wrapped);
    const paid = await putTogether(draft);
    const recipients = [world.wrapped];
    for (const inspection of await inspectTwice(paid, { owner: payer }))
      expect(codesOf(inspection)).toEqual(['unknown-recipient']);
    for (const inspection of await inspectTwice(paid, { owner: payer, recipients }))
      expect(codesOf(inspection)).toEqual([]);
  });

  const own = signer(payer);
  const fromWrapped = { source: world.wrapped, authority: own };
  const toAttacker = { destination: attacker };
  const send = token.getTransferInstruction({ ...fromWrapped, destination: THEIR_WRAPPED, amount: 5n });
  const close = token.getCloseAccountInstruction({ account: world.wrapped, ...toAttacker, owner: own });
  const unwrap = token.getUnwrapLamportsInstruction({ ...fromWrapped, ...toAttacker, amount: 3n });
  const newAccount = { newAccount: signer(attacker), lamports: 9n, space: 0n, ...ofTokenProgram };
  const create = system.getCreateAccountInstruction({ payer: own, ...newAccount });
  test.each<[string, Instruction, to: Address]>([
    ['5 units of an unknown token', send, THEIR_WRAPPED],
    ['All SOL', close, attacker],
    ['0.000000003 SOL', unwrap, attacker],
    ['0.000000009 SOL', create, attacker],
  ])('%s by one instruction alone', async (said, instruction, to) => {
    const { warnings } = await inspectTransaction(await transactionOf([instruction]), { owner: payer });
    const message = expect.stringContaining(`${said} may go to ${to}`);
    expect(warnings).toEqual([{ code: 'unknown-recipient', instruction: 0, message }]);
  });
});

describe('rights and fees', () => {
  const MINE = signer(payer);
  const NEW = signer(mint.address);
  const inToken2022 = { programAddress: creator.tokenProgram };
  const ofMint = { mint: creator.mint };
  const minted = { ...ofMint, token: MY_TOKENS, mintAuthority: MINE, amount: 5n };
  const mintTo = token.getMintToInstruction(minted, inToken2022);
  const frozen = { ...ofMint, account: MY_TOKENS, owner: MINE };
  const freeze = token.getFreezeAccountInstruction(frozen, inToken2022);
  const newMint = { ...ofMint, decimals: 9, mintAuthority: payer, freezeAuthority: payer };
  const makeMint = token.getInitializeMint2Instruction(newMint, inToken2022);
  const toMyself = system.getTransferSolInstruction({ source: MINE, destination: payer, amount: 1n });
  const room = (space: bigint) => system.getAllocateInstruction({ newAccount: NEW, space });
  const give = system.getAssignInstruction({ account: NEW, ...ofTokenProgram });
  const tooHigh = getSetComputeUnitPriceInstruction({ microLamports: 8_333_333_334n });
  const justRight = getSetComputeUnitPriceInstruction({ microLamports: 8_333_333_333n });
  const delegation = { source: MY_TOKENS, delegate: attacker, owner: MINE, amount: 4n };
  const approve = token.getApproveInstruction(delegation, inToken2022);
  const revoke = token.getRevokeInstruction({ source: MY_TOKENS, owner: MINE }, inToken2022);

  test.each<[string, hostile: readonly Instruction[], honest: readonly Instruction[], code: string]>([
    ['a stranger who may take tokens', [approve], [revoke], 'delegation'],
    ['tokens minted with the right of the user', [mintTo], [makeMint, mintTo], 'tokens-minted'],
    ['an account frozen with the right of the user', [freeze], [makeMint, freeze], 'account-frozen'],
    ['room for data in an empty wallet', [room(1n)], [room(0n)], 'account-locked'],
    ['an empty wallet that is given to a program', [give], [toMyself], 'authority-change'],
    // Two instructions of builtins, 3,000 units each, at 8,333,333,334 micro-lamports: 50,000,001 lamports.
    ['a priority fee over 0.05 SOL', [toMyself, tooHigh], [toMyself, justRight], 'high-priority-fee'],
  ])('%s', async (_, hostile, honest, code) => {
    const expected = code === 'high-priority-fee' ? { code } : { code, instruction: 0 };
    for (const { warnings } of await inspectTwice(await transactionOf(honest), {}))
      expect(warnings).toEqual([]);
    for (const { warnings } of await inspectTwice(await transactionOf(hostile), {}))
      expect(warnings).toEqual([{ ...expected, message: expect.any(String) }]);
  });

  test.each([
    ['toggle withdraw', { enabled: false }, ['withdrawals-disabled']],
    ['toggle withdraw', { enabled: true }, []],
    ['pro creation', { features: { enableWithdrawLiquidity: false } }, ['withdrawals-disabled']],
    ['pro creation', { features: { enableSwap: false } }, []],
  ])('withdrawals that are switched off: %s with %o', async (name, change, codes) => {
    const intent = intents[name]!;
    const changed = { ...intent, input: { ...intent.input, ...change } } as typeof intent;
    const { tx } = await buildLocally(client, changed);
    expect(codesOf(await inspectTransaction(tx, { client }))).toEqual(codes);
  });
});

describe("accounts that are the owner's for a moment only", () => {
  const OWNER = signer(payer);
  const EVIL = signer(attacker);
  const MINT = { mint: WRAPPED_SOL_MINT_ADDRESS };
  const asTokenAccount = { amount: 2_039_280n, space: 165n, ...ofTokenProgram };
  const ofEvil = { payer: EVIL, newAccount: X, baseAccount: EVIL, base: attacker, seed: 'x' };
  const make = system.getCreateAccountWithSeedInstruction({ ...ofEvil, ...asTokenAccount });
  const newX = { payer: EVIL, newAccount: signer(X), lamports: 2_039_280n, space: 165n };
  const makeElsewhere = system.getCreateAccountInstruction({ ...newX, programAddress: mint.address });
  const toOwner = token.getInitializeAccount3Instruction({ account: X, ...MINT, owner: payer });
  const toEvil = token.getInitializeAccount3Instruction({ account: X, ...MINT, owner: attacker });
  const close = token.getCloseAccountInstruction({ account: X, destination: payer, owner: OWNER });
  const closeToEvil = token.getCloseAccountInstruction({ account: X, destination: attacker, owner: OWNER });
  const pay = system.getTransferSolInstruction({ source: OWNER, destination: X, amount: 100_000_000_000n });
  const fromX = { source: X, baseAccount: EVIL, fromSeed: 'x', fromOwner: SYSTEM_PROGRAM_ADDRESS };
  const taken = { destination: attacker, amount: 100_000_000_000n };
  const drain = system.getTransferSolWithSeedInstruction({ ...fromX, ...taken });
  const approve = token.getApproveInstruction({ source: X, delegate: attacker, owner: OWNER, amount: 1n });
  const ownership = { authorityType: token.AuthorityType.AccountOwner, newAuthority: attacker };
  const giveAway = token.getSetAuthorityInstruction({ owned: X, owner: OWNER, ...ownership });

  test.each<[string, readonly Instruction[], unknown: readonly number[]]>([
    ['made elsewhere, initialized for the owner, closed, then paid', [toOwner, close, pay], [2]],
    ['made, initialized for the owner, closed, then paid', [make, toOwner, close, pay], [3]],
    ['paid and drained before it is made', [pay, drain, make, toOwner], [0]],
    ['initialized for the owner after a payment', [pay, toOwner], [0]],
    ['made again for a stranger, then paid', [toOwner, close, make, toEvil, pay], [4]],
    ['initialized for a stranger', [make, toEvil, pay], [2]],
    ["made for a stranger's program, which could take it", [makeElsewhere, pay, toOwner, close], [1]],
    ['given to a stranger, then paid', [toOwner, giveAway, pay], [2]],
    ['of which a stranger may take some', [make, toOwner, approve, pay, close], [3]],
    ['closed to a stranger', [make, toOwner, pay, closeToEvil], [2, 3]],
    ['never closed', [make, toOwner, pay], [2]],
    ['the honest twin: initialized for the owner, paid, closed', [make, toOwner, pay, close], []],
  ])('%s', async (_, instructions, unknown) => {
    const tx = await transactionOf(instructions);
    for (const { warnings, credits } of await inspectTwice(tx, { owner: payer })) {
      const warned = warnings.filter(({ code }) => code === 'unknown-recipient');
      expect(warned.map(({ instruction }) => instruction)).toEqual(unknown);
      const isMine = credits.some(
        ({ account, ownership: its }) => account === X && its.kind !== 'unknown' && its.owner === payer,
      );
      expect(isMine).toBe(unknown.length === 0);
    }
  });
});

describe('what the owner allows without being the authority', () => {
  const codesFor = async (instructions: readonly Instruction[], feePayer = payer) =>
    codesOf(await inspectTransaction(await transactionOf(instructions, { feePayer }), { owner: payer }));

  test.each(['launch', 'pro creation'])('a %s that the owner pays for somebody else', async (name) => {
    const draft = await draftFor(name);
    const tx = await putTogether(draft, name === 'launch' ? [mint] : []);
    const options = { owner: payer, lookupTables: draft.tables };
    expect(codesOf(await inspectTransaction(tx, options))).toContain('unknown-recipient');
    expect(codesOf(await inspectTransaction(tx, { ...options, recipients: [other] }))).toEqual([]);
  });

  test.each([AccountRole.READONLY, AccountRole.READONLY_SIGNER])(
    'a multisig of the owner and a stranger, whose own role is %i',
    async (role) => {
      const writable = (address: Address) => ({ address, role: AccountRole.WRITABLE });
      const signing = (address: Address) => ({ address, role: AccountRole.READONLY_SIGNER });
      const transfer: Instruction = {
        programAddress: TOKEN_PROGRAM_ADDRESS,
        accounts: [
          ...[world.wrapped, THEIR_WRAPPED].map(writable),
          { address: mint.address, role },
          ...[payer, attacker].map(signing),
        ],
        data: Uint8Array.of(3, 5, 0, 0, 0, 0, 0, 0, 0),
      };
      const tx = await transactionOf([transfer]);
      for (const owner of [payer, undefined])
        expect(codesOf(await inspectTransaction(tx, { owner }))).toEqual(['unknown-recipient']);
    },
  );

  test("the owner's empty wallet is made an account of a program", async () => {
    const newAccount = signer(payer);
    const paid = { payer: signer(attacker), lamports: 890_880n, space: 0n };
    const give = system.getCreateAccountInstruction({ newAccount, ...paid, ...ofTokenProgram });
    const lock = system.getAllocateInstruction({ newAccount, space: 8n });
    expect(await codesFor([give, lock], attacker)).toEqual(['authority-change', 'account-locked']);
  });

  test('room of 0 bytes with a seed gives the account to a program', async () => {
    const bySeed = { newAccount: THEIR_TOKENS, baseAccount: signer(payer), base: payer, seed: 'x' };
    const allocate = system.getAllocateWithSeedInstruction({ ...bySeed, space: 0n, ...ofTokenProgram });
    expect(await codesFor([allocate])).toEqual(['authority-change']);
  });

  test('rent for a token account that is closed in favour of a stranger', async () => {
    const ofAttacker = { payer: signer(payer), ata: THEIR_WRAPPED, owner: attacker };
    const [mint, tokenProgram] = [WRAPPED_SOL_MINT_ADDRESS, TOKEN_PROGRAM_ADDRESS];
    const create = token.getCreateAssociatedTokenIdempotentInstruction({ ...ofAttacker, mint, tokenProgram });
    const [destination, owner] = [attacker, signer(attacker)];
    const close = token.getCloseAccountInstruction({ account: THEIR_WRAPPED, destination, owner });
    const sign = system.getTransferSolInstruction({ source: owner, destination, amount: 0n });
    expect(await codesFor([create, sign])).toEqual([]);
    expect(await codesFor([create, close])).toEqual(['unknown-recipient']);
  });

  test('metadata whose update authority is a stranger, and tokens of another kind', async () => {
    const draft = await draftFor('launch');
    const { accounts, data } = draft.instructions.find((each) => each.data[0] === 42)!;
    const options = { owner: other, lookupTables: draft.tables };
    const codes = async () => codesOf(await inspectTransaction(await putTogether(draft, [mint]), options));
    expect(await codes()).toEqual([]);
    accounts[5]!.address = attacker;
    expect(await codes()).toEqual(['authority-change']);
    accounts[5]!.address = other;
    // Behind it: collection, uses, details, rule set, decimals of two bytes, print supply.
    const standard = data.length - 8;
    expect(data[standard]).toBe(2);
    data[standard] = 0;
    expect(await codes()).toContain('anything');
  });
});
