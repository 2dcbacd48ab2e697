import {
  AccountRole,
  type Address,
  isSignerRole,
  isWritableRole,
  type V1TransactionConfig,
} from '@solana/kit';
import { HeavenError, type HeavenErrorContexts, type TransactionMismatchReason } from '../errors.js';
import type { InstructionConfig } from '../program/deployment.js';
import { isSignatureValid, type LoadedInstruction, type LoadedTransaction } from '../solana/message.js';
import { SYSTEM_PROGRAM_ADDRESS } from '../solana/programs.js';
import { type ExpectedTransaction, isSameInstruction, rightsIn } from './match.js';
import { type Step, stepsOf } from './step.js';
import { describeInstruction, versionInWords } from './words.js';

type Mismatch = HeavenError<'transaction-mismatch'>;

/** How a transaction differs from the expected one, in words. It decides nothing. */
export function explainMismatch(
  actual: LoadedTransaction,
  expected: ExpectedTransaction,
  config: InstructionConfig,
): Mismatch {
  const partsOf = (instructions: readonly LoadedInstruction[]) => {
    const steps = stepsOf(instructions, expected.version, config);
    return instructions.map((instruction, index): Part => ({ instruction, step: steps[index] }));
  };
  return (
    envelopeMismatch(actual, expected) ??
    instructionMismatch(partsOf(actual.instructions), partsOf(expected.instructions)) ??
    rightsMismatch(actual, expected) ??
    mismatch('data', 'it differs')
  );
}

export async function explainSignatures(
  { wire }: LoadedTransaction,
  mustHaveSigned: readonly Address[],
): Promise<Mismatch> {
  for (const { address, signature } of wire.signatures) {
    if (signature === undefined) {
      if (!mustHaveSigned.includes(address)) continue;
      return mismatch('signature', `the signature of ${address} is missing`, { asked: address });
    }
    if (!(await isSignatureValid(wire, address, signature)))
      return mismatch('signature', `the signature of ${address} is not valid`, { found: address });
  }
  return mismatch('signature', 'a signature is missing or not valid');
}

export function mismatch(
  reason: TransactionMismatchReason,
  message: string,
  particulars: Omit<HeavenErrorContexts['transaction-mismatch'], 'reason'> = {},
): Mismatch {
  const { instruction } = particulars;
  const where = instruction === undefined ? '' : ` (instruction ${instruction + 1})`;
  return new HeavenError(
    'transaction-mismatch',
    `This is not the transaction that was asked for${where}: ${message}. Don't sign it.`,
    { reason, ...particulars },
  );
}

function envelopeMismatch(
  { wire, accounts, instructions }: LoadedTransaction,
  expected: ExpectedTransaction,
): Mismatch | undefined {
  if (wire.version !== expected.version) {
    return mismatch(
      'version',
      `it is a ${versionInWords(wire.version)} transaction, not ${versionInWords(expected.version)}`,
      { asked: expected.version, found: wire.version },
    );
  }
  const field = CONFIG_FIELDS.find((name) => wire.config?.[name] !== expected.config?.[name]);
  if (field !== undefined) {
    const [asked, found] = [expected.config?.[field], wire.config?.[field]];
    return mismatch('compute-budget', `its ${field} is ${found ?? 'not set'}, not ${asked ?? 'left unset'}`, {
      asked,
      found,
    });
  }
  for (const [instruction, { accounts }] of instructions.entries()) {
    const hidden = accounts.find(({ address }) => address === undefined);
    if (hidden) {
      return mismatch(
        'lookup-table',
        `it takes an account from the lookup table ${hidden.lookup?.table}, whose contents are not known`,
        { instruction, found: hidden.lookup?.table },
      );
    }
  }
  const seen = new Set<Address | undefined>();
  for (const { address, lookup } of accounts) {
    if (address === undefined || seen.has(address)) {
      return mismatch(
        'lookup-table',
        address === undefined
          ? `it loads an account that it does not use from the lookup table ${lookup?.table}`
          : `it loads ${address} a second time, from the lookup table ${lookup?.table}`,
        { found: lookup?.table },
      );
    }
    seen.add(address);
  }
  const [first] = instructions;
  const isNonce = (instruction: LoadedInstruction | undefined) =>
    instruction?.programAddress === SYSTEM_PROGRAM_ADDRESS && instruction.data[0] === ADVANCE_NONCE;
  if (isNonce(first) && !isNonce(expected.instructions[0])) {
    return mismatch('durable-nonce', 'with its durable nonce it could be sent at any time', {
      instruction: 0,
      found: first?.accounts[0]?.address,
    });
  }
  const feePayer = accounts[0]?.address;
  if (feePayer !== expected.feePayer) {
    return mismatch('fee-payer', `${feePayer} pays for it, not ${expected.feePayer}`, {
      asked: expected.feePayer,
      found: feePayer,
    });
  }
  return undefined;
}

const CONFIG_FIELDS = [
  'priorityFeeLamports',
  'computeUnitLimit',
  'loadedAccountsDataSizeLimit',
  'heapSize',
] as const satisfies readonly (keyof V1TransactionConfig)[];

const ADVANCE_NONCE = 4;

interface Part {
  readonly instruction: LoadedInstruction;
  readonly step: Step | undefined;
}

const isSame = (one: Part, other: Part) => isSameInstruction(one.instruction, other.instruction);

const isSameKind = ({ instruction: a, step: one }: Part, { instruction: b, step: other }: Part): boolean =>
  a.programAddress === b.programAddress && one?.name === other?.name;

/** The first difference of two lists of instructions: one that is missing, one too many, out of place or changed. */
function instructionMismatch(actual: readonly Part[], expected: readonly Part[]): Mismatch | undefined {
  const size = Math.max(actual.length, expected.length);
  const index = Array.from({ length: size }, (_, at) => [actual[at], expected[at]] as const).findIndex(
    ([one, other]) => !one || !other || !isSame(one, other),
  );
  if (index < 0) return undefined;
  const [is, should] = [actual[index], expected[index]];
  if (is === undefined) return missing(should as Part, index);
  if (should === undefined) return unexpected(is, index);
  const surplus = actual.length - expected.length;
  const comesLater = actual.slice(index).some((part) => isSame(part, should));
  const isWantedLater = expected.slice(index).some((part) => isSame(part, is));
  if (comesLater && isWantedLater) return misplaced(is, index);
  if (surplus > 0 && (comesLater || !isSameKind(is, should))) return unexpected(is, index);
  if (surplus < 0 && (isWantedLater || !isSameKind(is, should))) return missing(should, index);
  return changed(is, should, index);
}

function missing({ instruction, step }: Part, index: number): Mismatch {
  const inWords = describeInstruction(instruction, step);
  return mismatch(
    step?.program === 'compute-budget' ? 'compute-budget' : 'missing-instruction',
    `it lacks an instruction: ${inWords}`,
    { instruction: index, asked: inWords },
  );
}

const misplaced = ({ instruction, step }: Part, index: number) =>
  mismatch('order', `this instruction stands elsewhere: ${describeInstruction(instruction, step)}`, {
    instruction: index,
  });

const givesRights = (step: Step | undefined): boolean =>
  step?.effects.some(
    (effect) => effect.kind === 'authority' || (effect.kind === 'delegate' && effect.delegate !== null),
  ) ?? false;

function unexpected({ instruction, step }: Part, index: number): Mismatch {
  const inWords = describeInstruction(instruction, step);
  const reason =
    step?.program === 'compute-budget'
      ? 'compute-budget'
      : givesRights(step)
        ? 'authority-change'
        : 'extra-instruction';
  return mismatch(reason, `nobody asked for this: ${inWords}`, { instruction: index, found: inWords });
}

/** An instruction in another's place, or one that says something else. */
function changed(actual: Part, expected: Part, index: number): Mismatch {
  const [is, should] = [actual.instruction, expected.instruction];
  const inWords = [expected, actual].map(({ instruction, step }) => describeInstruction(instruction, step));
  const [expectedWords, actualWords] = inWords;
  const refuse = (reason: TransactionMismatchReason) =>
    mismatch(reason, `instead of "${expectedWords}" it says "${actualWords}"`, {
      instruction: index,
      asked: expectedWords,
      found: actualWords,
    });
  if (!isSameKind(actual, expected)) {
    if (is.programAddress !== should.programAddress && !givesRights(actual.step)) {
      return mismatch('program', `it is for the program ${is.programAddress}, not ${should.programAddress}`, {
        instruction: index,
        asked: should.programAddress,
        found: is.programAddress,
      });
    }
    if (givesRights(actual.step)) return refuse('authority-change');
    return refuse(expected.step?.program === 'compute-budget' ? 'compute-budget' : 'data');
  }
  return changedAccount(actual, expected, index) ?? changedData(actual, expected, index);
}

function changedAccount(actual: Part, expected: Part, index: number): Mismatch | undefined {
  const [is, should] = [actual.instruction.accounts, expected.instruction.accounts];
  const { step } = expected;
  const names = Object.keys(step?.accounts ?? {});
  const differing = Array.from({ length: Math.max(is.length, should.length) }, (_, position) => ({
    name: names[position] ?? `account ${position + 1}`,
    actual: is[position],
    expected: should[position]?.address,
  })).filter((account) => account.actual?.address !== account.expected);
  const hidden = differing.find((account) => account.actual?.lookup !== undefined);
  const recipient = differing.find(({ name }) => step?.recipients.includes(name));
  const account = hidden ?? recipient ?? differing[0];
  if (account === undefined) return undefined;
  const reason = hidden
    ? 'lookup-table'
    : givesRights(step) && !recipient
      ? 'authority-change'
      : recipient
        ? 'recipient'
        : 'account';
  const { name } = account;
  const [wanted, found] = [account.expected ?? 'none', account.actual?.address ?? 'none'];
  const through = hidden ? `, through the lookup table ${hidden.actual?.lookup?.table}` : '';
  return mismatch(reason, `its ${name} is ${found}${through}, not ${wanted}`, {
    instruction: index,
    asked: account.expected,
    found: account.actual?.address,
  });
}

function changedData(actual: Part, expected: Part, index: number): Mismatch {
  const [is, should] = [actual.step?.data ?? {}, expected.step?.data ?? {}];
  const fields = Object.keys(should).filter((name) => inJson(is[name]) !== inJson(should[name]));
  const { amounts = [], minimums = [], program } = expected.step ?? {};
  const field =
    fields.find((name) => amounts.includes(name)) ??
    fields.find((name) => minimums.includes(name)) ??
    fields[0] ??
    '';
  const reason =
    program === 'compute-budget'
      ? 'compute-budget'
      : givesRights(expected.step)
        ? 'authority-change'
        : amounts.includes(field)
          ? 'amount'
          : minimums.includes(field)
            ? 'minimum'
            : 'data';
  if (field === '') {
    const [expectedSize, actualSize] = [expected.instruction.data.length, actual.instruction.data.length];
    return mismatch(
      reason,
      expectedSize === actualSize
        ? 'its data is different'
        : `its data has ${actualSize} bytes, not ${expectedSize}`,
      { instruction: index, asked: expected.instruction.data, found: actual.instruction.data },
    );
  }
  return mismatch(reason, `its ${field} is ${inJson(is[field])}, not ${inJson(should[field])}`, {
    instruction: index,
    asked: should[field],
    found: is[field],
  });
}

const inJson = (value: unknown): string =>
  JSON.stringify(value, (_, item: unknown) =>
    typeof item === 'bigint' ? item.toString() : item instanceof Uint8Array ? [...item] : item,
  );

function rightsMismatch(
  { accounts, instructions }: LoadedTransaction,
  expected: ExpectedTransaction,
): Mismatch | undefined {
  const roles = rightsIn(expected);
  for (const account of accounts) {
    const { address, role: actual, lookup } = account;
    const wanted = roles.get(address as Address);
    if (actual === wanted) continue;
    const index = instructions.findIndex((one) => one.accounts.some((other) => other.address === address));
    const particulars = {
      ...(index < 0 ? {} : { instruction: index }),
      ...(wanted === undefined ? {} : { asked: AccountRole[wanted] }),
      found: AccountRole[actual],
    };
    if (wanted === undefined) {
      return mismatch(
        isSignerRole(actual) ? 'signer' : lookup ? 'lookup-table' : 'account',
        `it names ${address}, which has no part in it`,
        particulars,
      );
    }
    if (isSignerRole(actual) !== isSignerRole(wanted)) {
      return mismatch(
        'signer',
        `${address} ${isSignerRole(actual) ? 'would sign, and need not' : 'does not sign, and must'}`,
        particulars,
      );
    }
    return mismatch(
      'writable',
      `${address} ${isWritableRole(actual) ? 'may be written to, and need not' : 'is read-only, and must not be'}`,
      particulars,
    );
  }
  return undefined;
}
