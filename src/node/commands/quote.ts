import type { Address } from '@solana/kit';
import type { Command } from 'commander';

import type {
  DetailedBuyQuote,
  DetailedSellQuote,
  FeeAmounts,
  FeeRates,
  HeavenClient,
  InitialBuyQuote,
} from 'heaven-pools';
import { amount, FEE_KINDS, inSol, inSolAndLamports, inUsd, percent, shownNumber } from './numbers.js';
import {
  type ClusterSettings,
  clusterOptions,
  EXIT_CODES,
  type JsonSettings,
  type Library,
  numberArgument,
  printAnswer,
  requireOptions,
  run,
} from './options.js';
import { aligned, optionNames, type Row, standardOutput, UsageError } from './output.js';

type Kind = 'buy' | 'sell' | 'initial-buy';

/** The options of `heaven-pools quote`, named like the functions' fields. */
interface QuoteSettings extends ClusterSettings, JsonSettings {
  readonly mint?: Address;
  readonly pool?: Address;
  readonly configVersion?: number;
  readonly maxSolSpend?: string;
  readonly amountInUi?: string;
  readonly slippageBps?: number;
  readonly initialPurchasePercent?: string;
  readonly slippage?: string;
}

const OPTIONS = {
  ...optionNames('mint', 'pool', 'configVersion', 'maxSolSpend', 'amountInUi', 'slippageBps'),
  ...optionNames('initialPurchasePercent', 'slippage'),
  // No other option sets an amount out.
  amountOut: '--initial-purchase-percent',
};

/** Declares `heaven-pools quote`. */
export function declare(program: Command): void {
  const quotes = program
    .command('quote')
    .description('Quotes a trade in a pool, or the purchase at a launch. Nothing is sent or signed.')
    .addHelpText('after', '\nheaven-pools quote <command> --help lists the options of each.');

  const act = (kind: Kind, required: readonly string[], command: Command) =>
    command.addHelpText('after', EXIT_CODES).action(async () => {
      requireOptions(command, ...required);
      await run<QuoteSettings>(command, OPTIONS, (library, settings) => quote(library, kind, settings));
    });
  const trade = (side: 'buy' | 'sell', description: string, flags: string, what: string, example: string) =>
    act(
      side,
      [flags.split(' ', 1)[0] ?? '', '--slippage-bps'],
      clusterOptions(
        quotes
          .command(side)
          .description(description)
          .option('--mint <address>', 'the token; without --pool, its standard pool')
          .option('--pool <address>', 'the pool’s address')
          .option(
            '--config-version <number>',
            '1 community, 2 creator, 3 pro (default: the pool’s)',
            numberArgument(),
          )
          .option(flags, what)
          .option(
            '--slippage-bps <number>',
            'how much less than expected you accept, in basis points: 50 is 0.5 %',
            numberArgument(),
          ),
      ).addHelpText(
        'after',
        `\nExample:\n  heaven-pools quote ${side} --mint LiGHtkg3uTa9836RaNkKLLriqTNRcMdRAhqjGWNv777 ${example} --slippage-bps 50`,
      ),
    );

  trade(
    'buy',
    'What this much SOL buys now, and the least that must arrive.',
    '--max-sol-spend <sol>',
    'SOL to spend, fees included',
    '--max-sol-spend 1.5',
  );
  trade(
    'sell',
    'What this many tokens sell for now, and the least that must arrive.',
    '--amount-in-ui <tokens>',
    'tokens to sell',
    '--amount-in-ui 250000',
  );
  act(
    'initial-buy',
    ['--config-version', '--initial-purchase-percent'],
    clusterOptions(
      quotes
        .command('initial-buy')
        .description('What it costs to buy a share of a new token in the transaction that launches it.')
        .option('--config-version <number>', '1 community, 2 creator', numberArgument())
        .option(
          '--initial-purchase-percent <percent>',
          'percent of the tokens that a launch starts with: 5 is 5 %',
        )
        .option('--slippage <fraction>', 'a fraction to add to the cost: 0.005 is 0.5 % (default: none)'),
    ),
  );
}

interface Quoted {
  readonly answer: DetailedBuyQuote | DetailedSellQuote | InitialBuyQuote;
  readonly lines: () => readonly string[];
}

async function quote(library: Library, kind: Kind, settings: QuoteSettings): Promise<void> {
  const { mint, pool, json } = settings;
  if (kind !== 'initial-buy' && mint === undefined && pool === undefined)
    throw new UsageError('Name a token with --mint, or a pool with --pool.');
  const client = await library.connectOrEmbed(settings, standardOutput);
  const { answer, lines } =
    kind === 'initial-buy'
      ? await initialBuy(library, client, settings)
      : await trade(library, client, kind, settings);
  printAnswer(library, json, answer, lines);
}

async function trade(
  { getPoolState, LiquidityPoolType, quoteBuy, quoteProBuy, quoteProSell, quoteSell }: Library,
  client: HeavenClient,
  side: 'buy' | 'sell',
  { maxSolSpend = '', amountInUi = '', slippageBps = Number.NaN, ...settings }: QuoteSettings,
): Promise<Quoted> {
  const { mint: named, pool: address, configVersion: version, json } = settings;
  // The kind, the decimals, the token and the config version never change. The quote reads everything else itself, at one slot.
  const isEnough = json && address === undefined && named !== undefined && version !== undefined;
  const state = isEnough
    ? undefined
    : await getPoolState(client, { mint: named, pool: address } as Parameters<typeof getPoolState>[1]);
  const pool = state?.info.type === LiquidityPoolType.Pro ? address : undefined;
  const mint = named ?? (state?.tokenA.mint as Address);
  const configVersion = version ?? (state?.info.protocolConfigVersion as number);
  const terms = { configVersion, mint, slippageBps };
  const where = `the ${pool === undefined ? 'standard pool' : `pro pool ${pool}`} of ${mint}, config version ${configVersion}`;
  const tokens = (units: bigint) => `${amount(units, state?.tokenA.decimals ?? 0)} tokens`;
  if (side === 'buy') {
    const input = { ...terms, maxSolSpend };
    const answer =
      pool === undefined ? await quoteBuy(client, input) : await quoteProBuy(client, { ...input, pool });
    return { answer, lines: () => tradeLines(`Buy from ${where}`, answer, inSol, tokens, tokens) };
  }
  const input = { ...terms, amountInUi };
  const answer =
    pool === undefined ? await quoteSell(client, input) : await quoteProSell(client, { ...input, pool });
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
      ['Market cap', `${inUsd(details.marketCapUsd)}, at ${inUsd(details.solPriceUsd)} per SOL`],
      ['Slot', String(details.slot)],
    ]),
    ...details.warnings.map(({ message }) => `Warning: ${message}`),
  ];
}

/** The fees by kind, without those that don't apply. */
function feeRows(total: bigint, fees: FeeAmounts, rates?: FeeRates): readonly Row[] {
  return [
    ['Fees', inSolAndLamports(total)],
    ...FEE_KINDS.filter(([kind]) => fees[kind] > 0n || (rates?.[kind] ?? 0n) > 0n).map(
      ([kind, name]): Row => {
        const rate = rates === undefined ? '' : `, ${percent(rates[kind])}`;
        return [`  ${name}`, `${inSol(fees[kind])}${rate}`];
      },
    ),
  ];
}

async function initialBuy(
  { getProtocolConfigState, quoteInitialBuy }: Library,
  client: HeavenClient,
  { configVersion = Number.NaN, initialPurchasePercent = '', slippage, json }: QuoteSettings,
): Promise<Quoted> {
  const answer = await quoteInitialBuy(client, { configVersion, initialPurchasePercent, slippage });
  if (json) return { answer, lines: () => [] };
  // The decimals of the tokens that this config launches.
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
