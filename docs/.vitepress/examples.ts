import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname } from 'node:path';

// The examples as pages of the site: what their README says, and their source.

const root = new URL('../../examples/', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');

export interface ExamplePage {
  /** The folder, or `index` for the page that lists all. */
  readonly name: string;
  readonly title: string;
  readonly content: string;
}

/** How the source of each kind of file is coloured. Other files are left out, and so are styles, which nobody reads here. */
const LANGUAGES: Readonly<Record<string, string>> = {
  '.ts': 'ts',
  '.tsx': 'tsx',
  '.mjs': 'js',
  '.sh': 'sh',
  '.py': 'py',
  '.go': 'go',
  '.rs': 'rust',
  '.toml': 'toml',
  '.yaml': 'yaml',
  '.proto': 'proto',
};

/** Longer files are lists, such as `curl.sh`. */
const MOST_BYTES = 20_000;
/** Colours make a page five times as large. A larger example goes without. */
const MOST_BYTES_IN_COLOUR = 50_000;

function sourcesOf(folder: string): readonly string[] {
  const entries = readdirSync(new URL(`${folder}/`, root), { withFileTypes: true });
  return entries
    .filter(({ name }) => !['node_modules', 'dist', 'screenshots', 'public'].includes(name))
    .sort((a, b) => Number(a.isDirectory()) - Number(b.isDirectory()) || (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) return sourcesOf(path);
      return extname(path) in LANGUAGES && statSync(new URL(path, root)).size < MOST_BYTES ? [path] : [];
    });
}

/** What leads from an example to the guides, which are a folder above its page. */
const DOCS = /(?:\.\.\/)+docs\//g;

/** The anchor of a file's source on the page of its example. */
export const anchorOf = (file: string): string => file.toLowerCase().replace(/[^a-z0-9]+/g, '-');

/** What stands before the colon, with a capital letter. */
const headingOf = (what: string) => {
  const text = what.replace(/:.*/, '').replaceAll('`', '');
  return `${text[0]?.toUpperCase()}${text.slice(1)}`;
};

function pageOf(name: string, what: string, how: string): ExamplePage {
  const sources = sourcesOf(name);
  const readme = readdirSync(new URL(`${name}/`, root)).includes('README.md')
    ? read(`${name}/README.md`)
    : `# ${headingOf(what)}\n\nIt shows ${what}. Run it: ${how}\n`;
  const shown = readme
    .replace(DOCS, '../')
    .replace(/\]\((?!\.|https?:)([^)#]+)\)/g, (_, file: string) => `](#${anchorOf(file)})`);
  const isInColour = sources.reduce((sum, path) => sum + read(path).length, 0) < MOST_BYTES_IN_COLOUR;
  const source = sources.map((path) => {
    const file = path.slice(name.length + 1);
    const language = isInColour ? LANGUAGES[extname(path)] : 'txt';
    return `### \`${file}\` {#${anchorOf(file)}}\n\n\`\`\`\`\`${language}\n${read(path)}\`\`\`\`\``;
  });
  const title = /^# (.*)$/m.exec(readme)?.[1] ?? name;
  return { name, title, content: `${shown}\n## Source\n\n${source.join('\n\n')}\n` };
}

/** The page that lists the examples, then one for each row of its table. */
export function examplePages(): readonly ExamplePage[] {
  const overview = read('README.md');
  const rows = [...overview.matchAll(/^\| \[`([a-z-]+)`\]\(\1\) \| (.*?) \| (.*?) \|$/gm)];
  const pages = rows.map(([, name = '', what = '', how = '']) => pageOf(name, what, how));
  const content = overview
    .replace(DOCS, '../')
    .replace(/\]\(([a-z-]+)\)/g, '](./$1.md)')
    .replace(/\[([^\]]*)\]\(([\w./-]+\.(?:ts|toml))\)/g, '$1');
  return [{ name: 'index', title: 'Examples', content }, ...pages];
}
