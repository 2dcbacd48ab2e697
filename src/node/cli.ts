#!/usr/bin/env node
import { Command, CommanderError } from 'commander';

import { version } from '../../package.json';
import { EXIT_CODES } from './commands/options.js';
import { UsageError, withoutKeys } from './commands/output.js';

type Declaration = Promise<{ readonly declare: (program: Command) => void }>;

/** Each command is in its own file, loaded on demand, so that help doesn't load the server. */
const COMMANDS: Readonly<Record<string, { readonly summary: string; readonly load: () => Declaration }>> = {
  serve: { summary: 'serve the HTTP interface', load: () => import('./commands/serve.js') },
  grind: {
    summary: 'find a mint address with a chosen ending',
    load: () => import('./commands/grind.js'),
  },
  inspect: {
    summary: 'show what a transaction would do before you sign it',
    load: () => import('./commands/inspect.js'),
  },
  verify: {
    summary: 'run the deployed program and compare the library with it',
    load: () => import('./commands/verify.js'),
  },
};

const WRONG_USAGE = 2;

const program = new Command('heaven-pools')
  .description(
    'Serves quotes, unsigned transactions and pool data for the Heaven exchange on Solana, and checks what they rest on.',
  )
  .version(version)
  .showHelpAfterError('Try --help.')
  .configureHelp({ helpWidth: 100 })
  .configureOutput({ outputError: (text, write) => write(withoutKeys(text)) })
  .addHelpText('after', EXIT_CODES)
  .exitOverride();

const [first, second] = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));
const chosen = first === 'help' ? second : first;
const isServer = chosen === 'serve';

// A reader may close our output early, as `| head` does. The server's output is a log, so this doesn't apply to it.
if (!isServer) {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      process.exit(error.code === 'EPIPE' ? undefined : 1);
    });
  }
}

try {
  for (const [name, { summary, load }] of Object.entries(COMMANDS)) {
    if (name === chosen) (await load()).declare(program);
    else program.command(name);
    const command = program.commands.find((each) => each.name() === name);
    command?.summary(summary);
    // An empty variable counts as unset.
    for (const { envVar = '' } of command?.options ?? [])
      if (process.env[envVar]?.trim() === '') delete process.env[envVar];
  }
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    // Commander has printed it already. The server exits with 1 for any error.
    process.exitCode = error.exitCode === 0 ? 0 : isServer ? 1 : WRONG_USAGE;
  } else if (error instanceof UsageError) {
    console.error(`error: ${withoutKeys(error.message)}\nTry --help.`);
    process.exitCode = WRONG_USAGE;
  } else {
    const what = isServer ? 'could not start: ' : 'failed: ';
    console.error(`heaven-pools ${what}${withoutKeys((error as Error).message)}`);
    process.exitCode = 1;
  }
}
