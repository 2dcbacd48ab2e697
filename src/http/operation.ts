import type { Deployment, HeavenClient } from '../client.js';
import { hasNoField, ignoredFields, misspelt, type UnknownNames, unknownNames } from '../input.js';
import { builders, type OperationName, type Operations, readers } from '../operations.js';
import { describeInstructions } from '../review/read-step.js';
import type { MintSignerSource } from '../standard/create-standard-liquidity-pool.js';
import { allInstructions } from '../transaction/assemble.js';
import type { HeavenWarning } from '../warnings.js';
import { jsonTextOf } from './body.js';
import { refuse } from './errors.js';
import { type HttpDocument, JSON_HEADERS } from './exchange.js';
import { parseJson, stringifyJson, stringifyJsonWithStrings } from './json.js';
import { fieldPath, snakeCaseKeys } from './names.js';
import { exactAmounts, type ReceivedQuote, type RoundedAmount, withoutRounding } from './rounded-quote.js';
import { answerShape } from './schemas/index.js';
import { decodeRequest, requestNames } from './schemas/requests.js';
import { textsInInterfaceNames } from './texts.js';
import type { Work } from './time-limit.js';

type Input<TName extends OperationName> = Parameters<Operations[TName]>[1];
type Result<TName extends OperationName> = Awaited<ReturnType<Operations[TName]>>;
type Functions = {
  readonly [TName in OperationName]: (client: HeavenClient, input: Input<TName>) => Promise<Result<TName>>;
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
  return async <TName extends OperationName>(
    name: TName,
    request: Request,
    work: Work,
  ): Promise<HttpDocument> => {
    const { body, integers } = await bodyOf(request, work, maxBodyBytes);
    const { abortSignal } = work;
    const { input: received, ignored } = validated(name, body);
    const { rounded, input } = unrounded(received, integers);
    const client = clientFor(clients, input);
    const own = name === 'buildCreateStandardLiquidityPool' ? { abortSignal, mintSigner } : { abortSignal };
    // The program is the client's.
    const result = await functions[name](client, { ...input, ...own, programId: undefined });
    const answer = shown(name, result, client.deployment);
    return answered(answer, { rounded, ignored, integers });
  };
}

// ---------------------------------------------------------------- requests

/** How a caller's JSON treats integers over 2^53: `string` asks for text, `exact` means that it keeps all digits. */
type Integers = 'string' | 'exact' | undefined;

function integersOf(url: string): Integers {
  if (!url.includes('?')) return undefined;
  const value = new URL(url).searchParams.get('integers');
  if (value === null || value === 'string' || value === 'exact') return value ?? undefined;
  return refuse({
    status: 400,
    code: 'invalid-request',
    message: `integers must be string or exact; got ${JSON.stringify(value.slice(0, 60))}.`,
    details: { fields: [{ field: 'integers', message: 'must be string or exact' }] },
  });
}

/** The body of a request, and how to treat its integers. */
async function bodyOf(request: Request, work: Work, maxBodyBytes: number) {
  const integers = integersOf(request.url);
  return { body: parsed(await jsonTextOf(request, work, maxBodyBytes)), integers };
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

/** The input of a request, and the unknown names at its top, which are ignored. */
function validated<TName extends OperationName>(
  name: TName,
  body: unknown,
): { readonly input: Input<TName>; readonly ignored: UnknownNames } {
  const known = requestNames(name);
  const decoded = decodeRequest(name, body);
  const ignored = unknownNames(typeof body === 'object' && body !== null ? body : {}, known);
  const wrong = misspelt(ignored, known);
  if ('value' in decoded && wrong.length === 0) return { input: decoded.value, ignored };
  const fields = [
    ...('problems' in decoded ? decoded.problems : []).map(({ path, message }) => ({
      field: path || 'body',
      message,
    })),
    ...wrong.map((unknown) => ({ field: 'body', message: hasNoField(unknown, known) })),
  ];
  return refuse({
    status: 400,
    code: 'invalid-request',
    message: fields.map(({ field, message }) => `${field} ${message}`).join('; '),
    details: { fields },
  });
}

/** The program that a request names. */
interface ProgramInput {
  readonly programId?: unknown;
  readonly quoteResponse?: ReceivedQuote & { readonly programId?: unknown };
}

/** A checked request. Replaces quote amounts that a double may have rounded up. */
function unrounded<TInput extends object>(
  input: TInput & ProgramInput,
  integers: Integers,
): { readonly input: TInput & ProgramInput; readonly rounded: readonly RoundedAmount[] } {
  const { quoteResponse } = input;
  if (quoteResponse === undefined || integers === 'exact') return { input, rounded: [] };
  const { quote, rounded } = withoutRounding(quoteResponse);
  return { input: { ...input, quoteResponse: quote }, rounded };
}

/** The client for the program that a request names. With a single client, the builder rejects quotes for other programs. */
function clientFor(
  clients: readonly HeavenClient[],
  { programId, quoteResponse }: ProgramInput,
): HeavenClient {
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
function shown(name: OperationName, result: Result<OperationName>, deployment: Deployment): Shown {
  if ('tx' in result) {
    const { warnings, size, requiredSigners, lifetime } = result;
    const shape = answerShape(name);
    const documented = Object.entries(result).filter(([field]) => Object.hasOwn(shape, field));
    const details = {
      warnings,
      size,
      requiredSigners,
      lastValidBlockHeight: lifetime.lastValidBlockHeight,
      instructions: describeInstructions(allInstructions(result), deployment),
    };
    return { ...Object.fromEntries(documented), details };
  }
  if ('minimumOut' in result) {
    // Many JSON libraries round large integers, so these are also sent as text.
    const { details, ...documented } = result;
    return { ...documented, details: { ...details, exact: exactAmounts(documented) } };
  }
  return 'classification' in result ? { data: result } : { ...result };
}

/** Oddities in a request that the response mentions. */
interface Notes {
  readonly rounded: readonly RoundedAmount[];
  readonly ignored: UnknownNames;
}

/** The document of an answer. */
function answered(
  { details, ...documented }: Shown,
  { integers, ...notes }: Notes & { readonly integers: Integers },
): HttpDocument {
  const noted = withNotes(textsInInterfaceNames(details) as object | undefined, notes);
  const answer = snakeCaseKeys(noted === undefined ? documented : { ...documented, details: noted });
  const write = integers === 'string' ? stringifyJsonWithStrings : stringifyJson;
  return { headers: JSON_HEADERS, body: write(answer) };
}

/** Adds the oddities of the request. */
function withNotes(details: object | undefined, { rounded, ignored }: Notes): object | undefined {
  if (rounded.length === 0 && ignored.count === 0) return details;
  const { warnings = [] } = (details ?? {}) as { readonly warnings?: readonly HeavenWarning[] };
  const warning = {
    code: 'rounded-quote',
    message: `The quote arrived rounded: ${rounded.map(({ field, received, used }) => `${fieldPath(field)} ${received} became ${used}, which is not above what was quoted`).join('; ')}. Pass details.exact on with the quote, or ask for it with ?integers=string.`,
  };
  return {
    ...details,
    warnings: [...warnings, ...(rounded.length === 0 ? [] : [warning]), ...ignoredFields(ignored)],
    ...(rounded.length === 0
      ? {}
      : { rounded: rounded.map((amount) => ({ ...amount, field: fieldPath(amount.field) })) }),
    ...(ignored.count === 0 ? {} : { ignoredFields: ignored.names }),
  };
}
