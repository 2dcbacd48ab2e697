import { expect, test } from 'vitest';

import { createHandler, createRemoteClient } from '../../src/http/index.js';
import {
  assertTransactionMatches,
  buildBuy,
  buildSell,
  quoteBest,
  quoteBuy,
  quoteBuyExactOut,
  quoteSell,
} from '../../src/index.js';
import { TOKEN_2022_PROGRAM_ADDRESS } from '../../src/program/index.js';
import { expectRefusal } from '../support/errors.js';
import { client, ledger, termsOf, useLedger } from '../support/ledger.js';

// Bytes of mints by hand: 82 of the mint (its authorities at 0 and 46, a tag of 4 bytes before each), then at 165 the kind of account and
// each extension as type, length and content.

useLedger();

const KEY = new Array<number>(32).fill(7);
const NO_KEY = new Array<number>(32).fill(0);
/** The fees before and after an epoch: the authorities, what is withheld, then epoch, maximum and rate, twice. */
const fee = (epoch: number, bps: readonly [number, number], most = 9) => [
  ...[...KEY, ...KEY, ...u64(0)],
  ...[...u64(0), ...u64(9), ...u16(bps[0])],
  ...[...u64(epoch), ...u64(most), ...u16(bps[1])],
];
const u16 = (value: number) => [value & 255, value >> 8];
const u64 = (value: number) => [...u16(value & 0xffff), ...u16(value >> 16), 0, 0, 0, 0];

type Extension = readonly [type: number, content: readonly number[]];

function setMint(extensions: readonly Extension[], authorityAt?: number): void {
  const { mint } = ledger.pools.creator;
  const base = [...(ledger.getAccount(mint)?.data.subarray(0, 82) ?? [])];
  if (authorityAt !== undefined) base.splice(authorityAt, 36, 1, 0, 0, 0, ...KEY);
  const content = extensions.flatMap(([type, bytes]) => [...u16(type), ...u16(bytes.length), ...bytes]);
  const data = Uint8Array.from([...base, ...new Array<number>(83).fill(0), 1, ...content]);
  ledger.setAccount(mint, { owner: TOKEN_2022_PROGRAM_ADDRESS, data });
}

const NEXT_YEAR = 60_000;
const DELEGATE: Extension = [12, KEY];
const STAYS: Extension = [9, []];
const raised = (most: number) => `raise the transfer fee to 300 basis points, at most ${most} units, soon`;

/** The rights that a quote of a sale and the builder warn of. */
async function rightsOf(): Promise<string | undefined> {
  const quoteResponse = await quoteSell(client, { ...termsOf(), amountIn: 10n ** 12n });
  const payer = ledger.pools.creator.creator;
  const { warnings } = await buildSell(client, { payer, quoteResponse });
  const [quoted, built] = [quoteResponse.details.warnings, warnings].map(
    (list) => list.find(({ code }) => code === 'mint-rights')?.message,
  );
  expect(built).toBe(quoted);
  return quoted?.replace(/^Those who control the token's mint can (.*)\. Trade it.*$/, '$1');
}

test.each<[string, readonly Extension[], number | undefined, string | undefined]>([
  ['nothing', [], undefined, undefined],
  ['a mint authority', [], 0, 'issue more of it'],
  ['a freeze authority', [], 46, 'freeze your account'],
  ['a permanent delegate', [DELEGATE], undefined, 'take or burn what you hold'],
  ['no permanent delegate', [[12, NO_KEY]], undefined, undefined],
  ['a hook', [[14, [...NO_KEY, ...KEY]]], undefined, 'run a program on each transfer'],
  ['an authority that could set a hook', [[14, [...KEY, ...NO_KEY]]], undefined, undefined],
  ['a pause', [[26, [...KEY, 0]]], undefined, 'pause all transfers'],
  ['frozen accounts', [[6, [2]]], undefined, 'keep new accounts frozen'],
  ['open accounts', [[6, [1]]], undefined, undefined],
  ['a token that stays', [STAYS], undefined, 'forbid transfers'],
  ['a fee that rises', [[1, fee(NEXT_YEAR, [0, 300])]], undefined, raised(9)],
  ['a maximum that rises', [[1, fee(NEXT_YEAR, [300, 300], 10)]], undefined, raised(10)],
  ['a fee that falls', [[1, fee(NEXT_YEAR, [300, 0])]], undefined, undefined],
  ['a fee that has risen', [[1, fee(1, [0, 300])]], undefined, undefined],
  [
    'a token that stays, a delegate and a freeze authority',
    [STAYS, DELEGATE],
    46,
    'freeze your account, take or burn what you hold, forbid transfers',
  ],
])('of %s', async (_, extensions, authorityAt, rights) => {
  setMint(extensions, authorityAt);
  expect(await rightsOf()).toBe(rights);
});

test.each<[string, Extension]>([
  ['interest-bearing', [10, new Array<number>(52).fill(1)]],
  ['scaled', [25, new Array<number>(56).fill(1)]],
])('of a token with a %s display, UI amounts are rejected and native amounts work', async (_, extension) => {
  setMint([extension]);
  await expectRefusal(quoteSell(client, { ...termsOf(), amountInUi: '1' }), 'invalid-input', {
    field: 'amountInUi',
  });
  const best = { mint: termsOf().mint, slippageBps: 50 };
  for (const quote of [
    quoteBuyExactOut(client, { ...termsOf(), amountOutUi: '1' }),
    quoteBest(client, { ...best, side: 'buy', amountOutUi: '1' }),
  ])
    await expectRefusal(quote, 'invalid-input', { field: 'amountOutUi' });
  const { amountIn } = await quoteSell(client, { ...termsOf(), amountIn: 10n ** 9n });
  expect(amountIn).toBe(10n ** 9n);
  const quote = await quoteBuy(client, { ...termsOf(), maxSolSpend: '1' });
  expect(quote.maxLamportSpend).toBe(10n ** 9n);
  // As a service shows it that scales amounts as wallets do.
  const quoteResponse = { ...quote, minimumOutUi: quote.minimumOutUi * 1.07 };
  const input = { payer: ledger.pools.creator.creator, quoteResponse };
  const { tx, minimumOut } = await buildBuy(client, input);
  expect(minimumOut).toBe(quote.minimumOut);
  const intent = { function: 'buildBuy', input, request: { ...termsOf(), maxSolSpend: '1' } } as const;
  await assertTransactionMatches(tx, intent, { client });
  const handler = createHandler({ client });
  const fetch = async (url: unknown, init: RequestInit = {}) => {
    const answer = await (await handler(new Request(String(url), init))).text();
    return new Response(answer.replace(/"minimum_out_ui":[^,]+/, '"minimum_out_ui":12.34'));
  };
  const ask = (node?: typeof client) =>
    createRemoteClient({ baseUrl: 'http://x', fetch, node }).quoteBuy({ ...termsOf(), maxSolSpend: '1' });
  expect(await ask(client)).toMatchObject({ minimumOut, minimumOutUi: 12.34 });
  // Only a node says so.
  await expectRefusal(ask(), 'quote-mismatch', { field: 'minimumOutUi' });
  // The same of an ordinary mint.
  setMint([]);
  await expectRefusal(buildBuy(client, input), 'quote-mismatch', { field: 'quoteResponse.minimumOutUi' });
});
