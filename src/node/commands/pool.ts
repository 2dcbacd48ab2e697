import { type Command, Option } from 'commander';

import { answering, optionNames } from '../cli-output.js';
import type { PoolSettings } from '../cli-pool.js';
import { clusterOptions, EXIT_CODES, numberArgument, settingsOf } from './options.js';

const OPTIONS = optionNames('mint', 'pool', 'creator', 'kind', 'configVersion');

/** Declares `heaven-pools pool`. */
export function declare(program: Command): void {
  clusterOptions(
    program
      .command('pool')
      .description(
        'Shows a pool: with --pool the one at this address, with --mint alone the standard pool of the token. With --creator, --kind, --config-version or --all it lists the pools that have all of that; the node must then answer getProgramAccounts. On the embedded ledger it lists all pools if nothing is named.',
      )
      .option('--mint <address>', 'the token')
      .addOption(new Option('--pool <address>', 'the pool’s address').conflicts(['creator', 'kind', 'all']))
      .option('--creator <address>', 'who created the pool')
      .addOption(new Option('--kind <kind>', 'the kind of pool').choices(['standard', 'pro']))
      .option('--config-version <number>', '1 community, 2 creator, 3 pro', numberArgument())
      .option('--all', 'list every pool, or every pool of the --mint'),
  )
    .addHelpText('after', EXIT_CODES)
    .action(async (_, command: Command) => {
      const settings = settingsOf<PoolSettings>(command);
      await answering({ json: settings.json, options: OPTIONS }, async () => {
        const { pool } = await import('../cli-pool.js');
        await pool(settings);
      });
    });
}
