import type { Address } from '@solana/kit';

import type { HeavenClient } from '../client.js';
import { getPoolState } from '../data/pool-state.js';
import { getProtocolConfigState } from '../data/protocol-config-state.js';
import { stringifyJson } from '../http/json.js';
import { snakeCaseKeys } from '../http/names.js';
import type { FeeAmounts, FeeRates } from '../math/types.js';
import type { DetailedBuyQuote, DetailedSellQuote, QuoteDetails } from '../pool/quote.js';
import { quoteProBuy } from '../pro/quote-buy.js';
import { quoteProSell } from '../pro/quote-sell.js';
import { LiquidityPoolType } from '../program/types.js';
import { quoteBuy } from '../standard/quote-buy.js';
import { type InitialBuyQuote, quoteInitialBuy } from '../standard/quote-initial-buy.js';
import { quoteSell } from '../standard/quote-sell.js';
import { connectOrEmbed } from './cli-cluster.js';
import {
  aligned,
  amount,
  FEE_KINDS,
  inSol,
  inSolAndLamports,
  inUsd,
  type Output,
  percent,
  type Row,
  shownNumber,
  standardOutput,
  UsageError,
} from './cli-output.js';
import type { ClusterSettings, JsonSettings } from './commands/options.js';

/** The options of `heaven-pools quote`: the fields of the functions. */
export interface QuoteSettings extends ClusterSettings, JsonSettings {
  readonly mint?: string;
  readonly pool?: string;
  readonly configVersion?: number;
  readonly maxSolSpend?: string;
  readonly amountInUi?: string;
  readonly slippageBps?: number;
  readonly initialPurchasePercent?: string;
  readonly slippage?: string;
}

/** Quotes, and prints the quote. */
export async function quote(
  kind: 'buy' | 'sell' | 'initial-buy',
  settings: QuoteSettings,
  output: Output = standardOutput,
): Promise<void> {
  const { mint, pool } = settings;
  if (kind !== 'initial-buy' && mint === undefined && pool === undefined)
    throw new UsageError('Name a token with --mint, or a pool with --pool.');
  const client = await connectOrEmbed(settings, output);
  const { answer, lines } =
    kind === 'initial-buy' ? await initialBuy(client, settings) : await trade(client, kind, settings);
  if (settings.json) output.print(stringifyJson(snakeCaseKeys(answer)));
  else for (const line of lines()) output.print(line);
}

interface Quoted {
  readonly answer: DetailedBuyQuote | DetailedSellQuote | InitialBuyQuote;
  readonly lines: () => readonly string[];
}

async function trade(
  client: HeavenClient,
  side: 'buy' | 'sell',
  { maxSolSpend = '', amountInUi = '', slippageBps = Number.NaN, ...settings }: QuoteSettings,
): Promise<Quoted> {
  const named = settings.pool as Address | undefined;
  const given = { mint: settings.mint as Address | undefined, configVersion: settings.configVersion };
  // What never changes: the kind, the decimals, the token and the config version. The quote reads the rest itself, at one slot.
  const isEnough =
    settings.json && named === undefined && given.mint !== undefined && given.configVersion !== undefined;
  const state = isEnough
    ? undefined
    : await getPoolState(client, { mint: given.mint, pool: named } as Parameters<typeof getPoolState>[1]);
  const pool = state?.info.type === LiquidityPoolType.Pro ? named : undefined;
  const mint = given.mint ?? (state?.tokenA.mint as Address);
  const configVersion = given.configVersion ?? (state?.info.protocolConfigVersion as number);
  const decimals = state?.tokenA.decimals ?? 0;
  const where = `the ${pool === undefined ? 'standard pool' : `pro pool ${pool}`} of ${mint}, config version ${configVersion}`;
  if (side === 'buy') {
    const input = { configVersion, mint, maxSolSpend, slippageBps };
    const answer =
      pool === undefined ? await quoteBuy(client, input) : await quoteProBuy(client, { ...input, pool });
    const tokens = (units: bigint) => `${amount(units, decimals)} tokens`;
    return { answer, lines: () => tradeLines(`Buy from ${where}`, answer, inSol, tokens, tokens) };
  }
  const input = { configVersion, mint, amountInUi, slippageBps };
  const answer =
    pool === undefined ? await quoteSell(client, input) : await quoteProSell(client, { ...input, pool });
  const tokens = (units: bigint) => `${amount(units, decimals)} tokens`;
  return { answer, lines: () => tradeLines(`Sell to ${where}`, answer, tokens, inSol, tokens) };
}

type Units = (units: bigint) => string;

function tradeLines(
  title: string,
  { details, minimumOut, slippageBps }: DetailedBuyQuote | DetailedSellQuote,
  ofInput: Units,
  ofOutput: Units,
  ofToken: Units,
): readonly string[] {
  const { priceBefore, priceAfter, priceImpactBps, transferFee } = details;
  return [
    title,
    '',
    ...aligned([
      ['In', ofInput(details.amountIn)],
      ['Out', ofOutput(details.amountOut)],
      ['At least', `${ofOutput(minimumOut)} (slippage ${percent(BigInt(slippageBps))})`],
      [
        'Price',
        `${shownNumber(priceBefore)} SOL per token before, ${shownNumber(priceAfter)} SOL per token after`,
      ],
      ['Price impact', `${shownNumber(priceImpactBps / 100)} %`],
      ...feeRows(details.totalFee, details.fees, details.feeRates),
      ...(transferFee === 0n ? [] : [['Transfer fee', ofToken(transferFee)] satisfies Row]),
      ...marketRows(details),
      ['Slot', String(details.slot)],
    ]),
    ...details.warnings.map(({ message }) => `Warning: ${message}`),
  ];
}

const marketRows = ({ marketCapUsd, solPriceUsd }: QuoteDetails): readonly Row[] => [
  ['Market cap', `${inUsd(marketCapUsd)}, at ${inUsd(solPriceUsd)} per SOL`],
];

/** The fees that there are, by kind. */
function feeRows(total: bigint, fees: FeeAmounts, rates?: FeeRates): readonly Row[] {
  const kinds = Object.entries(FEE_KINDS) as [keyof FeeAmounts, string][];
  return [
    ['Fees', inSolAndLamports(total)],
    ...kinds
      .filter(([kind]) => fees[kind] > 0n || (rates?.[kind] ?? 0n) > 0n)
      .map(([kind, name]): Row => {
        const rate = rates === undefined ? '' : `, ${percent(rates[kind])}`;
        return [`  ${name}`, `${inSol(fees[kind])}${rate}`];
      }),
  ];
}

async function initialBuy(
  client: HeavenClient,
  { configVersion = Number.NaN, initialPurchasePercent = '', slippage, json }: QuoteSettings,
): Promise<Quoted> {
  const answer = await quoteInitialBuy(client, { configVersion, initialPurchasePercent, slippage });
  if (json) return { answer, lines: () => [] };
  // The decimals that its tokens are made with.
  const { tokenADecimals } = await getProtocolConfigState(client, { version: configVersion });
  const { costLamports, costUsd, tokenAmount, details } = answer;
  return {
    answer,
    lines: () => [
      `Purchase of ${initialPurchasePercent} % of the tokens at a launch, config version ${configVersion}`,
      '',
      ...aligned([
        ['Out', `${amount(tokenAmount, tokenADecimals)} tokens`],
        ['In', inSol(details.leastLamports)],
        ['At most', `${inSol(costLamports)} (slippage ${slippage ?? 0}), ${inUsd(costUsd)}`],
        ...feeRows(details.totalFee, details.fees),
        ['Market cap', `${inUsd(details.marketCapUsd)} before`],
        ['Slot', String(details.slot)],
      ]),
    ],
  };
}
