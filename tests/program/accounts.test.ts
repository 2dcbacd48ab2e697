import { type Address, getAddressEncoder } from '@solana/kit';
import { describe, expect, test } from 'vitest';
import { decodePoolSnapshot, decodeSolPrice } from '../../src/pool/decode.js';
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
} from '../../src/program/index.js';
import { encodeClock } from '../../src/testing/index.js';
import { addressNamed, addressNumbered } from '../support/addresses.js';
import { anchorDiscriminator } from '../support/anchor.js';
import { bytesOf, hexOf } from '../support/bytes.js';
import { capturedAccount, hasCapturedAccounts, withCapturedAccounts } from '../support/captured.js';
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

const layout = (
  name: string,
  size: number,
  rows: readonly Row[],
  decode: Layout['decode'],
  encode: Layout['encode'],
): Layout => ({ name, discriminator: anchorDiscriminator('account', name), size, rows, decode, encode });

const POOL_LAYOUT = layout(
  'LiquidityPoolState',
  2304,
  POOL_ROWS,
  decodeLiquidityPoolState,
  encodeLiquidityPoolState,
);
const CONFIG_LAYOUT = layout('ProtocolConfig', 1792, CONFIG_ROWS, decodeProtocolConfig, encodeProtocolConfig);
const POSITION_LAYOUT = layout(
  'UserLpPosition',
  97,
  POSITION_ROWS,
  decodeUserLpPosition,
  encodeUserLpPosition,
);
const LAYOUTS = [POOL_LAYOUT, CONFIG_LAYOUT, POSITION_LAYOUT];

// ---------------------------------------------------------------- raw accounts

const SIZES = { u8: 1, u16: 2, u32: 4, u64: 8, f64: 8, pubkey: 32 };

const sizeOf = ([, type]: Row): number => (typeof type === 'number' ? type : SIZES[type]);

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

  test('fills its bytes without a gap', () => {
    let end = 8;
    for (const row of rows) {
      expect(row[0], `${row[2] ?? 'padding'}`).toBe(end);
      end += sizeOf(row);
    }
    expect(end).toBe(size);
  });

  test('gives each field from its offset, whatever the padding holds and wherever it stands', () => {
    const { data, values } = rawAccount(own, 0xee);
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
    feeConfigurationMode: 'feeConfigurationMode',
    slotOffsetBasedFees: SLOT,
  };
  const inConfig = { marketCapBasedFees: CAP, version: 'version', slotOffsetBasedFees: SLOT };

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
      reserve: {
        tokenA: 103_927_583_151_068_173n,
        tokenB: 1_558_777_720_473n,
        snapshotSlot: 411_351_016n,
        initialB: 162_000_000_000n,
      },
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
    // The reserves are one buy away from those at the beginning of the window.
    const { tokenA, tokenB, snapshotA, snapshotB } = pool.reserve;
    expect([tokenB - snapshotB, snapshotA - tokenA]).toEqual([2_929_840_184n, 195_707_570_900_467n]);
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
