// The whole life of a pro pool: the creator creates it, sets its fees and switches its features, others trade in it, and the
// creator withdraws and gives away. Each transaction prints a line with the wallet's balances before and after.
import type { Address, KeyPairSigner } from '@solana/kit';
import {
  type BuiltTransaction,
  buildProAddLiquidity,
  buildProBuy,
  buildProClaimCreatorFees,
  buildProClaimLpFees,
  buildProCreate,
  buildProRemoveLiquidity,
  buildProSell,
  buildProSetLpFee,
  buildProSetMarketCapCreatorFee,
  buildProSetReflectionFee,
  buildProSetSlotCreatorFee,
  buildProToggleDeposit,
  buildProToggleSwap,
  buildProToggleWithdraw,
  buildProTransferLp,
  buildProUpdateCreatorFeeReceiver,
  getLpBalance,
  getPoolState,
  type HeavenClient,
  isHeavenError,
  MAX_MARKET_CAP_BOUND,
  quoteProAddLiquidity,
  quoteProBuy,
  quoteProRemoveLiquidity,
  quoteProSell,
  toUiAmount,
} from 'heaven-pools';
import { COMMUNITY_LOOKUP_TABLE_ADDRESS, findAssociatedTokenAddress } from 'heaven-pools/program';
import {
  addressOf,
  balancesOf,
  bold,
  type Cluster,
  connect,
  keyOf,
  preview,
  readKeyPair,
  readOptions,
  run,
  send,
  sol,
  UsageError,
  ui,
  withNames,
} from '../common.js';

const HELP = `
Usage: npx tsx examples/pro-pool/main.ts [options]

Creates a pro pool and goes through all that its creator can do. On a cluster without --send it shows the creation only.

  --mint ADDRESS   the token of the pool; the wallet must hold some (on a cluster)
  --tokens AMOUNT  of the token to begin with, in native units (default: 50000000000000)
  --sol LAMPORTS   to begin with (default: 10000000000)
  --trader PATH    the key file of somebody who trades and deposits (on a cluster)
  --heir PATH      the key file of who gets liquidity and the creator fees at the end (on a cluster)
  --lut ADDRESS    the lookup table (default: the ledger's own; on a cluster, that of launches with config 1)`;

const CONFIG_VERSION = 3;
const SLIPPAGE_BPS = 100;
/** Bounds are millionths of a dollar. */
const HUNDRED_THOUSAND_DOLLARS = 100_000_000_000n;

/** The same fee whatever the market cap, in basis points. */
const always = (bps: number) => [
  { marketCapUpperBound: MAX_MARKET_CAP_BOUND, buyFeeBps: bps, sellFeeBps: bps },
];

interface People {
  readonly creator: KeyPairSigner;
  readonly trader: KeyPairSigner;
  readonly heir: KeyPairSigner;
}

run(async () => {
  const options = readOptions(HELP, {
    mint: { type: 'string' },
    tokens: { type: 'string', default: '50000000000000' },
    sol: { type: 'string', default: '10000000000' },
    trader: { type: 'string' },
    heir: { type: 'string' },
    lut: { type: 'string' },
  });
  if (options === undefined) return;
  const seed = {
    initialTokenAAmount: units('tokens', options.tokens),
    initialTokenBAmount: units('sol', options.sol),
  };
  const table = options.lut === undefined ? undefined : addressOf('lut', options.lut);
  if (options.rpc !== undefined && options.mint === undefined) throw new UsageError('--rpc needs --mint');
  if (
    options.rpc !== undefined &&
    options.send &&
    (options.trader === undefined || options.heir === undefined)
  )
    throw new UsageError('--send needs --trader and --heir');
  const given = options.mint === undefined ? undefined : addressOf('mint', options.mint);
  const cluster = await connect(options);
  const { client, wallet, signer, ledger } = cluster;
  const mint = given ?? (ledger as NonNullable<typeof ledger>).pools.pro.mint;
  const lutAddress = table ?? ledger?.lookupTables.pro ?? COMMUNITY_LOOKUP_TABLE_ADDRESS;

  const create = () =>
    buildProCreate(client, {
      payer: wallet,
      creator: wallet,
      configVersion: CONFIG_VERSION,
      mint,
      ...seed,
      lutAddress,
      creatorTradingFee: always(200),
    });
  if (!cluster.isSending || signer === undefined) {
    const built = await create();
    console.log('Creating the pool would do this; nothing is signed or sent.');
    await preview(cluster, built, { [mint]: 'TOKEN' });
    return;
  }
  const people = ledger
    ? { creator: signer, trader: await keyOf(2), heir: await keyOf(3) }
    : {
        creator: signer,
        trader: await readKeyPair(options.trader as string),
        heir: await readKeyPair(options.heir as string),
      };
  if (ledger) await fund(cluster, people, mint);
  await live(cluster, people, mint, create);
});

function units(name: string, text: string): bigint {
  if (/^[1-9]\d*$/.test(text)) return BigInt(text);
  throw new UsageError(`--${name} must be a whole number over 0, and not ${text}`);
}

/** Funds for the embedded ledger: SOL for everybody, tokens for the creator. */
async function fund({ ledger }: Cluster, { creator, trader, heir }: People, mint: Address): Promise<void> {
  if (ledger === undefined) return;
  const { tokenProgram } = ledger.pools.pro;
  for (const { address } of [trader, heir]) ledger.setBalance(address, 100_000_000_000n);
  const account = await findAssociatedTokenAddress({ owner: creator.address, mint, tokenProgram });
  ledger.setTokenAccount(account, tokenProgram, {
    mint,
    owner: creator.address,
    amount: 80_000_000_000_000n,
  });
}

async function live(
  cluster: Cluster,
  { creator, trader, heir }: People,
  mint: Address,
  create: () => ReturnType<typeof buildProCreate>,
): Promise<void> {
  const { client } = cluster;
  const first = await create();
  const { pool } = first;
  const locator = { pool, mint, configVersion: CONFIG_VERSION };
  const common = { pool, payer: creator.address };
  const terms = { ...locator, slippageBps: SLIPPAGE_BPS };
  const { act, refused, decimals } = await createActor(cluster, { creator, trader, heir }, mint, pool);
  const claimableBy = async (user: Address) => (await getLpBalance(client, { pool, user })).pendingFees;

  console.log(bold(`\n${row('', 'wallet', 'SOL', 'tokens', 'LP tokens')}`));
  await act('create the pool', 'creator', async () => first);

  await act('LP fee 0.25 %', 'creator', () => buildProSetLpFee(client, { ...common, brackets: always(25) }));
  await act('reflection fee 0.1 %', 'creator', () =>
    buildProSetReflectionFee(client, { ...common, brackets: always(10) }),
  );
  await act('creator fee 1 %, 0.5 % from $100k', 'creator', () =>
    buildProSetMarketCapCreatorFee(client, {
      ...common,
      brackets: [
        { marketCapUpperBound: HUNDRED_THOUSAND_DOLLARS, buyFeeBps: 100, sellFeeBps: 100 },
        { marketCapUpperBound: MAX_MARKET_CAP_BOUND, buyFeeBps: 50, sellFeeBps: 50 },
      ],
    }),
  );
  await act('10 % in the first 5 slots', 'creator', () =>
    buildProSetSlotCreatorFee(client, {
      ...common,
      brackets: [{ slotOffsetUpperbound: 5, buyFeeBps: 1_000, sellFeeBps: 1_000 }],
      maxSlotOffset: 5,
      maxFeeBps: 1_000,
      enabled: true,
    }),
  );

  const quoteOneSol = () => quoteProBuy(client, { ...terms, maxSolSpend: 1 });
  await act('trading off', 'creator', () => buildProToggleSwap(client, { ...common, enabled: false }));
  await refused('buy for 1 SOL', 'trader', quoteOneSol);
  await act('trading on', 'creator', () => buildProToggleSwap(client, { ...common, enabled: true }));
  await act('deposits off', 'creator', () => buildProToggleDeposit(client, { ...common, enabled: false }));
  await act('deposits on', 'creator', () => buildProToggleDeposit(client, { ...common, enabled: true }));
  await act('withdrawals off', 'creator', () =>
    buildProToggleWithdraw(client, { ...common, enabled: false }),
  );
  await act('withdrawals on', 'creator', () => buildProToggleWithdraw(client, { ...common, enabled: true }));

  // Somebody else comes.
  const payer = trader.address;
  const event = { pool, payer };
  const bought = await quoteProBuy(client, { ...terms, maxSolSpend: 2 });
  await act('buy for 2 SOL', 'trader', () => buildProBuy(client, { ...event, quoteResponse: bought }));
  await act('sell half of it', 'trader', async () => {
    const amountInUi = toUiAmount(bought.details.amountOut / 2n, decimals);
    const quoteResponse = await quoteProSell(client, { ...terms, amountInUi });
    return await buildProSell(client, { ...event, quoteResponse });
  });
  await act('deposit for 0.5 SOL', 'trader', async () => {
    const { maxTokenA, maxTokenB, minLpTokens } = await quoteProAddLiquidity(client, {
      ...terms,
      maxTokenB: 500_000_000n,
    });
    return await buildProAddLiquidity(client, { ...locator, payer, maxTokenA, maxTokenB, minLpTokens });
  });

  // What the creator takes out.
  await act('withdraw a quarter', 'creator', async () => {
    const { lpTokenBalance } = await getLpBalance(client, { pool, user: creator.address });
    const lpTokensToBurn = lpTokenBalance / 4n;
    const { minTokenA, minTokenB } = await quoteProRemoveLiquidity(client, { ...terms, lpTokensToBurn });
    return await buildProRemoveLiquidity(client, {
      ...locator,
      ...common,
      lpTokensToBurn,
      minTokenA,
      minTokenB,
    });
  });
  await act(`claim LP fees ${sol(await claimableBy(creator.address))}`, 'creator', () =>
    buildProClaimLpFees(client, common),
  );
  const accrued = async () => (await getPoolState(client, { pool })).creatorTradingFees;
  await act(`claim creator fees ${sol(await accrued())}`, 'creator', () =>
    buildProClaimCreatorFees(client, { ...common, amount: 0n }),
  );

  // What the creator gives away.
  await act('give 100 LP tokens to the heir', 'creator', () =>
    buildProTransferLp(client, {
      ...common,
      sender: creator.address,
      receiver: heir.address,
      amount: 100_000_000_000n,
    }),
  );
  await act(
    'give the creator fees to the heir',
    'creator',
    () =>
      buildProUpdateCreatorFeeReceiver(client, {
        ...locator,
        payer: creator.address,
        version: CONFIG_VERSION,
        newReceiver: heir.address,
      }),
    [heir],
  );
  const again = await quoteOneSol();
  await act('buy for 1 SOL', 'trader', () => buildProBuy(client, { ...event, quoteResponse: again }));
  await refused('claim creator fees', 'creator', () =>
    buildProClaimCreatorFees(client, { ...common, amount: 0n }),
  );
  await act(`claim creator fees ${sol(await accrued())}`, 'heir', () =>
    buildProClaimCreatorFees(client, { pool, payer: heir.address, amount: 0n }),
  );
  await act(`claim LP fees ${sol(await claimableBy(heir.address))}`, 'heir', () =>
    buildProClaimLpFees(client, { pool, payer: heir.address }),
  );

  const { reserve, lpToken, protocolTradingFees, reflectionTradingFees } = await getPoolState(client, {
    pool,
  });
  console.log(bold(`\nThe pool ${pool}`));
  for (const [what, value] of [
    ['tokens', ui(reserve.tokenA, decimals)],
    ['SOL', ui(reserve.tokenB, 9)],
    ['LP tokens', ui(lpToken.supply.total, 9)],
    ['protocol fees', sol(protocolTradingFees)],
    ['reflection fees', sol(reflectionTradingFees)],
  ] as const)
    console.log(`  ${what.padEnd(18)}${value.padStart(28)}`);
}

/** Who sends transactions, and prints a line for each. */
async function createActor(cluster: Cluster, people: People, mint: Address, pool: Address) {
  const { client, ledger } = cluster;
  const { decimals } = await balancesOf(client, people.creator.address, mint);

  const holdings = async (owner: Address) => {
    const [balances, lpTokens] = await Promise.all([
      balancesOf(client, owner, mint),
      lpTokensOf(client, pool, owner),
    ]);
    return { ...balances, lpTokens };
  };

  const names = Object.fromEntries(
    Object.entries(people).map(([name, { address }]) => [address, `the ${name}`]),
  );

  const act = async (
    what: string,
    who: keyof People,
    build: () => Promise<BuiltTransaction>,
    cosigners: readonly KeyPairSigner[] = [],
  ) => {
    const { address } = people[who];
    const before = await holdings(address);
    const built = await build();
    await send(cluster, built, [people[who], ...cosigners]);
    // On a cluster time passes by itself.
    ledger?.setSlot(ledger.slot + 2n);
    const after = await holdings(address);
    const change = (from: bigint, to: bigint, digits: number) =>
      from === to ? '' : `${ui(from, digits)} → ${ui(to, digits)}`;
    console.log(
      row(
        what,
        who,
        change(before.sol, after.sol, 9),
        change(before.tokens, after.tokens, decimals),
        change(before.lpTokens, after.lpTokens, 9),
      ),
    );
    for (const { message } of built.warnings) console.log(`  ! ${withNames(message, names)}`);
  };

  /** Whatever isn't possible throws an error with a code before anything is signed. */
  const refused = async (what: string, who: keyof People, attempt: () => Promise<unknown>) => {
    try {
      await attempt();
    } catch (error) {
      if (!isHeavenError(error)) throw error;
      console.log(row(what, who, `refused: ${error.code}`));
      return;
    }
    throw new Error(`${what} should have been refused.`);
  };
  return { act, refused, decimals };
}

/** A wallet's LP tokens; 0 before the pool exists. */
async function lpTokensOf(client: HeavenClient, pool: Address, user: Address): Promise<bigint> {
  try {
    return (await getLpBalance(client, { pool, user })).lpTokenBalance;
  } catch (error) {
    if (isHeavenError(error, 'pool-not-found')) return 0n;
    throw error;
  }
}

const row = (what: string, who: string, ...cells: readonly string[]) =>
  [what.padEnd(36), who.padEnd(8), ...cells.map((cell, index) => cell.padEnd([30, 38, 0][index] ?? 0))]
    .join(' ')
    .trimEnd();
