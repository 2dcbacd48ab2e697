import { inspect } from 'node:util';

import { getBase58Decoder, getBase64Decoder, getBase64Encoder } from '@solana/kit';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { RequestEvent } from '../../src/http/index.js';
import * as http from '../../src/http/index.js';
import { inputFields } from '../../src/http/schemas/inputs.js';
import * as main from '../../src/index.js';
import { assertNoKeys } from '../../src/node/commands/options.js';
import * as node from '../../src/node/index.js';
import * as program from '../../src/program/index.js';
import * as testing from '../../src/testing/index.js';
import {
  bodyWith,
  createEngines,
  fieldsOf,
  inputOf,
  inputWith,
  isInSdk,
  OPERATIONS,
  setIn,
} from '../http/engines.js';
import { objectText, post, send } from '../http/support.js';
import { STRANGER } from '../support/addresses.js';
import { turn } from '../support/clock.js';
import { errorOf, expectRefusal } from '../support/errors.js';
import { buyFor, client, useLedger } from '../support/ledger.js';
import { fc } from '../support/properties.js';
import { ROWS } from './object-calls.js';

// A key where something else belongs is in nothing that is thrown, logged, warned of or sent.

const WORDS =
  `abandon ability able about above absent absorb abstract absurd abuse access accident account accuse achieve acid acoustic
acquire across act action actor actress actual adapt add addict address adjust admit adult advance advice aerobic`.split(
    /\s+/,
  );

interface Key {
  readonly bytes: Uint8Array;
  readonly words: readonly string[];
}
const keys: fc.Arbitrary<Key> = fc.record({
  bytes: fc.noBias(fc.uint8Array({ minLength: 64, maxLength: 64 })),
  words: fc.shuffledSubarray(WORDS, { minLength: 24, maxLength: 24 }),
});
const forEachKey = (check: (key: Key) => Promise<void>) =>
  fc.assert(fc.asyncProperty(keys, check), { numRuns: 1, endOnFailure: true });

/** A key as its owner may have it. */
function formsOf({ bytes, words }: Key): readonly unknown[] {
  const text = [getBase58Decoder().decode(bytes), getBase64Decoder().decode(bytes), hexOf(bytes)];
  const phrases = [words.slice(0, 12).join(' '), words.join(' ')];
  return [...text, JSON.stringify([...bytes]), ...phrases, [...bytes], bytes, bytes.buffer];
}
const hexOf = (bytes: Uint8Array) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');

const grams = (items: readonly string[] | string, size: number, separator = ''): readonly string[] =>
  Array.from({ length: items.length - size + 1 }, (_, at) =>
    Array.from(items.slice(at, at + size)).join(separator),
  );

/** Finds what a text has of a key: ten characters, four bytes or three words. */
function finderOf({ bytes, words }: Key): (text: string) => readonly string[] {
  const [base58, base64, hex] = formsOf({ bytes, words }) as readonly [string, string, string];
  const parts = new Set([
    ...[base58, base64, hex].flatMap((form) => grams(form, 10)),
    ...grams([...bytes].map(String), 4, ','),
    ...grams(words, 3, ' '),
  ]);
  return (text) => {
    const runs = text.match(/[\da-z+/=]{10,}/gi) ?? [];
    const lists = text.match(/\d{1,3}(?:[\s,]+\d{1,3}){3,}/g) ?? [];
    const hexes = text.match(/\b[\da-f]{2}(?: [\da-f]{2}){4,}\b/g) ?? [];
    const phrases = text.match(/[a-z]+(?:\W+[a-z]+){2,}/g) ?? [];
    return [
      ...[...runs, ...hexes.map((one) => one.replaceAll(' ', ''))].flatMap((run) => grams(run, 10)),
      ...lists.flatMap((list) => grams(list.split(/[\s,]+/), 4, ',')),
      ...phrases.flatMap((phrase) => grams(phrase.split(/\W+/), 3, ' ')),
    ].filter((part) => parts.has(part));
  };
}

const inFull = (value: unknown): string =>
  inspect(value, { depth: 8, maxArrayLength: 200, maxStringLength: 1e6, breakLength: 1e6 });

/** What a call throws or warns of. */
async function saidBy(call: () => unknown): Promise<string> {
  try {
    const made = Object(await call());
    // What was accepted may go on.
    for (const end of ['stop', 'close', 'return']) if (typeof made[end] === 'function') void made[end]();
    return inFull([made.warnings, made.details?.warnings]);
  } catch (error) {
    return `${inFull(error)}\n${main.explainError(error).message}`;
  }
}

const text = (value: unknown): value is string => typeof value === 'string';
/** A cursor is a signature, which may be any 64 bytes in base58. */
const isCursor = ([field, value]: readonly [string, unknown]) =>
  ['before', 'until'].includes(field) && text(value) && !/\W|0/.test(value);

/** Some forms of a key, others each time: between them, the fields try all. */
function turnsOf(key: Key, start = 0) {
  const forms = formsOf(key);
  let turn = start;
  return (count: number) => Array.from({ length: count }, () => forms[turn++ % forms.length]);
}

type Functions = Readonly<Record<string, (...args: readonly unknown[]) => unknown>>;

/** What they return explains what they got. */
const EXPLAINING = ['explainError', 'explainTransactionFailure', 'answerOf'];

describe('an exported function', () => {
  useLedger();
  afterEach(() => void vi.restoreAllMocks());

  test('repeats no key in a field, or as its name', async () => {
    const lines: unknown[] = [];
    for (const level of ['log', 'info', 'warn', 'error', 'debug'] as const)
      vi.spyOn(console, level).mockImplementation((...said) => void lines.push(said));
    await forEachKey(async (key) => {
      const find = finderOf(key);
      const next = turnsOf(key);
      for (const [misspelt, meant, call] of Object.values(ROWS).flat()) {
        const takes = / takes ([\w, ]+)/.exec(await saidBy(() => call({ nonsense: 1 })))?.[1] ?? meant;
        const values = takes.split(/,\s*/).flatMap((field) => next(9).map((form) => ({ [field]: form })));
        const names = formsOf(key)
          .filter(text)
          .map((form) => ({ [form]: 1 }));
        for (const more of [...values, ...names]) {
          if (Object.entries(more).some(isCursor)) continue;
          const said = await saidBy(() => call(more));
          expect(find(said), `${misspelt}: ${said}`).toEqual([]);
        }
      }
      expect(find(inFull(lines))).toEqual([]);
    });
  });

  test('repeats no key that it is passed', async () => {
    const exported = Object.entries({
      ...main,
      ...http,
      ...node,
      ...testing,
      ...program,
    } as unknown as Functions);
    await forEachKey(async (key) => {
      const find = finderOf(key);
      const next = turnsOf(key);
      for (const [name, call] of exported.filter(([name]) => /^[a-z]/.test(name))) {
        if (typeof call !== 'function') continue;
        const ways = [[], [client], [client, {}], ['']].flatMap((before) =>
          next(9).map((form) => [...before, form]),
        );
        for (const args of ways) {
          const said = await saidBy(async () => {
            const made = call(...args);
            const isWatch = typeof made === 'object' && made !== null && 'next' in made;
            // A watch that is not rejected waits.
            if (isWatch) await Promise.race([(made as AsyncGenerator).next(), turn()]);
            if (EXPLAINING.includes(name)) throw made;
            return isWatch ? { made, return: () => void (made as AsyncGenerator).return(undefined) } : made;
          });
          expect(find(said), `${name}: ${said}`).toEqual([]);
        }
      }
    });
  });
});

// ---------------------------------------------------------------- operations, over HTTP too

const { handler, ledger: served, localClient, mintSigner, working } = await createEngines();
const events: RequestEvent[] = [];
const observed = http.createHandler({
  client: main.createHeavenClient({ rpc: served.rpc }),
  mintSigner: async () => mintSigner,
  observe: (event) => void events.push(event),
});
const sent: string[] = [];
const remoteClient = http.createRemoteClient({
  baseUrl: 'http://service',
  fetch: async (url, init) => {
    sent.push(`${url} ${String(init?.body)}`);
    return await handler(new Request(url, init));
  },
});

/** Texts of the caller's, which are sent as they are. */
const TEXTS = ['name', 'symbol', 'uri', 'encoded_user_defined_event_data'];
const LOCAL: Readonly<Record<string, object>> = {
  tip: { to: STRANGER, lamports: 1n },
  before: [{ programAddress: STRANGER, accounts: [{ address: STRANGER, role: 1 }], data: Uint8Array.of(1) }],
  lifetime: { blockhash: STRANGER, lastValidBlockHeight: 1n },
};

/** The path of each place in a value. */
const placesIn = (value: unknown): readonly (readonly string[])[] =>
  typeof value !== 'object' || value === null || ArrayBuffer.isView(value)
    ? [[]]
    : [[], ...Object.entries(value).flatMap(([name, inner]) => placesIn(inner).map((at) => [name, ...at]))];

test.each(OPERATIONS)('%s repeats no key, and sends none', async (name, path) => {
  const request = working[path]!;
  const own = name === 'buildCreateStandardLiquidityPool' ? { mintSigner } : {};
  await forEachKey(async (key) => {
    const find = finderOf(key);
    const next = turnsOf(key, path.length);
    const call = (of: object, input: object) =>
      saidBy(() => (of as Readonly<Record<string, (input: object) => unknown>>)[name]!(input));
    const assertNone = (said: string) => expect(find(said), said).toEqual([]);

    for (const field of fieldsOf(name))
      for (const form of next(2).flatMap((one) =>
        text(one) && field.form.kind === 'object' ? [one, { [one]: 1 }] : [one],
      )) {
        const input = isInSdk(name, field) ? inputWith(name, request, field, form) : {};
        assertNone(await call(localClient, { ...own, ...input }));
        assertNone(await call(remoteClient, input));
        const { status, text: answer } = await post(observed, path, bodyWith(request, field, inJson(form)));
        // A successful answer repeats texts of the caller's.
        if (status !== 200) assertNone(answer);
        if (TEXTS.includes(field.path[0]!)) sent.length = 0;
      }

    const input = { ...own, ...inputOf(name, request.required) };
    const known = Object.keys(inputFields[name]().local);
    const places = known.flatMap((field) => placesIn(LOCAL[field]).map((place) => [field, ...place]));
    const given = Object.fromEntries(Object.entries(LOCAL).filter(([field]) => known.includes(field)));
    for (const place of places)
      for (const form of next(1)) {
        const changed = setIn({ ...input, ...given }, place, form) as object;
        for (const of of [localClient, remoteClient]) assertNone(await call(of, changed));
      }
    for (const form of formsOf(key).filter(text)) {
      const changed = { ...input, [form]: 1 };
      for (const of of [localClient, remoteClient]) assertNone(await call(of, changed));
      const body = objectText({ ...request.required, [form]: '1' });
      assertNone((await post(observed, path, body)).text);
      for (const method of ['POST', /^\w+$/.test(form) ? form : 'GET'])
        for (const url of [path, `/${encodeURIComponent(form)}`])
          assertNone((await send(observed, url, { method })).text);
    }
    assertNone(inFull(events.splice(0)));
    assertNone(sent.splice(0).join());
  });
});

const inJson = (form: unknown) =>
  ArrayBuffer.isView(form) || form instanceof ArrayBuffer ? [...new Uint8Array(form as ArrayBuffer)] : form;

// ---------------------------------------------------------------- wallets and the command line

/** What a node recorded of a transaction, with a value wherever a text belongs. */
const recordWith = (text: unknown) => {
  const header = { numRequiredSignatures: 1, numReadonlySignedAccounts: 0, numReadonlyUnsignedAccounts: 0 };
  const instructions = [{ programIdIndex: 0, accounts: [], data: text }];
  const message = { header, instructions, accountKeys: [text], recentBlockhash: text };
  const meta = { err: null, innerInstructions: [], loadedAddresses: null };
  return { slot: 1n, version: 0, meta, transaction: { message, signatures: [text] } } as never;
};

describe('a key', () => {
  useLedger();

  test('in place of a signer, or from a wallet, is not repeated', async () => {
    const built = await buyFor(STRANGER);
    const bytes = new Uint8Array(getBase64Encoder().encode(built.tx));
    await forEachKey(async (key) => {
      const find = finderOf(key);
      for (const form of formsOf(key)) {
        const signTransactions = async () => [{ [String(form)]: key.bytes }];
        const signer = { address: form, signTransactions, sign: async () => form } as never;
        const calls = [
          () => main.signAndSubmitTransaction(client as never, built, { sign: async () => form as never }),
          () =>
            main.signAndSubmitTransaction(client as never, built, {
              sign: async () => built.tx,
              lastSigner: signer,
            }),
          () => main.refreshLifetime(client, built, { signers: [signer] }),
          () => main.signPrepared(bytes, signer),
          () => main.parseTransaction(recordWith(form)),
          () => http.parseJson(`{${JSON.stringify(String(form))}:1,${JSON.stringify(String(form))}:2}`),
        ];
        for (const call of calls) {
          const said = await saidBy(call);
          expect(find(said), said).toEqual([]);
        }
      }
    });
  });

  test('is described, with what belongs there', async () => {
    await forEachKey(async (key) => {
      for (const payer of formsOf(key).slice(0, -1)) {
        const attempt = main.buildBuy(client, { payer: payer as never, quoteResponse: {} as never });
        const { message, context } = await expectRefusal(attempt, 'invalid-address', { field: 'payer' });
        expect(message).toMatch(
          /^payer must be a base58 address of 32 bytes; got (what may hold a secret key \(a logged key is lost\)|a key pair: pass its address, or a signer that kit makes of it)\.$/,
        );
        expect(String(context.value)).toMatch(/may hold a secret key|^an (array|object)$/);
      }
    });
  });

  test('in a URL is not repeated where a client, an address or an amount belongs', async () => {
    const url = 'https://node.example/v2/1234-secret?api-key=5678';
    const quote = { configVersion: 2, mint: url as never, maxSolSpend: url, slippageBps: 50 };
    for (const attempt of [
      () => main.quoteBuy(url as never, quote),
      () => main.quoteBuy(client, quote),
      () => main.toNativeAmount(url, 9),
      () => main.simulate(url as never, {} as never),
      () => main.inspectTransaction('AA', { client: url as never }),
      () => main.createHeavenClient({ rpcUrl: 'http://localhost', commitment: url as never }),
    ]) {
      const error = (await errorOf(attempt)) as main.AnyHeavenError;
      expect(JSON.stringify([error.message, error.context])).not.toMatch(/example|1234|5678/);
      expect(error.message).toContain('may hold a secret key');
    }
  });

  test('a signature that a context documents stays, in its message too', () => {
    fc.assert(
      fc.property(keys, ({ bytes }) => {
        const signature = getBase58Decoder().decode(
          bytes,
        ) as main.HeavenErrorContexts['aborted']['signature'];
        const error = new main.HeavenError('aborted', `Look for ${signature}.`, {
          method: 'm',
          signature: signature!,
        });
        expect([error.message, error.context.signature]).toEqual([`Look for ${signature}.`, signature]);
        expect(main.explainError(error).message).toBe(error.message);
      }),
      { numRuns: 20 },
    );
  });

  test('among the arguments of the command line is rejected, a transaction and a URL are not', async () => {
    const { tx } = await buyFor(STRANGER);
    assertNoKeys(['inspect', tx, `--rpc=https://node.example/${'k3Y'.repeat(30)}`, STRANGER, undefined]);
    await forEachKey(async (key) => {
      for (const form of formsOf(key).filter(text))
        for (const given of [form, `--port=${form}`]) {
          const said = await saidBy(() => assertNoKeys(['serve', given]));
          expect(said).toContain('may hold a secret key');
          expect(finderOf(key)(said), said).toEqual([]);
        }
    });
  });
});
