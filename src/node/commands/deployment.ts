import { readFileSync, statSync } from 'node:fs';

import type { DeploymentConfig } from '../../client.js';
import { parseDeployment } from '../../deployment-file.js';

/** Larger than any deployment file. Larger files aren't read. */
const MOST_BYTES = 65_536;

/**
 * Reads the file of `--deployment`.
 *
 * @throws {Error} with a message for the user
 */
export function readDeployment(path: string): DeploymentConfig {
  let text: string;
  try {
    const info = statSync(path);
    if (!info.isFile() || info.size > MOST_BYTES) throw new Error('not a file of a deployment');
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(
      `It must be a file that \`prove --write\` or \`check --write\` made; it ${code === 'ENOENT' ? "isn't there" : "can't be read"}.`,
    );
  }
  return parseDeployment(text);
}
