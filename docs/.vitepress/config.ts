import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type DefaultTheme, defineConfig } from 'vitepress';

import { anchorOf, examplePages } from './examples.js';
import { type Section, writeLlmsFiles } from './llms.js';
import { withTabs } from './package-managers.js';
import { boostDocument, isSearched, repositoryPages, tokenize } from './search.js';
import { labelTables } from './tables.js';

/** Where the site stands on its host, such as `/heaven-pools/`. */
const base = process.env.DOCS_BASE ?? '/';
/**
 * Where the files of the repository can be read, such as `https://host/owner/name/blob/main/`. Without it they are only named, and
 * there are no links to the repository and to edit a page.
 */
const files = process.env.DOCS_FILES;
const repositoryLinks =
  files === undefined ? [] : [{ text: 'Repository', link: files.replace(/\/blob\/.*/, '') }];
const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  readonly version: string;
};
/** The mark of the example page. As data, it is in one place. */
const logo = `data:image/svg+xml;base64,${readFileSync(new URL('../../examples/dapp/logo.svg', import.meta.url), 'base64')}`;

/** A page is called what its own title says. */
const titleOf = (link: string) =>
  /^# (.*)$/m.exec(readFileSync(new URL(`..${link}.md`, import.meta.url), 'utf8'))?.[1] ?? link;

const guides = [
  { text: 'Start', pages: ['getting-started', 'concepts', 'platforms', 'moving', 'agents'] },
  { text: 'Trade and launch', pages: ['trading', 'launching', 'pro-pools'] },
  { text: 'Pages and bots', pages: ['pages', 'wallets', 'signing', 'bots', 'history', 'errors'] },
  { text: 'Run a server', pages: ['self-hosting', 'http'] },
  { text: 'How it works', pages: ['protocol', 'evidence', 'verifying', 'embedded-ledger'] },
].map(({ text, pages }) => ({
  text,
  items: pages.map((page) => ({ text: titleOf(`/${page}`), link: `/${page}` })),
}));

const listed = new Set([
  '/index.md',
  '/changelog.md',
  ...repositoryPages.map((name) => `/${name}`),
  ...guides.flatMap(({ items }) => items.map(({ link }) => `${link}.md`)),
]);
const forgotten = readdirSync(new URL('..', import.meta.url)).filter(
  (name) => name.endsWith('.md') && !listed.has(`/${name}`),
);
if (forgotten.length > 0) throw new Error(`No menu leads to ${forgotten.join(', ')}.`);

/** What `npm run docs:api` has written just before: the groups of the API reference, and their functions. */
const reference = new URL('../api/menu.json', import.meta.url);
if (!existsSync(reference)) throw new Error('There is no API reference yet: `npm run docs` makes it.');
const groups = JSON.parse(readFileSync(reference, 'utf8')) as readonly {
  readonly text: string;
  readonly link: string;
  readonly functions: readonly string[];
}[];

const examples = examplePages();
/** The page of an example that a link leads to: of `../examples/bot/main.ts`, `./examples/bot.md#main-ts`. */
function exampleLink(href: string): string | undefined {
  const [, name = '', file = ''] = /^\.\.\/examples\/([^/]+)\/?(.*)$/.exec(href) ?? [];
  if (name === 'README.md') return './examples/index.md';
  if (!examples.some((one) => one.name === name)) return undefined;
  return `./examples/${name}.md${file === '' ? '' : `#${anchorOf(file)}`}`;
}

const menus = {
  '/examples/': [
    {
      text: 'Examples',
      link: '/examples/',
      items: examples.slice(1).map(({ name, title }) => ({ text: title, link: `/examples/${name}` })),
    },
    ...guides,
  ],
  '/': guides,
  '/api/': [
    {
      text: 'API reference',
      link: '/api/',
      items: groups.map(({ text, link, functions }) => ({
        text,
        link,
        collapsed: true,
        items: functions.map((name) => ({ text: name, link: `${link}#${name}` })),
      })),
    },
  ],
};

const src = fileURLToPath(new URL('../../src/', import.meta.url));

/** A menu as a list of pages. */
const sectionOf = ({ text = '', items = [] }: DefaultTheme.SidebarItem): Section => ({
  title: text,
  pages: items.map(({ link = '' }) => link.slice(1)),
});

export default defineConfig({
  title: 'heaven-pools',
  description:
    'A TypeScript SDK for the Heaven exchange on Solana: quotes, unsigned transactions and pool data.',
  base,
  cleanUrls: false,
  // The menus are a file of their own, instead of 33 KB in each page.
  metaChunk: true,
  lastUpdated: false,
  // One page after the other: the search index is in the order in which pages are read, and the same build gives the same files.
  buildConcurrency: 1,
  head: [['link', { rel: 'icon', href: logo }]],
  transformPageData: ({ relativePath, frontmatter }) => {
    if (relativePath.startsWith('api/')) frontmatter.pageClass = 'api';
    // These pages are written by a script, or are another file.
    if (/^(?:api\/|examples\/|changelog)/.test(relativePath)) frontmatter.editLink = false;
  },
  // The search index is one file.
  vite: {
    build: { chunkSizeWarningLimit: 4096 },
    logLevel: 'warn',
    plugins: [
      {
        name: 'live-quote-in-browsers',
        // The server that renders the pages runs no quote, so it need not bundle the library.
        load: (id, options) =>
          options?.ssr === true && id.endsWith('/theme/live-quote.ts') ? 'export {};' : undefined,
      },
    ],
    // The quote on the home page runs on the sources.
    resolve: {
      alias: [
        { find: /^heaven-pools$/, replacement: `${src}index.ts` },
        { find: /^heaven-pools\/testing$/, replacement: `${src}testing/index.ts` },
      ],
    },
  },
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-default' },
    config: (md) => {
      md.core.ruler.after('normalize', 'package-managers', (state) => {
        state.src = withTabs(state.src);
      });
      // Each code on the errors page can be linked to.
      md.core.ruler.push('error-codes', ({ tokens, env }) => {
        if (env.relativePath !== 'errors.md') return;
        for (const [index, token] of tokens.entries()) {
          const [code] = tokens[index + 1]?.children ?? [];
          const isFirst = token.type === 'td_open' && tokens[index - 1]?.type === 'tr_open';
          if (isFirst && code?.type === 'code_inline') token.attrSet('id', code.content);
        }
      });
      md.core.ruler.push('tables', ({ tokens, env }) => {
        // The style sheet stacks those of the reference.
        labelTables(tokens, !env.relativePath?.startsWith('api/'));
      });
      // Links of the guides that lead out of docs/ are files of the repository and no pages.
      md.core.ruler.push('repository-files', ({ tokens, env }) => {
        if (env.relativePath?.includes('/')) return;
        for (const { children } of tokens) {
          for (const [index, token] of children?.entries() ?? []) {
            const href = token.attrGet('href');
            if (token.type !== 'link_open' || !href?.startsWith('../')) continue;
            const example = exampleLink(href);
            if (example !== undefined) {
              token.attrSet('href', example);
              continue;
            }
            if (files !== undefined) {
              token.attrSet('href', new URL(href.replace(/^(\.\.\/)+/, ''), files).href);
              continue;
            }
            let end = index;
            while (children?.[end]?.type !== 'link_close') end++;
            for (const tag of [token, children?.[end]]) {
              if (tag === undefined) continue;
              tag.tag = 'span';
              tag.attrs = null;
            }
          }
        }
      });
    },
  },
  // The theme's home page is no landmark. With it, a reader of the screen finds the content.
  transformHtml: (html, _id, { page }) =>
    page === 'index.md' ? html.replace('id="VPContent"', 'id="VPContent" role="main"') : html,
  buildEnd: ({ site, srcDir, outDir }) =>
    writeLlmsFiles({
      ...site,
      from: srcDir,
      to: outDir,
      guides: guides.map(sectionOf),
      reference: { title: 'API reference', pages: groups.map(({ link }) => link.slice(1)) },
    }),
  themeConfig: {
    logo,
    nav: [
      { text: 'Guides', link: '/getting-started', activeMatch: '^/(?!api/|examples/|changelog).+' },
      { text: 'Examples', link: '/examples/', activeMatch: '^/examples/' },
      { text: 'API', link: '/api/', activeMatch: '^/api/' },
      { text: `v${version}`, items: [{ text: 'Changelog', link: '/changelog' }, ...repositoryLinks] },
    ],
    ...(files === undefined
      ? {}
      : { editLink: { pattern: `${files.replace('/blob/', '/edit/')}docs/:path`, text: 'Edit this page' } }),
    sidebar: menus,
    outline: { level: [2, 3] },
    search: {
      provider: 'local',
      options: {
        // Each result shows the place that was found.
        detailedView: true,
        _render: (text, env, md) => {
          // The index holds words: highlighting its code would take a third of the build.
          const { highlight } = md.options;
          md.set({ highlight: null });
          const html = md.render(text, env);
          md.set({ highlight });
          return isSearched(env.relativePath) ? html : '';
        },
        miniSearch: { options: { tokenize }, searchOptions: { boostDocument } },
      },
    },
    docFooter: { prev: 'Previous', next: 'Next' },
  },
});
