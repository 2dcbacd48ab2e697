import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

import { STATUS } from '../../src/http/errors.js';
import { toHeavenProgramError } from '../../src/program/index.js';

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
    .createSourceFile('errors.ts', read('src/errors.ts'), ts.ScriptTarget.ES2022)
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

  test("has the interface's own codes with their status", () => {
    const own = new Map(
      rows
        .filter((cells) => cells.length === 3 && /^\d{3}$/.test(cells[1] ?? ''))
        .flatMap(([codes, status]) => codesIn(codes).map((code) => [code, Number(status)] as const)),
    );
    const httpFiles = readdirSync(new URL('../../src/http', import.meta.url), {
      recursive: true,
      encoding: 'utf8',
    }).filter((file) => file.endsWith('.ts'));
    const found = new Map(
      httpFiles.flatMap((file) =>
        [...read(`src/http/${file}`).matchAll(/status: (\d{3}),\s+code: '([\w-]+)'/g)].map(
          ([, status, code = '']) => [code, Number(status)] as const,
        ),
      ),
    );
    found.delete('aborted');
    expect(found.size).toBeGreaterThan(10);
    expect(Object.fromEntries([...own].sort())).toEqual(Object.fromEntries([...found].sort()));
  });

  test('names program errors by their numbers', () => {
    const named = [...page.matchAll(/`(\w+)` \((\d{4})\)/g)];
    expect(named.length).toBeGreaterThan(4);
    for (const [, name, code] of named) {
      expect(toHeavenProgramError(Number(code))?.name).toBe(name);
    }
  });
});
