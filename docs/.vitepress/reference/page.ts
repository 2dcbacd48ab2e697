import type { Group } from './groups.js';
import { type Entry, type Field, nameOfResult, type Overload, type Parameter } from './model.js';
import { unitOf, withoutUnit } from './units.js';

// Markdown of the reference's pages. Tables hold types with links, so what they show is escaped for Markdown and for Vue.

export interface Site {
  /** Where each name is described, as `page#anchor`. */
  readonly homes: ReadonlyMap<string, { readonly slug: string; readonly anchor: string }>;
  /** The codes that docs/errors.md explains, with their cause and what to do. */
  readonly errors: ReadonlyMap<string, string>;
  /** What each function throws, as its docstring says. */
  readonly throws: ReadonlyMap<string, string>;
  /** The path of the HTTP interface that calls a function. */
  readonly paths: Readonly<Record<string, string>>;
  /** The guides that use a function, as links. */
  readonly guides: (name: string, group: Group) => readonly string[];
  /** What each type is, in a sentence. */
  readonly about: ReadonlyMap<string, string>;
  /** Where each function, class and constant is imported from. */
  readonly imports: ReadonlyMap<string, string>;
}

export interface Page {
  readonly group: Group;
  readonly functions: readonly Entry[];
  /** Classes, constants and types. */
  readonly others: readonly Entry[];
}

const NAME = /[A-Za-z_]\w*/g;
/** The codes of a node's failures, in docstrings. */
export const NODE = 'rpc-…';
/** A code in a docstring. */
const CODE = /`([a-z]+(?:-(?:[a-z]+|…))*)`/g;
/** The codes in a docstring that the functions which it refers to throw, and this one doesn't. */
const EXCLUDED = /\b(?:but|except) `[a-z-]+`(?:(?:,| and| or) `[a-z-]+`)*/g;
/** Longer texts of inherited fields are cut in the tables of functions. */
const LONGEST_INHERITED = 160;
/** So many fields that a type inherits are a row with a link to the type that they are described with. */
const FEWEST_INHERITED = 3;
/** For more values of a discriminant, a row says only that it depends on that. */
const MOST_VALUES = 3;

/** The page of a group. */
export function pageOf(site: Site, { group, functions, others }: Page): string {
  const types = others.filter(({ name }) => site.homes.get(name)?.anchor === name);
  const list = functions.map(
    (one) => `| [\`${one.name}\`](#${one.name}) | ${cell(site, group, firstSentence(one.text))} |`,
  );
  return [
    `# ${group.title}`,
    group.lead,
    ...(list.length > 1 ? [['| Function | What it does |', '| --- | --- |', ...list].join('\n')] : []),
    ...functions.map((one) => functionOf(site, group, one)),
    ...(types.length > 0 ? ['## Types and constants', ...types.map((one) => typeOf(site, group, one))] : []),
    '',
  ].join('\n\n');
}

/** The page that lists all others. */
export function indexOf(site: Site, pages: readonly Page[]): string {
  return [
    '# API reference',
    'Grouped by what you want to do. The search finds each function by its name.',
    'In the examples, `client` is a [client](./client.md#createHeavenClient), `mint`, `pool`, `payer` and the like are addresses of yours, `quote` is a quote, and `built` is what a builder returned.',
    ...pages.map(({ group, functions }) =>
      [
        `## [${group.title}](./${group.slug}.md)`,
        '',
        ...(functions.length === 0
          ? [group.lead]
          : [
              '| Function | What it does |',
              '| --- | --- |',
              ...functions.map(
                (one) =>
                  `| [\`${one.name}\`](./${group.slug}.md#${one.name}) | ${cell(site, undefined, firstSentence(one.text))} |`,
              ),
            ]),
      ].join('\n'),
    ),
    '',
  ].join('\n\n');
}

/** The first sentence of a docstring: what a list shows. */
export function firstSentence(text: string): string {
  const [paragraph = ''] = text.split(/\n\s*\n/);
  const flat = paragraph.replace(/\s+/g, ' ');
  return /^.*?[.:](?=\s+[A-Z`{]|$)/.exec(flat)?.[0].replace(/:$/, '.') ?? flat;
}

function functionOf(site: Site, group: Group, entry: Entry): string {
  // The client is the same everywhere: the first page of the reference says what it is.
  const parameters = entry.parameters.filter(({ name }) => name !== 'client');
  const returned = nameOfResult(entry.returns);
  const path = site.paths[entry.name];
  const guides = site.guides(entry.name, group);
  return [
    `## ${entry.name} {#${entry.name}}`,
    prose(site, group, entry.text),
    ['**Usage**', `\`\`\`ts\n${usageOf(site, entry)}\n\`\`\``].join('\n\n'),
    ...(parameters.length === 0
      ? []
      : ['**Parameters**', tableOf(parameters.flatMap((one) => parameterRows(site, group, entry, one)))]),
    `**Returns** ${typeCode(site, group, entry.returns)}. ${prose(site, group, entry.returnsText)}`.trim(),
    ...(entry.fields.length === 0
      ? []
      : [
          tableOf(
            // A result that has nothing of its own is that of many functions.
            entry.fields.every((field) => baseOf(site, field, returned))
              ? rowsOf(site, group, entry, entry.fields, returned)
              : entry.fields.map((field) => rowOf(site, group, entry, field, returned)),
          ),
        ]),
    ...entry.overloads.map((one) => overloadOf(site, group, entry, one)),
    throwsOf(site, group, entry.throws),
    ...(path === undefined ? [] : [`**HTTP** [\`POST ${path}\`](../http.md#the-paths)`]),
    ...(guides.length === 0 ? [] : [`**Guides** ${guides.join(', ')}`]),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** The rows of a parameter: itself, and the fields that are described with the function. */
function parameterRows(site: Site, group: Group, entry: Entry, parameter: Parameter): readonly string[] {
  const { name, type, fields } = parameter;
  const inner = neededFirst(fields).map((field) => ({ ...field, name: `${name}.${field.name}` }));
  return [parameter, ...inner].map((field) => rowOf(site, group, entry, field, nameOfResult(type)));
}

/** Another way to call a function: what differs from the first one. */
function overloadOf(site: Site, group: Group, entry: Entry, { text, parameters, returns }: Overload): string {
  return [
    `**Overload** ${prose(site, group, text)}`.trim(),
    tableOf(parameters.flatMap((one) => parameterRows(site, group, entry, one))),
    `Returns ${typeCode(site, group, returns)}.`,
  ].join('\n\n');
}

/** The example with its imports. What it doesn't declare, such as `client`, is explained on the first page of the reference. */
function usageOf(site: Site, { name, example }: Entry): string {
  const declared = new Set(
    [...example.matchAll(/^import .*;$/gm)].flatMap(([line]) => line.match(NAME) ?? []),
  );
  const used = example.replace(/\/\/ .*$/gm, '').match(NAME) ?? [];
  const named = new Map<string, string[]>();
  for (const word of new Set([name, ...used])) {
    const from = site.imports.get(word);
    if (from !== undefined && !declared.has(word)) named.set(from, [...(named.get(from) ?? []), word]);
  }
  const imports = [...named].map(([from, words]) => `import { ${words.join(', ')} } from '${from}';`);
  const separator = example.startsWith('import ') ? '\n' : '\n\n';
  return imports.length === 0 ? example : `${imports.join('\n')}${separator}${example}`;
}

const NEEDS = ['required', 'either', 'optional'] as const;

const neededFirst = (fields: readonly Field[]): readonly Field[] =>
  NEEDS.flatMap((need) => fields.filter((field) => field.need === need));

function typeOf(site: Site, group: Group, entry: Entry): string {
  const isWord = entry.fields.length === 0 || entry.kind === 'constant';
  return [
    `### ${entry.name} {#${entry.name}}`,
    prose(site, group, entry.text),
    ...(isWord && entry.signature !== '' ? [typeCode(site, group, entry.signature)] : []),
    ...(entry.fields.length === 0 || entry.kind === 'constant'
      ? []
      : [tableOf(rowsOf(site, group, entry, entry.fields, entry.name))]),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

const tableOf = (rows: readonly string[]) => ['| Field | Description |', '| --- | --- |', ...rows].join('\n');

/** The type that a table inherits a field from, if it is described elsewhere. */
const baseOf = (site: Site, { from }: Field, owner: string): string | undefined =>
  from !== owner && from !== undefined && site.homes.get(from)?.anchor === from ? from : undefined;

/** The fields of a type with their units. What it inherits from a type that is described elsewhere is one row. */
function rowsOf(
  site: Site,
  group: Group,
  entry: Entry,
  fields: readonly Field[],
  owner: string,
): readonly string[] {
  const inherited = new Map<string, Field[]>();
  for (const field of fields) {
    const from = baseOf(site, field, owner);
    if (from !== undefined) inherited.set(from, [...(inherited.get(from) ?? []), field]);
  }
  const isElsewhere = ({ from = '' }: Field) => (inherited.get(from)?.length ?? 0) >= FEWEST_INHERITED;
  const own = fields
    .filter((field) => !isElsewhere(field))
    .map((field) => rowOf(site, group, entry, field, owner));
  const links = [...inherited].flatMap(([from, some]) => {
    if (some.length < FEWEST_INHERITED) return [];
    const names = some.map(({ name, need }) => `\`${lastOf(name)}\`${need === 'required' ? '' : '?'}`);
    return [`| and ${typeCode(site, group, from)} | ${names.join(', ')} |`];
  });
  return [...own, ...links];
}

const lastOf = (name: string) => name.split('.').at(-1) ?? name;

/** A row of a table. What a type that is described elsewhere says of its field is its first sentence here, with a link to the rest. */
function rowOf(site: Site, group: Group, entry: Entry, field: Field, owner: string): string {
  const { name, type, need, text: whole } = field;
  const from = baseOf(site, field, owner);
  const text =
    from && whole.length > LONGEST_INHERITED ? `${firstSentence(whole)} {@link ${from} More}` : whole;
  const unit = field.isMethod ? undefined : unitOf({ ...field, name: lastOf(name) }, entry.text);
  const mark = unit === undefined ? '' : ` <span class="unit">${unit}</span>`;
  const about = cell(site, group, withoutUnit(text) || (site.about.get(nameOfResult(type)) ?? ''));
  const named = need === 'required' ? name : `${name}?`;
  const shown = field.isMethod
    ? typeCode(site, group, `${named}${type}`)
    : `${nameCode(named)}<br>${typeCode(site, group, type)}${mark}`;
  return `| ${shown} | ${[conditionOf(field), about].filter((part) => part !== '').join(' ')} |`;
}

const orList = (words: readonly string[]) => words.join(', ').replace(/, ([^,]*)$/, ' or $1');

/** When a field that not all alternatives of a type have is there. */
function conditionOf({ when, isChoice }: Field): string {
  const values = when?.values.map((value) => `\`${value}\``) ?? [];
  const isShort = values.length <= MOST_VALUES;
  return [
    ...(when === undefined
      ? []
      : [isShort ? `Only if \`${when.name}\` is ${orList(values)}.` : `Depends on \`${when.name}\`.`]),
    ...(isChoice ? ['One of these.'] : []),
  ].join(' ');
}

/** A name that breaks at its dots. */
const nameCode = (name: string) => `<code>${name.replaceAll('.', '.<wbr>')}</code>`;

/** The codes in a docstring, and in those of the functions whose errors it refers to. */
function codesIn(site: Site, text: string, seen: ReadonlySet<string> = new Set()): readonly string[] {
  const excluded = new Set([...text.matchAll(EXCLUDED)].flatMap(([codes]) => codes.match(CODE) ?? []));
  const own = [...text.matchAll(CODE)].flatMap(([, code = '']) => (site.errors.has(code) ? [code] : []));
  const others = [...text.matchAll(/\{@link (\w+)/g)].flatMap(([, name = '']) =>
    seen.has(name) ? [] : codesIn(site, site.throws.get(name) ?? '', new Set([...seen, name])),
  );
  return [...new Set([...own, ...others])].filter((code) => !excluded.has(`\`${code}\``));
}

/** What a function throws, and what to do about each code. */
function throwsOf(site: Site, group: Group, text: string): string {
  if (text === '') return '';
  const linked = prose(site, group, text).replace(CODE, (all, code: string) =>
    site.errors.has(code)
      ? `[\`${code}\`](../errors.md#${code === NODE ? 'the-node-or-the-service' : code})`
      : all,
  );
  const rows = codesIn(site, text).map((code) => `| \`${code}\` | ${site.errors.get(code)} |`);
  const table = rows.length === 0 ? [] : [['| Error | What to do |', '| --- | --- |', ...rows].join('\n')];
  return [`**Throws** ${linked}`, ...table].join('\n\n');
}

/** A docstring as Markdown, with its links. */
function prose(site: Site, group: Group | undefined, text: string): string {
  return text.replace(/\{@link (\w+)(?:[ |]+([^}]*))?\}/g, (_, name: string, words?: string) =>
    linkTo(site, group, name, words?.trim() || `\`${name}\``),
  );
}

function linkTo(site: Site, group: Group | undefined, name: string, words: string): string {
  const home = site.homes.get(name);
  if (home === undefined) return words;
  const page = home.slug === group?.slug ? '' : `./${home.slug}.md`;
  return `[${words}](${page}#${home.anchor})`;
}

const cell = (site: Site, group: Group | undefined, text: string) =>
  prose(site, group, text)
    .replace(/\n\s*- /g, '<br>• ')
    .replace(/\s*\n\s*/g, ' ')
    .replaceAll('|', '\\|');

const ENTITIES: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;' };
const escaped = (text: string) =>
  text.replace(/[<>&|[\]{}*_`\\~$]/g, (sign) => ENTITIES[sign] ?? `&#${sign.charCodeAt(0)};`);

/** A type in code, with a link for each name that is described somewhere. */
function typeCode(site: Site, group: Group, type: string): string {
  let shown = '';
  let end = 0;
  for (const { 0: name, index } of type.matchAll(NAME)) {
    const isProperty = /^\??: /.test(type.slice(index + name.length)) || /['"]/.test(type[index - 1] ?? '');
    shown += escaped(type.slice(end, index));
    shown += isProperty || !site.homes.has(name) ? escaped(name) : linkTo(site, group, name, escaped(name));
    end = index + name.length;
  }
  return `<code>${shown}${escaped(type.slice(end))}</code>`;
}
