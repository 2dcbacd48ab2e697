import { describe, expect, test } from 'vitest';

import { compareUriMetadata, getUriMetadata, METADATA_LIMITS, writeUriMetadata } from '../../src/index.js';
import { expectRefusal } from '../support/errors.js';
import { fc } from '../support/properties.js';

const CID = 'bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi';
const GATEWAYS = { ipfs: 'https://gateway.xyz/ipfs/' };
const TOKEN = {
  name: 'My tøken',
  symbol: 'MINE',
  description: 'Mine "alone"',
  image: 'https://files.example.com/a.png',
};

/** What a wallet reads from a hosted file. */
const hosted = (json: string, gateways = {}) =>
  getUriMetadata('https://files.example.com/token.json', {
    fetch: async () => new Response(json),
    gateways,
  });

describe('writeUriMetadata', () => {
  test('writes the fields that wallets know, and leaves out what is empty', () => {
    expect(JSON.parse(writeUriMetadata(TOKEN).json)).toEqual(TOKEN);
    const bare = { name: 'A', symbol: '', description: null, image: undefined, owner: 'x' };
    expect(JSON.parse(writeUriMetadata(bare).json)).toEqual({ name: 'A' });
  });

  test('says what a wallet will read', async () => {
    const image = `ipfs://${CID}/a.svg`;
    const { json, metadata } = writeUriMetadata({
      ...TOKEN,
      name: 'My\u202e token',
      image,
      gateways: GATEWAYS,
    });
    expect(JSON.parse(json)).toMatchObject({ name: 'My\u202e token', image });
    expect(metadata).toEqual({
      name: { value: 'My token', source: 'uri' },
      symbol: { value: 'MINE', source: 'uri' },
      description: { value: 'Mine "alone"', source: 'uri' },
      image: { value: `https://gateway.xyz/ipfs/${CID}/a.svg`, source: 'uri', isSvg: true },
      problems: [],
    });
    expect(await hosted(json, GATEWAYS)).toEqual(metadata);
  });

  test.each([
    'http://files.example.com/a.png',
    'javascript:alert(1)',
    'https://127.0.0.1/a.png',
    `ipfs://${CID}`,
  ])('reports the image %s, which no wallet would load', (image) => {
    expect(writeUriMetadata({ ...TOKEN, image }).metadata).toMatchObject({
      image: undefined,
      problems: [{ code: 'unsafe-url', source: 'image' }],
    });
  });

  test('writes what getUriMetadata reads, whatever the texts', async () => {
    const texts = fc.string({ unit: 'binary', maxLength: 40 }).filter((text) => !/\p{Surrogate}/u.test(text));
    const files = fc.record({ name: texts, symbol: texts, description: texts, image: texts });
    await fc.assert(
      fc.asyncProperty(files, async (file) => {
        const { json, metadata } = writeUriMetadata(file);
        expect(await hosted(json)).toEqual(metadata);
      }),
    );
  });

  test('rejects a file that readers would not read to its end', async () => {
    // {"name":"A","symbol":"B","description":""} on five lines, with two spaces before each field.
    const around = '{\n  "name": "A",\n  "symbol": "B",\n  "description": ""\n}'.length;
    const file = (bytes: number) => ({ name: 'A', symbol: 'B', description: 'é'.repeat(bytes / 2) });
    const most = 65_536 - around - ((65_536 - around) % 2);
    expect((await hosted(writeUriMetadata(file(most)).json)).problems).toEqual([]);
    await expectRefusal(() => writeUriMetadata(file(most + 2)), 'text-too-long', {
      field: 'description',
      size: around + most + 2,
      limit: 65_536,
    });
  });

  test('rejects what is not text', async () => {
    for (const [field, value] of [
      ['name', 1],
      ['image', {}],
      ['description', '\ud800'],
    ] as const)
      await expectRefusal(() => writeUriMetadata({ ...TOKEN, [field]: value } as never), 'invalid-input', {
        field,
      });
    const gateways = { ipfs: 'http://gateway.xyz' };
    await expectRefusal(() => writeUriMetadata({ ...TOKEN, gateways }), 'invalid-input', {
      field: 'gateways.ipfs',
    });
  });
});

describe('compareUriMetadata', () => {
  const { metadata } = writeUriMetadata(TOKEN);

  test('finds nothing in the same file', async () => {
    expect(compareUriMetadata(metadata, await hosted(JSON.stringify(TOKEN)))).toEqual([]);
    // A direction mark is not shown, so it is no difference.
    expect(
      compareUriMetadata(metadata, await hosted(JSON.stringify({ ...TOKEN, name: 'My\u202e tøken' }))),
    ).toEqual([]);
  });

  test('names each field that differs or is missing', async () => {
    const found = await hosted(JSON.stringify({ ...TOKEN, symbol: 'OURS', image: 'javascript:alert(1)' }));
    expect(compareUriMetadata(metadata, found)).toEqual([
      { field: 'symbol', asked: 'MINE', found: 'OURS' },
      { field: 'image', asked: TOKEN.image, found: undefined },
    ]);
  });

  test('ignores what was not asked for', async () => {
    const { metadata: asked } = writeUriMetadata({ name: TOKEN.name, symbol: '' });
    expect(compareUriMetadata(asked, await hosted(JSON.stringify(TOKEN)))).toEqual([]);
  });
});

test('the limits of what the chain stores', () => {
  expect(METADATA_LIMITS).toEqual({ name: 32, symbol: 10, uri: 200 });
});
