import { parentPort, workerData } from 'node:worker_threads';

import { findMintKey, suffixMatcher } from '../standard/mint-key.js';

const matches = suffixMatcher(workerData.suffix);
if (matches === undefined) throw new Error('No address ends with that suffix.');

// The worker of a mint supply: finds one key for each message.
parentPort?.on('message', async () => {
  parentPort?.postMessage(await findMintKey(matches));
});
