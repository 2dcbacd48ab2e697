import { type Address, getUtf8Encoder } from '@solana/kit';
import { U64_MAX } from '../base/integers.js';
import { liquidityPoolStateDeclaration, protocolConfigDeclaration } from '../program/account-layouts.js';
import {
  decodeLiquidityPoolState,
  decodeProtocolConfig,
  type LiquidityPoolState,
  type ProtocolConfig,
} from '../program/accounts.js';
import { findPoolAddress, findProPoolAddress, findProtocolConfigAddress } from '../program/addresses.js';
import {
  CHAINLINK_STORE_PROGRAM_ADDRESS,
  HEAVEN_PROGRAM_ADDRESS,
  SOL_USD_FEED_ADDRESS,
} from '../program/constants.js';
import {
  CreatorTradingFeeClaimStatus,
  CreatorTradingFeeDistribution,
  FeeConfigurationMode,
  LiquidityPoolType,
} from '../program/types.js';
import { addressAt, isOffCurve } from '../solana/addresses.js';
import { deriveAddress, findAssociatedTokenAddress } from '../solana/derived-addresses.js';
import { hexBytes } from '../solana/discriminator.js';
import {
  ASSOCIATED_TOKEN_PROGRAM_ADDRESS,
  INSTRUCTIONS_SYSVAR_ADDRESS,
  SYSTEM_PROGRAM_ADDRESS,
  TOKEN_2022_PROGRAM_ADDRESS,
  TOKEN_METADATA_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
  WRAPPED_SOL_MINT_ADDRESS,
} from '../solana/programs.js';
import { assertWebCrypto } from '../solana/web-crypto.js';
import { createFeeBrackets, createSlotFeeBrackets, type MintFields } from './encode.js';

/** The catch-all bound of pro pools. */
const I64_MAX = 0x7fff_ffff_ffff_ffffn;

/** The ledger begins here: the slot, second and price of the captured LIGHT/SOL accounts. */
export const GENESIS = { slot: 411_354_049n, unixTimestamp: 1_775_456_070n, solPrice: '82.0175991' } as const;

const zeroed = ({ discriminator, size }: { readonly discriminator: string; readonly size: number }) => {
  const data = new Uint8Array(size);
  data.set(hexBytes(discriminator));
  return data;
};
const emptyPool = () => decodeLiquidityPoolState(zeroed(liquidityPoolStateDeclaration));
const emptyConfig = () => decodeProtocolConfig(zeroed(protocolConfigDeclaration));

export const lpTokenInfo = (amount: bigint): LiquidityPoolState['lpToken'] => ({
  supply: { initial: amount, total: amount, unlocked: amount, locked: 0n, burnt: 0n },
  decimals: 9,
});

/** As captured on mainnet: config 2 accepts no launches. Nobody has captured configs 1 and 3. */
const CONFIG_2 = {
  protocolConfigStateBump: 0,
  allowCreatePool: 0,
  leaderSlotWindow: 0,
  sandwichResistenceEnabled: 0,
} as const;

/** Lamports in the wrapped SOL vault of a config. */
export const UNSTAKED_WSOL_RESERVE = 1_795_202_641_466n;

/**
 * A protocol config with the published fees of its version. The sample of version 1 also has a launch window (5 slots at
 * 50 %, up to 15 slots at 10 %), so that there is a sniper schedule to see. That of version 2 has the flags of the captured
 * account, which accepts no launches; those of versions 1 and 3 are made up.
 */
export function createSampleConfig(version: 1 | 2 | 3): ProtocolConfig {
  const isPro = version === 3;
  const protocolTradingFee = {
    1: createFeeBrackets([99_999n, 100], [U64_MAX, 25]),
    2: createFeeBrackets([99_999n, 100], [U64_MAX, 50]),
    3: createFeeBrackets([U64_MAX, 30]),
  }[version];
  const creatorTradingFee = {
    1: createFeeBrackets([U64_MAX, 10]),
    2: createFeeBrackets([U64_MAX, 100]),
    3: createFeeBrackets(),
  }[version];
  const empty = emptyConfig();
  return {
    ...empty,
    initialTokenBAmount: isPro ? 0 : 35,
    initialTokenAAmount: isPro ? 0n : 1_000_000_000_000_000_000n,
    unstakedWsolReserve: UNSTAKED_WSOL_RESERVE,
    poolCount: 1_285n,
    maxSupplyPerWallet: U64_MAX,
    creatorTradingFeeTradingVolumeThreshold: version === 2 ? 100_000 : 0,
    marketCapBasedFees: { ...empty.marketCapBasedFees, protocolTradingFee, creatorTradingFee },
    bufferBps: 1_000,
    autoStakingThresholdBps: 500,
    version,
    protocolConfigStateBump: 255,
    allowCreatePool: 1,
    supportedPoolType: isPro ? LiquidityPoolType.Pro : LiquidityPoolType.Standard,
    defaultLeaderSlotWindow: 1,
    leaderSlotWindow: 1,
    sandwichResistenceEnabled: 1,
    tokenADecimals: 9,
    migrationMarketCapThreshold: isPro ? 0 : 100,
    maxCreatorTradingFee: isPro ? 5_000 : 3_999,
    slotOffsetBasedFees: {
      ...empty.slotOffsetBasedFees,
      creatorTradingFee:
        version === 1 ? createSlotFeeBrackets([5, 5_000], [15, 1_000]) : createSlotFeeBrackets(),
    },
    ...(version === 2 ? CONFIG_2 : {}),
  };
}

/** A pool of the embedded ledger, with the addresses of its accounts. */
export interface SamplePool {
  readonly kind: 'standard' | 'pro';
  readonly configVersion: 1 | 2 | 3;
  readonly mint: Address;
  readonly tokenProgram: Address;
  readonly creator: Address;
  readonly pool: Address;
  readonly protocolConfig: Address;
  readonly tokenAVault: Address;
  readonly tokenBVault: Address;
}

/** The values of a sample pool. */
export interface SamplePoolFields
  extends Pick<SamplePool, 'kind' | 'configVersion' | 'mint' | 'tokenProgram' | 'creator'> {
  readonly token: MintFields;
  readonly state: Partial<LiquidityPoolState>;
  readonly reserve: Partial<LiquidityPoolState['reserve']> &
    Pick<LiquidityPoolState['reserve'], 'tokenA' | 'tokenB'>;
}

/** A deterministic address for the embedded ledger. */
export const sampleAddress = (name: string): Promise<Address> =>
  deriveAddress(SYSTEM_PROGRAM_ADDRESS, ['heaven-pools', name]);

/** A deterministic address on the curve, as a wallet has one. */
export async function sampleWallet(name: string): Promise<Address> {
  assertWebCrypto();
  for (let attempt = 0; ; attempt += 1) {
    const hash = await crypto.subtle.digest(
      'SHA-256',
      getUtf8Encoder().encode(`heaven-pools ${name} ${attempt}`) as BufferSource,
    );
    const address = addressAt(new Uint8Array(hash));
    if (!isOffCurve(address)) return address;
  }
}

/** The accounts of a sample pool, decoded. */
export async function createSamplePool(
  fields: SamplePoolFields,
  programAddress: Address = HEAVEN_PROGRAM_ADDRESS,
): Promise<{ readonly pool: SamplePool; readonly state: LiquidityPoolState; readonly token: MintFields }> {
  const { token, reserve, state: changed, ...about } = fields;
  const { kind, configVersion, mint, tokenProgram, creator } = about;
  const config = { programAddress };
  const protocolConfig = await findProtocolConfigAddress({ version: configVersion }, config);
  const pool = await (kind === 'standard'
    ? findPoolAddress({ mint }, config)
    : findProPoolAddress({ mint, creator }, config));
  const tokenAVault = await findAssociatedTokenAddress({ owner: protocolConfig, mint, tokenProgram });
  const tokenBVault = await findAssociatedTokenAddress({
    owner: protocolConfig,
    mint: WRAPPED_SOL_MINT_ADDRESS,
  });
  const openAt = GENESIS.unixTimestamp - 86_400n;
  const empty = emptyPool();
  const state: LiquidityPoolState = {
    ...empty,
    info: {
      creator,
      updateAuthority: SYSTEM_PROGRAM_ADDRESS,
      openAt,
      createdAt: openAt,
      protocolConfigVersion: configVersion,
      type: kind === 'standard' ? LiquidityPoolType.Standard : LiquidityPoolType.Pro,
      poolAuthorityBump: 255,
      tempSolHolderBump: 255,
    },
    reserve: {
      ...empty.reserve,
      initialA: reserve.tokenA,
      initialB: reserve.tokenB,
      leaderSlotWindow: 1,
      ...reserve,
    },
    lpToken: lpTokenInfo(0n),
    createdAtSlot: GENESIS.slot - 216_000n,
    tokenAVault,
    tokenBVault,
    protocolConfig,
    key: pool,
    tokenA: { mint, decimals: token.decimals, owner: tokenProgram },
    tokenB: { mint: WRAPPED_SOL_MINT_ADDRESS, decimals: 9, owner: TOKEN_PROGRAM_ADDRESS },
    allowlist: { ...empty.allowlist, swap: 1 },
    featureFlags: { sandwichResistantMode: 1 },
    taxableSide: 2,
    creatorTradingFeeDistribution: CreatorTradingFeeDistribution.Creator,
    creatorTradingFeeClaimStatus: CreatorTradingFeeClaimStatus.Unclaimed,
    feeConfigurationMode: FeeConfigurationMode.Global,
    creatorTradingFeeReceiver: creator,
    ...changed,
  };
  return { pool: { ...about, pool, protocolConfig, tokenAVault, tokenBVault }, state, token };
}

/** The accounts of a wallet's trade in a sample pool, by name. */
export const tradeAccounts = async (
  { pool, mint, tokenProgram, tokenAVault, tokenBVault, protocolConfig }: SamplePool,
  user: Address,
) => ({
  tokenAProgram: tokenProgram,
  liquidityPoolState: pool,
  user,
  tokenAMint: mint,
  userTokenAVault: await findAssociatedTokenAddress({ owner: user, mint, tokenProgram }),
  userTokenBVault: await findAssociatedTokenAddress({ owner: user, mint: WRAPPED_SOL_MINT_ADDRESS }),
  tokenAVault,
  tokenBVault,
  protocolConfig,
});

/** The sample pools of the embedded ledger by name. */
export type SamplePoolName = 'community' | 'creator' | 'pro' | 'launching';

/**
 * The fields of the sample pools: real values, encoded by this library's own encoders.
 *
 * @example
 * ```ts
 * const { pro } = await createSamplePoolFields();
 * const pool = await ledger.addPool({ ...pro, reserve: { ...pro.reserve, tokenB: 1_000_000_000n } });
 * ```
 */
export async function createSamplePoolFields(): Promise<Readonly<Record<SamplePoolName, SamplePoolFields>>> {
  const sampleOf = async (
    name: SamplePoolName,
    configVersion: 1 | 2 | 3,
    fields: Pick<SamplePoolFields, 'state' | 'reserve'> & Partial<SamplePoolFields>,
  ): Promise<SamplePoolFields> => ({
    kind: configVersion === 3 ? 'pro' : 'standard',
    configVersion,
    mint: await sampleAddress(name),
    tokenProgram: TOKEN_2022_PROGRAM_ADDRESS,
    creator: await sampleWallet(`${name} creator`),
    token: { decimals: 9, supply: 1_000_000_000_000_000_000n },
    ...fields,
  });
  return {
    // After 80 SOL paid in, as in the published example: 115 SOL and 30.43 % of the tokens are in the pool.
    community: await sampleOf('community', 1, {
      state: { creatorTradingFeeDistribution: CreatorTradingFeeDistribution.Community },
      reserve: {
        tokenA: 304_347_826_086_956_522n,
        tokenB: 115_000_000_000n,
        initialA: 1_000_000_000_000_000_000n,
        initialB: 35_000_000_000n,
      },
    }),
    // The values of LIGHT/SOL, with an expired transfer fee.
    creator: await sampleOf('creator', 2, {
      mint: 'LiGHtkg3uTa9836RaNkKLLriqTNRcMdRAhqjGWNv777' as Address,
      token: {
        decimals: 9,
        supply: 925_699_119_637_156_028n,
        transferFee: {
          older: { epoch: 831n, basisPoints: 150, maximum: U64_MAX },
          newer: { epoch: 838n, basisPoints: 0, maximum: U64_MAX },
        },
      },
      state: {
        protocolTradingFees: 15_184_783n,
        creatorTradingFees: 420_891_248_646n,
        creatorTradingFeesClaimedByCreator: 13_688_215_097_851n,
        createdAtSlot: 359_414_896n,
        tradingVolumeUsd: 101_237.139_406_876_99,
        creatorTradingFeeTradingVolumeThreshold: 100_000,
        creatorTradingFeeTradingVolumeThresholdReachedUnixTimestamp: 1_754_950_884n,
        creatorTradingFeeClaimStatus: CreatorTradingFeeClaimStatus.Processed,
        isMigrated: 1,
      },
      reserve: {
        tokenA: 103_927_583_151_068_173n,
        tokenB: 1_558_777_720_473n,
        snapshotSlot: 411_351_016n,
        snapshotA: 104_123_290_721_968_640n,
        snapshotB: 1_555_847_880_289n,
        initialA: 1_000_000_000_000_000_000n,
        initialB: 162_000_000_000n,
      },
    }),
    // A classic token with 6 decimals, its own fees, and its creator's liquidity.
    pro: await sampleOf('pro', 3, {
      tokenProgram: TOKEN_PROGRAM_ADDRESS,
      token: { decimals: 6, supply: 1_000_000_000_000_000n },
      state: {
        feeConfigurationMode: FeeConfigurationMode.Local,
        marketCapBasedFees: {
          ...createSampleConfig(3).marketCapBasedFees,
          creatorTradingFee: createFeeBrackets([100_000_000_000n, 100, 150], [I64_MAX, 50]),
          liquidityProviderTradingFee: createFeeBrackets([I64_MAX, 20]),
          reflectionTradingFee: createFeeBrackets([I64_MAX, 10]),
        },
        lpToken: lpTokenInfo(400_000_000_000n),
        creatorTradingFees: 1_500_000_000n,
        liquidityProviderTradingFees: 1_234_567n,
        allowlist: {
          swap: 1,
          removeLiquidity: 1,
          depositLiquidity: 1,
          sameSlotTrading: 0,
          updateCreatorTradingFee: 1,
        },
        featureFlags: { sandwichResistantMode: 0 },
        creatorTradingFeeClaimStatus: CreatorTradingFeeClaimStatus.Processed,
      },
      reserve: { tokenA: 400_000_000_000_000n, tokenB: 400_000_000_000n },
    }),
    // Launched two slots ago: 50 % creator fee on buys and sells for now.
    launching: await sampleOf('launching', 1, {
      state: { createdAtSlot: GENESIS.slot - 2n },
      reserve: { tokenA: 1_000_000_000_000_000_000n, tokenB: 35_000_000_000n },
    }),
  };
}

/** The addresses in the lookup table for launches, or creations of pro pools, of a config version. */
export async function sampleLookupTable(
  version: 1 | 2 | 3,
  programAddress: Address = HEAVEN_PROGRAM_ADDRESS,
): Promise<Address[]> {
  const protocolConfig = await findProtocolConfigAddress({ version }, { programAddress });
  return [
    programAddress,
    protocolConfig,
    await findAssociatedTokenAddress({ owner: protocolConfig, mint: WRAPPED_SOL_MINT_ADDRESS }),
    WRAPPED_SOL_MINT_ADDRESS,
    TOKEN_PROGRAM_ADDRESS,
    TOKEN_2022_PROGRAM_ADDRESS,
    ASSOCIATED_TOKEN_PROGRAM_ADDRESS,
    SYSTEM_PROGRAM_ADDRESS,
    INSTRUCTIONS_SYSVAR_ADDRESS,
    TOKEN_METADATA_PROGRAM_ADDRESS,
    CHAINLINK_STORE_PROGRAM_ADDRESS,
    SOL_USD_FEED_ADDRESS,
  ];
}
