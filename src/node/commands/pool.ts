import type { Address } from '@solana/kit';
import { type Command, Option } from 'commander';

import type { FeeRates, FetchedPoolSnapshot, FoundPool, HeavenClient, PoolInfo } from 'heaven-pools';
import type { FeeBrackets, LiquidityPoolState, SlotFeeBrackets } from 'heaven-pools/program';
import { amount, FEE_KINDS, inSol, inUsd, percent, shownNumber } from './numbers.js';
import {
  type ClusterSettings,
  clusterOptions,
  EXIT_CODES,
  type JsonSettings,
  type Library,
  numberArgument,
  printAnswer,
  run,
} from './options.js';
import { aligned, optionNames, type Row, standardOutput, table, UsageError } from './output.js';

/** The options of `heaven-pools pool`, named like the functions' fields. */
interface PoolSettings extends ClusterSettings, JsonSettings {
  readonly mint?: Address;
  readonly pool?: Address;
  readonly creator?: Address;
  readonly kind?: 'standard' | 'pro';
  readonly configVersion?: number;
  readonly all?: true;
}

const OPTIONS = optionNames('mint', 'pool', 'creator', 'kind', 'configVersion');

/** Declares `heaven-pools pool`. */
export function declare(program: Command): void {
  clusterOptions(
    program
      .command('pool')
      .description(
        'Shows a pool: the one at --pool, or the standard pool of --mint. With --creator, --kind, --config-version or --all it lists the pools that match all of them; the node must then answer getProgramAccounts. Without options, it lists all pools of the embedded ledger.',
      )
      .option('--mint <address>', 'the token')
      .addOption(new Option('--pool <address>', 'the pool’s address').conflicts(['creator', 'kind', 'all']))
      .option('--creator <address>', 'who created the pool')
      .addOption(new Option('--kind <kind>', 'the kind of pool').choices(['standard', 'pro']))
      .option('--config-version <number>', '1 community, 2 creator, 3 pro', numberArgument())
      .option('--all', 'list every pool, or every pool of the --mint'),
  )
    .addHelpText('after', EXIT_CODES)
    .action((_, command: Command) => run(command, OPTIONS, pool));
}

/** Shows one pool, or lists the pools that match. */
async function pool(library: Library, settings: PoolSettings): Promise<void> {
  const { mint, creator, kind, configVersion, all } = settings;
  const isOne =
    settings.pool !== undefined ||
    (mint !== undefined && creator === undefined && kind === undefined && all === undefined);
  const isNothing = [settings.pool, mint, creator, kind, configVersion, all].every(
    (value) => value === undefined,
  );
  if (isNothing && settings.rpc !== undefined) {
    throw new UsageError(
      'Name a pool with --pool or --mint, or what to search by: --creator, --kind, --config-version. To list every pool, use --all.',
    );
  }
  const client = await library.connectOrEmbed(settings, standardOutput);
  if (isOne) return await showOne(library, client, settings);
  const found = await library.findPools(client, {
    mint,
    creator,
    kind,
    configVersion,
    ...(all || isNothing ? { all: true } : {}),
  });
  const answer = found.map(({ address, kind, configVersion, mint, creator, state }) => {
    return { address, kind, configVersion, mint, creator, state };
  });
  printAnswer(library, settings.json, answer, () => list(found));
}

function list(found: readonly FoundPool[]): readonly string[] {
  if (found.length === 0) return ['There is no such pool.'];
  return table([
    ['POOL', 'KIND', 'CONFIG', 'TOKEN (--mint)', 'SOL RESERVE'],
    ...found.map(({ address, kind, configVersion, mint, state }) => [
      address,
      kind,
      String(configVersion),
      mint,
      amount(state.reserve.tokenB, 9),
    ]),
  ]);
}

async function showOne(library: Library, client: HeavenClient, settings: PoolSettings): Promise<void> {
  const { getPoolState, LiquidityPoolType, shareReads, fetchPoolSnapshot, getPoolInfo } = library;
  const { pool: address, json } = settings;
  const found = await getPoolState(client, { mint: settings.mint, pool: address } as Parameters<
    typeof getPoolState
  >[1]);
  const isPro = found.info.type === LiquidityPoolType.Pro;
  const { mint } = found.tokenA;
  const configVersion = settings.configVersion ?? found.info.protocolConfigVersion;
  const locator = { configVersion, mint, ...(isPro && address !== undefined ? { pool: address } : {}) };
  // Both read the same accounts, so they share one response, with everything from one slot.
  const shared = shareReads(client, { accountsTtlMs: 60_000 });
  const [snapshot, info] = await Promise.all([
    fetchPoolSnapshot(shared, locator),
    getPoolInfo(shared, locator),
  ]);
  const state = library.decodeLiquidityPoolState(snapshot.data.pool, snapshot.addresses.pool);
  const { kind, slot, addresses } = snapshot;
  const { buyFees, sellFees } = library.toSwapState(snapshot);
  const { creator } = state.info;
  const fees = { buy: buyFees, sell: sellFees };
  const answer = { address: addresses.pool, kind, configVersion, mint, creator, slot, fees, info, state };
  printAnswer(library, json, answer, () => describePool(library, snapshot, state, info));
}

function describePool(
  library: Library,
  snapshot: FetchedPoolSnapshot,
  state: LiquidityPoolState,
  info: PoolInfo,
): readonly string[] {
  const { kind, addresses, token, reserveA, reserveB, virtualReserveB, slot } = snapshot;
  const price = library.priceOf(reserveA, reserveB, token.decimals);
  const standard = addresses.tokenProgram === library.TOKEN_2022_PROGRAM_ADDRESS ? 'Token-2022' : 'SPL Token';
  const { supply, decimals } = state.lpToken;
  const transferFee: Row[] =
    token.transferFee === undefined
      ? []
      : [['Transfer fee', `${percent(token.transferFee.basisPoints)} of each transfer, by the token itself`]];
  return [
    `${kind === 'pro' ? 'Pro' : 'Standard'} pool ${addresses.pool}`,
    '',
    ...aligned([
      ['Token', `${addresses.mint} (${standard}, ${token.decimals} decimals)`],
      ['Creator', state.info.creator],
      ['Config version', `${snapshot.configVersion} (${info.classification})`],
      ['Price', `${shownNumber(price)} SOL per token ($${shownNumber(price * info.currentSolPriceUsd)})`],
      ['Market cap', `${inUsd(info.currentMarketCapUsd)}, at ${inUsd(info.currentSolPriceUsd)} per SOL`],
      [
        'Reserves',
        `${amount(reserveA, token.decimals)} tokens\n${inSol(reserveB)}${
          virtualReserveB === 0n ? '' : `, of which ${inSol(virtualReserveB)} virtual`
        }`,
      ],
      ...(kind === 'pro' ? [['Liquidity', `${amount(supply.total, decimals)} LP tokens`] satisfies Row] : []),
      ['Traded volume', inUsd(info.currentTradingVolumeUsd)],
      ...transferFee,
      ...feeRows(library, snapshot, state),
      ...featureRows(snapshot, state, info),
      ...creatorFeeRows(state, info),
      ['Slot', String(slot)],
    ]),
  ];
}

const buyAndSell = (buy: bigint, sell: bigint): string =>
  buy === sell ? percent(buy) : `buy ${percent(buy)}, sell ${percent(sell)}`;

/** The fees in force, and what they depend on. */
function feeRows(
  { decodeProtocolConfig, toSwapState }: Library,
  snapshot: FetchedPoolSnapshot,
  state: LiquidityPoolState,
): readonly Row[] {
  const { buyFees, sellFees } = toSwapState(snapshot);
  const total = (fees: FeeRates) => Object.values(fees).reduce((sum: bigint, rate: bigint) => sum + rate, 0n);
  const config = decodeProtocolConfig(snapshot.data.protocolConfig, snapshot.addresses.protocolConfig);
  const schedules = FEE_KINDS.flatMap(([kind, name, group]): readonly Row[] => {
    // As in quotes, the protocol fee always comes from the config.
    const source = snapshot.feeSource === 'local' && kind !== 'protocol' ? state : config;
    const launch = slotSchedule(snapshot, source.slotOffsetBasedFees[group]);
    const lasting = marketCapSchedule(snapshot, source.marketCapBasedFees[group]);
    const lines = launch.length === 0 ? lasting : [...launch, ...lasting.map((line) => `then ${line}`)];
    return lines.length === 0 ? [] : [[`  ${name}`, lines.join('\n')]];
  });
  return [
    ['Fees now', buyAndSell(total(buyFees), total(sellFees))],
    ...FEE_KINDS.filter(([kind]) => buyFees[kind] > 0n || sellFees[kind] > 0n).map(
      ([kind, name]): Row => [`  ${name}`, buyAndSell(buyFees[kind], sellFees[kind])],
    ),
    ['Fee schedule', snapshot.feeSource === 'local' ? 'the pool’s own' : 'the config’s'],
    ...schedules,
  ];
}

function marketCapSchedule({ kind }: FetchedPoolSnapshot, fees: FeeBrackets): readonly string[] {
  const brackets = fees.brackets.slice(0, fees.count);
  const rates = ({ buyFeeBps, sellFeeBps }: FeeBrackets['brackets'][number]) =>
    buyAndSell(BigInt(buyFeeBps), BigInt(sellFeeBps));
  const last = brackets.at(-1);
  if (last === undefined) return [];
  const bounded = brackets.slice(0, -1);
  const decimals = kind === 'pro' ? 6 : 0;
  // The last bracket's bound is ignored: its fees also apply above it.
  return [
    ...bounded.map(
      (bracket) =>
        `${rates(bracket)} up to a market cap of $${amount(bracket.marketCapUpperBound, decimals)}`,
    ),
    `${rates(last)}${bounded.length === 0 ? ' at any market cap' : ' above'}`,
  ];
}

function slotSchedule(
  { slot, createdAtSlot }: FetchedPoolSnapshot,
  { enabled, maxSlotOffset, brackets, count }: SlotFeeBrackets,
): readonly string[] {
  if (enabled === 0 || count === 0) return [];
  const end = createdAtSlot + BigInt(maxSlotOffset);
  const when = slot > end ? `over since slot ${end + 1n}` : `until slot ${end}`;
  return [
    `by slots after the launch, ${when}:`,
    ...brackets
      .slice(0, count)
      .map(
        ({ buyFeeBps, sellFeeBps, slotOffsetUpperbound }) =>
          `  ${buyAndSell(BigInt(buyFeeBps), BigInt(sellFeeBps))} up to ${slotOffsetUpperbound} slots`,
      ),
  ];
}

const onOff = (isOn: boolean): string => (isOn ? 'on' : 'off');

function featureRows(
  { kind, opensAt, unixTimestamp, isSwapEnabled, isSandwichResistant }: FetchedPoolSnapshot,
  { allowlist }: LiquidityPoolState,
  { isMigrated, migrationMarketCapThreshold }: PoolInfo,
): readonly Row[] {
  const opens: Row[] =
    unixTimestamp < opensAt ? [['  opens', `at Unix time ${opensAt}, in ${opensAt - unixTimestamp} s`]] : [];
  const ofKind: Row[] =
    kind === 'pro'
      ? [
          ['  deposits', onOff(allowlist.depositLiquidity !== 0)],
          ['  withdrawals', onOff(allowlist.removeLiquidity !== 0)],
          ['  creator fee', allowlist.updateCreatorTradingFee !== 0 ? 'can be changed' : 'fixed for good'],
        ]
      : [['  migrated', isMigrated ? 'yes' : `no: at a market cap of ${inUsd(migrationMarketCapThreshold)}`]];
  return [
    ['Features', ''],
    ['  swaps', onOff(isSwapEnabled)],
    ...opens,
    ['  sandwich resistance', onOff(isSandwichResistant)],
    ['  same-slot trading', onOff(allowlist.sameSlotTrading !== 0)],
    ...ofKind,
  ];
}

function creatorFeeRows(state: LiquidityPoolState, info: PoolInfo): readonly Row[] {
  const isEmpty = state.creatorTradingFees === 0n;
  return [
    ['Creator fees', `${inSol(state.creatorTradingFees)} to claim`],
    ['  claimable', info.isCreatorFeeClaimable ? (isEmpty ? 'nothing yet' : 'yes') : 'no'],
    ['  receiver', `${state.creatorTradingFeeReceiver} (${info.currentCreatorFeeDistribution})`],
    [
      '  claimed so far',
      `${inSol(state.creatorTradingFeesClaimedByCreator)} by the creator, ${inSol(state.creatorTradingFeesClaimedByOthers)} by others`,
    ],
  ];
}
