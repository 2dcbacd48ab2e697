import { createReadStream } from 'node:fs';

import type { Address } from '@solana/kit';
import type { Command } from 'commander';

import {
  EXIT_CODES,
  type JsonSettings,
  jsonOption,
  type Library,
  printAnswer,
  programIdOption,
  rpcOption,
  run,
} from './options.js';
import { CommandError, printable, standardOutput, UsageError } from './output.js';

/** The options of `heaven-pools inspect`. */
interface InspectSettings extends JsonSettings {
  readonly file?: string;
  readonly owner?: Address;
  readonly recipient?: readonly Address[];
  readonly rpc?: string;
  readonly programId?: string;
}

/** Declares `heaven-pools inspect`. */
export function declare(program: Command): void {
  program
    .command('inspect')
    .description(
      'Shows what a transaction would do, before you sign it: its instructions in words, the most that it may take, what it creates and closes, the fees, and who must sign.',
    )
    .argument(
      '[tx]',
      'the transaction in base64, or an answer of the HTTP interface (default: what stdin holds)',
    )
    .option('--file <path>', 'read the transaction from a file')
    .option('--owner <address>', 'your wallet, to warn of what leaves it (default: every signer)')
    .option('--recipient <address...>', 'others that you mean to pay: no warning for what reaches them')
    .addOption(rpcOption('none: lookup tables stay unknown'))
    .addOption(programIdOption())
    .addOption(jsonOption())
    .addHelpText('after', EXIT_CODES)
    .action((tx: string | undefined, _, command: Command) =>
      run<InspectSettings>(command, (library, settings) => inspect(library, tx, settings)),
    );
}

/** Far more than a transaction, or an HTTP response with one, needs. */
const MOST_CHARACTERS = 65_536;

async function inspect(
  library: Library,
  argument: string | undefined,
  { file, owner, recipient, rpc, programId, json }: InspectSettings,
): Promise<void> {
  if (argument !== undefined && file !== undefined)
    throw new UsageError('Give the transaction or --file, not both.');
  const client = rpc === undefined ? undefined : library.connect(rpc, programId);
  const tx = transactionIn(library, argument ?? (await textOf(file)));
  const inspection = await library.inspectTransaction(tx, {
    client,
    owner,
    recipients: recipient,
    programAddress: library.programOf(programId),
  });
  printAnswer(library, json, plain(inspection), () => inspection.summary.map(printable));
  if (client === undefined && inspection.lookupTables.length > 0)
    standardOutput.note('Nothing was fetched. With --rpc the lookup tables are read.');
}

/** The contents of a file, or stdin. */
async function textOf(file: string | undefined): Promise<string> {
  if (file === undefined && process.stdin.isTTY)
    throw new UsageError('Give the transaction, --file, or pipe it in.');
  const name = file ?? 'The standard input';
  let text = '';
  try {
    const source = file === undefined ? process.stdin : createReadStream(file);
    source.setEncoding('utf8');
    for await (const chunk of source) {
      text += chunk;
      if (text.length > MOST_CHARACTERS)
        throw new CommandError('malformed-data', `${name} is too long for a transaction.`);
    }
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const { code = 'it failed' } = error as NodeJS.ErrnoException;
    throw new CommandError('unreadable-file', `${name} can't be read: ${code}.`);
  }
  if (text.trim() === '') throw new CommandError('malformed-data', `${name} is empty.`);
  return text;
}

/** The base64 in a text: alone, broken into lines, or as `tx` in a response of the HTTP API. */
function transactionIn({ parseJson }: Library, text: string): string {
  const trimmed = text.trim();
  if (!trimmed.startsWith('{')) return trimmed.replace(/\s+/g, '');
  try {
    const { tx } = parseJson(trimmed) as { readonly tx?: unknown };
    if (typeof tx === 'string') return tx;
  } catch {
    // Reported below.
  }
  throw new CommandError('malformed-data', 'This is not a JSON object with a transaction in tx.');
}

/** Turns bytes into base64, and leaves everything else as it is. */
function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return btoa(String.fromCharCode(...value));
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, plain(item)]));
}
