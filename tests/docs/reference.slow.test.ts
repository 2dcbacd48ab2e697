import { describe, expect, test } from 'vitest';

import { commandsOf, withTabs } from '../../docs/.vitepress/package-managers.js';
import { groups } from '../../docs/.vitepress/reference/groups.js';
import { type Entry, readModel } from '../../docs/.vitepress/reference/model.js';
import {
  firstSentence,
  indexOf,
  pageOf,
  type Site,
  splitDefault,
} from '../../docs/.vitepress/reference/page.js';
import { needsUnit, unitOf } from '../../docs/.vitepress/reference/units.js';

// How the site is made. That it is small and finds what is searched for is checked on the built one, by `npm run docs`.

const [group] = groups;
if (group === undefined) throw new Error('There are no groups.');

const site: Site = {
  homes: new Map([
    ['createThing', { slug: group.slug, anchor: 'createThing' }],
    ['ThingInput', { slug: group.slug, anchor: 'createThing' }],
    ['Thing', { slug: 'quotes', anchor: 'Thing' }],
  ]),
  errors: new Map([
    ['invalid-input', { what: 'a field is wrong', remedy: 'fix it' }],
    ['rpc-failed', { what: 'the node failed', remedy: 'try again' }],
  ]),
  about: new Map([['ThingInput', 'A thing to make.']]),
};

const entry: Entry = {
  name: 'createThing',
  kind: 'function',
  imports: ['heaven-pools'],
  file: 'client',
  text: 'Makes a {@link Thing}. It reads nothing.',
  throws: '`invalid-input` (`size`), `rpc-failed`, and those of {@link Thing}',
  returnsText: '',
  example: 'createThing({ size: 1n });',
  signature: '',
  typeParameters: '<T>',
  parameters: [
    {
      name: 'input',
      type: 'ThingInput<T>',
      need: 'required',
      text: '',
      fields: [
        { name: 'color', type: "'red' | 'blue'", need: 'optional', text: 'How it looks. Default `red`.' },
        { name: 'size', type: 'bigint', need: 'required', text: 'In lamports.' },
      ],
    },
  ],
  returns: 'Promise<Thing>',
  fields: [{ name: 'slot', type: 'bigint', need: 'optional', text: 'When.' }],
};

describe('a page of the reference', () => {
  const page = pageOf(site, { group, functions: [entry], others: [] });

  test('has the signature, and where to import it from', () => {
    expect(page).toContain("import { createThing } from 'heaven-pools';");
    expect(page).toContain('createThing<T>(input: ThingInput<T>): Promise<Thing>');
  });

  test("has the input's fields with their defaults, required ones first", () => {
    const rows = page.split('\n').filter((line) => line.startsWith('| <code>input.'));
    expect(rows).toEqual([
      '| <code>input.<wbr>size</code><br><code>bigint</code> <span class="unit">lamports</span> | required |  |',
      "| <code>input.<wbr>color</code><br><code>'red' &#124; 'blue'</code> | `red` | How it looks. |",
    ]);
  });

  test('has the fields of the result, and links to types', () => {
    expect(page).toContain('**Returns** <code>Promise&lt;[Thing](./quotes.md#Thing)&gt;</code>');
    expect(page).toContain(
      '| <code>slot?</code><br><code>bigint</code> <span class="unit">slot</span> | When. |',
    );
    expect(page).toContain('Makes a [`Thing`](./quotes.md#Thing).');
  });

  test('has each code with what to do', () => {
    expect(page).toContain('| [`invalid-input`](../errors.md#invalid-input) | `size` | fix it |');
    expect(page).toContain('| [`rpc-failed`](../errors.md#rpc-failed) | the node failed | try again |');
    expect(page).toContain('Also throws the codes of [`Thing`](./quotes.md#Thing).');
  });

  test('leaves a sentence about errors unchanged', () => {
    const throws = '`invalid-input` for what is too big; from `next`, `rpc-failed`.';
    const text = pageOf(site, { group, functions: [{ ...entry, throws }], others: [] });
    expect(text).toContain(`**Throws** ${throws}`);
    expect(text).toContain('| [`invalid-input`](../errors.md#invalid-input) | a field is wrong | fix it |');
  });

  test('is listed', () => {
    expect(indexOf(site, [{ group, functions: [entry], others: [] }])).toContain(
      `| [\`createThing\`](./${group.slug}.md#createThing) | Makes a [\`Thing\`](./quotes.md#Thing). |`,
    );
  });
});

test.each([
  ['The limit. Default 5.', '5', 'The limit.'],
  ['Default: 0.5 SOL, see `tip`. At most 1.', '0.5 SOL, see `tip`', 'At most 1.'],
  ['The default of the node.', undefined, 'The default of the node.'],
])('%s', (text, fallback, rest) => expect(splitDefault(text)).toEqual([fallback, rest]));

test.each([
  ['Reads 0.5 SOL, e.g. now. Then stops.', 'Reads 0.5 SOL, e.g. now.'],
  ['Quotes a buy\nin a pool\n\nMore.', 'Quotes a buy in a pool'],
])('the first sentence of %j', (text, first) => expect(firstSentence(text)).toBe(first));

describe('the unit of a field', () => {
  const unit = (name: string, type: string, text = '', typeText = '') =>
    unitOf({ name, type, need: 'required', text }, typeText);

  test.each([
    ['lamports', unit('costLamports', 'bigint')],
    ['lamports', unit('amount', 'bigint', 'In lamports.')],
    ['token units or lamports', unit('amount', 'bigint', 'Token units of a buy, lamports of a sell.')],
    ['LP units', unit('amount', 'bigint', 'LP tokens, native units.')],
    ['lamports', unit('spend', 'bigint', '', '`spend` in lamports, `least` in token units.')],
    ['token units', unit('least', 'bigint', '', '`spend` in lamports, `least` in token units.')],
    ['Unix seconds', unit('openAt', 'bigint', '', 'When it opens (Unix seconds).')],
    ['micro-lamports per compute unit', unit('computeUnitPrice', 'bigint | number', 'See lamports.')],
    ['slots', unit('maxAge', 'bigint', 'How many slots it lives.')],
    ['basis points', unit('slippageBps', 'number')],
    ['lamports', unit('maxSolSpend', 'bigint')],
    ['SOL', unit('maxSolSpend', 'number')],
    ['slot', unit('slot', 'bigint', 'The lamports as of this slot.')],
    [undefined, unit('count', 'number', 'Not lamports.')],
    [undefined, unit('poolCount', 'bigint', '', 'All in lamports.')],
    [undefined, unit('config', '{ lamports: bigint }', 'In lamports.')],
  ])('is %s', (expected, found) => expect(found).toBe(expected));

  test('is known for each public bigint', () => {
    const unknown = readModel()
      // The input of one function is described with it, and so are its units.
      .filter(({ text }) => !/^What \{@link \w+\} takes\.$/.test(text))
      .flatMap(({ name, text, fields, parameters }) =>
        [...fields, ...parameters.flatMap((one) => [one, ...one.fields])]
          .filter((field) => needsUnit(field) && unitOf(field, text) === undefined)
          .map((field) => `${name}: ${field.name}`),
      );
    expect(unknown).toEqual([]);
  });
});

test('each page of the reference has its own name', () => {
  expect(new Set(groups.map(({ slug }) => slug)).size).toBe(groups.length);
});

describe('tabs of package managers', () => {
  test('say the same for each', () => {
    expect(
      Object.fromEntries(commandsOf('npm install heaven-pools @solana/kit\nnpx heaven-pools serve') ?? []),
    ).toEqual({
      npm: 'npm install heaven-pools @solana/kit\nnpx heaven-pools serve',
      pnpm: 'pnpm add heaven-pools @solana/kit\npnpm exec heaven-pools serve',
      yarn: 'yarn add heaven-pools @solana/kit\nyarn heaven-pools serve',
      bun: 'bun add heaven-pools @solana/kit\nbunx heaven-pools serve',
    });
    const create =
      'npm create vite@latest my-page -- --template react-ts\ncd my-page\nnpm install heaven-pools';
    expect(commandsOf(create)?.get('yarn')).toBe(
      'yarn create vite my-page --template react-ts\ncd my-page\nyarn add heaven-pools',
    );
  });

  test('leave other commands, and those only npm has, unchanged', () => {
    expect(commandsOf('npm start')).toBeUndefined();
    expect(commandsOf('npm install heaven-pools\nnpm audit signatures')).toBeUndefined();
    const text = '```sh\ncurl localhost\n```\n';
    expect(withTabs(text)).toBe(text);
  });

  test('are a code group', () => {
    expect(withTabs('Do:\n\n```sh\nnpm install x\n```\n')).toBe(
      'Do:\n\n::: code-group\n```sh [npm]\nnpm install x\n```\n```sh [pnpm]\npnpm add x\n```\n```sh [yarn]\nyarn add x\n```\n```sh [bun]\nbun add x\n```\n:::\n',
    );
  });
});
