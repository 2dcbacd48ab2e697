import { readFile, writeFile } from 'node:fs/promises';

import { createHeavenClient, type HeavenClient, type HeavenHistoryRpc } from 'heaven-pools';
import { stringifyJson } from 'heaven-pools/http';
import { createEmbeddedLedger, runSampleTrades } from 'heaven-pools/testing';
import {
  downloadSource,
  ledgerOf,
  type OpenLedger,
  openPrograms,
  parseSource,
  reasonsOf,
  replayFindingsOf,
  replayPool,
  replayTableOf,
  sourceOf,
  stringifySource,
  summaryOf,
  tableOf,
  type VerifySource,
  verifyOperations,
} from '#verify';

import { version } from '../../../package.json';
import { snakeCaseKeys } from '../../http/names.js';
import { connect, programOf } from './cluster.js';
import { type JsonSettings, listOf } from './options.js';
import { CommandError, type Output, printable, standardOutput, UsageError } from './output.js';

export interface VerifySettings extends JsonSettings {
  readonly rpcUrl?: string | undefined;
  readonly programId?: string | undefined;
  /** Addresses, separated by commas. */
  readonly pools?: string | undefined;
  readonly save?: string | undefined;
  readonly from?: string | undefined;
  /** A pool. */
  readonly replay?: string | undefined;
  /** How many transactions to replay. */
  readonly last?: number | undefined;
  readonly embedded?: boolean | undefined;
  /** The output of an earlier run with `--json`. */
  readonly previous?: string | undefined;
  /** Whether a row that did not run, or another program than before, is a failure. */
  readonly strict?: boolean | undefined;
}

type OpenOn = (source: VerifySource) => Promise<OpenLedger>;

const DEFAULT_LAST = 100;

/**
 * Verifies or replays, prints the table, and returns the exit code.
 *
 * @param openOn What the transactions run on: the downloaded programs.
 */
export async function verify(
  settings: VerifySettings,
  output: Output = standardOutput,
  openOn: OpenOn = openPrograms,
): Promise<0 | 1> {
  const { replay, programId, json } = settings;
  assertUsed(settings);
  if (programId !== undefined) programOf(programId);
  if (replay === undefined) return await verifyProgram(settings, output, openOn);
  const pool = programOf(replay, '--replay');
  const report = await replayPool(await historyOf(settings), pool, settings.last ?? DEFAULT_LAST);
  if (json) output.print(stringifyJson(snakeCaseKeys(report)));
  else printLines(output, [...aligned(replayTableOf(report)), ...replayFindingsOf(report)]);
  return report.isEqual ? 0 : 1;
}

/** The options that another one leaves without a use. */
const UNUSED = {
  replay: ['pools', 'save', 'from', 'previous', 'strict'],
  embedded: ['pools', 'save', 'from', 'previous'],
  from: ['pools', 'save'],
} as const;

function assertUsed(settings: VerifySettings): void {
  const isSet = (option: keyof VerifySettings) =>
    settings[option] !== undefined && settings[option] !== false;
  for (const option of ['replay', 'embedded', 'from'] as const) {
    const unused = UNUSED[option].filter((other) => isSet(option) && isSet(other));
    if (unused.length > 0)
      throw new UsageError(
        `--${option} doesn't use --${unused.join(' and --')}: leave one or the other out.`,
      );
  }
  if (isSet('last') && !isSet('replay'))
    throw new UsageError('--last belongs to --replay: add it, or leave --last out.');
}

/** Rejects a source or a file that is about another program than `--program-id` or the source. */
function assertProgram(asked: string | undefined, found: unknown, what: string): void {
  if (asked !== undefined && asked !== found)
    throw new UsageError(`${what} is of the program ${found}, not of ${asked}.`);
}

async function verifyProgram(settings: VerifySettings, output: Output, openOn: OpenOn): Promise<0 | 1> {
  const previous = settings.previous === undefined ? undefined : await previousOf(settings.previous);
  const source = await sourceFor(settings);
  const { programAddress } = source.deployment;
  const from = settings.embedded ? '--embedded' : `--from ${settings.from}`;
  assertProgram(settings.programId, programAddress, from);
  if (previous !== undefined)
    assertProgram(programAddress, previous.program, `--previous ${settings.previous}`);
  const open = settings.embedded ? async () => ledgerOf(source) : await openOn(source);
  let last = '';
  const report = await verifyOperations(source, open, (operation) => {
    if (operation !== last) output.note(operation);
    last = operation;
  });
  const hasChanged = previous !== undefined && previous.sha256 !== report.sha256;
  const findings = hasChanged
    ? [`The program has changed since ${settings.previous}: its SHA-256 was ${previous.sha256}.`]
    : [];
  if (settings.json) {
    for (const line of findings) output.note(printable(line));
    const { assumptions } = report;
    output.print(stringifyJson({ version, ...(snakeCaseKeys(report) as object), assumptions }));
  } else {
    const { program, sha256, deployedSlot } = report;
    const title =
      sha256 === undefined
        ? `The library's own model of ${program}, which proves nothing about the program`
        : `The program ${program}, SHA-256 ${sha256}, deployed in slot ${deployedSlot}`;
    const lines = [...aligned(tableOf(report)), ...reasonsOf(report), ...findings, summaryOf(report)];
    printLines(output, [title, ...lines]);
  }
  const isWhole = report.notRun.length === 0 && !hasChanged;
  return report.isEqual && (isWhole || !settings.strict) ? 0 : 1;
}

/** What an earlier run printed. */
async function previousOf(path: string): Promise<{ readonly program: unknown; readonly sha256: string }> {
  const text = await textOf('--previous', path);
  let report: unknown;
  try {
    report = JSON.parse(text);
  } catch {
    // Reported below.
  }
  const { program, sha256 } = Object(report) as Readonly<Record<string, unknown>>;
  if (typeof sha256 === 'string' && /^[0-9a-f]{64}$/.test(sha256)) return { program, sha256 };
  throw new UsageError(
    `--previous ${path} is not the output of 'heaven-pools verify --json' on a deployed program: it has no sha256 of 64 hex digits. Pass that of an earlier run with --rpc or --from.`,
  );
}

const textOf = (option: string, path: string): Promise<string> =>
  readFile(path, 'utf8').catch(({ code }: NodeJS.ErrnoException) => {
    throw new UsageError(`${option} ${path} can't be read: ${code}.`);
  });

function printLines(output: Output, lines: readonly string[]): void {
  for (const line of lines) output.print(printable(line));
}

/** A cluster, or an embedded ledger on which some trades were made. */
async function historyOf(settings: VerifySettings): Promise<HeavenClient<HeavenHistoryRpc>> {
  const { rpcUrl, programId, embedded } = settings;
  if (!embedded) return connect(nodeIn(rpcUrl), programId);
  const ledger = await createEmbeddedLedger();
  assertProgram(programId, ledger.programAddress, '--embedded');
  for (const pool of [ledger.pools.creator, ledger.pools.pro])
    await runSampleTrades(ledger, { pool, count: SAMPLE_TRADES });
  return createHeavenClient({ rpc: ledger.rpc });
}

const SAMPLE_TRADES = 50;

function nodeIn(rpcUrl: string | undefined): string {
  if (rpcUrl !== undefined) return rpcUrl;
  throw new UsageError(
    'Name a node with --rpc (or RPC_URL), use a saved download with --from, or try it with --embedded.',
  );
}

async function sourceFor(settings: VerifySettings): Promise<VerifySource> {
  const { rpcUrl, programId, pools, save, from, embedded } = settings;
  if (embedded) return sourceOf(await createEmbeddedLedger());
  if (from !== undefined) return parseSource(await textOf('--from', from));
  const client = connect(nodeIn(rpcUrl), programId);
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
