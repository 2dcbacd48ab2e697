import { AccountRole, type Address, getBase64Decoder, getBase64Encoder, type Instruction } from '@solana/kit';
import {
  getSetComputeUnitLimitInstruction,
  getSetComputeUnitPriceInstruction,
} from '@solana-program/compute-budget';
import {
  getAdvanceNonceAccountInstruction,
  getAllocateInstruction,
  getAllocateWithSeedInstruction,
  getAssignInstruction,
  getAuthorizeNonceAccountInstruction,
  getCreateAccountAllowPrefundInstruction,
  getCreateAccountInstruction,
  getTransferSolInstruction,
  getWithdrawNonceAccountInstruction,
  SystemInstruction,
} from '@solana-program/system';
import {
  AuthorityType,
  BATCH_DISCRIMINATOR,
  getApproveCheckedInstruction,
  getApproveInstruction,
  getBurnCheckedInstruction,
  getBurnInstruction,
  getCloseAccountInstruction,
  getCreateAssociatedTokenIdempotentInstruction,
  getCreateAssociatedTokenInstruction,
  getFreezeAccountInstruction,
  getInitializeMint2Instruction,
  getInitializeMultisig2Instruction,
  getMintToInstruction,
  getRecoverNestedAssociatedTokenInstruction,
  getRevokeInstruction,
  getSetAuthorityInstruction,
  getThawAccountInstruction,
  getTransferCheckedInstruction,
  getTransferInstruction,
  getUnwrapLamportsInstruction,
  getWithdrawExcessLamportsInstruction,
  TokenInstruction,
  UNWRAP_LAMPORTS_DISCRIMINATOR,
  WITHDRAW_EXCESS_LAMPORTS_DISCRIMINATOR,
} from '@solana-program/token';
import { describe, expect, test } from 'vitest';
import {
  createHeavenClient,
  inspectTransaction,
  isHeavenError,
  type TransactionInspection,
} from '../../src/index.js';
import {
  findAssociatedTokenAddress,
  HEAVEN_PROGRAM_ADDRESS,
  RENT_SYSVAR_ADDRESS,
  SYSTEM_PROGRAM_ADDRESS,
  TOKEN_2022_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
  WRAPPED_SOL_MINT_ADDRESS,
} from '../../src/program/index.js';
import { stepOf } from '../../src/review/read-step.js';
import { createEmbeddedLedger, encodeLookupTable } from '../../src/testing/index.js';
import { heavenError } from '../support/errors.js';
import { fc } from '../support/properties.js';
import {
  BLOCKHASH,
  buildLocally,
  createWorld,
  type Draft,
  intentsIn,
  LOOKUP_TABLE_PROGRAM,
  MEMO_PROGRAM,
  putTogether,
  signer,
  tableOf,
  wallet,
} from './support.js';

const world = await createWorld();
const { client, ledger, payer, other, attacker, tokens } = world;
const { creator } = ledger.pools;
const intents = await intentsIn(world);
const payersTokens = await findAssociatedTokenAddress({
  owner: payer,
  mint: creator.mint,
  tokenProgram: creator.tokenProgram,
});
const payersWrapped = await findAssociatedTokenAddress({ owner: payer, mint: WRAPPED_SOL_MINT_ADDRESS });
const TABLE = (await wallet(70)).address;
const SOMEWHERE = (await wallet(71)).address;
const UNKNOWN_PROGRAM = (await wallet(72)).address;
const NONCE = (await wallet(73)).address;

const refused = (code: string, context: object) =>
  expect.objectContaining({ name: 'HeavenError', code, context });

/** The transaction of these instructions, with any payer. */
const transactionOf = (
  instructions: readonly Instruction[],
  { feePayer = payer, ...rest }: Partial<Omit<Draft, 'instructions'>> = {},
) =>
  putTogether({
    version: 0,
    tables: {},
    feePayer,
    instructions: instructions.map(({ programAddress, accounts = [], data = new Uint8Array() }) => ({
      programAddress,
      accounts: accounts.map(({ address, role }) => ({ address, role })),
      data: Uint8Array.from(data),
    })),
    ...rest,
  });

const built = async (name: string) => (await buildLocally(client, intents[name]!)).tx;

describe('a buy', () => {
  test('is described in full', async () => {
    const tx = await built('buy');
    const inspection = await inspectTransaction(tx, { client });
    expect(inspection).toMatchObject({
      version: 0,
      size: getBase64Encoder().encode(tx).length,
      feePayer: payer,
      signers: [{ address: payer, signature: 'missing' }],
      computeBudget: { unitLimit: 200_000, isLimitSet: true, unitPrice: 40_000_000n },
      fees: { signatures: 5_000n, priority: 8_000_000n, total: 8_005_000n },
      lookupTables: [],
      warnings: [],
    });
    expect(inspection.instructions.map(({ program, name }) => `${program} ${name}`)).toEqual([
      'compute-budget SetComputeUnitLimit',
      'compute-budget SetComputeUnitPrice',
      'associated-token CreateAssociatedTokenIdempotent',
      'system TransferSol',
      'token SyncNative',
      'associated-token CreateAssociatedTokenIdempotent',
      'exchange buy',
      'token CloseAccount',
    ]);
    // 1.5 SOL to wrap, the fees, the rent of 165 bytes and of a Token-2022 account of at most 195.
    const most = 1_500_000_000n + 8_005_000n + (165n + 128n) * 5_080n + (195n + 128n) * 5_080n;
    expect(inspection.debits).toEqual([
      {
        account: payer,
        asset: 'SOL',
        mint: undefined,
        amount: most,
        named: most,
        authority: payer,
        instructions: [2, 3, 5],
      },
      {
        account: payersWrapped,
        asset: 'token',
        mint: WRAPPED_SOL_MINT_ADDRESS,
        amount: 1_500_000_000n,
        named: 1_500_000_000n,
        authority: payer,
        instructions: [6],
      },
      {
        account: payersWrapped,
        asset: 'SOL',
        mint: undefined,
        amount: 'all',
        named: 0n,
        authority: payer,
        instructions: [7],
      },
    ]);
    expect(inspection.instructions[5]?.effects[0]).toEqual({
      kind: 'create',
      account: payersTokens,
      what: 'token-account',
      owner: payer,
      isIdempotent: true,
    });
    expect(inspection.instructions[7]?.effects[0]).toEqual({
      kind: 'close',
      account: payersWrapped,
      destination: payer,
    });
    expect(inspection.summary.join('\n')).toContain(`Exchange: buy: pay at most 1.5 SOL for at least`);
    expect(inspection.summary).toContain(`May take at most 1.51113428 SOL from ${payer}.`);
    expect(inspection.summary).toContain(`${payer} has yet to sign.`);
  });
});

describe('what this library builds', () => {
  test.each(Object.entries(intents))('%s: every instruction is understood', async (name, intent) => {
    const { tx } = await buildLocally(client, intent);
    const { instructions, warnings, debits } = await inspectTransaction(tx, {
      client,
      // Whom these are meant to pay.
      recipients: ['LP transfer', 'buy with instructions of its own', 'buy with a tip'].includes(name)
        ? [other]
        : [],
    });
    for (const { program, effects } of instructions) {
      expect(program).toBeDefined();
      expect(effects.some(({ kind }) => kind === 'anything')).toBe(false);
    }
    expect(debits[0]?.asset).toBe('SOL');
    expect(warnings.map(({ code }) => code)).toEqual(name === 'fee receiver' ? ['authority-change'] : []);
  });

  test('a launch: what it makes, what it costs, and that its mint has signed', async () => {
    const { mint } = world;
    const { signers, debits, instructions, lookupTables, summary } = await inspectTransaction(
      await built('launch with a limit'),
      { client },
    );
    expect(signers).toEqual(
      expect.arrayContaining([
        { address: payer, signature: 'missing' },
        { address: mint.address, signature: 'valid' },
        { address: other, signature: 'missing' },
      ]),
    );
    const created = instructions.flatMap(({ effects }) =>
      effects.flatMap((effect) => (effect.kind === 'create' ? [effect.what] : [])),
    );
    expect(created).toEqual(['mint', 'metadata', 'token-account', 'pool']);
    // 40.5 SOL, the fees of three signatures, two Token-2022 accounts and a pool; the programs decide on more.
    expect(debits[0]).toMatchObject({
      account: payer,
      asset: 'SOL',
      amount: 'unknown',
      named: 40_500_000_000n + 15_000n + 8_000_000n + 2n * (195n + 128n) * 5_080n + (2304n + 128n) * 5_080n,
    });
    expect(debits[1]).toMatchObject({ asset: 'token', mint: mint.address, amount: 'all', authority: other });
    expect(lookupTables).toEqual([
      { address: ledger.lookupTables.community, loads: expect.any(Array), reason: undefined },
    ]);
    expect(lookupTables[0]?.loads).toContain(WRAPPED_SOL_MINT_ADDRESS);
    expect(summary).toContain(`${mint.address} has signed (valid).`);
  });

  test('seen by one of two wallets', async () => {
    const tx = await built('pro buy for another, associated');
    const ofPayer = await inspectTransaction(tx, { owner: payer, client });
    const ofOther = await inspectTransaction(tx, { owner: other, client });
    // The payer funds the token account of the other.
    expect(ofPayer.debits.map(({ account, amount }) => [account, amount])).toEqual([
      [payer, 8_010_000n + 1_488_440n],
    ]);
    expect(ofOther.debits.map(({ account, asset, amount }) => [account === other, asset, amount])).toEqual([
      [true, 'SOL', 1_500_000_000n + 1_488_440n],
      [false, 'token', 1_500_000_000n],
      [false, 'SOL', 'all'],
    ]);
  });
});

describe('rent', () => {
  /** Another ledger, at a rate of its own, and how many calls it has answered. */
  const clusterAt = async (lamportsPerByte: bigint) => {
    const cluster = await createEmbeddedLedger({ lamportsPerByte });
    return { cluster, reader: createHeavenClient({ rpc: cluster.rpc }), before: cluster.requests.length };
  };
  const debitOf = ({ debits }: TransactionInspection) =>
    debits.find(({ account, asset }) => account === payer && asset === 'SOL');
  const NAMED = 1_500_000_000n + 8_005_000n;

  test('is unknown without a rate, and the words say of what', async () => {
    const inspection = await inspectTransaction(await built('buy'));
    expect(debitOf(inspection)).toMatchObject({ amount: 'unknown', named: NAMED });
    expect(inspection.summary).toContain(
      `May take 1.508005 SOL from ${payer}, and the rent of accounts of 165 and 195 bytes.`,
    );
    const launch = await inspectTransaction(await built('launch with a limit'), {
      lookupTables: tableOf(ledger, ledger.lookupTables.community),
    });
    expect(launch.summary.join(' ')).toContain(
      ', and the rent of accounts of 195, 2304 and 195 bytes, and rent and fees that the programs decide.',
    );
  });

  test.each([
    [5_080n, 293n * 5_080n + 323n * 5_080n],
    [2_575n, 293n * 2_575n + 323n * 2_575n],
  ])('is that of the cluster, at %s lamports per byte, read in one call', async (rate, rent) => {
    const { cluster, reader, before } = await clusterAt(rate);
    const inspection = await inspectTransaction(await built('buy'), { client: reader, owner: payer });
    expect(debitOf(inspection)).toMatchObject({ amount: NAMED + rent, named: NAMED + rent });
    expect(cluster.requests.slice(before).map(({ method }) => method)).toEqual(['getMultipleAccounts']);
  });

  test('is rejected from a node if impossible', async () => {
    const { cluster, reader } = await clusterAt(5_080n);
    const tx = await built('buy');
    const sysvar = cluster.getAccount(RENT_SYSVAR_ADDRESS)!;
    const data = Uint8Array.from(sysvar.data);
    data[6] = 1;
    cluster.setAccount(RENT_SYSVAR_ADDRESS, { ...sysvar, data });
    await expect(inspectTransaction(tx, { client: reader })).rejects.toEqual(
      heavenError('rpc-wrong-account:field', { field: 'lamportsPerByte' }),
    );
    cluster.setAccount(RENT_SYSVAR_ADDRESS, { ...sysvar, owner: TOKEN_PROGRAM_ADDRESS });
    await expect(inspectTransaction(tx, { client: reader })).rejects.toEqual(
      expect.objectContaining({ code: 'rpc-wrong-account' }),
    );
  });
});

describe('fees', () => {
  const transfer = getTransferSolInstruction({ source: signer(payer), destination: other, amount: 1n });
  const price = (microLamports: bigint) => getSetComputeUnitPriceInstruction({ microLamports });
  const memo: Instruction = { programAddress: MEMO_PROGRAM, data: Uint8Array.of(65) };

  test.each<[string, readonly Instruction[], number, bigint]>([
    [
      'rounded up',
      [getSetComputeUnitLimitInstruction({ units: 150_000 }), price(1_234n), transfer],
      150_000,
      186n,
    ],
    ['none', [transfer], 3_000, 0n],
    [
      'without a limit, of 3000 units for a builtin and 200000 for any other',
      [price(1_000_000n), transfer, memo, memo],
      406_000,
      406_000n,
    ],
    ['at the most there is at all', [price(1_000_000n), ...Array(8).fill(memo)], 1_400_000, 1_400_000n],
    [
      'of a limit over it',
      [getSetComputeUnitLimitInstruction({ units: 4_000_000_000 }), price(7n)],
      1_400_000,
      10n,
    ],
    // 6,000 times 18,446,744,073,709,551,615 micro-lamports.
    [
      'of a product beyond 64 bits',
      [price(0xffff_ffff_ffff_ffffn), transfer],
      6_000,
      110_680_464_442_257_310n,
    ],
    [
      'that would be beyond 64 bits',
      [price(0xffff_ffff_ffff_ffffn), ...Array(8).fill(memo)],
      1_400_000,
      0xffff_ffff_ffff_ffffn,
    ],
  ])('%s', async (_, instructions, unitLimit, priority) => {
    const { fees, computeBudget } = await inspectTransaction(await transactionOf(instructions));
    expect(computeBudget.unitLimit).toBe(unitLimit);
    expect(fees).toEqual({ signatures: 5_000n, priority, total: 5_000n + priority });
  });

  test('of a budget with a hidden account', async () => {
    const instructions = [
      getSetComputeUnitLimitInstruction({ units: 1_400_000 }),
      { ...price(1_000_000_000n), accounts: [{ address: SOMEWHERE, role: AccountRole.READONLY }] },
      transfer,
    ];
    const tx = await transactionOf(instructions, { tables: { [TABLE]: [SOMEWHERE] } });
    const { fees, debits, warnings } = await inspectTransaction(tx, {
      client,
      recipients: [other],
    });
    expect(fees.priority).toBe(1_400_000_000n);
    expect(debits).toMatchObject([{ account: payer, amount: 1_400_005_001n }]);
    expect(warnings.map(({ code }) => code)).toEqual(['unresolved-lookup-table', 'high-priority-fee']);
  });

  test('of signatures that an instruction names', async () => {
    const check: Instruction = {
      programAddress: 'Ed25519SigVerify111111111111111111111111111' as Address,
      data: Uint8Array.of(3, 0),
    };
    expect((await inspectTransaction(await transactionOf([check, transfer]))).fees.signatures).toBe(20_000n);
  });
});

describe('effects', () => {
  const owner = signer(payer);
  const debit = (account: Address, amount: unknown, more: object = {}) => ({
    kind: 'debit',
    account,
    amount,
    authority: payer,
    ...more,
  });
  const classic = { source: tokens, authority: owner };
  const inToken2022 = { programAddress: creator.tokenProgram };

  test.each<[string, Instruction, readonly object[]]>([
    [
      'a transfer of SOL',
      getTransferSolInstruction({ source: owner, destination: attacker, amount: 5n }),
      [debit(payer, 5n, { asset: 'SOL', destination: attacker, reason: 'transfer' })],
    ],
    [
      'a new account',
      getCreateAccountInstruction({
        payer: owner,
        newAccount: signer(SOMEWHERE),
        lamports: 9n,
        space: 1n,
        programAddress: UNKNOWN_PROGRAM,
      }),
      [
        debit(payer, 9n, { asset: 'SOL', destination: SOMEWHERE }),
        { kind: 'create', account: SOMEWHERE, owner: UNKNOWN_PROGRAM },
      ],
    ],
    [
      'a wallet given to a program',
      getAssignInstruction({ account: owner, programAddress: UNKNOWN_PROGRAM }),
      [{ kind: 'authority', account: payer, newAuthority: UNKNOWN_PROGRAM }],
    ],
    [
      'a wallet given to a program as a new account',
      getCreateAccountAllowPrefundInstruction({
        newAccount: owner,
        space: 0n,
        programAddress: UNKNOWN_PROGRAM,
      }),
      [
        { kind: 'create', account: payer, owner: UNKNOWN_PROGRAM, isIdempotent: true },
        { kind: 'authority', account: payer, authority: 'OwnerProgram', newAuthority: UNKNOWN_PROGRAM },
      ],
    ],
    [
      'a wallet that gets data',
      getAllocateInstruction({ newAccount: owner, space: 1n }),
      [
        { kind: 'assert-new', account: payer },
        { kind: 'lock', account: payer },
      ],
    ],
    [
      'an account of its own that gets data',
      getAllocateWithSeedInstruction({
        newAccount: SOMEWHERE,
        baseAccount: owner,
        base: payer,
        seed: 'x',
        space: 1n,
        programAddress: SYSTEM_PROGRAM_ADDRESS,
      }),
      [
        { kind: 'assert-new', account: SOMEWHERE },
        { kind: 'lock', account: SOMEWHERE },
        { kind: 'authority', account: SOMEWHERE, newAuthority: SYSTEM_PROGRAM_ADDRESS },
      ],
    ],
    [
      'no data at all',
      getAllocateInstruction({ newAccount: owner, space: 0n }),
      [{ kind: 'assert-new', account: payer }],
    ],
    [
      'a multisig',
      getInitializeMultisig2Instruction({ multisig: SOMEWHERE, m: 1, signers: [payer] }),
      [{ kind: 'create', account: SOMEWHERE, what: 'account' }],
    ],
    [
      'a nonce account emptied',
      getWithdrawNonceAccountInstruction({
        nonceAccount: NONCE,
        recipientAccount: attacker,
        nonceAuthority: owner,
        withdrawAmount: 6n,
      }),
      [debit(NONCE, 6n, { asset: 'SOL', destination: attacker })],
    ],
    [
      'a nonce account given away',
      getAuthorizeNonceAccountInstruction({
        nonceAccount: NONCE,
        nonceAuthority: owner,
        newNonceAuthority: attacker,
      }),
      [{ kind: 'authority', account: NONCE, newAuthority: attacker }],
    ],
    [
      'a transfer of tokens',
      getTransferInstruction({ ...classic, destination: attacker, amount: 7n }),
      [debit(tokens, 7n, { asset: 'token', destination: attacker })],
    ],
    [
      'a checked transfer',
      getTransferCheckedInstruction({
        ...classic,
        destination: attacker,
        mint: creator.mint,
        amount: 7n,
        decimals: 9,
      }),
      [debit(tokens, 7n, { mint: creator.mint })],
    ],
    [
      'burning',
      getBurnInstruction({ account: tokens, mint: creator.mint, authority: owner, amount: 8n }),
      [debit(tokens, 8n, { reason: 'burn', mint: creator.mint })],
    ],
    [
      'unwrapping',
      getUnwrapLamportsInstruction({ ...classic, destination: attacker, amount: 3n }),
      [
        debit(tokens, 3n, { mint: WRAPPED_SOL_MINT_ADDRESS }),
        { kind: 'credit', account: attacker, asset: 'SOL', amount: 3n, minimum: 0n, authority: payer },
      ],
    ],
    [
      'unwrapping all',
      getUnwrapLamportsInstruction({ ...classic, destination: attacker, amount: null }),
      [debit(tokens, 'all'), { kind: 'credit', account: attacker, asset: 'SOL', amount: 'all' }],
    ],
    [
      'moving excess SOL',
      getWithdrawExcessLamportsInstruction({ ...classic, destination: attacker }),
      [debit(tokens, 'all', { asset: 'SOL', destination: attacker })],
    ],
    [
      'an approval',
      getApproveInstruction({ source: tokens, delegate: attacker, owner, amount: 4n }),
      [{ kind: 'delegate', account: tokens, delegate: attacker, amount: 4n }],
    ],
    [
      'a checked approval',
      getApproveCheckedInstruction({
        source: tokens,
        mint: creator.mint,
        delegate: attacker,
        owner,
        amount: 4n,
        decimals: 9,
      }),
      [{ kind: 'delegate', account: tokens, delegate: attacker, amount: 4n }],
    ],
    [
      'taking it back',
      getRevokeInstruction({ source: tokens, owner }),
      [{ kind: 'delegate', account: tokens, delegate: null, amount: 0n }],
    ],
    [
      'another owner',
      getSetAuthorityInstruction({
        owned: tokens,
        owner,
        authorityType: AuthorityType.AccountOwner,
        newAuthority: attacker,
      }),
      [{ kind: 'authority', account: tokens, authority: 'AccountOwner', newAuthority: attacker }],
    ],
    [
      'no mint authority',
      getSetAuthorityInstruction({
        owned: SOMEWHERE,
        owner,
        authorityType: AuthorityType.MintTokens,
        newAuthority: null,
      }),
      [{ kind: 'authority', account: SOMEWHERE, authority: 'MintTokens', newAuthority: null }],
    ],
    [
      'a closing',
      getCloseAccountInstruction({ account: tokens, destination: attacker, owner }),
      [
        { kind: 'close', account: tokens, destination: attacker },
        debit(tokens, 'all', { asset: 'SOL', destination: attacker }),
      ],
    ],
    [
      'minting',
      getMintToInstruction({ mint: SOMEWHERE, token: tokens, mintAuthority: owner, amount: 2n }),
      [{ kind: 'mint', mint: SOMEWHERE, account: tokens, amount: 2n }],
    ],
    [
      'a new mint',
      getInitializeMint2Instruction({ mint: SOMEWHERE, decimals: 6, mintAuthority: other }),
      [{ kind: 'create', account: SOMEWHERE, what: 'mint', owner: other }],
    ],
    [
      'freezing',
      getFreezeAccountInstruction({ account: tokens, mint: SOMEWHERE, owner }),
      [{ kind: 'freeze', account: tokens, isFrozen: true }],
    ],
    [
      'thawing',
      getThawAccountInstruction({ account: tokens, mint: SOMEWHERE, owner }),
      [{ kind: 'freeze', account: tokens, isFrozen: false }],
    ],
    [
      'an account for another',
      getCreateAssociatedTokenInstruction({
        payer: owner,
        ata: SOMEWHERE,
        owner: attacker,
        mint: creator.mint,
      }),
      [
        { kind: 'create', account: SOMEWHERE, owner: attacker, isIdempotent: false },
        debit(payer, 'unknown', { asset: 'SOL', reason: 'rent', accountSizes: [165] }),
      ],
    ],
    [
      'a nested account emptied',
      getRecoverNestedAssociatedTokenInstruction({
        nestedAssociatedAccountAddress: tokens,
        nestedTokenMintAddress: creator.mint,
        destinationAssociatedAccountAddress: payersTokens,
        ownerAssociatedAccountAddress: SOMEWHERE,
        ownerTokenMintAddress: SOMEWHERE,
        walletAddress: owner,
        tokenProgram: TOKEN_PROGRAM_ADDRESS,
      }),
      [
        { kind: 'close', account: tokens },
        debit(tokens, 'all', { asset: 'token', mint: creator.mint, destination: payersTokens }),
      ],
    ],
    ['a memo', { programAddress: MEMO_PROGRAM, data: new TextEncoder().encode('hi') }, []],
  ])('%s', async (_, instruction, effects) => {
    const { instructions, summary } = await inspectTransaction(await transactionOf([instruction]));
    expect(instructions[0]?.effects).toHaveLength(effects.length);
    expect(instructions[0]?.effects).toMatchObject(effects);
    expect(instructions[0]?.description).toMatch(/^[A-Z].*[^.]$/);
    expect(summary).toContain(`1. ${instructions[0]?.description}.`);
  });

  test('warns of rights that are given away', async () => {
    const approve = getApproveInstruction({ source: tokens, delegate: attacker, owner, amount: 4n });
    const give = getSetAuthorityInstruction({
      owned: tokens,
      owner,
      authorityType: AuthorityType.AccountOwner,
      newAuthority: attacker,
    });
    const { warnings, summary } = await inspectTransaction(await transactionOf([approve, give]));
    expect(warnings.map(({ code, instruction }) => [code, instruction])).toEqual([
      ['delegation', 0],
      ['authority-change', 1],
    ]);
    expect(summary).toContain(`Warning: The AccountOwner authority of ${tokens} goes to ${attacker}.`);
  });

  test('every instruction of the programs has its words and effects, or is not understood', () => {
    const accounts = Array.from({ length: 11 }, () => ({ address: SOMEWHERE, role: AccountRole.WRITABLE }));
    const read = (programAddress: Address, discriminator: number) =>
      // Zeros are arguments to every instruction: no amount, no seed, nobody.
      stepOf({ programAddress, accounts, data: Uint8Array.from([discriminator, ...new Array(200).fill(0)]) });
    const onWire = new Map([
      ['WithdrawExcessLamports', WITHDRAW_EXCESS_LAMPORTS_DISCRIMINATOR],
      ['UnwrapLamports', UNWRAP_LAMPORTS_DISCRIMINATOR],
    ]);
    for (const [program, names] of [
      [SYSTEM_PROGRAM_ADDRESS, SystemInstruction],
      [TOKEN_PROGRAM_ADDRESS, TokenInstruction],
      [TOKEN_2022_PROGRAM_ADDRESS, TokenInstruction],
    ] as const) {
      for (const [name, discriminator] of Object.entries(names)) {
        if (typeof discriminator === 'string' || name === 'Batch') continue;
        const step = read(program, onWire.get(name) ?? discriminator);
        expect(step?.name).toBe(name);
        expect(step?.inWords).toMatch(/^[A-Z].*[^.]$/);
        expect(step?.effects).toBeInstanceOf(Array);
      }
      expect(read(program, 200)).toBeUndefined();
    }
    expect(read(TOKEN_PROGRAM_ADDRESS, BATCH_DISCRIMINATOR)).toBeUndefined();
    expect(read(HEAVEN_PROGRAM_ADDRESS, 1)).toBeUndefined();
  });

  const warningsOf = async (instructions: readonly Instruction[], options: object = {}) =>
    (
      await inspectTransaction(await transactionOf(instructions, { feePayer: attacker }), options)
    ).warnings.map(({ code, instruction }) => [code, instruction]);

  test('warns of a wallet that is given away or locked', async () => {
    const give = getCreateAccountAllowPrefundInstruction({
      newAccount: owner,
      space: 10n,
      programAddress: UNKNOWN_PROGRAM,
    });
    const lock = getAllocateInstruction({ newAccount: owner, space: 10n });
    ledger.setAccount(payer, { owner: SYSTEM_PROGRAM_ADDRESS, data: new Uint8Array() });
    for (const options of [{}, { client, owner: payer }]) {
      expect(await warningsOf([give], options)).toEqual([['authority-change', 0]]);
      expect(await warningsOf([lock], options)).toEqual([['account-locked', 0]]);
    }
    ledger.setAccount(payer, undefined);
  });

  test('room for data is no lock in an account that is made here', async () => {
    const make = getCreateAccountInstruction({
      payer: signer(attacker),
      newAccount: signer(SOMEWHERE),
      lamports: 9n,
      space: 0n,
      programAddress: SYSTEM_PROGRAM_ADDRESS,
    });
    const lock = getAllocateInstruction({ newAccount: signer(SOMEWHERE), space: 10n });
    expect(await warningsOf([make, lock], { recipients: [SOMEWHERE] })).toEqual([]);
    expect(await warningsOf([lock, make], { recipients: [SOMEWHERE] })).toEqual([['account-locked', 0]]);
    // An address that holds nothing yet may still be a wallet.
    expect(await warningsOf([lock], { client })).toEqual([['account-locked', 0]]);
  });

  test('giving up a right is a warning unless the account is certainly new', async () => {
    const make = { payer: owner, owner: payer, mint: creator.mint, tokenProgram: creator.tokenProgram };
    const giveUp = (owned: Address) =>
      getSetAuthorityInstruction(
        { owned, owner, authorityType: AuthorityType.CloseAccount, newAuthority: null },
        inToken2022,
      );
    const ifNone = getCreateAssociatedTokenIdempotentInstruction({ ...make, ata: payersTokens });
    const warning = [['authority-change', 1]];
    expect(await warningsOf([ifNone, giveUp(payersTokens)])).toEqual(warning);
    expect(await warningsOf([ifNone, giveUp(payersTokens)], { client })).toEqual(warning);
    const certainly = getCreateAssociatedTokenInstruction({ ...make, ata: payersTokens });
    expect(await warningsOf([certainly, giveUp(payersTokens)])).toEqual([]);
    expect(await warningsOf([giveUp(payersTokens), certainly])).toEqual([['authority-change', 0]]);
  });

  test.each<[string, (input: Parameters<typeof getBurnCheckedInstruction>[0]) => Instruction]>([
    [
      'a checked transfer',
      ({ account, ...input }) =>
        getTransferCheckedInstruction(
          { ...input, source: account, destination: SOMEWHERE } as never,
          inToken2022,
        ),
    ],
    ['a checked burning', (input) => getBurnCheckedInstruction(input, inToken2022)],
  ])("what another allows is the owner's debit in an associated account: %s", async (_, instruction) => {
    const delegated = { mint: creator.mint, authority: signer(attacker), amount: 5n, decimals: 9 };
    const tx = await transactionOf([instruction({ ...delegated, account: payersTokens })], {
      feePayer: attacker,
    });
    const debitsOf = async (whose: Address) => (await inspectTransaction(tx, { owner: whose })).debits;
    expect(await debitsOf(payer)).toMatchObject([{ account: payersTokens, amount: 5n }]);
    expect(await debitsOf(other)).toEqual([]);
  });

  test('shows what a text hides', async () => {
    const text = 'a"\n\u202e\u2028\u2029\u200b\u0085\u{e0041}é';
    const memo = { programAddress: MEMO_PROGRAM, data: new TextEncoder().encode(text) };
    const { summary } = await inspectTransaction(await transactionOf([memo]));
    const escaped = String.raw`"a\"\n\u202e\u2028\u2029\u200b\u0085\udb40\udc41é"`;
    expect(summary).toContain(`1. Note ${escaped}.`);
    expect(JSON.parse(escaped)).toBe(text);
  });
});

describe('unknown instructions', () => {
  const unknown = (
    accounts: Instruction['accounts'],
    programAddress = UNKNOWN_PROGRAM,
    data = [9],
  ): Instruction => ({
    programAddress,
    accounts: accounts ?? [],
    data: Uint8Array.from(data),
  });
  const signing = { address: payer, role: AccountRole.READONLY_SIGNER } as const;

  test.each<[string, Instruction]>([
    ['another program', unknown([signing])],
    [
      'an instruction of the exchange that is not known',
      unknown([signing], HEAVEN_PROGRAM_ADDRESS, [1, 2, 3, 4, 5, 6, 7, 8]),
    ],
    ['a batch of token instructions', unknown([signing], TOKEN_PROGRAM_ADDRESS, [255, 3, 9])],
    ['a Token-2022 extension', unknown([signing], TOKEN_2022_PROGRAM_ADDRESS, [26, 1, 0])],
    ['an instruction cut short', unknown([signing], TOKEN_PROGRAM_ADDRESS, [3, 1])],
    ['a system instruction that is not known', unknown([signing], SYSTEM_PROGRAM_ADDRESS, [99, 0, 0, 0])],
  ])('may do anything: %s', async (_, instruction) => {
    const { instructions, warnings } = await inspectTransaction(await transactionOf([instruction]));
    expect(instructions[0]).toMatchObject({ program: undefined, name: undefined });
    expect(instructions[0]?.effects).toEqual([
      {
        kind: 'anything',
        programAddress: instruction.programAddress,
        accounts: [payer],
        hasHiddenAccounts: false,
      },
    ]);
    expect(warnings).toEqual([
      { code: 'anything', instruction: 0, message: expect.stringContaining(`anything with ${payer}`) },
    ]);
  });

  test("with the owner's accounts, and no others", async () => {
    const writable = (address: Address) => ({ address, role: AccountRole.WRITABLE });
    const accounts = [writable(tokens), writable(payersWrapped), writable(attacker)];
    const tx = await transactionOf([
      getMintToInstruction({
        mint: WRAPPED_SOL_MINT_ADDRESS,
        token: SOMEWHERE,
        mintAuthority: signer(payer),
        amount: 1n,
      }),
      unknown([...accounts, { address: other, role: AccountRole.READONLY_SIGNER }]),
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

describe('lookup tables', () => {
  const transfer = getTransferSolInstruction({ source: signer(payer), destination: other, amount: 5n });
  const through = (addresses: readonly Address[]) =>
    transactionOf([transfer], { tables: { [TABLE]: [...addresses] } });

  test('are read, or given', async () => {
    const tx = await through([SOMEWHERE, other]);
    const expected = [{ address: TABLE, loads: [other], reason: undefined }];
    const given = await inspectTransaction(tx, { lookupTables: { [TABLE]: [SOMEWHERE, other] } });
    expect(given.lookupTables).toEqual(expected);
    expect(given.instructions[0]?.accounts[1]).toEqual({
      address: other,
      role: AccountRole.WRITABLE,
      lookup: { table: TABLE, index: 1 },
    });
    ledger.setAccount(TABLE, {
      owner: LOOKUP_TABLE_PROGRAM,
      data: encodeLookupTable({ addresses: [SOMEWHERE, other] }),
    });
    expect((await inspectTransaction(tx, { client })).lookupTables).toEqual(expected);
    ledger.setAccount(TABLE, undefined);
  });

  test.each<[string, object, string]>([
    ['is not known', {}, 'no client to read them'],
    ['is not there', { client }, 'it does not exist on this cluster'],
    ['is too short', { lookupTables: { [TABLE]: [SOMEWHERE] } }, 'it holds only 1 addresses'],
  ])('that %s hides what is in it, and nothing is guessed', async (_, options, reason) => {
    const tx = await through([SOMEWHERE, other]);
    const { instructions, warnings, debits } = await inspectTransaction(tx, options);
    expect(instructions[0]?.program).toBeUndefined();
    expect(instructions[0]?.accounts[1]?.address).toBeUndefined();
    expect(instructions[0]?.effects).toEqual([
      {
        kind: 'anything',
        programAddress: SYSTEM_PROGRAM_ADDRESS,
        accounts: [payer],
        hasHiddenAccounts: true,
      },
    ]);
    expect(warnings.map(({ code }) => code)).toEqual(['unresolved-lookup-table', 'anything']);
    expect(warnings[0]?.message).toContain(reason);
    expect(debits.map(({ amount }) => amount)).toEqual([5_000n]);
  });

  test('that load an account a second time', async () => {
    const tx = await through([other]);
    const { warnings } = await inspectTransaction(tx, { lookupTables: { [TABLE]: [payer] } });
    expect(warnings.map(({ code }) => code)).toEqual(['account-loaded-twice']);
  });
});

describe('the envelope', () => {
  const transfer = getTransferSolInstruction({ source: signer(payer), destination: other, amount: 5n });

  test('a legacy transaction is read like the others', async () => {
    const inspection = await inspectTransaction(await transactionOf([transfer], { version: 'legacy' }), {
      recipients: [other],
    });
    expect(inspection).toMatchObject({
      version: 'legacy',
      lifetime: { kind: 'blockhash', blockhash: BLOCKHASH },
      warnings: [],
    });
    expect(inspection.debits).toMatchObject([{ account: payer, amount: 5_005n }]);
  });

  test('a durable nonce is seen where the cluster looks for it', async () => {
    const advance = getAdvanceNonceAccountInstruction({ nonceAccount: NONCE, nonceAuthority: signer(other) });
    const options = { recipients: [other] };
    const first = await inspectTransaction(await transactionOf([advance, transfer]), options);
    expect(first.lifetime).toEqual({
      kind: 'durable-nonce',
      nonce: BLOCKHASH,
      nonceAccount: NONCE,
      nonceAuthority: other,
    });
    expect(first.warnings.map(({ code }) => code)).toEqual(['durable-nonce']);
    const second = await inspectTransaction(await transactionOf([transfer, advance]), options);
    expect(second).toMatchObject({ lifetime: { kind: 'blockhash' }, warnings: [] });
  });

  test('signatures are verified', async () => {
    const draft: Draft = {
      feePayer: payer,
      version: 0,
      tables: {},
      instructions: [{ ...transfer, accounts: [...transfer.accounts], data: Uint8Array.from(transfer.data) }],
    };
    const tx = await putTogether(draft, [await wallet(1)]);
    expect((await inspectTransaction(tx)).signers).toEqual([{ address: payer, signature: 'valid' }]);
    const bytes = Uint8Array.from(getBase64Encoder().encode(tx));
    bytes[bytes.length - 2]! ^= 1;
    const { signers, warnings } = await inspectTransaction(getBase64Decoder().decode(bytes), {
      recipients: [other],
    });
    expect(signers).toEqual([{ address: payer, signature: 'invalid' }]);
    expect(warnings.map(({ code }) => code)).toEqual(['invalid-signature']);
  });

  test('rejects what is not a transaction, and says why', async () => {
    const tx = await transactionOf([transfer]);
    const bytes = getBase64Encoder().encode(tx);
    const version1 = Uint8Array.from([0x81, 1, 0, 1, ...new Array(300).fill(0)]);
    for (const [wrong, why] of [
      ['', 'its bytes are not'],
      ['%', 'characters that base64'],
      [`${tx} `, 'base64'],
      [getBase64Decoder().decode(Uint8Array.from([...bytes, 0])), 'its bytes are not'],
      [getBase64Decoder().decode(bytes.slice(0, -1)), 'its bytes are not'],
      [getBase64Decoder().decode(version1), 'its bytes are not'],
      ['A'.repeat(4000), 'at most 1232'],
      [undefined as never, 'undefined'],
    ] as const) {
      await expect(inspectTransaction(wrong)).rejects.toThrow(
        expect.objectContaining({ message: expect.stringContaining(why) }),
      );
      await expect(inspectTransaction(wrong)).rejects.toThrow(
        refused('malformed-data', { what: 'transaction' }),
      );
    }
    await expect(inspectTransaction(tx, { owner: 'me' as never })).rejects.toThrow(
      refused('invalid-address', { field: 'owner', value: 'me' }),
    );
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
      { numRuns: 500 },
    );
  });
});
