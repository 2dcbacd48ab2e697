import { readFile, writeFile } from 'node:fs/promises';
import type { Command } from 'commander';

import type { OpenLedger, VerifySource } from 'heaven-pools/verify';
import { type JsonSettings, jsonOption, listOf, programIdOption, rpcOption, run } from './options.js';
import { CommandError, type Output, printable, standardOutput, table, UsageError } from './output.js';

export interface VerifySettings extends JsonSettings {
  readonly rpc?: string | undefined;
  readonly programId?: string | undefined;
  /** Addresses, separated by commas. */
  readonly pools?: string | undefined;
  readonly save?: string | undefined;
  readonly from?: string | undefined;
}

/** Declares `heaven-pools verify`. */
export function declare(program: Command): void {
  program
    .command('verify')
    .description(
      'Downloads the deployed programs and some pools, runs every operation on them in LiteSVM, and compares each result with what the library says. Sends nothing. Exit code 0: every row that ran is equal, 1: one is not, 2: it cannot run, or wrong usage.',
    )
    .addOption(rpcOption('none; use --from'))
    .addOption(programIdOption())
    .option('--pools <addresses>', 'pools, separated by commas (default: LIGHT’s, and some pro pools)')
    .option('--save <file>', 'keep the download')
    .option('--from <file>', 'use a download that --save kept')
    .addOption(jsonOption())
    .action(async (_, command: Command) => {
      let code: 0 | 1 | 2 = CANNOT_RUN;
      await run<VerifySettings>(command, async (_library, settings) => {
        code = await verify(settings);
      });
      process.exitCode = code;
    });
}

const CANNOT_RUN = 2;

/**
 * Verifies, prints the table, and returns the exit code.
 *
 * @param openOn What the transactions run on. Default: the downloaded programs.
 */
export async function verify(
  settings: VerifySettings,
  output: Output = standardOutput,
  openOn?: (source: VerifySource) => Promise<OpenLedger>,
): Promise<0 | 1> {
  const { snakeCaseKeys, stringifyJson } = await import('./library.js');
  const library = await import('heaven-pools/verify');
  const source = await sourceOf(settings);
  const open = await (openOn ?? library.openPrograms)(source);
  let last = '';
  const report = await library.verifyOperations(source, open, (operation) => {
    if (operation !== last) output.note(operation);
    last = operation;
  });
  if (settings.json) output.print(stringifyJson(snakeCaseKeys(report)));
  else {
    const { program, sha256 } = report;
    output.print(`The program ${program}${sha256 === undefined ? '' : `, SHA-256 ${sha256}`}`);
    const rows = table(library.tableOf(report));
    for (const line of [...rows, ...library.reasonsOf(report), library.summaryOf(report)])
      output.print(printable(line));
  }
  return report.isEqual ? 0 : 1;
}

async function sourceOf({ rpc, programId, pools, save, from }: VerifySettings): Promise<VerifySource> {
  const { downloadSource, parseSource, stringifySource } = await import('heaven-pools/verify');
  if (from !== undefined) {
    if (save !== undefined || pools !== undefined)
      throw new UsageError('--save and --pools belong to a download: leave out --from.');
    const text = await readFile(from, 'utf8').catch(({ code }: NodeJS.ErrnoException) => {
      throw new UsageError(`--from ${from} can't be read: ${code}.`);
    });
    return parseSource(text);
  }
  if (rpc === undefined)
    throw new UsageError(
      'Name a node with --rpc (or RPC_URL) to download from, or a saved download with --from.',
    );
  const { connect } = await import('./library.js');
  const source = await downloadSource(connect(rpc, programId), pools === undefined ? pools : listOf(pools));
  if (save === undefined) return source;
  await writeFile(save, stringifySource(source)).catch(({ code }: NodeJS.ErrnoException) => {
    throw new CommandError('file-not-written', `${save} can't be written: ${code}.`);
  });
  return source;
}
