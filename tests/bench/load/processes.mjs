// The processes of a load test, each on a core of its own where the machine can pin them. They end with the test.
import { spawn, spawnSync } from 'node:child_process';

export const canPin = spawnSync('taskset', ['-c', '0', 'true']).status === 0;
const children = [];
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

/** Starts a program on a core, and returns the match of `ready` in its output. */
export function start(core, args, ready, env = {}) {
  const [command, ...rest] = canPin ? ['taskset', '-c', String(core), 'node', ...args] : ['node', ...args];
  const child = spawn(command, rest, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  return new Promise((resolve, reject) => {
    let output = '';
    const look = (chunk) => {
      output += chunk;
      const found = ready.exec(output);
      if (!found) return;
      child.stdout.off('data', look);
      child.stdout.resume();
      resolve({ child, found: found[1] });
    };
    child.stdout.on('data', look);
    child.on('exit', (code) => reject(new Error(`${args[0]} ended with ${code}`)));
  });
}
