import type { Address } from '@solana/kit';

import type { HeavenClient, RequestOptions } from '../client.js';
import { assertU64 } from '../input.js';
import { inSol } from '../math/units.js';
import { SYSTEM_PROGRAM_ADDRESS } from '../program/constants.js';
import type { HeavenInstruction } from '../program/instructions.js';
import { assertAddress } from '../solana/addresses.js';
import { priorityFee } from '../solana/compute-budget.js';
import { LAMPORTS_PER_SIGNATURE, MAX_COMPUTE_UNITS } from '../solana/limits.js';
import type { LookupTables } from '../solana/lookup-table.js';
import {
  isSignatureValid,
  type KnownTables,
  knownTables,
  type LoadedAccount,
  type LoadedTransaction,
  loadTransaction,
  readWireTransaction,
  type WireTransaction,
} from '../solana/message.js';
import {
  type AmountAtMost,
  creditOf,
  type DebitAsset,
  effectsOfUnknown,
  type InstructionEffect,
} from './effects.js';
import { ownershipInWords, received, summaryOf } from './inspection-words.js';
import { type AccountOwnership, findOwnership, type Ownership } from './ownership.js';
import { type Step, type StepProgram, stepOf } from './step.js';
import { describeInstruction } from './words.js';

/** Whose side {@link inspectTransaction} takes, and what it may read. */
export interface InspectTransactionOptions extends RequestOptions {
  /** Reads lookup tables that are not given, and the token accounts that instructions don't say enough of. */
  readonly client?: HeavenClient | undefined;
  /**
   * Your wallet, whose side is taken in `debits`, `credits` and the warnings. Default: each signer's; what one of them allows
   * must then stay with that same signer.
   */
  readonly owner?: Address | undefined;
  /** Others whom you mean to pay, such as the receiver of LP tokens. What reaches them is no warning. Default: none. */
  readonly recipients?: readonly Address[] | undefined;
  /** Lamports of priority fee up to which there is no warning. Default 50000000, which is 0.05 SOL. */
  readonly maxPriorityFee?: bigint | undefined;
  /** The exchange program. Default: the client's, or mainnet's. */
  readonly programAddress?: Address | undefined;
  /** Contents of lookup tables, from a source that you trust. */
  readonly lookupTables?: LookupTables | undefined;
}

/** An instruction, what it is, and what it may do. */
export interface InspectedInstruction {
  readonly programAddress: Address;
  /** The program and the instruction, if both are known. */
  readonly program?: StepProgram | undefined;
  readonly name?: string | undefined;
  /** In words. */
  readonly description: string;
  /** In order. An address that stands in a lookup table that is not known is `undefined`. */
  readonly accounts: readonly LoadedAccount[];
  readonly data: Uint8Array;
  /** An instruction of the exchange, parsed. */
  readonly exchange?: HeavenInstruction | undefined;
  readonly effects: readonly InstructionEffect[];
}

/** The most that a transaction may take from an account, all its instructions and the fees together. */
export interface TransactionDebit {
  readonly account: Address;
  readonly asset: DebitAsset;
  readonly mint?: Address | undefined;
  readonly amount: AmountAtMost;
  /** The part of it that the transaction names. */
  readonly named: bigint;
  /** Who allows it by signing. */
  readonly authority: Address;
  /** The instructions that take it, counted from 0. The fees are none. */
  readonly instructions: readonly number[];
}

/** What a transaction may pay into an account, all its instructions together. */
export interface TransactionCredit {
  readonly account: Address;
  readonly asset: DebitAsset;
  readonly mint?: Address | undefined;
  readonly amount: AmountAtMost;
  /** The least that the instructions insist on. */
  readonly minimum: bigint;
  /** Whose account it is. Of an unknown one there is a warning, too. */
  readonly ownership: AccountOwnership;
  /** The instructions that pay, counted from 0. */
  readonly instructions: readonly number[];
}

/** Something about a transaction that a person must know before signing it. */
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
    | 'durable-nonce'
    | 'unresolved-lookup-table'
    | 'account-loaded-twice'
    | 'invalid-signature';
  readonly message: string;
  /** Counted from 0. */
  readonly instruction?: number | undefined;
}

/** What a transaction would do. Amounts are native units. */
export interface TransactionInspection {
  readonly version: 'legacy' | 0;
  /** Bytes on the wire, of 1232 at most. */
  readonly size: number;
  readonly feePayer: Address;
  readonly lifetime:
    | { readonly kind: 'blockhash'; readonly blockhash: string }
    | {
        /** It stays valid until the nonce is advanced: whoever has it can send it at any time. */
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
  readonly computeBudget: {
    /** The limit that is set, or the most that the cluster allows if none is. */
    readonly unitLimit: number;
    readonly isLimitSet: boolean;
    /** Micro-lamports per compute unit. */
    readonly unitPrice: bigint;
  };
  /** In lamports. The priority fee is the limit times the price, rounded up. */
  readonly fees: { readonly signatures: bigint; readonly priority: bigint; readonly total: bigint };
  readonly lookupTables: readonly {
    readonly address: Address;
    /** What the transaction loads from it; `undefined` if the table is not known. */
    readonly loads: readonly Address[] | undefined;
    /** Why it is not known. */
    readonly reason?: string | undefined;
  }[];
  readonly debits: readonly TransactionDebit[];
  /** What the owner's accounts may receive, and what goes elsewhere with the owner's signature. */
  readonly credits: readonly TransactionCredit[];
  readonly warnings: readonly InspectionWarning[];
  /** All of it in lines for a person. */
  readonly summary: readonly string[];
}

const DEFAULT_MAX_PRIORITY_FEE = 50_000_000n;
/** What the cluster allows an instruction when no limit is set; those of the compute budget itself get less. */
const DEFAULT_UNITS = 200_000;
const DEFAULT_BUDGET_UNITS = 3_000;
/** Programs that check signatures named in their data, each of which is paid for like the transaction's own. */
const SIGNATURE_PROGRAMS: readonly string[] = [
  'Ed25519SigVerify111111111111111111111111111',
  'KeccakSecp256k11111111111111111111111111111',
  'Secp256r1SigVerify1111111111111111111111111',
];
const ADVANCE_NONCE = 4;

/**
 * What a transaction would do, before it is signed: each instruction in words, what it may take from which account at
 * most, what it creates and closes, who gets rights, the fees, who must sign and whether the signatures that are there are
 * valid. What it does not understand it says, and guesses nothing.
 *
 * It reads and judges; {@link assertTransactionMatches} compares with what was asked for. Without a client nothing is
 * fetched.
 *
 * @throws {HeavenError} `malformed-data` for what is no legacy or version 0 transaction, `invalid-address`, and with a
 * client the `rpc-…` codes
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
  const { client, owner, recipients = [], lookupTables = {}, abortSignal } = options;
  const maxPriorityFee = options.maxPriorityFee ?? DEFAULT_MAX_PRIORITY_FEE;
  const programAddress = options.programAddress ?? client?.deployment.programAddress;
  if (owner !== undefined) assertAddress(owner, 'owner');
  for (const [index, recipient] of recipients.entries()) assertAddress(recipient, `recipients[${index}]`);
  assertU64(maxPriorityFee, 'maxPriorityFee');
  if (programAddress !== undefined) assertAddress(programAddress, 'programAddress');
  const wire = readWireTransaction(tx);
  const tables = await knownTables(wire, lookupTables, client, { abortSignal });
  const loaded = loadTransaction(wire, tables);
  const config = programAddress === undefined ? {} : { programAddress };
  const steps = loaded.instructions.map((instruction) => stepOf(instruction, config));
  const ownership = await findOwnership(loaded, steps, {
    owner,
    recipients,
    client,
    config,
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
      effects: effects.map((effect) => withMint(effect, ownership)),
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
  const computeBudget = computeBudgetOf(steps);
  const fees = feesOf(wire, loaded, computeBudget);
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

type Facts = Omit<TransactionInspection, 'warnings' | 'summary'>;

/** Addresses that a table lacks are left out: the account list shows them as not known. */
const loadedFrom = ({ accounts }: LoadedTransaction, table: Address): readonly Address[] =>
  accounts.flatMap(({ address, lookup }) => (lookup?.table === table && address ? [address] : []));

function lifetimeOf({ wire, instructions: [first] }: LoadedTransaction): TransactionInspection['lifetime'] {
  const { lifetimeToken } = wire.message;
  // As the cluster looks at it: by the first instruction alone.
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

function computeBudgetOf(steps: readonly (Step | undefined)[]): TransactionInspection['computeBudget'] {
  const budget = steps.filter((step) => step?.program === 'compute-budget');
  const values = (name: string, field: string) =>
    budget.flatMap((step) => (step?.name === name ? [BigInt(step.data[field] as number | bigint)] : []));
  // The cluster refuses an instruction of the budget that comes twice. To be safe, the larger counts.
  const largest = (numbers: readonly bigint[]) =>
    numbers.reduce((most, next) => (next > most ? next : most), 0n);
  const limits = values('SetComputeUnitLimit', 'units');
  const allowed =
    limits.length > 0
      ? Number(largest(limits))
      : DEFAULT_UNITS * (steps.length - budget.length) + DEFAULT_BUDGET_UNITS * budget.length;
  return {
    unitLimit: Math.min(allowed, MAX_COMPUTE_UNITS),
    isLimitSet: limits.length > 0,
    unitPrice: largest(values('SetComputeUnitPrice', 'microLamports')),
  };
}

function feesOf(
  { signatures: { length } }: WireTransaction,
  { instructions }: LoadedTransaction,
  { unitLimit, unitPrice }: TransactionInspection['computeBudget'],
): TransactionInspection['fees'] {
  const named = instructions.reduce(
    (count, { programAddress, data }) =>
      count + (SIGNATURE_PROGRAMS.includes(programAddress) ? (data[0] ?? 0) : 0),
    length,
  );
  const signatures = LAMPORTS_PER_SIGNATURE * BigInt(named);
  const priority = priorityFee(unitLimit, unitPrice);
  return { signatures, priority, total: signatures + priority };
}

const withMint = (effect: InstructionEffect, { tokenAccounts }: Ownership): InstructionEffect =>
  effect.kind === 'debit' && effect.asset === 'token' && effect.mint === undefined
    ? { ...effect, mint: tokenAccounts.get(effect.account)?.mint }
    : effect;

function debitsOf(
  instructions: readonly InspectedInstruction[],
  { feePayer, fees }: Pick<Facts, 'feePayer' | 'fees'>,
  owner: Address | undefined,
  { mayBeOwned }: Ownership,
): readonly TransactionDebit[] {
  const debits = new Map<string, TransactionDebit>();
  const add = (debit: Omit<TransactionDebit, 'instructions' | 'named'>, index?: number) => {
    const isOfInterest = owner === undefined || debit.authority === owner || mayBeOwned(debit.account);
    if (!isOfInterest) return;
    const key = `${debit.account} ${debit.asset}`;
    const known = debits.get(key);
    debits.set(key, {
      ...debit,
      mint: debit.mint ?? known?.mint,
      amount: known ? sum(known.amount, debit.amount) : debit.amount,
      named: (known?.named ?? 0n) + (typeof debit.amount === 'bigint' ? debit.amount : 0n),
      instructions: [...(known?.instructions ?? []), ...(index === undefined ? [] : [index])],
    });
  };
  add({ account: feePayer, asset: 'SOL', amount: fees.total, authority: feePayer });
  for (const [index, { effects }] of instructions.entries()) {
    for (const effect of effects) {
      if (effect.kind !== 'debit') continue;
      const { account, asset, mint, amount, authority } = effect;
      add({ account, asset, mint, amount, authority }, index);
    }
  }
  return [...debits.values()].map((debit) => ({ ...debit, instructions: [...new Set(debit.instructions)] }));
}

function creditsOf(
  instructions: readonly InspectedInstruction[],
  owner: Address | undefined,
  ownership: Ownership,
): readonly TransactionCredit[] {
  const credits = new Map<string, TransactionCredit>();
  for (const [index, { effects }] of instructions.entries()) {
    for (const credit of effects.flatMap((effect) => creditOf(effect) ?? [])) {
      const { account, asset, mint, amount, minimum, authority } = credit;
      const holder = ownership.provenOwnerOf(account, index);
      const isReceived = holder.kind !== 'unknown' && holder.owner === owner;
      if (!isReceived && !ownership.isOwnBusiness(authority, index)) continue;
      const key = `${account} ${asset}`;
      const known = credits.get(key);
      credits.set(key, {
        account,
        asset,
        mint: mint ?? known?.mint,
        amount: known ? sum(known.amount, amount) : amount,
        minimum: (known?.minimum ?? 0n) + minimum,
        // Paid once while it is a stranger's, it counts as one.
        ownership: known?.ownership.kind === 'unknown' ? known.ownership : holder,
        instructions: [...new Set([...(known?.instructions ?? []), index])],
      });
    }
  }
  return [...credits.values()];
}

function sum(one: AmountAtMost, other: AmountAtMost): AmountAtMost {
  if (typeof one === 'bigint' && typeof other === 'bigint') return one + other;
  // All that is there is a bound; what nobody knows is none.
  return one === 'unknown' || other === 'unknown' ? 'unknown' : 'all';
}

function warningsOf(
  { instructions, lifetime, signers, lookupTables, fees }: Facts,
  { accounts }: LoadedTransaction,
  {
    tables,
    owner,
    ownership,
    maxPriorityFee,
  }: {
    readonly tables: KnownTables;
    readonly owner: Address | undefined;
    readonly ownership: Ownership;
    readonly maxPriorityFee: bigint;
  },
): readonly InspectionWarning[] {
  const warnings: InspectionWarning[] = [];
  const warn = (code: InspectionWarning['code'], message: string, instruction?: number) =>
    warnings.push({ code, message, ...(instruction === undefined ? {} : { instruction }) });
  if (lifetime.kind === 'durable-nonce') {
    warn(
      'durable-nonce',
      `It uses the durable nonce of ${lifetime.nonceAccount}: once signed it can be sent at any time, days from now too.`,
      0,
    );
  }
  for (const { address, reason } of lookupTables) {
    const lacking = accounts.some((account) => account.lookup?.table === address && !account.address);
    if (!lacking) continue;
    const why = reason ?? `it holds only ${tables.get(address)?.addresses?.length} addresses`;
    warn(
      'unresolved-lookup-table',
      `It takes accounts from the lookup table ${address}, and they can't be told: ${why}.`,
    );
  }
  const addresses = accounts.flatMap(({ address }) => (address === undefined ? [] : [address]));
  for (const twice of new Set(addresses.filter((address, index) => addresses.indexOf(address) !== index)))
    warn('account-loaded-twice', `It loads ${twice} twice: the cluster will refuse it.`);
  for (const { address, signature } of signers) {
    if (signature === 'invalid')
      warn('invalid-signature', `The signature of ${address} is not valid for this transaction.`);
  }
  if (fees.priority > maxPriorityFee) {
    warn(
      'high-priority-fee',
      `The priority fee of up to ${inSol(fees.priority)} is over ${inSol(maxPriorityFee)}. Lower the compute unit price, unless you mean to pay that much.`,
    );
  }
  // What was certainly not there before the instruction.
  const made = new Set(ownership.missing);
  const created = new Set<Address>();
  for (const [index, { effects }] of instructions.entries()) {
    for (const effect of effects) {
      const isMade = made.has(targetOf(effect));
      if (effect.kind === 'create' && !effect.isIdempotent && effect.account !== owner)
        created.add(effect.account);
      if (effect.kind === 'assert-new' || created.has(targetOf(effect))) made.add(targetOf(effect));
      // A wallet that holds nothing yet is lost just the same.
      if (effect.kind === 'lock' && created.has(effect.account)) continue;
      warnOf(effect, { isMade, owner, ownership, index }, (code, message) => warn(code, message, index));
    }
  }
  return warnings;
}

/** The account that an effect is about: of those of a mint, the mint. */
const targetOf = (effect: InstructionEffect): Address =>
  effect.kind === 'anything'
    ? effect.programAddress
    : effect.kind === 'mint' || effect.kind === 'freeze'
      ? effect.mint
      : effect.account;

function warnOf(
  effect: InstructionEffect,
  {
    isMade,
    owner,
    ownership,
    index,
  }: {
    readonly isMade: boolean;
    readonly owner: Address | undefined;
    readonly ownership: Ownership;
    readonly index: number;
  },
  warn: (code: InspectionWarning['code'], message: string) => void,
): void {
  const credit = creditOf(effect);
  const isRent = effect.kind === 'debit' && effect.reason === 'rent';
  const isUnexpected =
    credit !== undefined &&
    ownership.isOwnBusiness(credit.authority, index) &&
    !ownership.isExpected({ ...credit, isRent }, index);
  if (isUnexpected) {
    warn(
      'unknown-recipient',
      `${received(credit)} may go to ${credit.account}: ${ownershipInWords(ownership.provenOwnerOf(credit.account, index))}. Sign only if you mean to pay it.`,
    );
  }
  switch (effect.kind) {
    case 'anything': {
      const { programAddress, accounts, hasHiddenAccounts } = effect;
      const what = [...accounts, ...(hasHiddenAccounts ? ['accounts that are not known'] : [])].join(', ');
      warn(
        'anything',
        `An instruction of ${programAddress} is not understood: it may do anything with ${what}.`,
      );
      return;
    }
    case 'delegate':
      if (effect.delegate !== null) {
        warn(
          'delegation',
          `${effect.delegate} may from then on take up to ${effect.amount} units from ${effect.account}.`,
        );
      }
      return;
    case 'authority':
      // What is made here and left to nobody takes no right from anyone: a launch does so with its mint.
      if (isMade && effect.newAuthority === null) return;
      warn(
        'authority-change',
        `The ${effect.authority} authority of ${effect.account} goes to ${effect.newAuthority ?? 'nobody'}.`,
      );
      return;
    case 'create':
      // A wallet without SOL can be made an account of any program.
      if (effect.what === 'account' && effect.account === owner && !effect.isIdempotent)
        warn('authority-change', `${owner} becomes an account of the program ${effect.owner}.`);
      return;
    case 'lock':
      warn(
        'account-locked',
        `${effect.account} gets room for data: it can then neither pay fees nor transfer its SOL, which is lost if it is a wallet.`,
      );
      return;
    case 'mint':
      if (!isMade && ownership.isOwnBusiness(effect.authority, index))
        warn(
          'tokens-minted',
          `${effect.authority} lets ${effect.amount} new units of ${effect.mint} be made.`,
        );
      return;
    case 'freeze':
      if (effect.isFrozen && !isMade && ownership.isOwnBusiness(effect.authority, index)) {
        warn(
          'account-frozen',
          `${effect.authority} freezes ${effect.account}: its tokens can't be moved until it is thawed.`,
        );
      }
      return;
    case 'setting':
      if (effect.disablesWithdrawals) {
        warn(
          'withdrawals-disabled',
          `Withdrawals from ${effect.account} are switched off: everybody's liquidity, yours too, stays locked until the creator switches them on.`,
        );
      }
  }
}
