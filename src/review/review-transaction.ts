import type { Address } from '@solana/kit';
import { type AnyHeavenError, isHeavenError } from '../base/errors.js';
import { assertCall } from '../base/input.js';
import { shortenAddress } from '../base/text.js';
import type { HeavenWarning } from '../base/warnings.js';
import type { HeavenClient } from '../program/client.js';
import { WRAPPED_SOL_MINT_ADDRESS } from '../solana/programs.js';
import { assertBuilt, type BuiltTransaction } from '../transaction/built.js';
import type { InstructionEffect } from './effects.js';
import { type InspectTransactionOptions, inspectInProse } from './inspect.js';
import type { TransactionInspection } from './inspection.js';
import { amountInWords, type Decimals, type Prose, write } from './prose.js';
import { type SimulateOptions, type Simulation, simulate } from './simulate.js';

/** Whom {@link reviewTransaction} protects, and how it names addresses and amounts. */
export interface ReviewTransactionOptions
  extends Pick<SimulateOptions, 'quote' | 'abortSignal'>,
    Pick<InspectTransactionOptions, 'recipients' | 'maxPriorityFee'> {
  /** The wallet whose interest counts. Default: the builder's `payer`. A sponsor passes its own address. */
  readonly owner?: Address | undefined;
  /**
   * Names for addresses: the user's wallet, the pool. Anybody can give a token the name of another, so name a mint for what it is to
   * the user, such as "this token". Other addresses are shortened, which is not enough to check where money goes.
   */
  readonly names?: Readonly<Record<Address, string>> | undefined;
  /**
   * The decimals of tokens, by mint. Default: read with the pool's accounts, or those of the token that the transaction creates. A token
   * whose decimals aren't known, or whose mint scales what wallets show, is written in native units.
   */
  readonly decimals?: Readonly<Record<Address, number>> | undefined;
}

/** The node could not simulate the transaction: whether it would succeed is not known. */
export interface UnavailableSimulation {
  readonly ok: undefined;
  readonly error: AnyHeavenError;
}

/** Lamports that leave the owner's wallet, fees excluded. `undefined` where a program decides the amount. */
export interface TransactionCosts {
  /** The most that leaves it, rent included. */
  readonly sol: bigint | undefined;
  /** The part of it that is set aside as rent for new accounts: what the simulation shows, otherwise the most. */
  readonly rent: bigint | undefined;
  /** The part of the rent that comes back at once, from accounts that the transaction itself closes. */
  readonly returnedRent: bigint | undefined;
}

/** What to show of a transaction before it is signed. */
export interface TransactionReview<TBuilt extends BuiltTransaction = BuiltTransaction> {
  readonly built: TBuilt;
  readonly inspection: TransactionInspection;
  readonly simulation: Simulation | UnavailableSimulation;
  /** A sentence for each instruction. */
  readonly steps: readonly string[];
  readonly costs: TransactionCosts;
  /** What a person must know before signing: the inspection's warnings, then the builder's that those don't say. */
  readonly warnings: readonly string[];
}

/**
 * Reads a built transaction and simulates it at the same time, for a page that shows it before the wallet opens. A
 * simulation that fails is a result: show its error, and don't let the user sign.
 *
 * @throws {HeavenError} what {@link inspectTransaction} throws; `aborted`. A node that can't simulate is reported in `simulation`
 * @example
 * ```ts
 * const built = await buildBuy(client, { payer, quoteResponse: quote });
 * const review = await reviewTransaction(client, built, { names: { [payer]: 'your wallet' } });
 * for (const line of [...review.steps, ...review.warnings]) console.log(line);
 * console.log(review.simulation.ok); // true
 * ```
 */
export async function reviewTransaction<TBuilt extends BuiltTransaction>(
  client: HeavenClient,
  built: TBuilt,
  options: ReviewTransactionOptions = {},
): Promise<TransactionReview<TBuilt>> {
  assertCall(
    client,
    options,
    { owner: 1, names: 1, decimals: 1, quote: 1, abortSignal: 1, recipients: 1, maxPriorityFee: 1 },
    'options',
  );
  assertBuilt(built);
  const { quote, abortSignal, recipients, maxPriorityFee } = options;
  const owner = options.owner ?? built.payer;
  const [{ inspection, descriptions, decimals }, simulation] = await Promise.all([
    inspectInProse(built.tx, { client, owner, recipients, maxPriorityFee, abortSignal }),
    simulate(client, built, { owner, quote, abortSignal }).catch((error: unknown) => {
      if (abortSignal?.aborted || !isHeavenError(error) || !error.code.startsWith('rpc-')) throw error;
      return { ok: undefined, error };
    }),
  ]);
  // Both may have computed what a trade gives, or have read the budget: the inspection says it of the bytes.
  const isNew = ({ code }: HeavenWarning) => !inspection.warnings.some((warning) => warning.code === code);
  return {
    built,
    inspection,
    simulation,
    steps: describeSteps(descriptions, decimals, options),
    costs: transactionCosts(inspection, owner, simulation),
    warnings: [...inspection.warnings, ...built.warnings.filter(isNew)].map(({ message }) => message),
  };
}

type Debit = Extract<InstructionEffect, { readonly kind: 'debit' }>;

function transactionCosts(
  { instructions, debits, fees, feePayer }: TransactionInspection,
  owner: Address,
  simulation: TransactionReview['simulation'],
): TransactionCosts {
  const effects = instructions.flatMap((instruction) => instruction.effects);
  const closed = new Set(effects.flatMap((effect) => (effect.kind === 'close' ? [effect.account] : [])));
  const taken = effects.filter((effect): effect is Debit => effect.kind === 'debit');
  const paid = taken.filter(({ asset, account }) => asset === 'SOL' && account === owner);
  const intoClosed = paid.filter(({ destination }) => destination !== undefined && closed.has(destination));
  const filled = new Set(intoClosed.map(({ destination }) => destination));
  // SOL that is wrapped for the exchange to spend is neither rent nor returned.
  const wrapped = sumOf(
    taken.filter(
      ({ mint, account, reason }) =>
        mint === WRAPPED_SOL_MINT_ADDRESS && filled.has(account) && reason !== 'close',
    ),
  );
  const forAccounts = paid.filter(
    (each) => each.reason === 'rent' || each.reason === 'creation' || intoClosed.includes(each),
  );
  const total = debits.find(({ account, asset }) => account === owner && asset === 'SOL')?.amount ?? 0n;
  const mostRent = difference(sumOf(forAccounts), wrapped);
  const returnedRent = difference(sumOf(intoClosed), wrapped);
  const shown =
    simulation.ok && returnedRent !== undefined ? simulation.newAccountRent + returnedRent : undefined;
  // Others may pay for accounts, too.
  const rent = mostRent !== undefined && shown !== undefined && shown < mostRent ? shown : mostRent;
  const spared = (mostRent ?? 0n) - (rent ?? 0n);
  return {
    sol: typeof total === 'bigint' ? total - spared - (owner === feePayer ? fees.total : 0n) : undefined,
    rent,
    returnedRent,
  };
}

const sumOf = (amounts: readonly Pick<Debit, 'amount'>[]): bigint | undefined =>
  amounts.reduce<bigint | undefined>(
    (sum, { amount }) => (sum === undefined || typeof amount !== 'bigint' ? undefined : sum + amount),
    0n,
  );

const difference = (most: bigint | undefined, part: bigint | undefined): bigint | undefined =>
  most === undefined || part === undefined || part > most ? undefined : most - part;

/** A sentence for each instruction: with names for known addresses, and amounts of known tokens with their decimals. */
function describeSteps(
  descriptions: readonly Prose[],
  read: Decimals,
  { names, decimals }: ReviewTransactionOptions,
): readonly string[] {
  const known = new Map([[WRAPPED_SOL_MINT_ADDRESS, 'wrapped SOL'], ...Object.entries(names ?? {})]);
  const places = new Map([...read, ...Object.entries(decimals ?? {})]);
  const address = (of: string) => known.get(of) ?? shortenAddress(of);
  const units = (amount: bigint, mint: string) => amountInWords(amount, address(mint), places.get(mint));
  return descriptions.map((prose) => `${write(prose, { address, units })}.`);
}
