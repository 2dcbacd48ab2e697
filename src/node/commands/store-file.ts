import { constants } from 'node:fs';
import { access, lstat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

import { CommandError, UsageError } from './output.js';

/**
 * Writes a file that the user has named.
 *
 * @param options `isNew`: never in the place of another file, nor through a link.
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
 * Rejects to begin what takes minutes and then couldn't be written. What a deployment file says may have been proven: it is
 * replaced by nothing that says less.
 *
 * @throws {UsageError} the file is there
 * @throws {CommandError} `file-not-written`: its folder isn't, or can't be written to
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

/** Why a file can't be read or written, without a stack. */
export const reasonOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? 'unknown reason';
