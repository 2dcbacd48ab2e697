import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

import { STATUS } from '../../src/http/errors.js';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const page = read('docs/errors.md');

/** The rows of the tables: their cells without the marks around them. */
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.slice(2, -2).split(' | '));
const libraryRows = rows.filter((cells) => cells.length === 5);

/** The fields of each code's context, as the type declares them. */
const declared = new Map(
  ts
    .createSourceFile('errors.ts', read('src/base/errors.ts'), ts.ScriptTarget.ES2022)
    .statements.filter(ts.isInterfaceDeclaration)
    .filter(({ name }) => name.text === 'HeavenErrorContexts')
    .flatMap(({ members }) => [...members])
    .filter(ts.isPropertySignature)
    .map(({ name, type }) => [
      (name as ts.Identifier | ts.StringLiteral).text,
      (type as ts.TypeLiteralNode).members.map(
        (member) => `${(member.name as ts.Identifier).text}${member.questionToken ? '?' : ''}`,
      ),
    ]),
);

const codesIn = (cell = '') => [...cell.matchAll(/`([\w?-]+)`/g)].map(([, name = '']) => name);

describe('docs/errors.md', () => {
  test('lists every code once, and no other', () => {
    const codes = libraryRows.map(([code]) => codesIn(code)[0]);
    expect([...codes].sort()).toEqual([...declared.keys()].sort());
    expect([...codes].sort()).toEqual(Object.keys(STATUS).sort());
  });

  test.each(libraryRows)('%s has its context and its status', (code, _what, context, _action, status) => {
    const [name = ''] = codesIn(code);
    expect(codesIn(context).sort()).toEqual([...(declared.get(name) ?? [])].sort());
    expect(Number(status)).toBe(STATUS[name as keyof typeof STATUS]);
  });
});
