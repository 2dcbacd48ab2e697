import { beforeAll, describe, expect, test } from 'vitest';

import { createHeavenClient, quoteBuy } from '../../src/index.js';
import { createEmbeddedLedger } from '../../src/testing/index.js';
import { expectRefusal } from '../../tests/support/errors.js';
import { referenceFiles } from '../.vitepress/reference/site.js';

// The function reference, as it is generated.

let files: ReadonlyMap<string, string>;
beforeAll(() => {
  files = referenceFiles();
});

const all = () => [...files.values()].join('\n');

/** What the reference says of a function or a type. */
function partOf(name: string): string {
  const [, part = ''] = all().split(new RegExp(`^##+ ${name} \\{#.*\\}$`, 'm'));
  return part.split(/^##+ /m)[0] ?? '';
}

/** The rows of the tables in a text, by their names without the marks. */
const rowsOf = (text: string): ReadonlyMap<string, string> =>
  new Map(
    [...text.matchAll(/^\| <code>(.*?)<\/code>(.*)$/gm)].map(([, name = '', rest = '']) => [
      name.replaceAll('<wbr>', ''),
      rest,
    ]),
  );

const between = (text: string, start: string, end: string) => text.split(start)[1]?.split(end)[0] ?? '';

describe('a union', () => {
  test.each([
    ['quoteBest', ['maxSolSpend', 'lamports', 'amountIn', 'amountInUi', 'amountOut', 'amountOutUi']],
    ['quoteBuy', ['maxSolSpend', 'lamports']],
    ['quoteBuyExactOut', ['amountOut', 'amountOutUi']],
    ['quoteProSellExactOut', ['amountOut', 'amountOutUi']],
  ])('of inputs: %s lists the fields of all alternatives', (name, fields) => {
    const rows = rowsOf(between(partOf(name), '**Parameters**', '**Returns**'));
    for (const field of fields) expect(rows.get(`input.${field}?`)).toContain('One of these.');
  });

  test.each(['QuoteManyRequest', 'QuoteBestInput'])('%s says which side a field is for', (name) => {
    const rows = rowsOf(partOf(name));
    expect(rows.get('maxSolSpend?')).toContain('Only if `side` is `buy`. One of these.');
    expect(rows.get('amountIn?')).toContain('Only if `side` is `sell`. One of these.');
  });

  test('of results says when a field is there', () => {
    const rows = rowsOf(between(partOf('submitTransaction'), '**Returns**', '**Throws**'));
    expect(rows.get('trades?')).toMatch(/Only if `status` is `landed`\. (?!One of these)/);
    expect(rows.get('slot?')).toContain('Only if `status` is `landed` or `failed`.');
    expect(rows.get('signature')).not.toContain('Only if');
  });

  test('shows no field as nothing', () => {
    expect(all()).not.toContain('<code>null</code>');
  });
});

describe('the result of a function', () => {
  test.each([
    ['reviewTransaction', ['built', 'inspection', 'simulation', 'steps', 'costs', 'warnings']],
    ['quoteBest', ['pool', 'kind', 'side', 'quote', 'others', 'leftOut']],
    ['watchTrades', ['isLive', 'next(): Promise&lt;IteratorResult&lt;TItem, undefined&gt;&gt;']],
  ])('of %s has its fields', (name, fields) => {
    const rows = rowsOf(between(partOf(name), '**Returns**', '**Throws**'));
    for (const field of fields) expect([...rows.keys()]).toContain(field);
  });

  test('is not a link to itself', () => {
    const empty = [
      ...all().matchAll(/\*\*Returns\*\* (.*)\n\n\| Field.*\n\| ---.*\n\| and <code>\[(\w+)\].*/g),
    ];
    expect(empty.length).toBeGreaterThan(0);
    for (const [, returns, name] of empty) expect(returns).not.toContain(`[${name}]`);
  });
});

describe('a function with overloads', () => {
  test('is described as without the options that only one of them takes', () => {
    const summary = 'Takes a built transaction from the wallet to its outcome.';
    for (const page of ['index.md', 'submit.md'])
      expect(files.get(page)).toMatch(new RegExp(`\\[\`signAndSubmitTransaction\`\\].* \\| ${summary} \\|`));
    const part = partOf('signAndSubmitTransaction');
    const [main = '', overload = ''] = part.split('**Overload** ');
    expect(main.trim()).toMatch(new RegExp(`^${summary}`));
    expect([...rowsOf(main).keys()]).toContain('options.sign');
    expect([...rowsOf(main).keys()]).not.toContain('options.requote');
    expect(overload).toMatch(/^The same for a trade whose quote is made again/);
    expect([...rowsOf(overload).keys()]).toEqual(['built', 'options', 'options.requote']);
    expect(overload).toMatch(/^Returns .*DeclinedQuote/m);
  });
});

describe('a class', () => {
  test('shows its methods with their signatures, and nothing private', () => {
    const [, update = ''] = /^\| (<code>updatePool.*) \|$/m.exec(partOf('createEmbeddedLedger')) ?? [];
    expect(update).toMatch(
      /^<code>updatePool\(pool: Address, change: \(state: .*\) =&gt; .*\): void<\/code>/,
    );
    expect(all()).not.toMatch(/<code>#|__@|`#\w/);
  });

  test('has an example of updatePool that works', async () => {
    const [, code = ''] = /For example, `(.*?)`/.exec(partOf('createEmbeddedLedger')) ?? [];
    const ledger = await createEmbeddedLedger();
    const { pool, mint, configVersion } = ledger.pools.creator;
    const client = createHeavenClient({ rpc: ledger.rpc });
    const input = { configVersion, mint, maxSolSpend: 1, slippageBps: 50 };
    await quoteBuy(client, input);
    new Function('ledger', 'pool', code)(ledger, pool);
    await expectRefusal(quoteBuy(client, input), 'operation-disabled:swap');
  });
});

describe('the errors of a function', () => {
  test('are without those that it excludes', () => {
    const [, table = ''] = partOf('submitUntilCertain').split('| Error |');
    const codes = [...table.matchAll(/^\| `(.*?)` \|/gm)].map(([, code]) => code);
    expect(codes).toContain('aborted');
    expect(codes).toContain('rpc-failed');
    expect(codes).not.toContain('outcome-unknown');
  });
});

test('each link is resolved', () => {
  expect(all()).not.toContain('{@link');
});
