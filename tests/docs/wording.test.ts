import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

// Phrases that this project retired because they read as if translated, with what to write instead.

const retired: readonly (readonly [phrase: RegExp, instead: string])[] = [
  [/\banew\b/i, 'reconnects, again, re-sorted, rebuilt'],
  [/\bgiven out again\b/i, 'cached'],
  [/\bmend(?:s|ed|ing)?\b/i, 'fix'],
  [/\bof kit's(?! \w)/, 'a kit signer, a kit RPC'],
  [/\b(?:a|any) (?:signer|RPC|object) of kit's\b/i, 'a kit signer, a kit RPC'],
  [/\bfor what is none\b/i, 'for an account that is not one'],
  [/(?<!there |which |longer )\bis no (?!longer|more|less|smaller|news|fee of|answer)\w+/i, 'is not a …'],
  [/\bis no (?:JSON|base64)\b/i, 'is not valid JSON, is not valid base64'],
  [
    /(?<!there )\bare no (?:lists?|numbers?|objects?|texts?|addresses|signers|tags|transactions?)\b/i,
    'are not …',
  ],
  [/\b(?:is|are) of one slot\b/i, 'come from the same slot'],
  [/\btold as such\b/i, 'reported as …'],
  [/\bhears? nothing\b/i, 'does not wake it'],
  [/\bmakes? room for `/i, 'replace these lines with'],
  [/\bis the only command to type\b/i, 'either command works in a fresh clone'],
  [/\bbut what the next rows? names?\b/i, 'except what is listed below'],
  [/\brests on an assumption for one\b/i, 'treat those results as unverified'],
  [/\breads pool data where it is called\b/i, 'runs locally, in your browser, bot or server'],
  [/\brefused with the right one\b/i, 'rejected; the error names the correct version'],
  [/\bit is over when\b/i, 'stop when'],
  [/\bgoes with each slot\b/i, 'updates every slot'],
  [/\btrying again changes nothing\b/i, "retrying won't help"],
  [/\banswers for the transaction\b/i, 'verifies the transaction'],
  [/\bask too much for now\b/i, 'Too many requests'],
  [/\bit is not written as base64\b/i, 'not valid base64'],
  [/\ball of them \d/i, 'Total'],
  [/\blet somebody (?:buy|sell)\b/i, 'Simulate a 5 SOL buy'],
  [/\bthe other way round of\b/i, 'the reverse of'],
  [/\bbehind (?:its|their) own list\b/i, 'after its own list'],
  [/\bfor a real one\b/i, 'on a cluster'],
  [/\bit can ?not be told\b|\bcould not be told\b/i, 'could not tell'],
  [/\bthe very (?:same|slot|window)\b/i, 'the same'],
  [/\bwhat is none\b/i, 'what is not one'],
  [/\bhow patient\b/i, 'its time limits'],
];

const root = new URL('../../', import.meta.url);
const TEXT = /(?:\.(?:md|ts|mjs|js|sh|html|vue|svelte|tsx|jsx|css|yaml|toml|capnp)|Dockerfile)$/;
const GENERATED = /(?:^|\/)(?:node_modules|dist|api|cache|data)\//;

const inFolder = (folder: string) =>
  readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' }).map(
    (name) => `${folder}/${name}`,
  );
const files = [
  'README.md',
  'SECURITY.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  ...['docs', 'src', 'examples', 'bench', 'scripts'].flatMap(inFolder),
].filter((path) => TEXT.test(path) && !GENERATED.test(path));

/** The lines of a text with a retired phrase, and what to write instead. */
function findingsOf(path: string, text: string): readonly string[] {
  const lines = text.split('\n');
  return lines.flatMap((line, index) => {
    // A phrase may continue in the next line.
    const next = (lines[index + 1] ?? '').replace(/^\s*(?:\*|\/\/|#|>|-)?\s*/, '');
    return retired.flatMap(([phrase, instead]) => {
      const found = phrase.exec(line) ?? phrase.exec(`${line} ${next}`);
      return found !== null && found.index < line.length
        ? [`${path}:${index + 1}: "${found[0]}": write "${instead}"`]
        : [];
    });
  });
}

/** A released version's changes stay as they were written. */
function textOf(path: string): string {
  const text = readFileSync(new URL(path, root), 'utf8');
  return path === 'CHANGELOG.md' ? (text.split(/^## \[\d/m)[0] ?? '') : text;
}

describe('the texts of the project', () => {
  test('are found', () => expect(files.length).toBeGreaterThan(400));

  test('have no retired phrase', () => {
    expect(files.flatMap((path) => findingsOf(path, textOf(path)))).toEqual([]);
  });
});

describe('a retired phrase is found', () => {
  test.each([
    ['The body is no JSON.', 'is not valid JSON'],
    ['The connection is begun anew.', 'reconnects'],
    ['how long accounts are given out again', 'cached'],
    ["an address, or a signer of kit's", 'a kit signer'],
    ['All of them 0.0225 SOL', 'Total'],
  ])('in "%s"', (text, instead) => {
    expect(findingsOf('page.md', text).join()).toContain(instead);
  });

  test('across lines', () => {
    expect(findingsOf('code.ts', ' * The account is given out\n * again.')).toEqual([
      'code.ts:1: "given out again": write "cached"',
    ]);
  });

  test.each(['There is no pool.', 'It is no longer known.', 'There are no numbers.'])(
    'and "%s" passes',
    (text) => expect(findingsOf('page.md', text)).toEqual([]),
  );
});
