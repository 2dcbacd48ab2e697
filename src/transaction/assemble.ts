import {
  type Address,
  type Base64EncodedWireTransaction,
  type Blockhash,
  getBase64EncodedWireTransaction,
  type Instruction,
  isTransactionPartialSigner,
  type Transaction,
  type TransactionPartialSigner,
  type TransactionSigner,
  type TransactionWithBlockhashLifetime,
  type TransactionWithinSizeLimit,
  type V1TransactionConfig,
} from '@solana/kit';
import { HeavenError } from '../base/errors.js';
import {
  assertFields,
  assertHas,
  assertU64,
  inputError,
  invalidIdentity,
  invalidInput,
  throughJson,
} from '../base/input.js';
import { type HeavenWarning, warnIf } from '../base/warnings.js';
import type { HeavenClient } from '../program/client.js';
import { type Doubt, inWords } from '../pool/doubts.js';
import { isOffCurve, isValidAddress } from '../solana/addresses.js';
import { maxTransactionBytes } from '../solana/limits.js';
import { invalidResponse } from '../solana/rpc/errors.js';
import { type RequestOptions, send } from '../solana/rpc/send.js';
import { requiredSignersOf, type TransactionWallet, withoutStandIns } from '../solana/wallet.js';
import { budgetWarnings } from './budget-warnings.js';
import { computeUnitsOf } from './compute-units.js';
import { type Compress, type MessageFormat, messageFormat } from './message-format.js';
import { type LandingOptions, landingInstructions } from './tip.js';

/** A transaction's block hash, and the last block height at which it is valid. */
export interface TransactionLifetime {
  readonly blockhash: Blockhash;
  /** The last block height at which the transaction can land. */
  readonly lastValidBlockHeight: bigint;
}

/** What every builder takes besides its own fields. */
export interface TransactionOptions extends RequestOptions, LandingOptions {
  /**
   * The version of the message. Default 0. Version 1 may have 4096 bytes instead of 1232, uses no lookup tables, and states the
   * compute budget itself instead of in instructions. Use it if the wallet supports it: its feature `solana:signTransaction` or
   * `solana:signAndSendTransaction`, whichever you call, has `supportedTransactionVersions.includes(1)`.
   */
  readonly transactionVersion?: 0 | 1 | null | undefined;
  /**
   * The most compute units the transaction may use. Default: the documented one. 0 leaves the instruction out, and is rejected
   * in version 1, where no limit means no compute units.
   */
  readonly computeUnitLimit?: number | null | undefined;
  /**
   * The priority fee in micro-lamports per compute unit. Default: the documented one. 0 leaves the instruction out. Version 1
   * states the fee that the cluster would charge in version 0: limit × price / 1000000 lamports, rounded up.
   */
  readonly computeUnitPrice?: bigint | number | null | undefined;
  /**
   * The most bytes that the transaction's accounts may have together, 1 to 67108864 (64 MiB). Default: 64 MiB, which is what
   * version 0 has when no instruction says otherwise. A lower limit gives more priority for the same fee: `simulate` suggests one,
   * rounded up to the whole pages of 32 KiB that the cluster counts. Add 64 bytes and the data of each account that may be
   * created before the transaction lands.
   */
  readonly loadedAccountsDataSizeLimit?: number | null | undefined;
  /** Your own instructions, right after the compute budget. */
  readonly before?: readonly Instruction[] | null | undefined;
  /** Your own instructions after the operation's, such as a memo. Only a `tip` comes later. */
  readonly after?: readonly Instruction[] | null | undefined;
  /** A recent block hash. Default: reads the latest. */
  readonly lifetime?: TransactionLifetime | null | undefined;
  /**
   * A sponsor: pays the network and priority fee instead of the `payer`, and signs first. Rent, amounts, `tip` and ownership stay the
   * payer's. Default: the payer.
   */
  readonly feePayer?: TransactionWallet | null | undefined;
}

/** A built, unsigned transaction. */
export interface BuiltTransaction {
  /** The transaction in base64, without the wallets' signatures: decode, sign, send. */
  readonly tx: Base64EncodedWireTransaction;
  /** The same, compiled, for kit's signing functions. */
  readonly transaction: Transaction & TransactionWithBlockhashLifetime;
  /** The version of the message. */
  readonly version: 0 | 1;
  /**
   * Everything but the compute budget, in order, with your `before`, `after` and `tip`: to compose it into another transaction,
   * which has a compute budget of its own.
   */
  readonly instructions: readonly Instruction[];
  /** The compute budget's instructions, which `transaction` has first. Empty in version 1, where `config` states it. */
  readonly computeBudget: readonly Instruction[];
  /**
   * What version 1 states instead of compute budget instructions: for kit's `setTransactionMessageConfig`. `undefined` in
   * version 0.
   */
  readonly config: V1TransactionConfig | undefined;
  /** The block hash, and how long it is valid. */
  readonly lifetime: TransactionLifetime;
  /** Whose transaction it is: the builder's `payer`. It pays the fees too, unless there is a `feePayer`. */
  readonly payer: Address;
  /**
   * Who must still sign; the fee payer first. An address off the curve, such as a multisig's vault, isn't among them: only its program
   * signs for it.
   */
  readonly requiredSigners: readonly Address[];
  /** Bytes on the wire, signatures included: at most 1232 in version 0, and 4096 in version 1. */
  readonly size: number;
  /** What to know before signing. */
  readonly warnings: readonly HeavenWarning[];
}

/** All instructions of a built transaction, in its order. */
export const allInstructions = ({
  computeBudget,
  instructions,
}: Pick<BuiltTransaction, 'computeBudget' | 'instructions'>): readonly Instruction[] => [
  ...computeBudget,
  ...instructions,
];

/** The compute budget that a builder's documentation names. */
export interface ComputeBudgetDefaults {
  readonly limit: number;
  readonly price: bigint;
}

/** {@link TransactionOptions} as a builder uses them: the version with its budget, and the instructions around an operation's own. */
export interface TransactionPlan {
  readonly format: MessageFormat;
  readonly before: readonly Instruction[];
  readonly after: readonly Instruction[];
  readonly landing: LandingOptions;
}

/** The wallets that pay for a transaction, checked. */
export interface Paying {
  readonly payer: TransactionSigner;
  readonly feePayer?: TransactionSigner | undefined;
}

/** What an operation puts into its transaction, and what its builder returns besides the transaction. */
export interface Composed<TResult extends object = object> {
  readonly instructions: readonly Instruction[];
  readonly warnings?: readonly HeavenWarning[];
  /** The SOL side of a trade, claim, deposit or withdrawal, which is compared with what it costs to land. */
  readonly lamports?: bigint | undefined;
  readonly compress?: Compress;
  /** What to do when the transaction is too large. */
  readonly advice?: string | undefined;
  readonly result?: TResult;
}

/**
 * What every builder does: checks the options, reads what the operation needs and the block hash at the same time,
 * composes the instructions and assembles the transaction.
 */
export async function buildTransaction<TFound, TResult extends object>(
  client: HeavenClient,
  input: Paying & TransactionOptions,
  steps: {
    readonly budget: ComputeBudgetDefaults;
    readonly read: (payer: Address) => Promise<TFound>;
    readonly compose: (
      found: TFound,
      payer: Address,
      plan: TransactionPlan,
    ) => Composed<TResult> | Promise<Composed<TResult>>;
  },
): Promise<BuiltTransaction & TResult> {
  const payer = input.payer.address;
  const plan = planTransaction(input, steps.budget);
  const [found, lifetime] = await Promise.all([steps.read(payer), lifetimeOf(client, input)]);
  const composed = await steps.compose(found, payer, plan);
  const built = await assembleTransaction(input, { plan, lifetime, ...composed });
  return { ...built, ...composed.result } as BuiltTransaction & TResult;
}

/** The version and budget of a transaction, and what stands around an operation's own instructions. */
export function planTransaction(
  options: TransactionOptions,
  defaults: ComputeBudgetDefaults,
): TransactionPlan {
  const version = options.transactionVersion ?? 0;
  const budget = computeUnitsOf(
    version,
    options.computeUnitLimit ?? defaults.limit,
    options.computeUnitPrice ?? defaults.price,
  );
  const format = messageFormat(version, budget, options.loadedAccountsDataSizeLimit ?? undefined);
  const { before, after, tip, dontFront } = options;
  return { format, before: before ?? [], after: after ?? [], landing: { tip, dontFront } };
}

/** The lookup table of a creation. Version 0 needs one, version 1 uses none. */
export function lookupTableOf(
  input: Pick<TransactionOptions, 'transactionVersion'> & {
    readonly lutAddress?: Address | null | undefined;
  },
): Address | undefined {
  if (input.transactionVersion === 1) return undefined;
  const { lutAddress } = input;
  if (lutAddress) return lutAddress;
  const message =
    'lutAddress is missing: a transaction of version 0 needs a lookup table. Pass one, or transactionVersion 1.';
  throw new HeavenError('invalid-address', message, { field: 'lutAddress', value: lutAddress });
}

/** Rejects what is not the lifetime of a transaction. */
export function assertLifetime(lifetime: TransactionLifetime, field: string): void {
  if (typeof lifetime !== 'object' || lifetime === null)
    throw invalidInput(field, lifetime, 'an object with blockhash and lastValidBlockHeight');
  assertFields(lifetime, field, { blockhash: 1, lastValidBlockHeight: 1 });
  const { blockhash, lastValidBlockHeight } = lifetime;
  if (!isValidAddress(blockhash))
    throw invalidIdentity(`${field}.blockhash`, blockhash, 'a base58 block hash of 32 bytes');
  assertU64(lastValidBlockHeight, `${field}.lastValidBlockHeight`);
}

/** The latest block hash, unless the caller passed one. */
export async function lifetimeOf(
  client: HeavenClient,
  { lifetime, abortSignal }: TransactionOptions,
): Promise<TransactionLifetime> {
  if (lifetime) return lifetime;
  const method = 'getLatestBlockhash';
  const request = client.rpc.getLatestBlockhash({ commitment: client.commitment });
  const response: { readonly value?: Partial<TransactionLifetime> | null } | null = await send(
    client,
    method,
    request,
    {
      abortSignal,
    },
  );
  const { blockhash, lastValidBlockHeight } = response?.value ?? {};
  if (
    blockhash === undefined ||
    !isValidAddress(blockhash) ||
    typeof lastValidBlockHeight !== 'bigint' ||
    BigInt.asUintN(64, lastValidBlockHeight) !== lastValidBlockHeight
  )
    throw invalidResponse(method, 'it holds no block hash, or no last height');
  return { blockhash, lastValidBlockHeight };
}

const MAX_ENCODABLE = 0xffff;
/** What wallets add to protect their users takes some 150 to 250 bytes. */
const ROOM_FOR_GUARDS = 250;

/** Compiles instructions into an unsigned transaction of the version that was asked for. */
export async function assembleTransaction(
  wallets: Paying,
  {
    plan: { format, before, after, landing },
    instructions: own,
    lifetime,
    compress = (message) => message,
    warnings = [],
    lamports,
    advice = 'Shorten its texts, leave out instructions of your own, or name a lookup table that holds more of its accounts.',
  }: Composed & {
    readonly plan: TransactionPlan;
    readonly lifetime: TransactionLifetime;
  },
): Promise<BuiltTransaction> {
  const payer = wallets.payer.address;
  const feePayer = wallets.feePayer?.address ?? payer;
  const { version, config, computeBudget } = format;
  const instructions = [
    ...before,
    ...own.map(withoutStandIns),
    ...after,
    ...landingInstructions(payer, landing),
  ];
  const all = allInstructions({ computeBudget, instructions });
  for (const [field, wallet] of Object.entries({ payer, feePayer })) {
    if (all.some(({ programAddress }) => programAddress === wallet))
      throw inputError(field, `${field} is ${wallet}, a program: it can't pay. Name a wallet.`, wallet);
  }
  // Instruction data can be too long to be encoded at all.
  const dataSize = all.reduce((total, { data }) => total + (data?.length ?? 0), 0);
  if (dataSize > MAX_ENCODABLE) throw tooLarge(dataSize, format, advice);
  const built = signable(compile(format, { feePayer, instructions: all, lifetime, compress }));
  const size = (built.tx.length / 4) * 3 - (built.tx.match(/=*$/)?.[0].length ?? 0);
  if (size > format.maxBytes) throw tooLarge(size, format, advice);
  return {
    ...built,
    payer,
    version,
    instructions,
    computeBudget,
    config,
    lifetime,
    size,
    warnings: [
      ...warnings,
      ...budgetWarnings({ version, config, instructions: all }, landing, lamports),
      ...littleRoom(size, format),
      ...(await inWords(Object.keys(built.transaction.signatures).map(signerDoubt))),
    ],
  };
}

/** What to do about a transaction that is too long for version 0 but may fit into version 1. */
const hintOf = ({ version }: MessageFormat) =>
  version === 0
    ? ` Or set transactionVersion to 1, which may have ${maxTransactionBytes(1)} bytes, if the wallet supports it.`
    : '';

const tooLarge = (size: number, format: MessageFormat, advice: string) => {
  const { version, maxBytes: limit } = format;
  const excess = size - limit;
  return new HeavenError(
    'transaction-too-large',
    `The transaction has ${size} bytes, ${excess} over Solana's limit of ${limit} for version ${version}. ${advice}${hintOf(format)}`,
    { size, limit, excess },
  );
};

const littleRoom = (size: number, format: MessageFormat): readonly HeavenWarning[] =>
  warnIf(
    format.maxBytes - size < ROOM_FOR_GUARDS,
    'little-room-for-guards',
    `The transaction has ${size} of ${format.maxBytes} bytes. Wallets such as Phantom add up to ${ROOM_FOR_GUARDS} bytes of instructions that protect their user: the wallet may leave them out or fail. Shorten its texts, or leave out instructions of your own.${hintOf(format)}`,
  );

/** A signer that has no key. [Assumption A14](/protocol#assumptions): the exchange accepts its program's signature. */
const signerDoubt = (signer: string): Doubt | false =>
  isOffCurve(signer as Address) && ['off-curve-signer', signer];

function compile(format: MessageFormat, parts: Parameters<MessageFormat['compile']>[0]) {
  try {
    return format.compile(parts);
  } catch (cause) {
    const reason = (cause as Error).message;
    throw new HeavenError(
      'invalid-transaction',
      `The instructions don't make a transaction: ${reason}`,
      { reason },
      { cause },
    );
  }
}

/** Rejects an object that no builder returned, and one that went through JSON. */
export function assertBuilt(built: BuiltTransaction): void {
  assertHas(built, 'transaction', 'built', 'what a builder returned, whole');
  const { transaction, lifetime }: Partial<BuiltTransaction> = built;
  const hasBytes = ArrayBuffer.isView(transaction?.messageBytes);
  if (!hasBytes || typeof lifetime?.lastValidBlockHeight !== 'bigint') throw throughJson('built');
}

/** The forms of a transaction that change with its signatures. */
export const signable = (transaction: BuiltTransaction['transaction']) => ({
  tx: getBase64EncodedWireTransaction(transaction),
  transaction,
  requiredSigners: requiredSignersOf(transaction.signatures),
});

/** Whether a value is a kit signer that can sign a transaction. */
export const isPartialSigner = (value: unknown): value is TransactionPartialSigner =>
  typeof value === 'object' &&
  value !== null &&
  'address' in value &&
  isTransactionPartialSigner(value as TransactionPartialSigner);

/** Adds the signature of one of the transaction's own keys, such as a new mint's. */
export async function signTransaction<TBuilt extends BuiltTransaction>(
  built: TBuilt,
  signer: TransactionPartialSigner,
): Promise<TBuilt> {
  const transaction = built.transaction as BuiltTransaction['transaction'] & TransactionWithinSizeLimit;
  const [signatures] = await signer.signTransactions([transaction]);
  return {
    ...built,
    ...signable({ ...transaction, signatures: { ...transaction.signatures, ...signatures } }),
  };
}
