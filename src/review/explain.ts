import { AccountRole, type Address, bytesEqual, type V1TransactionConfig } from '@solana/kit';
import { HeavenError, type HeavenErrorContexts } from '../base/errors.js';
import type { InstructionConfig } from '../program/deployment.js';
import { isLighthouseAssertion, LIGHTHOUSE_PROGRAM_ADDRESS } from '../solana/lighthouse.js';
import { isSignatureValid, type LoadedInstruction, type LoadedTransaction } from '../solana/message.js';
import { COMPUTE_BUDGET_PROGRAM_ADDRESS } from '../solana/programs.js';
import { accountAtRisk, MAX_GUARDS, movesSignatureCheck, readByGuards } from './guards.js';
import { type Rights, rightsIn } from './match.js';
import { write } from './prose.js';
import { stepsOf } from './read-step.js';
import { asJson, cut, quoted, type Step } from './step.js';
import { describeInstruction, versionInWords } from './words.js';

// Says how a transaction differs from another: the first difference that matters. It decides nothing.

type Context = HeavenErrorContexts['transaction-mismatch'];

/** A difference, in words that follow a colon. */
export interface Difference {
  readonly message: string;
  readonly context: Context;
}

export const difference = (
  kind: Context['kind'],
  message: string,
  more: Omit<Context, 'kind'> = {},
): Difference => ({ message, context: { ...more, kind } });

type Mismatch = HeavenError<'transaction-mismatch'>;

/** A transaction to sign that is not the one that was asked for. */
export const notAskedFor = (found: Difference): Mismatch =>
  mismatch('This is not the transaction that was asked for', found, "Don't sign it.");

/** A transaction that a sponsor should not sign. */
export const notSponsorable = (found: Difference): Mismatch =>
  mismatch('This is not a transaction to sponsor', found, "Don't sign it.");

const AGAIN = "Don't send it. Build the transaction again, and have it signed again.";

/** A signed transaction that is not the one that the wallet was given. */
export const notGiven = (found: Difference, advice = AGAIN): Mismatch =>
  mismatch('The wallet did not sign the transaction that it was given', found, advice);

/** One that differs in nothing but its priority fee, in lamports. A wallet that sets its own sets it each time. */
export const ownFee = (found: Difference, fee: bigint, accepted: bigint | undefined): Mismatch =>
  notGiven(
    found,
    `The wallet sets its own priority fee, ${fee} lamports here${accepted === undefined ? '' : `, over the ${accepted} of acceptFee`}. To accept it, pass acceptFee: { maxLamports: ${fee}n }; otherwise switch it off in the wallet, and have it signed again.`,
  );

/** A trade that was built again, and not only with other amounts. */
export const builtOtherwise = (found: Difference): Mismatch =>
  mismatch(
    'The trade was built again with more than other amounts',
    found,
    'Nothing was signed. Build it with the same options, or let the user accept it.',
  );

function mismatch(what: string, { message, context }: Difference, advice: string): Mismatch {
  const where = context.instruction === undefined ? '' : ` (instruction ${context.instruction + 1})`;
  return new HeavenError('transaction-mismatch', `${what}${where}: ${message}. ${advice}`, context);
}

const UNEXPLAINED = /* @__PURE__ */ difference('instruction', 'it differs');

/** How a transaction differs from the expected one. */
export const explainMismatch = (
  actual: LoadedTransaction,
  expected: LoadedTransaction,
  config: InstructionConfig,
): Difference =>
  envelopeDifference(actual, expected) ??
  configDifference(actual, expected) ??
  instructionDifference(partsOf(actual, config), partsOf(expected, config)) ??
  rightsDifference(actual, expected) ??
  UNEXPLAINED;

/** How a transaction from a wallet differs from the one that the wallet was given, apart from what a wallet may change. */
export function explainSignedMismatch(
  signed: LoadedTransaction,
  given: LoadedTransaction,
  config: InstructionConfig,
): Difference {
  const [all, allGiven] = [partsOf(signed, config), partsOf(given, config)];
  const [is, should] = [all.filter(isNoGuard), allGiven.filter(isNoGuard)];
  return (
    envelopeDifference(signed, given) ??
    lifetimeDifference(signed, given) ??
    instructionDifference(is.filter(isNoBudget), should.filter(isNoBudget)) ??
    guardDifference(signed, given) ??
    rightsDifference(signed, given, readByGuards(signed.instructions.filter(isGuard))) ??
    configDifference(signed, given) ??
    instructionDifference(is, should) ??
    instructionDifference(all, allGiven) ??
    UNEXPLAINED
  );
}

/** Which signature is missing, or not valid. */
export async function explainSignatures(
  { wire }: LoadedTransaction,
  mustHaveSigned: readonly Address[],
): Promise<Difference> {
  for (const { address, signature } of wire.signatures) {
    if (signature === undefined && mustHaveSigned.includes(address))
      return difference('rights', `the signature of ${address} is missing`, { asked: address });
    if (signature === undefined || (await isSignatureValid(wire, address, signature))) continue;
    const message = `the signature of ${address} is not valid, as if something changed after it`;
    return difference('rights', message, { found: address });
  }
  return difference('rights', 'a signature is missing or not valid');
}

// ---------------------------------------------------------------- the transaction as a whole

function envelopeDifference(actual: LoadedTransaction, expected: LoadedTransaction): Difference | undefined {
  const [asked, found] = [expected.wire.version, actual.wire.version];
  if (found !== asked) {
    const message = `it is a ${versionInWords(found)} transaction, not ${versionInWords(asked)}`;
    return difference('instruction', message, { asked, found });
  }
  const [payer, otherPayer] = [expected.accounts[0]?.address, actual.accounts[0]?.address];
  if (otherPayer !== payer) {
    const message = `${otherPayer} pays for it, not ${payer}`;
    return difference('payer', message, { asked: payer, found: otherPayer });
  }
  return lookupDifference(actual);
}

/** An account that a lookup table hides, or brings a second time. */
function lookupDifference({ accounts }: LoadedTransaction): Difference | undefined {
  const seen = new Set<Address>();
  for (const { address, lookup } of accounts) {
    if (address !== undefined && !seen.has(address)) {
      seen.add(address);
      continue;
    }
    const what =
      address === undefined
        ? `account ${lookup?.index} of the lookup table ${lookup?.table}, which is not known. If you trust that table, pass its contents in lookupTables`
        : `${address} a second time, from the lookup table ${lookup?.table}`;
    return difference('account', `it loads ${what}`, { found: lookup?.table });
  }
  return undefined;
}

function lifetimeDifference(signed: LoadedTransaction, given: LoadedTransaction): Difference | undefined {
  const [asked, found] = [given.wire.lifetimeToken, signed.wire.lifetimeToken];
  if (found === asked) return undefined;
  return difference('instruction', `its block hash is ${found}, not ${asked}`, { asked, found });
}

const CONFIG_FIELDS = [
  'priorityFeeLamports',
  'computeUnitLimit',
  'loadedAccountsDataSizeLimit',
  'heapSize',
] as const satisfies readonly (keyof V1TransactionConfig)[];

function configDifference(actual: LoadedTransaction, expected: LoadedTransaction): Difference | undefined {
  const field = CONFIG_FIELDS.find((name) => actual.wire.config?.[name] !== expected.wire.config?.[name]);
  if (field === undefined) return undefined;
  const [asked, found] = [expected.wire.config?.[field], actual.wire.config?.[field]];
  const message = `its ${field} is ${found ?? 'not set'}, not ${asked ?? 'left unset'}`;
  return difference('amount', message, { field, asked, found });
}

/** A right that an account has or lacks. `readable`: accounts that it may name besides, to read them. */
function rightsDifference(
  actual: LoadedTransaction,
  expected: LoadedTransaction,
  readable: Rights = new Map(),
): Difference | undefined {
  const rights = new Map([...readable, ...rightsIn(expected)]);
  for (const { address, role } of actual.accounts) {
    const asked = rights.get(address);
    if (address === undefined || asked === role) continue;
    if (asked === undefined)
      return difference('account', `it names ${address}, which it should not`, {
        found: address,
      });
    const [should, found] = [AccountRole[asked], AccountRole[role]];
    const message = `${address} is ${found} in it, not ${should}`;
    return difference('rights', message, { field: address, asked: should, found });
  }
  return undefined;
}

// ---------------------------------------------------------------- its instructions

/** An instruction, what it means, and where it stands. */
interface Part extends LoadedInstruction {
  readonly step: Step | undefined;
  readonly index: number;
}

function partsOf({ wire, instructions }: LoadedTransaction, config: InstructionConfig): readonly Part[] {
  const steps = stepsOf(instructions, wire.version, config);
  return instructions.map((instruction, index) => ({ ...instruction, step: steps[index], index }));
}

const isGuard = ({ programAddress }: LoadedInstruction): boolean =>
  programAddress === LIGHTHOUSE_PROGRAM_ADDRESS;
const isNoGuard = (part: Part): boolean => !isGuard(part);
/** Wallets may raise the limits of the compute budget. */
const isNoBudget = ({ programAddress }: Part): boolean => programAddress !== COMPUTE_BUDGET_PROGRAM_ADDRESS;

const inWords = (part: Part): string => write(describeInstruction(part, part.step));

/** The first difference of two lists of instructions. */
function instructionDifference(actual: readonly Part[], expected: readonly Part[]): Difference | undefined {
  for (const [position, wanted] of expected.entries()) {
    const part = actual[position];
    if (part === undefined) {
      const asked = inWords(wanted);
      const where = { instruction: wanted.index, asked };
      return difference('instruction', `it lacks an instruction: ${asked}`, where);
    }
    const found = partDifference(part, wanted);
    if (found === undefined) continue;
    const { message, context } = found;
    return actual.length === expected.length ? found : difference('instruction', message, context);
  }
  const extra = actual[expected.length];
  if (extra === undefined) return undefined;
  const found = inWords(extra);
  return difference('instruction', `it has an instruction that was not asked for: ${found}`, {
    instruction: extra.index,
    found,
  });
}

/** How one instruction differs from another: by its kind, by an account, or by its data. */
function partDifference(actual: Part, expected: Part): Difference | undefined {
  const isSameProgram = actual.programAddress === expected.programAddress;
  if (isSameProgram && actual.step?.name === expected.step?.name)
    return accountDifference(actual, expected) ?? dataDifference(actual, expected);
  const [asked, found] = [inWords(expected), inWords(actual)];
  const message = `instead of "${asked}" it says "${found}"`;
  return difference('instruction', message, { instruction: actual.index, asked, found });
}

function accountDifference(actual: Part, expected: Part): Difference | undefined {
  const [is, should] = [actual.accounts, expected.accounts];
  const length = Math.max(is.length, should.length);
  for (let position = 0; position < length; position += 1) {
    const { address: found, lookup } = is[position] ?? {};
    const asked = should[position]?.address;
    if (found === asked && is.length > position && should.length > position) continue;
    const field = Object.keys(expected.step?.accounts ?? {})[position] ?? `account ${position + 1}`;
    const through = lookup === undefined ? '' : `, from the lookup table ${lookup.table}`;
    const message = `its ${field} is ${found ?? 'none'}${through}, not ${asked ?? 'none'}`;
    return difference('account', message, { instruction: actual.index, field, asked, found });
  }
  return undefined;
}

function dataDifference(actual: Part, expected: Part): Difference | undefined {
  if (bytesEqual(actual.data, expected.data)) return undefined;
  const instruction = actual.index;
  const [is, should] = [actual.step?.data ?? {}, expected.step?.data ?? {}];
  const field = Object.keys(should).find((name) => asJson(is[name] ?? null) !== asJson(should[name] ?? null));
  if (field === undefined) {
    const [asked, found] = [expected.data.length, actual.data.length];
    const message = `its data has ${found} bytes that are not the ${asked} bytes that it should have`;
    return difference('instruction', message, { instruction, asked, found });
  }
  const [asked, found] = [should[field], is[field]];
  const kind = typeof asked === 'bigint' || !isNoBudget(actual) ? 'amount' : 'instruction';
  const message = `its ${field} is ${valueInWords(found)}, not ${valueInWords(asked)}`;
  return difference(kind, message, { instruction, field, asked: shortOf(asked), found: shortOf(found) });
}

/** Amounts as they are, and everything else as JSON. */
const valueInWords = (value: unknown): string =>
  typeof value === 'bigint' ? `${value}` : quoted(value ?? null);

/** A value for a context: a text cut, and what holds others as JSON. */
const shortOf = (value: unknown): unknown =>
  typeof value === 'string'
    ? cut(value)
    : typeof value === 'object' && value !== null
      ? quoted(value)
      : value;

// ---------------------------------------------------------------- what a wallet added

/** Why the instructions of Lighthouse in a signed transaction are not guards that a wallet may add. */
function guardDifference(
  { instructions }: LoadedTransaction,
  given: LoadedTransaction,
): Difference | undefined {
  const guards = [...instructions.entries()].filter(([, instruction]) => isGuard(instruction));
  for (const [instruction, guard] of guards) {
    if (!isLighthouseAssertion(guard)) {
      const message = 'a wallet may add assertions of Lighthouse, and this is another of its instructions';
      return difference('instruction', message, { instruction, found: guard.programAddress });
    }
    const found = accountAtRisk(guard)?.address;
    if (found !== undefined) {
      const message = `it calls another program with ${found}, which signs or may be written to`;
      return difference('rights', message, { instruction, found });
    }
  }
  const added = instructions.length - given.instructions.length;
  if (added > MAX_GUARDS) {
    const where = { instruction: guards[MAX_GUARDS]?.[0] ?? 0, asked: MAX_GUARDS, found: added };
    return difference('instruction', `${added} assertions are added, and ${MAX_GUARDS} are allowed`, where);
  }
  const [first] = guards[0] ?? [];
  if (first === undefined || !movesSignatureCheck([first], given)) return undefined;
  return difference(
    'instruction',
    'an assertion moves the instructions by whose numbers a signature check finds what it checks. Let the check name itself (65535), or have the wallet add assertions at the end',
    { instruction: first, asked: given.instructions.length, found: first },
  );
}
