import type { Address, Instruction, TransactionSigner } from '@solana/kit';
import { HeavenError } from '../base/errors.js';
import { inputError } from '../base/input.js';
import { type HeavenWarning, warnIf } from '../base/warnings.js';
import { type Doubt, inWords } from '../pool/doubts.js';
import type { HeavenClient } from '../program/client.js';
import { isOffCurve } from '../solana/addresses.js';
import { maxTransactionBytes } from '../solana/limits.js';
import type { RequestOptions } from '../solana/rpc/send.js';
import { type TransactionWallet, withoutStandIns } from '../solana/wallet.js';
import { budgetWarnings } from './budget-warnings.js';
import { allInstructions, type BuiltTransaction, signable } from './built.js';
import { computeUnitsOf } from './compute-units.js';
import { lifetimeOf, type TransactionLifetime } from './lifetime.js';
import { type Compress, type MessageFormat, messageFormat } from './message-format.js';
import { type LandingOptions, landingInstructions } from './tip.js';

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
    advice = 'Shorten encodedUserDefinedEventData, or leave out instructions of your own.',
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
      throw inputError(
        field,
        `${field} is ${wallet}, which the transaction calls as a program: it can't pay. Pass a wallet.`,
        wallet,
      );
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
      `The instructions can't be compiled into a transaction: ${reason}`,
      { reason },
      { cause },
    );
  }
}
