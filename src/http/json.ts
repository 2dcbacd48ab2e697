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
const MOST_DIGITS = 40;

/** No real value is nested as deeply. */
const MOST_LEVELS = 64;

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const TEXT = /"[^"\\]*(?:\\.[^"\\]*)*"/y;
/** Strings that are left to the engine's own parser: a backslash or a control character. */
const ESCAPED = /[^ -[\]-\uffff]/;
const WORD = /true|false|null/y;
const SPACE = /[ \t\n\r]*/y;

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
    const code = text.charCodeAt(at);
    if (code <= 0x20) take(SPACE);
  };
  const isNext = (character: string): boolean => {
    skip();
    if (text[at] !== character) return false;
    at++;
    return true;
  };
  const expect = (character: string) => isNext(character) || fail();
  const items = (close: string, item: () => void) => {
    at++;
    if (isNext(close)) return;
    levels++;
    if (levels > MOST_LEVELS) throw new RangeError(`more than ${MOST_LEVELS} levels`);
    do item();
    while (isNext(','));
    expect(close);
    levels--;
  };
  const string = (): string => {
    if (text[at] !== '"') fail();
    const start = at;
    const end = text.indexOf('"', at + 1);
    const plain = text.slice(at + 1, end);
    if (end > 0 && !ESCAPED.test(plain)) {
      at = end + 1;
      return plain;
    }
    const written = take(TEXT);
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
    if (first === '{') {
      const object: Record<string, unknown> = {};
      /** The text of the last value that was named again: a hostile object names it a thousand times. */
      let again: string | undefined;
      items('}', () => {
        skip();
        const start = at;
        const name = string();
        expect(':');
        const item = value();
        if (Object.hasOwn(object, name)) {
          const written = text.slice(start, at);
          if (written === again || isSame(object[name], item)) {
            again = written;
            return;
          }
          throw new SyntaxError(
            `'${name.slice(0, 60)}' at position ${start} appears twice, with different values`,
          );
        }
        if (name === '__proto__') Object.defineProperty(object, name, { ...OWN, value: item });
        else object[name] = item;
      });
      return object;
    }
    if (first === '[') {
      const list: unknown[] = [];
      items(']', () => list.push(value()));
      return list;
    }
    if (first === 't' || first === 'f' || first === 'n') return JSON.parse(take(WORD));
    const digits = take(NUMBER);
    return digits.length <= MOST_DIGITS && /^-?\d+$/.test(digits) ? BigInt(digits) : new JsonDecimal(digits);
  };
  const result = value();
  skip();
  return at < text.length ? fail() : result;
}

const OWN = { configurable: true, enumerable: true, writable: true };

const isSame = (a: unknown, b: unknown): boolean => a === b || stringifyJson(a) === stringifyJson(b);

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
