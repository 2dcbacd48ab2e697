import { readFile, writeFile } from 'node:fs/promises';

import { stringifyJson } from 'heaven-pools/http';
import {
  downloadSource,
  type OpenLedger,
  openPrograms,
  parseSource,
  reasonsOf,
  stringifySource,
  summaryOf,
  tableOf,
  type VerifySource,
  verifyOperations,
} from 'heaven-pools/verify';

import { snakeCaseKeys } from '../../http/names.js';
import { connect } from './cluster.js';
import { type JsonSettings, listOf } from './options.js';
import { CommandError, type Output, printable, standardOutput, UsageError } from './output.js';

export interface VerifySettings extends JsonSettings {
  readonly rpcUrl?: string | undefined;
  readonly programId?: string | undefined;
  /** Addresses, separated by commas. */
  readonly pools?: string | undefined;
  readonly save?: string | undefined;
  readonly from?: string | undefined;
}

/**
 * Verifies, prints the table, and returns the exit code.
 *
 * @param openOn What the transactions run on: the downloaded programs.
 */
export async function verify(
  settings: VerifySettings,
  output: Output = standardOutput,
  openOn: (source: VerifySource) => Promise<OpenLedger> = openPrograms,
): Promise<0 | 1> {
  const source = await sourceOf(settings);
  let last = '';
  const report = await verifyOperations(source, await openOn(source), (operation) => {
    if (operation !== last) output.note(operation);
    last = operation;
  });
  if (settings.json) output.print(stringifyJson(snakeCaseKeys(report)));
  else {
    const { program, sha256 } = report;
    output.print(`The program ${program}${sha256 === undefined ? '' : `, SHA-256 ${sha256}`}`);
    for (const line of [...aligned(tableOf(report)), ...reasonsOf(report), summaryOf(report)])
      output.print(printable(line));
  }
  return report.isEqual ? 0 : 1;
}

async function sourceOf({ rpcUrl, programId, pools, save, from }: VerifySettings): Promise<VerifySource> {
  if (from !== undefined) {
    if (save !== undefined || pools !== undefined)
      throw new UsageError('--save and --pools belong to a download: leave out --from.');
    const text = await readFile(from, 'utf8').catch(({ code }: NodeJS.ErrnoException) => {
      throw new UsageError(`--from ${from} can't be read: ${code}.`);
    });
    return parseSource(text);
  }
  if (rpcUrl === undefined)
    throw new UsageError(
      'Name a node with --rpc (or RPC_URL) to download from, or a saved download with --from.',
    );
  const client = connect(rpcUrl, programId);
  const source = await downloadSource(client, pools === undefined ? undefined : listOf(pools));
  if (save === undefined) return source;
  await writeFile(save, stringifySource(source)).catch(({ code }: NodeJS.ErrnoException) => {
    throw new CommandError('file-not-written', `${save} can't be written: ${code}.`);
  });
  return source;
}

/** Rows as lines, with each column as wide as its widest cell. */
function aligned(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows.map((row) => {
    const cells = row.map((cell, column) => cell.padEnd(widths[column] ?? 0));
    return cells.join('  ').trimEnd();
  });
}
