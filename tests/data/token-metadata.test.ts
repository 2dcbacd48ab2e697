import { type Address, getAddressEncoder, getUtf8Encoder } from '@solana/kit';
import { beforeEach, describe, expect, test, vi } from 'vitest';

import {
  type GetTokenMetadataInput,
  getTokenMetadata,
  getUriMetadata,
  HeavenError,
  type MetadataFetch,
  type MetadataResponse,
} from '../../src/index.js';
import {
  TOKEN_2022_PROGRAM_ADDRESS,
  TOKEN_METADATA_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
} from '../../src/program/index.js';
import { encodeMint, encodeTokenAccount } from '../../src/testing/index.js';
import { addressNamed, addressOfByte, OTHER, STRANGER, WALLET } from '../support/addresses.js';
import { expectRefusal } from '../support/errors.js';
import { client, ledger, useLedger } from '../support/ledger.js';

useLedger();

// The layouts are written out here, so that no test compares the decoder with itself.

const text = (value: string, size = 0): readonly number[] => {
  const bytes = [...getUtf8Encoder().encode(value)];
  const filled = [...bytes, ...Array<number>(Math.max(0, size - bytes.length)).fill(0)];
  return [...u32(filled.length), ...filled];
};
const u32 = (value: number) => [...new Uint8Array(Uint32Array.of(value).buffer)];
const u16 = (value: number) => [value & 0xff, value >> 8];
const key = (address: Address) => [...getAddressEncoder().encode(address)];
const NOBODY = addressOfByte(0);

interface Told {
  readonly name?: string;
  readonly symbol?: string;
  readonly uri?: string;
}

/** Metaplex's account: key 4, update authority, mint, padded texts, fee, no creators unless given, sold, mutable. */
const metaplexAccount = (
  mint: Address,
  { name = 'Light', symbol = 'LIGHT', uri = '' }: Told,
  {
    key: kind = 4,
    isMutable = false,
    creators = [0],
  }: { key?: number; isMutable?: boolean; creators?: readonly number[] } = {},
) =>
  Uint8Array.from([
    kind,
    ...key(STRANGER),
    ...key(mint),
    ...text(name, 32),
    ...text(symbol, 10),
    ...text(uri, 200),
    ...u16(0),
    ...creators,
    0,
    isMutable ? 1 : 0,
    ...Array<number>(100).fill(0),
  ]);

type Extension = readonly [type: number, bytes: readonly number[]];

/** A Token-2022 mint with extensions: the type, the length and the bytes of each. */
const extendedMint = (...extensions: readonly Extension[]) => {
  const base = new Uint8Array(166);
  base.set(encodeMint({ decimals: 5, supply: 1n }));
  base[165] = 1;
  return Uint8Array.from([
    ...base,
    ...extensions.flatMap(([type, bytes]) => [...u16(type), ...u16(bytes.length), ...bytes]),
  ]);
};
const pointerTo = (address: Address, authority = NOBODY): Extension => [
  18,
  [...key(authority), ...key(address)],
];
const ownMetadata = (mint: Address, { name = 'Own', symbol = 'OWN', uri = '' }: Told, authority = NOBODY) =>
  [19, [...key(authority), ...key(mint), ...text(name), ...text(symbol), ...text(uri), ...u32(0)]] as const;

const MINT = addressNamed('a mint');
let metaplex: Address;

beforeEach(async () => {
  const { getProgramDerivedAddress } = await import('@solana/kit');
  const encode = getAddressEncoder().encode;
  [metaplex] = await getProgramDerivedAddress({
    programAddress: TOKEN_METADATA_PROGRAM_ADDRESS,
    seeds: ['metadata', encode(TOKEN_METADATA_PROGRAM_ADDRESS), encode(MINT)],
  });
  ledger.setMint(MINT, TOKEN_PROGRAM_ADDRESS, { decimals: 6, supply: 1n });
});

const place = (address: Address, owner: Address, data: Uint8Array) =>
  ledger.setAccount(address, { owner, data });
const giveMetaplex = (told: Told, more: Parameters<typeof metaplexAccount>[2] = {}) =>
  place(metaplex, TOKEN_METADATA_PROGRAM_ADDRESS, metaplexAccount(MINT, told, more));
const giveExtended = (...extensions: readonly Extension[]) =>
  place(MINT, TOKEN_2022_PROGRAM_ADDRESS, extendedMint(...extensions));

async function described(options: Omit<GetTokenMetadataInput, 'mints'> = {}) {
  const [token] = await getTokenMetadata(client, { mints: [MINT], ...options });
  if (token === undefined) throw new Error('There is no answer');
  return token;
}

/** A `fetch` with an answer for each URL, and a record of what it was asked. */
function web(pages: Readonly<Record<string, () => MetadataResponse | Promise<MetadataResponse>>>) {
  const asked: string[] = [];
  const fetch: GetTokenMetadataInput['fetch'] = async (url, init) => {
    asked.push(url);
    expect(init).toMatchObject({ credentials: 'omit', referrerPolicy: 'no-referrer' });
    const page = pages[url];
    if (page === undefined) throw new TypeError('fetch failed');
    return await page();
  };
  return { fetch, asked };
}

const HTTPS = 'https://tokens.heaven.xyz/light.json';
const answer = (body: unknown, init?: ResponseInit) => () =>
  new Response(typeof body === 'string' ? body : JSON.stringify(body), init);
const leadingTo = (location: string) => () => new Response(null, { status: 302, headers: { location } });

/** What becomes of one answer. */
async function readFrom(
  page: () => MetadataResponse | Promise<MetadataResponse>,
  options: Omit<GetTokenMetadataInput, 'mints'> = {},
) {
  giveMetaplex({ uri: HTTPS });
  return await described({ fetch: web({ [HTTPS]: page }).fetch, ...options });
}

describe('what the accounts say', () => {
  test('is read for all mints in one call, in their order', async () => {
    giveMetaplex({ name: 'Light', symbol: 'LIGHT', uri: 'https://x.xyz/a' });
    const mints = [ledger.pools.creator.mint, MINT, STRANGER];
    const before = ledger.requests.length;
    const tokens = await getTokenMetadata(client, { mints });
    expect(ledger.requests.slice(before).map(({ method }) => method)).toEqual(['getMultipleAccounts']);
    expect(tokens.map(({ mint }) => mint)).toEqual(mints);
    expect(tokens[1]).toEqual({
      mint: MINT,
      tokenProgram: TOKEN_PROGRAM_ADDRESS,
      decimals: 6,
      name: { value: 'Light', source: 'metaplex' },
      symbol: { value: 'LIGHT', source: 'metaplex' },
      description: undefined,
      image: undefined,
      uri: { value: 'https://x.xyz/a', source: 'metaplex' },
      updateAuthority: null,
      isMutable: false,
      problems: [],
    });
    expect(tokens[2]).toMatchObject({
      tokenProgram: undefined,
      decimals: undefined,
      name: undefined,
      isMutable: undefined,
      problems: [{ code: 'mint-not-found', source: 'mint' }],
    });
  });

  test('comes from the mint if it points to itself', async () => {
    giveMetaplex({ name: 'Other' });
    giveExtended(pointerTo(MINT), ownMetadata(MINT, { name: 'Own', symbol: 'OWN', uri: 'ipfs://x' }));
    expect(await described()).toMatchObject({
      tokenProgram: TOKEN_2022_PROGRAM_ADDRESS,
      decimals: 5,
      name: { value: 'Own', source: 'token-2022' },
      symbol: { value: 'OWN', source: 'token-2022' },
      uri: { value: 'ipfs://x', source: 'token-2022' },
      updateAuthority: null,
      isMutable: false,
      problems: [],
    });
  });

  test('comes from Metaplex if the mint points there, as launches do', async () => {
    giveMetaplex({ name: 'Light' });
    giveExtended([3, key(WALLET)], pointerTo(metaplex));
    expect(await described()).toMatchObject({
      name: { value: 'Light', source: 'metaplex' },
      isMutable: false,
      problems: [],
    });
  });

  test('at another address is not followed', async () => {
    giveMetaplex({ name: 'Light' });
    place(OTHER, TOKEN_2022_PROGRAM_ADDRESS, extendedMint(ownMetadata(MINT, { name: 'False' })));
    giveExtended(pointerTo(OTHER), ownMetadata(MINT, { name: 'False' }));
    expect(await described()).toMatchObject({
      name: { value: 'Light', source: 'metaplex' },
      problems: [{ code: 'wrong-metadata', source: 'token-2022' }],
    });
  });

  test('is ignored if it belongs to another mint, program or account type', async () => {
    giveExtended(pointerTo(MINT), ownMetadata(OTHER, { name: 'False' }));
    expect(await described()).toMatchObject({
      name: undefined,
      problems: [{ code: 'wrong-metadata', source: 'token-2022' }],
    });
    const wrong = {
      name: undefined,
      isMutable: undefined,
      problems: [{ code: 'wrong-metadata', source: 'metaplex' }],
    };
    ledger.setMint(MINT, TOKEN_PROGRAM_ADDRESS, { decimals: 6, supply: 1n });
    place(metaplex, TOKEN_METADATA_PROGRAM_ADDRESS, metaplexAccount(OTHER, {}));
    expect(await described()).toMatchObject(wrong);
    place(metaplex, STRANGER, metaplexAccount(MINT, {}));
    expect(await described()).toMatchObject(wrong);
    giveMetaplex({}, { key: 6 });
    expect(await described()).toMatchObject(wrong);
  });

  test('can be truncated anywhere', async () => {
    const metadata = metaplexAccount(MINT, { name: 'Light' });
    for (let size = 0; size < 65 + 36 + 14 + 204 + 5; size++) {
      place(metaplex, TOKEN_METADATA_PROGRAM_ADDRESS, metadata.subarray(0, size));
      const token = await described();
      expect(token.name, `${size} bytes`).toBeUndefined();
      expect(token.problems).toHaveLength(1);
    }
    const mint = extendedMint(pointerTo(MINT), ownMetadata(MINT, { name: 'Own' }));
    place(metaplex, TOKEN_METADATA_PROGRAM_ADDRESS, new Uint8Array());
    for (let size = 166; size < mint.length; size++) {
      place(MINT, TOKEN_2022_PROGRAM_ADDRESS, mint.subarray(0, size));
      expect((await described()).name, `${size} bytes`).toBeUndefined();
    }
  });

  test('may state wrong lengths', async () => {
    const lengths = metaplexAccount(MINT, {});
    lengths.set([0xff, 0xff, 0xff, 0xff], 65);
    place(metaplex, TOKEN_METADATA_PROGRAM_ADDRESS, lengths);
    expect((await described()).problems).toMatchObject([{ code: 'wrong-metadata' }]);
    giveMetaplex({}, { creators: [1, ...u32(0xffff_ffff)] });
    expect((await described()).problems).toMatchObject([{ code: 'wrong-metadata' }]);
    giveMetaplex(
      { name: 'Light' },
      { creators: [1, ...u32(2), ...Array<number>(68).fill(9)], isMutable: true },
    );
    expect(await described()).toMatchObject({
      name: { value: 'Light' },
      isMutable: true,
      updateAuthority: STRANGER,
    });
  });

  test('may change if there is an update authority, or the mint can be pointed elsewhere', async () => {
    giveExtended(pointerTo(MINT), ownMetadata(MINT, {}, WALLET));
    expect(await described()).toMatchObject({ isMutable: true, updateAuthority: WALLET });
    giveExtended(pointerTo(MINT, WALLET), ownMetadata(MINT, {}));
    expect(await described()).toMatchObject({ isMutable: true, updateAuthority: null });
    giveMetaplex({});
    giveExtended(pointerTo(metaplex, WALLET));
    expect(await described()).toMatchObject({ isMutable: true, updateAuthority: null });
  });

  test('is read for mints only', async () => {
    giveMetaplex({});
    for (const [owner, data] of [
      [TOKEN_PROGRAM_ADDRESS, encodeTokenAccount({ mint: OTHER, owner: WALLET, amount: 1n })],
      [STRANGER, encodeMint({ decimals: 1, supply: 1n })],
      [TOKEN_PROGRAM_ADDRESS, new Uint8Array(10)],
    ] as const) {
      place(MINT, owner, data);
      expect(await described()).toMatchObject({
        name: undefined,
        decimals: undefined,
        problems: [{ code: 'not-a-mint', source: 'mint' }],
      });
    }
  });

  test('is sanitized', async () => {
    giveMetaplex({ name: 'USD\u202eC\u200b\n☀', symbol: '\u2066SOL\u2069' });
    expect(await described()).toMatchObject({ name: { value: 'USDC ☀' }, symbol: { value: 'SOL' } });
    const long = 'a'.repeat(20_000);
    giveExtended(pointerTo(MINT), ownMetadata(MINT, { name: long, symbol: long, uri: long }));
    const token = await described();
    expect(token.name?.value).toBe(`${'a'.repeat(63)}…`);
    expect(token.symbol?.value).toBe(`${'a'.repeat(15)}…`);
    expect(token.uri?.value).toHaveLength(512);
    giveMetaplex({ name: '\u200b\u200b', symbol: '' });
    ledger.setMint(MINT, TOKEN_PROGRAM_ADDRESS, { decimals: 6, supply: 1n });
    expect(await described()).toMatchObject({ name: undefined, symbol: undefined });
  });
});

describe('the file behind the URI', () => {
  test('completes the on-chain metadata, and replaces none of it', async () => {
    const image = 'https://tokens.heaven.xyz/light.png';
    const token = await readFrom(
      answer({ name: 'False', symbol: 'FALSE', description: 'A  token\u202e', image }),
    );
    expect(token).toMatchObject({
      name: { value: 'Light', source: 'metaplex' },
      symbol: { value: 'LIGHT', source: 'metaplex' },
      description: { value: 'A token', source: 'uri' },
      image: { value: image, source: 'uri', isSvg: false },
      problems: [],
    });
    giveMetaplex({ name: '', symbol: '', uri: HTTPS });
    const { fetch } = web({ [HTTPS]: answer({ name: 'Named', symbol: 'N' }) });
    expect(await described({ fetch })).toMatchObject({
      name: { value: 'Named', source: 'uri' },
      symbol: { value: 'N', source: 'uri' },
      image: undefined,
    });
  });

  test('is read only with the given fetch', async () => {
    const global = globalThis.fetch;
    globalThis.fetch = () => {
      throw new Error('the global fetch was called');
    };
    try {
      giveMetaplex({ uri: HTTPS });
      expect(await described()).toMatchObject({ image: undefined, problems: [] });
    } finally {
      globalThis.fetch = global;
    }
  });

  test.each([
    'http://tokens.heaven.xyz/a',
    'HTTP://tokens.heaven.xyz/a',
    '//tokens.heaven.xyz/a',
    'data:application/json,{}',
    'javascript:alert(1)',
    'blob:https://tokens.heaven.xyz/a',
    'file:///etc/passwd',
    'ftp://tokens.heaven.xyz/a',
    'https://localhost/a',
    'https://LOCALHOST./a',
    'https://app.localhost/a',
    'https://router/a',
    'https://printer.local/a',
    'https://vault.internal/a',
    'https://home.arpa/a',
    'https://127.0.0.1/a',
    'https://10.0.0.1/a',
    'https://169.254.169.254/latest',
    'https://8.8.8.8/a',
    'https://2130706433/a',
    'https://0x7f000001/a',
    'https://0177.0.0.1/a',
    'https://127.1/a',
    'https://[::1]/a',
    'https://[fd00::1]/a',
    'https://[::ffff:127.0.0.1]/a',
    'https://１２７.０.０.１/a',
    'https://user@tokens.heaven.xyz/a',
    'https://user:secret@tokens.heaven.xyz/a',
    'https://tokens.heaven.xyz:8443/a',
    'https://tokens.heaven.xyz:22/a',
    'https://',
    'https:///',
    'ipfs://bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi',
    'ar://3V6Zz1o5hVIHS3yOB4J4rQmQnWzWl3q4vL8cLqQYb0w',
    'not a URL',
    `https://tokens.heaven.xyz/${'a'.repeat(3_000)}`,
  ])('is not requested at %s', async (uri) => {
    giveMetaplex({ uri });
    const { fetch, asked } = web({});
    expect((await described({ fetch })).problems).toMatchObject([{ code: 'unsafe-url', source: 'uri' }]);
    expect(asked).toEqual([]);
  });

  test('is requested at a gateway, and nowhere else', async () => {
    const cid = 'bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi';
    const id = '3V6Zz1o5hVIHS3yOB4J4rQmQnWzWl3q4vL8cLqQYb0w';
    const gateways = { ipfs: 'https://gateway.xyz/ipfs', arweave: 'https://arweave.net/' };
    for (const [uri, url] of [
      [`ipfs://${cid}/a/b.json`, `https://gateway.xyz/ipfs/${cid}/a/b.json`],
      [`ipfs://ipfs/${cid}`, `https://gateway.xyz/ipfs/${cid}`],
      [`IPFS://${cid}`, `https://gateway.xyz/ipfs/${cid}`],
      [`ar://${id}`, `https://arweave.net/${id}`],
    ] as const) {
      giveMetaplex({ uri });
      const image = `ipfs://${cid}/i.SVG`;
      const { fetch, asked } = web({ [url]: answer({ image }) });
      const token = await described({ fetch, gateways });
      expect(asked).toEqual([url]);
      expect(token.image).toEqual({
        value: `https://gateway.xyz/ipfs/${cid}/i.SVG`,
        source: 'uri',
        isSvg: true,
      });
    }
    for (const uri of [
      `ipfs://../admin`,
      `ipfs://${cid}/../../admin`,
      `ipfs://${cid}/..%2f..`,
      'ipfs://a',
      `ipfs://${cid}/a b`,
      `ar://${id}\\..`,
      'ipfs://@evil.xyz/aaaaaaaaaaaaaaaaaa',
    ]) {
      giveMetaplex({ uri });
      const { fetch, asked } = web({});
      const token = await described({ fetch, gateways });
      expect(
        asked.filter((url) => !url.startsWith(`https://gateway.xyz/ipfs/${cid}/`)),
        uri,
      ).toEqual([]);
      expect(token.problems, uri).toHaveLength(1);
    }
  });

  test('may redirect to an allowed URL, three times', async () => {
    giveMetaplex({ uri: HTTPS });
    const pages = {
      [HTTPS]: leadingTo('/second.json'),
      'https://tokens.heaven.xyz/second.json': leadingTo('https://cdn.heaven.xyz/third.json'),
      'https://cdn.heaven.xyz/third.json': leadingTo('https://cdn.heaven.xyz/fourth.json'),
      'https://cdn.heaven.xyz/fourth.json': answer({ description: 'found' }),
    };
    const { fetch, asked } = web(pages);
    expect(await described({ fetch })).toMatchObject({ description: { value: 'found' }, problems: [] });
    expect(asked).toEqual(Object.keys(pages));
    const circle = web({ [HTTPS]: leadingTo(HTTPS) });
    expect((await described({ fetch: circle.fetch })).problems).toMatchObject([{ code: 'fetch-failed' }]);
    expect(circle.asked).toHaveLength(4);
  });

  test.each([
    'http://tokens.heaven.xyz/',
    'https://169.254.169.254/',
    'javascript:alert(1)',
    'https://localhost/',
    'https://%',
    '',
  ])('does not redirect to %s', async (location) => {
    giveMetaplex({ uri: HTTPS });
    const { fetch, asked } = web({ [HTTPS]: leadingTo(location) });
    const { problems } = await described({ fetch });
    expect(problems).toMatchObject([
      { code: location === '' ? 'fetch-failed' : 'unsafe-url', source: 'uri' },
    ]);
    expect(new Set(asked)).toEqual(new Set([HTTPS]));
  });

  test('is ignored if a browser followed an unsafe redirect', async () => {
    const opaque = { ...fakeResponse('{}'), type: 'opaqueredirect', status: 0, ok: false };
    for (const [url, expected] of [
      ['https://cdn.heaven.xyz/a', 'there'],
      ['http://localhost/a', undefined],
    ] as const) {
      giveMetaplex({ uri: HTTPS });
      const asked: string[] = [];
      const token = await described({
        fetch: async (_, { redirect }) => {
          asked.push(redirect);
          return redirect === 'manual' ? opaque : { ...fakeResponse('{"description":"there"}'), url };
        },
      });
      expect(asked).toEqual(['manual', 'follow']);
      expect(token.description?.value).toBe(expected);
    }
  });

  test('is closed if it is not read', async () => {
    const open = (init: ResponseInit, url = HTTPS) => {
      const cancel = vi.fn();
      const response = new Response(new ReadableStream({ cancel }), init);
      return { cancel, page: () => Object.defineProperty(response, 'url', { value: url }) };
    };
    const failed = open({ status: 500 });
    const redirect = open({ status: 302, headers: { location: '/second.json' } });
    const elsewhere = open({ status: 200 }, 'https://localhost/');
    giveMetaplex({ uri: HTTPS });
    await described({ fetch: web({ [HTTPS]: failed.page }).fetch });
    await described({
      fetch: web({ [HTTPS]: redirect.page, 'https://tokens.heaven.xyz/second.json': answer('{}') }).fetch,
    });
    const opaque = { ...fakeResponse('{}'), type: 'opaqueredirect', status: 0, ok: false };
    await described({
      fetch: async (_, { redirect }) => (redirect === 'manual' ? opaque : elsewhere.page()),
    });
    for (const { cancel } of [failed, redirect, elsewhere]) expect(cancel).toHaveBeenCalledOnce();
  });

  test.each([
    ['HTTP 404', answer('{}', { status: 404 }), 'fetch-failed'],
    ['no JSON', answer('<html>'), 'not-json'],
    ['nothing', answer(''), 'not-json'],
    ['a list', answer('[]'), 'not-json'],
    ['null', answer('null'), 'not-json'],
    ['a number', answer('1'), 'not-json'],
    ['deep nesting', answer('['.repeat(60_000)), 'not-json'],
    ['more than is read', answer(`{"name":"${'a'.repeat(70_000)}"}`), 'too-large'],
    [
      'a length that is more than is read',
      answer('{}', { headers: { 'content-length': '70000' } }),
      'too-large',
    ],
  ] as const)('with %s is a problem', async (_, page, code) => {
    expect(await readFrom(page)).toMatchObject({
      name: { value: 'Light' },
      image: undefined,
      problems: [{ code, source: 'uri' }],
    });
  });

  test('is read even if deeply nested around the image', async () => {
    const nested = `{"a":${'['.repeat(10_000)}${']'.repeat(10_000)},"description":"here"}`;
    expect((await readFrom(answer(nested))).description?.value).toBe('here');
  });

  test('that never ends is cut off at the limit', async () => {
    let pulled = 0;
    let isCancelled = false;
    const endless = () =>
      new Response(
        new ReadableStream({
          pull: (controller) => {
            pulled += 1;
            controller.enqueue(new Uint8Array(1_000).fill(32));
          },
          cancel: () => {
            isCancelled = true;
          },
        }),
      );
    expect((await readFrom(endless, { maxUriBytes: 10_000 })).problems).toMatchObject([
      { code: 'too-large' },
    ]);
    expect(pulled).toBeLessThan(20);
    expect(isCancelled).toBe(true);
  });

  test('that is slow, or never arrives, ends at the time limit', async () => {
    const slow = () => new Response(new ReadableStream({ pull: () => new Promise(() => {}) }));
    expect((await readFrom(slow, { uriTimeoutMs: 20 })).problems).toMatchObject([
      { code: 'timeout', source: 'uri' },
    ]);
    const never = () => new Promise<never>(() => {});
    expect((await readFrom(never, { uriTimeoutMs: 20 })).problems).toMatchObject([{ code: 'timeout' }]);
  });

  test('fails alone, whatever the fetch throws or returns', async () => {
    giveMetaplex({ uri: HTTPS });
    for (const wrong of [
      () => Promise.reject(new HeavenError('aborted', 'By a fetch of its own.', { method: 'fetch' })),
      () => Promise.reject(undefined),
      () => {
        throw new TypeError('at once');
      },
      async () => undefined as never,
      async () => ({}) as never,
    ])
      expect((await described({ fetch: wrong })).problems).toMatchObject([
        { code: 'fetch-failed', source: 'uri' },
      ]);
  });

  test('of one token fails alone', async () => {
    giveMetaplex({ uri: HTTPS });
    const mints = [STRANGER, MINT, ledger.pools.creator.mint];
    const tokens = await getTokenMetadata(client, { mints, fetch: web({}).fetch });
    expect(tokens.map(({ problems }) => problems[0]?.code)).toEqual([
      'mint-not-found',
      'fetch-failed',
      undefined,
    ]);
  });

  test('with keys and values of the wrong kind gives nothing', async () => {
    const hostile =
      '{"__proto__":{"image":"https://a.xyz/a.png","description":"x"},"constructor":{"name":"y"},"image":{"toString":1},"description":["a"],"name":5}';
    expect(await readFrom(answer(hostile))).toMatchObject({
      description: undefined,
      image: undefined,
      problems: [],
    });
    expect(({} as { image?: unknown }).image).toBeUndefined();
  });

  test.each([
    ['data:image/svg+xml,<svg onload=alert(1)>'],
    ['data:text/html;base64,PHNjcmlwdD4='],
    ['javascript:alert(1)'],
    ['http://a.xyz/a.png'],
    ['https://localhost/a.png'],
    ['/a.png'],
    ['ipfs://bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi'],
  ])('has no image at %s', async (image) => {
    expect(await readFrom(answer({ image }))).toMatchObject({
      image: undefined,
      problems: [{ code: 'unsafe-url', source: 'image' }],
    });
  });

  test('has an image URL normalized as a browser does', async () => {
    const { image } = await readFrom(answer({ image: ' https://a.xyz/\u202e"onerror=alert(1)//.svg?x=1 ' }));
    expect(image).toEqual({
      value: 'https://a.xyz/%E2%80%AE%22onerror=alert(1)//.svg?x=1',
      source: 'uri',
      isSvg: true,
    });
  });

  test('is aborted with the caller', async () => {
    giveMetaplex({ uri: HTTPS });
    const stop = new AbortController();
    let given: AbortSignal | undefined;
    const pending = getTokenMetadata(client, {
      mints: [MINT],
      abortSignal: stop.signal,
      fetch: async (_, { signal }) => {
        given = signal;
        stop.abort();
        return await new Promise<never>(() => {});
      },
    });
    await expectRefusal(pending, 'aborted');
    expect(given?.aborted).toBe(true);
  });
});

const fakeResponse = (body: string): MetadataResponse => ({
  ok: true,
  status: 200,
  headers: { get: () => null },
  body: null,
  text: async () => body,
});

test('asks no more than eight hosts at the same time', async () => {
  const mints = Array.from({ length: 20 }, (_, index) => addressNamed(`mint ${index}`));
  for (const mint of mints)
    place(
      mint,
      TOKEN_2022_PROGRAM_ADDRESS,
      extendedMint(pointerTo(mint), ownMetadata(mint, { uri: `https://a.xyz/${mint}` })),
    );
  let open = 0;
  let most = 0;
  const tokens = await getTokenMetadata(client, {
    mints,
    fetch: async (url) => {
      open += 1;
      most = Math.max(most, open);
      await new Promise((resolve) => setTimeout(resolve, 1));
      open -= 1;
      return fakeResponse(JSON.stringify({ description: url }));
    },
  });
  expect(most).toBe(8);
  expect(tokens.map(({ description }) => description?.value)).toEqual(
    mints.map((mint) => `https://a.xyz/${mint}`),
  );
});

describe('rejects', () => {
  test.each<[string, object]>([
    ['mints', { mints: Array.from({ length: 51 }, (_, index) => addressNamed(`mint ${index}`)) }],
    ['mints[1]', { mints: [MINT, MINT] }],
    ['fetch', { fetch: 'https://proxy.xyz' }],
    ['uriTimeoutMs', { uriTimeoutMs: 0 }],
    ['maxUriBytes', { maxUriBytes: 0 }],
    ['gateways.ipfs', { gateways: { ipfs: 'http://gateway.xyz' } }],
    ['gateways.arweave', { gateways: { arweave: 'https://gateway.xyz/?url=' } }],
  ])('an impossible %s', async (field, input) => {
    const before = ledger.requests.length;
    await expectRefusal(getTokenMetadata(client, { mints: [MINT], ...input }), 'invalid-input', { field });
    expect(ledger.requests.length).toBe(before);
  });

  test('an invalid address, and accepts an empty list of mints', async () => {
    await expectRefusal(getTokenMetadata(client, { mints: ['x' as Address] }), 'invalid-address', {
      field: 'mints[0]',
    });
    expect(await getTokenMetadata(client, { mints: [] })).toEqual([]);
  });
});

describe('a metadata file by itself', () => {
  const page = {
    name: 'A\u202e token',
    symbol: 'A',
    description: 'Of mine.',
    image: 'https://files.example.com/a.png',
  };
  const at = async (uri: string, body: unknown) =>
    await getUriMetadata(uri, { fetch: web({ [HTTPS]: answer(body) }).fetch as MetadataFetch });

  test('gives what a token with this URI would give', async () => {
    expect(await at(` ${HTTPS} `, page)).toEqual({
      name: { value: 'A token', source: 'uri' },
      symbol: { value: 'A', source: 'uri' },
      description: { value: 'Of mine.', source: 'uri' },
      image: { value: page.image, source: 'uri', isSvg: false },
      problems: [],
    });
  });

  test.each(['javascript:alert(1)', 'data:application/json,{}', 'http://files.example.com/a.json', ''])(
    'is not fetched from %j',
    async (uri) => {
      const { fetch, asked } = web({});
      expect(await getUriMetadata(uri, { fetch: fetch as MetadataFetch })).toMatchObject({
        name: undefined,
        image: undefined,
        problems: [{ code: 'unsafe-url', source: 'uri' }],
      });
      expect(asked).toEqual([]);
    },
  );

  test('has only images at https: URLs', async () => {
    expect(await at(HTTPS, { ...page, image: 'data:image/png;base64,AAAA' })).toMatchObject({
      name: { value: 'A token' },
      image: undefined,
      problems: [{ code: 'unsafe-url', source: 'image' }],
    });
  });

  test('needs a fetch and a string', async () => {
    await expectRefusal(() => getUriMetadata(HTTPS, {} as never), 'invalid-input', { field: 'fetch' });
    await expectRefusal(
      () => getUriMetadata(1 as never, { fetch: web({}).fetch as MetadataFetch }),
      'invalid-input',
      {
        field: 'uri',
      },
    );
  });
});
