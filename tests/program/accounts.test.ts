import type { Address } from '@solana/kit';
import { describe, expect, test } from 'vitest';
import { decodePoolSnapshot, decodeSolPrice } from '../../src/pool/decode.js';
import { CONFIG, FEE_BRACKETS, POOL, SLOT_BRACKETS } from '../../src/pool/layout.js';
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
  type LiquidityPoolState,
  type ProtocolConfig,
} from '../../src/program/index.js';
import { encodeClock } from '../../src/testing/index.js';
import { addressNamed, addressOfBytes } from '../support/addresses.js';
import { anchorDiscriminator } from '../support/anchor.js';
import { bytesOf, hexOf } from '../support/bytes.js';
import { capturedAccount, hasCapturedAccounts } from '../support/captured.js';
import { heavenError } from '../support/errors.js';
import { fc } from '../support/properties.js';

// ---------------------------------------------------------------- the layouts, by hand

type FieldType = 'u8' | 'u16' | 'u32' | 'u64' | 'f64' | 'pubkey';
/** Where a field stands, what it is, and its name; for padding its length and no name. */
type Row =
  | readonly [offset: number, type: FieldType, path: string]
  | readonly [offset: number, padding: number];

const FEE_TYPES = [
  'protocolTradingFee',
  'liquidityProviderTradingFee',
  'creatorTradingFee',
  'creatorTradingFeeProtocolFee',
  'reflectionTradingFee',
];

/** Five groups of 72 bytes: four brackets of 16, a count, 7 bytes of padding. */
const marketCapBasedFees = (start: number): readonly Row[] =>
  FEE_TYPES.flatMap((feeType, group) => {
    const at = start + 72 * group;
    const path = `marketCapBasedFees.${feeType}`;
    const brackets = [0, 1, 2, 3].flatMap((k): Row[] => [
      [at + 16 * k, 'u64', `${path}.brackets.${k}.marketCapUpperBound`],
      [at + 16 * k + 8, 'u32', `${path}.brackets.${k}.buyFeeBps`],
      [at + 16 * k + 12, 'u32', `${path}.brackets.${k}.sellFeeBps`],
    ]);
    return [...brackets, [at + 64, 'u8', `${path}.count`], [at + 65, 7]] as const;
  });

/** Five groups of 262 bytes: 42 brackets of 6, four figures, 4 bytes of padding; 6 more behind the last. */
const slotOffsetBasedFees = (start: number): readonly Row[] => [
  ...FEE_TYPES.flatMap((feeType, group): Row[] => {
    const at = start + 262 * group;
    const path = `slotOffsetBasedFees.${feeType}`;
    const brackets = Array.from({ length: 42 }, (_, k): Row[] => [
      [at + 6 * k, 'u16', `${path}.brackets.${k}.buyFeeBps`],
      [at + 6 * k + 2, 'u16', `${path}.brackets.${k}.sellFeeBps`],
      [at + 6 * k + 4, 'u16', `${path}.brackets.${k}.slotOffsetUpperbound`],
    ]);
    return [
      ...brackets.flat(),
      [at + 252, 'u16', `${path}.maxSlotOffset`],
      [at + 254, 'u16', `${path}.maxFeeBps`],
      [at + 256, 'u8', `${path}.count`],
      [at + 257, 'u8', `${path}.enabled`],
      [at + 258, 4],
    ];
  }),
  [start + 1310, 6],
];

const POOL_ROWS: readonly Row[] = [
  [8, 'pubkey', 'info.creator'],
  [40, 'pubkey', 'info.updateAuthority'],
  [72, 'u64', 'info.openAt'],
  [80, 'u64', 'info.createdAt'],
  [88, 'u16', 'info.protocolConfigVersion'],
  [90, 'u8', 'info.type'],
  [91, 'u8', 'info.poolAuthorityBump'],
  [92, 'u8', 'info.tempSolHolderBump'],
  [93, 3],
  ...marketCapBasedFees(96),
  [456, 'u64', 'reserve.tokenA'],
  [464, 'u64', 'reserve.tokenB'],
  [472, 'u64', 'reserve.snapshotSlot'],
  [480, 'u64', 'reserve.snapshotA'],
  [488, 'u64', 'reserve.snapshotB'],
  [496, 'u64', 'reserve.accumulatedFeePerLpToken'],
  [504, 'u64', 'reserve.initialA'],
  [512, 'u64', 'reserve.initialB'],
  [520, 'u8', 'reserve.leaderSlotWindow'],
  [521, 7],
  [528, 'u64', 'lpToken.supply.initial'],
  [536, 'u64', 'lpToken.supply.total'],
  [544, 'u64', 'lpToken.supply.unlocked'],
  [552, 'u64', 'lpToken.supply.locked'],
  [560, 'u64', 'lpToken.supply.burnt'],
  [568, 'u8', 'lpToken.decimals'],
  [569, 7],
  [576, 'u64', 'protocolTradingFees'],
  [584, 'u64', 'creatorTradingFees'],
  [592, 'u64', 'creatorTradingFeesClaimedByCreator'],
  [600, 'u64', 'creatorTradingFeesClaimedByOthers'],
  [608, 'u64', 'liquidityProviderTradingFees'],
  [616, 'u64', 'creatorTradingFeeProtocolFees'],
  [624, 'u64', 'reflectionTradingFees'],
  [632, 'u64', 'createdAtSlot'],
  [640, 'f64', 'tradingVolumeUsd'],
  [648, 'f64', 'creatorTradingFeeTradingVolumeThreshold'],
  [656, 'u64', 'creatorTradingFeeTradingVolumeThresholdReachedUnixTimestamp'],
  [664, 'pubkey', 'tokenAVault'],
  [696, 'pubkey', 'tokenBVault'],
  [728, 'pubkey', 'protocolConfig'],
  [760, 'pubkey', 'key'],
  [792, 'pubkey', 'tokenA.mint'],
  [824, 'u8', 'tokenA.decimals'],
  [825, 'pubkey', 'tokenA.owner'],
  [857, 'pubkey', 'tokenB.mint'],
  [889, 'u8', 'tokenB.decimals'],
  [890, 'pubkey', 'tokenB.owner'],
  [922, 'u8', 'allowlist.swap'],
  [923, 'u8', 'allowlist.removeLiquidity'],
  [924, 'u8', 'allowlist.depositLiquidity'],
  [925, 'u8', 'allowlist.sameSlotTrading'],
  [926, 'u8', 'allowlist.updateCreatorTradingFee'],
  [927, 2],
  [929, 'u8', 'featureFlags.sandwichResistantMode'],
  [930, 7],
  [937, 'u8', 'taxableSide'],
  [938, 'u8', 'taxableSideType'],
  [939, 'u8', 'creatorTradingFeeDistribution'],
  [940, 'u8', 'creatorTradingFeeClaimStatus'],
  [941, 'u8', 'feeConfigurationMode'],
  [942, 'u8', 'isMigrated'],
  [943, 13],
  ...slotOffsetBasedFees(956),
  [2272, 'pubkey', 'creatorTradingFeeReceiver'],
];

const CONFIG_ROWS: readonly Row[] = [
  [8, 'u64', 'createPoolFee'],
  [16, 'f64', 'initialTokenBAmount'],
  [24, 'u64', 'initialTokenAAmount'],
  [32, 'u64', 'unstakedWsolReserve'],
  [40, 'u64', 'totalSolSpent'],
  [48, 'u64', 'totalMsolReceived'],
  [56, 'u64', 'totalRealizedProfit'],
  [64, 'u64', 'poolCount'],
  [72, 'u64', 'maxSupplyPerWallet'],
  [80, 'f64', 'creatorTradingFeeTradingVolumeThreshold'],
  ...marketCapBasedFees(88),
  [448, 'u16', 'bufferBps'],
  [450, 'u16', 'autoStakingThresholdBps'],
  [452, 'u16', 'version'],
  [454, 'u8', 'protocolConfigStateBump'],
  [455, 'u8', 'allowCreatePool'],
  [456, 'u8', 'supportedPoolType'],
  [457, 'u8', 'defaultLeaderSlotWindow'],
  [458, 'u8', 'autoStakingEnabled'],
  [459, 'u8', 'leaderSlotWindow'],
  [460, 'u8', 'sandwichResistenceEnabled'],
  [461, 'u8', 'tokenADecimals'],
  [462, 'u16', 'migrationMarketCapThreshold'],
  [464, 8],
  [472, 'u32', 'maxCreatorTradingFee'],
  ...slotOffsetBasedFees(476),
];

const POSITION_ROWS: readonly Row[] = [
  [8, 'pubkey', 'pool'],
  [40, 'pubkey', 'user'],
  [72, 'u64', 'lpTokenBalance'],
  [80, 'u64', 'rewardDebt'],
  [88, 'u64', 'pendingFees'],
  [96, 'u8', 'bump'],
];

interface Layout {
  readonly name: string;
  readonly discriminator: string;
  readonly size: number;
  readonly rows: readonly Row[];
  readonly decode: (data: Uint8Array, address?: Address) => object;
  readonly encode: (state: never) => Uint8Array;
}

const LAYOUTS: readonly Layout[] = [
  {
    name: 'LiquidityPoolState',
    discriminator: 'be9edc820fa284fc',
    size: 2304,
    rows: POOL_ROWS,
    decode: decodeLiquidityPoolState,
    encode: encodeLiquidityPoolState,
  },
  {
    name: 'ProtocolConfig',
    discriminator: 'cf5bfa1c98b3d7d1',
    size: 1792,
    rows: CONFIG_ROWS,
    decode: decodeProtocolConfig,
    encode: encodeProtocolConfig,
  },
  {
    name: 'UserLpPosition',
    discriminator: '73cce5cc36b41dc3',
    size: 97,
    rows: POSITION_ROWS,
    decode: decodeUserLpPosition,
    encode: encodeUserLpPosition,
  },
];

// ---------------------------------------------------------------- raw accounts

const SIZES = { u8: 1, u16: 2, u32: 4, u64: 8, f64: 8, pubkey: 32 };

const sizeOf = ([, type]: Row): number => (typeof type === 'number' ? type : SIZES[type]);

/** An account in which every field holds a value of its own, and padding holds `padding`. */
function rawAccount({ size, discriminator, rows }: Layout, padding = 0) {
  const data = new Uint8Array(size).fill(padding);
  data.set(bytesOf(discriminator));
  const view = new DataView(data.buffer);
  const values: Record<string, unknown> = {};
  let byte = 0;
  for (const [index, [offset, type, path]] of rows.entries()) {
    if (path === undefined) continue;
    switch (type) {
      case 'u8':
        view.setUint8(offset, ++byte);
        values[path] = byte;
        break;
      case 'u16':
        view.setUint16(offset, 0x8100 + index, true);
        values[path] = 0x8100 + index;
        break;
      case 'u32':
        view.setUint32(offset, 0x8182_8300 + index, true);
        values[path] = 0x8182_8300 + index;
        break;
      case 'u64':
        view.setBigUint64(offset, 0x8182_8384_8586_8700n + BigInt(index), true);
        values[path] = 0x8182_8384_8586_8700n + BigInt(index);
        break;
      case 'f64':
        view.setFloat64(offset, index + 0.125, true);
        values[path] = index + 0.125;
        break;
      case 'pubkey': {
        const bytes = Uint8Array.from({ length: 32 }, (_, k) => index + k + 1);
        data.set(bytes, offset);
        values[path] = addressOfBytes(bytes);
      }
    }
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

const layoutNamed = (name: string): Layout => LAYOUTS.find((layout) => layout.name === name)!;

describe.each(LAYOUTS)('$name', (layout) => {
  const { name, discriminator, size, rows, decode, encode } = layout;
  const invalid = (address?: Address) =>
    heavenError('invalid-account-data', { account: name, ...(address === undefined ? {} : { address }) });

  test('has the discriminator of its name', () => {
    expect(discriminator).toBe(anchorDiscriminator('account', name));
    expect(hexOf(encode(decode(rawAccount(layout).data) as never).subarray(0, 8))).toBe(discriminator);
  });

  test('fills its bytes without a gap', () => {
    let end = 8;
    for (const row of rows) {
      expect(row[0], `${row[2] ?? 'padding'}`).toBe(end);
      end += sizeOf(row);
    }
    expect(end).toBe(size);
  });

  test('gives each field from its offset, whatever the padding holds', () => {
    const { data, values } = rawAccount(layout, 0xee);
    expect(leaves(decode(data))).toEqual(values);
  });

  test('is written to the same bytes, padding zero', () => {
    const { data } = rawAccount(layout, 0xee);
    expect(hexOf(encode(decode(data) as never))).toBe(hexOf(rawAccount(layout).data));
  });

  test('any state comes back byte for byte', () => {
    const floats = rows.filter(([, type]) => type === 'f64').map(([offset]) => offset);
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: size, maxLength: size }),
        fc.tuple(...floats.map(() => fc.double({ noNaN: true }))),
        (random, numbers) => {
          const data = withoutPadding(layout, random);
          data.set(bytesOf(discriminator));
          const view = new DataView(data.buffer);
          for (const [index, offset] of floats.entries()) view.setFloat64(offset, numbers[index]!, true);
          expect(hexOf(encode(decode(data) as never))).toBe(hexOf(data));
        },
      ),
      { numRuns: 50 },
    );
  });

  test('is read from the middle of a larger buffer', () => {
    const { data, values } = rawAccount(layout);
    const buffer = new Uint8Array(size + 10).fill(0xdd);
    buffer.set(data, 3);
    expect(leaves(decode(buffer.subarray(3, 3 + size)))).toEqual(values);
  });

  test('tolerates bytes after its layout', () => {
    const { data, values } = rawAccount(layout);
    expect(leaves(decode(bytesOf(hexOf(data), 'ff'.repeat(100))))).toEqual(values);
  });

  test.each([
    ['empty', () => new Uint8Array()],
    ['a byte too short', () => rawAccount(layout).data.subarray(0, size - 1)],
    ['only a discriminator', () => bytesOf(discriminator)],
    ['without a discriminator', () => new Uint8Array(size)],
  ])('is rejected when %s', (_, data) => {
    const address = addressNamed('account');
    expect(() => decode(data())).toThrow(invalid());
    expect(() => decode(data(), address)).toThrow(invalid(address));
  });

  test("rejects another account's bytes", () => {
    for (const other of LAYOUTS.filter((one) => one !== layout)) {
      const data = bytesOf(hexOf(rawAccount(other).data), '00'.repeat(size));
      expect(() => decode(data), other.name).toThrow(invalid());
    }
  });
});

test.each([
  ['a field left out', { reserve: undefined }, 'invalid-input', 'reserve'],
  ['a number for a u64', { createdAtSlot: 1 }, 'invalid-amount', 'createdAtSlot'],
  ['a bad address', { key: 'nowhere' }, 'invalid-address', 'key'],
  ['a u8 of 256', { isMigrated: 256 }, 'amount-out-of-range', 'isMigrated'],
] as const)('a pool with %s is not encoded', (_, change, code, field) => {
  const state = decodeLiquidityPoolState(rawAccount(layoutNamed('LiquidityPoolState')).data);
  expect(() => encodeLiquidityPoolState({ ...state, ...change } as never)).toThrow(
    heavenError(code, { field }),
  );
});

describe('the offsets that quotes read by', () => {
  const offsetIn = (rows: readonly Row[]) => (path: string) => rows.find((row) => row[2] === path)![0];
  const numbersOf = (layout: object) =>
    Object.fromEntries(Object.entries(layout).filter(([, value]) => typeof value === 'number'));
  const inPool = offsetIn(POOL_ROWS);
  const inConfig = offsetIn(CONFIG_ROWS);

  test('of a pool are those of its decoder', () => {
    expect([...POOL.discriminator]).toEqual([0xbe, 0x9e, 0xdc, 0x82, 0x0f, 0xa2, 0x84, 0xfc]);
    expect(numbersOf(POOL)).toEqual({
      size: 2304,
      openAt: inPool('info.openAt'),
      protocolConfigVersion: inPool('info.protocolConfigVersion'),
      type: inPool('info.type'),
      marketCapBasedFees: inPool('marketCapBasedFees.protocolTradingFee.brackets.0.marketCapUpperBound'),
      reserveA: inPool('reserve.tokenA'),
      reserveB: inPool('reserve.tokenB'),
      snapshotSlot: inPool('reserve.snapshotSlot'),
      snapshotA: inPool('reserve.snapshotA'),
      snapshotB: inPool('reserve.snapshotB'),
      initialB: inPool('reserve.initialB'),
      leaderSlotWindow: inPool('reserve.leaderSlotWindow'),
      createdAtSlot: inPool('createdAtSlot'),
      tokenAVault: inPool('tokenAVault'),
      tokenBVault: inPool('tokenBVault'),
      protocolConfig: inPool('protocolConfig'),
      tokenAMint: inPool('tokenA.mint'),
      tokenBMint: inPool('tokenB.mint'),
      allowSwap: inPool('allowlist.swap'),
      allowSameSlotTrading: inPool('allowlist.sameSlotTrading'),
      sandwichResistantMode: inPool('featureFlags.sandwichResistantMode'),
      feeConfigurationMode: inPool('feeConfigurationMode'),
      slotOffsetBasedFees: inPool('slotOffsetBasedFees.protocolTradingFee.brackets.0.buyFeeBps'),
    });
  });

  test('of a config are those of its decoder', () => {
    expect([...CONFIG.discriminator]).toEqual([0xcf, 0x5b, 0xfa, 0x1c, 0x98, 0xb3, 0xd7, 0xd1]);
    expect(numbersOf(CONFIG)).toEqual({
      size: 1792,
      marketCapBasedFees: inConfig('marketCapBasedFees.protocolTradingFee.brackets.0.marketCapUpperBound'),
      version: inConfig('version'),
      slotOffsetBasedFees: inConfig('slotOffsetBasedFees.protocolTradingFee.brackets.0.buyFeeBps'),
    });
  });

  test.each([
    ['pool', inPool],
    ['config', inConfig],
  ] as const)('of the fees of a %s are those of its decoder', (_, offset) => {
    const cap = (group: number, path: string) =>
      offset(`marketCapBasedFees.${FEE_TYPES[group]}.${path}`) -
      offset('marketCapBasedFees.protocolTradingFee.brackets.0.marketCapUpperBound');
    expect(FEE_BRACKETS).toEqual({
      size: cap(1, 'brackets.0.marketCapUpperBound'),
      bracket: cap(0, 'brackets.1.marketCapUpperBound'),
      most: 4,
      upperBound: 0,
      buy: cap(0, 'brackets.0.buyFeeBps'),
      sell: cap(0, 'brackets.0.sellFeeBps'),
      count: cap(0, 'count'),
    });
    const slot = (group: number, path: string) =>
      offset(`slotOffsetBasedFees.${FEE_TYPES[group]}.${path}`) -
      offset('slotOffsetBasedFees.protocolTradingFee.brackets.0.buyFeeBps');
    expect(SLOT_BRACKETS).toEqual({
      size: slot(1, 'brackets.0.buyFeeBps'),
      bracket: slot(0, 'brackets.1.buyFeeBps'),
      most: 42,
      buy: slot(0, 'brackets.0.buyFeeBps'),
      sell: slot(0, 'brackets.0.sellFeeBps'),
      upperBound: slot(0, 'brackets.0.slotOffsetUpperbound'),
      maxOffset: slot(0, 'maxSlotOffset'),
      count: slot(0, 'count'),
      enabled: slot(0, 'enabled'),
    });
  });
});

// ---------------------------------------------------------------- mainnet

const capturedTitle = hasCapturedAccounts
  ? 'accounts captured on mainnet'
  : 'accounts captured on mainnet (skipped: ../shared/accounts is not there)';

describe.skipIf(!hasCapturedAccounts)(capturedTitle, () => {
  const U64_MAX = 2n ** 64n - 1n;
  const MINT = 'LiGHtkg3uTa9836RaNkKLLriqTNRcMdRAhqjGWNv777' as Address;
  const WRAPPED_SOL = 'So11111111111111111111111111111111111111112';
  const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA' as Address;
  const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb' as Address;
  const CONFIG_2 = 'KpXrCt3pjJYFind2kgk7nQ3dS6bqjC2Ze3zzE5MQ78v' as Address;
  const LIGHT_POOL = 'EkU9zGSkUnVVK6nhmPSqnxqcKPzt1PicrCjdxSbWo9uA' as Address;

  const captured = (name: string) => capturedAccount(name).data;
  const pool = (): LiquidityPoolState => decodeLiquidityPoolState(captured('light_sol_pool'));
  const config = (): ProtocolConfig => decodeProtocolConfig(captured('protocol_config_v2'));
  /** The amount of a token account stands at offset 64. */
  const balance = (name: string): bigint => {
    const { buffer } = captured(name);
    return new DataView(buffer).getBigUint64(64, true);
  };

  test('the pool is LIGHT/SOL of config 2', () => {
    const { info, tokenA, tokenB, key, protocolConfig } = pool();
    expect(capturedAccount('light_sol_pool').address).toBe(LIGHT_POOL);
    expect(key).toBe(LIGHT_POOL);
    expect(protocolConfig).toBe(CONFIG_2);
    expect(info).toMatchObject({ protocolConfigVersion: 2, type: 2 });
    expect(tokenA).toEqual({ mint: MINT, decimals: 9, owner: TOKEN_2022 });
    expect(tokenB).toEqual({ mint: WRAPPED_SOL, decimals: 9, owner: TOKEN });
  });

  test('the pool holds the known figures', () => {
    const state = pool();
    expect(state.reserve).toMatchObject({
      tokenA: 103_927_583_151_068_173n,
      tokenB: 1_558_777_720_473n,
      snapshotSlot: 411_351_016n,
      initialB: 162_000_000_000n,
    });
    expect(state).toMatchObject({
      createdAtSlot: 359_414_896n,
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

  test('the reserves are one buy away from their snapshot', () => {
    const { tokenA, tokenB, snapshotA, snapshotB } = pool().reserve;
    expect(tokenB - snapshotB).toBe(2_929_840_184n);
    expect(snapshotA - tokenA).toBe(195_707_570_900_467n);
  });

  test('the product of the reserves is the initial one to 8 digits', () => {
    const { tokenA, tokenB, initialA, initialB } = pool().reserve;
    const ratio = Number(tokenA * tokenB) / Number(initialA * initialB);
    expect(Math.abs(ratio - 1)).toBeLessThan(1e-8);
  });

  test('over 14,000 SOL of fees were collected', () => {
    const state = pool();
    const fees =
      state.protocolTradingFees +
      state.creatorTradingFees +
      state.creatorTradingFeesClaimedByCreator +
      state.creatorTradingFeesClaimedByOthers;
    expect(fees / 1_000_000_000n).toBeGreaterThan(14_000n);
  });

  test('the token vault holds the reserve; the SOL vault serves more pools than this', () => {
    expect(balance('light_vault')).toBe(pool().reserve.tokenA);
    expect(balance('wsol_vault')).toBeGreaterThan(pool().reserve.tokenB);
  });

  test('config 2 holds the known figures', () => {
    const { version, initialTokenAAmount, initialTokenBAmount, tokenADecimals, marketCapBasedFees } =
      config();
    expect(capturedAccount('protocol_config_v2').address).toBe(CONFIG_2);
    expect({ version, initialTokenAAmount, initialTokenBAmount, tokenADecimals }).toEqual({
      version: 2,
      initialTokenAAmount: 10n ** 18n,
      initialTokenBAmount: 35,
      tokenADecimals: 9,
    });
    const { brackets, count } = marketCapBasedFees.protocolTradingFee;
    expect(brackets.slice(0, count)).toEqual([
      { marketCapUpperBound: 99_999n, buyFeeBps: 100, sellFeeBps: 100 },
      { marketCapUpperBound: U64_MAX, buyFeeBps: 50, sellFeeBps: 50 },
    ]);
    const { brackets: creatorBrackets } = marketCapBasedFees.creatorTradingFee;
    expect(creatorBrackets[0]).toMatchObject({ buyFeeBps: 100, sellFeeBps: 100 });
  });

  test('pool and config derive to their addresses', async () => {
    expect(await findPoolAddress({ mint: MINT })).toBe(LIGHT_POOL);
    expect(await findProtocolConfigAddress({ version: 2 })).toBe(CONFIG_2);
  });

  test('the vaults are the associated token accounts of the config', async () => {
    const tokenAVault = await findAssociatedTokenAddress({
      owner: CONFIG_2,
      mint: MINT,
      tokenProgram: TOKEN_2022,
    });
    const tokenBVault = await findAssociatedTokenAddress({ owner: CONFIG_2, mint: pool().tokenB.mint });
    expect(pool()).toMatchObject({ tokenAVault, tokenBVault });
    expect(capturedAccount('light_vault').address).toBe(tokenAVault);
    expect(capturedAccount('wsol_vault').address).toBe(tokenBVault);
  });

  test.each([
    ['light_sol_pool', 'LiquidityPoolState'],
    ['protocol_config_v2', 'ProtocolConfig'],
  ])('%s is written back to the same bytes', (account, name) => {
    const layout = layoutNamed(name);
    const data = captured(account);
    expect(data).toHaveLength(layout.size);
    expect(hexOf(layout.encode(layout.decode(data) as never))).toBe(hexOf(withoutPadding(layout, data)));
  });

  test('the price feed says $82.02', () => {
    expect(capturedAccount('chainlink_sol_usd')).toMatchObject({
      address: 'CH31Xns5z3M1cTAbKW34jcxPPciazARpijcHj9rxtemt',
      owner: 'HEvSKofvBgfaexv23kMabbYqxasxU3mQ4ibBMEmJWHny',
    });
    expect(decodeSolPrice(captured('chainlink_sol_usd'), 1_775_456_070n)).toMatchObject({
      answer: 8_201_759_900n,
      decimals: 8,
    });
  });

  test.each([
    [837n, { basisPoints: 150n }],
    [838n, undefined],
  ])('in epoch %s the LIGHT mint takes a transfer fee of %o', (epoch, fee) => {
    const { token } = decodePoolSnapshot({
      pool: captured('light_sol_pool'),
      protocolConfig: captured('protocol_config_v2'),
      mint: captured('light_mint'),
      priceFeed: captured('chainlink_sol_usd'),
      clock: encodeClock({ slot: 411_354_049n, epoch, unixTimestamp: 1_775_456_070n }),
    });
    if (fee === undefined) expect(token.transferFee).toBeUndefined();
    else expect(token.transferFee).toMatchObject(fee);
  });
});
