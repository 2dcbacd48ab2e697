// The lines of an inspection's summary, and the phrases that its warnings share.

import { type Address, isSignerRole, type TransactionVersion } from '@solana/kit';
import { inSol } from '../math/units.js';
import { isOffCurve } from '../solana/addresses.js';
import type { LoadedInstruction } from '../solana/message.js';
import { WRAPPED_SOL_MINT_ADDRESS } from '../solana/programs.js';
import type { Credit, DebitAsset } from './effects.js';
import type {
  Facts,
  InspectedInstruction,
  InspectionWarning,
  TransactionCredit,
  TransactionDebit,
} from './inspection.js';
import type { AccountOwnership } from './ownership.js';
import { amountInWords, at, type Decimals, type Prose, say } from './prose.js';
import type { Step } from './step.js';

/** `legacy`, `version 0`, `version 1`. */
export const versionInWords = (version: TransactionVersion): string =>
  version === 'legacy' ? version : `version ${version}`;

/** What an instruction does, by its step if it is understood. */
export function describeInstruction(
  { programAddress, accounts }: LoadedInstruction,
  step: Step | undefined,
): Prose {
  if (step !== undefined) return step.inWords;
  const hidden = accounts.filter(({ address }) => address === undefined).length;
  if (hidden > 0) {
    return say`An instruction of the program ${at(programAddress)}, ${hidden} of whose accounts are hidden in lookup tables that are not known`;
  }
  const isSigned = accounts.some(({ role }) => isSignerRole(role));
  return say`An instruction of the program ${at(programAddress)} that this library does not know, with ${isSigned ? 'the rights of a signer' : 'no signature'}`;
}

const tokenName = (mint: string | undefined): string =>
  mint === undefined
    ? 'an unknown token'
    : mint === WRAPPED_SOL_MINT_ADDRESS
      ? 'wrapped SOL'
      : `the token ${mint}`;

const assetAmount = (
  asset: DebitAsset,
  mint: Address | undefined,
  amount: bigint,
  decimals: Decimals,
): string =>
  asset === 'SOL'
    ? inSol(amount)
    : amountInWords(
        amount,
        assetName(asset, mint),
        asset === 'token' && mint ? decimals.get(mint) : undefined,
      );

const assetName = (asset: DebitAsset, mint: Address | undefined): string =>
  asset === 'SOL' ? 'SOL' : asset === 'LP' ? 'LP tokens' : tokenName(mint);

/** What an account receives, in words that begin a sentence. */
export function received(
  { asset, mint, amount, minimum }: Pick<Credit, 'asset' | 'mint' | 'amount' | 'minimum'>,
  decimals: Decimals,
) {
  if (typeof amount === 'bigint') return assetAmount(asset, mint, amount, decimals);
  if (minimum > 0n) return `At least ${assetAmount(asset, mint, minimum, decimals)}`;
  const name = assetName(asset, mint);
  if (amount === 'unknown') return `An amount of ${name}`;
  return asset === 'token' ? `All of ${name}` : `All ${name}`;
}

const OWNERSHIP_IN_WORDS = {
  wallet: 'the wallet of',
  'associated-token-account': 'the associated token account of',
  'temporary-token-account': 'a token account that this transaction makes for',
  'lp-position': 'the LP position of',
} as const;

export const ownershipInWords = (ownership: AccountOwnership): string =>
  ownership.kind === 'unknown'
    ? 'NOT known to belong to a signer'
    : `${OWNERSHIP_IN_WORDS[ownership.kind]} ${ownership.owner}`;

/** `rent of accounts of 165 and 195 bytes`. */
export const rentInWords = (sizes: readonly number[]): string =>
  `rent of ${sizes.length === 1 ? 'an account' : 'accounts'} of ${sizes.join(', ').replace(/, (\d+)$/, ' and $1')} bytes`;

/** What an unknown amount consists of, besides what the transaction names. */
function unnamedPart(
  { account, asset, instructions: indexes }: TransactionDebit,
  instructions: readonly InspectedInstruction[],
): string {
  const unknown = indexes
    .flatMap((index) => instructions[index]?.effects ?? [])
    .filter((effect) => effect.kind === 'debit')
    .filter((debit) => debit.account === account && debit.asset === asset && debit.amount === 'unknown');
  const sizes = unknown.flatMap(({ accountSizes = [] }) => accountSizes);
  const isDecidedLater = unknown.some(({ accountSizes }) => accountSizes === undefined);
  return [
    ...(sizes.length === 0 ? [] : [`the ${rentInWords(sizes)}`]),
    ...(isDecidedLater ? ['rent and fees that the programs decide'] : []),
  ].join(', and ');
}

const creditInWords = (credit: TransactionCredit, decimals: Decimals): string =>
  `${received(credit, decimals)} may go to ${credit.account}: ${ownershipInWords(credit.ownership)}.`;

function debitInWords(
  debit: TransactionDebit,
  instructions: readonly InspectedInstruction[],
  decimals: Decimals,
): string {
  const { account, amount, named, asset, mint } = debit;
  switch (amount) {
    case 'unknown':
      return `May take ${assetAmount(asset, mint, named, decimals)} from ${account}, and ${unnamedPart(debit, instructions)}.`;
    case 'all':
      return `May take all ${asset === 'token' ? `of ${tokenName(mint)}` : asset} from ${account}.`;
  }
  return `May take at most ${assetAmount(asset, mint, amount, decimals)} from ${account}.`;
}

const CREATED_NAMES = {
  account: 'account',
  'token-account': 'token account',
  mint: 'mint',
  metadata: 'metadata account',
  pool: 'pool',
  'lp-position': 'LP position',
} as const;

export function summaryOf(
  facts: Facts,
  warnings: readonly InspectionWarning[],
  decimals: Decimals,
): readonly string[] {
  const { version, size, lifetime, feePayer, fees, computeBudget, instructions, signers } = facts;
  const { unitLimit, unitPrice } = computeBudget;
  const count = instructions.length;
  return [
    `A ${versionInWords(version)} transaction of ${size} bytes and ${count} instruction${count === 1 ? '' : 's'}, ${
      lifetime.kind === 'blockhash' ? `for the block hash ${lifetime.blockhash}` : 'with a durable nonce'
    }.`,
    ...instructions.map(({ description }, index) => `${index + 1}. ${description}.`),
    `Fees: ${feePayer} pays ${inSol(fees.signatures)} for signatures and ${inSol(fees.priority)} of priority (${unitLimit} compute units${unitPrice === undefined ? '' : ` at ${unitPrice} micro-lamports`}).`,
    ...facts.debits.map((debit) => debitInWords(debit, instructions, decimals)),
    ...facts.credits.map((credit) => creditInWords(credit, decimals)),
    ...instructions.flatMap(({ effects }) =>
      effects.flatMap((effect) => {
        if (effect.kind === 'create') return [`Creates the ${CREATED_NAMES[effect.what]} ${effect.account}.`];
        if (effect.kind !== 'close') return [];
        return [`Closes ${effect.account} and pays its whole balance to ${effect.destination}.`];
      }),
    ),
    ...signers.map(({ address, signature }) =>
      signature !== 'missing'
        ? `${address} has signed (${signature}).`
        : isOffCurve(address)
          ? `${address} lies off the curve: only its program can sign for it.`
          : `${address} has yet to sign.`,
    ),
    ...warnings.map(({ message }) => `Warning: ${message}`),
  ];
}
