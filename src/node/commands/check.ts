import type { Command } from 'commander';

import type { CheckSettings } from '../check.js';
import { standardOutput } from '../cli-output.js';
import { clusterOptions, settingsOf } from './options.js';

/** Declares `heaven-pools check`. */
export function declare(program: Command): void {
  clusterOptions(
    program
      .command('check')
      .description(
        'Settles on a live cluster what the library assumes of the program, without spending anything. Exit code 0: nothing refuted, 1: something is, 2: the cluster can not be read, or wrong usage.',
      ),
  ).action(async (_, command: Command) => {
    const { check } = await import('../check.js');
    const { print, note } = standardOutput;
    process.exitCode = await check(settingsOf<CheckSettings>(command), { print, complain: note });
  });
}
