// What a built transaction would do, and the result of its simulation.
import type { Address, Blockhash } from '@solana/kit';
import {
  type BuiltTransaction,
  inspectTransaction,
  type Simulation,
  simulate,
  type TransactionInspection,
  type TransactionLifetime,
} from 'heaven-pools';
import { WRAPPED_SOL_MINT_ADDRESS } from 'heaven-pools/program';

import type { Connection } from './connection.js';
import { formatAmount, shortenAddress } from './format.js';
import { explain } from './messages.js';
import type { Quote } from './quote.js';

/** A built transaction, its steps, and the result of its simulation. */
export interface Reviewed {
  readonly built: BuiltTransaction;
  readonly inspection: TransactionInspection;
  readonly trial: Trial;
}

export type Trial = Simulation | { readonly unknown: string };

/** A placeholder: the block hash is fetched when the user signs. */
export const NO_LIFETIME: TransactionLifetime = {
  blockhash: '11111111111111111111111111111111' as Blockhash,
  lastValidBlockHeight: 0n,
};

/** Reads a built transaction, and simulates it on the cluster's current state. */
export async function reviewBuilt(
  { client }: Connection,
  built: BuiltTransaction,
  owner: Address,
  abortSignal: AbortSignal,
  { quote, recipients }: { readonly quote?: Quote['quote']; readonly recipients?: readonly Address[] } = {},
): Promise<Reviewed> {
  const compared = quote === undefined ? {} : { quote };
  const [inspection, trial] = await Promise.all([
    inspectTransaction(built.tx, { client, owner, recipients, abortSignal }),
    simulate(client, built, { owner, abortSignal, ...compared }).catch((error: unknown) => ({
      unknown: explain(error).message,
    })),
  ]);
  return { built, inspection, trial };
}

export function trialInWords(trial: Trial): string {
  if ('unknown' in trial) return `It could not be tried. ${trial.unknown}`;
  if (trial.ok) return 'It would succeed as things stand.';
  return `It would fail as things stand, so it can't be signed. ${trial.error.message}`;
}

/** A transaction's size and version. */
export const sizeInWords = ({ size, version }: TransactionInspection): string =>
  `${formatAmount(BigInt(size), 0)} of ${version === 1 ? '4,096' : '1,232'} bytes, version ${version}. Its block hash is fetched when you sign. It can be sent for 150 blocks from then on.`;

const ADDRESS = /\b[1-9A-HJ-NP-Za-km-z]{32,44}\b/g;

/** The steps in words, with names for the addresses that the user knows. A token's own name is not used, because it may be fake. */
export function stepsInWords(
  { instructions }: TransactionInspection,
  { mint, decimals }: { readonly mint: Address; readonly decimals: number },
  known: Readonly<Record<Address, string>>,
): readonly string[] {
  const names: Readonly<Record<string, string>> = { ...known, [WRAPPED_SOL_MINT_ADDRESS]: 'wrapped SOL' };
  return instructions.map(({ description }) =>
    `${description}.`
      .replaceAll(
        new RegExp(`(\\d+) units of ${mint}`, 'g'),
        (_, units: string) => `${formatAmount(BigInt(units), decimals)} of ${mint}`,
      )
      .replaceAll(ADDRESS, (address) => names[address] ?? shortenAddress(address)),
  );
}

/** The SOL that the transaction sets aside for new accounts, at most, besides what it spends. */
export function rentOf(
  { debits, fees }: TransactionInspection,
  spent: bigint,
  owner: Address,
): bigint | undefined {
  const debit = debits.find(({ account, asset }) => account === owner && asset === 'SOL');
  if (debit === undefined || typeof debit.amount !== 'bigint') return undefined;
  return debit.amount - fees.total - spent;
}

/** The part of it that comes back from accounts that the transaction itself closes. */
export function returnedRentOf({ instructions }: TransactionInspection, quote: Quote): bigint {
  const effects = instructions.flatMap((instruction) => instruction.effects);
  const closed = new Set(effects.flatMap((effect) => (effect.kind === 'close' ? [effect.account] : [])));
  const paid = effects.flatMap((effect) =>
    effect.kind === 'debit' &&
    effect.asset === 'SOL' &&
    typeof effect.amount === 'bigint' &&
    effect.destination !== undefined &&
    closed.has(effect.destination)
      ? [effect.amount]
      : [],
  );
  return paid.reduce(
    (sum, amount) => sum + amount,
    quote.side === 'buy' ? -quote.quote.details.amountIn : 0n,
  );
}
