import { describe, expect, test } from 'vitest';

import { fetchTokenImage, type MetadataFetch } from '../../src/index.js';
import { expectRefusal } from '../support/errors.js';

const PNG = Uint8Array.from([137, 80, 78, 71]);
const URL_OF_IMAGE = 'https://example.com/token.png';

/** A host that answers so, and the requests that it got. */
function hostWith(status: number, type: string | undefined, body: Uint8Array<ArrayBuffer> = PNG) {
  const requests: Parameters<MetadataFetch>[] = [];
  const fetch: MetadataFetch = async (url, init) => {
    requests.push([url, init]);
    return new Response(body, { status, headers: type === undefined ? {} : { 'content-type': type } });
  };
  return { fetch, requests };
}

describe('an image of a token', () => {
  test('is its bytes and type, fetched without credentials or referrer', async () => {
    const { fetch, requests } = hostWith(200, 'image/png; charset=binary');
    expect(await fetchTokenImage(URL_OF_IMAGE, { fetch })).toEqual({ type: 'image/png', bytes: PNG });
    expect(requests).toMatchObject([
      [URL_OF_IMAGE, { redirect: 'manual', credentials: 'omit', referrerPolicy: 'no-referrer' }],
    ]);
  });

  test.each([
    ['refused', hostWith(404, 'image/png')],
    ['an SVG', hostWith(200, 'image/svg+xml')],
    ['a page', hostWith(200, 'text/html')],
    ['without a type', hostWith(200, undefined)],
    ['too large', hostWith(200, 'image/png', new Uint8Array(1_000_001))],
  ])('is nothing if it is %s', async (_, { fetch }) => {
    expect(await fetchTokenImage(URL_OF_IMAGE, { fetch })).toBeUndefined();
  });

  test('may be as large as the limit', async () => {
    const { fetch } = hostWith(200, 'image/webp', new Uint8Array(1_000_000));
    expect((await fetchTokenImage(URL_OF_IMAGE, { fetch }))?.bytes).toHaveLength(1_000_000);
    expect(await fetchTokenImage(URL_OF_IMAGE, { fetch, maxBytes: 999_999 })).toBeUndefined();
  });

  test('is only asked of public https: hosts', async () => {
    const { fetch, requests } = hostWith(200, 'image/png');
    for (const url of [
      'http://example.com/a.png',
      'https://localhost/a.png',
      'ipfs://x',
      'data:image/png,',
      '',
    ])
      await expectRefusal(() => fetchTokenImage(url, { fetch }), 'invalid-input', { field: 'url' });
    expect(requests).toEqual([]);
    await expectRefusal(() => fetchTokenImage(URL_OF_IMAGE, {} as never), 'invalid-input', {
      field: 'fetch',
    });
  });

  test('ends with the caller, or after its time', async () => {
    const silent: MetadataFetch = (_, { signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    const abortSignal = AbortSignal.abort('enough');
    await expectRefusal(() => fetchTokenImage(URL_OF_IMAGE, { fetch: silent, abortSignal }), 'aborted');
    expect(await fetchTokenImage(URL_OF_IMAGE, { fetch: silent, timeoutMs: 5 })).toBeUndefined();
    const deaf: MetadataFetch = () => new Promise(() => {});
    expect(await fetchTokenImage(URL_OF_IMAGE, { fetch: deaf, timeoutMs: 5 })).toBeUndefined();
  });

  test('follows redirects to public hosts only', async () => {
    const asked: string[] = [];
    const leadingTo =
      (location: string): MetadataFetch =>
      async (url) => {
        asked.push(url);
        return url === URL_OF_IMAGE
          ? new Response(null, { status: 302, headers: { location } })
          : new Response(PNG, { headers: { 'content-type': 'image/png' } });
      };
    const image = await fetchTokenImage(URL_OF_IMAGE, { fetch: leadingTo('https://cdn.example.com/a.png') });
    expect(image?.bytes).toEqual(PNG);
    expect(asked).toEqual([URL_OF_IMAGE, 'https://cdn.example.com/a.png']);
    asked.length = 0;
    for (const location of ['https://localhost/a.png', 'http://example.com/a.png', 'https://10.0.0.1/'])
      expect(await fetchTokenImage(URL_OF_IMAGE, { fetch: leadingTo(location) })).toBeUndefined();
    expect(asked).toEqual([URL_OF_IMAGE, URL_OF_IMAGE, URL_OF_IMAGE]);
  });
});
