import { AccountRole, type Address, getAddressDecoder } from '@solana/kit';

import type { HeavenClient, RequestOptions } from '../client.js';
import { ceilDiv } from '../math/integers.js';
import { fetchAccounts, type RawAccount } from '../pool/fetch.js';
import { findAssociatedTokenAddress } from '../program/addresses.js';
import {
  SYSTEM_PROGRAM_ADDRESS,
  TOKEN_2022_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
} from '../program/constants.js';
import type { HeavenInstruction } from '../program/instructions.js';
import { assertAddress } from '../program/schema.js';
import { describeInstruction, sol, tokenName } from './describe.js';
import {
  type AmountAtMost,
  type DebitAsset,
  effectsOf,
  effectsOfUnknown,
  type InstructionEffect,
  knownEffectsOf,
} from './effects.js';
import type { LookupTables } from './lookup-table.js';
import { type Step, type StepProgram, stepOf } from './steps.js';
import {
  isSignatureValid,
  type KnownTables,
  knownTables,
  type LoadedAccount,
  type LoadedTransaction,
  loadTransaction,
  readWireTransaction,
  type WireTransaction,
} from './wire.js';

/** Whose side {@link inspectTransaction} takes, and what it may read. */
export interface InspectTransactionOptions extends RequestOptions {
  /** Reads lookup tables that are not given, and the token accounts that instructions don't say enough of. */
  readonly client?: HeavenClient | undefined;
  /** Whose accounts `debits` and `anything` are about. Default: everybody's who signs. */
  readonly owner?: Address | undefined;
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

/** Something about a transaction that a person must know before signing it. */
export interface InspectionWarning {
  readonly code:
    | 'anything'
    | 'authority-change'
    | 'account-locked'
    | 'delegation'
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
  readonly warnings: readonly InspectionWarning[];
  /** All of it in lines for a person. */
  readonly summary: readonly string[];
}

const LAMPORTS_PER_SIGNATURE = 5_000n;
const MOST_UNITS = 1_400_000;
/** What the cluster allows an instruction when no limit is set; those of the compute budget itself get less. */
const DEFAULT_UNITS = 200_000;
const DEFAULT_BUDGET_UNITS = 3_000;
const MOST_ACCOUNTS_PER_CALL = 100;
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
  const { client, owner, lookupTables = {}, abortSignal } = options;
  const programAddress = options.programAddress ?? client?.deployment.programAddress;
  if (owner !== undefined) assertAddress(owner, 'owner');
  if (programAddress !== undefined) assertAddress(programAddress, 'programAddress');
  const wire = readWireTransaction(tx);
  const tables = await knownTables(wire, lookupTables, client, { abortSignal });
  const loaded = loadTransaction(wire, tables);
  const steps = loaded.instructions.map((instruction) => {
    const step = stepOf(instruction, programAddress === undefined ? {} : { programAddress });
    return step && knownEffectsOf(step) && step;
  });
  const { tokenAccounts, missing } = await readAccounts(loaded, steps, owner, client, { abortSignal });
  const isOwned = await ownedBy(owner, loaded, steps, tokenAccounts);
  const instructions = loaded.instructions.map((instruction, index): InspectedInstruction => {
    const step = steps[index];
    const effects = step ? effectsOf(step) : effectsOfUnknown(instruction, isOwned, owner);
    return {
      ...instruction,
      program: step?.program,
      name: step?.name,
      description: describeInstruction(instruction, step),
      exchange: step?.exchange,
      effects: effects.map((effect) => withMint(effect, tokenAccounts)),
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
    debits: debitsOf(instructions, { feePayer, fees }, owner, isOwned),
  };
  const warnings = warningsOf(facts, loaded, tables, missing);
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
    unitLimit: Math.min(allowed, MOST_UNITS),
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
  const priority = ceilDiv(BigInt(unitLimit) * unitPrice, 1_000_000n);
  return { signatures, priority, total: signatures + priority };
}

interface TokenAccount {
  readonly mint: Address;
  readonly owner: Address;
}

type TokenAccounts = ReadonlyMap<Address, TokenAccount>;

const isWritable = ({ role }: LoadedAccount) =>
  role === AccountRole.WRITABLE || role === AccountRole.WRITABLE_SIGNER;

/** Whether someone other than the owner allows it by signing, as a delegate does: whose account it is, the cluster knows. */
const isAllowedByAnother = (effect: InstructionEffect, owner: Address | undefined): boolean =>
  owner !== undefined &&
  effect.kind === 'debit' &&
  effect.authority !== owner &&
  effect.authority !== effect.account;

/** Whether it matters if the account is there already. */
const dependsOnAge = (effect: InstructionEffect): effect is InstructionEffect & { account: Address } =>
  effect.kind === 'lock' || (effect.kind === 'authority' && effect.newAuthority === null);

/** What the transaction itself says too little of, if there is a client: token accounts, and what is not there yet. */
async function readAccounts(
  { instructions }: LoadedTransaction,
  steps: readonly (Step | undefined)[],
  owner: Address | undefined,
  client: HeavenClient | undefined,
  options: RequestOptions,
): Promise<{ readonly tokenAccounts: TokenAccounts; readonly missing: ReadonlySet<Address> }> {
  const tokenAccounts = new Map<Address, TokenAccount>();
  const missing = new Set<Address>();
  if (client === undefined) return { tokenAccounts, missing };
  const unclear = new Set<Address>();
  for (const [index, instruction] of instructions.entries()) {
    const step = steps[index];
    if (step === undefined) {
      for (const account of instruction.accounts) {
        if (account.address !== undefined && isWritable(account)) unclear.add(account.address);
      }
    } else {
      for (const effect of effectsOf(step)) {
        const hasNoMint = effect.kind === 'debit' && effect.asset === 'token' && effect.mint === undefined;
        if (hasNoMint || isAllowedByAnother(effect, owner) || dependsOnAge(effect))
          unclear.add((effect as { readonly account: Address }).account);
      }
    }
  }
  const addresses = [...unclear];
  const calls = Array.from({ length: Math.ceil(addresses.length / MOST_ACCOUNTS_PER_CALL) }, (_, call) =>
    addresses.slice(call * MOST_ACCOUNTS_PER_CALL, (call + 1) * MOST_ACCOUNTS_PER_CALL),
  );
  const accounts = await Promise.all(calls.map((call) => fetchAccounts(client, call, options)));
  for (const [index, account] of accounts.flat().entries()) {
    const tokenAccount = tokenAccountFrom(account);
    if (account === undefined) missing.add(addresses[index] as Address);
    else if (tokenAccount !== undefined) tokenAccounts.set(account.address, tokenAccount);
  }
  return { tokenAccounts, missing };
}

/** Of Token-2022's longer accounts, byte 165 says that it is a token account. */
function tokenAccountFrom(account: RawAccount | undefined): TokenAccount | undefined {
  if (account === undefined) return undefined;
  const { owner, data } = account;
  if (owner !== TOKEN_PROGRAM_ADDRESS && owner !== TOKEN_2022_PROGRAM_ADDRESS) return undefined;
  if (data.length < 165 || (data.length > 165 && data[165] !== 2) || data[108] === 0) return undefined;
  const read = (offset: number) => getAddressDecoder().decode(data, offset);
  return { mint: read(0), owner: read(32) };
}

const withMint = (effect: InstructionEffect, tokenAccounts: TokenAccounts): InstructionEffect =>
  effect.kind === 'debit' && effect.asset === 'token' && effect.mint === undefined
    ? { ...effect, mint: tokenAccounts.get(effect.account)?.mint }
    : effect;

/**
 * Tells whether an account belongs to the owner (or to anybody who signs): the wallet, accounts that instructions say are
 * its, its associated token accounts for every token in the transaction, and what the cluster says.
 */
async function ownedBy(
  owner: Address | undefined,
  { wire, instructions }: LoadedTransaction,
  steps: readonly (Step | undefined)[],
  tokenAccounts: TokenAccounts,
): Promise<(account: Address) => boolean> {
  const owners = new Set(owner === undefined ? wire.signatures.map(({ address }) => address) : [owner]);
  const owned = new Set(owners);
  const mints = new Set<Address>();
  for (const step of steps) {
    if (step === undefined) continue;
    for (const [name, address] of Object.entries(step.accounts)) {
      if (name === 'mint' || name === 'tokenAMint' || name === 'tokenBMint') mints.add(address);
    }
    for (const effect of effectsOf(step)) {
      if (effect.kind === 'debit' && effect.mint !== undefined) mints.add(effect.mint);
      if (effect.kind === 'debit' && owners.has(effect.authority)) owned.add(effect.account);
      if (effect.kind === 'create' && effect.owner !== undefined && owners.has(effect.owner))
        owned.add(effect.account);
    }
  }
  for (const [account, tokenAccount] of tokenAccounts) {
    mints.add(tokenAccount.mint);
    if (owners.has(tokenAccount.owner)) owned.add(account);
  }
  // Derivations cost time, and matter only for what is not understood or somebody else allows.
  const areNeeded = instructions.some((_, index) => {
    const step = steps[index];
    return step === undefined || effectsOf(step).some((effect) => isAllowedByAnother(effect, owner));
  });
  if (areNeeded) {
    const derived = [...owners].flatMap((wallet) =>
      [...mints].flatMap((mint) =>
        [TOKEN_PROGRAM_ADDRESS, TOKEN_2022_PROGRAM_ADDRESS].map((tokenProgram) =>
          findAssociatedTokenAddress({ owner: wallet, mint, tokenProgram }),
        ),
      ),
    );
    for (const account of await Promise.all(derived)) owned.add(account);
  }
  return (account) => owned.has(account);
}

function debitsOf(
  instructions: readonly InspectedInstruction[],
  { feePayer, fees }: Pick<Facts, 'feePayer' | 'fees'>,
  owner: Address | undefined,
  isOwned: (account: Address) => boolean,
): readonly TransactionDebit[] {
  const debits = new Map<string, TransactionDebit>();
  const add = (debit: Omit<TransactionDebit, 'instructions' | 'named'>, index?: number) => {
    const isOfInterest = owner === undefined || debit.authority === owner || isOwned(debit.account);
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

function sum(one: AmountAtMost, other: AmountAtMost): AmountAtMost {
  if (typeof one === 'bigint' && typeof other === 'bigint') return one + other;
  // All that is there is a bound; what nobody knows is none.
  return one === 'unknown' || other === 'unknown' ? 'unknown' : 'all';
}

function warningsOf(
  { instructions, lifetime, signers, lookupTables }: Facts,
  { accounts }: LoadedTransaction,
  tables: KnownTables,
  missing: ReadonlySet<Address>,
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
  // What was certainly not there before the instruction.
  const made = new Set(missing);
  for (const [index, { effects }] of instructions.entries()) {
    for (const effect of effects) {
      if (effect.kind === 'create' && !effect.isIdempotent) made.add(effect.account);
      // What is made here and left to nobody takes no right from anyone: a launch does so with its mint.
      if (dependsOnAge(effect) && made.has(effect.account)) continue;
      warnOf(effect, (code, message) => warn(code, message, index));
    }
  }
  return warnings;
}

function warnOf(
  effect: InstructionEffect,
  warn: (code: InspectionWarning['code'], message: string) => void,
): void {
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
      warn(
        'authority-change',
        `The ${effect.authority} authority of ${effect.account} goes to ${effect.newAuthority ?? 'nobody'}.`,
      );
      return;
    case 'lock':
      warn(
        'account-locked',
        `${effect.account} gets room for data: it can then neither pay fees nor transfer its SOL, which is lost if it is a wallet.`,
      );
  }
}

function debitInWords({ account, amount, named, asset, mint }: TransactionDebit): string {
  const units = (value: bigint) =>
    asset === 'SOL' ? sol(value) : `${value} units of ${asset === 'LP' ? 'LP tokens' : tokenName(mint)}`;
  switch (amount) {
    case 'unknown':
      return `May take ${units(named)} from ${account}, and rent and fees that the programs decide.`;
    case 'all':
      return `May take all ${asset === 'token' ? `of ${tokenName(mint)}` : asset} from ${account}.`;
  }
  return `May take at most ${units(amount)} from ${account}.`;
}

/** What an instruction creates, in words. */
export const CREATED_NAMES = {
  account: 'account',
  'token-account': 'token account',
  mint: 'mint',
  metadata: 'metadata account',
  pool: 'pool',
  'lp-position': 'LP position',
} as const;

function summaryOf(facts: Facts, warnings: readonly InspectionWarning[]): readonly string[] {
  const { version, size, lifetime, feePayer, fees, computeBudget, instructions, signers, debits } = facts;
  const { unitLimit, unitPrice } = computeBudget;
  const count = instructions.length;
  return [
    `A ${version === 'legacy' ? 'legacy' : `version ${version}`} transaction of ${size} bytes and ${count} instruction${count === 1 ? '' : 's'}, ${
      lifetime.kind === 'blockhash' ? `for the block hash ${lifetime.blockhash}` : 'with a durable nonce'
    }.`,
    ...instructions.map(({ description }, index) => `${index + 1}. ${description}.`),
    `Fees: ${feePayer} pays ${sol(fees.signatures)} for signatures and ${sol(fees.priority)} of priority (${unitLimit} compute units at ${unitPrice} micro-lamports).`,
    ...debits.map(debitInWords),
    ...instructions.flatMap(({ effects }) =>
      effects.flatMap((effect) => {
        if (effect.kind === 'create') return [`Creates the ${CREATED_NAMES[effect.what]} ${effect.account}.`];
        if (effect.kind === 'close')
          return [`Closes ${effect.account} and pays out to ${effect.destination}.`];
        return [];
      }),
    ),
    ...signers.map(({ address, signature }) =>
      signature === 'missing' ? `${address} has yet to sign.` : `${address} has signed (${signature}).`,
    ),
    ...warnings.map(({ message }) => `Warning: ${message}`),
  ];
}
