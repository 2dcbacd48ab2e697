import type { Address } from '@solana/kit';

import { type OperationName, paths } from '../../src/operations/index.js';
import {
  CreatorTradingFeeClaimStatus,
  CreatorTradingFeeDistribution,
  findLpPositionAddress,
  type LiquidityPoolAllowlist,
  type LiquidityPoolState,
  SOL_USD_FEED_ADDRESS,
  SYSTEM_PROGRAM_ADDRESS,
  TOKEN_2022_PROGRAM_ADDRESS,
  WRAPPED_SOL_MINT_ADDRESS,
} from '../../src/program/index.js';
import { createFeeBrackets } from '../../src/testing/index.js';
import { createEngines, inputOf, setIn } from '../http/engines.js';
import { PROGRAM } from '../http/support.js';
import { CLOCK_SYSVAR_ADDRESS } from '../support/addresses.js';
import { CATCH_ALL, LARGE, U64_MAX } from '../support/amounts.js';
import { EMPTY_TABLE } from '../support/large-pro-pool.js';
import { CREATOR, WALLET } from './scene.js';

// What the chain, a quote or the size of a transaction doesn't allow. `refusals.test.ts` tries each row.

/** What the recorded refusals are of. */
export const engines = await createEngines();
const { ledger, working } = engines;
const { creator: standard, pro, community } = ledger.pools;
const proPosition = await findLpPositionAddress({ pool: pro.pool, user: pro.creator });
const source = inputOf('buildBuy', working['/tx/buy']!.optional).source as Address;

const changeable = [
  ...[standard, pro, community].flatMap(({ pool, protocolConfig, mint }) => [pool, protocolConfig, mint]),
  SOL_USD_FEED_ADDRESS,
  CLOCK_SYSVAR_ADDRESS,
  EMPTY_TABLE,
  proPosition,
  source,
];
const prepared = new Map(changeable.map((address) => [address, ledger.getAccount(address)]));

/** Gives the ledger back the accounts that a case may change. */
export function restore(): void {
  for (const [address, account] of prepared) ledger.setAccount(address, account);
}

type Fields = Readonly<Record<string, unknown>>;
type Refusal = readonly [
  what: string,
  names: OperationName | readonly OperationName[],
  /** Other fields of the input, where a dotted name reaches into the quote; or another state of the ledger. */
  change: Fields | (() => unknown),
];

const STANDARD_TRADES = ['quoteBuy', 'quoteSell', 'buildBuy', 'buildSell'] as const;
const PRO_TRADES = ['quoteProBuy', 'quoteProSell', 'buildProBuy', 'buildProSell'] as const;
const TRADES = [...STANDARD_TRADES, ...PRO_TRADES] as const;
const BUYS = ['buildBuy', 'buildProBuy'] as const;
const SELLS = ['buildSell', 'buildProSell'] as const;
const OF_QUOTES = [...BUYS, ...SELLS] as const;
const settings = (pattern: RegExp) =>
  (Object.keys(paths) as OperationName[]).filter((name) => pattern.test(name));
const TOGGLES = settings(/^buildProToggle/);
const FEE_SETTERS = settings(/^buildProSet(?!Slot)/);
const SETTERS = [...FEE_SETTERS, 'buildProSetSlotCreatorFee'] as const;
const CLAIMS = ['buildClaimCreatorTradingFees', 'buildProClaimCreatorFees'] as const;
const LIQUIDITY = ['buildProAddLiquidity', 'buildProRemoveLiquidity'] as const;
const LAUNCH = 'buildCreateStandardLiquidityPool';
const CREATIONS = [LAUNCH, 'buildProCreate'] as const;
const PRICED = [...TRADES, 'getPoolInfo', 'quoteInitialBuy', LAUNCH] as const;
const RECEIVER = 'buildProUpdateCreatorFeeReceiver';
const IN_POOL = [
  ...['getLpBalance', 'buildProClaimCreatorFees', 'buildProClaimLpFees', 'buildProTransferLp'],
  ...[...PRO_TRADES, ...LIQUIDITY, ...TOGGLES, ...SETTERS, RECEIVER],
] as readonly OperationName[];

/** Changes the standard and the pro pool of the working requests. */
export function updatePools(change: (state: LiquidityPoolState) => Partial<LiquidityPoolState>): void {
  for (const { pool } of [standard, pro]) ledger.updatePool(pool, change);
}
const allow = (change: Partial<LiquidityPoolAllowlist>) =>
  updatePools(({ allowlist }) => ({ allowlist: { ...allowlist, ...change } }));
const inform = (change: Partial<LiquidityPoolState['info']>) =>
  updatePools(({ info }) => ({ info: { ...info, ...change } }));
const cut = (address: Address) => {
  const account = ledger.getAccount(address)!;
  ledger.setAccount(address, { ...account, data: account.data.slice(0, 40) });
};
const giveAway = (address: Address) =>
  ledger.setAccount(address, { ...ledger.getAccount(address)!, owner: SYSTEM_PROGRAM_ADDRESS });
const forbidCreation = () => {
  for (const { protocolConfig } of [community, pro])
    ledger.updateConfig(protocolConfig, () => ({ allowCreatePool: 0 }));
};
/** Gives the mints of both pools an extension of Token-2022. */
export function extendMints(type: number, content: readonly number[]): void {
  updatePools(({ tokenA }) => ({ tokenA: { ...tokenA, owner: TOKEN_2022_PROGRAM_ADDRESS } }));
  for (const { mint } of [standard, pro]) {
    const base = [...ledger.getAccount(mint)!.data.subarray(0, 82), ...new Array<number>(83).fill(0)];
    const data = Uint8Array.from([...base, 1, type, 0, content.length, 0, ...content]);
    ledger.setAccount(mint, { owner: TOKEN_2022_PROGRAM_ADDRESS, data });
  }
}
export const chargeCreatorFee = (bps: number) =>
  ledger.updateConfig(standard.protocolConfig, ({ marketCapBasedFees }) => ({
    marketCapBasedFees: { ...marketCapBasedFees, creatorTradingFee: createFeeBrackets([U64_MAX, bps]) },
  }));
const takeFees = () => {
  updatePools(() => ({ creatorTradingFees: 0n }));
  const nothing = { lpTokenBalance: 0n, rewardDebt: 0n, pendingFees: 0n };
  return ledger.setLpPosition({ pool: pro.pool, user: pro.creator, ...nothing });
};
const feesOf = (...bounds: readonly bigint[]) =>
  bounds.map((marketCapUpperBound) => ({ marketCapUpperBound, buyFeeBps: 1, sellFeeBps: 1 }));
const lastFee = (buyFeeBps: number, sellFeeBps: number) => {
  return { marketCapUpperBound: CATCH_ALL, buyFeeBps, sellFeeBps };
};
const slotsUntil = (slotOffsetUpperbound: number, buyFeeBps: number) => ({
  brackets: [{ slotOffsetUpperbound, buyFeeBps, sellFeeBps: 1 }],
  maxSlotOffset: slotOffsetUpperbound,
  maxFeeBps: buyFeeBps,
  enabled: true,
});

/** Long enough that a service cuts it. */
const HALF_CHARACTER = `\ud800${'x'.repeat(300)}`;

/** By the code and its case, as `caseOf` names them. The record has the context of each. */
const REFUSALS: Readonly<Record<string, readonly Refusal[]>> = {
  'zero-amount': [
    ['no SOL', ['quoteBuy', 'quoteProBuy'], { maxSolSpend: '0.0' }],
    ['no tokens', ['quoteSell', 'quoteProSell'], { amountInUi: 0 }],
    ['a spend of nothing', BUYS, { 'quoteResponse.maxLamportSpend': 0n }],
    ['tokens of nothing', SELLS, { 'quoteResponse.amountIn': 0n }],
    ['initialTokenAAmount of 0', 'buildProCreate', { initialTokenAAmount: 0n }],
    ['initialTokenBAmount of 0', 'buildProCreate', { initialTokenBAmount: 0n }],
    ['maxTokenA of 0', 'buildProAddLiquidity', { maxTokenA: 0n }],
    ['maxTokenB of 0', 'buildProAddLiquidity', { maxTokenB: 0n }],
    ['lpTokensToBurn of 0', 'buildProRemoveLiquidity', { lpTokensToBurn: 0n }],
    ['amount of 0', 'buildProTransferLp', { amount: 0n }],
  ],
  'invalid-amount:decimals': [
    ['a tenth decimal of SOL', ['quoteBuy', 'quoteProBuy', LAUNCH], { maxSolSpend: '1.0000000001' }],
    ['a seventh decimal of a token with six', 'quoteProSell', { amountInUi: '1.0000001' }],
  ],
  'amount-out-of-range': [
    ['more SOL than 64 bits', ['quoteBuy', 'quoteProBuy', LAUNCH], { maxSolSpend: '18446744073.709551616' }],
  ],
  'invalid-input': [
    ['a share of more than 100 %', 'quoteInitialBuy', { initialPurchasePercent: '100.0000001' }],
    ['slippage twice', 'quoteInitialBuy', { slippage: '0.005', slippageBps: 50 }],
    ['half a character', [...OF_QUOTES, ...CREATIONS], { encodedUserDefinedEventData: HALF_CHARACTER }],
    ['a program that pays', ['buildBuy', 'buildProTransferLp'], { payer: PROGRAM }],
    ['half a character in the name', LAUNCH, { name: '\udc00' }],
    ['a transfer to oneself', 'buildProTransferLp', { receiver: pro.creator }],
  ],
  'invalid-slippage': [['slippage over all of it', 'quoteInitialBuy', { slippage: '1.5' }]],
  'insufficient-liquidity': [
    ['all the tokens of a launch', 'quoteInitialBuy', { initialPurchasePercent: 100 }],
    ['more than the pool holds in real SOL', 'quoteSell', { amountInUi: '1000000000' }],
    [
      'an empty pool',
      [...PRO_TRADES, 'buildProAddLiquidity'],
      () => ledger.setReserves(pro.pool, { tokenA: 0n, tokenB: 0n }),
    ],
    ['more than all tokens', LAUNCH, { initialPurchaseAmount: U64_MAX }],
  ],
  'pool-not-found': [
    ['no pool there', IN_POOL, { pool: WALLET }],
    [
      'a mint without a pool',
      ['quoteBuy', 'quoteSell', 'getPoolInfo', 'getPoolState', 'buildClaimCreatorTradingFees'],
      { mint: WALLET },
    ],
    [
      'a quote of a mint without a pool',
      ['buildBuy', 'buildSell'],
      { 'quoteResponse.mint': WALLET, 'quoteResponse.details': undefined },
    ],
  ],
  'pool-mismatch:kind': [
    [
      'a standard pool',
      [...LIQUIDITY, 'quoteProBuy', 'quoteProSell'],
      { pool: community.pool, mint: community.mint, configVersion: 1 },
    ],
    [
      'a standard pool',
      ['getLpBalance', 'buildProClaimLpFees', 'buildProTransferLp', ...TOGGLES, ...SETTERS],
      { pool: standard.pool },
    ],
    [
      'a pool that says it is a pro pool',
      [...STANDARD_TRADES, 'buildClaimCreatorTradingFees'],
      () => inform({ type: 1 }),
    ],
    ['a config of the other kind of pools', ['quoteInitialBuy', LAUNCH], { configVersion: 3 }],
    ['a config of the other kind of pools', 'buildProCreate', { configVersion: 1 }],
  ],
  'pool-mismatch:mint': [
    ['a quote of another token', ['buildProBuy', 'buildProSell'], { 'quoteResponse.mint': standard.mint }],
    [
      'a pool of another token',
      ['quoteProBuy', 'quoteProSell', ...LIQUIDITY, RECEIVER],
      { mint: standard.mint },
    ],
  ],
  'pool-mismatch:configVersion': [
    ['another config version', ['quoteBuy', 'quoteSell'], { configVersion: 1 }],
    ['another config version', ['quoteProBuy', 'quoteProSell', ...LIQUIDITY], { configVersion: 2 }],
    ['another version', ['buildClaimCreatorTradingFees', RECEIVER], { version: 1 }],
  ],
  'account-not-found': [
    ['no such config', ['quoteInitialBuy', ...CREATIONS], { configVersion: 9 }],
    ['no such config', 'getProtocolConfigState', { version: 9 }],
    ['no price feed', PRICED, () => ledger.setAccount(SOL_USD_FEED_ADDRESS, undefined)],
    [
      'no clock',
      [...STANDARD_TRADES, 'buildProCreate'],
      () => ledger.setAccount(CLOCK_SYSVAR_ADDRESS, undefined),
    ],
    ['no position', 'buildProClaimLpFees', { payer: WALLET }],
  ],
  'operation-disabled:create': [['a config without creation', CREATIONS, forbidCreation]],
  'invalid-account-data:found': [
    ['an account of another program', 'buildProClaimLpFees', { pool: SOL_USD_FEED_ADDRESS }],
    ['a mint that is none', 'buildProCreate', { mint: SOL_USD_FEED_ADDRESS }],
  ],
  'invalid-account-data': [['a config in place of the pool', 'getLpBalance', { pool: pro.protocolConfig }]],
  'rpc-wrong-account': [
    [
      'a pool of another program',
      [...STANDARD_TRADES, 'getPoolInfo', 'getPoolState'],
      () => giveAway(standard.pool),
    ],
    ['a config of another program', PRO_TRADES, () => giveAway(pro.protocolConfig)],
    [
      'a config cut short',
      ['getProtocolConfigState', 'quoteBuy', 'getPoolInfo'],
      () => cut(standard.protocolConfig),
    ],
    [
      'a position of another program',
      ['getLpBalance', ...LIQUIDITY, 'buildProClaimLpFees', 'buildProTransferLp'],
      () => giveAway(proPosition),
    ],
  ],
  'price-unavailable': [['a price of 0', PRICED, () => ledger.setSolPrice(0)]],
  'operation-disabled:swap': [['swaps that are off', TRADES, () => allow({ swap: 0 })]],
  'token-not-transferable': [
    [
      'a paused token',
      [...TRADES, ...LIQUIDITY],
      () => extendMints(26, [...new Array<number>(32).fill(7), 1]),
    ],
  ],
  'pool-not-open': [
    ['a pool that opens later', TRADES, () => inform({ openAt: ledger.unixTimestamp + 60n })],
  ],
  'fees-exceed-amount': [['fees of all of it', ['quoteBuy', 'buildBuy'], () => chargeCreatorFee(10_000)]],
  'output-is-zero': [['a sell that gives nothing', 'quoteSell', { amountInUi: '0.000000001' }]],
  'quote-mismatch': [
    ['a quote of another program', OF_QUOTES, { 'quoteResponse.programId': SYSTEM_PROGRAM_ADDRESS }],
    ['a minimum shown that is not the minimum', OF_QUOTES, { 'quoteResponse.minimumOutUi': 1.25 }],
    ['a minimum lowered behind what is shown', ['buildBuy', 'buildSell'], { 'quoteResponse.minimumOut': 1n }],
    [
      'a spend raised by a lamport behind what is shown',
      BUYS,
      { 'quoteResponse.maxLamportSpend': 1_500_000_001n },
    ],
    ['tokens shown that are not the tokens', SELLS, { 'quoteResponse.amountInUi': 1000.25 }],
  ],
  'transaction-too-large': [
    [
      'event data over the size of a transaction',
      [...OF_QUOTES, ...CREATIONS],
      { encodedUserDefinedEventData: 'é'.repeat(1_000) },
    ],
  ],
  'unusable-account:token account': [
    ['a source that does not exist', ['buildBuy', 'buildSell'], { source: WALLET }],
    ['a source of somebody else', 'buildBuy', { payer: WALLET, source }],
    ['a creator without tokens', 'buildProCreate', { creator: community.creator }],
  ],
  'not-authorized:fee-receiver': [['another wallet than the receiver', CLAIMS, { payer: WALLET }]],
  'fees-not-claimable': [
    [
      'fees that are blocked',
      CLAIMS,
      () => updatePools(() => ({ creatorTradingFeeDistribution: CreatorTradingFeeDistribution.Blocked })),
    ],
    ['no fees', [...CLAIMS, 'buildProClaimLpFees'], takeFees],
  ],
  'insufficient-balance:creator-fees': [
    ['more fees than have accrued', 'buildClaimCreatorTradingFees', { amount: LARGE }],
    ['more fees than have accrued', 'buildProClaimCreatorFees', { amount: U64_MAX }],
  ],
  'spend-too-low': [['a spend under the cost', LAUNCH, { maxSolSpend: '0.000000001' }]],
  'unusable-account:lookup table': [['a wallet that is no lookup table', CREATIONS, { lutAddress: WALLET }]],
  'unsupported-mint': [['wrapped SOL', 'buildProCreate', { mint: WRAPPED_SOL_MINT_ADDRESS }]],
  'pool-exists': [['a pool that is there', 'buildProCreate', { creator: pro.creator }]],
  'invalid-fees': [
    ['brackets that don’t ascend', FEE_SETTERS, { brackets: feesOf(2n, 2n, CATCH_ALL) }],
    ['five brackets', FEE_SETTERS, { brackets: feesOf(1n, 2n, 3n, 4n, CATCH_ALL) }],
    ['a last slot before the last bracket’s', 'buildProSetSlotCreatorFee', { maxSlotOffset: 14 }],
    [
      'a schedule in force without brackets',
      'buildProCreate',
      { creatorSlotTradingFee: { ...slotsUntil(15, 1), brackets: [] } },
    ],
  ],
  'invalid-fees:feeBps': [
    ['a fee over 100 %', FEE_SETTERS, { brackets: [...feesOf(5n), lastFee(1, 10_001)] }],
    ['a creator fee over the config’s maximum', 'buildProCreate', { creatorTradingFee: [lastFee(5_001, 1)] }],
    ['a slot fee over the config’s maximum', 'buildProSetSlotCreatorFee', slotsUntil(15, 5_001)],
  ],
  'not-authorized:creator': [['somebody else', [...TOGGLES, ...SETTERS, RECEIVER], { payer: WALLET }]],
  'operation-disabled:set-creator-fee': [
    [
      'creator fees that are fixed',
      ['buildProSetMarketCapCreatorFee', 'buildProSetSlotCreatorFee'],
      () => allow({ updateCreatorTradingFee: 0 }),
    ],
  ],
  'operation-disabled:update-fee-receiver': [
    [
      'a receiver that can’t change now',
      RECEIVER,
      () => updatePools(() => ({ creatorTradingFeeClaimStatus: CreatorTradingFeeClaimStatus.Submitted })),
    ],
    ['the receiver of now', RECEIVER, { newReceiver: pro.creator }],
  ],
  'operation-disabled:deposit': [
    ['deposits that are off', 'buildProAddLiquidity', () => allow({ depositLiquidity: 0 })],
  ],
  'operation-disabled:withdraw': [
    ['withdrawals that are off', 'buildProRemoveLiquidity', () => allow({ removeLiquidity: 0 })],
  ],
  'insufficient-balance:lp-tokens': [
    ['more LP tokens than are held', 'buildProRemoveLiquidity', { lpTokensToBurn: U64_MAX }],
    ['LP tokens without a position', 'buildProTransferLp', { sender: CREATOR }],
  ],
};

/** An input with other fields. */
const changed = (input: Fields, change: Fields) =>
  Object.entries(change).reduce(
    (result, [path, value]) => setIn(result, path.split('.'), value) as Fields,
    input,
  );

/** Each refusal of each operation, with the case of its code. */
export const chainRefusals = Object.entries(REFUSALS).flatMap(([expected, rows]) =>
  rows.flatMap(([what, names, change]) =>
    [names].flat().map((name) => {
      const required = inputOf(name, working[paths[name]]!.required);
      if (typeof change === 'function') return { name, what, input: required, prepare: change, expected };
      return { name, what, input: changed(required, change), expected };
    }),
  ),
);
