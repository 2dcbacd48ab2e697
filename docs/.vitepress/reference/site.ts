import { readdirSync, readFileSync } from 'node:fs';

import { paths } from '../../../src/operations/index.js';
import { repositoryPages } from '../search.js';
import { type Group, groups } from './groups.js';
import { type Entry, nameOfResult, readModel } from './model.js';
import { firstSentence, indexOf, NODE, type Page, pageOf, type Site } from './page.js';

// The files of docs/api: a page for each group of functions, with the types that they use, and the menu.

const groupOf = ({ file, name }: Entry): Group | undefined =>
  groups.find(({ match }) => match.test(`${file}#${name}`));

/** The names in the types of an entry. */
const namesIn = ({ signature, returns, fields, parameters, overloads }: Entry): readonly string[] =>
  [
    signature,
    returns,
    ...overloads.map((one) => one.returns),
    ...fields.map(({ type }) => type),
    ...[...parameters, ...overloads.flatMap((one) => one.parameters)].flatMap(({ type, fields: inner }) => [
      type,
      ...inner.flatMap((field) => [field.type, field.from ?? '']),
    ]),
  ]
    .join(' ')
    .match(/[A-Za-z_]\w*/g) ?? [];

const sorted = (entries: readonly Entry[]) =>
  [...entries].sort((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1));

/** What most readers want, then standard pools, then pro pools. */
function inOrder(functions: readonly Entry[], first: readonly string[] = []): readonly Entry[] {
  const rank = ({ name }: Entry) =>
    first.includes(name) ? first.indexOf(name) : first.length + Number(/^[a-z]+Pro[A-Z]/.test(name));
  return [...functions].sort((a, b) => rank(a) - rank(b));
}

const docs = new URL('../../', import.meta.url);
const read = (page: string) => readFileSync(new URL(page, docs), 'utf8');
const sentence = (words: string) => `${words.replace(/^\[?[a-z]/, (start) => start.toUpperCase())}.`;

/** The codes of the errors page, with their cause and what to do. */
const errorCodes = (): ReadonlyMap<string, string> =>
  new Map([
    [NODE, 'The node failed. [Retry, or ask another node](../errors.md#decide-whether-to-retry).'],
    ...[...read('errors.md').matchAll(/^\| `([a-z-]+)` \| (.+?) \| .+? \| (.+) \| \d+ \|$/gm)].map(
      ([, code = '', cause = '', action = '']) =>
        [
          code,
          `${sentence(cause)} ${sentence(action)}`.replace(
            /\]\((#?)/g,
            (_, hash) => `](../${hash && 'errors.md#'}`,
          ),
        ] as const,
    ),
  ]);

/** The guides that use a function, as links: that of its page, then those that use it most. */
function guidesOf(): Site['guides'] {
  const guides = readdirSync(docs)
    .filter(
      (name) => name.endsWith('.md') && ![...repositoryPages, 'index.md', 'changelog.md'].includes(name),
    )
    .map((name) => ({ name, text: read(name) }));
  return (name, { lead }) =>
    guides
      .map((guide) => ({ ...guide, uses: guide.text.split(new RegExp(`\\b${name}\\b`)).length - 1 }))
      .filter(({ name: guide, uses }) => uses > 0 || lead.includes(guide))
      .sort((a, b) => Number(lead.includes(b.name)) - Number(lead.includes(a.name)) || b.uses - a.uses)
      .slice(0, 3)
      .map((guide) => `[${/^# (.*)$/m.exec(guide.text)?.[1]}](../${guide.name})`);
}

/** The pages with what is on each: a type is where the first function that uses it is. */
function arrange(entries: readonly Entry[]): readonly Page[] {
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  const functions = entries.filter(({ kind }) => kind === 'function');
  const lost = functions.filter((entry) => groupOf(entry) === undefined);
  const homes = new Map<Entry, Group>();
  // A type that is declared beside a public function is on its page.
  const files = new Set(functions.map(({ file }) => file));
  // The clients have every function, so their page gets only the types that no other one uses as directly.
  const order = [...groups].sort((a, b) => Number(a.slug === 'client') - Number(b.slug === 'client'));
  let users = order.flatMap((group) =>
    functions.filter((one) => groupOf(one) === group).map((one) => [one, group] as const),
  );
  while (users.length > 0) {
    users = users.flatMap(([user, group]) =>
      namesIn(user).flatMap((name) => {
        const used = byName.get(name);
        if (used === undefined || used.kind === 'function' || homes.has(used)) return [];
        const isBound = used.kind !== 'type' || files.has(used.file);
        homes.set(used, isBound ? (groupOf(used) ?? group) : group);
        return [[used, group] as const];
      }),
    );
  }
  for (const entry of entries) {
    if (entry.kind === 'function' || homes.has(entry)) continue;
    const group = groupOf(entry);
    if (group === undefined) lost.push(entry);
    else homes.set(entry, group);
  }
  if (lost.length > 0) throw new Error(`No group for ${lost.map(({ name }) => name).join(', ')}.`);
  return groups.map((group) => ({
    group,
    functions: inOrder(
      functions.filter((one) => groupOf(one) === group),
      group.first,
    ),
    others: sorted(entries.filter((one) => homes.get(one) === group)),
  }));
}

/** Where each name is described. The input of one function, or its result, is described with it. */
function homesOf(pages: readonly Page[]): Site['homes'] {
  const homes = new Map<string, { slug: string; anchor: string }>();
  const users = new Map<string, Set<string>>();
  for (const { functions } of pages) {
    for (const { name, parameters, returns, fields } of functions) {
      const shown = parameters.filter((one) => one.fields.length > 0).map(({ type }) => type);
      if (fields.length > 0) shown.push(nameOfResult(returns));
      for (const type of shown) users.set(type, (users.get(type) ?? new Set()).add(name));
    }
  }
  for (const { group, functions, others } of pages) {
    for (const { name } of functions) homes.set(name, { slug: group.slug, anchor: name });
    for (const { name, kind } of others) {
      const [user, ...more] = kind === 'type' ? (users.get(name) ?? []) : [];
      homes.set(name, { slug: group.slug, anchor: user === undefined || more.length > 0 ? name : user });
    }
  }
  // A type can be settled on another page than the function that it is described with.
  for (const [name, { anchor }] of homes) {
    const { slug } = homes.get(anchor) ?? {};
    if (slug !== undefined) homes.set(name, { slug, anchor });
  }
  return homes;
}

/** The files of the reference, by name. */
export function referenceFiles(): ReadonlyMap<string, string> {
  const entries = readModel();
  const pages = arrange(entries);
  const site: Site = {
    homes: homesOf(pages),
    errors: errorCodes(),
    throws: new Map(entries.map(({ name, throws }) => [name, throws])),
    paths,
    guides: guidesOf(),
    about: new Map(entries.map(({ name, text }) => [name, firstSentence(text)])),
    imports: new Map(
      entries.filter(({ kind }) => kind !== 'type').map(({ name, imports: [from = ''] }) => [name, from]),
    ),
  };
  const menu = pages.map(({ group, functions }) => ({
    text: group.title,
    link: `/api/${group.slug}`,
    functions: functions.map(({ name }) => name),
  }));
  return new Map([
    ...pages.map((page) => [`${page.group.slug}.md`, pageOf(site, page)] as const),
    ['index.md', indexOf(site, pages)],
    ['menu.json', JSON.stringify(menu)],
  ]);
}
