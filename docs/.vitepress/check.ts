import { readdirSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import MiniSearch, { type Options } from 'minisearch';

import { boostDocument, tokenize } from './search.js';

// What has to hold for the built site: its weight, and that the search finds what people look for.

const dist = new URL('dist/', import.meta.url);
const MOST_BYTES = 15_000_000;

/** What readers search for, and the page that has to be the first result. */
const SEARCHES = {
  sell: 'trading',
  wallet: 'wallets',
  error: 'errors',
  'priority fee': 'concepts',
  python: 'http',
  slippage: 'trading|concepts',
  react: 'pages|platforms',
  jito: 'bots',
  geyser: 'bots',
  'lookup table': 'launching',
  docker: 'self-hosting',
  jest: 'platforms',
  'react native': 'platforms',
  devnet: 'getting-started',
  paused: 'trading|errors',
  sniper: 'concepts',
  'remote client': 'http',
  quoteBuy: 'api/quotes.html#quoteBuy',
} as const;

const files = readdirSync(dist, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
const bytes = files.reduce((sum, { parentPath, name }) => sum + statSync(`${parentPath}/${name}`).size, 0);
const complaints: string[] = [];
if (bytes > MOST_BYTES) complaints.push(`The site has ${bytes} bytes; ${MOST_BYTES} are allowed.`);

const index = files.find(({ name }) => name.startsWith('@localSearchIndexroot.'));
if (index === undefined)
  throw new Error(`There is no search index in ${fileURLToPath(dist)}: run npm run docs.`);
const { default: json } = (await import(`${index.parentPath}/${index.name}`)) as { readonly default: string };
// As the site's own search box has it.
const options = {
  fields: ['title', 'titles', 'text'],
  storeFields: ['title', 'titles'],
  tokenize,
  searchOptions: { fuzzy: 0.2, prefix: true, boost: { title: 4, text: 2, titles: 1 }, boostDocument },
} satisfies Options;
const search = MiniSearch.loadJSON(json, options);
for (const [words, wanted] of Object.entries(SEARCHES)) {
  const found = search
    .search(words)
    .slice(0, 3)
    .map(({ id }) => String(id));
  const isThere = new RegExp(`^/(?:.*/)?(?:${wanted})`).test(found[0] ?? '');
  if (!isThere)
    complaints.push(`A search for "${words}" finds ${found.join(', ') || 'nothing'}, not ${wanted}.`);
}

/** The API reference links to names and codes. VitePress looks at pages only. */
const htmlOf = (page: string) => readFileSync(new URL(page, dist), 'utf8');
const pages = readdirSync(new URL('api/', dist)).filter((name) => name.endsWith('.html'));
const anchors = new Set(
  [...pages.map((name) => `api/${name}`), 'errors.html'].flatMap((page) =>
    [...htmlOf(page).matchAll(/ id="([^"]+)"/g)].map(([, id]) => `${page}#${id}`),
  ),
);
for (const name of pages) {
  for (const [, href = ''] of htmlOf(`api/${name}`).matchAll(/ href="([^":]*#[^"]+)"/g)) {
    const { pathname, hash } = new URL(href, `https://site.test/api/${name}`);
    const target = `${/(?:api\/)?[^/]+$/.exec(pathname)?.[0]}${hash}`;
    const isChecked = /^(?:api\/|errors\.html)/.test(target) && hash !== '#VPContent';
    if (isChecked && !anchors.has(target))
      complaints.push(`api/${name} links to ${target}, which does not exist.`);
  }
}

/** What a function's part of the reference has to hold: inherited parameters, the result, errors, the HTTP path and guides. */
const [, quoteBuy = ''] = readFileSync(new URL('api/quotes.md', dist), 'utf8').split(
  /^## (?=quoteBuy |quoteSell )/m,
);
for (const part of [
  '.<wbr>slippageBps<',
  '<code>minimumOut<',
  '| `zero-amount` | ',
  'POST /quote/buy',
  '(../trading.md)',
])
  if (!quoteBuy.includes(part)) complaints.push(`The reference of quoteBuy lacks ${part}.`);

for (const name of ['llms.txt', 'llms-full.txt']) {
  if (!readFileSync(new URL(name, dist), 'utf8').startsWith('# heaven-pools'))
    complaints.push(`${name} is wrong.`);
}
if (complaints.length > 0) throw new Error(complaints.join('\n'));
console.log(
  `The site has ${(bytes / 1e6).toFixed(1)} MB, and its search finds ${Object.keys(SEARCHES).join(', ')}.`,
);
