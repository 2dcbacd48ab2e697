import {
  type Address,
  type Blockhash,
  createNoopSigner,
  isTransactionPartialSigner,
  type TransactionPartialSigner,
} from '@solana/kit';

import { type BuilderName, builders } from './builders.js';
import { createClient, type HeavenClient, type HeavenRpc, type RequestOptions } from './client.js';
import { HeavenError, type TransactionMismatchReason } from './errors.js';
import { describe } from './math/integers.js';
import { TOKEN_METADATA_PROGRAM_ADDRESS } from './program/constants.js';
import { assertAddress } from './program/schema.js';
import type { BuiltTransaction } from './transaction/assemble.js';
import type { LookupTables } from './transaction/lookup-table.js';
import {
  assertSameTransaction,
  assertSignatures,
  expectedFrom,
  mismatch,
  withTemporaryAccount,
} from './transaction/match.js';
import { stepOf } from './transaction/steps.js';
import {
  isVersion1,
  knownTables,
  type LoadedInstruction,
  type LoadedTransaction,
  loadTransaction,
  readWireTransaction,
} from './transaction/wire.js';
import type { Warning } from './warnings.js';

/** What was asked for: a builder by its name, and its input. */
export type TransactionIntent = {
  [TName in BuilderName]: {
    readonly function: TName;
    readonly input: Parameters<(typeof builders)[TName]>[1];
  } & (TName extends 'buildCreateStandardLiquidityPool'
    ? {
        /** What the new mint's address must end with, unless `input.mintSigner` says which it is. Default `777`. */
        readonly mintSuffix?: string | undefined;
      }
    : unknown);
}[BuilderName];

/** What {@link assertTransactionMatches} may read, and where the exchange is. */
export interface AssertTransactionMatchesOptions extends RequestOptions {
  /** Reads what the builder reads, and the lookup tables that are not given. */
  readonly client?: HeavenClient | undefined;
  /** Contents of lookup tables, from a source that you trust. */
  readonly lookupTables?: LookupTables | undefined;
  /** The exchange program, where there is no client. Default: mainnet's. */
  readonly programAddress?: Address | undefined;
}

/** A transaction that is what was asked for. */
export interface MatchedTransaction {
  /** What the builder says of it, such as a minimum that the present price does not reach. */
  readonly warnings: readonly Warning[];
}

/**
 * Refuses a transaction that does something else, or more, than was asked for. The transaction is built here from what was
 * asked for and compared instruction by instruction: programs, accounts and their rights, and data, byte by byte. What may
 * differ: the block hash, the order of the accounts, lookup tables as long as each account is the same, the seed of a
 * temporary account, and the address of a launch's mint, which must have signed. A compute limit or price must be the one
 * asked for, or the documented default, exactly. Signatures that are there must be valid.
 *
 * It answers for the transaction, not for the question: take the quote in `input` from a source that you trust.
 *
 * @param intent The builder's name and the input that it, or the endpoint, was given.
 * @param options Without a `client` only what needs no chain state can be checked: a trade with a `snapshot`.
 * @returns The builder's warnings.
 * @throws {HeavenError} `transaction-mismatch`, whose `reason` says how it differs and `instruction` where;
 * `malformed-data` for what is no transaction; `invalid-input` where a client is needed; and whatever the builder throws
 * if the operation is not possible at all
 * @example
 * ```ts
 * const input = { payer, quoteResponse: quote, encodedUserDefinedEventData: '' };
 * const { tx } = await remote.buildBuy(input);
 * await assertTransactionMatches(tx, { function: 'buildBuy', input }, { client });
 * ```
 */
export async function assertTransactionMatches(
  tx: string,
  intent: TransactionIntent,
  options: AssertTransactionMatchesOptions = {},
): Promise<MatchedTransaction> {
  const { lookupTables = {}, abortSignal } = options;
  assertIntent(intent);
  const client = options.client ?? offlineClient(options.programAddress);
  const { programAddress } = client.deployment;
  if (options.programAddress !== undefined && options.programAddress !== programAddress) {
    throw new HeavenError(
      'invalid-input',
      `programAddress is ${describe(options.programAddress)}, and the client is for ${programAddress}. Leave it out.`,
      { field: 'programAddress', value: options.programAddress },
    );
  }
  if (isVersion1(tx))
    throw mismatch('version', 'it is a transaction of version 1', { expected: 0, actual: 1 });
  const wire = readWireTransaction(tx);
  const tables = await knownTables(wire, lookupTables, options.client, { abortSignal });
  const actual = loadTransaction(wire, tables);
  const mint = mintOf(actual, intent);
  const built = await rebuild(client, intent, {
    // A block hash is asked for, and a durable nonce looks like one.
    lifetime: { blockhash: wire.message.lifetimeToken as Blockhash, lastValidBlockHeight: 0n },
    ...(abortSignal === undefined ? {} : { abortSignal }),
    ...(mint === undefined ? {} : { mintSigner: createNoopSigner(mint) }),
  });
  const feePayer = Object.keys(built.transaction.signatures)[0] as Address;
  const { before = [], after = [] } = intent.input;
  const expected = await withTemporaryAccount(expectedFrom(built, feePayer), actual, [...before, ...after]);
  assertSameTransaction(actual, expected, { programAddress });
  await assertSignatures(actual, mint === undefined ? [] : [mint]);
  return { warnings: built.warnings };
}

function assertIntent(intent: TransactionIntent): void {
  const name: unknown = intent?.function;
  const isKnown = typeof name === 'string' && Object.hasOwn(builders, name);
  if (isKnown && typeof intent.input === 'object' && intent.input !== null) return;
  throw new HeavenError(
    'invalid-input',
    isKnown
      ? `intent.input must be the input of ${name}; got ${describe(intent.input)}.`
      : `intent.function must be the name of a builder, such as 'buildBuy'; got ${describe(name)}.`,
    isKnown ? { field: 'intent.input', value: intent.input } : { field: 'intent.function', value: name },
  );
}

const rebuild = async (
  client: HeavenClient,
  { function: name, input }: TransactionIntent,
  own: object,
): Promise<BuiltTransaction> => await builders[name](client, { ...input, ...own } as never);

/** A client that can read nothing, and says so. */
function offlineClient(programAddress: Address | undefined): HeavenClient {
  if (programAddress !== undefined) assertAddress(programAddress, 'programAddress');
  const refuse = () => {
    throw new HeavenError(
      'invalid-input',
      'This transaction can only be checked against the state of the chain: pass a client.',
      { field: 'client' },
    );
  };
  return createClient({
    rpc: new Proxy({}, { get: () => refuse }) as HeavenRpc,
    ...(programAddress === undefined ? {} : { deployment: { programAddress } }),
  });
}

/**
 * The mint that a launch would make: what the metadata program is told, or else the signer that is no wallet of the launch.
 * It may be any address that is fit for it; the comparison sees to it that it is the same throughout.
 */
function mintOf({ wire, instructions }: LoadedTransaction, intent: TransactionIntent): Address | undefined {
  if (intent.function !== 'buildCreateStandardLiquidityPool') return undefined;
  const { mintSigner, payer, creator } = intent.input;
  const wallets = [payer, creator].map(addressText);
  const index = instructions.findIndex(
    ({ programAddress }) => programAddress === TOKEN_METADATA_PROGRAM_ADDRESS,
  );
  const mint =
    instructions[index]?.accounts[2]?.address ??
    wire.signatures.find(({ address }) => !wallets.includes(address))?.address;
  const refuse = (reason: TransactionMismatchReason, message: string, expected?: unknown) =>
    mismatch(reason, message, {
      ...(index < 0 ? {} : { instruction: index }),
      ...(expected === undefined ? {} : { expected }),
      actual: mint,
    });
  if (mint === undefined) throw refuse('signer', 'no mint signs it');
  const wanted = signerAddress(mintSigner);
  if (wanted !== undefined && mint !== wanted)
    throw refuse('account', `its mint is ${mint}, not ${wanted}`, wanted);
  const suffix = intent.mintSuffix ?? '777';
  if (wanted === undefined && !mint.endsWith(suffix))
    throw refuse('account', `its mint ${mint} does not end in ${suffix}`, suffix);
  if (wallets.includes(mint)) throw refuse('account', `its mint ${mint} is a wallet of the launch`);
  if (!wire.signatures.some(({ address }) => address === mint))
    throw refuse('signer', `its mint ${mint} does not sign`);
  if (index >= 0 && !instructions.slice(0, index).some((instruction) => provesNew(instruction, mint))) {
    throw refuse(
      'mint-may-exist',
      `it does not allocate 0 bytes for its mint ${mint} before it creates it, which would fail if the mint existed. Whoever has the mint's key could create it first and keep the right to take the tokens`,
    );
  }
  return mint;
}

/** Whether an instruction fails if an account exists: `Allocate` of the System program, for 0 bytes. */
const provesNew = (instruction: LoadedInstruction, account: Address): boolean => {
  const step = stepOf(instruction);
  return (
    step?.program === 'system' &&
    step.name === 'Allocate' &&
    step.accounts.newAccount === account &&
    step.data.space === 0n
  );
};

const signerAddress = (signer: unknown): Address | undefined =>
  typeof signer === 'object' &&
  signer !== null &&
  isTransactionPartialSigner(signer as TransactionPartialSigner)
    ? (signer as TransactionPartialSigner).address
    : undefined;

const addressText = (wallet: unknown): unknown =>
  typeof wallet === 'object' && wallet !== null && 'address' in wallet ? wallet.address : wallet;
