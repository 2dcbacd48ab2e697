// Runs `npm start` as a new user would, on a free port: it must show its screen, keep serving, and stop cleanly.
import { spawn } from 'node:child_process';

const expected = [
  'heaven-pools serves the embedded ledger',
  'POST /quote/buy',
  '1.5 SOL buys about',
  'POST /tx/buy',
  'Exchange: buy',
  'curl http',
];

const { RPC_URL: _, ...env } = process.env;
const start = spawn('npm', ['start'], { env: { ...env, PORT: '0' }, detached: true });
let output = '';
const seen = (text) =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no "${text}" within ten minutes:\n${output}`)), 600_000);
    const look = (chunk = '') => {
      output += chunk;
      if (!output.includes(text)) return;
      clearTimeout(timer);
      resolve();
    };
    start.stdout.on('data', look);
    start.stderr.on('data', look);
    start.on('exit', (code) => reject(new Error(`npm start ended with ${code}:\n${output}`)));
    look();
  });

try {
  await seen('Ctrl-C stops it.');
  const missing = expected.filter((text) => !output.includes(text));
  if (missing.length > 0) throw new Error(`npm start does not show ${missing.join(', ')}:\n${output}`);
  const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(output);
  const response = await fetch(`${url}/quote/buy`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  if (response.status !== 400) throw new Error(`a wrong request was answered with ${response.status}`);
  start.removeAllListeners('exit');
  const shown = output;
  const ended = new Promise((resolve) => start.on('close', resolve));
  process.kill(-start.pid, 'SIGINT');
  await ended;
  const last = output.slice(shown.length).trim();
  if (last !== 'Stopping.') throw new Error(`npm start should print "Stopping." after Ctrl-C, not:\n${last}`);
  console.log('npm start shows its screen, keeps serving and stops on Ctrl-C');
} catch (error) {
  console.error(error.message);
  try {
    process.kill(-start.pid, 'SIGKILL');
  } catch {}
  process.exitCode = 1;
}
