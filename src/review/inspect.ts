import type { Address } from '@solana/kit';
import { assertClient, assertNames, assertU64, given, inputError } from '../base/input.js';
import { decodeMint } from '../pool/decode.js';
import { SOL_DECIMALS } from '../pool/quote-amounts.js';
import type { HeavenClient } from '../program/client.js';
import { HEAVEN_PROGRAM_ADDRESS } from '../program/constants.js';
import { assertAddress } from '../solana/addresses.js';
import { costOf, HIGH_PRIORITY_FEE } from '../solana/compute-budget.js';
import type { LookupTables } from '../solana/lookup-table.js';
import {
  hasDurableNonce,
  isSignatureValid,
  knownTables,
  type LoadedTransaction,
  loadTransaction,
  readWireTransaction,
  type WireTransaction,
} from '../solana/message.js';
import { isTokenProgram, WRAPPED_SOL_MINT_ADDRESS } from '../solana/programs.js';
import { computeRentExemption, lamportsPerByteIn, locateRent } from '../solana/rent.js';
import { fetchAccounts, type RawAccount } from '../solana/rpc/accounts.js';
import type { RequestOptions } from '../solana/rpc/send.js';
import {
  type AmountAtMost,
  creditOf,
  effectsOfUnknown,
  type InstructionEffect,
  type Movement,
} from './effects.js';
import type {
  Facts,
  InspectedInstruction,
  TransactionCredit,
  TransactionDebit,
  TransactionInspection,
} from './inspection.js';
import { inspectionWarnings } from './inspection-warnings.js';
import { findOwnership, type Ownership } from './ownership.js';
import { type Decimals, mintsIn, type Prose, withDecimals, write } from './prose.js';
import { stepsOf } from './read-step.js';
import type { Step } from './step.js';
import { locateTrades, minimumWarnings, type Trade, tradesIn } from './trade-minimums.js';
import { describeInstruction, summaryOf } from './words.js';

/** Whom {@link inspectTransaction} protects, and what it may read. */
export interface InspectTransactionOptions extends RequestOptions {
  /**
   * Reads lookup tables that you don't pass, what the cluster charges in rent, and the pools of trades, to see what their minimums protect:
   * without it, debits for rent are `unknown`, and only a trade without any minimum raises a warning.
   */
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
  /** Contents of lookup tables, from a source that you trust. */
  readonly lookupTables?: LookupTables | undefined;
}

/**
 * Shows what a transaction would do before it is signed: each instruction in words, the most that it may take from each
 * account, what it creates and closes, who gets rights, the fees, who must sign, and whether existing signatures are valid.
 * It names what it does not understand, and guesses nothing.
 *
 * It describes a transaction; {@link assertTransactionMatches} compares one with what you asked for. Without a client it
 * makes no call.
 *
 * @throws {HeavenError} `malformed-data` for what is not a transaction, `invalid-address`, `invalid-input` (recipients), and with a client `invalid-account-data` and the `rpc-…` codes
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
  const { inspection } = await inspectInProse(tx, options);
  return inspection;
}

/** {@link inspectTransaction}, what each instruction does, and the decimals of the tokens in it that are known, by mint. */
export async function inspectInProse(
  tx: string,
  options: InspectTransactionOptions,
): Promise<{
  readonly inspection: TransactionInspection;
  readonly descriptions: readonly Prose[];
  readonly decimals: Decimals;
}> {
  assertNames(options, 'options', {
    client: given(assertClient),
    owner: 1,
    recipients: 1,
    maxPriorityFee: 1,
    programAddress: 1,
    lookupTables: 1,
    abortSignal: 1,
  });
  assertOptions(options);
  const { client, owner, abortSignal } = options;
  const recipients = options.recipients ?? [];
  const config = {
    programAddress: options.programAddress ?? client?.deployment.programAddress ?? HEAVEN_PROGRAM_ADDRESS,
  };
  const wire = readWireTransaction(tx);
  const tables = await knownTables(wire, options.lookupTables ?? {}, client, { abortSignal });
  const loaded = loadTransaction(wire, tables);
  const steps = stepsOf(loaded.instructions, wire.version, config);
  const [ownership, signers] = await Promise.all([
    findOwnership(loaded, steps, { owner, recipients }, config),
    signersOf(wire),
  ]);
  const trades = tradesIn(steps, (index) => ownership.isAllowedByOwner(index));
  const descriptions = loaded.instructions.map((instruction, index) =>
    describeInstruction(instruction, steps[index]),
  );
  const mints = mintsIn(descriptions);
  const { lamportsPerByte, ofMinimums, decimals } = await readState(steps, trades, mints, client, {
    abortSignal,
  });
  const instructions = loaded.instructions.map((instruction, index): InspectedInstruction => {
    const step = steps[index];
    const isOwn = (account: Address) => ownership.isOwn(account, index);
    const effects = step?.effects ?? effectsOfUnknown(instruction, isOwn);
    return {
      ...instruction,
      program: step?.program,
      name: step?.name,
      description: write(descriptions[index] ?? [], withDecimals(decimals)),
      effects: effects.map((effect) => withRent(effect, lamportsPerByte)),
    };
  });
  const feePayer = wire.signatures[0]?.address as Address;
  const { computeBudget, fees } = costOf(wire);
  const fee = { account: feePayer, asset: 'SOL', amount: fees.total, authority: feePayer } as const;
  const facts: Facts = {
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
      loads: addresses && loadedByTable(loaded, address),
      reason,
    })),
    debits: debitsOf(instructions, fee, owner, ownership),
    credits: creditsOf(instructions, ownership),
  };
  const maxPriorityFee = options.maxPriorityFee ?? HIGH_PRIORITY_FEE;
  const warnings = [
    ...inspectionWarnings(facts, loaded, { tables, owner, ownership, maxPriorityFee, decimals }),
    ...ofMinimums,
  ];
  return {
    inspection: { ...facts, warnings, summary: summaryOf(facts, warnings, decimals) },
    descriptions,
    decimals,
  };
}

function assertOptions(options: InspectTransactionOptions): void {
  const { owner, recipients, maxPriorityFee, programAddress } = options;
  if (owner !== undefined) assertAddress(owner, 'owner');
  if (!Array.isArray(recipients ?? []))
    throw inputError('recipients', 'recipients must be a list of addresses.', recipients);
  for (const [index, recipient] of (recipients ?? []).entries())
    assertAddress(recipient, `recipients[${index}]`);
  if (maxPriorityFee !== undefined) assertU64(maxPriorityFee, 'maxPriorityFee');
  if (programAddress !== undefined) assertAddress(programAddress, 'programAddress');
}

/**
 * What the cluster charges in rent, and what the trades' pools say of their minimums: one call, if there is a client to ask. It also
 * reads the mints. A transaction that needs neither makes no call for its mints alone.
 */
async function readState(
  steps: readonly (Step | undefined)[],
  trades: readonly Trade[],
  mints: readonly Address[],
  client: HeavenClient | undefined,
  options: RequestOptions,
) {
  const paysRent = steps.some((step) =>
    step?.effects.some((effect) => effect.kind === 'debit' && effect.accountSizes !== undefined),
  );
  const located = client === undefined ? [] : await locateTrades(trades, client);
  const rent = paysRent ? [locateRent()] : [];
  const needed = [...rent, ...located.flatMap((trade) => trade.addresses)];
  const addresses = [...new Set([...needed, ...mints])];
  const accounts =
    client === undefined || needed.length === 0 ? [] : await fetchAccounts(client, addresses, options);
  const read = new Map(accounts.flatMap((account) => (account ? [[account.address, account] as const] : [])));
  const decimals = new Map<string, number>([[WRAPPED_SOL_MINT_ADDRESS, SOL_DECIMALS]]);
  for (const mint of mints) {
    const digits = decimalsOf(mint, read.get(mint), steps);
    if (digits !== undefined) decimals.set(mint, digits);
  }
  return {
    lamportsPerByte: client !== undefined && paysRent ? lamportsPerByteIn(accounts) : undefined,
    ofMinimums: minimumWarnings(trades, located, read, decimals, client),
    decimals,
  };
}

/** A token's decimals, if its mint or the step that creates it says so, and wallets show no other amounts. */
function decimalsOf(mint: Address, account: RawAccount | undefined, steps: readonly (Step | undefined)[]) {
  if (account === undefined) {
    const created = steps.find((step) => step?.program === 'token-metadata' && step.accounts.mint === mint);
    return (created?.data.decimals ?? undefined) as number | undefined;
  }
  if (!isTokenProgram(account.owner)) return undefined;
  try {
    const { decimals, isDisplayScaled } = decodeMint(account.data, 0n);
    return isDisplayScaled ? undefined : decimals;
  } catch {
    return undefined; // not a mint
  }
}

const signersOf = (wire: WireTransaction): Promise<TransactionInspection['signers']> =>
  Promise.all(
    wire.signatures.map(async ({ address, signature }) => {
      if (signature === undefined) return { address, signature: 'missing' };
      const isValid = await isSignatureValid(wire, address, signature);
      return { address, signature: isValid ? 'valid' : 'invalid' };
    }),
  );

/** Addresses that a table lacks are left out: the account list shows them as not known. */
const loadedByTable = ({ accounts }: LoadedTransaction, table: Address): readonly Address[] =>
  accounts.flatMap(({ address, lookup }) => (lookup?.table === table && address ? [address] : []));

function lifetimeOf(loaded: LoadedTransaction): TransactionInspection['lifetime'] {
  const { lifetimeToken } = loaded.wire;
  const [first] = loaded.instructions;
  return hasDurableNonce(loaded)
    ? {
        kind: 'durable-nonce',
        nonce: lifetimeToken,
        nonceAccount: first?.accounts[0]?.address,
        nonceAuthority: first?.accounts[2]?.address,
      }
    : { kind: 'blockhash', blockhash: lifetimeToken };
}

/** An effect with the rent that it takes, if the rate is known. */
function withRent(effect: InstructionEffect, lamportsPerByte: bigint | undefined): InstructionEffect {
  if (effect.kind !== 'debit' || effect.accountSizes === undefined || lamportsPerByte === undefined)
    return effect;
  const rents = effect.accountSizes.map((size) => computeRentExemption(size, lamportsPerByte));
  return { ...effect, amount: rents.reduce((total, rent) => total + rent, 0n) };
}

/** What an instruction takes or pays. The fees come from no instruction. */
type Part<T> = T & { readonly index?: number | undefined };

/** Parts by account and asset, with what they have in common. */
function totalsOf<T extends Movement>(parts: readonly Part<T>[]) {
  const groups = new Map<string, Part<T>[]>();
  for (const part of parts) {
    const key = `${part.account} ${part.asset}`;
    groups.set(key, [...(groups.get(key) ?? []), part]);
  }
  return [...groups.values()].map((group) => {
    const { account, asset } = group[0] as Part<T>;
    const total = {
      account,
      asset,
      mint: group.flatMap(({ mint }) => mint ?? []).at(-1),
      amount: group.map(({ amount }) => amount).reduce(sum),
      instructions: [...new Set(group.flatMap(({ index }) => index ?? []))],
    };
    return { group, total, last: group.at(-1) as Part<T> };
  });
}

function debitsOf(
  instructions: readonly InspectedInstruction[],
  fee: Movement,
  owner: Address | undefined,
  ownership: Ownership,
): readonly TransactionDebit[] {
  const taken = instructions.flatMap(({ effects }, index) =>
    effects.flatMap((effect) => (effect.kind === 'debit' ? [{ ...effect, index }] : [])),
  );
  const ofInterest = [{ ...fee, index: undefined }, ...taken].filter(
    ({ account, authority, index = 0 }) =>
      owner === undefined || authority === owner || ownership.isOwn(account, index),
  );
  return totalsOf<Movement>(ofInterest).map(({ group, total, last }) => ({
    ...total,
    named: group.reduce((named, { amount }) => named + (typeof amount === 'bigint' ? amount : 0n), 0n),
    authority: last.authority,
  }));
}

function creditsOf(
  instructions: readonly InspectedInstruction[],
  ownership: Ownership,
): readonly TransactionCredit[] {
  const paid = instructions.flatMap(({ effects }, index) =>
    effects.flatMap((effect) => {
      const credit = creditOf(effect);
      if (credit === undefined) return [];
      const isOfInterest = ownership.isOwn(credit.account, index) || ownership.isAllowedByOwner(index);
      return isOfInterest ? [{ ...credit, index, ownership: ownership.ownerOf(credit.account, index) }] : [];
    }),
  );
  return totalsOf(paid).map(({ group, total, last }) => ({
    ...total,
    minimum: group.reduce((least, { minimum }) => least + minimum, 0n),
    // An account that is paid once while it is a stranger's counts as a stranger's.
    ownership: (group.find((part) => part.ownership.kind === 'unknown') ?? last).ownership,
  }));
}

function sum(one: AmountAtMost, other: AmountAtMost): AmountAtMost {
  if (typeof one === 'bigint' && typeof other === 'bigint') return one + other;
  // "Everything in it" is a bound; an unknown amount is not.
  return one === 'unknown' || other === 'unknown' ? 'unknown' : 'all';
}
