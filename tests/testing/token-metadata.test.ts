import { expect, test } from 'vitest';

import { getTokenMetadata } from '../../src/index.js';
import { setTokenMetadata } from '../../src/testing/index.js';
import { client, ledger, useLedger } from '../support/ledger.js';

useLedger();

test('a token of the ledger gets a name that getTokenMetadata reads', async () => {
  const { mint } = ledger.pools.pro;
  const token = { name: 'Pro token', symbol: 'PRO', uri: 'https://example.com/pro.json' };
  await setTokenMetadata(ledger, mint, token);
  const [found] = await getTokenMetadata(client, { mints: [mint] });
  expect(found).toMatchObject({
    ...token,
    source: 'metaplex',
    isMutable: false,
    problems: [],
  });
  await setTokenMetadata(ledger, mint, { ...token, uri: '' });
  expect((await getTokenMetadata(client, { mints: [mint] }))[0]?.uri).toBeUndefined();
});
