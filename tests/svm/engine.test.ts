import {
  AccountRole,
  type Address,
  type Base64EncodedWireTransaction,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  getCompiledTransactionMessageEncoder,
  type Instruction,
  type V1TransactionConfig,
} from '@solana/kit';
import {
  getSetComputeUnitLimitInstruction,
  getSetComputeUnitPriceInstruction,
  getSetLoadedAccountsDataSizeLimitInstruction,
} from '@solana-program/compute-budget';
import { getTransferSolInstruction } from '@solana-program/system';
import {
  getCloseAccountInstruction,
  getCreateAssociatedTokenIdempotentInstruction,
  getSyncNativeInstruction,
} from '@solana-program/token';
import { describe, expect, test } from 'vitest';
import { buildBuy, createHeavenClient, quoteBuy } from '../../src/index.js';
import {
  findAssociatedTokenAddress,
  HEAVEN_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
  WRAPPED_SOL_MINT_ADDRESS,
} from '../../src/program/index.js';
import { encodeLookupTable } from '../../src/testing/encode.js';
import {
  createEmbeddedLedger,
  createEmptyLedger,
  createSvmEngine,
  encodeTokenAccount,
  type Ledger,
} from '../../src/testing/index.js';
import { transactionErrorIn } from '../../src/testing/svm-errors.js';
import {
  addressNumbered,
  CLOCK_SYSVAR_ADDRESS,
  LOOKUP_TABLE_PROGRAM_ADDRESS as LOOKUP_TABLE_PROGRAM,
  MEMO_PROGRAM_ADDRESS,
} from '../support/addresses.js';
import { SOL } from '../support/amounts.js';
import { expectRefusal } from '../support/errors.js';
import { compiledOf, decodedOf } from '../support/transactions.js';
import { signedWith, transferTo } from '../support/transfer.js';
import { noopProgram } from './programs.js';

const SYSTEM = '11111111111111111111111111111111' as Address;

const engine = await createSvmEngine({ programs: { [HEAVEN_PROGRAM_ADDRESS]: noopProgram() } });
const { address: TABLE } = await generateKeyPairSigner();
/** An address that nothing is at. */
const SPARE = '8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR' as Address;
const wallet = await generateKeyPairSigner();
const other = await generateKeyPairSigner();

/** An empty ledger, the payer with 10 SOL. */
function fundedLedger(options: Parameters<typeof createEmptyLedger>[0] = {}): Ledger {
  const ledger = createEmptyLedger(options);
  ledger.setBalance(wallet.address, 10n * SOL);
  return ledger;
}
const inLiteSvm = () => fundedLedger({ engine });

const NO_WALLET = { owner: HEAVEN_PROGRAM_ADDRESS, data: new Uint8Array(1), lamports: SOL };

const balanceOf = (ledger: Ledger, address: Address) => ledger.getAccount(address)?.lamports;

const transfer = getTransferSolInstruction({ source: wallet, destination: other.address, amount: SOL });

/** A transfer by another wallet that does not sign. */
const unsigned: Instruction = {
  programAddress: SYSTEM,
  accounts: [other.address, wallet.address].map((address) => ({ address, role: AccountRole.WRITABLE })),
  data: transfer.data,
};

/** An account of the lookup table program. */
const ofTables = (data: Uint8Array) => ({ owner: LOOKUP_TABLE_PROGRAM, data });

const tableOf = (fields: Parameters<typeof encodeLookupTable>[0]) => ofTables(encodeLookupTable(fields));

/** A transfer of 1 SOL to an address that comes from a lookup table. */
const lookedUp = (table: Address, addresses: readonly Address[]) =>
  signedWith(wallet, [transfer], { tables: { [table]: [...addresses] } });

const LIMITS = { computeUnitLimit: 1_000, loadedAccountsDataSizeLimit: 65_536 };
/** Other instructions and a transfer of 1 SOL in a version 1 transaction. */
const versionOne = (config: V1TransactionConfig, ...others: readonly Instruction[]) =>
  signedWith(wallet, [...others, transfer], { config: { ...LIMITS, ...config } });

const errorOf = async (ledger: Ledger, tx: Base64EncodedWireTransaction) => (await ledger.execute(tx)).err;

describe.each(Object.entries({ 'the model': fundedLedger, LiteSVM: inLiteSvm }))('on %s', (_, fresh) => {
  test('a transfer creates its destination, and the payer pays the fee', async () => {
    const ledger = fresh();
    const { err, fee, accounts } = await ledger.execute(await transferTo(other.address, SOL, wallet));
    expect(err).toBeNull();
    expect(fee).toBe(5_000n);
    expect([...accounts.keys()].sort()).toEqual([wallet.address, other.address].sort());
    const created = { owner: SYSTEM, data: new Uint8Array(), lamports: SOL };
    expect(ledger.getAccount(other.address)).toEqual(created);
    expect(balanceOf(ledger, wallet.address)).toBe(9n * SOL - 5_000n);
  });

  test('a failed transaction pays its fee and changes nothing else', async () => {
    const ledger = fresh();
    const tooMuch = { source: wallet, destination: other.address, amount: 100n * SOL };
    const tx = await signedWith(wallet, [transfer, getTransferSolInstruction(tooMuch)]);
    const { err, logs, accounts } = await ledger.execute(tx);
    expect(err).toEqual({ InstructionError: [1, { Custom: 1 }] });
    expect(logs).toContain(`Program ${SYSTEM} failed: custom program error: 0x1`);
    expect([...accounts]).toEqual([
      [wallet.address, { owner: SYSTEM, data: new Uint8Array(), lamports: 10n * SOL - 5_000n }],
    ]);
    expect(ledger.getAccount(other.address)).toBeUndefined();
  });

  test('a simulation changes nothing', async () => {
    const ledger = fresh();
    const config = { encoding: 'base64', replaceRecentBlockhash: true } as const;
    const tx = await transferTo(other.address, SOL, wallet);
    const { value } = await ledger.rpc
      .simulateTransaction(tx, { ...config, accounts: { encoding: 'base64', addresses: [other.address] } })
      .send();
    expect(value).toMatchObject({ err: null, unitsConsumed: 150n, accounts: [{ lamports: SOL }] });
    expect(ledger.getAccount(other.address)).toBeUndefined();
  });

  test.each([5_080n, 6_960n])('wrapped SOL is opened, filled and closed at the rate %d', async (rate) => {
    const ledger = fresh();
    ledger.setRent(rate);
    const owner = wallet.address;
    const mint = WRAPPED_SOL_MINT_ADDRESS;
    const ata = await findAssociatedTokenAddress({ owner, mint });
    const opened = await signedWith(wallet, [
      getCreateAssociatedTokenIdempotentInstruction({ payer: wallet, ata, owner, mint }),
      getTransferSolInstruction({ source: wallet, destination: ata, amount: SOL }),
      getSyncNativeInstruction({ account: ata }),
    ]);
    expect(await errorOf(ledger, opened)).toBeNull();
    const rent = 293n * rate;
    expect(ledger.getAccount(ata)).toEqual({
      owner: TOKEN_PROGRAM_ADDRESS,
      data: encodeTokenAccount({ mint, owner, amount: SOL, nativeReserve: rent }),
      lamports: SOL + rent,
    });
    expect(balanceOf(ledger, owner)).toBe(9n * SOL - rent - 5_000n);

    const close = getCloseAccountInstruction({ account: ata, destination: owner, owner: wallet });
    expect(await errorOf(ledger, await signedWith(wallet, [close]))).toBeNull();
    expect(ledger.getAccount(ata)).toBeUndefined();
    expect(balanceOf(ledger, owner)).toBe(10n * SOL - 10_000n);
  });

  test.each<[string, (ledger: Ledger) => void, unknown]>([
    ['without an account', (ledger) => ledger.setAccount(wallet.address, undefined), 'AccountNotFound'],
    ['without the fee', (ledger) => ledger.setBalance(wallet.address, 4_999n), 'InsufficientFundsForFee'],
    ['that is no wallet', (ledger) => ledger.setAccount(wallet.address, NO_WALLET), 'InvalidAccountForFee'],
  ])('a payer %s is rejected and pays nothing', async (_, arrange, expected) => {
    const ledger = fresh();
    arrange(ledger);
    const before = balanceOf(ledger, wallet.address);
    const { err, accounts } = await ledger.execute(await signedWith(wallet, []));
    expect(err).toBe(expected);
    expect(accounts.size).toBe(0);
    expect(balanceOf(ledger, wallet.address)).toBe(before);
  });

  test('an account that is left without its rent', async () => {
    const tx = await transferTo(other.address, 1n, wallet);
    expect(await errorOf(fresh(), tx)).toEqual({ InsufficientFundsForRent: { account_index: 1 } });
  });

  test.each<[string, Instruction]>([
    ['MissingRequiredSignature', unsigned],
    ['InvalidInstructionData', { programAddress: SYSTEM, data: Uint8Array.of(255, 255, 255, 255) }],
  ])("the runtime's own name of an error: %s", async (name, instruction) => {
    const ledger = fresh();
    ledger.setBalance(other.address, SOL);
    const tx = await signedWith(wallet, [instruction]);
    expect(await errorOf(ledger, tx)).toEqual({ InstructionError: [0, name] });
  });

  test('an account from a lookup table', async () => {
    const ledger = fresh();
    const addresses = [MEMO_PROGRAM_ADDRESS, other.address];
    ledger.setAccount(TABLE, tableOf({ addresses }));
    expect(await errorOf(ledger, await lookedUp(TABLE, addresses))).toBeNull();
    expect(balanceOf(ledger, other.address)).toBe(SOL);
  });

  const addresses = [other.address];
  const { slot: lastExtendedSlot } = createEmptyLedger();
  test.each([
    ['is missing', undefined, 'AddressLookupTableNotFound'],
    ["is no table's", { ...NO_WALLET, data: new Uint8Array(100) }, 'InvalidAddressLookupTableOwner'],
    ['is no table', ofTables(new Uint8Array(40)), 'InvalidAddressLookupTableData'],
    ['holds too little', tableOf({ addresses: [] }), 'InvalidAddressLookupTableIndex'],
    ['is extended in this slot', tableOf({ addresses, lastExtendedSlot }), 'InvalidAddressLookupTableIndex'],
  ])('a lookup table that %s', async (_, table, expected) => {
    const ledger = fresh();
    ledger.setAccount(TABLE, table);
    const { err, accounts } = await ledger.execute(await lookedUp(TABLE, addresses));
    expect(err).toBe(expected);
    expect(accounts.size).toBe(0);
  });

  test('a version 1 transaction, with its priority fee', async () => {
    const ledger = fresh();
    const { err, fee } = await ledger.execute(await versionOne({ priorityFeeLamports: 77n }));
    expect(err).toBeNull();
    expect(fee).toBe(5_077n);
    expect(balanceOf(ledger, wallet.address)).toBe(9n * SOL - 5_077n);
  });

  describe('two compute budget instructions of one kind', () => {
    const limit = getSetComputeUnitLimitInstruction({ units: 100_000 });
    const price = getSetComputeUnitPriceInstruction({ microLamports: 1n });
    const size = getSetLoadedAccountsDataSizeLimitInstruction({ accountDataSizeLimit: 1_000_000 });
    const longer = { ...limit, data: Uint8Array.of(...limit.data, 0) };

    test.each<[string, readonly Instruction[], number]>([
      ['limits', [limit, transfer, limit], 2],
      ['limits, one with trailing bytes', [longer, limit], 1],
      ['prices', [limit, price, size, price], 3],
      ['sizes', [size, limit, size], 2],
    ])('%s', async (_, instructions, index) => {
      const ledger = fresh();
      const err = { DuplicateInstruction: index };
      for (const version of ['legacy', 0] as const) {
        const tx = await signedWith(wallet, instructions, { version });
        const { accounts, ...outcome } = await ledger.execute(tx);
        expect(outcome).toMatchObject({ err, logs: [], unitsConsumed: 0n });
        expect(accounts.size).toBe(0);
      }
      expect(balanceOf(ledger, wallet.address)).toBe(10n * SOL);
    });

    test('are rejected by a node before anything is paid', async () => {
      const ledger = fresh();
      const { value: lifetime } = await ledger.rpc.getLatestBlockhash().send();
      const tx = await signedWith(wallet, [limit, limit], { lifetime });
      const { value } = await ledger.rpc.simulateTransaction(tx, { encoding: 'base64' }).send();
      expect(value).toMatchObject({ err: { DuplicateInstruction: 1n }, logs: [], unitsConsumed: 0n });
      const send = (options: object) =>
        ledger.rpc.sendTransaction(tx, { encoding: 'base64', ...options }).send();
      await expect(send({})).rejects.toMatchObject({ cause: { context: { index: 1 } } });
      const signature = await send({ skipPreflight: true });
      expect((await ledger.rpc.getSignatureStatuses([signature]).send()).value).toEqual([null]);
      expect(balanceOf(ledger, wallet.address)).toBe(10n * SOL);
    });

    test('have no effect in version 1', async () => {
      const tx = await versionOne({}, limit, limit, price, price);
      expect(await fresh().execute(tx)).toMatchObject({ err: null, fee: 5_000n, unitsConsumed: 750n });
    });
  });

  test('accounts over the limit of a transaction are not loaded, and the fee is paid', async () => {
    const ledger = fresh();
    const { err, accounts } = await ledger.execute(await versionOne({ loadedAccountsDataSizeLimit: 1 }));
    expect(err).toBe('MaxLoadedAccountsDataSizeExceeded');
    expect([...accounts]).toEqual([
      [wallet.address, expect.objectContaining({ lamports: 10n * SOL - 5_000n })],
    ]);
  });

  test('a missing program, and an account that is none, cost the fee', async () => {
    const ledger = fresh();
    const tx = await signedWith(wallet, [{ programAddress: SPARE }]);
    const { err, accounts } = await ledger.execute(tx);
    expect(err).toBe('ProgramAccountNotFound');
    expect(accounts.get(wallet.address)?.lamports).toBe(10n * SOL - 5_000n);
    ledger.setBalance(SPARE, SOL);
    expect(await errorOf(ledger, tx)).toBe('InvalidProgramForExecution');
  });

  test('nothing is kept of a failure', async () => {
    const ledger = fresh();
    const { err } = await ledger.execute(await transferTo(other.address, 100n * SOL, wallet));
    expect(err).toEqual({ InstructionError: [0, { Custom: 1 }] });
    expect(balanceOf(ledger, wallet.address)).toBe(10n * SOL);
  });

  test.each([
    [0n, 0n, null],
    [1n, 1n, { InsufficientFundsForRent: { account_index: 0 } }],
    [650_239n, 0n, { InsufficientFundsForRent: { account_index: 0 } }],
    [650_240n, 0n, null],
  ])(
    'a fee payer whom the fee leaves %d lamports is not charged below the rent',
    async (left, moved, failure) => {
      const ledger = fresh();
      ledger.setBalance(wallet.address, 5_000n + left);
      ledger.setBalance(other.address, SOL);
      const { err, accounts } = await ledger.execute(await transferTo(other.address, moved, wallet));
      expect(err).toEqual(failure);
      expect(accounts.has(wallet.address)).toBe(failure === null);
    },
  );

  test('at most 64 accounts are locked', async () => {
    const ledger = fresh();
    const addresses = Array.from({ length: 62 }, (_, index) => addressNumbered(index));
    ledger.setAccount(TABLE, tableOf({ addresses }));
    // Beside the payer, the destination and the program.
    const read = addresses.slice(0, 61).map((address) => ({ address, role: AccountRole.READONLY }));
    const reading: Instruction = { ...transfer, accounts: [...transfer.accounts, ...read] };
    const most = await signedWith(wallet, [reading], { tables: { [TABLE]: addresses } });
    expect((await ledger.execute(most)).err).toBeNull();
    // kit makes no more of it.
    const message = compiledOf(most) as Extract<ReturnType<typeof compiledOf>, { version: 0 }>;
    const [lookup] = message.addressTableLookups ?? [];
    const addressTableLookups = [{ ...lookup!, readonlyIndexes: [...lookup!.readonlyIndexes, 61] }];
    const messageBytes = getCompiledTransactionMessageEncoder().encode({ ...message, addressTableLookups });
    const tooMany = getBase64EncodedWireTransaction({
      ...decodedOf(most),
      messageBytes: messageBytes as never,
    });
    const { err, accounts } = await ledger.execute(tooMany);
    expect(err).toBe('TooManyAccountLocks');
    expect(accounts.size).toBe(0);
  });
});

describe('in LiteSVM', () => {
  // The exchange does nothing on either.
  test.each(['community', 'creator'] as const)('a %s buy leaves the same as on the model', async (name) => {
    const ledgers = [await createEmbeddedLedger(), await createEmbeddedLedger({ engine })];
    ledgers[0]!.setBehavior({ scripted: { buy: 'success' } });
    const ends = ledgers.map(async (ledger) => {
      ledger.setBalance(wallet.address, 10n * SOL);
      const client = createHeavenClient({ rpc: ledger.rpc });
      const { mint, configVersion } = ledger.pools[name];
      const terms = { mint, configVersion, maxSolSpend: 1, slippageBps: 50 };
      const quoteResponse = await quoteBuy(client, terms);
      const { tx } = await buildBuy(client, { payer: wallet.address, quoteResponse });
      expect(await errorOf(ledger, tx)).toBeNull();
      return new Map(ledger.listAccounts());
    });
    const [model, machine] = await Promise.all(ends);
    expect(machine).toEqual(model);
  });

  test('each ledger of an engine has its own accounts, clock and rent', async () => {
    const [one, two] = [inLiteSvm(), createEmptyLedger({ engine, lamportsPerByte: 1n })];
    two.setBalance(wallet.address, SOL);
    expect(await errorOf(one, await transferTo(other.address, SOL, wallet))).toBeNull();
    // Here the destination doesn't exist, and 128 lamports are rent enough.
    const { accounts } = await two.execute(await transferTo(other.address, 128n, wallet));
    expect(accounts.get(other.address)?.lamports).toBe(128n);
    expect(balanceOf(two, wallet.address)).toBe(SOL - 5_128n);
    expect(balanceOf(one, other.address)).toBe(SOL);
    const poor = { InsufficientFundsForRent: { account_index: 1 } };
    expect(await errorOf(one, await transferTo(SPARE, 128n, wallet))).toEqual(poor);
    // Removed on the ledger is removed in the machine.
    one.setAccount(other.address, undefined);
    await one.execute(await transferTo(other.address, SOL, wallet));
    expect(balanceOf(one, other.address)).toBe(SOL);
  });

  test("LiteSVM's own accounts are restored for the next ledger", async () => {
    const ledger = inLiteSvm();
    for (const destination of [HEAVEN_PROGRAM_ADDRESS, WRAPPED_SOL_MINT_ADDRESS]) {
      const amounts = [];
      for (const each of [ledger, inLiteSvm()]) {
        const { err, accounts } = await each.execute(await transferTo(destination, SOL, wallet));
        expect(err).toBeNull();
        amounts.push(accounts.get(destination)!.lamports);
      }
      expect(amounts[0]).toBe(amounts[1]);
    }
    const call = await signedWith(wallet, [{ programAddress: HEAVEN_PROGRAM_ADDRESS }]);
    expect(await ledger.execute(call)).toMatchObject({ err: null, unitsConsumed: 2n });
  });

  test('the clock is that of the ledger: a table extended in this slot can be used in the next', async () => {
    const clock = { slot: 400_000_000n, unixTimestamp: 1_770_000_000n };
    const ledger = fundedLedger({ engine, clock });
    const addresses = [other.address];
    ledger.setAccount(TABLE, tableOf({ addresses, lastExtendedSlot: 400_000_000n }));
    const tx = await lookedUp(TABLE, addresses);
    expect(await errorOf(ledger, tx)).toBe('InvalidAddressLookupTableIndex');
    ledger.setSlot(400_000_001n);
    expect(await errorOf(ledger, tx)).toBeNull();
  });

  test('a ledger without a clock is rejected', async () => {
    const ledger = inLiteSvm();
    ledger.setAccount(CLOCK_SYSVAR_ADDRESS, undefined);
    const executed = ledger.execute(await transferTo(other.address, SOL, wallet));
    await expectRefusal(executed, 'account-not-found', { account: 'clock' });
  });

  test('the limit applies to the loaded bytes', async () => {
    const ledger = inLiteSvm();
    const read = (address: Address) => ({ address, role: AccountRole.READONLY });
    const accounts = [CLOCK_SYSVAR_ADDRESS, WRAPPED_SOL_MINT_ADDRESS, SPARE].map(read);
    const call: Instruction = { programAddress: HEAVEN_PROGRAM_ADDRESS, accounts };
    const limited = async (accountDataSizeLimit: number) => {
      const limit = getSetLoadedAccountsDataSizeLimitInstruction({ accountDataSizeLimit });
      return ledger.execute(await signedWith(wallet, [limit, call]));
    };
    const { err, loadedAccountsDataSize } = await limited(64 * 1_024 * 1_024);
    expect(err).toBeNull();
    // LiteSVM doesn't count the code behind a program's account, here a header of 45 bytes and the file. Clusters do.
    const counted = loadedAccountsDataSize - (64 + 45 + noopProgram().length);
    expect((await limited(counted)).err).toBeNull();
    expect((await limited(counted - 1)).err).toBe('MaxLoadedAccountsDataSizeExceeded');
  });

  test.each<[string, Uint8Array]>([
    ['nothing', new Uint8Array()],
    ['no ELF', new Uint8Array(400).fill(1)],
    ['an ELF without its code', noopProgram().fill(0, 176, 192)],
    ['an ELF behind the header of its account', Uint8Array.of(...new Uint8Array(45), ...noopProgram())],
  ])('%s is not run as a program', async (_, elf) => {
    const context = { field: 'programs', value: SPARE };
    await expectRefusal(createSvmEngine({ programs: { [SPARE]: elf } }), 'invalid-input', context);
  });
});

test.each<[string, unknown]>([
  ['BlockhashNotFound', 'BlockhashNotFound'],
  ['DuplicateInstruction(4)', { DuplicateInstruction: 4 }],
  ['InsufficientFundsForRent { account_index: 1 }', { InsufficientFundsForRent: { account_index: 1 } }],
  ['InstructionError(3, InvalidAccountData)', { InstructionError: [3, 'InvalidAccountData'] }],
  ['InstructionError(3, Custom(6013))', { InstructionError: [3, { Custom: 6013 }] }],
])('the error %s is read, and other text rejected', (text, expected) => {
  const meta = 'TransactionMetadata { logs: ["Program log: { err: None, meta: 1 }"] }';
  const failure = `FailedTransactionMetadata(FailedTransactionMetadata { err: ${text}, meta: ${meta} })`;
  expect(transactionErrorIn(failure)).toEqual(expected);
  expect(() => transactionErrorIn(text)).toThrow('LiteSVM failed without a known error');
});
