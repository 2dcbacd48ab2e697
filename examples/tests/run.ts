import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs an example as a user would: in a process of its own, from the root of the clone. */
export const runExample = (
  path: string,
  options: readonly string[] = [],
  {
    env = {},
    signal,
  }: { readonly env?: Record<string, string>; readonly signal?: (line: string) => boolean } = {},
): Promise<Ran> =>
  new Promise((resolve, reject) => {
    // Without the tester's own BASE_URL and similar variables.
    const { PATH = '', HOME = '' } = process.env;
    const child = spawn(process.execPath, ['--import', 'tsx', `examples/${path}`, ...options], {
      cwd: root,
      env: { PATH, HOME, ...env },
    });
    let stdout = '';
    let stderr = '';
    let isInterrupted = false;
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk;
      // Ctrl-C, once a line is there that the caller waits for.
      if (!isInterrupted && signal?.(stdout)) {
        isInterrupted = true;
        child.kill('SIGINT');
      }
    });
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk;
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });

/** Control codes have no place where nobody looks at a terminal. */
export const hasControlCodes = (text: string): boolean =>
  [...text].some((character) => (character < ' ' && character !== '\n') || character === '\u007f');

/** Lamports, or units, of an amount as the examples print it: all digits, thousands apart. */
export const unitsOf = (text: string): bigint => BigInt(text.replace(/ .*$|[,.+]/g, ''));

/** What rent an account of so many bytes holds. */
export const rent = (size: number) => (BigInt(size) + 128n) * 5_080n;
