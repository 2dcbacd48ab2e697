import { createReadStream } from 'node:fs';

import type { Address } from '@solana/kit';
import type { Command } from 'commander';

import type { TransactionCredit, TransactionDebit, TransactionInspection } from 'heaven-pools';
import { grouped, inSolAndLamports } from './numbers.js';
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
import { aligned, CommandError, printable, type Row, standardOutput, UsageError } from './output.js';

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
  printAnswer(library, json, plain(inspection), () => describeInspection(library, inspection).map(printable));
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

function describeInspection(library: Library, inspection: TransactionInspection): readonly string[] {
  const { version, size, lifetime, feePayer, instructions, fees, computeBudget } = inspection;
  const allEffects = instructions.flatMap(({ effects }) => effects);
  const section = (title: string, rows: readonly Row[]) =>
    rows.length === 0
      ? []
      : ['', title, ...aligned(rows.map(([label, value]): Row => [`  ${label}`, value ?? '']))];
  const { unitLimit, isLimitSet, unitPrice } = computeBudget;
  return [
    ...aligned([
      [
        'Transaction',
        `${library.versionInWords(version)}, ${grouped(String(size))} of ${grouped(String(library.maxTransactionBytes(version)))} bytes`,
      ],
      ['Valid', lifetimeInWords(lifetime)],
      ['Fee payer', feePayer],
    ]),
    ...section(
      'Instructions',
      instructions.map(({ description }, index) => [String(index + 1), description]),
    ),
    ...section('May take', [
      ...inspection.debits.map((debit) => debitRow(library, debit, instructions)),
      ...instructions.flatMap(({ effects }, index): readonly Row[] =>
        effects.some(({ kind }) => kind === 'anything')
          ? [['anything', `by instruction ${index + 1}, which is not understood: see the warning`]]
          : [],
      ),
    ]),
    ...section(
      'May pay',
      inspection.credits.map((credit) => creditRow(library, credit)),
    ),
    ...section(
      'Creates',
      allEffects.flatMap((effect): readonly Row[] => {
        if (effect.kind !== 'create') return [];
        const { account, what, owner, isIdempotent } = effect;
        const whose = owner === undefined ? '' : ` of ${owner}`;
        const when = isIdempotent ? ', if there is none' : '';
        return [[`${library.CREATED_NAMES[what]} ${account}`, `${whose}${when}`.trim().replace(/^, /, '')]];
      }),
    ),
    ...section(
      'Closes',
      allEffects.flatMap((effect): readonly Row[] =>
        effect.kind === 'close'
          ? [[effect.account, `and pays its whole balance to ${effect.destination}`]]
          : [],
      ),
    ),
    ...section('Fees', [
      ['signatures', inSolAndLamports(fees.signatures)],
      [
        'priority',
        `${inSolAndLamports(fees.priority)}: ${grouped(String(unitLimit))} compute units${isLimitSet ? '' : ' (no limit is set)'}${unitPrice === undefined ? '' : ` at ${grouped(String(unitPrice))} micro-lamports`}`,
      ],
      ['total', inSolAndLamports(fees.total)],
    ]),
    ...section(
      'Signers',
      inspection.signers.map(({ address, signature }) => [
        address,
        signature === 'missing' ? 'has yet to sign' : `has signed, ${signature}`,
      ]),
    ),
    ...section(
      'Lookup tables',
      inspection.lookupTables.map(({ address, loads, reason }) => [
        address,
        loads === undefined ? `not known: ${reason ?? 'nothing is said of it'}` : loads.join('\n'),
      ]),
    ),
    ...inspection.warnings.flatMap(({ message }, index) => [
      ...(index === 0 ? [''] : []),
      `Warning: ${message}`,
    ]),
  ];
}

const lifetimeInWords = (lifetime: TransactionInspection['lifetime']): string =>
  lifetime.kind === 'blockhash'
    ? `for 150 blocks from the block hash ${lifetime.blockhash}`
    : `at any time until the nonce of ${lifetime.nonceAccount ?? 'an account that is not known'} is advanced`;

type Moved = Pick<TransactionDebit, 'asset' | 'mint'>;

const unitsOf = ({ tokenName }: Library, { asset, mint }: Moved, value: bigint): string =>
  asset === 'SOL'
    ? inSolAndLamports(value)
    : `${grouped(String(value))} units of ${asset === 'LP' ? 'LP tokens' : tokenName(mint)}`;

const assetOf = ({ tokenName }: Library, { asset, mint }: Moved): string =>
  asset === 'token' ? `of ${tokenName(mint)}` : asset;

function debitRow(
  library: Library,
  debit: TransactionDebit,
  instructions: TransactionInspection['instructions'],
): Row {
  const { account, amount, named } = debit;
  const from = `from ${account}`;
  if (amount === 'all') return [`all ${assetOf(library, debit)}`, from];
  if (amount === 'unknown')
    return [`${unitsOf(library, debit, named)}, and ${library.unnamedPart(debit, instructions)}`, from];
  return [`at most ${unitsOf(library, debit, amount)}`, from];
}

function creditRow(library: Library, credit: TransactionCredit): Row {
  const { account, amount, minimum, ownership } = credit;
  const to = `to ${account}, ${library.ownershipInWords(ownership)}`;
  if (typeof amount === 'bigint') return [unitsOf(library, credit, amount), to];
  if (minimum > 0n) return [`at least ${unitsOf(library, credit, minimum)}`, to];
  const asset = assetOf(library, credit);
  if (amount === 'all') return [`all ${asset}`, to];
  return [`an amount ${credit.asset === 'token' ? '' : 'of '}${asset}`, to];
}
