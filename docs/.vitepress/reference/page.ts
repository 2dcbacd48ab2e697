import type { Group } from './groups.js';
import type { Entry, Field } from './model.js';
import { unitOf, withoutUnit } from './units.js';

// Markdown of the reference's pages. Tables hold types with links, so what they show is escaped for Markdown and for Vue.

/** What docs/errors.md says of a code. */
export interface ErrorRow {
  readonly what: string;
  readonly remedy: string;
}

export interface Site {
  /** Where each name is described, as `page#anchor`. */
  readonly homes: ReadonlyMap<string, { readonly slug: string; readonly anchor: string }>;
  readonly errors: ReadonlyMap<string, ErrorRow>;
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
/** A code in a docstring, with what is said of it in brackets. */
const CODE = /`([a-z]+(?:-[a-z]+)*)`(?:\s+\(([^()]*)\))?/g;

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
  const { parameters } = entry;
  const rows = parameters.flatMap((one) => [
    one,
    ...neededFirst(one.fields).map((field) => ({ ...field, name: `${one.name}.${field.name}` })),
  ]);
  return [
    `## ${entry.name} {#${entry.name}}`,
    prose(site, group, entry.text),
    ['**Usage**', `\`\`\`ts\n${usageOf(site, entry)}\n\`\`\``].join('\n\n'),
    ...(rows.length === 0 ? [] : ['**Parameters**', fieldTable(site, group, entry, rows)]),
    `**Returns** ${typeCode(site, group, entry.returns)}. ${prose(site, group, entry.returnsText)}`.trim(),
    ...(entry.fields.length === 0 ? [] : [fieldTable(site, group, entry, entry.fields, 'result')]),
    ...throwsOf(site, group, entry.throws),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
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
      : [fieldTable(site, group, entry, entry.fields, 'result')]),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** A table of fields with their units. What is asked for has a column that says which are needed, and what the others default to. */
function fieldTable(
  site: Site,
  group: Group,
  entry: Entry,
  fields: readonly Field[],
  of: 'input' | 'result' = 'input',
): string {
  const typed = (field: Field) => {
    const unit = unitOf({ ...field, name: field.name.split('.').at(-1) ?? '' }, entry.text);
    const mark = unit === undefined ? '' : ` <span class="unit">${unit}</span>`;
    return `<br>${typeCode(site, group, field.type)}${mark}`;
  };
  const about = (text: string, type: string) => cell(site, group, withoutUnit(text) || aboutOf(site, type));
  if (of === 'result') {
    return [
      '| Field | Description |',
      '| --- | --- |',
      ...fields.map((field) => {
        const { name, type, need, text } = field;
        return `| ${nameCode(need === 'required' ? name : `${name}?`)}${typed(field)} | ${about(text, type)} |`;
      }),
    ].join('\n');
  }
  return [
    '| Name | Default | Description |',
    '| --- | --- | --- |',
    ...fields.map((field) => {
      const { name, type, need, text } = field;
      const [fallback, rest] = need === 'required' ? [undefined, text] : splitDefault(text);
      const needed = { required: 'required', either: 'one of these', optional: '' }[need];
      const shown = fallback === undefined ? needed : cell(site, group, fallback);
      return `| ${nameCode(name)}${typed(field)} | ${shown} | ${about(rest, type)} |`;
    }),
  ].join('\n');
}

/** A name that breaks at its dots. */
const nameCode = (name: string) => `<code>${name.replaceAll('.', '.<wbr>')}</code>`;

const aboutOf = (site: Site, type: string) => site.about.get(type) ?? '';

/** Takes `Default 5.` out of a docstring. */
export function splitDefault(text: string): readonly [string | undefined, string] {
  const found = /(?:^|\s)Default:? ((?:[^.]|\.(?!\s|$))+)\.(?=\s|$)/.exec(text);
  if (found === null) return [undefined, text];
  return [found[1], `${text.slice(0, found.index)}${text.slice(found.index + found[0].length)}`.trim()];
}

/** The codes with what to do. A sentence that says more than a list of codes stays as it is, above the table. */
function throwsOf(site: Site, group: Group, text: string): readonly string[] {
  if (text === '') return [];
  const notes = new Map<string, string | undefined>();
  const rest = text
    .replace(CODE, (all, code: string, note?: string) => {
      if (!site.errors.has(code)) return all;
      notes.set(code, note);
      return '';
    })
    .replace(/\s+/g, ' ')
    .replace(/^(?:[\s,.]|and\b)+|(?:[\s,.]|\band)+$/g, '');
  const isList = /^(?:those of \{@link \w+[^}]*\}|the (?:other )?`rpc-…` codes)?$/.test(rest);
  const rows = [...notes].map(([code, note]) => {
    const { what, remedy } = site.errors.get(code) as ErrorRow;
    const when = isList && note !== undefined ? cell(site, group, note) : what;
    return `| [\`${code}\`](../errors.md#${code}) | ${when} | ${remedy} |`;
  });
  const words = (said: string) =>
    prose(site, group, said).replace('`rpc-…`', '[`rpc-…`](../errors.md#the-node-or-the-service)');
  return [
    isList ? '**Throws** [`HeavenError`](./errors.md#HeavenError):' : `**Throws** ${words(text)}`,
    ...(rows.length === 0
      ? []
      : [['| Code | When | What to do |', '| --- | --- | --- |', ...rows].join('\n')]),
    ...(isList && rest !== '' ? [`Also throws ${words(rest.replace(/^those of/, 'the codes of'))}.`] : []),
  ];
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
