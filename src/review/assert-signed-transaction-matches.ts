import {
  type Address,
  type Base64EncodedWireTransaction,
  getBase58Decoder,
  getBase64Encoder,
  getTransactionDecoder,
  type Instruction,
  type ReadonlyUint8Array,
  type Signature,
  type Transaction,
} from '@solana/kit';
import {
  assertFields,
  assertHas,
  assertNames,
  assertU64,
  assertWhole,
  inputError,
  throughJson,
} from '../base/input.js';
import { U64_MAX } from '../base/integers.js';
import { HEAVEN_PROGRAM_ADDRESS } from '../program/constants.js';
import { assertAddress } from '../solana/addresses.js';
import { budgetOf } from '../solana/compute-budget.js';
import { MAX_COMPUTE_UNITS, MAX_GUARD_COMPUTE_UNITS } from '../solana/limits.js';
import type { LookupTables } from '../solana/lookup-table.js';
import {
  type KnownTables,
  type LoadedInstruction,
  type LoadedTransaction,
  loadTransaction,
  readWireTransaction,
} from '../solana/message.js';
import { wireTextOf } from '../solana/wire-text.js';
import { allInstructions, type BuiltTransaction } from '../transaction/built.js';
import type { TransactionLifetime } from '../transaction/lifetime.js';
import { impliedTables } from './expected.js';
import { explainSignatures, explainSignedMismatch, notGiven, ownFee } from './explain.js';
import { guardsIn } from './guards.js';
import { areSignaturesValid, isSameInstruction } from './match.js';
import { write } from './prose.js';
import { stepOf } from './read-step.js';
import { describeInstruction } from './words.js';

/** What a builder or a service returned: the whole result, or only its transaction in base64. */
export type GivenTransaction =
  | string
  | (Pick<BuiltTransaction, 'tx'> &
      Partial<Pick<BuiltTransaction, 'instructions' | 'computeBudget' | 'lifetime'>>);

/** A priority fee that a wallet may set in place of the builder's. */
export interface AcceptedFee {
  /**
   * The most that it may cost, in lamports: the compute unit limit times the price, rounded up as the cluster does. The limit and the
   * price may then be any. The fee for signatures comes on top, as always.
   */
  readonly maxLamports: bigint;
}

/** What {@link assertSignedTransactionMatches} allows a wallet to change. */
export interface AssertSignedTransactionMatchesOptions {
  /** Addresses that sign after the wallet, such as a launch's mint. Their signatures may be missing. Default: none. */
  readonly missingSigners?: readonly Address[] | undefined;
  /** The compute units by which the wallet may raise the limit to pay for its assertions. Default 30000. */
  readonly maxAddedComputeUnits?: number | undefined;
  /** A priority fee that the wallet may set itself. Default: none. */
  readonly acceptFee?: AcceptedFee | undefined;
  /**
   * Contents of lookup tables, from a source that you trust. Needed if you have only `tx`, or if the wallet looks up
   * accounts of its own. Default: the accounts that the built instructions name.
   */
  readonly lookupTables?: LookupTables | undefined;
  /** The exchange program, for the words of an error. Default: mainnet's. */
  readonly programAddress?: Address | undefined;
}

/** An assertion that a wallet added to a transaction. */
export interface AddedAssertion {
  /** Its index in the signed transaction, from 0. */
  readonly index: number;
  readonly description: string;
  readonly instruction: Instruction;
}

/** A checked transaction from a wallet. Send this, not what the wallet returned. */
export interface SignedTransaction {
  /** The checked transaction in base64. */
  readonly tx: Base64EncodedWireTransaction;
  /** The same for kit's functions. It has the built transaction's lifetime if that is known. */
  readonly transaction: Transaction & {
    readonly lifetimeConstraint?: TransactionLifetime;
  };
  /** The fee payer's signature, which identifies the transaction; `undefined` if the fee payer signs later. */
  readonly signature: Signature | undefined;
  /** Who has yet to sign. */
  readonly missingSigners: readonly Address[];
  /** What the wallet added, in order. */
  readonly added: readonly AddedAssertion[];
}

/**
 * Rejects a signed transaction that is not the one that you gave the wallet. Wallets such as Phantom and Solflare
 * change what they sign: they add Lighthouse's assertions, which make the transaction fail if it takes more than they
 * showed, re-sort the accounts, and raise the compute unit limit. That passes: at most 12 assertions that read
 * accounts and give them no right, and a limit raised by `maxAddedComputeUnits`. A priority fee of the wallet's own passes only up to
 * `acceptFee`. Everything else must be the same:
 * version, block hash, fee payer, signers, the price of a compute unit, and each instruction in order with its data,
 * accounts and rights. Signatures must be valid.
 *
 * It makes no call. Send the returned transaction: it is a copy that nobody else holds.
 *
 * @param signed What the wallet returned: base64, bytes, or kit's transaction.
 * @param built The transaction that the wallet received.
 * @throws {HeavenError} `transaction-mismatch`, whose `kind` says how it differs; `malformed-data` for what is not a
 * transaction; `invalid-input` for `built` whose lookup tables can't be resolved
 * @example
 * ```ts
 * import { getTransactionEncoder } from '@solana/kit';
 *
 * const wallet = await createPracticeWallet({ guards: 'phantom' }); // in a page: the user's
 * const built = await buildBuy(client, { ...input, payer: wallet.address });
 * const signed = await wallet.signTransaction(getTransactionEncoder().encode(built.transaction));
 * const { tx, added } = await assertSignedTransactionMatches(signed, built);
 * for (const { description } of added) console.log(`The wallet added: ${description}`);
 * ```
 */
export async function assertSignedTransactionMatches(
  signed: string | ReadonlyUint8Array | Transaction,
  built: GivenTransaction,
  options: AssertSignedTransactionMatchesOptions = {},
): Promise<SignedTransaction> {
  assertNames(options, 'options', {
    missingSigners: 1,
    maxAddedComputeUnits: 1,
    acceptFee: 1,
    lookupTables: 1,
    programAddress: 1,
  });
  return await assertSignatures(readSignedTransaction(signed, built, options));
}

/** Rejects what is not a fee that a wallet may set. */
export function assertAcceptedFee(accepted: AcceptedFee): void {
  assertHas(accepted, 'maxLamports', 'acceptFee', 'an object with maxLamports');
  assertFields(accepted, 'acceptFee', { maxLamports: 1 });
  assertU64(accepted.maxLamports, 'acceptFee.maxLamports');
}

/** A transaction that matches, and whose signatures are not checked yet. */
interface ReadTransaction {
  readonly tx: Base64EncodedWireTransaction;
  readonly found: LoadedTransaction;
  /** The instructions that the wallet added. */
  readonly guards: readonly number[];
  readonly lifetime: TransactionLifetime | undefined;
  readonly missingSigners: readonly Address[];
}

/** Rejects another transaction than the one that the wallet was given, whoever signed it. */
export function readSignedTransaction(
  signed: string | ReadonlyUint8Array | Transaction,
  built: GivenTransaction,
  options: AssertSignedTransactionMatchesOptions,
): ReadTransaction {
  // One immutable string, taken before anything is awaited: everything else uses these bytes.
  const tx = wireTextOf(signed);
  const { programAddress = HEAVEN_PROGRAM_ADDRESS } = options;
  const missingSigners = options.missingSigners ?? [];
  if (!Array.isArray(missingSigners))
    throw inputError('missingSigners', 'missingSigners must be a list of addresses.', missingSigners);
  const maxAddedUnits = options.maxAddedComputeUnits ?? MAX_GUARD_COMPUTE_UNITS;
  assertWhole('maxAddedComputeUnits', maxAddedUnits, [0, MAX_COMPUTE_UNITS]);
  if (options.acceptFee !== undefined) assertAcceptedFee(options.acceptFee);
  for (const [index, signer] of missingSigners.entries()) assertAddress(signer, `missingSigners[${index}]`);
  const { given, tables, lifetime } = readGiven(built, options.lookupTables ?? {});
  const found = loadTransaction(readWireTransaction(tx), tables);
  const accepted = options.acceptFee?.maxLamports;
  const guards = guardsIn(found, given, { addedUnits: maxAddedUnits, priorityFee: accepted });
  if (guards === undefined) {
    const difference = explainSignedMismatch(found, given, { programAddress });
    const isFee = guardsIn(found, given, { addedUnits: maxAddedUnits, priorityFee: U64_MAX }) !== undefined;
    throw isFee ? ownFee(difference, budgetOf(found.wire).priority, accepted) : notGiven(difference);
  }
  return { tx, found, guards, lifetime, missingSigners };
}

/** Rejects a signature that is not valid, or is missing and should not be. */
export async function assertSignatures({
  tx,
  found,
  guards,
  lifetime,
  missingSigners,
}: ReadTransaction): Promise<SignedTransaction> {
  const { signatures } = found.wire;
  const mustHaveSigned = signatures
    .map(({ address }) => address)
    .filter((address) => !missingSigners.includes(address));
  if (!(await areSignaturesValid(found, mustHaveSigned)))
    throw notGiven(await explainSignatures(found, mustHaveSigned));
  const [payer] = signatures;
  return {
    tx,
    transaction: {
      ...getTransactionDecoder().decode(getBase64Encoder().encode(tx)),
      ...(lifetime === undefined ? {} : { lifetimeConstraint: lifetime }),
    },
    signature:
      payer?.signature === undefined ? undefined : (getBase58Decoder().decode(payer.signature) as Signature),
    missingSigners: signatures.flatMap(({ address, signature }) =>
      signature === undefined ? [address] : [],
    ),
    added: guards.map((index) => addedAssertion(found, index)),
  };
}

interface Given {
  readonly given: LoadedTransaction;
  readonly tables: KnownTables;
  readonly lifetime: TransactionLifetime | undefined;
}

/** The transaction that the wallet received, with the lookup tables that its own instructions imply. */
function readGiven(built: GivenTransaction, lookupTables: LookupTables): Given {
  if (typeof built !== 'string')
    assertHas(built, 'tx', 'built', "a builder's result, or its tx, which the wallet was given");
  const tx = typeof built === 'string' ? built : built.tx;
  const known: Partial<Exclude<GivenTransaction, string>> = typeof built === 'string' ? {} : built;
  const lifetime = known.lifetime ?? undefined;
  if (lifetime !== undefined && typeof lifetime.lastValidBlockHeight !== 'bigint') throw throughJson('built');
  const instructions = known.instructions
    ? allInstructions({ instructions: known.instructions, computeBudget: known.computeBudget ?? [] })
    : undefined;
  const wire = readWireTransaction(tx);
  for (const [table, addresses] of Object.entries(lookupTables)) {
    if (!Array.isArray(addresses))
      throw inputError(`lookupTables.${table}`, `lookupTables.${table} must be a list of addresses.`);
  }
  const tables = impliedTables(wire, instructions ?? [], lookupTables);
  const given = loadTransaction(wire, tables);
  if (instructions !== undefined && !isMadeOf(given, instructions))
    throw inputError(
      'built',
      "built.tx is not made of built.computeBudget and built.instructions. Pass a builder's result whole.",
    );
  if (lifetime !== undefined && lifetime.blockhash !== wire.lifetimeToken)
    throw inputError('built', "built.lifetime is not built.tx's. Pass a builder's result whole.");
  const hidden = given.accounts.find(({ address }) => address === undefined);
  if (hidden) {
    throw inputError(
      'lookupTables',
      `built looks up accounts in ${hidden.lookup?.table}, whose contents are not known. Pass what the builder returned, whole, or lookupTables with the table's contents.`,
    );
  }
  return { given, tables, lifetime };
}

const isMadeOf = (given: LoadedTransaction, instructions: readonly Instruction[]): boolean =>
  given.instructions.length === instructions.length &&
  instructions.every(({ programAddress, accounts = [], data = new Uint8Array() }, index) =>
    isSameInstruction(given.instructions[index] as LoadedInstruction, {
      programAddress,
      accounts,
      data: Uint8Array.from(data),
    }),
  );

function addedAssertion({ instructions }: LoadedTransaction, index: number): AddedAssertion {
  const guard = instructions[index] as LoadedInstruction;
  const { programAddress, accounts, data } = guard;
  return {
    index,
    description: write(describeInstruction(guard, stepOf(guard))),
    instruction: {
      programAddress,
      accounts: accounts.map(({ address, role }) => ({ address: address as Address, role })),
      data,
    },
  };
}
