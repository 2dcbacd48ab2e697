import { writeFile } from 'node:fs/promises';

import { CommandError } from './output.js';

/**
 * Writes a file that the user has named.
 *
 * @throws {CommandError} `file-not-written`
 */
export async function storeFile(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text);
  } catch (error) {
    throw notWritten(path, error);
  }
}

export const notWritten = (path: string, error: unknown): CommandError =>
  new CommandError('file-not-written', `${path} can't be written: ${reasonOf(error)}.`);

/** Why a file can't be read or written, without a stack. */
export const reasonOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? 'unknown reason';
