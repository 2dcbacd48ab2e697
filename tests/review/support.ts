import {
  AccountRole,
  type Address,
  appendTransactionMessageInstructions,
  compileTransaction,
  compressTransactionMessageUsingAddressLookupTables,
  createKeyPairSignerFromPrivateKeyBytes,
  createNoopSigner,
  createTransactionMessage,
  decompileTransactionMessage,
  getAddressDecoder,
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
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
  type TransactionIntent,
} from '../../src/index.js';
import {
  findAssociatedTokenAddress,
  TOKEN_PROGRAM_ADDRESS,
  WRAPPED_SOL_MINT_ADDRESS,
} from '../../src/program/index.js';
import { createEmbeddedLedger, type EmbeddedLedger, encodeLookupTable } from '../../src/testing/index.js';

export const MEMO_PROGRAM = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr' as Address;
export const LOOKUP_TABLE_PROGRAM = 'AddressLookupTab1e1111111111111111111111111' as Address;
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

/** A cluster on which every operation is possible, and who may do it. */
export interface World {
  readonly ledger: EmbeddedLedger;
  readonly client: HeavenClient;
  readonly payer: Address;
  /** Another wallet of the user's. */
  readonly other: Address;
  readonly attacker: Address;
  readonly mint: KeyPairSigner;
  /** Token accounts of the payer's, beside the associated ones. */
  readonly tokens: Address;
  readonly wrapped: Address;
  /** A lookup table that holds nothing of use. */
  readonly emptyTable: Address;
}

const PLENTY = 1_000_000_000_000_000_000n;

export async function createWorld(): Promise<World> {
  const ledger = await createEmbeddedLedger();
  const [payer, other, attacker, mint, tokens, wrapped, table] = await Promise.all(
    [1, 2, 3, 4, 5, 6, 7].map(wallet),
  );
  const { creator, pro } = ledger.pools;
  const give = async (owner: Address, token: Address, program: Address, at?: Address) => {
    const account = at ?? (await findAssociatedTokenAddress({ owner, mint: token, tokenProgram: program }));
    ledger.setTokenAccount(account, program, { mint: token, owner, amount: PLENTY });
  };
  for (const owner of [payer!.address, other!.address]) {
    await give(owner, WRAPPED_SOL_MINT_ADDRESS, TOKEN_PROGRAM_ADDRESS);
    await give(owner, creator.mint, creator.tokenProgram);
    await give(owner, pro.mint, pro.tokenProgram);
  }
  await give(payer!.address, creator.mint, creator.tokenProgram, tokens!.address);
  await give(payer!.address, WRAPPED_SOL_MINT_ADDRESS, TOKEN_PROGRAM_ADDRESS, wrapped!.address);
  ledger.setAccount(table!.address, {
    owner: LOOKUP_TABLE_PROGRAM,
    data: encodeLookupTable({ addresses: [] }),
  });
  return {
    ledger,
    client: createHeavenClient({ rpc: ledger.rpc }),
    payer: payer!.address,
    other: other!.address,
    attacker: attacker!.address,
    mint: mint!,
    tokens: tokens!.address,
    wrapped: wrapped!.address,
    emptyTable: table!.address,
  };
}

const CATCH_ALL = 9_223_372_036_854_775_807n;
const brackets = [
  { marketCapUpperBound: 100_000_000_000n, buyFeeBps: 100, sellFeeBps: 150 },
  { marketCapUpperBound: CATCH_ALL, buyFeeBps: 50, sellFeeBps: 60 },
];
const schedule = {
  brackets: [{ slotOffsetUpperbound: 15, buyFeeBps: 1000, sellFeeBps: 900 }],
  maxSlotOffset: 15,
  maxFeeBps: 1000,
  enabled: true,
};

/** What a user may ask for, by a name: every builder, with every option that changes the transaction. */
export async function intentsIn(world: World): Promise<Readonly<Record<string, TransactionIntent>>> {
  const { ledger, client, payer, other, mint, tokens, wrapped, emptyTable } = world;
  const { creator, pro } = ledger.pools;
  const heaven = createLocalClient(client);
  const terms = { configVersion: 2, mint: creator.mint, slippageBps: 50 };
  const proTerms = { configVersion: 3, mint: pro.mint, pool: pro.pool, slippageBps: 50 };
  const event = { encodedUserDefinedEventData: 'ref:42 é' };
  const buy = { payer, quoteResponse: await heaven.quoteBuy({ ...terms, maxSolSpend: '1.5' }), ...event };
  const sell = { payer, quoteResponse: await heaven.quoteSell({ ...terms, amountInUi: '1000.5' }), ...event };
  const proBuy = {
    payer,
    pool: pro.pool,
    quoteResponse: await heaven.quoteProBuy({ ...proTerms, maxSolSpend: '1.5' }),
    ...event,
  };
  const proSell = {
    payer,
    pool: pro.pool,
    quoteResponse: await heaven.quoteProSell({ ...proTerms, amountInUi: '1000.5' }),
    ...event,
  };
  const locator = { pool: pro.pool, mint: pro.mint, configVersion: 3 };
  const own = { pool: pro.pool, payer: pro.creator };
  const claim = { amount: 0n, mint: creator.mint, payer: creator.creator, version: 2 };
  const launch = {
    payer,
    creator: other,
    ...event,
    name: 'A tøken',
    symbol: 'TOKEN',
    uri: 'https://example.com/token.json',
    configVersion: 1,
    initialPurchaseAmount: 12_345_678_901_234_567n,
    lutAddress: ledger.lookupTables.community,
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
  const deposit = {
    ...locator,
    payer: pro.creator,
    maxTokenA: 1_000_000n,
    maxTokenB: 1_000_000n,
    minLpTokens: 1n,
  };
  const withdrawal = {
    ...locator,
    payer: pro.creator,
    lpTokensToBurn: 100_000_000_000n,
    minTokenA: 1n,
    minTokenB: 2n,
  };
  const tip = getTransferSolInstruction({
    source: { address: payer } as never,
    destination: other,
    amount: 10_000n,
  });
  const memo: Instruction = {
    programAddress: MEMO_PROGRAM,
    accounts: [{ address: payer, role: AccountRole.READONLY_SIGNER }],
    data: new TextEncoder().encode('hello'),
  };
  const strategies = ['associated', 'temporary', 'none'] as const;
  const eachStrategy = <TName extends TransactionIntent['function']>(
    name: string,
    functionName: TName,
    input: object,
  ) =>
    Object.fromEntries(
      strategies.map((wrapSol) => [
        `${name}, ${wrapSol}`,
        { function: functionName, input: { ...input, wrapSol } } as unknown as TransactionIntent,
      ]),
    );
  return {
    buy: { function: 'buildBuy', input: buy },
    ...eachStrategy('buy', 'buildBuy', buy),
    'buy from a source': { function: 'buildBuy', input: { ...buy, source: wrapped } },
    'buy with instructions of its own': {
      function: 'buildBuy',
      input: { ...buy, before: [memo], after: [memo, tip] },
    },
    'buy with a tip': {
      function: 'buildBuy',
      input: { ...buy, tip: { to: other, lamports: 1_000_000n }, dontFront: true },
    },
    'buy with a mark and no tip': { function: 'buildBuy', input: { ...buy, dontFront: true } },
    'buy with a budget': {
      function: 'buildBuy',
      input: { ...buy, computeUnitLimit: 150_000, computeUnitPrice: 1_234n },
    },
    'buy without a budget': {
      function: 'buildBuy',
      input: { ...buy, computeUnitLimit: 0, computeUnitPrice: 0 },
    },
    sell: { function: 'buildSell', input: sell },
    ...eachStrategy('sell', 'buildSell', sell),
    'sell from a source': { function: 'buildSell', input: { ...sell, source: tokens } },
    'pro buy': { function: 'buildProBuy', input: proBuy },
    ...eachStrategy('pro buy for another', 'buildProBuy', { ...proBuy, source: other }),
    'pro sell': { function: 'buildProSell', input: proSell },
    ...eachStrategy('pro sell for another', 'buildProSell', { ...proSell, source: other }),
    claim: { function: 'buildClaimCreatorTradingFees', input: claim },
    ...eachStrategy('claim', 'buildClaimCreatorTradingFees', { ...claim, amount: 5n }),
    launch: { function: 'buildCreateStandardLiquidityPool', input: launch },
    'launch with a limit': {
      function: 'buildCreateStandardLiquidityPool',
      input: { ...launch, maxSolSpend: '40.5' },
    },
    'launch without a purchase': {
      function: 'buildCreateStandardLiquidityPool',
      input: { ...launch, initialPurchaseAmount: 0n },
    },
    'launch by the payer': {
      function: 'buildCreateStandardLiquidityPool',
      input: { ...launch, creator: payer, configVersion: 2, lutAddress: ledger.lookupTables.creator },
    },
    'pro creation': { function: 'buildProCreate', input: create },
    'pro creation with everything': {
      function: 'buildProCreate',
      input: {
        ...create,
        features: { enableSwap: false, enableSameSlotTrading: true },
        creatorTradingFee: brackets,
        creatorSlotTradingFee: schedule,
        reflectionTradingFee: brackets,
        liquidityProviderTradingFee: brackets,
      },
    },
    deposit: { function: 'buildProAddLiquidity', input: deposit },
    ...eachStrategy('deposit', 'buildProAddLiquidity', deposit),
    withdrawal: { function: 'buildProRemoveLiquidity', input: withdrawal },
    ...eachStrategy('withdrawal', 'buildProRemoveLiquidity', withdrawal),
    'pro claim': { function: 'buildProClaimCreatorFees', input: { ...own, amount: 7n } },
    ...eachStrategy('pro claim', 'buildProClaimCreatorFees', { ...own, amount: 0n }),
    'LP claim': { function: 'buildProClaimLpFees', input: own },
    ...eachStrategy('LP claim', 'buildProClaimLpFees', own),
    'toggle swap': { function: 'buildProToggleSwap', input: { ...own, enabled: false } },
    'toggle deposit': { function: 'buildProToggleDeposit', input: { ...own, enabled: false } },
    'toggle withdraw': { function: 'buildProToggleWithdraw', input: { ...own, enabled: true } },
    'reflection fee': { function: 'buildProSetReflectionFee', input: { ...own, brackets } },
    'LP fee': { function: 'buildProSetLpFee', input: { ...own, brackets } },
    'creator fee': { function: 'buildProSetMarketCapCreatorFee', input: { ...own, brackets } },
    'slot fee': { function: 'buildProSetSlotCreatorFee', input: { ...own, ...schedule } },
    'fee receiver': {
      function: 'buildProUpdateCreatorFeeReceiver',
      input: { ...own, mint: pro.mint, version: 3, newReceiver: other },
    },
    'LP transfer': {
      function: 'buildProTransferLp',
      input: { pool: pro.pool, sender: pro.creator, payer, receiver: other, amount: 1_000_000n },
    },
  };
}

/** The transaction that this library itself builds for an intent. */
export const buildLocally = (client: HeavenClient, { function: name, input }: TransactionIntent) =>
  createLocalClient(client)[name](input as never) as Promise<BuiltTransaction>;

/** A transaction taken apart, to be changed and put together again. */
export interface Draft {
  feePayer: Address;
  instructions: Mutable[];
  version: 'legacy' | 0 | 1;
  /** Of version 1. Default: nothing is set. */
  config?: V1TransactionConfig;
  /** Tables to look accounts up in when it is put together. */
  tables: Record<Address, Address[]>;
}

export interface Mutable {
  programAddress: Address;
  accounts: { address: Address; role: AccountRole }[];
  data: Uint8Array;
}

/** What is in a lookup table of the ledger. */
export function tableOf(ledger: EmbeddedLedger, table: Address): Record<Address, Address[]> {
  const { data } = ledger.getAccount(table)!;
  const addresses = Array.from({ length: (data.length - 56) / 32 }, (_, index) =>
    getAddressDecoder().decode(data, 56 + index * 32),
  );
  return { [table]: addresses };
}

/** Takes a base64 transaction apart with kit alone. */
export function takeApart(tx: string, tables: Record<Address, Address[]> = {}): Draft {
  const { messageBytes } = getTransactionDecoder().decode(getBase64Encoder().encode(tx));
  const message = decompileTransactionMessage(getCompiledTransactionMessageDecoder().decode(messageBytes), {
    addressesByLookupTableAddress: tables,
  });
  const instructions: readonly Instruction[] = message.instructions;
  return {
    feePayer: message.feePayer.address,
    version: 0,
    tables,
    instructions: instructions.map(asMutable),
  };
}

/** An instruction that can be changed. */
export const asMutable = ({ programAddress, accounts = [], data }: Instruction): Mutable => ({
  programAddress,
  accounts: accounts.map(({ address, role }) => ({ address, role })),
  data: Uint8Array.from(data ?? []),
});

/** Compiles a transaction with kit alone: sorts the accounts again, without signatures. */
export function compileDraft(
  { version, config = {}, feePayer, instructions, tables }: Draft,
  blockhash: string = BLOCKHASH,
) {
  const lifetime = { blockhash: blockhash as never, lastValidBlockHeight: 1n };
  const legacy = () =>
    pipe(
      createTransactionMessage({ version: 'legacy' }),
      (message) => setTransactionMessageFeePayer(feePayer, message),
      (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
      (message) => appendTransactionMessageInstructions(instructions, message),
      (message) => compileTransaction(message),
    );
  const current = () =>
    pipe(
      createTransactionMessage({ version: 0 }),
      (message) => setTransactionMessageFeePayer(feePayer, message),
      (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
      (message) => appendTransactionMessageInstructions(instructions, message),
      (message) => compressTransactionMessageUsingAddressLookupTables(message, tables),
      (message) => compileTransaction(message),
    );
  const version1 = () =>
    pipe(
      createTransactionMessage({ version: 1 }),
      (message) => setTransactionMessageConfig(config, message),
      (message) => setTransactionMessageFeePayer(feePayer, message),
      (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
      (message) => appendTransactionMessageInstructions(instructions, message),
      (message) => compileTransaction(message),
    );
  return version === 'legacy' ? legacy() : version === 1 ? version1() : current();
}

/** Puts a transaction together again with kit alone, signed by those who are given. */
export async function putTogether(
  draft: Draft,
  signers: readonly KeyPairSigner[] = [],
  blockhash?: string,
): Promise<string> {
  const signed = await partiallySignTransaction(
    signers.map(({ keyPair }) => keyPair),
    compileDraft(draft, blockhash),
  );
  return getBase64EncodedWireTransaction(signed);
}
