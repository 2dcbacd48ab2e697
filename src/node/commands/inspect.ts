import type { Command } from 'commander';
import type { InspectSettings } from '../cli-inspect.js';
import { answering, optionNames } from '../cli-output.js';
import { EXIT_CODES, jsonOption, programIdOption, rpcOption, settingsOf } from './options.js';

const OPTIONS = optionNames('owner', 'recipient');

/** Declares `heaven-pools inspect`. */
export function declare(program: Command): void {
  program
    .command('inspect')
    .description(
      'Tells what a transaction would do, before it is signed: its instructions in words, what it may take at most, what it creates and closes, the fees, and who must sign.',
    )
    .argument(
      '[tx]',
      'the transaction in base64, or an answer of the HTTP interface (default: what stdin holds)',
    )
    .option('--file <path>', 'read it from a file')
    .option('--owner <address>', 'your wallet, whose side is taken (default: each signer’s)')
    .option('--recipient <address...>', 'others whom you mean to pay: what reaches them is no warning')
    .addOption(rpcOption('none: nothing is fetched, and lookup tables are not known'))
    .addOption(programIdOption())
    .addOption(jsonOption())
    .addHelpText('after', EXIT_CODES)
    .action(async (tx: string | undefined, _, command: Command) => {
      const settings = settingsOf<InspectSettings>(command);
      await answering({ json: settings.json, options: OPTIONS }, async () => {
        const { inspect } = await import('../cli-inspect.js');
        await inspect(tx, settings);
      });
    });
}
