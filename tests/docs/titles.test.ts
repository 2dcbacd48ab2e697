import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

// A guide's title says what the reader does, and every list of guides calls it so.

const docs = new URL('../../docs/', import.meta.url);
const titles = new Map(
  readdirSync(docs)
    .filter((name) => name.endsWith('.md') && name !== 'index.md')
    .map((name) => [name, /^# (.*)$/m.exec(readFileSync(new URL(name, docs), 'utf8'))?.[1] ?? '']),
);

const VERBS =
  /^(?:Build|Call|Check|Compare|Extend|Find|Handle|Host|Keep|Launch|Move|Pass|Prove|Run|Show|Sign|Simulate|Trade|Use|Verify) /;
/** Pages to look something up, and two that go by the words that readers search for. */
const EXCEPTIONS = [
  'architecture.md',
  'getting-started.md',
  'protocol.md',
  'when-things-go-wrong.md',
] as const;

test('a title starts with a verb', () => {
  expect(titles.size).toBeGreaterThan(25);
  const others = [...titles].filter(([, title]) => !VERBS.test(title)).map(([name]) => name);
  expect(others).toEqual(EXCEPTIONS);
});

test('the home page calls each guide by its title', () => {
  const home = readFileSync(new URL('index.md', docs), 'utf8');
  const links = [...home.matchAll(/\[([^\]]*)\]\(([\w-]+\.md)\)/g)];
  expect(links.length).toBeGreaterThan(20);
  for (const [, words, page = ''] of links) expect(words).toBe(titles.get(page));
});
