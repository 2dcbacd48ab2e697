import { AccountRole, isSignerRole } from '@solana/kit';
import { HeavenError, type HeavenErrorContexts, type TransactionMismatchReason } from '../errors.js';
import type { InstructionConfig } from '../program/deployment.js';
import { callsAnotherProgram, LIGHTHOUSE_PROGRAM_ADDRESS } from '../solana/lighthouse.js';
import type { LoadedInstruction, LoadedTransaction, WireTransaction } from '../solana/message.js';
import {
  alignInstructions,
  hasSameConfig,
  MOST_GUARDS,
  movesSignatureCheck,
  type WalletAllowance,
} from './match-signed.js';
import { stepOf } from './step.js';
import { describeInstruction } from './words.js';

type Mismatch = HeavenError<'transaction-mismatch'>;

/** How a wallet's transaction differs from the one that it was given, in words. It decides nothing. */
export function explainSignedMismatch(
  signed: LoadedTransaction,
  given: LoadedTransaction,
  allowance: WalletAllowance,
  config: InstructionConfig,
): Mismatch {
  return (
    envelopeMismatch(signed, given) ??
    configMismatch(signed, given, allowance) ??
    instructionMismatch(signed, given, allowance, config) ??
    rightsMismatch(signed, given) ??
    signedMismatch('data', 'it differs')
  );
}

export function signedMismatch(
  reason: TransactionMismatchReason,
  message: string,
  particulars: Omit<HeavenErrorContexts['transaction-mismatch'], 'reason'> = {},
): Mismatch {
  const { instruction } = particulars;
  const where = instruction === undefined ? '' : ` (instruction ${instruction + 1})`;
  return new HeavenError(
    'transaction-mismatch',
    `The wallet did not sign the transaction that it was given${where}: ${message}. Don't send it. Build the transaction again, and have it signed again.`,
    { reason, ...particulars },
  );
}

function envelopeMismatch(signed: LoadedTransaction, given: LoadedTransaction): Mismatch | undefined {
  const [is, should] = [signed.wire, given.wire];
  if (is.version !== should.version) {
    return signedMismatch('version', `its version is ${is.version}, not ${should.version}`, {
      asked: should.version,
      found: is.version,
    });
  }
  const [asked, found] = [should.lifetimeToken, is.lifetimeToken];
  if (found !== asked)
    return signedMismatch('lifetime', `its block hash is ${found}, not ${asked}`, { asked, found });
  const [payer, otherPayer] = [given.accounts[0]?.address, signed.accounts[0]?.address];
  if (payer !== otherPayer) {
    return signedMismatch('fee-payer', `${otherPayer} pays for it, not ${payer}`, {
      asked: payer,
      found: otherPayer,
    });
  }
  const seen = new Set<unknown>();
  for (const { address, lookup } of signed.accounts) {
    if (address === undefined || seen.has(address)) {
      const what =
        address === undefined
          ? `an account from the lookup table ${lookup?.table} at ${lookup?.index}, which is not known. If you trust the wallet with it, pass the table's contents in lookupTables`
          : `${address} a second time, from the lookup table ${lookup?.table}`;
      return signedMismatch('lookup-table', `it loads ${what}`, { found: lookup?.table });
    }
    seen.add(address);
  }
  return undefined;
}

function configMismatch(
  { wire: is }: LoadedTransaction,
  { wire: should }: LoadedTransaction,
  allowance: WalletAllowance,
): Mismatch | undefined {
  if (hasSameConfig(is, should, allowance)) return undefined;
  const inWords = (config: WireTransaction['config']) =>
    `${config?.computeUnitLimit ?? 0} compute units, ${config?.loadedAccountsDataSizeLimit ?? 0} bytes of accounts, a heap of ${config?.heapSize ?? 'the usual'} bytes and ${config?.priorityFeeLamports ?? 0} lamports of priority fee`;
  const [asked, found] = [inWords(should.config), inWords(is.config)];
  return signedMismatch('compute-budget', `it sets ${found}, and was given ${asked}`, { asked, found });
}

function instructionMismatch(
  signed: LoadedTransaction,
  given: LoadedTransaction,
  allowance: WalletAllowance,
  config: InstructionConfig,
): Mismatch | undefined {
  const inWords = (instruction: LoadedInstruction) =>
    describeInstruction(instruction, stepOf(instruction, config));
  const { added = [], stray, next } = alignInstructions(signed, given, allowance);
  if (stray === undefined) return guardMismatch(signed, given, added);
  const [is, should] = [signed.instructions[stray], given.instructions[next]];
  if (is === undefined) {
    const asked = inWords(should as LoadedInstruction);
    return signedMismatch('missing-instruction', `it lacks an instruction: ${asked}`, {
      instruction: stray,
      asked,
    });
  }
  const found = inWords(is);
  if (is.programAddress === LIGHTHOUSE_PROGRAM_ADDRESS) {
    return signedMismatch('guard', `the wallet may add assertions, and this is none: ${found}`, {
      instruction: stray,
      found,
    });
  }
  if (should === undefined || is.programAddress !== should.programAddress)
    return signedMismatch('extra-instruction', `nobody asked for this: ${found}`, {
      instruction: stray,
      found,
    });
  const asked = inWords(should);
  const isBudget = stepOf(should, config)?.program === 'compute-budget';
  return signedMismatch(
    isBudget ? 'compute-budget' : 'data',
    asked === found
      ? `its data or accounts are not those of "${asked}"`
      : `instead of "${asked}" it says "${found}"`,
    { instruction: stray, asked, found },
  );
}

function guardMismatch(
  { instructions }: LoadedTransaction,
  given: LoadedTransaction,
  added: readonly number[],
): Mismatch | undefined {
  if (added.length > MOST_GUARDS) {
    return signedMismatch(
      'guard',
      `it has ${added.length} assertions added, and ${MOST_GUARDS} are allowed`,
      {
        instruction: added[MOST_GUARDS] as number,
        asked: MOST_GUARDS,
        found: added.length,
      },
    );
  }
  if (movesSignatureCheck(added, given)) {
    return signedMismatch(
      'guard',
      'an assertion moves the instructions by whose numbers a signature check finds what it checks. Let the check name itself (65535), or have the wallet add assertions at the end',
      { instruction: added[0] as number },
    );
  }
  for (const index of added) {
    const guard = instructions[index] as LoadedInstruction;
    const given = guard.accounts.find(({ role }) => role !== AccountRole.READONLY);
    if (!callsAnotherProgram(guard) || given === undefined) continue;
    return signedMismatch(
      'guard',
      `an assertion that calls another program is given ${given.address}, which signs or may be written to`,
      { instruction: index, found: given.address },
    );
  }
  return undefined;
}

function rightsMismatch(signed: LoadedTransaction, given: LoadedTransaction): Mismatch | undefined {
  const rights = new Map(given.accounts.map(({ address, role }) => [address, role]));
  for (const { address, role } of signed.accounts) {
    const asked = rights.get(address);
    if (asked === role || (asked === undefined && role === AccountRole.READONLY)) continue;
    const particulars = {
      ...(asked === undefined ? {} : { asked: AccountRole[asked] }),
      found: AccountRole[role],
    };
    const isSigner = isSignerRole(asked ?? AccountRole.READONLY) !== isSignerRole(role);
    return signedMismatch(
      isSigner ? 'signer' : 'writable',
      `the account ${address} has other rights: ${AccountRole[role]}, not ${AccountRole[asked ?? AccountRole.READONLY]}`,
      particulars,
    );
  }
  return signedMismatch('account', 'it names accounts that have no part in it, or lacks some');
}
