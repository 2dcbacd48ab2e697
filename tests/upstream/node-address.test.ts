import { inspect } from 'node:util';
import { expect, test, vi } from 'vitest';
import { createFailoverTransport, createHeavenClient } from '../../src/index.js';
import { expectRefusal } from '../support/errors.js';
import { createNode, type Does, httpError, rejecting } from '../support/rpc.js';
import { ask, failures, over, useFakeTime, well } from './support.js';

useFakeTime();

const NAME = 'alice';
const SECRET = 's3cr3t';
const HOST = 'one.example';
const WORDS = new RegExp(`${NAME}|%61lice|${SECRET}|${HOST}`, 'i');
const urls = [
  `https://${NAME}:${SECRET}@${HOST}`,
  `http://${NAME}:${SECRET}@${HOST}:8899/path?key=1`,
  `https://${NAME}\n:${SECRET}@${HOST}/`,
];
const { transport: good } = createNode(well());
const makers: readonly [string, string, (url: string) => unknown][] = [
  ['createHeavenClient', 'rpcUrl', (rpcUrl) => createHeavenClient({ rpcUrl })],
  ['createFailoverTransport', 'nodes[0]', (url) => createFailoverTransport([url])],
  ['createFailoverTransport, among others,', 'nodes[1]', (url) => createFailoverTransport([good, url])],
];
test.each(makers.flatMap((maker) => urls.map((url) => [...maker, url] as const)))(
  '%s rejects a URL with a name or a password, and does not repeat it (%#)',
  async (_, field, make, url) => {
    const error = vi.spyOn(console, 'error');
    const thrown = await expectRefusal(() => make(url), 'invalid-input', { field });
    expect(inspect(thrown, { depth: 10, showHidden: true })).not.toMatch(WORDS);
    expect(error).not.toHaveBeenCalled();
  },
);

const text = `connect ECONNREFUSED https://${NAME}:${SECRET}@${HOST}`;
const coded = Object.assign(new Error(text), { code: 'ECONNREFUSED' });
const errors: readonly [string, unknown, string][] = [
  ['an error with a cause', new TypeError(text, { cause: new Error(text) }), 'it could not be reached'],
  ['a cause with a code', new TypeError(text, { cause: coded }), 'it could not be reached: ECONNREFUSED'],
  ['a code that is no text', new Error(text, { cause: { code: [text] } }), 'it could not be reached'],
  ['an object', { message: text, name: text, toString: () => text }, 'it could not be reached'],
  [
    'an HTTP status',
    httpError(418, { 'retry-after': SECRET, location: `https://${HOST}` }, text),
    'HTTP 418',
  ],
];
test.each(errors)(
  'a node’s address is not in the reason when a transport throws %s',
  async (_, error, reason) => {
    await ask(over([createNode(rejecting(error)), createNode(well())]));
    expect(failures).toEqual([{ node: 0, method: 'getMultipleAccounts', reason, cooldownMs: 1_000 }]);
    expect(inspect(failures)).not.toMatch(WORDS);
  },
);

test('a node’s address is not in the reason when a JSON-RPC error holds it', async () => {
  const speaking: Does = () => ({ error: { code: -32005, message: text, data: { text } } });
  await ask(over([createNode(speaking), createNode(well())]));
  expect(failures).toMatchObject([{ reason: 'JSON-RPC error -32005' }]);
});
