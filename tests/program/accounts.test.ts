import type { Address } from '@solana/kit';
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
} from '../../src/program/index.js';
import { encodeClock } from '../../src/testing/encode.js';
import { createSampleConfig } from '../../src/testing/samples.js';
import { CAPTURED, capturedData as captured, lightAccounts } from '../mainnet/accounts.js';
import { addressNamed, addressOfByte } from '../support/addresses.js';
import { anchorDiscriminator } from '../support/anchor.js';
import { bytesOf, hexOf } from '../support/bytes.js';
import { heavenError } from '../support/errors.js';
import { exampleOf, fieldsOf } from './committed-idl.js';

interface Layout {
  readonly name: string;
  readonly discriminator: string;
  readonly size: number;
  /** An account by the IDL in which each field has a value of its own, once with padding that is not zero. */
  readonly values: object;
  readonly data: Uint8Array;
  readonly padded: Uint8Array;
  readonly decode: (data: Uint8Array, address?: Address) => object;
  readonly encode: (state: never) => Uint8Array;
}

const layout = (name: string, size: number, decode: Layout['decode'], encode: Layout['encode']): Layout => {
  const discriminator = anchorDiscriminator('account', name);
  const [values, body] = exampleOf(fieldsOf(name));
  const [, paddedBody] = exampleOf(fieldsOf(name), 'ee');
  const [data, padded] = [bytesOf(discriminator, body), bytesOf(discriminator, paddedBody)];
  return { name, discriminator, size, values, data, padded, decode, encode };
};

const POOL_LAYOUT = layout('LiquidityPoolState', 2304, decodeLiquidityPoolState, encodeLiquidityPoolState);
const CONFIG_LAYOUT = layout('ProtocolConfig', 1792, decodeProtocolConfig, encodeProtocolConfig);
const POSITION_LAYOUT = layout('UserLpPosition', 97, decodeUserLpPosition, encodeUserLpPosition);
const LAYOUTS = [POOL_LAYOUT, CONFIG_LAYOUT, POSITION_LAYOUT];

/** The same bytes with all padding zero. */
const withoutPadding = ({ data, padded }: Layout, bytes: Uint8Array): Uint8Array =>
  bytes.map((byte, index) => (data[index] === padded[index] ? byte : 0));

/** Where a field stands: the first byte that changes with it. */
function offsetOf({ values, data, encode }: Layout, path: string): number {
  const state = structuredClone(values) as Record<string, unknown>;
  const steps = path.split('.');
  const field = steps.pop()!;
  const parent = steps.reduce((object, step) => object[step] as Record<string, unknown>, state);
  const value = parent[field];
  if (typeof value === 'bigint') parent[field] = value + 1n;
  else parent[field] = typeof value === 'number' ? value + 1 : addressOfByte(1);
  return encode(state as never).findIndex((byte, index) => byte !== data[index]);
}

describe.each(LAYOUTS)('$name', (own) => {
  const { name, discriminator, size, values, data, padded, decode, encode } = own;

  test('gives each field from its offset, whatever the padding holds and wherever it stands', () => {
    expect(padded).toHaveLength(size);
    expect(decode(padded)).toEqual(values);
    const buffer = new Uint8Array(size + 10).fill(0xdd);
    buffer.set(padded, 3);
    // From the middle of a buffer, and with bytes behind its layout.
    expect(decode(buffer.subarray(3))).toEqual(values);
  });

  test('is written to the same bytes, padding zero', () => {
    expect(hexOf(encode(decode(padded) as never))).toBe(hexOf(data));
  });

  test('is rejected when cut short, or with the discriminator of none or of another', () => {
    const address = addressNamed('account');
    const others = LAYOUTS.filter((one) => one !== own).map((other) => bytesOf(other.discriminator));
    const wrong = [new Uint8Array(), data.subarray(0, size - 1), bytesOf(discriminator)];
    const renamed = [new Uint8Array(8), ...others].map((start) =>
      Uint8Array.of(...start, ...data.subarray(8)),
    );
    for (const bytes of [...wrong, ...renamed]) {
      const at = (place: object) => heavenError('invalid-account-data', { account: name, ...place });
      expect(() => decode(bytes)).toThrow(at({}));
      expect(() => decode(bytes, address)).toThrow(at({ address }));
    }
  });
});

// What else does not fit: solana/codec.test.ts and instructions.test.ts.
test.each([
  ['a bad address', { key: 'nowhere' }, 'invalid-address', 'key'],
  ['a u8 of 256', { isMigrated: 256 }, 'amount-out-of-range', 'isMigrated'],
] as const)('a pool with %s is not encoded', (_, change, code, field) => {
  const state = { ...decodeLiquidityPoolState(POOL_LAYOUT.data), ...change };
  expect(() => encodeLiquidityPoolState(state as never)).toThrow(heavenError(code, { field }));
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
    expect([name, hexOf(discriminator)]).toEqual([own.name, own.discriminator]);
    const expected = Object.entries(paths).map(([field, path]) => [field, offsetOf(own, path)]);
    expect(offsets).toEqual({ size: own.size, ...Object.fromEntries(expected) });
  });
});

// ---------------------------------------------------------------- mainnet

describe('accounts captured on mainnet', () => {
  test('the sample of config 2 has its flags, and accepts no launches', () => {
    const expected = decodeProtocolConfig(captured('protocol_config_v2'));
    expect(expected.allowCreatePool).toBe(0);
    const { slotOffsetBasedFees, marketCapBasedFees, unstakedWsolReserve } = expected;
    const others = { slotOffsetBasedFees, marketCapBasedFees, unstakedWsolReserve };
    expect({ ...createSampleConfig(2), ...others }).toEqual(expected);
  });

  test('the pool names itself, its config and its vaults', () => {
    const { key, protocolConfig, ...pool } = decodeLiquidityPoolState(captured('light_sol_pool'));
    const { light_sol_pool, protocol_config_v2, light_vault, wsol_vault } = CAPTURED;
    const accounts = [light_sol_pool, protocol_config_v2, light_vault, wsol_vault];
    const named = [key, protocolConfig, pool.tokenAVault, pool.tokenBVault];
    expect(named).toEqual(accounts.map(({ expected }) => expected.address));
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
      ...lightAccounts(),
      clock: encodeClock({ slot: 411_354_049n, epoch, unixTimestamp: 1_775_456_070n }),
    });
    expect(token.transferFee?.basisPoints).toBe(basisPoints);
  });
});
