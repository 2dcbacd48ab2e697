import type { Command } from 'commander';

import { answering, optionNames } from '../cli-output.js';
import type { QuoteSettings } from '../cli-quote.js';
import { clusterOptions, EXIT_CODES, numberArgument, requireOptions, settingsOf } from './options.js';

const OPTIONS = {
  ...optionNames(
    'mint',
    'pool',
    'configVersion',
    'maxSolSpend',
    'amountInUi',
    'slippageBps',
    'initialPurchasePercent',
    'slippage',
  ),
  // Nothing else asks for an amount out.
  amountOut: '--initial-purchase-percent',
};

/** Declares `heaven-pools quote`. */
export function declare(program: Command): void {
  const quote = program
    .command('quote')
    .description('Quotes a trade in a pool, or the purchase at a launch. Nothing is sent or signed.')
    .addHelpText('after', '\nheaven-pools quote <command> --help tells the options of each.');

  const trade = (
    side: 'buy' | 'sell',
    description: string,
    [flag, what, example]: readonly [flag: string, what: string, example: string],
  ) =>
    act(
      side,
      [flag.split(' ', 1)[0] ?? '', '--slippage-bps'],
      clusterOptions(
        quote
          .command(side)
          .description(description)
          .option('--mint <address>', 'the token; its standard pool, if no --pool is named')
          .option('--pool <address>', 'the pool’s address')
          .option(
            '--config-version <number>',
            '1 community, 2 creator, 3 pro (default: the pool’s)',
            numberArgument(),
          )
          .option(flag, what)
          .option(
            '--slippage-bps <number>',
            `how much less than expected is accepted, in basis points: 50 is 0.5 %`,
            numberArgument(),
          ),
      ).addHelpText(
        'after',
        `\nExample:\n  heaven-pools quote ${side} --mint LiGHtkg3uTa9836RaNkKLLriqTNRcMdRAhqjGWNv777 ${example} --slippage-bps 50`,
      ),
    );

  trade('buy', 'What so much SOL buys now, and the least that must arrive.', [
    '--max-sol-spend <sol>',
    'SOL to spend, fees included',
    '--max-sol-spend 1.5',
  ]);
  trade('sell', 'What so many tokens give now, and the least that must arrive.', [
    '--amount-in-ui <tokens>',
    'tokens to sell',
    '--amount-in-ui 250000',
  ]);
  act(
    'initial-buy',
    ['--config-version', '--initial-purchase-percent'],
    clusterOptions(
      quote
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

function act(kind: 'buy' | 'sell' | 'initial-buy', required: readonly string[], command: Command): void {
  command.addHelpText('after', EXIT_CODES).action(async () => {
    requireOptions(command, ...required);
    const settings = settingsOf<QuoteSettings>(command);
    await answering({ json: settings.json, options: OPTIONS }, async () => {
      const { quote } = await import('../cli-quote.js');
      await quote(kind, settings);
    });
  });
}
