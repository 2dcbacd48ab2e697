import type { Command } from 'commander';

import type { GrindSettings } from '../cli-grind.js';
import { answering, optionNames } from '../cli-output.js';
import { EXIT_CODES, jsonOption, numberArgument } from './options.js';

const OPTIONS = optionNames('suffix');

/** Declares `heaven-pools grind`. */
export function declare(program: Command): void {
  program
    .command('grind')
    .description(
      'Finds a mint address that ends as you like, and writes its key to a file: 64 bytes as JSON, as the Solana tools and createKeyPairSignerFromBytes of @solana/kit read it. Each character more takes 58 times as long.',
    )
    .option('--suffix <characters>', 'what the address ends with', '777')
    .option(
      '--out <path>',
      'file for the key, which only you may read and which must not be there yet; - is stdout (default: the address with .json, here)',
    )
    .option('--threads <number>', 'threads that search (default: one for each core)', numberArgument(1, 256))
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
With --json it prints the address, and the key too unless --out names a file.
${EXIT_CODES} 130: stopped with Ctrl-C.`,
    )
    .action(async (settings: GrindSettings) => {
      await answering({ json: settings.json, options: OPTIONS }, async () => {
        const { grind } = await import('../cli-grind.js');
        await grind(settings);
      });
    });
}
