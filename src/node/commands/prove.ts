import { readFile, stat } from 'node:fs/promises';
import type { Command } from 'commander';

import type { Proof, ProofProgress, ProofSource } from '../../check/index.js';
import {
  type JsonSettings,
  jsonOption,
  type Library,
  numberArgument,
  programIdOption,
  rpcOption,
  settingsOf,
} from './options.js';
import {
  describeFailure,
  type Output,
  printable,
  standardOutput,
  UsageError,
  withoutKeys,
} from './output.js';
import { assertNewFile, notWritten, reasonOf, storeFile } from './store-file.js';

export interface ProveSettings extends JsonSettings {
  readonly rpc?: string | undefined;
  readonly programId?: string | undefined;
  /** A folder that `--save` created. */
  readonly from?: string | undefined;
  readonly save?: string | undefined;
  /** An ELF file. */
  readonly program?: string | undefined;
  readonly write?: string | undefined;
  readonly markdown?: string | undefined;
  readonly seed?: number | undefined;
  readonly trades?: number | undefined;
  readonly rehearse?: boolean | undefined;
  readonly expectHash?: string | undefined;
}

/** Declares `heaven-pools prove`. */
export function declare(program: Command): void {
  program
    .command('prove')
    .description(
      'Runs the exchange program itself, offline and free, and compares every number with what the library computes. Exit code 0: nothing refuted, 1: something is, 2: it can not run, or wrong usage.',
    )
    .addOption(rpcOption('none; use --from'))
    .addOption(programIdOption())
    .option('--from <dir>', 'use a download that --save kept')
    .option('--save <dir>', 'keep the download')
    .option('--program <file>', 'run this binary (ELF) instead of the downloaded one')
    .option('--write <file>', 'write the deployment that the proof found into a new file, for --deployment')
    .option('--markdown <file>', 'write the report as Markdown too')
    .option('--trades <number>', 'random trades in each pool (default: 200)', numberArgument(1, 100_000))
    .option('--seed <number>', 'draw the same trades again', numberArgument(0, 2 ** 32 - 1))
    .option('--rehearse', "run the library's own model: shows the report, and proves nothing about mainnet")
    .option('--expect-hash <sha256>', 'exit with 1 if the program has another hash')
    .addOption(jsonOption())
    .action(async (_, command: Command) => {
      process.exitCode = await prove(settingsOf(command));
    });
}

const NOTHING_REFUTED = 0;
const SOMETHING_REFUTED = 1;
const CANNOT_RUN = 2;

/** Runs the proof, prints its report, and returns the exit code. */
export async function prove(settings: ProveSettings, output: Output = standardOutput): Promise<0 | 1 | 2> {
  assertUsage(settings);
  const library = await import('./library.js');
  const { json = false, write, markdown, expectHash } = settings;
  let proof: Proof;
  try {
    if (write !== undefined) await assertNewFile('--write', write);
    proof = await run(library, settings, output);
    // If the program isn't the exchange, there is nothing to write.
    if (write !== undefined && !proof.nothingMoved)
      await storeFile(write, library.stringifyDeployment(proof.deployment, origin(proof)), { isNew: true });
    if (markdown !== undefined) await storeFile(markdown, library.describeProofAsMarkdown(proof));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    // Only the library's own messages: others may contain the node's URL and key.
    const { error: told, code, reason } = await describeFailure(error);
    // An error from outside the library is a bug in the proof, and the report needs its message.
    const bug = code === 'internal-error' ? ` Report it: ${withoutKeys((error as Error).message)}` : '';
    if (json) output.print(library.stringifyJson({ error: told }));
    else output.note(printable(`The proof can't run (${code}): ${reason}${bug}`));
    return CANNOT_RUN;
  }
  const found = proof.program?.sha256;
  const isOther = expectHash !== undefined && found !== expectHash.toLowerCase();
  if (json) output.print(library.stringifyJson(proof));
  else {
    for (const line of library.describeProof(proof)) output.print(printable(line));
    if (write !== undefined)
      output.print(
        proof.nothingMoved
          ? `${printable(write)} was not written.`
          : `Wrote ${printable(write)}: use it with --deployment.`,
      );
  }
  if (isOther) output.note(`The program's hash is ${found ?? 'not known'}, and ${expectHash} was expected.`);
  return isOther || library.isContradicted(proof) ? SOMETHING_REFUTED : NOTHING_REFUTED;
}

function assertUsage({ rpc, from, save, program, rehearse, expectHash }: ProveSettings): void {
  if (rpc !== undefined && from !== undefined)
    throw new UsageError('--rpc downloads and --from does not: give one of them.');
  if (rpc === undefined && from === undefined && rehearse !== true)
    throw new UsageError(
      'Name a node with --rpc (or RPC_URL), or a folder that --save has made with --from.',
    );
  if (save !== undefined && rpc === undefined) throw new UsageError('--save keeps what --rpc downloads.');
  if (program !== undefined && rehearse === true)
    throw new UsageError('--rehearse runs no program: leave out --program.');
  if (expectHash !== undefined && !/^[0-9a-f]{64}$/i.test(expectHash))
    throw new UsageError('--expect-hash must be 64 hex digits.');
}

/** A line for the deployment file that says what produced it. */
function origin({ runs, program, seed }: Proof): string {
  const date = new Date().toISOString().slice(0, 10);
  return runs === 'program' && program !== undefined
    ? `proven on ${date} by heaven-pools prove on the program with SHA-256 ${program.sha256} (seed ${seed})`
    : `from a rehearsal on ${date}: says nothing of mainnet`;
}

async function run(library: Library, settings: ProveSettings, { note }: Output): Promise<Proof> {
  const { seed, trades, rehearse = false } = settings;
  const source = await sourceOf(library, settings, note);
  const { report, end } = progressLine();
  try {
    return await library.proveProgram(source, {
      runs: rehearse ? 'model' : 'program',
      seed,
      trades,
      observe: report,
    });
  } finally {
    end();
  }
}

/** The source of the proof: downloaded, read from a folder, or the sample accounts for a rehearsal. */
async function sourceOf(
  { connect, downloadProofSource, createSampleProofSource }: Library,
  { rpc, from, save, program: file, programId }: ProveSettings,
  note: Output['note'],
): Promise<ProofSource> {
  const { loadProofSource, saveProofSource } = await import('../proof-files.js');
  const program = file === undefined ? undefined : await load(file);
  if (from !== undefined) return loadProofSource(from, { program });
  if (rpc === undefined) return createSampleProofSource();
  const source = await downloadProofSource(connect({ rpc, programId }), {
    program,
    observe: (step) => note(`Download: ${printable(step)}`),
  });
  if (save !== undefined) {
    try {
      await saveProofSource(source, save);
    } catch (error) {
      throw notWritten(save, error);
    }
  }
  return source;
}

/** Larger than any program. Larger files aren't read. */
const MOST_PROGRAM_BYTES = 10 * 1_024 * 1_024;

async function load(path: string): Promise<Uint8Array> {
  try {
    const { size } = await stat(path);
    if (size <= MOST_PROGRAM_BYTES) return new Uint8Array(await readFile(path));
  } catch (error) {
    throw new UsageError(`--program ${path} can't be read: ${reasonOf(error)}.`);
  }
  throw new UsageError(
    `--program ${path} has more than ${MOST_PROGRAM_BYTES} bytes, the most that a program can have.`,
  );
}

/** Shows progress on stderr: one line that updates on a terminal, otherwise a line per scenario. */
function progressLine() {
  const { stderr } = process;
  let last = '';
  let shownAt = 0;
  return {
    report: ({ scenario, done, total, transactions, secondsLeft }: ProofProgress) => {
      const left = secondsLeft === undefined ? '' : `, about ${secondsLeft} s left`;
      const line = `${done + 1} of ${total}: ${scenario}, ${transactions} transactions${left}`;
      if (stderr.isTTY) {
        if (Date.now() - shownAt < 100) return;
        shownAt = Date.now();
        stderr.write(`\r\u001b[K${line.slice(0, (stderr.columns ?? 80) - 1)}`);
      } else if (last !== scenario) stderr.write(`${line}\n`);
      last = scenario;
    },
    end: () => {
      if (stderr.isTTY) stderr.write('\r\u001b[K');
    },
  };
}
