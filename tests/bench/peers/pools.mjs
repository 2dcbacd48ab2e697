// The same pool in each peer's own types. Each peer is a factory: one that throws is reported, not dropped.
import * as damm from '@meteora-ag/cp-amm-sdk';
import * as dbc from '@meteora-ag/dynamic-bonding-curve-sdk';
import * as orca from '@orca-so/whirlpools-core';
import * as pump from '@pump-fun/pump-swap-sdk';
import * as raydium from '@raydium-io/raydium-sdk-v2';
import { PublicKey } from '@solana/web3.js';
import BN from 'bn.js';
import Decimal from 'decimal.js';

import { amounts, ceilDiv, OUT_FOR_ONE_SOL, outputs, RESERVE_A, RESERVE_B, SLIPPAGE_BPS } from './trade.mjs';

const bn = (value) => new BN(value.toString());
const big = (value) => BigInt(value.toString());
const ZERO = new BN(0);

/** Each peer gets its amounts in its own type: converting them is not measured. */
const bnAmounts = amounts.map(bn);
const bnOutputs = outputs.map(bn);
const A = bn(RESERVE_A);
const B = bn(RESERVE_B);

function squareRoot(value) {
  let root = BigInt(Math.floor(Math.sqrt(Number(value))));
  while (root * root > value) root -= (root * root - value) / (2n * root) + 1n;
  while ((root + 1n) * (root + 1n) <= value) root += (value - root * root) / (2n * (root + 1n)) + 1n;
  return root;
}

const SQRT_PRICE = squareRoot((RESERVE_B << 128n) / RESERVE_A);
/** Meteora counts liquidity in units of 2^-64, Orca in whole ones. */
const LIQUIDITY_X64 = squareRoot((RESERVE_A * RESERVE_B) << 128n);
const LIQUIDITY = squareRoot(RESERVE_A * RESERVE_B);

/** What an exchange returns that takes 1 % of the input: the usual definition, and ours. */
const feeOnInput = (amount) => {
  const net = amount - amount / 100n;
  return (RESERVE_A * net) / (RESERVE_B + net);
};

/** What such an exchange asks for an output: the usual inverse of the fee. It is not always the least input. */
const undoneFee = (output) => ceilDiv(ceilDiv(output * RESERVE_B, RESERVE_A - output) * 100n, 99n);

/** Pump adds its fees on top of what is traded, rounds each of two up, and trades one lamport less. */
const ceilFee = (amount, bps) => ceilDiv(amount * bps, 10_000n);
const feeOnTop = (amount) => {
  let net = (amount * 10_000n) / 10_100n;
  const over = net + ceilFee(net, 20n) + ceilFee(net, 80n) - amount;
  if (over > 0n) net -= over;
  return (RESERVE_A * (net - 1n)) / (RESERVE_B + net - 1n);
};
const addedFee = (output) => {
  const net = ceilDiv(output * RESERVE_B, RESERVE_A - output);
  return net + ceilFee(net, 20n) + ceilFee(net, 80n);
};

const raydiumRates = { trade: new BN(10_000), creator: ZERO, protocol: new BN(200_000), fund: ZERO };

function raydiumCpmm() {
  const { cpmm } = new raydium.Raydium({
    connection: {},
    cluster: 'mainnet',
    api: {},
    disableFeatureCheck: true,
    disableLoadToken: true,
  });
  const pool = {
    mintA: { address: 'base' },
    mintB: { address: 'SOL' },
    baseReserve: A,
    quoteReserve: B,
    feeOn: raydium.CpmmCreatorFeeOn?.BothToken ?? 0,
    configInfo: {
      tradeFeeRate: raydiumRates.trade,
      creatorFeeRate: ZERO,
      protocolFeeRate: raydiumRates.protocol,
      fundFeeRate: ZERO,
    },
    poolPrice: new Decimal(RESERVE_A.toString()).div(RESERVE_B.toString()),
  };
  return (amountIn, slippage) =>
    cpmm.computeSwapAmount({ pool, amountIn, outputMint: 'base', slippage, swapBaseIn: true });
}

const launchLabPool = {
  virtualA: A,
  virtualB: B,
  realA: ZERO,
  realB: ZERO,
  totalSellA: A.muln(3).divn(4),
  totalFundRaisingB: B,
};
const launchLabRates = { protocol: new BN(2_000), platform: new BN(8_000) };

// Written out, as a caller would: spreading a prepared object takes longer than some of the quotes.
const launchLabBuy = (amountB) =>
  raydium.Curve.buyExactIn({
    poolInfo: launchLabPool,
    amountB,
    protocolFeeRate: launchLabRates.protocol,
    platformFeeRate: launchLabRates.platform,
    curveType: 0,
    shareFeeRate: ZERO,
    creatorFeeRate: ZERO,
    transferFeeConfigA: undefined,
    transferFeeConfigB: undefined,
    slot: 0,
  });

const launchLabBuyExactOut = (amountA) =>
  raydium.Curve.buyExactOut({
    poolInfo: launchLabPool,
    amountA,
    protocolFeeRate: launchLabRates.protocol,
    platformFeeRate: launchLabRates.platform,
    curveType: 0,
    shareFeeRate: ZERO,
    creatorFeeRate: ZERO,
    transferFeeConfigA: undefined,
    transferFeeConfigB: undefined,
    slot: 0,
  });

function dbcPool() {
  const sqrtPrice = bn(SQRT_PRICE);
  const most = bn(79226673521066979257578248091n);
  return {
    virtualPool: {
      poolState: { quoteReserve: ZERO, sqrtPrice, activationPoint: ZERO, volatilityTracker: {} },
    },
    config: {
      migrationQuoteThreshold: B,
      migrationSqrtPrice: most,
      sqrtStartPrice: sqrtPrice,
      collectFeeMode: dbc.CollectFeeMode.QuoteToken,
      poolFees: {
        baseFee: {
          cliffFeeNumerator: new BN(10_000_000),
          firstFactor: 0,
          secondFactor: ZERO,
          thirdFactor: ZERO,
          baseFeeMode: dbc.BaseFeeMode.FeeSchedulerLinear,
        },
        dynamicFee: { initialized: 0 },
      },
      curve: [{ sqrtPrice: most, liquidity: bn(LIQUIDITY_X64) }],
    },
  };
}

function dbcExactIn() {
  const { virtualPool, config } = dbcPool();
  return (amount, slippageBps) =>
    dbc.swapQuoteExactIn(virtualPool, config, false, amount, slippageBps, false, ZERO, false);
}

function dbcExactOut() {
  const { virtualPool, config } = dbcPool();
  return (amount, slippageBps) =>
    dbc.swapQuoteExactOut(virtualPool, config, false, amount, slippageBps, false, ZERO, false);
}

function dammPool(collectFeeMode) {
  // A fee schedule that stays at 1 %, as it lies in the account.
  const data = Buffer.alloc(32);
  data.writeBigUInt64LE(10_000_000n);
  return {
    collectFeeMode,
    feeVersion: 1,
    poolStatus: damm.PoolStatus.Enable,
    activationPoint: ZERO,
    poolFees: {
      baseFee: { baseFeeInfo: { data: [...data] } },
      dynamicFee: { initialized: 0 },
      protocolFeePercent: 20,
      compoundingFeeBps: 0,
      referralFeePercent: 0,
      initSqrtPrice: bn(SQRT_PRICE),
    },
    sqrtPrice: bn(SQRT_PRICE),
    sqrtMinPrice: damm.MIN_SQRT_PRICE,
    sqrtMaxPrice: damm.MAX_SQRT_PRICE,
    liquidity: bn(LIQUIDITY_X64),
    tokenAAmount: A,
    tokenBAmount: B,
  };
}

const dammExactIn = (mode) => {
  const pool = dammPool(mode);
  return (amount, slippageBps) =>
    damm.swapQuoteExactInput(pool, ZERO, amount, slippageBps, false, false, 6, 9);
};

const dammExactOut = (mode) => {
  const pool = dammPool(mode);
  return (amount, slippageBps) =>
    damm.swapQuoteExactOutput(pool, ZERO, amount, slippageBps, false, false, 6, 9);
};

const pumpPool = {
  globalConfig: {
    lpFeeBasisPoints: new BN(20),
    protocolFeeBasisPoints: new BN(80),
    coinCreatorFeeBasisPoints: ZERO,
  },
  baseMintAccount: { supply: RESERVE_A * 5n },
  baseMint: new PublicKey(new Uint8Array(32).fill(7)),
  coinCreator: PublicKey.default,
  creator: new PublicKey(new Uint8Array(32).fill(9)),
};

const pumpBuyQuote = (quote, slippage) =>
  pump.buyQuoteInput({
    quote,
    slippage,
    baseReserve: A,
    quoteReserve: B,
    globalConfig: pumpPool.globalConfig,
    baseMintAccount: pumpPool.baseMintAccount,
    baseMint: pumpPool.baseMint,
    coinCreator: pumpPool.coinCreator,
    creator: pumpPool.creator,
    feeConfig: null,
  });

const pumpBuyBase = (base, slippage) =>
  pump.buyBaseInput({
    base,
    slippage,
    baseReserve: A,
    quoteReserve: B,
    globalConfig: pumpPool.globalConfig,
    baseMintAccount: pumpPool.baseMintAccount,
    baseMint: pumpPool.baseMint,
    coinCreator: pumpPool.coinCreator,
    creator: pumpPool.creator,
    feeConfig: null,
  });

const pumpSellBase = (base, slippage) =>
  pump.sellBaseInput({
    base,
    slippage,
    baseReserve: A,
    quoteReserve: B,
    globalConfig: pumpPool.globalConfig,
    baseMintAccount: pumpPool.baseMintAccount,
    baseMint: pumpPool.baseMint,
    coinCreator: pumpPool.coinCreator,
    creator: pumpPool.creator,
    feeConfig: null,
  });

/** A full range without an initialized tick in reach, so that the curve is the constant product. */
function orcaPool(arrays) {
  const tickSpacing = 64;
  const span = 88 * tickSpacing;
  const tickCurrentIndex = orca.sqrtPriceToTickIndex(SQRT_PRICE);
  const start = Math.floor(tickCurrentIndex / span) * span;
  const tick = () => ({
    initialized: false,
    liquidityNet: 0n,
    liquidityGross: 0n,
    feeGrowthOutsideA: 0n,
    feeGrowthOutsideB: 0n,
    rewardGrowthsOutside: [0n, 0n, 0n],
  });
  const first = arrays > 2 ? -2 : 0;
  const reward = () => ({ emissionsPerSecondX64: 0n, growthGlobalX64: 0n });
  return {
    whirlpool: {
      feeTierIndexSeed: new Uint8Array([tickSpacing, 0]),
      tickSpacing,
      feeRate: 10_000,
      protocolFeeRate: 2_000,
      liquidity: LIQUIDITY,
      sqrtPrice: SQRT_PRICE,
      tickCurrentIndex,
      feeGrowthGlobalA: 0n,
      feeGrowthGlobalB: 0n,
      rewardLastUpdatedTimestamp: 0n,
      rewardInfos: [reward(), reward(), reward()],
    },
    tickArrays: Array.from({ length: arrays }, (_, i) => ({
      startTickIndex: start + (first + i) * span,
      ticks: Array.from({ length: 88 }, tick),
    })),
  };
}

/** Exact-in: `run(i)`, `amountOut(result)`, and what it should be. */
export const exactInPeers = {
  'raydium `CurveCalculator.swapBaseInput`': () => ({
    run: (i) =>
      raydium.CurveCalculator.swapBaseInput(
        bnAmounts[i & 1023],
        B,
        A,
        raydiumRates.trade,
        raydiumRates.creator,
        raydiumRates.protocol,
        raydiumRates.fund,
        true,
      ),
    amountOut: ({ outputAmount }) => big(outputAmount),
    expected: feeOnInput,
    gives: 'out, fee split, reserves after; no bound, no impact',
  }),
  'raydium `cpmm.computeSwapAmount`': () => {
    const quote = raydiumCpmm();
    return {
      run: (i) => quote(bnAmounts[i & 1023], 0.01),
      amountOut: ({ amountOut }) => big(amountOut),
      bound: ({ minAmountOut }) => big(minAmountOut),
      expected: feeOnInput,
      gives: 'out, min, fee split, reserves after, impact',
    };
  },
  'raydium LaunchLab `Curve.buyExactIn`': () => ({
    run: (i) => launchLabBuy(bnAmounts[i & 1023]),
    amountOut: ({ amountA }) => big(amountA.amount),
    expected: feeOnInput,
    gives: 'out, fee split; no bound, no impact, no reserves after',
  }),
  'meteora DBC `swapQuoteExactIn`, 1 point': () => {
    const quote = dbcExactIn();
    return {
      run: (i) => quote(bnAmounts[i & 1023], SLIPPAGE_BPS),
      amountOut: ({ outputAmount }) => big(outputAmount),
      bound: ({ minimumAmountOut }) => big(minimumAmountOut),
      expected: feeOnInput,
      isBySquareRoot: true,
      gives: 'out, min, fee split, price after; no impact',
    };
  },
  'pump-swap `buyQuoteInput`, feeConfig null': () => ({
    run: (i) => pumpBuyQuote(bnAmounts[i & 1023], 1),
    amountOut: ({ base }) => big(base),
    expected: feeOnTop,
    gives: 'out; its bound is a maximum input; fees on top, no split, no impact',
  }),
  'meteora cp-amm `swapQuoteExactInput`, concentrated': () => {
    const quote = dammExactIn(damm.CollectFeeMode.OnlyB);
    return {
      run: (i) => quote(bnAmounts[i & 1023], SLIPPAGE_BPS),
      amountOut: ({ outputAmount }) => big(outputAmount),
      bound: ({ minimumAmountOut }) => big(minimumAmountOut),
      expected: feeOnInput,
      isBySquareRoot: true,
      gives: 'out, min, fee split, price after, impact (with fees)',
    };
  },
  'meteora cp-amm `swapQuoteExactInput`, compounding': () => {
    const quote = dammExactIn(damm.CollectFeeMode.Compounding);
    return {
      run: (i) => quote(bnAmounts[i & 1023], SLIPPAGE_BPS),
      amountOut: ({ outputAmount }) => big(outputAmount),
      bound: ({ minimumAmountOut }) => big(minimumAmountOut),
      expected: feeOnInput,
      gives: 'out, min, fee split, price after, impact (with fees)',
    };
  },
  ...Object.fromEntries(
    [2, 5].map((arrays) => [
      `orca \`swapQuoteByInputToken\`, ${arrays} tick arrays`,
      () => {
        const { whirlpool, tickArrays } = orcaPool(arrays);
        return {
          run: (i) =>
            orca.swapQuoteByInputToken(
              amounts[i & 1023],
              false,
              SLIPPAGE_BPS,
              whirlpool,
              undefined,
              tickArrays,
              0n,
            ),
          amountOut: ({ tokenEstOut }) => tokenEstOut,
          bound: ({ tokenMinOut }) => tokenMinOut,
          expected: feeOnInput,
          isBySquareRoot: true,
          gives: 'out, min, fee; no impact; any range of liquidity',
        };
      },
    ]),
  ),
};

/** Exact-out: `amountIn(result)` is what it asks for. */
export const exactOutPeers = {
  'raydium `CurveCalculator.swapBaseOutput`': () => ({
    run: (i) =>
      raydium.CurveCalculator.swapBaseOutput(
        bnOutputs[i & 1023],
        B,
        A,
        raydiumRates.trade,
        raydiumRates.creator,
        raydiumRates.protocol,
        raydiumRates.fund,
        true,
      ),
    amountIn: ({ inputAmount }) => big(inputAmount),
    expected: undoneFee,
    gives: 'in, fee split, reserves after; no bound, no impact',
  }),
  'raydium LaunchLab `Curve.buyExactOut`': () => ({
    run: (i) => launchLabBuyExactOut(bnOutputs[i & 1023]),
    amountIn: ({ amountB }) => big(amountB),
    expected: undoneFee,
    gives: 'in, fee split; no bound, no impact',
  }),
  'meteora DBC `swapQuoteExactOut`, 1 point': () => {
    const quote = dbcExactOut();
    return {
      run: (i) => quote(bnOutputs[i & 1023], SLIPPAGE_BPS),
      amountIn: ({ includedFeeInputAmount }) => big(includedFeeInputAmount),
      expected: undoneFee,
      isBySquareRoot: true,
      gives: 'in, max (rounded down), fee split, price after; no impact',
    };
  },
  'pump-swap `buyBaseInput`, feeConfig null': () => ({
    run: (i) => pumpBuyBase(bnOutputs[i & 1023], 1),
    amountIn: ({ uiQuote }) => big(uiQuote),
    expected: addedFee,
    gives: 'in, max (rounded down); fees on top, no split, no impact',
  }),
  'meteora cp-amm `swapQuoteExactOutput`, concentrated': () => {
    const quote = dammExactOut(damm.CollectFeeMode.OnlyB);
    return {
      run: (i) => quote(bnOutputs[i & 1023], SLIPPAGE_BPS),
      amountIn: ({ includedFeeInputAmount }) => big(includedFeeInputAmount),
      expected: undoneFee,
      isBySquareRoot: true,
      gives: 'in, max (rounded down), fee split, price after, impact (with fees)',
    };
  },
  'meteora cp-amm `swapQuoteExactOutput`, compounding': () => {
    const quote = dammExactOut(damm.CollectFeeMode.Compounding);
    return {
      run: (i) => quote(bnOutputs[i & 1023], SLIPPAGE_BPS),
      amountIn: ({ includedFeeInputAmount }) => big(includedFeeInputAmount),
      expected: undoneFee,
      gives: 'in, max (rounded down), fee split, price after, impact (with fees)',
    };
  },
  'orca `swapQuoteByOutputToken`, 2 tick arrays': () => {
    const { whirlpool, tickArrays } = orcaPool(2);
    return {
      run: (i) =>
        orca.swapQuoteByOutputToken(
          outputs[i & 1023],
          true,
          SLIPPAGE_BPS,
          whirlpool,
          undefined,
          tickArrays,
          0n,
        ),
      amountIn: ({ tokenEstIn }) => tokenEstIn,
      expected: undoneFee,
      isBySquareRoot: true,
      gives: 'in, max, fee; no impact; any range of liquidity',
    };
  },
};

/** No multiple of a power of ten, so that rounding shows. */
const UNEVEN_SOL = 1_000_000_007n;

/** The functions that apply slippage: `least(bps)` and `most(bps)` give the bound and the amount that it is of. */
export const slippagePeers = {
  'orca `tryGetMin…`, `tryGetMaxAmountWithSlippageTolerance`': () => ({
    least: (bps, amount) => ({ of: amount, bound: orca.tryGetMinAmountWithSlippageTolerance(amount, bps) }),
    most: (bps, amount) => ({ of: amount, bound: orca.tryGetMaxAmountWithSlippageTolerance(amount, bps) }),
  }),
  'meteora cp-amm `getAmountWithSlippage`': () => {
    const bound = (mode) => (bps, amount) => ({
      of: amount,
      bound: big(damm.getAmountWithSlippage(bn(amount), bps, mode)),
    });
    return { least: bound(damm.SwapMode.ExactIn), most: bound(damm.SwapMode.ExactOut) };
  },
  'meteora cp-amm `getMaxAmountWithSlippage` (percent)': () => ({
    most: (bps, amount) => ({ of: amount, bound: big(damm.getMaxAmountWithSlippage(bn(amount), bps / 100)) }),
  }),
  'meteora DBC, in its quotes': () => {
    const exactIn = dbcExactIn();
    const exactOut = dbcExactOut();
    const [spent] = bnAmounts;
    const wanted = bn(OUT_FOR_ONE_SOL + 7n);
    return {
      least: (bps) => {
        const { outputAmount, minimumAmountOut } = exactIn(spent, bps);
        return { of: big(outputAmount), bound: big(minimumAmountOut) };
      },
      most: (bps) => {
        const { includedFeeInputAmount, maximumAmountIn } = exactOut(wanted, bps);
        return { of: big(includedFeeInputAmount), bound: big(maximumAmountIn) };
      },
    };
  },
  'pump-swap, in its quotes (percent)': () => ({
    least: (bps) => {
      const { uiQuote, minQuote } = pumpSellBase(bn(OUT_FOR_ONE_SOL), bps / 100);
      return { of: big(uiQuote), bound: big(minQuote) };
    },
    most: (bps) => ({ of: UNEVEN_SOL, bound: big(pumpBuyQuote(bn(UNEVEN_SOL), bps / 100).maxQuote) }),
  }),
  'raydium `cpmm.computeSwapAmount` (fraction)': () => {
    const quote = raydiumCpmm();
    return {
      least: (bps) => {
        const { amountOut, minAmountOut } = quote(bnAmounts[0], bps / 10_000);
        return { of: big(amountOut), bound: big(minAmountOut) };
      },
    };
  },
};
