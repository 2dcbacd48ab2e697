import type { Address } from '@solana/kit';
import type { FeeAmounts } from '../../math/types.js';
import { inSol } from '../../math/units.js';
import { builders, readers } from '../../operations/index.js';
import type { Assumption } from '../../program/assumptions.js';
import type { Plan } from '../plan.js';
import type { Stage } from '../stage.js';
import { each, type MakePlan, type Operation, operation, type Pool } from './row.js';

export type Side = 'buy' | 'sell';

export const SOL = 1_000_000_000n;
/** Odd amounts show how each division rounds. Below 5 SOL, fees taken from the tokens instead would differ too little. */
const BUYS = [SOL / 100n + 1n, SOL + 7n, 5n * SOL + 3n, 50n * SOL + 9n];
/** Parts of the token reserve. */
const SELLS = [1_000_003n, 10_007n, 101n, 23n];
/** Wide, so that a program that gives less than quoted shows how much. */
const SLIPPAGE_BPS = 5_000;

export const TRADES: readonly Operation[] = [
  operation('buildBuy', 'standard', [], (pool) => tradesIn(pool, 'buy')),
  operation('buildSell', 'standard', [], (pool) => tradesIn(pool, 'sell')),
  operation('buildProBuy', 'pro', ['A3', 'A5', 'A6'], (pool) => tradesIn(pool, 'buy')),
  operation('buildProSell', 'pro', ['A3', 'A5', 'A6'], (pool) => tradesIn(pool, 'sell')),
];

function tradesIn(pool: Pool, side: Side): Readonly<Record<string, MakePlan>> {
  const [amounts, middle] = side === 'buy' ? [BUYS, SOL + 7n] : [SELLS, 101n];
  const nameOf = (amount: bigint) => (side === 'buy' ? inSol(amount) : `1/${amount} of the reserve`);
  return {
    ...each(amounts, nameOf, (amount) => (stage) => trade(stage, pool, side, amount)),
    // Within a window of a sandwich-resistant pool, the first trade decides the price of the second.
    ...each(
      ['buy', 'sell'] as const,
      (first) => `after a ${first} in the same slot`,
      (first) => async (stage) => {
        await moveBy(stage, pool, first);
        return await trade(stage, pool, side, middle);
      },
    ),
    'the price moved below the minimum': async (stage) => {
      const plan = await trade(stage, pool, side, middle, 0);
      await moveBy(stage, pool, side);
      return { ...plan, said: 'rejected' };
    },
  };
}

/** A trade of another wallet. */
export const moveBy = async (stage: Stage, pool: Pool, side: Side): Promise<void> =>
  stage.prepare(`a ${side}`, await trade(stage, pool, side, side === 'buy' ? 3n * SOL : 211n));

/** Quotes and builds a trade of a new wallet. `amount`: lamports of a buy, the part of the reserve of a sell. */
export async function trade(
  stage: Stage,
  pool: Pool,
  side: Side,
  amount = SOL + 7n,
  slippageBps = SLIPPAGE_BPS,
): Promise<Plan> {
  const isBuy = side === 'buy';
  const { reserve } = await readers.getPoolState(stage.client, { pool: pool.address });
  const given = isBuy ? amount : reserve.tokenA / amount;
  const payer = await stage.wallet();
  const tokens = await stage.giveTokens(payer, pool, isBuy ? 0n : given);
  const { quote, built } = await (isBuy ? buy : sell)(stage, pool, { payer, given, slippageBps });
  const { amountIn, amountOut, transferFee, totalFee, fees, warnings } = quote;
  return {
    built,
    pool: pool.address,
    at: { tokens, lamports: payer },
    assumes: warnings.flatMap(({ code }) => RESTS_ON[code] ?? []),
    said: {
      ...(isBuy ? { tokens: amountOut, lamports: -amountIn } : { lamports: amountOut, tokens: -amountIn }),
      'reserve.tokenA': isBuy ? -(amountOut + transferFee) : amountIn - transferFee,
      'reserve.tokenB': isBuy ? amountIn - totalFee : -(amountOut + totalFee),
      ...feeFigures(fees),
    },
  };
}

/** By the warning of the quote. */
const RESTS_ON: { readonly [code: string]: Assumption } = { 'sandwich-window': 'A7', 'transfer-fee': 'A15' };

/** Where a pool counts each fee. */
export const feeFigures = (fees: FeeAmounts) => ({
  protocolTradingFees: fees.protocol,
  liquidityProviderTradingFees: fees.liquidityProvider,
  creatorTradingFees: fees.creator,
  creatorTradingFeeProtocolFees: fees.creatorProtocol,
  reflectionTradingFees: fees.reflection,
});

interface Terms {
  readonly payer: Address;
  readonly given: bigint;
  readonly slippageBps: number;
}

async function buy({ client }: Stage, { address: pool, mint, configVersion, kind }: Pool, terms: Terms) {
  const { payer, given: lamports, slippageBps } = terms;
  const input = { configVersion, mint, slippageBps, lamports };
  if (kind === 'pro') {
    const quoteResponse = await readers.quoteProBuy(client, { ...input, pool });
    const built = await builders.buildProBuy(client, { payer, pool, quoteResponse });
    return { quote: quoteResponse.details, built };
  }
  const quoteResponse = await readers.quoteBuy(client, input);
  return { quote: quoteResponse.details, built: await builders.buildBuy(client, { payer, quoteResponse }) };
}

async function sell({ client }: Stage, { address: pool, mint, configVersion, kind }: Pool, terms: Terms) {
  const { payer, given: amountIn, slippageBps } = terms;
  const input = { configVersion, mint, slippageBps, amountIn };
  if (kind === 'pro') {
    const quoteResponse = await readers.quoteProSell(client, { ...input, pool });
    const built = await builders.buildProSell(client, { payer, pool, quoteResponse });
    return { quote: quoteResponse.details, built };
  }
  const quoteResponse = await readers.quoteSell(client, input);
  return { quote: quoteResponse.details, built: await builders.buildSell(client, { payer, quoteResponse }) };
}
