import type { Address } from '@solana/kit';
import { inSol } from '../math/units.js';
import { budgetOf } from '../solana/compute-budget.js';
import { HEAP_STEP_BYTES, LAMPORTS_PER_SIGNATURE, MAX_HEAP_BYTES, MIN_HEAP_BYTES } from '../solana/limits.js';
import type { KnownTables, LoadedTransaction } from '../solana/message.js';
import { creditOf, type InstructionEffect } from './effects.js';
import type { Facts, InspectionWarning } from './inspection.js';
import type { Ownership } from './ownership.js';
import type { Decimals } from './prose.js';
import { ownershipInWords, received, rentInWords } from './words.js';

/** What the warnings depend on besides the transaction's facts. */
interface WarningContext {
  readonly owner: Address | undefined;
  readonly ownership: Ownership;
  readonly tables: KnownTables;
  readonly maxPriorityFee: bigint;
  readonly decimals: Decimals;
}

type Code = InspectionWarning['code'];

const warning = (code: Code, message: string): InspectionWarning => ({ code, message });

/** What a person must know before signing, first of the transaction as a whole. */
export const inspectionWarnings = (
  facts: Facts,
  loaded: LoadedTransaction,
  context: WarningContext,
): readonly InspectionWarning[] => [
  ...lifetimeWarnings(facts),
  ...accountWarnings(facts, loaded, context.tables),
  ...facts.signers
    .filter(({ signature }) => signature === 'invalid')
    .map(({ address }) =>
      warning('invalid-signature', `The signature of ${address} is not valid for this transaction.`),
    ),
  ...feeWarnings(facts, context.maxPriorityFee),
  ...impossibleLimits(facts).map((reason) => warning('bound-to-fail', `It can only fail: ${reason}`)),
  ...budgetOf(loaded.wire).warnings,
  ...effectWarnings(facts, context),
];

function lifetimeWarnings({ lifetime }: Facts): readonly InspectionWarning[] {
  if (lifetime.kind !== 'durable-nonce') return [];
  const message = `It uses the durable nonce of ${lifetime.nonceAccount}: once signed it can be sent at any time, days from now too.`;
  return [{ code: 'durable-nonce', message, instruction: 0 }];
}

function accountWarnings(
  { lookupTables }: Facts,
  { accounts }: LoadedTransaction,
  tables: KnownTables,
): readonly InspectionWarning[] {
  const hidden = accounts.filter(({ address }) => address === undefined);
  const addresses = accounts.flatMap(({ address }) => address ?? []);
  const twice = new Set(addresses.filter((address, index) => addresses.indexOf(address) !== index));
  return [
    ...lookupTables
      .filter((table) => hidden.some(({ lookup }) => lookup?.table === table.address))
      .map(({ address, reason }) => {
        const why = reason ?? `it holds only ${tables.get(address)?.addresses?.length} addresses`;
        const message = `It takes accounts from the lookup table ${address}, which can't be read: ${why}.`;
        return warning('unresolved-lookup-table', message);
      }),
    ...[...twice].map((address) =>
      warning('account-loaded-twice', `It loads ${address} twice: the cluster will reject it.`),
    ),
  ];
}

function feeWarnings({ version, fees, signers }: Facts, max: bigint): readonly InspectionWarning[] {
  const extra = fees.total - LAMPORTS_PER_SIGNATURE * BigInt(signers.length);
  if (extra <= max) return [];
  const message =
    fees.priority > max
      ? `The priority fee of up to ${inSol(fees.priority)} is over ${inSol(max)}. Lower the ${version === 1 ? 'priority fee' : 'compute unit price'}, unless you mean to pay that much.`
      : `The fees beyond those for its own signatures come to ${inSol(extra)}, which is over ${inSol(max)}: each signature that an instruction checks costs as much as one of its own.`;
  return [warning('high-priority-fee', message)];
}

function impossibleLimits({ version, computeBudget, instructions }: Facts): readonly string[] {
  const { unitLimit, loadedAccountsDataSizeLimit, heapSize } = computeBudget;
  const reasons: string[] = [];
  if (unitLimit === 0 && instructions.length > 0) reasons.push('its compute unit limit is zero');
  if (loadedAccountsDataSizeLimit === 0) reasons.push('it may load zero bytes of accounts');
  if (heapSize < MIN_HEAP_BYTES || heapSize > MAX_HEAP_BYTES || heapSize % HEAP_STEP_BYTES !== 0) {
    reasons.push(
      `its heap of ${heapSize} bytes is not a multiple of ${HEAP_STEP_BYTES} from ${MIN_HEAP_BYTES} to ${MAX_HEAP_BYTES}`,
    );
  }
  const unset = version === 1 ? ' What a version 1 transaction leaves unset is zero.' : '';
  return reasons.map((reason) => `${reason}.${unset}`);
}

function effectWarnings(
  { instructions }: Facts,
  { owner, ownership, decimals }: WarningContext,
): readonly InspectionWarning[] {
  const warnings: InspectionWarning[] = [];
  const created = new Set<Address>();
  // What is created, or makes the transaction fail if it exists.
  const fresh = new Set<Address>();
  for (const [instruction, { effects }] of instructions.entries()) {
    for (const effect of effects) {
      const target = targetOf(effect);
      const isNew = fresh.has(target);
      if (effect.kind === 'create' && !effect.isIdempotent && target !== owner) created.add(target);
      if (effect.kind === 'assert-new' || created.has(target)) fresh.add(target);
      const found = [
        ...paymentWarnings(effect, instruction, ownership, decimals),
        // A wallet that holds nothing yet is lost all the same.
        ...(effect.kind === 'lock' && created.has(target)
          ? []
          : rightsWarnings(effect, isNew, { owner, isAllowed: ownership.isAllowedByOwner(instruction) })),
      ];
      warnings.push(...found.map((each) => ({ ...each, instruction })));
    }
  }
  return warnings;
}

/** The account that an effect is about: of those of a mint, the mint. */
function targetOf(effect: InstructionEffect): Address {
  if (effect.kind === 'anything') return effect.programAddress;
  return effect.kind === 'mint' || effect.kind === 'freeze' ? effect.mint : effect.account;
}

/** A payment that may reach a stranger. */
function paymentWarnings(
  effect: InstructionEffect,
  instruction: number,
  ownership: Ownership,
  decimals: Decimals,
): readonly InspectionWarning[] {
  const credit = creditOf(effect);
  if (credit === undefined || !ownership.isAllowedByOwner(instruction)) return [];
  const isRent = effect.kind === 'debit' && effect.reason === 'rent';
  if (ownership.isExpected(credit, instruction, isRent)) return [];
  const sizes = effect.kind === 'debit' && effect.amount === 'unknown' ? effect.accountSizes : undefined;
  const what = sizes === undefined ? received(credit, decimals) : `The ${rentInWords(sizes)}`;
  const whose = ownershipInWords(ownership.ownerOf(credit.account, instruction));
  const message = `${what} may go to ${credit.account}: ${whose}. Sign only if you mean to pay it.`;
  return [warning('unknown-recipient', message)];
}

/** Rights that are given away or used. `isAllowed`: the owner's signature allows it. */
function rightsWarnings(
  effect: InstructionEffect,
  isNew: boolean,
  { owner, isAllowed }: { readonly owner: Address | undefined; readonly isAllowed: boolean },
): readonly InspectionWarning[] {
  const when = (condition: boolean, code: Code, message: string) =>
    condition ? [warning(code, message)] : [];
  switch (effect.kind) {
    case 'anything': {
      const { programAddress, accounts, hasHiddenAccounts } = effect;
      const what = [...accounts, ...(hasHiddenAccounts ? ['accounts that are not known'] : [])].join(', ');
      const message = `An instruction of ${programAddress} is not understood: it may do anything with ${what}.`;
      return [warning('anything', message)];
    }
    case 'delegate':
      return when(
        effect.delegate !== null,
        'delegation',
        `${effect.delegate} may from then on take up to ${effect.amount} units from ${effect.account}.`,
      );
    case 'authority':
      // Giving up an account that this transaction creates takes no right from anyone: a launch does so with its mint.
      return when(
        !isNew || effect.newAuthority !== null,
        'authority-change',
        `The ${effect.authority} authority of ${effect.account} goes to ${effect.newAuthority ?? 'nobody'}.`,
      );
    case 'create':
      // A wallet without SOL can become an account of any program.
      return when(
        effect.what === 'account' && effect.account === owner && !effect.isIdempotent,
        'authority-change',
        `${owner} becomes an account of the program ${effect.owner}.`,
      );
    case 'lock':
      return [
        warning(
          'account-locked',
          `${effect.account} gets room for data: it can then neither pay fees nor transfer its SOL, which is lost if it is a wallet.`,
        ),
      ];
    case 'mint':
      return when(
        !isNew && isAllowed,
        'tokens-minted',
        `${effect.authority} lets ${effect.amount} new units of ${effect.mint} be made.`,
      );
    case 'freeze':
      return when(
        effect.isFrozen && !isNew && isAllowed,
        'account-frozen',
        `${effect.authority} freezes ${effect.account}: its tokens can't be moved until it is thawed.`,
      );
    case 'setting':
      return when(
        effect.disablesWithdrawals,
        'withdrawals-disabled',
        `Withdrawals from ${effect.account} are switched off: everybody's liquidity, yours too, stays locked until the creator switches them on.`,
      );
  }
  return [];
}
