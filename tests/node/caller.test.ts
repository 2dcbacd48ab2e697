import { describe, expect, test } from 'vitest';

import { callerOf, networkOf } from '../../src/node/caller.js';
import { startServer } from '../../src/node/index.js';
import { limitPerMinute } from '../../src/node/rate-limit.js';

describe('one caller is one, however its address is written', () => {
  test.each([
    [
      '192.0.2.1',
      '192.0.2.1',
      ' 192.0.2.1 ',
      '192.0.2.1:5678',
      '::ffff:192.0.2.1',
      '::FFFF:C000:201',
      '[::ffff:192.0.2.1]:443',
      '0:0:0:0:0:ffff:c000:0201',
      '192.000.002.001',
      '::ffff:192.0.02.1',
    ],
    // A whole /64 network.
    [
      '2001:db8:0:0',
      '2001:db8::1',
      '2001:DB8::1',
      '[2001:db8::1]',
      '[2001:db8::1]:443',
      '2001:0db8:0000:0000:0000:0000:0000:0001',
      '2001:db8:0:0:ffff:ffff:ffff:ffff',
      '2001:db8::192.0.2.1',
    ],
    ['fe80:0:0:0', 'fe80::1', 'fe80::1%eth0', '[fe80::2%25en1]:80', 'FE80:0::3%lo'],
    ['2001:db8:0:1', '2001:db8:0:1::1'],
    ['2001:db8:1:0', '2001:db8:1::1'],
    ['0:0:0:0', '::192.0.2.1'],
    ['1:0:0:0', '1::'],
    // Not an address: all of them together.
    [
      'unknown',
      'unknown',
      '',
      '_hidden',
      '1.2.3',
      '256.1.1.1',
      '2001:db8::1::2',
      '2001:db8::1]/',
      '::ffff:1.2.3.4.5',
      '12345::',
      '1.2.3.4:x',
    ],
  ])('%s', (caller, ...spellings) => {
    for (const spelling of spellings) expect([spelling, callerOf(spelling)]).toEqual([spelling, caller]);
  });

  test('a network is the /24 or the /48', () => {
    expect(networkOf('192.0.2.1')).toBe(networkOf('192.0.2.255'));
    expect(networkOf('2001:db8:1:2')).toBe(networkOf('2001:db8:1:ffff'));
    expect(networkOf('2001:db8:1:2')).not.toBe(networkOf('2001:db8:2:2'));
  });
});

const SPOOFED = '198.51.100.66';
// Each server takes half a second to close.
test.concurrent.each([
  [0, SPOOFED, '127.0.0.1'],
  [1, '203.0.113.9', '203.0.113.9'],
  [1, `${SPOOFED} ,\t 203.0.113.9`, '203.0.113.9'],
  [1, `${SPOOFED}, 2001:db8::7`, '2001:db8::7'],
  [2, `${SPOOFED}, 203.0.113.9, 10.0.0.1`, '203.0.113.9'],
  // Fewer than there are proxies: one of them was passed by.
  [3, '203.0.113.9, 10.0.0.1', '203.0.113.9'],
  [1, '[2001:db8::7]:443', '2001:db8::7'],
  // Not an address: it reaches no log.
  [1, `${SPOOFED}, level=fatal the key is 0123`, undefined],
  [1, 'x'.repeat(60), undefined],
  [1, `${SPOOFED}, `, undefined],
])("the caller's address behind %i proxies, with %j: %s", async (trustedProxies, forwarded, address) => {
  const addresses: (string | undefined)[] = [];
  const server = await startServer({
    port: 0,
    hostname: '127.0.0.1',
    trustedProxies,
    handler: (_, caller) => {
      addresses.push(caller?.clientAddress);
      return new Response('');
    },
  });
  const spoofed = { 'x-real-ip': SPOOFED, forwarded: `for=${SPOOFED}` };
  await fetch(server.url, { headers: { 'x-forwarded-for': forwarded, ...spoofed } });
  await server.close();
  expect(addresses).toEqual([address]);
});

describe('a limit per minute', () => {
  const limiterOf = (most: number) => {
    const limit = limitPerMinute(most);
    return async (clientAddress: string) =>
      (await limit({ header: () => undefined, path: '/', clientAddress })) === undefined;
  };

  test('counts each caller, and says how long to wait', async () => {
    const limit = limitPerMinute(2);
    const ask = (clientAddress: string) => limit({ header: () => undefined, path: '/', clientAddress });
    expect([await ask('192.0.2.1'), await ask('::ffff:192.0.2.1')]).toEqual([undefined, undefined]);
    const { retryAfterSeconds = 0 } = (await ask('192.0.2.1')) ?? {};
    expect(retryAfterSeconds).toBeGreaterThan(0);
    expect(retryAfterSeconds).toBeLessThanOrEqual(60);
    expect(await ask('192.0.2.2')).toBeUndefined();
  });

  test('counts an IPv6 /48 network as 16 of its /64 networks', async () => {
    const passes = limiterOf(1);
    for (let subnet = 0; subnet < 16; subnet++) expect(await passes(`2001:db8:1:${subnet}::7`)).toBe(true);
    expect(await passes('2001:db8:1:16::7')).toBe(false);
    expect(await passes('2001:db8:2:16::7')).toBe(true);
  });

  test('a flood of addresses clears no count and shuts nobody out', async () => {
    const passes = limiterOf(2);
    const first = [await passes('192.0.2.1'), await passes('192.0.2.1'), await passes('192.0.2.1')];
    expect(first).toEqual([true, true, false]);
    expect(await passes('192.0.2.2')).toBe(true);
    // 32,768 callers are counted each on its own.
    for (let index = 0; index < 32_768; index++) await passes(`2001:db8:${index >> 4}:${index % 16}::1`);
    // More of them share one counter for their network.
    let passed = 0;
    for (let host = 0; host < 256; host++) if (await passes(`198.18.0.${host}`)) passed += 1;
    expect(passed).toBeLessThanOrEqual(2);
    expect([await passes('192.0.2.1'), await passes('192.0.2.2')]).toEqual([false, true]);
    // Two of three at least: one may share the counter by chance.
    const honest = [await passes('198.51.100.1'), await passes('203.0.113.1'), await passes('192.88.99.1')];
    expect(honest.filter(Boolean).length).toBeGreaterThanOrEqual(2);
  });
});
