import { decodePoolSnapshot, MAX_MARKET_CAP_BOUND } from '../../src/index.js';
import * as program from '../../src/program/index.js';
import { encodeClock, encodePriceFeed } from '../../src/testing/encode.js';
import {
  createFeeBrackets,
  createSlotFeeBrackets,
  type EmbeddedLedger,
  encodeMint,
  type MintFields,
  type SamplePool,
} from '../../src/testing/index.js';
import { createSampleConfig } from '../../src/testing/samples.js';

/** Begins a window of one and of two leaders. */
export const SLOT = 411_354_048n;
const NOW = 1_775_456_070n;
export const U64_MAX = 2n ** 64n - 1n;

/** What prices a trade. */
export interface Scene {
  readonly state: program.LiquidityPoolState;
  readonly config: program.ProtocolConfig;
  readonly solPrice: string;
  readonly mint: MintFields;
  readonly slot: bigint;
  readonly epoch: bigint;
}

export const feedOf = (solPrice: string) => encodePriceFeed({ price: solPrice, slot: SLOT, timestamp: NOW });

const accountsOf = ({ state, config, solPrice, mint }: Scene) => ({
  pool: program.encodeLiquidityPoolState(state),
  config: program.encodeProtocolConfig(config),
  feed: feedOf(solPrice),
  mint: encodeMint(mint),
});

export const inputOf = (scene: Scene) => ({
  accounts: accountsOf(scene),
  slot: scene.slot,
  epoch: scene.epoch,
});

export function snapshotOf(scene: Scene) {
  const { pool, config, feed, mint } = accountsOf(scene);
  const clock = encodeClock({ slot: scene.slot, epoch: scene.epoch, unixTimestamp: NOW });
  return decodePoolSnapshot({ pool, protocolConfig: config, priceFeed: feed, mint, clock });
}

export const stateOf = (ledger: EmbeddedLedger, { pool }: SamplePool) =>
  program.decodeLiquidityPoolState(ledger.getAccount(pool)?.data ?? new Uint8Array());

const GROUPS = [
  'protocolTradingFee',
  'liquidityProviderTradingFee',
  'creatorTradingFee',
  'creatorTradingFeeProtocolFee',
  'reflectionTradingFee',
] as const;

const byKind = <T>(of: (index: number) => T) =>
  Object.fromEntries(GROUPS.map((name, index) => [name, of(index)])) as Readonly<
    Record<(typeof GROUPS)[number], T>
  >;

/** Brackets of one kind of fee, with others planted behind the count. */
function counted(...brackets: readonly (readonly [bigint, number, number?])[]): program.FeeBrackets {
  const fees = createFeeBrackets(...brackets);
  const planted = { marketCapUpperBound: U64_MAX, buyFeeBps: 4_000, sellFeeBps: 4_100 };
  return {
    ...fees,
    brackets: fees.brackets.map((bracket, index) => (index < fees.count ? bracket : planted)),
  };
}

/** Fees where the program must not look. */
const decoys = () => ({
  marketCapBasedFees: byKind((index) =>
    createFeeBrackets([99_999n, 900 + index], [U64_MAX, 910 + index, 920 + index]),
  ),
  slotOffsetBasedFees: byKind((index) => createSlotFeeBrackets([40_000, 1_500 + index], [65_535, 1_600])),
});

/** Schedules that end at different slots. The last is switched off; the third has a longer window than brackets. */
const schedules = () =>
  byKind((index) => ({
    ...createSlotFeeBrackets([5, 2_000 + index, 1_000 + index], [15, 300 + index]),
    maxSlotOffset: index === 2 ? 20 : 15,
    enabled: index === 4 ? 0 : 1,
  }));

export function createScenes(ledger: EmbeddedLedger) {
  const { creator, pro, launching } = ledger.pools;
  const base: Scene = {
    state: stateOf(ledger, creator),
    config: createSampleConfig(2),
    solPrice: '82.0175991',
    mint: { decimals: 9, supply: 925_699_119_637_156_028n },
    slot: SLOT,
    epoch: 952n,
  };
  const change = (
    scene: Scene,
    state: Partial<program.LiquidityPoolState>,
    more: Partial<Scene> = {},
  ): Scene => ({
    ...scene,
    ...more,
    state: { ...scene.state, ...state },
  });
  const reserves = (scene: Scene, reserve: Partial<program.LiquidityPoolState['reserve']>) =>
    change(scene, { reserve: { ...scene.state.reserve, ...reserve } });
  const recent = { createdAtSlot: SLOT - 100n };

  const globalFees = byKind((index) => counted([99_999n, 100 + index], [U64_MAX, 50 - index, 7 * index]));
  const localFees = byKind((index) =>
    counted([99_999n, 31 + index, 41], [10n ** 8n, 21 + index, 61 - index]),
  );
  const config = (version: 1 | 2 | 3) => ({ ...createSampleConfig(version), ...decoys() });
  const proFees = byKind((index) =>
    counted([100_000_000_000n, 97 - index, 33 + index], [MAX_MARKET_CAP_BOUND, 20 + index, 15]),
  );
  const proMint: MintFields = { decimals: 6, supply: 1_000_000_000_000_000n };
  const proState = { ...stateOf(ledger, pro), ...recent };
  const proLocal = change(
    base,
    { ...proState, marketCapBasedFees: proFees },
    { config: config(3), mint: proMint },
  );
  const launch = change(
    base,
    { ...stateOf(ledger, launching), createdAtSlot: SLOT },
    {
      config: { ...createSampleConfig(1), slotOffsetBasedFees: schedules() },
      mint: { decimals: 9, supply: 10n ** 18n },
    },
  );
  const even = {
    tokenA: 10n ** 18n,
    tokenB: 1_000_000_000_000n,
    initialB: 35_000_000_000n,
    snapshotSlot: 0n,
  };
  const large = { tokenA: 9n * 10n ** 18n, tokenB: 5n * 10n ** 18n, initialB: 1n, snapshotSlot: 0n };
  const proBounds = byKind((index) =>
    createFeeBrackets([100_000_000n, 91 + index], [200_000_000n, 71 + index], [300_000_000n, 51 + index]),
  );
  return {
    base,
    /** The fees are the config's. */
    global: change(
      base,
      { ...decoys(), ...recent },
      { config: { ...base.config, marketCapBasedFees: globalFees } },
    ),
    /** The fees are the pool's own. */
    local: change(
      base,
      { feeConfigurationMode: 1, marketCapBasedFees: localFees, ...recent },
      { config: config(2) },
    ),
    localLaunch: change(
      base,
      { feeConfigurationMode: 1, slotOffsetBasedFees: schedules(), createdAtSlot: SLOT },
      { config: config(2) },
    ),
    proLocal,
    proGlobal: change(proLocal, { ...decoys(), feeConfigurationMode: 0 }, { config: createSampleConfig(3) }),
    launch,
    /** The market cap is 1000 times the price of SOL; 99,999 dollars is the bound. */
    bounds: { ...reserves(base, even), mint: { decimals: 9, supply: even.tokenA } },
    /** The market cap is the price of 1 SOL. */
    proBounds: change(reserves(proLocal, { tokenA: proMint.supply, tokenB: 10n ** 9n }), {
      marketCapBasedFees: proBounds,
    }),
    /** 1000 lamports can be paid out. */
    drained: reserves(base, { ...even, initialB: even.tokenB - 1_000n }),
    large: reserves(base, large),
    unnoted: reserves(base, { ...even, snapshotSlot: SLOT, snapshotA: 0n, snapshotB: 0n }),
    withheld: (basisPoints: number, maximum: bigint, epoch = base.epoch): Scene => ({
      ...base,
      epoch,
      mint: {
        ...base.mint,
        transferFee: {
          older: { epoch: 831n, basisPoints: 77, maximum: 5_000n },
          newer: { epoch: 838n, basisPoints, maximum },
        },
      },
    }),
    /** Reserves noted in {@link SLOT}, a fifth of the tokens more and a quarter of the SOL less than now, or the reverse. */
    noted: (
      are: 'better' | 'worse',
      slot: bigint,
      leaderSlotWindow = 1,
      sandwichResistantMode = 1,
    ): Scene => {
      const sign = are === 'better' ? 1n : -1n;
      const snapshotA = even.tokenA + (sign * even.tokenA) / 5n;
      const snapshotB = even.tokenB - (sign * even.tokenB) / 4n;
      const noted = { ...even, snapshotSlot: SLOT, snapshotA, snapshotB, leaderSlotWindow };
      return { ...change(reserves(base, noted), { featureFlags: { sandwichResistantMode } }), slot };
    },
  };
}
