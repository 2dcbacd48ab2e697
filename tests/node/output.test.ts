import { expect, test } from 'vitest';

import { printable, withoutKeys } from '../../src/node/commands/output.js';

test.each([
  ['at https://node.example/KEY now', 'at https://node.example/… now'],
  ['wss://node.example:8900/?key=KEY', 'wss://node.example:8900/…'],
  ['https://me:KEY@node.example', 'https://node.example/…'],
  ['rediss://:KEY@host:6379', 'rediss://host:6379/…'],
  ['https://node.example', 'https://node.example'],
  ['https://[KEY', 'https://…'],
  ['no URL', 'no URL'],
])('a text without keys: %s', (text, expected) => expect(withoutKeys(text)).toBe(expected));

test('a printed text contains nothing that a terminal would execute', () => {
  expect(printable('a\u001b[31mb\r\u202ec')).toBe('a\ufffd[31mb\ufffd\ufffdc');
});
