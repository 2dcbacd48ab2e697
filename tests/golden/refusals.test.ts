import { readFileSync, writeFileSync } from 'node:fs';

import { afterAll, expect, inject, test, vi } from 'vitest';

import type { HeavenError, HeavenWarning } from '../../src/index.js';
import { sdkName } from '../http/engines.js';
import {
  assertForCallers,
  type ErrorBody,
  expectNone,
  fieldsOf,
  jsonText,
  LEAKS,
  readJson,
  send,
  textsIn,
} from '../http/support.js';
import { caseOf, refusalOf } from '../support/errors.js';
import { engines, restore } from './chain-refusals.js';
import { type By, type Case, cases, WARNINGS } from './wrong-inputs.js';

// What operations refuse and warn of, word by word: over HTTP, by the SDK, and by the remote client where it differs from the SDK. If an
// error changes on purpose, `RECORD_GOLDEN=1 npx vitest run --project fast tests/golden` writes all of them again: read the difference.

interface Warned {
  readonly warnings?: readonly HeavenWarning[];
  readonly details?: Warned;
}

const file = new URL('refusals.json', import.meta.url);
const engine = inject('engine');
const isHandler = engine === 'handler';
const isRecording = process.env.RECORD_GOLDEN === '1' && isHandler;
/** Other bodies, paths and methods, over a real socket too; but for a body whose connection is closed behind it. */
const isOfHttp = ({ name, what }: Case) => engine === 'node' && name === undefined && what !== 'too large';
/** Over a socket, of the operations only what the chain refuses: their requests take the same way there. */
const tried = isHandler ? cases : cases.filter((one) => one.expected !== undefined || isOfHttp(one));
const keyOf = (path: string, what: unknown) => `${path} ${what}`;
/** The lines of the record, by the path and the case in them. */
const recorded = new Map(
  readFileSync(file, 'utf8')
    .split(/,?\n/)
    .slice(1, -2)
    .map((line) => {
      const { path, case: what } = JSON.parse(line) as { readonly path: string; readonly case: string };
      return [keyOf(path, what), line];
    }),
);
const found = new Map<string, string>();

/** A value as JSON, in which what JSON doesn't have is text. */
const exact = (_: string, value: unknown) =>
  typeof value === 'bigint'
    ? `${value}n`
    : typeof value === 'function' || Number.isNaN(value)
      ? `(${String(value)})`
      : value;

const warningsOf = ({ warnings, details }: Warned) => warnings ?? details?.warnings;

/** What a service answers: its error, or its warnings. */
async function answerTo({ path, what, request, by, field }: Case, { handler, reported }: ReturnType<By>) {
  const { query = '', ...init } = request!;
  const [told, read] = [reported.length, engines.ledger.requests.length];
  const { status, headers, text } = await send(handler, `${path}${query}`, init);
  // An unknown name is repeated.
  assertForCallers(textsIn(text).map((each) => each.replaceAll(what.split(':')[0] as string, 'name')));
  const answer = readJson(text) as unknown as Warned & { readonly error: ErrorBody };
  if (status === 200) return { status, warnings: warningsOf(answer) };
  const { error } = answer;
  const named = fieldsOf(error).join();
  if (error.code === 'invalid-request' && engines.ledger.requests.length > read)
    throw new Error('The service reads before it rejects.');
  if (error.code === 'invalid-request' && field !== undefined && named !== field.path.join('.'))
    throw new Error(`The error names ${named}.`);
  // Of what is not the caller's fault. The worker reports elsewhere.
  const isTold = status >= 500 && (engine !== 'workerd' || by !== undefined);
  if (reported.length - told !== (isTold ? 1 : 0)) throw new Error('The operator is told, or is not.');
  const shown = ['allow', 'retry-after'].flatMap((name) => {
    const value = headers.get(name);
    return value === null ? [] : [[name, value]];
  });
  return { status, ...Object.fromEntries(shown), ...error };
}

/** How a call ends: with its error, or with its warnings. */
const ending = async (call: Promise<object>) =>
  JSON.stringify(
    await call.then(
      (result) => ({ warnings: warningsOf(result as Warned) }),
      ({ code, message, context }: HeavenError) => ({ code, message, context }),
    ),
    exact,
  );
const isRefusal = (end: string) => end.startsWith('{"code":');

async function lineOf(one: Case): Promise<string> {
  const { path, what, name, request, call, prepare, by, expected, field } = one;
  prepare?.();
  const service = by?.() ?? engines;
  const http = request && (await answerTo(one, service));
  if (call === undefined) return jsonText({ path, case: what, http });
  const sdk = await ending((service.local ?? engines.local)(name!, call.input));
  const remote = by === undefined ? await ending(engines.remote(name!, call.input)) : sdk;
  if (
    field !== undefined &&
    isRefusal(sdk) &&
    !sdk.includes(`"field":${JSON.stringify(sdkName(field.path))}`)
  )
    throw new Error('The error does not name the field.');
  if (expected !== undefined) {
    const { code, context } = await refusalOf(engines.local(name!, call.input));
    expect(caseOf(code, context)).toBe(expected);
  }
  const differs = remote !== sdk && (isRefusal(remote) || isRefusal(sdk));
  return jsonText({
    path,
    case: what,
    http,
    sdk: readJson(sdk),
    ...(differs ? { remote: readJson(remote) } : {}),
  });
}

test.each([...new Set(tried.map(({ path }) => path))].sort())('%s', async (path) => {
  const keys: string[] = [];
  for (const one of tried.filter((each) => each.path === path)) {
    const key = keyOf(path, one.what);
    if (found.has(key)) throw new Error(`${key} is there twice.`);
    keys.push(key);
    try {
      found.set(key, await lineOf(one));
    } catch (error) {
      throw new Error(`${key}: ${error}`, { cause: error });
    } finally {
      restore();
      vi.unstubAllGlobals();
      vi.useRealTimers();
    }
  }
  if (isRecording) return;
  const changed = keys.filter((key) => found.get(key) !== recorded.get(key));
  expect(changed.map((key) => found.get(key))).toEqual(changed.map((key) => recorded.get(key)));
});

test.skipIf(!isHandler)('each case and each warning is recorded', () => {
  if (!isRecording) expect([...found.keys()].sort()).toEqual([...recorded.keys()]);
  for (const [code, warned] of Object.entries(WARNINGS)) {
    expect(warned.length, code).toBeGreaterThan(0);
    for (const { path, what } of warned)
      expect(found.get(keyOf(path, what)), `${path} ${what}`).toContain(`"code":"${code}"`);
  }
});

test('no error holds traces of the machine', () => {
  for (const line of found.values()) expectNone(line, LEAKS);
});

afterAll(() => {
  const sorted = [...found.keys()].sort();
  if (isRecording && found.size === cases.length)
    writeFileSync(file, `[\n${sorted.map((key) => found.get(key)).join(',\n')}\n]\n`);
});
