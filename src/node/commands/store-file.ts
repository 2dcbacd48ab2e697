import { writeFile } from 'node:fs/promises';

import { CommandError } from './output.js';

/**
 * Writes a file that the user named.
 *
 * @throws {CommandError} `file-not-written`
 */
export async function storeFile(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text);
  } catch (error) {
    throw new CommandError('file-not-written', `${path} can't be written: ${reasonOf(error)}.`);
  }
}

/** A short reason why a file can't be read or written. */
export const reasonOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? 'unknown reason';
