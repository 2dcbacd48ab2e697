// Builds, and becomes the server itself. npm gives a signal to the shell between them alone, which most shells don't pass on:
// when that is gone, the server stops too.
import { spawnSync } from 'node:child_process';

import { install } from './packages.mjs';

install('.');
const { status } = spawnSync('npm', ['run', '--silent', 'build', '--', '--no-dts'], {
  stdio: 'inherit',
  shell: process.platform === 'win32',
});
if (status !== 0) process.exit(status ?? 1);
const { ppid } = process;
const watch = setInterval(() => {
  if (process.ppid === ppid) return;
  clearInterval(watch);
  process.kill(process.pid, 'SIGTERM');
}, 200).unref();
process.argv.splice(2, 0, 'serve');
await import('../dist/cli.js');
