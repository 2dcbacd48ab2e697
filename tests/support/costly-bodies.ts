// The most expensive bodies of each path, made from the OpenAPI document: each fills the limit with what takes long to read, to compare
// or to reject.

/** The parts of a JSON schema that the document uses. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly maxItems?: number;
}

interface RequestBody {
  readonly content: {
    readonly 'application/json': { readonly schema: JsonSchema; readonly example: object };
  };
}

export interface OpenApi {
  readonly paths: Readonly<Record<string, { readonly post?: { readonly requestBody: RequestBody } }>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

export interface CostlyBody {
  /** Where it is costly, and how. */
  readonly kind: string;
  readonly body: string;
}

/** JSON text of at most so many bytes. */
type Filler = (room: number) => string;

const repeat = (text: string, room: number) => text.repeat(Math.max(1, Math.floor(room / text.length)));
const list =
  (item: string): Filler =>
  (room) =>
    `[${repeat(`${item},`, room - 2).slice(0, -1)}]`;
const members =
  (nameOf: (index: number) => string, value = '1'): Filler =>
  (room) => {
    let text = '';
    for (let index = 0; ; index++) {
      const member = `${index > 0 ? ',' : ''}"${nameOf(index)}":${value}`;
      if (index > 0 && text.length + member.length > room - 2) return `{${text}}`;
      text += member;
    }
  };

const FILLERS: Readonly<Record<string, Filler>> = {
  'a long text': (room) => `"${'z'.repeat(room - 2)}"`,
  'letters outside ASCII': (room) => `"${'é'.repeat((room - 2) / 2)}"`,
  'half pairs': (room) => `"${repeat('\\ud800', room - 2)}"`,
  'escaped letters': (room) => `"${repeat('\\u0061', room - 2)}"`,
  'escaped quotes': (room) => `"${repeat('\\"', room - 2)}"`,
  digits: (room) => '9'.repeat(room),
  'digits in a text': (room) => `"${'9'.repeat(room - 2)}"`,
  'zeros in front': (room) => `"${'0'.repeat(room - 3)}1"`,
  'a long fraction': (room) => `1.${'0'.repeat(room - 3)}1`,
  'a fraction of zeros': (room) => `1.${'0'.repeat(room - 2)}`,
  'a long exponent': (room) => `1e${'9'.repeat(room - 2)}`,
  'a large exponent': () => '1e999999999',
  'a small exponent': (room) => `${'9'.repeat(room - 5)}e-999`,
  'nested lists': (room) => '['.repeat(room / 2) + ']'.repeat(room / 2),
  'nested objects': (room) => `${repeat('{"a":', (room * 5) / 6 - 1)}1${repeat('}', room / 6 - 1)}`,
  'lists that stay open': (room) => '['.repeat(room),
  numbers: list('1'),
  'long numbers': list('9'.repeat(40)),
  fractions: list('0.5'),
  texts: list('""'),
  'escaped texts': list('"\\n"'),
  nulls: list('null'),
  'empty lists': list('[]'),
  'empty objects': list('{}'),
  objects: list('{"a":1}'),
  'objects that name a key twice': list('{"a":1,"a":1}'),
  names: members((index) => `q${index}`),
  'names that are numbers': members(String),
  'escaped names': members((index) => `\\u0071${index}`),
  'a name many times': members(() => 'q'),
  'a name many times, for objects': members(() => 'q', '{"a":[1,{}]}'),
};

/** As long as any name that is compared with known ones. */
const LONGEST_NAME = 60;

/** Names that resemble known ones, or take long to compare with them. */
const misspelt = (known: readonly string[]): Readonly<Record<string, (index: number) => string>> => {
  const longest = [...known].sort((a, b) => b.length - a.length);
  const name = (index: number) => longest[index % longest.length] ?? '';
  return {
    'names that are longer': (index) => `${name(index)}${'x'.repeat(1 + (index % 3))}`,
    'names that start differently': (index) => `${index}${name(index).slice(1)}`,
    'long names': (index) => `${name(0)}${index}`.padEnd(LONGEST_NAME, 'x'),
    'long names of underscores': (index) => String(index).padEnd(LONGEST_NAME, '_'),
  };
};

/** The costly bodies of a path, each of at most so many bytes. */
export function costlyBodies(document: OpenApi, path: string, maxBytes: number): readonly CostlyBody[] {
  const { schema, example } = contentOf(document, path);
  const resolve = (one: JsonSchema): JsonSchema => {
    const named = one.$ref === undefined ? one : document.components.schemas[one.$ref.split('/').at(-1)!]!;
    const present = named.anyOf?.find(({ type }) => type !== 'null');
    return present === undefined ? named : resolve(present);
  };
  const root = resolve(schema);

  const seen = new Set<string>();
  /** The fields, without those that take the same as another one. */
  const fieldsIn = (one: JsonSchema, at: readonly string[]): readonly Field[] => {
    const key = JSON.stringify({ ...one, description: '', default: 0 });
    const own = seen.has(key) ? [] : [{ at, schema: one }];
    seen.add(key);
    const inner = Object.entries(one.properties ?? {}).flatMap(([name, field]) =>
      fieldsIn(resolve(field), [...at, name]),
    );
    return [...own, ...inner, ...(one.items === undefined ? [] : fieldsIn(resolve(one.items), [...at, '0']))];
  };

  /** The example before and after a field's value. */
  const around = ([name, ...rest]: readonly string[], value: unknown): readonly [string, string] => {
    if (name === undefined) return ['', ''];
    if (name === '0') {
      const [before, after] = around(rest, undefined);
      return [`[${before}`, `${after}]`];
    }
    const { [name]: own, ...others } = (value ?? {}) as Readonly<Record<string, unknown>>;
    const [before, after] = around(rest, own);
    const text = JSON.stringify(others).slice(0, -1);
    return [`${text}${text === '{' ? '' : ','}"${name}":${before}`, `${after}}`];
  };

  const bodies: CostlyBody[] = [];
  const add = (kind: string, [before, after]: readonly [string, string], filler: Filler) => {
    let room = maxBytes - before.length - after.length;
    let body: string;
    do body = `${before}${filler(room--)}${after}`;
    while (Buffer.byteLength(body) > maxBytes);
    bodies.push({ kind, body });
  };
  const addAll = (where: string, place: readonly [string, string], wrap: (filler: Filler) => Filler) => {
    for (const [kind, filler] of Object.entries(FILLERS)) add(`${where}: ${kind}`, place, wrap(filler));
  };

  for (const { at, schema: field } of fieldsIn(root, [])) {
    const place = around(at, example);
    const where = at.join('.') || 'the body';
    addAll(where, place, (filler) => filler);
    for (const [kind, nameOf] of Object.entries(misspelt(Object.keys(field.properties ?? {}))))
      add(`${where}: ${kind}`, place, members(nameOf));
    if (field.items === undefined) continue;
    // As many items as are allowed, and too many.
    const most = field.maxItems ?? 1;
    const known = Object.keys(resolve(field.items).properties ?? {});
    const full =
      (item: Filler): Filler =>
      (room) =>
        `[${Array(most).fill(item(Math.floor((room - 2) / most) - 1))}]`;
    const item = (value: string) => `{${known.map((name) => `"${name}":${value}`)}}`;
    add(`${where}: too many items`, place, list(item('1')));
    const ones = () => item('1');
    add(`${where}: as many items as are allowed`, place, full(ones));
    for (const [kind, nameOf] of Object.entries(misspelt(known))) {
      add(`${where}: too many items, ${kind}`, place, list(`{"${nameOf(0)}":1}`));
      add(`${where}: items, ${kind}`, place, full(members(nameOf)));
    }
    addAll(`${where}: items`, place, (filler) =>
      full((room) => item(filler(Math.floor((room - item('').length) / known.length)))),
    );
  }
  const beside: readonly [string, string] = [JSON.stringify(example).slice(0, -1), '}'];
  add('beside the request: spaces', beside, (room) => ' '.repeat(room));
  for (const [kind, nameOf] of Object.entries(misspelt(Object.keys(root.properties ?? {}))))
    add(`beside the request: ${kind}`, beside, (room) => `,${members(nameOf)(room + 1).slice(1, -1)}`);
  return bodies;
}

interface Field {
  readonly at: readonly string[];
  readonly schema: JsonSchema;
}

const contentOf = (document: OpenApi, path: string) =>
  document.paths[path]!.post!.requestBody.content['application/json'];

/** The paths that take a body. */
export const pathsOf = (document: OpenApi): readonly string[] =>
  Object.keys(document.paths).filter((path) => document.paths[path]?.post !== undefined);

/** A valid body of a path, filled up with spaces. */
export function validBody(document: OpenApi, path: string, bytes = 0): string {
  const body = JSON.stringify(contentOf(document, path).example);
  return body + ' '.repeat(Math.max(0, bytes - Buffer.byteLength(body)));
}
