import { type Address, getAddressEncoder, getProgramDerivedAddress, getUtf8Encoder } from '@solana/kit';
import { beforeEach, describe, expect, test } from 'vitest';

import { getTokenMetadata } from '../../src/index.js';
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
  { key: kind = 4, isMutable = false, creators = [0] } = {},
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

const described = async () => (await getTokenMetadata(client, { mints: [MINT] }))[0]!;

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
      name: 'Light',
      symbol: 'LIGHT',
      uri: 'https://x.xyz/a',
      source: 'metaplex',
      updateAuthority: null,
      isMutable: false,
      problems: [],
    });
    expect(tokens[2]).toMatchObject({
      tokenProgram: undefined,
      decimals: undefined,
      name: undefined,
      isMutable: undefined,
      problems: [{ code: 'mint-not-found' }],
    });
  });

  test('comes from the mint if it points to itself', async () => {
    giveMetaplex({ name: 'Other' });
    giveExtended(pointerTo(MINT), ownMetadata(MINT, { name: 'Own', symbol: 'OWN', uri: 'ipfs://x' }));
    expect(await described()).toMatchObject({
      tokenProgram: TOKEN_2022_PROGRAM_ADDRESS,
      decimals: 5,
      name: 'Own',
      symbol: 'OWN',
      uri: 'ipfs://x',
      source: 'token-2022',
      updateAuthority: null,
      isMutable: false,
      problems: [],
    });
  });

  test('comes from Metaplex if the mint points there, as launches do', async () => {
    giveMetaplex({ name: 'Light' });
    giveExtended([3, key(WALLET)], pointerTo(metaplex));
    expect(await described()).toMatchObject({ name: 'Light', isMutable: false, problems: [] });
  });

  test('at another address is not followed', async () => {
    giveMetaplex({ name: 'Light' });
    place(OTHER, TOKEN_2022_PROGRAM_ADDRESS, extendedMint(ownMetadata(MINT, { name: 'False' })));
    giveExtended(pointerTo(OTHER), ownMetadata(MINT, { name: 'False' }));
    expect(await described()).toMatchObject({ name: 'Light', problems: [{ code: 'wrong-metadata' }] });
  });

  test('is ignored if it belongs to another mint, program or account type', async () => {
    const wrong = { name: undefined, problems: [{ code: 'wrong-metadata' }] };
    giveExtended(pointerTo(MINT), ownMetadata(OTHER, { name: 'False' }));
    expect(await described()).toMatchObject(wrong);
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
    const creators = [1, ...u32(2), ...Array<number>(68).fill(9)];
    giveMetaplex({ name: 'Light' }, { creators, isMutable: true });
    expect(await described()).toMatchObject({ name: 'Light', isMutable: true, updateAuthority: STRANGER });
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
      const problems = [{ code: 'not-a-mint' }];
      expect(await described()).toMatchObject({ name: undefined, decimals: undefined, problems });
    }
  });

  test('is sanitized', async () => {
    giveMetaplex({ name: 'USD\u202eC\u200b\n☀', symbol: '\u2066SOL\u2069' });
    expect(await described()).toMatchObject({ name: 'USDC ☀', symbol: 'SOL' });
    const long = 'a'.repeat(20_000);
    giveExtended(pointerTo(MINT), ownMetadata(MINT, { name: long, symbol: long, uri: long }));
    const token = await described();
    expect(token).toMatchObject({ name: `${'a'.repeat(63)}…`, symbol: `${'a'.repeat(15)}…` });
    expect(token.uri).toHaveLength(512);
    giveMetaplex({ name: '\u200b\u200b', symbol: '' });
    ledger.setMint(MINT, TOKEN_PROGRAM_ADDRESS, { decimals: 6, supply: 1n });
    expect(await described()).toMatchObject({ name: undefined, symbol: undefined });
  });
});

test('rejects bad mints before it reads, and accepts none', async () => {
  const before = ledger.requests.length;
  const many = Array.from({ length: 51 }, (_, index) => addressNamed(`mint ${index}`));
  for (const [mints, code, field] of [
    [many, 'invalid-input', 'mints'],
    [[MINT, MINT], 'invalid-input', 'mints[1]'],
    [['x' as Address], 'invalid-address', 'mints[0]'],
  ] as const)
    await expectRefusal(getTokenMetadata(client, { mints }), code, { field });
  expect(ledger.requests.length).toBe(before);
  expect(await getTokenMetadata(client, { mints: [] })).toEqual([]);
});
