#!/usr/bin/env node
import { Command, CommanderError } from 'commander';

import { version } from '../../package.json';
import type { GrindSettings } from './commands/grind.js';
import type { InspectSettings } from './commands/inspect.js';
import {
  assertNoKeys,
  EXIT_CODES,
  jsonOption,
  programIdOption,
  rpcOption,
  SECRET_VARIABLES,
  wholeNumber,
} from './commands/options.js';
import { UsageError, withoutKeys } from './commands/output.js';
import { declare as declareServe } from './commands/serve.js';
import type { VerifySettings } from './commands/verify.js';

// Only what a command runs loads the library, so that help prints immediately.

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

declareServe(program);

program
  .command('grind')
  .summary('find a mint address with a chosen ending')
  .description(
    'Finds a mint address with a chosen ending, and writes its key to a file: 64 bytes as JSON, as the Solana tools and createKeyPairSignerFromBytes of @solana/kit read it. Each additional character takes 58 times as long.',
  )
  .option('--suffix <characters>', 'ending of the address', '777')
  .option(
    '--out <path>',
    'new file for the key, readable by you alone; - is stdout (default: <address>.json in this folder)',
  )
  .option('--threads <number>', 'search threads (default: one per core)', wholeNumber(1, 256))
  .addOption(jsonOption())
  .addHelpText(
    'after',
    `
With --json it prints the address, and the key too unless --out names a file.
${EXIT_CODES} 130: stopped with Ctrl-C.`,
  )
  .action(async (settings: GrindSettings) => (await import('./commands/grind.js')).grind(settings));

program
  .command('inspect')
  .summary('show what a transaction would do before you sign it')
  .description(
    'Shows what a transaction would do, before you sign it: its instructions in words, the most that it may take, what it creates and closes, the fees, and who must sign.',
  )
  .argument(
    '[tx]',
    'the transaction in base64, or an answer of the HTTP interface (default: what stdin holds)',
  )
  .option('--owner <address>', 'your wallet, to warn of what leaves it (default: every signer)')
  .option('--recipient <address...>', 'others that you mean to pay: no warning for what reaches them')
  .addOption(rpcOption('none: lookup tables stay unknown'))
  .addOption(programIdOption())
  .addOption(jsonOption())
  .addHelpText('after', EXIT_CODES)
  .action(async (tx: string | undefined, settings: InspectSettings) =>
    (await import('./commands/inspect.js')).inspect(tx, settings),
  );

program
  .command('verify')
  .summary('run the deployed program and compare the library with it')
  .description(
    'Downloads the deployed programs and some pools, runs every operation on them in LiteSVM, and compares each result with what the library says. Sends nothing. Exit code 0: every row that ran is equal, 1: one is not, 2: it cannot run, or wrong usage.',
  )
  .addOption(rpcOption('none; use --from'))
  .addOption(programIdOption())
  .option('--pools <addresses>', 'pools, separated by commas (default: LIGHT’s, and some pro pools)')
  .option('--save <file>', 'keep the download')
  .option('--from <file>', 'use a download that --save kept')
  .option('--replay <pool>', 'replay the pool’s last trades instead, which needs only a node')
  .option('--last <number>', 'how many transactions to replay (default: 100)', wholeNumber(1, 1_000))
  .option('--previous <file>', 'say whether the program has changed since this output of --json')
  .option('--strict', 'exit with 1 too if a row did not run, or if the program has changed')
  .option('--embedded', 'try it on the embedded ledger, which proves nothing about the program')
  .addOption(jsonOption())
  .action(async (settings: VerifySettings) => {
    const { verify } = await import('./commands/verify.js');
    process.exitCode = await verify(settings);
  });

const command = program.commands.find((each) => each.name() === process.argv[2]) ?? program;
const isServer = command.name() === 'serve';

// A reader may close our output early, as `| head` does. The server's output is a log, so this doesn't apply to it.
if (!isServer) {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      process.exit(error.code === 'EPIPE' ? undefined : 1);
    });
  }
}

try {
  for (const { envVar = '' } of command.options) dropEmpty(envVar);
  assertNoKeys([...process.argv.slice(2), ...command.options.map(({ envVar = '' }) => process.env[envVar])]);
  await program.parseAsync();
} catch (error) {
  await fail(error);
}

/** An empty variable counts as unset, unless it should hold a secret. */
function dropEmpty(variable: string): void {
  if (process.env[variable]?.trim() !== '') return;
  if (SECRET_VARIABLES.includes(variable))
    throw new UsageError(`${variable} is empty. Set it to a URL, or unset it to do without.`);
  delete process.env[variable];
}

/** Prints the error, and sets the exit code: the server's is 1 for any error. */
async function fail(error: unknown): Promise<void> {
  if (error instanceof CommanderError) {
    // Commander has printed it already.
    process.exitCode = error.exitCode === 0 ? 0 : isServer ? 1 : WRONG_USAGE;
  } else if (error instanceof UsageError) {
    console.error(`error: ${withoutKeys(error.message)}\nTry --help.`);
    process.exitCode = isServer ? 1 : WRONG_USAGE;
  } else if (isServer) {
    console.error(`heaven-pools could not start: ${withoutKeys((error as Error).message)}`);
    process.exit(1);
  } else {
    const { printFailure } = await import('./commands/failure.js');
    printFailure(error, command.opts().json === true);
    process.exitCode = command.name() === 'verify' ? 2 : 1;
  }
}
