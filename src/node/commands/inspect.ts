import { text } from 'node:stream/consumers';

import type { Address } from '@solana/kit';
import { inspectTransaction } from 'heaven-pools';
import { parseJson, stringifyJson } from 'heaven-pools/http';

import { snakeCaseKeys } from '../../http/names.js';
import { connect, programOf } from './cluster.js';
import type { JsonSettings } from './options.js';
import { CommandError, printable, standardOutput, UsageError } from './output.js';

/** The options of `heaven-pools inspect`. */
export interface InspectSettings extends JsonSettings {
  readonly owner?: Address;
  readonly recipient?: readonly Address[];
  readonly rpcUrl?: string;
  readonly programId?: string;
}

/** Prints what a transaction would do. */
export async function inspect(argument: string | undefined, settings: InspectSettings): Promise<void> {
  const { owner, recipient, rpcUrl, programId, json } = settings;
  if (argument === undefined && process.stdin.isTTY)
    throw new UsageError('Give the transaction, or pipe it in.');
  const client = rpcUrl === undefined ? undefined : connect(rpcUrl, programId);
  const inspection = await inspectTransaction(transactionIn(argument ?? (await text(process.stdin))), {
    client,
    owner,
    recipients: recipient,
    programAddress: programId === undefined ? undefined : programOf(programId),
  });
  if (json) standardOutput.print(stringifyJson(snakeCaseKeys(withBase64(inspection))));
  else for (const line of inspection.summary) standardOutput.print(printable(line));
  if (client === undefined && inspection.lookupTables.length > 0)
    standardOutput.note('Nothing was fetched. With --rpc the lookup tables are read.');
}

/** The base64 in a text: alone, broken into lines, or as `tx` in a response of the HTTP API. */
function transactionIn(input: string): string {
  const trimmed = input.trim();
  if (!trimmed.startsWith('{')) return trimmed.replace(/\s+/g, '');
  try {
    const { tx } = parseJson(trimmed) as { readonly tx?: unknown };
    if (typeof tx === 'string') return tx;
  } catch {
    // Reported below.
  }
  throw new CommandError('malformed-data', 'This is not a JSON object with a transaction in tx.');
}

/** A value with base64 for bytes. */
function withBase64(value: unknown): unknown {
  if (value instanceof Uint8Array) return btoa(String.fromCharCode(...value));
  if (Array.isArray(value)) return value.map(withBase64);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withBase64(item)]));
}
