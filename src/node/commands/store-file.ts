import { constants } from 'node:fs';
import { access, lstat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

import { CommandError, UsageError } from './output.js';

/**
 * Writes a file that the user named.
 *
 * @param options `isNew`: never replaces a file or follows a link.
 * @throws {CommandError} `file-not-written`
 */
export async function storeFile(
  path: string,
  text: string,
  { isNew = false }: { readonly isNew?: boolean } = {},
): Promise<void> {
  try {
    await writeFile(path, text, { flag: isNew ? 'wx' : 'w' });
  } catch (error) {
    throw notWritten(path, error);
  }
}

/**
 * Checks before a long run that its result can be written. Never replaces an existing deployment file, because its content may
 * have been proven.
 *
 * @throws {UsageError} if the file exists
 * @throws {CommandError} `file-not-written` if its folder doesn't exist or isn't writable
 */
export async function assertNewFile(option: string, path: string): Promise<void> {
  const isThere = await lstat(path).then(
    () => true,
    () => false,
  );
  if (isThere)
    throw new UsageError(`${option} ${path} already exists. Name another file, or delete that one first.`);
  try {
    await access(dirname(path), constants.W_OK);
  } catch (error) {
    throw notWritten(path, error);
  }
}

export const notWritten = (path: string, error: unknown): CommandError =>
  new CommandError('file-not-written', `${path} can't be written: ${reasonOf(error)}.`);

/** A short reason why a file can't be read or written. */
export const reasonOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? 'unknown reason';
