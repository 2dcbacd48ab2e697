import type { Address, TransactionVersion } from '@solana/kit';

import type { HeavenClient } from '../client.js';
import { assertU64, inputError } from '../input.js';
import type { HeavenInstruction } from '../program/instructions.js';
import { assertAddress } from '../solana/addresses.js';
import {
  type ComputeBudget,
  costOf,
  HIGH_PRIORITY_FEE,
  type TransactionFees,
} from '../solana/compute-budget.js';
import type { LookupTables } from '../solana/lookup-table.js';
import {
  isSignatureValid,
  knownTables,
  type LoadedTransaction,
  loadTransaction,
  readWireTransaction,
  type TransactionAccount,
} from '../solana/message.js';
import { SYSTEM_PROGRAM_ADDRESS } from '../solana/programs.js';
import { assertLamportsPerByte, computeRentExemption } from '../solana/rent.js';
import type { RequestOptions } from '../solana/rpc/send.js';
import {
  type AmountAtMost,
  creditOf,
  effectsOfUnknown,
  type InstructionEffect,
  type Movement,
} from './effects.js';
import { warningsOf } from './inspection-warnings.js';
import { summaryOf } from './inspection-words.js';
import { type AccountOwnership, findOwnership, type Ownership } from './ownership.js';
import type { StepProgram } from './programs/step.js';
import { stepsOf } from './step.js';
import { describeInstruction } from './words.js';

/** Whom {@link inspectTransaction} protects, and what it may read. */
export interface InspectTransactionOptions extends RequestOptions {
  /** Reads lookup tables that you don't pass, and token accounts that the instructions don't describe fully. */
  readonly client?: HeavenClient | undefined;
  /** Your wallet. Default: each signer's. What a signer allows must then stay with that signer. */
  readonly owner?: Address | undefined;
  /** Others whom you mean to pay, such as the receiver of LP tokens. Paying them raises no warning. Default: none. */
  readonly recipients?: readonly Address[] | undefined;
  /**
   * The most lamports of fees, besides those for its own signatures, that raise no warning. Default 50000000, which is 0.05
   * SOL.
   */
  readonly maxPriorityFee?: bigint | undefined;
  /** The exchange program. Default: the client's, or mainnet's. */
  readonly programAddress?: Address | undefined;
  /**
   * What the cluster charges in rent: lamports per byte. Default: reads it with the client, in a call that it makes anyway.
   * Without either, debits for rent are `unknown`.
   */
  readonly lamportsPerByte?: bigint | undefined;
  /** Contents of lookup tables, from a source that you trust. */
  readonly lookupTables?: LookupTables | undefined;
}

/** An instruction and what it may do. */
export interface InspectedInstruction {
  readonly programAddress: Address;
  /** The program and the instruction, if both are known. */
  readonly program?: StepProgram | undefined;
  readonly name?: string | undefined;
  readonly description: string;
  /** In order. An address in an unknown lookup table is `undefined`. */
  readonly accounts: readonly TransactionAccount[];
  readonly data: Uint8Array;
  readonly exchange?: HeavenInstruction | undefined;
  readonly effects: readonly InstructionEffect[];
}

/** The most that a transaction may take from an account, over all its instructions and fees. */
export interface TransactionDebit extends Movement {
  /** The part of the amount that the transaction names, in native units of the asset. */
  readonly named: bigint;
  /** The instructions that take it, from 0. Fees are not among them. */
  readonly instructions: readonly number[];
}

/** What a transaction may pay into an account, over all its instructions. */
export interface TransactionCredit extends Omit<Movement, 'authority'> {
  /** The least that the instructions insist on, in native units of the asset. */
  readonly minimum: bigint;
  /** Whose account it is. An unknown owner also raises a warning. */
  readonly ownership: AccountOwnership;
  /** The instructions that pay, counted from 0. */
  readonly instructions: readonly number[];
}

/** Something that a person must know before signing a transaction. */
export interface InspectionWarning {
  readonly code:
    | 'unknown-recipient'
    | 'anything'
    | 'authority-change'
    | 'account-locked'
    | 'account-frozen'
    | 'tokens-minted'
    | 'withdrawals-disabled'
    | 'delegation'
    | 'high-priority-fee'
    | 'bound-to-fail'
    | 'durable-nonce'
    | 'unresolved-lookup-table'
    | 'account-loaded-twice'
    | 'invalid-signature';
  readonly message: string;
  readonly instruction?: number | undefined;
}

/** What a transaction would do. Amounts are native units. */
export interface TransactionInspection {
  readonly version: TransactionVersion;
  /** Bytes on the wire: at most 1232, and 4096 in version 1. */
  readonly size: number;
  readonly feePayer: Address;
  readonly lifetime:
    | { readonly kind: 'blockhash'; readonly blockhash: string }
    | {
        /** It stays valid until the nonce advances: whoever has it can send it at any time. */
        readonly kind: 'durable-nonce';
        readonly nonce: string;
        readonly nonceAccount: Address | undefined;
        readonly nonceAuthority: Address | undefined;
      };
  readonly instructions: readonly InspectedInstruction[];
  /** Who must sign, the fee payer first, and whether they have. */
  readonly signers: readonly {
    readonly address: Address;
    readonly signature: 'missing' | 'valid' | 'invalid';
  }[];
  readonly computeBudget: ComputeBudget;
  readonly fees: TransactionFees;
  readonly lookupTables: readonly {
    readonly address: Address;
    /** What the transaction loads from it; `undefined` if the table is not known. */
    readonly loads: readonly Address[] | undefined;
    /** Why its contents are unknown. */
    readonly reason?: string | undefined;
  }[];
  readonly debits: readonly TransactionDebit[];
  /** What the owner's accounts may receive, and what the owner's signature sends elsewhere. */
  readonly credits: readonly TransactionCredit[];
  readonly warnings: readonly InspectionWarning[];
  /** Everything above, in lines for people to read. */
  readonly summary: readonly string[];
}

const ADVANCE_NONCE = 4;

/**
 * Shows what a transaction would do before it is signed: each instruction in words, the most that it may take from each
 * account, what it creates and closes, who gets rights, the fees, who must sign, and whether existing signatures are valid.
 * It names what it does not understand, and guesses nothing.
 *
 * It describes a transaction; {@link assertTransactionMatches} compares one with what you asked for. Without a client it
 * makes no call.
 *
 * @throws {HeavenError} `malformed-data` for what is not a transaction, `invalid-address`, `invalid-input` (lamportsPerByte,
 * recipients),
 * and with a client `implausible-account`, `invalid-account-data` and the `rpc-…` codes
 * @example
 * ```ts
 * const { summary, debits, warnings } = await inspectTransaction(tx, { client, owner: payer });
 * console.log(summary.join('\n'));
 * ```
 */
export async function inspectTransaction(
  tx: string,
  options: InspectTransactionOptions = {},
): Promise<TransactionInspection> {
  const { client, owner, lamportsPerByte, abortSignal } = options;
  const [recipients, lookupTables] = [options.recipients ?? [], options.lookupTables ?? {}];
  const maxPriorityFee = options.maxPriorityFee ?? HIGH_PRIORITY_FEE;
  const programAddress = options.programAddress ?? client?.deployment.programAddress;
  if (owner !== undefined) assertAddress(owner, 'owner');
  if (!Array.isArray(recipients))
    throw inputError('recipients', 'recipients must be a list of addresses.', recipients);
  for (const [index, recipient] of recipients.entries()) assertAddress(recipient, `recipients[${index}]`);
  assertU64(maxPriorityFee, 'maxPriorityFee');
  if (lamportsPerByte !== undefined) assertLamportsPerByte(lamportsPerByte);
  if (programAddress !== undefined) assertAddress(programAddress, 'programAddress');
  const wire = readWireTransaction(tx);
  const tables = await knownTables(wire, lookupTables, client, { abortSignal });
  const loaded = loadTransaction(wire, tables);
  const config = programAddress === undefined ? {} : { programAddress };
  const steps = stepsOf(loaded.instructions, wire.version, config);
  const ownership = await findOwnership(loaded, steps, {
    owner,
    recipients,
    client,
    config,
    lamportsPerByte,
    abortSignal,
  });
  const instructions = loaded.instructions.map((instruction, index): InspectedInstruction => {
    const step = steps[index];
    const effects = step?.effects ?? effectsOfUnknown(instruction, ownership.mayBeOwned, owner);
    return {
      ...instruction,
      program: step?.program,
      name: step?.name,
      description: describeInstruction(instruction, step),
      exchange: step?.exchange,
      effects: effects.map((effect) => completed(effect, ownership)),
    };
  });
  const signers = await Promise.all(
    wire.signatures.map(async ({ address, signature }) => ({
      address,
      signature:
        signature === undefined
          ? ('missing' as const)
          : (await isSignatureValid(wire, address, signature))
            ? ('valid' as const)
            : ('invalid' as const),
    })),
  );
  const feePayer = wire.signatures[0]?.address as Address;
  const { computeBudget, fees } = costOf(wire);
  const facts = {
    version: wire.version,
    size: wire.size,
    feePayer,
    lifetime: lifetimeOf(loaded),
    instructions,
    signers,
    computeBudget,
    fees,
    lookupTables: [...tables].map(([address, { addresses, reason }]) => ({
      address,
      loads: addresses && loadedFrom(loaded, address),
      reason,
    })),
    debits: debitsOf(instructions, { feePayer, fees }, owner, ownership),
    credits: creditsOf(instructions, owner, ownership),
  };
  const warnings = warningsOf(facts, loaded, { tables, owner, ownership, maxPriorityFee });
  return { ...facts, warnings, summary: summaryOf(facts, warnings) };
}

/** An inspection before it is judged and put into words. */
export type Facts = Omit<TransactionInspection, 'warnings' | 'summary'>;

/** Addresses that a table lacks are left out: the account list shows them as not known. */
const loadedFrom = ({ accounts }: LoadedTransaction, table: Address): readonly Address[] =>
  accounts.flatMap(({ address, lookup }) => (lookup?.table === table && address ? [address] : []));

function lifetimeOf({ wire, instructions: [first] }: LoadedTransaction): TransactionInspection['lifetime'] {
  const { lifetimeToken } = wire;
  // As the cluster decides it: by the first instruction alone.
  const isNonce =
    first?.programAddress === SYSTEM_PROGRAM_ADDRESS &&
    first.data.length >= 4 &&
    [ADVANCE_NONCE, 0, 0, 0].every((byte, index) => first.data[index] === byte);
  return isNonce
    ? {
        kind: 'durable-nonce',
        nonce: lifetimeToken,
        nonceAccount: first.accounts[0]?.address,
        nonceAuthority: first.accounts[2]?.address,
      }
    : { kind: 'blockhash', blockhash: lifetimeToken };
}

/** An effect with what the cluster knows about it. */
function completed(
  effect: InstructionEffect,
  { tokenAccounts, lamportsPerByte, balances }: Ownership,
): InstructionEffect {
  if (effect.kind === 'close') return { ...effect, lamports: balances.get(effect.account) };
  if (effect.kind !== 'debit') return effect;
  const { asset, mint, account, accountSizes } = effect;
  if (accountSizes !== undefined && lamportsPerByte !== undefined) {
    const rents = accountSizes.map((size) => computeRentExemption(size, lamportsPerByte));
    return { ...effect, amount: rents.reduce((total, rent) => total + rent, 0n) };
  }
  return asset === 'token' && mint === undefined
    ? { ...effect, mint: tokenAccounts.get(account)?.mint }
    : effect;
}

function totalsOf<TMovement extends Movement & { readonly index?: number }>(movements: readonly TMovement[]) {
  const groups = new Map<string, TMovement[]>();
  for (const movement of movements) {
    const key = `${movement.account} ${movement.asset}`;
    groups.set(key, [...(groups.get(key) ?? []), movement]);
  }
  return [...groups.values()].map((parts) => {
    const { account, asset } = parts[0] as TMovement;
    return {
      account,
      asset,
      mint: parts.flatMap(({ mint }) => mint ?? []).at(-1),
      amount: parts.map(({ amount }) => amount).reduce(sum),
      instructions: [...new Set(parts.flatMap(({ index }) => index ?? []))],
      parts,
      last: parts.at(-1) as TMovement,
    };
  });
}

function debitsOf(
  instructions: readonly InspectedInstruction[],
  { feePayer, fees }: Pick<Facts, 'feePayer' | 'fees'>,
  owner: Address | undefined,
  { mayBeOwned }: Ownership,
): readonly TransactionDebit[] {
  const taken = instructions.flatMap(({ effects }, index) =>
    effects.flatMap((effect) => (effect.kind === 'debit' ? [{ ...effect, index }] : [])),
  );
  const fee = { account: feePayer, asset: 'SOL', amount: fees.total, authority: feePayer } as const;
  const ofInterest = [fee, ...taken].filter(
    ({ account, authority }) => owner === undefined || authority === owner || mayBeOwned(account),
  );
  return totalsOf<Movement & { readonly index?: number }>(ofInterest).map(({ parts, last, ...total }) => ({
    ...total,
    named: parts.reduce((most, { amount }) => most + (typeof amount === 'bigint' ? amount : 0n), 0n),
    authority: last.authority,
  }));
}

function creditsOf(
  instructions: readonly InspectedInstruction[],
  owner: Address | undefined,
  { provenOwnerOf, isOwnBusiness }: Ownership,
): readonly TransactionCredit[] {
  const paid = instructions.flatMap(({ effects }, index) =>
    effects.flatMap((effect) => {
      const credit = creditOf(effect);
      if (credit === undefined) return [];
      const ownership = provenOwnerOf(credit.account, index);
      const isReceived = ownership.kind !== 'unknown' && ownership.owner === owner;
      return isReceived || isOwnBusiness(credit.authority, index) ? [{ ...credit, ownership, index }] : [];
    }),
  );
  return totalsOf(paid).map(({ parts, last, ...total }) => ({
    ...total,
    minimum: parts.reduce((least, { minimum }) => least + minimum, 0n),
    // An account that is paid once while it is a stranger's counts as a stranger's.
    ownership: (parts.find(({ ownership }) => ownership.kind === 'unknown') ?? last).ownership,
  }));
}

function sum(one: AmountAtMost, other: AmountAtMost): AmountAtMost {
  if (typeof one === 'bigint' && typeof other === 'bigint') return one + other;
  // "Everything in it" is a bound; an unknown amount is not.
  return one === 'unknown' || other === 'unknown' ? 'unknown' : 'all';
}
