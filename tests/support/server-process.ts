import type { ChildProcess } from 'node:child_process';
import { rm } from 'node:fs/promises';

/** A server in a process of its own. */
export interface RunningServer {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * A server on loopback, once its process prints the port.
 *
 * @param port Matches what it prints, with the port in its group.
 * @param folder What it runs from. Removed once it is closed.
 */
export async function serverOf(child: ChildProcess, port: RegExp, folder: string): Promise<RunningServer> {
  const ended = new Promise((resolve) => child.once('close', resolve));
  const found = await new Promise<string>((resolve, reject) => {
    let printed = '';
    for (const output of child.stdio.slice(1))
      output?.on('data', (chunk: Buffer) => {
        printed += chunk;
        const [, found] = port.exec(printed) ?? [];
        if (found !== undefined) resolve(found);
      });
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`It ended with ${code}: ${printed}`)));
  });
  return {
    url: `http://127.0.0.1:${found}`,
    close: async () => {
      child.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}
