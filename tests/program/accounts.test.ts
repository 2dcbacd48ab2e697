import { type Address, getAddressEncoder } from '@solana/kit';
import { describe, expect, test } from 'vitest';
import { decodePoolSnapshot } from '../../src/pool/decode.js';
import { CONFIG, POOL } from '../../src/pool/layout.js';
import {
  decodeLiquidityPoolState,
  decodeProtocolConfig,
  decodeUserLpPosition,
  encodeLiquidityPoolState,
  encodeProtocolConfig,
  encodeUserLpPosition,
  findAssociatedTokenAddress,
  findPoolAddress,
  findProtocolConfigAddress,
  type ProtocolConfig,
} from '../../src/program/index.js';
import { createSampleConfig, encodeClock } from '../../src/testing/index.js';
import { addressNamed, addressNumbered } from '../support/addresses.js';
import { anchorDiscriminator } from '../support/anchor.js';
import { bytesOf, hexOf } from '../support/bytes.js';
import { capturedAccount, hasCapturedAccounts, withCapturedAccounts } from '../support/captured.js';
import { heavenError } from '../support/errors.js';
import { fc } from '../support/properties.js';
import { camel, fieldsOf, type IdlType } from './committed-idl.js';

// ---------------------------------------------------------------- the layouts, by the IDL

type FieldType = 'u8' | 'u16' | 'u32' | 'u64' | 'f64' | 'pubkey';
/** Where a field stands, what it is, and its name; for padding its length and no name. */
type Row =
  | readonly [offset: number, type: FieldType, path: string]
  | readonly [offset: number, padding: number];

/** The fields of a type in the IDL, one behind the other, from an offset on. */
function rowsOf(name: string, start: number, prefix = ''): readonly Row[] {
  let offset = start;
  const rows: Row[] = [];
  for (const field of fieldsOf(name)) {
    const own = rowsOfType(field.type, offset, `${prefix}${camel(field.name)}`);
    rows.push(...own);
    offset = endOf(own, offset);
  }
  return rows;
}

function rowsOfType(type: IdlType, offset: number, path: string): readonly Row[] {
  if (typeof type === 'string') return [[offset, type as FieldType, path]];
  if ('defined' in type) return rowsOf(type.defined.name, offset, `${path}.`);
  if (!('array' in type)) throw new Error('Accounts hold no lists and no options.');
  const [item, length] = type.array;
  if (item === 'u8') return [[offset, length]];
  const rows: Row[] = [];
  for (let index = 0; index < length; index++)
    rows.push(...rowsOfType(item, endOf(rows, offset), `${path}.${index}`));
  return rows;
}

const SIZES = { u8: 1, u16: 2, u32: 4, u64: 8, f64: 8, pubkey: 32 };

const sizeOf = ([, type]: Row): number => (typeof type === 'number' ? type : SIZES[type]);

/** Where the last of the rows ends, or `start` if there are none. */
function endOf(rows: readonly Row[], start: number): number {
  const last = rows.at(-1);
  return last === undefined ? start : last[0] + sizeOf(last);
}

interface Layout {
  readonly name: string;
  readonly discriminator: string;
  readonly size: number;
  readonly rows: readonly Row[];
  readonly decode: (data: Uint8Array, address?: Address) => object;
  readonly encode: (state: never) => Uint8Array;
}

const layout = (name: string, size: number, decode: Layout['decode'], encode: Layout['encode']): Layout => {
  const rows = rowsOf(name, 8);
  return { name, discriminator: anchorDiscriminator('account', name), size, rows, decode, encode };
};

const POOL_LAYOUT = layout('LiquidityPoolState', 2304, decodeLiquidityPoolState, encodeLiquidityPoolState);
const CONFIG_LAYOUT = layout('ProtocolConfig', 1792, decodeProtocolConfig, encodeProtocolConfig);
const POSITION_LAYOUT = layout('UserLpPosition', 97, decodeUserLpPosition, encodeUserLpPosition);
const LAYOUTS = [POOL_LAYOUT, CONFIG_LAYOUT, POSITION_LAYOUT];

// ---------------------------------------------------------------- raw accounts

/** How each type is written at an offset, little-endian. */
const WRITERS: Readonly<Record<FieldType, (view: DataView, offset: number, value: never) => void>> = {
  u8: (view, offset, value) => view.setUint8(offset, value),
  u16: (view, offset, value) => view.setUint16(offset, value, true),
  u32: (view, offset, value) => view.setUint32(offset, value, true),
  u64: (view, offset, value) => view.setBigUint64(offset, value, true),
  f64: (view, offset, value) => view.setFloat64(offset, value, true),
  pubkey: (view, offset, value) => new Uint8Array(view.buffer).set(getAddressEncoder().encode(value), offset),
};

/** A value of a type, another for each index up to 127. Its high bits are set, where it has many. */
const VALUES: Readonly<Record<FieldType, (index: number) => unknown>> = {
  u8: (index) => (index % 255) + 1,
  u16: (index) => 0x8100 + index,
  u32: (index) => 0x8182_8300 + index,
  u64: (index) => 0x8182_8384_8586_8700n + BigInt(index),
  f64: (index) => index + 0.125,
  pubkey: (index) => addressNumbered(index),
};

/** An account in which every field holds a value of its own, and padding holds `padding`. */
function rawAccount({ size, discriminator, rows }: Layout, padding = 0) {
  const data = new Uint8Array(size).fill(padding);
  data.set(bytesOf(discriminator));
  const view = new DataView(data.buffer);
  const values: Record<string, unknown> = {};
  for (const [index, row] of rows.entries()) {
    if (row.length === 2) continue;
    const [offset, type, path] = row;
    values[path] = VALUES[type](index);
    WRITERS[type](view, offset, values[path] as never);
  }
  return { data, values };
}

/** A decoded value by the paths of its leaves. */
function leaves(value: unknown, path = ''): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return { [path]: value };
  return Object.assign(
    {},
    ...Object.entries(value).map(([key, item]) => leaves(item, path === '' ? key : `${path}.${key}`)),
  );
}

/** The same bytes with all padding zero. */
function withoutPadding({ rows }: Layout, data: Uint8Array): Uint8Array {
  const copy = data.slice();
  for (const row of rows) if (row.length === 2) copy.fill(0, row[0], row[0] + row[1]);
  return copy;
}

describe.each(LAYOUTS)('$name', (own) => {
  const { name, discriminator, size, rows, decode, encode } = own;

  test('gives each field from its offset, whatever the padding holds and wherever it stands', () => {
    const { data, values } = rawAccount(own, 0xee);
    expect(endOf(rows, 8)).toBe(size);
    expect(leaves(decode(data))).toEqual(values);
    const buffer = new Uint8Array(size + 10).fill(0xdd);
    buffer.set(data, 3);
    // From the middle of a buffer, and with bytes behind its layout.
    expect(leaves(decode(buffer.subarray(3)))).toEqual(values);
  });

  test('is written to the same bytes, padding zero', () => {
    const { data } = rawAccount(own, 0xee);
    expect(hexOf(encode(decode(data) as never))).toBe(hexOf(rawAccount(own).data));
  });

  test('any state comes back byte for byte', () => {
    const floats = rows.filter(([, type]) => type === 'f64').map(([offset]) => offset);
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: size, maxLength: size }),
        fc.tuple(...floats.map(() => fc.double({ noNaN: true }))),
        (random, numbers) => {
          const data = withoutPadding(own, random);
          data.set(bytesOf(discriminator));
          const view = new DataView(data.buffer);
          for (const [index, offset] of floats.entries()) view.setFloat64(offset, numbers[index]!, true);
          expect(hexOf(encode(decode(data) as never))).toBe(hexOf(data));
        },
      ),
      { numRuns: 50 },
    );
  });

  test('is rejected when cut short, or with the discriminator of none or of another', () => {
    const address = addressNamed('account');
    const { data } = rawAccount(own);
    const others = LAYOUTS.filter((one) => one !== own).map((other) => bytesOf(other.discriminator));
    const wrong = [new Uint8Array(), data.subarray(0, size - 1), bytesOf(discriminator)];
    for (const bytes of [
      ...wrong,
      ...[new Uint8Array(8), ...others].map((start) => withStart(data, start)),
    ]) {
      expect(() => decode(bytes)).toThrow(heavenError('invalid-account-data', { account: name }));
      expect(() => decode(bytes, address)).toThrow(
        heavenError('invalid-account-data', { account: name, address }),
      );
    }
  });
});

function withStart(data: Uint8Array, start: Uint8Array): Uint8Array {
  const copy = data.slice();
  copy.set(start);
  return copy;
}

test.each([
  ['a field left out', { reserve: undefined }, 'invalid-input', 'reserve'],
  ['a number for a u64', { createdAtSlot: 1 }, 'invalid-amount', 'createdAtSlot'],
  ['a bad address', { key: 'nowhere' }, 'invalid-address', 'key'],
  ['a u8 of 256', { isMigrated: 256 }, 'amount-out-of-range', 'isMigrated'],
] as const)('a pool with %s is not encoded', (_, change, code, field) => {
  const state = decodeLiquidityPoolState(rawAccount(POOL_LAYOUT).data);
  expect(() => encodeLiquidityPoolState({ ...state, ...change } as never)).toThrow(
    heavenError(code, { field }),
  );
});

describe('the offsets that quotes read by', () => {
  const CAP = 'marketCapBasedFees.protocolTradingFee.brackets.0.marketCapUpperBound';
  const SLOT = 'slotOffsetBasedFees.protocolTradingFee.brackets.0.buyFeeBps';
  const inPool: Readonly<Record<string, string>> = {
    creator: 'info.creator',
    openAt: 'info.openAt',
    protocolConfigVersion: 'info.protocolConfigVersion',
    type: 'info.type',
    marketCapBasedFees: CAP,
    reserveA: 'reserve.tokenA',
    reserveB: 'reserve.tokenB',
    snapshotSlot: 'reserve.snapshotSlot',
    snapshotA: 'reserve.snapshotA',
    snapshotB: 'reserve.snapshotB',
    initialB: 'reserve.initialB',
    leaderSlotWindow: 'reserve.leaderSlotWindow',
    createdAtSlot: 'createdAtSlot',
    tokenAVault: 'tokenAVault',
    tokenBVault: 'tokenBVault',
    protocolConfig: 'protocolConfig',
    tokenAMint: 'tokenA.mint',
    tokenBMint: 'tokenB.mint',
    allowSwap: 'allowlist.swap',
    allowSameSlotTrading: 'allowlist.sameSlotTrading',
    sandwichResistantMode: 'featureFlags.sandwichResistantMode',
    taxableSide: 'taxableSide',
    taxableSideType: 'taxableSideType',
    feeConfigurationMode: 'feeConfigurationMode',
    slotOffsetBasedFees: SLOT,
  };
  const inConfig = {
    unstakedWsolReserve: 'unstakedWsolReserve',
    maxSupplyPerWallet: 'maxSupplyPerWallet',
    marketCapBasedFees: CAP,
    version: 'version',
    slotOffsetBasedFees: SLOT,
  };

  test.each([
    ['pool', POOL, POOL_LAYOUT, inPool],
    ['config', CONFIG, CONFIG_LAYOUT, inConfig],
  ] as const)('of a %s are those of its decoder', (_, { name, discriminator, ...offsets }, own, paths) => {
    const at = (path: string) => own.rows.find((row) => row[2] === path)![0];
    expect([name, hexOf(discriminator)]).toEqual([own.name, own.discriminator]);
    expect(offsets).toEqual({
      size: own.size,
      ...Object.fromEntries(Object.entries(paths).map(([field, path]) => [field, at(path)])),
    });
  });
});

// ---------------------------------------------------------------- mainnet

describe.skipIf(!hasCapturedAccounts)(`accounts captured on mainnet${withCapturedAccounts}`, () => {
  const MINT = 'LiGHtkg3uTa9836RaNkKLLriqTNRcMdRAhqjGWNv777' as Address;
  const WRAPPED_SOL = 'So11111111111111111111111111111111111111112' as Address;
  const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA' as Address;
  const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb' as Address;
  const captured = (name: string) => capturedAccount(name).data;

  test('LIGHT/SOL holds the known figures', () => {
    const pool = decodeLiquidityPoolState(captured('light_sol_pool'));
    expect(pool).toMatchObject({
      info: { protocolConfigVersion: 2, type: 2 },
      tokenA: { mint: MINT, decimals: 9, owner: TOKEN_2022 },
      tokenB: { mint: WRAPPED_SOL, decimals: 9, owner: TOKEN },
      feeConfigurationMode: 0,
      allowlist: { swap: 1 },
      featureFlags: { sandwichResistantMode: 1 },
      creatorTradingFeeDistribution: 1,
      creatorTradingFeeClaimStatus: 2,
      isMigrated: 1,
      taxableSide: 2,
      taxableSideType: 0,
    });
  });

  test('config 2 holds the known figures', () => {
    const { marketCapBasedFees, ...config } = decodeProtocolConfig(captured('protocol_config_v2'));
    expect(config).toMatchObject({
      version: 2,
      initialTokenAAmount: 10n ** 18n,
      initialTokenBAmount: 35,
      tokenADecimals: 9,
      creatorTradingFeeTradingVolumeThreshold: 100_000,
      migrationMarketCapThreshold: 100,
      maxCreatorTradingFee: 3_999,
      maxSupplyPerWallet: 2n ** 64n - 1n,
    });
    const { brackets, count } = marketCapBasedFees.protocolTradingFee;
    expect(brackets.slice(0, count)).toEqual([
      { marketCapUpperBound: 99_999n, buyFeeBps: 100, sellFeeBps: 100 },
      { marketCapUpperBound: 2n ** 64n - 1n, buyFeeBps: 50, sellFeeBps: 50 },
    ]);
    const creator = marketCapBasedFees.creatorTradingFee.brackets[0];
    expect(creator).toMatchObject({ buyFeeBps: 100, sellFeeBps: 100 });
  });

  test('the sample of config 2 has its flags, and accepts no launches', () => {
    const flags = ({
      slotOffsetBasedFees,
      marketCapBasedFees,
      unstakedWsolReserve,
      ...rest
    }: ProtocolConfig) => rest;
    const expected = flags(decodeProtocolConfig(captured('protocol_config_v2')));
    expect(expected.allowCreatePool).toBe(0);
    expect(flags(createSampleConfig(2))).toEqual(expected);
  });

  test('pool, config and vaults derive to their addresses', async () => {
    const pool = decodeLiquidityPoolState(captured('light_sol_pool'));
    const addressOf = (name: string) => capturedAccount(name).address;
    const owner = addressOf('protocol_config_v2');
    expect(await findProtocolConfigAddress({ version: 2 })).toBe(owner);
    expect(await findPoolAddress({ mint: MINT })).toBe(addressOf('light_sol_pool'));
    const tokenAVault = await findAssociatedTokenAddress({ owner, mint: MINT, tokenProgram: TOKEN_2022 });
    const tokenBVault = await findAssociatedTokenAddress({ owner, mint: WRAPPED_SOL });
    expect([tokenAVault, tokenBVault]).toEqual(['light_vault', 'wsol_vault'].map(addressOf));
    const key = addressOf('light_sol_pool');
    expect(pool).toMatchObject({ key, protocolConfig: owner, tokenAVault, tokenBVault });
  });

  test.each([
    ['light_sol_pool', POOL_LAYOUT],
    ['protocol_config_v2', CONFIG_LAYOUT],
  ] as const)('%s is written back to the same bytes', (account, own) => {
    const data = captured(account);
    expect(data).toHaveLength(own.size);
    expect(hexOf(own.encode(own.decode(data) as never))).toBe(hexOf(withoutPadding(own, data)));
  });

  test.each([
    [837n, 150n],
    [838n, undefined],
  ])('in epoch %s the LIGHT mint takes a transfer fee of %s basis points', (epoch, basisPoints) => {
    const { token } = decodePoolSnapshot({
      pool: captured('light_sol_pool'),
      protocolConfig: captured('protocol_config_v2'),
      mint: captured('light_mint'),
      priceFeed: captured('chainlink_sol_usd'),
      clock: encodeClock({ slot: 411_354_049n, epoch, unixTimestamp: 1_775_456_070n }),
    });
    expect(token.transferFee?.basisPoints).toBe(basisPoints);
  });
});
