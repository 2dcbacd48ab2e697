// `npm run bench`: the whole benchmark. A part that misses a bar doesn't stop those after it; the command fails at the end.
import { spawnSync } from 'node:child_process';

const PARTS = [
  ['tests/bench/peers/run.mjs'],
  ['tests/bench/size/run.mjs'],
  ['tests/bench/size/footprint.mjs'],
  ['tests/bench/growth/run.mjs'],
  ['tests/bench/growth/candles.mjs'],
  ['--expose-gc', 'tests/bench/growth/memory.mjs'],
];

const missed = PARTS.filter((part) => spawnSync(process.execPath, part, { stdio: 'inherit' }).status !== 0);
for (const part of missed) console.error(`Failed, or missed a bar: ${part.at(-1)}`);
process.exitCode = missed.length > 0 ? 1 : 0;
