import type { Address } from '@solana/kit';
import { inSol } from '../math/units.js';
import type { ComputeBudget } from '../solana/compute-budget.js';
import { HEAP_STEP_BYTES, LAMPORTS_PER_SIGNATURE, MAX_HEAP_BYTES, MIN_HEAP_BYTES } from '../solana/limits.js';
import type { KnownTables, LoadedTransaction } from '../solana/message.js';
import { creditOf, type InstructionEffect } from './effects.js';
import type { Facts, InspectionWarning } from './inspect.js';
import { ownershipInWords, received, rentInWords } from './inspection-words.js';
import type { Ownership } from './ownership.js';

/** Whom the warnings protect. */
interface Sides {
  readonly owner: Address | undefined;
  readonly ownership: Ownership;
}

export function warningsOf(
  { version, instructions, lifetime, signers, lookupTables, computeBudget, fees }: Facts,
  { accounts }: LoadedTransaction,
  {
    tables,
    maxPriorityFee,
    ...sides
  }: Sides & { readonly tables: KnownTables; readonly maxPriorityFee: bigint },
): readonly InspectionWarning[] {
  const { owner, ownership } = sides;
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
      `It takes accounts from the lookup table ${address}, which can't be read: ${why}.`,
    );
  }
  const addresses = accounts.flatMap(({ address }) => (address === undefined ? [] : [address]));
  for (const twice of new Set(addresses.filter((address, index) => addresses.indexOf(address) !== index)))
    warn('account-loaded-twice', `It loads ${twice} twice: the cluster will reject it.`);
  for (const { address, signature } of signers) {
    if (signature === 'invalid')
      warn('invalid-signature', `The signature of ${address} is not valid for this transaction.`);
  }
  const extra = fees.total - LAMPORTS_PER_SIGNATURE * BigInt(signers.length);
  if (fees.priority > maxPriorityFee) {
    warn(
      'high-priority-fee',
      `The priority fee of up to ${inSol(fees.priority)} is over ${inSol(maxPriorityFee)}. Lower the ${version === 1 ? 'priority fee' : 'compute unit price'}, unless you mean to pay that much.`,
    );
  } else if (extra > maxPriorityFee) {
    warn(
      'high-priority-fee',
      `The fees beyond those for its own signatures come to ${inSol(extra)}, which is over ${inSol(maxPriorityFee)}: each signature that an instruction checks costs as much as one of its own.`,
    );
  }
  for (const reason of impossibleLimits(computeBudget, instructions.length)) {
    warn(
      'bound-to-fail',
      `It can only fail: ${reason}.${version === 1 ? ' What a version 1 transaction leaves unset is zero.' : ''}`,
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
      // A wallet that holds nothing yet is lost all the same.
      if (effect.kind === 'lock' && created.has(effect.account)) continue;
      warnOf(effect, { ...sides, isMade, index }, (code, message) => warn(code, message, index));
    }
  }
  return warnings;
}

function impossibleLimits(
  { unitLimit, loadedAccountsDataSizeLimit, heapSize }: ComputeBudget,
  instructions: number,
): readonly string[] {
  const isHeapValid =
    heapSize >= MIN_HEAP_BYTES && heapSize <= MAX_HEAP_BYTES && heapSize % HEAP_STEP_BYTES === 0;
  return [
    ...(unitLimit === 0 && instructions > 0 ? ['its compute unit limit is zero'] : []),
    ...(loadedAccountsDataSizeLimit === 0 ? ['it may load zero bytes of accounts'] : []),
    ...(isHeapValid
      ? []
      : [
          `its heap of ${heapSize} bytes is not a multiple of ${HEAP_STEP_BYTES} from ${MIN_HEAP_BYTES} to ${MAX_HEAP_BYTES}`,
        ]),
  ];
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
  { isMade, owner, ownership, index }: Sides & { readonly isMade: boolean; readonly index: number },
  warn: (code: InspectionWarning['code'], message: string) => void,
): void {
  const credit = creditOf(effect);
  const isRent = effect.kind === 'debit' && effect.reason === 'rent';
  const isUnexpected =
    credit !== undefined &&
    ownership.isOwnBusiness(credit.authority, index) &&
    !ownership.isExpected({ ...credit, isRent }, index);
  if (isUnexpected) {
    const sizes = effect.kind === 'debit' && effect.amount === 'unknown' ? effect.accountSizes : undefined;
    const what = sizes === undefined ? received(credit) : `The ${rentInWords(sizes)}`;
    warn(
      'unknown-recipient',
      `${what} may go to ${credit.account}: ${ownershipInWords(ownership.provenOwnerOf(credit.account, index))}. Sign only if you mean to pay it.`,
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
      // Giving up an account that this transaction creates takes no right from anyone: a launch does so with its mint.
      if (isMade && effect.newAuthority === null) return;
      warn(
        'authority-change',
        `The ${effect.authority} authority of ${effect.account} goes to ${effect.newAuthority ?? 'nobody'}.`,
      );
      return;
    case 'create':
      // A wallet without SOL can become an account of any program.
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
