import {
  AccountRole,
  type Address,
  createNoopSigner,
  generateKeyPairSigner,
  getAddressEncoder,
  type Instruction,
  type KeyPairSigner,
  lamports,
  none,
  type TransactionPartialSigner,
} from '@solana/kit';
import { getCreateAccountInstruction } from '@solana-program/system';
import { getInitializeMint2Instruction, getMintDecoder, getTokenDecoder } from '@solana-program/token';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  type BuildCreateStandardLiquidityPoolInput,
  type BuiltLaunch,
  type BuiltTransaction,
  buildCreateStandardLiquidityPool,
  grindMintAddress,
  toUiAmount,
} from '../../src/index.js';
import {
  ASSOCIATED_TOKEN_PROGRAM_ADDRESS,
  findAssociatedTokenAddress,
  findProtocolConfigAddress,
  HEAVEN_PROGRAM_ADDRESS,
  parseCreateStandardLiquidityPoolInstruction,
  SYSTEM_PROGRAM_ADDRESS as SYSTEM,
  TOKEN_2022_PROGRAM_ADDRESS as TOKEN_2022,
  TOKEN_METADATA_PROGRAM_ADDRESS,
} from '../../src/program/index.js';
import { encodeLookupTable } from '../../src/testing/encode.js';
import { encodeMint } from '../../src/testing/index.js';
import { LAUNCHES } from '../mainnet/facts.js';
import { asMutable, putTogether, takeApart } from '../review/support.js';
import { COMPUTE_BUDGET_PROGRAM_ADDRESS, LOOKUP_TABLE_PROGRAM_ADDRESS } from '../support/addresses.js';
import { expectRefusal, heavenError } from '../support/errors.js';
import { openConfigTwo } from '../support/ledger.js';
import { compiledOf, decodedOf, lookupTablesIn, messageOf } from '../support/transactions.js';
import { createWorld, existing, feeOf, programsOf, type World } from './harness.js';
import { noopProgram } from './programs.js';

const MOST_BYTES = 1232;
const SUPPLY = 1_000_000_000_000_000_000n;
/** 10 % of the tokens. */
const TOKENS = 100_000_000_000_000_000n;
/** A Token-2022 account with the immutable owner: 170 bytes. */
const TOKEN_ACCOUNT = { size: 170n, rent: 1_513_840n } as const;
/** (270 + 128) * 5080 lamports. */
const MINT = { size: 270n, rent: 2_021_840n } as const;
/** An address that no launch uses. */
const FILLER = 'SysvarS1otHashes111111111111111111111111111' as Address;

const ORDINARY = { name: 'A token', symbol: 'TOKEN', uri: 'https://example.com/token.json' } as const;
const LONGEST = { name: 'n'.repeat(32), symbol: 's'.repeat(10), uri: 'u'.repeat(200) } as const;

const launchFee = (signatures: bigint) => feeOf({ signatures, limit: 400_000n, price: 20_000_000n });

type Input = BuildCreateStandardLiquidityPoolInput;

type TableFields = Partial<Parameters<typeof encodeLookupTable>[0]>;

/** A machine that can run a launch, and the launch's wallet, mint and lookup table. */
async function createLauncher(name: 'community' | 'creator' = 'community') {
  const world = await createWorld(name);
  const { ledger, svm } = world;
  svm.addProgram(TOKEN_METADATA_PROGRAM_ADDRESS, noopProgram());
  const lutAddress = ledger.lookupTables[name];
  const addresses = lookupTablesIn(ledger)[lutAddress]!;
  /** The sample lookup table, with changes. */
  const lookupTable = (fields: TableFields = {}) => encodeLookupTable({ addresses, ...fields });
  world.place(lutAddress, LOOKUP_TABLE_PROGRAM_ADDRESS, lookupTable());
  const mintSigner = await generateKeyPairSigner();
  const creator = await generateKeyPairSigner();
  const build = (change: Partial<Input> = {}) =>
    buildCreateStandardLiquidityPool(world.client, {
      ...ORDINARY,
      payer: world.wallet.address,
      creator: world.wallet.address,
      encodedUserDefinedEventData: '',
      initialPurchaseAmount: TOKENS,
      lutAddress,
      mintSigner,
      lifetime: world.lifetime(),
      ...change,
    });
  return { world, svm, ledger, lutAddress, addresses, lookupTable, mintSigner, creator, build };
}
type Launcher = Awaited<ReturnType<typeof createLauncher>>;

/**
 * What the metadata program's `Create` does about the mint, in instructions of the real programs: a Token-2022 mint of 270
 * bytes with the extensions MintCloseAuthority and MetadataPointer, and with the creator as mint and freeze authority.
 */
function creationOfMint(payer: Address, mint: Address, creator: Address, metadata: Address) {
  const programAddress = TOKEN_2022;
  const newAccount = createNoopSigner(mint);
  const account = { newAccount, lamports: MINT.rent, space: MINT.size, programAddress };
  const authorities = { mintAuthority: creator, freezeAuthority: creator };
  const extension = (...data: readonly (number | Address)[]): Instruction => ({
    programAddress,
    accounts: [{ address: mint, role: AccountRole.WRITABLE }],
    data: Uint8Array.from(
      data.flatMap((part) => (typeof part === 'number' ? part : [...getAddressEncoder().encode(part)])),
    ),
  });
  return [
    getCreateAccountInstruction({ payer: createNoopSigner(payer), ...account }),
    extension(25, 1, metadata), // InitializeMintCloseAuthority
    extension(39, 0, SYSTEM, metadata), // InitializeMetadataPointer, without an authority
    getInitializeMint2Instruction({ mint, decimals: 9, ...authorities }, { programAddress }),
  ];
}

/**
 * Runs a launch on the real System, token and associated-token programs. The metadata program is not at hand: what it does
 * about the mint stands in its place. The exchange is a program that does nothing.
 */
async function run(
  { world, lutAddress, addresses, mintSigner }: Launcher,
  built: BuiltLaunch,
  wallets: readonly KeyPairSigner[],
  signer: TransactionPartialSigner = mintSigner,
) {
  const draft = takeApart(built.tx, { [lutAddress]: addresses });
  draft.version = built.version;
  if (built.config) draft.config = built.config;
  const used = new Set(lookupsIn(built));
  draft.tables = { [lutAddress]: addresses.map((address, index) => (used.has(index) ? address : FILLER)) };
  const create = draft.instructions.findIndex(
    ({ programAddress }) => programAddress === TOKEN_METADATA_PROGRAM_ADDRESS,
  );
  const metadata = draft.instructions[create]!.accounts[0]!.address;
  const creation = creationOfMint(world.wallet.address, built.mint, wallets.at(-1)!.address, metadata);
  draft.instructions.splice(create, 1, ...creation.map(asMutable));
  const tx = await putTogether(draft, wallets, world.svm.latestBlockhash());
  const transaction = decodedOf(tx);
  const [signatures] = await signer.signTransactions([transaction as never]);
  return world.sendSigned({ ...transaction, signatures: { ...transaction.signatures, ...signatures } });
}

/** Which addresses a transaction takes from its lookup table, by their index. */
function lookupsIn(built: BuiltTransaction): number[] {
  const message = compiledOf(built);
  if (!('addressTableLookups' in message)) return [];
  return (message.addressTableLookups ?? []).flatMap(({ readonlyIndexes, writableIndexes }) => [
    ...readonlyIndexes,
    ...writableIndexes,
  ]);
}

/** The exchange's instruction, read from the transaction's own bytes. */
function creationIn({ world }: Launcher, built: BuiltTransaction) {
  const { instructions } = messageOf(built, lookupTablesIn(world.ledger));
  const creation = instructions.find(({ programAddress }) => programAddress === HEAVEN_PROGRAM_ADDRESS);
  return parseCreateStandardLiquidityPoolInstruction(creation!);
}

const PROGRAMS = [
  ...[COMPUTE_BUDGET_PROGRAM_ADDRESS, COMPUTE_BUDGET_PROGRAM_ADDRESS, SYSTEM],
  // The mint.
  ...[SYSTEM, TOKEN_2022, TOKEN_2022, TOKEN_2022],
  ...[ASSOCIATED_TOKEN_PROGRAM_ADDRESS, TOKEN_2022, TOKEN_2022, TOKEN_2022, HEAVEN_PROGRAM_ADDRESS],
];

let launcher: Launcher;
let world: World;
beforeEach(async () => {
  launcher = await createLauncher();
  world = launcher.world;
});

describe.each([0, 1] as const)('a launch in version %i', (transactionVersion) => {
  test.each([
    ['one wallet', 1],
    ['a payer and a creator', 2],
    ['a payer, whose sponsor pays the fee, and a creator', 3],
  ])('by %s gives the creator the supply, and takes fee and rent from who pays', async (_, count) => {
    const sponsor = count === 3 ? await generateKeyPairSigner() : undefined;
    if (sponsor) launcher.svm.airdrop(sponsor.address, 1_000_000_000n as never);
    const ofLaunch = [world.wallet, launcher.creator].slice(0, count);
    const wallets = sponsor ? [sponsor, ...ofLaunch] : ofLaunch;
    const owner = wallets.at(-1)!.address;
    const balances = () => wallets.map(({ address }) => launcher.svm.getBalance(address) ?? 0n);
    const before = balances();
    const built = await launcher.build({ creator: owner, transactionVersion, feePayer: sponsor?.address });
    const result = await run(launcher, built, wallets);
    expect(programsOf(result)).toEqual(transactionVersion === 0 ? PROGRAMS : PROGRAMS.slice(2));

    const tokenProgram = TOKEN_2022;
    const { mint } = built;
    expect(mint).toBe(launcher.mintSigner.address);
    expect(built.requiredSigners).toEqual(wallets.map(({ address }) => address));
    const associated = await findAssociatedTokenAddress({ owner, mint, tokenProgram });
    const tokenAccount = existing(launcher.svm, associated);
    expect(tokenAccount).toMatchObject({ programAddress: tokenProgram, space: TOKEN_ACCOUNT.size });
    expect(getTokenDecoder().decode(tokenAccount.data)).toMatchObject({ mint, owner, amount: SUPPLY });

    const mintAccount = existing(launcher.svm, mint);
    expect(mintAccount).toMatchObject({ programAddress: tokenProgram, space: MINT.size });
    const nobody = { mintAuthority: none(), freezeAuthority: none() };
    const decoded = getMintDecoder().decode(mintAccount.data);
    expect(decoded).toMatchObject({ supply: SUPPLY, decimals: 9, ...nobody });

    const [fee, rent] = [launchFee(BigInt(count + 1)), MINT.rent + TOKEN_ACCOUNT.rent];
    const costs = sponsor ? [fee, rent] : [fee + rent];
    expect(balances()).toEqual(before.map((lamports, index) => lamports - (costs[index] ?? 0n)));
  });
});

test('a launch with config version 2 and a ground mint runs', async () => {
  const other = await createLauncher('creator');
  openConfigTwo(other.ledger);
  const mintSigner = await grindMintAddress({ suffix: '7' });
  const built = await other.build({ configVersion: 2, mintSigner: async () => mintSigner });
  const { data, accounts } = creationIn(other, built);
  expect(data.protocolConfigVersion).toBe(2);
  expect(accounts.protocolConfig.address).toBe(await findProtocolConfigAddress({ version: 2 }));
  expect(programsOf(await run(other, built, [other.world.wallet], mintSigner))).toEqual(PROGRAMS);
  expect(getMintDecoder().decode(existing(other.svm, built.mint).data).supply).toBe(SUPPLY);
});

describe('the transaction as it is built', () => {
  const outcome = (built: BuiltLaunch) => world.send(built).then(programsOf, (error) => String(error));

  const createMint = ({ mint }: BuiltLaunch) => {
    const authorities = { mintAuthority: world.wallet.address, freezeAuthority: world.wallet.address };
    const data = encodeMint({ decimals: 9, supply: 0n, ...authorities });
    world.place(mint, TOKEN_2022, data);
  };
  const sendSol = ({ mint }: BuiltLaunch) => void world.svm.airdrop(mint, lamports(1_000_000n));
  const PAST = `Program ${TOKEN_METADATA_PROGRAM_ADDRESS} success`;

  test.each<[string, string, string, (built: BuiltLaunch) => void]>([
    ['was created by somebody', 'InstructionError(2, Custom(0))', 'already in use', createMint],
    // The metadata program's stand-in makes no mint: the token account is the first to miss it.
    ['is fresh', 'InstructionError(4, ', PAST, () => {}],
    ['was sent SOL', 'InstructionError(4, ', PAST, sendSol],
  ])('whose mint %s fails with %s', async (_, reason, log, arrange) => {
    const built = await launcher.build();
    arrange(built);
    const said = await outcome(built);
    expect(said).toContain(reason);
    expect(said).toContain(log);
  });
});

// As recorded on mainnet: what was paid, to the lamport.
test.each(LAUNCHES)(
  'a purchase of %d units may cost %d lamports, and no less',
  async (initialPurchaseAmount, paid) => {
    const spending = (lamports: bigint) =>
      launcher.build({ initialPurchaseAmount, maxSolSpend: toUiAmount(lamports, 9) });
    const built = await spending(paid);
    expect(built.maxLamportSpend).toBe(paid);
    const { params } = creationIn(launcher, built).data;
    expect(params).toMatchObject({ initialPurchaseAmount, maxSolSpend: paid });
    const context = { field: 'maxSolSpend', required: paid, allowed: paid - 1n };
    await expectRefusal(spending(paid - 1n), 'spend-too-low', context);
    // Lamports in place of SOL.
    const tooMuch = launcher.build({ initialPurchaseAmount, maxSolSpend: '1000000000.1' });
    await expectRefusal(tooMuch, 'amount-out-of-range', { field: 'maxSolSpend' });
  },
);

test('event data of one byte too many is rejected, and up to there a launch runs', async () => {
  const worst = (bytes: number) => ({ ...LONGEST, encodedUserDefinedEventData: 'x'.repeat(bytes) });
  const { size } = await launcher.build(worst(128));
  const most = 128 + MOST_BYTES - size;
  const built = await launcher.build(worst(most));
  expect(built.size).toBe(MOST_BYTES);
  await run(launcher, built, [world.wallet]);
  const mintSigner = await generateKeyPairSigner();
  const context = { size: MOST_BYTES + 1, excess: 1 };
  await expectRefusal(launcher.build({ ...worst(most + 1), mintSigner }), 'transaction-too-large', context);
});

describe('a lookup table', () => {
  const putTable = (data: Uint8Array, owner = LOOKUP_TABLE_PROGRAM_ADDRESS) =>
    world.place(launcher.lutAddress, owner, data);
  const put = (fields: TableFields) => putTable(launcher.lookupTable(fields));

  test.each([
    ['is missing', () => world.ledger.setAccount(launcher.lutAddress, undefined), 'does not exist'],
    ['is of another program', () => putTable(launcher.lookupTable(), SYSTEM), SYSTEM],
    ['is empty', () => putTable(new Uint8Array()), 'not an initialized'],
    ['is cut short', () => putTable(launcher.lookupTable().slice(0, 55)), 'not an initialized'],
    ['is not initialized', () => putTable(launcher.lookupTable().fill(0, 0, 4)), 'not an initialized'],
    ['is of another type', () => putTable(launcher.lookupTable().fill(2, 0, 1)), 'not an initialized'],
    ['was deactivated', () => put({ deactivationSlot: 1n }), 'deactivated'],
    ['is being deactivated', () => put({ deactivationSlot: world.ledger.slot }), 'deactivated'],
  ])('that %s is rejected', async (_, change, reason) => {
    change();
    const error = await launcher.build().catch((error) => error);
    expect(error).toEqual(heavenError('unusable-account:lookup table', { address: launcher.lutAddress }));
    expect(error.context.reason).toContain(reason);
  });

  test.each([0, 1, 8, 11])('that was extended in this slot gives its first %i addresses', async (older) => {
    const { slot } = world.ledger;
    put({ lastExtendedSlot: slot, lastExtendedStart: older });
    const built = await launcher.build();
    const lookups = lookupsIn(built);
    expect(lookups.every((index) => index < older)).toBe(true);
    // A program that is called can't come from a table: 0, 5, 6, 7 and 9 of the sample are.
    const called = [0, 5, 6, 7, 9].filter((index) => index < older).length;
    expect(lookups).toHaveLength(older - called);
    await run(launcher, built, [world.wallet]);
  });
});

test('a launch that is aborted while it looks for a mint does not continue', async () => {
  const controller = new AbortController();
  const mintSigner = (options: object) => {
    controller.abort();
    return grindMintAddress({ suffix: '7777777', ...options });
  };
  const launching = launcher.build({ mintSigner, abortSignal: controller.signal });
  await expectRefusal(launching, 'aborted', { method: 'grindMintAddress' });
});
