import { inputError } from './input.js';
import { shortened } from './shown.js';

/** The original text of a JSON number that is not an integer, or is very long. */
export class JsonDecimal {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

/** No real integer is this long, and converting one takes time. */
const MAX_DIGITS = 40;

/** No real value is nested as deeply. */
const MAX_LEVELS = 64;

const TEXT = /"[^"\\]*(?:\\.[^"\\]*)*"/y;
/** Strings that are left to the engine's own parser: a backslash or a control character. */
const ESCAPED = /[^ -[\]-\uffff]/;
const WORD = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const SPACE = /[ \t\n\r]*/y;

/** A name in an object, its value, and where they begin and end. */
type Member = readonly [name: string, item: unknown, start: number, end: number];

/**
 * Reads JSON text, each number by `number`. Objects have only the fields in the text, including `__proto__`. Of a key that is named
 * twice, the last value counts, unless `look` throws.
 *
 * @throws {SyntaxError} for malformed JSON
 * @throws {RangeError} for values that are nested too deeply
 */
function read(
  text: string,
  number: (digits: string) => unknown,
  look?: (members: readonly Member[]) => void,
): unknown {
  let at = 0;
  let levels = 0;
  const fail = (): never => {
    const next = text.codePointAt(at);
    const found = next === undefined ? 'it ends early' : `unexpected '${String.fromCodePoint(next)}'`;
    throw new SyntaxError(`${found} at position ${at}`);
  };
  const take = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    if (!pattern.test(text)) fail();
    const from = at;
    at = pattern.lastIndex;
    return text.slice(from, at);
  };
  const skip = () => {
    if (text.charCodeAt(at) <= 0x20) take(SPACE);
  };
  const isNext = (character: string): boolean => {
    skip();
    if (text[at] !== character) return false;
    at++;
    return true;
  };
  const items = (close: string, item: () => void) => {
    at++;
    if (isNext(close)) return;
    levels++;
    if (levels > MAX_LEVELS) throw new RangeError(`more than ${MAX_LEVELS} levels`);
    do item();
    while (isNext(','));
    if (!isNext(close)) fail();
    levels--;
  };
  const string = (): string => {
    const start = at;
    const written = take(TEXT);
    if (!ESCAPED.test(written)) return written.slice(1, -1);
    try {
      return JSON.parse(written) as string;
    } catch {
      at = start;
      return fail();
    }
  };
  const value = (): unknown => {
    skip();
    const first = text[at];
    if (first === '"') return string();
    if (first === '[') {
      const list: unknown[] = [];
      items(']', () => list.push(value()));
      return list;
    }
    if (first === '{') {
      const members: Member[] = [];
      items('}', () => {
        skip();
        const start = at;
        const name = string();
        if (!isNext(':')) fail();
        members.push([name, value(), start, at]);
      });
      look?.(members);
      return Object.fromEntries(members);
    }
    const word = take(WORD);
    return word >= 'f' ? JSON.parse(word) : number(word);
  };
  const result = value();
  skip();
  return at < text.length ? fail() : result;
}

/**
 * Parses JSON without losing a digit: an integer becomes a `bigint`, any other number keeps its text. Objects have only the
 * fields in the text, including `__proto__`.
 *
 * @throws {SyntaxError} for malformed JSON, and for an object that names a key twice with different values
 * @throws {RangeError} for values that are nested too deeply
 * @example
 * ```ts
 * const quote = parseJson('{"minimum_out":65302769914833999,"max_sol_spend":1.5}');
 * console.log(stringifyJson(quote)); // {"minimum_out":65302769914833999,"max_sol_spend":1.5}
 * ```
 */
export function parseJson(text: string): unknown {
  if (typeof text !== 'string') throw inputError('text', 'text must be a string.');
  return read(
    text,
    (digits) =>
      digits.length <= MAX_DIGITS && /^-?\d+$/.test(digits) ? BigInt(digits) : new JsonDecimal(digits),
    (members) => assertOneValueEach(members, text),
  );
}

/** Rejects a key that is named twice with different values. */
function assertOneValueEach(members: readonly Member[], text: string): void {
  /** The value of each name, and its last text: a hostile object names it a thousand times. */
  const known = new Map<string, { readonly item: unknown; readonly written: string }>();
  for (const [name, item, start, end] of members) {
    const written = text.slice(start, end);
    const other = known.get(name);
    if (other !== undefined && written !== other.written && !isSame(item, other.item))
      throw new SyntaxError(`'${shortened(name)}' at position ${start} appears twice, with different values`);
    known.set(name, { item, written });
  }
}

const isSame = (a: unknown, b: unknown): boolean => stringifyJson(a) === stringifyJson(b);

/** An integer that a `number` may not hold exactly. */
const LONG_INTEGER = /^-?\d{16,40}$/;

/**
 * Parses a node's JSON: an integer that a `number` may not hold exactly becomes a `bigint`, any other number a `number`. Kit itself
 * converts the shorter ones that should be.
 *
 * @throws {SyntaxError} for malformed JSON
 * @throws {RangeError} for values that are nested too deeply
 */
export const parseRpcJson = (text: string): unknown =>
  read(text, (digits) => (LONG_INTEGER.test(digits) ? BigInt(digits) : Number(digits)));

/**
 * A value as JSON text. A `bigint` becomes an integer with all of its digits.
 *
 * @example
 * ```ts
 * console.log(stringifyJson({ amount: 65_302_769_914_833_999n })); // {"amount":65302769914833999}
 * ```
 */
export const stringifyJson = (value: unknown): string => write(value, String) ?? 'null';

/** {@link stringifyJson} for callers whose JSON rounds integers: those over 2^53 become strings of digits. */
export const stringifyJsonWithStrings = (value: unknown): string =>
  write(value, (integer) => (integer > Number.MAX_SAFE_INTEGER ? `"${integer}"` : String(integer))) ?? 'null';

/** JSON text, or `undefined` for values that JSON leaves out. */
function write(value: unknown, integer: (value: bigint) => string): string | undefined {
  if (typeof value === 'bigint') return integer(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (value instanceof JsonDecimal) return value.toString();
  if (Array.isArray(value)) return `[${value.map((item) => write(item, integer) ?? 'null').join()}]`;
  if ('toJSON' in value && typeof value.toJSON === 'function') return write(value.toJSON(), integer);
  let text = '';
  for (const [name, item] of Object.entries(value)) {
    const written = write(item, integer);
    if (written !== undefined) text += `${text && ','}${JSON.stringify(name)}:${written}`;
  }
  return `{${text}}`;
}
