import { expect, test } from 'vitest';

import { createHeavenIdl } from '../../scripts/idl.js';
import { anchorDiscriminator } from '../support/anchor.js';
import { hexOf } from '../support/bytes.js';
import { idl } from './committed-idl.js';

// The committed file is the record of what the IDL says. instructions.test.ts and accounts.test.ts hold the builders and decoders
// against it, and idl-seeds.test.ts its derivations against recorded transactions.

/** The names in all `{ defined: { name } }` of a piece of the IDL. */
function referred(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { defined } = value as { defined?: { name: string } };
  return [...(defined ? [defined.name] : []), ...Object.values(value).flatMap(referred)];
}

test('src/program/idl.json is current: if not, run `npm run idl`', () => {
  expect(idl, 'src/program/idl.json is out of date: run `npm run idl`').toEqual(createHeavenIdl());
});

test('the IDL defines every type that it refers to, once', () => {
  const defined = idl.types.map(({ name }) => name);
  expect(new Set(defined).size).toBe(defined.length);
  expect(defined).toEqual(expect.arrayContaining([...new Set(referred(idl))]));
  for (const { name } of [...idl.accounts, ...idl.events]) expect(defined, name).toContain(name);
});

test.each([
  ['global', idl.instructions],
  ['account', idl.accounts],
  ['event', idl.events],
] as const)('the IDL has the discriminators of the namespace %s', (namespace, items) => {
  for (const { name, discriminator } of items)
    expect(hexOf(discriminator), name).toBe(anchorDiscriminator(namespace, name));
});
