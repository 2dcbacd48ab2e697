import { generateKeyPairSigner, getAddressEncoder, getProgramDerivedAddress } from '@solana/kit';
import { expect, test } from 'vitest';

import { buildCreateStandardLiquidityPool, getTokenMetadata } from '../../src/index.js';
import { TOKEN_METADATA_PROGRAM_ADDRESS } from '../../src/program/index.js';
import { setTokenMetadata } from '../../src/testing/index.js';
import { client, launchOf, ledger, useLedger } from '../support/ledger.js';

useLedger();

test('nobody can change the metadata of a launched token, and its accounts are as the real program writes them', async () => {
  const mintSigner = await generateKeyPairSigner();
  const payer = ledger.pools.creator.creator;
  const launch = { ...launchOf(payer), mintSigner };
  const { mint, tx } = await buildCreateStandardLiquidityPool(client, launch);
  expect((await ledger.execute(tx)).err).toBeNull();
  const [found] = await getTokenMetadata(client, { mints: [mint] });
  const final = { updateAuthority: null, isMutable: false, problems: [] };
  const { name, symbol, uri } = launch;
  expect(found).toMatchObject({ name, symbol, uri, source: 'metaplex', ...final });

  const bytesOf = (address: Parameters<typeof ledger.getAccount>[0]) => [...ledger.getAccount(address)!.data];
  const key = getAddressEncoder().encode;
  const programAddress = TOKEN_METADATA_PROGRAM_ADDRESS;
  const seeds = ['metadata', key(programAddress), key(mint)];
  const [metadata] = await getProgramDerivedAddress({ programAddress, seeds });
  // Token-2022 writes an account type at 165, then type and length of each extension. The metadata account may close the mint (3);
  // the metadata pointer (18) has no authority.
  const closeAuthority = [3, 0, 32, 0, ...key(metadata)];
  const pointer = [18, 0, 64, 0, ...Array<number>(32).fill(0), ...key(metadata)];
  expect(bytesOf(mint).slice(165)).toEqual([1, ...closeAuthority, ...pointer]);
  // Key, update authority, mint, the three padded texts after their lengths, the fee (u16), no creators, not sold, not mutable.
  const account = bytesOf(metadata);
  expect(account.slice(0, 65)).toEqual([4, ...key(payer), ...key(mint)]);
  expect(account.slice(65 + 36 + 14 + 204, 65 + 36 + 14 + 204 + 5)).toEqual([0, 0, 0, 0, 0]);
});

test('a token of the ledger gets a name that getTokenMetadata reads', async () => {
  const { mint } = ledger.pools.pro;
  const token = { name: 'Pro token', symbol: 'PRO', uri: 'https://example.com/pro.json' };
  await setTokenMetadata(ledger, mint, token);
  const [found] = await getTokenMetadata(client, { mints: [mint] });
  expect(found).toMatchObject({ ...token, source: 'metaplex', isMutable: false, problems: [] });
  await setTokenMetadata(ledger, mint, { ...token, uri: '' });
  expect((await getTokenMetadata(client, { mints: [mint] }))[0]?.uri).toBeUndefined();
});
