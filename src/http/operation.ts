import { isHeavenError } from '../base/errors.js';
import {
  hasInstead,
  hasNoField,
  ignoredFields,
  misspelt,
  type UnknownNames,
  unknownNames,
  withNamesOfQuote,
} from '../base/input.js';
import { JsonDecimal, parseJson } from '../base/json.js';
import type { HeavenWarning } from '../base/warnings.js';
import { builders, type OperationName, type Operations, readers } from '../operations/index.js';
import type { MintSignerSource } from '../operations/standard/create-standard-liquidity-pool.js';
import type { Deployment, HeavenClient } from '../program/client.js';
import { describeInstructions } from '../review/read-step.js';
import { jsonTextOf } from './body.js';
import { type ErrorAnswer, refuse } from './errors.js';
import { json } from './exchange.js';
import { fieldPath, snakeCaseKeys } from './names.js';
import { exactAmounts, type ReceivedQuote, type RoundedAmount, withoutRounding } from './rounded-quote.js';
import { answerShape } from './schemas/index.js';
import type { FunctionInput } from './schemas/inputs.js';
import type { Problem } from './schemas/json.js';
import { decodeRequest, quoteNames, requestNames } from './schemas/requests.js';
import { textsInInterfaceNames } from './texts.js';
import type { Work } from './time-limit.js';

type Result = Awaited<ReturnType<Operations[OperationName]>>;

/** The operations, each of which takes its own input. */
type Functions = {
  readonly [TName in OperationName]: (client: HeavenClient, input: FunctionInput<TName>) => Promise<Result>;
};

/** What the operations depend on. */
export interface Services {
  readonly clients: readonly HeavenClient[];
  readonly maxBodyBytes: number;
  /** The signer of a launch's new mint. */
  readonly mintSigner: MintSignerSource;
}

/** Answers requests of the operations. Created in a function call that a bundler can drop, because the remote client doesn't need it. */
export function operationsOver({ clients, maxBodyBytes, mintSigner }: Services) {
  const functions: Functions = { ...readers, ...builders };
  return async <TName extends OperationName>(name: TName, request: Request, work: Work) => {
    const body = parsed(await jsonTextOf(request, work, maxBodyBytes));
    const integers = integersOf(request.url);
    const { abortSignal } = work;
    const { input: received, ignored } = validated(name, body);
    const { rounded, input } = unrounded(received, integers);
    const client = clientFor(clients, input);
    const launch = name === 'buildCreateStandardLiquidityPool' && { mintSigner: noting(work, mintSigner) };
    const result = await functions[name](client, { ...input, abortSignal, ...launch }).catch((error) => {
      throw withoutQuotes(error, body);
    });
    const { details, ...documented } = shown(name, result, client.deployment);
    const noted = withNotes(textsInInterfaceNames(details) as object | undefined, rounded, ignored);
    return json(snakeCaseKeys({ ...documented, details: noted }), 200, integers);
  };
}

/** The functions get the digits of a number as text. An error repeats it as the number that the request has. */
function withoutQuotes(error: unknown, body: unknown): unknown {
  if (!isHeavenError(error) || !('field' in error.context)) return error;
  const given = fieldPath(String(error.context.field))
    .split('.')
    .reduce<unknown>((value, name) => Object(value)[name], body);
  if (given instanceof JsonDecimal || typeof given === 'bigint')
    error.message = error.message.replace(`"${given}"`, String(given));
  return error;
}

/** Notes that the work waits for a mint while it does. */
const noting =
  (work: Work, mintSigner: MintSignerSource): MintSignerSource =>
  async (options) => {
    work.isFindingMint = true;
    const signer = await mintSigner(options);
    work.isFindingMint = false;
    return signer;
  };

// ---------------------------------------------------------------- requests

/** How a caller's JSON treats integers over 2^53: `string` asks for text, `exact` means that it keeps all digits. */
type Integers = 'string' | 'exact' | undefined;

function integersOf(url: string): Integers {
  if (!url.includes('?')) return undefined;
  const value = new URL(url).searchParams.get('integers') ?? undefined;
  if (value === undefined || value === 'string' || value === 'exact') return value;
  return refuse(invalidRequest([{ path: 'integers', message: 'must be string or exact' }]));
}

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    const reason =
      error instanceof SyntaxError ? `is not valid JSON: ${error.message}` : 'is nested too deeply';
    return refuse({ status: 400, code: 'malformed-json', message: `The body ${reason}.` });
  }
}

/** The input of a request, and the unknown names at its top and in its quote, which are ignored. */
function validated<TName extends OperationName>(name: TName, body: unknown) {
  const known = requestNames(name);
  const decoded = decodeRequest(name, body);
  const fields = (typeof body === 'object' && body !== null ? body : {}) as Readonly<Record<string, unknown>>;
  const top = unknownNames(fields, known);
  const found = 'problems' in decoded ? decoded.problems : [];
  const described = found.map((problem) => {
    const { path } = problem;
    const isMissing = path && (fields[path] ?? undefined) === undefined;
    const instead = isMissing && hasInstead(path, top);
    return instead ? { path: '', message: instead } : problem;
  });
  const isNew = (message: string) => described.every((problem) => problem.message !== message);
  const unknown = misspelt(top, known)
    .map((name) => hasNoField(name, known))
    .filter(isNew);
  const problems = [...described, ...unknown.map((message) => ({ path: '', message }))];
  if ('problems' in decoded || problems.length > 0) return refuse(invalidRequest(problems));
  const ignored = withNamesOfQuote(top, 'quote_response', fields.quote_response, quoteNames(name));
  return { input: decoded.value, ignored };
}

function invalidRequest(problems: readonly Problem[]): ErrorAnswer {
  const fields = problems.map(({ path, message }) => ({ field: path || 'body', message }));
  return {
    status: 400,
    code: 'invalid-request',
    message: fields.map(({ field, message }) => `${field} ${message}`).join('; '),
    details: { fields },
  };
}

/** The program that a request names. */
interface ProgramInput {
  readonly programId?: unknown;
  readonly quoteResponse?: ReceivedQuote & { readonly programId?: unknown };
}

/** A checked request. Replaces quote amounts that a double may have rounded up. */
function unrounded<TInput extends object>(input: TInput & ProgramInput, integers: Integers) {
  const { quoteResponse } = input;
  if (quoteResponse === undefined || integers === 'exact') return { input, rounded: [] };
  const { quote, rounded } = withoutRounding(quoteResponse);
  return { input: { ...input, quoteResponse: quote }, rounded };
}

/** The client for the program that a request names. With a single client, the builder rejects quotes for other programs. */
function clientFor(clients: readonly HeavenClient[], input: ProgramInput): HeavenClient {
  const { programId, quoteResponse } = input;
  const wanted = programId ?? quoteResponse?.programId;
  const found = clients.find(({ deployment }) => deployment.programAddress === wanted);
  const [first] = clients as readonly [HeavenClient];
  if (found !== undefined) return found;
  if (programId === undefined && clients.length === 1) return first;
  const served = clients.map(({ deployment }) => deployment.programAddress);
  return refuse({
    status: 422,
    code: 'unknown-program-id',
    message: `program_id is ${String(wanted)}, and only ${served.join(' and ')} ${served.length > 1 ? 'are' : 'is'} served here.`,
    details: {
      field: programId === undefined ? 'quote_response.program_id' : 'program_id',
      expected: served.join(' or '),
    },
  });
}

// ---------------------------------------------------------------- answers

/** A response: the documented fields, and their `details`. */
interface Shown {
  readonly details?: object | undefined;
  readonly [field: string]: unknown;
}

/** The part of a function's result that a response shows. */
function shown(name: OperationName, result: Result, deployment: Deployment): Shown {
  if ('tx' in result) {
    const { warnings, size, requiredSigners, lifetime } = result;
    const shape = answerShape(name);
    const documented = Object.entries(result).filter(([field]) => Object.hasOwn(shape, field));
    const details = {
      warnings,
      size,
      requiredSigners,
      lastValidBlockHeight: lifetime.lastValidBlockHeight,
      instructions: describeInstructions(result, deployment),
    };
    return { ...Object.fromEntries(documented), details };
  }
  if ('minimumOut' in result) {
    // Many JSON libraries round large integers, so these are also sent as text.
    const { details, ...documented } = result;
    return { ...documented, details: { ...details, exact: exactAmounts(documented) } };
  }
  if (!('classification' in result)) return { ...result };
  const { details, ...data } = result;
  return { data, details };
}

/** Adds the oddities of the request. */
function withNotes(details: object | undefined, rounded: readonly RoundedAmount[], ignored: UnknownNames) {
  // A reader's JSON rounds both numbers to the same one.
  const changes = rounded.map(({ field, received, used }) => ({
    field: fieldPath(field),
    received,
    used: String(used),
  }));
  const inWords = changes.map(
    ({ field, received, used }) => `${field} ${received} became ${used}, which is not above what was quoted`,
  );
  const message = `The quote arrived rounded: ${inWords.join('; ')}. Pass details.exact on with the quote, or ask for it with ?integers=string.`;
  const notes = [
    ...(changes.length === 0 ? [] : [{ code: 'rounded-quote', message }]),
    ...ignoredFields(ignored),
  ];
  if (notes.length === 0) return details;
  const { warnings = [] } = (details ?? {}) as { readonly warnings?: readonly HeavenWarning[] };
  return {
    ...details,
    warnings: [...warnings, ...notes],
    rounded: changes.length === 0 ? undefined : changes,
    ignoredFields: ignored.count === 0 ? undefined : ignored.names,
  };
}
