// A launch, from its review to its receipt.
import type { Address } from '@solana/kit';
import type { BuiltLaunch } from 'heaven-pools';

import { formatAmount, formatSol } from './format.js';
import { addLastSignature, type LaunchInput, type LaunchTerms } from './launch.js';
import { type Reviewed, rentOf, reviewBuilt } from './review.js';
import type { Operation } from './sheet.js';
import type { ReviewView } from './sheet-view.js';

interface LaunchContext extends Pick<Operation, 'connection' | 'wallet' | 'account'> {
  readonly input: LaunchInput;
  readonly terms: LaunchTerms;
  readonly built: BuiltLaunch;
}

interface LaunchHooks extends Pick<Operation, 'onLeft'> {
  onSending(): void;
  onLanded(): void;
  openPool(address: Address): void;
}

export function launchOperation(context: LaunchContext, hooks: LaunchHooks): Operation {
  const { connection, wallet, account, built, input } = context;
  const owner = account.address as Address;
  return {
    connection,
    wallet,
    account,
    noun: 'launch',
    done: 'launched',
    // The mint's key signs nothing but the launch.
    canSendChanged: false,
    view: (reviewed) => viewOf(context, reviewed),
    review: (again, signal) => reviewBuilt(connection, again, owner, signal),
    lastSigner: {
      address: built.mint,
      sign: (signed, signedFor) => addLastSignature(signed, signedFor as BuiltLaunch),
    },
    onSending: hooks.onSending,
    receipt: async (_signed, slot, landedAfterMs) => {
      hooks.onLanded();
      return {
        title: 'Launched',
        headline: `${input.name} can be traded now.`,
        facts: [
          { term: 'Token', value: `${input.name} (${input.symbol})`, isStrong: true },
          { term: 'Mint', value: built.mint },
          { term: 'Pool', value: built.pool },
          ...(input.purchase === 0n
            ? []
            : [{ term: 'You bought', value: tokens(context, input.purchase), isStrong: true }]),
        ],
        open: { label: 'Trade it', act: () => hooks.openPool(built.pool) },
        slot,
        landedAfterMs,
      };
    },
    onLeft: hooks.onLeft,
  };
}

const tokens = ({ input, terms }: Pick<LaunchContext, 'input' | 'terms'>, amount: bigint): string =>
  `${formatAmount(amount, terms.decimals)} ${input.symbol}`;

function viewOf(context: LaunchContext, { inspection }: Reviewed): ReviewView {
  const { input, terms, built, account } = context;
  const { name, symbol, uri, purchase } = input;
  const buying =
    purchase === 0n
      ? ''
      : `, and buy ${tokens(context, purchase)} for at most ${formatSol(built.maxLamportSpend)}`;
  const rent = rentOf(inspection, built.maxLamportSpend, account.address as Address);
  return {
    title: 'Before you sign the launch',
    legs: [],
    headline: `You create ${name} (${symbol}) and its pool${buying}.`,
    facts: [
      { term: 'Name', value: name },
      { term: 'Symbol', value: symbol },
      { term: 'Metadata, final', value: uri },
      { term: 'Supply, all of it in the pool at first', value: formatAmount(terms.supply, terms.decimals) },
      { term: 'Mint', value: built.mint },
      { term: 'Pool', value: built.pool },
    ],
    costs: rent === undefined ? [] : [{ term: 'Rent for accounts, at most', value: formatSol(rent) }],
    warnings: [],
    confirm: 'Sign and launch',
    token: { mint: built.mint, decimals: terms.decimals, symbol },
    known: {},
    // A launch moves no other token.
    inWords: (step) =>
      step.replaceAll(/\b(\d+) units\b(?! of)/g, (_, units: string) => tokens(context, BigInt(units))),
  };
}
