import {
  AccountRole,
  type Address,
  appendTransactionMessageInstructions,
  compileTransaction,
  compressTransactionMessageUsingAddressLookupTables,
  createKeyPairSignerFromPrivateKeyBytes,
  createNoopSigner,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  type Instruction,
  type KeyPairSigner,
  partiallySignTransaction,
  pipe,
  setTransactionMessageConfig,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  type V1TransactionConfig,
} from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import {
  type BuiltTransaction,
  createHeavenClient,
  createLocalClient,
  type HeavenClient,
  type TransactionInspection,
  type TransactionIntent,
} from '../../src/index.js';
import {
  findAssociatedTokenAddress,
  TOKEN_PROGRAM_ADDRESS,
  WRAPPED_SOL_MINT_ADDRESS,
} from '../../src/program/index.js';
import { encodeLookupTable } from '../../src/testing/encode.js';
import { createEmbeddedLedger, type EmbeddedLedger } from '../../src/testing/index.js';
import { LOOKUP_TABLE_PROGRAM_ADDRESS, MEMO_PROGRAM_ADDRESS } from '../support/addresses.js';
import { launchOf } from '../support/ledger.js';
import { compiledOf, lookupTablesIn, messageOf } from '../support/transactions.js';

export const BLOCKHASH = 'EkSnNWid2cvwEVnVx9aBqawnmiCNiDgp3gUdkDPTKN1N';

/** A wallet that is to sign, by its address. */
export const signer = createNoopSigner;

export const associated = (owner: Address, token: Address, tokenProgram: Address) =>
  findAssociatedTokenAddress({ owner, mint: token, tokenProgram });

/** What somebody does to a transaction. */
export type Tamper = (draft: Draft) => void | Promise<void>;

/** A wallet of its own for each number. */
export const wallet = (number: number): Promise<KeyPairSigner> =>
  createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(32).fill(number));

const PLENTY = 1_000_000_000_000_000_000n;
/** What a sell takes: 1000.5 tokens. */
const SOLD = 1_000_500_000_000n;

/** A cluster on which every operation is possible, and who may do it. */
export async function createWorld() {
  const ledger = await createEmbeddedLedger();
  const [payer, other, attacker, mint, tokens, wrapped, table, sponsor] = await Promise.all(
    [1, 2, 3, 4, 5, 6, 7, 8].map(wallet),
  );
  const { creator, pro } = ledger.pools;
  const give = async (owner: Address, token: Address, program: Address, at?: Address, amount = PLENTY) => {
    const account = at ?? (await associated(owner, token, program));
    ledger.setTokenAccount(account, program, { mint: token, owner, amount });
  };
  for (const owner of [payer!.address, other!.address]) {
    await give(owner, WRAPPED_SOL_MINT_ADDRESS, TOKEN_PROGRAM_ADDRESS);
    await give(owner, creator.mint, creator.tokenProgram);
    await give(owner, pro.mint, pro.tokenProgram);
  }
  await give(payer!.address, creator.mint, creator.tokenProgram, tokens!.address, SOLD);
  await give(payer!.address, WRAPPED_SOL_MINT_ADDRESS, TOKEN_PROGRAM_ADDRESS, wrapped!.address);
  const data = encodeLookupTable({ addresses: [] });
  ledger.setAccount(table!.address, { owner: LOOKUP_TABLE_PROGRAM_ADDRESS, data });
  return {
    ledger,
    client: createHeavenClient({ rpc: ledger.rpc }),
    payer: payer!.address,
    /** Another wallet of the user's. */
    other: other!.address,
    /** Pays the fees of what is sponsored. */
    sponsor: sponsor!.address,
    attacker: attacker!.address,
    mint: mint!,
    /** Token accounts of the payer's, beside the associated ones. */
    tokens: tokens!.address,
    wrapped: wrapped!.address,
    /** A lookup table that holds nothing of use. */
    emptyTable: table!.address,
  };
}

export type World = Awaited<ReturnType<typeof createWorld>>;

const brackets = [
  { marketCapUpperBound: 100_000_000_000n, buyFeeBps: 100, sellFeeBps: 150 },
  { marketCapUpperBound: 2n ** 63n - 1n, buyFeeBps: 50, sellFeeBps: 60 },
];
const schedule = {
  brackets: [{ slotOffsetUpperbound: 15, buyFeeBps: 1000, sellFeeBps: 900 }],
  maxSlotOffset: 15,
  maxFeeBps: 1000,
  enabled: true,
};
const event = { encodedUserDefinedEventData: 'ref:42 é' };

const intentOf = (name: TransactionIntent['function'], input: object) =>
  ({ function: name, input }) as unknown as TransactionIntent;

/** The same with each way to wrap SOL. */
const wrapping = (title: string, name: TransactionIntent['function'], input: object) =>
  Object.fromEntries(
    ['associated', 'temporary', 'none'].map((wrapSol) => [
      `${title}, ${wrapSol}`,
      intentOf(name, { ...input, wrapSol }),
    ]),
  );

/** The same with a sponsor, who pays for more than the fees if the options say so. */
export const sponsoredBy = (feePayer: Address, { function: name, input }: TransactionIntent, options = {}) =>
  intentOf(name, { ...input, feePayer, ...options });

/** What a user may ask for, by a name: every builder, with every option that changes the transaction. */
export async function intentsIn(world: World): Promise<Readonly<Record<string, TransactionIntent>>> {
  const { ledger, client, payer, other, mint, tokens, wrapped, emptyTable } = world;
  const { creator, pro } = ledger.pools;
  const { pool } = pro;
  const heaven = createLocalClient(client);
  const terms = { configVersion: 2, mint: creator.mint, slippageBps: 50 };
  const proTerms = { configVersion: 3, mint: pro.mint, pool, slippageBps: 50 };
  const [buyQuote, sellQuote, proBuyQuote, proSellQuote] = await Promise.all([
    heaven.quoteBuy({ ...terms, maxSolSpend: '1.5' }),
    heaven.quoteSell({ ...terms, amountInUi: '1000.5' }),
    heaven.quoteProBuy({ ...proTerms, maxSolSpend: '1.5' }),
    heaven.quoteProSell({ ...proTerms, amountInUi: '1000.5' }),
  ]);
  const buy = { payer, quoteResponse: buyQuote, ...event };
  const sell = { payer, quoteResponse: sellQuote, ...event };
  const proBuy = { payer, pool, quoteResponse: proBuyQuote, ...event };
  const proSell = { payer, pool, quoteResponse: proSellQuote, ...event };
  const ofCreator = { pool, payer: pro.creator };
  const locator = { ...ofCreator, mint: pro.mint, configVersion: 3 };
  const claim = { amount: 0n, mint: creator.mint, payer: creator.creator, version: 2 };
  const launch = {
    ...launchOf(payer, ledger),
    ...event,
    creator: other,
    name: 'A tøken',
    configVersion: 1,
    initialPurchaseAmount: 12_345_678_901_234_567n,
    mintSigner: mint,
  };
  const create = {
    payer,
    creator: other,
    ...event,
    configVersion: 3,
    mint: pro.mint,
    initialTokenAAmount: 400_000_000_000n,
    initialTokenBAmount: 100_000_000_000n,
    lutAddress: emptyTable,
  };
  const everything = {
    features: { enableSwap: false, enableSameSlotTrading: true },
    creatorTradingFee: brackets,
    creatorSlotTradingFee: schedule,
    reflectionTradingFee: brackets,
    liquidityProviderTradingFee: brackets,
  };
  const deposit = { ...locator, maxTokenA: 1_000_000n, maxTokenB: 1_000_000n, minLpTokens: 1n };
  const withdrawal = { ...locator, lpTokensToBurn: 100_000_000_000n, minTokenA: 1n, minTokenB: 2n };
  const receiver = { mint: pro.mint, version: 3, newReceiver: other };
  const lpTransfer = { pool, sender: pro.creator, payer, receiver: other, amount: 1_000_000n };
  const tip = getTransferSolInstruction({ source: signer(payer), destination: other, amount: 10_000n });
  const memo: Instruction = {
    programAddress: MEMO_PROGRAM_ADDRESS,
    accounts: [{ address: payer, role: AccountRole.READONLY_SIGNER }],
    data: new TextEncoder().encode('hello'),
  };
  const ownInstructions = { before: [memo], after: [memo, asMutable(tip)] };
  const tipped = { tip: { to: other, lamports: 1_000_000n }, dontFront: true };
  const budget = { computeUnitLimit: 150_000, computeUnitPrice: 1_234n };
  const LAUNCH = 'buildCreateStandardLiquidityPool';
  return {
    buy: intentOf('buildBuy', buy),
    ...wrapping('buy', 'buildBuy', buy),
    'buy from a source': intentOf('buildBuy', { ...buy, source: wrapped }),
    'buy with instructions of its own': intentOf('buildBuy', { ...buy, ...ownInstructions }),
    'buy with a tip': intentOf('buildBuy', { ...buy, ...tipped }),
    'buy with a mark and no tip': intentOf('buildBuy', { ...buy, dontFront: true }),
    'buy with a budget': intentOf('buildBuy', { ...buy, ...budget }),
    'buy without a budget': intentOf('buildBuy', { ...buy, computeUnitLimit: 0, computeUnitPrice: 0 }),
    sell: intentOf('buildSell', sell),
    ...wrapping('sell', 'buildSell', sell),
    'sell from a source': intentOf('buildSell', { ...sell, source: tokens }),
    'sell that closes its source': intentOf('buildSell', {
      ...sell,
      source: tokens,
      closeTokenAccount: true,
    }),
    'pro buy': intentOf('buildProBuy', proBuy),
    ...wrapping('pro buy for another', 'buildProBuy', { ...proBuy, source: other }),
    'pro sell': intentOf('buildProSell', proSell),
    ...wrapping('pro sell for another', 'buildProSell', { ...proSell, source: other }),
    claim: intentOf('buildClaimCreatorTradingFees', claim),
    ...wrapping('claim', 'buildClaimCreatorTradingFees', { ...claim, amount: 5n }),
    launch: intentOf(LAUNCH, launch),
    'launch with a limit': intentOf(LAUNCH, { ...launch, maxSolSpend: '40.5' }),
    'launch without a purchase': intentOf(LAUNCH, { ...launch, initialPurchaseAmount: 0n }),
    'launch by the payer': intentOf(LAUNCH, { ...launch, creator: payer }),
    'pro creation': intentOf('buildProCreate', create),
    'pro creation with everything': intentOf('buildProCreate', { ...create, ...everything }),
    deposit: intentOf('buildProAddLiquidity', deposit),
    ...wrapping('deposit', 'buildProAddLiquidity', deposit),
    withdrawal: intentOf('buildProRemoveLiquidity', withdrawal),
    ...wrapping('withdrawal', 'buildProRemoveLiquidity', withdrawal),
    'pro claim': intentOf('buildProClaimCreatorFees', { ...ofCreator, amount: 7n }),
    ...wrapping('pro claim', 'buildProClaimCreatorFees', { ...ofCreator, amount: 0n }),
    'LP claim': intentOf('buildProClaimLpFees', ofCreator),
    ...wrapping('LP claim', 'buildProClaimLpFees', ofCreator),
    'toggle swap': intentOf('buildProToggleSwap', { ...ofCreator, enabled: false }),
    'toggle deposit': intentOf('buildProToggleDeposit', { ...ofCreator, enabled: false }),
    'toggle withdraw': intentOf('buildProToggleWithdraw', { ...ofCreator, enabled: true }),
    'reflection fee': intentOf('buildProSetReflectionFee', { ...ofCreator, brackets }),
    'LP fee': intentOf('buildProSetLpFee', { ...ofCreator, brackets }),
    'creator fee': intentOf('buildProSetMarketCapCreatorFee', { ...ofCreator, brackets }),
    'slot fee': intentOf('buildProSetSlotCreatorFee', { ...ofCreator, ...schedule }),
    'fee receiver': intentOf('buildProUpdateCreatorFeeReceiver', { ...ofCreator, ...receiver }),
    'LP transfer': intentOf('buildProTransferLp', lpTransfer),
  };
}

/** The transaction that this library itself builds for an intent. */
export const buildLocally = (client: HeavenClient, { function: name, input }: TransactionIntent) =>
  createLocalClient(client)[name](input as never) as Promise<BuiltTransaction>;

/** A transaction taken apart, to be changed and put together again. */
export interface Draft {
  version: 'legacy' | 0 | 1;
  feePayer: Address;
  blockhash: string;
  instructions: Mutable[];
  /** Tables to look accounts up in when it is put together. */
  tables: Record<Address, Address[]>;
  /** Of version 1. */
  config: V1TransactionConfig;
}

export interface Mutable {
  programAddress: Address;
  accounts: { address: Address; role: AccountRole }[];
  data: Uint8Array;
}

/** What is in a lookup table of the ledger. */
export const tableOf = (ledger: EmbeddedLedger, table: Address): Record<Address, Address[]> => ({
  [table]: [...lookupTablesIn(ledger)[table]!],
});

/** Takes a base64 transaction apart with kit alone. */
export function takeApart(tx: string, tables: Record<Address, Address[]> = {}): Draft {
  const message = messageOf(tx, tables);
  return {
    version: message.version,
    feePayer: message.feePayer.address,
    blockhash: compiledOf(tx).lifetimeToken,
    instructions: (message.instructions as readonly Instruction[]).map(asMutable),
    tables,
    config: ('config' in message ? message.config : undefined) ?? {},
  };
}

/** An instruction that can be changed. */
export const asMutable = ({ programAddress, accounts = [], data }: Instruction): Mutable => ({
  programAddress,
  accounts: accounts.map(({ address, role }) => ({ address, role })),
  data: Uint8Array.from(data ?? []),
});

/** A lookup table, an account and a program of no part in anything else. */
export const [TABLE, SOMEWHERE, UNKNOWN_PROGRAM] = (await Promise.all([70, 71, 72].map(wallet))).map(
  ({ address }) => address,
) as [Address, Address, Address];

/** A version 0 transaction of instructions. */
export const draftOf = (instructions: readonly Instruction[], feePayer: Address): Draft => ({
  version: 0,
  feePayer,
  blockhash: BLOCKHASH,
  instructions: instructions.map(asMutable),
  tables: {},
  config: {},
});

/** Compiles a transaction with kit alone: sorts the accounts again, without signatures. */
export function compileDraft({ version, config, feePayer, blockhash, instructions, tables }: Draft) {
  const lifetime = { blockhash: blockhash as never, lastValidBlockHeight: 1n };
  const message = pipe(
    // Its type is the version's.
    createTransactionMessage({ version: version as 0 }),
    (empty) => setTransactionMessageFeePayer(feePayer, empty),
    (paid) => setTransactionMessageLifetimeUsingBlockhash(lifetime, paid),
    (timed) => appendTransactionMessageInstructions(instructions, timed),
  );
  if (version === 0)
    return compileTransaction(compressTransactionMessageUsingAddressLookupTables(message, tables));
  if (version === 1) return compileTransaction(setTransactionMessageConfig(config, message as never));
  return compileTransaction(message);
}

/** Puts a transaction together again with kit alone, signed by those who are given. */
export async function putTogether(
  draft: Draft,
  signers: readonly KeyPairSigner[] = [],
  blockhash: string = draft.blockhash,
): Promise<string> {
  const keyPairs = signers.map(({ keyPair }) => keyPair);
  const compiled = compileDraft({ ...draft, blockhash });
  return getBase64EncodedWireTransaction(await partiallySignTransaction(keyPairs, compiled));
}

/** Transactions of a world's payer. */
export const payingIn = ({ payer, other }: World) => ({
  /** The transaction of these instructions, or a changed one. */
  transactionOf: (instructions: readonly Instruction[], change: Partial<Draft> = {}) =>
    putTogether({ ...draftOf(instructions, payer), ...change }),
  toOther: (amount = 5n) => getTransferSolInstruction({ source: signer(payer), destination: other, amount }),
});

export const codesOf = ({ warnings }: Pick<TransactionInspection, 'warnings'>) =>
  warnings.map(({ code }) => code);
