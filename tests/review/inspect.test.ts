import {
  AccountRole,
  type Address,
  createAddressWithSeed,
  getBase64Decoder,
  getBase64Encoder,
  type Instruction,
} from '@solana/kit';
import * as system from '@solana-program/system';
import * as token from '@solana-program/token';
import { describe, expect, test } from 'vitest';
import {
  createHeavenClient,
  inspectTransaction,
  isHeavenError,
  reviewTransaction,
  type TransactionInspection,
  type TransactionIntent,
  toUiAmount,
} from '../../src/index.js';
import {
  HEAVEN_PROGRAM_ADDRESS,
  SYSTEM_PROGRAM_ADDRESS,
  TOKEN_2022_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
  WRAPPED_SOL_MINT_ADDRESS,
} from '../../src/program/index.js';
import { RENT_SYSVAR_ADDRESS } from '../../src/solana/programs.js';
import { encodeLookupTable } from '../../src/testing/encode.js';
import { createEmbeddedLedger } from '../../src/testing/index.js';
import { LOOKUP_TABLE_PROGRAM_ADDRESS, MEMO_PROGRAM_ADDRESS } from '../support/addresses.js';
import { expectRefusal } from '../support/errors.js';
import { fc } from '../support/properties.js';
import {
  associated,
  BLOCKHASH,
  buildLocally,
  codesOf,
  createWorld,
  draftOf,
  intentsIn,
  payingIn,
  putTogether,
  SOMEWHERE,
  signer,
  TABLE,
  takeApart,
  UNKNOWN_PROGRAM,
  wallet,
} from './support.js';

const world = await createWorld();
const { client, ledger, payer, other, attacker, tokens } = world;
const { creator } = ledger.pools;
const intents = await intentsIn(world);
const payersTokens = await associated(payer, creator.mint, creator.tokenProgram);
const payersWrapped = await associated(payer, WRAPPED_SOL_MINT_ADDRESS, TOKEN_PROGRAM_ADDRESS);
const NONCE = (await wallet(73)).address;
const { transactionOf, toOther } = payingIn(world);

const built = async (name: string) => (await buildLocally(client, intents[name]!)).tx;
const stepsOf = ({ warnings }: TransactionInspection) =>
  warnings.map(({ code, instruction }) => [code, instruction]);

describe('a buy', () => {
  test('is described in full', async () => {
    const tx = await built('buy');
    const inspection = await inspectTransaction(tx, { client });
    expect(inspection).toMatchObject({
      version: 0,
      feePayer: payer,
      signers: [{ address: payer, signature: 'missing' }],
      computeBudget: { unitLimit: 200_000, isLimitSet: true, unitPrice: 40_000_000n },
      fees: { signatures: 5_000n, priority: 8_000_000n, total: 8_005_000n },
      lookupTables: [],
      warnings: [],
    });
    // 1.5 SOL to wrap, the fees, the rent of 165 bytes and of a Token-2022 account of at most 195.
    const most = 1_500_000_000n + 8_005_000n + (165n + 128n) * 5_080n + (195n + 128n) * 5_080n;
    const spent = 1_500_000_000n;
    const wrapped = { account: payersWrapped, authority: payer };
    expect(inspection.debits).toMatchObject([
      { account: payer, asset: 'SOL', amount: most, named: most, authority: payer, instructions: [2, 3, 5] },
      { ...wrapped, asset: 'token', amount: spent, named: spent, instructions: [6] },
      { ...wrapped, asset: 'SOL', amount: 'all', named: 0n, instructions: [7] },
    ]);
    expect(inspection.summary).toContain(`May take at most 1.51113428 SOL from ${payer}.`);
    expect(inspection.summary).toContain(`${payer} has yet to sign.`);
  });
});

describe('what this library builds', () => {
  /** Whom these are meant to pay. */
  const PAY_OTHER = ['LP transfer', 'buy with instructions of its own', 'buy with a tip'];

  test.each(Object.keys(intents))('%s: every instruction is understood', async (name) => {
    const recipients = PAY_OTHER.includes(name) ? [other] : [];
    const inspection = await inspectTransaction(await built(name), { client, recipients });
    for (const { program, effects } of inspection.instructions) {
      expect(program).toBeDefined();
      expect(effects.some(({ kind }) => kind === 'anything')).toBe(false);
    }
    expect(inspection.debits[0]?.asset).toBe('SOL');
    expect(codesOf(inspection)).toEqual(name === 'fee receiver' ? ['authority-change'] : []);
  });

  test('a launch: what it makes, what it costs, and that its mint has signed', async () => {
    const { mint } = world;
    const tx = await built('launch with a limit');
    const { signers, debits, instructions, lookupTables } = await inspectTransaction(tx, { client });
    expect(Object.fromEntries(signers.map(({ address, signature }) => [address, signature]))).toEqual({
      [payer]: 'missing',
      [mint.address]: 'valid',
      [other]: 'missing',
    });
    const created = instructions
      .flatMap(({ effects }) => effects)
      .flatMap((effect) => (effect.kind === 'create' ? [effect.what] : []));
    expect(created).toEqual(['mint', 'metadata', 'token-account', 'pool']);
    // 40.5 SOL, the fees of three signatures, two Token-2022 accounts and a pool; the programs decide on more.
    const rent = (2n * (195n + 128n) + 2304n + 128n) * 5_080n;
    const named = 40_500_000_000n + 15_000n + 8_000_000n + rent;
    expect(debits[0]).toMatchObject({ account: payer, asset: 'SOL', amount: 'unknown', named });
    expect(debits[1]).toMatchObject({ asset: 'token', mint: mint.address, amount: 'all', authority: other });
    expect(lookupTables).toMatchObject([{ address: ledger.lookupTables.community, reason: undefined }]);
    expect(lookupTables[0]?.loads).toContain(WRAPPED_SOL_MINT_ADDRESS);
  });

  test('seen by one of two wallets', async () => {
    const tx = await built('pro buy for another, associated');
    const debitsOf = async (owner: Address) => {
      const { debits } = await inspectTransaction(tx, { owner, client });
      return debits.map(({ account, asset, amount }) => [account, asset, amount]);
    };
    // The payer funds the token account of the other.
    expect(await debitsOf(payer)).toEqual([[payer, 'SOL', 8_010_000n + 1_488_440n]]);
    expect(await debitsOf(other)).toEqual([
      [other, 'SOL', 1_500_000_000n + 1_488_440n],
      [expect.any(String), 'token', 1_500_000_000n],
      [expect.any(String), 'SOL', 'all'],
    ]);
  });
});

describe('rent', () => {
  const debitOf = ({ debits }: TransactionInspection) =>
    debits.find(({ account, asset }) => account === payer && asset === 'SOL');
  const NAMED = 1_500_000_000n + 8_005_000n;

  test('is unknown without a rate, and the words say of what', async () => {
    const inspection = await inspectTransaction(await built('buy'));
    expect(debitOf(inspection)).toMatchObject({ amount: 'unknown', named: NAMED });
    expect(inspection.summary.join(' ')).toContain('and the rent of accounts of 165 and 195 bytes.');
  });

  test('is that of the cluster, read in one call', async () => {
    const rate = 2_575n;
    const cluster = await createEmbeddedLedger({ lamportsPerByte: rate });
    const reader = createHeavenClient({ rpc: cluster.rpc });
    const inspection = await inspectTransaction(await built('buy'), { client: reader, owner: payer });
    const amount = NAMED + (165n + 128n + 195n + 128n) * rate;
    expect(debitOf(inspection)).toMatchObject({ amount, named: amount });
    expect(cluster.requests.map(({ method }) => method)).toEqual(['getMultipleAccounts']);
  });

  test('is rejected if it is not in the sysvar', async () => {
    const sysvar = ledger.getAccount(RENT_SYSVAR_ADDRESS)!;
    ledger.setAccount(RENT_SYSVAR_ADDRESS, { ...sysvar, owner: TOKEN_PROGRAM_ADDRESS });
    await expectRefusal(inspectTransaction(await built('buy'), { client }), 'rpc-wrong-account');
    ledger.setAccount(RENT_SYSVAR_ADDRESS, sysvar);
  });
});

describe('effects', () => {
  const owner = signer(payer);
  const token2022 = { programAddress: creator.tokenProgram };

  /** SOL or tokens that leave an account in the payer's name. */
  const debit = (account: Address, asset: 'SOL' | 'token', amount: unknown, more: object = {}) => ({
    kind: 'debit',
    account,
    asset,
    amount,
    authority: payer,
    ...more,
  });
  const toAttacker = { destination: attacker };
  const authority = (account: Address, newAuthority: Address | null, more: object = {}) => ({
    kind: 'authority',
    account,
    newAuthority,
    ...more,
  });
  const create = (account: Address, more: object) => ({ kind: 'create', account, ...more });
  const isNew = (account: Address) => ({ kind: 'assert-new', account });
  const lock = (account: Address) => ({ kind: 'lock', account });
  const approved = { kind: 'delegate', account: tokens, delegate: attacker, amount: 4n };
  const freeze = (isFrozen: boolean) => ({ kind: 'freeze', account: tokens, isFrozen });

  const fromTokens = { source: tokens, authority: owner };
  const checked = { mint: creator.mint, decimals: 9 };
  const approval = { source: tokens, delegate: attacker, owner, amount: 4n };
  const nonce = { nonceAccount: NONCE, nonceAuthority: owner };
  const given = { programAddress: UNKNOWN_PROGRAM };
  const withSeed = { newAccount: SOMEWHERE, baseAccount: owner, base: payer, seed: 'x', space: 1n };
  const own = (authorityType: token.AuthorityType, newAuthority: Address | null) =>
    token.getSetAuthorityInstruction({ owned: tokens, owner, authorityType, newAuthority });
  const nested = token.getRecoverNestedAssociatedTokenInstruction({
    nestedAssociatedAccountAddress: tokens,
    nestedTokenMintAddress: creator.mint,
    destinationAssociatedAccountAddress: payersTokens,
    ownerAssociatedAccountAddress: SOMEWHERE,
    ownerTokenMintAddress: SOMEWHERE,
    walletAddress: owner,
    tokenProgram: TOKEN_PROGRAM_ADDRESS,
  });
  const accountForAttacker = { payer: owner, ata: SOMEWHERE, owner: attacker, mint: creator.mint };
  const unwrapped = { kind: 'credit', account: attacker, asset: 'SOL', authority: payer };
  const rent = { reason: 'rent', accountSizes: [165] };

  const EFFECTS: Readonly<Record<string, readonly [Instruction, ...(readonly object[])]>> = {
    'a transfer of SOL': [
      system.getTransferSolInstruction({ source: owner, ...toAttacker, amount: 5n }),
      debit(payer, 'SOL', 5n, { ...toAttacker, reason: 'transfer' }),
    ],
    'a wallet given to a program': [
      system.getAssignInstruction({ account: owner, ...given }),
      authority(payer, UNKNOWN_PROGRAM),
    ],
    'a wallet given to a program as a new account': [
      system.getCreateAccountAllowPrefundInstruction({ newAccount: owner, space: 0n, ...given }),
      create(payer, { owner: UNKNOWN_PROGRAM, isIdempotent: true }),
      authority(payer, UNKNOWN_PROGRAM, { authority: 'OwnerProgram' }),
    ],
    'a wallet that gets data': [
      system.getAllocateInstruction({ newAccount: owner, space: 1n }),
      isNew(payer),
      lock(payer),
    ],
    'an account of its own that gets data': [
      system.getAllocateWithSeedInstruction({ ...withSeed, programAddress: SYSTEM_PROGRAM_ADDRESS }),
      isNew(SOMEWHERE),
      lock(SOMEWHERE),
      authority(SOMEWHERE, SYSTEM_PROGRAM_ADDRESS),
    ],
    'no data at all': [system.getAllocateInstruction({ newAccount: owner, space: 0n }), isNew(payer)],
    'a multisig': [
      token.getInitializeMultisig2Instruction({ multisig: SOMEWHERE, m: 1, signers: [payer] }),
      create(SOMEWHERE, { what: 'account' }),
    ],
    'a nonce account emptied': [
      system.getWithdrawNonceAccountInstruction({ ...nonce, recipientAccount: attacker, withdrawAmount: 6n }),
      debit(NONCE, 'SOL', 6n, toAttacker),
    ],
    'a nonce account given away': [
      system.getAuthorizeNonceAccountInstruction({ ...nonce, newNonceAuthority: attacker }),
      authority(NONCE, attacker),
    ],
    'a transfer of tokens': [
      token.getTransferInstruction({ ...fromTokens, ...toAttacker, amount: 7n }),
      debit(tokens, 'token', 7n, toAttacker),
    ],
    'a checked transfer': [
      token.getTransferCheckedInstruction({ ...fromTokens, ...toAttacker, ...checked, amount: 7n }),
      debit(tokens, 'token', 7n, { ...toAttacker, mint: creator.mint }),
    ],
    burning: [
      token.getBurnInstruction({ account: tokens, mint: creator.mint, authority: owner, amount: 8n }),
      debit(tokens, 'token', 8n, { reason: 'burn', mint: creator.mint }),
    ],
    unwrapping: [
      token.getUnwrapLamportsInstruction({ ...fromTokens, ...toAttacker, amount: 3n }),
      debit(tokens, 'token', 3n, { mint: WRAPPED_SOL_MINT_ADDRESS }),
      { ...unwrapped, amount: 3n, minimum: 0n },
    ],
    'moving excess SOL': [
      token.getWithdrawExcessLamportsInstruction({ ...fromTokens, ...toAttacker }),
      debit(tokens, 'SOL', 'all', toAttacker),
    ],
    'an approval': [token.getApproveInstruction(approval), approved],
    'a checked approval': [token.getApproveCheckedInstruction({ ...approval, ...checked }), approved],
    'taking it back': [
      token.getRevokeInstruction({ source: tokens, owner }),
      { kind: 'delegate', account: tokens, delegate: null, amount: 0n },
    ],
    'another owner': [
      own(token.AuthorityType.AccountOwner, attacker),
      authority(tokens, attacker, { authority: 'AccountOwner' }),
    ],
    'no mint authority': [
      own(token.AuthorityType.MintTokens, null),
      authority(tokens, null, { authority: 'MintTokens' }),
    ],
    'a closing': [
      token.getCloseAccountInstruction({ account: tokens, ...toAttacker, owner }),
      { kind: 'close', account: tokens, ...toAttacker },
      debit(tokens, 'SOL', 'all', toAttacker),
    ],
    minting: [
      token.getMintToInstruction({ mint: SOMEWHERE, token: tokens, mintAuthority: owner, amount: 2n }),
      { kind: 'mint', mint: SOMEWHERE, account: tokens, amount: 2n },
    ],
    'a new mint': [
      token.getInitializeMint2Instruction({ mint: SOMEWHERE, decimals: 6, mintAuthority: other }),
      create(SOMEWHERE, { what: 'mint', owner: other }),
    ],
    freezing: [token.getFreezeAccountInstruction({ account: tokens, mint: SOMEWHERE, owner }), freeze(true)],
    thawing: [token.getThawAccountInstruction({ account: tokens, mint: SOMEWHERE, owner }), freeze(false)],
    'an account for another': [
      token.getCreateAssociatedTokenInstruction(accountForAttacker),
      create(SOMEWHERE, { owner: attacker, isIdempotent: false }),
      debit(payer, 'SOL', 'unknown', rent),
    ],
    'a nested account emptied': [
      nested,
      { kind: 'close', account: tokens },
      debit(tokens, 'token', 'all', { mint: creator.mint, destination: payersTokens }),
    ],
    'a memo': [{ programAddress: MEMO_PROGRAM_ADDRESS, data: new TextEncoder().encode('hi') }],
  };

  test.each(Object.entries(EFFECTS))('%s', async (_, [instruction, ...effects]) => {
    const { instructions, summary } = await inspectTransaction(await transactionOf([instruction]));
    expect(instructions[0]?.effects).toMatchObject(effects);
    expect(summary).toContain(`1. ${instructions[0]?.description}.`);
  });

  const warningsOf = async (instructions: readonly Instruction[], options: object = {}) =>
    stepsOf(await inspectTransaction(await transactionOf(instructions, { feePayer: attacker }), options));

  test('room for data is no lock in an account that is made here', async () => {
    const newAccount = signer(SOMEWHERE);
    const paid = { payer: signer(attacker), lamports: 9n, space: 1n, programAddress: SYSTEM_PROGRAM_ADDRESS };
    const make = system.getCreateAccountInstruction({ newAccount, ...paid });
    const lock = system.getAllocateInstruction({ newAccount, space: 10n });
    const recipients = [SOMEWHERE];
    expect(await warningsOf([make, lock], { recipients })).toEqual([]);
    expect(await warningsOf([lock, make], { recipients })).toEqual([['account-locked', 0]]);
    // An address that holds nothing yet may still be a wallet.
    expect(await warningsOf([lock], { client })).toEqual([['account-locked', 0]]);
  });

  test('giving up a right is a warning unless the account is certainly new', async () => {
    const make = { payer: owner, owner: payer, mint: creator.mint, tokenProgram: creator.tokenProgram };
    const right = { owned: payersTokens, owner, authorityType: token.AuthorityType.CloseAccount };
    const giveUp = token.getSetAuthorityInstruction({ ...right, newAuthority: null }, token2022);
    const ifNone = token.getCreateAssociatedTokenIdempotentInstruction({ ...make, ata: payersTokens });
    const certainly = token.getCreateAssociatedTokenInstruction({ ...make, ata: payersTokens });
    for (const options of [{}, { client }])
      expect(await warningsOf([ifNone, giveUp], options)).toEqual([['authority-change', 1]]);
    expect(await warningsOf([certainly, giveUp])).toEqual([]);
    expect(await warningsOf([giveUp, certainly])).toEqual([['authority-change', 0]]);
  });

  const delegated = { ...checked, authority: signer(attacker), amount: 5n };
  const elsewhere = { source: payersTokens, destination: SOMEWHERE };
  test.each([
    ['transfer', token.getTransferCheckedInstruction({ ...delegated, ...elsewhere }, token2022)],
    ['burning', token.getBurnCheckedInstruction({ ...delegated, account: payersTokens }, token2022)],
  ])("a checked %s by a delegate is the owner's debit in an associated account", async (_, instruction) => {
    const tx = await transactionOf([instruction], { feePayer: attacker });
    const debitsOf = async (whose: Address) => (await inspectTransaction(tx, { owner: whose })).debits;
    expect(await debitsOf(payer)).toMatchObject([{ account: payersTokens, amount: 5n }]);
    expect(await debitsOf(other)).toEqual([]);
  });

  test('shows what a text hides', async () => {
    const text = 'a"\n\u202e\u2028\u2029\u200b\u0085\u{e0041}é\u2800\u3164\u115f\uffa0\ufe0f';
    const memo = { programAddress: MEMO_PROGRAM_ADDRESS, data: new TextEncoder().encode(text) };
    const { summary } = await inspectTransaction(await transactionOf([memo]));
    const escaped = String.raw`"a\"\n\u202e\u2028\u2029\u200b\u0085\udb40\udc41é\u2800\u3164\u115f\uffa0\ufe0f"`;
    expect(summary).toContain(`1. Note ${escaped}.`);
    expect(JSON.parse(escaped)).toBe(text);
  });

  test.each([
    ['🚀'.repeat(200), '🚀'.repeat(200)],
    ['🚀'.repeat(201), `${'🚀'.repeat(199)}…`],
  ])('shows 200 characters of a memo, of either memo program', async (text, shown) => {
    for (const programAddress of [MEMO_PROGRAM_ADDRESS, 'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo']) {
      const memo = { programAddress: programAddress as Address, data: new TextEncoder().encode(text) };
      const { summary } = await inspectTransaction(await transactionOf([memo]));
      expect(summary).toContain(`1. Note "${shown}".`);
    }
  });
});

describe('unknown instructions', () => {
  const signing = { address: payer, role: AccountRole.READONLY_SIGNER } as const;

  test.each<[string, Address, readonly number[]]>([
    ['another program', UNKNOWN_PROGRAM, [9]],
    ['an instruction of the exchange that is not known', HEAVEN_PROGRAM_ADDRESS, [1, 2, 3, 4, 5, 6, 7, 8]],
    ['a batch of token instructions', TOKEN_PROGRAM_ADDRESS, [255, 3, 9]],
    ['a Token-2022 extension', TOKEN_2022_PROGRAM_ADDRESS, [26, 1, 0]],
    ['an instruction cut short', TOKEN_PROGRAM_ADDRESS, [3, 1]],
    ['a system instruction that is not known', SYSTEM_PROGRAM_ADDRESS, [99, 0, 0, 0]],
  ])('may do anything: %s', async (_, programAddress, bytes) => {
    const instruction = { programAddress, accounts: [signing], data: Uint8Array.from(bytes) };
    const inspection = await inspectTransaction(await transactionOf([instruction]));
    expect(inspection.instructions[0]).toMatchObject({
      program: undefined,
      name: undefined,
      effects: [{ kind: 'anything', programAddress, accounts: [payer], hasHiddenAccounts: false }],
    });
    expect(stepsOf(inspection)).toEqual([['anything', 0]]);
  });

  test("with the owner's accounts, and no others", async () => {
    const writable = (address: Address) => ({ address, role: AccountRole.WRITABLE });
    const accounts = [
      ...[tokens, payersWrapped, attacker].map(writable),
      { address: other, role: AccountRole.READONLY_SIGNER },
    ];
    const mint = { mint: WRAPPED_SOL_MINT_ADDRESS, token: SOMEWHERE, mintAuthority: signer(payer) };
    const tx = await transactionOf([
      token.getMintToInstruction({ ...mint, amount: 1n }),
      { programAddress: UNKNOWN_PROGRAM, accounts, data: Uint8Array.of(9) },
    ]);
    const atRisk = async (options: object) => {
      const [effect] = (await inspectTransaction(tx, options)).instructions[1]!.effects;
      return effect?.kind === 'anything' ? effect.accounts : undefined;
    };
    // The associated account follows from the owner.
    expect(await atRisk({ owner: payer })).toEqual([payersWrapped]);
    expect(await atRisk({ owner: other })).toEqual([other]);
    expect(await atRisk({ owner: SOMEWHERE })).toBeUndefined();
    expect(await atRisk({})).toEqual([payersWrapped, other]);
  });
});

describe('the minimum of a trade', () => {
  /** The honest one is 99.5 % of what the trade gives. */
  const withMinimum = async (name: string, percent: bigint) => {
    const { function: builder, input } = intents[name] as Extract<
      TransactionIntent,
      { function: 'buildBuy' }
    >;
    const { quoteResponse } = input;
    const minimumOut = (quoteResponse.minimumOut * percent) / 100n;
    const minimumOutUi = Number(toUiAmount(minimumOut, name === 'pro buy' ? 6 : 9));
    const quote = { ...quoteResponse, minimumOut, minimumOutUi };
    return buildLocally(client, { function: builder, input: { ...input, quoteResponse: quote } });
  };
  const codes = async (tx: string, options: object) =>
    stepsOf(await inspectTransaction(tx, options)).map(([code]) => code);

  test.each(['buy', 'sell', 'pro buy', 'pro sell'])(
    'of a %s: none, or less than half, is a warning',
    async (name) => {
      const owner = payer;
      for (const [percent, alone, withNode] of [
        [0n, ['minimum-too-low'], ['minimum-too-low']],
        [50n, [], ['minimum-too-low']],
        [51n, [], []],
      ] as const) {
        const made = await withMinimum(name, percent);
        expect(await codes(made.tx, { owner })).toEqual(alone);
        expect(await codes(made.tx, { owner, client })).toEqual(withNode);
        // Whoever doesn't trade has nothing to lose.
        expect(await codes(made.tx, { owner: other, client })).toEqual([]);
        // The builder warns of more, and one of them is enough.
        const { warnings } = await reviewTransaction(client, made);
        const low = warnings.filter((warning) => warning.includes('minimum'));
        expect(low).toHaveLength(1);
      }
    },
  );

  test('that nothing can be compared with is one', async () => {
    const draft = takeApart((await withMinimum('buy', 100n)).tx);
    const swap = draft.instructions.find(({ programAddress }) => programAddress === HEAVEN_PROGRAM_ADDRESS)!;
    for (const position of [4, 12]) {
      const accounts = swap.accounts.map((meta, at) =>
        at === position ? { ...meta, address: SOMEWHERE } : meta,
      );
      const instructions = draft.instructions.map((each) => (each === swap ? { ...swap, accounts } : each));
      const tx = await putTogether({ ...draft, instructions });
      expect(await codes(tx, { owner: payer, client })).toEqual(['unchecked-minimum']);
    }
  });
});

test('an account that is paid while it is a stranger’s counts as one, also if it is made for the owner later', async () => {
  const owner = signer(payer);
  const [programAddress, seed] = [TOKEN_PROGRAM_ADDRESS, 'x'];
  const made = await createAddressWithSeed({ baseAddress: payer, programAddress, seed });
  const pay = () => system.getTransferSolInstruction({ source: owner, destination: made, amount: 5n });
  const space = { space: 165n, amount: 2_000_000n, programAddress };
  const life = [
    system.getCreateAccountWithSeedInstruction({
      payer: owner,
      newAccount: made,
      base: payer,
      seed,
      ...space,
    }),
    token.getInitializeAccount3Instruction({ account: made, mint: WRAPPED_SOL_MINT_ADDRESS, owner: payer }),
    pay(),
    token.getCloseAccountInstruction({ account: made, destination: payer, owner }),
  ];
  const ownershipAfter = async (instructions: readonly Instruction[]) => {
    const { credits } = await inspectTransaction(await transactionOf(instructions), { owner: payer });
    return credits.find(({ account, asset }) => account === made && asset === 'SOL')?.ownership.kind;
  };
  expect(await ownershipAfter(life)).toBe('temporary-token-account');
  expect(await ownershipAfter([pay(), ...life])).toBe('unknown');
});

describe('lookup tables', () => {
  const through = (addresses: readonly Address[]) =>
    transactionOf([toOther()], { tables: { [TABLE]: [...addresses] } });

  test('are read, or given', async () => {
    const tx = await through([SOMEWHERE, other]);
    const expected = [{ address: TABLE, loads: [other], reason: undefined }];
    const given = await inspectTransaction(tx, { lookupTables: { [TABLE]: [SOMEWHERE, other] } });
    expect(given.lookupTables).toEqual(expected);
    const lookup = { table: TABLE, index: 1 };
    expect(given.instructions[0]?.accounts[1]).toMatchObject({ address: other, lookup });
    const data = encodeLookupTable({ addresses: [SOMEWHERE, other] });
    ledger.setAccount(TABLE, { owner: LOOKUP_TABLE_PROGRAM_ADDRESS, data });
    expect((await inspectTransaction(tx, { client })).lookupTables).toEqual(expected);
    ledger.setAccount(TABLE, undefined);
  });

  test.each<[string, object]>([
    ['is not known', {}],
    ['is not there', { client }],
    ['is too short', { lookupTables: { [TABLE]: [SOMEWHERE] } }],
  ])('that %s hides what is in it, and nothing is guessed', async (_, options) => {
    const inspection = await inspectTransaction(await through([SOMEWHERE, other]), options);
    const [instruction] = inspection.instructions;
    expect(instruction?.program).toBeUndefined();
    expect(instruction?.accounts[1]?.address).toBeUndefined();
    expect(instruction?.effects).toMatchObject([
      { kind: 'anything', accounts: [payer], hasHiddenAccounts: true },
    ]);
    expect(codesOf(inspection)).toEqual(['unresolved-lookup-table', 'anything']);
    expect(inspection.debits.map(({ amount }) => amount)).toEqual([5_000n]);
  });

  test('that load an account a second time', async () => {
    const inspection = await inspectTransaction(await through([other]), {
      lookupTables: { [TABLE]: [payer] },
    });
    expect(codesOf(inspection)).toEqual(['account-loaded-twice']);
  });
});

describe('the envelope', () => {
  const recipients = [other];

  test('a durable nonce is seen where the cluster looks for it', async () => {
    const nonce = { nonceAccount: NONCE, nonceAuthority: other };
    const advance = system.getAdvanceNonceAccountInstruction({ ...nonce, nonceAuthority: signer(other) });
    const first = await inspectTransaction(await transactionOf([advance, toOther()]), { recipients });
    expect(first.lifetime).toEqual({ kind: 'durable-nonce', nonce: BLOCKHASH, ...nonce });
    expect(codesOf(first)).toEqual(['durable-nonce']);
    const second = await inspectTransaction(await transactionOf([toOther(), advance]), { recipients });
    expect(second).toMatchObject({ lifetime: { kind: 'blockhash' }, warnings: [] });
    const words = `Advance the nonce ${NONCE}`;
    expect(first.instructions[0]?.description).toBe(
      `${words}, which keeps this transaction valid for any time`,
    );
    expect(second.instructions[1]?.description).toBe(words);
  });

  test('signatures are verified', async () => {
    const tx = await putTogether(draftOf([toOther()], payer), [await wallet(1)]);
    expect((await inspectTransaction(tx)).signers).toEqual([{ address: payer, signature: 'valid' }]);
    const bytes = Uint8Array.from(getBase64Encoder().encode(tx));
    bytes[bytes.length - 2]! ^= 1;
    const inspection = await inspectTransaction(getBase64Decoder().decode(bytes), { recipients });
    expect(inspection.signers).toEqual([{ address: payer, signature: 'invalid' }]);
    expect(codesOf(inspection)).toEqual(['invalid-signature']);
  });

  test.each([
    [{ owner: 'me' }, 'invalid-address', 'owner'],
    [{ recipients: ['x'] }, 'invalid-address', 'recipients[0]'],
    [{ recipients: payer }, 'invalid-input', 'recipients'],
    [{ maxPriorityFee: -1n }, 'invalid-amount', 'maxPriorityFee'],
  ])('rejects %o', async (options, code, field) => {
    await expectRefusal(inspectTransaction(await built('buy'), options as object), code, { field });
  });

  test('whatever bit is flipped, it answers or says malformed-data', async () => {
    const good = Uint8Array.from(getBase64Encoder().encode(await built('launch')));
    await fc.assert(
      fc.asyncProperty(fc.nat(good.length - 1), fc.nat(7), async (at, bit) => {
        const bytes = good.slice();
        bytes[at]! ^= 1 << bit;
        try {
          const { summary } = await inspectTransaction(getBase64Decoder().decode(bytes));
          expect(summary.length).toBeGreaterThan(3);
        } catch (error) {
          expect(isHeavenError(error, 'malformed-data')).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });
});
