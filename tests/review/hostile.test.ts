import {
  AccountRole,
  type Address,
  createAddressWithSeed,
  getAddressEncoder,
  type Instruction,
} from '@solana/kit';
import { getSetComputeUnitPriceInstruction } from '@solana-program/compute-budget';
import {
  getAllocateInstruction,
  getAllocateWithSeedInstruction,
  getAssignInstruction,
  getCreateAccountInstruction,
  getCreateAccountWithSeedInstruction,
  getTransferSolInstruction,
  getTransferSolWithSeedInstruction,
} from '@solana-program/system';
import {
  AuthorityType,
  getApproveInstruction,
  getCloseAccountInstruction,
  getCreateAssociatedTokenIdempotentInstruction,
  getFreezeAccountInstruction,
  getInitializeAccount3Instruction,
  getInitializeMint2Instruction,
  getMintToInstruction,
  getSetAuthorityInstruction,
  getTransferInstruction,
  getUnwrapLamportsInstruction,
} from '@solana-program/token';
import { beforeAll, describe, expect, test } from 'vitest';

import { assertTransactionMatches, inspectTransaction, type TransactionInspection } from '../../src/index.js';
import {
  findLpPositionAddress,
  SYSTEM_PROGRAM_ADDRESS,
  TOKEN_2022_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
  WRAPPED_SOL_MINT_ADDRESS,
} from '../../src/program/index.js';
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
  type Tamper,
  tableOf,
  takeApart,
} from './support.js';

// Transactions that steal without looking like it, each with its honest twin, and what the user sees.

const world = await createWorld();
const { client, ledger, payer, other, attacker, mint } = world;
const { creator, pro } = ledger.pools;
const intents = await intentsIn(world);

const wrappedOf = (owner: Address) => associated(owner, WRAPPED_SOL_MINT_ADDRESS, TOKEN_PROGRAM_ADDRESS);
const MY_TOKENS = await associated(payer, creator.mint, creator.tokenProgram);
const THEIR_WRAPPED = await wrappedOf(attacker);
const THEIR_TOKENS = await associated(attacker, creator.mint, creator.tokenProgram);
const THEIR_PRO_TOKENS = await associated(attacker, pro.mint, pro.tokenProgram);
const THEIR_POSITION = await findLpPositionAddress({ pool: pro.pool, user: attacker });
const THEIR_LAUNCHED = await associated(attacker, mint.address, TOKEN_2022_PROGRAM_ADDRESS);

/** Gives one account of the exchange's instruction another address. */
const inExchange =
  (position: number, address: Address): Tamper =>
  ({ instructions }) => {
    const index = instructions.findIndex(
      ({ programAddress }) => programAddress === client.deployment.programAddress,
    );
    instructions[index]!.accounts[position]!.address = address;
  };
const account =
  (index: number, position: number, address: Address, role = AccountRole.WRITABLE): Tamper =>
  ({ instructions }) => {
    instructions[index]!.accounts[position] = { address, role };
  };
const draftOf = async (name: string) =>
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

const TAKEN: readonly Row[] = [
  ['a buy pays a stranger', 'buy', inExchange(USER_A, THEIR_TOKENS), THEIR_TOKENS, 'At least '],
  [
    'a pro buy pays a stranger',
    'pro buy',
    inExchange(USER_A, THEIR_PRO_TOKENS),
    THEIR_PRO_TOKENS,
    'At least ',
  ],
  ['a sell pays a stranger', 'sell', inExchange(USER_B, THEIR_WRAPPED), THEIR_WRAPPED, 'At least '],
  [
    'a sell without unwrapping pays a stranger',
    'sell, none',
    inExchange(USER_B, THEIR_WRAPPED),
    THEIR_WRAPPED,
    'At least ',
  ],
  ['a pro sell pays a stranger', 'pro sell', inExchange(USER_B, THEIR_WRAPPED), THEIR_WRAPPED, 'At least '],
  [
    'a creator fee claim pays a stranger',
    'claim',
    inExchange(USER_B, THEIR_WRAPPED),
    THEIR_WRAPPED,
    'An amount of wrapped SOL',
  ],
  [
    "a claim's token account is a stranger's",
    'claim',
    inExchange(USER_A, THEIR_TOKENS),
    THEIR_TOKENS,
    'An amount of the token',
  ],
  [
    'a pro creator fee claim pays a stranger',
    'pro claim',
    inExchange(USER_B, THEIR_WRAPPED),
    THEIR_WRAPPED,
    '7 units of wrapped SOL',
  ],
  [
    'an LP fee claim pays a stranger',
    'LP claim',
    inExchange(8, THEIR_WRAPPED),
    THEIR_WRAPPED,
    'An amount of wrapped SOL',
  ],
  [
    'a withdrawal pays tokens to a stranger',
    'withdrawal',
    inExchange(9, THEIR_PRO_TOKENS),
    THEIR_PRO_TOKENS,
    'At least 1 units',
  ],
  [
    'a withdrawal pays SOL to a stranger',
    'withdrawal',
    inExchange(10, THEIR_WRAPPED),
    THEIR_WRAPPED,
    'At least 2 units of wrapped SOL',
  ],
  [
    "a deposit is a stranger's position",
    'deposit',
    inExchange(14, THEIR_POSITION),
    THEIR_POSITION,
    'At least 1 units of LP tokens',
  ],
  [
    "a new pool's position is a stranger's",
    'pro creation',
    inExchange(13, THEIR_POSITION),
    THEIR_POSITION,
    'An amount of LP tokens',
  ],
  [
    "a launch's purchase is a stranger's",
    'launch',
    inExchange(7, THEIR_LAUNCHED),
    THEIR_LAUNCHED,
    '12345678901234567 units',
  ],
  [
    "a launch's supply is minted to a stranger",
    'launch',
    account(5, 1, THEIR_LAUNCHED),
    THEIR_LAUNCHED,
    '1000000000000000000 units',
  ],
  ['what is wrapped goes to a stranger', 'buy', account(3, 1, attacker), attacker, '1.5 SOL'],
  ['what is unwrapped goes to a stranger', 'buy', account(7, 1, attacker), attacker, 'All SOL'],
  ['what a sell unwraps goes to a stranger', 'sell', account(4, 1, attacker), attacker, 'All SOL'],
  [
    'a stranger who signs, too, gets what is unwrapped',
    'buy',
    account(7, 1, attacker, AccountRole.WRITABLE_SIGNER),
    attacker,
    'All SOL',
  ],
  [
    "a token account is made for a stranger, at the user's cost",
    'buy',
    ({ instructions }) => {
      instructions[5]!.accounts[1]!.address = THEIR_TOKENS;
      instructions[5]!.accounts[2] = { address: attacker, role: AccountRole.READONLY };
    },
    THEIR_TOKENS,
    ['The rent of an account of 195 bytes', '0.00164084 SOL'],
  ],
  [
    'a temporary account is made for a stranger',
    'buy, temporary',
    ({ instructions }) => {
      const initialize = instructions.findIndex(({ data }) => data[0] === 18);
      instructions[initialize]!.data.set(getAddressEncoder().encode(attacker), 1);
    },
    'temporary',
    '1.50148844 SOL',
  ],
  [
    'a temporary account that is paid into is made for a stranger',
    'sell, temporary',
    ({ instructions }) => {
      const initialize = instructions.findIndex(({ data }) => data[0] === 18);
      instructions[initialize]!.data.set(getAddressEncoder().encode(attacker), 1);
    },
    'temporary',
    '0.00148844 SOL',
  ],
];

describe('money that goes to a stranger', () => {
  const told = ({ warnings }: TransactionInspection) =>
    warnings.map(({ code, message }) => `${code}: ${message}`);

  test.each(TAKEN)('%s', async (_, name, tamper, where, said) => {
    const owner = OWNERS[name] ?? payer;
    const draft = await draftOf(name);
    const created = draft.instructions.find(
      ({ programAddress, data }) => programAddress === SYSTEM_PROGRAM_ADDRESS && data[0] === 3,
    );
    const to = where === 'temporary' ? created!.accounts[1]!.address : where;
    const signers = name === 'launch' ? [mint] : [];
    for (const options of [{ owner }, { owner, client }, {}, { client }]) {
      const tx = await putTogether(draft, signers);
      const honest = await inspectTransaction(tx, { ...options, lookupTables: draft.tables });
      expect(told(honest).join('\n')).not.toContain('unknown-recipient');
      expect(honest.credits.every(({ ownership }) => ownership.kind !== 'unknown')).toBe(true);
      expect(honest.summary.join('\n')).not.toContain('NOT known');
    }
    await tamper(draft);
    for (const options of [{ owner }, { owner, client }, {}, { client }]) {
      const tx = await putTogether(draft, signers);
      const hostile = await inspectTransaction(tx, { ...options, lookupTables: draft.tables });
      const warning = told(hostile).find((line) => line.includes(`may go to ${to}:`));
      const words = typeof said === 'string' ? said : said[options.client === undefined ? 0 : 1];
      expect(warning).toContain(`unknown-recipient: ${words}`);
      const whose = hostile.credits.find((credit) => credit.account === to)?.ownership;
      // As a signer, a stranger is known, and still a stranger.
      const signs = hostile.signers.some(({ address }) => address === attacker);
      expect(whose).toEqual(signs ? { kind: 'wallet', owner: attacker } : { kind: 'unknown' });
      const inWords = signs ? `the wallet of ${attacker}` : 'NOT known to belong to a signer';
      expect(hostile.summary.join('\n')).toContain(`${to}: ${inWords}.`);
      await expect(assertTransactionMatches(tx, intents[name]!, { client })).rejects.toMatchObject({
        code: 'transaction-mismatch',
      });
    }
  });

  test.each(['buy', 'launch', 'LP transfer'])('a %s describes where money goes', async (name) => {
    const owner = OWNERS[name] ?? (name === 'LP transfer' ? pro.creator : payer);
    const draft = await draftOf(name);
    const tx = await putTogether(draft, name === 'launch' ? [mint] : []);
    const { summary, credits } = await inspectTransaction(tx, { owner, lookupTables: draft.tables });
    expect(credits.length).toBeGreaterThan(0);
    for (const { account } of credits)
      expect(summary.some((line) => line.includes(`may go to ${account}: `))).toBe(true);
  });

  test('moving LP tokens warns unless the recipient is named', async () => {
    const { tx } = await buildLocally(client, intents['LP transfer']!);
    const options = { owner: pro.creator, client };
    const told1 = told(await inspectTransaction(tx, options));
    expect(told1).toEqual([
      expect.stringContaining('unknown-recipient: 1000000 units of LP tokens may go to'),
    ]);
    expect(told(await inspectTransaction(tx, { ...options, recipients: [other] }))).toEqual([]);
    expect(told(await inspectTransaction(tx, { ...options, recipients: [attacker] }))).toEqual(told1);
  });

  test("another token account of the owner's is not known to be theirs, unless it is a recipient", async () => {
    const { tx } = await buildLocally(client, intents.sell!);
    const draft = takeApart(tx);
    inExchange(USER_B, world.wrapped)(draft);
    const paid = await putTogether(draft);
    for (const options of [{}, { client }]) {
      expect(told(await inspectTransaction(paid, { owner: payer, ...options }))).toEqual([
        expect.stringContaining('unknown-recipient'),
      ]);
      const meant = { owner: payer, recipients: [world.wrapped], ...options };
      expect((await inspectTransaction(paid, meant)).warnings).toEqual([]);
    }
  });
});

describe('rights and fees', () => {
  const MINE = signer(payer);
  const NEW = signer(mint.address);
  const inToken2022 = { programAddress: creator.tokenProgram };
  const mintTo = () =>
    getMintToInstruction(
      { mint: creator.mint, token: MY_TOKENS, mintAuthority: MINE, amount: 5n },
      inToken2022,
    );
  const freeze = () =>
    getFreezeAccountInstruction({ account: MY_TOKENS, mint: creator.mint, owner: MINE }, inToken2022);
  const makeMint = getInitializeMint2Instruction(
    { mint: creator.mint, decimals: 9, mintAuthority: payer, freezeAuthority: payer },
    inToken2022,
  );
  const toMyself = getTransferSolInstruction({ source: MINE, destination: payer, amount: 1n });

  test.each<
    [
      what: string,
      hostile: () => readonly Instruction[],
      honest: () => readonly Instruction[],
      string,
      string,
    ]
  >([
    [
      'tokens minted with the right of the user',
      () => [mintTo()],
      () => [makeMint, mintTo()],
      'tokens-minted',
      `${payer} lets 5 new units of ${creator.mint} be made.`,
    ],
    [
      'an account frozen with the right of the user',
      () => [freeze()],
      () => [makeMint, freeze()],
      'account-frozen',
      `${payer} freezes ${MY_TOKENS}: its tokens can't be moved until it is thawed.`,
    ],
    [
      'room for data in an empty wallet',
      () => [getAllocateInstruction({ newAccount: NEW, space: 1n })],
      () => [getAllocateInstruction({ newAccount: NEW, space: 0n })],
      'account-locked',
      `${mint.address} gets room for data: it can then neither pay fees nor transfer its SOL, which is lost if it is a wallet.`,
    ],
    [
      'an empty wallet that is given to a program',
      () => [getAssignInstruction({ account: NEW, programAddress: TOKEN_PROGRAM_ADDRESS })],
      () => [toMyself],
      'authority-change',
      `The OwnerProgram authority of ${mint.address} goes to ${TOKEN_PROGRAM_ADDRESS}.`,
    ],
    [
      'a priority fee over 0.05 SOL',
      // Two instructions of builtins, 3,000 units each, at 8,333,333,334 micro-lamports: 50,000,001 lamports.
      () => [toMyself, getSetComputeUnitPriceInstruction({ microLamports: 8_333_333_334n })],
      () => [toMyself, getSetComputeUnitPriceInstruction({ microLamports: 8_333_333_333n })],
      'high-priority-fee',
      'The priority fee of up to 0.050000001 SOL is over 0.05 SOL. Lower the compute unit price, unless you mean to pay that much.',
    ],
  ])('%s', async (_, hostile, honest, code, message) => {
    const inspect = async (instructions: readonly Instruction[], options: object = {}) =>
      (
        await inspectTransaction(
          await putTogether({
            version: 0,
            tables: {},
            feePayer: payer,
            instructions: instructions.map(asMutable),
          }),
          options,
        )
      ).warnings;
    for (const options of [{}, { client }]) {
      expect(await inspect(honest(), options)).toEqual([]);
      expect(await inspect(hostile(), options)).toEqual([
        { code, message, ...(code === 'high-priority-fee' ? {} : { instruction: 0 }) },
      ]);
    }
  });

  test('the limit of the priority fee is an option', async () => {
    const { tx } = await buildLocally(client, intents.buy!);
    const codes = async (maxPriorityFee: bigint) =>
      (await inspectTransaction(tx, { maxPriorityFee })).warnings.map(({ code }) => code);
    // 200,000 units at 40,000,000 micro-lamports.
    expect(await codes(8_000_000n)).toEqual([]);
    expect(await codes(7_999_999n)).toEqual(['high-priority-fee']);
    await expect(inspectTransaction(tx, { maxPriorityFee: -1n })).rejects.toMatchObject({
      code: 'invalid-amount',
      context: { field: 'maxPriorityFee' },
    });
  });

  test('withdrawals that are switched off, also in a new pool', async () => {
    const codes = async (name: string, change: object) => {
      const intent = intents[name]!;
      const { tx } = await buildLocally(client, {
        ...intent,
        input: { ...intent.input, ...change },
      } as typeof intent);
      return (await inspectTransaction(tx, { client })).warnings.map(({ code }) => code);
    };
    expect(await codes('toggle withdraw', { enabled: false })).toEqual(['withdrawals-disabled']);
    expect(await codes('toggle withdraw', { enabled: true })).toEqual([]);
    expect(await codes('pro creation', { features: { enableWithdrawLiquidity: false } })).toEqual([
      'withdrawals-disabled',
    ]);
    expect(await codes('pro creation', { features: { enableSwap: false } })).toEqual([]);
  });

  test.each([
    ['recipients', { recipients: ['x'] }, 'recipients[0]'],
    ['owner', { owner: 'x' }, 'owner'],
  ])('rejects %s that are not addresses', async (_, options, field) => {
    const { tx } = await buildLocally(client, intents.buy!);
    await expect(inspectTransaction(tx, options as object)).rejects.toMatchObject({
      code: 'invalid-address',
      context: { field },
    });
  });
});

describe('transfers that are not recognized', () => {
  const own = signer(payer);
  const cases: readonly [string, Instruction, string][] = [
    [
      'a token transfer',
      getTransferInstruction({
        source: world.wrapped,
        destination: THEIR_WRAPPED,
        authority: own,
        amount: 5n,
      }),
      `5 units of an unknown token may go to ${THEIR_WRAPPED}`,
    ],
    [
      'a closing',
      getCloseAccountInstruction({ account: world.wrapped, destination: attacker, owner: own }),
      `All SOL may go to ${attacker}`,
    ],
    [
      'an unwrapping',
      getUnwrapLamportsInstruction({
        source: world.wrapped,
        destination: attacker,
        authority: own,
        amount: 3n,
      }),
      `0.000000003 SOL may go to ${attacker}`,
    ],
    [
      'a new account',
      getCreateAccountInstruction({
        payer: own,
        newAccount: signer(attacker),
        lamports: 9n,
        space: 0n,
        programAddress: TOKEN_PROGRAM_ADDRESS,
      }),
      `0.000000009 SOL may go to ${attacker}`,
    ],
  ];
  test.each(cases)('%s to a stranger', async (_, instruction, said) => {
    const tx = await putTogether({
      version: 0,
      tables: {},
      feePayer: payer,
      instructions: [asMutable(instruction)],
    });
    const { warnings } = await inspectTransaction(tx, { owner: payer });
    expect(warnings).toEqual([
      { code: 'unknown-recipient', instruction: 0, message: expect.stringContaining(said) },
    ]);
  });
});

describe("accounts that are the owner's for a moment only", () => {
  const OWNER = signer(payer);
  const EVIL = signer(attacker);
  const PAID = 100_000_000_000n;
  let X: Address;
  let make: Instruction;
  let makeElsewhere: Instruction;
  beforeAll(async () => {
    X = await createAddressWithSeed({
      baseAddress: attacker,
      seed: 'x',
      programAddress: TOKEN_PROGRAM_ADDRESS,
    });
    make = getCreateAccountWithSeedInstruction({
      payer: EVIL,
      newAccount: X,
      baseAccount: EVIL,
      base: attacker,
      seed: 'x',
      amount: 2_039_280n,
      space: 165n,
      programAddress: TOKEN_PROGRAM_ADDRESS,
    });
    makeElsewhere = getCreateAccountInstruction({
      payer: EVIL,
      newAccount: signer(X),
      lamports: 2_039_280n,
      space: 165n,
      programAddress: mint.address,
    });
  });
  const toOwner = () =>
    getInitializeAccount3Instruction({ account: X, mint: WRAPPED_SOL_MINT_ADDRESS, owner: payer });
  const toEvil = () =>
    getInitializeAccount3Instruction({ account: X, mint: WRAPPED_SOL_MINT_ADDRESS, owner: attacker });
  const close = () => getCloseAccountInstruction({ account: X, destination: payer, owner: OWNER });
  const pay = () => getTransferSolInstruction({ source: OWNER, destination: X, amount: PAID });
  const drain = () =>
    getTransferSolWithSeedInstruction({
      source: X,
      baseAccount: EVIL,
      destination: attacker,
      amount: PAID,
      fromSeed: 'x',
      fromOwner: SYSTEM_PROGRAM_ADDRESS,
    });
  const recipients = async (instructions: readonly Instruction[], options: object = {}) => {
    const draft: Draft = {
      version: 0,
      tables: {},
      feePayer: payer,
      instructions: instructions.map(asMutable),
    };
    const { warnings, credits } = await inspectTransaction(await putTogether(draft), {
      owner: payer,
      ...options,
    });
    return {
      unknown: warnings.flatMap(({ code, instruction }) =>
        code === 'unknown-recipient' ? [instruction] : [],
      ),
      isMine: credits.some(
        ({ account, ownership }) =>
          account === X && ownership.kind !== 'unknown' && ownership.owner === payer,
      ),
    };
  };

  test.each<[string, () => readonly Instruction[], readonly number[]]>([
    ['made elsewhere, initialized for the owner, closed, then paid', () => [toOwner(), close(), pay()], [2]],
    ['made, initialized for the owner, closed, then paid', () => [make, toOwner(), close(), pay()], [3]],
    ['paid and drained before it is made', () => [pay(), drain(), make, toOwner()], [0]],
    ['initialized for the owner after a payment', () => [pay(), toOwner()], [0]],
    ['made again for a stranger, then paid', () => [toOwner(), close(), make, toEvil(), pay()], [4]],
    ['initialized for a stranger', () => [make, toEvil(), pay()], [2]],
    [
      "made for a stranger's program, which could take the payment",
      () => [makeElsewhere, pay(), toOwner(), close()],
      [1],
    ],
    [
      'given to a stranger, then paid',
      () => [
        toOwner(),
        getSetAuthorityInstruction({
          owned: X,
          owner: OWNER,
          authorityType: AuthorityType.AccountOwner,
          newAuthority: attacker,
        }),
        pay(),
      ],
      [2],
    ],
    ['the honest twin: initialized for the owner, paid, closed', () => [make, toOwner(), pay(), close()], []],
  ])('%s', async (_, instructions, unknown) => {
    for (const options of [{}, { client }]) {
      const found = await recipients(instructions(), options);
      expect(found.unknown).toEqual(unknown);
      expect(found.isMine).toBe(unknown.length === 0);
    }
  });

  test('whose right a stranger gets in between', async () => {
    const approve = getApproveInstruction({ source: X, delegate: attacker, owner: OWNER, amount: 1n });
    const closeToEvil = getCloseAccountInstruction({ account: X, destination: attacker, owner: OWNER });
    expect((await recipients([make, toOwner(), approve, pay(), close()])).unknown).toEqual([3]);
    expect((await recipients([make, toOwner(), pay(), closeToEvil])).unknown).toEqual([2, 3]);
    expect((await recipients([make, toOwner(), pay()])).unknown).toEqual([2]);
  });
});

describe('what the owner allows without being the authority', () => {
  const codes = async (instructions: readonly Mutable[], options: object = {}, feePayer = payer) =>
    (
      await inspectTransaction(
        await putTogether({ version: 0, tables: {}, feePayer, instructions: [...instructions] }),
        { owner: payer, ...options },
      )
    ).warnings.map(({ code }) => code);

  test('a creation that the owner pays for somebody else', async () => {
    for (const name of ['launch', 'pro creation']) {
      const draft = await draftOf(name);
      const tx = await putTogether(draft, name === 'launch' ? [mint] : []);
      const told = async (recipients: readonly Address[]) =>
        (await inspectTransaction(tx, { owner: payer, recipients, lookupTables: draft.tables })).warnings.map(
          ({ code }) => code,
        );
      expect(await told([])).toContain('unknown-recipient');
      expect(await told([other])).toEqual([]);
    }
  });

  test('a multisig of the owner and a stranger, that signs itself too', async () => {
    const multisig = mint.address;
    for (const role of [AccountRole.READONLY, AccountRole.READONLY_SIGNER]) {
      const transfer: Mutable = {
        programAddress: TOKEN_PROGRAM_ADDRESS,
        accounts: [
          { address: world.wrapped, role: AccountRole.WRITABLE },
          { address: THEIR_WRAPPED, role: AccountRole.WRITABLE },
          { address: multisig, role },
          { address: payer, role: AccountRole.READONLY_SIGNER },
          { address: attacker, role: AccountRole.READONLY_SIGNER },
        ],
        data: Uint8Array.of(3, 5, 0, 0, 0, 0, 0, 0, 0),
      };
      expect(await codes([transfer])).toEqual(['unknown-recipient']);
    }
  });

  test("the owner's empty wallet is made an account of a program", async () => {
    const give = getCreateAccountInstruction({
      payer: signer(attacker),
      newAccount: signer(payer),
      lamports: 890_880n,
      space: 0n,
      programAddress: TOKEN_PROGRAM_ADDRESS,
    });
    const lock = getAllocateInstruction({ newAccount: signer(payer), space: 8n });
    expect(await codes([give, lock].map(asMutable), {}, attacker)).toEqual([
      'authority-change',
      'account-locked',
    ]);
  });

  test('room of 0 bytes with a seed gives the account to a program', async () => {
    const allocate = getAllocateWithSeedInstruction({
      newAccount: THEIR_TOKENS,
      baseAccount: signer(payer),
      base: payer,
      seed: 'x',
      space: 0n,
      programAddress: TOKEN_PROGRAM_ADDRESS,
    });
    expect(await codes([asMutable(allocate)])).toEqual(['authority-change']);
  });

  test('rent for a token account that is closed in favour of a stranger', async () => {
    const create = getCreateAssociatedTokenIdempotentInstruction({
      payer: signer(payer),
      ata: THEIR_WRAPPED,
      owner: attacker,
      mint: WRAPPED_SOL_MINT_ADDRESS,
      tokenProgram: TOKEN_PROGRAM_ADDRESS,
    });
    const close = getCloseAccountInstruction({
      account: THEIR_WRAPPED,
      destination: attacker,
      owner: signer(attacker),
    });
    const sign = getTransferSolInstruction({ source: signer(attacker), destination: attacker, amount: 0n });
    expect(await codes([create, sign].map(asMutable))).toEqual([]);
    expect(await codes([create, close].map(asMutable))).toEqual(['unknown-recipient']);
  });

  test('metadata whose update authority is a stranger, and tokens of another kind', async () => {
    const draft = await draftOf('launch');
    const create = draft.instructions.findIndex(({ data }) => data[0] === 42);
    const tell = async () =>
      (
        await inspectTransaction(await putTogether(draft, [mint]), {
          owner: other,
          lookupTables: draft.tables,
        })
      ).warnings.map(({ code }) => code);
    expect(await tell()).toEqual([]);
    draft.instructions[create]!.accounts[5]!.address = attacker;
    expect(await tell()).toEqual(['authority-change']);
    draft.instructions[create]!.accounts[5]!.address = other;
    const { data } = draft.instructions[create]!;
    // Behind it: collection, uses, details, rule set, decimals of two bytes, print supply.
    const standard = data.length - 8;
    expect(data[standard]).toBe(2);
    data[standard] = 0;
    expect(await tell()).toContain('anything');
  });
});
